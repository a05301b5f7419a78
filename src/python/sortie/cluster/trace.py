"""A timeline of all tasks, for ui.perfetto.dev or chrome://tracing: a track for every node, with lanes for what runs at
once."""

import json
import os
from typing import Any

from .. import Error
from .job import JobDirectory, absolute_path

_MICROSECONDS = 1e6
# By which a task may seem to begin before the one in front of it has ended.
_ROUNDED_SECONDS = 0.001


def check_trace(path: str) -> None:
    """Raises Error where no file can be written, before a job has begun whose timeline it is to be."""
    folder, name = os.path.split(absolute_path(path))
    if not name or not os.path.isdir(folder) or os.path.isdir(path):
        raise Error(f"cannot write '{path}': no such directory, or no file; name another with --trace")


def write_trace(path: str, job: JobDirectory, counts: dict[str, int]) -> None:
    """counts: of the results in each folder of the job."""
    tasks = []
    for folder, count in counts.items():
        for number in range(count):
            told = job.require(f"{folder}/{number:06d}.json")
            tasks.append((told["began"], told["seconds"], told["node"], f"{folder} {number}"))
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
