"""group_table(): every function, beside Python's own sums over the same rows; groups over many batches; what is
refused."""

import decimal
import math
import random

import pytest

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed (every test of this file)")

import sortie  # noqa: E402

FUNCTIONS = ["count", "sum", "mean", "min", "max", "first", "last"]


def groups_of(table, keys):
    """Rows by keys, in the order of the keys, nulls last."""
    found = {}
    for row in table.to_pylist():
        found.setdefault(tuple(row[key] for key in keys), []).append(row)
    order = sorted(found, key=lambda values: [(value is None, 0 if value is None else value) for value in values])
    return [(values, found[values]) for values in order]


def expected(rows, column, function):
    values = [row[column] for row in rows]
    there = [value for value in values if value is not None]
    if function == "count":
        return len(there)
    if function in ("first", "last"):
        return values[0 if function == "first" else -1]
    if not there:
        return None
    return {"sum": sum, "mean": lambda numbers: float(sum(numbers)) / len(numbers), "min": min,
            "max": max}[function](there)


def random_table(count, groups, seed):
    chance = random.Random(seed)

    def some(make):
        return [None if chance.random() < 0.1 else make() for _ in range(count)]
    return pa.table({
        "key": pa.array(some(lambda: chance.randrange(groups)), pa.int32()),
        "word": pa.array(some(lambda: chance.choice(["x", "yy", ""]))),
        "whole": pa.array(some(lambda: chance.randrange(-1 << 40, 1 << 40)), pa.int64()),
        "small": pa.array(some(lambda: chance.randrange(200)), pa.uint8()),
        "half": pa.array(some(lambda: chance.randrange(100) / 4), pa.float64()),
        "price": pa.array(some(lambda: decimal.Decimal(chance.randrange(10**6)) / 100), pa.decimal128(12, 2)),
    })


@pytest.mark.parametrize("options", [{}, {"memory": "1MB"}], ids=["in memory", "spilled"])
@pytest.mark.parametrize("groups", [1, 7, 5000])
def test_functions_are_those_of_python(groups, options):
    table = random_table(20_000, groups, 1)
    columns = ["whole", "small", "half", "price"]
    asked = [(column, function) for column in columns for function in FUNCTIONS] + ["count"]
    for keys in (["key"], ["word", "key"]):
        result = sortie.group_table(table, keys, asked, **options).to_arrow().to_pylist()
        told = groups_of(table, keys)
        assert [tuple(row[key] for key in keys) for row in result] == [values for values, _ in told]
        for row, (_, rows) in zip(result, told):
            assert row["count"] == len(rows)
            for column, function in asked[:-1]:
                value = expected(rows, column, function)
                found = row[f"{column}_{function}"]
                is_float = isinstance(value, float) and function in ("sum", "mean")
                assert (math.isclose(found, value, rel_tol=1e-12) if is_float else found == value), (column, function)


def test_texts_times_and_dictionaries_have_a_least_and_a_first():
    table = pa.table({"key": [1, 1, 2], "text": ["b", "a", None], "day": pa.array([5, 3, 4], pa.date32()),
                      "lasts": pa.array([5, None, 4], pa.duration("s")), "is": [True, False, None],
                      "word": pa.array(["z", "y", "y"]).dictionary_encode(),
                      "f16": pa.array([1.5, 0.5, 2.0], pa.float16()), "list": [[1], [], [2, 3]]})
    asked = [(name, word) for name in table.column_names[1:-1] for word in ("min", "max")]
    result = sortie.group_table(table, "key",
                                [*asked, ("lasts", "sum"), ("list", "first"), ("list", "last")]).to_arrow()
    rows = result.to_pylist()
    assert [row["text_min"] for row in rows] == ["a", None] and [row["word_max"] for row in rows] == ["z", "y"]
    assert result.schema.field("day_min").type == pa.date32() and result.schema.field("f16_max").type == pa.float16()
    assert result["lasts_sum"].cast(pa.int64()).to_pylist() == [5, 4]
    assert result["lasts_max"].cast(pa.int64()).to_pylist() == [5, 4]
    assert [row["is_min"] for row in rows] == [False, None] and [row["list_last"] for row in rows] == [[], [2, 3]]


def test_nulls_nans_and_zeros_are_a_group_each():
    table = pa.table({"key": [0.0, None, math.nan, -0.0, -math.nan, None, 1.0], "n": range(7)})
    rows = sortie.group_table(table, "key", [("n", "sum")]).to_arrow()
    assert rows["n_sum"].to_pylist() == [3, 6, 6, 6] and math.copysign(1, rows["key"][0].as_py()) == 1
    first = sortie.group_table(table, ("key", "desc"), "count", nulls="first").to_arrow()
    assert first["key"][0].as_py() is None and first["count"].to_pylist() == [2, 2, 1, 2]


def test_keys_are_columns_of_any_kind():
    table = pa.table({"user": [{"id": 2}, None, {"id": 1}, {"id": 2}],
                      "word": pa.array(["b", "a", "b", "b"]).dictionary_encode(), "v": [1, 2, 3, 4]})
    by_field = sortie.group_table(table, "user.id", {"total": ("v", "sum")}).to_arrow()
    assert by_field.to_pydict() == {"user.id": [1, 2, None], "total": [3, 5, 2]}
    assert sortie.group_table(table, 1, [(-1, "sum")]).to_arrow().to_pydict() == {"word": ["a", "b"], "v_sum": [2, 8]}


def test_a_group_may_be_longer_than_any_batch():
    count = 300_000
    table = pa.table({"key": [7] * count + [8], "v": range(count + 1)})
    rows = sortie.group_table(table, "key", [("v", "sum"), ("v", "first"), ("v", "last"), "count"],
                              memory="1MB").to_arrow().to_pylist()
    assert rows[0] == {"key": 7, "v_sum": count * (count - 1) // 2, "v_first": 0, "v_last": count - 1, "count": count}


@pytest.mark.parametrize("values, kind, total", [
    ([2**62, 2**62], pa.int64(), None), ([-2**63, 2**63 - 1, 5], pa.int64(), 4), ([-2**63, -1], pa.int64(), None),
    ([2**64 - 1, 1], pa.uint64(), None), ([2**64 - 2, 1], pa.uint64(), 2**64 - 1),
    ([2**63 - 1, 2**63 - 1, -2**63, -2**63 + 2], pa.int64(), 0), ([2**63 - 1, 5], pa.duration("s"), None),
    ([decimal.Decimal(9 * 10**37), decimal.Decimal(9 * 10**37)], pa.decimal128(38, 0), None),
    ([decimal.Decimal("9" * 38), None], pa.decimal128(38, 0), decimal.Decimal("9" * 38)),
    ([decimal.Decimal("9" * 76)], pa.decimal256(76, 0), decimal.Decimal("9" * 76)),
    ([decimal.Decimal("9" * 76), decimal.Decimal(1)], pa.decimal256(76, 0), None)])
def test_a_sum_is_exact_or_refused(values, kind, total):
    table = pa.table({"key": [1] * len(values), "v": pa.array(values, kind)})
    if total is None:
        with pytest.raises(sortie.Error, match="a sum of column 'v' is beyond"):
            sortie.group_table(table, "key", [("v", "sum")]).to_arrow()
    else:
        assert sortie.group_table(table, "key", [("v", "sum")]).to_arrow()["v_sum"].to_pylist() == [total]


def test_a_table_without_rows_has_its_columns():
    empty = pa.table({"key": pa.array([], pa.string()), "v": pa.array([], pa.int8())})
    result = sortie.group_table(empty, "key", [("v", "sum"), ("v", "mean")])
    assert result.schema == pa.schema([("key", pa.string()), ("v_sum", pa.int64()), ("v_mean", pa.float64())])
    assert result.to_arrow().num_rows == 0 and result.num_rows == 0


def test_rows_are_read_once_unless_they_are_kept():
    table = pa.table({"key": [2, 1, 2], "v": [1, 2, 3]})
    result = sortie.group_table(table, "key", [("v", "sum")])
    assert repr(result).splitlines() == ["sortie.StreamedTable: 2 columns", "key    v_sum", "int64  int64", "1      2",
                                         "2      4"]
    with pytest.raises(sortie.Error, match="not known before they have been read"):
        _ = result.num_rows
    assert [batch.num_rows for batch in result] == [2] and result.num_rows == 2
    with pytest.raises(sortie.Error, match="read once"):
        result.to_batches()
    assert "already read from" in repr(result) and result.reports[0].output_records == 3
    with sortie.group_table(table, "key", "count") as kept:
        assert kept.to_arrow() is kept.to_arrow() and kept.to_pandas()["count"].tolist() == [1, 2]
        assert pa.table(kept).equals(kept.to_arrow()) and kept.num_rows == 2
    with pytest.raises(sortie.Error, match="closed"):
        kept.to_batches()


@pytest.mark.parametrize("aggregates, words", [
    ([("v", "median")], "there is no aggregate 'median': known are count"), ([(True, "sum")], "aggregates is made of"),
    ("v", "aggregates is made of"), (3, "aggregates is made of"),
    ({1: ("v", "sum")}, "aggregates is"), ([("v", "sum"), ("v", "sum")], "two columns 'v_sum'"),
    ({"key": ("v", "sum")}, "two columns 'key'"),
    ([("t", "sum")], "column 't' is of type string, of which there is no sum"), ([("none", "sum")], "no such column")])
def test_what_cannot_be_made_is_refused(aggregates, words):
    table = pa.table({"key": [1], "v": [2], "t": ["a"]})
    with pytest.raises(sortie.Error, match=words):
        sortie.group_table(table, "key", aggregates)


def test_what_is_no_column_or_no_table_is_of_pythons_classes():
    with pytest.raises(ValueError, match="no such column"):
        sortie.group_table(pa.table({"key": [1]}), "other", "count")
    with pytest.raises(TypeError, match="data must be a table"):
        sortie.group_table(3, "key", "count")
    with pytest.raises(TypeError, match="unique"):
        sortie.group_table(pa.table({"key": [1]}), "key", "count", unique=True)
    with pytest.raises(ValueError, match="gave no batch"):
        sortie.group_table([], "key", "count")


def test_a_sum_of_floats_does_not_depend_on_batches_and_memory():
    chance = random.Random(3)
    table = pa.table({"key": [chance.randrange(3) for _ in range(200_000)],
                      "v": [chance.gauss(0, 1) * 10.0**chance.randrange(-10, 10) for _ in range(200_000)],
                      "text": ["x" * 100] * 200_000})
    asked = [("v", "sum"), ("v", "mean")]
    sums = sortie.group_table(table, "key", asked).to_arrow()
    one_by_one = [0.0] * 3
    for key, value in zip(table["key"].to_pylist(), table["v"].to_pylist()):
        one_by_one[key] += value
    assert sums["v_sum"].to_pylist() == one_by_one
    for options in ({"memory": "1MB"}, {"threads": 1}):
        # With a long column batches have fewer rows.
        assert sortie.group_table(table, "key", [*asked, ("text", "max")],
                                  **options).to_arrow().select(sums.column_names) == sums


def test_infinities_of_both_signs_are_added_without_a_warning(recwarn):
    table = pa.table({"key": [1, 1], "v": [math.inf, -math.inf]})
    assert math.isnan(sortie.group_table(table, "key",
                                         [("v", "sum")]).to_arrow()["v_sum"][0].as_py()) and not recwarn.list


def test_long_values_of_groups_go_out_in_small_batches():
    tables = (pa.table({"key": [number], "text": [f"{number}" * 300_000]}) for number in range(40))
    batches = list(sortie.group_table(tables, "key", [("text", "first")], memory="8MB"))
    assert sum(batch.num_rows for batch in batches) == 40 and max(batch.nbytes for batch in batches) < 8 << 20


# Polars hands texts over as views, of which pyarrow takes none, also in lists, structs and dictionaries.
VIEWS = {"text": pa.array(["b", "a", None, "b"], pa.string_view()),
         "octets": pa.array([b"b", b"a", None, b"b"], pa.binary_view()),
         "word": pa.DictionaryArray.from_arrays(pa.array([1, 0, None, 1], pa.int8()),
                                                pa.array(["a", "b"], pa.string_view()))}
NESTED = {"list": pa.array([["x"], [], None, ["y"]], pa.list_(pa.string_view())),
          "struct": pa.array([{"a": "x"}, None, {"a": "z"}, {"a": "y"}], pa.struct([("a", pa.string_view())])),
          "map": pa.array([[("x", "y")], [], None, []], pa.map_(pa.string_view(), pa.string_view()))}


@pytest.mark.parametrize("key", VIEWS)
def test_views_are_keys_and_values(key):
    table = pa.table({**VIEWS, **NESTED})
    asked = [*((name, word) for name in VIEWS for word in ("min", "max", "count")),
             *((name, "last") for name in NESTED)]
    result = sortie.group_table(table, key, asked).to_arrow()
    result.validate(full=True)
    letters = [b"a", b"b", None] if key == "octets" else ["a", "b", None]
    assert result[key].to_pylist() == letters and result.schema.field(key).type == table.schema.field(key).type
    assert result["text_max"].to_pylist() == ["a", "b", None] and result["octets_count"].to_pylist() == [1, 2, 0]
    assert result["list_last"].to_pylist() == [[], ["y"], None] and result["map_last"].to_pylist() == [[], [], None]


def test_extensions_are_keys_and_have_a_least():
    pd = pytest.importorskip("pandas")
    months = pd.DataFrame({"month": pd.PeriodIndex(["2024-02", "2024-01", "2024-02"], freq="M"), "v": [1, 2, 3]})
    result = sortie.group_table(months, "month", [("v", "sum")]).to_pandas()
    assert result["month"].astype(str).tolist() == ["2024-01", "2024-02"] and result["v_sum"].tolist() == [2, 4]
    least = sortie.group_table(months, "v", [("month", "min")]).to_pandas()["month_min"]
    assert str(least.dtype) == "period[M]" and least.astype(str).tolist() == ["2024-02", "2024-01", "2024-02"]
    with pytest.raises(sortie.Error, match="of which there is no sum"):
        sortie.group_table(months, "v", [("month", "sum")])


def test_a_sum_that_passes_its_type_between_batches_is_one_that_fits():
    most = 2**63 - 1
    table = pa.table({"key": [1] * 300_004, "v": [most, most, *[0] * 300_000, -most, -most]})
    assert sortie.group_table(table, "key", [("v", "sum"), ("v", "mean")]).to_arrow().to_pylist() == [{"key": 1,
                                                                                                       "v_sum": 0,
                                                                                                       "v_mean": 0}]
    means = sortie.group_table(pa.table({"key": [1, 1], "v": [most, most]}), "key", [("v", "mean")]).to_arrow()
    assert means["v_mean"].to_pylist() == [float(most)]


def test_ordered_categories_have_a_least_in_their_order():
    sizes = pa.DictionaryArray.from_arrays(pa.array([1, 0, None, 1]), ["small", "large"], ordered=True)
    table = pa.table({"key": [1, 1, 2, 3], "size": sizes})
    rows = sortie.group_table(table, "key", [("size", "min"), ("size", "max"), ("size", "first")]).to_arrow()
    assert rows["size_min"].to_pylist() == ["small", None, "large"] and rows["size_max"].to_pylist() == ["large", None,
                                                                                                         "large"]
    assert sortie.group_table(table.slice(0, 0), "key", [("size", "min")]).to_arrow()["size_min"].type == pa.string()


def test_a_failure_is_one_for_all_who_read():
    most = 2**63 - 1
    result = sortie.group_table(pa.table({"key": [1, 1], "v": [most, most]}), "key", [("v", "sum")])
    for _ in range(2):
        assert repr(result).splitlines()[0] == "sortie.StreamedTable: 2 columns, cannot be read"
        with pytest.raises(sortie.Error, match="a sum of column 'v' is beyond int64"):
            next(iter(result.to_batches()))
    result = sortie.group_table(pa.table({"key": [1, 2], "v": [3, 4]}), "key", [("v", "sum")])

    def stopped():
        raise KeyboardInterrupt
        yield
    result._source = stopped()
    with pytest.raises(KeyboardInterrupt):
        repr(result)
    with pytest.raises(sortie.Error, match="stopped"):
        result.to_arrow()


def test_texts_that_are_none_and_decimals_of_negative_scale_are_an_error():
    octets = pa.array([b"\xff", b"a"]).view(pa.string())
    with pytest.raises(sortie.Error, match="the rows cannot be made: .*UTF8"):
        sortie.group_table(pa.table({"key": [1, 1], "s": octets}), "key", [("s", "max")]).to_arrow()
    table = pa.table({"key": [1], "d": pa.array([500], pa.int64()).cast(pa.decimal128(20, 0)).cast(pa.decimal128(20, -2))})
    for word in ("sum", "mean", "min"):
        with pytest.raises(sortie.Error, match="a decimal whose scale is 0 or more"):
            sortie.group_table(table, "key", [("d", word)])
    with pytest.raises(sortie.Error, match="key 'd' is decimal128"):
        sortie.group_table(table, "d", "count")


def test_columns_keep_what_is_known_of_them():
    schema = pa.schema([pa.field("key", pa.int64(), False), pa.field("v", pa.int64())], {"who": "me"})
    result = sortie.group_table(pa.table([[1], [2]], schema=schema), "key", ["count", ("v", "count"), ("v", "max")])
    assert [field.nullable for field in result.schema] == [False, False, False,
                                                           True] and result.schema.metadata == {b"who": b"me"}
    assert result.to_arrow().schema.equals(result.schema, check_metadata=True)


def test_messages_name_what_is_meant():
    table = pa.table({"key": [1], "v": [2], "span": pa.array([None], pa.month_day_nano_interval())})
    for by, aggregates, words in [(["key", "key"], "count", "by has two columns 'key'"),
                                  ("key", [("w", "sum")], "aggregates: column .w.: the table has"),
                                  ("span", "count", "key .span.: "),
                                  ("key", [("span", "max")], "intervals have no order")]:
        with pytest.raises(sortie.Error, match=words):
            sortie.group_table(table, by, aggregates)
    np = pytest.importorskip("numpy")
    assert sortie.group_table(table, "key", [(np.int64(1), "sum")]).to_arrow().to_pydict() == {"key": [1], "v_sum": [2]}


def test_groups_are_made_with_what_older_versions_of_pyarrow_have(monkeypatch):
    monkeypatch.delattr(pa, "concat_batches", raising=False)
    table = pa.table({"k": pa.array([number % 40_000 for number in range(100_000)])})
    result = sortie.group_table(table, "k", "count", memory="1MB")
    batches = list(result)
    assert all(batch.num_rows >= 1 << 14 for batch in batches[:-1]) and sum(batch.num_rows
                                                                            for batch in batches) == 40_000
    assert sortie.group_table(table[:0], "k", "count").to_arrow().num_rows == 0


def test_views_count_with_their_buffers_where_pyarrow_does_not_tell_their_bytes():
    from sortie.columns.row_bytes import bytes_held

    class OfViews:
        @property
        def nbytes(self):
            raise pa.ArrowTypeError("Extracting byte ranges not supported for type string_view")

        def get_total_buffer_size(self):
            return 5
    assert bytes_held(OfViews()) == 5 and bytes_held(pa.array([1, 2])) == 16
