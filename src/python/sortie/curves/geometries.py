"""Columns of geometries and their boxes: well-known binary, and the structs and lists of GeoArrow and GeoParquet."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy
import pyarrow
from pyarrow import types

from .. import _native
from .._errors import Error, shortened
from ..columns.key_columns import decoded

if TYPE_CHECKING:
    from numpy.typing import NDArray

GEO = b"geo"
_SIDES = ("xmin", "ymin", "xmax", "ymax")
BOX_TYPE = pyarrow.struct([pyarrow.field(side, pyarrow.float64()) for side in _SIDES])
_EXTENSION = b"ARROW:extension:name"
_WKB = ("wkb", "geoarrow.wkb", "ogc.wkb")
_NATIVE = ("point", "linestring", "polygon", "multipoint", "multilinestring", "multipolygon", "box")


class Geometry(NamedTuple):
    """A kind of geometries. is_wkb: else structs and lists."""
    is_wkb: bool


class Boxes(NamedTuple):
    """sides: xmin, ymin, xmax, ymax of each row. valid: False for null and empty geometries."""
    sides: Sequence[NDArray[numpy.float64]]
    valid: NDArray[numpy.bool_]


def geo_metadata(schema: pyarrow.Schema) -> dict[str, Any]:
    """What GeoParquet says of the columns of a file; {} if it says nothing that can be read."""
    try:
        told = json.loads((schema.metadata or {})[GEO])
        columns = told["columns"]
        is_sound = isinstance(columns, dict) and all(isinstance(column, dict) for column in columns.values())
    except (KeyError, TypeError, ValueError):
        return {}
    return told if is_sound else {}


def has_unread_geo(schema: pyarrow.Schema) -> bool:
    """Whether GeoParquet's metadata are there, and cannot be read."""
    return GEO in (schema.metadata or {}) and not geo_metadata(schema)


def geometry_of(schema: pyarrow.Schema, field: pyarrow.Field) -> Geometry | None:
    """None for a column that is no geometry. Structs of x and y, or of the sides of a box, are one without any
    metadata."""
    kind = field.type
    name = kind.extension_name if isinstance(kind, pyarrow.BaseExtensionType) else ""
    name = name or (field.metadata or {}).get(_EXTENSION, b"").decode("utf-8", "replace")
    encoding = str(geo_metadata(schema).get("columns", {}).get(field.name, {}).get("encoding", "")).lower()
    storage = kind.storage_type if isinstance(kind, pyarrow.BaseExtensionType) else kind
    for word in (name.lower(), encoding):
        if word in _WKB and _is_binary(storage):
            return Geometry(is_wkb=True)
        if word.removeprefix("geoarrow.") in _NATIVE and (word == encoding or word.startswith("geoarrow.")):
            return Geometry(is_wkb=False) if _has_points(storage) else None
    return Geometry(is_wkb=False) if types.is_struct(storage) and _has_points(storage) else None


def _is_binary(kind: pyarrow.DataType) -> bool:
    return any(is_type(kind) for is_type in (types.is_binary, types.is_large_binary, types.is_binary_view))


def _is_list(kind: pyarrow.DataType) -> bool:
    return bool(types.is_list(kind) or types.is_large_list(kind))


def _has_points(kind: pyarrow.DataType) -> bool:
    while _is_list(kind):
        kind = kind.value_type
    if types.is_struct(kind):
        fields = {field.name: field.type for field in kind}
        sides = _SIDES if set(_SIDES) <= set(fields) else ("x", "y")
        return all(side in fields and types.is_floating(fields[side]) for side in sides)
    return bool(types.is_fixed_size_list(kind) and types.is_floating(kind.value_type) and kind.list_size in (2, 3, 4))


def boxes_of(geometry: Geometry, column: pyarrow.Array, place: str, first_row: int) -> Boxes:
    """Raises Error for a geometry that is damaged. place: of the column, for messages; first_row: the number of its
    first row."""
    values = decoded(column)
    if not geometry.is_wkb:
        return _native_boxes(values)
    found = _native.geometry_boxes(values.cast(pyarrow.large_binary()).__arrow_c_array__())
    if isinstance(found[0], int):
        row, reason = found
        raise Error(f"{place}, row {first_row + row + 1}: the geometry {reason}: it is no well-known binary")
    sides, valid = found
    return Boxes([numpy.frombuffer(side, numpy.float64) for side in sides],
                 numpy.frombuffer(valid, numpy.uint8).astype(bool))


def _native_boxes(values: pyarrow.Array) -> Boxes:
    valid = ~values.is_null().to_numpy(zero_copy_only=False)
    offsets = numpy.arange(len(values) + 1)
    while _is_list(values.type):
        starts = values.offsets.to_numpy()
        offsets, values = starts[offsets], values.values
    names = [field.name for field in values.type] if types.is_struct(values.type) else []
    if set(_SIDES) <= set(names):
        sides = [_floats(values.field(side)) for side in _SIDES]
    else:
        x, y = (_floats(values.field(name)) for name in ("x", "y")) if names else _interleaved(values)
        sides = [x, y, x, y]
    found = [_of_rows(numpy.fmin if number < 2 else numpy.fmax, side, offsets) for number, side in enumerate(sides)]
    return Boxes(found, valid & ~numpy.any(numpy.isnan(found), axis=0))


def _floats(values: pyarrow.Array) -> NDArray[numpy.float64]:
    """NaN for nulls."""
    found: NDArray[numpy.float64] = values.cast(pyarrow.float64()).to_numpy(zero_copy_only=False)
    return found


def _interleaved(points: pyarrow.Array) -> list[NDArray[numpy.float64]]:
    size = points.type.list_size
    values = _floats(points.values.slice(points.offset * size, len(points) * size))
    return [values[0::size], values[1::size]]


def _of_rows(join: Any, values: NDArray[numpy.float64], offsets: NDArray[Any]) -> NDArray[numpy.float64]:
    """The least or the greatest of the values of each row; NaN if there are none."""
    found = numpy.full(len(offsets) - 1, numpy.nan)
    has_values = offsets[1:] > offsets[:-1]
    if has_values.any():
        found[has_values] = join.reduceat(values[:offsets[-1]], offsets[:-1][has_values])
    return found


def centres_of(geometry: Geometry, column: pyarrow.Array, place: str, first_row: int) -> list[pyarrow.Array]:
    """x and y of the centres of the boxes, null where there is none."""
    boxes = boxes_of(geometry, column, place, first_row)
    with numpy.errstate(invalid="ignore"):  # a box without an end has no centre
        return [pyarrow.array(boxes.sides[axis] / 2 + boxes.sides[axis + 2] / 2, mask=~boxes.valid) for axis in (0, 1)]


def box_column(geometry: Geometry, column: pyarrow.Array, place: str, first_row: int) -> pyarrow.Array:
    """A column of BOX_TYPE."""
    boxes = boxes_of(geometry, column, place, first_row)
    sides = [pyarrow.array(side, mask=~boxes.valid) for side in boxes.sides]
    return pyarrow.StructArray.from_arrays(sides, fields=list(BOX_TYPE), mask=pyarrow.array(~boxes.valid))


def refuse_no_geometry(name: str, field: pyarrow.Field) -> Error:
    return Error(f"column '{name}' is a geometry by the file's 'geo' metadata, and of type {shortened(field.type)}: "
                 "its boxes cannot be told")
