"""The tasks of a job that merge ranges, of slices of runs. What an earlier driver has left counts if its bytes are
still those that were written. Where bounds cut runs is told by rows of the command (cut_file.hpp)."""

import contextlib
import json
import os
import struct
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from .. import Error
from .._report import say_count
from .commands import Commands, FileDamaged
from .copy_tasks import CopyTask
from .format_output import WriteTask
from .job import JobDirectory
from .job_plan import node_name
from .shards import Shard
from .places import CountTask
from .node_disks import Piece, attempt_folder, private_folder, remove_remains
from .split_output import Source
from .split_tasks import SplitTask
from .tasks import CUTS_SUFFIX, CutTask, FormTask, HeaderTask, Setting, Task, refuse_other_identity, who_did_it
from .totals import Totals
from .written_files import Stretch, attempt_name, checksum_of_bytes, is_unchanged, length_of, remove_file

_NAMES = ("block", "block_bytes", "records", "bytes", "output_bytes", "stored_begin", "stored_end", "index_begin",
          "index_end", "index_checksum")
_CUT = struct.Struct(f"<{len(_NAMES)}Q")
_NUMBER = struct.Struct("<Q")


def read_rows(path: str, parts: int, part: int, runs: int) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The cuts in front of a part and behind it. Raises Error for rows that are damaged."""
    width = 2 * _NUMBER.size + runs * _CUT.size
    with open(path, "rb") as file:
        if os.fstat(file.fileno()).st_size != width * (parts + 1):
            raise _damaged(path)
        file.seek(part * width)
        return _read_row(path, file.read(width), part), _read_row(path, file.read(width), part + 1)


def _read_row(path: str, row: bytes, number: int) -> list[dict[str, Any]]:
    low_word = int(checksum_of_bytes(row[:-_NUMBER.size]), 16) % (1 << 64)
    if _NUMBER.unpack_from(row)[0] != number or _NUMBER.unpack_from(row, len(row) - _NUMBER.size)[0] != low_word:
        raise _damaged(path)
    cuts = []
    for values in _CUT.iter_unpack(row[_NUMBER.size:-_NUMBER.size]):
        cut: dict[str, Any] = dict(zip(_NAMES, values, strict=True))
        cuts.append({**cut, "index_checksum": f"{cut['index_checksum']:016x}"})
    return cuts


def _damaged(path: str) -> FileDamaged:
    return FileDamaged(path, f"file '{path}' cannot be used: what it says of cuts is damaged; cut the runs again")


_HEADER_BYTES = 64  # in front of all blocks of a run, see FORMAT.md
_BYTES_BETWEEN_QUESTIONS = 64 << 20  # whether an attempt is to end, maybe ones to a network file system


class Slice(NamedTuple):
    """A slice of the run with this number, between two cuts. node: whose disk has the file, or None for one that all
    see."""

    node: str | None
    path: str
    file_bytes: int
    run: int
    begin: dict[str, Any]
    end: dict[str, Any]

    def pieces(self) -> list[Piece]:
        """All that a merge reads."""
        stretches = [(0, _HEADER_BYTES), (self.begin["stored_begin"], self.end["stored_end"]),
                     (self.begin["index_begin"], self.end["index_end"])]
        return [Piece(self.path, begin, end - begin) for begin, end in stretches]

    def as_planned(self) -> dict[str, Any]:
        """As the command reads it."""
        return {"path": self.path, "run": self.run, "begin": self.begin, "end": self.end}


def slices_of_range(job: JobDirectory, number: int, parts: int) -> list[Slice]:
    """Those that are not empty, in the order of their runs."""
    slices = []
    run = 0
    for shard, formed in enumerate(job.require("runs.json")["shards"]):
        if not formed["runs"]:
            continue
        begins, ends = read_rows(job.item("cuts", shard, CUTS_SUFFIX), parts, number, len(formed["runs"]))
        for (path, file_bytes), begin, end in zip(formed["runs"], begins, ends, strict=True):
            if end["records"] > begin["records"]:
                slices.append(Slice(formed["scratch_node"], path, file_bytes, run, begin, end))
            run += 1
    return slices


@contextlib.contextmanager
def within_reach(slices: list[Slice], number: int, scratch: str | None, commands: Commands) -> Iterator[list[Slice]]:
    """The same slices in files that can be read here. What other nodes have is copied to the disk of this one, and
    removed again: files as long as the runs, of which all that is not needed is a hole."""
    own = commands.disks.node
    distant = [item for item in slices if item.node not in (None, own)]
    if not distant or scratch is None:
        yield slices
        return
    folder = private_folder(scratch, own)
    remove_remains(folder)
    with attempt_folder(os.path.join(folder, f"{number:06d}.{attempt_name()}")) as copies:
        try:
            _copy(distant, copies, commands)
        except OSError as error:
            raise Error(f"on {node_name()}: cannot write '{copies}': {error.strerror}") from None
        try:
            yield [item if item.node in (None, own) else item._replace(node=own, path=_copy_of(item.path, copies))
                   for item in slices]
        except Error:
            # The disk of a node that dies may be gone first. That says nothing of runs on other nodes.
            if all(os.path.exists(_copy_of(item.path, copies)) for item in distant):
                raise
            raise Error(f"on {node_name()}: what was copied to '{copies}' is gone") from None


def _copy_of(path: str, copies: str) -> str:
    # The names of runs differ, on whatever node they were formed.
    return os.path.join(copies, os.path.basename(path))


def _copy(distant: list[Slice], copies: str, commands: Commands) -> None:
    wanted: dict[str, list[Piece]] = {}
    for item in distant:
        wanted.setdefault(str(item.node), []).extend(item.pieces())
        with open(_copy_of(item.path, copies), "xb") as file:
            file.truncate(item.file_bytes)
    unasked = 0
    for piece, data in commands.disks.read(wanted):
        unasked += len(data)
        if unasked > _BYTES_BETWEEN_QUESTIONS:
            commands.refuse_if_cancelled()
            unasked = 0
        with open(_copy_of(piece.path, copies), "r+b") as file:
            file.seek(piece.offset)
            file.write(data)


@dataclass(frozen=True)
class MergeTask(Task):
    """Merges one range of all runs, between two bounds. records: that cuts have told; bytes: of the output, if none are
    dropped (about, where only the first records are merged). output: a file of its own, or with offset one that is
    there. join: what its plan says of a join, or None. most_records: with which the merge ends; 0 for those that the
    options say."""

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
    join: dict[str, Any] | None = None
    most_records: int = 0
    stage = "merge"
    node = None

    def __str__(self) -> str:
        return f"merging range {self.number}"

    def first_records(self, count: int) -> "MergeTask":
        """The same range up to so many of its records, which take about their share of its bytes."""
        return replace(self, most_records=count, bytes=self.bytes * count // max(1, self.records))

    def _known(self) -> dict[str, Any] | None:
        """What was told of this range by an attempt of this driver, or of an earlier one."""
        result = self.result()
        if result is None or result["formed"] != self.formed:
            return None
        is_there = self.offset is not None or all(length_of(item.path) == item.bytes for item in self._written(result))
        return result if is_there else None

    def _written(self, told: dict[str, Any]) -> list[Stretch]:
        """Where the range lies: in a file, or in several of a folder."""
        if "files" in told:
            return [Stretch(os.path.join(self.output, path), 0, size, checksum)
                    for path, size, checksum in told["files"]]
        return [Stretch(self.output, self.offset or 0, told["file_bytes"], told["file_checksum"])]

    def is_done(self) -> bool:
        known = self._known()
        return known is not None and known["driver"] == self.setting.driver

    def run(self, commands: Commands) -> None:
        began = time.time()
        known = self._known()
        if known is not None:
            # Whatever became of the disk and of other drivers since.
            if all(is_unchanged(item, commands.refuse_if_cancelled) for item in self._written(known)):
                self.leave({**known, "driver": self.setting.driver})
                return
        told = self._merge_slices(commands)
        refuse_other_identity(told, self.identity, self.setting)
        if told["input"]["records"] != self.records:
            raise Error(f"on {node_name()}: merged {say_count(told['input']['records'], 'record')}, where cuts have "
                        f"told {self.records}")
        if self.offset is not None and told["file_bytes"] != self.bytes:
            raise Error(f"on {node_name()}: wrote {say_count(told['file_bytes'], 'byte')}, where cuts have told "
                        f"{self.bytes}")
        self.leave({**told, "formed": self.formed, "driver": self.setting.driver, **who_did_it(began)})

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
                           "writes_header": self.number == 0, "writes_payloads": self.setting.is_by_place,
                           "for_files": bool(self.setting.cuts) and not self.setting.names, "most_records": self.most_records, **slices,
                           **(self.join or {})}, file)
            # Without an offset the sign says that what is in front of it is all of the name.
            place = "@" if self.offset is None else f"@{self.offset}"
            # A record that no row can be made of is named by the input that it is of.
            inputs = ["--", *(path for path, *_ in job.require("request.json")["inputs"])] if self.join else []
            return commands.run([*self.setting.words_of_sort(), f"--merge-runs={plan}", "-o", self.output + place,
                                 *inputs],
                                self.setting.table)
        finally:
            remove_file(plan)


_KINDS: dict[str, Any] = {"join": SplitTask, **{
    kind.stage: kind for kind in (HeaderTask, CountTask, FormTask, CutTask, MergeTask, CopyTask, SplitTask,
                                WriteTask)}}


def task_to_json(task: Task) -> dict[str, Any]:
    fields = {name: getattr(task, name) for name in _KINDS[task.stage].__dataclass_fields__}
    return {**fields, "stage": task.stage, "setting": vars(task.setting)}


def task_from_json(told: dict[str, Any]) -> Task:
    kind = _KINDS[told["stage"]]
    fields: dict[str, Any] = {name: value for name, value in told.items() if name in kind.__dataclass_fields__}
    if "sources" in fields:
        fields["sources"] = tuple(Source(number, Stretch(*whole), begin, size)
                                  for number, whole, begin, size in fields["sources"])
        fields["totals"] = Totals(*fields["totals"])
    if "ranges" in fields:
        fields["ranges"] = tuple(Stretch(*item) for item in fields["ranges"])
    lists = {name: tuple(told["setting"][name]) for name in ("words", "sort_words", "cuts")}
    fields["setting"] = Setting(**{**told["setting"], **lists})
    if "shard" in fields:
        fields["shard"] = Shard.from_json(fields["shard"])
    task: Task = kind(**fields)
    return task
