"""URLs of stores and servers that fsspec knows, and the package itself does not: hdfs://, ftp://, memory:// and the
like."""

from __future__ import annotations

import contextlib
import glob
import importlib
import io
import os
import re
import threading
import urllib.parse
from collections.abc import Iterator
from typing import Any, BinaryIO, cast

from .._errors import ArgumentError, Error, FileError, MissingModuleError, file_error_of
from .._sources import is_hidden
from ..objects.store import SCHEMES, shown
from .open_files import View
from .open_outputs import HandedOutput

_LOCAL = ("file", "local")


def named_by_fsspec(url: str) -> str:
    """A source, or the path of a file of the system, which file:// means. Raises Error for what cannot be opened so."""
    scheme, _, rest = url.partition("://")
    if scheme.lower() in _LOCAL:
        path = "/" + rest.removeprefix("localhost").lstrip("/")
        return path if os.path.lexists(path) else urllib.parse.unquote(path)
    name = shown(url)
    if not rest:
        raise ArgumentError(f"'{name}' names no file: give what is behind {scheme}://, too")
    remedy = f"copy it to a disk, or to {', '.join(f'{known}://' for known in SCHEMES[:3])}; or give it as an open file"
    try:
        fsspec = importlib.import_module("fsspec.core")
    except ImportError:
        raise MissingModuleError(f"'{name}' is of the scheme '{scheme}', which fsspec may open, and that is not "
                                 f"installed: pip install fsspec, or {remedy}") from None
    try:
        fs, path = fsspec.url_to_fs(url)
    except ImportError as error:
        raise MissingModuleError(f"'{name}' is of the scheme '{scheme}', for which fsspec needs another package: "
                                 f"{_line_of(error, url)}; or {remedy}") from None
    except ValueError as error:
        if "rotocol" not in str(error):
            raise ArgumentError(f"cannot open '{name}': {_line_of(error, url)}") from None
        raise ArgumentError(f"'{name}' is of the scheme '{scheme}', which neither sortie nor fsspec knows: "
                            f"{remedy}") from None
    except Exception as error:
        failure = _failure(error, "open", url)
        raise failure if isinstance(failure,
                                    FileError) else Error(f"{failure}: see to what it needs, or {remedy}") from None
    return FsspecName(url, fs, path)


class FsspecName(str):
    """The URL of a file, as messages show it: without user and password."""

    _url: str
    _fs: Any
    _place: str
    _lock: threading.Lock

    def __new__(cls, url: str, fs: Any, place: str) -> FsspecName:
        """place: what the file is called by `fs`."""
        name = super().__new__(cls, shown(url))
        name._url, name._fs, name._place, name._lock = url, fs, place, threading.Lock()
        return name

    def open_source(self) -> BinaryIO:
        with self._telling("read"):
            file = self._fs.open(self._place, "rb")
            return cast("BinaryIO", io.BufferedReader(_Telling(self, contextlib.closing(file), self._lock), 1 << 20))

    def meant(self) -> list[FsspecName]:
        """The files that it means as a pattern or a folder; itself, if it is none."""
        with self._telling("list"):
            if glob.has_magic(self._place):
                found = [place for place in self._fs.glob(self._place) if not self._fs.isdir(place)]
            elif self._fs.isdir(self._place):
                found = [place for place in self._fs.find(self._place) if not _is_left_out(place[len(self._place):])]
            else:
                return [self]
        if not found:
            raise Error(f"nothing matches '{self}'")
        return [FsspecName(self._url_of(place), self._fs, place) for place in sorted(found)]

    def create(self, scratch: Any) -> HandedOutput:
        return HandedOutput(self, self._opened(), scratch, self._fs)

    def refuse_as_folder(self) -> None:
        raise ArgumentError(f"the output '{self}' is a folder that fsspec would write file by file: name one file, or "
                            "a folder on a disk or a store")

    @contextlib.contextmanager
    def _opened(self) -> Iterator[Any]:
        with self._fs.open(self._place, "wb") as file:
            yield file

    def _url_of(self, place: str) -> str:
        """What is in front of the place is the same for all files of a server."""
        url = self._url.rstrip("/")
        here = self._place.rstrip("/")
        return url[:len(url) - len(here)] + place if url.endswith(here) else str(self._fs.unstrip_protocol(place))

    @contextlib.contextmanager
    def _telling(self, doing: str) -> Iterator[None]:
        try:
            yield
        except Error:
            raise
        except Exception as error:
            raise _failure(error, doing, self._url) from None


class _Telling(View):
    """What fsspec raises becomes an Error."""

    def readinto(self, buffer: Any) -> int:
        with cast(FsspecName, self._name)._telling("read"):
            return super().readinto(buffer)


def _is_left_out(below: str) -> bool:
    return any(is_hidden(part) for part in below.split("/") if part)


def _failure(error: Exception, doing: str, url: str) -> Error:
    if isinstance(error, OSError) and error.errno:
        return file_error_of(error, f"cannot {doing} '{shown(url)}'", shown(url))
    if isinstance(error, FileNotFoundError):
        return file_error_of(FileNotFoundError(2, os.strerror(2)), f"cannot {doing} '{shown(url)}'", shown(url))
    return Error(f"cannot {doing} '{shown(url)}': {_line_of(error, url)}")


def _line_of(error: Exception, url: str) -> str:
    """The first line, without a password."""
    line = (str(error).splitlines() or [type(error).__name__])[0].replace(url, shown(url))
    secret = url.partition("://")[2].rpartition("@")[0].partition(":")[2]
    return re.sub(rf"(?<!\w){re.escape(secret)}(?!\w)", "...", line) if secret else line
