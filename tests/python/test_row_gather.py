"""_native.RowGather: rows of several batches in one, as pyarrow takes them."""

import random

import pytest

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed (every test of this file)")
import random_tables  # noqa: E402

from sortie import _native  # noqa: E402
from sortie.columns.ordered_keys import KeyEncoder  # noqa: E402
from sortie.jobs.merge_windows import RowTaker  # noqa: E402

MEMORY = 1 << 20


def numbers(order):
    return b"".join(place.to_bytes(4, "little") for place in order)


def gathered(taker, parts, order):
    return next(taker.in_order(parts, numbers(order), 0))


@pytest.mark.parametrize("seed", range(15))
def test_rows_of_every_type_are_those_that_pyarrow_takes(seed):
    """Parts begin and end within batches, and some of them have no nulls."""
    r = random.Random(seed)
    table, _ = random_tables.random_table(seed + 77, 300)
    batch = table.combine_chunks().to_batches()[0]
    cuts = sorted({0, 300, *(r.randrange(1, 300) for _ in range(r.choice([1, 4, 9])))})
    parts = [batch.slice(begin + 1, end - begin - 1) for begin, end in zip(cuts, cuts[1:]) if end - begin > 1]
    rows = [row for part in parts for row in part.to_pylist()]
    order = r.sample(range(len(rows)), len(rows))
    found = gathered(RowTaker(table.schema, MEMORY), parts, order)
    found.validate(full=True)
    assert found.schema.equals(table.schema, check_metadata=True)
    assert repr(found.to_pylist()) == repr([rows[place] for place in order])


def test_memory_is_used_again_while_batches_are_kept_whole():
    """A batch that is still there keeps its rows, whatever is made of the memory of those that are gone."""
    r = random.Random(1)
    schema = pa.schema({"n": pa.int64(), "text": pa.string(), "flag": pa.bool_(), "big": pa.large_binary(),
                        "day": pa.date32()})
    taker, kept = RowTaker(schema, 1 << 26), []
    for number in range(60):
        rows = r.randrange(1, 2000)
        columns = [[r.choice([None, row]) for row in range(rows)],
                   [r.choice([None, "", f"row {row}"]) for row in range(rows)],
                   [r.choice([None, True, False]) for _ in range(rows)], [b"x" * r.randrange(9) for _ in range(rows)],
                   [row + number for row in range(rows)]]
        batch = pa.record_batch([pa.array(column, kind) for column, kind in zip(columns, schema.types)], schema=schema)
        order = r.sample(range(rows), rows)
        made = gathered(taker, [batch.slice(0, rows // 2), batch.slice(rows // 2)], order)
        if number % 3 == 0:
            kept.append((made, batch.take(pa.array(order))))
        del made
    for made, expected in kept:
        made.validate(full=True)
        assert made.equals(expected)


@pytest.mark.parametrize("sources", range(1, 18))
def test_rows_are_merged_in_order_and_equal_ones_by_their_sources(sources):
    """Keys that differ in their first eight bytes, in the next ones, behind 16, and in their lengths."""
    r = random.Random(sources)
    texts = ["", "a", "a\0", "aaaaaaaa", "aaaaaaaab", "b" * 16, "b" * 16 + "a", "b" * 16 + "b", "b" * 15, "c"]
    schema = pa.schema({"key": pa.string()})
    encoder = KeyEncoder(schema, [("key", False, False)])
    parts = [sorted(r.choice(texts) for _ in range(r.randrange(1, 40))) for _ in range(sources)]
    keys = [encoder.encode(pa.record_batch([pa.array(part)], schema=schema)) for part in parts]
    order = memoryview(_native.merged_rows([(encoded, 0, len(encoded)) for encoded in keys])).cast("i").tolist()
    rows = [text for part in parts for text in part]
    assert order == sorted(range(len(rows)), key=lambda row: rows[row])


def test_no_rows_are_merged_into_none():
    assert _native.merged_rows([]) == b""


def test_columns_that_it_copies():
    schema = pa.schema({"a": pa.int8(), "b": pa.dictionary(pa.int8(), pa.string()), "c": pa.string(),
                        "d": pa.list_(pa.int8()),
                        "e": pa.timestamp("ns", "UTC"), "f": pa.bool_(), "g": pa.null(), "h": pa.string_view()})
    assert _native.RowGather.columns(schema.__arrow_c_schema__()) == [0, 2, 4, 5]
    nulls = pa.record_batch([pa.nulls(2, kind) for kind in schema.types], schema=schema)
    assert gathered(RowTaker(schema, MEMORY), [nulls, nulls], [3, 0, 1, 2]).to_pylist() == 2 * nulls.to_pylist()


@pytest.mark.parametrize("order", [[5], [-1]])
def test_rows_that_are_not_there_are_refused(order):
    batch = pa.record_batch({"a": [1, 2]})
    made = _native.RowGather(0)
    with pytest.raises(IndexError):
        made.gather([batch.__arrow_c_array__()], b"".join(place.to_bytes(4, "little", signed=True) for place in order))
