"""How far a job is, from its directory alone."""

import os

from .. import Error
from .job import JobDirectory
from .report import ClusterReport

_FOLDERS = {"formed": "shards formed", "cuts": "shards cut", "merged": "ranges merged", "copied": "parts copied"}


def job_status(path: str) -> str:
    """Some lines for people. Raises Error if there is no job."""
    job = JobDirectory(path)
    request, plan = job.read("request.json"), job.read("plan.json")
    if request is None:
        raise Error(f"there is no job in '{path}'")
    lines = [f"output         {request['output']}"]
    report = job.read("report.json")
    if report is not None:
        return "\n".join([*lines, "state          done", ""]) + str(ClusterReport(report))
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
