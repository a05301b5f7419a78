"""sort_parquet(): files of tables through a sort, read, sorted and written at the same time."""

from __future__ import annotations

import collections
import concurrent.futures
import contextlib
import itertools
import os
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, cast

from . import Error, _arguments, _logging, _native
from ._errors import MissingModuleError
from ._arguments import count_of

try:
    import pyarrow
except ImportError:
    raise MissingModuleError("sort_parquet() needs pyarrow, which is not installed: pip install 'sortie-sort[parquet]'") from None

from ._files import OutputFile, first_told, naming
from ._dictionaries import batches_of_values, carried_schema
from ._joined_batches import batches_of, joined_batches
from ._keys import NamedKey, TableKey, table_keys
from ._report import Assumed, warn_caller
from ._schemas import TypedInput, named_keys, refuse_missing_keys, unify
from ._table_files import format_of, open_input
from ._table_report import TableReport
from ._table_writers import TableWriter, make_writer, refuse_types, writer_options
from ._tables import RowSorter

# Batches that are read before they are sorted.
_READ_AHEAD = 3


def sort_parquet(inputs: Any, output: Any, by: Any, row_group_rows: Any, compression: Any,
                 options: dict[str, Any]) -> TableReport:
    path = _path_of(output, "output")
    how = writer_options(path, row_group_rows, compression)
    given_keys = table_keys(by, options)
    threads = options.get("threads")
    threads = len(os.sched_getaffinity(0)) if threads is None else min(count_of(threads, "threads"), _native.most_threads)
    paths = _input_paths(inputs)
    keys = _named_keys(given_keys, paths[0])
    files = _open_inputs(paths, keys, how.table_format)
    refuse_missing_keys(files[0], keys)
    for file in files:
        for name, *_ in keys:
            file.refuse_key(name)
    refuse_types(files[0].schema, path, how.table_format)
    _arguments.refuse_used_twice(options, [*(file.path for file in files), path])
    assumed = Assumed(len(files))
    for file in files:
        file.assumed = assumed
    with contextlib.ExitStack() as stack:
        carried = carried_schema(files, how.table_format)
        batches = stack.enter_context(reading_ahead(files, threads))
        if carried is not None:
            batches = itertools.chain.from_iterable(map(batches_of_values, batches, itertools.repeat(carried)))
        first = next(batches, None)
        order: list[TableKey] = [(column, falls, nulls_first) for name, falls, nulls_first in keys
                                 for column in files[0].sorted_by(name)]
        is_strict, stats_path, warn = options.get("strict"), options.get("stats_json"), options.get("warn") or warn_caller
        rows = RowSorter("sort_parquet", order, None, options)
        stack.callback(rows.close)
        # Refuses columns before the output is touched.
        rows.push(pyarrow.RecordBatchReader.from_batches(carried or files[0].sorted_schema, []))
        target = OutputFile(path, threads)
        stack.callback(target.discard)
        with naming(target.path, "write"):
            writer = make_writer(target, files[0], each_column_once(keys), threads, how, carried)
        stack.callback(writer.stop)
        _push(rows, first, batches)
        if is_strict:
            assumed.refuse()
        with naming(target.path, "write"):
            _write(rows, writer, len(files[0].schema))
        report = rows.report()
        target.finish()
    report = assumed.tell(report, _logging.heard_warnings(warn), stats_path)
    _logging.log_report("sort_parquet", report)
    return TableReport(report.to_json(), str(report), path)


def _path_of(given: Any, argument: str) -> str:
    path = os.fsdecode(_arguments.one_path(given, argument))
    if path == "-":
        stream = "standard output" if argument == "output" else "standard input"
        raise Error(f"{argument} is '-', {stream}, which has no suffix to tell the format: name a file")
    return path


def each_column_once(keys: Iterable[NamedKey]) -> list[NamedKey]:
    """Where a column's values are equal, it cannot decide any more."""
    first: dict[str, NamedKey] = {}
    for key in keys:
        first.setdefault(key[0], key)
    return list(first.values())


def _input_paths(inputs: Any) -> list[str]:
    named = _arguments.named(inputs, "files")
    return [_path_of(path, "inputs") for path in (named if isinstance(named, list) else [named])]


def _named_keys(keys: list[TableKey], path: str) -> list[NamedKey]:
    """The keys with names in place of positions. path: of the first input."""
    if all(isinstance(key, str) for key, *_ in keys):
        return cast("list[NamedKey]", keys)
    return named_keys(open_input(path, None, [], False).schema, keys, path)


def _open_inputs(paths: list[str], keys: list[NamedKey], output_format: str) -> list[TypedInput]:
    are_csv = all(format_of(path) == "csv" for path in paths)
    csv_keys = [name for name, *_ in keys] if are_csv else []
    files = []
    types = None  # of each column, of the first file that tells it: columns of CSV have these
    file: TypedInput | None = None
    held_bytes = 0
    for path in paths:
        file = open_input(path, types, csv_keys, are_csv and output_format == "csv", file, held_bytes)
        files.append(file)
        held_bytes += file.held_bytes
        types = first_told(types, file.types)
    files = [file.with_types(types) for file in files]
    unify(files)
    return files


@contextlib.contextmanager
def reading_ahead(files: Sequence[TypedInput], threads: int) -> Iterator[Iterator[pyarrow.RecordBatch]]:
    """An iterator over the batches of all files, which a thread reads ahead."""
    batches = joined_batches(batches_of(files, use_threads=threads > 1))
    with concurrent.futures.ThreadPoolExecutor(1, "sortie-reader") as pool:
        yield _read_by(pool, batches)


def _read_by(pool: concurrent.futures.Executor,
             batches: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
    ahead = collections.deque(pool.submit(next, batches, None) for _ in range(_READ_AHEAD))
    while (batch := ahead.popleft().result()) is not None:
        ahead.append(pool.submit(next, batches, None))
        yield batch
        del batch


def _push(rows: RowSorter, first: pyarrow.RecordBatch | None, batches: Iterable[pyarrow.RecordBatch]) -> None:
    if first is not None:
        rows.push(first)
    del first
    for batch in batches:
        rows.push(batch)
        del batch
    # What reading held is not needed any more.
    pyarrow.default_memory_pool().release_unused()
    _native.trim_memory()


def _write(rows: RowSorter, writer: TableWriter, columns: int) -> None:
    """columns: those behind are keys that do not belong to the output."""
    while (batch := rows.pull()) is not None:
        batch = pyarrow.record_batch(batch)
        writer.write(batch if batch.num_columns == columns else batch.select(range(columns)))
        del batch
    writer.close()
