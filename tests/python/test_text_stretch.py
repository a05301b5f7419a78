"""Stretches of texts that are made into pages of Parquet without pyarrow's writer: pyarrow reads the same texts, and
column chunks tell of them what its writer tells."""

import io
import random

import pytest

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed (every test of this file)")
pq = pytest.importorskip("pyarrow.parquet")

from concurrent.futures import Future  # noqa: E402

from sortie import _native  # noqa: E402
from sortie.parquet.column_encoder import ColumnOptions, encode, encode_columns, footer_of_part  # noqa: E402
from sortie.parquet.group_file import EncodedGroup, GroupFile  # noqa: E402
from sortie.parquet.parquet_footer import CHUNK_METADATA, CHUNK_SIZES, COLUMN_STORED_BYTES, first_chunks  # noqa: E402
from sortie.parquet.text_stretch import TextEncoder  # noqa: E402

TYPES = [pa.string(), pa.large_string(), pa.binary(), pa.large_binary()]
OPTIONS = {"compression": "zstd", "compression_level": None, "write_page_checksum": True, "data_page_version": "1.0",
           "use_dictionary": []}
MADE_HERE = 100 << 20


def texts(rows, seed=1, most=40, nulls=0.0):
    r = random.Random(seed)
    return [None if r.random() < nulls else f"{r.getrandbits(4 * most):x}"[:r.randrange(most + 1)] for _ in range(rows)]


def column_of(values, kind=TYPES[0], nullable=True, pieces=1):
    """A table of one column, whose pieces begin somewhere within arrays."""
    step = len(values) // pieces + 1
    parts = [values[begin:begin + step] for begin in range(0, max(1, len(values)), step)]
    arrays = [pa.array(["in front", *part, None]).cast(kind).slice(1, len(part)) for part in parts]
    return pa.Table.from_arrays([pa.chunked_array(arrays, kind)], schema=pa.schema([pa.field("a", kind, nullable)]))


def stretch_of(table, **options):
    return TextEncoder(MADE_HERE).encode(table, ColumnOptions(["a"], {**OPTIONS, **options}))


def is_made_here(stretch):
    """pyarrow's writer puts a footer behind the pages."""
    return not memoryview(stretch.file)[-4:].tobytes() == b"PAR1"


def read(table, *stretches):
    """The rows of stretches that are one column chunk."""
    footer = footer_of_part(encode(table.schema.empty_table(), 0, {}, True))
    file = io.BytesIO()
    group_file = GroupFile(file, footer, [])
    made = []
    for stretch in stretches:
        made.append(Future())
        made[-1].set_result(stretch)
    group_file.append(EncodedGroup([made], len(table)))
    group_file.end()
    found = pq.ParquetFile(pa.BufferReader(file.getvalue()), page_checksum_verification=True)
    assert found.metadata.row_group(0).total_byte_size > 0
    return found.read()


@pytest.mark.parametrize("kind", TYPES, ids=str)
@pytest.mark.parametrize(("rows", "nulls", "nullable", "pieces"), [
    (1, 0, True, 1), (1, 1, True, 1), (7, .5, True, 2), (1000, 0, False, 3), (1000, .3, True, 7),
    (200_000, .001, True, 5), (200_000, 0, True, 2), (70_000, 1, True, 1)])
def test_pyarrow_reads_the_same_texts_and_ends(kind, rows, nulls, nullable, pieces):
    table = column_of(texts(rows, nulls=nulls), kind, nullable, pieces)
    stretch = stretch_of(table)
    assert is_made_here(stretch)
    assert read(table, stretch).equals(table)
    own = stretch.chunk[CHUNK_METADATA][1]
    by_pyarrow = encode_columns(table, rows, [ColumnOptions(["a"], OPTIONS)])
    other = first_chunks(footer_of_part(by_pyarrow))[0][CHUNK_METADATA][1]
    for field in (1, 2, 3, 4, 5, 9, 12, CHUNK_SIZES):  # all but bytes, and the number of pages
        assert own[field] == other[field], field
    assert own.keys() == other.keys()
    assert own[COLUMN_STORED_BYTES][1] == len(stretch.file) - 4


@pytest.mark.parametrize("page_bytes", [1, 1000, 1 << 16])
def test_pages_end_where_it_is_asked_for(page_bytes):
    table = column_of(texts(3000, nulls=.1))
    stretch = stretch_of(table, data_page_size=page_bytes)
    assert read(table, stretch).equals(table)
    pages = _native.stored_pages(memoryview(stretch.file)[4:].tobytes())[1] if is_made_here(stretch) else []
    assert page_bytes == 1 or len(pages) >= sum(len(text or "") for text in table["a"].to_pylist()) // (page_bytes + 50)


def test_stretches_follow_one_another():
    table = column_of(texts(5000, nulls=.2))
    parts = [table.slice(begin, 1000) for begin in range(0, 5000, 1000)]
    assert read(table, *map(stretch_of, parts)).equals(table)


def test_the_same_texts_become_the_same_bytes_whatever_was_before():
    encoder, column = TextEncoder(MADE_HERE), ColumnOptions(["a"], OPTIONS)
    table = column_of([f"row {row % 977} of {row * row % 8300}" for row in range(100_000)])
    first, _, again = (encoder.encode(given, column) for given in (table, column_of(texts(50_000)), table))
    assert first.file.equals(again.file) and first.chunk == again.chunk


def test_long_texts_are_written_and_left_out_of_statistics():
    table = column_of(["x" * 5_000_000, "y", "a" * 4097])
    stretch = stretch_of(table)
    assert is_made_here(stretch) and read(table, stretch).equals(table)
    statistics = stretch.chunk[CHUNK_METADATA][1][12][1]
    assert statistics == {3: (6, 0), 5: (8, b"y"), 7: (1, None)}


def test_texts_that_begin_with_zeros_are_compared_as_bytes():
    values = ["a\0b", "a", "a\0", "", "\0", "a\0\0\0\0\0\0\0\0", "\u00e9" * 4]
    statistics = stretch_of(column_of(values)).chunk[CHUNK_METADATA][1][12][1]
    assert (statistics[6][1].decode(), statistics[5][1].decode()) == ("", "\u00e9" * 4)
    statistics = stretch_of(column_of(["a\0b", "a\0", "a\0\0\0\0\0\0\0\0"])).chunk[CHUNK_METADATA][1][12][1]
    assert (statistics[6][1], statistics[5][1]) == (b"a\0", b"a\0b")


@pytest.mark.parametrize("options", [{"compression": "snappy"}, {"compression": {"a": "none"}},
                                     {"data_page_version": "2.0"}, {"write_statistics": False},
                                     {"column_encoding": {"a": "DELTA_BYTE_ARRAY"}}, {"write_page_checksum": False}],
                         ids=str)
def test_what_is_not_made_here_is_left_to_pyarrow(options):
    table = column_of(texts(2000))
    stretch = stretch_of(table, **options)
    assert not is_made_here(stretch)
    assert read(table, stretch).equals(table)


def test_a_null_that_must_not_be_is_refused():
    with pytest.raises(pa.ArrowException, match="column 'a'"):
        stretch_of(column_of(["a", None], nullable=False))


def test_levels_are_taken_by_column_and_refused_by_zstd():
    table = column_of([f"row {row % 977} of {row % 83}" for row in range(20_000)])
    sizes = [len(stretch_of(table, compression_level=level).file) for level in (1, {"a": 15})]
    assert sizes[1] < sizes[0]
    assert len(stretch_of(table, compression_level={}).file) == len(stretch_of(table).file)


def test_few_places_are_looked_at_where_texts_stay_as_short():
    r = random.Random(3)
    words = [f"{r.getrandbits(40):x}" for _ in range(300)]
    log = [" ".join(r.choice(words) for _ in range(12)) for _ in range(20_000)]
    links = [f"https://www.example.com/shop/{r.choice(words)}/{r.getrandbits(96):x}" for _ in range(20_000)]
    for values in (log, links, texts(20_000, most=80)):
        table = column_of(values)
        usual = len(stretch_of(table, compression_level=1).file)
        assert len(stretch_of(table).file) <= usual * 1.03


def test_too_little_room_is_told():
    arrays = [table_chunk.__arrow_c_array__() for table_chunk in column_of(texts(5000))["a"].chunks]
    assert _native.TextPages().write(arrays, True, None, 1 << 20, bytearray(1000)) is None
    with pytest.raises(ValueError, match="without texts"):
        _native.TextPages().write([pa.array([1]).__arrow_c_array__()], True, None, 1 << 20, bytearray(1000))
