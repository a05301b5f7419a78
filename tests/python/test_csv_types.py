"""sort_parquet() with CSV files of several kinds: which types their columns have, and how errors name them."""

import json

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


def test_columns_of_csv_are_found_by_the_headers_of_each_file(csv_files, tmp_path):
    inputs = csv_files("a,b\n3,x\n", "b,a\ny,1\n7,2\n")
    sortie.sort_parquet(inputs, tmp_path / "out.csv", by="a")
    assert (tmp_path / "out.csv").read_text() == '"a","b"\n"1","y"\n"2","7"\n"3","x"\n'
    sortie.sort_parquet(inputs, tmp_path / "out.parquet", by=["b", "a"])
    assert pq.read_table(tmp_path / "out.parquet").to_pydict() == {"a": [2, 3, 1], "b": ["7", "x", "y"]}


def test_headers_of_csv_that_differ_are_named(csv_files, tmp_path):
    inputs = csv_files("a,b\n3,x\n", "b,a\ny,z\n")
    message = "cannot read '.*2.csv': column 'a': .* invalid value 'z'"
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
    message = "column 3, 'a', of '.*4.csv' is of type string, and of '.*1.csv' of type int64: cast one of them"
    with pytest.raises(sortie.Error, match=message):
        sortie.sort_parquet(inputs, tmp_path / "out.parquet", by="k")


@pytest.mark.parametrize("content, told", [
    ("prix,quantité\n1,2\n".encode("latin-1"),
     "the names of its columns are not UTF-8, and CSV is read as UTF-8: convert the file first, as 'iconv "
                                               "-f LATIN1 -t UTF-8' does"),
    ("prix,q\n1,2\n".encode("utf-16"), "it is in UTF-16, and CSV is read as UTF-8: convert the file first, as 'iconv "
     "-f UTF-16 -t UTF-8' does"),
    (b"\xfe\xff" + "prix,q\n1,2\n".encode("utf-16-be"),
     "it is in UTF-16, and CSV is read as UTF-8: convert the file first, as 'iconv -f UTF-16 "
                                                           "-t UTF-8' does")])
def test_csv_in_another_encoding_is_refused_by_file_and_remedy(tmp_path, content, told):
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "a.csv").write_text("prix,q\n1,2\n")
    (folder / "b.csv").write_bytes(content)
    for call in (lambda: sortie.sort_parquet(folder / "b.csv", tmp_path / "out.parquet", by="prix"),
                 lambda: sortie.sort_parquet(folder / "b.csv", tmp_path / "out.csv", by=0),
                 lambda: sortie.sort_parquet(folder, tmp_path / "out.parquet", by="prix"),
                 lambda: sortie.sort_parquet(folder, tmp_path / "out.parquet", by="prix", schema="union"),
                 lambda: sortie.sort_parquet_in_place(folder / "b.csv", by="prix")):
        with pytest.raises(sortie.Error) as raised:
            call()
        assert str(raised.value) == f"cannot read '{folder / 'b.csv'}': {told}"
    assert (folder / "b.csv").read_bytes() == content


def test_texts_of_csv_that_are_not_utf8_are_told_so(csv_files, tmp_path):
    inputs = csv_files("a,b\n1,x\n", "a,b\n2,é\n".encode("latin-1"))
    for output in ("out.csv", "out.parquet"):
        with pytest.raises(sortie.Error) as error:
            sortie.sort_parquet(inputs, tmp_path / output, by="a")
        assert "2.csv': column 'b': " in str(error.value) and "invalid UTF8 data" in str(error.value)
        assert str(error.value).endswith(" (let the file be in UTF-8)")


@pytest.mark.parametrize("falls", [False, True])
@pytest.mark.parametrize("numbers", [
    ["0.12345678901234567891", "0.12345678901234567892"],
    ["-0.12345678901234567892", "-0.12345678901234567891", "0.5"],
    ["0.5", "9007199254740992", "9007199254740993", "9007199254740993.5"],
    ["-2e400", "-1e400", "-1", "-1e-400", "1e-401", "1e-400", "0.1", "0.10000000000000000001", "1e400", "2e400"],
    ["1.00000000000000000001", "1.000000000000000000011", "1.00000000000000000002", "1.0000000000000000001"],
])
def test_keys_of_csv_are_compared_as_exactly_as_they_are_written(csv_files, tmp_path, numbers, falls):
    rows = [f"{number},{row}" for row, number in enumerate(numbers)]
    inputs = csv_files("v,row\n" + "\n".join(rows[1::2] + rows[::2]) + "\n")
    by = [("v", "descending" if falls else "ascending")]
    expected = rows[::-1] if falls else rows
    sortie.sort_parquet(inputs, tmp_path / "out.csv", by=by, unique=True)
    lines = (tmp_path / "out.csv").read_text().replace('"', "").splitlines()
    assert lines == ["v,row", *expected]
    said = []
    sortie.sort_parquet(inputs, tmp_path / "out.parquet", by=by, unique=True, warn=said.append)
    result = pq.read_table(tmp_path / "out.parquet")
    assert result.column_names == ["v", "row"]
    assert result["row"].to_pylist() == [int(row.rpartition(",")[2]) for row in expected]
    assert len(said) == 1 and "records have a number that is rounded to a double" in said[0]


def test_numbers_of_csv_that_are_written_with_more_digits_than_their_doubles_are_not_rounded(csv_files, tmp_path):
    inputs = csv_files("v\n0.10000000000000001\n1.000000000000000056e-01\n2.5\n")
    assert sortie.sort_parquet(inputs, tmp_path / "out.parquet", by="v", strict=True).assumptions == []


@pytest.mark.parametrize("output", ["out.csv", "out.parquet"])
def test_what_types_of_csv_columns_make_of_texts_is_told_and_refused_by_strict(csv_files, tmp_path, output):
    inputs = csv_files("k,v\n3,a\n007,b\n,c\n7,d\n", "k,v\n2,e\nNA,f\n")
    said = []
    stats = tmp_path / "stats.json"
    report = sortie.sort_parquet(inputs, tmp_path / output, by="k", warn=said.append, stats_json=stats)
    assert [(told.kind, told.count, told.of, told.first_place) for told in report.assumptions] == [
        ("leading-zeros", 1, 6, f"{inputs[0]}: record 3"), ("null-word", 1, 6, f"{inputs[1]}: record 3")]
    assert said == [told.message for told in report.assumptions]
    assert all(message in str(report) for message in said)
    assert said[0] == ("column 'k': 1 of 6 records have a number with zeros in front, which is taken for the one "
                       f"without them, the first at {inputs[0]}: record 3 ‘007’: give a file in which the column is "
                       "text, such as one of Parquet")
    assert json.loads(stats.read_text()) == report.to_dict()
    (tmp_path / output).write_text("before")
    with pytest.raises(sortie.Error, match="the sort would have to assume something, the first of 2 kinds: column 'k': "
                       "1 "):
        sortie.sort_parquet(inputs, tmp_path / output, by="k", strict=True)
    assert (tmp_path / output).read_text() == "before"


def test_columns_of_csv_that_stay_texts_are_not_told_of(csv_files, tmp_path):
    inputs = csv_files("k,v,w\n3,007,\n,NA,\n", "k,v,w\n2,1,\n")
    assert sortie.sort_parquet(inputs, tmp_path / "out.csv", by="k", strict=True).assumptions == []
    inputs = csv_files("k,v\n3,x007\n,NA\n")
    assert sortie.sort_parquet(inputs, tmp_path / "out.parquet", by="k", strict=True).assumptions == []


def test_rows_of_csv_that_are_read_again_are_told_of_once(csv_files, tmp_path):
    rows = ["1,007"] + ["2,3"] * 300_000 + ["3," + " " * (3 << 20) + "08"]
    inputs = csv_files("a,k\n" + "\n".join(rows) + "\n")
    for output in ("out.csv", "out.parquet"):
        report = sortie.sort_parquet(inputs, tmp_path / output, by="k", warn=[].append)
        counts = [(told.count, told.of) for told in report.assumptions if told.kind != "csv-sample"]
        assert counts == [(2, len(rows))]


def test_types_of_the_first_rows_are_an_assumption(tmp_path):
    path, out = tmp_path / "long.csv", tmp_path / "out.parquet"
    path.write_text("n,t\n" + "".join(f"{number},{'x' * 40}\n" for number in range(100_000)))
    assert path.stat().st_size > 4 << 20
    said = []
    report = sortie.sort_parquet(path, out, by="n", warn=said.append)
    assert said == [f"1 of 1 inputs are CSV of which the first 4 MiB tell the types of columns, the first at '{path}', "
                    "and a later value that is none of its type ends the sort: give a file whose columns have types, "
                    "such as one of Parquet"]
    assert [(told.kind, told.count) for told in report.assumptions] == [("csv-sample", 1)]
    with pytest.raises(sortie.Error, match="the sort would have to assume something: 1 of 1 inputs are CSV"):
        sortie.sort_parquet(path, tmp_path / "strict.parquet", by="n", strict=True)
    assert not (tmp_path / "strict.parquet").exists()
    # No type is guessed of a text that is carried as it is.
    sortie.sort_parquet(path, tmp_path / "out.csv", by="t", strict=True)
    path.write_text("n,t\n" + "".join(f"{number},x\n" for number in range(1000)))
    sortie.sort_parquet(path, out, by="n", strict=True)
