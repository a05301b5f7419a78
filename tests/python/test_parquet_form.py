"""What a Parquet file has beside its rows is read, checked and kept."""

import datetime
import decimal
import io

import pytest

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed (every test of this file)")
import pyarrow.parquet as pq  # noqa: E402
from table_files import read  # noqa: E402

import sortie  # noqa: E402
from sortie.parquet import thrift  # noqa: E402
from sortie.parquet.parquet_footer import (CHUNK_METADATA, CHUNK_PAGES, COLUMN_INDEX, GROUP_COLUMNS,
                                           OFFSET_INDEX,  # noqa: E402
                                    OFFSET_INDEX_BYTES, items, read_footer, row_groups)
from sortie.parquet.parquet_joining import joined_footer  # noqa: E402

ROWS = 2000
NUMBERS = [i * 7919 % 10007 for i in range(ROWS)]


def table(**columns):
    return pa.table({"key": NUMBERS, **columns})


def sort(path, **options):
    out = path.parent / "out.parquet"
    sortie.sort_parquet(path, out, by="key", **options)
    return out


def chunks_of(path):
    """The struct ColumnChunk of every column of every row group."""
    with open(path, "rb") as file:
        return [chunk for group in row_groups(read_footer(file)) for chunk in items(group, GROUP_COLUMNS)]


def page_headers(path):
    """Those of the first page of each column chunk, and of all that page indexes tell of."""
    data = path.read_bytes()
    offsets = []
    for chunk in chunks_of(path):
        offsets.append(chunk[CHUNK_METADATA][1][CHUNK_PAGES][1])
        if OFFSET_INDEX in chunk:
            begin = chunk[OFFSET_INDEX][1]
            index = thrift.read_struct(data[begin:begin + chunk[OFFSET_INDEX_BYTES][1]])
            offsets += [place[1][1] for place in items(index, 1)]
    return [thrift.read_struct(data[offset:]) for offset in offsets]


def leaf_types(path):
    schema = pq.read_metadata(path).schema
    return {schema.column(i).path: (schema.column(i).physical_type, str(schema.column(i).logical_type))
            for i in range(len(schema))}


@pytest.mark.parametrize("suffix", [".parquet", ".csv"])
def test_pages_are_written_with_checksums(tmp_path, suffix):
    path = tmp_path / f"in{suffix}"
    data = table(text=[str(i % 50) for i in range(ROWS)])
    if suffix == ".csv":
        import pyarrow.csv
        pyarrow.csv.write_csv(data, path)
    else:
        pq.write_table(data, path)
    assert all(4 in header for header in page_headers(sort(path)))


@pytest.mark.parametrize("column", ["key", "carried"])
def test_a_damaged_page_is_refused_by_the_name_of_its_file(tmp_path, column):
    path, out = tmp_path / "in.parquet", tmp_path / "out.parquet"
    pq.write_table(table(carried=NUMBERS), path, compression="none", use_dictionary=False, write_page_checksum=True)
    data = bytearray(path.read_bytes())
    place = chunks_of(path)[column == "carried"][CHUNK_METADATA][1][CHUNK_PAGES][1]
    data[place + 1000] ^= 1
    path.write_bytes(data)
    out.write_bytes(b"as it was")
    with pytest.raises(sortie.Error, match="^cannot read '.*in.parquet': .*CRC"):
        sortie.sort_parquet(path, out, by="key")
    assert out.read_bytes() == b"as it was"


@pytest.mark.parametrize("rows", [None, 300])
def test_page_indexes_are_kept(tmp_path, rows):
    path = tmp_path / "in.parquet"
    data = table(text=[str(i % 50) for i in range(ROWS)], nested=[[{"x": i, "y": str(i)}] for i in range(ROWS)])
    pq.write_table(data, path, write_page_index=True, row_group_size=700)
    out = sort(path, row_group_rows=rows)
    chunks = chunks_of(out)
    assert len(chunks) == 4 * (1 if rows is None else 7)
    assert all(COLUMN_INDEX in chunk and OFFSET_INDEX in chunk for chunk in chunks)
    # Their offsets lead to pages of data: the first field is the type of the page.
    assert all(header[1][1] in (0, 3) for header in page_headers(out))
    assert read(out).equals(data.sort_by("key"))


def test_files_without_page_indexes_get_none(tmp_path):
    pq.write_table(table(), tmp_path / "in.parquet")
    assert not any(OFFSET_INDEX in chunk for chunk in chunks_of(sort(tmp_path / "in.parquet")))


def test_other_readers_find_rows_by_page_indexes_and_bloom_filters(tmp_path):
    duckdb, polars = pytest.importorskip("duckdb"), pytest.importorskip("polars")
    path = tmp_path / "in.parquet"
    pq.write_table(table(text=[f"t{i % 50}" for i in range(ROWS)]), path, write_page_index=True, row_group_size=700,
                   **bloom("text"))
    out = sort(path, row_group_rows=300)
    assert duckdb.sql(f"SELECT count(*) FROM '{out}' WHERE text = 't7'").fetchall() == [(40,)]
    expected = sum(number < 500 for number in NUMBERS)
    assert polars.scan_parquet(out).filter(polars.col("key") < 500).collect().height == expected


def bloom(column):
    if "bloom_filter_options" not in pq.ParquetWriter.__init__.__code__.co_varnames:
        pytest.skip("this version of pyarrow writes no Bloom filters")
    return {"bloom_filter_options": {column: {"ndv": 50, "fpp": 0.05}}}


def test_bloom_filters_are_kept_at_their_size(tmp_path):
    path = tmp_path / "in.parquet"
    pq.write_table(table(text=[str(i % 50) for i in range(ROWS)]), path, **bloom("text"))
    out = sort(path)
    number, text = (chunk[CHUNK_METADATA][1] for chunk in chunks_of(out))
    assert 14 not in number
    assert text[15][1] == chunks_of(path)[1][CHUNK_METADATA][1][15][1]
    # A filter begins with the number of its bytes.
    assert thrift.read_struct(out.read_bytes()[text[14][1]:])[1][1] == 64


def decimals(precision, scale):
    return pa.array([decimal.Decimal(i) / 10**scale for i in range(ROWS)], pa.decimal128(precision, scale))


@pytest.mark.parametrize("as_integers", [True, False])
def test_decimals_keep_their_encoding(tmp_path, as_integers):
    path = tmp_path / "in.parquet"
    data = table(small=decimals(9, 2), large=decimals(18, 1), huge=decimals(30, 1),
                 nested=[[{"x": decimal.Decimal(i) / 10}] for i in range(ROWS)])
    pq.write_table(data, path, store_decimal_as_integer=as_integers)
    out = sort(path)
    assert leaf_types(out) == leaf_types(path)
    assert leaf_types(out)["small"][0] == ("INT32" if as_integers else "FIXED_LEN_BYTE_ARRAY")
    assert read(out).equals(data.sort_by("key"))


def test_times_in_utc_stay_so(tmp_path):
    if "write_time_adjusted_to_utc" not in pq.ParquetWriter.__init__.__code__.co_varnames:
        pytest.skip("this version of pyarrow writes none")
    path = tmp_path / "in.parquet"
    data = table(time=pa.array([datetime.time(i % 24) for i in range(ROWS)], pa.time64("us")))
    for is_utc in (True, False):
        pq.write_table(data, path, write_time_adjusted_to_utc=is_utc)
        out = sort(path)
        assert leaf_types(out) == leaf_types(path)
        assert read(out).equals(data.sort_by("key"))


@pytest.mark.parametrize("version", ["1.0", "2.0"])
def test_pages_keep_their_version(tmp_path, version):
    pq.write_table(table(), tmp_path / "in.parquet", data_page_version=version)
    versions = {header[1][1] for header in page_headers(sort(tmp_path / "in.parquet"))}
    assert versions == {0 if version == "1.0" else 3}


def test_encodings_without_dictionaries_are_kept(tmp_path):
    path = tmp_path / "in.parquet"
    data = table(float=[i / 7 for i in range(ROWS)], text=[str(i) for i in range(ROWS)], other=["a"] * ROWS)
    encodings = {"key": "DELTA_BINARY_PACKED", "float": "BYTE_STREAM_SPLIT", "text": "DELTA_BYTE_ARRAY"}
    pq.write_table(data, path, use_dictionary=["other"], column_encoding=encodings)
    out = sort(path)
    group = pq.read_metadata(out).row_group(0)
    for i, encoding in enumerate(encodings.values()):
        assert encoding in group.column(i).encodings
    assert "RLE_DICTIONARY" in group.column(3).encodings
    assert read(out).equals(data.sort_by("key"))


def test_metadata_and_field_ids_are_kept(tmp_path):
    schema = pa.schema([pa.field("key", pa.int64(), metadata={"PARQUET:field_id": "7", "unit": "m"})],
                       metadata={"owner": "me"})
    pq.write_table(pa.table({"key": NUMBERS}, schema=schema), tmp_path / "in.parquet")
    result = pq.read_schema(sort(tmp_path / "in.parquet"))
    assert result.metadata[b"owner"] == b"me"
    assert result.field("key").metadata == {b"PARQUET:field_id": b"7", b"unit": b"m"}


def test_names_of_bytes_are_kept(tmp_path):
    """ENUM and BSON are bytes to Arrow: their footer is made here as another writer would make it."""
    path = tmp_path / "in.parquet"
    pq.write_table(table(enum=[b"x"] * ROWS), path)
    with open(path, "rb") as file:
        footer = read_footer(file)
    enum = items(footer, 2)[2]
    enum[6], enum[10] = (thrift.I32, 4), (thrift.STRUCT, {4: (thrift.STRUCT, {})})
    end = thrift.struct_bytes(footer)
    data = path.read_bytes()
    path.write_bytes(data[:-8 - int.from_bytes(data[-8:-4], "little")] + end + len(end).to_bytes(4, "little") + b"PAR1")
    assert leaf_types(sort(path)) == leaf_types(path)
    assert leaf_types(path)["enum"] == ("BYTE_ARRAY", "Enum")


def test_a_footer_that_tells_less_is_no_reason_to_refuse_a_file(tmp_path):
    from sortie.parquet.parquet_form import form_of
    assert form_of(io.BytesIO(), {2: (thrift.LIST, (thrift.STRUCT, []))}, [{}]) == {}


def test_page_indexes_of_joined_files_lead_to_their_pages(tmp_path):
    parts = []
    for i in range(3):
        pq.write_table(table(text=[str(j % 50) for j in range(ROWS)]), tmp_path / "in.parquet", write_page_index=True)
        parts.append(sort(tmp_path / "in.parquet", row_group_rows=900).rename(tmp_path / f"part{i}.parquet"))
    whole = tmp_path / "whole.parquet"
    data = b"".join(part.read_bytes() for part in parts)
    whole.write_bytes(data + joined_footer(parts))
    assert len(page_headers(whole)) == 2 * len(chunks_of(whole)) == 3 * len(page_headers(parts[0]))
    assert all(header[1][1] in (0, 3) for header in page_headers(whole))
    assert read(whole).equals(pa.concat_tables(map(read, parts)))


def test_a_cluster_keeps_the_form(tmp_path):
    import sortie.cluster
    data = table(amount=decimals(9, 2))
    for i in range(2):
        pq.write_table(data, tmp_path / f"in{i}.parquet", store_decimal_as_integer=True, write_page_index=True)
    out = tmp_path / "out.parquet"
    sortie.cluster.sort_parquet([tmp_path / "in0.parquet", tmp_path / "in1.parquet"], out, by="key", ranges=2,
                                job=tmp_path / "job", shard="10K")
    assert leaf_types(out)["amount"][0] == "INT32"
    assert all(4 in header and header[1][1] in (0, 3) for header in page_headers(out))
    assert all(OFFSET_INDEX in chunk for chunk in chunks_of(out))
    assert read(out).equals(pa.concat_tables([data, data]).sort_by("key"))
