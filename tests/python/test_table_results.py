"""What sort_table() and sort_parquet() return: schema, rows in every form, how they show themselves, and what is read
once."""

import gc
import pickle

import pytest

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed (every test of this file)")
import pyarrow.csv  # noqa: E402
import pyarrow.parquet as pq  # noqa: E402

import sortie  # noqa: E402

TABLE = pa.table({"n": [3, 1, None, 2], "text": ["c", "a", "z", "b"]}, metadata={"who": "me"})
IN_ORDER = [1, 2, 3, None]


def sorted_table(**options):
    return sortie.sort_table(TABLE, "n", **options)


def sorted_file(folder, suffix=".parquet", **options):
    pq.write_table(TABLE, folder / "in.parquet")
    return sortie.sort_parquet(folder / "in.parquet", folder / f"out{suffix}", by="n", **options)


@pytest.fixture(params=["rows", ".parquet", ".arrow", ".csv"])
def result(request, tmp_path):
    return sorted_table() if request.param == "rows" else sorted_file(tmp_path, request.param)


def test_a_result_has_its_schema_and_its_rows_in_every_form(result):
    assert result.num_rows == 4 and result.schema.names == ["n", "text"]
    assert pa.schema(result).equals(result.schema)
    for _ in range(2):
        assert result.to_arrow()["n"].to_pylist() == IN_ORDER
        batches = list(result.to_batches())
        assert sum(batch.num_rows for batch in batches) == 4 and isinstance(batches[0], pa.RecordBatch)
        assert result.to_reader().read_all()["text"].to_pylist() == ["a", "b", "c", "z"]
        assert pa.table(result)["n"].to_pylist() == IN_ORDER
    assert result.to_arrow().schema.equals(result.schema)


def test_a_result_goes_to_pandas_polars_and_duckdb(result):
    pl, pd, duckdb = map(pytest.importorskip, ("polars", "pandas", "duckdb"))
    rows = result.to_polars()
    assert isinstance(rows, pl.DataFrame) and rows["n"].to_list() == IN_ORDER
    frame = result.to_pandas()
    assert isinstance(frame, pd.DataFrame) and frame["text"].tolist() == ["a", "b", "c", "z"]
    assert result.to_pandas(types_mapper=pd.ArrowDtype)["n"].dtype == pd.ArrowDtype(pa.int64())
    assert pl.DataFrame(result)["n"].to_list() == IN_ORDER
    assert duckdb.sql("select n from result").fetchall() == [(n,) for n in IN_ORDER]


def test_a_result_is_written_by_pyarrow_as_a_table_or_a_reader(result, tmp_path):
    import pyarrow.dataset

    pq.write_table(result.to_arrow(), tmp_path / "table.parquet")
    assert pq.read_table(tmp_path / "table.parquet")["n"].to_pylist() == IN_ORDER
    pyarrow.dataset.write_dataset(result.to_reader(), tmp_path / "set", format="parquet")
    assert pyarrow.dataset.dataset(tmp_path / "set").to_table()["n"].to_pylist() == IN_ORDER
    # What the README says of it.
    with pytest.raises(TypeError, match="expected pyarrow.lib.Table"):
        pq.write_table(result, tmp_path / "no.parquet")


def test_a_result_shows_its_first_rows_and_reads_none_of_them(result):
    for _ in range(2):
        shown = repr(result).splitlines()
        assert shown[1:4] == ["n      text", "int64  string",
                              "1      a"] and shown[-1] == "null   z" and len(shown) == 7
        assert "<td>int64</td>" in result._repr_html_() and "<td>c</td>" in result._repr_html_()
    assert pa.table(result)["n"].to_pylist() == IN_ORDER


def test_what_is_shown_of_rows_says_what_they_are():
    rows = sorted_table()
    assert repr(rows).splitlines()[0] == "sortie.SortedTable: 4 rows, 2 columns"
    assert repr(sorted_table(unique=True)).splitlines()[0] == "sortie.SortedTable: rows, 2 columns"
    empty = sortie.sort_table(TABLE.slice(0, 0), "n")
    assert repr(empty) == "sortie.SortedTable: 0 rows, 2 columns\nn      text\nint64  string"
    pa.table(rows)
    assert repr(rows) == "sortie.SortedTable: 4 rows, 2 columns, already read from\nn      text\nint64  string"
    one = sortie.sort_table(pa.table({"a": range(5000)}), "a")
    assert repr(one).splitlines()[0] == "sortie.SortedTable: 5,000 rows, 1 column" and len(repr(one).splitlines()) == 11


def test_long_wide_and_strange_values_are_shown_on_one_line_each():
    columns = {f"column {i}": [["x" * 100 + "\n"]] for i in range(40)}
    shown = repr(sortie.sort_table(pa.table({"tab\there": ["a\0b\r"], "wide": ["日本"], **columns}), 0)).splitlines()
    assert len(shown) == 5 and shown[-1].startswith("and ") and shown[-1].endswith(" more columns")
    assert all(line.isprintable() and len(line) < 120 for line in shown)
    assert shown[1].startswith("tab�here  wide  ") and shown[3].startswith("a�b�      日本  ")
    html = sortie.sort_table(pa.table({"<b>": ["<i>&"]}), 0)._repr_html_()
    assert "<th>&lt;b&gt;</th>" in html and "<td>&lt;i&gt;&amp;</td>" in html
    # Times in ns that Python's datetime does not hold.
    late = pa.table({"t": pa.array([2**63 - 1], pa.timestamp("ns"))})
    assert "2262" in repr(sortie.sort_table(late, "t"))


def test_rows_that_are_not_kept_are_read_once():
    for consume in (list, lambda rows: list(rows.to_batches()), lambda rows: rows.to_reader().read_all(), pa.table):
        rows = sorted_table()
        consume(rows)
        for again in (rows.to_arrow, rows.to_polars, lambda: list(rows.to_batches())):
            with pytest.raises(sortie.Error, match="sorted rows are read once"):
                again()
        assert rows.num_rows == 4


def test_rows_of_which_some_were_read_are_not_taken_for_a_table():
    rows = sortie.sort_table(pa.table({"a": range(100)}), "a", batch_rows=10)
    next(rows)
    with pytest.raises(sortie.Error, match="sorted rows are read once"):
        rows.to_arrow()
    assert len(list(rows)) == 9


def test_kept_rows_are_read_by_several_at_once_and_freed_by_close():
    rows = sortie.sort_table(pa.table({"a": range(100)}), "a", batch_rows=10, memory="1MB")
    kept = rows.to_arrow()
    one, other = rows.to_reader(), pa.RecordBatchReader.from_stream(rows)
    assert [one.read_next_batch()["a"][0].as_py(), other.read_next_batch()["a"][0].as_py()] == [0, 0]
    assert one.read_all().num_rows == other.read_all().num_rows == 90 and len(list(rows)) == 10
    assert rows.report.output_records == 100
    before = pa.total_allocated_bytes()
    rows.close()
    with pytest.raises(ValueError, match="closed"):
        rows.to_arrow()
    del one, other
    gc.collect()
    assert kept["a"].to_pylist() == list(range(100)) and pa.total_allocated_bytes() <= before


@pytest.mark.parametrize("options, count", [({"unique": True}, 3), ({"repeated": True}, 1), ({"only_once": True}, 2),
                                            ({"sample": 2}, 2), ({"unique": True, "top": 2}, 2)])
def test_the_number_of_rows_is_told_when_it_is_known(options, count):
    rows = sortie.sort_table(pa.table({"a": [1, 2, 2, 3]}), "a", **options)
    with pytest.raises(sortie.Error, match="not known before they have been read, as some are left out: .*to_arrow"):
        _ = rows.num_rows
    assert rows.to_arrow().num_rows == rows.num_rows == count


@pytest.mark.parametrize("top, count", [(2, 2), (4, 4), (9, 4)])
def test_the_number_of_the_first_rows_is_known(top, count):
    rows = sorted_table(top=top)
    assert rows.num_rows == count == rows.to_arrow().num_rows == rows.num_rows


def test_an_error_of_the_rows_comes_out_of_batches_as_it_is():
    def refuse(*_):
        if armed:
            raise LookupError("enough")
    armed = []
    rows = sortie.sort_table(pa.table({"a": range(300_000)}), "a", memory="1MB", progress=refuse, batch_rows=1000)
    armed.append(True)
    with pytest.raises(LookupError, match="enough"):
        list(rows.to_batches())


def test_metadata_and_the_index_of_pandas_come_back():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"n": [2, 1]}, index=pd.Index(["x", "y"], name="label"))
    assert sortie.sort_table(frame, "n").to_pandas().index.tolist() == ["y", "x"]
    assert sorted_table().schema.metadata == {b"who": b"me"}


def test_a_report_leads_to_the_file_and_is_a_report(tmp_path):
    report = sorted_file(tmp_path)
    assert isinstance(report, sortie.Report) and report.output_records == 4 and "input " in str(report)
    assert report.path == str(tmp_path / "out.parquet")
    assert repr(report).startswith("<sortie.TableReport: 4 records, ")
    again = pickle.loads(pickle.dumps(report))
    assert again.to_dict() == report.to_dict() and again.to_arrow().equals(report.to_arrow())
    assert report.to_arrow().equals(pq.read_table(report.path))
    (tmp_path / "out.parquet").unlink()
    assert len(repr(report).splitlines()) == 1 and report.num_rows == 4 and "<table>" in report._repr_html_()
    with pytest.raises(FileNotFoundError, match="out.parquet"):
        report.to_arrow()


def test_a_report_with_assumptions_leads_to_the_file_too(tmp_path):
    (tmp_path / "in.csv").write_text("a\n007\n1\n")
    report = sortie.sort_parquet(tmp_path / "in.csv", tmp_path / "out.parquet", by="a", warn=lambda message: None)
    assert report.assumptions and report.to_arrow()["a"].to_pylist() == [1, 7]


def test_what_needs_a_module_says_so(run_python):
    told = run_python("""
import sys
import pyarrow, sortie

class Table:
    stream = pyarrow.table({"a": [2, 1]}).__arrow_c_stream__()
    def __arrow_c_stream__(self, requested_schema=None):
        return self.stream

sys.modules["pyarrow"] = sys.modules["pandas"] = None
result = sortie.sort_table(Table(), "a")
print(result)
for name in ("to_arrow", "to_pandas"):
    try:
        getattr(result, name)()
    except sortie.Error as error:
        print(error)
print(result.num_rows, [len(batch) for batch in result])
""")
    assert told.returncode == 0, told.stderr
    assert told.stdout.splitlines() == [
        "sortie.SortedTable: 2 rows, 1 column",
        "to_arrow() needs pyarrow, which is not installed: pip install 'sortie-sort[parquet]'",
        "to_pandas() needs pandas, which is not installed: pip install pandas", "2 [2]"]


def test_kept_rows_are_iterated_any_number_of_times():
    result = sortie.sort_table(pyarrow.table({"n": [2, 1]}), "n")
    result.to_arrow()
    for _ in range(2):
        assert [len(batch) for batch in result] == [2]


def test_rows_that_are_not_kept_are_iterated_once():
    result = sortie.sort_table(pyarrow.table({"n": [2, 1]}), "n")
    assert [len(batch) for batch in result] == [2]
    with pytest.raises(sortie.Error, match="read once"):
        list(result)


def test_what_python_has_no_value_for_is_shown():
    far = [pyarrow.array([2**62], type) for type in (pyarrow.timestamp("s"), pyarrow.duration("s"))]
    day = pyarrow.array([2**31 - 1], pyarrow.int32()).cast(pyarrow.date32())
    zone = pyarrow.array([1], pyarrow.timestamp("s", "Nowhere/Town"))
    text = pyarrow.StringArray.from_buffers(1, pyarrow.py_buffer(b"\0\0\0\0\1\0\0\0"), pyarrow.py_buffer(b"\xff"))
    table = pyarrow.table([*far, day, zone, text, pyarrow.array([1])], names=list("abcdek"))
    result = sortie.sort_table(table, "k")
    assert str(2**62) in repr(result) and "<table>" in result._repr_html_()


def test_a_closed_table_says_so_as_an_error_of_the_package():
    result = sortie.sort_table(pyarrow.table({"n": [2, 1]}), "n")
    result.close()
    assert "closed" in repr(result)
    with pytest.raises(sortie.ArgumentError, match="closed"):
        result.to_arrow()


def test_all_results_say_alike_that_they_are_closed():
    table = pyarrow.table({"n": [2, 1]})
    results = sortie.sort_table(table, "n"), sortie.group_table(table, "n", "count"), sortie.join_tables(table, table,
                                                                                                         "n")
    for result in results:
        begun = result.to_batches()
        result.close()
        for read in (result.to_arrow, lambda: list(result), lambda: list(result.to_batches()), lambda: list(begun)):
            with pytest.raises(sortie.ArgumentError, match="^it is closed: sort again$"):
                read()


def test_polars_gets_a_stream_and_nothing_to_iterate_over(monkeypatch, tmp_path):
    """Before 1.31 it would make rows of objects of whatever is iterable; before 1.3 it takes no stream."""
    polars = pytest.importorskip("polars")
    table = pyarrow.table({"n": [2, 1, 2]})
    pyarrow.parquet.write_table(table, tmp_path / "in.parquet")
    made = (lambda: sortie.sort_table(table, "n"),
            lambda: sortie.join_tables(table, table.slice(1, 1), "n", how="left"),
            lambda: sortie.group_table(table, "n", "count"),
            lambda: sortie.sort_parquet(tmp_path / "in.parquet", tmp_path / "out.parquet", by="n"))
    expected = [make().to_polars()["n"].to_list() for make in made]
    assert expected == [[1, 2, 2], [1, 2, 2], [1, 2], [1, 2, 2]]
    frame = polars.DataFrame
    for takes_streams in (True, False):
        def of_old(data, takes_streams=takes_streams):
            assert not hasattr(data, "__iter__")
            if not takes_streams:
                raise TypeError(f"unsupported type {type(data).__name__!r}")
            return frame(data)
        with monkeypatch.context() as changed:
            changed.setattr(polars, "DataFrame", of_old)
            assert [make().to_polars()["n"].to_list() for make in made] == expected


def test_a_table_is_not_pickled():
    with pytest.raises(sortie.ArgumentTypeError, match="to_arrow"):
        pickle.dumps(sortie.sort_table(pyarrow.table({"n": [2, 1]}), "n"))


@pytest.mark.parametrize("by, descending, error", [({"n"}, None, TypeError), ({"n": 1}, None, TypeError),
                                                   (["n"], {True}, TypeError), (2**70, None, sortie.Error)])
def test_keys_without_an_order_or_a_column_are_refused(by, descending, error):
    with pytest.raises(error) as caught:
        sortie.sort_table(pyarrow.table({"n": [2, 1]}), by, descending=descending)
    assert isinstance(caught.value, sortie.Error)


def test_a_report_finds_its_file_from_another_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pyarrow.parquet.write_table(pyarrow.table({"n": [2, 1]}), "in.parquet")
    report = sortie.sort_parquet("in.parquet", "out.parquet", by="n")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir("elsewhere")
    assert report.to_arrow()["n"].to_pylist() == [1, 2]
    assert pickle.loads(pickle.dumps(report)).to_arrow().num_rows == 2


def test_a_batch_shows_its_sizes_and_first_rows():
    batch = next(iter(sortie.sort_table(pa.table({"a": list(range(1000, 0, -1)), "b": ["x"] * 1000}), "a")))
    told = repr(batch).splitlines()
    assert told[:4] == ["sortie.SortedBatch: 1,000 rows, 2 columns", "a      b", "int64  string", "1      x"]
    assert len(told) == 3 + 8
    assert batch._repr_html_().startswith("<table><caption>1,000 rows, 2 columns</caption>")
    assert len(batch) == 1000
    assert repr(next(iter(sortie.sort_table(pa.table({"a": [1]}), "a")))).startswith("sortie.SortedBatch: 1 row, 1 "
                                                                                     "column\n")
