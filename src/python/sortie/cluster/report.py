"""What a job tells: its report, a timeline, how far it is, and what a job would take."""

import json
import os
import sys
import time
import types
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from .. import Error
from .._report import say_count, say_seconds, say_size
from .job import JobDirectory, absolute_path
from .job_plan import JobPlan

_DOING = {"header": "looking at headers", "form": "forming runs", "cut": "cutting runs", "merge": "merging", "copy": "copying",
          "split": "cutting ranges into files", "join": "joining files in which ranges meet"}


class ProgressLine:
    """The estimate is by the bytes that this driver has seen moved."""

    def __init__(self) -> None:
        self._begin = time.monotonic()
        self._at_begin: int | None = None

    def __call__(self, phase: str, done_bytes: int, total_bytes: int) -> None:
        if self._at_begin is None:
            self._at_begin = done_bytes
        seconds = time.monotonic() - self._begin
        moved = done_bytes - self._at_begin
        doing = _DOING[phase.removesuffix(BY_PLACE)] + (BY_PLACE if phase.endswith(BY_PLACE) else "")
        text = f"{doing}: {done_bytes / (total_bytes or 1):.0%}"
        if moved > 0 and seconds > 0:
            rate = moved / seconds
            text += f", {say_size(rate)}/s, {say_seconds((total_bytes - done_bytes) / rate)} left"
        print(f"\r{text:<70}", end="", file=sys.stderr, flush=True)

    def end(self) -> None:
        print("\r" + " " * 70 + "\r", end="", file=sys.stderr, flush=True)


_STAGES = {"formed": "form", "cuts": "cut", "merged": "merge", "copied": "copy", "split": "split", "join": "join"}
# Behind the names of the stages of a second sort (by_place.py).
BY_PLACE = " by place"


class StageResults(NamedTuple):
    """Results of a stage, in a folder of the job directory. which: of several sorts, "" or BY_PLACE."""

    job: JobDirectory
    folder: str
    tasks: int
    which: str = ""

    def read(self) -> Iterator[dict[str, Any]]:
        for number in range(self.tasks):
            yield self.job.require(f"{self.folder}/{number:06d}.json")


def stage_report(results: StageResults) -> dict[str, Any]:
    """busy_seconds: of all tasks together; longest: the task that took longest, and where."""
    busy, longest, node = 0.0, 0.0, ""
    nodes = set()
    for told in results.read():
        busy += told["seconds"]
        nodes.add(told["node"])
        if told["seconds"] >= longest:
            longest, node = told["seconds"], told["node"]
    return {"name": _STAGES[results.folder] + results.which, "tasks": results.tasks, "nodes": len(nodes),
            "busy_seconds": round(busy, 3),
            "longest_seconds": longest, "longest_node": node}


class ClusterReport(types.SimpleNamespace):
    """input_records, input_bytes, output_records, output_bytes, shards, runs, ranges; skew: the largest range by the
    mean; elapsed_seconds: of this driver; retries: attempts beside the first; stages: dicts (name, tasks, nodes,
    busy_seconds, longest_seconds, longest_node); assumptions: dicts (kind, message, count, of, first_place, remedy as that of an
    Error, and advice: the argument that helps, for the end of the message); warnings: what commands that formed shards
    warned of beside these. str() gives a table."""

    def __init__(self, values: dict[str, Any]) -> None:
        super().__init__(**{"assumptions": [], "warnings": [], **values})

    def __reduce__(self) -> tuple[type["ClusterReport"], tuple[dict[str, Any]]]:
        return ClusterReport, (self.to_dict(),)

    def all_warnings(self, in_words: Callable[[str], str] = str) -> list[str]:
        """in_words: makes others of the words for the argument that helps."""
        return [*(assumption["message"] + in_words(assumption.get("advice", "")) for assumption in self.assumptions),
                *self.warnings]

    def to_dict(self) -> dict[str, Any]:
        return dict(vars(self))

    def __str__(self) -> str:
        rate = self.output_bytes / self.elapsed_seconds if self.elapsed_seconds else 0.0
        slowest = max(self.stages, key=lambda stage: stage["busy_seconds"])
        nodes = max(stage["nodes"] for stage in self.stages)
        lines = [f"{say_count(self.output_records, 'record')}, {say_size(self.output_bytes)} in "
                 f"{say_seconds(self.elapsed_seconds)}: {say_size(rate)}/s, {say_size(rate / nodes)}/s a node on "
                 f"{nodes}",
                 f"{say_count(self.shards, 'shard')}, {say_count(self.runs, 'run')}, {say_count(self.ranges, 'range')}, the "
                 f"largest {self.skew:.2f} times the mean; {say_count(self.retries, 'attempt')} beside the first; slowest "
                 f"stage: {slowest['name']}"]
        width = max(6, *(len(stage["name"]) for stage in self.stages))
        lines += [f"{stage['name']:{width}} {say_count(stage['tasks'], 'task', '6'):12} "
                  f"{say_seconds(stage['busy_seconds']):>9}, the longest "
                  f"{say_seconds(stage['longest_seconds'])} on {stage['longest_node']}" for stage in self.stages]
        return "\n".join(lines) + "\n"


_FOLDERS = {"formed": "shards formed", "cuts": "shards cut", "merged": "ranges merged", "copied": "parts copied",
            "split": "ranges split"}


def job_status(path: str) -> str:
    """Some lines for people. Raises Error if there is no job."""
    job = JobDirectory(path)
    request = job.read("request.json")
    if request is None:
        raise Error(f"there is no job in '{path}', or none that this version has begun")
    plan = job.read("plan.json")
    lines = [f"output         {request['output']}"]
    report = job.read("report.json")
    if report is not None:
        return "\n".join([*lines, "state          done", ""]) + str(ClusterReport(report["report"]))
    lines.append("state          " + ("running" if job.is_driven() else "stopped: give its command again to go on"))
    if plan is not None:
        ranges = (job.read("ranges.json") or {}).get("parts", plan["ranges"])
        totals = {"formed": len(plan["shards"]), "cuts": len(plan["shards"]), "merged": ranges, "copied": ranges,
                  "split": ranges}
        for folder, what in _FOLDERS.items():
            done = sum(name.endswith(".json") for name in job.names_in(folder))
            if done or folder not in ("copied", "split"):
                lines.append(f"{what:14} {done} of {totals[folder]}")
        lines += _status_by_place(job, ranges)
    return "\n".join(lines) + "\n"


def _status_by_place(job: JobDirectory, first_ranges: int) -> list[str]:
    """Of the second sort, once it has begun. Its shards are the ranges of the first one."""
    lines = []
    for name in job.names_in("by-place"):
        second = JobDirectory(os.path.join(job.file("by-place"), name))
        ranges = (second.read("ranges.json") or {}).get("parts", "?")
        totals = {"formed": first_ranges, "cuts": first_ranges, "merged": ranges}
        for folder, total in totals.items():
            done = sum(file.endswith(".json") for file in second.names_in(folder))
            lines.append(f"{_FOLDERS[folder].replace('shards', 'ranges')}{BY_PLACE} {done} of {total}")
    return lines


_MICROSECONDS = 1e6
# By which a task may seem to begin before the one in front of it has ended.
_ROUNDED_SECONDS = 0.001


def check_trace(path: str) -> None:
    """Raises Error where no file can be written, before a job has begun whose timeline it is to be."""
    folder, name = os.path.split(absolute_path(path))
    if not name or not os.path.isdir(folder) or os.path.isdir(path):
        raise Error(f"cannot write '{path}': no such directory, or no file; name another with --trace")


def write_trace(path: str, stages: Iterable[StageResults]) -> None:
    tasks = [(told["began"], told["seconds"], told["node"], f"{stage.folder}{stage.which} {number}")
             for stage in stages for number, told in enumerate(stage.read())]
    with open(path, "w", encoding="ascii") as file:
        json.dump({"traceEvents": _events(sorted(tasks))}, file)


def _events(tasks: list[tuple[float, float, str, str]]) -> list[dict[str, Any]]:
    begin = tasks[0][0] if tasks else 0.0
    lanes: dict[str, list[float]] = {}
    events: list[dict[str, Any]] = []
    for began, seconds, node, name in tasks:
        if node not in lanes:
            lanes[node] = []
            events.append({"name": "process_name", "ph": "M", "pid": len(lanes), "args": {"name": node}})
        ends = lanes[node]
        lane = next((i for i, end in enumerate(ends) if end <= began + _ROUNDED_SECONDS), len(ends))
        ends[lane:lane + 1] = [began + seconds]
        events.append({"name": name, "ph": "X", "pid": list(lanes).index(node) + 1, "tid": lane + 1,
                       "ts": (began - begin) * _MICROSECONDS, "dur": seconds * _MICROSECONDS})
    return events


# As `sortie --plan` says for keyed lines of 50 GB at -S 64M, 1G and 8G: a run takes about so much of the memory, and a
# block so much of it for each run of a shard, within these bounds.
_RUN_SHARE, _BLOCK_SHARE = 0.25, 1 / 27
_LEAST_BLOCK_BYTES, _MOST_BLOCK_BYTES = 4 << 10, 1 << 20
_WARN_SHARE = 0.05
# An entry of a run in the job directory, for every range.
_CUT_BYTES = 180


class Speeds(NamedTuple):
    """Of a node, in bytes a second: what its disks read and write, and its network if files are shared by it."""

    read: float
    write: float
    network: float | None


class Estimate(NamedTuple):
    """scratch: where how much of it is needed. seconds: by stage. twice: the share of the bytes that merges read twice,
    as bounds lie within blocks. at_most: stages whose bytes depend on what is kept."""

    plan: JobPlan
    nodes: int
    runs: int
    scratch: str
    seconds: dict[str, float]
    twice: float
    at_most: frozenset[str] = frozenset()

    def __str__(self) -> str:
        total = self.plan.input_bytes
        lines = [f"input     {say_size(total)}",
                 f"shards    {len(self.plan.shards)}, the largest {say_size(max(s.bytes for s in self.plan.shards))}",
                 f"runs      about {self.runs}, formed in {say_size(self.plan.memory_bytes)} by "
                 f"{say_count(self.plan.threads, 'thread')} each",
                 f"ranges    {self.plan.ranges} of about {say_size(total / self.plan.ranges)}",
                 f"scratch   {self.scratch}; {say_size(self.runs * self.plan.ranges * _CUT_BYTES)} of cuts",
                 *(["join      of two files; all records of a key are joined by one command, however many there are"]
                   if self.plan.shards[0].side else []),
                 *(f"{stage:9} {'at most ' if stage in self.at_most else ''}{say_seconds(seconds)}"
                   for stage, seconds in self.seconds.items()),
                 f"in all    {'at most ' if self.at_most else ''}{say_seconds(sum(self.seconds.values()))}, "
                 f"{say_size(total / self.nodes / (sum(self.seconds.values()) or 1))}/s a node"]
        if self.twice > _WARN_SHARE:
            lines.append(f"warning: merges read {self.twice:.0%} of the runs twice, as bounds lie within blocks: take "
                         "fewer ranges with --ranges, or more memory with -S for longer runs")
        return "\n".join(lines) + "\n"


def estimate(plan: JobPlan, nodes: int, speeds: Speeds, merges_on_node: int | None = None, *, is_copied: bool = False,
             by_place: bool = False) -> Estimate:
    """merges_on_node: that run at once on each, where runs lie on disks of nodes; None where they lie in the job
    directory. is_copied: merged ranges are, as their sizes are not known before. by_place: all that is kept is sorted
    again."""
    run_bytes = max(1, int(plan.memory_bytes * _RUN_SHARE))
    runs = sum(max(1, -(-shard.bytes // run_bytes)) for shard in plan.shards)
    total = plan.input_bytes
    block_bytes = int(plan.memory_bytes * _BLOCK_SHARE / (runs / len(plan.shards)))
    block_bytes = min(max(_LEAST_BLOCK_BYTES, min(_MOST_BLOCK_BYTES, block_bytes)), total // runs)
    again = runs * (plan.ranges - 1) * block_bytes
    read, write = (min(speed, speeds.network or speed) * nodes for speed in speeds[:2])
    if merges_on_node is None:
        scratch = f"{say_size(total)} of runs, {say_size(total / nodes)} for each of {say_count(nodes, 'node')}"
        seconds = {"form": total / read + total / write, "merge": (total + again) / read + total / write}
    else:
        # What other nodes have is copied first, and read from the copy.
        distant = 1 - 1 / nodes
        copies = distant * min(merges_on_node * nodes, plan.ranges) / nodes * total / plan.ranges
        scratch = (f"on the disk of each of {say_count(nodes, 'node')} {say_size(total / nodes)} of runs and "
                   f"{say_size(copies)} of what is merged there at a time")
        disk_read, disk_write = speeds.read * nodes, speeds.write * nodes
        copying = distant * (total + again) * (1 / read + 1 / disk_write)
        seconds = {"form": total / read + total / disk_write,
                   "merge": copying + (total + again) / disk_read + total / write}
    at_most = set()
    if by_place:
        seconds["by place"] = seconds["form"] + seconds["merge"]
        scratch += f"; {say_size(2 * total)} at most for the second sort, by places"
        at_most.add("by place")
    if is_copied:
        seconds["copy"] = total / read + total / write
        at_most.add("copy")
    return Estimate(plan, nodes, runs, scratch, seconds, again / total if total else 0.0, frozenset(at_most))
