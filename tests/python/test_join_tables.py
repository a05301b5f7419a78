"""join_tables(): every kind of join beside loops of Python over the same rows; keys of two types; more than memory
holds."""

import decimal
import gc
import math
import pathlib
import random

import pytest

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed (every test of this file)")

import sortie  # noqa: E402
from sortie import _native  # noqa: E402
from sortie.tables.join_sides import shared_memory  # noqa: E402

# Types of pyarrow 19 and later.
NARROW = [pa.decimal32(5, 1), pa.decimal64(12, 1)] if hasattr(pa, "decimal32") else []
KINDS = ["inner", "left", "right", "full", "semi", "anti"]


def pairs_of(left, right, left_on, right_on, how):
    """Numbers of rows of both sides, or None, in the order of the result."""
    keys = [[tuple(row[name] for name in on) for row in table.to_pylist()]
            for table, on in ((left, left_on), (right, right_on))]
    partners = {}
    for number, key in enumerate(keys[1]):
        if None not in key:
            partners.setdefault(key, []).append(number)
    pairs = []
    for number, key in enumerate(keys[0]):
        found = partners.get(key, [])
        if how in ("semi", "anti"):
            pairs += [(key, number, None)] if bool(found) == (how == "semi") else []
        else:
            pairs += [(key, number, other) for other in found]
            pairs += [(key, number, None)] if not found and how in ("left", "full") else []
    if how in ("right", "full"):
        there = set(keys[0])
        pairs += [(key, None, number) for number, key in enumerate(keys[1]) if key not in there or None in key]
    last = left.num_rows + right.num_rows

    def place(pair):
        key, *rows = pair
        return [(value is None, 0 if value is None else value) for value in key], [last if row is None else row
                                                                                   for row in rows]
    return [(row, other) for _, row, other in sorted(pairs, key=place)]


def joined(left, right, left_on, right_on, how):
    rows = []
    lefts, rights = left.to_pylist(), right.to_pylist()
    for row, other in pairs_of(left, right, left_on, right_on, how):
        made = dict(lefts[row]) if row is not None else {name: None for name in left.column_names}
        if row is None:
            made.update({name: rights[other][of_right] for name, of_right in zip(left_on, right_on)})
        if how not in ("semi", "anti"):
            for name in right.column_names:
                if name not in right_on:
                    made[name + ("_right" if name in left.column_names
                                 else "")] = rights[other][name] if other is not None else None
        rows.append(made)
    return rows


def random_table(chance, different, names=("number", "word", "v")):
    count = chance.randrange(80)
    return pa.table([pa.array([chance.choice([None, *range(different)]) for _ in range(count)], pa.int32()),
                     pa.array([chance.choice([None, "x", "y", "zz"]) for _ in range(count)]),
                     pa.array(range(count), pa.int64())],
                    names)


@pytest.mark.parametrize("how", KINDS)
def test_joins_are_those_of_loops(how):
    chance = random.Random(how)
    for different in (1, 3, 10, 60) * 3:
        left, right = random_table(chance, different), random_table(chance, different)
        assert sortie.join_tables(left, right, "number", how=how).to_arrow().to_pylist() == joined(left, right,
                                                                                                   ["number"],
                                                                                                   ["number"], how)
        other = right.rename_columns(["n", "w", "v"])
        result = sortie.join_tables(left, other, how=how, left_on=["word", 0], right_on=["w", "n"]).to_arrow()
        assert result.to_pylist() == joined(left, other, ["word", "number"], ["w", "n"], how)
        result.validate(full=True)


@pytest.mark.parametrize("how", KINDS)
def test_groups_may_be_longer_than_batches(how):
    # Batches of some rows, since they are long: groups go over several on both sides.
    chance = random.Random(2)
    words = ["a" * 3000, "b" * 3000, "c" * 3000]

    def side(count):
        keys = sorted(chance.choice(range(4)) for _ in range(count))
        return pa.table({"key": keys, "text": [chance.choice(words) for _ in keys], "v": range(count)})
    left, right = side(3000), side(40)
    for one, two in ((left, right), (right, left)):
        result = sortie.join_tables(one, two, "key", how=how, memory="4MB").to_arrow()
        assert result.select(["key", "v"]).to_pylist() == [{"key": row["key"], "v": row["v"]}
                                                           for row in joined(one, two, ["key"], ["key"], how)]


def test_rows_with_one_key_that_memory_does_not_hold_go_to_scratch(tmp_path):
    count = 100_000
    left = pa.table({"key": [1, 1, 2], "v": range(3)})
    right = pa.table({"key": [1] * count + [2], "text": [f"text {number:090d}" for number in range(count)] + ["z"]})
    result = sortie.join_tables(left, right, "key", memory="10MB", scratch=tmp_path)
    at = 0
    for batch in result:
        assert batch.nbytes < 16 << 20
        if at + batch.num_rows <= 2 * count:
            number = at % count
            assert batch["text"][0].as_py() == f"text {number:090d}" and batch["v"][0].as_py() == at // count
        at += batch.num_rows
    assert at == 2 * count + 1 and list(tmp_path.iterdir()) == []


def test_keys_of_two_types_are_compared_by_value():
    cases = [(pa.array([1, 2, 300], pa.int16()), pa.array([300, 1], pa.uint64()), [1, 300]),
             (pa.array([-1, 5], pa.int8()), pa.array([5, 2**64 - 1], pa.uint64()), [5]),
             (pa.array(["a", "b"]), pa.array(["b", "c"]).cast(pa.large_string()), ["b"]),
             (pa.array(["a", "b"]).dictionary_encode(), pa.array([b"b"]), ["b"]),
             (pa.array([1.5, 2.0], pa.float32()), pa.array([2.0], pa.float64()), [2.0]),
             (pa.array([decimal.Decimal("1.50"), decimal.Decimal("2.00")]), pa.array([2]), [decimal.Decimal("2.00")]),
             (pa.array([1, 2], pa.timestamp("s")), pa.array([2_000_000], pa.timestamp("us")), [2]),
             (pa.array([None, None], pa.null()), pa.array([1, None]), [])]
    for left, right, common in cases:
        result = sortie.join_tables(pa.table({"key": left}), pa.table({"key": right}), "key").to_arrow()
        found = result["key"].cast(pa.int64()).to_pylist() if pa.types.is_timestamp(left.type) else result["key"].to_pylist()
        assert found == common
        assert sortie.join_tables(pa.table({"key": right}), pa.table({"key": left}), "key",
                                  how="full").to_arrow().num_rows == (
            len(left) + len(right) - len(common))


def test_nan_is_equal_to_nan_and_zero_to_zero():
    left = pa.table({"key": [math.nan, -0.0, 1.0, None], "v": [1, 2, 3, 4]})
    right = pa.table({"key": [0.0, -math.nan, None], "w": [5, 6, 7]})
    rows = sortie.join_tables(left, right, "key").to_arrow()
    assert rows["v"].to_pylist() == [2, 1] and rows["w"].to_pylist() == [5, 6]
    assert math.copysign(1, rows["key"][0].as_py()) == -1  # that of the left table


def test_ordered_dictionaries_and_fields_of_structs_are_keys():
    sizes = pa.DictionaryArray.from_arrays(pa.array([0, 1, 2, 1]), ["small", "medium", "large"], ordered=True)
    left, right = pa.table({"size": sizes, "v": range(4)}), pa.table({"size": ["large", "medium"], "w": [1, 2]})
    rows = sortie.join_tables(left, right, "size", how="left").to_arrow().to_pylist()
    assert [(row["size"], row["v"], row["w"]) for row in rows] == [("large", 2, 1), ("medium", 1, 2), ("medium", 3, 2),
                                                                   ("small", 0, None)]
    users = pa.table({"user": [{"id": 2}, None, {"id": 1}], "name": ["b", "none", "a"]})
    rows = sortie.join_tables(users, pa.table({"id": [1, 2, 3], "n": [10, 20, 30]}), how="full", left_on="user.id",
                              right_on="id").to_arrow()
    assert rows["name"].to_pylist() == ["a", "b", None, "none"] and rows["id"].to_pylist() == [1, 2, 3, None]


def test_lists_structs_and_dictionaries_are_carried():
    left = pa.table({"key": [1, 2], "list": [[1], []], "word": pa.array(["x", "y"]).dictionary_encode()})
    right = pa.table({"key": [2, 3], "struct": [{"a": 1}, None], "word": pa.array(["z", "y"]).dictionary_encode()})
    rows = sortie.join_tables(left, right, "key", how="full").to_arrow()
    assert rows.to_pylist() == [{"key": 1, "list": [1], "word": "x", "struct": None, "word_right": None},
                                {"key": 2, "list": [], "word": "y", "struct": {"a": 1}, "word_right": "z"},
                                {"key": 3, "list": None, "word": None, "struct": None, "word_right": "y"}]


def test_tables_of_other_libraries_and_results_are_sides():
    pl, pd = pytest.importorskip("polars"), pytest.importorskip("pandas")
    left, right = pl.DataFrame({"key": [1, 2, 2], "v": [1, 2, 3]}), pd.DataFrame({"key": [2, 2, 3], "w": [4, 5, 6]})
    rows = sortie.join_tables(left, sortie.sort_table(right, "w", top=1), "key")
    assert rows.to_polars()["w"].to_list() == [4, 4]
    totals = sortie.group_table([pa.table({"key": [2]}), pa.table({"key": [2]})], "key", "count")
    assert sortie.join_tables(totals, right, "key", how="left").to_pandas()["count"].tolist() == [2, 2]


@pytest.mark.parametrize("arguments, error, words", [
    ({"on": "none"}, ValueError, "the left table has no such column"),
    ({"on": "w"}, ValueError, "the left table has no such column"),
    ({"on": "v", "how": "outer"}, ValueError,
     "invalid value 'outer' for how: known are inner, left, right, full, semi, anti"),
    ({}, ValueError, "give on, or left_on and right_on"),
    ({"left_on": "v"}, ValueError, "give on, or"),
    ({"left_on": ["v"], "right_on": ["key", "w"]}, ValueError, "a key is one of each"),
    ({"on": []}, ValueError, "on is empty"), ({"on": 5.0}, TypeError, "on is a column"),
    ({"on": [None]}, TypeError, "on is made of"),
    ({"left_on": "v", "right_on": "t"}, sortie.Error, "left key 'v' is int64 and right key 't' string"),
    ({"on": "key", "suffix": 3}, TypeError, "suffix"), ({"on": "key", "suffix": ""}, ValueError, "two columns 'v'"),
    ({"on": "key", "stats_json": "x"}, TypeError, "stats_json")])
def test_what_cannot_be_joined_is_refused(arguments, error, words):
    left, right = pa.table({"key": [1], "v": [2]}), pa.table({"key": [1], "w": [2], "t": ["a"], "v": [3]})
    with pytest.raises(error, match=words):
        sortie.join_tables(left, right, **arguments)


def test_what_an_iterable_raises_comes_out_and_ends_the_sorts():
    def broken():
        yield pa.table({"key": [1]})
        raise KeyError("broken")
    with pytest.raises(KeyError, match="broken"):
        sortie.join_tables(pa.table({"key": [1]}), broken(), "key")
    with pytest.raises(sortie.Error, match="item 1 of right has columns"):
        sortie.join_tables(pa.table({"key": [1]}), [pa.table({"key": [1]}), pa.table({"other": [1]})], "key")


@pytest.mark.parametrize("how", KINDS)
@pytest.mark.parametrize("kind", [*NARROW, pa.string_view(), pa.binary_view(), pa.float16(),
                                  pa.dictionary(pa.int8(), pa.string_view())], ids=str)
def test_types_that_pyarrow_does_not_sort_or_take_are_keys(kind, how):
    chance = random.Random(5)
    make = decimal.Decimal if pa.types.is_decimal(kind) else str

    def side(name):
        numbers = [chance.choice([None, *range(12)]) for _ in range(60)]
        if pa.types.is_floating(kind):
            keys = pa.array(numbers, pa.float32()).cast(kind)
        elif pa.types.is_dictionary(kind):
            words = pa.array([str(number) for number in range(12)], kind.value_type)
            keys = pa.DictionaryArray.from_arrays(pa.array(numbers, kind.index_type), words)
        else:
            values = [None if number is None else make(number) for number in numbers]
            keys = pa.array([value and value.encode() for value in values] if kind == pa.binary_view() else values,
                            kind)
        return pa.table({"key": keys, "n": pa.array(range(60)),
                         name: pa.array([["x"], None, ["y", "z"]] * 20, pa.list_(pa.string_view()))})
    left, right = side("left"), side("right")
    result = sortie.join_tables(left, right, "key", how=how).to_arrow()
    result.validate(full=True)
    assert result.schema.field("key").type == kind
    assert result.to_pylist() == joined(left, right, ["key"], ["key"], how)


def test_extensions_are_keys_of_one_type():
    ids = pa.array([bytes([number]) * 16 for number in (2, 1, 2)], pa.uuid())
    rows = sortie.join_tables(pa.table({"id": ids, "v": [1, 2, 3]}), pa.table({"id": ids[:1], "w": [4]}), "id",
                              how="full").to_arrow()
    assert rows["v"].to_pylist() == [2, 1, 3] and rows["w"].to_pylist() == [None, 4,
                                                                            4] and rows.schema.field("id").type == pa.uuid()
    with pytest.raises(sortie.Error, match="left key 'id' is .*uuid.* and right key 'id' fixed_size_binary"):
        sortie.join_tables(pa.table({"id": ids}), pa.table({"id": ids.storage}), "id")


@pytest.mark.parametrize("wrap", [lambda text: text, lambda text: [text], lambda text: {"a": text}],
                         ids=["text", "list", "struct"])
def test_a_long_row_that_finds_many_partners_goes_out_in_small_batches(wrap):
    left = pa.table({"key": range(1000), "long":
                     [wrap("x" * (1_000_000 if number == 1 else 1)) for number in range(1000)]})
    right = pa.table({"key": [1] * 300, "w": range(300)})
    batches = list(sortie.join_tables(left, right, "key"))
    assert [row for batch in batches for row in batch["w"].to_pylist()] == list(range(300))
    assert max(batch.nbytes for batch in batches) < 9 << 20


@pytest.mark.parametrize("how", ["right", "full"])
@pytest.mark.parametrize("left, right, kind", [
    (pa.array(["a"]), pa.array([b"\xff"]), pa.large_binary()),
    (pa.array([b"\xff"]), pa.array(["a"]), pa.large_binary()),
    (pa.array(["a"]), pa.array([b"\xff"], pa.binary(1)), pa.large_binary()),
    (pa.array(["a"]).dictionary_encode(), pa.array([b"\xff"]).dictionary_encode(), pa.large_binary()),
    (pa.array(["a"]), pa.array([b"\xff"], pa.binary_view()), pa.large_binary()),
    (pa.array([b"\xff"], pa.binary(1)), pa.array([b"\xff\xfe"], pa.binary(2)), pa.large_binary()),
    (pa.array([None], pa.null()), pa.array([b"\xff"]), pa.large_binary()),
    (pa.array([None], pa.null()), pa.array(["a"]), pa.large_string()),
    (pa.array(["a"]), pa.array(["b"], pa.string_view()), pa.large_string()),
    (pa.array(["a"]).dictionary_encode(), pa.array(["b"]), pa.large_string())], ids=str)
def test_keys_of_texts_and_bytes_come_out_as_bytes(left, right, kind, how):
    rows = sortie.join_tables(pa.table({"k": left}), pa.table({"k": right}), "k", how=how).to_arrow()
    rows.validate(full=True)
    values = (left.to_pylist() if how == "full" else []) + right.to_pylist()
    expected = [value.encode() if isinstance(value, str) and kind == pa.large_binary() else value for value in values]
    assert rows.schema.field("k").type == kind
    assert sorted(rows["k"].to_pylist(), key=lambda value: (value is None, value)) == sorted(
        expected, key=lambda value: (value is None, value))


def with_long_group():
    """Rows with one key that are more than an eighth of 2 MB."""
    left = pa.table({"key": [1, 1, 2], "v": range(3)})
    return left, pa.table({"key": [1] * 100_000 + [2], "text": [f"text {number:090d}" for number in range(100_001)]})


def test_scratch_is_what_sort_table_takes(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    left, right = with_long_group()
    for scratch in (None, [], (str(path) for path in [tmp_path]), tmp_path, bytes(tmp_path), (tmp_path, tmp_path)):
        assert sortie.join_tables(left, right, "key", memory="2MB", scratch=scratch).to_arrow().num_rows == 200_001
    for scratch, error in ((5, TypeError), ([5], TypeError), ({"a": 1}, TypeError), ("", ValueError)):
        with pytest.raises(error, match="scratch") as caught:
            sortie.join_tables(left, right, "key", scratch=scratch)
        assert isinstance(caught.value, sortie.Error)


def test_a_folder_that_is_gone_is_a_file_error_as_in_a_sort(tmp_path):
    left, right = with_long_group()
    folder = tmp_path / "gone"
    folder.mkdir()
    result = sortie.join_tables(left, right, "key", memory="2MB", scratch=folder)
    folder.rmdir()
    with pytest.raises(sortie.FileError, match="cannot create temporary file in .*choose another scratch") as caught:
        result.to_arrow()
    assert isinstance(caught.value, FileNotFoundError) and caught.value.remedy == "other_scratch"
    assert caught.value.filename == f"temporary file in '{folder}'"


def test_too_little_memory_is_said_as_it_was_given():
    table = pa.table({"k": [1]})
    for memory in (1, 262_144, "500KB", 699_050):
        with pytest.raises(ValueError, match=f"invalid value '{memory}' for memory: .*give 699051 "
                           "bytes or more") as caught:
            sortie.join_tables(table, table, "k", memory=memory)
        assert isinstance(caught.value, sortie.ArgumentError)
    assert sortie.join_tables(table, table, "k", memory=699_051).to_arrow().num_rows == 1
    for memory in ("x", -1, 0):
        with pytest.raises(sortie.ArgumentError, match=f"invalid value '{memory}' for memory"):
            sortie.join_tables(table, table, "k", memory=memory)


def mapped_files(folder):
    return [line for line in pathlib.Path("/proc/self/maps").read_text().splitlines() if str(folder) in line]


@pytest.mark.skipif(not pathlib.Path("/proc/self/maps").exists(), reason="the system does not tell what is mapped")
def test_close_frees_rows_that_are_held(tmp_path):
    left, right = with_long_group()
    result = sortie.join_tables(left, right, "key", memory="2MB", scratch=tmp_path)
    rows = iter(result)
    next(rows)
    gc.collect()
    assert mapped_files(tmp_path)
    before = pa.total_allocated_bytes()
    result.close()
    gc.collect()
    assert not mapped_files(tmp_path) and pa.total_allocated_bytes() <= before
    with pytest.raises(sortie.Error, match="closed"):
        next(rows)
    with pytest.raises(sortie.Error, match="closed"):
        result.to_arrow()


def test_a_closed_join_gives_no_more_rows():
    left, right = pa.table({"k": range(1000)}), pa.table({"k": [number // 2 for number in range(2000)],
                                                          "w": ["x" * 20_000] * 2000})
    result = sortie.join_tables(left, right, "k")
    for count, _ in enumerate(result):
        if count == 1:
            break
    with sortie.join_tables(left, right, "k") as result:
        rows = iter(result)
        next(rows)
    with pytest.raises(sortie.Error):
        list(rows)


def test_tables_of_an_iterable_may_differ_in_where_nulls_can_be():
    def table(values, nullable, inner, metadata=None):
        item = pa.field("item", pa.struct([pa.field("a", pa.int64(), inner)]), inner)
        fields = [pa.field("k", pa.int64(), nullable), pa.field("list", pa.list_(item), nullable)]
        return pa.table([values, [[{"a": value or 0}] for value in values]], schema=pa.schema(fields, metadata))
    sides = [table([1], False, False, {"a": "b"}), table([3], True, True), table([2], True, False, {"c": "d"})]
    for order in (sides, sides[::-1], sides[1:] + sides[:1]):
        rows = sortie.join_tables(order, order, "k").to_arrow()
        rows.validate(full=True)
        expected = sortie.sort_table(order, "k").to_arrow()
        assert rows.select(["k", "list"]).to_pylist() == expected.to_pylist()
        assert rows.schema.field("k") == order[0].schema.field("k")
        assert rows.schema.field("list") == order[0].schema.field("list")
        assert sortie.group_table(order, "k",
                                  [("list", "first")]).to_arrow()["list_first"].to_pylist() == expected["list"].to_pylist()
    null_inside = pa.table([[1], [[{"a": None}]]], schema=sides[1].schema)
    for later in (table([None], True, False), null_inside):
        with pytest.raises(sortie.Error, match="null") as caught:
            sortie.join_tables([sides[0], later], sides[0], "k")
        with pytest.raises(sortie.Error) as of_sort:
            sortie.sort_table([sides[0], later], "k")
        assert str(caught.value) == str(of_sort.value)
    for other in (pa.array([[{"b": 1}]]), pa.array([[{"a": 1.0}]]), pa.array([1])):
        with pytest.raises(sortie.Error, match="item 1 of left has columns"):
            sortie.join_tables([sides[0], pa.table({"k": [1], "list": other})], sides[0], "k")


def test_columns_of_one_name_of_the_right_table_are_refused_with_a_remedy_that_helps():
    left, right = pa.table({"k": [1]}), pa.table([[1], [2], [3]], ["k", "a", "a"])
    with pytest.raises(ValueError, match="the right table has two columns 'a': rename one"):
        sortie.join_tables(left, right, "k")
    assert sortie.join_tables(left, right, "k", how="semi").to_arrow().num_rows == 1
    with pytest.raises(ValueError, match="two columns 'a': give another suffix"):
        sortie.join_tables(pa.table({"k": [1], "a": [1]}), right.select([0, 1]), "k", suffix="")
    with pytest.raises(ValueError, match="two columns 'a_right': give another suffix"):
        sortie.join_tables(pa.table({"k": [1], "a": [1], "a_right": [1]}), right.select([0, 1]), "k")


@pytest.mark.parametrize("values, words", [
    (pa.array([[1]]), "nested values have no order"), (pa.array([{"a": 1}]), "nested values have no order"),
    (pa.array([pa.MonthDayNano([1, 2, 3])]), "intervals have no order")], ids=str)
def test_keys_without_order_are_refused_by_name(values, words):
    plain, table = pa.table({"number": [1], "v": [1]}), pa.table({"v": [1], "odd": values})
    for key in ("odd", 1, -1):
        with pytest.raises(sortie.Error, match=f"left key 'odd' is .*{words}"):
            sortie.join_tables(table, table, key)
        with pytest.raises(sortie.Error, match=f"right key 'odd' is .*{words}"):
            sortie.join_tables(plain, table, left_on=0, right_on=key)


def test_a_sort_tells_keys_by_name():
    with pytest.raises(sortie.Error, match="column ‘k’: a value is null"):
        sortie.join_tables(pa.table([[1, None]], pa.schema([pa.field("k", pa.int64(), False)])), pa.table({"k": [1]}),
                           0)
    # Two columns of one name are told apart by their places.
    twice = pa.table([[1, 2], [2, 1]], ["k", "k"])
    assert sortie.join_tables(twice, pa.table({"k": [2], "w": [3]}), left_on=1,
                              right_on="k").to_arrow()["w"].to_pylist() == [3]
    odd = pa.table({"key 0": [1.0, 2.0], "v": [1, 2]})
    assert sortie.join_tables(odd, odd, "key 0").to_arrow().num_rows == 2


def test_keys_are_columns_as_by_takes_them():
    numpy = pytest.importorskip("numpy")
    left, right = pa.table({"k": [1, 2], "v": [3, 4]}), pa.table({"k": [2], "w": [5]})
    for on in (numpy.int64(0), numpy.uint8(0), [numpy.int32(0)], numpy.array([0]), -2, (key for key in ["k"]),
               numpy.array(["k"])):
        assert sortie.join_tables(left, right, on).to_arrow().to_pylist() == [{"k": 2, "v": 4, "w": 5}]
    for on in (True, [False], numpy.True_, ("k", 1.0), [("k", "descending")], {"k": 1}, {"k"}, b"k", [b"k"], 5.0):
        with pytest.raises(TypeError, match="on is ") as caught:
            sortie.join_tables(left, right, on)
        assert isinstance(caught.value, sortie.Error)
    with pytest.raises(ValueError, match="left_on names 1 column and right_on 2"):
        sortie.join_tables(left, right, left_on="k", right_on=["k", "w"])


def test_how_is_a_word():
    numpy = pytest.importorskip("numpy")
    table = pa.table({"k": [1]})
    for how in (numpy.array(["left", "right"]), None, ["left"], 3):
        with pytest.raises(sortie.ArgumentTypeError, match="how must be a str, not "):
            sortie.join_tables(table, table, "k", how=how)
    assert sortie.join_tables(table, table, "k", how=numpy.str_("left")).to_arrow().num_rows == 1


def test_a_left_key_that_is_named_twice_goes_with_the_first_of_its_right_ones():
    left, right = pa.table({"k": [1, 2]}), pa.table({"k": [1, 2, 3], "v": [1, 9, 8]})
    rows = sortie.join_tables(left, right, left_on=["k", "k"], right_on=["k", "v"], how="full").to_arrow().to_pylist()
    assert sorted(rows, key=str) == [{"k": 1, "v": 1}, {"k": 2, "v": 9}, {"k": 2, "v": None}, {"k": 3, "v": 8}]
    rows = sortie.join_tables(pa.table({"a": [1], "b": [1]}), right, left_on=["a", "b"], right_on=["k", "k"],
                              how="right").to_arrow()
    assert rows.to_pylist() == [{"a": key, "b": key, "v": value} for key, value in ((1, 1), (2, 9), (3, 8))]


def test_a_range_without_name_is_no_column_and_other_indexes_are():
    pd = pytest.importorskip("pandas")
    left, right = pd.DataFrame({"k": [1, 2], "v": [3, 4]}), pd.DataFrame({"k": [2, 3], "w": [5, 6]})
    result = sortie.join_tables(left, right, "k")
    assert result.schema.names == ["k", "v", "w"] and result.to_pandas().to_dict("list") == {"k": [2], "v": [4],
                                                                                             "w": [5]}
    assert sortie.join_tables([left, left], right, "k").schema.names == ["k", "v", "w"]
    # pyarrow's own table of it, which tells the range in its metadata.
    assert sortie.join_tables(pa.Table.from_pandas(left), right, "k").to_pandas().to_dict("list") == {"k": [2],
                                                                                                      "v": [4],
                                                                                                      "w": [5]}
    assert sortie.group_table(left, "k", "count").to_pandas().to_dict("list") == {"k": [1, 2], "count": [1, 1]}
    named = left.rename_axis("row")
    assert sortie.join_tables(named, right, "k").to_arrow().to_pylist() == [{"k": 2, "v": 4, "row": 1, "w": 5}]
    assert sortie.join_tables(left.set_index("k"), right.set_index("k"),
                              "k").to_arrow().to_pylist() == [{"v": 4, "k": 2, "w": 5}]


def test_metadata_are_those_of_the_left_table_without_those_of_pandas():
    left = pa.table({"k": [1]}).replace_schema_metadata({"a": "b", "pandas": "{}"})
    right = pa.table({"k": [1], "w": [2]}).replace_schema_metadata({"c": "d"})
    result = sortie.join_tables(left, right, "k")
    assert result.schema.metadata == {b"a": b"b"} and result.to_arrow().schema.metadata == {b"a": b"b"}
    assert sortie.join_tables(right.select(["k"]).replace_schema_metadata(None), left, "k").schema.metadata is None


def test_rows_that_a_join_holds_follow_what_is_available(monkeypatch):
    monkeypatch.setattr(_native, "machine_share", lambda: (1 << 30, 2))
    assert shared_memory({}) == ({}, 16 << 20)
    monkeypatch.setattr(_native, "machine_share", lambda: (1 << 40, 2))
    assert shared_memory({}) == ({}, 256 << 20)
