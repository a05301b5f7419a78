"""The driver: does the sorts of a job one behind the other, then all is verified and put in place.

Its memory holds totals only. What it knows lies in the job directory, so that it may be started again at any time, and
does then what is not done yet."""

import contextlib
import os
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from .. import Error
from .._report import say_count
from .chain import Asked, chain_of, expected_course
from .commands import Commands
from .engine import Engine
from .file_formats import counts_records
from .formed import ShardsDamaged, ShardsLost
from .job_plan import refuse_changed_inputs
from .node_disks import AllDisks
from .one_sort import OneSort, Sorted
from .places import count_tasks, extents_of, with_exact_places
from .progress import Course, Listener, call_listener
from .report import ClusterReport, StageResults, stage_report, write_trace
from .stages import STAGES
from .tasks import HeaderTask, write_names
from .work import Work
from .written_files import Stretch, are_unchanged, stamps_of

# Gets the report while the output is still as it was. What it raises ends the job, which may go on later.
Tell = Callable[[ClusterReport], None]


@dataclass
class Driver:
    """limit: how often a task may fail. disks: of nodes, if runs lie there. trace: a path for a timeline, or None.
    command: the one of this machine, if there is one."""

    asked: Asked
    engine: Engine
    limit: int
    listener: Listener | None
    disks: AllDisks | None = None
    trace: str | None = None
    command: str | None = None
    tell: Tell = lambda report: None

    def __post_init__(self) -> None:
        self._job, self._output = self.asked.job, self.asked.output
        self._work = Work(self.engine, self.limit, self.disks, Course(self.listener, expected_course(self.asked)))
        self._replaced: list[int] | None = None
        self._counted: list[StageResults] = []

    def run(self) -> ClusterReport:
        done = self._job.read("report.json")
        if done is not None and done.get("request") == self._job.request_digest():
            return self._report_again(done)
        if os.path.exists(self._job.file("report.json")):
            raise Error(f"the job in '{self._job.path}' is done, but what it kept of that is not what was written: "
                        "remove the directory to sort again")
        self._job.remove_attempts()
        if self.disks is not None:
            self.disks.sweep(everything=False)
        self._output.end_lost()
        verified = self._verified_before() or self._sort()
        report = ClusterReport(verified["report"])
        try:
            self._output.send(verified["pieces"])
            # Nothing of the caller's runs once the output is in its place.
            call_listener(lambda: self.tell(report))
            self._output.finish(verified["ranges"], verified["mark"])
        finally:
            self._output.give_up()
        # The output is the new one by now: what fails is no error of the job, and is done by whoever starts it again.
        with contextlib.suppress(Error, OSError):
            self._keep_report(verified)
            self._remove_scratch()
        return report

    def _keep_report(self, verified: dict[str, Any]) -> None:
        in_place = self._output.in_place(verified["pieces"])
        self._job.write("report.json", {"request": self._job.request_digest(), "report": verified["report"],
                                        "in place": in_place, "stamps": stamps_of(item.path for item in in_place)})

    def _verified_before(self) -> dict[str, Any] | None:
        """What a driver has verified that died before it could put all in place, if it is still that."""
        verified: dict[str, Any] | None = self._job.read("output.json")
        if verified is None or verified.get("request") != self._job.request_digest():
            return None
        self._replaced = verified["mark"]
        written = self._output.written(verified["pieces"], verified["mark"])
        return verified if written is not None and are_unchanged(written, self.engine.slots) else None

    def _remove_scratch(self) -> None:
        self._output.remove_scratch()
        # The job directory knows what the folders on disks of nodes are called: it comes last.
        if self.disks is not None:
            self.disks.sweep(everything=True)
        self._job.remove_scratch()

    def _report_again(self, done: dict[str, Any]) -> ClusterReport:
        in_place = [Stretch(*item) for item in done["in place"]]
        # Files that nobody has written to since need not be read.
        if (stamps_of(item.path for item in in_place) != done["stamps"]
                and not are_unchanged(in_place, self.engine.slots)):
            raise Error(f"the job in '{self._job.path}' is done, but its output is not there any more as it was: "
                        "remove the directory to sort again")
        report = ClusterReport(done["report"])
        call_listener(lambda: self.tell(report))
        self._remove_scratch()
        return report

    def _sort(self) -> dict[str, Any]:
        """Returns what was verified."""
        self._find_header()
        return self._sort_from(0, [])

    def _find_header(self) -> None:
        """Finds the header that several inputs share, and the places of all shards. Where there is one input, as on
        each side of a join, each shard has its header."""
        asked = self.asked
        inputs = [path for path, *_ in self._job.require("request.json")["inputs"]]
        if asked.setting.names is not None:
            write_names(self._job, inputs)
            if not counts_records(asked.setting.words_of_sort()):
                return
        elif asked.comparison.joins or asked.setting.table is not None or (len(inputs) < 2 and not asked.needs_header):
            return
        task = HeaderTask(asked.setting)
        if not task.is_done():
            write_names(self._job, inputs)
            if self.command is not None:
                task.run(Commands(self.command, asked.setting.environment))
            else:
                self._work.do([task], [task])
        self.asked = replace(asked, setting=replace(asked.setting, header=task.path()))
        if asked.goes_by_places:
            self._find_places(inputs)

    def _find_places(self, inputs: list[str]) -> None:
        extents, plan = extents_of(inputs, self._job), self.asked.plan
        tasks = count_tasks(self.asked.setting, plan.shards, extents)
        if tasks:
            self._work.do(tasks, [task for task in tasks if not task.is_done()])
            self._counted = [StageResults(self._job, STAGES["count"], len(tasks))]
        self.asked = replace(self.asked, plan=plan._replace(shards=with_exact_places(plan.shards, extents, tasks)))

    def _sort_from(self, number: int, before: list[Sorted]) -> dict[str, Any]:
        """Does the sort of the chain with this number, and those behind it. Raises ShardsDamaged where the one in front
        is to write again what this one reads."""
        chain = chain_of(self.asked)
        sort = OneSort(chain[number].make(self.asked, before), self._work)
        losses = 0
        while losses < self.limit:
            sort.form()
            try:
                done = [*before, sort.sort()]
                return self._sort_from(number + 1, done) if number + 1 < len(chain) else self._keep_verified(done)
            except ShardsLost:
                losses += 1
            except ShardsDamaged:
                continue
        raise Error(f"runs of shards were lost {say_count(self.limit, 'time')}: look after the disks under "
                    f"'{sort.job.path}'")

    def _keep_verified(self, done: list[Sorted]) -> dict[str, Any]:
        self._work.course.progress.end()
        report = self._report(done)
        refuse_changed_inputs(self._job, self._replaced)
        merged = done[-1].merged
        pieces = [*self._output.pieces(merged.told), *self._output.behind()]
        verified = {"request": self._job.request_digest(), "ranges": merged.ranges, "pieces": pieces,
                    "mark": self._output.mark(), "report": report}
        self._job.write("output.json", verified)
        return verified

    def _report(self, done: list[Sorted]) -> dict[str, Any]:
        """Of the whole job: what its first sort has read, and its last one has written."""
        first, last = done[0], done[-1]
        results = [*self._counted, *(result for item in done for result in item.sort.results())]
        if self.trace is not None:
            write_trace(self.trace, results)
        sizes = [told["file_bytes"] for told in last.merged.told]
        pieces = self._output.pieces(last.merged.told)
        # Sorts by places have nothing to assume that the one in front of them has not.
        telling = [item.formed for item in done if not item.sort.spec.setting.is_by_place]
        assumed = {told["message"]: told for formed in telling for told in formed.all_assumed()}
        of_table = (self._job.read("table.json") or {}).get("assumed", ())
        course = self._work.course
        return {"version": 1, "input_records": first.formed.input.records, "input_bytes": first.formed.input.bytes,
                "output_records": last.merged.output.records, "output_bytes": sum(size for size, _ in pieces),
                "shards": len(first.sort.plan.shards),
                "runs": sum(item.formed.run_count for item in done), "ranges": last.parts,
                "skew": max(sizes) * last.parts / (sum(sizes) or 1),
                "elapsed_seconds": round(time.monotonic() - course.begin, 3), "retries": course.retries,
                "stages": list(map(stage_report, results)), "assumptions": [*of_table, *assumed.values()],
                "warnings": list({warning: None for formed in telling for warning in formed.warnings})}
