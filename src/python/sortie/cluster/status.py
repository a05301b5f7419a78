"""How far a job is, from its directory alone."""

import os
from typing import Any

from .. import Error
from .job import JobDirectory
from .report import ClusterReport

_FOLDERS = {"formed": "shards formed", "cuts": "shards cut", "merged": "ranges merged", "copied": "parts copied"}


def job_status(path: str) -> str:
    """Some lines for people. Raises Error if there is no job."""
    job = JobDirectory(path)
    request = job.read("request.json")
    if request is None:
        raise Error(f"there is no job in '{path}', or none that this version has begun")
    return _describe(job, request)


def _describe(job: JobDirectory, request: dict[str, Any]) -> str:
    plan = job.read("plan.json")
    lines = [f"output         {request['output']}"]
    report = job.read("report.json")
    if report is not None:
        return "\n".join([*lines, "state          done", ""]) + str(ClusterReport(report["report"]))
    lines.append("state          " + ("running" if job.is_driven() else "stopped: give its command again to go on"))
    if plan is not None:
        ranges = (job.read("ranges.json") or {}).get("parts", plan["ranges"])
        totals = {"formed": len(plan["shards"]), "cuts": len(plan["shards"]), "merged": ranges, "copied": ranges}
        for folder, what in _FOLDERS.items():
            done = _results(job, folder)
            if done or folder != "copied":
                lines.append(f"{what:14} {done} of {totals[folder]}")
    return "\n".join(lines) + "\n"


def _results(job: JobDirectory, folder: str) -> int:
    try:
        return sum(name.endswith(".json") for name in os.listdir(job.file(folder)))
    except FileNotFoundError:
        return 0
