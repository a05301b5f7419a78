"""Columns of texts that are encoded while their row group is filled: stretches of pages that are one column chunk."""

import random

import pytest

import sortie

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed (every test of this file)")
pq = pytest.importorskip("pyarrow.parquet")

from sortie.parquet import group_columns  # noqa: E402
from sortie.parquet.column_encoder import ColumnOptions, encode_columns, footer_of_part  # noqa: E402
from sortie.parquet.dictionary_choice import dictionary_pays  # noqa: E402
from sortie.parquet.joined_chunks import extend_chunk  # noqa: E402
from sortie.parquet.parquet_footer import first_chunks  # noqa: E402
from sortie.parquet.sink_pool import SinkPool  # noqa: E402

ROWS = 60_000
WIDTH = 200
GENERATOR = random.Random(5)


def different(rows, width=WIDTH):
    return [f"{GENERATOR.getrandbits(4 * width):0{width}x}" for _ in range(rows)]


def keys(rows):
    return GENERATOR.sample(range(rows), rows)


def sorted_file(tmp_path, table, **options):
    """As it comes from a sort, which is the table in the order of its column "key"."""
    pq.write_table(table, tmp_path / "in.parquet", compression=options.pop("codec", "snappy"))
    sortie.sort_parquet(tmp_path / "in.parquet", tmp_path / "out.parquet", by="key", **options)
    file = pq.ParquetFile(tmp_path / "out.parquet", page_checksum_verification=True)
    assert file.read().equals(table.sort_by("key"))
    return file


def chunks_of(file, name):
    column = file.schema_arrow.names.index(name)
    return [file.metadata.row_group(group).column(column) for group in range(file.metadata.num_row_groups)]


@pytest.fixture
def stretches(monkeypatch):
    """Counts those of each column by its name."""
    counted = {}
    end_stretch = group_columns.GroupColumns._end_stretch

    def count(self, number):
        name = self._schema.field(number).name
        counted[name] = counted.get(name, 0) + 1
        end_stretch(self, number)
    monkeypatch.setattr(group_columns.GroupColumns, "_end_stretch", count)
    return counted


@pytest.mark.parametrize("codec", ["snappy", "zstd"])
@pytest.mark.parametrize("threads", [1, 3])
def test_texts_are_encoded_in_stretches(tmp_path, stretches, threads, codec):
    texts = different(ROWS)
    few = [f"{key % 50:0{WIDTH}}" for key in range(ROWS)]
    table = pa.table({"key": keys(ROWS), "few": few, "text": texts, "number": range(ROWS),
                      "binary": pa.array([text.encode() for text in texts], pa.large_binary()),
                      "word": pa.array([str(i % 9) for i in range(ROWS)]).dictionary_encode()})
    file = sorted_file(tmp_path, table, threads=threads, codec=codec)
    assert stretches.keys() == {"text", "binary"}
    assert min(stretches.values()) > 1
    for name in ("text", "binary"):
        chunk, = chunks_of(file, name)
        assert (chunk.statistics.min, chunk.statistics.max) == (min(table[name].to_pylist()), max(table[name].to_pylist()))
        assert chunk.statistics.null_count == 0
        assert chunk.num_values == ROWS
        assert not chunk.has_dictionary_page
    assert chunks_of(file, "few")[0].has_dictionary_page


@pytest.mark.parametrize("codec", ["snappy", "zstd"])
def test_nulls_and_long_texts_of_stretches_are_told_of(tmp_path, stretches, codec):
    texts = different(ROWS)
    some = [None if i % 500 == 0 else text for i, text in enumerate(texts)]
    long = ["g" + text * 30 if i == ROWS - 5 else text for i, text in enumerate(texts)]  # longer than statistics tell
    table = pa.table({"key": range(ROWS), "some": pa.array(some), "long": pa.array(long)})
    file = sorted_file(tmp_path, table, codec=codec)
    assert stretches["some"] > 1 and stretches["long"] > 1
    chunk, = chunks_of(file, "some")
    values = [text for text in some if text is not None]
    assert (chunk.statistics.min, chunk.statistics.max) == (min(values), max(values))
    assert chunk.statistics.null_count == ROWS - len(values)
    chunk, = chunks_of(file, "long")
    assert chunk.statistics.max != max(long) and chunk.statistics.null_count == 0


def test_what_column_chunks_tell_is_added_up():
    def chunk_of(values):
        column = ColumnOptions(["a"], {"compression": "zstd", "use_dictionary": []})
        table = pa.table({"a": pa.array(values, pa.string())})
        return first_chunks(footer_of_part(encode_columns(table, len(values), [column])))[0]
    def extended(values):
        whole = chunk_of(values[0])
        for more in values[1:]:
            extend_chunk(whole, chunk_of(more))
        return whole
    # What is too long for statistics may be the least value and the greatest one.
    assert extended([["b"], ["x" * 5000], ["a"]])[3][1][12] == (12, {3: (6, 0)})
    for values in ([["b", "c"], [None], ["a"]], [[None], ["b"], ["d", None]], [[None], [None]]):
        whole, at_once = extended(values), chunk_of(sum(values, []))
        for field in (5, 12, 16):  # of values, statistics, sizes
            assert whole[3][1][field] == at_once[3][1][field]


def test_columns_of_which_more_is_told_are_encoded_as_one(tmp_path, stretches):
    table = pa.table({"key": keys(ROWS), "text": different(ROWS)})
    sorted_file(tmp_path, table, page_index=True)
    sorted_file(tmp_path, table, bloom_filters=["text"])
    sorted_file(tmp_path, table, dictionary=["text"])
    sorted_file(tmp_path, table.rename_columns(["text", "key"]))
    assert not stretches


def test_dictionary_off_needs_no_sample(tmp_path, stretches):
    table = pa.table({"key": keys(ROWS), "text": [f"{key % 50:0{WIDTH}}" for key in range(ROWS)]})
    file = sorted_file(tmp_path, table, dictionary=False)
    assert stretches["text"] > 1
    assert not chunks_of(file, "text")[0].has_dictionary_page


def test_row_groups_and_merges_have_stretches_of_their_own(tmp_path, stretches):
    table = pa.table({"key": keys(ROWS), "text": different(ROWS)})
    file = sorted_file(tmp_path, table, row_group_rows=ROWS // 2 - 7)
    assert [file.metadata.row_group(group).num_rows for group in range(3)] == [ROWS // 2 - 7, ROWS // 2 - 7, 14]
    halves = [tmp_path / "0.parquet", tmp_path / "1.parquet"]
    for number, path in enumerate(halves):
        pq.write_table(table.sort_by("key").take(pa.array(range(number, ROWS, 2))), path)
    before = stretches["text"]
    sortie.sort_parquet(halves, tmp_path / "merged.parquet", by="key", merge=True)
    assert stretches["text"] > before + 1
    assert pq.read_table(tmp_path / "merged.parquet").equals(table.sort_by("key"))


def test_files_of_a_folder_are_the_same_whatever_threads_are(tmp_path, stretches):
    rows = 2 * ROWS
    pq.write_table(pa.table({"key": keys(rows), "text": different(rows)}), tmp_path / "in.parquet")
    for threads in (1, 4):
        sortie.sort_parquet(tmp_path / "in.parquet", tmp_path / f"{threads}/", by="key", threads=threads, file_bytes=20_000_000,
                            compression="none")
    names = sorted(path.name for path in (tmp_path / "1").iterdir())
    assert len(names) > 1 and stretches
    for name in names:
        assert (tmp_path / "1" / name).read_bytes() == (tmp_path / "4" / name).read_bytes()


def test_a_text_that_differs_in_every_row_has_no_dictionary():
    # Of 50,000 rows some are drawn twice.
    column = pa.chunked_array([different(50_000, 64)])
    assert not dictionary_pays(column)
    assert not dictionary_pays(column.slice(0, 2000), of_rows=50_000)
    repeated = pa.chunked_array([[f"{i % 300:064}" for i in range(2000)]])
    assert dictionary_pays(repeated, of_rows=50_000)


def test_memory_of_a_pool_is_used_again():
    pool = SinkPool(1 << 20)
    buffer = pool.take(100)
    front = pool.front_of(buffer, 10)
    other = pool.take(100)
    assert other.address != buffer.address
    address = buffer.address
    seen = memoryview(front)
    del buffer, front
    assert pool.take(100).address not in (address, other.address)  # somebody looks at it
    del seen
    assert pool.take(1 << 20).address == address
    large = pool.take(2 << 20)
    address = large.address
    assert pool.front_of(large, 5).size == 5
    assert pool.take(100).address != address
