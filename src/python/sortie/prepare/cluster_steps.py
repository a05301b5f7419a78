"""A preparation on a cluster: each step is a job of sortie.cluster, in a directory of its own within that of all."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Mapping
from typing import Any

from .. import Error
from .plan import Step, Wishes

# What steps on one machine may ask for, and why those of a cluster do not.
_OF_ONE_MACHINE = {
    "dropped": "--dropped lists what one process drops, and on a cluster commands see parts of the files: leave it out",
    "weight": "--weight and --shard-weight are for one machine, as ranges of a cluster are cut by bytes: limit shards by "
              "--shard-size or --shard-records",
    "scratch": "-T is for one machine, as the runs of a cluster lie in the directory of --job: leave it out",
}


def refuse_on_cluster(steps: list[Step]) -> None:
    for step in steps:
        for name, why in _OF_ONE_MACHINE.items():
            if name in step.arguments or f"split_{name}" in step.arguments:
                raise Error(why)


def job_of(wishes: Wishes, step: Step) -> str:
    return os.path.join(wishes.cluster["job"], step.name)


def sort_on_cluster(wishes: Wishes, step: Step, arguments: Mapping[str, Any], warn: Callable[[str], None],
                    progress: bool) -> Any:
    """Has the step done, and returns the report. A job that was ended goes on."""
    from .. import cluster
    job = {**wishes.cluster, "job": job_of(wishes, step)}
    return cluster.sort_files(list(step.inputs), step.output, warn=warn, progress=progress, **job, **arguments)


def may_go_on(wishes: Wishes, step: Step, error: Error) -> bool:
    """Whether the step that failed has left a job that the same command completes. That of options or inputs which
    commands refuse would fail again."""
    from ..cluster.commands import Refused
    return bool(wishes.cluster) and os.path.exists(job_of(wishes, step)) and not isinstance(error, Refused)


def forget_jobs(wishes: Wishes, steps: list[Step]) -> None:
    """Removes what the jobs of all steps have left, and the directory of all if it holds nothing else."""
    for step in steps:
        shutil.rmtree(job_of(wishes, step), ignore_errors=True)
    try:
        os.rmdir(wishes.cluster["job"])
    except OSError:
        pass  # it is the user's
