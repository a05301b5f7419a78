"""A whole job: from options to the report."""

import os
import secrets
from typing import NamedTuple

from .. import Error
from ..__main__ import find_command
from .arguments import SortOptions
from .driver import Driver, Listener
from .job import JobDirectory
from .job_plan import Request, kept_plan
from .local_engine import LocalEngine
from .machine import local_resources
from .output import make_output
from .report import ClusterReport
from .tasks import Setting


class ClusterOptions(NamedTuple):
    """slots: commands that run at once; attempts: how often a task may fail; command: the sort's, on all machines. None
    for what suits."""

    job: str
    engine: str = "local"
    slots: int | None = None
    attempts: int = 3
    command: str | None = None


def sort_on_cluster(request: Request, sort: SortOptions, cluster: ClusterOptions,
                    listener: Listener | None) -> ClusterReport:
    if cluster.engine != "local":
        raise Error(f"invalid value '{cluster.engine}' for --engine: known are local, and auto, gpu and cpu for sorts")
    job = JobDirectory(cluster.job)
    job.open(request.stamped)
    try:
        resources = local_resources(cluster.slots, sort.memory_bytes, sort.threads)
        plan = kept_plan(job, request, resources, sort.keeps_few)
        words = [*request.words, f"--buffer-size={plan.memory_bytes}b", f"--parallel={plan.threads}"]
        if sort.needs_seed:
            words.append(f"--random-source={_seed(job)}")
        setting = Setting(job.path, tuple(words), request.environment)
        output = make_output(request.output, job, sort.sizes_are_known)
        engine = LocalEngine(resources.slots, cluster.command or find_command())
        try:
            return Driver(job, plan, setting, output, engine, cluster.attempts, listener).run()
        finally:
            engine.stop()
    finally:
        job.close()


def _seed(job: JobDirectory) -> str:
    path = job.file("seed")
    if not os.path.exists(path):
        with open(f"{path}.new", "wb") as file:
            file.write(secrets.token_bytes(16))
        os.replace(f"{path}.new", path)
    return path
