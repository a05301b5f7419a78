"""sort_table(curve=...), and the same for a Sorter: tables of any library in the order of a curve."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

import pyarrow

from .._arguments import threads_of
from .._native import memory_of
from ..columns.keys import TableKey
from ..curves.curve_bounds import BoundsFinder
from ..curves.curves import Coordinate, Curve, coordinates_of, curve_choice
from .sort_table import with_labels
from .table_batches import open_batches
from .word_sorter import WordSorter

# What of a stream is held to tell where cells begin and end: rows, and bytes of their batches, no more than the memory
# of the sort, to which they go then, and so much in any case.
_FIRST_ROWS, _FIRST_BYTES, _LEAST_BYTES = 1 << 17, 64 << 20, 4 << 20


class CurveSorter(WordSorter):
    """Rows are held until it is known where cells begin and end."""

    def __init__(self, function: str, keys: list[TableKey], told: Any, options: dict[str, Any], logs_end: bool) -> None:
        """told: as take_options() gives them."""
        choice = curve_choice(told.curve, told.curve_by, options)
        assert choice is not None, "begun_sort() asks for it"
        super().__init__(function, told, options, logs_end)
        self._choice, self._keys, self._threads = choice, keys, threads_of(options)
        self._coordinates: list[Coordinate] = []
        self._held: list[pyarrow.RecordBatch] = []
        self._held_rows = self._held_bytes = 0
        memory = memory_of({"memory": options.get("memory")})
        self._most_held_bytes = min(_FIRST_BYTES, max(_LEAST_BYTES, memory)) if memory else _FIRST_BYTES

    def push_all(self, data: Any) -> None:
        data = with_labels(data)
        schema, batches = open_batches(data, "data")
        if _is_read_again(data):
            self._know(schema)
            self._begin_by(open_batches(data, "data")[1])
        self._take(schema, batches, "data")

    def close(self) -> None:
        self._held = []
        super().close()

    def _know(self, schema: pyarrow.Schema) -> None:
        super()._know(schema)
        self._coordinates = coordinates_of(schema, self._keys, "the table")

    def _hold(self, batch: pyarrow.RecordBatch) -> None:
        self._held.append(batch)
        self._held_rows += batch.num_rows
        self._held_bytes += batch.nbytes
        if self._held_rows >= _FIRST_ROWS or self._held_bytes >= self._most_held_bytes:
            self._settle()

    def _settle(self) -> None:
        if self._rows is None:
            self._begin_by(self._held)
            held, self._held = self._held, []
            while held:
                self._push(held.pop(0))

    def _begin_by(self, known: Iterable[pyarrow.RecordBatch]) -> None:
        """known: rows by which it is told where cells begin and end."""
        assert self._schema is not None
        finder = BoundsFinder(self._choice.way, self._coordinates, self._schema, has_ends=True)
        finder.add_rows(known)
        self._begin(Curve(self._schema, self._coordinates, self._choice, finder.arrays(), self._threads,
                          finder.ends()))


def _is_read_again(data: Any) -> bool:
    """Whether it is in memory, so that to read it twice gives the same rows."""
    held = (("pyarrow", "Table"), ("pyarrow", "RecordBatch"), ("polars", "DataFrame"))
    return any(module in sys.modules and isinstance(data, getattr(sys.modules[module], name)) for module, name in held)
