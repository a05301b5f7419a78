"""Which steps are done: prepare.json in the folder, which says beside it what was asked for, and of which files. A step
counts as done if what it wrote is there as it was."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any

from .. import Error
from .._errors import file_error_of
from .plan import STATE, Step

_VERSION = 1


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
        self._path = os.path.join(folder, STATE)
        told = {"version": _VERSION, "asked": dict(asked), "inputs": [look(path) for path in inputs]}
        known = self._read()
        if known is None:
            self._refuse_other_files(folder)
            known = {**told, "steps": {}}
        for name, what in (("version", "another version of this command"), ("asked", "other options"),
                           ("inputs", "other inputs, or some have changed")):
            if known.get(name) != json.loads(json.dumps(told[name])):
                raise Error(f"'{folder}' was begun with {what}: name another folder, or remove this one")
        self._known = known

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
        if os.path.isdir(folder) and os.listdir(folder):
            raise Error(f"'{folder}' holds other files: name a new folder, or an empty one")

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

    def note(self, step: Step, records: int, files: list[str]) -> None:
        self._known["steps"][step.name] = {"records": records, "files": [look(path) for path in files]}
        self.write()

    def complete(self) -> None:
        """Files of earlier steps are no longer needed."""
        self._known["complete"] = True
        self.write()

    def write(self) -> None:
        """By a rename, so that a kill leaves the old one or the new one."""
        beside = self._path + ".new"
        try:
            with open(beside, "w", encoding="utf-8") as file:
                json.dump(self._known, file, indent=1)
                file.write("\n")
                file.flush()
                os.fsync(file.fileno())
            os.replace(beside, self._path)
        except OSError as error:
            raise file_error_of(error, f"cannot write '{self._path}'", self._path) from None
