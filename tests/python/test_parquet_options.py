"""How Parquet is written, by arguments of sort_parquet() and options of the command."""

import subprocess

import pytest

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed (every test of this file)")
import pyarrow.parquet as pq  # noqa: E402
from table_files import COMMAND, read  # noqa: E402

import sortie  # noqa: E402
from sortie._arguments import size_of  # noqa: E402
from sortie.parquet import parquet_options  # noqa: E402

ROWS = 5000
HAS_BLOOM = "bloom_filter_options" in pq.ParquetWriter.__init__.__code__.co_varnames
needs_bloom = pytest.mark.skipif(not HAS_BLOOM, reason="this version of pyarrow writes no Bloom filters")


def table():
    return pa.table({"key": [number * 7919 % ROWS for number in range(ROWS)],
                     "word": [f"word {n % 50}" for n in range(ROWS)], "flag": [n % 2 == 0 for n in range(ROWS)],
                     "nested": [{"x": n, "tags": [str(n)]} for n in range(ROWS)]})


@pytest.fixture
def source(tmp_path):
    pq.write_table(table(), tmp_path / "in.parquet", compression="snappy")
    return tmp_path / "in.parquet"


def columns_of(path):
    """The columns of the first row group, by their paths."""
    group = pq.ParquetFile(path).metadata.row_group(0)
    return {group.column(i).path_in_schema: group.column(i) for i in range(group.num_columns)}


def sort(source, **options):
    """Returns the columns of the output, which has the rows of the input. Parts have the same as one file."""
    out = source.parent / "out.parquet"
    sortie.sort_parquet(source, out, by="key", **options)
    assert read(out).equals(read(source).sort_by("key"))
    report = sortie.sort_parquet(source, f"{source.parent}/parts{len(list(source.parent.iterdir()))}/", by="key",
                                 file_rows=3000, **options)
    assert [facts(path) for path in report.files] == [facts(out)] * 2
    return columns_of(out)


def facts(path):
    """What options change, which is the same for all rows."""
    return {name: (column.compression, column.has_dictionary_page, column.has_column_index) for name, column in
            columns_of(path).items()}


def has_dictionary(source, **options):
    return {name for name, column in sort(source, **options).items() if column.has_dictionary_page}


LEAVES = {"key", "word", "flag", "nested.x", "nested.tags.list.element"}


@pytest.mark.parametrize("given, expected", [
    (True, LEAVES - {"flag"}), (False, set()), ("key", {"key"}), (["word", "nested"], {"word", "nested.x",
                                                                                      "nested.tags.list.element"}),
    (["nested.x"], {"nested.x"}), ((), set())])
def test_columns_have_the_dictionaries_asked_for(source, given, expected):
    assert has_dictionary(source, dictionary=given) == expected


def test_a_dictionary_that_is_asked_for_takes_the_place_of_an_encoding(tmp_path):
    path = tmp_path / "in.parquet"
    pq.write_table(table(), path, use_dictionary=False, column_encoding={"key": "DELTA_BINARY_PACKED"})
    assert "DELTA_BINARY_PACKED" in sort(path, dictionary=False)["key"].encodings
    assert "DELTA_BINARY_PACKED" not in sort(path, dictionary=["key"])["key"].encodings


@pytest.mark.parametrize("before", [True, False])
@pytest.mark.parametrize("given", [True, False, None])
def test_page_indexes_are_there_if_they_are_asked_for(tmp_path, before, given):
    pq.write_table(table(), tmp_path / "in.parquet", write_page_index=before)
    columns = sort(tmp_path / "in.parquet", page_index=given).values()
    assert {column.has_column_index for column in columns} == {before if given is None else given}
    assert {column.has_offset_index for column in columns} == {before if given is None else given}


def blooms(path):
    from sortie.parquet.parquet_footer import CHUNK_BLOOM, CHUNK_METADATA, CHUNK_PATH, first_chunks, items, read_footer
    with open(path, "rb") as file:
        chunks = [chunk[CHUNK_METADATA][1] for chunk in first_chunks(read_footer(file))]
    return {b".".join(items(chunk, CHUNK_PATH)).decode() for chunk in chunks if CHUNK_BLOOM in chunk}


@needs_bloom
@pytest.mark.parametrize("given, expected", [
    (["key", "word"], {"key", "word"}), ("nested.x", {"nested.x"}), (False, set()), ([], set()), (None, {"word"})])
def test_columns_have_the_bloom_filters_asked_for(tmp_path, given, expected):
    duckdb = pytest.importorskip("duckdb")
    path = tmp_path / "in.parquet"
    pq.write_table(table(), path, bloom_filter_options={"word": {"ndv": 50, "fpp": 0.05}})
    sort(path, bloom_filters=given, row_group_rows=1000)
    assert blooms(tmp_path / "out.parquet") == expected
    found = duckdb.sql(f"SELECT count(*) FROM '{tmp_path / 'out.parquet'}' WHERE key = 77 OR word = "
                       "'word 3'").fetchall()
    assert found == [(101,)]


def test_pages_have_about_the_bytes_asked_for(source):
    from sortie.parquet.parquet_footer import CHUNK_METADATA, CHUNK_PAGES, COLUMN_STORED_BYTES, first_chunks, read_footer
    from sortie.parquet import thrift

    def first_page(**options):
        sort(source, dictionary=False, compression="none", **options)
        with open(source.parent / "out.parquet", "rb") as file:
            column = first_chunks(read_footer(file))[0][CHUNK_METADATA][1]
            file.seek(column[CHUNK_PAGES][1])
            page = thrift.read_struct(file.read(1000))
        return page[2][1], column[COLUMN_STORED_BYTES][1]
    size, whole = first_page()
    assert size > 8 * ROWS and size < whole
    size, _ = first_page(data_page_bytes="10kB")
    assert 8_000 < size < 20_000


@pytest.mark.parametrize("given, count", [(40_000, 5), ("40kB", 5), ("1G", 1)])
def test_row_groups_have_about_the_bytes_asked_for(source, given, count):
    sort(source, row_group_bytes=given)
    file = pq.ParquetFile(source.parent / "out.parquet")
    sizes = [file.read_row_group(number).nbytes for number in range(file.num_row_groups)]
    assert len(sizes) == count
    assert all(39_000 < size < 41_000 for size in sizes[:-1])


def test_row_groups_have_no_more_rows_than_asked_for_beside_bytes(source):
    sortie.sort_parquet(source, source.parent / "out.parquet", by="key", row_group_rows=1500, row_group_bytes="1G")
    file = pq.ParquetFile(source.parent / "out.parquet")
    assert [file.metadata.row_group(number).num_rows for number in range(file.num_row_groups)] == [1500, 1500, 1500,
                                                                                                   500]


@pytest.mark.parametrize("given, expected", [
    ({"key": "zstd:9"}, {"key": "ZSTD"}),
    ({"key": "none", "nested": "gzip:1"}, {"key": "UNCOMPRESSED", "nested.x": "GZIP",
                                           "nested.tags.list.element": "GZIP"}),
    ({None: "zstd:1", "word": "brotli"}, dict.fromkeys(LEAVES, "ZSTD") | {"word": "BROTLI"}),
    ({None: "none", "nested.x": "lz4"}, dict.fromkeys(LEAVES, "UNCOMPRESSED") | {"nested.x": "LZ4"}),
    ({}, {})])
def test_columns_are_compressed_as_asked_for(source, given, expected):
    columns = sort(source, compression=given)
    assert {name: column.compression for name, column in columns.items()} == dict.fromkeys(LEAVES, "SNAPPY") | expected


def test_levels_are_those_of_columns(source):
    sizes = [sort(source, dictionary=False, compression={"word": f"zstd:{level}",
                                                         "key": "none"})["word"].total_compressed_size
             for level in (1, 19)]
    assert sizes[1] < sizes[0]


def test_options_without_a_source_of_parquet_do_the_same(tmp_path):
    (tmp_path / "in.csv").write_text("key,word\n" + "".join(f"{n},w{n % 5}\n" for n in range(1000)))
    sortie.sort_parquet(tmp_path / "in.csv", tmp_path / "out.parquet", by="key", page_index=True, dictionary="key",
                        compression={"word": "gzip"})
    columns = columns_of(tmp_path / "out.parquet")
    assert columns["key"].has_column_index and columns["key"].has_dictionary_page
    assert not columns["word"].has_dictionary_page
    assert [columns[name].compression for name in ("key", "word")] == ["ZSTD", "GZIP"]


REFUSED = {
    "a column that is not there": ({"dictionary": ["no"]},
                                   "dictionary names the column 'no', which 'in.parquet' does not have; it "
                                   "has key, word, flag, nested"),
    "compression of no column": ({"compression": {"no": "zstd"}},
                                 "compression names the column 'no', which 'in.parquet' does not "
                                 "have; it has key, word, flag, nested"),
    "a codec that is not known": ({"compression": {"key": "rar"}},
                                  "invalid value 'rar' for compression: known are none, snappy, "
                                  "gzip, brotli, lz4, zstd, with a level as in zstd:3"),
    "a key that is no name": ({"compression": {3: "zstd"}},
                              "compression must be a str, or a dict of these by the names of columns, "
                              "with None for all others, not with a key of type int"),
    "no words": ({"dictionary": 5}, "dictionary must be True, False or a list of the names of columns, not 5"),
    "all filters": ({"bloom_filters": True}, "bloom_filters must be False or a list of the names of columns, not True"),
    "positions": ({"bloom_filters": [0]}, "bloom_filters must be False or a list of the names of columns, not [0]"),
    "no bool": ({"page_index": "yes"}, "page_index must be True or False, not str"),
    "no size": ({"row_group_bytes": 0}, "invalid value '0' for row_group_bytes: give 1 or more, or None for "
                "the default"),
    "a float": ({"data_page_bytes": 1.5}, 'data_page_bytes must be an int or a str such as "4GB", not float'),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_is_refused_and_nothing_is_left(source, monkeypatch, name):
    options, message = REFUSED[name]
    monkeypatch.chdir(source.parent)
    with pytest.raises(sortie.Error) as caught:
        sortie.sort_parquet("in.parquet", "out.parquet", by="key", **options)
    assert str(caught.value) == message
    assert [path.name for path in source.parent.iterdir()] == ["in.parquet"]


@needs_bloom
@pytest.mark.parametrize("name, kind", [("flag", "bool"), ("nested", "struct<x: bool>")])
def test_bloom_filters_of_bools_are_refused(tmp_path, name, kind):
    values = [True] if name == "flag" else [{"x": True}]
    pq.write_table(pa.table({"key": [1], name: values}), tmp_path / "in.parquet")
    with pytest.raises(sortie.ArgumentError) as caught:
        sortie.sort_parquet(tmp_path / "in.parquet", tmp_path / "out.parquet", by="key", bloom_filters=["key", name])
    assert str(caught.value) == (f"bloom_filters names the column '{name}' of type {kind}, for which Parquet has none: "
                                 "leave it out")


@pytest.mark.parametrize("option", [{"dictionary": True}, {"bloom_filters": False}, {"page_index": False},
                                    {"row_group_bytes": 100}, {"data_page_bytes": 100},
                                    {"compression": {"key": "zstd"}}])
@pytest.mark.parametrize("output", ["out.csv", "out.arrow", "out/"])
def test_options_of_parquet_are_refused_for_other_formats(source, monkeypatch, option, output):
    monkeypatch.chdir(source.parent)
    options = {**option, **({"output_format": "csv"} if output == "out/" else {})}
    name = next(iter(option))
    name = "compression by column" if name == "compression" else name
    remedy = 'let output_format be "parquet"' if output == "out/" else "let the name of the output end in .parquet"
    with pytest.raises(sortie.ArgumentError) as caught:
        sortie.sort_parquet("in.parquet", output, by="key", **options)
    assert str(caught.value) == f"{name} is for Parquet: leave it out, or {remedy}"


def test_an_old_pyarrow_is_named(source, monkeypatch):
    monkeypatch.setattr(parquet_options, "_PARAMETERS", {"compression": None})
    for option in ({"page_index": True}, {"bloom_filters": ["key"]}):
        with pytest.raises(sortie.Error, match=f"^{next(iter(option))} needs a newer version of pyarrow"):
            sortie.sort_parquet(source, source.parent / "out.parquet", by="key", **option)
    sortie.sort_parquet(source, source.parent / "out.parquet", by="key", page_index=False, bloom_filters=False)


@pytest.mark.parametrize("text, size", [("1", 1), ("64MB", 64_000_000), ("64 MB", 64_000_000), ("1K", 1024),
                                        ("1.5GiB", 3 << 29), ("2g", 2 << 30), ("10b", 10), (7, 7)])
def test_sizes_are_those_of_memory(text, size):
    assert size_of(text, "file_bytes") == size


@pytest.mark.parametrize("words, options", [
    (["--dictionary=on"], {"dictionary": True}), (["--dictionary=off"], {"dictionary": False}),
    (["--dictionary=key,word"], {"dictionary": ["key", "word"]}), (["--page-index=on"], {"page_index": True}),
    (["--row-group-size=50K"], {"row_group_bytes": 50 << 10}), (["--data-page-size=1K"], {"data_page_bytes": 1024}),
    (["--compression=zstd:3", "--compression=key=none"], {"compression": {None: "zstd:3", "key": "none"}}),
    (["--compression=gzip"], {"compression": "gzip"}),
    pytest.param(["--bloom-filters=key"], {"bloom_filters": ["key"]}, marks=needs_bloom),
    (["--bloom-filters=off"], {"bloom_filters": False})])
def test_the_command_writes_what_the_function_writes(source, words, options):
    done = subprocess.run([*COMMAND, "-k", "key", *words, "-o", "out.parquet", "in.parquet"], cwd=source.parent,
                          capture_output=True, text=True, timeout=100)
    assert (done.returncode, done.stderr) == (0, "")
    sortie.sort_parquet(source, source.parent / "one.parquet", by="key", **options)
    sortie.sort_parquet(source, source.parent / "plain.parquet", by="key")
    out, one, plain = ((source.parent / f"{name}.parquet").read_bytes() for name in ("out", "one", "plain"))
    assert out == one
    assert out != plain or words == ["--bloom-filters=off"]


@pytest.mark.parametrize("words, message", [
    (["--dictionary="], "invalid value '' for --dictionary: name a column, or give off"),
    (["--bloom-filters="], "invalid value '' for --bloom-filters: name a column, or give off"),
    (["--page-index=yes"], "invalid value 'yes' for --page-index: known are on, off"),
    (["--dictionary=no"], "--dictionary names the column 'no', which 'in.parquet' does not have; it has key, word, "
     "flag, nested"),
    (["--row-group-size=x"], "invalid value 'x' for --row-group-size: give bytes, or a size such as 4GB, 4GiB or 512M"),
    (["--compression=zstd", "--compression=gzip"],
     "--compression of all columns is given twice: leave one of the two out"),
    (["--compression=a=zstd", "--compression=a=gzip"], "--compression of 'a' is given twice: leave one of the two out"),
])
def test_errors_of_the_command_name_its_options(source, words, message):
    done = subprocess.run([*COMMAND, "-k", "key", *words, "-o", "out.parquet", "in.parquet"], cwd=source.parent,
                          capture_output=True, text=True, timeout=100)
    assert (done.returncode, done.stderr) == (2, f"sortie-parquet: {message}\n")
