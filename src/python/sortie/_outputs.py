"""What sort_parquet() and others write to, whatever it is: a file, an object, a folder of these. It becomes visible
when it is complete, or not at all."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ._errors import Error

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


def unread(name: str) -> Error:
    """What a report tells who asks it for the rows of an open file."""
    return Error(f"the rows were written to the open file '{name}': read them from there")


class OutputFile(io.RawIOBase):
    """What pyarrow's writers write to. finish() or discard() ends it. path: as messages show it. packs: whether it
    packs by itself what is written, if its name ends in .gz."""

    path: str
    packs = False
    _position = 0

    def writable(self) -> bool:
        return True

    def write(self, data: ReadableBuffer) -> int:
        size = memoryview(data).nbytes
        self._take(data)
        self._position += size
        return size

    def tell(self) -> int:
        return self._position

    def _take(self, data: ReadableBuffer) -> None:
        """Writes all of it."""
        raise NotImplementedError

    def finish(self) -> None:
        """Puts the complete file in place. A part of a folder waits for the folder's finish()."""
        raise NotImplementedError

    def discard(self) -> None:
        """Leaves the target as it was. Does nothing after finish()."""
        raise NotImplementedError


class FolderOutput:
    """files: how many were begun."""

    path: str
    files = 0

    def begin(self, folders: Sequence[str], name: str, new_folders: int = 0) -> OutputFile:
        """A new file within folders in one another, the last of which are new. Its finish() ends it."""
        raise NotImplementedError

    def finish(self) -> None:
        """Puts all files in place."""
        raise NotImplementedError

    def discard(self) -> None:
        """Leaves the target as it was. Does nothing after finish()."""
        raise NotImplementedError
