"""A folder of files that takes its place when all of them are complete. They are written into a hidden folder: beside a
new folder, which then gets its name at once, or within an empty one that is there, which stays what it is: its files
are moved up into it. Until then the target is as it was, and errors and Ctrl-C leave nothing behind."""

from __future__ import annotations

import concurrent.futures
import contextlib
import errno
import os
import random
import shutil
import stat
import string
import threading
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from .._errors import Error, file_error
from .._files import naming
from .._outputs import FolderOutput, OutputFile

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

# File names end at 255 bytes on common file systems; the rest is for the marks around the name.
_LONGEST_NAME_PART = 200
# Files of more bytes are on their way to the disk as soon as they are complete: more of them may come.
_LARGE_BYTES = 4 << 20
_SYNCED_AT_ONCE = 16


class _PartFile(OutputFile):
    """A file of an OutputFolder, which discards it."""

    def __init__(self, folder: OutputFolder, descriptor: int, shown: str) -> None:
        self.path = shown
        self._folder, self._file = folder, open(descriptor, "wb", buffering=0)

    def _take(self, data: ReadableBuffer) -> None:
        self._folder.require_open()
        view = memoryview(data).cast("B")
        with naming(self.path, "write"):
            while view:
                view = view[self._file.write(view):]

    def finish(self) -> None:
        with naming(self.path, "write"), self._file:
            if self._position >= _LARGE_BYTES:
                os.fsync(self._file.fileno())


class OutputFolder(FolderOutput):
    """A folder of files of the system."""

    def __init__(self, path: str) -> None:
        """Raises Error unless there is nothing yet, or an empty folder, and it can be written."""
        self.path = path
        self._target = os.path.realpath(path)
        self._lock = threading.Lock()
        self._is_ended = False
        with naming(path, "write"):
            self._is_there = is_empty_folder(path)
            parent, name = os.path.split(self._target)
            if not self._is_there and not os.path.isdir(parent):
                raise file_error(f"cannot write '{path}': there is no folder '{parent}': make it first", None,
                                 errno.ENOENT, path)
            self._hidden, self._mode = _make_hidden(self._target if self._is_there else parent, name)

    def begin(self, folders: Sequence[str], name: str, new_folders: int = 0) -> OutputFile:
        shown = os.path.join(self.path, *folders, name)
        with self._lock, naming(shown, "write"):
            self.require_open()
            place = self._hidden
            for number, folder in enumerate(folders):
                place = os.path.join(place, folder)
                if number >= len(folders) - new_folders:
                    self._make_folder(place, shown)
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
            part = _PartFile(self, os.open(os.path.join(place, name), flags, 0o666), shown)
            self.files += 1
        return part

    def _make_folder(self, place: str, shown: str) -> None:
        try:
            os.mkdir(place)
        except FileExistsError:
            raise Error(f"cannot write '{shown}': this file system takes the names of two of its folders for the same; "
                        "write to another one") from None

    def require_open(self) -> None:
        """Raises Error after the end, for threads that still write then."""
        if self._is_ended:
            raise Error("the output is closed")

    def finish(self) -> None:
        """Makes all files durable and puts them in place."""
        with naming(self.path, "write"):
            _make_durable(self._hidden)
            with self._lock:
                self.require_open()
                self._put_in_place()
                self._is_ended = True
        try:
            _sync(self._target)
            if not self._is_there:
                _sync(os.path.dirname(self._target))
        except OSError as error:
            raise file_error(f"cannot sync '{self.path}': {os.strerror(error.errno or 0)}; the output is complete, but "
                             "a power failure may undo it", None, error.errno, self.path) from error

    def discard(self) -> None:
        with self._lock:
            if not self._is_ended:
                self._is_ended = True
                shutil.rmtree(self._hidden, ignore_errors=True)

    def _put_in_place(self) -> None:
        if not self._is_there:
            if not os.path.lexists(self._target):
                os.chmod(self._hidden, self._mode)
                os.rename(self._hidden, self._target)
                return
            # Somebody has made it in the meantime. An empty folder stays theirs.
        names = _names_in(self._target, os.path.basename(self._hidden)) if os.path.isdir(self._target) else [""]
        if names:
            raise file_error(f"cannot write '{self.path}': it was empty, or not there, when the sort began, and "
                             f"{_what_is_there(names)}: name a new folder", None, errno.ENOTEMPTY, self.path)
        _move_all(self._hidden, self._target)
        with contextlib.suppress(OSError):
            os.rmdir(self._hidden)


def _what_is_there(names: list[str]) -> str:
    more = f" and {len(names) - 1} more" if len(names) > 1 else ""
    return f"now it holds '{names[0]}'{more}" if names[0] else "now it is a file"


def is_empty_folder(path: str) -> bool:
    """False if there is nothing. Raises Error for anything else."""
    target = os.path.realpath(path)
    try:
        state = os.stat(target)
    except FileNotFoundError:
        return False
    if not stat.S_ISDIR(state.st_mode):
        raise file_error(f"cannot write '{path}': it is a file, and no folder: name another", None, errno.ENOTDIR, path)
    names = _names_in(target)
    if names:
        more = f" and {len(names) - 1} more" if len(names) > 1 else ""
        raise file_error(f"cannot write '{path}': the folder is not empty, it holds '{names[0]}'{more}: name an empty "
                         "or a new one", None, errno.ENOTEMPTY, path)
    return True


def _names_in(folder: str, without: str = "") -> list[str]:
    return sorted(name for name in os.listdir(folder) if name != without)


def _make_hidden(folder: str, name: str) -> tuple[str, int]:
    """A new folder for this user alone, and the mode that a new folder gets there."""
    short = os.fsdecode(os.fsencode(name)[:_LONGEST_NAME_PART])
    while True:
        letters = "".join(random.SystemRandom().choices(string.ascii_lowercase + string.digits, k=6))
        path = os.path.join(folder, f".{short}.sortie-{letters}")
        with contextlib.suppress(FileExistsError):
            os.mkdir(path)
            try:
                mode = stat.S_IMODE(os.stat(path).st_mode)
                os.chmod(path, 0o700 | (mode & stat.S_ISGID))
            except BaseException:
                os.rmdir(path)
                raise
            return path, mode


def _move_all(source: str, target: str) -> None:
    """What lies in a folder goes to another one of the same file system, all of it or nothing."""
    moved: list[str] = []
    try:
        for name in sorted(os.listdir(source)):
            if os.path.lexists(os.path.join(target, name)):
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))
            os.rename(os.path.join(source, name), os.path.join(target, name))
            moved.append(name)
    except BaseException:
        for name in reversed(moved):
            os.rename(os.path.join(target, name), os.path.join(source, name))
        raise


def _make_durable(folder: str) -> None:
    """Returns when all that is in it is on the disk."""
    # Each waits for the disk, which takes several at once.
    with concurrent.futures.ThreadPoolExecutor(_SYNCED_AT_ONCE, "sortie-sync") as pool:
        for _ in pool.map(_sync, _all_within(folder)):
            pass


def _all_within(folder: str) -> Iterator[str]:
    for place, _, names in os.walk(folder):
        yield from (os.path.join(place, name) for name in names)
        yield place


def _sync(path: str) -> None:
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
