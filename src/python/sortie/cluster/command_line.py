"""The command sortie-cluster: sorts that are too large for one machine, and how far they are."""

import contextlib
import io
import os
import signal
import sys
from collections.abc import Callable
from types import FrameType

from .. import Error, __version__
from .._errors import without_controls
from .._start import handle_ctrl_c
from .arguments import (Arguments, SortOptions, locale_of_environment, own_count, own_size, parse_words,
                        read_sort_options)
from .command_help import OF_JOBS, OF_PLANS, OF_TABLES, help_text, own_options
from .report import ClusterReport, ProgressLine, Speeds, estimate, job_status
from .job import absolute_path
from .job_plan import Request, for_table, make_plan, make_request
from .machine import local_resources
from .python_arguments import as_options
from .sizes import parse_size
from .sorting import ClusterOptions, sort_on_cluster
from .tables import TableRequest, are_tables, table_of_words, words_of_table

_OWN_OF_TABLES = own_options(OF_TABLES)
_OWN = own_options(OF_JOBS, OF_TABLES)
_OWN_OF_PLAN = own_options(OF_JOBS, OF_TABLES, OF_PLANS)


def _request(arguments: Arguments) -> tuple[Request, SortOptions]:
    own = arguments.own
    if "output" not in own:
        raise Error("missing -o: say where the output goes")
    _refuse_standard_output(own, "output")
    inputs = [*arguments.inputs, *(_names_in(own["files0-from"]) if "files0-from" in own else ())]
    if not inputs or "-" in inputs:
        raise Error("no inputs are named: standard input cannot be divided among machines" if not inputs else
                    "standard input cannot be divided among machines: name files, or './-' for one of that name")
    paths, output = [absolute_path(path) for path in inputs], absolute_path(own["output"])
    table, options = _table_among(arguments, paths, output)
    sort = read_sort_options(options)
    request = make_request(paths, output, own, sort, locale_of_environment())
    return (request, sort) if table is None else for_table(request, sort, table)


def _table_among(arguments: Arguments, paths: list[str],
                 output: str) -> tuple[TableRequest | None, list[tuple[str, str | None]]]:
    """What is asked for if the inputs are Parquet files, and the options of the sort."""
    own = arguments.own
    if not are_tables(paths, arguments.sort):
        for name in _OWN_OF_TABLES:
            if name in own:
                raise Error(f"--{name} is for Parquet files, and the inputs are none")
        return None, arguments.sort
    keys, options = words_of_table(arguments.sort)
    return table_of_words(paths, output, keys, own.get("nulls", "last"), own_count(own, "row-group-rows"),
                          own.get("compression")), options


def _names_in(path: str) -> list[str]:
    try:
        with open(path, "rb") if path != "-" else contextlib.nullcontext(sys.stdin.buffer) as file:
            return [os.fsdecode(name) for name in file.read().split(b"\0") if name]
    except OSError as error:
        raise Error(f"cannot read '{path}': {error.strerror}") from None


def _sort(arguments: Arguments) -> None:
    own = arguments.own
    _refuse_standard_output(own, "trace")
    request, sort = _request(arguments)
    cluster = ClusterOptions.of({**own, "job": _job_of(own)})
    line = ProgressLine() if _wants_progress(own.get("progress", "auto")) else None

    def end_line() -> None:
        if line is not None:
            line.end()

    def tell(report: ClusterReport) -> None:
        end_line()
        for message in report.all_warnings(as_options):
            _say(f"sortie-cluster: warning: {message}\n")

    try:
        report = sort_on_cluster(request, sort, cluster, line, tell)
    except BaseException:
        end_line()
        raise
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
    if when not in ("auto", "always", "never"):
        raise Error(f"invalid value '{when}' for --progress: known are auto, always, never")
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
    request, sort = _request(arguments)
    nodes = own_count(own, "nodes") or 1
    here = local_resources(own_count(own, "workers"), sort.memory_bytes, sort.threads)
    plan = make_plan(request, here._replace(slots=here.slots * nodes), sort.keeps_few)
    read, comma, write = own.get("disk", "2G,1G").partition(",")
    speeds = Speeds(parse_size(read, "--disk"), parse_size(write if comma else read, "--disk"),
                    own_size(own, "network"))
    print(estimate(plan, nodes, speeds, here.slots if request.scratch is not None else None), end="")


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
        # Shells want to know which signal it was.
        number = error.args[0] if isinstance(error, _Ended) else signal.SIGINT
        with contextlib.suppress(OSError):
            for note in getattr(error, "__notes__", ()):
                print(f"sortie-cluster: {without_controls(note)}", file=sys.stderr)
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
    except (Error, OSError, ValueError) as error:
        print(f"sortie-cluster: {without_controls(str(error))}", file=sys.stderr)
        sys.exit(2)
