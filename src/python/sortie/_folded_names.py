"""Names that differ and reach one file nevertheless: some file systems take letters in either case for the same, or the ways
in which accents can be written, or drop dots and blanks at the end of a name. Only the file system knows which."""

import contextlib
import os
import unicodedata


def folded(name):
    """The same for all names that may be one."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", name).casefold()).rstrip(". ")


def lead_to_one_name(path, other):
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
