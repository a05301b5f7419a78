"""Tables of one short key: rows that stay in memory while their places are sorted, beside the same rows as records."""

import os

import pytest

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed (every test of this file)")

import random_tables  # noqa: E402

import sortie  # noqa: E402

pytestmark = pytest.mark.skipif("SORTIE_TEST_ENGINE" in os.environ, reason="an engine that is asked for gets records")


def reason_of(result):
    return result.report.engine_reason


def sorted_both_ways(data, by, **options):
    """(rows that stayed, rows that became records): who listens to progress gets the latter."""
    held = sortie.sort_table(data, by, **options)
    records = sortie.sort_table(data, by, progress=lambda *_: None, **options)
    rows = [pa.table(result) for result in (held, records)]
    assert "places" in reason_of(held) and "places" not in reason_of(records)
    return rows


SHORT_KEYS = [kind for kind in random_tables.KEYS if pa.types.is_primitive(kind) and not pa.types.is_boolean(kind)
              and kind.bit_width <= 64]


@pytest.mark.parametrize("falls", [False, True])
@pytest.mark.parametrize("kind", SHORT_KEYS, ids=str)
def test_places_and_records_come_in_the_same_order(kind, falls):
    r = random_tables.random.Random(f"held {kind} {falls}")
    table = pa.table({"key": random_tables.random_column(r, kind, 3000), "row": range(3000)})
    for nulls_first in (False, True):
        keys = [("key", falls, nulls_first)]
        for rows in sorted_both_ways(table, random_tables.words_of(keys)):
            random_tables.assert_sorted(rows, table, keys)


def wide_table(seed, rows):
    r = random_tables.random.Random(seed)
    kinds = [pa.bool_(), pa.string(), pa.large_binary(), pa.string_view(), pa.binary(5), pa.null(), pa.float64(),
             pa.decimal128(20, 3)]
    columns = {f"c{number}": random_tables.random_column(r, kind, rows) if kind != pa.null() else pa.nulls(rows)
               for number, kind in enumerate(kinds) if kind == pa.null() or kind in random_tables.CARRIED}
    return pa.table({"key": pa.array([r.randint(0, rows // 2) if r.random() < 0.9 else None for _ in range(rows)],
                                     pa.int32()), **columns})


@pytest.mark.parametrize("batch_rows", [1, 13, 1000, None])
def test_parts_of_batches_are_taken_and_given_at_any_offset(batch_rows):
    table = wide_table("offsets", 700)
    pieces = [table.slice(begin, count) for begin, count in [(0, 3), (3, 61), (64, 0), (64, 129), (193, 507)]]
    for rows in sorted_both_ways(pieces, "key", batch_rows=batch_rows):
        random_tables.assert_sorted(rows, table, [("key", False, False)])
        assert rows["key"].num_chunks == -(-700 // (batch_rows or 700))


def test_batches_outlive_the_sort_and_each_other():
    with sortie.Sorter(by="key", batch_rows=100) as sorter:
        sorter.push(pa.table({"key": range(999, -1, -1), "text": [f"text {999 - row}" for row in range(1000)]}))
        batches = [pa.record_batch(batch) for batch in sorter]
        assert "places" in sorter.report.engine_reason
    last = batches.pop()
    del batches, sorter
    assert last["key"].to_pylist() == list(range(900, 1000)) and last["text"][99].as_py() == "text 999"


def test_rows_that_become_too_many_to_stay_are_sorted_as_records(no_leftovers):
    table = wide_table("many", 20_000)
    result = sortie.sort_table((table.slice(begin, 500) for begin in range(0, 20_000, 500)), "key", memory="1MiB",
                               scratch=no_leftovers)
    rows = pa.table(result)
    assert "places" not in reason_of(result) and result.report.runs > 1
    random_tables.assert_sorted(rows, table, [("key", False, False)])


def test_long_values_are_moved_once_as_records():
    table = pa.table({"key": range(100, 0, -1), "text": ["x" * 4000] * 100})
    result = sortie.sort_table(table, "key")
    assert pa.table(result)["key"].to_pylist() == list(range(1, 101))
    assert "places" not in reason_of(result)


@pytest.mark.parametrize("options", [{"unique": True}, {"top": 5}])
def test_what_drops_rows_is_done_with_records(options):
    table = pa.table({"key": [3, 1, 3, 2] * 10, "row": range(40)})
    result = sortie.sort_table(table, "key", **options)
    assert pa.table(result)["key"].to_pylist() == ([1, 2, 3] if "unique" in options else [1] * 5)
    assert "places" not in reason_of(result)


def test_a_report_tells_of_rows_that_stayed():
    result = sortie.sort_table(pa.table({"key": [3, 1, 2]}), "key")
    assert pa.table(result)["key"].to_pylist() == [1, 2, 3]
    report = result.report
    assert (report.input_records, report.output_records, report.runs, report.verified) == (3, 3, 1, True)
    assert report.input_bytes == report.output_bytes > 0 and report.elapsed_seconds > 0


def test_options_without_sense_are_refused_where_rows_stay():
    with pytest.raises(sortie.Error, match="fan"):
        pa.table(sortie.sort_table(pa.table({"key": [1]}), "key", merge_fan_in=1))
