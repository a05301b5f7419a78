"""What an input is read from, and an output written to, beside files of the system: objects on stores, and open files of
Python. A source is a str, by which messages call it, and opens itself; all else takes it as a path."""

from __future__ import annotations

import contextlib
import copy
import io
import os
import pathlib
import threading
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from . import _arguments
from ._errors import ArgumentError, ArgumentTypeError, file_error_of

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

_MAGIC = ((b"PAR1", ".parquet"), (b"PARE", ".parquet"), (b"ARROW1", ".arrow"), (b"\xff\xff\xff\xff", ".arrow"))


def is_hidden(name: str) -> bool:
    """Whether readers pass over a name in a folder, as Spark and Arrow do for _SUCCESS, _metadata and the
    like. A column may be called _n."""
    return name.startswith(".") or (name.startswith("_") and "=" not in name)


def is_source(path: object) -> bool:
    """Whether a path opens itself."""
    return isinstance(path, str) and hasattr(path, "open_source")


def open_source(path: Any) -> BinaryIO:
    """Precondition: is_source(path). A file that can be read from any place, and is closed by the caller."""
    return cast("BinaryIO", path.open_source())


def sources_of(inputs: Any) -> Any:
    """Inputs with sources in place of URLs, of open files and of what fsspec opens. All else is as it was."""
    if _is_one(inputs):
        return _source_of(inputs)
    if _arguments.is_path(inputs) or _arguments.is_no_list(inputs):
        return inputs
    return _sharing([_source_of(item) for item in inputs])


def _sharing(sources: list[Any]) -> list[Any]:
    """Objects of one call hold together what is read ahead."""
    objects = [source for source in sources if hasattr(source, "share_with")]
    for each in objects[1:]:
        each.share_with(objects[0])
    return sources


def within(folder: str, *names: str) -> str:
    """What lies in a folder, or below the name of objects."""
    if is_source(folder):
        return cast("str", folder.within(*names))  # type: ignore[attr-defined]
    return os.path.join(folder, *names)


def names_within(folder: str) -> list[str]:
    """In no order."""
    if is_source(folder):
        return cast("list[str]", folder.names_within())  # type: ignore[attr-defined]
    return os.listdir(folder)


def output_of(output: Any) -> Any:
    """The same for an output, which is no open file."""
    if _is_url(output):
        from .objects import ObjectName

        return ObjectName(_text(output))
    return output


def _is_one(thing: Any) -> bool:
    return _is_url(thing) or _opens(thing) or _is_file(thing)


def _source_of(item: Any) -> Any:
    return OpenFile(item) if _opens(item) or _is_file(item) else output_of(item)


def _text(thing: Any) -> str:
    return os.fsdecode(thing) if isinstance(thing, bytes) else str(thing)


def _is_url(thing: Any) -> bool:
    if not isinstance(thing, (str, bytes)) or is_source(thing):
        return False
    begin = thing[:8] if isinstance(thing, str) else thing[:8].decode("latin-1")
    if ":/" not in begin:
        return False
    from .objects.store import is_url

    return is_url(_text(thing))


def _opens(thing: Any) -> bool:
    """Whether it is fsspec's OpenFile, or a path of universal_pathlib that is no file of the system."""
    return (hasattr(thing, "fs") and hasattr(thing, "path") and hasattr(thing, "open")
            and not isinstance(thing, (io.IOBase, pathlib.Path)))


def _is_file(thing: Any) -> bool:
    return hasattr(thing, "read") and hasattr(thing, "seek")


class OpenFile(str):
    """A file that the caller has opened, which is read from its begin, wherever it is, and stays open; or one that fsspec
    opens, which is opened and closed as often as it is read. suffix: what its first bytes tell, where its name tells no
    format."""

    suffix: str
    _thing: Any
    _lock: threading.Lock

    def __new__(cls, thing: Any) -> OpenFile:
        source = super().__new__(cls, _name_of(thing))
        source._thing, source._lock = thing, threading.Lock()
        with source._opened() as file:
            _refuse_others(file, source)
            source.suffix = _suffix_of(source, file)
        return source

    def open_source(self) -> BinaryIO:
        return cast("BinaryIO", io.BufferedReader(_View(self, self._opened(), self._lock), 1 << 20))

    def _opened(self) -> contextlib.AbstractContextManager[Any]:
        """Its end closes what is opened here."""
        thing = self._thing
        if not _opens(thing):
            return contextlib.nullcontext(thing)
        if hasattr(thing, "mode"):
            # It notes what it has opened, and so serves one at a time.
            return cast("contextlib.AbstractContextManager[Any]", copy.copy(thing))
        return contextlib.closing(thing.open("rb"))


def _name_of(thing: Any) -> str:
    name = getattr(thing, "path", None) or getattr(thing, "name", None)
    return os.fsdecode(name) if isinstance(name, (str, bytes)) and name else f"<{type(thing).__name__}>"


def _refuse_others(file: Any, name: str) -> None:
    if isinstance(file, io.TextIOBase):
        raise ArgumentTypeError(f"the open file '{name}' gives texts: open it with mode 'rb'")
    if getattr(file, "closed", False):
        raise ArgumentError(f"the open file '{name}' is closed: give it open, or its name")
    if not file.seekable():
        raise ArgumentError(f"the open file '{name}' cannot be read from any place, as tables must be: write it to a file "
                            "first")


def _suffix_of(name: str, file: Any) -> str:
    """What a name that does not tell the format would have to end in; "" for one that does."""
    from .inputs.table_files import FORMATS, KNOWN_ENDS

    if name.lower().endswith(tuple(FORMATS)):
        return ""
    file.seek(0)
    begin = file.read(8)
    for magic, suffix in _MAGIC:
        if bytes(begin).startswith(magic):
            return suffix
    raise ArgumentError(f"cannot tell the format of the open file '{name}', which is neither Parquet nor Arrow: give it a name "
                        f"that ends in {KNOWN_ENDS}")


class PlacedReader(io.RawIOBase):
    """What is read from any place. A class of this kind has size() and readinto(), which moves the place."""

    _position = 0

    def size(self) -> int:
        raise NotImplementedError

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._position

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        self._position = max(0, offset + (0, self._position, self.size())[whence])
        return self._position


class _View(PlacedReader):
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
