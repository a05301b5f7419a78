"""A whole job: from options to the report."""

import contextlib
import os
import secrets
from types import ModuleType
from typing import NamedTuple

from .. import Error
from ..__main__ import find_command
from .arguments import SortOptions
from .driver import Driver, Listener
from .engine import Engine
from .job import JobDirectory
from .job_plan import JobPlan, Request, kept_plan
from .local_engine import LocalEngine
from .machine import local_resources
from .output import make_output
from .report import ClusterReport
from .tasks import Setting


class ClusterOptions(NamedTuple):
    """slots: commands that run at once; attempts: how often a task may fail; command: the sort's, on all machines. None
    for what suits. address: of Ray. trace: a path for a timeline."""

    job: str
    engine: str = "local"
    slots: int | None = None
    attempts: int = 3
    command: str | None = None
    address: str = "auto"
    trace: str | None = None


def sort_on_cluster(request: Request, sort: SortOptions, cluster: ClusterOptions,
                    listener: Listener | None) -> ClusterReport:
    job = JobDirectory(cluster.job)
    try:
        job.open(request.stamped)
        output = make_output(request.output, job, sort.sizes_are_known)
        with _Site(cluster, sort) as site:
            plan = kept_plan(job, request, site.resources, sort.keeps_few)
            words = [*request.words, f"--buffer-size={plan.memory_bytes}b", f"--parallel={plan.threads}"]
            if sort.needs_seed:
                words.append(f"--random-source={_seed(job)}")
            setting = Setting(job.path, tuple(words), request.environment)
            engine = site.start(plan)
            try:
                return Driver(job, plan, setting, output, engine, cluster.attempts, listener,
                              cluster.trace).run()
            finally:
                engine.stop()
    finally:
        job.close()


class _Site(contextlib.ExitStack):
    """Where commands run, as --engine says."""

    def __init__(self, cluster: ClusterOptions, sort: SortOptions) -> None:
        super().__init__()
        self._cluster = cluster
        self._gpus = int(sort.asks_for_gpu)
        if cluster.engine == "local":
            self.resources = local_resources(cluster.slots, sort.memory_bytes, sort.threads)
        elif cluster.engine == "ray":
            ray_engine = _load_ray_engine()
            self.enter_context(ray_engine.connected(cluster.address))
            self.resources = ray_engine.ray_resources(sort.memory_bytes, sort.threads)
        else:
            raise Error(f"invalid value '{cluster.engine}' for --engine: known are local and ray, and for each command "
                        "auto, gpu and cpu")

    def start(self, plan: JobPlan) -> Engine:
        cluster = self._cluster
        if cluster.engine == "local":
            return LocalEngine(self.resources.slots, cluster.command or find_command())
        resources = self.resources._replace(memory_bytes=plan.memory_bytes, threads=plan.threads)
        engine: Engine = _load_ray_engine().RayEngine(resources, cluster.slots, self._gpus, cluster.command)
        return engine


def _load_ray_engine() -> ModuleType:
    try:
        from . import ray_engine
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "ray":
            raise
        raise Error("--engine=ray needs Ray: install it with pip install 'sortie[ray]'") from None
    return ray_engine


def _seed(job: JobDirectory) -> str:
    path = job.file("seed")
    if not os.path.exists(path):
        with open(f"{path}.new", "wb") as file:
            file.write(secrets.token_bytes(16))
        os.replace(f"{path}.new", path)
    return path
