"""Queries of Polars, relations of DuckDB and readers of pyarrow as steps in front of a sort and behind it."""

import pytest

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed (every test of this file)")
pl = pytest.importorskip("polars", reason="polars is not installed (every test of this file)")
if not hasattr(pl.LazyFrame, "collect_batches"):
    pytest.skip("Polars has no collect_batches() (every test of this file)", allow_module_level=True)
import pyarrow.parquet as pq  # noqa: E402

import sortie  # noqa: E402


def query(rows=1000):
    frame = pl.LazyFrame({"n": [i * 7919 % rows for i in range(rows)], "text": [f"é{i}" for i in range(rows)]})
    return frame.with_columns(half=pl.col("n") / 2)


def test_a_query_is_sorted_as_its_result_is():
    assert sortie.sort_table(query(), "n").to_polars().equals(query().collect().sort("n"))
    assert sortie.sort_table([query(), query()], "n").num_rows == 2000


def test_a_query_is_read_in_batches_and_not_collected(tmp_path, monkeypatch):
    query(200_000).sink_parquet(tmp_path / "in.parquet", row_group_size=10_000)
    monkeypatch.setattr(pl.LazyFrame, "collect", None)
    lazy = pl.scan_parquet(tmp_path / "in.parquet").filter(pl.col("n") % 2 == 0)
    with sortie.Sorter(by="n", memory="1MB") as sorter:
        sorter.push(lazy)
        rows = [pa.record_batch(batch) for batch in sorter]
    assert pa.Table.from_batches(rows)["n"].to_pylist() == list(range(0, 200_000, 2))
    assert sorter is not None and len(rows) > 1


def test_a_query_without_rows_has_its_columns():
    result = sortie.sort_table(query().filter(pl.col("n") < 0), "n")
    assert result.num_rows == 0 and result.schema.names == ["n", "text", "half"]


def test_queries_are_grouped_joined_and_ordered_on_curves():
    groups = sortie.group_table(query(), "n", ["count"]).to_arrow()
    assert groups.num_rows == 1000 and set(groups["count"].to_pylist()) == {1}
    joined = sortie.join_tables(query(10), query(10), on="n").to_arrow()
    assert joined["n"].to_pylist() == list(range(10))
    on_curve = sortie.sort_table(query(), ["n", "half"], curve="hilbert").to_arrow()
    assert on_curve["n"].to_pylist() == list(range(1000))


def test_what_a_query_raises_is_told():
    failing = query().with_columns(pl.col("text").str.to_integer(base=10, strict=True))
    with pytest.raises(sortie.Error, match="the stream of rows failed"):
        sortie.sort_table(failing, "n")


def test_a_missing_column_of_a_query_is_named():
    with pytest.raises(sortie.Error, match="no"):
        sortie.sort_table(query(), "no")


def test_a_relation_is_a_step_in_front_and_the_result_one_behind(tmp_path):
    duckdb = pytest.importorskip("duckdb")
    rows = query().collect().to_arrow()
    relation = duckdb.sql("select n, n % 10 as digit from rows where n < 100")
    result = sortie.sort_table(relation, ["digit", "n"]).to_reader()
    assert duckdb.sql("select digit, max(n) from result group by digit order by digit").fetchall()[3] == (3, 93)
    reader = pa.RecordBatchReader.from_batches(rows.schema, iter(rows.to_batches(100)))
    pq.write_table(sortie.sort_table(reader, "n").to_arrow(), tmp_path / "out.parquet")
    assert pl.read_parquet(tmp_path / "out.parquet")["n"].is_sorted()
