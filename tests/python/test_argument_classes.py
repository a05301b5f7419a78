"""What is wrong with an argument is a ValueError, too, and says what else to do."""

import os

import numpy as np
import pytest

import sortie

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed (every test of this file)")
import pyarrow.dataset  # noqa: E402
import pyarrow.parquet as pq  # noqa: E402

TABLE = pa.table({"a": [2, 1]})


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pq.write_table(TABLE, "in.parquet")
    return tmp_path


@pytest.mark.parametrize("call, message", [
    (lambda: sortie.sort_parquet(os.devnull, "out.parquet", by="a"), "cannot tell the format of '/dev/null'"),
    (lambda: sortie.sort_parquet("in.parquet", "out.txt", by="a"), "cannot tell the format of 'out.txt'"),
    (lambda: sortie.sort_parquet("in.parquet", "-", by="a"), "output is '-'"),
    (lambda: sortie.sort_parquet("in.parquet", "out.parquet", by="zz"),
     "key 'zz': 'in.parquet' has no such column; it has a$"),
    (lambda: sortie.sort_parquet("in.parquet", "out.csv", by="a", row_group_rows=9), "row_group_rows is for Parquet"),
    (lambda: sortie.sort_parquet("in.parquet", "out.csv", by="a", compression="zstd"), "compression is for Parquet"),
    (lambda: sortie.sort_parquet("in.parquet", "o\0.parquet", by="a"), "output is .* holds a NUL character"),
    (lambda: sortie.sort_files("in.parquet", "o\0"), "output is .* holds a NUL character"),
    (lambda: sortie.join_files("in.parquet", "in.parquet", "o\0", keys="1,1"), "output is .* holds a NUL character"),
    (lambda: sortie.sort(np.arange(3), out="o\0"), "out is .* holds a NUL character"),
    (lambda: sortie.group_table([TABLE, pa.table({"b": [1]})], "a", "count").to_arrow(), "item 1 of data has columns"),
    (lambda: sortie.Sorter(by="a", format="lines"),
     "^format= is for records and does not go with by=, which is for rows"),
    (lambda: sortie.Sorter(by="a", fields="u64@0", descending=True),
     "^fields= is for records and does not go with by="),
])
def test_values_that_cannot_be(folder, call, message):
    with pytest.raises(sortie.Error, match=message) as caught:
        call()
    assert isinstance(caught.value, sortie.ArgumentError) and isinstance(caught.value, ValueError)
    assert os.listdir(folder) == ["in.parquet"]


@pytest.mark.parametrize("name", ["dir", "dir/", "dir.parquet"])
def test_a_folder_without_tables_is_no_input(folder, name):
    os.mkdir(name)
    for inputs in (name, ["in.parquet", name]):
        with pytest.raises(FileNotFoundError) as caught:
            sortie.sort_parquet(inputs, "out.parquet", by="a")
        assert str(caught.value) == (f"no file of the folder '{name}' has a name that ends in .parquet, .arrow, "
                                     ".feather, .csv, .jsonl or .ndjson, of which the last three may have .gz or .zst "
                                     "behind")
        assert isinstance(caught.value, sortie.FileError) and caught.value.filename == name


def test_suffixes_may_be_capitals(folder):
    names = ["in.parquet", "one.PARQUET", "two.Csv", "three.ARROW", "four.FEATHER", "five.parquet"]
    for source, target in zip(names, names[1:]):
        assert sortie.sort_parquet(source, target, by="a").to_arrow()["a"].to_pylist() == [1, 2]
    assert pq.read_table("one.PARQUET")["a"].to_pylist() == [1, 2]


def test_what_gives_a_reader_is_told_to():
    scanner = pa.dataset.dataset(TABLE).scanner()
    for function in (lambda data: sortie.sort_table(data, "a"), lambda data: sortie.sort_table([data], "a"),
                     lambda data: sortie.group_table(data, "a", "count")):
        with pytest.raises(TypeError, match=r"not Scanner: pass its \.to_reader\(\)$"):
            function(scanner)
        with pytest.raises(TypeError, match=r"not InMemoryDataset: pass its \.scanner\(\)\.to_reader\(\)$"):
            function(pa.dataset.dataset(TABLE))
    assert sortie.sort_table(scanner.to_reader(), "a").to_arrow()["a"].to_pylist() == [1, 2]
