"""sort_table() and Sorter(by=...) against Python's own stable sort, on pyarrow's tables of every type."""

import pytest

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed (every test of this file)")

import random_tables  # noqa: E402

import sortie  # noqa: E402


@pytest.mark.parametrize("falls", [False, True])
@pytest.mark.parametrize("nulls_first", [False, True])
@pytest.mark.parametrize("kind", random_tables.KEYS, ids=str)
def test_keys_of_every_type_order_stably(kind, falls, nulls_first):
    r = random_tables.random.Random(f"{kind} {falls}")
    table = pa.table({"key": random_tables.random_column(r, kind, 1000), "row": range(1000)})
    keys = [("key", falls, nulls_first)]
    random_tables.assert_sorted(pa.table(sortie.sort_table(table, random_tables.words_of(keys))), table, keys)


@pytest.mark.parametrize("kind", random_tables.CARRIED, ids=str)
def test_columns_of_every_type_are_carried(kind):
    r = random_tables.random.Random(str(kind))
    table = pa.table({"key": [r.randint(0, 50) for _ in range(1000)],
                      "carried": random_tables.random_column(r, kind, 1000)})
    random_tables.assert_sorted(pa.table(sortie.sort_table(table, "key")), table, [("key", False, False)])


REQUIRED = {
    "fixed": (pa.float64(), 1.5), "bits": (pa.bool_(), True), "text": (pa.string(), "x"),
    "view": (pa.string_view(), "y" * 20),
    "list": (pa.list_(pa.field("item", pa.int8(), False)), [1, 2]),
    "pair": (pa.list_(pa.field("item", pa.int8(), False), 2), [1, 2]),
    "struct": (pa.struct([pa.field("x", pa.int16(), False), pa.field("y", pa.int16())]), {"x": 1, "y": None}),
}


@pytest.mark.parametrize("kind, value", REQUIRED.values(), ids=REQUIRED)
@pytest.mark.parametrize("is_in_list", [False, True])
def test_fields_that_must_not_be_null_are_not_even_in_a_null_struct(kind, value, is_in_list):
    kind = pa.struct([pa.field("field", kind, False)])
    rows = [{"field": value}, None] * 50
    column = pa.array([rows[:i % 5] for i in range(100)], pa.list_(kind)) if is_in_list else pa.array(rows, kind)
    table = pa.table({"id": range(100, 0, -1), "column": column})
    result = sortie.sort_table(table, by="id").to_arrow()["column"].combine_chunks()
    assert result.to_pylist() == column.to_pylist()[::-1]
    structs = result.values if is_in_list else result
    structs.validate(full=True)
    field = structs.field("field")
    assert structs.null_count > 0 and field.null_count == 0
    if pa.types.is_struct(field.type):
        assert field.field("x").null_count == 0


def test_run_ends_and_unions_are_carried():
    runs = pa.RunEndEncodedArray.from_arrays(pa.array([3, 4, 9], "int32"), ["a", None, "b"])
    kinds, values = pa.array([0, 1] * 4 + [0], "int8"), [pa.array(range(9)), pa.array("abcdefghi")]
    sparse = pa.UnionArray.from_sparse(kinds, values)
    dense = pa.UnionArray.from_dense(kinds, pa.array([0, 0, 1, 1, 2, 2, 3, 3, 4], "int32"), values)
    table = pa.table({"key": [5, 1, 9, 3, 1, 0, 5, 5, 2], "runs": runs, "sparse": sparse, "dense": dense})
    random_tables.assert_sorted(pa.table(sortie.sort_table(table, "key")), table, [("key", False, False)])


@pytest.mark.parametrize("seed", range(60))
def test_random_tables_order_as_python_orders_them(seed, no_leftovers):
    count = [0, 1, 2, 500, 3000][seed % 5]
    table, keys = random_tables.random_table(seed, count)
    options = {"memory": "256KiB"} if seed % 2 else {}
    result = sortie.sort_table(table, random_tables.words_of(keys), batch_rows=[1, 100, 65536][seed % 3],
                               scratch=no_leftovers, threads=1 + seed % 3, **options)
    random_tables.assert_sorted(pa.table(result), table, keys)


def test_a_key_is_a_name_a_pair_three_words_or_a_list_of_these():
    table = pa.table({"a": [1, None, 2], "b": [1, 1, 1]})
    for by, place, expected in [
            ("a", "at_end", [1, 2, None]), ("a", "at_start", [None, 1, 2]), (["a"], "at_end", [1, 2, None]),
            (("a", "descending"), "at_end", [2, 1, None]), ([("a", "descending")], "at_start", [None, 2, 1]),
            (("a", "descending", "at_start"), "at_end", [None, 2, 1]),
            (["b", ("a", "ascending")], "at_end", [1, 2, None]),
            (iter(["b", "a"]), "at_end", [1, 2, None])]:
        assert pa.table(sortie.sort_table(table, by, null_placement=place))["a"].to_pylist() == expected


@pytest.mark.parametrize("by, error, message", [
    ("q", sortie.Error, "no such column"), (["a", "q"], sortie.Error, "no such column"),
    (5.0, TypeError, "by is made of names, positions and of pairs"), ([5.0], TypeError, "by is made of names"),
    ([True], TypeError, "by is made of names"), (b"a", TypeError, "by is made of names"),
    (2, sortie.Error, "key 2: the table has no such column; they are numbered from 0 to 1"),
    (-3, sortie.Error, "key -3: the table has no such column"),
    ([("a",)], TypeError, "by is made of names"),
    ([("a", "up")], ValueError, "the direction of 'a' must be 'ascending' or"),
    ([("a", "ascending", "middle")], ValueError, "nulls of 'a' must be 'first' or 'last', not 'middle'"),
    ([], ValueError, "by is empty"), ("nested", sortie.Error, "nested.*list<"),
])
def test_keys_that_cannot_be_are_refused_by_name(by, error, message):
    table = pa.table({"a": [1], "nested": [[1]]})
    with pytest.raises(error, match=message):
        sortie.sort_table(table, by)


@pytest.mark.parametrize("options, error, message", [
    ({"keys": "1"}, TypeError, "unexpected keyword argument 'keys'"),
    ({"memmory": 1}, TypeError, "unexpected keyword argument 'memmory'"),
    ({"checkpoint": "x"}, TypeError, "unexpected keyword argument 'checkpoint'"),
    ({"batch_rows": 0}, sortie.Error, "give 1 or more"), ({"batch_rows": "1"}, TypeError, "batch_rows must be an int"),
    ({"null_placement": "middle"}, ValueError, "null_placement must be 'at_start' or 'at_end'"),
    ({"memory": 3}, sortie.Error, "too small"), ({"keep_last": True}, sortie.Error, "keep_last needs unique"),
    ({"progress": 3}, TypeError, "progress must be"),
])
def test_options_that_cannot_be_are_refused(options, error, message):
    with pytest.raises(error, match=message):
        sortie.sort_table(pa.table({"a": [1]}), "a", **options)


@pytest.mark.parametrize("data, message", [
    (5, "data must be a table of a library.* DuckDB, or an iterable of such, not int$"), ("abc", "not str"),
    ({"a": [1]}, "not dict$"),
    ([5], "item 0 of data must be a table"), (pa.chunked_array([[1]]), "data is a column.* pass a table"),
    (pa.array([1]), "data is a column"),
])
def test_data_that_is_no_table_is_refused(data, message):
    with pytest.raises(TypeError, match=message):
        sortie.sort_table(data, "a")


def test_data_without_a_schema_is_refused():
    with pytest.raises(ValueError, match="gave no batch"):
        sortie.sort_table([], "a")
    assert pa.table(sortie.sort_table(pa.table({"a": pa.array([], "int64")}), "a")).schema == pa.schema({"a": "int64"})


def test_batches_of_other_columns_are_refused_by_name():
    first = pa.table({"a": [1], "b": ["x"]})
    for other, message in [(pa.table({"a": [1], "b": [1]}), "column .b. is of type int64 here, and was of type string"),
                           (pa.table({"a": [1], "c": ["x"]}), "column 2 is .c. here, and was .b. before"),
                           (pa.table({"a": [1]}), "column .b. is missing here")]:
        for given in (other, other.to_batches()[0], other.to_reader()):
            with pytest.raises(sortie.ArgumentError, match=f"^item 2 of data: {message}"):
                sortie.sort_table([first, first, given], "a")
        with sortie.Sorter(by="a") as sorter:
            sorter.push(first)
            with pytest.raises(sortie.ArgumentError, match=f"^rows: {message}"):
                sorter.push(other)


def test_nulls_in_a_column_that_is_declared_not_null_are_refused_by_name(no_leftovers):
    required = pa.schema([pa.field("a", pa.int64(), nullable=False)])
    first = pa.table({"a": [2, 1]}, schema=required)
    assert pa.table(sortie.sort_table([first, pa.table({"a": [3, 0]})], "a")).column("a").to_pylist() == [0, 1, 2, 3]
    with pytest.raises(sortie.Error, match="column .a.: a value is null in a batch, and the schema that the "
                       "sort began"):
        sortie.sort_table([first, pa.table({"a": pa.array([None], pa.int64())})], "a")
    with pytest.raises(sortie.Error, match="column .a.: a value is null in a batch"):
        sortie.sort_table(pa.table({"a": [1, None]}, schema=required), "a")
    points = pa.array([{"x": 1}, None], pa.struct([pa.field("x", pa.int64(), nullable=False)]))
    rows = pa.table({"a": [2, 1], "point": points})
    assert pa.table(sortie.sort_table(rows, "a")).column("point").to_pylist() == [None, {"x": 1}]


def test_unique_top_and_the_last_of_equal_rows():
    table = pa.table({"a": [2, 1, 2, 1], "row": range(4)})
    assert pa.table(sortie.sort_table(table, "a", unique=True))["row"].to_pylist() == [1, 0]
    assert pa.table(sortie.sort_table(table, "a", unique=True, keep_last=True))["row"].to_pylist() == [3, 2]
    assert pa.table(sortie.sort_table(table, "a", top=3))["row"].to_pylist() == [1, 3, 0]
    assert pa.table(sortie.sort_table(table, "a", unique=True, order="input"))["row"].to_pylist() == [0, 1]
    assert pa.table(sortie.sort_table(table, "a", sample=9, order="input"))["row"].to_pylist() == [0, 1, 2, 3]


def test_batches_have_the_rows_that_were_asked_for():
    table = pa.table({"a": range(1000)})
    result = sortie.sort_table(table, "a", batch_rows=300)
    batches = list(result)
    assert [len(batch) for batch in batches] == [300, 300, 300, 100]
    # Any number of consumers may have one, also when the sort is gone.
    result.close()
    assert pa.record_batch(batches[1]).equals(pa.record_batch(batches[1]))
    assert pa.record_batch(batches[1])["a"][0].as_py() == 300
    assert pa.schema(batches[1]) == table.schema


def test_a_sorter_takes_batches_and_gives_them_sorted(no_leftovers):
    with sortie.Sorter(by=["key", ("row", "descending")], memory="256KiB", scratch=no_leftovers,
                       batch_rows=5000) as sorter:
        for begin in range(0, 20_000, 1000):
            sorter.push(pa.record_batch({"key": [i * 7919 % 101 for i in range(begin, begin + 1000)],
                                         "row": range(begin, begin + 1000)}))
        with pytest.raises(sortie.Error, match="no report yet"):
            _ = sorter.report
        rows = pa.Table.from_batches([pa.record_batch(batch) for batch in sorter]).to_pylist()
        assert sorter.pull() is None
        assert sorter.report.output_records == 20_000
        with pytest.raises(sortie.Error, match="no more rows"):
            sorter.push(pa.record_batch({"key": [1], "row": [1]}))
    assert rows == sorted(rows, key=lambda row: (row["key"], -row["row"])) and len(rows) == 20_000
    with pytest.raises(ValueError, match="closed"):
        sorter.pull()


def test_a_sorter_of_rows_takes_no_bytes_and_may_be_empty():
    with sortie.Sorter(by="a") as sorter:
        with pytest.raises(TypeError, match="rows must be a table"):
            sorter.push(b"bytes")
        assert list(sorter) == []


def test_a_sorted_table_is_data_for_another_sort():
    table = pa.table({"a": range(10_000), "b": [i * 7919 % 10_007 for i in range(10_000)]})
    by_b = sortie.sort_table(table, "b")
    assert pa.table(sortie.sort_table(by_b, "a")).equals(table)
