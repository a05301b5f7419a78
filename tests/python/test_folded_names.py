"""Names that a file system takes for the same: a file is not written over another one whose name differs in case, or in
how an accent is written. The file system is one of this machine that is asked in other words."""

import os

import pytest

import sortie
import sortie.cluster
from sortie import _same_paths

WIDE, APART = "caf\u00e9", "CAFE\u0301"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    def lexists(path):
        where, name = os.path.split(os.fsdecode(path))
        return any(_same_paths.folded(name) == _same_paths.folded(other) for other in os.listdir(where or "."))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in").write_text("b\na\n")
    monkeypatch.setattr(_same_paths.os.path, "lexists", lexists)
    return tmp_path


@pytest.mark.parametrize("options, what", [
    ({"output": WIDE, "trace": APART}, "the output"), ({"output": "out", "trace": "IN"}, "an input"),
    ({"output": WIDE + "-{:02d}", "trace": APART + "-01", "ranges": 2}, "a part of the output"),
    ({"output": "part-{}", "trace": "Manifest.JSON", "ranges": 2}, "a part of the output")])
def test_a_trace_of_a_cluster_is_not_the_output(folder, options, what):
    with pytest.raises(sortie.Error, match=f", which is also {what}: name another file$"):
        sortie.cluster.sort_files("in", job="job", **options)
    assert os.listdir(folder) == ["in"]


@pytest.mark.parametrize("options", [{"stats_json": APART + ".parquet"}, {"trace": "IN.Parquet"}])
def test_a_report_of_a_table_is_not_the_output(folder, options):
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    pq.write_table(pa.table({"x": [2, 1]}), "in.parquet")
    [name] = options
    with pytest.raises(sortie.Error, match=f"^{name} is also an input or the output"):
        sortie.sort_parquet("in.parquet", WIDE + ".parquet", by="x", **options)
    assert sorted(os.listdir(folder)) == ["in", "in.parquet"]


def test_names_that_differ_are_two_files_elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in").write_text("b\na\n")
    sortie.cluster.sort_files("in", output="out", trace="OUT", job="job")
    assert (tmp_path / "out").read_text() == "a\nb\n" and "traceEvents" in (tmp_path / "OUT").read_text()
