"""The merge of inputs that are in order.

    input 0   | 1 3 3 | 7 9 |        what is loaded of each, up to the least of the last keys (here 3, of input 0), is a
    input 1   | 2 4 8 | 8 |          window: 1 3 3 2, whose rows are put in order and given. Then input 0 loads more.

Equal keys come in the order of their inputs. So the window ends behind the bound in the inputs up to the one
that it is from, and in front of it in those behind. A row group that may be moved is loaded without its rows:

    input 0   | 1 ... 3 |            if the bound is its last key, and no key of another input lies between its first
    one and input 1   | 4 8 8 |              the bound, it is given as it is; if one does, its rows are read."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import pyarrow

from .. import _native
from .._thread_pools import DaemonPool
from ..columns.row_bytes import bytes_held
from ..columns.row_taking import taken
from .merge_inputs import MergeInput, Rows

# One array holds no more than this of texts and lists.
_MOST_WINDOW_BYTES = 1 << 30
# Memory of batches that were written is kept for the next ones: as much as a row group takes, with what slabs leave
# over.
_MOST_KEPT_BYTES, _SHARE_KEPT = 80 << 20, 8


@functools.total_ordering
class by_first_key:
    def __init__(self, source: MergeInput) -> None:
        self._key, self._number = source.first_key, source.number

    def _compared(self, other: by_first_key) -> int:
        return int(self._key.compare(0, other._key, 0)) or self._number - other._number

    def __eq__(self, other: object) -> bool:
        return isinstance(other, by_first_key) and self._compared(other) == 0

    def __lt__(self, other: by_first_key) -> bool:
        return self._compared(other) < 0


def merged(inputs: Iterable[MergeInput], pool: DaemonPool, taker: RowTaker) -> Iterator[Rows]:
    """Inputs are started when their first rows come near, and closed when they are at their ends."""
    waiting = sorted(inputs, key=by_first_key, reverse=True)
    started: list[MergeInput] = []
    try:
        while waiting or started:
            bound = _bound(started)
            if waiting and (bound is None or _is_behind(bound, waiting[-1])):
                source = waiting.pop()
                source.start()
                started = sorted([*started, source], key=lambda known: known.number)
                continue
            assert bound is not None
            entered = _entered(started, bound)
            if entered:
                for source in entered:
                    source.decode()
                continue
            yield from _window(started, bound, taker)
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


def _entered(started: Iterable[MergeInput], bound: MergeInput) -> list[MergeInput]:
    """The inputs whose row groups are not to be moved, since a row up to the bound belongs into them."""
    entered = [source for source in started if source is not bound and source.group is not None
               and _end(source, bound) > 0]
    others = [source for source in started if source is not bound]
    if bound.group is not None and any(_end(source, bound) != _end(source, bound, 0) for source in others):
        entered.append(bound)
    return entered


def _end(source: MergeInput, bound: MergeInput, row: int | None = None) -> int:
    """The number of loaded rows in front of a row of another input, or of its last one."""
    row = bound.last_row if row is None else row
    return int(source.keys.end_of(source.begin, bound.keys, row, source.number <= bound.number))


def _window(started: Sequence[MergeInput], bound: MergeInput, taker: RowTaker) -> Iterator[Rows]:
    """Takes the rows up to the bound out of what is loaded."""
    parts: list[pyarrow.RecordBatch] = []
    stretches = []
    most_bytes = 0
    for source in started:
        end = _end(source, bound)
        if end > source.begin and isinstance(source.rows, pyarrow.RecordBatch):
            parts.append(source.rows.slice(source.begin, end - source.begin))
            stretches.append((source.keys, source.begin, end))
            source.begin = end
            most_bytes += source.held_bytes
    if len(parts) == 1:
        yield parts[0]
    elif parts:
        yield from taker.in_order(parts, _native.merged_rows(stretches), most_bytes)
    if bound.group is not None:
        # All other rows up to the bound are in front of it.
        yield bound.group
        bound.begin = bound.last_row + 1


class RowTaker:
    """Puts rows of several batches of a schema into one."""

    def __init__(self, schema: pyarrow.Schema, memory: int) -> None:
        """memory: of the merge, of which a share is kept from batch to batch."""
        self._schema = schema
        self._gather = _native.RowGather(min(_MOST_KEPT_BYTES, memory // _SHARE_KEPT))
        self._own: list[int] = _native.RowGather.columns(schema.__arrow_c_schema__())
        self._others = [number for number in range(len(schema)) if number not in set(self._own)]

    def in_order(self, parts: list[pyarrow.RecordBatch], order: bytes,
                 most_bytes: int) -> Iterator[pyarrow.RecordBatch]:
        """order: the numbers of the rows of all parts, as 32-bit integers. most_bytes: upper bound on the bytes of all
        parts."""
        if most_bytes > _MOST_WINDOW_BYTES and sum(map(bytes_held, parts)) > _MOST_WINDOW_BYTES:
            # Few long rows: one by one.
            rows = [part.slice(row, 1) for part in parts for row in range(part.num_rows)]
            yield from (rows[place] for place in memoryview(order).cast("i"))
            return
        columns: list[Any] = [None] * len(self._schema)
        if self._own:
            own = parts if not self._others else [part.select(self._own) for part in parts]
            made = pyarrow.record_batch(_Exported(self._gather.gather([part.__arrow_c_array__() for part in own],
                                                                      order)))
            for number, column in zip(self._own, made.columns):
                columns[number] = column
        if self._others:
            count = sum(part.num_rows for part in parts)
            places = pyarrow.Array.from_buffers(pyarrow.int32(), count, [None, pyarrow.py_buffer(order)])
            batch = pyarrow.Table.from_batches([part.select(self._others)
                                                for part in parts]).combine_chunks().to_batches()[0]
            for number, column in zip(self._others, batch.columns):
                columns[number] = taken(column, places)
        yield pyarrow.record_batch(columns, schema=parts[0].schema)


class _Exported:
    """Capsules of an array of Arrow's C data interface."""

    def __init__(self, capsules: tuple[Any, Any]) -> None:
        self._capsules = capsules

    def __arrow_c_array__(self, requested_schema: Any = None) -> tuple[Any, Any]:
        return self._capsules
