"""unique=True with keep=...: which of the rows with equal keys is left."""

import random
import subprocess

import pytest

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed (every test of this file)")
import pyarrow.parquet as pq  # noqa: E402
import random_tables  # noqa: E402
from table_files import COMMAND, read, write  # noqa: E402

import sortie  # noqa: E402

KINDS = list(random_tables.KEYS)


def expected(table, key, keep):
    """The rows that are left, by Python."""
    rows = random_tables.expected_rows(table, [(key, False, False)])
    which, _, column = keep.partition(":")
    groups = {}
    for row in rows:
        groups.setdefault(repr(row[key]), []).append(row)
    if not column:
        return [group[0 if which == "first" else -1] for group in groups.values()]
    falls = which == "max"
    return [random_tables.expected_rows(pa.Table.from_pylist(group, table.schema), [(column, falls, False)])[0]
            for group in groups.values()]


def table_of(seed, count, kind):
    r = random.Random(seed)
    value = random_tables.random_column(r, kind, count)
    keys = pa.array([r.choice([None, 1, 2, 3, 40, 41]) for _ in range(count)])
    return pa.table({"value": value, "key": keys, "at": range(count)})


@pytest.mark.parametrize("number", range(len(KINDS)))
def test_the_greatest_and_the_least_value_of_every_type(tmp_path, number):
    table = table_of(number, 300, KINDS[number])
    write(table, tmp_path / "in.arrow")
    for keep in ("max:value", "min:value"):
        report = sortie.sort_parquet(tmp_path / "in.arrow", tmp_path / "out.arrow", by="key", unique=True, keep=keep)
        assert repr(read(tmp_path / "out.arrow").to_pylist()) == repr(expected(table, "key", keep))
        assert report.output_records == 6 and report.input_records == 300


@pytest.mark.parametrize("keep", ["first", "last", "max:value", "min:value"])
def test_a_merge_keeps_what_a_sort_keeps(tmp_path, keep):
    """Batches of some rows: stretches of equal keys go over many of them, and over all inputs."""
    table = table_of(7, 3000, pa.int16())
    paths = []
    for number in range(4):
        paths.append(tmp_path / f"{number}.parquet")
        pq.write_table(table.slice(number * 750, 750), paths[-1])
        sortie.sort_parquet(paths[-1], paths[-1], by="key", row_group_rows=20)
    options = {"by": "key", "unique": True, "keep": keep}
    of_sort = sortie.sort_parquet(paths, tmp_path / "sorted.parquet", **options)
    of_merge = sortie.sort_parquet(paths, tmp_path / "merged.parquet", merge=True, memory="256KiB", **options)
    assert read(tmp_path / "merged.parquet").to_pylist() == read(tmp_path / "sorted.parquet").to_pylist()
    assert read(tmp_path / "merged.parquet").to_pylist() == expected(table, "key", keep)
    assert of_merge.output_records == of_sort.output_records == 6


def test_last_is_what_keep_last_is(tmp_path):
    pq.write_table(table_of(1, 100, pa.int8()), tmp_path / "in.parquet")
    for name, how in (("a", {"keep": "last"}), ("b", {"keep_last": True})):
        sortie.sort_parquet(tmp_path / "in.parquet", tmp_path / f"{name}.parquet", by="key", unique=True, **how)
    assert (tmp_path / "a.parquet").read_bytes() == (tmp_path / "b.parquet").read_bytes()


def test_zeros_and_nans_are_told_apart_as_the_order_does(tmp_path):
    nan = float("nan")
    table = pa.table({"key": [0.0, nan, -0.0, nan, 0.0], "at": range(5)})
    pq.write_table(table, tmp_path / "in.parquet")
    report = sortie.sort_parquet(tmp_path / "in.parquet", tmp_path / "out.parquet", by="key", unique=True,
                                 keep="max:at")
    assert read(tmp_path / "out.parquet")["at"].to_pylist() == [2, 4, 3]
    assert report.output_records == 3


def test_the_first_keys_with_top(tmp_path):
    table = table_of(2, 500, pa.int32())
    pq.write_table(table, tmp_path / "in.parquet")
    report = sortie.sort_parquet(tmp_path / "in.parquet", tmp_path / "out.parquet", by="key", unique=True,
                                 keep="max:at", top=2)
    assert read(tmp_path / "out.parquet").to_pylist() == expected(table, "key", "max:at")[:2]
    assert report.output_records == 2 and "output     2 records" in str(report)


def test_values_of_csv_are_numbers(tmp_path):
    (tmp_path / "in.csv").write_text("key,value\na,9\na,10\nb,\nb,1\n")
    sortie.sort_parquet(tmp_path / "in.csv", tmp_path / "out.csv", by="key", unique=True, keep="max:value")
    assert (tmp_path / "out.csv").read_text().replace('"', "") == "key,value\na,10\nb,1\n"


def test_many_rows_of_one_key_in_little_memory(tmp_path, no_leftovers):
    rows = 60_000
    pq.write_table(pa.table({"key": [5] * rows, "value": [row * 7919 % rows for row in range(rows)],
                             "text": ["x" * 40] * rows}),
                   tmp_path / "in.parquet")
    report = sortie.sort_parquet(tmp_path / "in.parquet", tmp_path / "out.parquet", by="key", unique=True,
                                 keep="max:value",
                                 memory="256KiB", scratch=no_leftovers, stats_json=tmp_path / "stats.json")
    assert read(tmp_path / "out.parquet")["value"].to_pylist() == [rows - 1]
    assert report.output_records == 1 and '"output_records": 1,' in (tmp_path / "stats.json").read_text()


@pytest.mark.parametrize("keep, options, told", [
    ("most", {"unique": True}, "keep must be 'first', 'last', 'max:COLUMN' or 'min:COLUMN', not 'most'"),
    ("max:", {"unique": True}, "keep must be 'first', 'last', 'max:COLUMN' or 'min:COLUMN', not 'max:'"),
    ("max:at", {}, "keep needs unique"),
    ("max:at", {"unique": True, "keep_last": True}, "keep and keep_last are incompatible"),
    ("max:at", {"unique": True, "repeated": True}, "keep and repeated are incompatible"),
    ("max:gone", {"unique": True}, "keep names the column 'gone', which '.*in.parquet' does not have; it has key, at, "
     "tags"),
    ("max:tags", {"unique": True}, "key 'tags': values of type .* have no order"),
])
def test_what_is_not_kept_is_refused_and_the_output_stays(tmp_path, keep, options, told):
    pq.write_table(pa.table({"key": [1, 1], "at": [1, 2], "tags": [[1], []]}), tmp_path / "in.parquet")
    (tmp_path / "out.parquet").write_bytes(b"as it was")
    with pytest.raises(sortie.Error, match=told):
        sortie.sort_parquet(tmp_path / "in.parquet", tmp_path / "out.parquet", by="key", keep=keep, **options)
    assert (tmp_path / "out.parquet").read_bytes() == b"as it was"


def test_keep_is_a_str(tmp_path):
    with pytest.raises(sortie.ArgumentTypeError, match="keep must be a str, not int"):
        sortie.sort_parquet(tmp_path / "in.parquet", tmp_path / "out.parquet", by="key", unique=True, keep=1)


def test_the_command_keeps(tmp_path):
    table = table_of(3, 200, pa.int32())
    pq.write_table(table, tmp_path / "in.parquet")
    for keep in ("first", "last", "max:at", "min:value"):
        ended = subprocess.run([*COMMAND, "-u", f"--keep={keep}", "--key=key", "-o", tmp_path / "out.parquet",
                                tmp_path / "in.parquet"],
                               capture_output=True, text=True)
        assert (ended.returncode, ended.stderr) == (0, "")
        assert read(tmp_path / "out.parquet").to_pylist() == expected(table, "key", keep)
    ended = subprocess.run([*COMMAND, "--keep=max:at", "--key=key", "-o", tmp_path / "out.parquet",
                            tmp_path / "in.parquet"],
                           capture_output=True, text=True)
    assert ended.returncode == 2 and ended.stderr.startswith("sortie-parquet: --keep needs --unique")


@pytest.mark.parametrize("keep", ["first", "last", "max:value", "min:value"])
def test_sort_table_and_a_sorter_keep_what_sort_parquet_keeps(keep):
    table = table_of(11, 3000, pa.int16())
    options = {"by": "key", "unique": True, "keep": keep}
    result = sortie.sort_table(table, batch_rows=7, **options)
    assert isinstance(result, sortie.SortedTable) and result.schema == table.schema
    assert result.to_arrow().to_pylist() == expected(table, "key", keep)
    assert pa.table(result).num_rows == 6 and result.num_rows == 6  # they are kept
    with sortie.Sorter(**options) as sorter:
        for batch in table.to_batches(max_chunksize=500):
            sorter.push(batch)
        rows = [row for batch in sorter for row in pa.record_batch(batch).to_pylist()]
        assert rows == expected(table, "key", keep)
        assert (sorter.report.input_records, sorter.report.output_records) == (3000, 6)


def test_a_table_of_kept_rows_is_read_once_in_every_way(tmp_path):
    table = table_of(12, 500, pa.int32())
    options = {"by": [1], "unique": True, "keep": "max:value", "top": 3, "stats_json": tmp_path / "stats.json"}
    left = expected(table, "key", "max:value")[:3]
    ways = (lambda result: [row for batch in result.to_batches() for row in batch.to_pylist()],
            lambda result: [row for batch in result for row in pa.record_batch(batch).to_pylist()],
            lambda result: pa.table(result).to_pylist(),
            lambda result: pa.record_batch(next(result)).to_pylist() and left,
            lambda result: result.to_reader().read_all().to_pylist())
    for way in ways:
        result = sortie.sort_table(table, **options)
        assert "value" in repr(result) and way(result) == left
    result = sortie.sort_table(table, **options)
    with pytest.raises(sortie.Error, match="number of rows is not known"):
        _ = result.num_rows
    result.to_arrow()
    assert result.report.output_records == 3 and '"output_records": 3,' in (tmp_path / "stats.json").read_text()
    result.close()
    with pytest.raises(sortie.Error, match="closed"):
        result.to_arrow()


def test_tables_refuse_to_keep_by_a_column_that_is_not_there():
    table = table_of(1, 10, pa.int8())
    with pytest.raises(sortie.ArgumentError,
                       match="keep names the column 'gone', which the table does not have; it has value, key, at"):
        sortie.sort_table(table, "key", unique=True, keep="max:gone")
    with pytest.raises(sortie.ArgumentError, match="keep needs unique"):
        sortie.sort_table(table, "key", keep="last")
    with pytest.raises(sortie.ArgumentError, match="keep is for rows: give by, too"):
        sortie.Sorter(keep="last")
    with sortie.Sorter(by="key", unique=True, keep="min:at") as sorter:
        assert sorter.pull() is None


def test_the_command_names_keep_and_the_columns(tmp_path):
    pq.write_table(table_of(1, 10, pa.int8()), tmp_path / "in.parquet")
    ended = subprocess.run([*COMMAND, "-u", "--keep=max:nope", "--key=key", "-o", "out.parquet", "in.parquet"],
                           cwd=tmp_path, capture_output=True, text=True)
    assert (ended.returncode, ended.stderr) == (2, "sortie-parquet: --keep names the column 'nope', which 'in.parquet' "
                                                   "does not have; it has value, key, at\n")


def test_a_report_may_tell_of_a_sort_that_keeps(tmp_path):
    pq.write_table(table_of(5, 300, pa.int32()), tmp_path / "in.parquet")
    report = sortie.sort_parquet(tmp_path / "in.parquet", tmp_path / "out.parquet", by="key", unique=True,
                                 keep="max:at", report=tmp_path / "report.html", trace=tmp_path / "trace.json")
    assert report.output_records == 6 and "<html" in (tmp_path / "report.html").read_text()
    assert (tmp_path / "trace.json").stat().st_size > 0
