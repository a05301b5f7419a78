"""The tasks of a job. Each runs commands on any machine that sees the job directory, and leaves its result there as a
file; the same again does no harm."""

import base64
import json
import os
import shutil
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from .. import Error
from .commands import Commands, node_name
from .cut_rows import read_rows, totals_at_cuts, write_rows
from .job import JobDirectory
from .json_files import attempt_name, read_json, remove_file, write_json
from .shards import Shard


@dataclass(frozen=True)
class Setting:
    """What all tasks of a job share. words: the options of the sort; environment: what is set for commands, or taken
    out; table: where rows are described that are sorted as records (tables.py), or None."""

    job: str
    words: tuple[str, ...]
    environment: Mapping[str, str | None]
    table: str | None = None

    def directory(self) -> JobDirectory:
        return JobDirectory(self.job)


class Task(Protocol):
    """number: among those of its stage. bytes: of records that it moves."""

    @property
    def stage(self) -> str: ...
    @property
    def number(self) -> int: ...
    @property
    def bytes(self) -> int: ...
    @property
    def setting(self) -> Setting: ...

    def is_done(self) -> bool:
        """Whether its result is there and fits."""

    def run(self, commands: Commands) -> None:
        """Writes the result, or raises Error."""


@dataclass(frozen=True)
class FormTask:
    """Runs of one shard."""

    setting: Setting
    shard: Shard
    samples: int
    stage = "form"

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

    def _folder(self) -> str:
        return self.setting.directory().item("shards", self.number)

    def is_done(self) -> bool:
        result = read_json(self._result())
        return (result is not None and result["shard"] == list(self.shard)
                and all(_has_bytes(run["path"], run["file_bytes"]) for run in result["runs"]))

    def run(self, commands: Commands) -> None:
        began = time.time()
        self._set_remains_aside()
        words = [*self.setting.words, f"--form={self._folder()}", f"--bytes={self.shard.byte_range}",
                 f"--place={self.shard.place}", f"--samples={self.samples}", "--", self.shard.path]
        told = commands.run(words, self.setting.table)
        for run in told["runs"]:
            run["path"] = os.path.join(self._folder(), run["file"])
        write_json(self._result(), {**told, "shard": list(self.shard), **_who(began)})

    def _set_remains_aside(self) -> None:
        """The command takes a folder of runs as it is. One that has lost some is removed."""
        told = read_json(os.path.join(self._folder(), "shard.json"))
        is_whole = told is not None and all(_has_bytes(os.path.join(self._folder(), run["file"]), run["file_bytes"])
                                            for run in told["runs"])
        if not is_whole and os.path.isdir(self._folder()):
            # Renamed first: another attempt may do the same.
            aside = f"{self._folder()}.{attempt_name()}"
            os.rename(self._folder(), aside)
            shutil.rmtree(aside, ignore_errors=True)


@dataclass(frozen=True)
class CutTask:
    """Where the bounds cut the runs of one shard. formed: a digest of all runs, to which results belong."""

    setting: Setting
    number: int
    first_run: int
    identity: str
    formed: str
    stage = "cut"
    bytes = 0

    def __str__(self) -> str:
        return f"cutting the runs of shard {self.number}"

    def is_done(self) -> bool:
        result = read_json(self.setting.directory().item("cuts", self.number, ".json"))
        rows = self.setting.directory().item("cuts", self.number, ".rows")
        return (result is not None and result["formed"] == self.formed
                and (result["row_bytes"] == 0 or _has_bytes(rows, result["row_bytes"])))

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

    def __str__(self) -> str:
        return f"merging range {self.number}"

    def is_done(self) -> bool:
        result = read_json(self.setting.directory().item("merged", self.number, ".json"))
        return (result is not None and result["formed"] == self.formed
                and (self.offset is not None or _has_bytes(self.output, result["file_bytes"])))

    def run(self, commands: Commands) -> None:
        began = time.time()
        job = self.setting.directory()
        plan = job.item("plans", self.number, f".{attempt_name()}")
        try:
            with open(plan, "x", encoding="ascii") as file:
                json.dump(self._plan(job), file)
            # Without an offset the sign says that what is in front of it is all of the name.
            place = "@" if self.offset is None else f"@{self.offset}"
            told = commands.run([*self.setting.words, f"--merge-runs={plan}", "-o", self.output + place],
                                self.setting.table)
        finally:
            remove_file(plan)
        refuse_other_identity(told, self.identity)
        if told["input"]["records"] != self.records:
            raise Error(f"on {node_name()}: merged {told['input']['records']} records, where cuts have told "
                        f"{self.records}")
        file_bytes = os.path.getsize(self.output) if self.offset is None else self.bytes
        write_json(job.item("merged", self.number, ".json"),
                   {**told, "formed": self.formed, "file_bytes": file_bytes, **_who(began)})

    def _plan(self, job: JobDirectory) -> dict[str, Any]:
        bounds = job.read("bounds.json")["bounds"]
        begin = bounds[self.number - 1] if self.number > 0 else None
        end = bounds[self.number] if self.number < len(bounds) else None
        return {"begin": begin, "end": end, "header": self.header, "writes_header": self.number == 0,
                "runs": self._slices(job)}

    def _slices(self, job: JobDirectory) -> list[dict[str, Any]]:
        slices = []
        number = 0
        for shard, paths in enumerate(job.read("runs.json")):
            if not paths:
                continue
            begins, ends = read_rows(job.item("cuts", shard, ".rows"), self.parts, self.number)
            for path, begin, end in zip(paths, begins, ends, strict=True):
                if end["records"] > (begin["records"] if begin else 0):
                    slices.append({"path": path, "run": number, "begin": begin, "end": end})
                number += 1
        return slices


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

    def __str__(self) -> str:
        return f"copying part {self.number}"

    def _result(self) -> str:
        return self.setting.directory().item("copied", self.number, ".json")

    def is_done(self) -> bool:
        result = read_json(self._result())
        return result is not None and result["formed"] == self.formed

    def run(self, commands: Commands) -> None:
        began = time.time()
        del commands
        with open(self.source, "rb") as source, open(self.output, "r+b") as output:
            _copy(source.fileno(), output.fileno(), self.offset, self.bytes)
            os.fsync(output.fileno())
        write_json(self._result(), {"formed": self.formed, **_who(began)})


def _copy(source: int, output: int, offset: int, count: int) -> None:
    os.lseek(output, offset, os.SEEK_SET)
    while count > 0:
        copied = os.sendfile(output, source, None, min(count, 1 << 30))
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
        fields["shard"] = Shard(*fields["shard"])
    task: Task = _KINDS[told["stage"]](**fields)
    return task


def refuse_other_identity(told: dict[str, Any], identity: str) -> None:
    if told["identity"] != identity:
        raise Error(f"on {node_name()}: the command orders records otherwise than where shards were formed: install "
                    "the same version, C library and locales on all machines")


def header_bytes(header: str) -> int:
    return len(base64.b64decode(header))


def _has_bytes(path: str, count: int) -> bool:
    try:
        return os.path.getsize(path) == count
    except OSError:
        return False


def _who(began: float) -> dict[str, Any]:
    return {"node": node_name(), "began": round(began, 3), "seconds": round(max(0.0, time.time() - began), 3)}
