"""Streams of rows in and out of a sort: who reads them, what fails, and what is left of a sort."""

import gc
import resource
import threading
import weakref

import pytest

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed (every test of this file)")

import random_tables  # noqa: E402

import sortie  # noqa: E402


def test_what_the_iterable_raises_comes_out_unchanged(no_leftovers):
    error = LookupError("enough")

    def batches():
        for _ in range(50):
            yield pa.table({"a": list(range(10_000))})
        raise error
    with pytest.raises(LookupError) as raised:
        sortie.sort_table(batches(), "a", memory="256KiB", scratch=no_leftovers)
    assert raised.value is error


def test_a_stream_is_read_by_the_thread_that_calls():
    threads = set()

    def batches():
        for start in (2, 0):
            threads.add(threading.get_ident())
            yield pa.record_batch({"a": [start + 1, start]})
    reader = pa.RecordBatchReader.from_batches(pa.schema({"a": "int64"}), batches())
    assert pa.table(sortie.sort_table(reader, "a"))["a"].to_pylist() == [0, 1, 2, 3]
    assert threads == {threading.get_ident()}


def test_what_a_stream_says_when_it_fails_is_told():
    def batches():
        yield pa.record_batch({"a": [1]})
        raise LookupError("the well is dry")
    reader = pa.RecordBatchReader.from_batches(pa.schema({"a": "int64"}), batches())
    with pytest.raises(sortie.Error, match="the stream of rows failed: .*the well is dry"):
        sortie.sort_table(reader, "a")


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
    two = next(sortie.sort_table(table.append_column("b", table["a"]), "a"))
    with pytest.raises(ValueError, match="requested schema has 1 column, and the sorted table 2"):
        two.__arrow_c_array__(pa.schema({"a": "int32"}).__arrow_c_schema__())
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


def test_progress_is_told_and_a_bar_ends(monkeypatch):
    told = []
    table = pa.table({"a": range(100_000)})
    pa.table(sortie.sort_table(table, "a", progress=lambda *news: told.append(news[0]), memory="256KiB",
                             engine="cpu"))
    assert "forming runs" in told and "merging" in told


def test_what_progress_raises_ends_a_sort(no_leftovers):
    def refuse(*_):
        raise LookupError("enough")
    with pytest.raises(LookupError, match="enough"):
        sortie.sort_table(pa.table({"a": range(100_000)}), "a", progress=refuse, scratch=no_leftovers, memory="256KiB")


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
    # The tables are 800 MB. With many threads, and with CUDA, malloc() takes some more while it fills its arenas.
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200_000


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
        random_tables.assert_sorted(result, table, keys)


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
