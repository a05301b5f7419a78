"""The index of a DataFrame goes with its rows."""

import pytest

pandas = pytest.importorskip("pandas", reason="pandas is not installed (every test of this file)")
pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed (every test of this file)")

import sortie  # noqa: E402

INDEXES = {
    "default": pandas.RangeIndex(4),
    "part of a range": pandas.RangeIndex(10, 18, 2),
    "named range": pandas.RangeIndex(4, name="number"),
    "labels": pandas.Index(list("wxyz")),
    "several levels": pandas.MultiIndex.from_tuples([("w", 1), ("x", 2), ("y", 3), ("z", 4)], names=["a", "b"]),
    "times": pandas.date_range("2024-01-01", periods=4),
}


@pytest.mark.parametrize("name", INDEXES)
def test_labels_stay_with_their_rows(name):
    frame = pandas.DataFrame({"key": [3, 1, 4, 1], "text": list("abcd")}, INDEXES[name])
    expected = frame.sort_values("key", kind="stable")
    for result in (pandas.DataFrame.from_arrow(sortie.sort_table(frame, "key")),
                   pa.table(sortie.sort_table([frame.iloc[:2], frame.iloc[2:]], "key")).to_pandas()):
        pandas.testing.assert_frame_equal(result, expected, check_freq=False, check_index_type="equiv")


def test_labels_of_the_first_rows_are_those_that_are_kept():
    frame = pandas.DataFrame({"key": [3, 1, 2]})
    assert pandas.DataFrame.from_arrow(sortie.sort_table(frame, "key", top=2)).index.tolist() == [1, 2]


def test_a_sorter_keeps_labels():
    with sortie.Sorter(by="key") as sorter:
        sorter.push(pandas.DataFrame({"key": [3, 1]}, [7, 8]))
        assert pa.table(next(iter(sorter))).to_pandas().index.tolist() == [8, 7]


def test_a_table_does_not_claim_a_range_that_its_rows_left(tmp_path):
    frame = pandas.DataFrame({"key": [3, 1, 2]}, pandas.RangeIndex(10, 13))
    table = pa.Table.from_pandas(frame)
    for data in (table, table.to_batches(), table.to_reader()):
        result = pa.table(sortie.sort_table(data, "key"))
        assert result.column_names == ["key"]
        assert result.to_pandas().index.tolist() == [0, 1, 2]
    frame.to_parquet(tmp_path / "in.parquet")
    sortie.sort_parquet(tmp_path / "in.parquet", tmp_path / "out.parquet", by="key")
    assert pandas.read_parquet(tmp_path / "out.parquet").index.tolist() == [0, 1, 2]


def test_an_index_that_is_a_column_of_parquet_stays_with_its_rows(tmp_path):
    frame = pandas.DataFrame({"key": [3, 1, 2]}, ["x", "y", "z"])
    frame.to_parquet(tmp_path / "in.parquet")
    sortie.sort_parquet(tmp_path / "in.parquet", tmp_path / "out.parquet", by="key")
    assert pandas.read_parquet(tmp_path / "out.parquet").index.tolist() == ["y", "z", "x"]
