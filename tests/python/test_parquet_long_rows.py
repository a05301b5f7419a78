"""Rows that are long come in few at a time: a limit in bytes holds whatever the rows are."""

import pytest

import sortie

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed (every test of this file)")
pq = pytest.importorskip("pyarrow.parquet")

ROWS, ROW_BYTES = 120, 100_000


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "in.parquet"
    keys = [i * 37 % ROWS for i in range(ROWS)]
    pq.write_table(pa.table({"key": keys, "text": [f"{key:0{ROW_BYTES}}" for key in keys]}), path, use_dictionary=False)
    return path


def test_row_groups_end_where_their_bytes_do(path, monkeypatch):
    monkeypatch.setattr("sortie.parquet.row_group._ROW_GROUP_BYTES", 1 << 20)
    output = path.parent / "out.parquet"
    sortie.sort_parquet(path, output, by="key", memory="16MB", threads=1)
    metadata = pq.read_metadata(output)
    counts = [metadata.row_group(i).num_rows for i in range(metadata.num_row_groups)]
    assert set(counts[:-1]) == {11} and sum(counts) == ROWS
    assert pq.read_table(output, columns=["key"])["key"].to_pylist() == list(range(ROWS))


def test_a_row_that_is_longer_than_a_row_group_has_its_own(path, monkeypatch):
    monkeypatch.setattr("sortie.parquet.row_group._ROW_GROUP_BYTES", 1)
    sortie.sort_parquet(path, path, by="key", threads=1)
    assert pq.read_metadata(path).num_row_groups == ROWS


def test_batches_that_are_read_and_written_have_few_long_rows(path, monkeypatch):
    from sortie.parquet import parquet_input
    from sortie.outputs import table_writers
    read = [batch.num_rows for batch in parquet_input.ParquetInput(str(path)).batches(False)]
    assert sum(read) == ROWS and max(read) * ROW_BYTES <= 2 << 20
    written = []
    write = table_writers.ParquetWriter.write
    monkeypatch.setattr(table_writers.ParquetWriter, "write",
                        lambda self, batch: (written.append(batch.num_rows), write(self, batch)))
    sortie.sort_parquet(path, path.parent / "out.parquet", by="key", threads=1)
    assert sum(written) == ROWS and max(written) * ROW_BYTES <= 4 << 20
