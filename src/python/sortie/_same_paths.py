"""Whether two paths lead to one file, also where a file system takes different names for one."""

from __future__ import annotations

import contextlib
import os
import unicodedata

AnyPath = str | bytes | os.PathLike[str] | os.PathLike[bytes]


def is_same(one: AnyPath, other: AnyPath) -> bool:
    """Whether both lead to the same place, where nothing need be yet, or are names of one file."""
    one, other = (os.path.realpath(os.fsencode(path)) for path in (one, other))
    with contextlib.suppress(OSError):
        if one == other or os.path.samefile(one, other):
            return True
    return lead_to_one_name(one, other)


def folded(name: str) -> str:
    """The same for all names that may be one."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", name).casefold()).rstrip(". ")


def lead_to_one_name(path: AnyPath, other: AnyPath) -> bool:
    """Whether two paths lead into one folder, by different names that are one there. Makes an empty file there under a
    hidden name, and removes it."""
    (folder, name), (other_folder, other_name) = (os.path.split(os.path.realpath(os.fsdecode(item)))
                                                  for item in (path, other))
    if folder != other_folder or name == other_name or folded(name) != folded(other_name):
        return False
    begin = os.path.join(folder, f".sortie-{os.urandom(4).hex()}-")
    try:
        os.close(os.open(begin + name, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o600))
    except OSError:
        return False
    try:
        return os.path.lexists(begin + other_name)
    finally:
        with contextlib.suppress(OSError):
            os.unlink(begin + name)
