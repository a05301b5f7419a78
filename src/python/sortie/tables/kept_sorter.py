"""sort_table(unique=True, keep="max:ts"), and the same for a Sorter: the sort has all rows, and those that are left
come out of it while they are read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow

from .._report import Report
from ..columns.keys import Keep, TableKey
from ..columns.schemas import named_keys
from .keep_rows import refuse_missing_column
from .rows_left import RowsLeft
from .sort_table import RowSorter
from .streamed_table import StreamedTable

_TABLE = "the table"


class KeptSorter:
    """Has the functions of a RowSorter and of its `native`, which a SortedTable reads."""

    def __init__(self, function: str, keys: list[TableKey], keep: Keep, batch_rows: int | None, options: dict[str, Any],
                 logs_end: bool) -> None:
        self._keys, self._keep = keys, keep
        self._left = RowsLeft(options, keep, is_merge=False)
        self._rows = RowSorter(function, keys, batch_rows, self._left.of_sort, logs_end)
        self._table: StreamedTable | None = None
        self._pulled: Iterator[pyarrow.RecordBatch] | None = None
        self.end_bar = self._rows.end_bar
        self.push, self.push_all = self._rows.push, self._rows.push_all

    @property
    def native(self) -> KeptSorter:
        return self

    @property
    def has_schema(self) -> bool:
        return bool(self._rows.native.has_schema)

    def finish(self) -> None:
        """Raises Error for a column that is not there, or has no order."""
        schema = pyarrow.schema(_Columns(self._rows.native))
        refuse_missing_column(self._keep, schema, _TABLE)
        keys, values = named_keys(schema, self._keys, _TABLE), named_keys(schema, self._keep.order, _TABLE)
        self._left.prepare(schema, keys, values)
        self._rows.finish()
        self._table = StreamedTable(schema, self._batches(), [self._rows])

    def _batches(self) -> Iterator[pyarrow.RecordBatch]:
        yield from self._left.of(_pulled(self._rows))
        self._left.write_stats(self.report())

    def _begun(self) -> StreamedTable:
        if self._table is None:
            self.finish()
        assert self._table is not None
        return self._table

    def keep(self) -> None:
        self._begun().to_arrow()

    def new_reader(self) -> Iterator[pyarrow.RecordBatch]:
        return self._begun()._batches()

    def pull(self, reader: Iterator[pyarrow.RecordBatch] | None = None) -> pyarrow.RecordBatch | None:
        if reader is None:
            if not self.has_schema:
                return None
            reader = self._pulled = self._pulled or self.new_reader()
        return next(reader, None)

    def first_rows(self) -> pyarrow.RecordBatch | None:
        return self._begun()._first_rows()

    def schema(self) -> Any:
        return self._begun().__arrow_c_schema__()

    def stream(self, requested_schema: Any) -> Any:
        return self._begun().__arrow_c_stream__(requested_schema)

    @property
    def is_closed(self) -> bool:
        return bool(self._rows.native.is_closed)

    @property
    def sorted_rows(self) -> int | None:
        """How many rows are left, when all have come."""
        return None if self._table is None else self._table._row_count

    def row_count(self) -> int | None:
        return self.sorted_rows

    def column_count(self) -> int:
        return self._rows.column_count()

    def report(self) -> Report:
        return self._left.told(self._rows.report())

    def close(self) -> None:
        if self._table is not None:
            self._table.close()
        self._rows.close()


class _Columns:
    def __init__(self, native: Any) -> None:
        self._native = native

    def __arrow_c_schema__(self) -> Any:
        return self._native.schema()


def _pulled(rows: RowSorter) -> Iterator[pyarrow.RecordBatch]:
    while (batch := rows.pull()) is not None:
        yield pyarrow.record_batch(batch)
        del batch
