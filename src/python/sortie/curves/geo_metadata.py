"""The 'geo' metadata of GeoParquet 1.1: what files say of their geometries as one, and columns of boxes, by whose
statistics readers leave out row groups."""

from __future__ import annotations

import json
from collections.abc import Sequence, Set
from typing import Any

import pyarrow

from .._assumed import Assumed
from .._errors import Error, shortened
from ..columns.schemas import TypedInput
from ..parquet.parquet_form import geometries_in
from .geometries import BOX_TYPE, GEO, Geometry, box_column, geo_metadata, geometry_of, refuse_no_geometry

_VERSION = "1.1.0"
_SIDES = ("xmin", "ymin", "xmax", "ymax")


def box_of_metadata(schema: pyarrow.Schema, name: str) -> tuple[float, float, float, float] | None:
    """The bounds of a column of geometries; None if they are not told, or go across the antimeridian."""
    box = _box(geo_metadata(schema).get("columns", {}).get(name, {}))
    if box is None:
        return None
    half = len(box) // 2
    found = float(box[0]), float(box[1]), float(box[half]), float(box[half + 1])
    return found if found[0] <= found[2] and found[1] <= found[3] else None


def _box(column: dict[str, Any]) -> list[float] | None:
    box = column.get("bbox")
    is_sound = (isinstance(box, list) and len(box) in (4, 6)
                and all(isinstance(side, (int, float)) and not isinstance(side, bool) for side in box))
    return box if is_sound else None


def unite_geometries(files: Sequence[TypedInput], assumed: Assumed) -> None:
    """Gives the first file metadata that are right for the rows of all, and tells of files without them, as
    tell_untold() does. Raises Error as united_geometries() does."""
    schemas, called = [file.own_schema for file in files], [f"'{file.path}'" for file in files]
    tell_untold(schemas, called, [set(geometries_in(file.form)) for file in files], assumed)
    told = united_geometries(schemas, called)
    if told is not None:
        files[0].schema = _with_geo(files[0].schema, told)


def tell_untold(schemas: Sequence[pyarrow.Schema], called: Sequence[str], typed: Sequence[Set[str]],
                assumed: Assumed) -> None:
    """That columns are geometries, as other tables have them by this name, of tables that do not tell so. called: how
    messages call each; typed: the columns whose types are of geometries."""
    told = {name for schema in schemas for name in geo_metadata(schema).get("columns", {})}
    untold: dict[str, list[str]] = {}
    for schema, table, of_types in zip(schemas, called, typed) if told else ():
        for name in told - {*geo_metadata(schema).get("columns", {}), *of_types}:
            number = schema.get_field_index(name)
            if number < 0 or pyarrow.types.is_null(schema.field(number).type):
                continue
            if geometry_of(schema, schema.field(number)) is None:
                untold.setdefault(name, []).append(table)
    for name, tables in sorted(untold.items()):
        assumed.add("untold-geometry", name, len(tables), tables[0])


def with_geometries_of(schema: pyarrow.Schema, schemas: Sequence[pyarrow.Schema],
                       called: Sequence[str]) -> pyarrow.Schema:
    """With metadata that are right for the rows of all tables. Raises Error as united_geometries() does."""
    told = united_geometries(schemas, called)
    return schema if told is None else _with_geo(schema, told)


def united_geometries(schemas: Sequence[pyarrow.Schema], called: Sequence[str]) -> dict[str, Any] | None:
    """Metadata of the geometries of all tables together: boxes and types are those of all rows, and the rest is that of
    the first table that tells of a column. None if there is one table, or none tells of geometries. called: how
    messages call each table. Raises Error for a column whose coordinates do not mean the same in all."""
    told = [geo_metadata(schema) for schema in schemas]
    first = next((geo for geo in told if geo), None)
    if first is None or len(schemas) == 1:
        return None
    columns: dict[str, Any] = {}
    for name in dict.fromkeys(name for geo in told if geo for name in geo["columns"]):
        # A table without the column has nulls there.
        own = [(geo.get("columns", {}).get(name), table) for geo, schema, table in zip(told, schemas, called)
               if name in geo.get("columns", {}) or name in schema.names]
        described = [(column, table) for column, table in own if column is not None]
        _refuse_other_coordinates(name, described)
        columns[name] = _united([described[0][0], *(column or {} for column, _ in own)])
    return {**first, "columns": columns}


def _refuse_other_coordinates(name: str, described: Sequence[tuple[dict[str, Any], str]]) -> None:
    first, its_table = described[0]
    for column, table in described[1:]:
        for word in ("crs", "edges", "orientation", "epoch"):
            its, other = _coordinates_told(first, word), _coordinates_told(column, word)
            if its != other:
                raise Error(f"column '{name}' of {table} has {word} {shortened(other)} by its 'geo' metadata, and of "
                            f"{its_table} {shortened(its)}: bring them into one system, or leave these metadata out")


def _coordinates_told(column: dict[str, Any], word: str) -> str:
    if word != "crs":
        return str(column.get(word, "planar" if word == "edges" else "that is not told"))
    crs = column.get(word, "OGC:CRS84")
    if crs is None:
        return "that is unknown (null)"
    known = crs.get("id") if isinstance(crs, dict) else None
    if isinstance(known, dict) and {"authority", "code"} <= known.keys():
        crs = f"{known['authority']}:{known['code']}"
    text = crs if isinstance(crs, str) else json.dumps(crs, sort_keys=True)
    # These differ in the order of their axes alone, and in GeoParquet x is always in front.
    return "OGC:CRS84" if text == "EPSG:4326" else text


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
    """Columns of boxes for those geometries of a schema that have none. schema: the one with them behind its
    columns."""

    def __init__(self, schema: pyarrow.Schema, path: str) -> None:
        """Raises Error for a file without geometries. path: of the file, for messages."""
        told = geo_metadata(schema)
        if not told:
            raise Error(f"'{path}' has no 'geo' metadata of GeoParquet that can be read, which tell what is a "
                        "geometry: leave bounding_boxes out")
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
