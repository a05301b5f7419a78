"""The least and the greatest value of columns, as the statistics in a footer tell them, and whether they tell the
truth."""

from __future__ import annotations

import contextlib
import struct
from collections.abc import Iterable
from typing import Any

import pyarrow
import pyarrow.compute

from .parquet_footer import CHUNK_ROWS, CHUNK_TYPE
from .thrift import Struct

CHUNK_STATISTICS = 12  # of the struct ColumnMetaData
NULL_COUNT, GREATEST, LEAST = 3, 5, 6  # of the struct Statistics
_OLD_GREATEST, _OLD_LEAST = 1, 2  # which do not tell by which order
GREATEST_IS_EXACT, LEAST_IS_EXACT = 7, 8  # the same
_OF_STATISTICS = (_OLD_GREATEST, _OLD_LEAST, GREATEST, LEAST, GREATEST_IS_EXACT, LEAST_IS_EXACT)  # which tell of ends
_GEOSPATIAL = 17  # of the struct ColumnMetaData
_BOOLEAN, _INT32, _INT64, _FLOAT, _DOUBLE, _BYTE_ARRAY, _FIXED_BYTES = 0, 1, 2, 4, 5, 6, 7
_FLOATS = {_FLOAT: "<f", _DOUBLE: "<d"}
_MOST_DIGITS, _DECIMAL_BYTES = 76, 32  # of Arrow's widest decimals
_WIDTHS = {_INT32: 32, _INT64: 64, _FLOAT: 32, _DOUBLE: 64}


def ends_told(footer: Any, groups: Iterable[int], path: str, kind: pyarrow.DataType) -> pyarrow.Array | None:
    """Both values of a leaf in some row groups, none if it has no values; None if they are not told. footer: as pyarrow
    has it."""
    if pyarrow.types.is_dictionary(kind):
        kind = kind.value_type
    leaves = [leaf for leaf in range(footer.num_columns) if footer.schema.column(leaf).path == path]
    if len(leaves) != 1:
        return None
    found = []
    for group in groups:
        told = footer.row_group(group).column(leaves[0]).statistics
        if told is None or not told.has_min_max:
            return None
        found += [told.min, told.max]
    try:
        values = pyarrow.array(found, kind)
        return pyarrow.array(list(pyarrow.compute.min_max(values).values()), kind)
    except (pyarrow.ArrowException, TypeError, ValueError):
        return None  # of types that statistics do not have


def rough_ends(column: Struct) -> tuple[Any, Any] | None:
    """Both values of a column chunk as they are stored, for comparisons that may err; None if they are not told."""
    told = statistics(column)
    if LEAST not in told or GREATEST not in told:
        return None
    kind = column[CHUNK_TYPE][1]
    least, greatest = (_rough(kind, told[field][1]) for field in (LEAST, GREATEST))
    return None if least is None or greatest is None else (least, greatest)


def _rough(kind: int, value: bytes) -> Any:
    if kind in (_INT32, _INT64):
        return int.from_bytes(value, "little", signed=True)
    if kind in _FLOATS:
        return struct.unpack(_FLOATS[kind], value)[0] if len(value) == struct.calcsize(_FLOATS[kind]) else None
    return value


def without_ends(column: Struct) -> None:
    """Takes out of a column chunk what tells of ends."""
    for field in _OF_STATISTICS:
        statistics(column).pop(field, None)
    column.pop(_GEOSPATIAL, None)


class SeenColumn:
    """What was read of a leaf, to be set beside what its column chunk tells."""

    def __init__(self) -> None:
        self._values = 0
        self._ends: list[pyarrow.Array] = []
        self._has_order = True

    def add(self, values: pyarrow.Array) -> None:
        """values: without runs and extensions."""
        self._values += len(values) - values.null_count
        if pyarrow.types.is_dictionary(values.type):
            values = values.dictionary.take(values.indices.unique().drop_null())
        try:
            ends = pyarrow.compute.min_max(values)
        except pyarrow.ArrowException:
            self._has_order = False
            return
        for name in ("min", "max"):
            if ends[name].is_valid:
                self._ends.append(pyarrow.repeat(ends[name], 1))

    def is_as_told(self, column: Struct) -> bool | None:
        """Whether the column chunk tells the truth. None where only its ends may be wrong, as they cannot be compared."""
        told = statistics(column)
        if NULL_COUNT in told and told[NULL_COUNT][1] != column[CHUNK_ROWS][1] - self._values:
            return False
        ends = told.keys() & {LEAST, GREATEST, _OLD_LEAST, _OLD_GREATEST}
        if not ends:
            return None if _GEOSPATIAL in column else True
        if not self._has_order or not {LEAST, GREATEST} <= ends:
            return None
        if not self._ends or any(told.get(old, told[new]) != told[new]
                                 for old, new in ((_OLD_LEAST, LEAST), (_OLD_GREATEST, GREATEST))):
            return False
        with contextlib.suppress(pyarrow.ArrowException, ValueError, TypeError, LookupError):
            seen = pyarrow.concat_arrays(self._ends)
            bounds = _as_values(column[CHUNK_TYPE][1], [told[LEAST][1], told[GREATEST][1]], seen.type)
            if bounds is not None:
                both = pyarrow.concat_arrays([bounds, seen.cast(bounds.type)])
                return bool(pyarrow.compute.min_max(both).equals(pyarrow.compute.min_max(bounds)))
        return None


def _as_values(physical: int, told: list[bytes], kind: pyarrow.DataType) -> pyarrow.Array | None:
    """As an array of a type to which `kind` casts; None for a type of which that is not known. Made of buffers: of a
    list, pyarrow would import pandas."""
    content = pyarrow.py_buffer(b"".join(told))
    if pyarrow.types.is_decimal(kind):
        return _as_decimals(physical, told, kind.scale)
    if physical == _BOOLEAN:
        bits = sum(any(value) << place for place, value in enumerate(told))
        return pyarrow.Array.from_buffers(pyarrow.bool_(), 2, [None, pyarrow.py_buffer(bytes([bits]))])
    if physical in (_BYTE_ARRAY, _FIXED_BYTES):
        if pyarrow.types.is_floating(kind):
            return None
        offsets = struct.pack("<3i", 0, len(told[0]), len(told[0]) + len(told[1]))
        return pyarrow.Array.from_buffers(pyarrow.binary(), 2, [None, pyarrow.py_buffer(offsets), content])
    width = _WIDTHS.get(physical)
    if width is None or content.size != width // 4:
        return None
    is_short = pyarrow.types.is_integer(kind) and kind.bit_width < width
    stored = pyarrow.int32() if is_short else kind
    if not pyarrow.types.is_primitive(stored) or stored.bit_width != width:
        return None
    return pyarrow.Array.from_buffers(stored, 2, [None, content])


def _as_decimals(physical: int, told: list[bytes], scale: int) -> pyarrow.Array | None:
    if any(len(value) > _DECIMAL_BYTES for value in told):
        return None
    order: Any = "little" if physical in (_INT32, _INT64) else "big"
    numbers = [int.from_bytes(value, order, signed=True).to_bytes(_DECIMAL_BYTES, "little", signed=True)
               for value in told]
    kind = pyarrow.decimal256(_MOST_DIGITS, scale)
    return pyarrow.Array.from_buffers(kind, len(numbers), [None, pyarrow.py_buffer(b"".join(numbers))])


def statistics(column: Struct) -> Struct:
    """The struct Statistics of a struct ColumnMetaData, empty where there is none."""
    told: Struct = column[CHUNK_STATISTICS][1] if CHUNK_STATISTICS in column else {}
    return told
