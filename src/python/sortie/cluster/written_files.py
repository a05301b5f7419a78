"""Files of a job. State is in small JSON files that are whole or not there: written under a name of their own, then
renamed.

What a job keeps has a checksum at its end, of all that is in front of it, which holds the name of the file, too: what
was changed since it was written, is a copy of another file, or is of another version, counts as not there. Whether
large files are still what was written to them is told by length and checksum of each stretch."""

import json
import os
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from .. import Error
from .._native import ByteChecksum
from .._sources import is_source, open_source, output_of

# In front of the checksum, as the command writes it, too.
_CHECKSUM_NAME = "checksum"
_CHECKSUM = f',"{_CHECKSUM_NAME}":"'
# The name of the file, within the job.
_NAME = "state"
# For a value that is no object, which could not hold the checksum.
_VALUE = "value"
# Nobody else reads what a job keeps, whoever may enter its directory.
_STATE_MODE = 0o600


def attempt_name() -> str:
    """A name that no other attempt has, on whatever machine."""
    return f"attempt-{os.uname().nodename}-{os.getpid()}-{os.urandom(4).hex()}"


def write_json(path: str, value: Any, temporary: str | None = None) -> None:
    write_text(path, json.dumps(value, separators=(",", ":")) + "\n", temporary=temporary)


def write_text(path: str, text: str, *, is_durable: bool = True, temporary: str | None = None,
               mode: int = 0o666) -> None:
    """temporary: a name of the caller's alone, by which it is written; what is there is replaced."""
    if temporary is not None:
        remove_file(temporary)
    else:
        temporary = f"{path}.{attempt_name()}"
    try:
        with open(temporary, "x", encoding="ascii",
                  opener=lambda name, flags: os.open(name, flags | os.O_CLOEXEC, mode)) as file:
            file.write(text)
            if is_durable:
                file.flush()
                os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        remove_file(temporary)
        raise


def write_state(path: str, value: Any, *, is_durable: bool = False) -> None:
    """What need not be durable is found damaged, or not there, after the machine has failed."""
    holds_checksum = isinstance(value, dict) and value.keys().isdisjoint((_VALUE, _NAME, _CHECKSUM_NAME))
    told = {_NAME: _name_within_job(path), **(value if holds_checksum else {_VALUE: value})}
    text = json.dumps(told, separators=(",", ":"))[:-1]
    write_text(path, f'{text}{_CHECKSUM}{checksum_of_bytes(text.encode())}"}}\n', is_durable=is_durable,
               mode=_STATE_MODE)


def read_state(path: str, *, is_of_command: bool = False) -> Any:
    """None if there is no such file, or it does not hold what was written under this name. is_of_command: the command
    has written it, which does not tell the name."""
    try:
        with open(path, "rb") as file:
            text = file.read()
        end = text.rindex(_CHECKSUM.encode())
        told = json.loads(text)
        if told.pop(_CHECKSUM_NAME) != checksum_of_bytes(text[:end]):
            return None
        if not is_of_command and told.pop(_NAME) != _name_within_job(path):
            return None
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError, ValueError, LookupError, TypeError,
            AttributeError):
        return None
    return told[_VALUE] if told.keys() == {_VALUE} else told


def _name_within_job(path: str) -> str:
    """Without the job directory, which may be called otherwise on another machine. Files in folders are numbered."""
    folder, name = os.path.split(path)
    return f"{os.path.basename(folder)}/{name}" if name[:1].isdigit() else name


def checksum_of_bytes(data: bytes) -> str:
    checksum = ByteChecksum()
    checksum.add(data)
    return str(checksum.value())


def read_json(path: str) -> Any:
    """None if there is no such file, or it holds no JSON."""
    try:
        with open(path, encoding="ascii") as file:
            return json.load(file)
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError, ValueError):
        return None


def remove_file(path: str) -> None:
    try:
        os.unlink(path)
    except FileNotFoundError:
        pass


_READ_BYTES = 4 << 20


def open_to_read(path: str) -> Any:
    """A file, or an object by its URL."""
    place: Any = output_of(path)
    return open_source(place) if is_source(place) else open(path, "rb", buffering=0)


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
    with open_to_read(path) as file:
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
    place: Any = output_of(path)
    try:
        if is_source(place):
            return int(place.state.size)
        return os.path.getsize(path)
    except (OSError, Error):
        return None


def stamps_of(paths: Iterable[str]) -> dict[str, list[Any]]:
    """What tells that a file was not written to since: inode, length and times of each that is there. Numbers of
    devices are others once a machine has started anew."""
    stamps: dict[str, list[Any]] = {}
    for path in paths:
        place: Any = output_of(path)
        try:
            if is_source(place):
                stamps[path] = list(place.state)
                continue
            state = os.stat(path)
        except (OSError, Error):
            continue
        stamps[path] = [state.st_ino, state.st_size, state.st_mtime_ns, state.st_ctime_ns]
    return stamps
