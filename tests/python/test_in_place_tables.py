"""sort_parquet_in_place(): files that are in order stay as they are, and the others are sorted."""

import os
import subprocess

import pytest

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed (every test of this file)")
import pyarrow.parquet as pq  # noqa: E402
import random_tables  # noqa: E402
from table_files import COMMAND, read, shuffled, write  # noqa: E402

import sortie  # noqa: E402


@pytest.fixture
def paths(tmp_path):
    """Files that are out of order, but for the one in the middle."""
    made = [tmp_path / f"{name}.parquet" for name in "abc"]
    for number, path in enumerate(made):
        table = shuffled(500, number)
        pq.write_table(table.sort_by("key") if number == 1 else table, path, row_group_size=150)
        os.utime(path, ns=(10**18, 10**18))
    return made


def was_left_alone(path):
    return os.stat(path).st_mtime_ns == 10**18


def test_only_files_out_of_order_are_written(paths):
    told = sortie.sort_parquet_in_place(paths, by="key", row_group_rows=100)
    assert told.sorted == [str(paths[0]), str(paths[2])] and told.left_alone == [str(paths[1])]
    assert [report.output_records for report in told.reports] == [500, 500]
    assert list(map(was_left_alone, paths)) == [False, True, False]
    for number, path in enumerate(paths):
        expected = sorted(shuffled(500, number).to_pylist(), key=lambda row: row["key"])
        assert sorted(map(repr, read(path).to_pylist())) == sorted(map(repr, expected))
        assert read(path)["key"].to_pylist() == [row["key"] for row in expected]
    assert sorted(os.listdir(paths[0].parent)) == ["a.parquet", "b.parquet", "c.parquet"]


def test_a_second_time_nothing_is_written(paths):
    sortie.sort_parquet_in_place(paths, by=["kind", ("key", "descending")])
    for path in paths:
        os.utime(path, ns=(10**18, 10**18))
    told = sortie.sort_parquet_in_place(paths, by=["kind", ("key", "descending")])
    assert told.sorted == [] and len(told.left_alone) == 3
    assert all(map(was_left_alone, paths))
    assert repr(told) == "<sortie.InPlaceReport: 0 files sorted, 3 left alone>"


@pytest.mark.parametrize("seed", range(10))
def test_order_is_that_of_the_sort_for_keys_of_every_type(tmp_path, seed):
    table, keys = random_tables.random_table(seed + 900, 200)
    path = tmp_path / "in.arrow"
    kinds = [table.schema.field(name).type for name, *_ in keys]
    write(table, path)
    told = sortie.sort_parquet_in_place(path, by=random_tables.words_of(keys))
    is_in_order = repr(random_tables.expected_rows(table, keys)) == repr(table.to_pylist())
    assert told.left_alone == ([str(path)] if is_in_order else []), kinds
    assert repr(read(path).to_pylist()) == repr(random_tables.expected_rows(table, keys))
    assert sortie.sort_parquet_in_place(path, by=random_tables.words_of(keys)).sorted == []


def test_words_for_nulls_and_directions_reach_the_sort(tmp_path):
    pq.write_table(pa.table({"n": [None, 3, 1]}), tmp_path / "in.parquet")
    assert sortie.sort_parquet_in_place(tmp_path / "in.parquet", by=0, descending=True, nulls="first").sorted == []
    assert sortie.sort_parquet_in_place(tmp_path / "in.parquet", by=["n"], nulls_last=True).sorted != []
    assert read(tmp_path / "in.parquet")["n"].to_pylist() == [1, 3, None]


def test_csv_is_checked_by_its_numbers(tmp_path):
    (tmp_path / "in.csv").write_text("n,word\n9,a\n10,b\n")
    (tmp_path / "out.csv").write_text("n,word\n10,007\n9,NA\n")
    told = sortie.sort_parquet_in_place([tmp_path / "in.csv", tmp_path / "out.csv"], by="n")
    assert told.sorted == [str(tmp_path / "out.csv")]
    assert (tmp_path / "out.csv").read_text().replace('"', "") == "n,word\n9,NA\n10,007\n"


def test_fields_of_structs_are_keys(tmp_path):
    pq.write_table(pa.table({"user": [{"id": 2, "x": 1}, {"id": 1, "x": 2}], "n": [1, 2]}), tmp_path / "in.parquet")
    assert sortie.sort_parquet_in_place(tmp_path / "in.parquet", by="user.id").sorted != []
    assert read(tmp_path / "in.parquet")["n"].to_pylist() == [2, 1]
    assert sortie.sort_parquet_in_place(tmp_path / "in.parquet", by="user.id").sorted == []


def test_files_may_be_of_several_kinds_and_have_no_rows(tmp_path):
    pq.write_table(pa.table({"n": pa.array([], pa.int64())}), tmp_path / "none.parquet")
    write(pa.table({"x": ["b", "a"], "n": [2, 1]}), tmp_path / "two.arrow")
    told = sortie.sort_parquet_in_place([tmp_path / "none.parquet", tmp_path / "two.arrow"], by="n")
    assert told.left_alone == [str(tmp_path / "none.parquet")] and told.sorted == [str(tmp_path / "two.arrow")]


def test_what_can_be_refused_is_refused_before_a_file_changes(paths, tmp_path):
    pq.write_table(pa.table({"other": [1]}), tmp_path / "z.parquet")
    with pytest.raises(sortie.Error, match="z.parquet' has no such column"):
        sortie.sort_parquet_in_place([*paths, tmp_path / "z.parquet"], by="key")
    with pytest.raises(sortie.Error, match="gone.parquet"):
        sortie.sort_parquet_in_place([*paths, tmp_path / "gone.parquet"], by="key")
    assert all(map(was_left_alone, paths))


def test_an_error_leaves_its_file_and_those_behind(paths):
    content = bytearray(paths[1].read_bytes())
    content[100:1500] = bytes(1400)
    paths[1].write_bytes(content)
    with pytest.raises(sortie.Error, match="b.parquet"):
        sortie.sort_parquet_in_place(paths, by="key")
    assert paths[1].read_bytes() == content and was_left_alone(paths[2])
    keys = read(paths[0])["key"].to_pylist()
    assert keys == sorted(keys)
    assert sorted(os.listdir(paths[0].parent)) == ["a.parquet", "b.parquet", "c.parquet"]


def test_the_command_tells_what_became_of_each_file(paths):
    ended = subprocess.run([*COMMAND, "--in-place", "--key=key", "--stats", *paths], capture_output=True, text=True)
    assert (ended.returncode, ended.stderr) == (0, "2 files sorted, 1 left alone\n")
    assert ended.stdout == f"sorted {paths[0]}\nleft alone {paths[1]}\nsorted {paths[2]}\n"


@pytest.mark.parametrize("option", ["-o=x.parquet", "--merge", "--unique", "--top=3", "--keep=max:key",
                                    "--stats-json=x"])
def test_the_command_refuses_what_is_for_one_output(paths, option):
    ended = subprocess.run([*COMMAND, "--in-place", "--key=key", option, *paths], capture_output=True, text=True)
    assert ended.returncode == 2 and "--in-place and --" in ended.stderr and ended.stderr.endswith("are incompatible: "
                                                                                                   "leave one of the "
                                                                                                   "two out\n")
    assert all(map(was_left_alone, paths))


def test_the_command_needs_an_output_or_in_place(paths):
    ended = subprocess.run([*COMMAND, "--key=key", *paths], capture_output=True, text=True)
    assert ended.returncode == 2
    assert ended.stderr == ("sortie-parquet: the following arguments are required: -o/--output; try 'sortie-parquet "
                            "--help'\n")


@pytest.mark.parametrize("is_replaced", [True, False])
@pytest.mark.parametrize("how", ["in place", "output", "merge", "csv"])
def test_what_somebody_else_wrote_meanwhile_is_not_replaced(paths, monkeypatch, how, is_replaced):
    """Another file in its place, or other bytes in it, once the rows were read."""
    from sortie.jobs import sort_parquet as job

    path = paths[0].with_suffix(".csv") if how == "csv" else paths[1] if how == "merge" else paths[0]
    if how == "csv":
        path.write_text("key\n3\n1\n2\n")
    write_rows = job._write

    def write_meanwhile(*arguments):
        write_rows(*arguments)
        if is_replaced:
            other = path.with_name("other")
            other.write_bytes(b"theirs")
            other.replace(path)
        else:
            path.write_bytes(b"theirs")

    monkeypatch.setattr(job, "_write", write_meanwhile)
    with pytest.raises(sortie.Error, match=f"cannot replace '{path}': it was changed while it was sorted, and is left "
                       "as it is"):
        if how in ("in place", "csv"):
            sortie.sort_parquet_in_place(path, by="key")
        else:
            sortie.sort_parquet([path], path, by="key", merge=how == "merge")
    assert path.read_bytes() == b"theirs"
    assert sorted(os.listdir(path.parent)) == sorted({"a.parquet", "b.parquet", "c.parquet", path.name})


@pytest.mark.parametrize("name,descending,is_true",
                         [("key", False, True), ("key", True, False), ("other", False, False),
                                                     ("other", True, True), ("list.list.element", False, False)])
def test_an_order_that_is_told_is_that_of_the_rows(tmp_path, name, descending, is_true):
    """A file in order whose sorting_columns lie is written again, with the ones that were asked for."""
    path = tmp_path / "in.parquet"
    table = pa.table({"key": range(100), "other": [-row for row in range(100)], "list": [[row] for row in range(100)]})
    place = ["key", "other", "list.list.element"].index(name)
    pq.write_table(table, path, row_group_size=30, sorting_columns=[pq.SortingColumn(place, descending)])
    assert bool(sortie.sort_parquet_in_place(path, by="key").left_alone) == is_true
    told = [pq.read_metadata(path).row_group(group).sorting_columns[0]
            for group in range(pq.read_metadata(path).num_row_groups)]
    expected = pq.SortingColumn(place, descending) if is_true else pq.SortingColumn(0, False, False)
    assert set(told) == {expected}
    assert read(path).equals(table)
    assert sortie.sort_parquet_in_place(path, by="key").sorted == []


def test_an_order_is_told_of_row_groups(tmp_path):
    """Each is in the order of another key, the file is not."""
    path = tmp_path / "in.parquet"
    pq.write_table(pa.table({"key": range(100), "other": [row % 50 for row in range(100)]}), path, row_group_size=50,
                   sorting_columns=[pq.SortingColumn(1)])
    assert sortie.sort_parquet_in_place(path, by="key").sorted == []


def test_a_longer_order_is_looked_at(tmp_path):
    path = tmp_path / "in.parquet"
    for other, is_true in ((range(100), True), (range(100, 0, -1), False)):
        pq.write_table(pa.table({"key": [row // 10 for row in range(100)], "other": other}), path,
                       sorting_columns=[pq.SortingColumn(0), pq.SortingColumn(1)])
        assert bool(sortie.sort_parquet_in_place(path, by="key").left_alone) == is_true
