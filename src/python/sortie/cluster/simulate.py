"""sortie-cluster simulate: how long a sort would take on machines that are not at hand."""

import argparse
import math
import re
from collections.abc import Sequence
from typing import NoReturn

from .. import Error
from .._command_help import OptionGroup, options_of
from ._simulation_report import report
from ._simulation_setup import Setup
from .sizes import parse_size

_GB, _GBIT = 1e9, 1e9 / 8

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
    """Of reading and writing, in bytes per second."""
    parts = text.split(",")
    if len(parts) != 2:
        raise Error(f"invalid value '{text}' for {option}: give the speeds of reading and writing in GB/s, such as 4,2")
    return _positive(parts[0], option) * _GB, _positive(parts[1], option) * _GB
