"""sort_table(curve=...) and sort_parquet(curve=...): the order of rows against a curve in plain Python."""

import decimal
import json
import math
import os
import random
import struct
import subprocess

import pytest

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed (every test of this file)")
import numpy as np  # noqa: E402
import pyarrow.parquet as pq  # noqa: E402
import random_tables  # noqa: E402
from table_files import COMMAND, read, write  # noqa: E402

import sortie  # noqa: E402


def interleaved(cells, bits):
    place = 0
    for bit in reversed(range(bits)):
        for cell in cells:
            place = place << 1 | (cell >> bit) & 1
    return place


def hilbert(cells, bits):
    """J. Skilling, "Programming the Hilbert curve": AxestoTranspose."""
    x = list(cells)
    q = 1 << (bits - 1)
    while q > 1:
        for i in range(len(x)):
            if x[i] & q:
                x[0] ^= q - 1
            else:
                t = (x[0] ^ x[i]) & (q - 1)
                x[0] ^= t
                x[i] ^= t
        q >>= 1
    for i in range(1, len(x)):
        x[i] ^= x[i - 1]
    t, q = 0, 1 << (bits - 1)
    while q > 1:
        if x[-1] & q:
            t ^= q - 1
        q >>= 1
    return interleaved([value ^ t for value in x], bits)


CURVES = {"z": interleaved, "hilbert": hilbert}


def bits_of(count):
    return 64 // count if count < 5 else 16


def comparable(value):
    if isinstance(value, str):
        return value.encode()
    if isinstance(value, decimal.Decimal):
        return float(value)
    return value


def is_nan(value):
    return isinstance(value, float) and math.isnan(value)


def text_numbers(texts, low, high):
    skipped = len(os.path.commonprefix([low, high]))
    return [int.from_bytes(text[skipped:skipped + 8].ljust(8, b"\0"), "big") for text in texts]


def cells_by_bits(values, steps):
    finite = [v for v in values if not (isinstance(v, float) and not math.isfinite(v))]
    low, high = min(finite), max(finite)

    def cell(value):
        if value <= low:
            return 0
        if value >= high:
            return steps
        if isinstance(value, bytes):
            value, least, most = text_numbers([value, low, high], low, high)
            return int(min((value - least) / (most - least) * steps, steps)) if most > least and value > least else 0
        if isinstance(value, float):
            return int((value / 2 - low / 2) / (high / 2 - low / 2) * steps)
        return int((value - low) / (high - low) * steps)
    return {id(value): cell(value) for value in values}


def cells_by_rank(values, steps):
    return {id(value): steps * sum(other < value for other in values) // len(values) for value in values}


def cells_of(column, way, bits, falls=False, nulls_first=False):
    top = (1 << bits) - 1
    values = [comparable(value) for value in column]
    told = [value for value in values if value is not None and not is_nan(value)]
    found = {"bits": cells_by_bits, "rank": cells_by_rank}[way](told, top - 3) if told else {}

    def place(value):
        if value is None:
            return 0 if nulls_first else top
        if is_nan(value):
            return 1 if falls else top - 1
        cell = found[id(value)]
        return top - 1 - cell if falls else cell + 1
    return [place(value) for value in values]


def expected(table, keys, curve, way):
    return table.take(rows_in_order(table, keys, curve, way))


def rows_in_order(table, keys, curve, way):
    """keys: (name, whether it falls, whether nulls come first)."""
    bits = bits_of(len(keys))
    cells = zip(*(cells_of(table[name].to_pylist(), way, bits, *how) for name, *how in keys))
    places = [CURVES[curve](point, bits) for point in cells]
    return sorted(range(len(table)), key=places.__getitem__)


def numbers(rows, columns, seed=1):
    generator = np.random.default_rng(seed)
    made = {}
    for number in range(columns):
        values = [generator.random(rows), generator.integers(-50, 1000, rows),
                  generator.lognormal(size=rows)][number % 3]
        made[f"c{number}"] = pa.array(values, mask=generator.random(rows) < 0.1)
    return pa.table({**made, "row": range(rows)})


@pytest.mark.parametrize("curve", CURVES)
@pytest.mark.parametrize("way", ["bits", "rank"])
@pytest.mark.parametrize("columns", [2, 3, 4, 5, 8])
def test_rows_come_in_the_order_of_the_curve(curve, way, columns):
    table = numbers(700, columns)
    r = random.Random(columns)
    keys = [(f"c{i}", r.random() < 0.5, r.random() < 0.5) for i in range(columns)]
    by = [(name, "desc" if falls else "asc", "first" if first else "last") for name, falls, first in keys]
    result = sortie.sort_table(table, by, curve=curve, curve_by=way).to_arrow()
    assert result.equals(expected(table, keys, curve, way))
    assert result.schema.equals(table.schema)


@pytest.mark.parametrize("kind", random_tables.KEYS, ids=str)
@pytest.mark.parametrize("way", ["bits", "rank"])
def test_every_type_of_keys_is_a_coordinate(kind, way):
    r = random.Random(str(kind))
    make = random_tables.KEYS[kind]
    values = [None if r.random() < 0.1 else make(r) for _ in range(400)]
    table = pa.table({"a": pa.array(values, kind), "b": pa.array([r.randrange(100) for _ in values])})
    result = sortie.sort_table(table, ["a", "b"], curve="hilbert", curve_by=way).to_arrow()
    compared = table
    if way == "bits" and pa.types.is_temporal(kind):
        compared = table.set_column(0, "a", table["a"].combine_chunks().view("int32" if kind.bit_width == 32
                                                                             else "int64"))
    rows, told = rows_in_order(compared, [("a",), ("b",)], "hilbert", way), table.to_pylist()
    assert repr(result.to_pylist()) == repr([told[row] for row in rows])


def test_an_order_of_categories_is_that_of_a_coordinate():
    sizes = pa.DictionaryArray.from_arrays(pa.array([2, 0, 1, 0], "int8"), ["small", "medium", "large"], ordered=True)
    table = pa.table({"size": sizes, "n": [0, 0, 0, 0]})
    assert sortie.sort_table(table, ["size", "n"], curve="z").to_arrow()["size"].to_pylist() == [
        "small", "small", "medium", "large"]


def test_infinite_values_are_at_the_ends():
    values = [math.inf, 1.0, -math.inf, math.nan, 2.0, None, 1e308, -1e308]
    table = pa.table({"a": values, "b": [0] * len(values)})
    for way in ("bits", "rank"):
        found = sortie.sort_table(table, ["a", "b"], curve="z", curve_by=way).to_arrow()["a"].to_pylist()
        assert found[0] in (-math.inf, -1e308) and math.isnan(found[-2]) and found[-1] is None


def test_fields_of_structs_are_coordinates():
    table = pa.table({"p": [{"x": i * 37 % 50, "y": i * 11 % 50} for i in range(50)]})
    flat = pa.table({"x": [p["x"] for p in table["p"].to_pylist()], "y": [p["y"] for p in table["p"].to_pylist()],
                     "row": range(50)})
    rows = expected(flat, [("x",), ("y",)], "hilbert", "rank")["row"]
    assert sortie.sort_table(table, ["p.x", "p.y"], curve="hilbert").to_arrow().equals(table.take(rows))


def test_tables_without_rows_or_with_one():
    for rows in (0, 1):
        table = numbers(rows, 2)
        for way in ("bits", "rank"):
            for data in (table, table.to_reader()):
                assert sortie.sort_table(data, ["c0", "c1"], curve="hilbert", curve_by=way).to_arrow().equals(table)


def test_rows_that_tell_where_cells_begin_take_no_more_than_the_memory():
    batch = pa.record_batch({"x": range(1000), "y": range(1000), "text": ["x" * 5000] * 1000})
    with sortie.Sorter(by=["x", "y"], curve="z", memory="8MiB") as sorter:
        sorter.push(batch)
        assert sorter._native._rows is None
        sorter.push(batch)
        assert sorter._native._rows is not None


def test_a_stream_is_read_once_and_longer_than_what_is_looked_at():
    table = numbers(300_000, 2)
    reader = pa.RecordBatchReader.from_batches(table.schema, iter(table.to_batches(10_000)))
    result = sortie.sort_table(reader, ["c0", "c1"], curve="hilbert", memory="8MB").to_arrow()
    assert result.sort_by("row").equals(table)
    # Boxes of neighbours are small.
    spans = [np.ptp(np.array(part["c0"].drop_null())) * np.ptp(np.array(part["c1"].drop_null()))
             for part in (result.slice(begin, 1000) for begin in range(0, 200_000, 20_000))]
    assert np.median(spans) < 0.1 * 1050


def test_hidden_keys_do_not_come_out_by_any_way():
    table = numbers(2000, 2)
    result = sortie.sort_table(table, ["c0", "c1"], curve="z", batch_rows=300)
    assert result.schema.equals(table.schema) and "place" not in repr(result)
    batches = list(result)
    assert [pa.record_batch(batch).num_columns for batch in batches] == [3] * 7
    kept = sortie.sort_table(table, ["c0", "c1"], curve="z")
    assert kept.to_arrow().equals(kept.to_arrow()) and pa.table(kept).equals(kept.to_arrow())


def test_data_frames_come_out_as_such():
    pandas = pytest.importorskip("pandas")
    polars = pytest.importorskip("polars")
    frame = pandas.DataFrame({"x": [3, 1, 2], "y": [1, 3, 2]}, index=["a", "b", "c"])
    result = sortie.sort_table(frame, ["x", "y"], curve="z").to_pandas()
    assert sorted(result.index) == ["a", "b", "c"] and result.loc["a", "x"] == 3
    assert sortie.sort_table(polars.DataFrame({"x": [2, 1], "y": [2, 1]}), ["x", "y"],
                             curve="z").to_polars().rows() == [
        (1, 1), (2, 2)]


@pytest.mark.parametrize("suffix", [".parquet", ".csv", ".arrow"])
@pytest.mark.parametrize("way", ["bits", "rank"])
def test_files_of_each_format(tmp_path, suffix, way):
    table = numbers(900, 3)
    parts = [table.slice(0, 500), table.slice(500, 0), table.slice(500)]
    paths = [tmp_path / f"in{i}{suffix}" for i in range(3)]
    for part, path in zip(parts, paths):
        write(part, path)
    out = tmp_path / f"out{suffix}"
    sortie.sort_parquet(paths, out, by=["c0", ("c1", "desc"), "c2"], curve="hilbert", curve_by=way)
    found = read(out)
    assert found["row"].to_pylist() == expected(
        table, [("c0",), ("c1", True), ("c2",)], "hilbert", way)["row"].to_pylist()
    assert found.schema.names == table.schema.names


def test_an_order_on_a_curve_is_not_claimed_as_sorting_columns(tmp_path):
    pq.write_table(numbers(100, 2), tmp_path / "in.parquet", sorting_columns=[pq.SortingColumn(0)])
    sortie.sort_parquet(tmp_path / "in.parquet", tmp_path / "out.parquet", by=["c0", "c1"], curve="z",
                        row_group_rows=30)
    footer = pq.ParquetFile(tmp_path / "out.parquet").metadata
    assert footer.num_row_groups == 4
    assert all(footer.row_group(group).sorting_columns == () for group in range(4))


def test_statistics_of_footers_or_the_rows_give_the_same_order(tmp_path):
    table = numbers(1000, 2).append_column("t", pa.array([f"http://{i * 7 % 1000}" for i in range(1000)]))
    pq.write_table(table, tmp_path / "told.parquet", row_group_size=130)
    pq.write_table(table, tmp_path / "untold.parquet", row_group_size=130, write_statistics=False)
    for name in ("told", "untold"):
        sortie.sort_parquet(tmp_path / f"{name}.parquet", tmp_path / f"{name}-out.parquet", by=["c0", "c1", "t"],
                            curve="hilbert", curve_by="bits")
    assert read(tmp_path / "told-out.parquet").equals(read(tmp_path / "untold-out.parquet"))
    assert read(tmp_path / "told-out.parquet").equals(expected(table, [("c0",), ("c1",), ("t",)], "hilbert", "bits"))


@pytest.mark.parametrize("ends", [[math.inf], [-math.inf, math.inf]])
def test_cells_are_those_of_finite_values_although_statistics_tell_infinite_ones(tmp_path, ends):
    generator = np.random.default_rng(4)
    table = pa.table({"a": [*generator.random(500), *ends], "b": [*generator.random(500), *[0.5] * len(ends)]})
    pq.write_table(table, tmp_path / "in.parquet")
    assert pq.read_metadata(tmp_path / "in.parquet").row_group(0).column(0).statistics.max == math.inf
    sortie.sort_parquet(tmp_path / "in.parquet", tmp_path / "out.parquet", by=["a", "b"], curve="hilbert",
                        curve_by="bits")
    assert read(tmp_path / "out.parquet").equals(expected(table, [("a",), ("b",)], "hilbert", "bits"))


def test_a_sample_of_large_files_is_enough(tmp_path):
    table = numbers(200_000, 2)
    paths = [tmp_path / f"{i}.parquet" for i in range(2)]
    for i, path in enumerate(paths):
        pq.write_table(table.slice(i * 100_000, 100_000), path, row_group_size=2000)
    sortie.sort_parquet(paths, tmp_path / "out.parquet", by=["c0", "c1"], curve="hilbert", row_group_rows=2000,
                        memory="4MB")
    result = read(tmp_path / "out.parquet")
    assert result.sort_by("row").equals(table)
    footer = pq.ParquetFile(tmp_path / "out.parquet").metadata
    touched = 0
    for group in range(footer.num_row_groups):
        x, y = (footer.row_group(group).column(i).statistics for i in (0, 1))
        if x.has_min_max and y.has_min_max:
            touched += x.min < 0.55 and x.max > 0.45 and y.min < 500 and y.max > 400
    assert touched < footer.num_row_groups / 8


def test_dictionaries_with_many_words_are_carried_as_values(tmp_path, monkeypatch):
    from sortie.parquet import dictionaries

    monkeypatch.setattr(dictionaries, "_MOST_WORD_BYTES", 0)
    table = numbers(500, 2).append_column("word", pa.array([f"w{i % 7}" for i in range(500)]).dictionary_encode())
    pq.write_table(table, tmp_path / "in.parquet")
    sortie.sort_parquet(tmp_path / "in.parquet", tmp_path / "out.parquet", by=["c0", "word"], curve="hilbert")
    result = read(tmp_path / "out.parquet")
    assert result.schema.equals(table.schema)
    assert result.to_pydict() == expected(table, [("c0",), ("word",)], "hilbert", "rank").to_pydict()


def test_positions_and_pairs_are_keys_of_files(tmp_path):
    table = numbers(100, 2)
    pq.write_table(table, tmp_path / "in.parquet")
    sortie.sort_parquet(tmp_path / "in.parquet", tmp_path / "out.parquet", by=[0, ("c1", "desc", "first")], curve="z")
    assert read(tmp_path / "out.parquet").equals(expected(table, [("c0",), ("c1", True, True)], "z", "rank"))


NINE = [f"c{i}" for i in range(9)]


@pytest.mark.parametrize("by, options, message", [
    ("c0", {"curve": "z"}, "goes through 2 to 8 columns, or 1 to 4 of geometries, which count twice, and by has 1 "
     "column"),
    (NINE, {"curve": "z"}, "goes through 2 to 8 columns, .* by has 9 numbers"),
    (["c0", "c0"], {"curve": "z"}, "by names column 'c0' twice"),
    (["c0", "list"], {"curve": "z"}, "key 'list' is of type list.*, which has no place on a curve"),
    (["c0", "struct"], {"curve": "z"}, "key 'struct' is of type struct.*, which has no place on a curve"),
    (["c0", "no"], {"curve": "z"}, "no"),
    (["c0", "c1"], {"curve": "peano"}, "invalid value 'peano' for curve: known are hilbert, z"),
    (["c0", "c1"], {"curve": "z", "curve_by": "size"}, "invalid value 'size' for curve_by: known are rank, bits"),
    (["c0", "c1"], {"curve_by": "rank"}, "curve_by needs curve"),
    (["c0", "c1"], {"curve": "z", "unique": True}, "curve and unique are incompatible: rows of one cell have one key"),
    (["c0", "c1"], {"curve": "z", "keep_last": True, "unique": True}, "curve and .* are incompatible"),
])
def test_refusals_leave_the_output_as_it_was(tmp_path, by, options, message):
    table = numbers(20, 9).append_column("list", pa.array([[1]] * 20)).append_column("struct",
                                                                                     pa.array([{"a": 1}] * 20))
    pq.write_table(table, tmp_path / "in.parquet")
    (tmp_path / "out.parquet").write_text("old")
    with pytest.raises(sortie.Error, match=message):
        sortie.sort_table(table, by, **options)
    with pytest.raises(sortie.Error, match=message):
        sortie.sort_parquet(tmp_path / "in.parquet", tmp_path / "out.parquet", by=by, **options)
    assert (tmp_path / "out.parquet").read_text() == "old"
    assert sorted(os.listdir(tmp_path)) == ["in.parquet", "out.parquet"]


def test_words_of_other_types_are_refused():
    for options in ({"curve": 1}, {"curve": "z", "curve_by": True}):
        with pytest.raises(TypeError, match="must be a str"):
            sortie.sort_table(numbers(2, 2), ["c0", "c1"], **options)


def run_command(*arguments):
    return subprocess.run([*COMMAND, *map(str, arguments)], capture_output=True, text=True, timeout=100)


def test_the_command_takes_curves(tmp_path):
    table = numbers(300, 2)
    pq.write_table(table, tmp_path / "in.parquet")
    told = run_command("-k", "c0", "-k", "c1:desc", "--curve=hilbert", "--curve-by=bits", "-o",
                       tmp_path / "out.parquet", tmp_path / "in.parquet")
    assert told.returncode == 0, told.stderr
    assert read(tmp_path / "out.parquet").equals(expected(table, [("c0",), ("c1", True)], "hilbert", "bits"))
    for options, message in [(["--curve-by=bits"], "--curve-by needs --curve"),
                             (["--curve=z", "-u"],
                              "--curve and --unique are incompatible: rows of one cell have one key\n"),
                             (["--curve=x"], "invalid value 'x' for --curve: known are hilbert, z")]:
        told = run_command("-k", "c0", "-k", "c1", *options, "-o", tmp_path / "no.parquet", tmp_path / "in.parquet")
        assert told.returncode == 2 and message in told.stderr and not (tmp_path / "no.parquet").exists()


@pytest.mark.parametrize("way", ["bits", "rank"])
@pytest.mark.parametrize("count", [0, 1, 5000, 200_000])
def test_a_sorter_gives_the_order_of_a_stream(way, count):
    table = numbers(count, 2, seed=5)
    options = {"by": ["c0", ("c1", "desc")], "curve": "hilbert", "curve_by": way, "warn": lambda message: None}
    result = sortie.sort_table(pa.RecordBatchReader.from_batches(table.schema, table.to_batches(max_chunksize=1000)),
                               **options)
    with sortie.Sorter(**options) as sorter:
        for batch in table.to_batches(max_chunksize=1000):
            sorter.push(batch)
        rows = [pa.record_batch(batch) for batch in sorter]
        assert sorter.pull() is None
        if count:
            assert sorter.report.output_records == count
    assert pa.Table.from_batches(rows, table.schema).equals(result.to_arrow())


def test_a_sorter_on_a_curve_takes_rows_of_the_first_columns_alone():
    with sortie.Sorter(by=["c0", "c1"], curve="z") as sorter:
        sorter.push(numbers(3, 2))
        with pytest.raises(sortie.ArgumentError,
                           match="rows has columns .*, of other names or types than those of the first"):
            sorter.push(pa.table({"c0": ["x"], "c1": [1]}))


@pytest.mark.parametrize("way", ["bits", "rank"])
def test_values_beyond_those_of_the_first_rows_are_told_once_and_refused_by_strict(way):
    table = pa.table({"c0": range(200_000), "c1": [7] * 200_000})
    told = []

    def stream():
        return pa.RecordBatchReader.from_batches(table.schema, table.to_batches(max_chunksize=1 << 16))
    result = sortie.sort_table(stream(), ["c0", "c1"], curve="z", curve_by=way, warn=told.append)
    assert result.to_arrow().num_rows == 200_000
    first = 1 << 17  # rows that are looked at
    assert told == ["column 'c0': values beyond those by which places on the curve were found are in the first or the "
                    f"last cell, {200_000 - first} in all, the first at row {first + 1}: sort a table or files that "
                    "can be read twice, and tell their own ranges"]
    assert [(one.kind, one.count) for one in result.report.assumptions] == [("beyond-the-curve", 200_000 - first)]
    with pytest.raises(sortie.Error, match="would have to assume something: column 'c0': values beyond those"):
        sortie.sort_table(stream(), ["c0", "c1"], curve="z", curve_by=way, strict=True)
    sortie.sort_table(table, ["c0", "c1"], curve="z", curve_by=way, strict=True)  # is looked at as a whole


def test_boxes_that_lie_are_told(tmp_path):
    points = [struct.pack("<BIdd", 1, 1, x, x) for x in range(100)]
    geo = {"version": "1.0.0", "primary_column": "g",
           "columns": {"g": {"encoding": "WKB", "bbox": [0.0, 0.0, 50.0, 50.0]}}}
    table = pa.table({"g": points}).replace_schema_metadata({"geo": json.dumps(geo)})
    pq.write_table(table, tmp_path / "in.parquet")
    told = []
    report = sortie.sort_parquet(tmp_path / "in.parquet", tmp_path / "out.parquet", by="g", curve="hilbert",
                                 curve_by="bits", warn=told.append)
    assert len(told) == 1 and "column 'g': values beyond" in told[0] and "49 in all, the first at " in told[0]
    assert "row 52" in told[0]
    assert [one.count for one in report.assumptions] == [49]
    with pytest.raises(sortie.Error, match="would have to assume something"):
        sortie.sort_parquet(tmp_path / "in.parquet", tmp_path / "no.parquet", by="g", curve="z", curve_by="bits",
                            strict=True)
    assert not (tmp_path / "no.parquet").exists()


@pytest.mark.parametrize("way", ["bits", "rank"])
def test_files_that_are_fitted_are_looked_at_by_their_keys_alone(tmp_path, monkeypatch, way):
    """Columns have other types and other places, or are told by folders."""
    for number, kind in enumerate((pa.int32(), pa.int64(), pa.int16())):
        folder = tmp_path / "in" / f"c1={number * 10}"
        folder.mkdir(parents=True)
        table = pa.table({"c0": pa.array(range(number, 300, 3), kind), "text": ["x" * 50] * 100})
        pq.write_table(table.select(["text", "c0"]) if number else table, folder / "a.parquet", row_group_size=10)
    from sortie.parquet.parquet_input import ParquetInput

    looked_at = []
    own = ParquetInput.some_columns
    monkeypatch.setattr(ParquetInput, "some_columns",
                        lambda self, names, groups: looked_at.append(list(names)) or own(self, names, groups))
    report = sortie.sort_parquet(tmp_path / "in", tmp_path / "out.parquet", by=["c0", "c1"], curve="hilbert",
                                 curve_by=way, schema="union", strict=True)
    assert all(names == ["c0"] for names in looked_at) and bool(looked_at) == (way == "rank")
    found = report.to_arrow()
    whole = pa.concat_tables([pq.read_table(path, partitioning=None).select(["c0", "text"]).cast(found.schema.remove(2)).append_column(
        found.schema.field(2), pa.array([int(path.parent.name[3:])] * 100, found.schema.field(2).type))
        for path in sorted((tmp_path / "in").rglob("*.parquet"))])
    in_memory = sortie.sort_table(whole, ["c0", "c1"], curve="hilbert", curve_by=way).to_arrow()
    if way == "bits":
        assert found.to_pydict() == in_memory.to_pydict()
    assert sorted(found["c0"].to_pylist()) == list(range(300))


def test_a_sorter_that_is_closed_has_no_rows_and_takes_none():
    table = pa.table({"a": [1, 2], "b": [3, 4]})
    sorter = sortie.Sorter(by=["a", "b"], curve="z")
    sorter.push(table)
    with pytest.raises(sortie.Error, match="^a sort has no report yet: read its rows to the end$"):
        print(sorter.report)
    sorter.close()
    for use in (sorter.pull, lambda: list(sorter), lambda: sorter.push(table), lambda: sorter.report):
        with pytest.raises(sortie.ArgumentError, match="^it is closed: sort again$"):
            use()
