"""Files for what does not fit in memory, in the folder that `scratch` names. They have no name once they are open."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from ._arguments import is_path
from ._errors import FileError, file_error
from ._outputs import OutputFile

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


def folder_of(scratch: Any) -> str | None:
    """The first folder of `scratch`, which is a list, or one. None: the usual one."""
    folders = [scratch] if is_path(scratch) else scratch or [None]
    return None if folders[0] is None else os.fsdecode(folders[0])


def scratch_error(error: OSError, text: str, path: str) -> FileError:
    remedy = "choose another scratch directory with scratch="
    return file_error(f"{text}: {error.strerror or error}; {remedy}", "other_scratch", error.errno, path)


def nameless_file(scratch: Any) -> BinaryIO:
    folder = folder_of(scratch)
    try:
        return cast(BinaryIO, tempfile.TemporaryFile(dir=folder))
    except OSError as error:
        where = folder or "the usual folder"
        raise scratch_error(error, f"cannot create temporary file in '{where}'",
                            f"temporary file in '{where}'") from None


@contextlib.contextmanager
def naming_scratch(scratch: Any, doing: str = "write") -> Iterator[None]:
    """For what is done with a nameless_file()."""
    try:
        yield
    except OSError as error:
        where = folder_of(scratch) or "the usual folder"
        raise scratch_error(error, f"cannot {doing} temporary file in '{where}'",
                            f"temporary file in '{where}'") from None


class ScratchOutput(OutputFile):
    """An output that waits in a nameless_file() until it is complete. A class of this kind has finish()."""

    def __init__(self, path: str, scratch: Any) -> None:
        self.path, self._scratch = path, scratch
        self._file = nameless_file(scratch)

    def _take(self, data: ReadableBuffer) -> None:
        with naming_scratch(self._scratch):
            self._file.write(data)

    def rewind(self) -> int:
        """Goes to the begin of what was written, and returns its size."""
        with naming_scratch(self._scratch):
            self._file.flush()
            size = self._file.seek(0, os.SEEK_END)
            self._file.seek(0)
            return size

    def pieces(self, size: int) -> Iterator[bytes]:
        while True:
            with naming_scratch(self._scratch, "read"):
                piece = self._file.read(size)
            if not piece:
                return
            yield piece

    def discard(self) -> None:
        self._file.close()
