"""Parquet files of odd shapes: many row groups, files or columns with few rows each, which are read and written
together."""

import itertools
import random

import pytest

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed (every test of this file)")
import pyarrow.parquet as pq  # noqa: E402
from test_parquet_damage import FLIP_ALL, footer_of, table as damaged_table  # noqa: E402

import sortie  # noqa: E402
from sortie.parquet import thrift  # noqa: E402
from sortie.parquet.column_encoder import ColumnOptions, parts_of  # noqa: E402
from sortie.parquet.dictionary_choice import columns_of_different_numbers, dictionary_pays  # noqa: E402
from sortie.inputs.joined_batches import batches_of  # noqa: E402
from sortie.parquet.parquet_footer import (CHUNK_METADATA, CHUNK_SIZES, COLUMN_STORED_BYTES,
                                           FILE_ROW_GROUPS,  # noqa: E402
                                    GROUP_COLUMNS)
from sortie.parquet.parquet_input import ParquetInput  # noqa: E402

TEXT_BYTES = 1  # of the struct SizeStatistics


def rows_of(count, seed=1):
    r = random.Random(seed)
    texts = [r.choice(["a", "bb", None, "x" * 300]) for _ in range(count)]
    return pa.table({
        "key": [r.randrange(count // 3 + 1) for _ in range(count)], "number": list(range(count)), "text": texts,
        "list": [[i] * (i % 3) if i % 5 else None for i in range(count)], "word": pa.array(texts).dictionary_encode(),
        "struct": [{"x": text, "y": [text]} for text in texts]})


def sorted_by_key(whole):
    return whole.take(pa.compute.sort_indices(whole["key"]))


def assert_sorted(inputs, whole, folder, **options):
    sortie.sort_parquet(inputs, folder / "out.parquet", by="key", **options)
    assert pq.read_table(folder / "out.parquet").to_pylist() == sorted_by_key(whole).to_pylist()


@pytest.mark.parametrize("rows_of_group", [1, 7, 100])
@pytest.mark.parametrize("columns", [["key", "number"], ["key", "number", "text", "list"],
                                     ["key", "number", "text", "list", "word", "struct"]])
def test_small_row_groups_are_read_together(tmp_path, rows_of_group, columns):
    whole = rows_of(1500).select(columns)
    pq.write_table(whole, tmp_path / "in.parquet", row_group_size=rows_of_group)
    batches = list(ParquetInput(str(tmp_path / "in.parquet")).batches(True))
    assert pa.Table.from_batches(batches).to_pylist() == whole.to_pylist()
    if "word" not in columns:  # of which each row group has its own dictionary
        assert len(batches) < 10
    assert_sorted(tmp_path / "in.parquet", whole, tmp_path, row_group_rows=400)


def test_row_groups_without_rows_and_long_rows_among_small_ones(tmp_path):
    parts = [rows_of(3, seed).select(["key", "text"]) for seed in range(20)]
    parts[3] = parts[3].slice(0, 0)
    parts[7] = pa.table({"key": [1] * 40, "text": ["y" * (1 << 20)] * 40})
    with pq.ParquetWriter(tmp_path / "in.parquet", parts[0].schema) as writer:
        for part in parts:
            writer.write_table(part)
    whole = pa.concat_tables(parts)
    most = max(batch.nbytes for batch in ParquetInput(str(tmp_path / "in.parquet")).batches(False))
    assert most < 6 << 20
    assert_sorted(tmp_path / "in.parquet", whole, tmp_path)


def test_a_damaged_header_of_a_page_shifts_no_rows_of_row_groups_that_are_read_together(tmp_path, run_python):
    path = tmp_path / "in.parquet"
    pq.write_table(damaged_table(18).select(["k", "s"]), path, write_page_checksum=True, store_schema=False,
                   write_statistics=False, row_group_size=6)
    done = run_python(FLIP_ALL, path, tmp_path / "damaged.parquet", "4", footer_of(path)[0], "8")
    assert done.returncode == 0, done.stderr
    assert done.stdout == "refused True\n"


def test_many_small_files(tmp_path):
    whole = rows_of(600).select(["key", "number", "text"])
    for number in range(60):
        pq.write_table(whole.slice(10 * number, 10), tmp_path / f"{number:02}.parquet")
    assert_sorted(sorted(tmp_path.glob("*.parquet")), whole, tmp_path)


def write_parts(folder, whole, count):
    rows = len(whole) // count
    paths = [folder / f"{number:02}.parquet" for number in range(count)]
    for number, path in enumerate(paths):
        pq.write_table(whole.slice(rows * number, rows), path)
    return paths


@pytest.mark.parametrize("columns", [["key", "number", "text"], ["key", "number", "list", "word", "struct"]])
def test_small_files_that_are_alike_are_read_as_one(tmp_path, columns):
    whole = rows_of(600).select(columns)
    paths = write_parts(tmp_path, whole, 20)
    pq.write_table(whole.slice(30, 30), paths[1], write_page_index=True, compression="gzip", row_group_size=7)
    pq.write_table(whole.slice(60, 30).cast(whole.schema.with_metadata({"a": "b"})), paths[2])
    pq.write_table(whole.slice(90, 0), tmp_path / "02-none.parquet")
    assert_sorted(sorted(tmp_path.glob("*.parquet")), whole, tmp_path)


def test_pyarrow_opens_files_that_are_alike_as_one(tmp_path, monkeypatch):
    whole = rows_of(600).select(["key", "number", "text"])
    paths = write_parts(tmp_path, whole, 20)
    opened = []
    open_file = pq.ParquetFile
    monkeypatch.setattr(pq, "ParquetFile", lambda *source, **options: (opened.append(1),
                                                                       open_file(*source, **options))[1])
    sortie.sort_parquet(paths, tmp_path / "out.parquet", by="key")
    assert len(opened) == 2  # the first file, and the rows of all


@pytest.mark.parametrize("is_held", [True, False])
def test_of_files_that_are_alike_the_damaged_one_is_named(tmp_path, monkeypatch, is_held):
    if not is_held:
        monkeypatch.setattr("sortie.inputs.table_files._MOST_HELD_BYTES", 0)
    paths = write_parts(tmp_path, rows_of(6000).select(["key", "number", "text"]), 20)
    content = bytearray(paths[13].read_bytes())
    content[200] ^= 1  # of the first page
    paths[13].write_bytes(content)
    with pytest.raises(sortie.Error) as caught:
        sortie.sort_parquet(paths, tmp_path / "out.parquet", by="key")
    assert f"cannot read '{paths[13]}'" in str(caught.value)
    paths[13].write_bytes(content[:-3])
    with pytest.raises(sortie.Error) as caught:
        sortie.sort_parquet(paths, tmp_path / "out.parquet", by="key")
    assert f"cannot read '{paths[13]}': Parquet magic bytes not found in footer" in str(caught.value)


def test_rows_that_were_read_before_damage_are_not_given_twice(tmp_path):
    paths = write_parts(tmp_path, rows_of(6000).select(["key", "number"]), 20)
    first, *others = [ParquetInput(str(path), 1 << 20) for path in paths]
    assert all(first.is_read_with(other) for other in others)

    class Failing:
        def batches(self, use_threads):
            yield from itertools.islice(first.batches(use_threads), 1)
            raise sortie.Error("damaged")

    first.joined_with = lambda others: Failing()
    read = pa.Table.from_batches(batches_of([first, *others], use_threads=False))
    assert read["number"].to_pylist() == list(range(6000))


@pytest.mark.parametrize("kind", [pa.int32(), pa.uint64(), pa.float32(), pa.float64(), pa.timestamp("us")])
@pytest.mark.parametrize("different", [3000, 100])
def test_columns_of_numbers_that_all_differ_are_found(kind, different):
    numbers = pa.array([i % different for i in range(3000)], pa.int64())
    numbers = numbers.cast(kind) if pa.types.is_timestamp(kind) else numbers.cast(pa.int32()).cast(kind)
    with_null = pa.array([*range(2000), None, *range(999)])
    table = pa.table({"text": ["a"] * 3000, "number": numbers, "null": with_null,
                      "small": pa.array([1] * 3000, pa.int8())})
    assert columns_of_different_numbers(table.slice(700)) == ({1} if different == 3000 else set())


def test_many_columns_of_several_forms(tmp_path):
    generator = random.Random(5)
    few = {f"few{i}": [generator.randrange(3) for _ in range(500)] for i in range(300)}
    many = {f"many{i}": [generator.random() for _ in range(500)] for i in range(300)}
    texts = {f"text{i}": [generator.choice([None, "a", "b"]) for _ in range(500)] for i in range(20)}
    nested = {"a.b": list(range(500)), "a": [{"b": i} for i in range(500)]}
    whole = pa.table({"key": [i * 7 % 50 for i in range(500)], **few, **nested, **many, **texts})
    codecs = {column: "gzip" if number % 2 else "snappy" for number, column in enumerate(whole.column_names)}
    pq.write_table(whole, tmp_path / "in.parquet", compression={**codecs, "a.b": "zstd"}, write_page_index=True,
                   use_dictionary=[name for name in whole.column_names if name not in ("many1", "many2", "a")],
                   column_encoding={"many1": "BYTE_STREAM_SPLIT", "many2": "BYTE_STREAM_SPLIT"})
    assert_sorted(tmp_path / "in.parquet", whole, tmp_path, row_group_rows=300)
    before, after = (pq.ParquetFile(tmp_path / name).metadata for name in ("in.parquet", "out.parquet"))
    for group in range(after.num_row_groups):
        for column in range(after.num_columns):
            old, new = before.row_group(0).column(column), after.row_group(group).column(column)
            assert (new.path_in_schema, new.compression, new.has_offset_index) == (old.path_in_schema, old.compression,
                                                                                   True)
            name = new.path_in_schema
            assert ("BYTE_STREAM_SPLIT" in new.encodings) == (name in ("many1", "many2"))
            assert new.has_dictionary_page == (not name.startswith("many")
                                               and name not in ("a.b", "key")) or name in ("a.b", "key")


def test_columns_share_an_encoder_if_few_bytes_and_one_form():
    plain = [ColumnOptions([f"c{i}"], {"write_page_index": False, "compression": {f"c{i}": "zstd"}}) for i in range(6)]
    assert parts_of([10] * 6, plain) == [range(6)]
    assert parts_of([10, 1 << 20, 10, 10, 1 << 19, 1 << 19], plain) == [range(1), range(1, 2), range(2, 5), range(5, 6)]
    index = ColumnOptions(["i"], {"write_page_index": True})
    bloom = ColumnOptions(["b"], {"write_page_index": False, "bloom_filter_options": {"b": {}}})
    same = ColumnOptions(["c0"], {"write_page_index": False})
    assert parts_of([1] * 4, [plain[0], index, index, plain[1]]) == [range(1), range(1, 2), range(2, 3), range(3, 4)]
    assert parts_of([1] * 4, [plain[0], bloom, bloom, plain[1]]) == [range(1), range(1, 2), range(2, 3), range(3, 4)]
    assert parts_of([1] * 3, [plain[0], plain[1], same]) == [range(2), range(2, 3)]
    assert parts_of([], []) == []
    assert parts_of([0, 0], [ColumnOptions([name], {}) for name in "ab"]) == [range(2)]


def test_a_column_that_cannot_be_encoded_is_named(tmp_path, monkeypatch):
    def refuse(sink, table, *_):
        if "number" in table.column_names and table.num_rows:
            raise pa.ArrowInvalid("no")
    monkeypatch.setattr("sortie.parquet.column_encoder._encode_into", refuse)
    from sortie.parquet.column_encoder import encode_columns
    whole = rows_of(10).select(["key", "number"])
    with pytest.raises(pa.ArrowInvalid, match="column 'number': no"):
        encode_columns(whole, 10, [ColumnOptions([name], {}) for name in whole.column_names])


@pytest.mark.parametrize("different, pays", [(1, True), (400, True), (1800, False), (2000, False)])
def test_whether_a_dictionary_of_few_rows_pays_is_counted(different, pays):
    assert dictionary_pays(pa.chunked_array([[i % different for i in range(2000)]])) == pays


def test_few_rows_with_columns_of_views_are_written(tmp_path):
    table = pa.table({"key": [i * 7919 % 2000 / 8 for i in range(2000)],
                      "view": pa.array([str(i) for i in range(2000)], pa.string_view()), "row": range(2000)})
    pq.write_table(table, tmp_path / "in.parquet")
    sortie.sort_parquet(tmp_path / "in.parquet", tmp_path / "out.parquet", by="key")
    rows = pq.read_table(tmp_path / "out.parquet")["row"].to_pylist()
    assert rows == sorted(range(2000), key=lambda i: i * 7919 % 2000)


STRUCT = {1: (thrift.I32, -3), 2: (thrift.TRUE, None), 3: (thrift.FALSE, None), 4: (thrift.BINARY, b"text"),
          5: (thrift.LIST, (thrift.STRUCT, [{1: (thrift.I64, 1 << 62)}, {}])), 6: (thrift.DOUBLE, bytes(8)),
          7: (thrift.LIST, (thrift.I16, list(range(20)))), 8: (thrift.STRUCT, {-40: (thrift.BYTE, 200)}),
          9: (thrift.LIST, (thrift.TRUE, [1, 2])), 300: (thrift.I64, -(1 << 63))}


def test_structs_of_thrift_come_back():
    data = thrift.struct_bytes(STRUCT)
    assert thrift.read_struct(data) == thrift.read_struct(memoryview(data + b"behind")) == STRUCT
    kept = thrift.read_struct(data, kept=5)
    assert list(map(thrift.read_struct, kept[5][1][1])) == STRUCT[5][1][1]
    assert thrift.struct_bytes(kept) == data


def test_damaged_structs_of_thrift_are_refused():
    data = thrift.struct_bytes(STRUCT)
    for end in range(len(data)):
        with pytest.raises(ValueError, match="cut short"):
            thrift.read_struct(data[:end])
    for damaged, message in ((b"\x1d\x00", "type 13"), (b"\x16" + b"\xff" * 11 + b"\x00", "more than 64 bits"),
                             (b"\x1c" * 100, "too many levels"), (b"\x06\xff\xff\xff\xff\x0f\x00", "out of range")):
        for kept in (0, 1):
            with pytest.raises(ValueError, match=message):
                thrift.read_struct(damaged, kept)


def with_footer_changed(path, change):
    """Rewrites the footer of a file by change(row groups), which are structs of thrift."""
    data = path.read_bytes()
    size = int.from_bytes(data[-8:-4], "little")
    footer = thrift.read_struct(data[-8 - size:-8])
    change([group for group in footer[FILE_ROW_GROUPS][1][1]])
    made = thrift.struct_bytes(footer)
    path.write_bytes(data[:-8 - size] + made + len(made).to_bytes(4, "little") + b"PAR1")


def chunks_of(groups):
    return [chunk[CHUNK_METADATA][1] for group in groups for chunk in group[GROUP_COLUMNS][1][1]]


@pytest.mark.parametrize("stored_bytes", [-5, 1 << 40, 1 << 62])
def test_a_false_size_of_pages_is_damage(tmp_path, stored_bytes):
    path = tmp_path / "in.parquet"
    pq.write_table(rows_of(18).select(["key", "number"]), path, row_group_size=3)

    def change(groups):
        for column in chunks_of(groups[3:4]):
            column[COLUMN_STORED_BYTES] = thrift.I64, stored_bytes

    with_footer_changed(path, change)
    try:
        sortie.sort_parquet(path, tmp_path / "out.parquet", by="key")
    except sortie.Error as error:
        assert str(path) in str(error)
    else:
        assert stored_bytes > 0 and pq.read_table(tmp_path / "out.parquet").num_rows == 18


def test_a_false_size_of_texts_makes_no_larger_batches(tmp_path):
    path = tmp_path / "in.parquet"
    whole = pa.table({"key": list(range(2000)), "text": [letter * 20_000 for letter in "ab" * 1000]})
    pq.write_table(whole, path)
    told = []

    def change(groups):
        for column in chunks_of(groups):
            if CHUNK_SIZES in column and TEXT_BYTES in column[CHUNK_SIZES][1]:
                told.append(column[CHUNK_SIZES][1].pop(TEXT_BYTES))
                column[CHUNK_SIZES][1][TEXT_BYTES] = thrift.I64, 0

    with_footer_changed(path, change)
    assert told, "this pyarrow tells no sizes of texts"
    batches = list(ParquetInput(str(path)).batches(False))
    assert max(batch.nbytes for batch in batches) < 6 << 20
    assert pa.Table.from_batches(batches).equals(whole)


class Unhashable(pa.ExtensionType):
    def __init__(self):
        super().__init__(pa.int64(), "sortie.tests.unhashable")

    def __arrow_ext_serialize__(self):
        return b""

    @classmethod
    def __arrow_ext_deserialize__(cls, storage_type, serialized):
        return cls()

    def __eq__(self, other):
        return isinstance(other, Unhashable)

    __hash__ = None


def test_extension_types_need_no_hash(tmp_path):
    pa.register_extension_type(Unhashable())
    try:
        numbers = pa.array([3, 1, 2])
        own = pa.ExtensionArray.from_storage(Unhashable(), numbers)
        pq.write_table(pa.table({"key": numbers, "own": own, "again": own}), tmp_path / "in.parquet")
        sortie.sort_parquet(tmp_path / "in.parquet", tmp_path / "out.parquet", by="key")
        assert pq.read_table(tmp_path / "out.parquet")["own"].to_pylist() == [1, 2, 3]
    finally:
        pa.unregister_extension_type("sortie.tests.unhashable")
