"""The tasks of a job. Each runs commands on any machine that sees the job directory, and leaves its result there as a
file; the same again does no harm."""

import base64
import json
import os
import time
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from .. import Error
from .commands import Commands
from .cut_rows import totals_at_cuts, write_rows
from .job import JobDirectory
from .json_files import attempt_name, read_json, remove_file, write_json
from .machine import node_name
from .node_disks import private_folder
from .shard_folders import has_bytes, prepare_shard_folder
from .shards import Shard
from .slices import Slice, slices_of_range, within_reach

# Between two questions whether a copy is to end.
_COPIED_BYTES = 256 << 20


@dataclass(frozen=True)
class Setting:
    """What all tasks of a job share. words: the options of the sort; environment: what is set for commands, or taken
    out. scratch: the job's folder on the disk of each node, for runs; None if they lie in the job directory. table:
    where rows are described that are sorted as records (tables.py), or None."""

    job: str
    words: tuple[str, ...]
    environment: Mapping[str, str | None]
    scratch: str | None = None
    table: str | None = None

    def directory(self) -> JobDirectory:
        return JobDirectory(self.job)


class Task(Protocol):
    """number: among those of its stage. bytes: of records that it moves. node: the only one where it can run."""

    @property
    def stage(self) -> str: ...
    @property
    def number(self) -> int: ...
    @property
    def bytes(self) -> int: ...
    @property
    def setting(self) -> Setting: ...
    @property
    def node(self) -> str | None: ...

    def is_done(self) -> bool:
        """Whether its result is there and fits."""

    def run(self, commands: Commands) -> None:
        """Writes the result, or raises Error."""


@dataclass(frozen=True)
class FormTask:
    """Runs of one shard. is_renewal: they take the place of runs that were damaged."""

    setting: Setting
    shard: Shard
    samples: int
    is_renewal: bool = False
    stage = "form"
    node = None

    @property
    def number(self) -> int:
        return self.shard.number

    @property
    def bytes(self) -> int:
        return self.shard.bytes

    def __str__(self) -> str:
        return str(self.shard)

    def _result(self) -> str:
        return self.setting.directory().item("formed", self.number, ".json")

    def is_done(self, living: Collection[str] | None = None) -> bool:
        """living: the nodes whose disks can be read; None for all that there ever were."""
        result = read_json(self._result())
        if result is None or Shard.from_json(result["shard"]) != self.shard or result["is_renewal"] != self.is_renewal:
            return False
        if result["scratch_node"] is not None:
            return living is None or result["scratch_node"] in living
        return all(has_bytes(run["path"], run["file_bytes"]) for run in result["runs"])

    def run(self, commands: Commands) -> None:
        began = time.time()
        folder, node = self.setting.directory().item("shards", self.number), None
        if self.setting.scratch is not None:
            node = commands.disks.node
            folder = os.path.join(private_folder(self.setting.scratch, node), f"{self.number:06d}")
        folder = prepare_shard_folder(folder, self.is_renewal)
        told = commands.run([*self.setting.words, f"--form={folder}", f"--samples={self.samples}",
                             *self.shard.words()], self.setting.table)
        for run in told["runs"]:
            run["path"] = os.path.join(folder, run["file"])
        write_json(self._result(), {**told, "shard": list(self.shard), "is_renewal": self.is_renewal,
                                   "scratch_node": node, **_who(began)})


@dataclass(frozen=True)
class CutTask:
    """Where the bounds cut the runs of one shard. formed: a digest of all runs, to which results belong."""

    setting: Setting
    number: int
    first_run: int
    identity: str
    formed: str
    node: str | None = None
    stage = "cut"
    bytes = 0

    def __str__(self) -> str:
        return f"cutting the runs of shard {self.number}"

    def is_done(self) -> bool:
        result = read_json(self.setting.directory().item("cuts", self.number, ".json"))
        rows = self.setting.directory().item("cuts", self.number, ".rows")
        return (result is not None and result["formed"] == self.formed
                and (result["row_bytes"] == 0 or has_bytes(rows, result["row_bytes"])))

    def run(self, commands: Commands) -> None:
        began = time.time()
        job = self.setting.directory()
        runs = job.read(f"formed/{self.number:06d}.json")["runs"]
        cuts = []
        for i, run in enumerate(runs):
            told = commands.run([*self.setting.words, f"--cut={job.file('bounds.json')}",
                                 f"--place={self.first_run + i}", run["path"]])
            refuse_other_identity(told, self.identity)
            cuts.append(told["cuts"])
        rows = job.item("cuts", self.number, ".rows")
        if cuts:
            write_rows(rows, cuts)
        write_json(job.item("cuts", self.number, ".json"), {
            "formed": self.formed, "row_bytes": os.path.getsize(rows) if cuts else 0,
            "records": totals_at_cuts(cuts, "records"),
            "output_bytes": totals_at_cuts(cuts, "output_bytes"), **_who(began)})


@dataclass(frozen=True)
class MergeTask:
    """Merges one range of all runs. records: that cuts have told; bytes: of the output, if none are dropped. output: a
    file of its own, or with offset one that is there."""

    setting: Setting
    number: int
    parts: int
    records: int
    bytes: int
    header: str
    output: str
    offset: int | None
    identity: str
    formed: str
    stage = "merge"
    node = None

    def __str__(self) -> str:
        return f"merging range {self.number}"

    def is_done(self) -> bool:
        result = read_json(self.setting.directory().item("merged", self.number, ".json"))
        return (result is not None and result["formed"] == self.formed
                and (self.offset is not None or has_bytes(self.output, result["file_bytes"])))

    def run(self, commands: Commands) -> None:
        began = time.time()
        job = self.setting.directory()
        slices = slices_of_range(job, self.number, self.parts)
        with within_reach(slices, self.number, self.setting.scratch, commands) as slices:
            told = self._merge(job, slices, commands)
        refuse_other_identity(told, self.identity)
        if told["input"]["records"] != self.records:
            raise Error(f"on {node_name()}: merged {told['input']['records']} records, where cuts have told "
                        f"{self.records}")
        file_bytes = os.path.getsize(self.output) if self.offset is None else self.bytes
        write_json(job.item("merged", self.number, ".json"),
                   {**told, "formed": self.formed, "file_bytes": file_bytes, **_who(began)})

    def _merge(self, job: JobDirectory, slices: list[Slice], commands: Commands) -> dict[str, Any]:
        plan = job.item("plans", self.number, f".{attempt_name()}")
        try:
            with open(plan, "x", encoding="ascii") as file:
                json.dump(self._plan(job, slices), file)
            # Without an offset the sign says that what is in front of it is all of the name.
            place = "@" if self.offset is None else f"@{self.offset}"
            return commands.run([*self.setting.words, f"--merge-runs={plan}", "-o", self.output + place],
                                self.setting.table)
        finally:
            remove_file(plan)

    def _plan(self, job: JobDirectory, slices: list[Slice]) -> dict[str, Any]:
        bounds = job.read("bounds.json")["bounds"]
        begin = bounds[self.number - 1] if self.number > 0 else None
        end = bounds[self.number] if self.number < len(bounds) else None
        return {"begin": begin, "end": end, "header": self.header, "writes_header": self.number == 0,
                "runs": [item.as_planned() for item in slices]}


@dataclass(frozen=True)
class CopyTask:
    """Brings a part to its range of the output, where its size was not known before it was merged."""

    setting: Setting
    number: int
    bytes: int
    source: str
    output: str
    offset: int
    formed: str
    stage = "copy"
    node = None

    def __str__(self) -> str:
        return f"copying part {self.number}"

    def _result(self) -> str:
        return self.setting.directory().item("copied", self.number, ".json")

    def is_done(self) -> bool:
        result = read_json(self._result())
        return result is not None and result["formed"] == self.formed

    def run(self, commands: Commands) -> None:
        began = time.time()
        with open(self.source, "rb") as source, open(self.output, "r+b") as output:
            _copy(source.fileno(), output.fileno(), self.offset, self.bytes, commands)
            os.fsync(output.fileno())
        write_json(self._result(), {"formed": self.formed, **_who(began)})


def _copy(source: int, output: int, offset: int, count: int, commands: Commands) -> None:
    os.lseek(output, offset, os.SEEK_SET)
    while count > 0:
        commands.refuse_if_cancelled()
        copied = os.sendfile(output, source, None, min(count, _COPIED_BYTES))
        if copied == 0:
            raise Error("a part is shorter than it was: start the job again")
        count -= copied


_KINDS: dict[str, Any] = {kind.stage: kind for kind in (FormTask, CutTask, MergeTask, CopyTask)}


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


def refuse_other_identity(told: dict[str, Any], identity: str) -> None:
    if told["identity"] != identity:
        raise Error(f"on {node_name()}: the command orders records otherwise than where shards were formed: install "
                    "the same version, C library and locales on all machines")


def header_bytes(header: str) -> int:
    return len(base64.b64decode(header))


def _who(began: float) -> dict[str, Any]:
    return {"node": node_name(), "began": round(began, 3), "seconds": round(max(0.0, time.time() - began), 3)}
