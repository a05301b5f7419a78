"""The driver: shards are formed, bounds chosen, runs cut, ranges merged, all is verified and put in place.

Its memory holds totals only. What it knows lies in the job directory, so that it may be started again at any time, and
does then what is not done yet."""

import base64
import contextlib
import itertools
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from .. import Error
from .._report import say_count
from .arguments import Comparison
from .commands import Commands
from .copy_tasks import copy_tasks
from .engine import Engine, Failure, Stage
from .formed import (Formed, ShardsDamaged, ShardsLost, forget_damaged_cuts, read_formed, refuse_assumed, shards_named,
                     sizes_of_ranges, write_bounds)
from .totals import Merged, Totals, verified_output
from .job import JobDirectory
from .job_plan import JobPlan, refuse_changed_inputs
from .merge_tasks import MergeTask
from .node_disks import AllDisks
from .output import Output
from .places import Extents, count_tasks, extents_of, with_exact_places
from .progress import Course, Listener, call_listener
from .report import ClusterReport, StageResults, stage_report, write_trace
from .sides import plan_of_join
from .split_output import SplitFiles
from .split_tasks import Splitting
from .tasks import CutTask, FormTask, HeaderTask, Setting, Task, write_names
from .written_files import Stretch, are_unchanged, stamps_of

# Gets the report while the output is still as it was. What it raises ends the job, which may go on later.
Tell = Callable[[ClusterReport], None]


@dataclass
class Driver:
    """limit: how often a task may fail. disks: of nodes, if runs lie there. comparison: of what goes in with what comes
    out. trace: a path for a timeline, or None. command: the one of this machine, if there is one. course: of the job, if that
    has begun. goes_by_places: whether records must have the places that they have in a sort by one command. which: of several
    sorts, as StageResults has it.

    One of several sorts of a job (by_place.py, samples.py) does these otherwise, and nothing else: form(), place(),
    header_of(), tells_header(), sizes(), cut(), merge_tasks(), merge(), compared(), verify(), keep_verified() and
    all_results()."""

    job: JobDirectory
    plan: JobPlan
    setting: Setting
    output: Output
    engine: Engine
    limit: int
    listener: Listener | None
    disks: AllDisks | None = None
    comparison: Comparison = Comparison()
    trace: str | None = None
    command: str | None = None
    tell: Tell = lambda report: None
    course: Course | None = None
    goes_by_places: bool = field(default=False, kw_only=True)

    which: str = field(default="", init=False)

    def __post_init__(self) -> None:
        self._course = self.course or Course(self.listener, self.plan.input_bytes * self.passes())
        self._replaced: list[int] | None = None
        self._made_again: set[tuple[str, int]] = set()  # results that were damaged once, by folders and numbers
        self._counted = 0  # tasks that counted bytes
        self._cuts: dict[str, int] = {}  # tasks of the stages that cut ranges into files

    def passes(self) -> int:
        """How often all bytes are moved."""
        return 3 if self.output.copies_to or isinstance(self.output, SplitFiles) else 2

    def run(self) -> ClusterReport:
        done = self.job.read("report.json")
        if done is not None and done.get("request") == self.job.request_digest():
            return self._report_again(done)
        if os.path.exists(self.job.file("report.json")):
            raise Error(f"the job in '{self.job.path}' is done, but what it kept of that is not what was written: remove "
                        "the directory to sort again")
        self.job.remove_attempts()
        if self.disks is not None:
            self.disks.sweep(everything=False)
        self.output.end_lost()
        verified = self._verified_before() or self.sort()
        report = ClusterReport(verified["report"])
        try:
            self.output.send(verified["pieces"])
            # Nothing of the caller's runs once the output is in its place.
            call_listener(lambda: self.tell(report))
            self.output.finish(verified["ranges"], verified["mark"])
        finally:
            self.output.give_up()
        # The output is the new one by now: what fails is no error of the job, and is done by whoever starts it again.
        with contextlib.suppress(Error, OSError):
            self._keep_report(verified)
            self._remove_scratch()
        return report

    def _keep_report(self, verified: dict[str, Any]) -> None:
        in_place = self.output.in_place(verified["pieces"])
        self.job.write("report.json", {"request": self.job.request_digest(), "report": verified["report"],
                                        "in place": in_place, "stamps": stamps_of(item.path for item in in_place)})

    def _verified_before(self) -> dict[str, Any] | None:
        """What a driver has verified that died before it could put all in place, if it is still that."""
        verified: dict[str, Any] | None = self.job.read("output.json")
        if verified is None or verified.get("request") != self.job.request_digest():
            return None
        self._replaced = verified["mark"]
        written = self.output.written(verified["pieces"], verified["mark"])
        return verified if written is not None and are_unchanged(written, self.engine.slots) else None

    def _remove_scratch(self) -> None:
        self.output.remove_scratch()
        # The job directory knows what the folders on disks of nodes are called: it comes last.
        if self.disks is not None:
            self.disks.sweep(everything=True)
        self.job.remove_scratch()

    def _report_again(self, done: dict[str, Any]) -> ClusterReport:
        in_place = [Stretch(*item) for item in done["in place"]]
        # Files that nobody has written to since need not be read.
        if (stamps_of(item.path for item in in_place) != done["stamps"]
                and not are_unchanged(in_place, self.engine.slots)):
            raise Error(f"the job in '{self.job.path}' is done, but its output is not there any more as it was: "
                        "remove the directory to sort again")
        report = ClusterReport(done["report"])
        call_listener(lambda: self.tell(report))
        self._remove_scratch()
        return report

    def sort(self) -> dict[str, Any]:
        """Returns what was verified."""
        losses = 0
        self._find_header()
        while losses < self.limit:
            self.form()
            try:
                formed = read_formed(self.job, self.plan.shards)
                if "--strict" in self.setting.words:
                    refuse_assumed(formed.all_assumed())
                return self.merge(formed)
            except ShardsLost:
                losses += 1
            except ShardsDamaged:
                continue
        raise Error(f"runs of shards were lost {say_count(self.limit, 'time')}: look after the disks under '{self.job.path}'")

    def form(self) -> None:
        """Sees to it that all shards have runs."""
        self._do(self._form_tasks(), self.unformed())

    def _find_header(self) -> None:
        """Finds the header that several inputs share, and the places of all shards. Where there is one input, as on each
        side of a join, each shard has its header. What another sort has written has none of its own."""
        if self.setting.folder:
            return
        inputs = [path for path, *_ in self.job.require("request.json")["inputs"]]
        if self.comparison.joins or self.setting.table is not None or (len(inputs) < 2 and not self.tells_header()):
            return
        task = HeaderTask(self.setting)
        if not task.is_done():
            write_names(self.job, inputs)
            if self.command is not None:
                task.run(Commands(self.command, self.setting.environment))
            else:
                self._do([task], [task])
        self.setting = replace(self.setting, header=task.path())
        if self.goes_by_places:
            self._find_places(extents_of(inputs, self.job))

    def tells_header(self) -> bool:
        """Whether something but the shards must know the header, and where records begin."""
        return self.goes_by_places

    def _find_places(self, extents: Extents) -> None:
        tasks = count_tasks(self.setting, self.plan.shards, extents)
        if tasks:
            self._do(tasks, [task for task in tasks if not task.is_done()])
        self._counted = len(tasks)
        self.plan = self.plan._replace(shards=with_exact_places(self.plan.shards, extents, tasks))

    def cut(self, formed: Formed, share: float = 1.0) -> int:
        """Returns how many ranges there are. share: of the bytes that are wanted."""
        parts = write_bounds(self.job, self.plan.shards, formed, self.plan.ranges, share)
        self.do_unless_lost([CutTask(self.setting, shard.number, first_run, formed.sides[shard.side].identity,
                                     formed.with_bounds, node, shard.side)
                             for shard, first_run, node in zip(self.plan.shards, formed.first_runs, formed.nodes, strict=True)])
        return parts

    def merge(self, formed: Formed) -> dict[str, Any]:
        """Makes the output of the runs, and returns what was verified."""
        parts = self.cut(formed)
        tasks = self.merge_tasks(formed, parts)
        if self.output.copies_to is None:
            self.output.prepare(sum(task.bytes for task in tasks))
        self.do_unless_lost(tasks)
        if self.output.copies_to is not None:
            self._copy(self.output.copies_to, formed, parts)
        if isinstance(self.output, SplitFiles):
            splitting = Splitting(self.output, self.setting, self.header_of(formed), formed.with_bounds, self._do,
                                  self._made_again)
            splitting.run([self.merged(part) for part in range(parts)])
            self._cuts = splitting.counts
        return self.verify(formed, parts)

    def merge_ranges(self, formed: Formed, parts: int) -> None:
        """Merges the ranges of a sort which are no output."""
        self.do_unless_lost(self.merge_tasks(formed, parts))

    def merge_tasks(self, formed: Formed, parts: int) -> list[MergeTask]:
        records, output_bytes = self.sizes(parts)
        bounds = self._bounds()
        header = self.header_of(formed)
        output_bytes[0] += 0 if self.setting.cuts else len(base64.b64decode(header))
        join = plan_of_join(formed.sides)
        tasks = []
        offset = 0
        for part in range(parts):
            path, place = self.place(part, offset)
            tasks.append(MergeTask(self.setting, part, parts, records[part], output_bytes[part], header,
                                   bounds[part], bounds[part + 1], path, place, formed.identity, formed.with_bounds, join))
            offset += output_bytes[part]
        return tasks

    def place(self, part: int, offset: int) -> tuple[str, int | None]:
        """Where a range is merged to, as Output has it."""
        return self.output.place(part, offset)

    def header_of(self, formed: Formed) -> str:
        """The header of the inputs."""
        return formed.header

    def _bounds(self) -> list[dict[str, Any] | None]:
        """In front of every range, and behind the last."""
        return [None, *self.job.require("bounds.json")["bounds"], None]

    def sizes(self, parts: int) -> tuple[list[int], list[int]]:
        """Records of every range, and the bytes that are written, without a header."""
        return sizes_of_ranges(self.job, self.plan.shards, parts)

    def _copy(self, target: str, formed: Formed, parts: int) -> None:
        merged = [self.merged(part) for part in range(parts)]
        self.output.prepare(sum(told["file_bytes"] for told in merged))
        tasks = copy_tasks(target, self.output, self.setting, formed.with_bounds, merged)
        self._do(tasks, [task for task in tasks if not task.is_done()])

    def merged(self, part: int) -> dict[str, Any]:
        """What was told of a range."""
        told: dict[str, Any] = self.job.require(f"merged/{part:06d}.json")
        return told

    def verify(self, formed: Formed, parts: int) -> dict[str, Any]:
        merged = self.compared(formed, parts)
        return self.keep_verified(merged, self.report(formed, parts, merged.output))

    def compared(self, formed: Formed, parts: int) -> Merged:
        """Raises Error unless all that went in has come out."""
        merged = [self.merged(part) for part in range(parts)]
        output = verified_output(formed.input, formed.dropped, merged, self.comparison)
        ranges = [{**told["output"], "file_bytes": told["file_bytes"], "begin": begin, "end": end}
                  for told, (begin, end) in zip(merged, itertools.pairwise(self._bounds()), strict=True)]
        return Merged(output, ranges, merged)

    def keep_verified(self, merged: Merged, report: dict[str, Any]) -> dict[str, Any]:
        refuse_changed_inputs(self.job, self._replaced)
        pieces = [*self.output.pieces(merged.told), *self.output.behind()]
        verified = {"request": self.job.request_digest(), "ranges": merged.ranges, "pieces": pieces, "mark": self.output.mark(),
                    "report": report}
        self.job.write("output.json", verified)
        return verified

    def report(self, formed: Formed, parts: int, output: Totals) -> dict[str, Any]:
        results = self.all_results(parts)
        if self.trace is not None:
            write_trace(self.trace, results)
        sizes = [self.merged(part)["file_bytes"] for part in range(parts)]
        assumed = (self.job.read("table.json") or {}).get("assumed", ())
        return {"version": 1, "input_records": formed.input.records, "input_bytes": formed.input.bytes,
                "output_records": output.records, "output_bytes": sum(sizes), "shards": len(self.plan.shards),
                "runs": formed.run_count, "ranges": parts, "skew": max(sizes) * parts / (sum(sizes) or 1),
                "elapsed_seconds": round(time.monotonic() - self._course.begin, 3),
                "retries": self._course.retries,
                "stages": list(map(stage_report, results)), "assumptions": [*assumed, *formed.all_assumed()],
                "warnings": list(formed.warnings)}

    def all_results(self, parts: int) -> list[StageResults]:
        """The results of all sorts of the job up to this one."""
        return self.results(parts)

    def results(self, parts: int) -> list[StageResults]:
        counts = {**({"counted": self._counted} if self._counted else {}),
                  "formed": len(self.plan.shards), "cuts": len(self.plan.shards), "merged": parts,
                  **({"copied": parts} if self.output.copies_to else {}), **self._cuts}
        return [StageResults(self.job, folder, count, self.which) for folder, count in counts.items()]

    def unformed(self) -> list[FormTask]:
        """Those that have no runs, or whose runs are gone with their node."""
        living = self.disks.living_nodes() if self.disks is not None else None
        return [task for task in self._form_tasks() if not task.is_done(living)]

    def _form_tasks(self) -> list[FormTask]:
        renewed = self.renewed()
        return [FormTask(self.setting, shard, samples, shard.number in renewed)
                for shard, samples in zip(self.plan.shards, self.plan.samples(), strict=True)]

    def renewed(self) -> set[int]:
        """Shards whose runs were damaged once. If that happens again, the disk is to be looked after."""
        return set(self.job.read("renewed.json") or ())

    def do_unless_lost(self, tasks: Sequence[Task]) -> None:
        """Raises ShardsLost or ShardsDamaged where a task fails because of runs."""
        def on_failure(failure: Failure) -> None:
            error = failure.text
            if self.unformed():
                raise ShardsLost(error)
            renewed = self.renewed()
            damaged = shards_named(self.job, error) - renewed
            if damaged:
                self.job.write("renewed.json", sorted(renewed | damaged))
                raise ShardsDamaged(error)
            cuts = {("cuts", shard) for shard in forget_damaged_cuts(self.job, error)} - self._made_again
            if cuts:
                self._made_again |= cuts
                raise ShardsDamaged(error)
        self._do(tasks, [task for task in tasks if not task.is_done()], on_failure)

    def _do(self, tasks: Sequence[Task], todo: Sequence[Task],
            on_failure: Callable[[Failure], None] = lambda failure: None) -> None:
        """Sees the part of a stage through that is not done."""
        stage = tasks[0].stage + self.which
        self._course.progress.begin(stage, sum(task.bytes for task in tasks) - sum(task.bytes for task in todo))
        attempts = Stage(self.engine, self.limit, lambda task: self._course.progress.add(stage, task.bytes), on_failure)
        try:
            attempts.run(todo)
        finally:
            self._course.retries += attempts.retries + attempts.second_attempts
