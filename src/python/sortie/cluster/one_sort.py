"""One sort of a job: shards are formed, bounds chosen, runs cut, ranges merged, and what came out is compared with what
went in. What it is to do is a value (SortSpec); how often it is begun again, and what comes behind it, is up to the
driver."""

import base64
import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from .. import Error
from .arguments import Comparison
from .copy_tasks import copy_tasks
from .engine import Failure
from .format_output import FormatOutput, write_output
from .formed import (Formed, ShardsDamaged, ShardsLost, forget_damaged_cuts, read_formed, refuse_assumed,
                     shards_with_file, sizes_of_ranges, write_bounds)
from .job import DRAWN_FILE, JobDirectory
from .job_plan import JobPlan
from .merge_tasks import MergeTask
from .output import Output
from .report import StageResults
from .sides import plan_of_join
from .split_output import SplitFiles
from .split_tasks import Splitting
from .stages import STAGES
from .tasks import CutTask, FormTask, Setting, Task
from .totals import Merged, Totals, drawn_of_ranges, sum_of, verified_output, verify_drawn
from .work import Work
from .written_files import Stretch, are_unchanged, is_unchanged, remove_file


@dataclass(frozen=True)
class SortSpec:
    """What one sort of a job is to do. job: the folder of its state. output: where its ranges go, once it is known what
    was formed and how that is cut. which: behind the names of its stages. header: in front of what it writes; None for
    that of its inputs. beside_record_bytes: of each record in its runs, which it does not write. draws: how many
    records are wanted, the first ones by its keys; None for all. reads: what the sort in front of it has written; None
    for the inputs of the job."""

    job: JobDirectory
    plan: JobPlan
    setting: Setting
    comparison: Comparison
    output: Callable[[Formed], Output]
    which: str = ""
    header: str | None = None
    beside_record_bytes: int = 0
    draws: int | None = None
    reads: "Handover | None" = None


class Sorted(NamedTuple):
    """What a sort has made. parts: ranges that were merged."""

    sort: "OneSort"
    formed: Formed
    output: Output
    parts: int
    merged: Merged


@dataclass(frozen=True)
class Handover:
    """What one sort has written for the next one. written, totals: the ranges, and their records. is_shard_each:
    whether each range is a shard of the next sort; else the shards lie anywhere in all of them. has_checksums: whether
    shards tell checksums that compare."""

    sort: "OneSort"
    written: Sequence[Stretch]
    totals: Sequence[Totals]
    is_shard_each: bool = True
    has_checksums: bool = True

    def merge_damaged_again(self, reader: "OneSort") -> None:
        """Raises ShardsDamaged where what was written is not that any more. The reader could not read all of it."""
        unread = [task.number for task in reader.unformed()] if self.is_shard_each else range(len(self.written))
        damaged = [part for part in unread if not is_unchanged(self.written[part])]
        if damaged:
            self._merge_again(damaged, reader)

    def compare(self, reader: "OneSort") -> None:
        """Raises ShardsDamaged unless the reader has read what was written."""
        told = [Totals.from_json(reader.job.require(f"formed/{shard.number:06d}.json")["input"])
                for shard in reader.plan.shards]
        if self.is_shard_each:
            other = [part for part, totals in enumerate(told) if totals != self.totals[part]]
            if other:
                self._merge_again(other, reader)
        elif not self._is_all_of(sum_of(told), reader):
            self.merge_damaged_again(reader)
            self._merge_again(range(len(self.written)), reader)

    def _is_all_of(self, read: Totals, reader: "OneSort") -> bool:
        written = sum_of(self.totals)
        may_differ = not self.has_checksums and read[:2] == written[:2]
        return read == written or (may_differ and are_unchanged(self.written, reader.work.engine.slots))

    def _merge_again(self, parts: Sequence[int], reader: "OneSort") -> None:
        """What was read of them is read again, too."""
        shards = parts if self.is_shard_each else [shard.number for shard in reader.plan.shards]
        reader.renew(shards)
        self.sort.merge_again(parts, self.written[parts[0]].path)


@dataclass
class OneSort:
    """Keeps how many tasks its stages had, and which results it has found damaged once, by folders and numbers."""

    spec: SortSpec
    work: Work
    _made_again: set[tuple[str, int]] = field(default_factory=set, init=False)
    _counts: dict[str, int] = field(default_factory=dict, init=False)

    @property
    def job(self) -> JobDirectory:
        return self.spec.job

    @property
    def plan(self) -> JobPlan:
        return self.spec.plan

    def form(self) -> None:
        """Sees to it that all shards have runs, of what the sort in front has written. Raises ShardsDamaged where that
        is to write it again."""
        reads = self.spec.reads
        try:
            self._do(self._form_tasks(), self.unformed())
        except Error:
            if reads is not None:
                reads.merge_damaged_again(self)
            raise
        if reads is not None:
            reads.compare(self)

    def sort(self) -> Sorted:
        """What the runs are merged to. Raises ShardsLost or ShardsDamaged where shards are to be formed again."""
        formed = read_formed(self.job, self.plan.shards)
        if "--strict" in self.spec.setting.words:
            refuse_assumed(formed.all_assumed())
        ranges, drawn = self._cut(formed)
        output = self.spec.output(formed)
        self._merge(formed, output, ranges, drawn)
        return Sorted(self, formed, output, len(drawn or ranges), self._compared(formed, ranges, drawn))

    def _cut(self, formed: Formed) -> tuple[list[int], list[int] | None]:
        """Records of each range, and how many are drawn of those that are merged; None for all."""
        spec = self.spec
        held = formed.input.minus(formed.dropped).records
        share = 1.0 if spec.draws is None else min(1.0, spec.draws / max(1, held))
        parts = write_bounds(self.job, self.plan.shards, formed, self.plan.ranges, share)
        self._do_unless_lost([CutTask(spec.setting, shard.number, first_run, formed.sides[shard.side].identity,
                                      formed.with_bounds, node, shard.side)
                              for shard, first_run, node in zip(self.plan.shards, formed.first_runs, formed.nodes,
                                                                strict=True)])
        records, _ = self._sizes(parts)
        if spec.draws is None:
            return records, None
        drawn = drawn_of_ranges(records, spec.draws)
        self.job.write(DRAWN_FILE, {"parts": len(drawn)})
        return records, drawn

    def _sizes(self, parts: int) -> tuple[list[int], list[int]]:
        """Records of every range, and the bytes that are written, without a header."""
        records, output_bytes = sizes_of_ranges(self.job, self.plan.shards, parts)
        beside = self.spec.beside_record_bytes
        return records, [count - beside * number for number, count in zip(records, output_bytes, strict=True)]

    def _merge(self, formed: Formed, output: Output, ranges: list[int], drawn: list[int] | None) -> None:
        output.results = self.job
        tasks = self._merge_tasks(formed, output, len(ranges))
        if drawn is not None:
            tasks = [task.first_records(count) for task, count in zip(tasks, drawn, strict=False)]
        if output.copies_to is None:
            output.prepare(sum(task.bytes for task in tasks))
        self._do_unless_lost(tasks)
        if output.copies_to is not None:
            merged = [self.merged(part) for part in range(len(tasks))]
            output.prepare(sum(told["file_bytes"] for told in merged))
            copies = copy_tasks(output.copies_to, output, self.spec.setting, formed.with_bounds, merged)
            self._do(copies, [task for task in copies if not task.is_done()])
        if isinstance(output, FormatOutput):
            write_output(output, self.spec.setting, formed.with_bounds,
                         [self.merged(part) for part in range(len(tasks))], self._do, self._merge_damaged_range_again)
        elif isinstance(output, SplitFiles):
            splitting = Splitting(output, self.spec.setting, self._header_of(formed), formed.with_bounds, self._do,
                                  self._made_again)
            splitting.run([self.merged(part) for part in range(len(tasks))])

    def _merge_damaged_range_again(self, failure: Failure) -> None:
        """Raises ShardsDamaged where what reads a range has found it damaged, unless it was before."""
        if failure.damaged_range is not None:
            self.merge_again([failure.damaged_range], self.job.item("parts", failure.damaged_range))

    def _merge_tasks(self, formed: Formed, output: Output, parts: int) -> list[MergeTask]:
        records, output_bytes = self._sizes(parts)
        bounds = self._bounds()
        header = self._header_of(formed)
        output_bytes[0] += 0 if self.spec.setting.cuts else len(base64.b64decode(header))
        join = plan_of_join(formed.sides)
        tasks = []
        offset = 0
        for part in range(parts):
            path, place = output.place(part, offset)
            tasks.append(MergeTask(self.spec.setting, part, parts, records[part], output_bytes[part], header,
                                   bounds[part], bounds[part + 1], path, place, formed.identity, formed.with_bounds,
                                   join))
            offset += output_bytes[part]
        return tasks

    def _header_of(self, formed: Formed) -> str:
        return formed.header if self.spec.header is None else self.spec.header

    def _bounds(self) -> list[dict[str, Any] | None]:
        """In front of every range, and behind the last."""
        return [None, *self.job.require("bounds.json")["bounds"], None]

    def merged(self, part: int) -> dict[str, Any]:
        """What was told of a range."""
        told: dict[str, Any] = self.job.require(f"merged/{part:06d}.json")
        return told

    def _compared(self, formed: Formed, ranges: list[int], drawn: list[int] | None) -> Merged:
        """Raises Error unless all that went in has come out, or what was to be drawn of it."""
        told = [self.merged(part) for part in range(len(drawn or ranges))]
        if self.spec.draws is not None:
            output = sum_of(Totals.from_json(item["output"]) for item in told)
            if not verify_drawn(formed.input.minus(formed.dropped).records, ranges, output.records, self.spec.draws):
                return Merged(output, [], told)
        output = verified_output(formed.input, formed.dropped, told, self.spec.comparison)
        beside = self.spec.beside_record_bytes
        written = [{**item["output"], "bytes": item["output"]["bytes"] - beside * item["output"]["records"],
                    "file_bytes": item["file_bytes"], "begin": begin, "end": end}
                   for item, (begin, end) in zip(told, itertools.pairwise(self._bounds()), strict=True)]
        return Merged(output, written, told)

    def results(self) -> list[StageResults]:
        return [StageResults(self.job, stage, self._counts[name], self.spec.which) for name, stage in STAGES.items()
                if name in self._counts]

    def merge_again(self, parts: Sequence[int], path: str) -> None:
        """Raises ShardsDamaged: these ranges are merged again, once. A disk that damages them again is to be looked
        after."""
        damaged = {("merged", part) for part in parts}
        if damaged & self._made_again:
            raise Error(f"'{path}' is not what was written, again: look after the disk under '{self.spec.setting.job}'")
        self._made_again |= damaged
        for folder, part in damaged:
            remove_file(self.job.item(folder, part, ".json"))
        raise ShardsDamaged(f"'{path}' is not what was written")

    def unformed(self) -> list[FormTask]:
        """Those that have no runs, or whose runs are gone with their node."""
        living = self.work.living_nodes()
        return [task for task in self._form_tasks() if not task.is_done(living)]

    def _form_tasks(self) -> list[FormTask]:
        renewed = self._renewed()
        return [FormTask(self.spec.setting, shard, samples, shard.number in renewed)
                for shard, samples in zip(self.plan.shards, self.plan.samples(), strict=True)]

    def _renewed(self) -> set[int]:
        """Shards whose runs were damaged once. If that happens again, the disk is to be looked after."""
        return set(self.job.read("renewed.json") or ())

    def renew(self, shards: Sequence[int]) -> None:
        """Their runs are formed again."""
        self.job.write("renewed.json", sorted(self._renewed().union(shards)))

    def _do_unless_lost(self, tasks: Sequence[Task]) -> None:
        """Raises ShardsLost or ShardsDamaged where a task fails because of runs."""
        def on_failure(failure: Failure) -> None:
            if self.unformed():
                raise ShardsLost(failure.text)
            if failure.file is None:
                return
            damaged = shards_with_file(self.job, failure.file) - self._renewed()
            if damaged:
                self.renew(list(damaged))
                raise ShardsDamaged(failure.text)
            cuts = {("cuts", shard) for shard in forget_damaged_cuts(self.job, failure.file)} - self._made_again
            if cuts:
                self._made_again |= cuts
                raise ShardsDamaged(failure.text)
        self._do(tasks, [task for task in tasks if not task.is_done()], on_failure)

    def _do(self, tasks: Sequence[Task], todo: Sequence[Task],
            on_failure: Callable[[Failure], None] = lambda failure: None) -> None:
        """Sees the part of a stage through that is not done."""
        self._counts[tasks[0].stage] = len(tasks)
        self.work.do(tasks, todo, self.spec.which, on_failure)
