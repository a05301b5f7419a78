"""The driver: shards are formed, bounds chosen, runs cut, ranges merged, all is verified and put in place.

Its memory holds totals only. What it knows lies in the job directory, so that it may be started again at any time, and
does then what is not done yet."""

import itertools
import time
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from .. import Error
from .attempts import Stage
from .engine import Engine
from .formed import Formed, read_formed, shards_named, write_bounds
from .job import JobDirectory
from .job_plan import JobPlan
from .node_disks import AllDisks
from .output import Output
from .report import ClusterReport, stage_report
from .shards import look_at
from .tasks import CopyTask, CutTask, FormTask, MergeTask, Setting, Task, header_bytes
from .totals import Totals
from .trace import write_trace
from .verification import Comparison, verify


class ListenerFailed(Exception):
    """What the listener raised is its cause."""


class Listener(Protocol):
    def __call__(self, phase: str, done_bytes: int, total_bytes: int, /) -> object: ...


class ShardsLost(Error):
    """Runs that were formed are gone, as those of a machine that died are."""


class ShardsDamaged(Error):
    """Runs that were formed cannot be read. They are to be formed once more."""


class Driver:
    """limit: how often a task may fail. disks: of nodes, if runs lie there. comparison: of what goes in with what comes
    out. trace: a path for a timeline, or None."""

    def __init__(self, job: JobDirectory, plan: JobPlan, setting: Setting, output: Output, engine: Engine,
                 limit: int, listener: Listener | None, disks: AllDisks | None = None,
                 comparison: Comparison = Comparison(), trace: str | None = None) -> None:
        self._job = job
        self._plan = plan
        self._setting = setting
        self._output = output
        self._engine = engine
        self._limit = limit
        self._disks = disks
        self._comparison = comparison
        self._listener = listener
        self._trace = trace
        self._begin = time.monotonic()
        self._done_bytes: dict[str, int] = {}
        self._retries = 0

    def run(self) -> ClusterReport:
        done = self._job.read("report.json")
        if done is not None:
            return self._report_again(done)
        self._job.remove_attempts()
        if self._disks is not None:
            self._disks.sweep(everything=False)
        verified = self._job.read("output.json") or self._sort()
        self._output.finish(verified["ranges"], verified["mark"])
        self._job.write("report.json", verified["report"])
        self._remove_scratch()
        return ClusterReport(verified["report"])

    def _remove_scratch(self) -> None:
        # The job directory knows what the folders on disks of nodes are called: it comes last.
        if self._disks is not None:
            self._disks.sweep(everything=True)
        self._job.remove_scratch()

    def _report_again(self, done: dict[str, Any]) -> ClusterReport:
        if not self._output.is_in_place(done["output_bytes"]):
            raise Error(f"the job in '{self._job.path}' is done, but its output is not there any more as it was: "
                        "remove the directory to sort again")
        self._remove_scratch()
        return ClusterReport(done)

    def _sort(self) -> dict[str, Any]:
        losses = 0
        while losses < self._limit:
            self._do(self._form_tasks(), self._unformed())
            formed = read_formed(self._job, self._plan.shards)
            if "--strict" in self._setting.words:
                formed.assumed.refuse(formed.input.records)
            try:
                return self._merge(formed)
            except ShardsLost:
                losses += 1
            except ShardsDamaged:
                continue
        raise Error(f"runs of shards were lost {self._limit} times: look after the disks under '{self._job.path}'")

    def _merge(self, formed: Formed) -> dict[str, Any]:
        parts = write_bounds(self._job, self._plan.shards, formed, self._plan.ranges)
        self._do_unless_lost([CutTask(self._setting, number, first_run, formed.identity, formed.digest, node)
                              for number, (first_run, node) in enumerate(zip(formed.first_runs, formed.nodes,
                                                                             strict=True))])
        tasks = self._merge_tasks(formed, parts)
        if self._output.copies_to is None:
            self._output.prepare(sum(task.bytes for task in tasks))
        self._do_unless_lost(tasks)
        if self._output.copies_to is not None:
            self._copy(self._output.copies_to, formed, parts)
        return self._verify(formed, parts)

    def _merge_tasks(self, formed: Formed, parts: int) -> list[MergeTask]:
        records, output_bytes = self._ranges(parts)
        output_bytes[0] += header_bytes(formed.header)
        tasks = []
        offset = 0
        for part in range(parts):
            path, place = self._output.place(part, offset)
            tasks.append(MergeTask(self._setting, part, parts, records[part], output_bytes[part], formed.header, path,
                                   place, formed.identity, formed.digest))
            offset += output_bytes[part]
        return tasks

    def _ranges(self, parts: int) -> tuple[list[int], list[int]]:
        """Records and bytes of every range, without a header."""
        sums = {"records": [0] * (parts + 1), "output_bytes": [0] * (parts + 1)}
        for shard in self._plan.shards:
            told = self._job.read(f"cuts/{shard.number:06d}.json")
            for name, total in sums.items():
                for row, count in enumerate(told[name]):
                    total[row] += count
        records, output_bytes = ([end - begin for begin, end in itertools.pairwise(total)] for total in sums.values())
        return records, output_bytes

    def _copy(self, target: str, formed: Formed, parts: int) -> None:
        sizes = [self._merged(part)["file_bytes"] for part in range(parts)]
        self._output.prepare(sum(sizes))
        offset = 0
        tasks = []
        for part, size in enumerate(sizes):
            source = self._job.item("parts", part)
            tasks.append(CopyTask(self._setting, part, size, source, target, offset, formed.digest))
            offset += size
        self._do(tasks, [task for task in tasks if not task.is_done()])

    def _merged(self, part: int) -> dict[str, Any]:
        told: dict[str, Any] = self._job.read(f"merged/{part:06d}.json")
        return told

    def _verify(self, formed: Formed, parts: int) -> dict[str, Any]:
        totals = {name: Totals() for name in ("input", "dropped", "output")}
        ranges = []
        bounds: list[dict[str, Any] | None] = [None, *self._job.read("bounds.json")["bounds"], None]
        for part in range(parts):
            told = self._merged(part)
            totals = {name: total.plus(Totals.from_json(told[name])) for name, total in totals.items()}
            ranges.append({**told["output"], "file_bytes": told["file_bytes"], "begin": bounds[part],
                           "end": bounds[part + 1]})
        verify(formed.input, formed.dropped, totals["input"], totals["dropped"], totals["output"], self._comparison)
        self._refuse_changed_inputs()
        verified = {"ranges": ranges, "mark": self._output.mark(),
                    "report": self._report(formed, parts, totals["output"])}
        self._job.write("output.json", verified)
        return verified

    def _refuse_changed_inputs(self) -> None:
        for stamp in self._job.read("request.json")["inputs"]:
            if look_at(stamp[0]).stamp() != stamp:
                raise Error(f"input '{stamp[0]}' was changed while it was sorted: remove '{self._job.path}', and sort "
                            "again")

    def _report(self, formed: Formed, parts: int, output: Totals) -> dict[str, Any]:
        counts = {"formed": len(self._plan.shards), "cuts": len(self._plan.shards), "merged": parts,
                  **({"copied": parts} if self._output.copies_to else {})}
        if self._trace is not None:
            write_trace(self._trace, self._job, counts)
        stages = [stage_report(self._job, folder, count) for folder, count in counts.items()]
        sizes = [self._merged(part)["file_bytes"] for part in range(parts)]
        return {"version": 1, "input_records": formed.input.records, "input_bytes": formed.input.bytes,
                "output_records": output.records, "output_bytes": sum(sizes), "shards": len(self._plan.shards),
                "runs": formed.run_count, "ranges": parts, "skew": max(sizes) * parts / (sum(sizes) or 1),
                "elapsed_seconds": round(time.monotonic() - self._begin, 3), "retries": self._retries, "stages": stages,
                "assumptions": formed.assumed.told(formed.input.records)}

    def _unformed(self) -> list[FormTask]:
        """Those that have no runs, or whose runs are gone with their node."""
        living = self._disks.living_nodes() if self._disks is not None else None
        return [task for task in self._form_tasks() if not task.is_done(living)]

    def _form_tasks(self) -> list[FormTask]:
        renewed = self._renewed()
        return [FormTask(self._setting, shard, self._plan.samples, shard.number in renewed)
                for shard in self._plan.shards]

    def _renewed(self) -> set[int]:
        """Shards whose runs were damaged once. If that happens again, the disk is to be looked after."""
        return set(self._job.read("renewed.json") or ())

    def _do_unless_lost(self, tasks: Sequence[Task]) -> None:
        """Raises ShardsLost or ShardsDamaged where a task fails because of runs."""
        def on_failure(error: str) -> None:
            if self._unformed():
                raise ShardsLost(error)
            renewed = self._renewed()
            damaged = shards_named(self._job, error) - renewed
            if damaged:
                self._job.write("renewed.json", sorted(renewed | damaged))
                raise ShardsDamaged(error)
        self._do(tasks, [task for task in tasks if not task.is_done()], on_failure)

    def _do(self, tasks: Sequence[Task], todo: Sequence[Task],
            on_failure: Callable[[str], None] = lambda error: None) -> None:
        """Sees the part of a stage through that is not done."""
        stage = tasks[0].stage
        self._done_bytes[stage] = sum(task.bytes for task in tasks) - sum(task.bytes for task in todo)
        self._tell(stage)

        def on_done(task: Task) -> None:
            self._done_bytes[stage] += task.bytes
            self._tell(stage)

        attempts = Stage(self._engine, self._limit, on_done, on_failure)
        try:
            attempts.run(todo)
        finally:
            self._retries += attempts.retries + attempts.second_attempts

    def _tell(self, stage: str) -> None:
        if self._listener is not None:
            total = self._plan.input_bytes * (3 if self._output.copies_to else 2)
            try:
                self._listener(stage, min(sum(self._done_bytes.values()), total), total)
            except Exception as error:
                raise ListenerFailed from error
