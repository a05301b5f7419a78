"""Hive-partitioned folders as outputs of sort_parquet(): other programs find the same rows there."""

import datetime
import os
import random
import subprocess
import weakref

import pytest

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed (every test of this file)")
import pyarrow.dataset  # noqa: E402
import pyarrow.feather  # noqa: E402
import pyarrow.parquet as pq  # noqa: E402
from table_files import COMMAND, read  # noqa: E402

import sortie  # noqa: E402

ROWS = 2000
DAY, TIME = datetime.date, datetime.datetime
VALUES = {
    "integers": pa.array([-5, 7, None, 1 << 40]),
    "small integers": pa.array([1, 255, None], pa.uint8()),
    "large integers": pa.array([1, 1 << 62], pa.uint64()),
    "bools": pa.array([True, False, None]),
    "texts": pa.array(["a b", "ä/ü", "", "x=y", "100%", ".", "..", "😀\n", "A", "q?#&+,;:@!$'()*[]\\\"<>|^`{}", None]),
    "large texts": pa.array(["b", None, "a"], pa.large_string()),
    "views": pa.array(["b", None, "a"], pa.string_view()),
    "dates": pa.array([DAY(2024, 1, 3), DAY(1969, 12, 31), None]),
    "dates of 64 bits": pa.array([DAY(2024, 1, 3), DAY(1969, 12, 31), None], pa.date64()),
    "times": pa.array([TIME(2024, 1, 3, 4, 5, 6, 7), TIME(1960, 1, 1), None], pa.timestamp("us")),
    "times in s": pa.array([TIME(2024, 1, 3, 4, 5, 6), TIME(1960, 1, 1), None], pa.timestamp("s")),
    "words": pa.array(["q", "p", None]).dictionary_encode(),
    "dictionaries of integers": pa.array([300, 4, None]).dictionary_encode(),
    "nulls alone": pa.array([None, None], pa.string()),
}


def make_table(values):
    r = random.Random(1)
    places = [r.randrange(len(values)) for _ in range(ROWS)]
    part = pa.array([values.to_pylist()[place] for place in places],
                    values.type) if not is_words(values) else values.take(
        pa.array(places))
    return pa.table({"key": [r.randrange(100) for _ in range(ROWS)], "part": part, "row": range(ROWS)})


def is_words(column):
    return pa.types.is_dictionary(column.type)


def with_plain_values(table):
    """In types that other programs have, too."""
    kind = table.schema.field("part").type
    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    kind = pa.string() if pa.types.is_string_view(kind) or pa.types.is_large_string(kind) else kind
    return table.set_column(1, "part", pa.chunked_array([table["part"].to_pylist()], kind))


def in_order(table):
    def order(row):
        return row["part"] is None, 0 if row["part"] is None else row["part"], row["key"], row["row"]
    return sorted(table.to_pylist(), key=order)


@pytest.fixture(params=VALUES)
def partitioned(request, tmp_path):
    """A table, the report of its sort, and the folder."""
    table = make_table(VALUES[request.param])
    pyarrow.feather.write_feather(table, tmp_path / "in.arrow")
    return table, sortie.sort_parquet(tmp_path / "in.arrow", f"{tmp_path}/out/", by="key",
                                      partition_by="part"), tmp_path / "out"


def test_the_report_leads_to_the_rows_with_the_partition_columns(partitioned):
    table, report, out = partitioned
    result = report.to_arrow()
    assert result.schema.equals(table.schema)
    assert result.to_pylist() == in_order(table)
    assert report.num_files == len(report.files) == len(os.listdir(out))


def test_folders_are_called_as_pyarrow_calls_them(partitioned, tmp_path):
    table, _, out = partitioned
    table = with_plain_values(table)
    scheme = pyarrow.dataset.partitioning(pa.schema([table.schema.field("part")]), flavor="hive")
    pyarrow.dataset.write_dataset(table, tmp_path / "other", format="parquet", partitioning=scheme)
    assert sorted(os.listdir(out)) == sorted(os.listdir(tmp_path / "other"))


def rows_of(table, to_text):
    return sorted((row["row"], row["key"], to_text(row["part"])) for row in table.to_pylist())


def as_text(value):
    """What readers that guess types agree on."""
    if isinstance(value, str) and (value[-7:] == ".000000" or value in ("true", "false")):
        value = value.removesuffix(".000000").capitalize()
    return str(value)


def test_other_programs_read_the_same_rows(partitioned):
    duckdb, polars = pytest.importorskip("duckdb"), pytest.importorskip("polars")
    table, _, out = partitioned
    expected = rows_of(table, as_text)
    # pyarrow guesses no type for nulls alone.
    if table["part"].null_count < ROWS:
        assert rows_of(pyarrow.dataset.dataset(out, partitioning="hive").to_table(), as_text) == expected
    scheme = pyarrow.dataset.partitioning(pa.schema([with_plain_values(table).schema.field("part")]), flavor="hive")
    assert rows_of(pyarrow.dataset.dataset(out, partitioning=scheme).to_table(), str) == rows_of(table, str)
    by_duckdb = duckdb.sql(f"SELECT * FROM read_parquet('{out}/**/*.parquet', hive_partitioning=1)").to_arrow_table()
    assert rows_of(by_duckdb, as_text) == expected
    by_polars = polars.scan_parquet(f"{out}/**/*.parquet", hive_partitioning=True).collect().to_arrow()
    assert rows_of(by_polars, as_text) == expected


def test_several_columns_make_folders_in_folders(tmp_path):
    r = random.Random(2)
    table = pa.table({"month": [r.choice([1, 2, 10, None]) for _ in range(ROWS)],
                      "key": [r.randrange(50) for _ in range(ROWS)],
                      "year": [r.choice([2023, 2024]) for _ in range(ROWS)], "row": range(ROWS)})
    pq.write_table(table, tmp_path / "in.parquet")
    report = sortie.sort_parquet(tmp_path / "in.parquet", f"{tmp_path}/out/", by=[("key", "desc")],
                                 partition_by=["year", "month"], file_rows=200)
    months = ["month=1", "month=2", "month=10", "month=__HIVE_DEFAULT_PARTITION__"]
    folders = [f"year={year}/{month}" for year in (2023, 2024) for month in months]
    assert list(dict.fromkeys(os.path.relpath(os.path.dirname(path), tmp_path / "out")
                              for path in report.files)) == folders
    assert {os.path.basename(path) for path in report.files} == {"part-00000.parquet", "part-00001.parquet"}
    expected = table.sort_by([("year", "ascending"), ("month", "ascending"), ("key", "descending"),
                              ("row", "ascending")])
    assert report.to_arrow().equals(expected)
    for path in report.files:
        file = pq.ParquetFile(path)
        assert file.schema_arrow.names == ["key", "row"]
        sorting, = file.metadata.row_group(0).sorting_columns
        assert (sorting.column_index, sorting.descending) == (0, True)


def test_partition_columns_may_be_keys_or_the_only_keys(tmp_path):
    table = pa.table({"part": [2, 1, 2, 1], "row": [0, 1, 2, 3]})
    pq.write_table(table, tmp_path / "in.parquet")
    report = sortie.sort_parquet(tmp_path / "in.parquet", f"{tmp_path}/out/", by="part", partition_by=0)
    assert report.to_arrow()["row"].to_pylist() == [1, 3, 0, 2]
    assert not pq.ParquetFile(report.files[0]).metadata.row_group(0).sorting_columns


def test_what_the_first_file_has_is_kept_but_for_partition_columns(tmp_path):
    table = pa.table({"part": ["a", "b"] * 500, "nested": [{"x": number, "y": str(number)} for number in range(1000)],
                      "key": list(range(1000))}).replace_schema_metadata({"who": "me"})
    pq.write_table(table, tmp_path / "in.parquet", write_page_index=True,
                   compression={"part": "gzip", "nested.x": "snappy", "nested.y": "none", "key": "brotli"})
    report = sortie.sort_parquet(tmp_path / "in.parquet", f"{tmp_path}/out/", by="key", partition_by="part")
    for path in report.files:
        file = pq.ParquetFile(path)
        group = file.metadata.row_group(0)
        assert [group.column(i).compression for i in range(3)] == ["SNAPPY", "UNCOMPRESSED", "BROTLI"]
        assert all(group.column(i).has_column_index for i in range(3))
        assert file.schema_arrow.metadata == {b"who": b"me"}
    assert report.to_arrow().sort_by("key").equals(table)


@pytest.mark.parametrize("name", ["csv", "csv.gz", "arrow"])
def test_other_formats_are_partitioned_too(tmp_path, name):
    (tmp_path / "in.csv").write_text("part,key\nb,2\na,3\nb,1\n,0\n")
    report = sortie.sort_parquet(tmp_path / "in.csv", f"{tmp_path}/out/", by="key", partition_by="part",
                                 output_format=name)
    assert [os.path.relpath(path, tmp_path / "out") for path in report.files] == [
        f"part{value}/part-00000.{name}" for value in ("=", "=a", "=b")]
    assert [read(type(tmp_path)(path))["key"].to_pylist() for path in report.files] == [[0], [3], [1, 2]]
    assert report.to_arrow().to_pydict() == {"part": ["", "a", "b", "b"], "key": [0, 3, 1, 2]}


@pytest.mark.parametrize("name", ["parquet", "csv", "arrow"])
def test_a_table_without_rows_is_one_file_that_readers_understand(tmp_path, name):
    table = pa.table({"part": pa.array([], "string"), "key": pa.array([], "int64")})
    pq.write_table(table, tmp_path / "in.parquet")
    report = sortie.sort_parquet(tmp_path / "in.parquet", f"{tmp_path}/out/", by="key", partition_by="part",
                                 output_format=name)
    assert os.listdir(tmp_path / "out") == [f"part-00000.{name}"] and report.num_files == 1
    assert report.files == [f"{tmp_path}/out/part-00000.{name}"]
    assert report.to_arrow().equals(table)
    found = pyarrow.dataset.dataset(tmp_path / "out", format=name, partitioning="hive").to_table()
    assert (found.num_rows, found.column_names) == (0, ["part", "key"])
    again = sortie.sort_parquet(tmp_path / "out", tmp_path / "again.parquet", by=["part", "key"])
    assert (again.num_rows, again.schema.names) == (0, ["part", "key"])


def test_duckdb_reads_a_hive_folder_without_rows(tmp_path):
    duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed")
    pq.write_table(pa.table({"part": pa.array([], "string"), "key": pa.array([], "int64")}), tmp_path / "in.parquet")
    sortie.sort_parquet(tmp_path / "in.parquet", f"{tmp_path}/out/", by="key", partition_by="part")
    found = duckdb.sql(f"select * from read_parquet('{tmp_path}/out/**/*.parquet', hive_partitioning=true)")
    assert found.columns == ["part", "key"] and found.fetchall() == []


def test_one_row_is_one_file(tmp_path):
    pq.write_table(pa.table({"part": ["a"], "key": [1]}), tmp_path / "in.parquet")
    report = sortie.sort_parquet(tmp_path / "in.parquet", f"{tmp_path}/out/", by="key", partition_by="part")
    assert report.num_files == 1 and "\nfiles      1\n" in str(report)


def test_actions_go_by_partition_columns_and_keys(tmp_path):
    pq.write_table(pa.table({"part": ["b", "a", "b", "a"], "key": [1, 1, 1, 2]}), tmp_path / "in.parquet")
    report = sortie.sort_parquet(tmp_path / "in.parquet", f"{tmp_path}/out/", by="key", partition_by="part",
                                 unique=True)
    assert report.to_arrow().to_pydict() == {"part": ["a", "a", "b"], "key": [1, 2, 1]}


def test_the_index_of_pandas_may_name_folders(tmp_path):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"key": [2, 1]}, index=pandas.Index(["b", "a"], name="part"))
    frame.to_parquet(tmp_path / "in.parquet")
    report = sortie.sort_parquet(tmp_path / "in.parquet", f"{tmp_path}/out/", by="key", partition_by="part")
    assert pq.read_table(report.files[0], partitioning=None).to_pandas().to_dict("list") == {"key": [1]}
    assert report.to_pandas().equals(frame.sort_index())


REFUSED = {
    "floats": ({"part": pa.array([1.5])}, {},
               "partition_by names the column 'part' of 'in.parquet', of type double: names of folders "
               "tell integers, bools, texts, dates, and timestamps without a zone; cast it, or take another"),
    "times in a zone": ({"part": pa.array([0], pa.timestamp("us", "UTC"))}, {},
                        "partition_by names the column 'part' of "
                        "'in.parquet', of type timestamp[us, tz=UTC]: names of folders tell integers, bools, texts, "
                        "dates, and timestamps without a zone; cast it, or take another"),
    "lists": ({"part": pa.array([[1]])}, {},
              "partition_by names the column 'part' of 'in.parquet', of type list<element: int64>: "
              "names of folders tell integers, bools, texts, dates, and timestamps without a zone; cast it, or take "
              "another"),
    "a strange name": ({"_part": pa.array([1])}, {"partition_by": "_part"},
                       "partition_by names the column '_part' of 'in.parquet': "
                       "readers do not find folders of a name that is empty, has '/', '=' or '%', or begins with '.' "
                       "or '_'; rename the column, or take another"),
    "a column that is not there": ({"part": pa.array([1])}, {"partition_by": ["part", "no"]},
                                   "partition_by names the column 'no', "
                                   "which 'in.parquet' does not have; it has part, key"),
    "a field": ({"part": pa.array([{"x": 1}])}, {"partition_by": "part.x"},
                "partition_by names the column 'part.x', which "
                "'in.parquet' does not have; it has part, key"),
    "a column twice": ({"part": pa.array([1])}, {"partition_by": ["part", 0]},
                       "partition_by names the column 'part' twice: leave "
                       "one of the two out"),
    "all columns": ({"part": pa.array([1])}, {"partition_by": ["part", "key"]},
                    "partition_by names all columns, so that none is "
                    "left for the files: leave one out"),
    "no columns": ({"part": pa.array([1])}, {"partition_by": []}, "partition_by is empty: name a column at least"),
    "the word for nulls": ({"part": pa.array(["__HIVE_DEFAULT_PARTITION__"])}, {}, "column 'part' has the value "
                           "'__HIVE_DEFAULT_PARTITION__', which as the name of a folder means something else: change "
                           "it, or partition by another column"),
    "a far date": ({"part": pa.array([3_000_000], pa.date32())}, {},
                   "column 'part' has the value '10183-09-21', which as the "
                   "name of a folder means something else: change it, or partition by another column"),
    "a long text": ({"part": pa.array(["a" * 300])}, {},
                    "cannot write 'out/part=" + "a" * 300 + "/part-00000.parquet': File name too "
                    "long; choose a shorter name, of 255 bytes at most"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_name_folders_is_refused_and_nothing_is_left(tmp_path, monkeypatch, name):
    columns, options, message = REFUSED[name]
    monkeypatch.chdir(tmp_path)
    pq.write_table(pa.table({**columns, "key": [1]}), "in.parquet")
    with pytest.raises(sortie.Error) as caught:
        sortie.sort_parquet("in.parquet", "out/", by="key", **{"partition_by": "part", **options})
    assert str(caught.value) == message
    assert os.listdir() == ["in.parquet"]


def test_a_file_is_no_hive_folder(tmp_path):
    pq.write_table(pa.table({"part": [1], "key": [1]}), tmp_path / "in.parquet")
    with pytest.raises(sortie.ArgumentError, match="^partition_by is for a folder of files"):
        sortie.sort_parquet(tmp_path / "in.parquet", tmp_path / "out.parquet", by="key", partition_by="part")


def test_names_that_a_file_system_takes_for_the_same_are_refused(tmp_path, monkeypatch):
    from sortie.outputs import output_folder
    real = os.mkdir
    monkeypatch.setattr(output_folder.os, "mkdir",
                        lambda path, *mode: real(str(path).replace("part=A", "part=a"), *mode))
    pq.write_table(pa.table({"part": ["A", "a"], "key": [1, 2]}), tmp_path / "in.parquet")
    with pytest.raises(sortie.Error, match="takes the names of two of its folders for the same|No such file"):
        sortie.sort_parquet(tmp_path / "in.parquet", f"{tmp_path}/out/", by="key", partition_by="part")
    assert os.listdir(tmp_path) == ["in.parquet"]


def test_a_folder_that_somebody_added_is_told(tmp_path):
    pq.write_table(pa.table({"part": [1, 2], "key": [1, 2]}), tmp_path / "in.parquet")
    report = sortie.sort_parquet(tmp_path / "in.parquet", f"{tmp_path}/out/", by="key", partition_by="part")
    (tmp_path / "out" / "part=x").mkdir()
    with pytest.raises(sortie.Error, match="part=x': its name tells no int64$"):
        report.to_arrow()


def test_memory_does_not_grow_with_the_number_of_partitions(tmp_path, monkeypatch):
    """Nothing is kept of a file that is complete."""
    from sortie.outputs import part_writer

    pq.write_table(pa.table({"part": range(400), "key": range(400)}), tmp_path / "in.parquet")
    parts, counts, real = weakref.WeakSet(), [], part_writer.PartNames.next

    def next_part(self, place):
        parts.add(part := real(self, place))
        counts.append(len(parts))
        return part
    monkeypatch.setattr(part_writer.PartNames, "next", next_part)
    report = sortie.sort_parquet(tmp_path / "in.parquet", f"{tmp_path}/out/", by="key", partition_by="part")
    assert report.num_files == len(counts) == 400 and max(counts) <= 3


def test_the_command_partitions(tmp_path):
    pq.write_table(pa.table({"year": [2024, 2023], "month": [1, 2], "key": [1, 2]}), tmp_path / "in.parquet")
    done = subprocess.run([*COMMAND, "-k", "key", "--partition-by=year,month", "-o", "out/", "in.parquet"],
                          cwd=tmp_path, capture_output=True, text=True, timeout=100)
    assert (done.returncode, done.stderr) == (0, "")
    assert sorted(path.name for path in (tmp_path / "out").glob("*/*")) == ["month=1", "month=2"]
