"""The system takes a name to end at a NUL character: such names are refused by the argument, and no file is touched."""

import array
import os
import pathlib

import pytest

import sortie
import sortie.cluster

NUL = "a\0b.parquet"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    monkeypatch.chdir(tmp_path)
    pq.write_table(pa.table({"x": [2, 1]}), "d.parquet")
    (tmp_path / "a").write_text("mine\n")
    return tmp_path


def check_refused(folder, name, call):
    with pytest.raises(sortie.Error, match=f"{name}.* holds a NUL character"):
        call()
    assert sorted(os.listdir(folder)) == ["a", "d.parquet"] and (folder / "a").read_text() == "mine\n"


@pytest.mark.parametrize("name", ["inputs", "output", "stats_json", "trace", "report", "scratch"])
@pytest.mark.parametrize("spell", [str, os.fsencode])
def test_sorts_of_tables_in_files(folder, name, spell):
    options = {"inputs": "d.parquet", "output": "out.parquet", "by": "x", name: spell(NUL)}
    check_refused(folder, name, lambda: sortie.sort_parquet(**options))


@pytest.mark.parametrize("name", ["inputs", "output", "job", "scratch", "command", "trace", "entry_start"])
def test_clusters(folder, name):
    options = {"inputs": "a", "output": "out", "job": "job", name: NUL}
    check_refused(folder, name, lambda: sortie.cluster.sort_files(**options))


@pytest.mark.parametrize("name", ["inputs", "output", "stats_json", "trace", "report", "scratch"])
@pytest.mark.parametrize("spell", [str, os.fsencode, pathlib.Path])
def test_sorts_of_files(folder, name, spell):
    check_refused(folder, name, lambda: sortie.sort_files(**{"inputs": "a", "output": "out", name: spell(NUL)}))


@pytest.mark.parametrize("name, call", [
    ("left", lambda: sortie.join_files(NUL, "a", "out", keys="1")),
    ("right", lambda: sortie.join_files("a", NUL, "out", keys="1")),
    ("inputs", lambda: sortie.sort_files(["a", NUL], "out")),
    ("scratch", lambda: sortie.sort_files("a", "out", scratch=["a", NUL])),
    ("inputs", lambda: sortie.check_files(NUL)), ("inputs", lambda: sortie.plan_files([NUL])),
    ("manifest", lambda: sortie.sort_files("a", "out-{}", split=2, manifest=NUL)),
    ("scratch", lambda: sortie.Sorter(scratch=NUL)), ("scratch", lambda: sortie.Sorter(scratch=["a", NUL])),
    ("trace", lambda: sortie.Sorter(trace=NUL)), ("stats_json", lambda: sortie.Sorter(stats_json=NUL)),
    ("scratch", lambda: sortie.sort(array.array("i", [2, 1]), scratch=NUL)),
    ("scratch", lambda: sortie.argsort(array.array("i", [2, 1]), scratch=NUL)),
])
def test_all_others(folder, name, call):
    check_refused(folder, name, call)


def test_one_of_several_inputs(folder):
    check_refused(folder, "inputs", lambda: sortie.sort_parquet(["d.parquet", NUL], "out.parquet", by="x"))
    check_refused(folder, "inputs", lambda: sortie.cluster.sort_parquet(["d.parquet", NUL], "out.parquet", by="x",
                                                                        job="job"))


@pytest.mark.parametrize("function", [sortie.sort, sortie.argsort])
def test_nothing_is_no_array(function):
    with pytest.raises(TypeError, match="^array must be an array of NumPy, .*, not None$"):
        function(None)
