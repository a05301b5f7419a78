"""Tables of other libraries come and go as they are: pyarrow, Polars, pandas and DuckDB, as they are on PyPI."""

import pytest

import sortie

ROWS = [(3, "c", None), (1, None, 1.5), (2, "b", -0.5), (1, "a", 0.0)]
IN_ORDER = [(1, "a", 0.0), (1, None, 1.5), (2, "b", -0.5), (3, "c", None)]
BY = ["number", "text"]


def columns():
    return {name: [row[i] for row in ROWS] for i, name in enumerate(("number", "text", "float"))}


def pyarrow_table():
    return pytest.importorskip("pyarrow").table(columns())


def test_pyarrow():
    pa = pytest.importorskip("pyarrow")
    table = pyarrow_table()
    for data in (table, table.to_batches()[0], table.to_reader(), table.to_batches(),
                 [table.slice(0, 2), table.slice(2)],
                 pa.StructArray.from_arrays([c.combine_chunks() for c in table.columns], table.column_names)):
        result = pa.table(sortie.sort_table(data, BY))
        assert [tuple(row.values()) for row in result.to_pylist()] == IN_ORDER
        assert result.schema == table.schema
    assert pa.RecordBatchReader.from_stream(sortie.sort_table(table, BY)).read_all().num_rows == 4


def test_polars():
    pl = pytest.importorskip("polars")
    frame = pl.DataFrame(columns())
    for data in (frame, frame.iter_slices(3), sortie.sort_table(frame, "float")):
        result = pl.DataFrame(sortie.sort_table(data, BY))
        assert result.rows() == IN_ORDER
        assert result.schema == frame.schema
    categories = frame.with_columns(pl.col("text").cast(pl.Categorical), list=pl.concat_list("number", "number"))
    result = pl.DataFrame(sortie.sort_table(categories, BY))
    assert result.schema == categories.schema and result["text"].to_list() == ["a", None, "b", "c"]
    if hasattr(pl.LazyFrame, "collect_batches"):
        assert pl.DataFrame(sortie.sort_table(frame.lazy(), BY)).rows() == IN_ORDER
    else:
        with pytest.raises(TypeError, match=r"not LazyFrame: collect\(\) it first"):
            sortie.sort_table(frame.lazy(), BY)


def test_pandas():
    pd = pytest.importorskip("pandas", "3")
    frame = pd.DataFrame(columns())
    result = pd.DataFrame.from_arrow(sortie.sort_table(frame, BY))
    assert result["number"].tolist() == [1, 1, 2, 3] and result["text"].tolist()[0] == "a"
    with_times = pd.DataFrame({"when": pd.to_datetime(["2026-01-02", "2026-01-01"], utc=True), "row": [0, 1]})
    assert pd.DataFrame.from_arrow(sortie.sort_table(with_times, "when"))["row"].tolist() == [1, 0]


def test_duckdb():
    duckdb = pytest.importorskip("duckdb")
    pyarrow_table()
    connection = duckdb.connect()
    relation = connection.sql(f"select * from (values {', '.join(str(row).replace('None', 'null') for row in ROWS)}) "
                              "as t(number, text, float)")
    result = sortie.sort_table(relation, BY)  # noqa: F841 (DuckDB finds it by its name)
    assert [(number, text, None if value is None else float(value))
            for number, text, value in connection.sql("select * from result").fetchall()] == IN_ORDER


def test_a_stream_that_is_read_half_may_be_dropped(no_leftovers):
    pl = pytest.importorskip("polars")
    frame = pl.DataFrame({"a": range(300_000)})
    result = sortie.sort_table(frame, ("a", "descending"), memory="1MB", batch_rows=1000, scratch=no_leftovers)
    assert len(next(result)) == 1000
    del result
