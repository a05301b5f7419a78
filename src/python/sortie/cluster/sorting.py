"""A whole job: from options to the report."""

import contextlib
import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from types import ModuleType
from typing import Any, NamedTuple, Self

from .. import ArgumentError, Error, MissingModuleError
from ..__main__ import find_command
from .._sources import is_source
from .arguments import SortOptions, own_count, without
from .chain import Asked
from .commands import Refused, require_command
from .driver import Driver, Tell
from .engine import Engine, LocalEngine, is_full, refuse_full
from .file_formats import check_format_output, with_format_worded
from .held_signals import HeldSignals
from .job import NAMES_FILE, JobDirectory, absolute_path
from .job_plan import Request, Resources, kept_plan, local_resources
from .node_disks import AllDisks, require_folder
from .output import make_output
from .output_checks import check_output, refuse_manifest_elsewhere, require_writable
from .paths import refuse_descriptors, refuse_shared
from .progress import Listener, ListenerFailed
from .python_arguments import ENGINES
from .report import ClusterReport, check_trace
from .slurm_engine import SlurmEngine, slurm_resources
from .tasks import Setting

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
        """The setting that the options of the cluster ask for."""
        return cls(own["job"], own.get("engine", "local"), own_count(own, "workers"),
                   own_count(own, "attempts", 3) or 3,
                   own.get("command"), own.get("address", "auto"), own.get("trace"), own.get("files0-from"))


def sort_on_cluster(request: Request, cluster: ClusterOptions, listener: Listener | None,
                    end: Callable[[bool], None], warn: Callable[[ClusterReport], None]) -> ClusterReport:
    """end: of what shows how far the sort is; it gets whether it is complete. warn: tells the warnings of the report,
    before the output takes its place; what it raises leaves the output as it was."""
    def tell(report: ClusterReport) -> None:
        end(True)
        if request.of_files is not None and request.of_files.guess is not None:
            report.assumptions = [request.of_files.guess, *report.assumptions]
        warn(report)

    try:
        return _sort(request, cluster, listener, tell)
    except BaseException as error:
        if isinstance(error, Refused):
            with_format_worded(error, request.of_files)
        with contextlib.suppress(Exception):  # the first exception counts
            end(False)
        raise


def _sort(request: Request, cluster: ClusterOptions, listener: Listener | None, tell: Tell) -> ClusterReport:
    if not cluster.job:
        raise ArgumentError("job is empty: name a directory on a disk that every machine sees")
    if cluster.command == "":
        raise Error("invalid value '' for --command: name the command of the sort, or leave it out")
    job = JobDirectory(cluster.job)
    if "/" in (cluster.command or ""):
        cluster = cluster._replace(command=absolute_path(cluster.command or ""))
    _refuse_other_than_utf8(job.path, "job directory", "--job")
    _refuse_other_than_utf8(request.scratch or "", "scratch folder", "--scratch")
    for path in (*request.inputs, request.output, *([cluster.trace] if cluster.trace else [])):
        _refuse_within(job, path)
        refuse_descriptors(path)
    try:
        with HeldSignals() as held, contextlib.closing(job):
            def tell_and_hold(report: ClusterReport) -> None:
                tell(report)
                held.begin()
            job.open(lambda known: _checked_request(request, known, cluster))
            try:
                report = _drive(job, request, cluster, listener, tell_and_hold)
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


def _drive(job: JobDirectory, request: Request, cluster: ClusterOptions, listener: Listener | None,
           tell: Tell) -> ClusterReport:
    output = make_output(request.output, job, request.sort, request.table, request.of_files)
    scratch = os.path.join(request.scratch, job.secret_name()) if request.scratch is not None else None
    sort = _as_before(job, request.sort)
    with _engine(cluster, sort, scratch) as (engine, resources, disks), contextlib.ExitStack() as stack:
        stack.callback(engine.stop)
        plan = kept_plan(job, request, resources)
        # What is cut into files is not drawn again. Where nothing else is asked for, an order needs a sample.
        of_draw = () if sort.sample is None else ("sample",) if sort.sample.is_sorted else ("sample", "order")
        words_of_all = without(sort.words, *of_draw)
        drawing = [word for word in sort.words if word not in words_of_all]
        if sort.sample is not None and sort.sample.needs_seed:
            drawing = [f"{word},{_seed(job, sort.seed)}" if word.startswith("--sample=") else word for word in drawing]
        words = [*words_of_all, f"--buffer-size={plan.memory_bytes}b", f"--parallel={plan.threads}"]
        seed = [f"--random-source={_seed_file(job, sort.seed)}"] if sort.needs_seed else []
        table = request.table.describe(job, len(plan.shards)) if request.table else None
        setting = Setting(job.path, (*words, *(seed if sort.sample is None else [])), request.environment, scratch,
                          table, os.urandom(8).hex(), sort_words=tuple(drawing), cuts=sort.cuts,
                          names=job.file(NAMES_FILE) if request.of_files else None,
                          manifest=os.path.basename(sort.manifest or ""))
        asked = Asked(job, plan, setting, output, sort.comparison, in_order=sort.in_order, sample=sort.sample,
                      sample_words=(*words, *seed), whole_files=sort.whole_files, goes_by_places=sort.goes_by_places)
        return Driver(asked, engine, cluster.attempts, listener, disks, cluster.trace, _command_here(cluster),
                      tell).run()


def _as_before(job: JobDirectory, sort: SortOptions) -> SortOptions:
    """With the memory and threads of a job that goes on, unless others are asked for now."""
    known = job.read("plan.json")
    if known is None:
        return sort
    return sort._replace(memory_bytes=sort.memory_bytes or known["memory_bytes"],
                         threads=sort.threads or known["threads"])


def _refuse_other_than_utf8(path: str, what: str, option: str) -> None:
    try:
        path.encode()
    except UnicodeEncodeError:
        raise Error(f"the name of the {what} is not in UTF-8, as plans of merges must be: name another with "
                    f"{option}") from None


def _refuse_within(job: JobDirectory, path: str) -> None:
    if is_source(path):
        return
    folder, target = os.path.realpath(job.path), os.path.realpath(path)
    if os.path.commonpath([folder, target]) == folder:
        raise Error(f"'{path}' lies in the job directory, which is emptied in the end: name another with --job")


def _checked_request(request: Request, known: dict[str, Any] | None, cluster: ClusterOptions) -> dict[str, Any]:
    """What is wrong with the output or the options is told before anything is kept."""
    refuse_unknown_engine(cluster)
    stamped = request.stamped(known)
    is_folder = request.table is not None and request.table.is_folder
    if is_folder:
        from .folder_output import check_folder
        check_folder(request.output, cluster.job, cluster.trace, may_be_written=known is not None)
    elif request.of_files is not None:
        check_format_output(request.output, request.inputs, request.of_files, bool(request.sort.cuts))
    else:
        check_output(request.output, request.inputs, bool(request.sort.cuts))
    refuse_manifest_elsewhere(request.output, request.sort.manifest)
    if request.scratch is not None and cluster.engine == "slurm":
        raise Error("--scratch=node:DIR does not go with --engine=slurm, whose jobs cannot read disks of other nodes: "
                    "leave it out, and runs lie in the job directory")
    if cluster.trace is not None:
        check_trace(cluster.trace)
    refuse_shared(request.output, cluster.trace, request.inputs, _others_read(request.sort, cluster))
    if cluster.engine == "local":
        require_command(cluster.command or find_command())
        if request.scratch is not None:
            require_folder(request.scratch)
    if known is None and not is_folder:
        require_writable(request.output)
    return stamped


def _others_read(sort: SortOptions, cluster: ClusterOptions) -> Iterator[tuple[str, str]]:
    """What a job reads beside its inputs."""
    if cluster.names is not None:
        yield (os.path.realpath("/dev/stdin") if cluster.names == "-" else cluster.names, "the list of inputs")
    for word in sort.words:
        if word.startswith("--random-source="):
            yield (word.partition("=")[2], "the random source")
        if word.startswith("--reference="):
            yield (word.partition("=")[2], "the reference")
        if word.startswith("--chromosomes=/"):
            yield (word.partition("=")[2], "the list of chromosomes")
    command = _command_here(cluster) or cluster.command
    if command is not None:
        yield (command, "the command")


def _command_here(cluster: ClusterOptions) -> str | None:
    """None if only other machines have it."""
    command = cluster.command
    if command is None:
        with contextlib.suppress(Error):
            command = find_command()
    return command and shutil.which(command)


def refuse_unknown_engine(cluster: ClusterOptions) -> None:
    if cluster.engine not in ENGINES:
        raise Error(f"invalid value '{cluster.engine}' for --engine: known are local, ray and slurm, and for each "
                    "command auto, gpu and cpu")
    if cluster.address != ClusterOptions("").address and cluster.engine != "ray":
        raise Error("--address is that of Ray: give --engine=ray, or leave it out")


@contextlib.contextmanager
def _engine(cluster: ClusterOptions, sort: SortOptions,
            scratch: str | None) -> Iterator[tuple[Engine, Resources, AllDisks | None]]:
    """As --engine says: with what there is for each command, and the disks of the nodes if runs lie there."""
    gpus = int(sort.asks_for_gpu)
    disks: AllDisks | None = None
    if cluster.engine == "local":
        here = local_resources(cluster.slots, sort.memory_bytes, sort.threads)
        disks = AllDisks(scratch) if scratch is not None else None
        yield LocalEngine(here.slots, cluster.command or find_command()), here, disks
    elif cluster.engine == "ray":
        ray_engine = _load_ray_engine()
        with ray_engine.connected(cluster.address):
            there = ray_engine.ray_resources(sort.memory_bytes, sort.threads, gpus)
            disks = ray_engine.AllRayDisks(scratch) if scratch is not None else None
            yield ray_engine.RayEngine(there, cluster.slots, gpus, cluster.command, disks), there, disks
    else:
        asked = slurm_resources(sort.memory_bytes, sort.threads)
        yield SlurmEngine(asked, cluster.slots, gpus, cluster.command), asked, None


def _load_ray_engine() -> ModuleType:
    try:
        from . import ray_engine
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "ray":
            raise
        raise MissingModuleError("--engine=ray needs Ray: install it with pip install 'sortie-sort[ray]'") from None
    return ray_engine


def _seed(job: JobDirectory, given: str | None) -> str:
    """The seed of the job, as digits. It is made once, if none is given."""
    told: str | None = job.read("seed.json")
    if told is None or given not in (None, told):
        # What was done by another seed is of no use.
        job.forget_work()
        told = given or os.urandom(16).hex()
        job.write("seed.json", told)
    return told


def _seed_file(job: JobDirectory, given: str | None) -> str:
    path = job.file("seed")
    with open(f"{path}.new", "wb") as file:
        file.write(bytes.fromhex(_seed(job, given)))
    os.replace(f"{path}.new", path)
    return path
