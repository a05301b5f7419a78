"""What logging.getLogger("sortie") hears, and that nobody else does."""

import logging
import types
import weakref

import numpy as np
import pytest

import sortie


@pytest.fixture
def lines(tmp_path):
    (tmp_path / "in").write_text("b\na\n")
    return tmp_path / "in"


def test_the_end_of_a_sort_and_its_phases_are_logged(lines, tmp_path, caplog):
    with caplog.at_level(logging.INFO, "sortie"):
        sortie.sort_files(lines, tmp_path / "out", engine="cpu")
    told = [record.getMessage() for record in caplog.records]
    assert len(told) == 1 and told[0].startswith("sort_files: 2 records, 4 bytes in ") and ", engine cpu" in told[0]
    caplog.clear()
    heard = []
    with caplog.at_level(logging.DEBUG, "sortie"):
        sortie.sort_files(lines, tmp_path / "out", engine="cpu", progress=lambda *news: heard.append(news))
    assert heard
    assert [record.getMessage() for record in caplog.records if record.levelno == logging.DEBUG] == [
        f"phase {phase}: {next(total for name, _, total in heard if name == phase) or 'of unknown size'} bytes"
        .replace("size bytes", "size") for phase in dict.fromkeys(name for name, _, _ in heard)]
    assert {record.name for record in caplog.records} == {"sortie"}


def test_sorts_of_arrays_are_logged(caplog):
    numbers = np.random.default_rng(1).integers(0, 99, 300_000)
    with caplog.at_level(logging.DEBUG, "sortie"):
        sortie.sort(numbers[::-1], engine="cpu")
        sortie.argsort(numbers, memory="1MB", engine="cpu")
    told = [record.getMessage() for record in caplog.records]
    assert told[0] == "sort: 300000 numbers of int64, engine cpu"
    assert told[-1].startswith("argsort: 300000 records, 4800000 bytes in ")


def test_orders_of_arrays_and_engines_that_are_not_used_are_logged(caplog):
    numbers = np.random.default_rng(1).integers(0, 99, 300_000)
    with caplog.at_level(logging.DEBUG, "sortie"):
        sortie.sort(numbers, engine="cpu")
        sortie.argsort(numbers)
        sortie.sort(np.array([2, 1], "i2"), engine="gpu")
        sortie.sort(np.array(["b", "a"], object), engine="gpu")
    assert [record.getMessage() for record in caplog.records] == [
        "sort: 300000 numbers of int64, engine cpu", "argsort: 300000 numbers of int64, engine cpu",
        "sort: the CPU took over: numbers of 8 and 16 bits are counted there",
        "sort: the CPU took over: texts of any length are sorted there"]


def test_joins_and_parquet_files_are_logged(lines, tmp_path, caplog):
    with caplog.at_level(logging.INFO, "sortie"):
        sortie.join_files(lines, lines, tmp_path / "out", keys="1,1")
        assert caplog.records[-1].getMessage().startswith("join_files: 2 records, ")
        pyarrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
        parquet.write_table(pyarrow.table({"a": [2, 1]}), tmp_path / "in.parquet")
        sortie.sort_parquet(tmp_path / "in.parquet", tmp_path / "out.parquet", by="a")
    assert caplog.records[-1].getMessage().startswith("sort_parquet: 2 records, ")


def logged_by(caplog, call):
    caplog.clear()
    with caplog.at_level(logging.INFO, "sortie"):
        call()
    return [record.getMessage() for record in caplog.records]


def test_the_end_of_a_sort_is_one_line(tmp_path, caplog):
    pyarrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    table = pyarrow.table({"a": [2, 1, 2]})
    parquet.write_table(table, tmp_path / "in.parquet")
    told = logged_by(caplog, lambda: sortie.sort_parquet(tmp_path / "in.parquet", tmp_path / "out.parquet", by="a"))
    assert len(told) == 1 and told[0].startswith("sort_parquet: 3 records, ") and ", engine " in told[0]

    def read_twice():
        result = sortie.sort_table(table, "a", unique=True)
        assert result.to_arrow().num_rows == result.to_arrow().num_rows == 2
    for call, function, records in (
            (read_twice, "sort_table", 2), (lambda: list(sortie.sort_table(table, "a")), "sort_table", 3),
            (lambda: pyarrow.table(sortie.sort_table(table, "a")), "sort_table", 3),
            (lambda: sortie.group_table(table, "a", "count").to_arrow(), "group_table", 3)):
        told, = logged_by(caplog, call)
        assert told.startswith(f"{function}: {records} records sorted and read in ") and told.endswith(" s")
    told = logged_by(caplog, lambda: sortie.join_tables(table, table, on="a").to_arrow())
    assert len(told) == 2 and all(line.startswith("join_tables: 3 records sorted and read in ") for line in told)
    assert logged_by(caplog, lambda: sortie.sort_table(table, "a").close()) == []


def test_the_end_of_a_stream_that_outlives_its_table_is_logged(caplog):
    pyarrow = pytest.importorskip("pyarrow")

    def read():
        result = sortie.sort_table(pyarrow.table({"a": [2, 1, 2]}), "a")
        gone = weakref.ref(result._rows)
        reader = pyarrow.RecordBatchReader.from_stream(result)
        del result
        assert gone() is None
        assert reader.read_all().num_rows == 3
    told, = logged_by(caplog, read)
    assert told.startswith("sort_table: all records sorted and read in ")


def test_the_end_of_a_sorter_is_logged_once(caplog):
    pyarrow = pytest.importorskip("pyarrow")
    for options, pushed in (({"by": "a"}, pyarrow.table({"a": [2, 1, 2]})), ({"format": "u64"}, bytes(24))):
        def use():
            with sortie.Sorter(**options) as sorter:
                sorter.push(pushed)
                while sorter.pull():
                    pass
                assert not sorter.pull()
        told, = logged_by(caplog, use)
        assert told.startswith("Sorter: 3 records, ") and ", engine " in told


def test_sorts_of_arrays_in_memory_are_no_news(caplog):
    numbers = np.random.default_rng(1).integers(0, 99, 300_000)
    assert logged_by(caplog, lambda: (sortie.sort(numbers), sortie.argsort(numbers), sortie.sort(numbers[:9]))) == []


def test_warnings_are_logged_and_told(tmp_path, caplog):
    (tmp_path / "in").write_text("b\na\n")
    told = []
    with caplog.at_level(logging.WARNING, "sortie"):
        sortie.sort_files([tmp_path / "in"], tmp_path / "out", merge_only=True, warn=told.append)
    assert told and [record.getMessage() for record in caplog.records] == told
    assert {record.levelno for record in caplog.records} == {logging.WARNING}


def test_a_gpu_that_failed_is_logged(caplog):
    from sortie import _logging

    report = types.SimpleNamespace(output_records=1, output_bytes=2, elapsed_seconds=3.0, engine="cpu",
                                   engine_reason="it was chosen", device_failure="device 0 is full")
    with caplog.at_level(logging.INFO, "sortie"):
        _logging.log_report("sort_files", report)
    assert [record.getMessage() for record in caplog.records] == [
        "sort_files: 1 records, 2 bytes in 3.000 s, engine cpu (it was chosen)",
        "sort_files: the CPU took over: device 0 is full"]


PROGRAM = """
import os, sys
{first}
import sortie
assert ("logging" in sys.modules) == {imported}
os.chdir(sys.argv[1])
open("in", "w").write("b\\na\\n")
sortie.sort_files("in", "out", merge_only=True, warn=lambda text: None)
assert ("logging" in sys.modules) == {imported}
"""


@pytest.mark.parametrize("first", ["", "import logging"])
def test_without_a_handler_nothing_is_printed(run_python, tmp_path, first):
    told = run_python(PROGRAM.format(first=first, imported=bool(first)), tmp_path)
    assert (told.returncode, told.stdout, told.stderr) == (0, "", "")


def test_a_handler_of_the_program_hears_it(run_python, tmp_path):
    told = run_python(PROGRAM.format(first="import logging; logging.basicConfig(level='INFO')", imported=True),
                      tmp_path)
    assert told.returncode == 0
    assert "WARNING:sortie:" in told.stderr and "INFO:sortie:sort_files: 2 records" in told.stderr
