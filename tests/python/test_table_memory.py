"""What sorts of tables hold in memory: no more than they were given, 64 MiB, and the batches and row groups in
flight. CUDA would take some of its own. pyarrow allocates by jemalloc here, which gives back at once what is freed:
what its other allocator keeps differs by 30 MiB from run to run."""

import os

import pytest

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed (every test of this file)")


@pytest.fixture
def run_python(run_python):
    return lambda *arguments: run_python(*arguments, env={**os.environ, "ARROW_DEFAULT_MEMORY_POOL": "jemalloc"})


BEGIN = """
import sys
import pyarrow as pa, pyarrow.parquet as pq, sortie, sortie.jobs.sort_parquet
assert pa.default_memory_pool().backend_name == "jemalloc"

def status(name):
    return next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith(name)) / 1024

def batches(count):
    for batch in range(count):
        keys = [(batch * 10_000 + i) * 7919 % 1_000_003 for i in range(10_000)]
        yield pa.record_batch({"key": keys, "text": [f"{key:100}" for key in keys]})
next(batches(1))
"""

TABLE = BEGIN + """
before = status("VmRSS")
rows = 0
for batch in sortie.sort_table(batches(200), "key", memory=sys.argv[1], scratch=sys.argv[2], threads=2,
                               batch_rows=10_000, engine="cpu"):
    rows += len(batch)
assert rows == 2_000_000
print(status("VmHWM") - before)
"""

SORT = """
output = sys.argv[3] + ".out." + sys.argv[5]
# The first sort loads what pyarrow loads late.
sortie.sort_parquet(sys.argv[3], output, by="key", top=1, scratch=sys.argv[2], memory="1MB", engine="cpu")
pa.default_memory_pool().release_unused()
before = status("VmRSS")
open("/proc/self/clear_refs", "w").write("5")
sortie.sort_parquet(sys.argv[3], output, by="key", memory=sys.argv[1], scratch=sys.argv[2], threads=2,
                    row_group_rows=int(sys.argv[4]) or None, engine="cpu")
print(status("VmHWM") - before)
"""

NARROW = BEGIN + """
with pq.ParquetWriter(sys.argv[3], next(batches(1)).schema, compression="zstd") as writer:
    for batch in batches(200):
        writer.write_batch(batch)
""" + SORT

CSV = BEGIN + """
import pyarrow.csv
with pyarrow.csv.CSVWriter(sys.argv[3], next(batches(1)).schema) as writer:
    for batch in batches(150):
        writer.write_batch(batch)
""" + SORT

# Strings of 2000 characters, of which the footer tells nothing: they are words of a small dictionary.
WIDE = BEGIN + """
words = [f"{i:2000}" for i in range(10)]
table = pa.table({"key": range(200_000), "text": [words[i % 10] for i in range(200_000)]})
pq.write_table(table, sys.argv[3])
del table
""" + SORT


def test_wide_rows_are_read_in_small_batches(run_python, no_leftovers, tmp_path):
    told = run_python(WIDE, "16MiB", no_leftovers, tmp_path / "in.parquet", 5_000, "parquet")
    assert told.returncode == 0, told.stderr
    # Row groups of 10 MB.
    assert float(told.stdout) < 16 + 64 + 30 + 16


# Rows of 1 MB, of which 65536 would be a batch.
LONG_ROWS = BEGIN + """
def long_rows():
    for key in range(150):
        yield pa.record_batch({"key": [key * 7919 % 1009], "text": [f"{key:1000000}"]})
sorter = sortie.Sorter(by="key", memory=sys.argv[1], scratch=sys.argv[2], threads=2, engine="cpu")
before = status("VmRSS")
rows = 0
for batch in long_rows():
    sorter.push(batch)
for batch in sorter:
    rows += len(batch)
assert rows == 150
print(status("VmHWM") - before)
"""


def test_long_rows_come_in_short_batches(run_python, no_leftovers):
    told = run_python(LONG_ROWS, "16MiB", no_leftovers)
    assert told.returncode == 0, told.stderr
    assert float(told.stdout) < 16 + 64


# 232 MB of rows.
@pytest.mark.parametrize("memory_mib", [8, 32])
def test_a_table_is_sorted_within_its_memory(run_python, no_leftovers, memory_mib):
    told = run_python(TABLE, f"{memory_mib}MiB", no_leftovers)
    assert told.returncode == 0, told.stderr
    assert float(told.stdout) < memory_mib + 64


@pytest.mark.parametrize("memory_mib", [8, 32])
def test_parquet_is_sorted_within_its_memory_and_the_row_groups(run_python, no_leftovers, tmp_path, memory_mib):
    told = run_python(NARROW, f"{memory_mib}MiB", no_leftovers, tmp_path / "in.parquet", 50_000, "parquet")
    assert told.returncode == 0, told.stderr
    # Some batches of 4 MiB while files are read; two row groups of 5.6 MB, and what one is encoded to, later.
    assert float(told.stdout) < memory_mib + 64 + 20


# 166 MB of text, of which pyarrow's reader would hold 140 MB in blocks of 4 MiB, and two readers 280 MB.
@pytest.mark.parametrize("rows, suffix, held_mib", [(0, "csv", 100), (50_000, "parquet", 70)])
def test_csv_is_sorted_within_its_memory_and_the_blocks(run_python, no_leftovers, tmp_path, rows, suffix, held_mib):
    told = run_python(CSV, "16MiB", no_leftovers, tmp_path / "in.csv", rows, suffix)
    assert told.returncode == 0, told.stderr
    assert float(told.stdout) < 16 + 64 + held_mib


# Lists of objects with a place for each of 2000 names: 45 kB of text, 48 MB of columns, of which records hold little.
JSON = BEGIN + """
import json
with open(sys.argv[3], "w") as file:
    for row in range(60):
        line = {"key": row * 7919 % 1009, "list": [{f"n{(row * 50 + i) % 2000}": i} for i in range(50)]}
        file.write(json.dumps(line) + "\\n")
""" + SORT


def test_lists_of_objects_are_sorted_within_the_memory(run_python, no_leftovers, tmp_path):
    told = run_python(JSON, "16MiB", no_leftovers, tmp_path / "in.jsonl", 0, "jsonl")
    assert told.returncode == 0, told.stderr
    # As one batch the rows would become 75 MB of text, and take 420 MiB while they do.
    assert float(told.stdout) < 16 + 64 + 80


# 116 MB of rows: of each key one, or all of one key; or each side of a join.
GROUPS_AND_JOINS = BEGIN + """
def some(count, key):
    return (pa.record_batch({"key": [number if key is None else key for number in batch["key"].to_pylist()], "text": batch["text"]})
            for batch in batches(count))
asked = ["count", ("text", "max"), ("text", "first")]
pair = pa.table({"key": [1, 1], "v": [1, 2]})
work = {"groups": lambda count, **means: sortie.group_table(some(count, None), "key", asked, **means),
        "one group": lambda count, **means: sortie.group_table(some(count, 1), "key", asked, **means),
        "join": lambda count, **means: sortie.join_tables(some(count // 2, None), some(count // 2, None), "key", **means),
        "many on the left": lambda count, **means: sortie.join_tables(some(count, 1), pair, "key", **means),
        "many on the right": lambda count, **means: sortie.join_tables(pair, some(count, 1), "key", **means)}[sys.argv[3]]
means = dict(scratch=sys.argv[2], threads=2, engine="cpu", memory=sys.argv[1])
for batch in work(2, **means):  # loads what pyarrow loads late
    pass
del batch
pa.default_memory_pool().release_unused()
before, peak = status("RssAnon"), 0
for batch in work(100, **means):
    peak = max(peak, status("RssAnon"))
print(peak - before)
"""


# What is mapped from a file that holds rows of one key does not count: the system takes it back when it needs memory.
@pytest.mark.parametrize("work", ["groups", "one group", "join", "many on the left", "many on the right"])
def test_groups_and_joins_keep_to_their_memory(run_python, no_leftovers, work):
    told = run_python(GROUPS_AND_JOINS, "16MiB", no_leftovers, work)
    assert told.returncode == 0, told.stderr
    # pyarrow copies columns of a batch of 4 MiB some times, and its allocator keeps that.
    assert float(told.stdout) < 16 + 64 + 24
