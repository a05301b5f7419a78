"""Arguments of other kinds than the usual ones: numbers of NumPy are taken, what is refused is named."""

import pytest

import sortie

PATHS = r" must be a path \(str, bytes or os.PathLike\)"


@pytest.mark.parametrize("arguments", [(None, "out"), (5, "out"), ([5], "out")])
def test_inputs_that_are_no_paths_are_refused_by_name(tmp_path, arguments):
    named = f"^inputs{PATHS} or a list of them, not "
    for function in (sortie.sort_files, sortie.plan_files):
        with pytest.raises(TypeError, match=named):
            function(*arguments)
    with pytest.raises(TypeError, match=named):
        sortie.check_files(arguments[0])
    pytest.importorskip("pyarrow")
    with pytest.raises(TypeError, match=named):
        sortie.sort_parquet(arguments[0], tmp_path / "out.parquet", by="a")


def test_outputs_that_are_no_paths_are_refused_by_name():
    pytest.importorskip("pyarrow")
    for output in (None, 5):
        with pytest.raises(TypeError, match=f"^output{PATHS}, not "):
            sortie.sort_parquet("in.parquet", output, by="a")
        with pytest.raises(TypeError, match="^output must be a path"):
            sortie.sort_files("in", output)


def test_numbers_of_numpy_are_numbers(tmp_path):
    np, pa = pytest.importorskip("numpy"), pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq
    pq.write_table(pa.table({"a": [3, 1, 2]}), tmp_path / "in.parquet")
    sortie.sort_parquet(tmp_path / "in.parquet", tmp_path / "out.parquet", by="a", row_group_rows=np.int64(2),
                        threads=np.int64(1))
    assert pq.read_metadata(tmp_path / "out.parquet").num_row_groups == 2
    result = sortie.sort_table(pa.table({"a": [3, 1, 2]}), "a", batch_rows=np.int32(2))
    assert [len(batch) for batch in result] == [2, 1]


def test_threads_of_numpy_are_as_many_for_parquet(tmp_path):
    np = pytest.importorskip("numpy")
    pa = pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq
    pq.write_table(pa.table({"number": [3, 1, 2]}), tmp_path / "in.parquet")
    for threads in (1, 7):
        sortie.sort_parquet(tmp_path / "in.parquet", tmp_path / "out.parquet", by="number", threads=np.int64(threads))
        assert pq.read_table(tmp_path / "out.parquet")["number"].to_pylist() == [1, 2, 3]


def test_flags_of_numpy_are_flags():
    np = pytest.importorskip("numpy")
    numbers = np.array([1, 3, 2])
    for function, expected in ((sortie.sort, [3, 2, 1]), (sortie.argsort, [1, 2, 0])):
        assert function(numbers, descending=np.True_).tolist() == expected
        assert function(numbers, descending=np.False_).tolist() == expected[::-1]
    assert sortie.sort(numbers, descending=np.True_, memory="1MB").tolist() == [3, 2, 1]
    for flag in (1, np.int64(1), "yes"):
        with pytest.raises(TypeError, match="descending must be True or False"):
            sortie.sort(numbers, descending=flag)


def test_a_column_of_another_library_is_called_by_its_class():
    class Series:
        dtype = "Int64"

    with pytest.raises(TypeError, match=r"__array__, not Series: try numpy.asarray\(\)$"):
        sortie.sort(Series())


def test_an_array_with_nulls_is_refused_for_its_nulls(recwarn):
    pa = pytest.importorskip("pyarrow")
    for function in (sortie.sort, sortie.argsort):
        with pytest.raises(ValueError, match="array has 1 null,"):
            function(pa.array([3, None]))
    assert not recwarn.list
