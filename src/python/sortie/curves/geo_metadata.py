"""The 'geo' metadata of GeoParquet 1.1: what files say of their geometries as one, and columns of boxes, by whose statistics
readers leave out row groups."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pyarrow

from .._errors import Error
from ..columns.schemas import TypedInput
from .geometries import BOX_TYPE, GEO, Geometry, box_column, geo_metadata, geometry_of, refuse_no_geometry

_VERSION = "1.1.0"
_SIDES = ("xmin", "ymin", "xmax", "ymax")


def box_of_metadata(schema: pyarrow.Schema, name: str) -> tuple[float, float, float, float] | None:
    """The bounds of a column of geometries; None if they are not told, or go across the antimeridian."""
    box = _box(geo_metadata(schema).get("columns", {}).get(name, {}))
    if box is None:
        return None
    half = len(box) // 2
    found = box[0], box[1], box[half], box[half + 1]
    return found if found[0] <= found[2] and found[1] <= found[3] else None


def _box(column: dict[str, Any]) -> list[float] | None:
    box = column.get("bbox")
    is_sound = (isinstance(box, list) and len(box) in (4, 6)
                and all(isinstance(side, (int, float)) and not isinstance(side, bool) for side in box))
    return box if is_sound else None


def unite_geometries(files: Sequence[TypedInput]) -> None:
    """Gives the first file metadata that are right for the rows of all: boxes and types of geometries."""
    first = files[0].schema
    if len(files) == 1 or not geo_metadata(first):
        return
    told = [geo_metadata(file.own_schema).get("columns", {}) for file in files]
    columns = {name: _united([columns.get(name, {}) for columns in told]) for name in told[0]}
    files[0].schema = _with_geo(first, {**geo_metadata(first), "columns": columns})


def _united(columns: Sequence[dict[str, Any]]) -> dict[str, Any]:
    united = dict(columns[0])
    kinds = [column.get("geometry_types") for column in columns]
    # None at all means that they are not known.
    known = all(isinstance(kind, list) and kind for kind in kinds)
    if "geometry_types" in united:
        united["geometry_types"] = sorted({str(word) for kind in kinds for word in kind or []}) if known else []
    boxes = [_box(column) for column in columns]
    united.pop("bbox", None)
    if all(box is not None and len(box) == len(boxes[0] or []) for box in boxes):
        half = len(boxes[0] or []) // 2
        sides = list(zip(*(box for box in boxes if box is not None)))
        if all(west <= east for west, east in zip(sides[0], sides[half])):
            united["bbox"] = [*map(min, sides[:half]), *map(max, sides[half:])]
    if any(column.get("covering") != columns[0].get("covering") for column in columns):
        united.pop("covering", None)
    return united


def _with_geo(schema: pyarrow.Schema, told: dict[str, Any]) -> pyarrow.Schema:
    return schema.with_metadata({**(schema.metadata or {}), GEO: json.dumps(told).encode()})


class BoxColumns:
    """Columns of boxes for those geometries of a schema that have none. schema: the one with them behind its columns."""

    def __init__(self, schema: pyarrow.Schema, path: str) -> None:
        """Raises Error for a file without geometries. path: of the file, for messages."""
        told = geo_metadata(schema)
        if not told:
            raise Error(f"'{path}' has no 'geo' metadata of GeoParquet that can be read, which tell what is a geometry: leave "
                        "bounding_boxes out")
        self._geometries: list[tuple[str, int, Geometry]] = []
        names, columns = list(schema.names), dict(told["columns"])
        fields = []
        for name, column in columns.items():
            if names.count(name) != 1 or _is_covered(column):
                continue
            field = schema.field(name)
            geometry = geometry_of(schema, field)
            if geometry is None:
                raise refuse_no_geometry(name, field)
            box = "bbox" if name == told.get("primary_column") else f"{name}_bbox"
            while box in names:
                box += "_"
            names.append(box)
            fields.append(pyarrow.field(box, BOX_TYPE))
            columns[name] = {**column, "covering": {"bbox": {side: [box, side] for side in _SIDES}}}
            self._geometries.append((name, schema.get_field_index(name), geometry))
        version = str(told.get("version", ""))
        is_old = not version or version.startswith(("0.", "1.0"))
        told = {**told, "version": _VERSION if is_old else version, "columns": columns}
        self.schema = _with_geo(pyarrow.schema([*schema, *fields], schema.metadata), told) if fields else schema

    def of(self, batch: pyarrow.RecordBatch, place: str, first_row: int) -> list[pyarrow.Array]:
        return [box_column(geometry, batch.column(number), f"{place}column '{name}'", first_row)
                for name, number, geometry in self._geometries]


def _is_covered(column: dict[str, Any]) -> bool:
    covering = column.get("covering")
    return isinstance(covering, dict) and "bbox" in covering
