"""sort_parquet() with CSV files of several kinds: which types their columns have, and how errors name them."""

import pytest

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed (every test of this file)")
import pyarrow.parquet as pq  # noqa: E402

import sortie  # noqa: E402


@pytest.fixture
def csv_files(tmp_path):
    """Paths of files 1.csv, 2.csv and so on with these texts."""
    def write(*texts):
        paths = [tmp_path / f"{number}.csv" for number in range(1, len(texts) + 1)]
        for path, text in zip(paths, texts):
            path.write_bytes(text.encode() if isinstance(text, str) else text)
        return paths
    return write


def test_columns_that_are_no_keys_need_no_types_from_csv_to_csv(csv_files, tmp_path):
    inputs = csv_files("a,b,c\n2,2,\n", "a,b,c\n1,x,007\n")
    sortie.sort_parquet(inputs, tmp_path / "out.csv", by="a")
    assert (tmp_path / "out.csv").read_text() == '"a","b","c"\n"1","x","007"\n"2","2",\n'
    with pytest.raises(sortie.Error, match="2.csv': column 'b': .*int64: invalid value 'x' .types are guessed"):
        sortie.sort_parquet(inputs, tmp_path / "out.csv", by="b")


@pytest.mark.parametrize("by", ["a", "b"])
def test_columns_that_are_empty_in_a_csv_file_have_the_types_of_the_next_one(csv_files, tmp_path, by):
    inputs = csv_files("a,b,c\n5,,\n", "a,b,c\n", "a,b,c\n3,12,\n", "a,b,c\n4,9,x\n")
    sortie.sort_parquet(inputs, tmp_path / "out.csv", by=by)
    sortie.sort_parquet(inputs, tmp_path / "out.parquet", by=by)
    result = pq.read_table(tmp_path / "out.parquet")
    assert result.schema.types == [pa.int64(), pa.int64(), pa.string()]
    order = [3, 4, 5] if by == "a" else [4, 3, 5]
    assert result["a"].to_pylist() == order
    assert [line[1] for line in (tmp_path / "out.csv").read_text().splitlines()[1:]] == [str(key) for key in order]


def test_columns_that_are_empty_in_a_csv_file_have_the_types_of_other_formats(csv_files, tmp_path):
    pq.write_table(pa.table({"a": [1], "b": pa.array([2.5], pa.float32())}), tmp_path / "in.parquet")
    inputs = csv_files("a,b\n2,\n")
    for files in ([*inputs, tmp_path / "in.parquet"], [tmp_path / "in.parquet", *inputs]):
        sortie.sort_parquet(files, tmp_path / "out.parquet", by="a")
        assert pq.read_table(tmp_path / "out.parquet")["b"].to_pylist() == [2.5, None]


def test_integers_beyond_64_bits_may_begin_in_a_later_csv_file(csv_files, tmp_path):
    inputs = csv_files("a,b\n2,\n", "a,b\n1,18446744073709551615\n")
    sortie.sort_parquet(inputs, tmp_path / "out.parquet", by="b")
    assert pq.read_table(tmp_path / "out.parquet")["b"].to_pylist() == [18446744073709551615, None]


def test_headers_of_csv_that_differ_are_named_whatever_is_below_them(csv_files, tmp_path):
    inputs = csv_files("a,b\n3,x\n", "b,a\ny,z\n")
    message = "column 1 of '.*2.csv' is 'b' of type string, and of '.*1.csv' 'a' of type "
    for output in ("out.csv", "out.parquet"):
        with pytest.raises(sortie.Error, match=message):
            sortie.sort_parquet(inputs, tmp_path / output, by="a")
    for texts in (("a\n4\n", "a,b\n3,x\n"), ("a,b\n3,x\n", "a\n4\n")):
        with pytest.raises(sortie.Error, match="csv' has no column 'b', which '.*csv' has"):
            sortie.sort_parquet(csv_files(*texts), tmp_path / "out.csv", by="a")


def test_csv_columns_of_one_name_may_be_of_several_types(csv_files, tmp_path):
    inputs = csv_files("k,a,a\n2,x,1\n", "k,a,a\n", "k,a,a\n1,,\n", "k,a,a\n3,y,5\n")
    sortie.sort_parquet(inputs, tmp_path / "out.parquet", by="k")
    result = pq.ParquetFile(tmp_path / "out.parquet").read()
    assert result.column_names == ["k", "a", "a"]
    assert [column.to_pylist() for column in result.columns] == [[1, 2, 3], [None, "x", "y"], [None, 1, 5]]
    sortie.sort_parquet(inputs, tmp_path / "out.csv", by="k")
    assert (tmp_path / "out.csv").read_text() == '"k","a","a"\n"1",,\n"2","x","1"\n"3","y","5"\n'
    inputs[-1].write_text("k,a,a\n3,y,z\n")
    message = "column 3 of '.*4.csv' is 'a' of type string, and of '.*1.csv' 'a' of type int64"
    with pytest.raises(sortie.Error, match=message):
        sortie.sort_parquet(inputs, tmp_path / "out.parquet", by="k")


def test_texts_of_csv_that_are_not_utf8_are_told_so(csv_files, tmp_path):
    inputs = csv_files("a,b\n1,x\n", "a,b\n2,é\n".encode("latin-1"))
    for output in ("out.csv", "out.parquet"):
        with pytest.raises(sortie.Error) as error:
            sortie.sort_parquet(inputs, tmp_path / output, by="a")
        assert "2.csv': column 'b': " in str(error.value) and "invalid UTF8 data" in str(error.value)
        assert str(error.value).endswith(" (let the file be in UTF-8)")
