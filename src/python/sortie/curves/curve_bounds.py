"""Where the cells of a curve begin and end, found before the rows are sorted: the range of the values, or quantiles of
a sample of a bounded size."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy
import pyarrow
import pyarrow.compute
from pyarrow import types

from .curves import Coordinate, text_begins

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Rows of a sample, and how many quantiles are taken of it.
_SAMPLE_ROWS, _QUANTILES = 1 << 15, 4000
# Where all is one piece, as much of it as a batch.
_SLICE_ROWS = 1 << 16


class Bounds:
    """The bounds of one number of a coordinate."""

    def add(self, values: pyarrow.Array, taken: NDArray[numpy.bool_] | None) -> None:
        """values: as Coordinate.arrays_of() gives them. taken: the rows of the sample; None for all."""
        raise NotImplementedError

    def thin(self, kept: NDArray[numpy.bool_]) -> None:
        """Leaves the other rows of the sample out."""

    def array(self) -> pyarrow.Array:
        raise NotImplementedError


class _Range(Bounds):
    def __init__(self) -> None:
        self._found: pyarrow.Array | None = None

    def add(self, values: pyarrow.Array, taken: NDArray[numpy.bool_] | None) -> None:
        values = _finite(values)
        if types.is_large_binary(values.type):
            values = text_begins(values)
        both = pyarrow.compute.min_max(values)
        ends = pyarrow.array([both["min"], both["max"]], values.type)
        if ends.null_count:
            ends = ends.slice(0, 0)
        self._found = ends if self._found is None else pyarrow.concat_arrays([self._found, ends])
        if len(self._found) > 2:
            self._found = pyarrow.array(list(pyarrow.compute.min_max(self._found).values()), self._found.type)

    def array(self) -> pyarrow.Array:
        return pyarrow.array([], pyarrow.int64()) if self._found is None else self._found


class _Quantiles(Bounds):
    def __init__(self) -> None:
        self._pieces: list[pyarrow.Array] = []

    def add(self, values: pyarrow.Array, taken: NDArray[numpy.bool_] | None) -> None:
        values = values if taken is None else values.filter(pyarrow.array(taken))
        if types.is_large_binary(values.type):
            values = text_begins(values)
        self._pieces.append(values)

    def thin(self, kept: NDArray[numpy.bool_]) -> None:
        self._pieces = [pyarrow.concat_arrays(self._pieces).filter(pyarrow.array(kept))]

    def array(self) -> pyarrow.Array:
        if not self._pieces:
            return pyarrow.array([], pyarrow.int64())
        values = _without_nan(pyarrow.concat_arrays(self._pieces).drop_null())
        values = values.take(pyarrow.compute.array_sort_indices(values))
        count = min(len(values), _QUANTILES)
        # The middle of as many parts of one size.
        places = (numpy.arange(count, dtype=numpy.int64) * 2 + 1) * len(values) // (2 * max(count, 1))
        return values.take(pyarrow.array(places))


def _without_nan(values: pyarrow.Array) -> pyarrow.Array:
    if not types.is_floating(values.type):
        return values
    return values.filter(pyarrow.compute.invert(pyarrow.compute.is_nan(values)))


def _finite(values: pyarrow.Array) -> pyarrow.Array:
    return values.filter(pyarrow.compute.is_finite(values)) if types.is_floating(values.type) else values


class BoundsFinder:
    """Takes batches of the rows, all or some, and tells the bounds of each number of the coordinates."""

    def __init__(self, way: str, coordinates: Sequence[Coordinate], schema: pyarrow.Schema,
                 has_ends: bool = False) -> None:
        """has_ends: whether ends() are told if bounds are those of a sample, too."""
        self._coordinates = coordinates
        numbers = sum(coordinate.numbers for coordinate in coordinates)
        self.bounds: list[Bounds] = [_Quantiles() if way == "rank" else _Range() for _ in range(numbers)]
        self._is_sample = way == "rank"
        self._ranges = [_Range() for _ in range(numbers)] if has_ends and self._is_sample else []
        # The same rows for the same input.
        self._random = numpy.random.default_rng(1)
        self._share, self._rows = 1.0, 0
        # The types of the bounds, where no rows come.
        columns = [column.combine_chunks() for column in schema.empty_table().columns]
        self.add_rows([pyarrow.RecordBatch.from_arrays(columns, schema=schema)])

    def add(self, arrays: Sequence[pyarrow.Array]) -> None:
        """arrays: of each number, of the same rows."""
        taken: Any = None
        if self._is_sample:
            rows = len(arrays[0])
            if self._share < 1:
                taken = self._random.random(rows) < self._share
                rows = int(numpy.count_nonzero(taken))
            self._rows += rows
        for bounds, values in zip(self.bounds, arrays):
            bounds.add(values, taken)
        for bounds, values in zip(self._ranges, arrays):
            bounds.add(values, None)
        while self._is_sample and self._rows > _SAMPLE_ROWS:
            kept = self._random.random(self._rows) < 0.5
            self._share /= 2
            self._rows = int(numpy.count_nonzero(kept))
            for bounds in self.bounds:
                bounds.thin(kept)

    def add_rows(self, batches: Iterable[pyarrow.RecordBatch], place: str = "",
                 coordinates: Sequence[Coordinate] | None = None, row: int = 0) -> None:
        """place: of the rows, for messages; row: the number of the first. coordinates: of these batches, if they have
        other columns."""
        for batch in batches:
            for begin in range(0, max(batch.num_rows, 1), _SLICE_ROWS):
                part = batch.slice(begin, _SLICE_ROWS)
                self.add([array for coordinate in coordinates or self._coordinates
                          for array in coordinate.arrays_of(part, place, row + begin)])
            row += batch.num_rows
            del batch

    def arrays(self) -> list[pyarrow.Array]:
        return [bounds.array() for bounds in self.bounds]

    def ends(self) -> list[pyarrow.Array] | None:
        """The least and the greatest value of each number, none of a number without values; None for a sample of rows
        that has no others."""
        if not self._is_sample:
            return self.arrays()
        return [bounds.array() for bounds in self._ranges] or None
