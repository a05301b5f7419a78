"""sort_parquet(): files of tables through a sort, read, sorted and written at the same time; or through a merge."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Generator, Iterable, Mapping
from typing import Any, NamedTuple, Self

from .. import _logging, _native
from .._arguments import threads_of
from .._errors import ArgumentError, MissingModuleError

try:
    import pyarrow
except ImportError:
    raise MissingModuleError("sort_parquet() needs pyarrow, which is not installed: pip install "
                             "'sortie-sort[parquet]'") from None

from .._files import naming
from .._outputs import FolderOutput, OutputFile
from .._report import Listening, Report, warn_caller, with_files
from .._sources import output_of
from .._table_options import SORT_PARQUET, take_options
from ..columns.keys import each_column_once, keep_of, keys_unless_shuffled
from ..columns.row_bytes import bytes_held, bytes_of_rows, whole_numbers
from ..columns.schemas import TypedInput
from ..curves.curve_inputs import with_keys_behind
from ..curves.curves import curve_choice
from ..inputs.input_names import path_of
from ..inputs.joined_batches import reading_ahead
from ..outputs.folder_rows import FolderForm
from ..outputs.output_request import OutputRequest
from ..outputs.table_writers import TableWriter
from ..parquet.dictionaries import batches_of_values, carried_schema
from ..parquet.parquet_writer import ParquetWriter
from ..parquet.stored_groups import StoredGroup
from ..tables.rows_left import RowsLeft
from ..tables.sort_table import RowSorter
from .merge_inputs import Rows
from .merge_tables import start_merge
from .open_tables import OpenTables, Wanted, open_tables
from .replaced_input import ReplacedInput
from .table_report import TableReport


class _Request(NamedTuple):
    """The arguments of a call, checked. options: those of the sort, and about what it tells."""
    output: OutputRequest
    wanted: Wanted
    is_merge: bool
    options: dict[str, Any]


def sort_parquet(inputs: Any, output: Any, by: Any, options: dict[str, Any]) -> TableReport:
    request = _requested(output, by, options)
    replaced = ReplacedInput(request.output.path)
    tables = open_tables(inputs, request.wanted, request.output, options)
    replaced.look_for(file.path for file in tables.files)
    report, form = _sort(tables, request, replaced)
    return _told(report, form, tables, request)


def _requested(output: Any, by: Any, options: dict[str, Any]) -> _Request:
    """Resolves the arguments. Raises Error for what they cannot mean, before a file is looked at."""
    told = take_options(options, SORT_PARQUET)
    to = OutputRequest(path_of(output_of(output), "output"), told)
    if told.bounding_boxes and to.table_format != "parquet":
        raise ArgumentError(f"bounding_boxes is for Parquet, and '{to.path}' is none: let the name of the output end "
                            "in .parquet")
    keys = keys_unless_shuffled(by, told.shuffle, options)
    wanted = Wanted(keys, told.shuffle, keep_of(told.keep, options), curve_choice(told.curve, told.curve_by, options),
                    bool(told.bounding_boxes), told.schema == "union", threads_of(options),
                    _native.memory_of({"memory": options.get("memory")}))
    return _Request(to, wanted, told.merge, options)


def _sort(tables: OpenTables, request: _Request, replaced: ReplacedInput) -> tuple[Report, FolderForm | None]:
    """Brings the rows in order, writes them, and puts the output in its place. Until then that is as it was."""
    with contextlib.ExitStack() as stack:
        left = RowsLeft(request.options, request.wanted.keep, request.is_merge)
        columns = _Columns.of(tables, request.output.table_format)
        how: type[_Merge | _Sort] = _Merge if request.is_merge else _Sort
        source = how(tables, columns, left, request, stack)
        target, writer = _begun_output(tables, columns, request, stack)
        in_order = stack.enter_context(contextlib.closing(source.in_order(writer)))
        with naming(target.path, "write"):
            _write(left.of(in_order), writer, len(tables.files[0].schema))
        if request.options.get("strict"):
            tables.assumed.refuse()
        report = left.told(source.report())
        replaced.refuse_changed()
        target.finish()
        left.write_stats(report)
    return report, request.output.form(target)


def _told(report: Report, form: FolderForm | None, tables: OpenTables, request: _Request) -> TableReport:
    options = request.options
    stats_path, warn = options.get("stats_json"), options.get("warn") or warn_caller
    report = with_files(report, form.files, stats_path) if form else report
    report = tables.assumed.tell(report, _logging.heard_warnings(warn), stats_path)
    _logging.log_report("sort_parquet", report)
    is_json = form is None and request.output.table_format == "json"
    schema = tables.files[0].schema.serialize().to_pybytes() if is_json else None
    return TableReport(report.to_json(), str(report), request.output.path, form, schema=schema)


class _Columns(NamedTuple):
    """carried: of the rows on their way, None if these are the columns of the output. read: with those of keys behind.
    pushed: with those of a shuffle behind all."""
    carried: pyarrow.Schema | None
    read: pyarrow.Schema
    pushed: pyarrow.Schema

    @classmethod
    def of(cls, tables: OpenTables, table_format: str) -> Self:
        first = tables.files[0]
        carried = carried_schema(tables.files, table_format)
        read = first.sorted_schema if carried is None else with_keys_behind(carried, first)
        return cls(carried, read, read if tables.shuffle is None else tables.shuffle.behind(read))


class _Sort:
    """The rows of all files, read by a thread as long as the stack is open, and sorted when all are read."""

    def __init__(self, tables: OpenTables, columns: _Columns, left: RowsLeft, request: _Request,
                 stack: contextlib.ExitStack) -> None:
        """Raises Error for columns that cannot be sorted, and for damage at the begin of the files."""
        batches = stack.enter_context(reading_ahead(tables.files, request.wanted.threads))
        if columns.carried is not None:
            batches = itertools.chain.from_iterable(map(batches_of_values, batches, itertools.repeat(columns.read)))
        if tables.shuffle is not None:
            batches = tables.shuffle.put_behind_all(batches)
        self._first, self._batches = next(batches, None), batches
        self._rows = _begun_sort(tables, columns, left, _beside_reading(left.of_sort, tables.files,
                                                                        request.wanted.memory),
                                 stack, _expected_bytes(tables.files, self._first))
        self._refuse = tables.assumed.refuse if request.options.get("strict") else None

    def in_order(self, _: TableWriter) -> Generator[Rows, None, None]:
        first, self._first = self._first, None
        _push(self._rows, first, self._batches)
        if self._refuse is not None:
            self._refuse()
        return _pulled(self._rows)

    def report(self) -> Report:
        report: Report = self._rows.report()
        return report


class _Merge:
    """The rows of files that are in order each, merged as they are read."""

    def __init__(self, tables: OpenTables, columns: _Columns, left: RowsLeft, request: _Request,
                 stack: contextlib.ExitStack) -> None:
        """Raises Error for columns that cannot be merged."""
        # The sort gets no rows here, and tells nobody of itself.
        unheard = {name: value for name, value in left.of_sort.items() if name not in ("progress", "warn")}
        rows = _begun_sort(tables, columns, left, unheard, stack)
        self._merge = start_merge(rows, tables.files, tables.order, columns.carried, request.wanted.threads,
                                  request.options, request.output.table_format)
        self._options, self._moves_groups = request.options, left.are_all

    def in_order(self, writer: TableWriter) -> Generator[Rows, None, None]:
        return _watched(self._merge.batches(writer if self._moves_groups else None), self._options)

    def report(self) -> Report:
        return self._merge.report()


def _beside_reading(options: Mapping[str, Any], files: Iterable[TypedInput], memory: int) -> dict[str, Any]:
    """Options of the sort, which gets the memory that the reading of no file claims. memory: 0 if it is not told."""
    claimed_bytes = max(file.claimed_bytes for file in files)
    return {**options, "memory": memory - claimed_bytes} if memory and claimed_bytes else dict(options)


def _begun_sort(tables: OpenTables, columns: _Columns, left: RowsLeft, options: dict[str, Any],
                stack: contextlib.ExitStack, expected_bytes: int = 0) -> RowSorter:
    """A sort that knows the columns, and has refused those that it cannot take. expected_bytes: of all rows, about; 0
    if unknown."""
    rows = RowSorter("sort_parquet", tables.order, None, options, logs_end=False)
    stack.callback(rows.close)
    rows.expect_bytes(expected_bytes)
    rows.push(pyarrow.RecordBatchReader.from_batches(columns.pushed, []))
    left.prepare(columns.pushed, tables.order, tables.kept_by)
    return rows


_MOST_EXPECTED_BYTES = 1 << 50  # a damaged footer may tell anything, and is refused later


def _expected_bytes(files: Iterable[TypedInput], first: pyarrow.RecordBatch | None) -> int:
    """Of the rows of all files, if these are as the first ones; 0 if it is not known how many there are."""
    groups = [file.group_rows() for file in files]
    if first is None or not first.num_rows or None in groups:
        return 0
    rows = sum(itertools.chain.from_iterable(rows for rows in groups if rows))
    bytes_of_first = sum(map(_record_bytes, first.columns))
    return min(int(rows * bytes_of_first / first.num_rows), _MOST_EXPECTED_BYTES)


def _record_bytes(column: pyarrow.Array) -> float:
    """What the rows of a column take in records, which hold the words that a dictionary has once."""
    if not pyarrow.types.is_dictionary(column.type):
        return float(bytes_of_rows(column).sum())
    places = whole_numbers(column.indices.drop_null())
    return float(bytes_of_rows(column.dictionary)[places].sum())


def _begun_output(tables: OpenTables, columns: _Columns, request: _Request,
                  stack: contextlib.ExitStack) -> tuple[OutputFile | FolderOutput, TableWriter]:
    """What is left as it was, unless it is finished."""
    threads = request.wanted.threads
    target = request.output.open(threads, request.options.get("scratch"))
    stack.callback(target.discard)
    with naming(target.path, "write"):
        # No order of columns is that of a curve, nor of a shuffle, which has no keys.
        told_keys = [] if request.wanted.curve else each_column_once(tables.keys)
        writer = request.output.make_writer(target, tables.files[0], told_keys, threads, columns.carried)
    stack.callback(writer.stop)
    return target, writer


def _watched(batches: Generator[Rows, None, None], options: dict[str, Any]) -> Generator[Rows, None, None]:
    """The batches of a merge, of which whoever listens to progress hears. How many bytes are to come is not known."""
    with Listening(dict(options)) as listening, contextlib.closing(batches):
        done_bytes = 0
        for batch in batches:
            listening.tell("merging", done_bytes, 0)
            done_bytes += bytes_held(batch)
            yield batch
            del batch
        listening.tell("merging", done_bytes or 1, done_bytes or 1, is_last=True)


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


def _write(batches: Iterable[Rows], writer: TableWriter, columns: int) -> None:
    """columns: those behind are keys that do not belong to the output."""
    for batch in batches:
        if isinstance(batch, StoredGroup):
            assert isinstance(writer, ParquetWriter)
            writer.move(batch)
            continue
        writer.write(batch if batch.num_columns == columns else batch.select(range(columns)))
        del batch
    writer.close()
