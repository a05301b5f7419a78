"""Which steps are done: prepare.json in the folder, which says beside it what was asked for, and of which files. A step
counts as done if what it wrote is there as it was."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Mapping
from typing import Any

from .. import Error
from .._errors import file_error_of
from .plan import STATE, WORK, Step

_VERSION = 1
_NEW = STATE + ".new"


def look(path: str) -> dict[str, Any]:
    """What tells whether a file is the same."""
    try:
        status = os.stat(path)
    except OSError as error:
        raise file_error_of(error, f"cannot look at '{path}'", path) from None
    return {"path": path, "bytes": status.st_size, "modified_ns": status.st_mtime_ns}


class State:
    """asked: whatever makes other shards if it differs. Throws Error if the folder holds something else."""

    def __init__(self, folder: str, asked: Mapping[str, Any], inputs: list[str]) -> None:
        self._path, self._beside = (os.path.join(folder, name) for name in (STATE, _NEW))
        told = {"version": _VERSION, "asked": dict(asked), "inputs": [look(path) for path in inputs]}
        known = self._read()
        if known is None:
            self._refuse_other_files(folder)
            known = {**told, "steps": {}}
        for name, what in (("version", "another version of this command"), ("asked", "other options"),
                           ("inputs", "other inputs, or some have changed")):
            if known.get(name) != json.loads(json.dumps(told[name])):
                raise Error(f"'{folder}' was begun with {what}: name another folder, or remove this one")
        self._known, self._folder = known, folder

    def _read(self) -> dict[str, Any] | None:
        try:
            with open(self._path, encoding="utf-8") as file:
                known = json.load(file)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise file_error_of(error, f"cannot read '{self._path}'", self._path) from None
        except ValueError:
            known = None
        if not isinstance(known, dict) or not isinstance(known.get("steps"), dict):
            raise Error(f"'{self._path}' is none of this command's: name another folder, or remove this file")
        return known

    @staticmethod
    def _refuse_other_files(folder: str) -> None:
        """A kill before anything is done leaves an empty folder for work, and maybe a state without its name."""
        work = os.path.join(folder, WORK)
        if not os.path.isdir(folder):
            return
        if not {WORK, _NEW}.issuperset(os.listdir(folder)) or (os.path.exists(work) and os.listdir(work)):
            raise Error(f"'{folder}' holds other files: name a new folder, or an empty one")

    def refuse_changed_inputs(self) -> None:
        """Before a step: it would read what others of another time have not."""
        for known in self._known["inputs"]:
            if look(known["path"]) != known:
                raise Error(f"input '{known['path']}' was changed while it was prepared: remove '{self._folder}', and begin "
                            "again when nobody writes to it")

    def records(self, name: str) -> int:
        """That a step which is done has written."""
        return int(self._known["steps"][name]["records"])

    def is_done(self, step: Step) -> bool:
        done = self._known["steps"].get(step.name)
        if not isinstance(done, dict):
            return False
        try:
            return all(look(file["path"]) == file for file in done["files"])
        except (Error, KeyError, TypeError):
            return False

    @property
    def is_complete(self) -> bool:
        return bool(self._known.get("complete"))

    @property
    def has_steps(self) -> bool:
        """Whether a step was done."""
        return bool(self._known["steps"])

    def note(self, step: Step, records: int, files: list[str]) -> None:
        self._known["steps"][step.name] = {"records": records, "files": [look(path) for path in files]}
        self.write()

    def complete(self) -> None:
        """Files of earlier steps are no longer needed."""
        self._known["complete"] = True
        self.write()

    def remove(self) -> None:
        with contextlib.suppress(OSError):
            os.remove(self._path)

    def write(self) -> None:
        """By a rename, so that a kill leaves the old one or the new one."""
        try:
            with open(self._beside, "w", encoding="utf-8") as file:
                json.dump(self._known, file, indent=1)
                file.write("\n")
                file.flush()
                os.fsync(file.fileno())
            os.replace(self._beside, self._path)
        except OSError as error:
            raise file_error_of(error, f"cannot write '{self._path}'", self._path) from None
