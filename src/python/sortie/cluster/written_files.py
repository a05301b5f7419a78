"""Whether files are still what was written to them: by length and checksum of each stretch."""

import os
from collections.abc import Callable, Iterable
from typing import NamedTuple

from .._native import ByteChecksum

_READ_BYTES = 4 << 20


class Stretch(NamedTuple):
    """Bytes of a file, and their checksum as they were written."""

    path: str
    offset: int
    bytes: int
    checksum: str


def checksum_of(path: str, offset: int, count: int, on_read: Callable[[], None] = lambda: None) -> str | None:
    """None if there are not so many bytes. on_read: called now and then; what it raises ends the reading."""
    checksum = ByteChecksum()
    buffer = memoryview(bytearray(min(_READ_BYTES, count)))
    with open(path, "rb", buffering=0) as file:
        file.seek(offset)
        while count > 0:
            on_read()
            got = file.readinto(buffer[:min(len(buffer), count)])
            if not got:
                return None
            checksum.add(buffer[:got])
            count -= got
    return str(checksum.value())


def is_unchanged(stretch: Stretch, on_read: Callable[[], None] = lambda: None) -> bool:
    try:
        return checksum_of(stretch.path, stretch.offset, stretch.bytes, on_read) == stretch.checksum
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return False


def are_unchanged(stretches: Iterable[Stretch], threads: int) -> bool:
    """Whether the files consist of these stretches, and nothing else. Reads all of them, by so many threads."""
    stretches = list(stretches)
    ends: dict[str, int] = {}
    for stretch in stretches:
        ends[stretch.path] = max(ends.get(stretch.path, 0), stretch.offset + stretch.bytes)
    if any(length_of(path) != end for path, end in ends.items()):
        return False
    from concurrent.futures import ThreadPoolExecutor
    with ThreadPoolExecutor(threads) as pool:
        return all(pool.map(is_unchanged, stretches))


def length_of(path: str) -> int | None:
    try:
        return os.path.getsize(path)
    except OSError:
        return None


def stamps_of(paths: Iterable[str]) -> dict[str, list[int]]:
    """What tells that a file was not written to since: inode, length and times of each that is there. Numbers of devices
    are others once a machine has started anew."""
    stamps = {}
    for path in paths:
        try:
            state = os.stat(path)
        except OSError:
            continue
        stamps[path] = [state.st_ino, state.st_size, state.st_mtime_ns, state.st_ctime_ns]
    return stamps
