"""The rows of the next row group of a Parquet file, until there are enough of them."""

import bisect

import pyarrow

# Bytes that a row group takes in memory at most, unless its rows are asked for.
_ROW_GROUP_BYTES = 64 << 20
_ROW_GROUP_ROWS = 1 << 20


class RowGroup:
    """The batches of the next row group."""

    def __init__(self, most_rows):
        self._most_rows = most_rows or _ROW_GROUP_ROWS
        self._most_bytes = _ROW_GROUP_BYTES if most_rows is None else None
        self._batches, self._bytes, self.rows = [], 0, 0

    @property
    def is_full(self):
        return self.rows == self._most_rows or (self._most_bytes is not None and self._bytes >= self._most_bytes)

    def fill(self, batch):
        """Takes what there is room for, and returns the rest."""
        taken = batch.slice(0, self._most_rows - self.rows)
        if self._most_bytes is not None:
            taken = _fitting(taken, self._most_bytes - self._bytes)
        self._batches.append(taken)
        self._bytes += _batch_bytes(taken)
        self.rows += taken.num_rows
        return batch.slice(taken.num_rows)

    def take(self, schema):
        rows, batches = self.rows, self._batches
        self._batches, self._bytes, self.rows = [], 0, 0
        return pyarrow.Table.from_batches(batches, schema), rows


def _fitting(batch, most_bytes):
    """The rows in front by which so many bytes are reached: one at least."""
    if _batch_bytes(batch) <= most_bytes:
        return batch
    rows = bisect.bisect_left(range(1, batch.num_rows), most_bytes, key=lambda n: _batch_bytes(batch.slice(0, n))) + 1
    return batch.slice(0, rows)


def _batch_bytes(batch):
    return sum(map(_column_bytes, batch.columns))


def _column_bytes(column):
    """Batches share their dictionaries."""
    return (column.indices if pyarrow.types.is_dictionary(column.type) else column).nbytes
