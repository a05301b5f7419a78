"""sort_parquet(merge=True): row groups into which no row of another file belongs are moved as they are. The rows and
their order are those of a merge that decodes all, and other readers read them."""

import decimal
import os
import random

import pytest

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed (every test of this file)")
import pyarrow.parquet as pq  # noqa: E402
import random_tables  # noqa: E402
from table_files import read  # noqa: E402

import sortie  # noqa: E402

GROUP_ROWS = 100


def whole_table(rows, keys=None, seed=0):
    r = random.Random(seed)
    keys = sorted(keys if keys is not None else [r.randrange(rows * 3) for _ in range(rows)])
    return pa.table({
        "key": keys, "at": range(rows), "text": [f"row {row}" if row % 7 else None for row in range(rows)],
        "word": pa.array([f"word {r.randrange(20)}" for _ in range(rows)]).dictionary_encode(),
        "list": [[row] * (row % 4) if row % 5 else None for row in range(rows)],
        "place": [{"x": row, "tags": [str(row)]} if row % 3 else None for row in range(rows)],
        "price": pa.array([decimal.Decimal(row).scaleb(-2) for row in range(rows)], pa.decimal128(9, 2))})


def files_of(folder, tables, **options):
    options = {"row_group_size": GROUP_ROWS, "compression": "zstd", **options}
    paths = [folder / f"in-{number:03}.parquet" for number in range(len(tables))]
    for path, table in zip(paths, tables):
        pq.write_table(table, path, **options)
    return paths


def slices(table, count):
    size = -(-table.num_rows // count)
    return [table.slice(begin, size) for begin in range(0, table.num_rows, size)]


def merged(paths, output, by="key", **options):
    """The report, after a look at all rows by a merge that decodes them: one that counts them."""
    options = {"row_group_rows": GROUP_ROWS, **options}
    report = sortie.sort_parquet(paths, output, by=by, merge=True, **options)
    decoded = sortie.sort_parquet(paths, output.with_name("decoded.parquet"), by=by, merge=True, top=10**9, **options)
    assert decoded.moved_row_groups == 0
    expected, found = read(output.with_name("decoded.parquet")), read(output)
    assert found.schema.equals(expected.schema, check_metadata=True)
    assert repr(found.to_pylist()) == repr(expected.to_pylist())
    assert report.output_records == decoded.output_records == expected.num_rows
    return report


def test_files_one_behind_the_other_are_moved(tmp_path):
    paths = files_of(tmp_path, slices(whole_table(4000), 8))
    report = merged(paths[::-1], tmp_path / "out.parquet")
    assert report.moved_row_groups == 40
    assert "40 row groups moved as they are" in str(report)
    footer = pq.read_metadata(tmp_path / "out.parquet")
    assert footer.num_row_groups == 40
    assert all(footer.row_group(group).sorting_columns == (pq.SortingColumn(0, False, False),) for group in range(40))


def test_stretches_in_between_are_decoded_and_the_others_move(tmp_path):
    """Two files have 20 row groups each, and five overlap with five of the other one."""
    one = whole_table(2000, range(2000))
    other = whole_table(2000, range(1501, 1501 + 2000))
    report = merged(files_of(tmp_path, [one, other]), tmp_path / "out.parquet")
    assert report.moved_row_groups == 30


@pytest.mark.parametrize("direction", ["ascending", "descending"])
@pytest.mark.parametrize("nulls", ["first", "last"])
def test_nulls_nan_and_descending_keys(tmp_path, direction, nulls):
    r = random.Random(7)
    values = [r.choice([None, float("nan"), 0.0, -0.0, -1.5]) if row % 3 else r.gauss(0, 1000) for row in range(3000)]
    table = pa.table({"key": pa.array(values, pa.float64()), "at": range(3000)})
    by = [("key", direction, nulls), "at"]
    pq.write_table(table, tmp_path / "all.parquet")
    sortie.sort_parquet(tmp_path / "all.parquet", tmp_path / "all.parquet", by=by)
    whole = read(tmp_path / "all.parquet")
    paths = files_of(tmp_path, slices(whole, 6))
    assert merged(paths, tmp_path / "out.parquet", by).moved_row_groups > 15
    assert repr(read(tmp_path / "out.parquet").to_pylist()) == repr(whole.to_pylist())


@pytest.mark.parametrize("seed", range(8))
def test_keys_of_every_type(tmp_path, seed):
    table, keys = random_tables.random_table(seed + 900, 1200)
    kept = []
    for name in table.column_names:
        try:
            pq.write_table(table.select([name]), tmp_path / "try.parquet")
            if pq.read_table(tmp_path / "try.parquet").schema.field(name).type == table.schema.field(name).type:
                kept.append(name)
        except (pa.ArrowException, OSError):
            pass
    keys = [key for key in keys if key[0] in kept][:2]
    table = table.select(kept).append_column("at", pa.array(range(1200)))
    by = [*random_tables.words_of(keys), "at"]
    pq.write_table(table, tmp_path / "all.parquet")
    sortie.sort_parquet(tmp_path / "all.parquet", tmp_path / "all.parquet", by=by)
    paths = files_of(tmp_path, slices(read(tmp_path / "all.parquet"), 4))
    merged(paths, tmp_path / "out.parquet", by)


def test_equal_keys_at_the_ends_stay_in_the_order_of_the_inputs(tmp_path):
    """The last key of a row group is the first one of another file."""
    one = pa.table({"key": [0] * 50 + [1] * 50 + [2] * 100, "file": [0] * 200, "row": range(200)})
    other = pa.table({"key": [1] * 100 + [2] * 50 + [3] * 50, "file": [1] * 200, "row": range(200)})
    for tables in ([one, other], [other, one]):
        paths = files_of(tmp_path, tables)
        merged(paths, tmp_path / "out.parquet")
        places = {table["file"][0].as_py(): place for place, table in enumerate(tables)}
        rows = [(row["key"], places[row["file"]], row["row"]) for row in read(tmp_path / "out.parquet").to_pylist()]
        assert rows == sorted(rows)


@pytest.mark.parametrize("row", [0, 1, 150, 199, 299, 300])
def test_a_row_out_of_order_in_a_row_group_is_named(tmp_path, row):
    keys = list(range(1000, 1400))
    keys[row] = 5000
    paths = files_of(tmp_path, [whole_table(300, range(300)), pa.table({"key": keys})], compression="snappy")
    paths[0] = files_of(tmp_path, [pa.table({"key": range(300)})], compression="snappy")[0]
    with pytest.raises(sortie.Error) as raised:
        sortie.sort_parquet(paths, tmp_path / "out.parquet", by="key", merge=True, row_group_rows=GROUP_ROWS)
    assert str(raised.value) == (f"'{paths[1]}' is not in order: row {row + 2} belongs in front of row {row + 1}: sort "
                                 "the files instead of merging them")
    assert not (tmp_path / "out.parquet").exists()


def lies(path, where, value, column=0):
    """Writes other statistics of a column, the first one, into the footer of a file."""
    from sortie.parquet import parquet_footer as footers
    from sortie.parquet import thrift

    content = path.read_bytes()
    footer = thrift.read_struct(content[-footers.footer_bytes(content[-8:]):])
    for group in footers.items(footer, footers.FILE_ROW_GROUPS):
        told = footers.items(group, footers.GROUP_COLUMNS)[column][footers.CHUNK_METADATA][1][12][1]
        told[where] = (told[where][0], value)
    told = thrift.struct_bytes(footer)
    path.write_bytes(content[:-footers.footer_bytes(content[-8:])] + told + len(told).to_bytes(4, "little")
                     + footers.MAGIC)


@pytest.mark.parametrize("where,value", [(5, (7).to_bytes(8, "little")), (6, (3000).to_bytes(8, "little")), (3, 12)])
def test_statistics_that_lie_are_not_moved(tmp_path, where, value):
    """They would be in the output, too. One that is moved has statistics of its keys that were compared with these."""
    paths = files_of(tmp_path, slices(whole_table(1000, range(1000)), 2))
    lies(paths[1], where, value)
    report = merged(paths, tmp_path / "out.parquet")
    assert report.moved_row_groups <= 5
    footer = pq.read_metadata(tmp_path / "out.parquet")
    told = [footer.row_group(group).column(0).statistics for group in range(footer.num_row_groups)]
    assert [(one.min, one.max, one.null_count) for one in told] == [(n, n + 99, 0) for n in range(0, 1000, 100)]
    assert sortie.sort_parquet(paths[0], tmp_path / "out.parquet", by="key", merge=True,
                               row_group_rows=GROUP_ROWS).moved_row_groups == 5


@pytest.mark.parametrize("options,moved", [
    ({}, 20), ({"compression": "snappy"}, 0), ({"compression": "zstd"}, 20), ({"compression": "zstd:9"}, 0),
    ({"compression": {"text": "zstd"}}, 20), ({"compression": {"text": "gzip"}}, 0), ({"row_group_rows": 1000}, 0),
    ({"row_group_rows": 40}, 0), ({"row_group_rows": 300}, 20), ({"dictionary": False}, 0),
    ({"dictionary": ["word"]}, 0),
    ({"page_index": True}, 0), ({"page_index": False}, 20), ({"bloom_filters": ["key"]}, 0),
    ({"data_page_bytes": 1000}, 0),
    ({"unique": True}, 0), ({"top": 3}, 0), ({"row_group_rows": None}, 0), ({"merge_fan_in": 2}, 0)])
def test_what_the_output_is_to_look_like_decides(tmp_path, options, moved):
    paths = files_of(tmp_path, slices(whole_table(2000), 4))
    options = {"row_group_rows": GROUP_ROWS, **options}
    report = sortie.sort_parquet(paths, tmp_path / "out.parquet", by="key", merge=True, **options)
    assert report.moved_row_groups == moved
    sorts = {name: value for name, value in options.items() if name != "merge_fan_in"}
    sortie.sort_parquet(paths, tmp_path / "sorted.parquet", by="key", **sorts)
    assert read(tmp_path / "out.parquet").to_pylist() == read(tmp_path / "sorted.parquet").to_pylist()


def test_page_indexes_and_bloom_filters_are_made_anew(tmp_path):
    for extra in ({"write_page_index": True}, {"bloom_filter_options": {"key": {"ndv": 100, "fpp": 0.05}}}):
        paths = files_of(tmp_path, slices(whole_table(2000, range(2000)), 4), **extra)
        assert merged(paths, tmp_path / "out.parquet").moved_row_groups == 0
        columns = first_columns(tmp_path / "out.parquet")
        assert all(column.has_offset_index == ("write_page_index" in extra) for column in columns)
    duckdb = pytest.importorskip("duckdb")
    out = os.fspath(tmp_path / "out.parquet")
    for key in (0, 777, 1999):
        found = duckdb.sql(f"select count(*) from read_parquet('{out}') where key = {key}").fetchall()
        assert found == [(1,)]
        left = duckdb.sql(f"select count(*) from parquet_bloom_probe('{out}', 'key', {key}) "
                          "where not bloom_filter_excludes").fetchall()
        assert 1 <= left[0][0] <= 10


def first_columns(path):
    footer = pq.read_metadata(path)
    return [footer.row_group(group).column(0) for group in range(footer.num_row_groups)]


def test_row_groups_move_without_page_indexes_and_bloom_filters_that_nobody_wants(tmp_path):
    extra = {"write_page_index": True, "bloom_filter_options": {"key": {"ndv": 100, "fpp": 0.05}},
             "write_page_checksum": True}
    paths = files_of(tmp_path, slices(whole_table(2000, range(2000)), 4), **extra)
    assert merged(paths, tmp_path / "out.parquet", page_index=False, bloom_filters=False).moved_row_groups == 20
    columns = first_columns(tmp_path / "out.parquet")
    assert not any(column.has_offset_index or column.has_column_index for column in columns)
    duckdb = pytest.importorskip("duckdb")
    out = os.fspath(tmp_path / "out.parquet")
    left = duckdb.sql(f"select count(*) from parquet_bloom_probe('{out}', 'key', 777) where "
                      "bloom_filter_excludes").fetchall()
    assert left == [(0,)]


def test_page_indexes_that_lie_hide_no_rows(tmp_path):
    """Single bits in what stands between the pages and the footer: readers of the output find every row."""
    duckdb = pytest.importorskip("duckdb")
    paths = files_of(tmp_path, slices(pa.table({"key": range(2000)}), 2), row_group_size=1000, compression="none",
                     use_dictionary=False, write_page_index=True, data_page_size=800, write_batch_size=100,
                     bloom_filter_options={"key": {"ndv": 1000, "fpp": 0.05}})
    whole, r = paths[0].read_bytes(), random.Random(3)
    out = os.fspath(tmp_path / "out.parquet")
    column = pq.read_metadata(paths[0]).row_group(0).column(0)
    begin = column.data_page_offset + column.total_compressed_size
    end = len(whole) - 8 - int.from_bytes(whole[-8:-4], "little")
    for _ in range(40):
        content = bytearray(whole)
        content[r.randrange(begin, end)] ^= 1 << r.randrange(8)
        paths[0].write_bytes(content)
        for options in ({}, {"page_index": False, "bloom_filters": False}):
            report = sortie.sort_parquet(paths, out, by="key", merge=True, row_group_rows=1000, **options)
            assert report.moved_row_groups == (2 if options else 0)
            for key in range(0, 1000, 50):
                found = duckdb.sql(f"select count(*) from read_parquet('{out}') where key between {key} and {key + 30}")
                assert found.fetchall() == [(31,)]
            assert pq.read_table(out, filters=[("key", ">=", 100), ("key", "<=", 200)]).num_rows == 101


def page_headers(path):
    """Those of all pages, as Thrift has them: (type, value) by field."""
    from sortie import _native
    from sortie.parquet import thrift
    footer, content = pq.read_metadata(path), path.read_bytes()
    for group in range(footer.num_row_groups):
        for number in range(footer.num_columns):
            column = footer.row_group(group).column(number)
            begin = column.dictionary_page_offset or column.data_page_offset
            chunk = content[begin:begin + column.total_compressed_size]
            values, places = _native.stored_pages(chunk)
            headers = [thrift.read_struct(chunk[place[0]:place[1]]) for place in places]
            assert sum(header[3][1] for header in headers) < len(chunk)
            assert values == _native.page_values(chunk) == column.num_values
            assert [place[-1] for place in places] == list(map(has_statistics, headers))
            yield from headers


def has_statistics(header):
    return 5 in header.get(5, (0, {}))[1] or 8 in header.get(8, (0, {}))[1]


@pytest.mark.parametrize("version", ["1.0", "2.0"])
def test_what_headers_of_pages_tell_of_values_does_not_move(tmp_path, version):
    paths = files_of(tmp_path, slices(whole_table(2000), 2), data_page_version=version, data_page_size=200,
                     write_batch_size=20)

    def tell(path):
        return list(map(has_statistics, page_headers(path)))
    assert any(tell(paths[0]))
    assert merged(paths, tmp_path / "out.parquet").moved_row_groups == 20
    assert tell(tmp_path / "out.parquet") and not any(tell(tmp_path / "out.parquet"))
    footer = pq.read_metadata(tmp_path / "out.parquet")
    for group in map(footer.row_group, range(footer.num_row_groups)):
        assert group.total_byte_size == sum(group.column(number).total_uncompressed_size
                                            for number in range(group.num_columns))


def test_without_page_indexes_in_the_first_file_the_others_lose_theirs(tmp_path):
    tables = slices(whole_table(1000), 2)
    paths = [*files_of(tmp_path, tables)[:1], tmp_path / "second.parquet"]
    pq.write_table(tables[1], paths[1], row_group_size=GROUP_ROWS, compression="zstd", write_page_index=True)
    assert merged(paths, tmp_path / "out.parquet").moved_row_groups == 10
    footer = pq.read_metadata(tmp_path / "out.parquet")
    assert not any(footer.row_group(group).column(0).has_offset_index for group in range(10))
    assert merged(paths[::-1], tmp_path / "out.parquet").moved_row_groups == 0


def test_columns_that_are_stored_otherwise_are_decoded(tmp_path):
    table = whole_table(1000)
    first, second = slices(table, 2)
    paths = files_of(tmp_path, [first])
    paths.append(tmp_path / "other.parquet")
    for options, moved in (({}, 10), ({"data_page_version": "2.0"}, 5), ({"compression": "snappy"}, 5),
                           ({"version": "1.0"}, 10),
                           ({"use_dictionary": False, "column_encoding": {"at": "DELTA_BINARY_PACKED"}}, 5),
                           ({"store_decimal_as_integer": True}, 5)):
        pq.write_table(second, paths[1], **{"row_group_size": GROUP_ROWS, "compression": "zstd", **options})
        assert merged(paths, tmp_path / "out.parquet").moved_row_groups == moved, options
    other = second.set_column(0, pa.field("key", pa.int64(), nullable=False), second["key"])
    pq.write_table(other, paths[1], row_group_size=GROUP_ROWS, compression="zstd")
    assert merged(paths, tmp_path / "out.parquet").moved_row_groups == 5


def test_few_rows_in_front_of_a_row_group_make_no_small_one(tmp_path):
    """They and the row group are decoded."""
    one = pa.table({"key": range(1000)})
    few = pa.table({"key": [-1, 500, 501]})
    report = merged(files_of(tmp_path, [one, few]), tmp_path / "out.parquet")
    footer = pq.read_metadata(tmp_path / "out.parquet")
    assert min(footer.row_group(group).num_rows for group in range(footer.num_row_groups - 1)) >= GROUP_ROWS // 4
    assert 0 < report.moved_row_groups < 10


@pytest.mark.parametrize("checksums", [True, False])
def test_damaged_bytes_are_not_moved(tmp_path, checksums):
    """Where pages have checksums. Without them pages that do not fit together are found."""
    table = pa.table({"key": range(1000), "text": [f"{row:040}" for row in range(1000)]})
    paths = files_of(tmp_path, slices(table, 2), compression="none", use_dictionary=False,
                     write_page_checksum=checksums)
    content = paths[1].read_bytes()
    at = content.index(b"%040d" % (720 if checksums else 700))
    at, damage = (at, b"x" * 40) if checksums else (at - 40, b"\0" * 40)
    paths[1].write_bytes(content[:at] + damage + content[at + len(damage):])
    (tmp_path / "out.parquet").write_bytes(b"as it was")
    with pytest.raises(sortie.Error, match="cannot read '.*in-001.parquet': .*(damaged|corrupt|integrity)"):
        sortie.sort_parquet(paths, tmp_path / "out.parquet", by="key", merge=True, row_group_rows=GROUP_ROWS)
    assert (tmp_path / "out.parquet").read_bytes() == b"as it was"


def test_other_readers_read_moved_row_groups(tmp_path):
    duckdb = pytest.importorskip("duckdb")
    polars = pytest.importorskip("polars")
    table = whole_table(2000, range(2000))
    paths = files_of(tmp_path, slices(table, 4))
    assert merged(paths, tmp_path / "out.parquet").moved_row_groups == 20
    expected = table.drop_columns(["word"]).to_pylist()
    out = os.fspath(tmp_path / "out.parquet")
    assert pq.read_table(out).drop_columns(["word"]).to_pylist() == expected
    assert duckdb.sql(f"select * exclude (word) from read_parquet('{out}')").to_arrow_table().to_pylist() == expected
    assert polars.read_parquet(out).drop("word").to_dicts() == expected
    found = duckdb.sql(f"select t.at from read_parquet('{out}') t where key between 777 and 779").fetchall()
    assert found == [(777,), (778,), (779,)]
    assert polars.scan_parquet(out).filter(polars.col("key") == 1234).collect()["at"].to_list() == [1234]


def test_folders_of_parts_take_row_groups_too(tmp_path):
    paths = files_of(tmp_path, slices(whole_table(4000, range(4000)), 4))
    size = sum(path.stat().st_size for path in paths)
    how = {"by": "key", "merge": True, "row_group_rows": GROUP_ROWS}
    report = sortie.sort_parquet(paths, f"{tmp_path}/parts/", **how, file_bytes=size // 4)
    assert report.moved_row_groups == 40 and report.num_files > 2
    assert report.to_arrow()["key"].to_pylist() == list(range(4000))
    report = sortie.sort_parquet(paths, f"{tmp_path}/rows/", **how, file_rows=950)
    assert report.moved_row_groups == 0 and report.num_files == 5


def test_a_key_within_a_struct_and_keys_of_dictionaries(tmp_path):
    rows = 1000
    table = pa.table({"place": [{"x": row // 3, "y": str(row)} for row in range(rows)],
                      "word": pa.array([f"{row // 7:05}" for row in range(rows)]).dictionary_encode()})
    paths = files_of(tmp_path, slices(table, 4))
    assert merged(paths, tmp_path / "out.parquet", "place.x").moved_row_groups >= 8
    assert merged(paths, tmp_path / "out.parquet", "word").moved_row_groups >= 8


@pytest.mark.parametrize("seed", range(12))
def test_random_layouts_are_as_a_merge_that_decodes_has_them(tmp_path, seed):
    r = random.Random(seed)
    paths, row = [], 0
    for number in range(r.choice([2, 3, 5])):
        keys, at = [], r.randrange(300)
        while len(keys) < 1000:
            stretch, step = r.randrange(1, 300), r.choice([0, 0, 1, 3])
            keys += [at + step * place for place in range(stretch)]
            at = keys[-1] + r.choice([0, 1, 500, 1500])
        table = pa.table({"key": keys, "file": [number] * len(keys), "row": range(row, row + len(keys))})
        row += len(keys)
        paths.append(tmp_path / f"in-{number}.parquet")
        pq.write_table(table, paths[-1], row_group_size=GROUP_ROWS, compression="zstd")
    merged(paths, tmp_path / "out.parquet")
    rows = [(one["key"], one["file"], one["row"]) for one in read(tmp_path / "out.parquet").to_pylist()]
    assert rows == sorted(rows)


@pytest.mark.parametrize("where,value", [(5, (7).to_bytes(8, "little")), (6, (3000).to_bytes(8, "little")), (3, 12)])
def test_statistics_of_other_columns_that_lie_are_not_moved(tmp_path, where, value):
    duckdb = pytest.importorskip("duckdb")
    paths = files_of(tmp_path, slices(whole_table(1000, range(1000)), 2))
    lies(paths[1], where, value, column=1)
    report = merged(paths, tmp_path / "out.parquet")
    assert report.moved_row_groups == 5
    found = duckdb.sql(f"select count(*) from read_parquet('{tmp_path}/out.parquet') t where t.at = 777").fetchall()
    assert found == [(1,)]


@pytest.mark.parametrize("column", [*range(2, 8)])
def test_statistics_of_texts_lists_structs_and_decimals_that_lie_are_not_moved(tmp_path, column):
    paths = files_of(tmp_path, slices(whole_table(1000, range(1000)), 2))
    lies(paths[1], 3, 77777, column)
    assert merged(paths, tmp_path / "out.parquet").moved_row_groups == 5


@pytest.mark.parametrize("where,value", [(5, b"\1"), (6, b"\1")])
def test_ends_of_bools_that_lie_are_not_moved(tmp_path, where, value):
    table = pa.table({"key": range(200), "flag": [False] * 200})
    paths = files_of(tmp_path, slices(table, 2))
    assert merged(paths, tmp_path / "out.parquet").moved_row_groups == 2
    lies(paths[1], where, value, column=1)
    assert merged(paths, tmp_path / "out.parquet").moved_row_groups == 1


@pytest.mark.parametrize("where,value", [(5, 123), (6, 99)])
def test_ends_of_decimals_that_lie_are_not_moved(tmp_path, where, value):
    prices = pa.array([decimal.Decimal(row - 100).scaleb(-2) for row in range(200)], pa.decimal128(9, 2))
    paths = files_of(tmp_path, slices(pa.table({"key": range(200), "price": prices}), 2))
    assert merged(paths, tmp_path / "out.parquet").moved_row_groups == 2
    lies(paths[1], where, value.to_bytes(4, "big", signed=True), column=1)
    assert merged(paths, tmp_path / "out.parquet").moved_row_groups == 1


def test_moving_does_not_import_pandas(tmp_path, run_python):
    """Which takes longer than to look at a million rows."""
    table = whole_table(400, range(400)).append_column("flag", pa.array([row % 2 == 0 for row in range(400)]))
    paths = files_of(tmp_path, slices(table, 2))
    program = ("import sys, sortie; told = sortie.sort_parquet(sys.argv[2:], sys.argv[1], by='key', merge=True, "
               f"row_group_rows={GROUP_ROWS}); print(told.moved_row_groups, 'pandas' in sys.modules)")
    assert run_python(program, tmp_path / "out.parquet", *paths).stdout.split() == ["4", "False"]


def test_damage_never_gets_into_the_output(tmp_path):
    """Single bits anywhere: the output can be read and has all rows that were counted, or there is an Error, and it is
    as it was."""
    table = pa.table({"key": range(200), "other": [row * 7 % 100 for row in range(200)],
                      "text": [str(row % 9) for row in range(200)]})
    path, = files_of(tmp_path, [table], row_group_size=50, write_page_index=True, write_page_checksum=True)
    whole, r, moved = path.read_bytes(), random.Random(5), 0
    out = tmp_path / "out.parquet"
    for _ in range(400):
        content = bytearray(whole)
        content[r.randrange(4, len(whole) - 8)] ^= 1 << r.randrange(8)
        path.write_bytes(content)
        out.write_bytes(b"as it was")
        try:
            report = sortie.sort_parquet(path, out, by="key", merge=True, row_group_rows=50, page_index=False)
        except sortie.Error:
            assert out.read_bytes() == b"as it was"
            continue
        moved += report.moved_row_groups
        assert pq.read_table(out).num_rows == report.output_records
    assert moved > 0
