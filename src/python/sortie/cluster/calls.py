"""The functions of a cluster for Python's callers, whose arguments become what a command line would say."""

import locale as locales
from typing import Any

from .. import ArgumentError
from .._arguments import CATALOGUE, CLUSTER_TABLES, CLUSTERS, FILES, JOINS, takes_options, types_of
from .._report import Listening
from .._sources import output_of
from .._table_parameters import takes_table_options
from .._table_options import ON_CLUSTER, take_options
from ..columns.keys import table_keys
from .arguments import is_join, locale_of_environment, read_sort_options, with_sets_counted
from .commands import check_options
from .file_formats import format_of_inputs, with_format_named
from .job import absolute_path
from .job_plan import Request, for_table, make_request
from .python_arguments import checked_options, checked_output, checked_paths, in_words_of_python, own_words
from .python_options import options_of_names
from .report import ClusterReport, ProgressLine
from .sorting import ClusterOptions, sort_on_cluster
from .table_inputs import files_of_tables, refuse_signed_urls, refuse_tables
from .tables import make_table

_TYPES = types_of(FILES)
_OF_JOBS = ('job: _Path, engine: str = "local", shard: int | str | None = None, ranges: int | None = None, '
            "scratch: _Path | None = None, workers: int | None = None, attempts: int = 3, command: _Path | None = "
            "None, "
            f'address: str = "auto", sort_engine: {_TYPES["engine"]} | None = None, '
            f"trace: {_TYPES['trace']} | None = None")


@takes_options(f"inputs: _Path | Iterable[_Path], output: _Path, *, {_OF_JOBS}, locale: bool = False", CLUSTERS)
def sort_files(inputs: Any, output: Any, options: dict[str, Any]) -> "ClusterReport":
    """Sorts the records of files into one file, or parts ("out/part-{:05d}"), and returns a ClusterReport. A part is a
    range, unless split_by, split, split_size or split_records say where files end: these are the files of one sort.

    job: a directory that keeps all that the job knows, on a disk that every machine sees. Called again with the same
        arguments, a job that was ended goes on.
    engine: "local": processes on this machine; "ray": tasks of Ray at `address`, or of the cluster that the program is
        connected to already.
    shard: what one command forms runs of, in bytes or as "50G"; ranges: how many are merged.
    scratch: "node:DIR" keeps runs on a disk of the node that forms them, in the folder DIR there, in place of the job
        directory. If a node dies, the shards are formed again whose runs it had. With "local" and "ray".
    workers: commands that run at once; attempts: how often a task may fail; command: the sort's, on all machines.
    locale: text follows locale.setlocale(), in place of the order of bytes.
    progress, warn: as sortie.sort_files() takes them; total_bytes are those of the whole job.
    trace: a path for a timeline, with a track for every node.
    sort_engine: "auto", "gpu" or "cpu" for each command.
    The other arguments are as sortie.sort_files() takes them; memory and threads are those of each command.

    The output is that of sortie.sort_files(), byte for byte. It is replaced when all is done: on any error, and after
    Ctrl-C, it is as it was. Raises Error for what cannot be done."""
    with in_words_of_python():
        listening = Listening(options)
        own = own_words(options)
        # Sets are of several inputs.
        options = checked_options({**options, "inputs": checked_paths(inputs)})
        del options["inputs"]
        locale = locales.setlocale(locales.LC_COLLATE) if options.pop("locale", False) else "C"
        words = options_of_names(options)
        paths, target = _paths(inputs, output)
        paths = [absolute_path(output_of(path)) for path in paths]
        refuse_tables([*paths, output_of(target)], words)
        return _run(_request(paths, target, own, words, locale, of_tables=False), own, listening)


# Arguments of sorts that a join makes nothing of.
_OF_SORTS_ALONE = tuple(option["name"] for option in CATALOGUE
                        if option["functions"] & CLUSTERS and not option["functions"] & JOINS)


@takes_options("left: _Path, right: _Path, output: _Path, *, keys: str | Iterable[str], "
               'how: Literal["inner", "left", "right", "full", "anti"] = "inner", '
               "right_keys: str | Iterable[str] | None = None, select: str | None = None, empty: str | None = None, "
               f"{_OF_JOBS}", CLUSTERS, without=_OF_SORTS_ALONE)
def join_files(left: Any, right: Any, output: Any, options: dict[str, Any]) -> "ClusterReport":
    """Joins two files by keys into one file, or parts ("out/part-{:05d}"), and returns a ClusterReport.

    left, right, keys, how, right_keys, select, empty: as sortie.join_files() takes them.
    The other arguments are as sort_files() takes them. All records of a key are joined by one command: those of the
    right file that its memory does not hold go to its scratch directories.

    The output is that of sortie.join_files(), byte for byte."""
    with in_words_of_python():
        listening = Listening(options)
        own = own_words(options)
        words = options_of_names(checked_options(options, sides=[left, right]))
        paths, target = _paths([left, right], output)
        paths = [absolute_path(output_of(path)) for path in paths]
        refuse_tables([*paths, output_of(target)], words)
        return _run(_request(paths, target, own, words, "C", of_tables=False), own, listening)


@takes_table_options(f"inputs: _Path | Iterable[_Path], output: _Path, *, by: Any, {_OF_JOBS}", ON_CLUSTER,
                     CLUSTER_TABLES)
def sort_parquet(inputs: Any, output: Any, by: Any, options: dict[str, Any]) -> "ClusterReport":
    """Sorts the rows of Parquet files into one, or parts ("out/part-{:05d}.parquet"), and returns a ClusterReport.

    inputs: as sortie.sort_parquet() takes them, but for open files and other formats than Parquet: paths, patterns,
        folders, hive-partitioned folders, and objects, which every machine reads with credentials of its own.
    output: a path, the URL of one object, or a folder as sortie.sort_parquet() takes it. A file of a folder ends with a
        range, too, so that there may be more files, with the same rows in the same order.
    by, descending, nulls, null_placement, nulls_last: as sortie.sort_parquet() takes them.
    TABLE OPTIONS
    The other arguments are as sort_files() takes them. A shard is some row groups of a file, by the bytes that they
    have before they are compressed.

    The rows are those of sortie.sort_parquet(), in the same order, with the schema and its metadata; row groups are
    others. Columns of ordered categories are refused, as their order lies in dictionaries, which are not divided. Every
    machine needs the same versions of sortie and pyarrow."""
    with in_words_of_python():
        listening = Listening(options)
        own = own_words(options)
        keys = table_keys(by, options)
        told = take_options(options, ON_CLUSTER)
        words = options_of_names(checked_options(options, for_tables=True))
        paths, target = _paths(inputs, output)
        refuse_signed_urls([*paths, target])
        meant = files_of_tables([absolute_path(output_of(path)) for path in paths])
        request = _request(meant.paths, output_of(target), own, words, "C", of_tables=True)
        return _run(for_table(request, make_table(meant, request.output, keys, told)), own, listening)


def _paths(inputs: Any, output: Any) -> tuple[list[str], str]:
    paths, target = checked_paths(inputs), checked_output(output)
    if not paths:
        raise ArgumentError("inputs is empty: name files")
    for name, values in (("inputs", paths), ("output", [target])):
        if "-" in values:
            raise ArgumentError(f"{name} is \"-\", and standard {name.removesuffix('s')} cannot be divided among "
                                "machines: name files, or \"./-\" for one of that name")
    return paths, target


def _request(paths: list[str], target: str, own: dict[str, str], options: list[tuple[str, str | None]], locale: str, *,
             of_tables: bool) -> Request:
    """paths: absolute, or names of objects."""
    output = absolute_path(target)
    of_files = None if of_tables else format_of_inputs(options, paths, output)
    options = with_format_named(with_sets_counted(options, len(paths)), of_files)
    environment = {**locale_of_environment(), "LC_ALL": locale}
    check_options(own.get("command"), options, environment, None if of_tables else paths[0], output,
                  is_here=own.get("engine", "local") == "local", others=paths[1:] if is_join(options) else ())
    return make_request(paths, output, own, read_sort_options(options), environment, of_files)


def _run(request: Request, own: dict[str, str], listening: Listening) -> ClusterReport:
    listener, end = listening.on_progress, listening.end_bar
    if listener is True:
        line = ProgressLine()
        listener, end = line, lambda is_complete: line.end()

    def warn(report: ClusterReport) -> None:
        for message in report.all_warnings():
            listening.on_warning(message)

    return sort_on_cluster(request, ClusterOptions.of(own), listener, end, warn)
