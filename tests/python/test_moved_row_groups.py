"""sort_parquet(merge=True): row groups into which no row of another file belongs are moved as they are. The rows and their order
are those of a merge that decodes all, and other readers read them."""

import decimal
import os
import random

import pytest

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed (every test of this file)")
import pyarrow.parquet as pq  # noqa: E402
import random_tables  # noqa: E402
from table_files import read  # noqa: E402

import sortie  # noqa: E402

GROUP_ROWS = 100


def whole_table(rows, keys=None, seed=0):
    r = random.Random(seed)
    keys = sorted(keys if keys is not None else [r.randrange(rows * 3) for _ in range(rows)])
    return pa.table({
        "key": keys, "at": range(rows), "text": [f"row {row}" if row % 7 else None for row in range(rows)],
        "word": pa.array([f"word {r.randrange(20)}" for _ in range(rows)]).dictionary_encode(),
        "list": [[row] * (row % 4) if row % 5 else None for row in range(rows)],
        "place": [{"x": row, "tags": [str(row)]} if row % 3 else None for row in range(rows)],
        "price": pa.array([decimal.Decimal(row).scaleb(-2) for row in range(rows)], pa.decimal128(9, 2))})


def files_of(folder, tables, **options):
    options = {"row_group_size": GROUP_ROWS, "compression": "zstd", **options}
    paths = [folder / f"in-{number:03}.parquet" for number in range(len(tables))]
    for path, table in zip(paths, tables):
        pq.write_table(table, path, **options)
    return paths


def slices(table, count):
    size = -(-table.num_rows // count)
    return [table.slice(begin, size) for begin in range(0, table.num_rows, size)]


def merged(paths, output, by="key", **options):
    """The report, after a look at all rows by a merge that decodes them: one that counts them."""
    options = {"row_group_rows": GROUP_ROWS, **options}
    report = sortie.sort_parquet(paths, output, by=by, merge=True, **options)
    decoded = sortie.sort_parquet(paths, output.with_name("decoded.parquet"), by=by, merge=True, top=10**9, **options)
    assert decoded.moved_row_groups == 0
    expected, found = read(output.with_name("decoded.parquet")), read(output)
    assert found.schema.equals(expected.schema, check_metadata=True)
    assert repr(found.to_pylist()) == repr(expected.to_pylist())
    assert report.output_records == decoded.output_records == expected.num_rows
    return report


def test_files_one_behind_the_other_are_moved(tmp_path):
    paths = files_of(tmp_path, slices(whole_table(4000), 8))
    report = merged(paths[::-1], tmp_path / "out.parquet")
    assert report.moved_row_groups == 40
    assert "40 row groups moved as they are" in str(report)
    footer = pq.read_metadata(tmp_path / "out.parquet")
    assert footer.num_row_groups == 40
    assert all(footer.row_group(group).sorting_columns == (pq.SortingColumn(0, False, False),) for group in range(40))
