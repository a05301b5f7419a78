"""sort_table(curve=...), and the same for a Sorter: tables of any library in the order of a curve."""

from __future__ import annotations

import functools
import sys
from collections.abc import Iterable, Iterator
from typing import Any

import pyarrow

from .. import _logging
from .._arguments import threads_of
from .._assumed import Assumed
from .._errors import ArgumentError, Error
from .._native import memory_of
from .._report import Report, warn_caller
from ..columns.keys import TableKey
from ..curves.curve_bounds import BoundsFinder
from ..curves.curves import Coordinate, Curve, coordinates_of, curve_choice
from .sort_table import RowSorter, with_labels
from .streamed_table import CLOSED
from .table_batches import batches_like, open_batches

# What of a stream is held to tell where cells begin and end: rows, and bytes of their batches, no more than the memory
# of the sort, to which they go then, and so much in any case.
_FIRST_ROWS, _FIRST_BYTES, _LEAST_BYTES = 1 << 17, 64 << 20, 4 << 20


class CurveSorter:
    """Has the functions of a RowSorter. Rows are held until it is known where cells begin and end."""

    def __init__(self, function: str, keys: list[TableKey], told: Any, options: dict[str, Any], logs_end: bool) -> None:
        """told: as take_options() gives them."""
        choice = curve_choice(told.curve, told.curve_by, options)
        assert choice is not None, "begun_sort() asks for it"
        self._choice, self._keys, self._threads = choice, keys, threads_of(options)
        self._is_strict, self._stats_path = options.get("strict"), options.get("stats_json")
        self._warn = _logging.heard_warnings(options.get("warn") or warn_caller)
        self._assumed = Assumed(1)
        self._schema: pyarrow.Schema | None = None
        self._coordinates: list[Coordinate] = []
        self._held: list[pyarrow.RecordBatch] = []
        self._held_rows = self._held_bytes = 0
        memory = memory_of({"memory": options.get("memory")})
        self._most_held_bytes = min(_FIRST_BYTES, max(_LEAST_BYTES, memory)) if memory else _FIRST_BYTES
        self._curve: Curve | None = None
        self._with_words: pyarrow.Schema | None = None
        self._row = 0
        # The names of the columns of words are not known yet.
        self._new_sort = functools.partial(RowSorter, function, batch_rows=told.batch_rows, options=options,
                                           logs_end=logs_end)
        self._rows: RowSorter | None = None

    @property
    def native(self) -> Any:
        return self if self._rows is None else self._rows.native

    @property
    def has_schema(self) -> bool:
        return self._schema is not None

    def end_bar(self, is_complete: bool) -> None:
        if self._rows is not None:
            self._rows.end_bar(is_complete=is_complete)

    def push(self, rows: Any) -> None:
        self._take(*open_batches(rows, "rows"), "rows")

    def push_all(self, data: Any) -> None:
        data = with_labels(data)
        schema, batches = open_batches(data, "data")
        if _is_read_again(data):
            self._know(schema)
            self._begin(open_batches(data, "data")[1])
        self._take(schema, batches, "data")

    def finish(self) -> None:
        """Raises Error for a strict sort of which something is assumed."""
        if self._rows is None:
            self._begin(self._held)
            self._push_held()
        assert self._rows is not None
        self._tell()
        self._rows.finish()

    def pull(self) -> Any:
        self._refuse_if_closed()
        if not self.has_schema:
            return None
        if self._rows is None:
            self.finish()
        elif not self._is_told:
            self._tell()
        assert self._rows is not None
        return self._rows.pull()

    _is_told = _is_closed = False

    def _refuse_if_closed(self) -> None:
        if self._is_closed:
            raise ArgumentError(CLOSED)

    def _tell(self) -> None:
        self._is_told = True
        if self._is_strict:
            self._assumed.refuse()
        for assumption in self._assumed.told():
            self._warn(assumption["message"])

    def report(self) -> Any:
        self._refuse_if_closed()
        if self._rows is None:
            raise Error("a sort has no report yet: read its rows to the end")
        report: Report = self._rows.report()
        return self._assumed.tell(report, lambda message: None, self._stats_path)

    def row_count(self) -> int | None:
        return None if self._rows is None else self._rows.row_count()

    def column_count(self) -> int:
        return 0 if self._rows is None else self._rows.column_count()

    def close(self) -> None:
        self._held, self._is_closed = [], True
        if self._rows is not None:
            self._rows.close()

    def _know(self, schema: pyarrow.Schema) -> None:
        self._schema = schema
        self._coordinates = coordinates_of(schema, self._keys, "the table")

    def _take(self, schema: pyarrow.Schema, batches: Iterator[pyarrow.RecordBatch], name: str) -> None:
        self._refuse_if_closed()
        if self._schema is None:
            self._know(schema)
        for batch in batches_like(self._schema, schema, batches, name):
            if self._rows is None:
                self._hold(batch)
            else:
                self._push(batch)
            del batch

    def _hold(self, batch: pyarrow.RecordBatch) -> None:
        self._held.append(batch)
        self._held_rows += batch.num_rows
        self._held_bytes += batch.nbytes
        if self._held_rows >= _FIRST_ROWS or self._held_bytes >= self._most_held_bytes:
            self._begin(self._held)
            self._push_held()

    def _begin(self, known: Iterable[pyarrow.RecordBatch]) -> None:
        """known: rows by which it is told where cells begin and end."""
        assert self._schema is not None
        finder = BoundsFinder(self._choice.way, self._coordinates, self._schema, has_ends=True)
        finder.add_rows(known)
        self._curve = Curve(self._schema, self._coordinates, self._choice, finder.arrays(), self._threads,
                            finder.ends())
        self._with_words = pyarrow.schema([*self._schema, *self._curve.fields()], self._schema.metadata)
        self._rows = self._new_sort(keys=self._curve.order)
        self._rows.native.hide_columns(len(self._curve.names))
        self._rows.push_schema(self._with_words, "data")

    def _push_held(self) -> None:
        held, self._held = self._held, []
        while held:
            self._push(held.pop(0))

    def _push(self, batch: pyarrow.RecordBatch) -> None:
        assert self._rows is not None and self._curve is not None
        words = self._curve.words_of(batch, "", self._row, self._assumed)
        self._rows.push(pyarrow.record_batch([*batch.columns, *words], schema=self._with_words))
        self._row += batch.num_rows


def _is_read_again(data: Any) -> bool:
    """Whether it is in memory, so that to read it twice gives the same rows."""
    held = (("pyarrow", "Table"), ("pyarrow", "RecordBatch"), ("polars", "DataFrame"))
    return any(module in sys.modules and isinstance(data, getattr(sys.modules[module], name)) for module, name in held)
