"""What a sort on a cluster did."""

import types
from collections.abc import Callable
from typing import Any

from .job import JobDirectory
from .sizes import say_seconds, say_size

_STAGES = {"formed": "form", "cuts": "cut", "merged": "merge", "copied": "copy"}


def stage_report(job: JobDirectory, folder: str, count: int) -> dict[str, Any]:
    """busy_seconds: of all tasks together; longest: the task that took longest, and where."""
    busy, longest, node = 0.0, 0.0, ""
    nodes = set()
    for number in range(count):
        told = job.require(f"{folder}/{number:06d}.json")
        busy += told["seconds"]
        nodes.add(told["node"])
        if told["seconds"] >= longest:
            longest, node = told["seconds"], told["node"]
    return {"name": _STAGES[folder], "tasks": count, "nodes": len(nodes), "busy_seconds": round(busy, 3),
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
        lines = [f"{self.output_records} records, {say_size(self.output_bytes)} in "
                 f"{say_seconds(self.elapsed_seconds)}: {say_size(rate)}/s, {say_size(rate / nodes)}/s a node on "
                 f"{nodes}",
                 f"{self.shards} shards, {self.runs} runs, {self.ranges} ranges, the largest {self.skew:.2f} times the "
                 f"mean; {self.retries} attempts beside the first; slowest stage: {slowest['name']}"]
        lines += [f"{stage['name']:6} {stage['tasks']:6} tasks {say_seconds(stage['busy_seconds']):>9}, the longest "
                  f"{say_seconds(stage['longest_seconds'])} on {stage['longest_node']}" for stage in self.stages]
        return "\n".join(lines) + "\n"
