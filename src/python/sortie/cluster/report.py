"""What a job tells: its report, a timeline, and how far it is."""

import json
import os
import sys
import time
import types
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from .. import Error
from .._report import say_count, say_seconds, say_size
from .job import DRAWN_FILE, SAMPLE_FOLDER, JobDirectory, absolute_path
from .split_output import CutFile, chains_of
from .stages import STAGES, StageKind


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
        stage, space, which = phase.partition(" ")
        doing = STAGES[stage].doing + space + which
        text = f"{doing}: {done_bytes / (total_bytes or 1):.0%}"
        if moved > 0 and seconds > 0:
            rate = moved / seconds
            text += f", {say_size(rate)}/s, {say_seconds((total_bytes - done_bytes) / rate)} left"
        print(f"\r{text:<70}", end="", file=sys.stderr, flush=True)

    def end(self) -> None:
        print("\r" + " " * 70 + "\r", end="", file=sys.stderr, flush=True)


# Behind the names of the stages of later sorts (by_place.py, samples.py).
BY_PLACE, OF_SAMPLE = " by place", " of sample"


class StageResults(NamedTuple):
    """Results of a stage, in its folder of the job directory. which: of several sorts, "" for the first."""

    job: JobDirectory
    stage: StageKind
    tasks: int
    which: str = ""

    def read(self) -> Iterator[dict[str, Any]]:
        for number in range(self.tasks):
            yield self.job.require(f"{self.stage.folder}/{number:06d}.json")


def stage_report(results: StageResults) -> dict[str, Any]:
    """busy_seconds: of all tasks together; longest: the task that took longest, and where."""
    busy, longest, node = 0.0, 0.0, ""
    nodes = set()
    for told in results.read():
        busy += told["seconds"]
        nodes.add(told["node"])
        if told["seconds"] >= longest:
            longest, node = told["seconds"], told["node"]
    return {"name": results.stage.name + results.which, "tasks": results.tasks, "nodes": len(nodes),
            "busy_seconds": round(busy, 3),
            "longest_seconds": longest, "longest_node": node}


class ClusterReport(types.SimpleNamespace):
    """input_records, input_bytes, output_records, output_bytes, shards, runs, ranges; skew: the largest range by the
    mean; elapsed_seconds: of this driver; retries: attempts beside the first; stages: dicts (name, tasks, nodes,
    busy_seconds, longest_seconds, longest_node); assumptions: dicts (kind, message, count, of, first_place, remedy as
    that of an Error, and advice: the argument that helps, for the end of the message); warnings: what commands that
    formed shards warned of beside these. str() gives a table."""

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
                 f"{say_count(self.shards, 'shard')}, {say_count(self.runs, 'run')}, "
                 f"{say_count(self.ranges, 'range')}, the largest {self.skew:.2f} times the mean; "
                 f"{say_count(self.retries, 'attempt')} beside the first; slowest stage: {slowest['name']}"]
        width = max(6, *(len(stage["name"]) for stage in self.stages))
        lines += [f"{stage['name']:{width}} {say_count(stage['tasks'], 'task', '6'):12} "
                  f"{say_seconds(stage['busy_seconds']):>9}, the longest "
                  f"{say_seconds(stage['longest_seconds'])} on {stage['longest_node']}" for stage in self.stages]
        return "\n".join(lines) + "\n"


_LABEL_WIDTH = 14


def job_status(path: str) -> str:
    """Some lines for people. Raises Error if there is no job."""
    job = JobDirectory(path)
    request = job.read("request.json")
    if request is None:
        raise Error(f"there is no job in '{path}', or none that this version has begun")
    plan = job.read("plan.json")
    told = [("output", request["output"])]
    report = job.read("report.json")
    if report is not None:
        return _in_lines([*told, ("state", "done")]) + str(ClusterReport(report["report"]))
    told.append(("state", "running" if job.is_driven() else "stopped: give its command again to go on"))
    if plan is not None:
        is_by_key = any(word.startswith("--split-by=") for word in request["options"])
        ranges = _ranges(job, plan["ranges"])
        told += [*_status_of_sort(job, len(plan["shards"]), ranges, is_by_key),
                 *_status_of_later(job, ranges, is_by_key)]
    return _in_lines(told)


def _ranges(job: JobDirectory, planned: Any) -> Any:
    """How many ranges something is merged of."""
    return (job.read(DRAWN_FILE) or job.read("ranges.json") or {}).get("parts", planned)


def _status_of_later(job: JobDirectory, ranges: Any, is_by_key: bool, which: str = "") -> list[tuple[str, str]]:
    """The sorts behind the one of this directory, once they have begun. ranges: of that one, which are the shards of
    the next."""
    told: list[tuple[str, str]] = []
    for name in job.names_in("by-place"):
        second = JobDirectory(os.path.join(job.file("by-place"), name))
        parts = _ranges(second, "?")
        told += [(label.replace("shards", "ranges") + which + BY_PLACE, value)
                 for label, value in _status_of_sort(second, ranges, parts, is_by_key)]
        if second.names_in(SAMPLE_FOLDER):
            third = JobDirectory(second.file(SAMPLE_FOLDER))
            shards, parts = (third.read("plan.json") or {}).get("shards", "?"), _ranges(third, "?")
            told += [(label + OF_SAMPLE, value) for label, value in _status_of_sort(third, shards, parts, is_by_key)]
            told += _status_of_later(third, parts, is_by_key, OF_SAMPLE)
    return told


def _in_lines(told: list[tuple[str, str]]) -> str:
    width = max(_LABEL_WIDTH, *(len(label) for label, _ in told))
    return "".join(f"{label:{width}} {value}\n" for label, value in told)


def _status_of_sort(job: JobDirectory, shards: Any, ranges: Any, is_by_key: bool) -> list[tuple[str, str]]:
    """shards, ranges: "?" if that is not known yet. is_by_key: whether each range is cut by itself, if any is."""
    joins = _joins(job, ranges) if is_by_key else 0
    totals = {"inputs": "?", "shards": shards, "ranges": ranges, "files": joins}
    told = []
    for stage in STAGES.values():
        done = sum(name.endswith(".json") for name in job.names_in(stage.folder)) if stage.folder else 0
        if done or stage.is_in_all_jobs or (stage.name == "join" and joins):
            # One command cuts all ranges, where none is cut by itself.
            count = ranges if stage.name == "split" and not is_by_key else done
            told.append((stage.done, f"{count} of {totals[stage.of]}"))
    return told


def _joins(job: JobDirectory, ranges: int) -> int:
    """How many there are, which is known once all ranges are cut."""
    told = [job.read(f"split/{number:06d}.json") for number in range(ranges)]
    if None in told:
        return 0
    return len(chains_of([[CutFile(*file) for file in item["files"]] for item in told]))


_MICROSECONDS = 1e6
# By which a task may seem to begin before the one in front of it has ended.
_ROUNDED_SECONDS = 0.001


def check_trace(path: str) -> None:
    """Raises Error where no file can be written, before a job has begun whose timeline it is to be."""
    folder, name = os.path.split(absolute_path(path))
    if not name or not os.path.isdir(folder) or os.path.isdir(path):
        raise Error(f"cannot write '{path}': no such directory, or no file; name another with --trace")


def write_trace(path: str, stages: Iterable[StageResults]) -> None:
    tasks = [(told["began"], told["seconds"], told["node"], f"{results.stage.folder}{results.which} {number}")
             for results in stages for number, told in enumerate(results.read())]
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
