"""The job directory: all that a job knows, private to its user. Whoever is started on it goes on from there."""

import fcntl
import os
import shutil
from collections.abc import Callable
from typing import Any, TextIO

from .. import Error
from .json_files import read_json, remove_file, write_json

# All that a job makes in its directory.
_FOLDERS = ("shards", "formed", "cuts", "plans", "merged", "parts", "copied", "ended", "slurm")
_FILES = ("bounds.json", "ranges.json", "runs.json", "output.json", "seed")
_KEPT = ("request.json", "plan.json", "report.json", "lock")


class JobDirectory:
    def __init__(self, path: str) -> None:
        self.path = os.path.abspath(path)
        self._lock_file: TextIO | None = None

    def file(self, name: str) -> str:
        return os.path.join(self.path, name)

    def item(self, folder: str, number: int, suffix: str = "") -> str:
        return os.path.join(self.path, folder, f"{number:06d}{suffix}")

    def read(self, name: str) -> Any:
        return read_json(self.file(name))

    def write(self, name: str, value: Any) -> None:
        write_json(self.file(name), value)

    def open(self, make_request: Callable[[dict[str, Any] | None], dict[str, Any]]) -> None:
        """Makes the directory, or goes on in one of the same request. Only one driver at a time holds it. make_request:
        returns the request; it gets the one that is known if its output may be in place already."""
        self._make()
        self._lock()
        known = self.read("request.json")
        is_verified = os.path.exists(self.file("output.json")) or os.path.exists(self.file("report.json"))
        request = make_request(known if is_verified else None)
        if known is None:
            foreign = sorted(set(os.listdir(self.path)) - set(_FOLDERS + _FILES + _KEPT))
            if foreign:
                raise Error(f"'{self.path}' holds '{foreign[0]}', which is of no job: name another directory with "
                            "--job")
            self.write("request.json", request)
        elif known != request:
            differing = [name for name in request if known.get(name) != request[name]] or ["version"]
            raise Error(f"'{self.path}' holds a job with other {' and '.join(differing)}: give its command again to go "
                        "on with it, or name another directory with --job")
        for folder in _FOLDERS:
            os.makedirs(self.file(folder), mode=0o700, exist_ok=True)

    def _make(self) -> None:
        try:
            os.makedirs(os.path.dirname(self.path), exist_ok=True)
            try:
                os.mkdir(self.path, 0o700)
            except FileExistsError:
                if os.stat(self.path).st_uid != os.geteuid():
                    raise Error(f"'{self.path}' belongs to another user: name another directory with --job") from None
                os.chmod(self.path, 0o700)
        except OSError as error:
            raise Error(f"cannot make the job directory '{self.path}': {error.strerror}") from None

    def _lock(self) -> None:
        self._lock_file = open(self.file("lock"), "a", encoding="ascii")
        if not _try_lock(self._lock_file.fileno()):
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
            for name in os.listdir(self.file(folder)):
                remove_file(os.path.join(self.path, folder, name))

    def remove_attempts(self) -> None:
        """What attempts that were killed have left."""
        for folder in _FOLDERS:
            for name in os.listdir(self.file(folder)):
                path = os.path.join(self.path, folder, name)
                if ".attempt-" in name:
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
