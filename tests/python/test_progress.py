"""Whoever watches a sort is told the end of each phase, and at last that all is done."""

import pytest

import sortie


@pytest.fixture
def told():
    return []


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "lines.csv"
    path.write_text("".join(f"{i * 7919 % 1000},x\n" for i in range(1000)))
    return path


def watching(told, path):
    out = path.parent / "out"
    options = {"progress": lambda *news: told.append(news)}

    def sort_records():
        with sortie.Sorter(**options) as sorter:
            sorter.push(path.read_bytes())
            assert b"".join(sorter)
    return {
        "sort_files": lambda: sortie.sort_files(path, out, **options),
        "with runs": lambda: sortie.sort_files([path] * 300, out, memory="1MB", **options),
        "merge_only": lambda: sortie.sort_files(out, path, merge_only=True, **options),
        "top": lambda: sortie.sort_files(path, out, top=3, **options),
        "check_files": lambda: sortie.check_files(path, **options),
        "join_files": lambda: sortie.join_files(path, path, out, keys="1,1", separator=",", **options),
        "Sorter": sort_records,
    }


def assert_ends_at_100_percent(told):
    for (phase, done, total), (following, _, _) in zip(told, [*told[1:], (None, 0, 0)]):
        if phase != following:
            assert done == total, (phase, done, total)
    assert told[-1][1] == told[-1][2] > 0


@pytest.mark.parametrize("name", watching([], __import__("pathlib").Path("/")))
def test_phases_end_at_100_percent(told, path, name):
    if name == "merge_only":
        sortie.sort_files(path, path.parent / "out")
    watching(told, path)[name]()
    assert_ends_at_100_percent(told)


def test_tables_and_arrays_end_at_100_percent(told, tmp_path):
    pa, np = pytest.importorskip("pyarrow"), pytest.importorskip("numpy")
    import pyarrow.parquet as pq
    table = pa.table({"a": [3, 1, 2]})
    pq.write_table(table, tmp_path / "in.parquet")
    options = {"progress": lambda *news: told.append(news)}
    for call in (lambda: pa.table(sortie.sort_table(table, "a", **options)),
                 lambda: sortie.sort_parquet(tmp_path / "in.parquet", tmp_path / "out.parquet", by="a", **options),
                 lambda: sortie.sort(np.array([3, 1, 2]), memory="1MB", **options)):
        told.clear()
        call()
        assert_ends_at_100_percent(told)


def test_a_sort_that_fails_does_not_come_to_its_end(told, path, tmp_path):
    with pytest.raises(sortie.Error):
        sortie.sort_files([path, tmp_path / "folder" / "no"], tmp_path / "out",
                          progress=lambda *news: told.append(news))
    assert not told or told[-1][1] < max(told[-1][2], 1)


def merged(tmp_path, **options):
    pa = pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq
    for number in range(3):
        pq.write_table(pa.table({"a": range(number, 3000, 3)}), tmp_path / f"{number}.parquet")
    return sortie.sort_parquet(tmp_path / "*.parquet", tmp_path / "out.parquet", by="a", merge=True, **options)


def test_a_merge_of_tables_is_watched(told, tmp_path):
    assert merged(tmp_path, progress=lambda *news: told.append(news)).num_rows == 3000
    assert {phase for phase, _, _ in told} == {"merging"} and told[0][1:] == (0, 0)
    assert [done for _, done, _ in told] == sorted(done for _, done, _ in told)
    assert_ends_at_100_percent(told)


def test_a_merge_draws_a_line_where_there_is_no_tqdm(tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(__import__("sys").modules, "tqdm", None)
    merged(tmp_path, progress=True)
    shown = capsys.readouterr().err
    assert "\rmerging: " in shown and shown.endswith("\r" + " " * 60 + "\r")


def test_a_listener_that_fails_ends_a_merge_and_leaves_the_output(tmp_path):
    (tmp_path / "out.parquet").write_text("old")

    def fail(*news):
        raise KeyError("mine")
    pa = pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq
    pq.write_table(pa.table({"a": [1, 2]}), tmp_path / "in.parquet")
    with pytest.raises(KeyError, match="mine"):
        sortie.sort_parquet(tmp_path / "in.parquet", tmp_path / "out.parquet", by="a", merge=True, progress=fail)
    assert (tmp_path / "out.parquet").read_text() == "old"
