"""What an input is read from, and an output written to, beside files of the system: objects on stores, and open files
of Python. A source is a str, by which messages call it, and opens itself; all else takes it as a path."""

from __future__ import annotations

import io
import os
import pathlib
import re
from typing import Any, BinaryIO, cast

from . import _arguments


_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")


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
    """The same for an output."""
    if opens(output) or is_file(output):
        from .opened.open_outputs import OpenTarget

        return OpenTarget(output)
    return _url_of(output)


def _url_of(thing: Any) -> Any:
    """A source in place of a URL. What is no URL is as it was."""
    if not _has_scheme(thing):
        return thing
    from .objects import ObjectName, is_url

    if is_url(_text(thing)):
        return ObjectName(_text(thing))
    from .opened.fsspec_names import named_by_fsspec

    return named_by_fsspec(_text(thing))


def _is_one(thing: Any) -> bool:
    return _has_scheme(thing) or opens(thing) or is_file(thing)


def _source_of(item: Any) -> Any:
    if opens(item) or is_file(item):
        from .opened.open_files import OpenFile

        return OpenFile(item)
    return _url_of(item)


def _text(thing: Any) -> str:
    return os.fsdecode(thing) if isinstance(thing, bytes) else str(thing)


def _has_scheme(thing: Any) -> bool:
    """Whether it is a URL, and no file of the system that is called so."""
    if not isinstance(thing, (str, bytes)) or is_source(thing) or _SCHEME.match(_text(thing)) is None:
        return False
    from .objects.store import is_url

    text = _text(thing)
    return is_url(text) or not (os.path.lexists(text) or os.path.isdir(os.path.dirname(text)))


def opens(thing: Any) -> bool:
    """Whether it is fsspec's OpenFile, or a path of universal_pathlib that is no file of the system."""
    return (hasattr(thing, "fs") and hasattr(thing, "path") and hasattr(thing, "open")
            and not isinstance(thing, (io.IOBase, pathlib.Path)))


def is_file(thing: Any) -> bool:
    """Whether it is a file that is open for reading or for writing."""
    return isinstance(thing, io.IOBase) or ((hasattr(thing, "read") or hasattr(thing, "write"))
                                            and hasattr(thing, "seek"))


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


