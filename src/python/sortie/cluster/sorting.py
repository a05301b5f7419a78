"""A whole job: from options to the report."""

import contextlib
import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from types import ModuleType
from typing import Any, NamedTuple, Self

from .. import ArgumentError, Error
from ..__main__ import find_command
from .arguments import SortOptions, own_count
from .driver import Driver, Listener, ListenerFailed, Tell
from .engine import Engine, LocalEngine, is_full, refuse_full
from .held_signals import HeldSignals
from .job import JobDirectory, absolute_path
from .job_plan import JobPlan, Request, Resources, kept_plan
from .machine import local_resources
from .node_disks import AllDisks, require_folder
from .commands import check_options, require_command
from .output import check_output, make_output, require_writable
from .paths import Role, refuse_descriptors, refuse_shared
from .report import ClusterReport, check_trace
from .slurm_engine import SlurmEngine, slurm_resources
from .tasks import Setting

_ENGINES = ("local", "ray", "slurm")


class ClusterOptions(NamedTuple):
    """slots: commands that run at once; attempts: how often a task may fail; command: the sort's, on all machines. None
    for what suits. address: of Ray. trace: a path for a timeline. names: a file that lists the inputs."""

    job: str
    engine: str = "local"
    slots: int | None = None
    attempts: int = 3
    command: str | None = None
    address: str = "auto"
    trace: str | None = None
    names: str | None = None

    @classmethod
    def of(cls, own: Mapping[str, str]) -> Self:
        """Of options of the cluster."""
        return cls(own["job"], own.get("engine", "local"), own_count(own, "workers"), own_count(own, "attempts", 3) or 3,
                   own.get("command"), own.get("address", "auto"), own.get("trace"), own.get("files0-from"))


def sort_on_cluster(request: Request, sort: SortOptions, cluster: ClusterOptions,
                    listener: Listener | None, tell: Tell) -> ClusterReport:
    """tell: called with the report before the output takes its place; what it raises leaves the output as it was."""
    _refuse_odd_values(cluster)
    job = JobDirectory(cluster.job)
    if "/" in (cluster.command or ""):
        cluster = cluster._replace(command=absolute_path(cluster.command or ""))
    for word in request.words:
        if "\0" in word:
            raise Error(f"{word.partition('=')[0]} holds a NUL character, which no command can be given")
    _refuse_other_than_utf8(job.path, "job directory", "--job")
    _refuse_other_than_utf8(request.scratch or "", "scratch folder", "--scratch")
    for path in (*request.inputs, request.output, *([cluster.trace] if cluster.trace else [])):
        _refuse_within(job, path)
        refuse_descriptors(path)
    try:
        with HeldSignals() as held, contextlib.closing(job):
            job.open(lambda known: _checked_request(request, known, sort, cluster))
            try:
                report = _drive(job, request, sort, cluster, listener, held.begin_after(tell))
                held.note = f"the output '{request.output}' is complete"
                return report
            except Exception:
                # An engine that is refused leaves nothing behind.
                if request.scratch is None:
                    job.discard_if_nothing_is_done()
                raise
    except ListenerFailed as failed:
        raise (failed.__cause__ or failed) from None
    except OSError as error:
        if not is_full(error):
            raise
        raise refuse_full(error, job.path) from None


def _drive(job: JobDirectory, request: Request, sort: SortOptions, cluster: ClusterOptions,
           listener: Listener | None, tell: Tell) -> ClusterReport:
    output = make_output(request.output, job, sort.sizes_are_known, request.table is not None)
    scratch = os.path.join(request.scratch, job.secret_name()) if request.scratch is not None else None
    sort = _as_before(job, sort)
    with _site(cluster, sort, scratch) as site:
        plan = kept_plan(job, request, site.resources, sort.keeps_few)
        words = [*request.words, f"--buffer-size={plan.memory_bytes}b", f"--parallel={plan.threads}"]
        if sort.needs_seed:
            words.append(f"--random-source={_seed(job)}")
        table = request.table.describe(job, len(plan.shards)) if request.table else None
        setting = Setting(job.path, tuple(words), request.environment, scratch, table, os.urandom(8).hex())
        engine = site.make_engine(plan)
        try:
            return Driver(job, plan, setting, output, engine, cluster.attempts, listener, site.disks,
                          sort.comparison, cluster.trace, _command_here(cluster), tell).run()
        finally:
            engine.stop()


def _as_before(job: JobDirectory, sort: SortOptions) -> SortOptions:
    """With the memory and threads of a job that goes on, unless others are asked for now."""
    known = job.read("plan.json")
    if known is None:
        return sort
    return sort._replace(memory_bytes=sort.memory_bytes or known["memory_bytes"],
                         threads=sort.threads or known["threads"])


def _refuse_odd_values(cluster: ClusterOptions) -> None:
    if not cluster.job:
        raise ArgumentError("job is empty: name a directory on a disk that every machine sees")
    if cluster.command == "":
        raise Error("invalid value '' for --command: name the command of the sort, or leave it out")


def _refuse_other_than_utf8(path: str, what: str, option: str) -> None:
    try:
        path.encode()
    except UnicodeEncodeError:
        raise Error(f"the name of the {what} is not in UTF-8, as plans of merges must be: name another with "
                    f"{option}") from None


def _refuse_within(job: JobDirectory, path: str) -> None:
    folder, target = os.path.realpath(job.path), os.path.realpath(path)
    if os.path.commonpath([folder, target]) == folder:
        raise Error(f"'{path}' lies in the job directory, which is emptied in the end: name another with --job")


def _checked_request(request: Request, known: dict[str, Any] | None, sort: SortOptions,
                     cluster: ClusterOptions) -> dict[str, Any]:
    """What is wrong with the output or the options is told before anything is kept."""
    _refuse_unknown_engine(cluster)
    stamped = request.stamped(known)
    check_output(request.output, request.inputs)
    if request.scratch is not None and cluster.engine == "slurm":
        raise Error("--scratch=node:DIR does not go with --engine=slurm, whose jobs cannot read disks of other nodes: "
                    "leave it out, and runs lie in the job directory")
    if cluster.trace is not None:
        check_trace(cluster.trace)
    refuse_shared(request.output, cluster.trace, request.inputs, _others_read(sort, cluster))
    if cluster.engine == "local":
        require_command(cluster.command or find_command())
        if request.scratch is not None:
            require_folder(request.scratch)
    if known is None:
        require_writable(request.output)
        check_options(cluster.command or find_command(), request)
    return stamped


def _others_read(sort: SortOptions, cluster: ClusterOptions) -> Iterator[Role]:
    """What a job reads beside its inputs."""
    if cluster.names is not None:
        yield Role(os.path.realpath("/dev/stdin") if cluster.names == "-" else cluster.names, "the list of inputs")
    for word in sort.words:
        if word.startswith("--random-source="):
            yield Role(word.partition("=")[2], "the random source")
    command = _command_here(cluster) or cluster.command
    if command is not None:
        yield Role(command, "the command")


def _command_here(cluster: ClusterOptions) -> str | None:
    """None if only other machines have it."""
    command = cluster.command
    if command is None:
        with contextlib.suppress(Error):
            command = find_command()
    return command and shutil.which(command)


def _refuse_unknown_engine(cluster: ClusterOptions) -> None:
    if cluster.engine not in _ENGINES:
        raise Error(f"invalid value '{cluster.engine}' for --engine: known are local, ray and slurm, and for each "
                    "command auto, gpu and cpu")
    if cluster.address != ClusterOptions("").address and cluster.engine != "ray":
        raise Error("--address is that of Ray: give --engine=ray, or leave it out")


class _Site(NamedTuple):
    """Where commands run: what there is for each, what makes the engine, and the disks of the nodes if runs lie
    there."""

    resources: Resources
    make_engine: Callable[[JobPlan], Engine]
    disks: AllDisks | None


@contextlib.contextmanager
def _site(cluster: ClusterOptions, sort: SortOptions, scratch: str | None) -> Iterator[_Site]:
    """As --engine says."""
    if cluster.engine == "local":
        here = local_resources(cluster.slots, sort.memory_bytes, sort.threads)
        yield _Site(here, lambda plan: LocalEngine(here.slots, cluster.command or find_command()),
                    AllDisks(scratch) if scratch is not None else None)
    elif cluster.engine == "ray":
        ray_engine = _load_ray_engine()
        with ray_engine.connected(cluster.address):
            there = ray_engine.ray_resources(sort.memory_bytes, sort.threads, int(sort.asks_for_gpu))
            disks = ray_engine.AllRayDisks(scratch) if scratch is not None else None
            yield _Site(there, lambda plan: ray_engine.RayEngine(
                there._replace(memory_bytes=plan.memory_bytes, threads=plan.threads), cluster.slots,
                int(sort.asks_for_gpu), cluster.command, disks), disks)
    else:
        asked = slurm_resources(sort.memory_bytes, sort.threads)
        yield _Site(asked, lambda plan: SlurmEngine(asked, cluster.slots, int(sort.asks_for_gpu), cluster.command),
                    None)


def _load_ray_engine() -> ModuleType:
    try:
        from . import ray_engine
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "ray":
            raise
        raise Error("--engine=ray needs Ray: install it with pip install 'sortie[ray]'") from None
    return ray_engine


def _seed(job: JobDirectory) -> str:
    told = job.read("seed.json")
    if told is None:
        # What was done by another seed is of no use.
        job.forget_work()
        told = os.urandom(16).hex()
        job.write("seed.json", told)
    path = job.file("seed")
    with open(f"{path}.new", "wb") as file:
        file.write(bytes.fromhex(told))
    os.replace(f"{path}.new", path)
    return path
