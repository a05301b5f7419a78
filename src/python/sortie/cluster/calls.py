"""The functions of a cluster for Python's callers."""

import contextlib
import locale as locales
import os
from collections.abc import Iterable
from typing import Any

from .. import Error
from .._listening import listener as progress_listener, warn_caller
from .arguments import SortOptions, locale_of_environment, options_of_names, read_sort_options
from .job import absolute_path
from .job_plan import Request, for_table
from .node_disks import parse_scratch
from .report import ClusterReport, ProgressLine
from .python_arguments import (checked_count, checked_count_or_none, checked_engine, checked_options, checked_output,
                               checked_path, checked_path_or_none, checked_paths, checked_size, checked_trace,
                               checked_word, in_words_of_python)
from .shards import look_at
from .sizes import parse_size
from .sorting import ClusterOptions, sort_on_cluster
from .tables import are_tables, make_table, refuse_tables

_Path = str | bytes | os.PathLike[str] | os.PathLike[bytes]


def sort_files(inputs: _Path | Iterable[_Path], output: _Path, job: _Path, engine: str, shard: int | str | None,
               ranges: int | None, scratch: _Path | None, workers: int | None, attempts: int, command: _Path | None,
               address: str, locale: bool, sort_engine: str | None, progress: Any, trace: _Path | None,
               options: dict[str, Any]) -> ClusterReport:
    """Sorts the records of files into one file, or parts ("out/part-{:05d}"), and returns a ClusterReport.

    job: a directory that keeps all that the job knows, on a disk that every machine sees. Called again with the same
        arguments, a job that was ended goes on.
    engine: "local": processes on this machine; "ray": tasks of Ray at `address`, or of the cluster that the program is
        connected to already.
    shard: what one command forms runs of, in bytes or as "50G"; ranges: how many are merged.
    scratch: "node:DIR" keeps runs on a disk of the node that forms them, in the folder DIR there, in place of the job
        directory. If a node dies, the shards are formed again whose runs it had. With "local" and "ray".
    workers: commands that run at once; attempts: how often a task may fail; command: the sort's, on all machines.
    locale: text follows locale.setlocale(), in place of the order of bytes.
    progress: as sortie.sort_files() takes it; total_bytes are those of the whole job.
    trace: a path for a timeline, with a track for every node.
    sort_engine: "auto", "gpu" or "cpu" for each command.
    The other arguments are as sortie.sort_files() takes them; memory and threads are those of each command.

    The output is that of sortie.sort_files(), byte for byte, but for a shuffle with a seed (CLUSTER.md). It is replaced
    when all is done: on any error, and after Ctrl-C, it is as it was. Raises Error for what cannot be done."""
    with in_words_of_python():
        options = checked_options({**options, "locale": locale, "sort_engine": sort_engine})
        follows_locale = options.pop("locale", False)
        words = options_of_names(options)
        sort = read_sort_options(words)
        request = _request(inputs, output, sort, shard, ranges, scratch,
                           locales.setlocale(locales.LC_COLLATE) if follows_locale else "C")
        refuse_tables(request.inputs, words)
        return _run(request, sort, _cluster_options(job, engine, workers, attempts, command, address, trace), progress)


def sort_parquet(inputs: _Path | Iterable[_Path], output: _Path, by: Any, job: _Path, engine: str,
                 shard: int | str | None, ranges: int | None, scratch: _Path | None, workers: int | None, attempts: int,
                 command: _Path | None, address: str, null_placement: str, row_group_rows: int | None,
                 compression: str | None, sort_engine: str | None, progress: Any, trace: _Path | None,
                 options: dict[str, Any]) -> ClusterReport:
    """Sorts the rows of Parquet files into one, or parts ("out/part-{:05d}.parquet"), and returns a ClusterReport.

    by, null_placement, row_group_rows, compression: as sortie.sort_parquet() takes them.
    The other arguments are as sort_files() takes them. A shard is some row groups of a file, by the bytes that they have
    before they are compressed.

    The rows are those of sortie.sort_parquet(), in the same order, with the schema and its metadata; row groups are
    others. Columns of ordered categories are refused, as their order lies in dictionaries, which are not divided. Every
    machine needs the same versions of sortie and pyarrow."""
    with in_words_of_python():
        sort = read_sort_options(options_of_names(
            checked_options({**options, "sort_engine": sort_engine}, for_tables=True)))
        request = _request(inputs, output, sort, shard, ranges, scratch)
        if not are_tables(request.inputs):
            look_at(request.inputs[0])  # which tells if it cannot be read
            raise Error(f"'{request.inputs[0]}' is no Parquet file: sort it with sort_files()")
        table = make_table(request.inputs, request.output, by, null_placement, row_group_rows, compression)
        request, sort = for_table(request, sort, table)
        return _run(request, sort, _cluster_options(job, engine, workers, attempts, command, address, trace), progress)


def _request(inputs: _Path | Iterable[_Path], output: _Path, sort: SortOptions, shard: int | str | None,
             ranges: int | None, scratch: _Path | None, locale: str = "C") -> Request:
    paths, target, size = checked_paths(inputs), checked_output(output), checked_size(shard, "shard")
    runs = checked_path_or_none(scratch, "scratch")
    if not paths:
        raise ValueError("inputs is empty: name files")
    for name, values in (("inputs", paths), ("output", [target])):
        if "-" in values:
            raise ValueError(f"{name} is \"-\", and standard {name.removesuffix('s')} cannot be divided among machines: "
                             "name files, or \"./-\" for one of that name")
    return Request([absolute_path(path) for path in paths], absolute_path(target),
                   sort.words, {**locale_of_environment(), "LC_ALL": locale}, sort.whole_files,
                   parse_size(str(size), "shard") if size is not None else None,
                   checked_count_or_none(ranges, "ranges"), parse_scratch(runs) if runs is not None else None)


def _cluster_options(job: _Path, engine: str, workers: int | None, attempts: int, command: _Path | None, address: str,
                     trace: _Path | None) -> ClusterOptions:
    slots = checked_count_or_none(workers, "workers")
    return ClusterOptions(checked_path(job, "job"), checked_engine(engine, slots), slots,
                          checked_count(attempts, "attempts"), checked_path_or_none(command, "command"),
                          checked_word(address, "address"), checked_trace(trace))


def _run(request: Request, sort: SortOptions, cluster: ClusterOptions, progress: Any) -> ClusterReport:
    listener, end = progress_listener(progress)
    if listener is True:
        line = ProgressLine()
        listener, end = line, lambda is_complete: line.end()

    def tell(report: ClusterReport) -> None:
        end(True)
        for message in report.all_warnings():
            warn_caller(message)

    try:
        return sort_on_cluster(request, sort, cluster, listener, tell)
    except BaseException:
        with contextlib.suppress(Exception):  # the first exception counts
            end(False)
        raise
