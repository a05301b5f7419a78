"""sort_parquet(): files of tables through a sort, read, sorted and written at the same time."""

from __future__ import annotations

import collections
import concurrent.futures
import contextlib
import itertools
import os
from collections.abc import Generator, Iterable, Iterator, Sequence
from typing import Any, NamedTuple, cast

from .. import _arguments, _logging, _native
from .._arguments import count_of, is_true
from .._errors import ArgumentError, ArgumentTypeError, MissingModuleError

try:
    import pyarrow
except ImportError:
    raise MissingModuleError("sort_parquet() needs pyarrow, which is not installed: pip install 'sortie-sort[parquet]'") from None

from .._files import first_told, naming
from .._report import Assumed, Report, warn_caller, with_files
from .._sources import output_of
from ..columns.keys import NamedKey, TableKey, is_dotted, table_keys
from ..columns.schemas import TypedInput, named_keys, refuse_missing_keys
from ..curves.curve_inputs import CurveInput, on_curve, with_keys_behind
from ..curves.curves import CurveChoice, curve_choice
from ..curves.geo_metadata import BoxColumns, unite_geometries
from ..inputs.input_names import InputName, files_meant, path_of, refuse_found_output, tell_left_out
from ..inputs.joined_batches import batches_of, joined_batches
from ..inputs.one_schema import as_one_table, schema_option
from ..inputs.table_files import format_of, open_input
from ..outputs.folder_rows import FolderForm
from ..outputs.output_request import OutputRequest
from ..outputs.table_writers import TableWriter
from ..parquet.dictionaries import batches_of_values, carried_schema
from ..tables.sort_table import RowSorter
from .keep_rows import Keep, kept_by, parse_keep
from .merge_tables import start_merge
from .rows_left import RowsLeft, refuse_with_merge
from .table_report import TableReport

# Batches that are read before they are sorted.
_READ_AHEAD = 3


class _Request(NamedTuple):
    """The arguments of a call, checked. keep: which rows with equal keys are left. options: those of the sort, and about what it
    tells."""
    how: OutputRequest
    keys: list[TableKey]
    merges: bool
    keep: Keep | None
    curve: CurveChoice | None
    wants_boxes: bool
    is_union: bool
    threads: int
    options: dict[str, Any]


class _Opened(NamedTuple):
    """The inputs as one table. keys: by name. order: columns of what is sorted, in whose order it is."""
    files: Sequence[TypedInput]
    keys: list[NamedKey]
    order: list[TableKey]
    assumed: Assumed


def sort_parquet(inputs: Any, output: Any, by: Any, row_group_rows: Any, compression: Any, merge: Any, keep: Any,
                 curve: Any, curve_by: Any, bounding_boxes: Any, options: dict[str, Any]) -> TableReport:
    kept = parse_keep(keep, options)
    if is_true(merge, "merge"):
        refuse_with_merge(options)
    path = path_of(output_of(output), "output")
    how = OutputRequest(path, row_group_rows, compression, options)
    keys = table_keys(by, options)
    choice = curve_choice(curve, curve_by, options)
    wants_boxes = wanted_boxes(bounding_boxes, path, how)
    threads = options.get("threads")
    threads = len(os.sched_getaffinity(0)) if threads is None else min(count_of(threads, "threads"), _native.most_threads)
    is_union = schema_option(options.pop("schema", None))
    _refuse_together(merge, kept, choice, how)
    request = _Request(how, keys, bool(merge), kept, choice, wants_boxes, is_union, threads, options)
    opened = _open(inputs, request)
    stats_path, warn = options.get("stats_json"), options.get("warn") or warn_caller
    report, form = _sort(opened, request)
    report = with_files(report, form.files, stats_path) if form else report
    report = opened.assumed.tell(report, _logging.heard_warnings(warn), stats_path)
    _logging.log_report("sort_parquet", report)
    return TableReport(report.to_json(), str(report), path, form)


def _open(inputs: Any, request: _Request) -> _Opened:
    """Refuses what cannot be sorted so, before a row is read."""
    how, options = request.how, request.options
    names, left_out = files_meant(inputs)
    refuse_found_output(names, how.path)
    keys = how.sorting_keys(keys_by_name(how.partition_keys, names[0]), keys_by_name(request.keys, names[0]))
    compared = [*keys, *kept_by(request.keep)]
    files = _open_inputs(names, compared, how.stays_text, request.is_union)
    how.refuse_partitions(files[0])
    refuse_missing_keys(files[0], compared)
    for file in files:
        for name, *_ in compared:
            file.refuse_key(name)
    unite_geometries(files)
    boxes = BoxColumns(files[0].schema, files[0].path) if request.wants_boxes else None
    order: list[TableKey] | None = None
    if request.curve is not None:
        files, order = on_curve(files, keys, request.curve, request.threads, boxes)
    elif boxes is not None:
        files = [CurveInput(file, None, boxes) for file in files]
    how.check(files[0], options)
    _arguments.refuse_used_twice(options, [*(file.path for file in files), how.path])
    assumed = Assumed(len(files))
    for file in files:
        file.assumed = assumed
    tell_left_out(left_out, assumed)
    if options.get("strict"):
        assumed.refuse()
    return _Opened(files, keys, _columns_of(keys, files[0]) if order is None else order, assumed)


def _columns_of(keys: Iterable[NamedKey], file: TypedInput) -> list[TableKey]:
    return [(column, falls, nulls_first) for name, falls, nulls_first in keys for column in file.sorted_by(name)]


def _sort(opened: _Opened, request: _Request) -> tuple[Report, FolderForm | None]:
    """Sorts, or merges, and puts the output in its place."""
    how, options, threads = request.how, request.options, request.threads
    files, order, assumed = opened.files, opened.order, opened.assumed
    is_strict = options.get("strict")
    with contextlib.ExitStack() as stack:
        carried = carried_schema(files, how.table_format)
        pushed = files[0].sorted_schema if carried is None else with_keys_behind(carried, files[0])
        batches = iter(()) if request.merges else stack.enter_context(reading_ahead(files, threads))
        if carried is not None:
            batches = itertools.chain.from_iterable(map(batches_of_values, batches, itertools.repeat(pushed)))
        first = next(batches, None)
        left = RowsLeft(options, request.keep, request.merges)
        rows = RowSorter("sort_parquet", order, None, left.of_sort, logs_end=False)
        stack.callback(rows.close)
        # Refuses columns before the output is touched.
        rows.push(pyarrow.RecordBatchReader.from_batches(pushed, []))
        left.prepare(pushed, order, _columns_of(kept_by(request.keep), files[0]))
        merging = start_merge(rows, files, order, carried, threads, options, how.table_format) if request.merges else None
        target = how.open(threads)
        stack.callback(target.discard)
        with naming(target.path, "write"):
            told_keys = [] if request.curve else each_column_once(opened.keys)
            writer = how.make_writer(target, files[0], told_keys, threads, carried)
        stack.callback(writer.stop)
        _push(rows, first, batches)
        if is_strict and merging is None:
            assumed.refuse()
        sorted_rows = stack.enter_context(contextlib.closing(_pulled(rows) if merging is None else merging.batches()))
        with naming(target.path, "write"):
            _write(left.of(sorted_rows), writer, len(files[0].schema))
        if is_strict:
            assumed.refuse()
        report = left.told(rows.report() if merging is None else merging.report())
        target.finish()
        left.write_stats(report)
    return report, how.form(target)


def _refuse_together(merge: Any, kept: Any, choice: Any, how: OutputRequest) -> None:
    """What sorts rows otherwise than by the keys."""
    if choice is not None:
        how.refuse_curve()
    if merge and (choice is not None or how.partition_keys):
        other = "partition_by" if choice is None else "curve"
        raise ArgumentError(f"merge and {other} are incompatible: leave merge out")
    if kept is not None and choice is not None:
        raise ArgumentError("keep and curve are incompatible: rows with equal keys are not next to one another on a curve")


def wanted_boxes(given: Any, path: str, how: OutputRequest) -> bool:
    if given is None or isinstance(given, bool):
        if given and how.table_format != "parquet":
            raise ArgumentError(f"bounding_boxes is for Parquet, and '{path}' is none: let the name of the output end in "
                                ".parquet")
        return bool(given)
    raise ArgumentTypeError(f"bounding_boxes must be True or False, not {type(given).__name__}")


def each_column_once(keys: Iterable[NamedKey]) -> list[NamedKey]:
    """Where a column's values are equal, it cannot decide any more."""
    first: dict[str, NamedKey] = {}
    for key in keys:
        first.setdefault(key[0], key)
    return list(first.values())


def keys_by_name(keys: list[TableKey], first: InputName) -> list[NamedKey]:
    """The keys as named_keys() gives them: positions are those in the first input, with what its folders tell."""
    if all(isinstance(key, str) and not is_dotted(key) for key, *_ in keys):
        return cast("list[NamedKey]", keys)
    schema = open_input(first.path, None, [], False).schema
    for name in [name for name, _ in first.partitions if name not in schema.names]:
        schema = schema.append(pyarrow.field(name, pyarrow.string()))
    return named_keys(schema, keys, first.path)


def open_with_keys(path: str, keys: list[TableKey]) -> tuple[TypedInput, list[TableKey]]:
    """The file, and its columns by which a sort of it into its own format orders. Raises Error for keys that are not there, or
    have no order."""
    name = InputName(path)
    named = keys_by_name(keys, name)
    file, = _open_inputs([name], named, format_of(path) == "csv", False)
    refuse_missing_keys(file, named)
    for key, *_ in named:
        file.refuse_key(key)
    return file, [(column, *how) for key, *how in named for column in file.sorted_by(key)]


def _open_inputs(names: list[InputName], keys: list[NamedKey], stays_text: bool, is_union: bool) -> list[TypedInput]:
    are_csv = all(format_of(name.path) == "csv" for name in names)
    csv_keys = [name for name, *_ in keys] if are_csv else []
    files = []
    types: pyarrow.Schema = None  # of each column, of the first file that tells it: columns of CSV have these
    file: TypedInput | None = None
    held_bytes = 0
    for name in names:
        known = None if is_union else types
        file = open_input(name.path, known, csv_keys, are_csv and stays_text, file, held_bytes)
        files.append(file)
        held_bytes += file.held_bytes
        types = first_told(types, file.types)
    if not is_union:
        files = [file.with_types(types) for file in files]
    return as_one_table(files, [name.partitions for name in names], is_union)


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


def _pulled(rows: RowSorter) -> Generator[pyarrow.RecordBatch, None, None]:
    while (batch := rows.pull()) is not None:
        yield pyarrow.record_batch(batch)
        del batch


def _write(batches: Iterable[pyarrow.RecordBatch], writer: TableWriter, columns: int) -> None:
    """columns: those behind are keys that do not belong to the output."""
    for batch in batches:
        writer.write(batch if batch.num_columns == columns else batch.select(range(columns)))
        del batch
    writer.close()
