"""Geometries as keys of curves, and their boxes as columns: well-known binary and the types of GeoArrow."""

import json
import os
import struct

import pytest

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed (every test of this file)")
import numpy as np  # noqa: E402
import pyarrow.parquet as pq  # noqa: E402
from table_files import read  # noqa: E402
from test_curves import expected, run_command  # noqa: E402

import sortie  # noqa: E402

POINT, LINE, POLYGON, MULTI_POINT, COLLECTION = 1, 2, 3, 4, 7


def wkb(kind, content, order="<", z=False, m=False, ewkb=False, srid=None):
    """content: the points of a line, the rings of a polygon, the geometries of others."""
    flags = (0x80000000 * z | 0x40000000 * m) if ewkb else 1000 * z + 2000 * m
    head = struct.pack(order + "BI", order == "<", kind + flags + (0x20000000 if srid is not None else 0))
    head += b"" if srid is None else struct.pack(order + "I", srid)

    def points(given):
        return b"".join(struct.pack(f"{order}{2 + z + m}d", *point, *[7.0] * (z + m)) for point in given)
    if kind == POINT:
        return head + points([content])
    head += struct.pack(order + "I", len(content))
    if kind == LINE:
        return head + points(content)
    if kind == POLYGON:
        return head + b"".join(struct.pack(order + "I", len(ring)) + points(ring) for ring in content)
    return head + b"".join(content)


NAN = float("nan")
SHAPES = [
    (wkb(POINT, (3, 4)), (3, 4, 3, 4)),
    (wkb(POINT, (3, 4), ">"), (3, 4, 3, 4)),
    (wkb(POINT, (3, 4), z=True, m=True), (3, 4, 3, 4)),
    (wkb(POINT, (3, 4), ">", m=True, ewkb=True, srid=4326), (3, 4, 3, 4)),
    (wkb(POINT, (NAN, NAN)), None),
    (wkb(LINE, [(1, 2), (5, -6), (3, 3)], z=True), (1, -6, 5, 3)),
    (wkb(LINE, []), None),
    (wkb(POLYGON, [[(0, 0), (9, 0), (9, 8), (0, 0)], [(1, 1), (2, 1), (1, 2), (1, 1)]], ">"), (0, 0, 9, 8)),
    (wkb(MULTI_POINT, [wkb(POINT, (1, 1)), wkb(POINT, (NAN, NAN)), wkb(POINT, (4, 0), ">")]), (1, 0, 4, 1)),
    (wkb(COLLECTION, [wkb(LINE, [(1, 1), (2, 2)]), wkb(COLLECTION, [wkb(POINT, (-8, 8))])], ">"), (-8, 1, 2, 8)),
    (wkb(COLLECTION, []), None),
    (None, None),
]


def geo(column="geometry", **more):
    column_told = {"encoding": "WKB", "geometry_types": ["Point"], **more}
    return {b"geo": json.dumps({"version": "1.0.0", "primary_column": column,
                                "columns": {column: column_told}}).encode()}


def geometries(values, kind="binary", **more):
    schema = pa.schema([("geometry", kind), ("row", pa.int64())], geo(**more))
    return pa.table({"geometry": pa.array(values, kind), "row": range(len(values))}, schema=schema)


def geo_of(path):
    return json.loads(pq.read_schema(path).metadata[b"geo"])


@pytest.mark.parametrize("kind", ["binary", "large_binary"])
def test_boxes_of_all_shapes(tmp_path, kind):
    pq.write_table(geometries([shape for shape, _ in SHAPES], kind), tmp_path / "in.parquet")
    sortie.sort_parquet(tmp_path / "in.parquet", tmp_path / "out.parquet", by="row", bounding_boxes=True)
    result = read(tmp_path / "out.parquet")
    sides = ["xmin", "ymin", "xmax", "ymax"]
    assert result["bbox"].to_pylist() == [box and dict(zip(sides, box)) for _, box in SHAPES]
    assert result.column_names == ["geometry", "row",
                                   "bbox"] and result["geometry"].to_pylist() == [s for s, _ in SHAPES]
    told = geo_of(tmp_path / "out.parquet")
    assert told["version"] == "1.1.0"
    assert told["columns"]["geometry"]["covering"] == {"bbox": {side: ["bbox", side] for side in sides}}
    # What has boxes already is left as it is.
    sortie.sort_parquet(tmp_path / "out.parquet", tmp_path / "again.parquet", by="row", bounding_boxes=True)
    assert read(tmp_path / "again.parquet").equals(result) and geo_of(tmp_path / "again.parquet") == told


def test_boxes_have_statistics_by_which_row_groups_are_left_out(tmp_path):
    generator = np.random.default_rng(1)
    points = generator.random((4000, 2)) * 100
    pq.write_table(geometries([wkb(POINT, point) for point in points]), tmp_path / "in.parquet")
    sortie.sort_parquet(tmp_path / "in.parquet", tmp_path / "out.parquet", by="geometry", curve="hilbert",
                        bounding_boxes=True, row_group_rows=100)
    footer = pq.ParquetFile(tmp_path / "out.parquet").metadata
    names = [footer.schema.column(i).path for i in range(footer.num_columns)]
    touched = 0
    for group in range(footer.num_row_groups):
        told = {name: footer.row_group(group).column(i).statistics for i, name in enumerate(names) if "bbox" in name}
        touched += (told["bbox.xmax"].max >= 40 and told["bbox.xmin"].min <= 50 and told["bbox.ymax"].max >= 40
                    and told["bbox.ymin"].min <= 50)
    assert footer.num_row_groups == 40 and 0 < touched <= 6


@pytest.mark.parametrize("curve", ["z", "hilbert"])
@pytest.mark.parametrize("way", ["bits", "rank"])
def test_the_order_is_that_of_the_centres(tmp_path, curve, way):
    generator = np.random.default_rng(2)
    corners = generator.random((500, 4))
    shapes = [wkb(LINE, [corner[:2], corner[2:]], "<>"[i % 2]) for i, corner in enumerate(corners)]
    x = corners[:, [0, 2]].min(1) / 2 + corners[:, [0, 2]].max(1) / 2
    y = corners[:, [1, 3]].min(1) / 2 + corners[:, [1, 3]].max(1) / 2
    empty = generator.random(500) < 0.1
    table = geometries([None if is_empty else shape for shape, is_empty in zip(shapes, empty)])
    centres = pa.table({"x": pa.array(x, mask=empty), "y": pa.array(y, mask=empty), "row": range(500)})
    rows = expected(centres, [("x", False, True), ("y", False, True)], curve, way)["row"].to_pylist()
    result = sortie.sort_table(table, "geometry", nulls="first", curve=curve, curve_by=way).to_arrow()
    assert result["row"].to_pylist() == rows and result.schema.metadata == table.schema.metadata
    pq.write_table(table, tmp_path / "in.parquet", row_group_size=70)
    sortie.sort_parquet(tmp_path / "in.parquet", tmp_path / "out.parquet", by="geometry", nulls="first", curve=curve,
                        curve_by=way)
    assert read(tmp_path / "out.parquet")["row"].to_pylist() == rows


def extension(name, storage):
    return pa.field("geometry", storage, metadata={"ARROW:extension:name": f"geoarrow.{name}"})


XY = pa.struct([("x", pa.float64()), ("y", pa.float64())])
PAIR = pa.list_(pa.float64(), 2)
POINTS = [(5.0, 1.0), (1.0, 7.0), (9.0, 9.0)]


def as_xy(points):
    return [{"x": x, "y": y} for x, y in points]


@pytest.mark.parametrize("field, value, box", [
    (pa.field("geometry", XY), as_xy(POINTS)[0], (5, 1, 5, 1)),
    (extension("point", PAIR), POINTS[0], (5, 1, 5, 1)),
    (extension("point", pa.list_(pa.float64(), 3)), (*POINTS[0], 8.0), (5, 1, 5, 1)),
    (extension("linestring", pa.list_(XY)), as_xy(POINTS), (1, 1, 9, 9)),
    (extension("linestring", pa.large_list(PAIR)), POINTS, (1, 1, 9, 9)),
    (extension("polygon", pa.list_(pa.list_(PAIR))), [POINTS, POINTS[:1]], (1, 1, 9, 9)),
    (extension("multipolygon", pa.list_(pa.list_(pa.list_(XY)))), [[as_xy(POINTS)], [as_xy(POINTS[:1])]], (1, 1, 9, 9)),
    (extension("box", pa.struct([(side, pa.float64()) for side in ("xmin", "ymin", "xmax", "ymax")])),
     {"xmin": 1, "ymin": 2, "xmax": 3, "ymax": 4}, (1, 2, 3, 4)),
    (extension("wkb", pa.binary()), wkb(LINE, POINTS), (1, 1, 9, 9)),
], ids=lambda value: str(getattr(value, "type", "")))
def test_native_types_have_boxes(tmp_path, field, value, box):
    from sortie.curves import geometries

    is_list = pa.types.is_list(field.type) or pa.types.is_large_list(field.type)
    values = pa.array([None, value, value, [] if is_list else None, value], field.type)
    for part in (values, values[1:4]):
        geometry = geometries.geometry_of(pa.schema([field]), field)
        found = geometries.boxes_of(geometry, part, "", 0)
        rows = [None if not is_valid else row for row, is_valid in zip(zip(*found.sides), found.valid)]
        assert rows == [box if row == value else None for row in [None, value, value, [], value][5 - len(values):][
            0 if len(part) == 5 else 1:5 if len(part) == 5 else 4]]
    table = pa.table({"geometry": values, "n": range(5)}, schema=pa.schema([field, ("n", pa.int64())]))
    result = sortie.sort_table(table, "geometry", curve="hilbert", nulls="first").to_arrow()
    assert result["n"].to_pylist() == [0, 3, 1, 2, 4]


@pytest.mark.parametrize("geo_bytes", ["{nope", "[]", '{"columns": {"geometry": 1}}'])
def test_metadata_that_cannot_be_read_are_told_of(tmp_path, geo_bytes):
    table = pa.table({"geometry": pa.array([wkb(POINT, (1, 2))], pa.binary())})
    pq.write_table(table.replace_schema_metadata({"geo": geo_bytes}), tmp_path / "in.parquet")
    with pytest.raises(sortie.Error, match="by has 1 column; the 'geo' metadata of .*in.parquet'.* cannot be read"):
        sortie.sort_parquet(tmp_path / "in.parquet", tmp_path / "out.parquet", by="geometry", curve="z")


@pytest.mark.parametrize("encoding", [None, 1, ["WKB"]])
def test_an_encoding_that_is_no_text_is_that_of_the_extension(tmp_path, encoding):
    points = pa.array(as_xy([(1.0, 2.0), (0.0, 1.0)]), XY)
    field = pa.field("geometry", points.type, metadata={"ARROW:extension:name": "geoarrow.point"})
    table = pa.table([points], schema=pa.schema([field]))
    told = json.dumps({"version": "1.1.0", "primary_column": "geometry", "columns": {"geometry": {"encoding": encoding}}})
    pq.write_table(table.replace_schema_metadata({"geo": told}), tmp_path / "in.parquet")
    report = sortie.sort_parquet(tmp_path / "in.parquet", tmp_path / "out.parquet", by="geometry", curve="z")
    assert report.output_records == 2


def test_bytes_without_metadata_are_texts():
    table = pa.table({"geometry": [wkb(POINT, (1, 2)), b"no"], "n": [1, 2]})
    assert sortie.sort_table(table, ["geometry", "n"], curve="z").to_arrow().num_rows == 2
    with pytest.raises(sortie.Error, match="by has 1 column"):
        sortie.sort_table(table, "geometry", curve="z")


@pytest.mark.parametrize("damaged, reason", [
    (b"", "is cut short"),
    (wkb(LINE, [(1, 2), (3, 4)])[:-1], "is cut short"),
    (wkb(LINE, [(1, 2)]) + b"?", "has 1 bytes behind its end"),
    (b"\x02" + wkb(POINT, (1, 2))[1:], "begins with byte 2, and 0 or 1"),
    (wkb(8, [], "<"), "is of type 8, and GeoParquet has 1 to 7"),
    (wkb(0, [], "<"), "is of type 0, and"),
    (struct.pack("<BII", 1, COLLECTION, 2**32 - 1), "is cut short"),
    (struct.pack("<BII", 1, COLLECTION, 1) * 70, "has collections within"),
])
def test_damage_is_told_with_file_row_and_column(tmp_path, damaged, reason):
    shapes = [wkb(POINT, (i, i)) for i in range(100)]
    shapes[77] = damaged
    pq.write_table(geometries(shapes), tmp_path / "in.parquet", row_group_size=30)
    (tmp_path / "out.parquet").write_text("old")
    for options in ({"by": "geometry", "curve": "z"}, {"by": "row", "bounding_boxes": True}):
        with pytest.raises(sortie.Error) as raised:
            sortie.sort_parquet(tmp_path / "in.parquet", tmp_path / "out.parquet", **options)
        assert f"in.parquet': column 'geometry', row 78: the geometry {reason}" in str(raised.value)
    assert (tmp_path / "out.parquet").read_text() == "old" and sorted(os.listdir(tmp_path)) == ["in.parquet",
                                                                                                "out.parquet"]


def test_metadata_are_right_for_the_rows_of_all_files(tmp_path):
    paths = [tmp_path / f"{i}.parquet" for i in range(3)]
    boxes, kinds = [[0, 1, 2, 3], [-5, 2, 1, 9], [1, 1, 4, 4]], [["Point"], ["LineString"], ["Point"]]
    for i, path in enumerate(paths):
        pq.write_table(geometries([wkb(POINT, (i, i))], bbox=boxes[i], geometry_types=kinds[i]), path)
    sortie.sort_parquet(paths, tmp_path / "out.parquet", by="row")
    told = geo_of(tmp_path / "out.parquet")["columns"]["geometry"]
    assert told == {"encoding": "WKB", "geometry_types": ["LineString", "Point"], "bbox": [-5, 1, 4, 9]}
    # One that does not tell leaves it unknown.
    pq.write_table(geometries([None]), paths[1])
    sortie.sort_parquet(paths, tmp_path / "out.parquet", by="row")
    assert "bbox" not in geo_of(tmp_path / "out.parquet")["columns"]["geometry"]


PSEUDO_MERCATOR = {"type": "ProjectedCRS", "name": "WGS 84 / Pseudo-Mercator",
                   "id": {"authority": "EPSG", "code": 3857}}
CRS84 = {"type": "GeographicCRS", "name": "WGS 84 (CRS84)", "id": {"authority": "OGC", "code": "CRS84"}}


def two_files(tmp_path, first, other, value=wkb(POINT, (1, 2))):
    paths = [tmp_path / "first.parquet", tmp_path / "other.parquet"]
    for path, told in zip(paths, (first, other)):
        pq.write_table(geometries([value, value], **told), path)
    return paths


@pytest.mark.parametrize("first, other, told", [
    ({}, {"crs": PSEUDO_MERCATOR}, "crs EPSG:3857 by its 'geo' metadata, and of 'FIRST' OGC:CRS84"),
    ({"crs": PSEUDO_MERCATOR}, {"crs": CRS84}, "crs OGC:CRS84 by its 'geo' metadata, and of 'FIRST' EPSG:3857"),
    ({"crs": CRS84}, {"crs": None}, "crs that is unknown (null) by its 'geo' metadata, and of 'FIRST' OGC:CRS84"),
    ({}, {"crs": {"type": "EngineeringCRS"}}, 'crs {"type": "EngineeringCRS"} by its'),
    ({}, {"edges": "spherical"}, "edges spherical by its 'geo' metadata, and of 'FIRST' planar"),
    ({"orientation": "counterclockwise"}, {},
     "orientation that is not told by its 'geo' metadata, and of 'FIRST' counter"),
    ({"epoch": 2021.5}, {"epoch": 2024}, "epoch 2024 by its 'geo' metadata, and of 'FIRST' 2021.5"),
])
def test_files_of_two_systems_of_coordinates_are_refused(tmp_path, first, other, told):
    paths = two_files(tmp_path, first, other)
    for options in ({"by": "row"}, {"by": "row", "merge": True}, {"by": "geometry", "curve": "hilbert"},
                    {"by": "row", "schema": "union"}):
        with pytest.raises(sortie.Error) as raised:
            sortie.sort_parquet(paths, tmp_path / "out.parquet", **options)
        assert f"column 'geometry' of '{paths[1]}' has {told.replace('FIRST', str(paths[0]))}" in str(raised.value)
        assert str(raised.value).endswith("bring them into one system, or leave these metadata out")
    assert not (tmp_path / "out.parquet").exists()
    with pytest.raises(sortie.Error, match="column 'geometry' of item 1 of data has"):
        sortie.sort_table([pq.read_table(path) for path in paths], by="row", schema="union")


@pytest.mark.parametrize("first, other", [
    ({}, {"crs": CRS84}), ({"crs": None}, {"crs": None}), ({"edges": "planar"}, {}), ({"epoch": 2024}, {"epoch": 2024}),
    ({"crs": PSEUDO_MERCATOR}, {"crs": {**PSEUDO_MERCATOR, "name": "written by another program"}}),
    # In GeoParquet x is always in front.
    ({"crs": {"id": {"authority": "EPSG", "code": 4326}}}, {}),
])
def test_files_that_tell_the_same_of_coordinates_in_other_words_are_one_table(tmp_path, first, other):
    paths = two_files(tmp_path, first, other)
    sortie.sort_parquet(paths, tmp_path / "out.parquet", by="row")
    assert geo_of(tmp_path / "out.parquet")["columns"]["geometry"] == {"encoding": "WKB", "geometry_types": ["Point"],
                                                                       **first}


def test_a_union_tells_of_geometries_that_the_first_file_lacks(tmp_path):
    generator = np.random.default_rng(3)
    first = pa.table({"row": [77]})
    other = geometries([wkb(POINT, point) for point in generator.random((50, 2))], crs=PSEUDO_MERCATOR,
                       bbox=[0, 0, 1, 1])
    paths = [tmp_path / "first.parquet", tmp_path / "other.parquet"]
    for path, table in zip(paths, (first, other)):
        pq.write_table(table, path)
    told = json.loads(other.schema.metadata[b"geo"])
    for options in ({"by": "row"}, {"by": "row", "merge": True}, {"by": "geometry", "curve": "hilbert"},
                    {"by": "geometry", "curve": "z", "curve_by": "bits"}):
        sortie.sort_parquet(paths[1], tmp_path / "alone.parquet", **options)
        places = read(tmp_path / "alone.parquet")["row"].to_pylist()
        for inputs in (paths, paths[::-1]):
            sortie.sort_parquet(inputs, tmp_path / "out.parquet", schema="union", **options)
            assert geo_of(tmp_path / "out.parquet") == told
            assert [row for row in read(tmp_path / "out.parquet")["row"].to_pylist() if row != 77] == places
    sortie.sort_parquet(paths, tmp_path / "out.parquet", by="row", schema="union", bounding_boxes=True)
    assert geo_of(tmp_path / "out.parquet")["columns"]["geometry"]["covering"]
    assert "bbox" in read(tmp_path / "out.parquet").column_names
    result = sortie.sort_table([first, other], by="row", schema="union").to_arrow()
    assert json.loads(result.schema.metadata[b"geo"]) == told


@pytest.mark.parametrize("curve_by", ["bits", "rank"])
def test_a_file_that_tells_nothing_of_its_geometries_is_read_as_the_others_tell(tmp_path, curve_by):
    table = geometries([wkb(POINT, (i * 7 % 50, i * 11 % 50)) for i in range(50)])
    paths = [tmp_path / "told.parquet", tmp_path / "untold.parquet"]
    pq.write_table(table[:25], paths[0])
    pq.write_table(table[25:].replace_schema_metadata(), paths[1])
    expected = sortie.sort_table(table, "geometry", curve="z", curve_by=curve_by).to_arrow()["row"]
    for inputs in (paths, paths[::-1]):
        sortie.sort_parquet(inputs, tmp_path / "out.parquet", by="geometry", curve="z", curve_by=curve_by)
        assert read(tmp_path / "out.parquet")["row"].to_pylist() == expected.to_pylist()
        # Nor are the types of its geometries known.
        assert geo_of(tmp_path / "out.parquet")["columns"] == {"geometry": {"encoding": "WKB", "geometry_types": []}}


def test_names_of_boxes_are_free(tmp_path):
    table = geometries([wkb(POINT, (1, 2))]).append_column("bbox", pa.array([5]))
    pq.write_table(table, tmp_path / "in.parquet")
    told = run_command("-k", "row", "--bounding-boxes", "-o", tmp_path / "out.parquet", tmp_path / "in.parquet")
    assert told.returncode == 0, told.stderr
    assert read(tmp_path / "out.parquet").column_names == ["geometry", "row", "bbox", "bbox_"]
    assert geo_of(tmp_path / "out.parquet")["columns"]["geometry"]["covering"]["bbox"]["xmin"] == ["bbox_", "xmin"]


def test_codecs_and_forms_of_columns_stay(tmp_path):
    pq.write_table(geometries([wkb(POINT, (1, 2))] * 50), tmp_path / "in.parquet",
                   compression={"geometry": "gzip", "row": "snappy"}, write_page_index=True)
    sortie.sort_parquet(tmp_path / "in.parquet", tmp_path / "out.parquet", by="geometry", curve="z",
                        bounding_boxes=True)
    group = pq.ParquetFile(tmp_path / "out.parquet").metadata.row_group(0)
    assert [group.column(i).compression for i in range(3)] == ["GZIP", "SNAPPY",
                                                               "ZSTD"] and group.column(0).has_column_index


@pytest.mark.parametrize("name, options, message", [
    ("out.arrow", {"bounding_boxes": True}, "bounding_boxes is for Parquet"),
    ("out.parquet", {"bounding_boxes": "yes"}, "bounding_boxes must be True or False, not str"),
])
def test_boxes_are_refused_where_they_mean_nothing(tmp_path, name, options, message):
    pq.write_table(geometries([None]), tmp_path / "in.parquet")
    with pytest.raises(sortie.Error, match=message):
        sortie.sort_parquet(tmp_path / "in.parquet", tmp_path / name, by="row", **options)
    pq.write_table(pa.table({"a": [1]}), tmp_path / "plain.parquet")
    with pytest.raises(sortie.Error, match="plain.parquet' has no 'geo' metadata of GeoParquet"):
        sortie.sort_parquet(tmp_path / "plain.parquet", tmp_path / "out.parquet", by="a", bounding_boxes=True)
    assert not (tmp_path / name).exists()


def logical_type(path, column):
    schema = pq.ParquetFile(path).schema
    return str(next(schema.column(i).logical_type for i in range(len(schema)) if schema.column(i).path == column))


@pytest.fixture
def native(tmp_path):
    """A file with a column of Parquet's type GEOMETRY, without metadata of GeoParquet."""
    duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed")
    path = tmp_path / "native.parquet"
    try:
        duckdb.sql("copy (select i a, ('POINT(' || (i * 7 % 50) || ' ' || (i * 3 % 50) || ')')::GEOMETRY g, 'x' || i t "
                   f"from range(50) t(i)) to '{path}' (geoparquet_version 'V2')")
    except duckdb.Error:
        pytest.skip("this version of DuckDB does not write GEOMETRY")
    if not logical_type(path, "g").startswith("Geometry"):
        pytest.skip("this version of pyarrow does not know GEOMETRY")
    return path


def test_geometry_is_read_as_wkb_and_keeps_its_type(native, tmp_path):
    report = sortie.sort_parquet(native, tmp_path / "out.parquet", by=("a", "desc"), strict=True)
    assert logical_type(tmp_path / "out.parquet", "g") == logical_type(native, "g")
    assert report.to_arrow()["g"].to_pylist() == pq.read_table(native)["g"].to_pylist()[::-1]
    footer = pq.read_metadata(tmp_path / "out.parquet").row_group(0)
    assert footer.column(1).statistics is None and footer.column(2).statistics.has_min_max
    duckdb = pytest.importorskip("duckdb")
    found = duckdb.sql(f"select typeof(g), g::varchar from read_parquet('{tmp_path}/out.parquet') order by "
                       "a limit 1").fetchall()
    assert found[0][0].startswith("GEOMETRY") and found[0][1].startswith("POINT (0 0")
    sortie.sort_parquet(tmp_path / "out.parquet", f"{tmp_path}/parts/", by="a", file_rows=20, schema="union")
    assert logical_type(tmp_path / "parts" / "part-00002.parquet", "g") == logical_type(native, "g")


def test_geometry_has_its_place_on_a_curve_without_other_metadata(native, tmp_path):
    table = pq.read_table(native)
    from sortie.parquet.parquet_input import ParquetInput

    assert "geometry" in ParquetInput(str(native)).form["leaves"]["g"]
    sortie.sort_parquet(native, tmp_path / "told.parquet", by="g", curve="hilbert", curve_by="bits")
    bare = tmp_path / "bare.parquet"
    strip_metadata(native, bare)
    sortie.sort_parquet(bare, tmp_path / "out.parquet", by="g", curve="hilbert", curve_by="bits", strict=True)
    assert read(tmp_path / "out.parquet")["a"].to_pylist() == read(tmp_path / "told.parquet")["a"].to_pylist()
    assert table.num_rows == 50


def strip_metadata(source, target):
    """Writes the same file without key-value metadata: field 5 of the footer."""
    from sortie.parquet import thrift

    content = source.read_bytes()
    length = int.from_bytes(content[-8:-4], "little")
    footer = thrift.read_struct(content[-8 - length:-8])
    footer.pop(5, None)
    made = thrift.struct_bytes(footer)
    target.write_bytes(content[:-8 - length] + made + len(made).to_bytes(4, "little") + b"PAR1")


def test_geometry_in_another_format_is_told(native, tmp_path):
    told = []
    sortie.sort_parquet(native, tmp_path / "out.arrow", by="a", warn=told.append)
    assert told == ["column 'g' is written as bytes of well-known binary, without its type in Parquet, the first at "
                    "GEOMETRY(OGC:CRS84): let the name of the output end in .parquet to keep it"]
    with pytest.raises(sortie.Error, match="would have to assume something"):
        sortie.sort_parquet(native, tmp_path / "no.arrow", by="a", strict=True)


def test_geometries_of_two_systems_of_coordinates_are_refused(native, tmp_path):
    from sortie.parquet import thrift

    content = native.read_bytes()
    length = int.from_bytes(content[-8:-4], "little")
    footer = thrift.read_struct(content[-8 - length:-8])
    element = next(one for one in footer[2][1][1] if one[4][1] == b"g")
    element[10] = (thrift.STRUCT, {18: (thrift.STRUCT, {1: (thrift.BINARY, b"EPSG:3857"), 2: (thrift.I32, 1)})})
    made = thrift.struct_bytes(footer)
    other = tmp_path / "other.parquet"
    other.write_bytes(content[:-8 - length] + made + len(made).to_bytes(4, "little") + b"PAR1")
    with pytest.raises(sortie.Error, match=r"column 'g' of '.*other.parquet' is of Parquet's type "
                       r"GEOGRAPHY\(EPSG:3857\), and of "
                                           r"'.*native.parquet' of type GEOMETRY\(OGC:CRS84\): transform one of them"):
        sortie.sort_parquet([native, other], tmp_path / "out.parquet", by="a")
    sortie.sort_parquet(other, tmp_path / "one.parquet", by="a")
    assert logical_type(tmp_path / "one.parquet",
                        "g") == logical_type(other, "g") and "EPSG:3857" in logical_type(other, "g")


def test_geometries_that_a_file_does_not_tell_of_are_an_assumption(tmp_path):
    shape = wkb(POINT, (1, 2))
    paths = [tmp_path / f"{number}.parquet" for number in range(4)]
    pq.write_table(geometries([shape]), paths[0])
    pq.write_table(geometries([shape]).replace_schema_metadata(None), paths[1])
    pq.write_table(geometries([shape]).drop_columns("geometry"), paths[2])
    pq.write_table(pa.table({"geometry": pa.nulls(1), "row": [0]}), paths[3])
    told = ("column 'geometry': 1 of 4 inputs have no 'geo' metadata that tell of it, and its values are taken for "
            f"geometries like those of the others, the first at '{paths[1]}': write these metadata, or rename the "
            "column")
    for inputs in (paths, paths[::-1]):
        said = []
        report = sortie.sort_parquet(inputs, tmp_path / "out.parquet", by="row", schema="union", warn=said.append)
        assert said == [told] and [(assumption.kind, assumption.count)
                                   for assumption in report.assumptions] == [("untold-geometry", 1)]
        with pytest.raises(sortie.Error, match="the sort would have to assume something: column 'geometry': 1 of 4 "
                           "inputs"):
            sortie.sort_parquet(inputs, tmp_path / "strict.parquet", by="row", schema="union", strict=True)
    assert not (tmp_path / "strict.parquet").exists()
    sortie.sort_parquet([paths[0], paths[2], paths[3]], tmp_path / "out.parquet", by="row", schema="union", strict=True)
    sortie.sort_parquet(paths[1], tmp_path / "out.parquet", by="row", strict=True)


@pytest.mark.parametrize("schema", [None, "union"])
@pytest.mark.parametrize("order", [1, -1])
def test_a_first_file_that_does_not_tell_of_its_geometries_is_counted_like_others(tmp_path, order, schema):
    """Its columns are those of the table, and get the metadata of all."""
    told, untold = tmp_path / "told.parquet", tmp_path / "untold.parquet"
    pq.write_table(geometries([wkb(POINT, (1, 2))]), told)
    pq.write_table(geometries([wkb(POINT, (3, 4))]).replace_schema_metadata(None), untold)
    options = {"by": "row", **({"schema": schema} if schema else {})}
    report = sortie.sort_parquet([told, untold][::order], tmp_path / "out.parquet", warn=lambda _: None, **options)
    assert [(found.kind, found.count, found.of) for found in report.assumptions] == [("untold-geometry", 1, 2)]
    assert f"the first at '{untold}'" in report.assumptions[0].message
    with pytest.raises(sortie.Error, match="would have to assume something: column 'geometry': 1 of 2 inputs"):
        sortie.sort_parquet([told, untold][::order], tmp_path / "strict.parquet", strict=True, **options)
    assert not (tmp_path / "strict.parquet").exists()


def test_tables_that_do_not_tell_of_their_geometries_are_an_assumption_of_a_union():
    shape = wkb(POINT, (1, 2))
    tables = [geometries([shape]), geometries([shape]).replace_schema_metadata(None)]
    said = []
    result = sortie.sort_table(tables, by="row", schema="union", warn=said.append)
    result.to_arrow()
    assert len(said) == 1 and said[0].startswith("column 'geometry': 1 of 2 inputs have no 'geo' "
                                                 "metadata") and "at item 1 of data" in said[0]
    assert [(told.kind, told.count, told.message)
            for told in result.report.assumptions] == [("untold-geometry", 1, said[0])]
    with pytest.raises(sortie.Error, match="the sort would have to assume something: column 'geometry': 1 of 2 inputs"):
        sortie.sort_table(tables, by="row", schema="union", strict=True)
    assert sortie.sort_table(tables[:1] * 2, by="row", schema="union", strict=True).num_rows == 2
