"""sort_table() and Sorter(by=...) against Python's own stable sort, on pyarrow's tables of every type."""

import gc
import resource
import threading
import weakref

import pytest

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed (every test of this file)")

import random_tables  # noqa: E402

import sortie  # noqa: E402


def assert_sorted(result, table, keys):
    result.validate(full=True)
    assert result.schema.equals(table.schema, check_metadata=True)
    # repr() tells NaNs and zeros apart as the total order does.
    assert repr(result.to_pylist()) == repr(random_tables.expected_rows(table, keys))


@pytest.mark.parametrize("falls", [False, True])
@pytest.mark.parametrize("nulls_first", [False, True])
@pytest.mark.parametrize("kind", random_tables.KEYS, ids=str)
def test_keys_of_every_type_order_stably(kind, falls, nulls_first):
    r = random_tables.random.Random(f"{kind} {falls}")
    table = pa.table({"key": random_tables.random_column(r, kind, 1000), "row": range(1000)})
    keys = [("key", falls, nulls_first)]
    assert_sorted(pa.table(sortie.sort_table(table, random_tables.words_of(keys))), table, keys)


@pytest.mark.parametrize("kind", random_tables.CARRIED, ids=str)
def test_columns_of_every_type_are_carried(kind):
    r = random_tables.random.Random(str(kind))
    table = pa.table({"key": [r.randint(0, 50) for _ in range(1000)], "carried": random_tables.random_column(r, kind, 1000)})
    assert_sorted(pa.table(sortie.sort_table(table, "key")), table, [("key", False, False)])


def test_run_ends_and_unions_are_carried():
    runs = pa.RunEndEncodedArray.from_arrays(pa.array([3, 4, 9], "int32"), ["a", None, "b"])
    kinds, values = pa.array([0, 1] * 4 + [0], "int8"), [pa.array(range(9)), pa.array("abcdefghi")]
    sparse = pa.UnionArray.from_sparse(kinds, values)
    dense = pa.UnionArray.from_dense(kinds, pa.array([0, 0, 1, 1, 2, 2, 3, 3, 4], "int32"), values)
    table = pa.table({"key": [5, 1, 9, 3, 1, 0, 5, 5, 2], "runs": runs, "sparse": sparse, "dense": dense})
    assert_sorted(pa.table(sortie.sort_table(table, "key")), table, [("key", False, False)])


@pytest.mark.parametrize("seed", range(60))
def test_random_tables_order_as_python_orders_them(seed, no_leftovers):
    count = [0, 1, 2, 500, 3000][seed % 5]
    table, keys = random_tables.random_table(seed, count)
    options = {"memory": "256KiB"} if seed % 2 else {}
    result = sortie.sort_table(table, random_tables.words_of(keys), batch_rows=[1, 100, 65536][seed % 3],
                               scratch=no_leftovers, threads=1 + seed % 3, **options)
    assert_sorted(pa.table(result), table, keys)


def test_a_key_is_a_name_a_pair_three_words_or_a_list_of_these():
    table = pa.table({"a": [1, None, 2], "b": [1, 1, 1]})
    for by, place, expected in [
            ("a", "at_end", [1, 2, None]), ("a", "at_start", [None, 1, 2]), (["a"], "at_end", [1, 2, None]),
            (("a", "descending"), "at_end", [2, 1, None]), ([("a", "descending")], "at_start", [None, 2, 1]),
            (("a", "descending", "at_start"), "at_end", [None, 2, 1]), (["b", ("a", "ascending")], "at_end", [1, 2, None]),
            (iter(["b", "a"]), "at_end", [1, 2, None])]:
        assert pa.table(sortie.sort_table(table, by, null_placement=place))["a"].to_pylist() == expected


@pytest.mark.parametrize("by, error, message", [
    ("q", sortie.Error, "no such column"), (["a", "q"], sortie.Error, "no such column"),
    (5, TypeError, "by is made of names and of pairs"), ([5], TypeError, "by is made of names"),
    ([("a",)], TypeError, "by is made of names"), ([("a", "up")], ValueError, "the direction of 'a' must be 'ascending' or"),
    ([("a", "ascending", "last")], ValueError, "nulls of 'a' must be 'at_start' or 'at_end', not 'last'"),
    ([], ValueError, "by is empty"), ("nested", sortie.Error, "nested.*list<"),
])
def test_keys_that_cannot_be_are_refused_by_name(by, error, message):
    table = pa.table({"a": [1], "nested": [[1]]})
    with pytest.raises(error, match=message):
        sortie.sort_table(table, by)


@pytest.mark.parametrize("options, error, message", [
    ({"keys": "1"}, TypeError, r"sort_table\(\) has no argument 'keys'"),
    ({"memmory": 1}, TypeError, "no argument 'memmory'"),
    ({"checkpoint": "x"}, TypeError, "no argument 'checkpoint'"),
    ({"batch_rows": 0}, sortie.Error, "give 1 or more"), ({"batch_rows": "1"}, TypeError, "batch_rows must be an int"),
    ({"null_placement": "first"}, ValueError, "null_placement must be 'at_start' or 'at_end'"),
    ({"memory": 3}, sortie.Error, "too small"), ({"keep_last": True}, sortie.Error, "equal keys"),
    ({"progress": 3}, TypeError, "progress must be"),
])
def test_options_that_cannot_be_are_refused(options, error, message):
    with pytest.raises(error, match=message):
        sortie.sort_table(pa.table({"a": [1]}), "a", **options)


@pytest.mark.parametrize("data, message", [
    (5, "data must be a table of a library.*not int, or an iterable"), ("abc", "not str"), ({"a": [1]}, "not dict"),
    ([5], "item 0 of data must be a table"), (pa.chunked_array([[1]]), "data is a column"), (pa.array([1]), "data is a column"),
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
    for other, message in [(pa.table({"a": [1], "b": [1]}), "b.*int64|int64.*b"), (pa.table({"a": [1], "c": ["x"]}), "c"),
                           (pa.table({"a": [1]}), "column")]:
        with pytest.raises(sortie.Error, match=message):
            sortie.sort_table([first, other], "a")


def test_what_the_iterable_raises_comes_out_unchanged(no_leftovers):
    error = LookupError("enough")

    def batches():
        for _ in range(50):
            yield pa.table({"a": list(range(10_000))})
        raise error
    with pytest.raises(LookupError) as raised:
        sortie.sort_table(batches(), "a", memory="256KiB", scratch=no_leftovers)
    assert raised.value is error


def test_what_a_stream_says_when_it_fails_is_told():
    def batches():
        yield pa.record_batch({"a": [1]})
        raise LookupError("the well is dry")
    reader = pa.RecordBatchReader.from_batches(pa.schema({"a": "int64"}), batches())
    with pytest.raises(sortie.Error, match="the stream of rows failed: .*the well is dry"):
        sortie.sort_table(reader, "a")


def test_a_stream_is_read_on_the_thread_that_called():
    threads = []

    def batches():
        for i in range(3):
            threads.append(threading.get_ident())
            yield pa.record_batch({"a": [i]})
    reader = pa.RecordBatchReader.from_batches(pa.schema({"a": "int64"}), batches())
    assert pa.table(sortie.sort_table(reader, "a")).num_rows == 3
    assert set(threads) == {threading.get_ident()}


def test_unique_top_and_the_last_of_equal_rows():
    table = pa.table({"a": [2, 1, 2, 1], "row": range(4)})
    assert pa.table(sortie.sort_table(table, "a", unique=True))["row"].to_pylist() == [1, 0]
    assert pa.table(sortie.sort_table(table, "a", unique=True, keep_last=True))["row"].to_pylist() == [3, 2]
    assert pa.table(sortie.sort_table(table, "a", top=3))["row"].to_pylist() == [1, 3, 0]


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


def test_rows_are_read_once_by_one_reader():
    result = sortie.sort_table(pa.table({"a": range(1000)}), "a", batch_rows=10)
    first, second = pa.RecordBatchReader.from_stream(result), pa.RecordBatchReader.from_stream(result)
    assert pa.schema(result) == first.schema == second.schema
    assert first.read_next_batch().num_rows == 10
    with pytest.raises(OSError, match="another reader has begun"):
        second.read_next_batch()
    with pytest.raises(sortie.Error, match="another reader has begun"):
        next(result)
    assert first.read_all().num_rows == 990
    assert result.report.output_records == 1000


def test_a_requested_schema_is_taken_but_not_followed():
    table = pa.table({"a": [2, 1]})
    wanted = pa.schema({"a": "int32"}).__arrow_c_schema__()
    capsule = sortie.sort_table(table, "a").__arrow_c_stream__(wanted)
    assert "arrow_array_stream" in repr(capsule)
    batch = next(sortie.sort_table(table, "a"))
    assert len(batch.__arrow_c_array__(wanted)) == 2
    with pytest.raises(ValueError, match="requested schema has 2 columns, and the sorted table 1"):
        batch.__arrow_c_array__(pa.schema({"a": "int32", "b": "int32"}).__arrow_c_schema__())
    with pytest.raises(TypeError, match="arrow_schema"):
        batch.__arrow_c_array__(5)


def test_a_capsule_is_consumed():
    table = pa.table({"a": [2, 1]})

    class Once:
        capsule = table.__arrow_c_stream__()

        def __arrow_c_stream__(self, requested_schema=None):
            return self.capsule
    once = Once()
    sortie.sort_table(once, "a")
    with pytest.raises(ValueError, match="has been read already"):
        sortie.sort_table(once, "a")


def test_a_sorter_takes_batches_and_gives_them_sorted(no_leftovers):
    with sortie.Sorter(by=["key", ("row", "descending")], memory="256KiB", scratch=no_leftovers, batch_rows=5000) as sorter:
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


def test_progress_is_told_and_a_bar_ends(monkeypatch):
    told = []
    table = pa.table({"a": range(100_000)})
    pa.table(sortie.sort_table(table, "a", progress=lambda *news: told.append(news[0]), memory="256KiB"))
    assert "forming runs" in told and "merging" in told


def test_what_progress_raises_ends_a_sort(no_leftovers):
    def refuse(*_):
        raise LookupError("enough")
    with pytest.raises(LookupError, match="enough"):
        sortie.sort_table(pa.table({"a": range(100_000)}), "a", progress=refuse, scratch=no_leftovers, memory="256KiB")


def test_a_sorted_table_is_data_for_another_sort():
    table = pa.table({"a": range(10_000), "b": [i * 7919 % 10_007 for i in range(10_000)]})
    by_b = sortie.sort_table(table, "b")
    assert pa.table(sortie.sort_table(by_b, "a")).equals(table)


def test_sorts_leave_no_memory_behind(no_leftovers):
    table = pa.table({"a": range(200_000), "s": [str(i) for i in range(200_000)], "l": [[i] for i in range(200_000)]})

    def sort_in_all_ways():
        pa.table(sortie.sort_table(table, ("a", "descending"), memory="4MB", scratch=no_leftovers))
        next(sortie.sort_table(table.to_batches(), "s", batch_rows=1000))
        with pytest.raises(sortie.Error):
            sortie.sort_table([table, pa.table({"a": [1]})], "a")
        stream = sortie.sort_table(table, "s").__arrow_c_stream__()
        del stream
        gc.collect()
    arrow_bytes = pa.total_allocated_bytes()
    for _ in range(3):
        sort_in_all_ways()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(20):
        sort_in_all_ways()
    assert pa.total_allocated_bytes() == arrow_bytes
    # 20 times the table is 200 MB.
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 50_000


def test_sorts_run_in_several_threads():
    tables = [random_tables.random_table(seed, 5000) for seed in range(4)]
    results = [None] * 4

    def work(i):
        results[i] = pa.table(sortie.sort_table(tables[i][0], random_tables.words_of(tables[i][1]), memory="256KiB"))
    threads = [threading.Thread(target=work, args=[i]) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for result, (table, keys) in zip(results, tables):
        assert_sorted(result, table, keys)


def test_a_sort_that_is_left_at_the_exit_does_no_harm(run_python):
    told = run_python("""
import pyarrow as pa, sortie
table = pa.table({"a": range(1_000_000)})
result = sortie.sort_table(table, "a", memory="1MB")
next(result)
stream = pa.RecordBatchReader.from_stream(sortie.sort_table(table, "a", memory="1MB"))
stream.read_next_batch()
capsule = sortie.sort_table(table, "a", memory="1MB").__arrow_c_stream__()
""")
    assert (told.returncode, told.stdout, told.stderr) == (0, "", "")


def test_a_forked_child_lets_a_sort_alone(run_python):
    told = run_python("""
import os, pyarrow as pa, sortie
result = sortie.sort_table(pa.table({"a": range(1_000_000)}), "a", memory="1MB")
next(result)
child = os.fork()
if child == 0:
    try:
        next(result)
    except sortie.Error:
        result.close()
        os._exit(7)
    os._exit(1)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
result.close()
""")
    assert told.returncode == 0, told.stderr


def test_a_sort_that_its_listener_refers_to_is_freed():
    class Listener:
        def hear(self, *news):
            pass
    listener = Listener()
    listener.result = sortie.sort_table(pa.table({"a": [1]}), "a", progress=listener.hear)
    gone = weakref.ref(listener)
    del listener
    gc.collect()
    assert gone() is None
