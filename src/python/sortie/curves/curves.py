"""Rows in z-order or Hilbert order: several columns become one key, which stands behind the columns of a batch and does
not come out. Which cell of the curve a value is in, curve_bounds.py finds out before."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

import pyarrow
import pyarrow.compute
from pyarrow import types

from .. import _native
from .._arguments import check_options
from .._assumed import Assumed
from .._errors import ArgumentError, Error, shortened
from ..columns.key_columns import KeyColumn, decoded, plain
from ..columns.keys import TableKey
from ..columns.row_taking import type_without_runs
from ..columns.row_words import RowWords
from .geometries import Geometry, centres_of, geometry_of, has_unread_geo

# By tools/bench/curve_pruning: the same for even values, and far fewer row groups for uneven ones.
_USUAL_WAY = "rank"
_MOST_NUMBERS = 8
_TEXT_BYTES = 128


class CurveChoice(NamedTuple):
    """curve: "hilbert" or "z". way: "rank" or "bits"."""
    curve: str
    way: str


def curve_choice(curve: str | None, curve_by: str | None, options: dict[str, Any]) -> CurveChoice | None:
    """What the arguments say; None without a curve. options: those of the sort."""
    if curve is None:
        return None
    # Before rows are looked at, which may take long.
    check_options(options, for_tables=True)
    return CurveChoice(curve, curve_by or _USUAL_WAY)


class Coordinate:
    """A column on a curve: one number of its own, or the two of the centre of a geometry's box."""

    def __init__(self, schema: pyarrow.Schema, key: TableKey, table: str, wkb: Collection[str] = ()) -> None:
        """Raises Error for a column that is not there, or has no order. table: how messages call the table. wkb:
        columns that are known to be geometries, whatever the schema tells."""
        self.key = key
        self.column = KeyColumn(schema, key, table)
        self.name = self.column.name
        whole = schema.field(self.column.number) if self.column.is_whole else None
        field = whole if whole is not None else self.column.field
        self.geometry: Geometry | None = Geometry(is_wkb=True) if self.name in wkb else geometry_of(schema, field)
        self.numbers = 2 if self.geometry else 1
        kind = type_without_runs(self.column.type)
        if self.geometry is None and not _has_number(kind):
            raise Error(f"key '{self.name}' is of type {shortened(kind)}, which has no place on a curve: name a field "
                        "in it, or leave it out; geometries are known by the metadata of GeoParquet or GeoArrow")

    def arrays_of(self, batch: pyarrow.RecordBatch, place: str, first_row: int) -> list[pyarrow.Array]:
        """Each of int64, uint64, float64 or large_binary. place: of the rows, for messages; first_row: the number of
        the first."""
        column = self.column.of(batch)
        if self.geometry is not None:
            return centres_of(self.geometry, column, f"{place}column '{self.name}'", first_row)
        return [plain_numbers(column)]


def _has_number(kind: pyarrow.DataType) -> bool:
    if types.is_dictionary(kind) or types.is_run_end_encoded(kind):
        return _has_number(kind.value_type)
    if isinstance(kind, pyarrow.BaseExtensionType):
        return _has_number(kind.storage_type)
    is_interval = str(kind) == "month_day_nano_interval"
    return not types.is_nested(kind) and not is_interval


def plain_numbers(column: pyarrow.Array) -> pyarrow.Array:
    """A column as int64, uint64, float64 or large_binary, in the order of its values. Of decimals as near as float64
    is."""
    if types.is_dictionary(column.type) and column.type.ordered:
        return column.indices.cast(pyarrow.int64())
    values = plain(decoded(column))
    kind = values.type
    if types.is_large_binary(kind):
        return values
    if types.is_fixed_size_binary(kind):
        return values.cast(pyarrow.binary()).cast(pyarrow.large_binary())
    if types.is_null(kind):
        return pyarrow.nulls(len(values), pyarrow.int64())
    if types.is_boolean(kind):
        return values.cast(pyarrow.uint64())
    if types.is_floating(kind) or types.is_decimal(kind):
        return values.cast(pyarrow.float64())
    if types.is_temporal(kind):
        values = values.view(pyarrow.int32() if kind.bit_width == 32 else pyarrow.int64())
        return values.cast(pyarrow.int64())
    return values.cast(pyarrow.uint64() if types.is_unsigned_integer(kind) else pyarrow.int64())


def _rows_beyond(values: pyarrow.Array, ends: pyarrow.Array) -> list[int]:
    """The numbers of the rows whose values are below the first of two ends, or above the second; none if there are no
    ends. Infinite values are where they belong, and of texts the begins are compared."""
    if len(ends) < 2:
        return []
    if types.is_large_binary(values.type):
        values = text_begins(values)
    compute = pyarrow.compute
    is_beyond = compute.or_(compute.less(values, ends[0]), compute.greater(values, ends[1]))
    if types.is_floating(values.type):
        is_beyond = compute.and_(is_beyond, compute.is_finite(values))
    rows: list[int] = compute.indices_nonzero(is_beyond).to_pylist()
    return rows


def text_begins(values: pyarrow.Array) -> pyarrow.Array:
    """Texts are cut: those that begin with the same bytes are in one cell."""
    return pyarrow.compute.binary_slice(values.cast(pyarrow.binary()), 0, _TEXT_BYTES).cast(values.type)


def coordinates_of(schema: pyarrow.Schema, keys: Sequence[TableKey], table: str,
                   wkb: Collection[str] = ()) -> list[Coordinate]:
    """Raises Error unless they are 2 to 8 numbers of different columns. wkb: as a Coordinate takes it."""
    found: list[Coordinate] = []
    for key in keys:
        coordinate = Coordinate(schema, key, table, wkb)
        if any(coordinate.column.is_same(other.column) for other in found):
            raise ArgumentError(f"by names column '{coordinate.name}' twice: a curve takes it once")
        found.append(coordinate)
    count = sum(coordinate.numbers for coordinate in found)
    if not 2 <= count <= _MOST_NUMBERS:
        told = "1 column" if count == 1 else f"{count} numbers"
        if has_unread_geo(schema):
            told += f"; the 'geo' metadata of {table}, by which it would be a geometry, cannot be read"
        raise ArgumentError(f"a curve goes through 2 to {_MOST_NUMBERS} columns, or 1 to {_MOST_NUMBERS // 2} of "
                            f"geometries, which count twice, and by has {told}")
    return found


class Curve(RowWords):
    """Places on the curve as words of rows."""

    def __init__(self, schema: pyarrow.Schema, coordinates: Sequence[Coordinate], choice: CurveChoice,
                 bounds: Sequence[pyarrow.Array], threads: int, ends: Sequence[pyarrow.Array] | None = None) -> None:
        """bounds: of each number of the coordinates, in ascending order. ends: the least and the greatest value of each
        that was looked at, and none of a number without values; None if it is no guess that all are in these bounds."""
        self._coordinates = coordinates
        self._ends = ends
        columns = []
        left = list(bounds)
        for coordinate in coordinates:
            _, falls, nulls_first = coordinate.key
            for _ in range(coordinate.numbers):
                columns.append((left.pop(0).__arrow_c_array__(), choice.way == "rank", falls, nulls_first))
        self._native = _native.CurveKeys(choice.curve, columns, threads)
        super().__init__(schema, self._native.words, "place on the curve")

    def bytes_of(self, batch: pyarrow.RecordBatch, place: str, first_row: int,
                 assumed: Assumed | None) -> Sequence[bytes]:
        """assumed: takes how many values are beyond the ends."""
        of_each = [coordinate.arrays_of(batch, place, first_row) for coordinate in self._coordinates]
        arrays = list(itertools.chain.from_iterable(of_each))
        ends = iter(self._ends or ())
        for coordinate, own in zip(self._coordinates,
                                   of_each if assumed is not None and self._ends is not None else ()):
            beyond = {row for values in own for row in _rows_beyond(values, next(ends))}
            if beyond and assumed is not None:
                assumed.add("beyond-the-curve", coordinate.name, len(beyond),
                            f"{place}row {first_row + min(beyond) + 1}")
        words: list[bytes] = self._native.of([array.__arrow_c_array__() for array in arrays])
        return words
