"""sort_parquet(merge=True): files that are in order each become one, as they are read. Row groups into which no row of
another file belongs are moved as they are, where they look as the output is to look."""

from __future__ import annotations

import concurrent.futures
import contextlib
import itertools
import json
import time
from collections.abc import Generator, Iterator, Sequence
from typing import Any

import pyarrow
import pyarrow.ipc

from .. import Error
from .._arguments import count_of
from .._errors import shortened
from .._report import Report, say_count, say_size
from .._scratch_files import nameless_file, scratch_error
from .._thread_pools import DaemonPool
from ..columns.keys import TableKey
from ..columns.ordered_keys import KeyEncoder
from ..columns.row_bytes import bytes_held
from ..columns.row_taking import refuse_if_not_taken, type_without_runs
from ..columns.schemas import TypedInput
from ..outputs.table_writers import TableWriter
from ..parquet.dictionaries import batches_of_values, has_dictionary
from ..parquet.parquet_input import ParquetInput
from ..parquet.parquet_writer import ParquetWriter
from ..parquet.stored_groups import StoredGroup
from ..tables.sort_table import RowSorter
from .merge_groups import GroupReader, movable_groups
from .merge_inputs import Batches, Look, MergeInput, Rows
from .merge_memory import fitting_inputs
from .merge_windows import RowTaker, by_first_key, merged

# Bytes of a batch in a file between passes.
_RUN_BATCH_BYTES = 256 << 10


def start_merge(rows: RowSorter, files: Sequence[TypedInput], keys: Sequence[TableKey], carried: pyarrow.Schema | None,
                threads: int, options: dict[str, Any], table_format: str) -> Merge:
    """rows: a sort that has no rows, and gets none. options: of the call. table_format: of the output."""
    rows.pull()
    schema = carried or files[0].schema
    if table_format == "arrow" and any(map(has_dictionary, schema.types)):
        name = next(field.name for field in schema if has_dictionary(field.type))
        raise Error(f"column '{name}' has dictionaries, of which an Arrow file holds one for all rows, so that it is "
                    "not merged into one: sort the files instead, or let the name of the output end in .parquet")
    fan_in = options.get("merge_fan_in")
    return Merge(files, keys, carried, rows.report(), None if fan_in is None else count_of(fan_in, "merge_fan_in"),
                 options.get("scratch"), threads)


class Merge:
    """passes: of all rows through a file, before the one that gives them. rows: that have come."""

    def __init__(self, files: Sequence[TypedInput], keys: Sequence[TableKey], carried: pyarrow.Schema | None,
                 of_sort: Report, most_inputs: int | None, scratch: Any, threads: int) -> None:
        """keys: columns of the files' sorted_schema. carried: the schema of the rows, None for that. of_sort: a report
        of a sort of no rows. most_inputs: that are merged at once, None for as many as fit into memory."""
        self._schema = carried or files[0].sorted_schema
        for field in self._schema:
            if type_without_runs(field.type) != field.type:
                raise Error(f"column '{field.name}' is of type {shortened(field.type)}, whose runs cannot be merged: "
                            "sort the files instead, or cast the column")
            refuse_if_not_taken(f"column '{field.name}'", field.type)
        self._files, self._keys, self._carried = files, keys, carried
        self._scratch, self._threads = scratch, threads
        self._of_sort = of_sort
        self._taker = RowTaker(self._schema, of_sort.memory_budget_bytes)
        fitting = fitting_inputs(files, keys, of_sort.memory_budget_bytes)
        self._most_inputs = max(2, fitting if most_inputs is None else min(fitting, most_inputs))
        # A row group that is looked at takes as much memory as an input.
        self._checkers = max(1, min(threads, fitting - len(files) + 1))
        self._passes = self._windows = self._rows = self._bytes = 0
        self._writer: ParquetWriter | None = None  # into which row groups are moved
        self._begin, self._started = time.perf_counter(), 0.0

    def batches(self, writer: TableWriter | None = None) -> Generator[Rows, None, None]:
        """The rows in order. writer: of the output, if all of them go there; one of Parquet gets StoredGroups to
        move."""
        with contextlib.ExitStack() as stack:
            pool = stack.enter_context(DaemonPool(1, "sortie-reader"))
            encoder = KeyEncoder(self._schema, self._keys)
            reader = stack.enter_context(GroupReader(self._schema, self._keys, self._checkers))
            inputs = [self._input_of(number, file, groups, reader, encoder, pool)
                      for number, (file, groups) in enumerate(zip(self._files, self._groups_for(writer)))]
            inputs = [source for source in inputs if source.first_key is not None]
            while len(inputs) > self._most_inputs:
                groups = [inputs[i:i + self._most_inputs] for i in range(0, len(inputs), self._most_inputs)]
                inputs = [group[0] if len(group) == 1 else self._run_of(group, number, encoder, pool, stack)
                          for number, group in enumerate(groups)]
                self._passes += 1
            for number, source in enumerate(inputs):
                source.number = number
            self._started = time.perf_counter() - self._begin
            for batch in merged(inputs, pool, self._taker):
                self._windows += 1
                self._rows += batch.num_rows
                self._bytes += bytes_held(batch)
                yield batch
                del batch

    def report(self) -> Report:
        """Once all rows have come."""
        seconds = time.perf_counter() - self._begin
        moved = 0 if self._writer is None else self._writer.moved_groups
        told = {"engine_reason": "files that are in order are merged as they are read", "checksum": "",
                  "input_records": self._rows, "input_bytes": self._bytes, "output_records": self._rows,
                  "output_bytes": self._bytes, "runs": len(self._files), "merge_passes": self._passes + 1,
                  "windows": self._windows, "moved_row_groups": moved, "elapsed_seconds": seconds,
                  "start_seconds": self._started,
                  "formation_seconds": 0.0, "merge_seconds": seconds - self._started, "resources": [], "stages": [],
                  "phases": [{"name": name, "seconds": of_it, "resources": []} for name, of_it in
                             (("starting", self._started), ("merging", seconds - self._started))]}
        of_moved = f", {say_count(moved, 'row group')} moved as they are" if moved else ""
        rows = f"{say_count(self._rows, 'record')}, {say_size(self._bytes)}"
        text = (f"engine     cpu: {told['engine_reason']}\ninput      {rows}, of "
                f"{say_count(len(self._files), 'file')}\noutput     {rows}\nmerge      passes {self._passes + 1}, "
                f"windows {self._windows}{of_moved}\ntime       {seconds:.3f} s: started in {self._started:.3f} s\n")
        return Report(json.dumps({**self._of_sort.to_dict(), **told}, indent=2, ensure_ascii=False), text)

    def _groups_for(self, writer: TableWriter | None) -> list[dict[int, StoredGroup]]:
        """The row groups of each file that may be moved into the output: none where files are merged into others
        first."""
        if not isinstance(writer, ParquetWriter) or self._carried is not None or len(self._files) > self._most_inputs:
            return [{} for _ in self._files]
        self._writer = writer
        return movable_groups(self._files, self._keys, writer.stored_form())

    def _input_of(self, number: int, file: TypedInput, groups: dict[int, StoredGroup], reader: GroupReader,
                  encoder: KeyEncoder, pool: DaemonPool) -> MergeInput:
        def in_schema(rows: Iterator[pyarrow.RecordBatch | Look]) -> Iterator[pyarrow.RecordBatch | Look]:
            for batch in rows:
                if isinstance(batch, concurrent.futures.Future):
                    yield batch
                    continue
                for made in (batch,) if self._carried is None else batches_of_values(batch, self._carried):
                    yield _of_schema(made, self._schema)
                    del made
                del batch
        found = MergeInput(number, file.path, lambda: in_schema(self._rows_of(file, groups, reader)), encoder, pool)
        found.look(lambda: in_schema(file.first_rows(1)))
        return found

    def _rows_of(self, file: TypedInput, groups: dict[int, StoredGroup],
                 reader: GroupReader) -> Iterator[pyarrow.RecordBatch | Look]:
        if not groups or not isinstance(file, ParquetInput):
            yield from file.batches(use_threads=self._threads > 1)
            return
        for is_whole, numbers in itertools.groupby(range(len(file.groups)), groups.__contains__):
            if is_whole:
                yield from reader.looks(map(groups.__getitem__, numbers))
            else:
                yield from file.of_groups(list(numbers)).batches(use_threads=self._threads > 1)

    def _run_of(self, group: list[MergeInput], number: int, encoder: KeyEncoder, pool: DaemonPool,
                stack: contextlib.ExitStack) -> MergeInput:
        """The rows of several inputs, merged into a file without a name."""
        file = stack.enter_context(nameless_file(self._scratch))
        try:
            with pyarrow.ipc.new_stream(pyarrow.PythonFile(file, "w"), self._schema, options=_RUN_OPTIONS) as writer:
                for batch in merged(group, pool, self._taker):
                    writer.write_table(pyarrow.Table.from_batches([batch]), max_chunksize=_rows_of_batch(batch))
            file.seek(0)
        except OSError as error:
            raise scratch_error(error, "cannot keep merged rows in a temporary file", "temporary file") from None
        run = MergeInput(number, None, _batches_of_run(file), encoder, pool)
        run.first_key = min(group, key=by_first_key).first_key
        return run


_RUN_OPTIONS = pyarrow.ipc.IpcWriteOptions(compression="lz4")


def _batches_of_run(file: Any) -> Batches:
    return lambda: (batch for batch in pyarrow.ipc.open_stream(pyarrow.PythonFile(file, "r")))


def _rows_of_batch(batch: pyarrow.RecordBatch) -> int:
    fitting = int(batch.num_rows) * _RUN_BATCH_BYTES // (bytes_held(batch) + 1)
    return max(1, fitting)


def _of_schema(batch: pyarrow.RecordBatch, schema: pyarrow.Schema) -> pyarrow.RecordBatch:
    """Nulls may be in other places in another file."""
    columns = [column if column.type == kind else column.cast(kind)
               for column, kind in zip(batch.columns, schema.types)]
    return pyarrow.record_batch(columns, schema=schema)
