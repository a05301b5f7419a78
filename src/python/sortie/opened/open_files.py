"""Open files of Python, and of fsspec, as inputs."""

from __future__ import annotations

import contextlib
import copy
import io
import os
import sys
import threading
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from .._errors import ArgumentError, ArgumentTypeError, file_error_of
from .._sources import PlacedReader, opens

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

_MAGIC = ((b"PAR1", ".parquet"), (b"PARE", ".parquet"), (b"ARROW1", ".arrow"), (b"\xff\xff\xff\xff", ".arrow"))
_PACKING = {"gzip": "GzipFile", "bz2": "BZ2File", "lzma": "LZMAFile", "compression.zstd": "ZstdFile"}


class OpenFile(str):
    """A file that the caller has opened, which is read from its begin, wherever it is, and stays open; or one that
    fsspec opens, which is opened and closed as often as it is read. suffix: what its first bytes tell, where its name
    tells no format."""

    suffix: str
    packs: bool  # see packs_itself()
    thing: Any
    _lock: threading.Lock

    def __new__(cls, thing: Any) -> OpenFile:
        source = super().__new__(cls, name_of(thing))
        source.thing, source.packs, source._lock = thing, packs_itself(thing), threading.Lock()
        with source._opened() as file:
            _refuse_others(file, source)
            source.suffix = _suffix_of(source, file)
        return source

    def open_source(self) -> BinaryIO:
        return cast("BinaryIO", io.BufferedReader(View(self, self._opened(), self._lock), 1 << 20))

    def _opened(self) -> contextlib.AbstractContextManager[Any]:
        """Its end closes what is opened here."""
        thing = self.thing
        if not opens(thing):
            return contextlib.nullcontext(thing)
        if hasattr(thing, "mode"):
            # It notes what it has opened, and so serves one at a time.
            return cast("contextlib.AbstractContextManager[Any]", copy.copy(thing))
        return contextlib.closing(thing.open("rb"))


def packs_itself(thing: Any) -> bool:
    """Whether a file packs what is written to it, or unpacks what is read, whatever its name ends in."""
    if isinstance(raw := getattr(thing, "raw", None), io.IOBase):
        return packs_itself(raw)
    # The module of a file is there.
    known = tuple(getattr(sys.modules[module], name) for module, name in _PACKING.items() if module in sys.modules)
    return isinstance(thing, known) or (opens(thing) and bool(getattr(thing, "compression", None)))


def name_of(thing: Any) -> str:
    name = getattr(thing, "path", None) or getattr(thing, "name", None)
    if opens(thing) and name and "file" not in str(thing.fs.protocol):
        name = thing.fs.unstrip_protocol(name)
    return os.fsdecode(name) if isinstance(name, (str, bytes)) and name else f"<{type(thing).__name__}>"


def _refuse_others(file: Any, name: str) -> None:
    refuse_texts_and_closed(file, name, "rb", "gives")
    if not getattr(file, "readable", lambda: True)():
        raise ArgumentError(f"the open file '{name}' is open for writing alone: open it with mode 'rb'")
    if not file.seekable():
        raise ArgumentError(f"the open file '{name}' cannot be read from any place, as tables must be: write it to a "
                            "file first")


def refuse_texts_and_closed(file: Any, name: str, mode: str, does: str) -> None:
    if isinstance(file, io.TextIOBase):
        raise ArgumentTypeError(f"the open file '{name}' {does} texts: open it with mode '{mode}'")
    if getattr(file, "closed", False):
        raise ArgumentError(f"the open file '{name}' is closed: give it open, or its name")


def _suffix_of(name: str, file: Any) -> str:
    """What a name that does not tell the format would have to end in; "" for one that does."""
    from ..inputs.table_files import FORMATS, KNOWN_ENDS

    if name.lower().endswith(tuple(FORMATS)):
        return ""
    stands = file.tell()
    file.seek(0)
    begin = file.read(8)
    file.seek(stands)
    for magic, suffix in _MAGIC:
        if bytes(begin).startswith(magic):
            return suffix
    raise ArgumentError(f"cannot tell the format of the open file '{name}', which is neither Parquet nor Arrow: give "
                        f"it a name that ends in {KNOWN_ENDS}")


class View(PlacedReader):
    """A place of its own in a file that others read, too. opened: is ended with it."""

    def __init__(self, name: str, opened: contextlib.AbstractContextManager[Any], lock: threading.Lock) -> None:
        self._name, self._lock = name, lock
        self._stack = contextlib.ExitStack()
        self._file = self._stack.enter_context(opened)
        try:
            with lock:
                self._size = self._file.seek(0, io.SEEK_END)
                if self._size is None:
                    self._size = self._file.tell()
        except BaseException:
            self._stack.close()
            raise

    def size(self) -> int:
        return int(self._size)

    def close(self) -> None:
        if hasattr(self, "_stack"):
            self._stack.close()
        super().close()

    def readinto(self, buffer: WriteableBuffer) -> int:
        target = memoryview(buffer).cast("B")
        try:
            with self._lock:
                self._file.seek(self._position)
                content = self._file.read(len(target))
        except OSError as error:
            raise file_error_of(error, f"cannot read '{self._name}'", self._name) from error
        target[:len(content)] = content
        self._position += len(content)
        return len(content)
