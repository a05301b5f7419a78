"""The command sortie-cluster: sorts that are too large for one machine, and how far they are."""

import contextlib
import io
import os
import signal
import sys
from collections.abc import Callable
from types import FrameType

from .. import Error, __version__
from .._arguments import CATALOGUE
from .._commands import CommandHelp, Option, OptionGroup, ended_by, handle_ctrl_c, in_columns
from .._errors import without_controls
from .._sources import output_of
from .._table_options import ON_CLUSTER, options_of
from .arguments import (Arguments, is_join, locale_of_environment, own_count, own_size, parse_size, parse_words,
                        read_sort_options, with_sets_counted)
from .commands import check_options
from .estimate import Speeds, estimate
from .file_formats import format_of_inputs, with_format_named, words_of_plan
from .job import absolute_path
from .job_plan import Request, for_table, local_resources, make_plan, make_request
from .paths import is_in_parts
from .python_arguments import as_options
from .report import ClusterReport, ProgressLine, job_status
from .shards import look_at
from .sorting import ClusterOptions, refuse_unknown_engine, sort_on_cluster
from .table_inputs import refuse_signed_urls
from .table_words import table_among

HELP = CommandHelp(
    name="sortie-cluster",
    purpose="sort files that are too large for one machine",
    forms=("sort --job=DIR -o OUT [OPTION]... FILE...",
           "sort --join=KIND --job=DIR -o OUT [OPTION]... LEFT RIGHT", "status --job=DIR",
           "plan -o OUT [OPTION]... FILE...",
           "simulate --nodes=N --data=SIZE --disk=READ,WRITE --network=SPEED [OPTION]..."),
    description="Sorts files that are too large for one machine by many commands sortie, in shards and then in ranges "
    "of the order. The output is that of one sortie, byte for byte. The options of the sort are those of sortie. "
    "Inputs that are packed, CSV, length-prefixed or of entries are not divided. Small inputs that follow each other "
    "are one shard. With --join two files are joined: all records of a key by one command. Shards of Parquet files are "
    "whole row groups. Times without a year need --year.",
    exit_status="0 if the output is complete, 2 after an error, which leaves the output as it was.",
    environment="LC_ALL, LC_COLLATE, LC_CTYPE, LC_NUMERIC, LC_TIME, LANG: the locale, on all machines.",
    files="The job directory holds the runs and all that is known of the job, as small files of JSON.",
    examples=(
        ("sortie-cluster sort --engine=ray --job=/shared/night --shard=50G -k3,3n -o /shared/out /shared/in/*",
         "as tasks of the cluster of Ray that this machine belongs to"),
        ("sortie-cluster status --job=/shared/night", "how far it is"),
        ("sortie-cluster plan --nodes=8 --disk=4G,2G -o /shared/out /shared/in/*",
         "shards, ranges, scratch space and seconds of such a job"),
    ),
    references=("sortie", "sortie-inspect", "sortie-parquet"),
)

OF_JOBS = OptionGroup("", (
    Option(("--job",), "DIR", "keeps all that the job knows, on a disk that every machine sees; given the same command "
           "again, a job that was ended goes on"),
    Option(("-o",), "OUT", "one file, or parts with a manifest: 'out/part-{:05d}'"),
    Option(("--engine",), "ENGINE", "local (default): processes on this machine; ray: tasks of Ray; slurm: array jobs "
           "of Slurm, with -S; auto, cpu or gpu: for each command"),
    Option(("--address",), "ADDRESS", "of Ray (default: auto, the cluster that this machine belongs to)"),
    Option(("--workers",), "N", "commands that run at once (default: CPUs by --parallel)"),
    Option(("-S",), "SIZE", "memory of each command (default: three quarters of what is available, divided)"),
    Option(("--parallel",), "N", "threads of each command (default: 1; with Ray, as many as the smallest node "
           "has CPUs)"),
    Option(("--shard",), "SIZE", "what one command forms runs of, 50G at most by default"),
    Option(("--ranges",), "N", "ranges that are merged, each by a command (default: as many as inputs fill shards)"),
    Option(("--scratch",), "node:DIR", "keep runs on a disk of the node that forms them, in DIR there (default: in the "
           "job directory)"),
    Option(("--attempts",), "N", "how often a task may fail (default: 3)"),
    Option(("--command",), "FILE", "the command sortie on all machines (default: that of the package)"),
    Option(("--files0-from",), "F", "read the names of inputs from F, each ended by NUL"),
    Option(("--progress",), "WHEN", "auto (default: on a terminal), always or never"),
    Option(("--trace",), "FILE", "write a timeline to FILE, with a track for every node"),
    Option(("--quiet",), "", "print no report in the end"),
    Option(("--help",), "", "show this text"),
))

# Options of the sort that rows take, too, and what stands for their values in the help.
_VALUES_OF_ROWS = {"unique": "", "keep_last": "first|last", "repeated": "", "only_once": "", "top": "N", "strict": ""}
_OF_ROWS = [option for option in CATALOGUE if option["name"] in _VALUES_OF_ROWS]

OF_TABLES = OptionGroup("For Parquet files, whose rows become one Parquet file or parts, 'out/part-{:05d}.parquet', as "
                        "sortie-parquet has it", (
    Option(("--key",), "COLUMN[:asc|:desc][:nulls-first|:nulls-last]", "a column to sort by; the first counts most"),
    Option(("--nulls",), "WHERE", "where nulls of other keys come: first or last (default)"),
    *(Option((option.flag,), option.value, (option.help or option.text).removesuffix("."))
      for option in options_of(ON_CLUSTER)),
    *(Option((f"-{option['short_name']}" if option["short_name"] else f"--{option['long_name']}",),
             _VALUES_OF_ROWS[option["name"]], option["help"]) for option in _OF_ROWS),
))

OF_PLANS = OptionGroup("For plan", (
    Option(("--nodes",), "N", "machines (default: 1)"),
    Option(("--disk",), "READ,WRITE", "speed of the disks of one, such as 4G,2G, in bytes a second (default: 2G,1G)"),
    Option(("--network",), "SPEED", "of the network between files and machines, if it is slower"),
))

OPTIONS = (OF_JOBS, OF_TABLES, OF_PLANS)

# Named above for what they do to a job; they are the sort's, too, and parse_words() gives them to whom they belong.
_SHARED = ("engine", "parallel", "files0-from", "key", *(option["long_name"] for option in _OF_ROWS))


def own_options(*groups: OptionGroup) -> dict[str, str]:
    """Names of the options that are not the sort's: "=" if one takes a value."""
    names = ((option.names[0], option.value) for group in groups for option in group.options)
    return {name[2:]: "=" if value else "" for name, value in names
            if name.startswith("--") and name[2:] not in _SHARED}


def help_text() -> str:
    options = in_columns(OPTIONS, 21)
    return f"{HELP.usage}\n{HELP.introduction}\n\n{options}\n\n{HELP.epilog}\n"


_OWN_OF_TABLES = own_options(OF_TABLES)
_OWN = own_options(OF_JOBS, OF_TABLES)
_OWN_OF_PLAN = own_options(OF_JOBS, OF_TABLES, OF_PLANS)


def _request(arguments: Arguments, *, for_plan: bool = False) -> Request:
    own = arguments.own
    if "output" not in own:
        raise Error("missing -o: say where the output goes")
    _refuse_standard_output(own, "output")
    inputs = [*arguments.inputs, *(_names_in(own["files0-from"]) if "files0-from" in own else ())]
    if not inputs or "-" in inputs:
        raise Error("no inputs are named: standard input cannot be divided among machines" if not inputs else
                    "standard input cannot be divided among machines: name files, or './-' for one of that name")
    refuse_signed_urls([*inputs, own["output"]])
    paths, output = [absolute_path(output_of(path)) for path in inputs], absolute_path(output_of(own["output"]))
    paths, table, options = table_among(arguments, paths, output, _OWN_OF_TABLES)
    of_files = None if table else format_of_inputs(options, paths, output)
    options = with_format_named(with_sets_counted(options, len(paths)), of_files)
    progress = [("progress", own["progress"])] if "progress" in own else []
    check_options(own.get("command"), [*options, *progress], locale_of_environment(), None if table else paths[0],
                  output,
                  is_here=not for_plan and own.get("engine", "local") == "local",
                  others=paths[1:] if is_join(options) else ())
    request = make_request(paths, output, own, read_sort_options(options), locale_of_environment(), of_files)
    return request if table is None else for_table(request, table)


def _names_in(path: str) -> list[str]:
    try:
        with open(path, "rb") if path != "-" else contextlib.nullcontext(sys.stdin.buffer) as file:
            return [os.fsdecode(name) for name in file.read().split(b"\0") if name]
    except OSError as error:
        raise Error(f"cannot read '{path}': {error.strerror}") from None


def _sort(arguments: Arguments) -> None:
    own = arguments.own
    _refuse_standard_output(own, "trace")
    request = _request(arguments)
    cluster = ClusterOptions.of({**own, "job": _job_of(own)})
    line = ProgressLine() if _wants_progress(own.get("progress", "auto")) else None

    def end(is_complete: bool) -> None:
        if line is not None:
            line.end()

    def warn(report: ClusterReport) -> None:
        for message in report.all_warnings(as_options):
            _say(f"sortie-cluster: warning: {message}\n")

    report = sort_on_cluster(request, cluster, line, end, warn)
    if "quiet" not in own:
        _say(str(report))


def _say(text: str) -> None:
    """Whoever reads messages may be gone: then nothing is said from now on, and what Python still holds of it goes
    nowhere at the end."""
    try:
        print(text, end="", file=sys.stderr, flush=True)
    except OSError:
        with contextlib.suppress(OSError):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, sys.stderr.fileno())
            os.close(nowhere)


def _refuse_standard_output(own: dict[str, str], name: str) -> None:
    if own.get(name) == "-":
        raise Error(f"--{name} is '-', and standard output is no place for it: name a file, or './-' for "
                    "one of that name")


def _wants_progress(when: str) -> bool:
    return when == "always" or (when == "auto" and sys.stderr.isatty())


def _job_of(own: dict[str, str]) -> str:
    if not own.get("job"):
        raise Error("missing --job: name a directory on a disk that every machine sees")
    return own["job"]


def _status(arguments: Arguments) -> None:
    if arguments.inputs or arguments.sort or set(arguments.own) != {"job"}:
        raise Error("status takes --job=DIR, and nothing else")
    print(job_status(_job_of(arguments.own)), end="")


def _plan(arguments: Arguments) -> None:
    own = arguments.own
    refuse_unknown_engine(ClusterOptions.of({"job": "", **own}))
    request = _request(arguments, for_plan=True)
    nodes = own_count(own, "nodes") or 1
    here = local_resources(own_count(own, "workers"), request.sort.memory_bytes, request.sort.threads)
    plan = make_plan(request, here._replace(slots=here.slots * nodes))
    read, comma, write = own.get("disk", "2G,1G").partition(",")
    speeds = Speeds(parse_size(read, "--disk"), parse_size(write if comma else read, "--disk"),
                    own_size(own, "network"))
    print(estimate(plan, nodes, speeds, here.slots if request.scratch is not None else None,
                   is_copied=not request.sort.sizes_are_known and not is_in_parts(request.output),
                   later_sorts=request.sort.later_sorts, counted_bytes=_counted_bytes(request),
                   cuts_by_key=request.sort.cuts_by_key if request.sort.cuts else None)
          ._replace(of_format=words_of_plan(request.of_files)), end="")


def _counted_bytes(request: Request) -> int:
    """Bytes of packed inputs with others behind them, where exact places of records decide (places.py)."""
    if not request.sort.goes_by_places or request.table is not None:
        return 0
    return sum(item.bytes for item in map(look_at, request.inputs[:-1]) if item.is_packed)


_COMMANDS: dict[str, tuple[Callable[[Arguments], None], dict[str, str]]] = {
    "sort": (_sort, _OWN), "status": (_status, _OWN), "plan": (_plan, _OWN_OF_PLAN)}


def _run(words: list[str]) -> None:
    if words[:1] == ["--version"]:
        print(f"sortie-cluster {__version__}")
        return
    if words[:1] in ([], ["--help"], ["-h"]):
        print(help_text(), end="")
        return
    if words[0] == "simulate":
        from .simulate import simulate_words
        simulate_words(words[1:])
        return
    if words[0] not in _COMMANDS:
        raise Error(f"unknown command '{words[0]}': known are {', '.join(_COMMANDS)}, simulate; try "
                    "'sortie-cluster --help'")
    run, own_options = _COMMANDS[words[0]]
    arguments = parse_words(words[1:], own_options)
    if "help" in arguments.own:
        print(help_text(), end="")
    else:
        run(arguments)


class _Ended(KeyboardInterrupt):
    """A signal has ended the driver, whose number is the argument."""


def _end(number: int, frame: FrameType | None) -> None:
    raise _Ended(number)


def _handle_signals() -> None:
    """Whoever ends the driver finds its commands ended, too. What is ignored, as nohup has it, stays so."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, _end)


def main() -> None:
    _handle_signals()
    if sys.stderr is None:
        # It was closed by whoever started the command.
        sys.stderr = open(os.devnull, "w", encoding="ascii", errors="replace")
    if isinstance(sys.stdout, io.TextIOWrapper):
        # Names of files are printed as they are.
        sys.stdout.reconfigure(errors="surrogateescape")
    try:
        handle_ctrl_c()
        _run(sys.argv[1:])
    except KeyboardInterrupt as error:
        number = error.args[0] if isinstance(error, _Ended) else signal.SIGINT
        with contextlib.suppress(OSError):
            for note in getattr(error, "__notes__", ()):
                print(f"sortie-cluster: {without_controls(note)}", file=sys.stderr)
        ended_by(number)
    except (Error, OSError, ValueError) as error:
        print(f"sortie-cluster: {without_controls(str(error))}", file=sys.stderr)
        sys.exit(2)
