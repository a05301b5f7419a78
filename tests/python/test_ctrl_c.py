"""Ctrl-C ends whatever works within a second, as KeyboardInterrupt, and leaves nothing behind."""

import os
import signal
import subprocess
import sys
import time

import pytest

pytest.importorskip("pyarrow", reason="pyarrow is not installed (every test of this file)")

WORK = {
    "sort_files": """
with open(sys.argv[1], "wb") as file:
    file.write(os.urandom(64 << 20))
begin()
for _ in range(1000):
    sortie.sort_files(sys.argv[1], sys.argv[2], format="u64", memory="2MB", scratch=sys.argv[3])
""",
    "sort": """
import numpy as np
numbers = np.random.default_rng(1).integers(0, 2**62, 10_000_000)
begin()
for _ in range(1000):
    sortie.sort(numbers)
""",
    "argsort": """
import numpy as np
numbers = np.random.default_rng(1).integers(0, 2**62, 10_000_000)
begin()
for _ in range(1000):
    sortie.argsort(numbers)
""",
    "Sorter": """
records = os.urandom(8 << 20)
begin()
with sortie.Sorter(format="u64", memory="2MB", scratch=sys.argv[3]) as sorter:
    while True:
        sorter.push(records)
""",
    "sort_table": """
import pyarrow as pa
table = pa.table({"key": [i * 7919 % 1_000_003 for i in range(1_000_003)]})
begin()
for _ in range(1000):
    for batch in sortie.sort_table([table] * 20, "key", memory="2MB", scratch=sys.argv[3]):
        pass
""",
    "a stream that another library reads": """
import pyarrow as pa
table = pa.table({"key": [i * 7919 % 1_000_003 for i in range(1_000_003)]})
result = sortie.sort_table([table] * 20, "key", memory="2MB", scratch=sys.argv[3], batch_rows=100)
begin()
try:
    pa.table(result)
except OSError as error:
    # The library calls it an error of its own.
    assert str(error) == "KeyboardInterrupt"
    raise KeyboardInterrupt
""",
    "batches that a generator makes": """
import itertools
import pyarrow as pa
batch = pa.record_batch({"key": range(1000)})
reader = pa.RecordBatchReader.from_batches(batch.schema, itertools.repeat(batch))
begin()
sortie.sort_table(reader, "key", memory="2MB", scratch=sys.argv[3])
""",
    "a source that waits": """
os.mkfifo(sys.argv[1])
descriptor = os.open(sys.argv[1], os.O_RDWR)
begin()
sortie.sort_files(sys.argv[1], sys.argv[2], scratch=sys.argv[3])
""",
}

PROGRAM = """
import os, sys, time, sortie
def begin():
    print("begun", flush=True)
try:
%s
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@pytest.mark.parametrize("name", WORK)
def test_ctrl_c_ends_work_within_a_second(tmp_path, no_leftovers, name):
    program = PROGRAM % "\n".join("    " + line for line in WORK[name].strip().splitlines())
    (tmp_path / "out").write_text("old")
    with subprocess.Popen([sys.executable, "-c", program, tmp_path / "in", tmp_path / "out", no_leftovers],
                          stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "begun\n"
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        begin = time.monotonic()
        assert process.stdout.readline() == "interrupted\n"
        seconds = time.monotonic() - begin
        process.stdout.read()
        assert process.wait(10) == 0
    # Other tests share the processors.
    assert seconds < 1 + (2 if (os.cpu_count() or 1) < 4 else 0)
    assert set(os.listdir(tmp_path)) <= {"in", "out", "scratch"}


def test_the_interpreter_ends_without_waiting_for_a_slow_codec(tmp_path):
    program = """
import sys, time, pyarrow, pyarrow.parquet, sortie
from sortie.parquet import parquet_writer
def encode(*_):
    print("encoding", flush=True)
    time.sleep(60)
parquet_writer.encode_columns = encode
pyarrow.parquet.write_table(pyarrow.table({"key": [2, 1]}), sys.argv[1])
try:
    sortie.sort_parquet(sys.argv[1], sys.argv[2], by="key")
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""
    with subprocess.Popen([sys.executable, "-c", program, tmp_path / "in.parquet", tmp_path / "out.parquet"],
                          stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "encoding\n"
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        try:
            assert process.communicate(timeout=15)[0] == "interrupted\n"
        finally:
            process.kill()
    assert process.returncode == 0
    assert os.listdir(tmp_path) == ["in.parquet"]
