"""join_tables(): every kind of join beside loops of Python over the same rows; keys of two types; more than memory holds."""

import decimal
import math
import random

import pytest

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed (every test of this file)")

import sortie  # noqa: E402

KINDS = ["inner", "left", "right", "full", "semi", "anti"]


def pairs_of(left, right, left_on, right_on, how):
    """Numbers of rows of both sides, or None, in the order of the result."""
    keys = [[tuple(row[name] for name in on) for row in table.to_pylist()] for table, on in ((left, left_on), (right, right_on))]
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
        return [(value is None, 0 if value is None else value) for value in key], [last if row is None else row for row in rows]
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
                    made[name + ("_right" if name in left.column_names else "")] = rights[other][name] if other is not None else None
        rows.append(made)
    return rows


def random_table(chance, different, names=("number", "word", "v")):
    count = chance.randrange(80)
    return pa.table([pa.array([chance.choice([None, *range(different)]) for _ in range(count)], pa.int32()),
                     pa.array([chance.choice([None, "x", "y", "zz"]) for _ in range(count)]), pa.array(range(count), pa.int64())],
                    names)


@pytest.mark.parametrize("how", KINDS)
def test_joins_are_those_of_loops(how):
    chance = random.Random(how)
    for different in (1, 3, 10, 60) * 3:
        left, right = random_table(chance, different), random_table(chance, different)
        assert sortie.join_tables(left, right, "number", how=how).to_arrow().to_pylist() == joined(left, right, ["number"], ["number"], how)
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
        assert result.select(["key", "v"]).to_pylist() == [{"key": row["key"], "v": row["v"]} for row in joined(one, two, ["key"], ["key"], how)]


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
        assert sortie.join_tables(pa.table({"key": right}), pa.table({"key": left}), "key", how="full").to_arrow().num_rows == (
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
    assert [(row["size"], row["v"], row["w"]) for row in rows] == [("large", 2, 1), ("medium", 1, 2), ("medium", 3, 2), ("small", 0, None)]
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
    ({"on": "none"}, ValueError, "the left table has no such column"), ({"on": "w"}, ValueError, "the left table has no such column"),
    ({"on": "v", "how": "outer"}, ValueError, "how is one of"), ({}, ValueError, "give on, or left_on and right_on"),
    ({"left_on": "v"}, ValueError, "give on, or"), ({"left_on": ["v"], "right_on": ["key", "w"]}, ValueError, "a key is one of each"),
    ({"on": []}, ValueError, "on is empty"), ({"on": 5.0}, TypeError, "on is a column"), ({"on": [None]}, TypeError, "on is made of"),
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
@pytest.mark.parametrize("kind", [pa.decimal32(5, 1), pa.decimal64(12, 1), pa.string_view(), pa.binary_view(), pa.float16(),
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
            keys = pa.array([value and value.encode() for value in values] if kind == pa.binary_view() else values, kind)
        return pa.table({"key": keys, "n": pa.array(range(60)), name: pa.array([["x"], None, ["y", "z"]] * 20, pa.list_(pa.string_view()))})
    left, right = side("left"), side("right")
    result = sortie.join_tables(left, right, "key", how=how).to_arrow()
    result.validate(full=True)
    assert result.schema.field("key").type == kind
    assert result.to_pylist() == joined(left, right, ["key"], ["key"], how)


def test_extensions_are_keys_of_one_type():
    ids = pa.array([bytes([number]) * 16 for number in (2, 1, 2)], pa.uuid())
    rows = sortie.join_tables(pa.table({"id": ids, "v": [1, 2, 3]}), pa.table({"id": ids[:1], "w": [4]}), "id", how="full").to_arrow()
    assert rows["v"].to_pylist() == [2, 1, 3] and rows["w"].to_pylist() == [None, 4, 4] and rows.schema.field("id").type == pa.uuid()
    with pytest.raises(sortie.Error, match="left key 'id' is .*uuid.* and right key 'id' fixed_size_binary"):
        sortie.join_tables(pa.table({"id": ids}), pa.table({"id": ids.storage}), "id")


@pytest.mark.parametrize("wrap", [lambda text: text, lambda text: [text], lambda text: {"a": text}], ids=["text", "list", "struct"])
def test_a_long_row_that_finds_many_partners_goes_out_in_small_batches(wrap):
    left = pa.table({"key": range(1000), "long": [wrap("x" * (1_000_000 if number == 1 else 1)) for number in range(1000)]})
    right = pa.table({"key": [1] * 300, "w": range(300)})
    batches = list(sortie.join_tables(left, right, "key"))
    assert [row for batch in batches for row in batch["w"].to_pylist()] == list(range(300))
    assert max(batch.nbytes for batch in batches) < 9 << 20
