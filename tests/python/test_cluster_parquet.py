"""Parquet files on a cluster of this machine: the rows, their order and the schema are those of sort_parquet()."""

import json
import os
import random
import signal
import subprocess
import sys

import pytest

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed (every test of this file)")
import pyarrow.parquet as pq  # noqa: E402
import random_tables  # noqa: E402
from cluster_jobs import DRIVER  # noqa: E402
from cluster_tables import Tables, few_valued, same  # noqa: E402
from table_files import SCHEMA  # noqa: E402

import sortie  # noqa: E402
import sortie.cluster  # noqa: E402
from sortie.cluster import command_line  # noqa: E402
from sortie.cluster.shards import Input, plan_shards, spread_places  # noqa: E402


@pytest.fixture
def tables(tmp_path):
    return Tables(tmp_path, shard="16K")


@pytest.fixture
def own_main(monkeypatch, capfd):
    """Runs what the driver's process runs in this one, which has pyarrow, and returns its status and what it told."""
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    handlers = [signal.getsignal(number) for number in numbers]

    def run(folder, *words):
        monkeypatch.chdir(folder)
        monkeypatch.setattr(sys, "argv", ["sortie-cluster", *words])
        with pytest.raises(SystemExit) as ended:
            command_line.main()
        return ended.value.code, capfd.readouterr().err
    yield run
    for number, handler in zip(numbers, handlers):
        signal.signal(number, handler)


def kept_by_parquet(table, keys, folder):
    """The columns whose types Parquet has: what pyarrow writes and reads again."""
    kept = []
    for name in table.column_names:
        try:
            pq.write_table(table.select([name]), folder / "try.parquet")
            pq.read_table(folder / "try.parquet")
            kept.append(name)
        except (pa.ArrowException, OSError):
            pass
    (folder / "try.parquet").unlink(missing_ok=True)
    return table.select(kept), [key for key in keys if key[0] in kept]


@pytest.mark.parametrize("seed", range(8))
def test_rows_of_every_type_come_in_the_order_of_one_machine(tmp_path, seed):
    table, keys = kept_by_parquet(*random_tables.random_table(seed, 350), tmp_path)
    table = table.append_column("last", pa.array([row * 7 % 5 for row in range(350)]))
    keys = [*keys, ("last", False, True)]
    tables = Tables(tmp_path, [table.slice(0, 200), table.slice(200)], row_group_rows=45)
    if seed % 2:
        tables.output = tmp_path / "parts" / "part-{:03d}.parquet"
    report = tables.check(random_tables.words_of(keys), {"shard": max(1, table.nbytes // 4), "ranges": 2})
    assert report.input_records == report.output_records == 350


@pytest.mark.parametrize("options, output", [
    ({}, "out.parquet"), ({"null_placement": "at_start"}, "parts/{:02d}.parquet"), ({"unique": True}, "out.parquet"),
    ({"top": 100}, "out.parquet"), ({"unique": True, "keep_last": True}, "out.parquet"),
    ({"repeated": True}, "out.parquet"), ({"repeated": True, "keep_last": True}, "parts/{:02d}.parquet"),
    ({"only_once": True}, "out.parquet"), ({"strict": True}, "out.parquet"),
    ({"top": 2, "unique": True}, "parts/{:02d}.parquet")])
def test_equal_keys_keep_their_order_through_files_and_row_groups(tables, options, output):
    tables.output = tables.folder / output
    report = tables.check([("few", "descending")], {"shard": "20K"}, **options)
    assert report.shards > 3 and report.runs >= 3 and report.retries == 0


def test_rows_of_fixed_width_are_records_of_fixed_length(tmp_path):
    r = random.Random(1)
    tables = Tables(tmp_path, [pa.table({
        "when": pa.array([r.choice([None, r.randrange(50)]) for _ in range(2000)], pa.timestamp("us", "Europe/Berlin")),
        "amount": pa.array([r.choice([None, float("nan"), -0.0, 0.0, r.random()]) for _ in range(2000)]),
        "row": range(2000)})], row_group_rows=300)
    tables.check([("when", "descending", "at_start"), "amount"])
    assert "--format=fixed:" in "".join(json.loads((tables.job / "request.json").read_text())["options"])


@pytest.mark.parametrize("name", ["out.PARQUET", "parts/{:02d}.Parquet"])
def test_the_suffix_of_the_output_may_be_in_capitals(tmp_path, name):
    tables = Tables(tmp_path, [few_valued(100, 1)])
    tables.output = tmp_path / name
    tables.check("few")


def test_many_small_files_and_row_groups_of_one_row(tmp_path):
    tables = Tables(tmp_path, [few_valued(3, seed) for seed in range(5)], row_group_rows=1)
    report = tables.check("few", {"shard": "1G", "ranges": 2})
    assert report.shards == 5


def test_files_without_rows_give_one_without_rows(tmp_path):
    tables = Tables(tmp_path, [few_valued(0, 1), few_valued(0, 2)])
    tables.check("few")
    empty = pa.schema(SCHEMA).empty_table()
    with pq.ParquetWriter(tables.inputs[0], SCHEMA):
        pass
    assert pq.read_metadata(tables.inputs[0]).num_row_groups == 0
    pq.write_table(empty, tables.inputs[1])
    tables.job, tables.output = tmp_path / "again", tmp_path / "parts" / "p{}.parquet"
    tables.check("key")


def test_words_of_dictionaries_may_differ_between_files_and_lie_deep(tmp_path):
    words = pa.dictionary(pa.int8(), pa.string())
    schema = pa.schema([("kind", pa.dictionary(pa.int16(), pa.string())),
                        ("all", pa.list_(pa.struct([("of", words), ("x", pa.map_(pa.string(), words))])))])
    tables = []
    for begin in (0, 40):
        names = [f"word {begin + row * 7 % 60}" for row in range(60)]
        kind = pa.array([None if row % 9 == 0 else name for row, name in enumerate(names)]).dictionary_encode()
        nested = pa.array([[{"of": name, "x": [(name, name)]}, None] for name in names], pa.list_(
            pa.struct([("of", pa.string()), ("x", pa.map_(pa.string(), pa.string()))])))
        kind = pa.DictionaryArray.from_arrays(kind.indices.cast(pa.int16()), kind.dictionary)
        tables.append(pa.table([kind, as_dictionaries(nested, schema.field(1).type)], schema=schema))
    files = Tables(tmp_path, tables, row_group_rows=30)
    report = files.check([("kind", "descending")], {"shard": "1K"})
    assert report.shards == 4
    assert files.result().schema.field("kind").type == schema.field("kind").type


def as_dictionaries(array, kind):
    """By a file, as pyarrow casts no nested values to dictionaries."""
    table = pa.table([pa.array(array.to_pylist(), kind)], names=["all"])
    return table.column(0)


def test_long_words_that_a_dictionary_repeats_become_small_batches(tmp_path):
    words = ["a" * 300_000, "b" * 300_000]
    column = pa.DictionaryArray.from_arrays(pa.array([row % 2 for row in range(64)], pa.int32()), words)
    tables = Tables(tmp_path, [pa.table({"word": column, "row": range(64)})], row_group_rows=32)
    tables.check([("word", "descending"), ("row", "descending")], {"memory": "8M"})


def test_more_values_than_indexes_can_tell_apart_are_refused(tmp_path):
    def words(begin):
        encoded = pa.array([str(begin + row) for row in range(100)]).dictionary_encode()
        return pa.table({"word": pa.DictionaryArray.from_arrays(encoded.indices.cast(pa.int8()), encoded.dictionary)})
    tables = Tables(tmp_path, [words(0), words(100)])
    with pytest.raises(sortie.Error, match="a row group has more than 128 different values"):
        tables.sort("word", ranges=1, attempts=1)
    tables.job = tmp_path / "again"
    tables.sort("word", ranges=1, attempts=1, row_group_rows=100)
    assert tables.result()["word"].to_pylist() == sorted(map(str, range(200)))


def test_nulls_are_kept_where_one_file_only_may_have_them_and_metadata_is_that_of_the_first(tmp_path):
    field = pa.field("a", pa.int64(), nullable=False, metadata={"unit": "m"})
    first = pa.table([[3, 1]], schema=pa.schema([field], metadata={"made": "here"}))
    tables = Tables(tmp_path, [first, pa.table({"a": pa.array([2, None])})])
    tables.check("a")
    result = tables.result()
    assert result["a"].to_pylist() == [1, 2, 3, None] and result.schema.metadata == {b"made": b"here"}


def test_files_with_other_columns_are_refused_as_on_one_machine(tables):
    pq.write_table(few_valued(5, 1).drop_columns("few"), tables.inputs[2])
    with pytest.raises(sortie.Error) as one:
        tables.expected("key")
    with pytest.raises(sortie.Error) as many:
        tables.sort("key")
    assert str(one.value) == str(many.value) and not tables.job.exists()


def test_row_groups_are_those_asked_for_and_other_readers_take_one_file_of_many_parts(tables):
    tables.sort("key", row_group_rows=100, compression="zstd:5")
    metadata = pq.read_metadata(tables.output)
    groups = [metadata.row_group(i) for i in range(metadata.num_row_groups)]
    assert sum(group.num_rows for group in groups) == metadata.num_rows == 900
    assert max(group.num_rows for group in groups) == 100
    assert all(group.column(0).compression == "ZSTD" for group in groups)
    assert all(group.sorting_columns[0].column_index == 0 for group in groups)
    expected = tables.result()["key"].to_pylist()
    assert expected == sorted(expected)
    duckdb, pl = pytest.importorskip("duckdb"), pytest.importorskip("polars")
    assert [row[0] for row in duckdb.sql(f"select key from '{tables.output}'").fetchall()] == expected
    assert duckdb.sql(f"select count(*) from '{tables.output}' where key < 100").fetchall() == [
        (sum(key < 100 for key in expected),)]
    assert pl.read_parquet(tables.output)["key"].to_list() == expected


def test_the_command_takes_the_words_of_sortie_parquet(tables):
    tables.output = tables.folder / "parts" / "part-{:05d}.parquet"
    told = tables.run("--key=few:desc:nulls-first", "-k", "key", "--nulls=last", "--row-group-rows=70",
                      "--compression=gzip")
    assert (told.returncode, told.stdout) == (0, ""), told.stderr
    same(tables.result(), tables.expected([("few", "descending", "at_start"), "key"]))
    parts = [pq.read_metadata(tables.folder / "parts" / f"part-{part:05d}.parquet") for part in range(2)]
    groups = [metadata.row_group(i) for metadata in parts for i in range(metadata.num_row_groups)]
    assert max(group.num_rows for group in groups) == 70
    assert all(group.column(0).compression == "GZIP" for group in groups)
    again = tables.run("--key=few:desc:nulls-first", "-k", "key", "--nulls=last", "--row-group-rows=70",
                       "--compression=gzip")
    assert (again.returncode, again.stderr) == (0, told.stderr)
    other = tables.run("--key=few:desc", "-k", "key")
    assert other.returncode == 2 and "holds a job with other" in other.stderr


def test_a_job_that_is_done_knows_its_one_file_and_an_input_may_be_it(tables):
    expected = tables.expected("key")
    tables.output = tables.inputs[0]
    report = tables.sort("key")
    same(pq.read_table(tables.output), expected)
    assert tables.sort("key").to_dict() == report.to_dict()
    with open(tables.output, "ab") as file:
        file.write(b"x")
    told = tables.run("--key=key")
    assert told.returncode == 2 and told.stderr.count("\n") == 1


@pytest.mark.parametrize("words, message", [
    ([], "missing --key: name a column to sort by"),
    (["--key=none"], "key 'none': '.*0.parquet' has no such column"),
    (["--key=place"], "have no order; sort by another column"),
    (["--key=key", "-r"], "--reverse is not for Parquet files"),
    (["--shuffle=7"], "--shuffle of Parquet files is for one machine: sortie-parquet has it"),
    (["--key=key", "--nulls=middle"], "invalid value 'middle' for --nulls"),
    (["--key=key", "--compression=best"], "invalid value 'best' for --compression"),
    (["--key=key", "--row-group-rows=0"], "invalid value '0' for --row-group-rows"),
    (["--key=key", "--format=u64"], "--format is not for Parquet files"),
    (["--key=key", "-o", "out.csv"], "let the name of '.*/out.csv' end in .parquet"),
    (["--key=key", "plain"], "'.*/0.parquet' is a Parquet file, and '.*/plain' is none"),
    (["--key=key", "torn.parquet"], "cannot read '.*/torn.parquet'"),
    (["--key=key", "missing.parquet"], "cannot read '.*/missing.parquet': No such file"),
])
def test_what_cannot_be_is_refused_before_anything_is_kept(tables, words, message, own_main):
    (tables.folder / "plain").write_text("b\na\n")
    (tables.folder / "torn.parquet").write_bytes(tables.inputs[0].read_bytes()[:-30])
    status, told = own_main(tables.folder, "sort", "--job=job", "-o", "out.parquet", *map(str, tables.inputs), *words)
    assert status == 2 and told.count("\n") == 1, told
    with pytest.raises(sortie.Error, match=message):
        raise sortie.Error(told)
    assert not tables.job.exists() and not tables.output.exists()


def test_a_pipe_is_refused_and_not_waited_for(tables):
    os.mkfifo(tables.folder / "pipe.parquet")
    tables.inputs.append(tables.folder / "pipe.parquet")
    told = tables.run("--key=key")
    assert told.returncode == 2 and "it is no regular file" in told.stderr


def test_options_of_tables_are_for_tables(tables):
    (tables.folder / "plain").write_text("b\na\n")
    told = subprocess.run([*DRIVER, "sort", "--job=job", "-o", "out", "--nulls=first", "plain"], capture_output=True,
                          text=True, cwd=tables.folder)
    assert told.returncode == 2 and "--nulls is for Parquet files" in told.stderr
    with pytest.raises(sortie.Error, match="sort it with sortie.cluster.sort_parquet"):
        sortie.cluster.sort_files(tables.inputs, tables.output, job=tables.job)
    with pytest.raises(sortie.Error, match="is no Parquet file, and a cluster sorts no other tables"):
        sortie.cluster.sort_parquet(tables.folder / "plain", tables.output, by="a", job=tables.job)
    with pytest.raises(TypeError, match="unexpected keyword argument 'keys'"):
        tables.sort("key", keys="1")


def test_without_pyarrow_the_remedy_is_told(tables, run_python):
    told = run_python("import sys; sys.modules['pyarrow'] = None; import sortie.cluster\n"
                      "sortie.cluster.sort_parquet(sys.argv[1], 'out.parquet', by='key', job='job')", tables.inputs[0])
    assert told.returncode == 1 and "pip install 'sortie-sort[parquet]'" in told.stderr


def test_shards_begin_where_row_groups_do_and_have_places_of_their_own():
    item = Input("a", 100, 0, False, (0, 10, 55, 60))
    shards = spread_places(plan_shards([item, item._replace(begins=(0,)), item._replace(bytes=0, begins=())], 30,
                                       False))
    assert [(shard.begin, shard.end) for shard in shards] == [(0, 55), (55, None), (0, None)]
    places = [shard.place for shard in shards]
    assert places == sorted(places) and min(b - a for a, b in zip(places, places[1:])) > 1 << 50
