"""Files for pyarrow: how they are opened, and how an output takes the place of its target when it is complete. What
goes wrong with one becomes an Error that names it."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, BinaryIO

import pyarrow

from . import _native
from ._errors import Error, file_error
from ._outputs import OutputFile
from ._sources import is_source, open_source

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


_ADVICE = {errno.ENAMETOOLONG: "; choose a shorter name, of 255 bytes at most"}


@contextlib.contextmanager
def naming(path: str, doing: str) -> Iterator[None]:
    """doing: "read" or "write"."""
    try:
        yield
    except Error:
        raise
    except pyarrow.ArrowException as error:
        raise Error(f"cannot {doing} '{path}': {first_line(error)}") from error
    except OSError as error:
        if error.errno:
            reason = os.strerror(error.errno) + _ADVICE.get(error.errno, "")
            raise file_error(f"cannot {doing} '{path}': {reason}", None, error.errno, path) from error
        raise Error(f"cannot {doing} '{path}': {first_line(error)}") from error
    except UnicodeDecodeError as error:
        raise Error(f"cannot {doing} '{path}': the name of a column is not UTF-8, or the file is damaged") from error
    except UnicodeEncodeError as error:
        raise Error(f"cannot {doing} {path!a}: the name has a character that cannot be encoded") from error


def open_file(path: str) -> Any:
    """For pyarrow, which encodes as UTF-8 what it gets as a str, whatever the names of files are."""
    if is_source(path):
        return pyarrow.PythonFile(open_source(path), mode="r")
    return pyarrow.OSFile(os.fsencode(path))


def open_bytes(path: str) -> BinaryIO:
    """For what looks at bytes itself."""
    return open_source(path) if is_source(path) else open(path, "rb")


def open_output(path: str, threads: int, scratch: Any) -> OutputFile:
    """scratch: where waits what cannot be written at once."""
    if is_source(path):
        output: OutputFile = path.create(scratch)  # type: ignore[attr-defined]
        return output
    return LocalFile(os.fsdecode(path), threads)


def first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]


class LocalFile(OutputFile):
    """A file of the system, or a pipe."""

    packs = True

    def __init__(self, path: str, threads: int) -> None:
        self.path = path
        self._output = _native.OutputFile(self.path, threads)

    def _take(self, data: ReadableBuffer) -> None:
        self._output.write(data)

    def finish(self) -> None:
        self._output.finish()

    def discard(self) -> None:
        self._output.discard()


# Codecs of files of texts, by the ends of their names.
CODEC_OF_END = {".gz": "gzip", ".zst": "zstd"}


def codec_of(path: str) -> str | None:
    """What packs a file of texts; None for one that is not packed, or that is open and packs by itself."""
    if getattr(path, "packs", False):
        return None
    return CODEC_OF_END.get(os.path.splitext(path + getattr(path, "suffix", ""))[1].lower())


def open_unpacked(path: str) -> Any:
    """For texts, whose names tell how they are packed."""
    file, codec = open_file(path), codec_of(path)
    return pyarrow.CompressedInputStream(file, codec) if codec else file
