"""sort_parquet(): files of Parquet in, a file out, whatever happens on the way."""

import os
import random
import subprocess

import pytest

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed (every test of this file)")
import pyarrow.parquet as pq  # noqa: E402
import random_tables  # noqa: E402
from table_files import in_order, read, shuffled  # noqa: E402

import sortie  # noqa: E402


def test_rows_of_all_files_come_out_in_order(files, tmp_path, no_leftovers):
    paths, rows = files
    report = sortie.sort_parquet(paths, tmp_path / "out.parquet", by="key", memory="256KiB", scratch=no_leftovers,
                                 row_group_rows=999, engine="cpu")
    result = pq.read_table(tmp_path / "out.parquet")
    assert result.to_pylist() == in_order(rows)
    assert result.schema == rows.schema
    assert report.output_records == 3500 and report.runs_spilled > 0
    assert sorted(os.listdir(tmp_path)) == ["in", "out.parquet", "scratch"]


def test_pandas_is_not_imported_for_a_sort(files, tmp_path, run_python):
    """It takes longer to start than all else of a small file's sort."""
    pytest.importorskip("pandas")
    program = "import sys, sortie; sortie.sort_parquet(sys.argv[2:], sys.argv[1], by='key'); sys.exit('pandas' in sys.modules)"
    assert run_python(program, tmp_path / "out.parquet", *files[0]).returncode == 0


@pytest.mark.parametrize("seed", range(20))
def test_parquet_keeps_columns_of_every_type(tmp_path, seed):
    """Types that Parquet has: what pyarrow writes and reads again."""
    table, keys = random_tables.random_table(seed, 700)
    kept = []
    for name in table.column_names:
        try:
            pq.write_table(table.select([name]), tmp_path / "try.parquet")
            same = pq.read_table(tmp_path / "try.parquet").schema.field(name).type == table.schema.field(name).type
            kept += [name] if same else []
        except (pa.ArrowException, OSError):
            pass
    table = table.select(kept).append_column("last", pa.array([row * 7 % 699 for row in range(700)]))
    keys = [key for key in keys if key[0] in kept] + [("last", False, True)]
    pq.write_table(table, tmp_path / "in.parquet", row_group_size=200)
    sortie.sort_parquet(tmp_path / "in.parquet", tmp_path / "out.parquet", by=random_tables.words_of(keys),
                        row_group_rows=150, compression="none")
    result = pq.read_table(tmp_path / "out.parquet")
    assert repr(result.to_pylist()) == repr(random_tables.expected_rows(table, keys))
    assert result.schema.equals(pq.read_schema(tmp_path / "in.parquet"), check_metadata=False)
    assert result.schema.metadata[b"seed"] == str(seed).encode()


def test_row_groups_have_order_statistics_and_the_rows_asked_for(files, tmp_path):
    paths, _ = files
    sortie.sort_parquet(paths, tmp_path / "out.parquet", by=[("kind", "descending", "at_start"), "key"],
                        row_group_rows=1000)
    metadata = pq.read_metadata(tmp_path / "out.parquet")
    assert [metadata.row_group(i).num_rows for i in range(metadata.num_row_groups)] == [1000, 1000, 1000, 500]
    for i in range(4):
        group = metadata.row_group(i)
        order = [(column.column_index, column.descending, column.nulls_first) for column in group.sorting_columns]
        assert order == [(2, True, True), (0, False, False)]
        assert group.column(0).statistics.has_min_max
        assert group.column(1).statistics.null_count > 0
    assert metadata.row_group(0).column(2).statistics.max == "kind 4"


def test_other_readers_take_what_is_written(files, tmp_path):
    paths, rows = files
    sortie.sort_parquet(paths, tmp_path / "out.parquet", by="key", row_group_rows=1000)
    expected = [row["key"] for row in in_order(rows)]
    duckdb, pl = pytest.importorskip("duckdb"), pytest.importorskip("polars")
    told = duckdb.sql(f"select key, place.tags[1] from '{tmp_path}/out.parquet'").fetchall()
    assert told == [(key, str(key)) for key in expected]
    assert pl.read_parquet(tmp_path / "out.parquet")["key"].to_list() == expected
    # Row groups are found by their numbers in the file, too.
    assert duckdb.sql(f"select count(*) from '{tmp_path}/out.parquet' where key < 100").fetchall() == [
        (sum(key < 100 for key in expected),)]


def test_metadata_of_the_first_file_is_kept(tmp_path):
    pd = pytest.importorskip("pandas")
    pd.DataFrame({"a": [2, 1]}, index=pd.Index(["x", "y"], name="name")).to_parquet(tmp_path / "in.parquet")
    sortie.sort_parquet(tmp_path / "in.parquet", tmp_path / "out.parquet", by="a")
    assert pd.read_parquet(tmp_path / "out.parquet")["a"].to_dict() == {"y": 1, "x": 2}


@pytest.mark.parametrize("options, codec", [({}, "SNAPPY"), ({"compression": "none"}, "UNCOMPRESSED"),
                                            ({"compression": "zstd:7"}, "ZSTD"), ({"compression": "gzip"}, "GZIP")])
def test_compression_is_that_of_the_input_or_the_one_asked_for(files, tmp_path, options, codec):
    sortie.sort_parquet(files[0], tmp_path / "out.parquet", by="key", **options)
    assert pq.read_metadata(tmp_path / "out.parquet").row_group(0).column(0).compression == codec


def test_a_row_group_has_the_words_of_its_own_rows_in_its_dictionary(tmp_path):
    words = [f"{i * 7919 % 100_003:08}" for i in range(100_003)]
    table = pa.table({"word": pa.array(words + [None]).dictionary_encode()})
    pq.write_table(table, tmp_path / "in.parquet")
    sortie.sort_parquet(tmp_path / "in.parquet", tmp_path / "out.parquet", by="word", row_group_rows=5000,
                        compression="none")
    assert (tmp_path / "out.parquet").stat().st_size < 4_000_000
    result = pq.read_table(tmp_path / "out.parquet")
    assert result.schema == table.schema and result["word"].to_pylist() == [*sorted(words), None]


def test_columns_have_no_dictionary_where_it_costs_bytes(tmp_path):
    generator, rows = random.Random(1), 100_000
    table = pa.table({
        "key": [i * 7919 % rows // 20 for i in range(rows)],
        "number": [generator.getrandbits(60) for _ in range(rows)],
        "few": [generator.randrange(30_000) * 0.1 for _ in range(rows)],
        "text": [f"{i:20}" for i in range(rows)],
        "word": [f"{i % 1000:20}" for i in range(rows)],
        # More than a dictionary holds, but neighbours are equal: it serves as long as it is not full.
        "clustered": [f"{i * 7919 % rows // 8:200}" for i in range(rows)]})
    pq.write_table(table, tmp_path / "in.parquet")
    sortie.sort_parquet(tmp_path / "in.parquet", tmp_path / "out.parquet", by="key", row_group_rows=50_000)
    metadata = pq.ParquetFile(tmp_path / "out.parquet").metadata
    assert metadata.num_row_groups == 2
    for group in range(2):
        columns = [metadata.row_group(group).column(i) for i in range(table.num_columns)]
        with_dictionary = [column.path_in_schema for column in columns if column.has_dictionary_page]
        assert with_dictionary == ["key", "few", "word", "clustered"]
    assert pq.read_table(tmp_path / "out.parquet").to_pylist() == in_order(table)


def test_all_rows_of_a_column_may_be_sampled():
    from sortie.parquet import dictionary_choice

    pieces = [pa.array([i] * 3) for i in range(9000)]
    sample = dictionary_choice._sample(pa.chunked_array(pieces)).to_pylist()
    assert len(sample) == 8192 and sample[-1] > 8950 and sample == sorted(sample)


def test_nulls_are_kept_where_one_file_only_may_have_them(tmp_path):
    pq.write_table(pa.table({"a": [2]}, schema=pa.schema([pa.field("a", "int64", nullable=False)])),
                   tmp_path / "1.parquet")
    pq.write_table(pa.table({"a": [None, 1]}, schema=pa.schema({"a": "int64"})), tmp_path / "2.parquet")
    for suffix in ("parquet", "arrow"):
        sortie.sort_parquet([tmp_path / "1.parquet", tmp_path / "2.parquet"], tmp_path / f"out.{suffix}", by="a")
    assert pq.read_table(tmp_path / "out.parquet")["a"].to_pylist() == [1, 2, None]
    assert pa.ipc.open_file(tmp_path / "out.arrow").read_all()["a"].to_pylist() == [1, 2, None]


def test_types_of_parquet_that_arrow_lacks_are_refused(tmp_path):
    duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed")
    duckdb.sql(f"copy (select i a, interval (i) day span from range(3) t(i)) to '{tmp_path}/in.parquet'")
    message = "column 'span' of '.*in.parquet' has Parquet's type INTERVAL, which cannot be kept"
    with pytest.raises(sortie.Error, match=message):
        sortie.sort_parquet(tmp_path / "in.parquet", tmp_path / "out.parquet", by="a")


def test_an_empty_table_stays_one(tmp_path):
    pq.write_table(shuffled(0), tmp_path / "in.parquet")
    for name in ("out.parquet", "out.arrow"):
        sortie.sort_parquet(tmp_path / "in.parquet", tmp_path / name, by="key")
        result = read(tmp_path / name)
        assert (result.num_rows, result.schema.names) == (0, ["key", "text", "kind", "place"])


def test_the_output_may_be_an_input_and_keeps_its_permissions(files):
    paths, rows = files
    os.chmod(paths[0], 0o640)
    sortie.sort_parquet(paths, paths[0], by="key")
    assert pq.read_table(paths[0]).to_pylist() == in_order(rows)
    assert os.stat(paths[0]).st_mode & 0o777 == 0o640


def test_other_names_of_the_output_see_the_new_rows(files, tmp_path):
    paths, _ = files
    os.link(paths[2], tmp_path / "other.parquet")
    sortie.sort_parquet(paths[2], paths[2], by="key")
    assert os.path.samefile(paths[2], tmp_path / "other.parquet")
    keys = pq.read_table(tmp_path / "other.parquet")["key"].to_pylist()
    assert keys == sorted(keys)


def test_a_pipe_takes_the_output(files, tmp_path):
    os.mkfifo(tmp_path / "pipe.parquet")
    with subprocess.Popen(["cat", tmp_path / "pipe.parquet"], stdout=subprocess.PIPE) as reader:
        sortie.sort_parquet(files[0], tmp_path / "pipe.parquet", by="key")
        assert pq.read_table(pa.BufferReader(reader.stdout.read())).num_rows == 3500


def test_a_link_to_the_output_is_followed(files, tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "link.parquet").symlink_to(tmp_path / "folder" / "real.parquet")
    sortie.sort_parquet(files[0], tmp_path / "link.parquet", by="key")
    assert (tmp_path / "link.parquet").is_symlink() and (tmp_path / "folder" / "real.parquet").exists()


@pytest.mark.parametrize("change, message", [
    (lambda t: t.set_column(1, "text", pa.array(range(t.num_rows))),
     "column 'text' of '.*other.parquet' is of type int64, and of '.*0.parquet' of type string: cast one of them$"),
    (lambda t: t.set_column(0, "key", t["key"].cast("int32")),
     "column 'key' of '.*other.parquet' is of type int32, and of '.*0.parquet' of type int64: .*, or give "
     "schema=\"union\"$"),
    (lambda t: t.rename_columns(["key", "txt", "kind", "place"]), "other.parquet' has no column 'text', which .* has"),
    (lambda t: t.select(["key", "text", "kind"]), "other.parquet' has no column 'place'"),
    (lambda t: t.append_column("more", pa.array(range(t.num_rows))),
     "has no column 'more', which '.*other.parquet' has"),
])
def test_columns_that_change_between_files_are_named(files, tmp_path, change, message):
    pq.write_table(change(shuffled(10)), tmp_path / "other.parquet")
    with pytest.raises(sortie.Error, match=message):
        sortie.sort_parquet([*files[0], tmp_path / "other.parquet"], tmp_path / "out.parquet", by="key")
    assert not (tmp_path / "out.parquet").exists()


@pytest.mark.parametrize("damage", [
    lambda data: data[:len(data) // 2], lambda data: data[:-5] + b"xxxxx", lambda data: b"",
    lambda data: data[:4000] + bytes(2000) + data[6000:]])
def test_a_damaged_file_is_named(files, tmp_path, damage, no_leftovers):
    data = files[0][2].read_bytes()
    files[0][2].write_bytes(damage(data))
    (tmp_path / "out.parquet").write_text("old")
    with pytest.raises(sortie.Error, match=r"cannot read '.*2\.parquet'"):
        sortie.sort_parquet(files[0], tmp_path / "out.parquet", by="key", scratch=no_leftovers)
    assert (tmp_path / "out.parquet").read_text() == "old"
    assert sorted(os.listdir(tmp_path)) == ["in", "out.parquet", "scratch"]


@pytest.mark.parametrize("arguments, error, message", [
    ({"by": "q"}, sortie.Error, "no such column"), ({"by": "place"}, sortie.Error, "place.*no order"),
    ({"output": "out.txt"}, sortie.Error,
     "cannot tell the format of '.*out.txt': let the name end in .parquet, .arrow"),
    ({"inputs": []}, ValueError, "inputs is empty"),
    ({"inputs": ["nothing.parquet"]}, sortie.Error, "cannot read 'nothing.parquet': No such"),
    ({"compression": "zip"}, sortie.Error, "invalid value 'zip' for compression: known are none, snappy"),
    ({"compression": "lz4:3"}, sortie.Error, "invalid value 'lz4:3'"),
    ({"compression": 3}, TypeError, "compression must be a str"),
    ({"row_group_rows": 0}, sortie.Error, "give 1 or more"),
    ({"row_group_rows": "9"}, TypeError, "row_group_rows must be an int"),
    ({"output": "out.arrow", "row_group_rows": 9}, sortie.Error, "row_group_rows is for Parquet"),
    ({"output": "out.csv", "compression": "zstd"}, sortie.Error, "compression is for Parquet and Arrow"),
    ({"output": "out.csv"}, sortie.Error, "column 'place' is of type struct.* cannot be written to '.*out.csv'"),
    ({"output": "no/out.parquet"}, sortie.Error, "open failed: .*/no/out.parquet: No such file"),
    ({"keys": "1"}, TypeError, "unexpected keyword argument 'keys'"),
    ({"null_placement": "middle"}, ValueError, "null_placement must be"),
    ({"memory": 3}, sortie.Error, "too small"), ({"threads": "2"}, TypeError, "threads must be an int, not str"),
    ({"threads": 0}, sortie.Error, "give 1 or more"),
])
def test_what_cannot_be_is_refused_and_nothing_is_left(files, tmp_path, arguments, error, message):
    arguments = {"inputs": files[0], "output": "out.parquet", "by": "key", **arguments}
    with pytest.raises(error, match=message):
        sortie.sort_parquet(arguments.pop("inputs"), tmp_path / arguments.pop("output"), **arguments)
    assert os.listdir(tmp_path) == ["in"]


@pytest.mark.parametrize("name", ["stats_json", "trace", "report"])
def test_a_report_does_not_take_the_place_of_a_table(files, tmp_path, name):
    (tmp_path / "link").symlink_to(files[0][1])
    for path in (files[0][0], tmp_path / "link", tmp_path / "out.parquet"):
        message = f"{name} is also an input or the output, '.*{path.name}': name another file"
        with pytest.raises(sortie.Error, match=message):
            sortie.sort_parquet(files[0], tmp_path / "out.parquet", by="key", **{name: path})
    assert not (tmp_path / "out.parquet").exists()


def test_without_pyarrow_the_remedy_is_told(run_python):
    told = run_python("""
import sys
sys.modules["pyarrow"] = None
import sortie
try:
    sortie.sort_parquet("in.parquet", "out.parquet", by="a")
except sortie.Error as error:
    print(error)
""")
    remedy = "pip install 'sortie-sort[parquet]'"
    assert told.stdout == f"sort_parquet() needs pyarrow, which is not installed: {remedy}\n", told.stderr


def test_columns_that_are_larger_in_a_file_than_in_memory_are_written(files, tmp_path, monkeypatch):
    allocate = pa.allocate_buffer
    monkeypatch.setattr(pa, "allocate_buffer", lambda size: allocate(100))
    sortie.sort_parquet(files[0], tmp_path / "out.parquet", by="key", row_group_rows=1000)
    assert pq.read_table(tmp_path / "out.parquet").to_pylist() == in_order(files[1])


def test_a_run_is_read_while_another_is_stored_as_the_footers_tell_how_many_rows_there_are(tmp_path):
    rows = 140_000
    table = pa.table({"key": [i * 7919 % rows for i in range(rows)], "text": [f"{i:0600}" for i in range(rows)]})
    pq.write_table(table, tmp_path / "in.parquet")
    report = sortie.sort_parquet(tmp_path / "in.parquet", tmp_path / "out.parquet", by="key", memory="120MB", threads=2,
                                 engine="cpu")
    unknown = sortie.sort_table(table.to_reader(), by="key", memory="120MB", threads=2, engine="cpu")
    assert unknown.to_arrow().equals(pq.read_table(tmp_path / "out.parquet"))
    # Two runs at once share the memory of one.
    assert report.runs > unknown.report.runs > 1


def test_the_guess_of_a_sorts_bytes_counts_words_of_rows(monkeypatch, tmp_path):
    from sortie.jobs import sort_parquet as job
    words = [f"{number:0100}" for number in range(1000)]
    table = pa.table({"key": list(range(100)), "word": pa.DictionaryArray.from_arrays(list(range(100)), words)})
    pq.write_table(table, tmp_path / "in.parquet")
    guessed = []
    real = job._expected_bytes
    monkeypatch.setattr(job, "_expected_bytes", lambda *given: guessed.append(real(*given)) or guessed[-1])
    sortie.sort_parquet(tmp_path / "in.parquet", tmp_path / "out.parquet", by="key")
    batch = table.combine_chunks().to_batches()[0]
    assert len(batch.column(1).dictionary) == 1000
    guessed.append(sum(map(job._record_bytes, batch.columns)))
    assert all(100 * 108 <= bytes_of_all <= 100 * 120 for bytes_of_all in guessed)


def test_the_guess_of_a_sorts_bytes_stays_when_a_dot_belongs_to_no_name():
    from sortie.tables import sort_table as job
    told = []

    class Recorder:
        def __init__(self, *given):
            self._sort = real(*given)

        def expect_bytes(self, count):
            told.append(count)
            self._sort.expect_bytes(count)

        def __getattr__(self, name):
            return getattr(self._sort, name)
    real, job.TableSort = job.TableSort, Recorder
    try:
        rows = job.RowSorter("sort_table", [(".key", False, False)], None, {})
        rows.expect_bytes(12345)
        rows.push(pa.table({"key": [2, 1]}))
        rows.close()
    finally:
        job.TableSort = real
    assert told == [12345, 12345]
