"""A folder of objects as an output. Each of its objects is an upload of its own; none becomes visible before finish(),
which then completes all of them, and takes back what it has completed if one fails. Stores have no transaction over
several objects: between the first and the last completion a reader sees some of them."""

from __future__ import annotations

import concurrent.futures
import contextlib
import datetime
import functools
import threading
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from .._errors import Error
from .._outputs import FolderOutput, OutputFile
from .._report import warn_caller
from .._scratch_files import naming_scratch, nameless_file
from . import writing
from .listing import refuse_used_folder
from .open_uploads import tell_left_open
from .store import ObjectName, State, require_obstore, state_of
from .store_errors import asked
from .writing import Upload, try_to_begin

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

_SINCE = "it was empty when the sort began, and now it holds"


class _Waiting:
    """The ends of objects, which are no whole parts, in a file in `scratch` until all objects are complete."""

    def __init__(self, scratch: Any) -> None:
        self._scratch, self._lock = scratch, threading.Lock()
        self._file, self._end = nameless_file(scratch), 0

    def add(self, content: bytearray) -> int:
        """Returns its place."""
        with self._lock, naming_scratch(self._scratch):
            place = self._end
            self._file.seek(place)
            self._file.write(content)
            self._file.flush()
            self._end += len(content)
        return place

    def get(self, place: int, size: int) -> bytes:
        with self._lock, naming_scratch(self._scratch, "read"):
            self._file.seek(place)
            content = self._file.read(size)
        if len(content) < size:
            raise Error("a temporary file has become shorter: let nothing else write to it, and begin again")
        return content

    def close(self) -> None:
        self._file.close()


class _Part(OutputFile):
    """An object of the folder. One that is smaller than a part of an upload goes by a single request, in the end."""

    def __init__(self, folder: ObjectFolder, name: ObjectName) -> None:
        self.path, self.name = str(name), name
        self._folder = folder
        self._upload: Upload | None = Upload(name, folder.pool)
        self._first = bytearray()  # of what waits, if parts are on their way: it is sent when they have come
        self._place = self._waiting = 0
        self._written: State | None = None

    def _take(self, data: ReadableBuffer) -> None:
        self._folder.require_open()
        assert self._upload is not None
        if self._position == 0:
            self._folder.settle_last(self)
        self._upload.write(data)

    def finish(self) -> None:
        self._folder.require_open()
        assert self._upload is not None
        rest = self._upload.send_parts()
        if self._upload.has_parts:
            self._first, rest = rest[:1], rest[1:]
        else:
            self._upload = None
        self._place, self._waiting = self._folder.waiting.add(rest), len(rest)

    def settle(self) -> None:
        """Returns when nothing is on its way."""
        first, self._first = self._first, bytearray()
        if self._upload is not None:
            self._upload.send(first)

    def complete(self) -> None:
        """Makes it visible."""
        content = self._folder.waiting.get(self._place, self._waiting)
        if self._upload is None:
            put = functools.partial(require_obstore().put, self.name.store, self.name.key, content, use_multipart=False)
            if tag := asked(self.name, "write", put)["e_tag"]:
                self._written = State(len(content), tag, tag)
            return
        self._upload.send(content)
        self._upload.complete()
        with contextlib.suppress(Error):  # then it is known by its size
            self._written = self._there()

    def give_up(self) -> None:
        if self._upload is not None:
            self._upload.give_up()

    def take_back(self) -> None:
        """Deletes the object if it is there, and is as this job has written it. Raises Error if that fails."""
        try:
            there = self._there()
        except FileNotFoundError:
            return
        written = self._written
        if there.size == self._position and (written is None or written.mark == there.mark):
            asked(self.name, "delete", require_obstore().delete, self.name.store, self.name.key)

    def _there(self) -> State:
        return state_of(asked(self.name, "read", require_obstore().head, self.name.store, self.name.key))


class ObjectFolder(FolderOutput):
    """finish() or discard() ends it."""

    def __init__(self, name: ObjectName, scratch: Any) -> None:
        """Raises Error if there is an object below the name, or the store takes none."""
        self.path = name
        refuse_used_folder(name)
        self._since = datetime.datetime.now(datetime.timezone.utc)
        try_to_begin(name.within("part-00000"))
        self.waiting = _Waiting(scratch)
        self.pool = concurrent.futures.ThreadPoolExecutor(writing.CONNECTIONS, "sortie-objects")
        self._parts: list[_Part] = []
        self._last: _Part | None = None
        self._lock = threading.Lock()
        self._is_ended = False

    def begin(self, folders: Sequence[str], name: str, new_folders: int = 0) -> OutputFile:
        with self._lock:
            self.require_open()
            part = _Part(self, self._name.within(*folders, name))
            self._parts.append(part)
            self.files += 1
        return part

    @property
    def _name(self) -> ObjectName:
        assert isinstance(self.path, ObjectName)
        return self.path

    def settle_last(self, part: _Part) -> None:
        """Before another one sends, so that what is on its way stays bounded."""
        last, self._last = self._last, part
        if last is not None:
            last.settle()

    def require_open(self) -> None:
        """Raises Error after the end, for threads that still write then."""
        if self._is_ended:
            raise Error("the output is closed")

    def finish(self) -> None:
        if self._last is not None:
            self._last.settle()
        refuse_used_folder(self._name, _SINCE)
        with self._lock:
            self.require_open()
            self._is_ended = True
        begun: list[_Part] = []
        try:
            self._of_all(self._parts, functools.partial(self._complete, begun))
        except BaseException:
            self._end(begun)
            raise
        self._close()

    def _complete(self, begun: list[_Part], part: _Part) -> None:
        begun.append(part)
        part.complete()

    def discard(self) -> None:
        with self._lock:
            if self._is_ended:
                return
            self._is_ended = True
        self._end([])

    def _end(self, begun: list[_Part]) -> None:
        """Gives up all uploads, and deletes those that have become visible. begun: those that may have."""
        try:
            self._of_all(self._parts, _Part.give_up)
            left: list[str] = []
            self._of_all(begun, functools.partial(_take_back, left))
            if left:
                more = f" and {len(left) - 1} more" if len(left) > 1 else ""
                warn_caller(f"the sort has failed, and could not delete what it had written to '{left[0]}'{more}: "
                            "delete it")
        finally:
            self._close()

    def _of_all(self, parts: Iterable[_Part], function: Callable[[_Part], None]) -> None:
        """On several connections. Raises what the first one raised, when no other one runs any more."""
        with concurrent.futures.ThreadPoolExecutor(writing.CONNECTIONS, "sortie-objects") as pool:
            futures = [pool.submit(function, part) for part in list(parts)]
            try:
                for future in concurrent.futures.as_completed(futures):
                    future.result()
            finally:
                for future in futures:
                    future.cancel()

    def _close(self) -> None:
        self.pool.shutdown()
        self.waiting.close()
        tell_left_open(self._name, self._since, are_below=True)


def _take_back(left: list[str], part: _Part) -> None:
    try:
        part.take_back()
    except Error:
        left.append(part.path)
