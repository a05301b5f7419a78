"""unique=True with keep=...: one of the rows with equal keys, of batches that are in the order of these."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import pyarrow

from .._errors import ArgumentError, listed
from ..columns.keys import Keep, TableKey
from ..columns.ordered_keys import KeyEncoder
from ..columns.row_taking import refuse_if_not_taken, taken

_BYTES = 4  # of a number of a row

def refuse_missing_column(keep: Keep | None, schema: pyarrow.Schema, table: str) -> None:
    """Raises Error if it is not there of which the greatest or the least value is kept. table: how messages call the
    table."""
    name = None if keep is None else keep.column
    if name is not None and not any(name == column or name.startswith(f"{column}.") for column in schema.names):
        raise ArgumentError(f"keep names the column '{name}', which {table} does not have; it has "
                            f"{listed(schema.names)}")


class KeptRows:
    """Takes batches in the order of keys, and gives the rows that are left, in the same order."""

    def __init__(self, schema: pyarrow.Schema, keys: Sequence[TableKey], values: Sequence[TableKey],
                 is_last: bool) -> None:
        """values: of rows with equal keys that one is left in which they come first. is_last: if there are none, the
        last row is left. Raises Error for a column that has no order, or of a type that pyarrow takes no rows of."""
        for field in schema:
            refuse_if_not_taken(f"column '{field.name}'", field.type)
        self._keys = KeyEncoder(schema, keys)
        self._is_last = is_last
        self._values = KeyEncoder(schema, values) if values else None
        # The row that is left so far of the last stretch, and where its keys and its value are.
        self._held: pyarrow.RecordBatch | None = None
        self._held_keys: Any = None
        self._held_values: Any = None
        self._held_row = 0

    def of(self, batches: Iterable[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        for batch in batches:
            if batch.num_rows:
                yield from self._closed_by(batch)
            del batch
        if self._held is not None:
            yield self._held
            self._held = None

    def _closed_by(self, batch: pyarrow.RecordBatch) -> Iterator[pyarrow.RecordBatch]:
        """What is left of the stretches that end in the batch, or in front of it."""
        keys = self._keys.encode(batch)
        values = None if self._values is None else self._values.encode(batch)
        begins = keys.group_begins()
        left = _numbers(begins if values is None else values.least_of_groups(begins))
        if self._is_last:
            firsts = _numbers(begins).tolist()
            left = memoryview(b"".join((row - 1).to_bytes(_BYTES, "little")
                                       for row in [*firsts[1:], batch.num_rows])).cast("i")
        held = self._held
        continues = held is not None and keys.compare(0, self._held_keys, self._held_row) == 0
        stays = continues and not self._gives_way(values, left[0])
        if held is not None and (not continues or (stays and len(left) > 1)):
            yield held
        if stays and len(left) == 1:
            return
        closed = left[1 if stays else 0:-1]
        if len(closed):
            yield _rows(batch, closed)
        self._held, self._held_row = _rows(batch, left[-1:]), left[-1]
        self._held_keys, self._held_values = keys, values

    def _gives_way(self, values: Any, row: int) -> bool:
        """Whether the row that is held is not the one that stays, but a row of the same keys."""
        if self._values is None:
            return self._is_last
        return bool(values.compare(row, self._held_values, self._held_row) < 0)


def first_rows(batches: Iterable[pyarrow.RecordBatch], most_rows: int | None) -> Iterator[pyarrow.RecordBatch]:
    """most_rows: None for all."""
    left = most_rows
    for batch in batches:
        if left is not None:
            batch = batch.slice(0, left)
            left -= batch.num_rows
        yield batch
        if left == 0:
            return


def _numbers(rows: bytes) -> memoryview:
    return memoryview(rows).cast("i")


def _rows(batch: pyarrow.RecordBatch, rows: memoryview) -> pyarrow.RecordBatch:
    if len(rows) == batch.num_rows:
        return batch
    places = pyarrow.Array.from_buffers(pyarrow.int32(), len(rows), [None, pyarrow.py_buffer(rows.tobytes())])
    return pyarrow.record_batch([taken(column, places) for column in batch.columns], schema=batch.schema)
