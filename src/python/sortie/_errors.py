"""The exceptions of the package: all are an Error, and of the class that Python has for them."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

_MOST_NAMES, _MOST_NAME_LETTERS, _MOST_LETTERS = 20, 40, 400


class Error(RuntimeError):
    """What a sort cannot do, in one line with the remedy. All errors of the package are of this class, and of Python's
    own where it has one: ValueError (ArgumentError), TypeError (ArgumentTypeError), OSError (FileError), MemoryError
    (OutOfMemoryError), ImportError (MissingModuleError).

        >>> import sortie
        >>> try:
        ...     sortie.sort_files("no such file", "out", engine="cpu")
        ... except sortie.Error as error:
        ...     print(isinstance(error, FileNotFoundError), error.filename)
        True no such file

    remedy: which argument helps, in a word: "more_memory", "less_memory", "fewer_threads", "other_scratch",
    "cpu_engine", "year", "zone", "quoting", "header_lines"; None if it is none of these."""

    def __init__(self, message: str, remedy: str | None = None) -> None:
        super().__init__(without_controls(message))
        self.remedy = remedy


class ArgumentError(Error, ValueError):
    """An argument has a value that it cannot have."""


class ArgumentTypeError(Error, TypeError):
    """An argument is of a type that it cannot be of."""


class OutOfMemoryError(Error, MemoryError):
    """The system gives no more memory."""


class MissingModuleError(Error, ImportError):
    """Another package is needed, and not installed."""


class FileError(Error, OSError):
    """What the system says of a file. Also of the class that Python has for it, such as FileNotFoundError or
    PermissionError, with errno, strerror and filename."""

    def __init__(self, message: str, remedy: str | None = None, number: int | None = None,
                 path: str | None = None) -> None:
        super().__init__(message, remedy)
        self.errno, self.filename = number, path
        self.strerror = os.strerror(number) if number else None

    def __str__(self) -> str:
        return str(self.args[0])

    def __reduce__(self) -> tuple[Any, ...]:
        return file_error, (self.args[0], self.remedy, self.errno, self.filename)


_KINDS = (BlockingIOError, BrokenPipeError, FileExistsError, FileNotFoundError, IsADirectoryError, NotADirectoryError,
          PermissionError)
_CLASSES: dict[type, Any] = {
    kind: type(FileError.__name__, (FileError, kind), {"__module__": __name__, "__doc__": FileError.__doc__})
    for kind in _KINDS}


def file_error(message: str, remedy: str | None, number: int | None, path: Any) -> FileError:
    """A FileError of the class that Python has for this errno. path: as messages show it."""
    kind: type = type(OSError(number or 0, ""))
    error: FileError = _CLASSES.get(kind, FileError)(message, remedy, number, _plain_path(path))
    return error


def file_error_of(error: OSError, text: str, path: Any) -> FileError:
    """A FileError for an OSError. text: what could not be done."""
    return file_error(f"{text}: {error.strerror or error}", None, error.errno, path)


def _plain_path(path: Any) -> Any:
    """Without the quotes that a shell would need, such as in 'a b'$'\\n' and "it's"."""
    if not isinstance(path, str) or path[:1] not in ("'", '"'):
        return path
    import re

    if path[0] == '"':
        return path[1:-1] if re.fullmatch(r'''"[^"$`\\!]*'[^"$`\\!]*"''', path, re.DOTALL) else path
    part = r"\$'((?:[^'\\]|\\.)*)'|'([^']*)'|\\(')"
    if not re.fullmatch(f"(?:{part})+", path, re.DOTALL):
        return path
    return "".join(_unescaped(escaped) or plain or quote for escaped, plain, quote in re.findall(part, path, re.DOTALL))


def _unescaped(text: str) -> str:
    """What stands within $'...'; escapes may be bytes of one letter."""
    octets = text.encode("utf-8", "surrogateescape").decode("unicode_escape").encode("latin-1")
    return octets.decode("utf-8", "surrogateescape")


def without_controls(text: str) -> str:
    """For a line of a message: control characters are written as in C, as the command writes them. Errors and warnings
    are so already: a name may hold the end of a line, or what steers a terminal."""
    from . import _native

    shown: bytes = _native.without_controls(text.encode("utf-8", "surrogatepass"))
    return shown.decode("utf-8", "surrogatepass")


for _class in (Error, ArgumentError, ArgumentTypeError, OutOfMemoryError, MissingModuleError, FileError,
               *_CLASSES.values()):
    _class.__module__ = "sortie"


def listed(names: Iterable[str]) -> str:
    """For a message: the first names, and how many more there are."""
    names = list(names)
    first = ", ".join(_cut(name, _MOST_NAME_LETTERS) for name in names[:_MOST_NAMES])
    more = len(names) - _MOST_NAMES
    return (f"{first} and {more} more" if more > 0 else first) or "none"


def shortened(thing: object) -> str:
    """For a message: the type of a struct has all names of its fields."""
    return _cut(str(thing), _MOST_LETTERS)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]}..."
