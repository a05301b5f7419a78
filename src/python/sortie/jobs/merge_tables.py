"""sort_parquet(merge=True): files that are in order each become one, as they are read.

    input 0   | 1 3 3 | 7 9 |        what is loaded of each, up to the least of the last keys (here 3, of input 0), is a
    input 1   | 2 4 8 | 8 |          window: 1 3 3 2, whose rows are put in order and written. Then input 0 loads more.

Of keys that are equal those of the first inputs come first. So the window ends behind the bound in the inputs up to the one
that it is from, and in front of it in those behind."""

from __future__ import annotations

import concurrent.futures
import contextlib
import functools
import json
import time
from collections.abc import Generator, Iterable, Iterator, Sequence
from typing import Any

import pyarrow
import pyarrow.ipc

from .. import Error, _native
from .._arguments import count_of
from .._errors import shortened
from .._report import Report, say_count, say_size
from .._scratch_files import nameless_file, scratch_error
from .._sources import is_source
from ..columns.keys import TableKey
from ..columns.ordered_keys import KeyEncoder
from ..columns.row_bytes import bytes_held
from ..columns.row_taking import refuse_if_not_taken, taken, type_without_runs
from ..columns.schemas import TypedInput
from ..parquet.dictionaries import batches_of_values, has_dictionary
from ..tables.sort_table import RowSorter
from .merge_inputs import Batches, MergeInput

# Of a batch of Parquet while it waits. Below the least one, reading takes longer than it saves memory.
_MOST_BATCH_BYTES, _LEAST_BATCH_BYTES = 4 << 20, 256 << 10
# Batches of an input at once: one that waits, one that is read, and its part of a window, twice.
_BATCHES_AT_ONCE = 4
_MOST_BUFFER_BYTES, _LEAST_BUFFER_BYTES = 256 << 10, 16 << 10
# What pyarrow decodes of a column at once: a page and a dictionary, by their usual sizes.
_PAGE_BYTES = 1 << 20
# What is read ahead of CSV, and a guess for a batch of an Arrow file, which are read as wholes.
_OTHER_BYTES = 96 << 20
# Of an object, whatever others hold: see objects/read_ahead.py.
_OBJECT_BYTES = 1 << 20
# Of texts and lists no more can stand in one array.
_MOST_WINDOW_BYTES = 1 << 30


def start_merge(rows: RowSorter, files: Sequence[TypedInput], keys: Sequence[TableKey], carried: pyarrow.Schema | None,
                threads: int, options: dict[str, Any], table_format: str) -> Merge:
    """rows: a sort that has no rows, and gets none. options: of the call. table_format: of the output."""
    rows.pull()
    schema = carried or files[0].schema
    if table_format == "arrow" and any(map(has_dictionary, schema.types)):
        name = next(field.name for field in schema if has_dictionary(field.type))
        raise Error(f"column '{name}' has dictionaries, of which an Arrow file holds one for all rows, so that it is not merged "
                    "into one: sort the files instead, or let the name of the output end in .parquet")
    fan_in = options.get("merge_fan_in")
    return Merge(files, keys, carried, rows.report(), None if fan_in is None else count_of(fan_in, "merge_fan_in"),
                 options.get("scratch"), threads)


class Merge:
    """passes: of all rows through a file, before the one that gives them. rows: that have come."""

    def __init__(self, files: Sequence[TypedInput], keys: Sequence[TableKey], carried: pyarrow.Schema | None, of_sort: Report,
                 most_inputs: int | None, scratch: Any, threads: int) -> None:
        """keys: columns of the files' sorted_schema. carried: the schema of the rows, None for that. of_sort: a report of a
        sort of no rows. most_inputs: that are merged at once, None for as many as fit into memory."""
        self._schema = carried or files[0].sorted_schema
        for field in self._schema:
            if type_without_runs(field.type) != field.type:
                raise Error(f"column '{field.name}' is of type {shortened(field.type)}, whose runs cannot be merged: sort the "
                            "files instead, or cast the column")
            refuse_if_not_taken(f"column '{field.name}'", field.type)
        self._files, self._keys, self._carried = files, keys, carried
        self._scratch, self._threads = scratch, threads
        self._of_sort = of_sort
        fitting = _set_batch_bytes(files, of_sort.memory_budget_bytes)
        self._most_inputs = max(2, fitting if most_inputs is None else min(fitting, most_inputs))
        self._passes = self._windows = self._rows = self._bytes = 0
        self._begin, self._started = time.perf_counter(), 0.0

    def batches(self) -> Generator[pyarrow.RecordBatch, None, None]:
        with contextlib.ExitStack() as stack:
            pool = stack.enter_context(concurrent.futures.ThreadPoolExecutor(1, "sortie-reader"))
            encoder = KeyEncoder(self._schema, self._keys)
            inputs = [self._input_of(number, file, encoder, pool) for number, file in enumerate(self._files)]
            inputs = [source for source in inputs if source.first_key is not None]
            while len(inputs) > self._most_inputs:
                groups = [inputs[i:i + self._most_inputs] for i in range(0, len(inputs), self._most_inputs)]
                inputs = [group[0] if len(group) == 1 else self._run_of(group, number, encoder, pool, stack)
                          for number, group in enumerate(groups)]
                self._passes += 1
            for number, source in enumerate(inputs):
                source.number = number
            self._started = time.perf_counter() - self._begin
            for batch in _merged(inputs, pool):
                self._windows += 1
                self._rows += batch.num_rows
                self._bytes += bytes_held(batch)
                yield batch
                del batch

    def report(self) -> Report:
        """Once all rows have come."""
        seconds = time.perf_counter() - self._begin
        merged = {"engine_reason": "files that are in order are merged as they are read", "checksum": "",
                  "input_records": self._rows, "input_bytes": self._bytes, "output_records": self._rows,
                  "output_bytes": self._bytes, "runs": len(self._files), "merge_passes": self._passes + 1,
                  "windows": self._windows, "elapsed_seconds": seconds, "start_seconds": self._started,
                  "formation_seconds": 0.0, "merge_seconds": seconds - self._started, "resources": [], "stages": [],
                  "phases": [{"name": name, "seconds": of_it, "resources": []} for name, of_it in
                             (("starting", self._started), ("merging", seconds - self._started))]}
        rows = f"{say_count(self._rows, 'record')}, {say_size(self._bytes)}"
        text = (f"engine     cpu: {merged['engine_reason']}\ninput      {rows}, of {say_count(len(self._files), 'file')}\n"
                f"output     {rows}\nmerge      passes {self._passes + 1}, windows {self._windows}\n"
                f"time       {seconds:.3f} s: started in {self._started:.3f} s\n")
        return Report(json.dumps({**self._of_sort.to_dict(), **merged}, indent=2, ensure_ascii=False), text)

    def _input_of(self, number: int, file: TypedInput, encoder: KeyEncoder, pool: concurrent.futures.Executor) -> MergeInput:
        def batches(is_look: bool = False) -> Iterator[pyarrow.RecordBatch]:
            source = file.first_rows(1) if is_look else file.batches(use_threads=self._threads > 1)
            for batch in source:
                for made in (batch,) if self._carried is None else batches_of_values(batch, self._carried):
                    yield _of_schema(made, self._schema)
                    del made
                del batch
        found = MergeInput(number, file.path, batches, encoder, pool)
        found.look(functools.partial(batches, True))
        return found

    def _run_of(self, group: list[MergeInput], number: int, encoder: KeyEncoder, pool: concurrent.futures.Executor,
                stack: contextlib.ExitStack) -> MergeInput:
        """The rows of several inputs, merged into a file without a name."""
        file = stack.enter_context(nameless_file(self._scratch))
        try:
            with pyarrow.ipc.new_stream(pyarrow.PythonFile(file, "w"), self._schema, options=_RUN_OPTIONS) as writer:
                for batch in _merged(group, pool):
                    writer.write_table(pyarrow.Table.from_batches([batch]), max_chunksize=_rows_of_batch(batch))
            file.seek(0)
        except OSError as error:
            raise scratch_error(error, "cannot keep merged rows in a temporary file", "temporary file") from None
        run = MergeInput(number, None, _batches_of_run(file), encoder, pool)
        run.first_key = min(group, key=_by_first_key).first_key
        return run


_RUN_OPTIONS = pyarrow.ipc.IpcWriteOptions(compression="lz4")


def _batches_of_run(file: Any) -> Batches:
    return lambda: (batch for batch in pyarrow.ipc.open_stream(pyarrow.PythonFile(file, "r")))


def _rows_of_batch(batch: pyarrow.RecordBatch) -> int:
    fitting = int(batch.num_rows) * _LEAST_BATCH_BYTES // (bytes_held(batch) + 1)
    return max(1, fitting)


def _of_schema(batch: pyarrow.RecordBatch, schema: pyarrow.Schema) -> pyarrow.RecordBatch:
    """Nulls may be in other places in another file."""
    columns = [column if column.type == kind else column.cast(kind) for column, kind in zip(batch.columns, schema.types)]
    return pyarrow.record_batch(columns, schema=schema)


def _set_batch_bytes(files: Sequence[TypedInput], memory: int) -> int:
    """Tells files how much to read at once, and returns how many of them fit in."""
    columns = max(1, len(files[0].schema))
    share = memory // len(files)
    batch = min(_MOST_BATCH_BYTES, max(_LEAST_BATCH_BYTES, share // 2 // _BATCHES_AT_ONCE))
    buffer = min(_MOST_BUFFER_BYTES, max(_LEAST_BUFFER_BYTES, share // 4 // columns))
    costs = []
    for file in files:
        file.read_less(batch, buffer)
        group = file.group_bytes()
        of_table = (_OTHER_BYTES if group is None else
                    _BATCHES_AT_ONCE * min(batch, group) + min(columns * (buffer + _PAGE_BYTES), 2 * group))
        costs.append(of_table + (_OBJECT_BYTES if is_source(file.path) else 0))
    return memory // max(1, *costs)


@functools.total_ordering
class _by_first_key:
    def __init__(self, source: MergeInput) -> None:
        self._key, self._number = source.first_key, source.number

    def _compared(self, other: _by_first_key) -> int:
        return int(self._key.compare(0, other._key, 0)) or self._number - other._number

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _by_first_key) and self._compared(other) == 0

    def __lt__(self, other: _by_first_key) -> bool:
        return self._compared(other) < 0


def _merged(inputs: Iterable[MergeInput], pool: concurrent.futures.Executor) -> Iterator[pyarrow.RecordBatch]:
    """Inputs are started when their first rows come near, and closed when they are at their ends."""
    waiting = sorted(inputs, key=_by_first_key, reverse=True)
    started: list[MergeInput] = []
    try:
        while waiting or started:
            bound = _bound(started)
            if waiting and (bound is None or _is_behind(bound, waiting[-1])):
                source = waiting.pop()
                source.start()
                started = sorted([*started, source], key=lambda known: known.number)
                continue
            yield from _window(started, bound)
            for source in [source for source in started if source.begin > source.last_row]:
                if not source.load():
                    started.remove(source)
                    source.close()
    finally:
        # What is being read ends first.
        pool.submit(int).result()
        for source in started:
            source.close()


def _bound(started: Sequence[MergeInput]) -> MergeInput | None:
    """The input whose last loaded row comes first; of equal ones the first input."""
    least: MergeInput | None = None
    for source in started:
        if least is None or source.keys.compare(source.last_row, least.keys, least.last_row) < 0:
            least = source
    return least


def _is_behind(bound: MergeInput, waiting: MergeInput) -> bool:
    """Whether a row of an input that waits belongs in front of the last one that is loaded of another."""
    order = bound.keys.compare(bound.last_row, waiting.first_key, 0)
    return bool(order > 0 or (order == 0 and waiting.number < bound.number))


def _window(started: Sequence[MergeInput], bound: MergeInput | None) -> Iterator[pyarrow.RecordBatch]:
    """Takes the rows up to the bound out of what is loaded."""
    assert bound is not None
    parts: list[pyarrow.RecordBatch] = []
    stretches = []
    for source in started:
        end = source.keys.end_of(source.begin, bound.keys, bound.last_row, source.number <= bound.number)
        if end > source.begin and source.rows is not None:
            parts.append(source.rows.slice(source.begin, end - source.begin))
            stretches.append((source.keys, source.begin, end))
            source.begin = end
    if len(parts) == 1:
        yield parts[0]
        return
    yield from _in_order(parts, _native.merged_rows(stretches))


def _in_order(parts: list[pyarrow.RecordBatch], order: bytes) -> Iterator[pyarrow.RecordBatch]:
    """order: the numbers of the rows of all parts, as 32-bit integers."""
    count = sum(part.num_rows for part in parts)
    places = pyarrow.Array.from_buffers(pyarrow.int32(), count, [None, pyarrow.py_buffer(order)])
    if sum(map(bytes_held, parts)) > _MOST_WINDOW_BYTES:
        # Few long rows: one by one.
        rows = [part.slice(row, 1) for part in parts for row in range(part.num_rows)]
        yield from (rows[place] for place in places.to_pylist())
        return
    table = pyarrow.Table.from_batches(parts).combine_chunks()
    batch = table.to_batches()[0]
    yield pyarrow.record_batch([taken(column, places) for column in batch.columns], schema=batch.schema)
