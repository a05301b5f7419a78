"""What rows are sorted by: names, positions and fields, directions and the place of nulls in every way of saying them,
in each function that takes keys."""

import random
import weakref

import pytest

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed (every test of this file)")
import pyarrow.parquet as pq  # noqa: E402

import sortie  # noqa: E402

ROWS = [(1, None), (2, 5), (1, 7), (None, 5), (2, None)]
TABLE = pa.table({"a": [a for a, _ in ROWS], "b": [b for _, b in ROWS]})


def by_table(**keys):
    return sortie.sort_table(TABLE, **keys).to_arrow()


def by_sorter(**keys):
    with sortie.Sorter(**keys) as sorter:
        sorter.push(TABLE)
        return pa.Table.from_batches(map(pa.record_batch, sorter))


def by_file(folder, suffix, **keys):
    source, target = folder / f"in{suffix}", folder / f"out{suffix}"
    if suffix == ".parquet":
        pq.write_table(TABLE, source)
    else:
        source.write_text("a,b\n" + "".join(",".join("" if n is None else str(n) for n in row) + "\n" for row in ROWS))
    return sortie.sort_parquet(source, target, **keys).to_arrow()


@pytest.fixture(params=["sort_table", "Sorter", ".parquet", ".csv"])
def rows_by(request, tmp_path):
    """Sorts ROWS by keys, and returns them."""
    def sort(**keys):
        if request.param.startswith("."):
            table = by_file(tmp_path, request.param, **keys)
        else:
            table = {"sort_table": by_table, "Sorter": by_sorter}[request.param](**keys)
        return list(zip(*(column.to_pylist() for column in table.columns)))
    return sort


def expected(*keys):
    """keys: (column, whether it falls, whether nulls come first)."""
    rows = ROWS
    for column, falls, nulls_first in reversed(keys):
        # What is equal keeps its order, also where it falls.
        values = sorted((row for row in rows if row[column] is not None),
                        key=lambda row: -row[column] if falls else row[column])
        nulls = [row for row in rows if row[column] is None]
        rows = nulls + values if nulls_first else values + nulls
    return rows


A, B = (0, False, False), (1, False, False)
A_FALLS, B_FALLS = (0, True, False), (1, True, False)


@pytest.mark.parametrize("keys, meaning", [
    ({"by": "a"}, [A]), ({"by": 0}, [A]), ({"by": -2}, [A]), ({"by": ["a", 1]}, [A, B]), ({"by": (0, "b")}, [A, B]),
    ({"by": ("a", "desc")}, [A_FALLS]), ({"by": (0, "descending")}, [A_FALLS]),
    ({"by": [["b", "desc"], "a"]}, [B_FALLS, A]), ({"by": [("a", "asc"), ("b", "desc")]}, [A, B_FALLS]),
    ({"by": "a", "descending": True}, [A_FALLS]), ({"by": "a", "descending": [True]}, [A_FALLS]),
    ({"by": ["a", "b"], "descending": [False, True]}, [A, B_FALLS]),
    ({"by": [("a", "asc"), "b"], "descending": True}, [A, B_FALLS]),
    ({"by": "b", "nulls": "first"}, [(1, False, True)]), ({"by": "b", "nulls": "last"}, [B]),
    ({"by": "b", "nulls": "at_start"}, [(1, False, True)]),
    ({"by": "b", "null_placement": "first"}, [(1, False, True)]),
    ({"by": "b", "null_placement": "at_start"}, [(1, False, True)]),
    ({"by": "b", "nulls_last": False}, [(1, False, True)]),
    ({"by": "b", "nulls_last": True}, [B]), ({"by": ["b", "a"], "nulls_last": [False, True]}, [(1, False, True), A]),
    ({"by": ["b", "a"], "nulls": ["last", "first"]}, [B, (0, False, True)]),
    ({"by": [("b", "desc", "first"), "a"]}, [(1, True, True), A]),
    ({"by": [("b", "asc", "last"), "a"], "nulls": "first"}, [B, (0, False, True)]),
    ({"by": ["b", "a"], "descending": [True, False], "nulls": ["first", "last"]}, [(1, True, True), A]),
    ({"by": ["a", 0, "a"], "descending": [False, True, True]}, [A]),
], ids=str)
def test_keys_mean_the_same_in_each_way_of_saying_them(rows_by, keys, meaning):
    assert rows_by(**keys) == expected(*meaning)


def test_keys_may_be_iterators():
    rows = by_table(by=iter(["a", "b"]), descending=iter([True, False]), nulls=iter(["first", "last"]))
    assert list(zip(*(column.to_pylist() for column in rows.columns))) == expected((0, True, True), B)


@pytest.mark.parametrize("keys, message", [
    ({"by": ["a", "b"], "descending": [True]},
     "descending is a list of 1, and by one of 2: give a word for each key, or one for all"),
    ({"by": "a", "nulls": ["first", "last"]}, "nulls is a list of 2, and by one of 1"),
    ({"by": "a", "nulls_last": []}, "nulls_last is a list of 0"),
    ({"by": "a", "nulls": "first", "null_placement": "at_start"},
     "nulls and null_placement say the same of nulls: give one"),
    ({"by": "a", "nulls": "last", "nulls_last": True}, "nulls and nulls_last say the same of nulls"),
    ({"by": [("a", "desc"), "b"], "descending": [True, False]}, "key 'a' says itself what descending says again"),
    ({"by": [("a", "desc", "first")], "nulls": ["first"]},
     "key 'a' says itself what nulls says again: leave one of the two"),
    ({"by": "a", "nulls": "middle"}, "nulls must be 'first' or 'last', not 'middle'"),
    ({"by": [("a", "down")]}, "the direction of 'a' must be 'ascending' or 'descending', not 'down'"),
    ({"by": [(0, "asc", 5)]}, "the place of the nulls of 0 must be 'first' or 'last', not 5"),
    ({"by": []}, "by is empty: name a column at least"),
])
def test_words_that_contradict_each_other_are_refused(rows_by, keys, message):
    with pytest.raises(sortie.ArgumentError, match=message):
        rows_by(**keys)


@pytest.mark.parametrize("keys, message", [
    ({"by": "a", "descending": "yes"}, "descending must be True, False or a list of these, one for each key, "
     "not 'yes'"),
    ({"by": "a", "descending": [1]}, "descending must be True, False or a list"), ({"by": True}, "by is made of names"),
    ({"by": [2.0]}, "by is made of names, positions and of pairs"), ({"by": {"a": 1}}, "by is made of names"),
])
def test_words_of_other_types_are_type_errors(rows_by, keys, message):
    with pytest.raises(TypeError, match=message):
        rows_by(**keys)


@pytest.mark.parametrize("position", [2, -3, 1 << 40])
def test_positions_that_are_not_there_are_refused(rows_by, position):
    with pytest.raises(sortie.Error, match=f"key {position}: .* has no such column; they are numbered from 0 to 1"):
        rows_by(by=position)


def test_numbers_and_flags_of_numpy_are_taken():
    np = pytest.importorskip("numpy")
    rows = by_table(by=np.array([1, 0]), descending=np.array([True, False]))
    assert list(zip(*(column.to_pylist() for column in rows.columns))) == expected(B_FALLS, A)


def test_records_have_a_direction_and_no_nulls():
    with sortie.Sorter(descending=True) as sorter:
        sorter.push(b"a\nc\nb\n")
        assert b"".join(sorter) == b"c\nb\na\n"
    for name, word in [("nulls", "first"), ("null_placement", "at_end"), ("nulls_last", True)]:
        with pytest.raises(sortie.ArgumentError, match=f"{name} is for rows: give by, too"):
            sortie.Sorter(**{name: word})


def random_users(seed, count):
    r = random.Random(seed)

    def maybe(value):
        return None if r.random() < 0.2 else value
    users = [maybe({"id": maybe(r.randint(0, 5)), "name": maybe({"first": maybe(r.choice("abcd"))})})
             for _ in range(count)]
    kind = pa.struct([("id", pa.int32()), ("name", pa.struct([("first", pa.dictionary(pa.int8(), pa.string()))]))])
    chunks = [pa.array(users[:count // 3], kind), pa.array([None, None, *users[count // 3:]], kind).slice(2)]
    return pa.table({"user": pa.chunked_array(chunks), "row": range(count)})


def place_in(row, *names):
    for name in names:
        row = None if row is None else row[name]
    return row


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("memory", [None, "256KiB"])
def test_fields_of_structs_order_as_python_orders_them(seed, memory):
    table = random_users(seed, 3000)
    nulls_first = seed % 2 == 0
    result = sortie.sort_table(table, ["user.name.first", "user.id"], descending=[False, True],
                               nulls=["first" if nulls_first else "last", "last"], memory=memory, threads=1 + seed % 3)

    def order(row):
        first, number = place_in(row, "user", "name", "first"), place_in(row, "user", "id")
        return ((first is None) != nulls_first, first or "", number is None, -(number or 0))
    assert result.to_arrow().to_pylist() == sorted(table.to_pylist(), key=order)


def test_fields_are_keys_of_files_which_say_so(tmp_path):
    table = random_users(9, 500)
    pq.write_table(table, tmp_path / "in.parquet")
    for suffix in (".parquet", ".arrow"):
        report = sortie.sort_parquet(tmp_path / "in.parquet", tmp_path / f"out{suffix}",
                                     by=["user.id", ("row", "desc")])
        rows = sorted(table.to_pylist(), key=lambda row: (place_in(row, "user", "id") is None,
                                                          place_in(row, "user", "id") or 0, -row["row"]))
        assert report.to_arrow().to_pylist() == rows
    metadata = pq.read_metadata(tmp_path / "out.parquet")
    told = [(metadata.schema.column(key.column_index).path, key.descending) for key in
            metadata.row_group(0).sorting_columns]
    assert told == [("user.id", False), ("row", True)]


def test_a_column_of_the_whole_name_comes_before_a_field(tmp_path):
    table = pa.table({"user": [{"id": 1}, {"id": 2}], "user.id": [2, 1]})
    pq.write_table(table, tmp_path / "in.parquet")
    for sorted_rows in (sortie.sort_table(table, "user.id"),
                        sortie.sort_parquet(tmp_path / "in.parquet", tmp_path / "out.parquet", by="user.id")):
        assert sorted_rows.to_arrow()["user.id"].to_pylist() == [1, 2]
    fields = table.select(["user"])
    assert sortie.sort_table(fields, "user.id", descending=True).to_arrow()["user"].to_pylist() == [{"id": 2},
                                                                                                    {"id": 1}]


def test_fields_are_named_as_pyarrow_does(tmp_path):
    table = pa.table({"user": [{"id": 2}, {"id": 1}], "n": [0, 1]})
    pq.write_table(table, tmp_path / "in.parquet")
    batch, = table.to_batches()
    for key, expected in ((".user.id", [1, 0]), (".n", [0, 1]), ([(".user.id", "desc"), ".n"], [0, 1])):
        for rows in (table, batch, table.to_reader(), [batch[:1], batch[1:]]):
            assert sortie.sort_table(rows, key).to_arrow()["n"].to_pylist() == expected
        with sortie.Sorter(by=key) as sorter:
            sorter.push(batch)
            assert pa.record_batch(sorter.pull())["n"].to_pylist() == expected
        report = sortie.sort_parquet(tmp_path / "in.parquet", tmp_path / "out.parquet", by=key)
        assert report.to_arrow()["n"].to_pylist() == expected
    assert sortie.group_table(table, ".user.id", (".n", "sum")).to_arrow().to_pydict() == {"user.id": [1, 2],
                                                                                           "n_sum": [1, 0]}
    joined = sortie.join_tables(table, table.select(["user"]), on=".user.id").to_arrow()
    assert joined["n"].to_pylist() == [1, 0]


def test_fields_of_frames_are_named_as_pyarrow_does(run_python):
    pytest.importorskip("polars")
    told = run_python("""
import polars, sortie, sys
frame = polars.DataFrame({"user": [{"id": 2}, {"id": 1}], "n": [0, 1]})
print(sortie.sort_table(frame, ".user.id").to_polars()["n"].to_list())
sys.modules["pyarrow"] = None
print(sortie.sort_table(frame, "user.id").to_polars()["n"].to_list())
try:
    sortie.sort_table(frame, ".user.id")
except ValueError as error:
    print("no such column" in str(error))
""")
    assert told.stdout.splitlines() == ["[1, 0]", "[1, 0]", "True"], told.stderr


def test_a_dot_in_front_may_belong_to_a_name(tmp_path):
    users = pa.array([{"id": 1}, {"id": 2}])
    for first in ({".user.id": pa.array([1, 2])}, {".user": users}):
        table = pa.table({**first, "user": users[::-1]})
        pq.write_table(table, tmp_path / "in.parquet")
        for rows in (sortie.sort_table(table, ".user.id"), sortie.sort_table(table.to_reader(), ".user.id"),
                     sortie.sort_parquet(tmp_path / "in.parquet", tmp_path / "out.parquet", by=".user.id")):
            assert rows.to_arrow().equals(table)


def test_rows_that_are_dropped_unread_are_gone_at_once():
    table = pa.table({"user": [{"id": 2}, {"id": 1}]})
    for key in ("user.id", ".user.id"):
        result = sortie.sort_table(table, key)
        gone = weakref.ref(result._rows)
        del result
        assert gone() is None


@pytest.mark.parametrize("key, message", [
    ("user.age", "column .user. of .* has no field .age.; it has .id., .name."),
    ("row.x", "column .row. of .* is of type int64, which has no fields"),
    ("user", "no order; sort by another column, or by"),
    ("user.name", "no order; sort by another column, or by a field of it"), ("users.id", "has no such column"),
])
def test_fields_that_are_no_keys_are_refused_by_name(tmp_path, key, message):
    table = random_users(1, 5)
    pq.write_table(table, tmp_path / "in.parquet")
    with pytest.raises(sortie.Error, match=message):
        sortie.sort_table(table, key)
    with pytest.raises(sortie.Error, match=message):
        sortie.sort_parquet(tmp_path / "in.parquet", tmp_path / "out.parquet", by=key)
    assert not (tmp_path / "out.parquet").exists()


def test_positions_tell_columns_of_one_name_apart():
    table = pa.Table.from_arrays([pa.array([1, 2]), pa.array([2, 1])], ["n", "n"])
    assert sortie.sort_table(table, 1).to_arrow().column(0).to_pylist() == [2, 1]
    with pytest.raises(sortie.Error, match="several columns have this name"):
        sortie.sort_table(table, "n")


def test_the_command_and_a_cluster_take_the_same_keys(tmp_path, monkeypatch):
    import sys

    import sortie.cluster
    from sortie.jobs import parquet_command

    monkeypatch.chdir(tmp_path)
    pq.write_table(random_users(3, 100), "in.parquet")
    whole = sortie.sort_parquet("in.parquet", "out.parquet", by=["user.name.first", "row"],
                                descending=[True, False]).to_arrow()
    monkeypatch.setattr(sys, "argv", ["sortie-parquet", "-k", "user.name.first:descending", "-k", "row:asc", "-o",
                                      "command.parquet", "in.parquet"])
    parquet_command.main()
    assert pq.read_table("command.parquet").equals(whole)
    # Dictionaries are not divided among machines.
    plain = pa.table({"user": whole["user"].combine_chunks().field("id"), "row": whole["row"]})
    plain = pa.table({"user": pa.StructArray.from_arrays([plain["user"].combine_chunks()], ["id"]),
                      "row": plain["row"]})
    pq.write_table(plain, "in.parquet")
    keys = {"by": ["user.id", -1], "descending": [True, False], "nulls": "first"}
    sortie.cluster.sort_parquet("in.parquet", "cluster.parquet", job="job", **keys)
    assert pq.read_table("cluster.parquet").equals(sortie.sort_table(plain, **keys).to_arrow())
