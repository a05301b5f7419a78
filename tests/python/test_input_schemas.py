"""Files with different columns become one table, by the names of columns, or are refused."""

import datetime
import random

import pytest

np = pytest.importorskip("numpy")
pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed (every test of this file)")
import pyarrow.parquet as pq  # noqa: E402
from table_files import COMMAND, read, write  # noqa: E402

import sortie  # noqa: E402


@pytest.fixture
def save(tmp_path):
    """Writes tables, and returns their paths."""
    def save(*tables, suffix=".parquet", **options):
        paths = [tmp_path / f"{number}{suffix}" for number in range(len(tables))]
        for path, table in zip(paths, tables):
            pq.write_table(table, path, **options) if options else write(table, path)
        return paths
    return save


def refusal(paths, output, **options):
    with pytest.raises(sortie.Error) as caught:
        sortie.sort_parquet(paths, output, **{"by": "key", **options})
    assert not output.exists()
    return str(caught.value)


@pytest.mark.parametrize("suffix", [".parquet", ".arrow", ".csv"])
@pytest.mark.parametrize("schema", ["strict", "union"])
def test_columns_in_another_order_are_found_by_their_names(save, tmp_path, suffix, schema):
    table = pa.table({"key": [5, 3, 1], "text": ["a", "b", "c"], "other": [1.5, 2.5, 3.5]})
    more = pa.table({"other": [4.5, 5.5], "key": [4, 2], "text": ["d", "e"]})
    for inputs in (save(table, more, suffix=suffix), save(more, table, suffix=suffix)):
        for output in (".parquet", suffix):
            sortie.sort_parquet(inputs, tmp_path / f"out{output}", by="key", schema=schema)
            result = read(tmp_path / f"out{output}")
            assert result.column_names == read(inputs[0]).column_names
            expected = pa.concat_tables([table, more.select(table.column_names)]).sort_by("key")
            assert result.select(table.column_names).to_pydict() == expected.to_pydict()


def test_a_union_is_what_pyarrow_makes_of_the_tables(save, tmp_path):
    """Where both widen: pyarrow loses digits of int64 with float64, and takes nothing else for a conflict here."""
    r = random.Random(1)
    columns = {  # types, and what makes values
        "key": ([pa.int64()], lambda: r.randrange(1000)),
        "i": ([pa.int8(), pa.int32(), pa.int64()], lambda: r.randrange(-100, 100)),
        "u": ([pa.uint8(), pa.uint16()], lambda: r.randrange(200)),
        "s": ([pa.string()], lambda: str(r.random())),
        "f": ([pa.float32(), pa.float64()], lambda: r.randrange(100) / 4),
        "t": ([pa.timestamp("s"), pa.timestamp("us")], lambda: datetime.datetime(2020, 1, 1 + r.randrange(20))),
        "d": ([pa.decimal128(9, 2), pa.decimal128(20, 4)], lambda: r.randrange(1000)),
        "n": ([pa.null(), pa.date32()], lambda: None),
        "l": ([pa.list_(pa.string())], lambda: [str(r.randrange(9))] * r.randrange(3)),
        "st": ([pa.struct([("x", pa.int64())])], lambda: {"x": r.randrange(9)})}
    for seed in range(10):
        tables = []
        for number in range(4):
            names = [name for name in columns if name == "key" or r.random() < 0.7]
            r.shuffle(names)
            tables.append(pa.table({name: pa.array([columns[name][1]() for _ in range(50)], r.choice(columns[name][0]))
                                    for name in names}))
        for suffix in (".parquet", ".arrow"):
            paths = save(*tables, suffix=suffix)
            sortie.sort_parquet(paths, tmp_path / f"out{suffix}", by=["key"], schema="union", memory="256KiB",
                                engine="cpu")
            expected = pa.concat_tables(map(read, paths), promote_options="permissive")
            # A sort of pyarrow that is stable.
            order = sorted(range(len(expected)), key=expected["key"].to_pylist().__getitem__)
            result = read(tmp_path / f"out{suffix}")
            assert result.schema.equals(expected.schema), (result.schema, expected.schema)
            assert result.to_pylist() == expected.take(order).to_pylist()


def test_strict_takes_what_pyarrow_concatenates_without_options(save, tmp_path):
    table = pa.table({"key": [2, 1], "l": [[1], None]})
    paths = save(table, table)
    sortie.sort_parquet(paths, tmp_path / "out.parquet", by="key")
    assert read(tmp_path / "out.parquet").to_pydict() == pa.concat_tables(map(read, paths)).sort_by("key").to_pydict()


def test_a_column_that_a_file_lacks_is_null_there(save, tmp_path):
    first = pa.table({"key": [3, 1]}, schema=pa.schema([pa.field("key", pa.int64(), nullable=False)], {"who": "first"}))
    second = pa.table({"z": pa.array([[1]], pa.list_(pa.int8())), "key": [2]},
                      schema=pa.schema([pa.field("z", pa.list_(pa.int8()), nullable=False), ("key", pa.int64())]))
    for suffix in (".parquet", ".arrow"):
        sortie.sort_parquet(save(first, second, suffix=suffix), tmp_path / f"out{suffix}", by="key", schema="union")
        result = read(tmp_path / f"out{suffix}")
        assert result.to_pydict() == {"key": [1, 2, 3], "z": [None, [1], None]}
        assert result.schema.field("z").nullable and result.schema.metadata[b"who"] == b"first"


def test_a_key_that_a_file_lacks_is_null_there(save, tmp_path):
    paths = save(pa.table({"n": [1, 2]}), pa.table({"key": [7, None, 5], "n": [3, 4, 5]}))
    for nulls, expected in (("last", [5, 3, 1, 2, 4]), ("first", [1, 2, 4, 5, 3])):
        for output in ("out.parquet", "out.csv"):
            sortie.sort_parquet(paths, tmp_path / output, by="key", schema="union", nulls=nulls)
            assert read(tmp_path / output)["n"].to_pylist() == expected


@pytest.mark.parametrize("output", ["out.csv", "out.parquet"])
def test_a_key_that_a_csv_file_lacks_is_null_there(tmp_path, output):
    texts = ["n,x\n1,a\n2,b\n", "key,n\n7.5,3\n,4\n5,5\n", "n\n6\n"]
    paths = [tmp_path / f"{number}.csv" for number in range(3)]
    for path, text in zip(paths, texts):
        path.write_text(text)
    for inputs, expected in ((paths, [5, 3, 1, 2, 4, 6]), (paths[::-1], [5, 3, 6, 4, 1, 2])):
        sortie.sort_parquet(inputs, tmp_path / output, by=["key"], schema="union")
        result = read(tmp_path / output)
        assert result["n"].to_pylist() == expected
        assert result["key"].to_pylist()[:3] == [5, 7.5, None]


def test_csv_columns_are_read_as_what_holds_the_texts_of_all_files(tmp_path):
    texts = ["key,a,b,c,d\n1,7,7,007,\n", "d,c,b,a,key\n9,x,2.5,-1,3\n", "key,a,b\n2,18446744073709551615,0.1\n"]
    paths = [tmp_path / f"{number}.csv" for number in range(3)]
    for path, text in zip(paths, texts):
        path.write_text(text)
    sortie.sort_parquet(paths, tmp_path / "out.parquet", by="key", schema="union")
    result = read(tmp_path / "out.parquet")
    assert [str(kind) for kind in result.schema.types] == ["int64", "decimal128(38, 0)", "double", "string", "int64"]
    assert result["b"].to_pylist() == [7.0, 0.1, 2.5] and result["c"].to_pylist() == ["007", None, "x"]
    assert list(map(int, result["a"].to_pylist())) == [7, 18446744073709551615, -1]
    sortie.sort_parquet(paths, tmp_path / "out.csv", by=["b", "key"], schema="union")
    assert (tmp_path / "out.csv").read_text() == ('"key","a","b","c","d"\n"2","18446744073709551615","0.1",,\n'
                                                  '"3","-1","2.5","x","9"\n"1","7","7","007",\n')


def test_formats_are_mixed(save, tmp_path):
    table = pa.table({"key": pa.array([4, 1], pa.int32()), "id": ["007", "x"]})
    paths = [tmp_path / name for name in ("a.parquet", "b.csv", "c.arrow")]
    write(table, paths[0])
    paths[1].write_text("id,key\n008,3\n")
    write(pa.table({"more": [1.5], "key": pa.array([2], pa.int8()), "id": pa.array(["y"]).dictionary_encode()}),
          paths[2])
    for inputs in (paths, paths[::-1]):
        sortie.sort_parquet(inputs, tmp_path / "out.parquet", by="key", schema="union")
        result = read(tmp_path / "out.parquet")
        assert result["key"].to_pylist() == [1, 2, 3, 4] and result["id"].to_pylist() == ["x", "y", "008", "007"]
        assert result["more"].to_pylist() == [None, 1.5, None, None] and result.schema.field("key").type == pa.int64()


@pytest.mark.parametrize("one, other, told", [
    (pa.array([1], pa.int64()), pa.array([1.5]), "of type double, and of '{0}' of type int64"),
    (pa.array(["a"]), pa.array([b"a"]), "of type binary, and of '{0}' of type string"),
    (pa.array([{"a": 1}]), pa.array([{"a": "x"}]), "of type struct<a: string>, and of '{0}' of type struct<a: int64>"),
])
def test_a_conflict_names_file_column_and_both_types(save, tmp_path, one, other, told):
    paths = save(pa.table({"key": [1], "x": one}), pa.table({"x": other, "key": [1]}))
    assert refusal(paths, tmp_path / "out.parquet", schema="union") == (
        f"column 'x' of '{paths[1]}' is {told.format(*paths)}, and no type holds the values of both without loss: cast "
        "one of them")


def test_a_conflict_with_several_files_says_so(save, tmp_path):
    paths = save(*(pa.table({"key": [1], "x": pa.array([1], kind)}) for kind in ("int8", "int16", "float16", "int64")))
    assert refusal(paths, tmp_path / "out.parquet", schema="union").startswith(
        f"column 'x' of '{paths[3]}' is of type int64, and of the files before of type float, and no type holds")


def test_a_value_that_does_not_fit_is_an_error_of_its_file(save, tmp_path):
    far = pa.array([datetime.datetime(9999, 12, 31)], pa.timestamp("us"))
    near = pa.array([datetime.datetime(2020, 1, 1)], pa.timestamp("ns"))
    paths = save(pa.table({"key": [1], "t": near}), pa.table({"key": [2], "t": far}))
    assert refusal(paths, tmp_path / "out.parquet", schema="union").startswith(
        f"column 't' of '{paths[1]}' has a value that is beyond timestamp[ns], the type that holds those of all "
        "inputs: ")


def test_strict_refuses_by_name_and_tells_of_the_union(save, tmp_path):
    base = pa.table({"key": [1], "x": [1]})
    for other, told in (
            (pa.table({"x": [1]}), "'{1}' has no column 'key', which '{0}' has: let all inputs have the same columns, "
             "or give schema=\"union\""),
            (pa.table({"x": [1], "y": [1], "key": [1]}),
             "'{0}' has no column 'y', which '{1}' has: let all inputs have the "
             "same columns, or give schema=\"union\""),
            (pa.table({"x": pa.array([1], pa.int8()), "key": [1]}),
             "column 'x' of '{1}' is of type int8, and of '{0}' of type "
             "int64: let all inputs have the same columns, or give schema=\"union\"")):
        paths = save(base, other)
        assert refusal(paths, tmp_path / "out.parquet") == told.format(*paths)


def test_repeated_names_are_told_apart_by_their_places_alone(save, tmp_path):
    table = pa.table([[1, 2], [5, 6], ["a", "b"]], names=["key", "x", "x"])
    wide = pa.table([[4, 3], pa.array([1, 2], pa.int8()), ["c", "d"]], names=["key", "x", "x"])
    sortie.sort_parquet(save(wide, table), tmp_path / "out.parquet", by="key", schema="union")
    result = pq.ParquetFile(tmp_path / "out.parquet").read()
    assert [column.to_pylist() for column in result.columns] == [[1, 2, 3, 4], [5, 6, 2, 1], ["a", "b", "d", "c"]]
    paths = save(table, table.select([1, 0, 2]))
    for schema in ("strict", "union"):
        assert refusal(paths, tmp_path / "no.parquet", schema=schema).startswith(
            f"'{paths[0]}' has several columns 'x', which are told apart by their places alone")


def test_ordered_categories_keep_their_order_or_are_refused(save, tmp_path):
    ordered = pa.DictionaryArray.from_arrays([1, 0], ["z", "a"], ordered=True)
    table = pa.table({"key": ordered, "n": [1, 2]})
    sortie.sort_parquet(save(table, pa.table({"n": [3]}), suffix=".arrow"), tmp_path / "out.arrow", by="key",
                        schema="union")
    assert read(tmp_path / "out.arrow")["n"].to_pylist() == [2, 1, 3]
    paths = save(table, pa.table({"key": ["a"], "n": [3]}), suffix=".arrow")
    assert "no type holds the values of both" in refusal(paths, tmp_path / "no.parquet", schema="union")


@pytest.mark.parametrize("value", ["Strict", "", 1, ["union"]])
def test_other_words_for_schema_are_refused(save, tmp_path, value):
    told = "for schema: known are strict, union" if isinstance(value, str) else f"schema must be a str, not {type(value).__name__}"
    assert told in refusal(save(pa.table({"key": [1]})), tmp_path / "out.parquet", schema=value)


def test_codecs_and_forms_go_with_their_columns(save, tmp_path):
    first = pa.table({"key": [2, 1], "s": [{"a": 1, "b": 2}] * 2, "t": ["x", "y"]})
    second = pa.table({"t": ["z"], "new": [1.5], "key": pa.array([3], pa.int8()), "s": [{"c": "c", "a": 7}]})
    pq.write_table(first, tmp_path / "0.parquet",
                   compression={"key": "gzip", "s.a": "snappy", "s.b": "zstd", "t": "none"}, write_page_index=True)
    pq.write_table(second, tmp_path / "1.parquet",
                   compression={"t": "zstd", "new": "brotli", "key": "none", "s.c": "lz4",
        "s.a": "none"},
                   use_dictionary=False, column_encoding={"new": "BYTE_STREAM_SPLIT"})
    sortie.sort_parquet([tmp_path / "0.parquet", tmp_path / "1.parquet"], tmp_path / "out.parquet", by="key",
                        schema="union")
    group = pq.read_metadata(tmp_path / "out.parquet").row_group(0)
    columns = {group.column(i).path_in_schema: group.column(i) for i in range(group.num_columns)}
    assert {name: column.compression for name, column in columns.items()} == {
        "key": "GZIP", "s.a": "SNAPPY", "s.b": "ZSTD", "s.c": "LZ4", "t": "UNCOMPRESSED", "new": "BROTLI"}
    assert columns["key"].has_column_index and not columns["new"].has_column_index
    assert "BYTE_STREAM_SPLIT" in columns["new"].encodings
    assert pq.read_table(tmp_path / "out.parquet").to_pydict() == {
        "key": [1, 2, 3], "t": ["y", "x", "z"], "new": [None, None, 1.5],
        "s": [{"a": 1, "b": 2, "c": None}] * 2 + [{"a": 7, "b": None, "c": "c"}]}


def test_small_files_in_another_order_are_read_as_one(save, tmp_path, monkeypatch):
    from sortie.inputs import fitted_input

    joined = []
    join = fitted_input.FittedInput.joined_with
    monkeypatch.setattr(fitted_input.FittedInput, "joined_with",
                        lambda self, others: joined.append(len(others)) or join(self,
        others))
    first = pa.table({"key": [0], "x": ["first"]})
    others = [pa.table({"x": [f"row {number}"], "key": [number]}) for number in range(1, 50)]
    sortie.sort_parquet(save(first, *others), tmp_path / "out.parquet", by=[("key", "descending")])
    assert joined == [48]
    assert read(tmp_path / "out.parquet").to_pydict() == {"key": [*range(49, -1, -1)],
                                                          "x": [*(f"row {number}" for number in range(49, 0, -1)),
                                                                "first"]}


def test_dictionaries_with_long_words_become_values_piece_by_piece(save, tmp_path):
    words = ["a" * 100_000, "b" * 100_000]
    many = pa.DictionaryArray.from_arrays(pa.array([row % 2 for row in range(500)], pa.int8()), words)
    paths = save(pa.table({"key": [1000], "w": ["x"]}), pa.table({"w": many, "key": range(500)}), suffix=".arrow")
    sortie.sort_parquet(paths, tmp_path / "out.parquet", by=[("key", "desc")], schema="union", memory="16MB")
    result = read(tmp_path / "out.parquet")
    assert result["w"].to_pylist() == ["x", *(words[row % 2] for row in range(499, -1, -1))]


def test_large_batches_of_arrow_are_widened_piece_by_piece(save, tmp_path, monkeypatch):
    from sortie.inputs import fitted_input

    sizes = []
    fitted = fitted_input.FittedInput._fitted
    monkeypatch.setattr(fitted_input.FittedInput, "_fitted",
                        lambda self, batch: sizes.append(batch.nbytes) or fitted(self, batch))
    rows = 3_000_000
    first, second = tmp_path / "0.arrow", tmp_path / "1.arrow"
    write(pa.table({"key": [-1]}), first)
    batch = pa.record_batch([pa.array(np.arange(rows, dtype="int32")), pa.array(np.ones(rows, "int8"))],
                            names=["key", "x"])
    with pa.ipc.new_file(second, batch.schema) as writer:
        writer.write_batch(batch)
    sortie.sort_parquet([first, second], tmp_path / "out.arrow", by="key", schema="union")
    result = read(tmp_path / "out.arrow")
    assert result["key"].to_pylist() == [*range(-1, rows)] and result["x"].null_count == 1
    assert len(sizes) == 3 and max(sizes) < 9 << 20


def test_the_command_takes_schema(save, tmp_path):
    import subprocess

    paths = save(pa.table({"key": [2]}), pa.table({"x": [1], "key": [1]}))
    command = [*COMMAND, "-k", "key", "-o", tmp_path / "out.parquet", *paths]
    told = subprocess.run(command, capture_output=True, text=True)
    assert told.returncode == 2 and told.stderr == (f"sortie-parquet: '{paths[0]}' has no column 'x', which "
                                                    f"'{paths[1]}' has: let all inputs have the same columns, or give "
                                                    "--schema=union\n")
    assert subprocess.run([*command, "--schema=union"]).returncode == 0
    assert read(tmp_path / "out.parquet").to_pydict() == {"key": [1, 2], "x": [1, None]}


def test_pandas_reads_wider_columns_as_such(save, tmp_path):
    pd = pytest.importorskip("pandas")
    first = pd.DataFrame({"key": pd.array([1, None], "Int32"), "n": pd.array([1, 2], "int8"),
                          "b": pd.array([True, None],
        "boolean")},
                         index=pd.Index([5, 6], name="id"))
    second = pd.DataFrame({"n": [1 << 40], "key": pd.array([1 << 60], "Int64")}, index=pd.Index([7], name="id"))
    for number, frame in enumerate((first, second)):
        frame.to_parquet(tmp_path / f"{number}.parquet")
    sortie.sort_parquet([tmp_path / "0.parquet", tmp_path / "1.parquet"], tmp_path / "out.parquet", by="key",
                        schema="union")
    result = pd.read_parquet(tmp_path / "out.parquet")
    assert [str(kind) for kind in result.dtypes] == ["Int64", "int64", "boolean"]
    assert result["key"].dropna().to_dict() == {5: 1, 7: 1 << 60} and list(result.index) == [5, 7, 6]


@pytest.mark.parametrize("value", [
    pa.array([b"a" * 16], pa.uuid()), pa.array([[1]], pa.list_view(pa.int8())),
    pa.array([[("a", 1)]], pa.map_(pa.string(),
        pa.int8())),
    pa.RunEndEncodedArray.from_arrays([1], [5]), pa.array([None]), pa.array(["a"]).dictionary_encode(),
    pa.UnionArray.from_sparse(pa.array([0], pa.int8()), [pa.array([1])]), pa.array([[1, 2]], pa.list_(pa.int8(), 2)),
    pa.array([{}], pa.struct([])), pa.array(["a"], pa.string_view()),
    pa.array([(1, 2, 3)], pa.month_day_nano_interval()),
], ids=lambda value: str(value.type))
def test_columns_of_every_type_may_be_missing(save, tmp_path, value):
    paths = save(pa.table({"key": [2]}), pa.table({"x": value, "key": [1]}), suffix=".arrow")
    sortie.sort_parquet(paths, tmp_path / "out.arrow", by="key", schema="union")
    result = read(tmp_path / "out.arrow")
    assert result["key"].to_pylist() == [1, 2]
    assert result["x"].to_pylist() == [*value.to_pylist(), None] and result.schema.field("x").type == value.type


def test_files_without_rows_have_a_say_in_the_schema(save, tmp_path):
    empty = pa.table({"x": pa.array([], pa.int16()), "key": pa.array([], pa.int64())})
    for tables in ((empty, pa.table({"key": [1], "x": pa.array([7], pa.int8())})), (empty, empty),
                   (pa.table({"key": [1]}),
        empty)):
        paths = save(*tables)
        sortie.sort_parquet(paths, tmp_path / "out.parquet", by="key", schema="union")
        result = read(tmp_path / "out.parquet")
        assert result.schema.field("x").type == pa.int16() and len(result) == sum(map(len, tables))
    (tmp_path / "empty.csv").write_text("key,y\n")
    sortie.sort_parquet([tmp_path / "empty.csv", *paths], tmp_path / "out.parquet", by="key", schema="union")
    assert read(tmp_path / "out.parquet").to_pydict() == {"key": [1], "y": [None], "x": [None]}


@pytest.mark.parametrize("as_given", [lambda table: table, lambda table: table.to_reader(max_chunksize=2)])
def test_tables_in_memory_become_a_union_as_files_do(save, tmp_path, as_given):
    tables = [pa.table({"key": pa.array([5, 3], "int8"), "text": ["a", None]}, metadata={"of": "the first"}),
              pa.table({"f": pa.array([1.5, 2.5, None], "float32"), "key": pa.array([4, 2, 4], "int64")}),
              pa.table({"key": pa.array([None], "int16"), "f": pa.array([7], "int32"), "n": [{"x": 1}]}),
              pa.table({"text": pa.array(["d"]).dictionary_encode(), "key": pa.array([1], "uint8")})]
    result = sortie.sort_table(list(map(as_given, tables)), "key", schema="union").to_arrow()
    sortie.sort_parquet(save(*tables), tmp_path / "out.parquet", by="key", schema="union")
    of_files = read(tmp_path / "out.parquet")
    assert result.to_pylist() == of_files.to_pylist() and result.schema.names == of_files.schema.names
    assert result.schema.types == of_files.schema.types and result.schema.field("f").type == pa.float64()
    assert result.schema.metadata == {b"of": b"the first"}


@pytest.mark.parametrize("data, told", [
    ([pa.table({"key": [1]}), pa.table({"key": ["a"]})],
     "column 'key' of item 1 of data is of type string, and of item 0 of data of type int64, and no type holds the "
     "values of both"),
    ([pa.table({"key": [1]}), 5], "item 1 of data must be a table"), ([], "data is empty"),
    (iter([pa.table({"key": [1]})]), 'schema="union" takes a list of tables or readers'),
    (pa.table({"key": [1]}), 'schema="union" takes a list of tables or readers'),
    ([pa.table([[1], [2]], ["key", "key"])], "item 0 of data has several columns 'key'"),
    ([pa.table({"key": pa.array([9_999_999_999_999], pa.timestamp("s"))}),
      pa.table({"key": pa.array([1], pa.timestamp("ns"))})],
     r"column 'key' of item 0 of data has a value that is beyond timestamp\[ns\]")])
def test_tables_in_memory_without_a_union_are_refused(data, told):
    with pytest.raises(sortie.Error, match=told):
        sortie.sort_table(data, "key", schema="union").to_arrow()


def test_tables_of_other_columns_are_refused_by_strict_as_usual():
    tables = [pa.table({"key": [1], "a": [2]}), pa.table({"a": [1], "key": [2]})]
    for options in ({}, {"schema": "strict"}):
        with pytest.raises(sortie.Error):
            sortie.sort_table(tables, "key", **options)
    assert sortie.sort_table(tables, "key", schema="union").to_arrow()["a"].to_pylist() == [2, 1]
