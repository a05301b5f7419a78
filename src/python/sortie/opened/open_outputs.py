"""Open files of Python, and of fsspec, as outputs. What is written waits in a file of `scratch` until it is complete
and verified: a sort that fails has written nothing."""

from __future__ import annotations

import contextlib
import copy
import io
from collections.abc import Iterator
from typing import Any

from .._errors import ArgumentError, Error, FileError, file_error_of
from .._outputs import unread
from .._scratch_files import ScratchOutput
from .._sources import opens
from .open_files import OpenFile, name_of, packs_itself, refuse_texts_and_closed

_PIECE_BYTES = 1 << 20


class OpenTarget(str):
    """A file that the caller has opened, which stays open; or one that fsspec opens. Messages call it by its name.
    suffix: what a name that tells no format would have to end in. packs: see packs_itself()."""

    suffix = ""
    packs: bool
    _thing: Any

    def __new__(cls, thing: Any) -> OpenTarget:
        target = super().__new__(cls, name_of(thing))
        target._thing, target.packs = thing, packs_itself(thing)
        if not opens(thing):
            refuse_texts_and_closed(thing, target, "wb", "takes")
            if not getattr(thing, "writable", lambda: True)():
                raise ArgumentError(f"the open file '{target}' is open for reading alone: open it with mode 'wb'")
            _refuse_what_stays(thing, target)
        elif hasattr(thing, "mode") and not set(thing.mode) & set("wax+"):
            raise ArgumentError(f"the output '{target}' is for reading alone: let fsspec.open() have the mode 'wb'")
        elif hasattr(thing, "mode") and "b" not in thing.mode:
            raise ArgumentError(f"the output '{target}' takes texts: let fsspec.open() have the mode 'wb'")
        return target

    def open_source(self) -> Any:
        raise unread(self)

    @property
    def has_name(self) -> bool:
        """Whether what was written can be read by the name, as long as that is one of fsspec. The name of a file that
        is open may be that of another one, or of none."""
        return opens(self._thing) and not self.packs and not self.suffix

    def refuse_as_input(self, source: str) -> None:
        """Raises Error for an input that is this file."""
        if not opens(self._thing) and isinstance(source, OpenFile) and _are_one(source.thing, self._thing):
            raise ArgumentError(f"the open file '{self}' is an input and the output, and to read it moves the place to "
                                "write to: open another file for one of the two")

    def create(self, scratch: Any) -> HandedOutput:
        if not opens(self._thing):
            return HandedOutput(self, contextlib.nullcontext(self._thing), scratch)
        if hasattr(self._thing, "mode"):
            # It notes what it has opened, and so serves one at a time.
            return HandedOutput(self, copy.copy(self._thing), scratch, self._thing.fs)
        return HandedOutput(self, _opened_by(self._thing), scratch, self._thing.fs)

    def refuse_as_folder(self) -> None:
        raise ArgumentError(f"the output '{self}' is one open file: name a folder for several files")


def _are_one(thing: Any, other: Any) -> bool:
    if thing is other:
        return True
    with contextlib.suppress(Exception):
        return bool(thing.fileno() == other.fileno())
    return False


def _refuse_what_stays(file: Any, name: str) -> None:
    """Raises Error for a file whose bytes behind the place to write to would stay behind the rows."""
    behind = _bytes_behind(file)
    try:
        if behind:
            file.truncate(file.tell() + behind)
    except Exception:
        raise ArgumentError(f"the open file '{name}' has {behind} bytes behind where it stands, which would stay "
                            "behind the rows, as it cannot be cut: open it with mode 'wb'") from None


def _bytes_behind(file: Any) -> int:
    """0 for a file that has no places, or shows none."""
    with contextlib.suppress(Exception):
        if file.seekable():
            stands = file.tell()
            try:
                return int(file.seek(0, io.SEEK_END)) - int(stands)
            finally:
                file.seek(stands)
    return 0


@contextlib.contextmanager
def _opened_by(thing: Any) -> Iterator[Any]:
    with thing.open("wb") as file:
        yield file


class HandedOutput(ScratchOutput):
    """Waits in `scratch`, and goes to a file that others open."""

    def __init__(self, name: str, opened: contextlib.AbstractContextManager[Any], scratch: Any, fs: Any = None) -> None:
        """opened: gives the file. fs: of fsspec, which may put it in place at once."""
        super().__init__(name, scratch)
        self._opened, self._fs = opened, fs
        self._given = 0

    def finish(self) -> None:
        size = self.rewind()
        try:
            with contextlib.nullcontext() if self._fs is None else self._fs.transaction, self._opened as file:
                self._hand_over(file)
        except FileError:
            raise
        except Exception as error:
            raise self._failed(error, size) from None
        self.discard()

    def _hand_over(self, file: Any) -> None:
        """Raises what the file raises, and leaves it as it was if it can be cut."""
        begin = file.tell() if self._fs is None and file.seekable() else None
        try:
            for piece in self.pieces(_PIECE_BYTES):
                self._write(file, piece)
            if _bytes_behind(file):
                file.truncate()
            if hasattr(file, "flush"):
                file.flush()
        except BaseException:
            if begin is not None and _is_cut(file, begin):
                self._given = 0
            raise

    def _write(self, file: Any, piece: bytes) -> None:
        left = memoryview(piece)
        while left:
            done = file.write(left)
            # Files of Python that are not buffered take less; others may tell nothing.
            done = len(left) if done is None and not isinstance(file, io.RawIOBase) else done or 0
            if not done:
                raise BlockingIOError("it takes no more for now")
            self._given += done
            left = left[done:]

    def _failed(self, error: Exception, size: int) -> Error:
        told = "nothing of it is left there: write it elsewhere"
        if self._given:
            lost = "it may not be as it was" if self._fs else "they cannot be taken back"
            told = f"{self._given} of {size} bytes were given to it, and {lost}: write it again"
        if isinstance(error, OSError):
            failure = file_error_of(error, f"cannot write '{self.path}'", self.path)
            return type(failure)(f"{failure}; {told}", None, failure.errno, self.path)
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        return Error(f"cannot write '{self.path}': {reason}; {told}")


def _is_cut(file: Any, begin: int) -> bool:
    with contextlib.suppress(Exception):
        file.seek(begin)
        file.truncate()
        return True
    return False
