"""The tasks of a job that merge ranges, and bring them to their place. What an earlier driver has left counts if its bytes
are still those that were written."""

import json
import os
import time
from dataclasses import dataclass
from typing import Any

from .. import Error
from .._native import ByteChecksum
from .commands import Commands
from .written_files import Stretch, attempt_name, is_unchanged, length_of, read_state, remove_file, write_state
from .machine import node_name
from .shards import Shard
from .slices import slices_of_range, within_reach
from .tasks import CutTask, FormTask, HeaderTask, Setting, Task, refuse_other_identity, who_did_it

_COPIED_BYTES = 4 << 20


@dataclass(frozen=True)
class MergeTask:
    """Merges one range of all runs, between two bounds. records: that cuts have told; bytes: of the output, if none are
    dropped. output: a file of its own, or with offset one that is there."""

    setting: Setting
    number: int
    parts: int
    records: int
    bytes: int
    header: str
    begin: dict[str, Any] | None
    end: dict[str, Any] | None
    output: str
    offset: int | None
    identity: str
    formed: str
    stage = "merge"
    node = None

    def __str__(self) -> str:
        return f"merging range {self.number}"

    def _result(self) -> str:
        return self.setting.directory().item("merged", self.number, ".json")

    def _known(self) -> dict[str, Any] | None:
        """What was told of this range by an attempt of this driver, or of an earlier one."""
        result: dict[str, Any] | None = read_state(self._result())
        is_fitting = (result is not None and result["formed"] == self.formed
                      and (self.offset is not None or length_of(self.output) == result["file_bytes"]))
        return result if is_fitting else None

    def is_done(self) -> bool:
        known = self._known()
        return known is not None and known["driver"] == self.setting.driver

    def run(self, commands: Commands) -> None:
        began = time.time()
        known = self._known()
        if known is not None and self._is_as_told(known, commands):
            write_state(self._result(), {**known, "driver": self.setting.driver})
            return
        told = self._merge_slices(commands)
        refuse_other_identity(told, self.identity)
        if told["input"]["records"] != self.records:
            raise Error(f"on {node_name()}: merged {told['input']['records']} records, where cuts have told "
                        f"{self.records}")
        if self.offset is not None and told["file_bytes"] != self.bytes:
            raise Error(f"on {node_name()}: wrote {told['file_bytes']} bytes, where cuts have told {self.bytes}")
        write_state(self._result(), {**told, "formed": self.formed, "driver": self.setting.driver, **who_did_it(began)})

    def _is_as_told(self, known: dict[str, Any], commands: Commands) -> bool:
        """Whether the bytes are those that were written, whatever became of the disk and of other drivers since."""
        written = Stretch(self.output, self.offset or 0, known["file_bytes"], known["file_checksum"])
        return is_unchanged(written, commands.refuse_if_cancelled)

    def _merge_slices(self, commands: Commands) -> dict[str, Any]:
        job = self.setting.directory()
        if self.setting.scratch is None:
            return self._merge({"source": {"runs": job.file("runs.json"), "cuts": job.file("cuts"),
                                           "part": self.number, "parts": self.parts}}, commands)
        slices = slices_of_range(job, self.number, self.parts)
        with within_reach(slices, self.number, self.setting.scratch, commands) as slices:
            return self._merge({"runs": [item.as_planned() for item in slices]}, commands)

    def _merge(self, slices: dict[str, Any], commands: Commands) -> dict[str, Any]:
        job = self.setting.directory()
        plan = job.item("plans", self.number, f".{attempt_name()}")
        try:
            with open(plan, "x", encoding="ascii") as file:
                json.dump({"begin": self.begin, "end": self.end, "header": self.header,
                           "writes_header": self.number == 0, **slices}, file)
            # Without an offset the sign says that what is in front of it is all of the name.
            place = "@" if self.offset is None else f"@{self.offset}"
            return commands.run([*self.setting.words, f"--merge-runs={plan}", "-o", self.output + place],
                                self.setting.table)
        finally:
            remove_file(plan)


@dataclass(frozen=True)
class CopyTask:
    """Brings a part to its range of the output, where its size was not known before it was merged. checksum: of the
    bytes."""

    setting: Setting
    number: int
    bytes: int
    source: str
    output: str
    offset: int
    formed: str
    checksum: str
    stage = "copy"
    node = None

    def __str__(self) -> str:
        return f"copying part {self.number}"

    def _result(self) -> str:
        return self.setting.directory().item("copied", self.number, ".json")

    def is_done(self) -> bool:
        result = read_state(self._result())
        return result is not None and (result["formed"], result["driver"]) == (self.formed, self.setting.driver)

    def run(self, commands: Commands) -> None:
        began = time.time()
        known = read_state(self._result())
        written = Stretch(self.output, self.offset, self.bytes, self.checksum)
        if known is not None and known["formed"] == self.formed and is_unchanged(written, commands.refuse_if_cancelled):
            write_state(self._result(), {**known, "driver": self.setting.driver})
            return
        if self._copy(commands) != self.checksum:
            raise Error(f"on {node_name()}: part {self.number} in '{self.source}' is not what was merged: give the command "
                        "again")
        write_state(self._result(), {"formed": self.formed, "driver": self.setting.driver, **who_did_it(began)})

    def _copy(self, commands: Commands) -> str:
        """Returns the checksum of what was read."""
        checksum = ByteChecksum()
        buffer = memoryview(bytearray(min(_COPIED_BYTES, self.bytes)))
        with open(self.source, "rb", buffering=0) as source, open(self.output, "r+b") as output:
            output.seek(self.offset)
            left = self.bytes
            while left > 0:
                commands.refuse_if_cancelled()
                got = source.readinto(buffer[:min(len(buffer), left)])
                if not got:
                    break
                checksum.add(buffer[:got])
                output.write(buffer[:got])
                left -= got
            output.flush()
            os.fsync(output.fileno())
        return str(checksum.value())


_KINDS: dict[str, Any] = {kind.stage: kind for kind in (HeaderTask, FormTask, CutTask, MergeTask, CopyTask)}


def task_to_json(task: Task) -> dict[str, Any]:
    fields = {name: getattr(task, name) for name in _KINDS[task.stage].__dataclass_fields__}
    return {**fields, "stage": task.stage, "setting": vars(task.setting)}


def task_from_json(told: dict[str, Any]) -> Task:
    fields = {name: value for name, value in told.items() if name != "stage"}
    fields["setting"] = Setting(**{**told["setting"], "words": tuple(told["setting"]["words"])})
    if "shard" in fields:
        fields["shard"] = Shard.from_json(fields["shard"])
    task: Task = _KINDS[told["stage"]](**fields)
    return task
