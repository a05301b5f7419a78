"""sort_parquet() and sortie-parquet: files in, a file out, whatever happens on the way."""

import errno
import os
import pathlib
import signal
import struct
import subprocess
import sys
import time

import pytest

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed (every test of this file)")
import pyarrow.csv  # noqa: E402
import pyarrow.feather  # noqa: E402
import pyarrow.ipc  # noqa: E402
import pyarrow.parquet as pq  # noqa: E402
import random_tables  # noqa: E402

import sortie  # noqa: E402


SCHEMA = pa.schema({"key": "int64", "text": "string", "kind": pa.dictionary(pa.int32(), pa.string()),
                    "place": pa.struct({"x": pa.int64(), "tags": pa.list_(pa.string())})})


def shuffled(count, seed=1):
    r = random_tables.random.Random(seed)
    rows = [r.randrange(count) for _ in range(count)]
    columns = {"key": rows, "text": [None if row % 7 == 0 else f"row {row}" for row in rows],
               "kind": [f"kind {row % 5}" for row in rows], "place": [{"x": row, "tags": [str(row)]} for row in rows]}
    return pa.table(columns, schema=SCHEMA)


def in_order(table, name="key"):
    return sorted(table.to_pylist(), key=lambda row: row[name])


@pytest.fixture
def files(tmp_path):
    """Three files of Parquet, and all their rows."""
    folder = tmp_path / "in"
    folder.mkdir()
    tables = [shuffled(count, count) for count in (1000, 0, 2500)]
    paths = [folder / f"{i}.parquet" for i in range(len(tables))]
    for table, path in zip(tables, paths):
        pq.write_table(table, path, row_group_size=300)
    return paths, pa.concat_tables(tables)


def test_rows_of_all_files_come_out_in_order(files, tmp_path, no_leftovers):
    paths, rows = files
    report = sortie.sort_parquet(paths, tmp_path / "out.parquet", by="key", memory="256KiB", scratch=no_leftovers,
                                 row_group_rows=999)
    result = pq.read_table(tmp_path / "out.parquet")
    assert result.to_pylist() == in_order(rows)
    assert result.schema == rows.schema
    assert report.output_records == 3500 and report.runs_spilled > 0
    assert sorted(os.listdir(tmp_path)) == ["in", "out.parquet", "scratch"]


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
    sortie.sort_parquet(tmp_path / "in.parquet", tmp_path / "out.parquet", by=random_tables.words_of(keys), row_group_rows=150,
                        compression="none")
    result = pq.read_table(tmp_path / "out.parquet")
    assert repr(result.to_pylist()) == repr(random_tables.expected_rows(table, keys))
    assert result.schema.equals(pq.read_schema(tmp_path / "in.parquet"), check_metadata=False)
    assert result.schema.metadata[b"seed"] == str(seed).encode()


def test_row_groups_have_order_statistics_and_the_rows_asked_for(files, tmp_path):
    paths, _ = files
    sortie.sort_parquet(paths, tmp_path / "out.parquet", by=[("kind", "descending", "at_start"), "key"], row_group_rows=1000)
    metadata = pq.read_metadata(tmp_path / "out.parquet")
    assert [metadata.row_group(i).num_rows for i in range(metadata.num_row_groups)] == [1000, 1000, 1000, 500]
    for i in range(4):
        group = metadata.row_group(i)
        assert [(c.column_index, c.descending, c.nulls_first) for c in group.sorting_columns] == [(2, True, True), (0, False, False)]
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


@pytest.mark.parametrize("suffix", [".csv", ".csv.gz", ".arrow", ".feather", ".parquet"])
@pytest.mark.parametrize("output_suffix", [".csv", ".csv.gz", ".arrow", ".feather", ".parquet"])
def test_suffixes_tell_the_formats(tmp_path, suffix, output_suffix):
    table = shuffled(1000).select(["key", "text"])
    source, target = tmp_path / f"in{suffix}", tmp_path / f"out{output_suffix}"
    write(table, source)
    sortie.sort_parquet(source, target, by="key")
    keys = [row["key"] for row in in_order(table)]
    assert read(target)["key"].to_pylist() == keys
    assert read(target)["text"].to_pylist()[500] in (f"row {keys[500]}", None, "")


def write(table, path):
    if ".csv" in path.name:
        with pa.output_stream(path) as file:
            pyarrow.csv.write_csv(table, file)
    elif path.suffix == ".parquet":
        pq.write_table(table, path)
    else:
        pyarrow.feather.write_feather(table, path)


def read(path):
    if ".csv" in path.name:
        return pyarrow.csv.read_csv(path)
    return pq.read_table(path) if path.suffix == ".parquet" else pyarrow.feather.read_table(path)


def test_texts_of_csv_come_out_as_they_were(tmp_path):
    texts = ["007", "12345678901234567890", "NA", "1.50", "2026-1-1", "two\nlines", 'a ""word""', "", "null"]
    rows = [f'{i % 3:03},"{text}",{i}' for i, text in enumerate(texts)]
    (tmp_path / "in.csv").write_text("\n".join(["n,text,place", *rows, "2.50,,9"]) + "\n")
    sortie.sort_parquet(tmp_path / "in.csv", tmp_path / "out.csv", by=[("n", "descending"), "place"])
    read = pyarrow.csv.ConvertOptions(column_types={"n": "string", "text": "string"}, strings_can_be_null=True, null_values=[""],
                                      quoted_strings_can_be_null=False)
    parse = pyarrow.csv.ParseOptions(newlines_in_values=True)
    rows = pyarrow.csv.read_csv(tmp_path / "out.csv", parse_options=parse, convert_options=read).to_pylist()
    texts = [text.replace('""', '"') for text in texts] + [None]
    order = [9, 2, 5, 8, 1, 4, 7, 0, 3, 6]
    assert rows == [{"n": "2.50" if i == 9 else f"{i % 3:03}", "text": texts[i], "place": i} for i in order]


def test_csv_rows_may_be_long_and_files_without_rows_tell_no_types(tmp_path):
    (tmp_path / "a.csv").write_text("key,text\n")
    long = "x\n" * 800_000
    (tmp_path / "b.csv").write_text("key,text\n" + "".join(f'{i},"{long if i == 5 else i}"\n' for i in range(9, 0, -1)))
    for suffix in ("csv", "parquet"):
        sortie.sort_parquet([tmp_path / "a.csv", tmp_path / "b.csv", tmp_path / "a.csv"], tmp_path / f"out.{suffix}", by="key")
    assert pq.read_table(tmp_path / "out.parquet")["key"].to_pylist() == list(range(1, 10))
    assert long in (tmp_path / "out.csv").read_text()
    with pytest.raises(sortie.Error, match="key 'k': '.*a.csv' has no such column; it has key, text"):
        sortie.sort_parquet(tmp_path / "a.csv", tmp_path / "out.csv", by="k")


def test_a_row_group_has_the_words_of_its_own_rows_in_its_dictionary(tmp_path):
    words = [f"{i * 7919 % 100_003:08}" for i in range(100_003)]
    table = pa.table({"word": pa.array(words + [None]).dictionary_encode()})
    pq.write_table(table, tmp_path / "in.parquet")
    sortie.sort_parquet(tmp_path / "in.parquet", tmp_path / "out.parquet", by="word", row_group_rows=5000, compression="none")
    assert (tmp_path / "out.parquet").stat().st_size < 4_000_000
    result = pq.read_table(tmp_path / "out.parquet")
    assert result.schema == table.schema and result["word"].to_pylist() == [*sorted(words), None]


def test_nulls_are_kept_where_one_file_only_may_have_them(tmp_path):
    pq.write_table(pa.table({"a": [2]}, schema=pa.schema([pa.field("a", "int64", nullable=False)])), tmp_path / "1.parquet")
    pq.write_table(pa.table({"a": [None, 1]}, schema=pa.schema({"a": "int64"})), tmp_path / "2.parquet")
    for suffix in ("parquet", "arrow"):
        sortie.sort_parquet([tmp_path / "1.parquet", tmp_path / "2.parquet"], tmp_path / f"out.{suffix}", by="a")
    assert pq.read_table(tmp_path / "out.parquet")["a"].to_pylist() == [1, 2, None]
    assert pa.ipc.open_file(tmp_path / "out.arrow").read_all()["a"].to_pylist() == [1, 2, None]


def test_unions_and_other_types_that_have_no_empty_arrays_pass(tmp_path):
    union = pa.UnionArray.from_dense(pa.array([0, 1, 0], pa.int8()), pa.array([0, 0, 1], pa.int32()),
                                     [pa.array([1, 2]), pa.array(["a"])])
    table = pa.table({"k": [3, 1, 2], "u": union})
    with pa.ipc.new_file(tmp_path / "in.arrow", table.schema) as writer:
        writer.write_table(table)
    sortie.sort_parquet(tmp_path / "in.arrow", tmp_path / "out.arrow", by="k")
    assert pa.ipc.open_file(tmp_path / "out.arrow").read_all()["u"].to_pylist() == ["a", 2, 1]


def test_a_damaged_arrow_file_is_named(tmp_path):
    damaged = pa.Array.from_buffers(pa.string(), 3, [None, pa.py_buffer(struct.pack("<4i", 0, 5, 2_000_000_000, 7)),
                                                     pa.py_buffer(b"abcdefg")])
    table = pa.table({"k": [3, 1, 2], "s": damaged})
    with pa.ipc.new_file(tmp_path / "in.arrow", table.schema) as writer:
        writer.write_table(table)
    with pytest.raises(sortie.Error, match="cannot read '.*in.arrow'"):
        sortie.sort_parquet(tmp_path / "in.arrow", tmp_path / "out.arrow", by="k")
    assert os.listdir(tmp_path) == ["in.arrow"]


def test_types_of_parquet_that_arrow_lacks_are_refused(tmp_path):
    duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed")
    duckdb.sql(f"copy (select i a, interval (i) day span from range(3) t(i)) to '{tmp_path}/in.parquet'")
    with pytest.raises(sortie.Error, match="column 'span' of '.*in.parquet' has Parquet's type INTERVAL, which cannot be kept"):
        sortie.sort_parquet(tmp_path / "in.parquet", tmp_path / "out.parquet", by="a")


def test_columns_of_csv_have_the_types_of_the_first_file(tmp_path):
    (tmp_path / "a.csv").write_text("key,text\n2,b\n")
    (tmp_path / "b.csv").write_text("key,text\n1,7\n")
    sortie.sort_parquet([tmp_path / "a.csv", tmp_path / "b.csv"], tmp_path / "out.parquet", by="key")
    assert pq.read_table(tmp_path / "out.parquet").to_pydict() == {"key": [1, 2], "text": ["7", "b"]}
    (tmp_path / "b.csv").write_text("key,text\none,7\n")
    with pytest.raises(sortie.Error, match="cannot read '.*b.csv': .*invalid value 'one'"):
        sortie.sort_parquet([tmp_path / "a.csv", tmp_path / "b.csv"], tmp_path / "out.parquet", by="key")


def test_extension_types_are_kept(tmp_path):
    table = pa.table({"key": [2, 1], "id": pa.array([b"b" * 16, b"a" * 16], pa.uuid())})
    for name in ("in.parquet", "in.arrow"):
        write(table, tmp_path / name)
        sortie.sort_parquet(tmp_path / name, tmp_path / f"out-{name}", by="id")
        result = read(tmp_path / f"out-{name}")
        assert result.schema == table.schema and result["key"].to_pylist() == [1, 2]


def test_a_stream_of_arrow_is_read(tmp_path):
    table = shuffled(100)
    with pyarrow.ipc.new_stream(tmp_path / "in.arrow", table.schema) as writer:
        writer.write_table(table)
    sortie.sort_parquet(tmp_path / "in.arrow", tmp_path / "out.parquet", by="key")
    assert pq.read_table(tmp_path / "out.parquet").to_pylist() == in_order(table)


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
    (lambda t: t.set_column(1, "text", pa.array(range(t.num_rows))), "column 2 of .*other.parquet' is 'text' of type int64"),
    (lambda t: t.rename_columns(["key", "txt", "kind", "place"]), "'txt' of type string"),
    (lambda t: t.select(["key", "text", "kind"]), "other.parquet' has no column 'place'"),
    (lambda t: t.append_column("more", pa.array(range(t.num_rows))), "has no column 'more', which '.*other.parquet' has"),
])
def test_columns_that_change_between_files_are_named(files, tmp_path, change, message):
    pq.write_table(change(shuffled(10)), tmp_path / "other.parquet")
    with pytest.raises(sortie.Error, match=message):
        sortie.sort_parquet([*files[0], tmp_path / "other.parquet"], tmp_path / "out.parquet", by="key")
    assert not (tmp_path / "out.parquet").exists()


@pytest.mark.parametrize("damage", [
    lambda data: data[:len(data) // 2], lambda data: data[:-5] + b"xxxxx", lambda data: b"", lambda data: data[:4000] + bytes(2000) + data[6000:]])
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
    ({"output": "out.txt"}, sortie.Error, "cannot tell the format of '.*out.txt': let the name end in one of .parquet, .csv"),
    ({"inputs": []}, ValueError, "inputs is empty"), ({"inputs": ["nothing.parquet"]}, sortie.Error, "cannot read 'nothing.parquet': No such"),
    ({"compression": "zip"}, sortie.Error, "invalid value 'zip' for compression: known are none, snappy"),
    ({"compression": "lz4:3"}, sortie.Error, "invalid value 'lz4:3'"), ({"compression": 3}, TypeError, "compression must be a str"),
    ({"row_group_rows": 0}, sortie.Error, "give 1 or more"), ({"row_group_rows": "9"}, TypeError, "row_group_rows must be an int"),
    ({"output": "out.arrow", "row_group_rows": 9}, sortie.Error, "row_group_rows is for Parquet"),
    ({"output": "out.csv", "compression": "zstd"}, sortie.Error, "compression is for Parquet and Arrow"),
    ({"output": "out.csv"}, sortie.Error, "cannot write '.*out.csv': Unsupported Type"),
    ({"output": "no/out.parquet"}, sortie.Error, "open failed: .*/no/out.parquet: No such file"),
    ({"keys": "1"}, TypeError, r"sort_parquet\(\) has no argument 'keys'"),
    ({"null_placement": "first"}, ValueError, "null_placement must be"),
    ({"memory": 3}, sortie.Error, "too small"), ({"threads": "2"}, TypeError, "threads must be an int, not str"),
    ({"threads": 0}, sortie.Error, "give 1 or more"),
])
def test_what_cannot_be_is_refused_and_nothing_is_left(files, tmp_path, arguments, error, message):
    arguments = {"inputs": files[0], "output": "out.parquet", "by": "key", **arguments}
    with pytest.raises(error, match=message):
        sortie.sort_parquet(arguments.pop("inputs"), tmp_path / arguments.pop("output"), **arguments)
    assert os.listdir(tmp_path) == ["in"]


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
    assert told.stdout == "sort_parquet() needs pyarrow, which is not installed: pip install 'sortie[parquet]'\n", told.stderr


@pytest.mark.parametrize("suffix", ["parquet", "csv", "arrow"])
def test_a_full_disk_is_one_error(small_disk, tmp_path, suffix):
    pq.write_table(shuffled(100_000).select(["key", "text"]), tmp_path / "in.parquet")
    told = small_disk.run("""
import os, sys, sortie
target = sys.argv[2] + "/out." + sys.argv[3]
open(target, "w").write("old")
try:
    sortie.sort_parquet(sys.argv[1], target, by="key", compression=sys.argv[4] or None)
except sortie.Error as error:
    print(error)
print(os.listdir(sys.argv[2]), open(target).read())
""", tmp_path / "in.parquet", small_disk.path, suffix, "" if suffix == "csv" else "none")
    assert told.returncode == 0, told.stderr
    target = f"{small_disk.path}/out.{suffix}"
    assert target in told.stdout and "No space left on device" in told.stdout
    assert told.stdout.endswith(f"\n['out.{suffix}'] old\n") and told.stdout.count("\n") == 2
    assert told.stderr == ""
    assert told.stderr == ""


def test_ctrl_c_does_not_wait_for_slow_encoders(tmp_path):
    pq.write_table(pa.table({"key": [i * 7919 % 1_500_007 for i in range(1_500_007)]}), tmp_path / "in.parquet")
    with subprocess.Popen([*COMMAND, "-k", "key", "--compression=brotli:11", "-o", tmp_path / "out.parquet",
                           tmp_path / "in.parquet"], stderr=subprocess.PIPE) as process:
        time.sleep(3)
        process.send_signal(signal.SIGINT)
        begin = time.monotonic()
        assert process.wait(100) == -signal.SIGINT
    assert time.monotonic() - begin < 3
    assert os.listdir(tmp_path) == ["in.parquet"]


def test_ctrl_c_ends_a_sort_within_a_second_and_leaves_nothing(tmp_path, no_leftovers):
    pq.write_table(pa.table({"key": [i * 7919 % 1_000_003 for i in range(1_000_003)]}), tmp_path / "in.parquet")
    (tmp_path / "out.parquet").write_text("old")
    program = """
import sys, sortie
print("begun", flush=True)
try:
    while True:
        sortie.sort_parquet([sys.argv[1]] * 20, sys.argv[2], by="key", memory="2MB", scratch=sys.argv[3])
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""
    for wait in (0.3, 1, 2):
        with subprocess.Popen([sys.executable, "-c", program, tmp_path / "in.parquet", tmp_path / "out.parquet", no_leftovers],
                              stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout.readline() == "begun\n"
            time.sleep(wait)
            process.send_signal(signal.SIGINT)
            begin = time.monotonic()
            assert process.stdout.readline() == "interrupted\n"
            seconds = time.monotonic() - begin
            assert process.wait(10) == 0
        assert seconds < 1 + (2 if (os.cpu_count() or 1) < 4 else 0)
        assert sorted(os.listdir(tmp_path)) == ["in.parquet", "out.parquet", "scratch"]


def test_a_killed_sort_leaves_nothing(tmp_path, no_leftovers):
    pq.write_table(pa.table({"key": [i * 7919 % 1_000_003 for i in range(1_000_003)]}), tmp_path / "in.parquet")
    with subprocess.Popen([*COMMAND, "-k", "key", "-o", tmp_path / "out.parquet", "-S", "2M", "-T", no_leftovers,
                           *[tmp_path / "in.parquet"] * 20]) as process:
        time.sleep(1.5)
        process.kill()
    assert sorted(os.listdir(tmp_path)) == ["in.parquet", "scratch"]


COMMAND = [sys.executable, "-m", "sortie._parquet_command"]


def run_command(*arguments, **options):
    return subprocess.run([*COMMAND, *map(str, arguments)], capture_output=True, text=True, timeout=100, **options)


def test_the_command_sorts_what_a_pattern_matches(files, tmp_path):
    told = run_command("--key=kind:desc", "--key=key", "-S", "1M", "-o", tmp_path / "out.parquet", tmp_path / "in" / "*.parquet",
                       "--row-group-rows=1000", "--stats")
    assert (told.returncode, told.stdout) == (0, ""), told.stderr
    assert "3500 records" in told.stderr
    rows = sorted(in_order(files[1]), key=lambda row: row["kind"], reverse=True)
    assert pq.read_table(tmp_path / "out.parquet").to_pylist() == rows


@pytest.mark.parametrize("key, expected", [
    ("a", ("a", "ascending")), ("a:desc", ("a", "descending")), ("a:nulls-first", ("a", "ascending", "at_start")),
    ("a:desc:nulls-last", ("a", "descending", "at_end")), ("a:nulls-first:desc", ("a", "descending", "at_start")),
    ("ns:a", ("ns:a", "ascending")), ("ns:a:desc", ("ns:a", "descending")), (":asc", ("", "ascending")),
])
def test_keys_of_the_command_have_words_behind_colons(key, expected):
    from sortie import _parquet_command

    assert _parquet_command.parse_key(key) == expected


@pytest.mark.parametrize("arguments, message", [
    ([], "the following arguments are required: FILE, -k/--key, -o/--output; try 'sortie-parquet --help'"),
    (["-k", "a", "-o", "out.parquet", "none*.parquet"], "nothing matches 'none*.parquet'"),
    (["-k", "a", "-o", "out.parquet", "none.parquet"], "cannot read 'none.parquet': No such file or directory"),
    (["-k", "a:asc:desc", "-o", "out.parquet", "none.parquet"], "the key 'a:asc:desc' has two words of one kind: leave one out"),
    (["-k", "a", "-o", "out.parquet", "--what", "none.parquet"], "unrecognized arguments: --what; try 'sortie-parquet --help'"),
])
def test_an_error_of_the_command_is_one_line_and_status_2(tmp_path, arguments, message):
    told = run_command(*arguments, cwd=tmp_path)
    assert (told.returncode, told.stdout, told.stderr) == (2, "", f"sortie-parquet: {message}\n")


def test_the_command_has_help_and_a_version():
    told = run_command("--help")
    assert told.returncode == 0 and "example: sortie-parquet" in told.stdout
    assert run_command("--version").stdout == f"sortie-parquet {sortie.__version__}\n"


def test_the_wheel_has_the_command():
    text = (pathlib.Path(__file__).parents[2] / "pyproject.toml").read_text()
    assert 'sortie-parquet = "sortie._parquet_command:main"' in text


def test_columns_that_are_larger_in_a_file_than_in_memory_are_written(files, tmp_path, monkeypatch):
    allocate = pa.allocate_buffer
    monkeypatch.setattr(pa, "allocate_buffer", lambda size: allocate(100))
    sortie.sort_parquet(files[0], tmp_path / "out.parquet", by="key", row_group_rows=1000)
    assert pq.read_table(tmp_path / "out.parquet").to_pylist() == in_order(files[1])
