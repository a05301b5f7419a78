"""Columns of runs and of unions in group_table() and join_tables(): pyarrow takes no rows of the former as they are."""

import random

import pytest

import sortie

pa = pytest.importorskip("pyarrow")
pc = pytest.importorskip("pyarrow.compute")

ROWS = 500
WORDS = pa.array(random.Random(5).choices(["b", "a", "", None], k=ROWS))
NUMBERS = pa.array(random.Random(6).choices([0.0, -0.0, 1.5, None], k=ROWS))


def runs(array):
    return pc.run_end_encode(array)


def nested(words):
    """Columns in which `words` are in every kind of type."""
    rows = len(words)
    ends = pa.array(range(rows + 1), pa.int32())
    names = pa.array(["x"] * rows)
    return {"struct": pa.StructArray.from_arrays([words, NUMBERS], ["word", "number"], mask=WORDS.is_null()),
            "list": pa.ListArray.from_arrays(ends, words),
            "large list": pa.LargeListArray.from_arrays(ends.cast(pa.int64()), words),
            "fixed list": pa.FixedSizeListArray.from_arrays(words, 1),
            "map": pa.MapArray.from_arrays(ends, names, words),
            "deep": pa.ListArray.from_arrays(ends, pa.StructArray.from_arrays([words], ["word"]))}


PLAIN = pa.table({"word": WORDS, "number": NUMBERS, "row": pa.array(range(ROWS)), **nested(WORDS)})
ENCODED = pa.table({"word": runs(WORDS), "number": runs(NUMBERS), "row": pa.array(range(ROWS)), **nested(runs(WORDS))})
CUT = ENCODED.slice(7, 300)


@pytest.mark.parametrize("by", ["word", "number", ["number", "word"], "struct.word",
                                [("word", "descending", "first"), 1]])
def test_runs_are_keys_of_groups_as_their_values_are(by):
    first = [(name, "first") for name in PLAIN.column_names if name != "row"]
    aggregates = ["count", *first, ("word", "min"), ("word", "last"), ("number", "sum"), ("word", "count")]
    assert sortie.group_table(ENCODED, by, aggregates).to_arrow().equals(sortie.group_table(PLAIN, by,
                                                                                            aggregates).to_arrow())
    expected = sortie.group_table(PLAIN.slice(7, 300), by, aggregates).to_arrow()
    assert sortie.group_table(CUT, by, aggregates).to_arrow().equals(expected)
    assert sortie.group_table([CUT[:0], CUT], by, aggregates).to_arrow().equals(expected)


def test_a_group_of_runs():
    table = pa.table({"k": runs(pa.array(["b", "a", "b"])), "v": [1, 2, 3]})
    result = sortie.group_table(table, by="k", aggregates="count").to_arrow()
    assert result.schema.field("k").type == pa.string()
    assert result.to_pydict() == {"k": ["a", "b"], "count": [1, 2]}
    empty = sortie.group_table(table[:0], by="k", aggregates="count").to_arrow()
    assert empty.schema == result.schema and empty.num_rows == 0


@pytest.mark.parametrize("how", ["inner", "left", "right", "full", "semi", "anti"])
@pytest.mark.parametrize("on", ["word", "number", ["word", "number"], "row", "struct.word"])
def test_runs_in_joins_are_as_their_values(on, how):
    for left, right in ((CUT, ENCODED), (CUT, PLAIN), (PLAIN.slice(7, 300), ENCODED)):
        right = right.slice(200, 150)
        result = sortie.join_tables(left, right, on, how=how).to_arrow()
        expected = sortie.join_tables(PLAIN.slice(7, 300), PLAIN.slice(200, 150), on, how=how).to_arrow()
        assert result.equals(expected)
        empty = sortie.join_tables(left[:0], right[:0], on, how=how)
        assert empty.schema == result.schema and empty.to_arrow().num_rows == 0


def test_runs_of_dictionaries_and_of_other_types():
    row = pa.array(range(6))
    for array in (pa.array([5, 5, None, 7, 7, 7]).cast(pa.decimal128(20, 1)),
                  pa.array([True, True, False, None, None, True]),
                  pa.array(["x", "x", None, "y", "y", "y"]).dictionary_encode(),
                  pa.array([1, 1, 2, None, 3, 3]).cast(pa.duration("s"))):
        ends = pa.array([2, 3, 6], pa.int16())
        values = array.take(pa.array([0, 2, 5]))
        table = pa.table({"k": pa.RunEndEncodedArray.from_arrays(ends, values), "row": row})
        plain = pa.table({"k": array.take(pa.array([0, 0, 2, 5, 5, 5])), "row": row})
        # A sort takes runs of dictionaries along, and not as keys.
        for key in ("row",) if pa.types.is_dictionary(array.type) else ("k", "row"):
            assert sortie.join_tables(table, table,
                                      key).to_arrow().equals(sortie.join_tables(plain, plain, key).to_arrow())
            grouped = [sortie.group_table(one, key, [("row", "sum"), ("k", "last")]).to_arrow()
                       for one in (table, plain)]
            assert grouped[0].equals(grouped[1])


def unions():
    kinds = pa.array([0, 1, 0, 1], pa.int8())
    sparse = pa.UnionArray.from_sparse(kinds, [pa.array([1, 2, None, 4]), pa.array(["a", "b", "c", "d"])])
    dense = pa.UnionArray.from_dense(kinds, pa.array([0, 0, 1, 1], pa.int32()),
                                     [pa.array([1, None]), pa.array(["b", "d"])])
    return sparse, dense


@pytest.mark.parametrize("union", unions(), ids=["sparse", "dense"])
def test_unions_come_along(union):
    values = union.to_pylist()
    assert values == [1, "b", None, "d"]
    table = pa.table({"k": [2, 1, 2, 3], "u": union, "s": pa.StructArray.from_arrays([union], ["u"])})
    other = pa.table({"k": [1, 2, 4]})
    expected = {"inner": [1, 0, 2], "left": [1, 0, 2, 3], "full": [1, 0, 2, 3, None], "semi": [1, 0, 2], "anti": [3]}
    for how, rows in expected.items():
        result = sortie.join_tables(table, other, "k", how=how).to_arrow()
        result.validate(full=True)
        assert result["u"].type == union.type
        assert result["u"].to_pylist() == [None if row is None else values[row] for row in rows]
    mirrored = sortie.join_tables(other, table, "k", how="left").to_arrow()
    assert mirrored["u"].to_pylist() == ["b", 1, None, None]
    aggregates = [("u", "first"), ("u", "last"), ("s", "first"), "count"]
    result = sortie.group_table(table, "k", aggregates).to_arrow()
    assert result["u_first"].to_pylist() == ["b", 1, "d"] and result["u_last"].to_pylist() == ["b", None, "d"]
    assert result["s_first"].to_pylist() == [{"u": "b"}, {"u": 1}, {"u": "d"}]
    assert sortie.group_table(table[:0], "k", aggregates).to_arrow().schema == result.schema


@pytest.mark.parametrize("union", unions(), ids=["sparse", "dense"])
def test_unions_are_no_keys(union):
    table = pa.table({"u": union, "v": [1, 2, 3, 4]})
    with pytest.raises(sortie.Error) as of_sort:
        sortie.sort_table(table, "u")
    with pytest.raises(sortie.Error) as of_group:
        sortie.group_table(table, "u", "count")
    assert str(of_group.value) == str(of_sort.value)
    with pytest.raises(sortie.Error, match="left key 'u' is .*_union.* have no order, so they are no keys; "
                       "name another"):
        sortie.join_tables(table, table, "u")
    with pytest.raises(sortie.Error, match="column 'u' is of type .*_union.*, of which there is no min"):
        sortie.group_table(table, "v", [("u", "min")])


def test_what_pyarrow_does_not_take_is_refused_at_the_call():
    kind = pa.sparse_union([pa.field("text", pa.string_view())])
    table = pa.table({"k": pa.array([1]), "u": pa.nulls(1, kind)})
    told = "is of type sparse_union.*, of which pyarrow .* takes no rows: leave the column out, or cast it to another type"
    with pytest.raises(sortie.Error, match=f"column 'u' of the right table {told}"):
        sortie.join_tables(table.select(["k"]), table, "k")
    with pytest.raises(sortie.Error, match=f"column 'u' {told}"):
        sortie.group_table(table, "k", [("u", "last")])
    assert sortie.group_table(table, "k", "count").to_arrow().to_pydict() == {"k": [1], "count": [1]}
