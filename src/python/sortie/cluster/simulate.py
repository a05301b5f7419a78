"""sortie-cluster simulate: how long a sort would take on machines that are not at hand."""

import argparse
import itertools
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple, NoReturn

from .. import Error
from .._commands import OptionGroup, options_of
from .._report import say_seconds, say_size
from . import _simulation_setup as costs
from ._simulation_flows import CPU, DISK, NETWORK_IN, NETWORK_OUT
from ._simulation_job import STAGES, Outcome, simulate
from ._simulation_loads import metadata
from ._simulation_setup import Setup
from .arguments import parse_size

_GB, _GBIT = 1e9, 1e9 / 8


class Published(NamedTuple):
    name: str
    seconds: float
    setup: Setup
    remark: str


PUBLISHED = (
    Published("Exoshuffle-CloudSort 2022, 40 nodes", 5378.0, Setup(
        nodes=40, data_bytes=10**14, shard_bytes=50 * 10**9, disk_read=3.09 * _GB, disk_write=2.29 * _GB,
        network=25 * _GBIT, cores=16, memory_bytes=128 << 30, files="shared"),
        "input and output on S3, assumed to be as fast as the nodes' networks"),
    Published("Tencent Sort 2016, 512 nodes", 98.8, Setup(
        nodes=512, data_bytes=10**14, shard_bytes=10**14 // 2048 + 1, disk_read=12 * _GB, disk_write=6 * _GB,
        network=100 * _GBIT, cores=20, memory_bytes=256 << 30, scratch="memory"),
        "disks assumed to do 12 and 6 GB/s a node; runs in memory"),
)


_HEAD = ("stage", "seconds", "bottleneck", "read", "written", "over network", "requests", "disk busy", "CPU busy",
         "network busy")


def report(setup: Setup, loss_seconds: float | None) -> Iterator[str]:
    """Lines."""
    outcome = simulate(setup)
    yield "Modelled, not measured. The speeds of forming and merging, and what the driver takes for a task, were"
    yield "measured on single machines. Disks and networks are as told, and busy for 80% of the time at most, as one"
    yield "disk was. Shares of being busy are of these 80%."
    for part in (_described(setup), _stages(outcome),
                 itertools.chain(_skew(setup, outcome), _slices(setup), _metadata(setup)),
                 _losses(setup, outcome, loss_seconds), compared(setup.sampling)):
        yield from itertools.chain([""], part)


def _described(setup: Setup) -> Iterator[str]:
    places = {"node": "on disks of the nodes", "memory": "in memory of the nodes", "shared": "on a shared file system"}
    engine = " and a GPU" if setup.engine == "gpu" else ""
    yield (f"{_many(setup.nodes, 'node')}, each: {_many(setup.cores, 'core')}{engine}, {say_size(setup.memory_bytes)} "
           f"of memory, disk {setup.disk_read / 1e9:g} and {setup.disk_write / 1e9:g} GB/s, network "
           f"{setup.network * 8 / 1e9:g} Gbit/s, {_many(setup.tasks, 'task')} at a time")
    yield f"{say_size(setup.data_bytes)} {places[setup.files]}, runs {places[setup.scratch]}"
    yield (f"{_many(setup.shards, 'shard')} of {say_size(max(setup.shard_sizes))}, "
           f"{_many(setup.runs_of_shard, 'run')} each; {_many(setup.ranges, 'range')}; "
           f"{_many(setup.slices, 'slice')} of {say_size(setup.slice_bytes)}")


def _many(count: int, name: str) -> str:
    return f"{count} {name}" if count == 1 else f"{count} {name}s"


def _stages(outcome: Outcome) -> Iterator[str]:
    rows: list[tuple[str, ...]] = [_HEAD]
    for name in STAGES:
        stage = outcome.stages[name]
        rows.append((name, f"{stage.seconds:.1f}", stage.bottleneck, say_size(stage.read), say_size(stage.written),
                     say_size(stage.over_network), f"{stage.requests:.3g}", *(f"{share:.0%}" for share in (
                         stage.busy_share(DISK), stage.busy_share(CPU), stage.busy_share(NETWORK_IN, NETWORK_OUT)))))
    rows.append(("all", f"{outcome.seconds:.1f}", "",
                 *(say_size(outcome.total(amount)) for amount in ("read", "written", "over_network")),
                 f"{outcome.total('requests'):.3g}", "", "", ""))
    yield from _columns(rows)


def _columns(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    """As a table of Markdown."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for number, row in enumerate(rows):
        yield "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |"
        if number == 0:
            yield "|" + "|".join("-" * (width + 2) for width in widths) + "|"


def _skew(setup: Setup, outcome: Outcome) -> Iterator[str]:
    yield f"{_speed_of_node(setup, outcome):.2f} GB/s a node; largest range {setup.largest_share:.2f} times the mean"
    if setup.largest_share > 1.25 and setup.skew == 1:
        yield (f"The bounds make ranges differ: {setup.sample_count} samples a shard are few for {setup.ranges} "
               f"ranges. Give fewer --ranges, or more --samples.")


def _slices(setup: Setup) -> Iterator[str]:
    transfer = setup.request_bytes / setup.disk_read
    yield (f"A merge reads {say_size(setup.request_bytes)} of a run at a time: {transfer * 1e3:.2g} ms on the disk, "
           f"and {setup.seek_seconds * 1e3:.2g} ms for the request")
    if setup.seek_seconds > transfer:
        yield "Requests take longer than their bytes: give larger shards, more memory or fewer ranges."
    if setup.runs > setup.most_runs:
        yield (f"Memory for a merge of {setup.runs} runs is too small, {setup.most_runs} fit: give larger shards, or "
               f"more memory.")
    extra = setup.boundary_bytes / setup.data_bytes
    yield (f"Blocks at bounds: {say_size(setup.boundary_bytes)} read by the cuts, and as much again by merges, "
           f"{extra:.2%} of the data each")
    if extra > 0.05:
        yield "That is more than 5%: give larger shards or fewer ranges."


def _metadata(setup: Setup) -> Iterator[str]:
    kinds = metadata(setup)
    total, files = sum(kind.bytes for kind in kinds), sum(kind.files for kind in kinds)
    yield (f"Metadata: {say_size(total)}, {total / setup.data_bytes:.3%} of the data; files with runs and outputs: "
           f"{files}")
    yield "  " + ", ".join(f"{kind.name} {say_size(kind.bytes)}" for kind in kinds if kind.bytes)


def _losses(setup: Setup, outcome: Outcome, loss_seconds: float | None) -> Iterator[str]:
    if setup.nodes == 1 and loss_seconds is None:
        yield "The loss of the only node ends the job."
        return
    form, merge = outcome.stages["form"].seconds, outcome.stages["merge"].seconds
    begin_of_merge = outcome.seconds - outcome.stages["verify"].seconds - merge
    moments = [("in the middle of forming", form / 2), ("in the middle of merging", begin_of_merge + merge / 2)]
    if loss_seconds is not None:
        moments = [("as told", loss_seconds)]
    for name, seconds in moments:
        lossy = simulate(setup, seconds)
        again = ", ".join(f"{_many(lossy.stages[stage].repeated_tasks, 'task')} of {stage}" for stage in STAGES
                          if lossy.stages[stage].repeated_tasks)
        more = max(0.0, lossy.seconds - outcome.seconds)
        yield (f"A node lost {name}, after {say_seconds(seconds)}: {say_seconds(more)} more, "
               f"{more / outcome.seconds:.1%}; again: {again or 'nothing'}")


def _speed_of_node(setup: Setup, outcome: Outcome) -> float:
    return setup.data_bytes / outcome.seconds / setup.nodes / costs.GB


def compared(sampling: str) -> Iterator[str]:
    rows = [("100 TB", "published", "GB/s a node", "modelled", "GB/s a node", "forming", "merging", "bottlenecks")]
    for published in PUBLISHED:
        outcome = simulate(replace(published.setup, sampling=sampling))
        form, merge = outcome.stages["form"], outcome.stages["merge"]
        was = published.setup.data_bytes / published.seconds / published.setup.nodes / costs.GB
        rows.append((published.name, f"{published.seconds:g} s", f"{was:.2f}", f"{outcome.seconds:.0f} s",
                     f"{_speed_of_node(published.setup, outcome):.2f}", f"{form.seconds:.0f} s",
                     f"{merge.seconds:.0f} s", f"{form.bottleneck}, {merge.bottleneck}"))
    yield "What others published, and the model on machines like theirs:"
    yield ""
    yield from _columns(rows)
    for published in PUBLISHED:
        yield f"{published.name}: {published.remark}."


_TEXT = """Says how long a sort would take on machines that are not at hand, by a discrete-event model: time and
bottleneck of each stage, what the loss of a node costs, bytes of metadata, files and requests, beside what others
have published. Measured, on single machines, are the speeds of forming and merging, how busy a disk is kept, memory
for runs, and what the driver takes for a task. All else is modelled."""

_EXAMPLE = "example: sortie-cluster simulate --nodes=100 --data=100TB --disk=4,2 --network=25"


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise Error(f"{message}; try 'sortie-cluster simulate --help'")


def simulate_words(words: Sequence[str]) -> int:
    """The command line behind `sortie-cluster simulate`."""
    return run(_parser().parse_args(words))


def option_groups() -> tuple[OptionGroup, ...]:
    """For the manual page."""
    return (OptionGroup("For simulate", tuple(options_of(_parser()))),)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="sortie-cluster simulate", description=_TEXT, epilog=_EXAMPLE, allow_abbrev=False,
                     formatter_class=argparse.RawDescriptionHelpFormatter)
    add_arguments(parser)
    return parser


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--nodes", required=True, metavar="N", help="machines")
    add("--data", required=True, metavar="SIZE", help="input, such as 100T (of 1024^4 bytes) or 100TB (of 1000^4)")
    add("--disk", required=True, metavar="READ,WRITE",
        help="speed of a node's disks together in GB/s (10^9 bytes per second), reading and writing")
    add("--network", required=True, metavar="SPEED", help="of a node, in Gbit/s (10^9 bits per second) each way")
    add("--shard", default="50G", metavar="SIZE", help="largest shard (default: 50G)")
    add("--ranges", metavar="N", help="merges, and parts of the output (default: as many as shards)")
    add("--cores", default="16", metavar="N", help="of a node (default: 16)")
    add("--memory", default="128G", metavar="SIZE", help="of a node, for sorting (default: 128G)")
    add("--tasks", default="1", metavar="N", help="tasks that share a node at a time (default: 1)")
    add("--engine", choices=("cpu", "gpu"), default="cpu", help="gpu: one in each node (default: cpu)")
    add("--files", choices=("node", "shared"), default="node",
        help="where inputs and outputs lie: on the nodes' disks (default) or on a shared file system")
    add("--scratch", choices=("node", "memory", "shared"), default="node",
        help="where runs lie: on the nodes' disks (default), in their memory or on a shared file system")
    add("--shared", metavar="READ,WRITE",
        help="speed of the whole shared file system in GB/s (default: no limit but the nodes' networks)")
    add("--seek", default="0.02", metavar="MS",
        help="milliseconds that a disk takes for a request besides its bytes (default: 0.02; some 8 for a hard disk)")
    add("--latency", default="1", metavar="MS",
        help="milliseconds of a request to another node or to a shared file system (default: 1)")
    add("--samples", default="256", metavar="N", help="that a shard reports for the bounds (default: 256)")
    add("--sampling", choices=("even", "staggered"), default="staggered",
        help="staggered: each shard begins at a place of its own (default); even: at the same places in every shard")
    add("--skew", default="1", metavar="FACTOR",
        help="largest range to the mean, for a key with many records that -u or --count keep together (default: 1)")
    add("--loss", metavar="SECONDS",
        help="when a node is lost, after the start (default: the middles of forming and merging)")


def run(arguments: argparse.Namespace) -> int:
    """Prints a report, and returns 0. Bad arguments are an Error."""
    loss_seconds = None if arguments.loss is None else _number(arguments.loss, "--loss", 0.0)
    lines = list(report(_setup(arguments), loss_seconds))
    print("\n".join(lines))
    return 0


def _setup(arguments: argparse.Namespace) -> Setup:
    disk_read, disk_write = _speeds(arguments.disk, "--disk")
    shared_read, shared_write = math.inf, math.inf
    if arguments.shared is not None:
        if "shared" not in (arguments.files, arguments.scratch):
            raise Error("--shared is for --files=shared or --scratch=shared: nothing lies on a shared file system")
        shared_read, shared_write = _speeds(arguments.shared, "--shared")
    return Setup(
        nodes=_count(arguments.nodes, "--nodes"), data_bytes=parse_size(arguments.data, "--data"),
        shard_bytes=parse_size(arguments.shard, "--shard"), disk_read=disk_read, disk_write=disk_write,
        network=_positive(arguments.network, "--network") * _GBIT, cores=_count(arguments.cores, "--cores"),
        memory_bytes=parse_size(arguments.memory, "--memory"), tasks=_count(arguments.tasks, "--tasks"),
        engine=arguments.engine, files=arguments.files, scratch=arguments.scratch, shared_read=shared_read,
        shared_write=shared_write,
        range_count=0 if arguments.ranges is None else _count(arguments.ranges, "--ranges"),
        seek_seconds=_number(arguments.seek, "--seek", 0.0) / 1000,
        latency_seconds=_number(arguments.latency, "--latency", 0.0) / 1000,
        samples=_count(arguments.samples, "--samples"), sampling=arguments.sampling,
        skew=_number(arguments.skew, "--skew", 1.0))


def _count(text: str, option: str) -> int:
    if not re.fullmatch(r"[0-9]{1,9}", text) or int(text) == 0:
        raise Error(f"invalid value '{text}' for {option}: give a whole number such as 100")
    return int(text)


def _number(text: str, option: str, least: float) -> float:
    number = _parse(text)
    if not least <= number < math.inf:
        raise Error(f"invalid value '{text}' for {option}: give a number, {least:g} or more")
    return number


def _positive(text: str, option: str) -> float:
    number = _parse(text)
    if not 0 < number < math.inf:
        raise Error(f"invalid value '{text}' for {option}: give a number above 0")
    return number


def _parse(text: str) -> float:
    """Not a number where it is none."""
    return float(text) if re.fullmatch(r"[0-9]+(\.[0-9]*)?|\.[0-9]+", text) else math.nan


def _speeds(text: str, option: str) -> tuple[float, float]:
    """The speeds of reading and writing, in bytes per second."""
    parts = text.split(",")
    if len(parts) != 2:
        raise Error(f"invalid value '{text}' for {option}: give the speeds of reading and writing in GB/s, such as 4,2")
    return _positive(parts[0], option) * _GB, _positive(parts[1], option) * _GB
