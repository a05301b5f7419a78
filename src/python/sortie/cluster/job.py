"""The job directory: all that a job knows, private to its user. Whoever is started on it goes on from there."""

import contextlib
import fcntl
import json
import os
import shutil
import stat
import time
from collections.abc import Callable, Iterable
from typing import Any, TextIO

from .. import Error
from .._errors import file_error_of
from .._sources import is_source
from .stages import FOLDERS, RESULTS
from .written_files import read_state, remove_file, write_state

# Holds the plans of attempts at work, whatever their stage.
_PLANS_FOLDER = "plans"
# The folder of what sorts behind the first one do.
_LATER_FOLDER = "by-place"
# All that a job makes in its directory, beside what tells of it in the end.
_FOLDERS = (*FOLDERS, _PLANS_FOLDER, "ended", "slurm", _LATER_FOLDER)
HEADER_FILE, NAMES_FILE, DRAWN_FILE, SEED_FILE = "header.json", "names", "drawn.json", "seed"
_FILES = (HEADER_FILE, NAMES_FILE, DRAWN_FILE, "bounds.json", "ranges.json", "runs.json", "output.json", "renewed.json",
          "token.json", SEED_FILE, "seed.json", "table.json", "right_bounds.json", "split.json", "upload.json")
# Those of a later sort, and what the merges of the one in front have written for that.
_FOLDERS_OF_SORTS = (*FOLDERS, _PLANS_FOLDER)
RANGES_FOLDER = "ranges"
# The folder of the sort of a sample, in that of the sort that has put it into the order of the input.
SAMPLE_FOLDER = "sample"
# In that folder, what the sort of the sample takes for inputs, where the sample cannot be one.
PIECES_FOLDER = "pieces"
# What is done for a job, whatever else is kept of it.
_WORK = (*FOLDERS, _LATER_FOLDER)
_ATTEMPT = ".attempt-"
_TRIES, _SECONDS_BETWEEN_TRIES = 20, 0.05


def absolute_path(path: str) -> str:
    """The same file from wherever it is asked for. Nothing is taken out of the path: `..` behind a link is not where
    the link lies, and a slash at the end asks for a directory. The name of an object is one already."""
    return path if is_source(path) else os.path.join(os.getcwd(), path)


class JobDirectory:
    def __init__(self, path: str) -> None:
        self.path = absolute_path(path).rstrip("/") or "/"
        self._lock_file: TextIO | None = None
        self._is_new = False
        self._made_folders: list[str] = []

    def file(self, name: str) -> str:
        return os.path.join(self.path, name)

    def item(self, folder: str, number: int, suffix: str = "") -> str:
        return os.path.join(self.path, folder, f"{number:06d}{suffix}")

    def read(self, name: str) -> Any:
        return read_state(self.file(name))

    def require(self, name: str) -> Any:
        """What must be there. Raises Error."""
        value = self.read(name)
        if value is None:
            raise Error(f"'{self.file(name)}' is gone, or is not what was written: give the command again")
        return value

    def write(self, name: str, value: Any) -> None:
        write_state(self.file(name), value, is_durable=True)

    def request_digest(self) -> str:
        """What other state of the job names: that of another job, under the same name, does not fit."""
        import hashlib
        return hashlib.sha256(json.dumps(self.read("request.json"), sort_keys=True).encode()).hexdigest()

    def secret_name(self) -> str:
        """Part of the names of what the job writes elsewhere. Nobody can know it beforehand."""
        token = self.read("token.json")
        if not isinstance(token, str):
            token = os.urandom(8).hex()
            self.write("token.json", token)
        return f"sortie-{token}"

    def open(self, make_request: Callable[[dict[str, Any] | None], dict[str, Any]]) -> None:
        """Makes the directory, or goes on in one of the same request. Only one driver at a time holds it. A directory
        that holds anything but a job is left as it is. make_request: returns the request; it gets the one that is known
        if its output may be in place already."""
        known, request = self._requests(make_request)
        self._make()
        self._lock()
        if self._known_request() != known:
            # Another driver came first, while this one waited for the lock.
            known, request = self._requests(make_request)
        self._is_new = known is None
        if known != request:
            remove_file(self.file("plan.json"))
            remove_file(self.file(HEADER_FILE))
            self.write("request.json", request)
        if not os.path.exists(self.file("report.json")):
            self.make_folders(_FOLDERS)

    def make_folders(self, names: Iterable[str]) -> None:
        for name in names:
            os.makedirs(self.file(name), mode=0o700, exist_ok=True)

    def second_sort(self, digest: str) -> "JobDirectory":
        """The folder of the sort of what merges have written from the runs of this digest (by_place.py). Those of
        others are of no use any more."""
        for name in self.names_in(_LATER_FOLDER):
            if name != digest:
                shutil.rmtree(os.path.join(self.file(_LATER_FOLDER), name), ignore_errors=True)
        return self._later_sort(os.path.join(_LATER_FOLDER, digest), (RANGES_FOLDER, *_FOLDERS_OF_SORTS))

    def sort_of_sample(self) -> "JobDirectory":
        """The folder of the sort of a sample, which the one that has this folder has written (samples.py)."""
        return self._later_sort(SAMPLE_FOLDER, (_LATER_FOLDER, PIECES_FOLDER, *_FOLDERS_OF_SORTS))

    def _later_sort(self, name: str, folders: tuple[str, ...]) -> "JobDirectory":
        later = JobDirectory(self.file(name))
        later.make_folders(folders)
        later.remove_attempts(folders)
        return later

    def _requests(self, make_request: Callable[[dict[str, Any] | None], dict[str, Any]]) -> tuple[
            dict[str, Any] | None, dict[str, Any]]:
        """The one that is known, if any, and the one that is made. Raises Error if they do not go together."""
        known = self._known_request()
        is_verified = os.path.exists(self.file("output.json")) or os.path.exists(self.file("report.json"))
        request = make_request(known if is_verified else None)
        if known is not None and known != request and (
                os.path.exists(self.file("report.json")) or self._holds_any(_FOLDERS)):
            differing = [name for name in request if known.get(name) != request[name]] or ["version"]
            raise Error(f"'{self.path}' holds a job with other {' and '.join(differing)}: give its command again to go "
                        "on with it, or name another directory with --job")
        return known, request

    def _known_request(self) -> dict[str, Any] | None:
        """Raises Error for a directory that is no job's."""
        if not os.path.lexists(self.path):
            return None
        if os.path.islink(self.path) or not os.path.isdir(self.path):
            raise Error(f"'{self.path}' is no directory: name another with --job")
        if os.stat(self.path).st_uid != os.geteuid():
            raise Error(f"'{self.path}' belongs to another user: name another directory with --job")
        request = self.read("request.json")
        if isinstance(request, dict):
            return request
        if isinstance(self.read("plan.json"), dict):
            raise Error(f"'{self.file('request.json')}' is gone, or is not what was written, and '{self.path}' is no "
                        "job that could go on without it: remove the directory to sort again, or name another with "
                        "--job")
        foreign = sorted(name for name in os.listdir(self.path) if name != "lock" and _ATTEMPT not in name)
        if foreign:
            raise Error(f"'{self.path}' holds '{foreign[0]}', and no job that could go on: name another directory with "
                        "--job")
        self._refuse_shared()
        return None

    def _refuse_shared(self) -> None:
        """A directory that was there keeps its permissions: it may be one that others need, such as /dev/shm."""
        mode = os.stat(self.path).st_mode
        if mode & stat.S_ISVTX:
            raise Error(f"'{self.path}' is a directory for the files of many users: name one within it with --job, "
                        f"such as '{os.path.join(self.path, 'job')}'")
        if mode & (stat.S_IWGRP | stat.S_IWOTH):
            raise Error(f"other users may write to '{self.path}': close it with chmod go-w, or name a directory that "
                        "is not there yet with --job")

    def _holds_any(self, folders: Iterable[str]) -> bool:
        return any(self.names_in(folder) for folder in folders)

    def discard_if_nothing_is_done(self) -> None:
        """Takes back a job that this driver has begun, unless it holds what commands have said that failed."""
        has_logs = any(name.endswith(".log") for name in self.names_in("slurm"))
        if not self._is_new or self._holds_any(_WORK) or has_logs:
            return
        self.remove_scratch()
        for name in ("plan.json", "request.json", "lock"):
            remove_file(self.file(name))
        for folder in self._made_folders:
            with contextlib.suppress(OSError):
                os.rmdir(folder)

    def _make(self) -> None:
        folder = self.path
        while not os.path.lexists(folder):
            self._made_folders.append(folder)
            folder = os.path.dirname(folder)
        try:
            os.makedirs(os.path.dirname(self.path), exist_ok=True)
            with contextlib.suppress(FileExistsError):
                os.mkdir(self.path, 0o700)
        except OSError as error:
            raise file_error_of(error, f"cannot make the job directory '{self.path}'", self.path) from error

    def _lock(self) -> None:
        descriptor = os.open(self.file("lock"), os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        self._lock_file = os.fdopen(descriptor, "w", encoding="ascii")
        # Somebody who asks how far the job is holds it for a moment.
        for _ in range(_TRIES):
            if _try_lock(descriptor):
                return
            time.sleep(_SECONDS_BETWEEN_TRIES)
        raise Error(f"another driver is at work on '{self.path}': wait for it, or end it")

    def is_driven(self) -> bool:
        """Whether a driver is at work on it."""
        try:
            with open(self.file("lock"), encoding="ascii") as file:
                return not _try_lock(file.fileno(), shared=True)
        except FileNotFoundError:
            return False

    def close(self) -> None:
        if self._lock_file is not None:
            self._lock_file.close()

    def forget(self, *folders: str) -> None:
        """Takes back the results of a stage."""
        for folder in folders:
            for name in self.names_in(folder):
                remove_file(os.path.join(self.path, folder, name))

    def forget_work(self) -> None:
        """Takes back the results of all stages, where what they were made by is not known any more."""
        self.forget(*RESULTS)
        remove_file(self.file("renewed.json"))
        for folder in ("shards", _LATER_FOLDER):
            for name in self.names_in(folder):
                shutil.rmtree(os.path.join(self.file(folder), name), ignore_errors=True)

    def names_in(self, folder: str) -> list[str]:
        return os.listdir(self.file(folder)) if os.path.isdir(self.file(folder)) else []

    def remove_attempts(self, folders: Iterable[str] = _FOLDERS) -> None:
        """What attempts that were killed have left."""
        for folder in (".", *folders):
            for name in os.listdir(self.file(folder)):
                path = os.path.join(self.path, folder, name)
                if _ATTEMPT in name:
                    shutil.rmtree(path) if os.path.isdir(path) else remove_file(path)

    def remove_scratch(self) -> None:
        """All but what tells that the job was done, and how."""
        for folder in _FOLDERS:
            shutil.rmtree(self.file(folder), ignore_errors=True)
        for name in _FILES:
            remove_file(self.file(name))


def _try_lock(descriptor: int, *, shared: bool = False) -> bool:
    try:
        fcntl.flock(descriptor, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
