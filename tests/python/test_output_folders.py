"""Folders of parts as outputs of sort_parquet(): what is in them, when they take their place, and what is left if they
do not."""

import datetime
import decimal
import errno
import os
import pickle
import signal
import stat
import subprocess
import time

import pytest

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed (every test of this file)")
import pyarrow.parquet as pq  # noqa: E402
from table_files import COMMAND, read, shuffled  # noqa: E402

import sortie  # noqa: E402

ROWS = 6000


@pytest.fixture
def source(tmp_path):
    pq.write_table(shuffled(ROWS), tmp_path / "in.parquet")
    return tmp_path / "in.parquet"


def expected():
    return shuffled(ROWS).sort_by("key")


def names(folder):
    return sorted(os.listdir(folder))


def test_parts_have_the_rows_asked_for_in_the_order_of_the_sort(source, tmp_path):
    report = sortie.sort_parquet(source, f"{tmp_path}/out/", by="key", file_rows=2500)
    assert names(tmp_path) == ["in.parquet", "out"]
    assert names(tmp_path / "out") == [f"part-0000{number}.parquet" for number in range(3)]
    files = [pq.ParquetFile(path) for path in report.files]
    assert [file.metadata.num_rows for file in files] == [2500, 2500, 1000]
    assert pa.concat_tables(file.read() for file in files).equals(expected())
    assert all(file.metadata.row_group(0).sorting_columns[0].column_index == 0 for file in files)


def test_parts_have_about_the_bytes_asked_for(source, tmp_path):
    report = sortie.sort_parquet(source, f"{tmp_path}/out/", by="key", file_bytes="40kB", compression="none")
    sizes = [os.path.getsize(path) for path in report.files]
    assert len(sizes) > 2
    assert all(20_000 < size < 50_000 for size in sizes[:-1]) and sizes[-1] < 50_000
    assert report.to_arrow().equals(expected())


def test_the_bytes_of_parts_do_not_depend_on_threads(source, tmp_path):
    outputs = []
    for threads in (1, 4):
        report = sortie.sort_parquet(source, f"{tmp_path}/out{threads}/", by="key", file_bytes=30_000, threads=threads)
        outputs.append([open(path, "rb").read() for path in report.files])
    assert outputs[0] == outputs[1] and len(outputs[0]) > 2


def test_without_a_size_there_is_one_part(source, tmp_path):
    report = sortie.sort_parquet(source, f"{tmp_path}/out/", by="key")
    assert (report.num_files, names(tmp_path / "out")) == (1, ["part-00000.parquet"])


@pytest.mark.parametrize("name", ["csv", "csv.gz", "arrow", "feather"])
def test_parts_are_of_the_format_asked_for(tmp_path, name):
    table = pa.table({"key": [3, 1, 2, 5, 4], "text": list("abcde")})
    pq.write_table(table, tmp_path / "in.parquet")
    report = sortie.sort_parquet(tmp_path / "in.parquet", f"{tmp_path}/out/", by="key", output_format=name, file_rows=2)
    assert [os.path.basename(path) for path in report.files] == [f"part-0000{number}.{name}" for number in range(3)]
    parts = [read(type(tmp_path)(path)) for path in report.files]
    assert [part.num_rows for part in parts] == [2, 2, 1]
    assert report.to_arrow().equals(table.sort_by("key"))


def test_rows_of_csv_have_one_type_in_all_parts(tmp_path):
    (tmp_path / "in.csv").write_text("key,text,number\n1,,\n3,x,1.5\n2,007,2\n")
    report = sortie.sort_parquet(tmp_path / "in.csv", f"{tmp_path}/out/", by="key", output_format="csv", file_rows=1)
    assert open(report.files[1]).read() == '"key","text","number"\n"2","007","2"\n'
    # What stays as it was is text.
    assert report.to_arrow().to_pydict() == {"key": [1, 2, 3], "text": ["", "007", "x"], "number": ["", "2", "1.5"]}


def test_rows_of_csv_come_back_in_their_types(tmp_path):
    day, time = datetime.date(2024, 1, 2), datetime.datetime(2024, 1, 2, 3, 4, 5)
    table = pa.table({
        "key": pa.array([1, 2], "int8"), "text": ["007", "NA"], "large": pa.array([1 << 63, 1], "uint64"),
        "day": [day, None],
        "time": pa.array([time, None], pa.timestamp("ms", "UTC")), "double": [0.1, 2.0], "flag": [True, None],
        "decimal": pa.array([decimal.Decimal("1.50"), None]), "clock": pa.array([time.time(), None], pa.time32("ms")),
        "bytes": [b"a", b"b"], "nothing": pa.nulls(2), "word": pa.array(["b", "a"]).dictionary_encode()})
    pq.write_table(table, tmp_path / "in.parquet")
    report = sortie.sort_parquet(tmp_path / "in.parquet", f"{tmp_path}/out/", by="key", output_format="csv",
                                 file_rows=1)
    result = report.to_arrow()
    same = [name for name in table.schema.names if name not in ("bytes", "word", "nothing")]
    assert result.select(same).equals(table.select(same))
    assert result["bytes"].to_pylist() == ["a", "b"] and result["word"].to_pylist() == ["b", "a"]


def test_a_path_without_a_slash_is_a_folder_if_something_is_said_of_folders(source, tmp_path):
    assert sortie.sort_parquet(source, tmp_path / "out", by="key", file_rows=2500).num_files == 3
    (tmp_path / "other").write_text("a file")
    with pytest.raises(sortie.ArgumentError, match="^file_rows is for a folder of files"):
        sortie.sort_parquet(source, tmp_path / "other", by="key", file_rows=2500)
    with pytest.raises(sortie.ArgumentError, match="^cannot tell the format of "):
        sortie.sort_parquet(source, tmp_path / "new", by="key")


def test_parts_of_csv_have_about_the_bytes_asked_for(tmp_path):
    table = pa.table({"key": range(20_000), "text": ["ten bytes!"] * 20_000})
    pq.write_table(table, tmp_path / "in.parquet")
    report = sortie.sort_parquet(tmp_path / "in.parquet", f"{tmp_path}/out/", by="key", output_format="csv",
                                 file_bytes="100kB")
    sizes = [os.path.getsize(path) for path in report.files]
    assert all(100_000 <= size < 130_000 for size in sizes[:-1]) and len(sizes) > 3
    assert report.to_arrow().equals(table)


@pytest.mark.parametrize("name", ["parquet", "csv", "arrow"])
def test_a_table_without_rows_is_one_part(tmp_path, name):
    pq.write_table(pa.table({"key": pa.array([], "int64")}), tmp_path / "in.parquet")
    report = sortie.sort_parquet(tmp_path / "in.parquet", f"{tmp_path}/out/", by="key", output_format=name)
    assert names(tmp_path / "out") == [f"part-00000.{name}"]
    assert report.to_arrow().schema.names == ["key"] and report.num_rows == 0


def test_dictionaries_that_are_carried_as_values_are_written_to_parts(tmp_path, monkeypatch):
    from sortie.parquet import dictionaries
    monkeypatch.setattr(dictionaries, "_MOST_WORD_BYTES", 10)
    pq.write_table(shuffled(ROWS), tmp_path / "in.parquet")
    report = sortie.sort_parquet(tmp_path / "in.parquet", f"{tmp_path}/out/", by="key", file_rows=2500)
    assert report.to_arrow().to_pylist() == expected().to_pylist()


def test_the_report_leads_to_all_parts(source, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    report = sortie.sort_parquet(source, "out/", by="key", file_rows=2500, stats_json="stats.json")
    assert report.files == [f"out/part-0000{number}.parquet" for number in range(3)]
    assert (report.path, report.num_files, report.num_rows) == ("out/", 3, ROWS)
    assert "\nfiles      3\n" in str(report)
    assert report.to_dict()["output_files"] == 3
    import json
    assert json.loads((tmp_path / "stats.json").read_text()) == report.to_dict()
    again = pickle.loads(pickle.dumps(report))
    monkeypatch.chdir("/")
    assert again.to_arrow().equals(expected()) and again.num_files == 3
    assert sum(batch.num_rows for batch in again.to_batches()) == ROWS
    assert repr(again).startswith("<sortie.TableReport: 6000 records") and "row 1" in repr(again)


def test_one_file_is_a_report_of_one_file(source, tmp_path):
    report = sortie.sort_parquet(source, tmp_path / "out.parquet", by="key")
    assert (report.files, report.num_files) == ([str(tmp_path / "out.parquet")], 1)
    assert "files  " not in str(report)


def test_an_empty_folder_stays_itself(source, tmp_path):
    out = tmp_path / "out"
    out.mkdir(0o750)
    os.chmod(out, 0o2750)
    before = os.stat(out)
    sortie.sort_parquet(source, out, by="key", file_rows=2500)
    after = os.stat(out)
    assert (after.st_ino, after.st_mode, after.st_uid) == (before.st_ino, before.st_mode, before.st_uid)
    assert names(out) == [f"part-0000{number}.parquet" for number in range(3)]


def test_a_new_folder_has_the_mode_of_new_folders(source, tmp_path):
    old = os.umask(0o027)
    try:
        report = sortie.sort_parquet(source, f"{tmp_path}/out/", by="key")
    finally:
        os.umask(old)
    assert stat.S_IMODE(os.stat(tmp_path / "out").st_mode) == 0o750
    assert stat.S_IMODE(os.stat(report.files[0]).st_mode) == 0o640


def test_a_link_to_a_folder_is_followed(source, tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    sortie.sort_parquet(source, tmp_path / "link", by="key")
    assert (tmp_path / "link").is_symlink() and names(tmp_path / "real") == ["part-00000.parquet"]


REFUSED = {
    "a folder that is not empty": ("full/", {},
                                   "cannot write '{0}full/': the folder is not empty, it holds 'a' and 1 more: name "
                                   "an empty or a new one"),
    "a file": ("file/", {}, "cannot write '{0}file/': it is a file, and no folder: name another"),
    "no parent": ("no/out/", {}, "cannot write '{0}no/out/': there is no folder '{0}no': make it first"),
    "a size for a file": ("out.parquet", {"file_bytes": "1MB"},
                          "file_bytes is for a folder of files, and the output is one file, "
                          "'{0}out.parquet': leave it out, or let the name of the output end in '/'"),
    "a format for a file": ("out.csv", {"output_format": "csv"},
                            "output_format is for a folder of files, and the output is one "
                            "file, '{0}out.csv': leave it out, or let the name of the output end in '/'"),
    "an unknown format": ("out/", {"output_format": "orc"},
                          "invalid value 'orc' for output_format: known are parquet, csv, "
                          "csv.gz, csv.zst, jsonl, jsonl.gz, jsonl.zst, ndjson, ndjson.gz, ndjson.zst, arrow, feather"),
    "two limits": ("out/", {"file_bytes": 5, "file_rows": 5},
                   "file_bytes and file_rows are incompatible: give one of them"),
    "no rows": ("out/", {"file_rows": 0}, "invalid value '0' for file_rows: give 1 or more"),
    "no size": ("out/", {"file_bytes": "many"},
                "invalid value 'many' for file_bytes: give bytes, or a size such as 4GB, 4GiB or "
                "512M"),
    "a report within": ("out/", {"stats_json": "{0}out/stats.json"},
                        "stats_json is within the output, '{0}out/stats.json', a folder "
                        "of tables alone: name a file elsewhere"),
    "compression of CSV": ("out/", {"output_format": "csv", "row_group_rows": 5},
                           "row_group_rows is for Parquet: leave it out, or "
                           "let output_format be \"parquet\""),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_place_for_parts_is_refused_before_a_row_is_read(source, tmp_path, monkeypatch, name):
    from sortie.jobs import sort_parquet
    output, options, message = REFUSED[name]
    (tmp_path / "full").mkdir()
    for other in ("a", "b"):
        (tmp_path / "full" / other).write_text(other)
    (tmp_path / "file").write_text("file")
    before = names(tmp_path)
    monkeypatch.setattr(sort_parquet, "_push", lambda *_: pytest.fail("rows are sorted"))
    if output == "full/":
        source.write_bytes(b"which nobody looks at")
    options = {key: value.format(f"{tmp_path}/") if isinstance(value, str) else value for key, value in options.items()}
    with pytest.raises(sortie.Error) as caught:
        sortie.sort_parquet(source, f"{tmp_path}/{output}", by="key", **options)
    assert str(caught.value) == message.format(f"{tmp_path}/")
    assert names(tmp_path) == before and names(tmp_path / "full") == ["a", "b"]


def test_a_folder_that_is_refused_is_an_error_of_its_class(source, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(NotADirectoryError):
        sortie.sort_parquet(source, f"{tmp_path}/file/", by="key")
    with pytest.raises(OSError) as caught:
        sortie.sort_parquet(source, tmp_path, by="key")
    assert caught.value.errno == errno.ENOTEMPTY


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_may_not_be_written_is_refused(source, tmp_path):
    (tmp_path / "locked").mkdir(0o500)
    with pytest.raises(PermissionError):
        sortie.sort_parquet(source, f"{tmp_path}/locked/out/", by="key")
    with pytest.raises(PermissionError):
        sortie.sort_parquet(source, f"{tmp_path}/locked", by="key")


def test_a_place_where_no_folder_can_be_made_is_named(source):
    with pytest.raises(OSError, match="^cannot write '/proc/out/': "):
        sortie.sort_parquet(source, "/proc/out/", by="key")


class Stop(Exception):
    pass


@pytest.mark.parametrize("phase", ["forming runs", "writing"])
@pytest.mark.parametrize("is_there", [False, True])
def test_a_sort_that_is_stopped_leaves_no_trace(source, tmp_path, phase, is_there):
    if is_there:
        (tmp_path / "out").mkdir()
    seen = []

    def progress(name, done, total):
        seen.append(name)
        if name == phase:
            raise Stop
    with pytest.raises(Stop):
        sortie.sort_parquet(source, f"{tmp_path}/out/", by="key", file_rows=100, progress=progress)
    assert phase in seen
    assert names(tmp_path) == (["in.parquet", "out"] if is_there else ["in.parquet"])
    assert not is_there or names(tmp_path / "out") == []


def test_a_strict_sort_that_assumes_something_leaves_no_trace(tmp_path):
    (tmp_path / "in.csv").write_text("key,code\n1,007\n2,008\n")
    with pytest.raises(sortie.Error, match="would have to assume"):
        sortie.sort_parquet(tmp_path / "in.csv", f"{tmp_path}/out/", by="key", strict=True)
    assert names(tmp_path) == ["in.csv"]
    with pytest.warns(sortie.SortWarning):
        report = sortie.sort_parquet(tmp_path / "in.csv", f"{tmp_path}/out/", by="key")
    assert [told.count for told in report.assumptions] == [2] and report.num_files == 1


def make_in_the_meantime(path, content):
    """A function for progress=, which makes a folder once the sort has begun."""
    def progress(name, done, total):
        if not path.exists():
            path.mkdir()
        if content and not (path / content).exists():
            (path / content).write_text("theirs")
    return progress


def test_what_somebody_makes_in_the_meantime_is_not_replaced(source, tmp_path):
    out = tmp_path / "out"
    with pytest.raises(sortie.Error) as caught:
        sortie.sort_parquet(source, f"{out}/", by="key", progress=make_in_the_meantime(out, "theirs"))
    assert str(caught.value) == (f"cannot write '{out}/': it was empty, or not there, when the sort began, and now it "
                                 "holds "
                                 "'theirs': name a new folder")
    assert names(tmp_path) == ["in.parquet", "out"] and (out / "theirs").read_text() == "theirs"
    assert names(out) == ["theirs"]


def test_an_empty_folder_that_somebody_makes_in_the_meantime_is_used(source, tmp_path):
    sortie.sort_parquet(source, f"{tmp_path}/out/", by="key", progress=make_in_the_meantime(tmp_path / "out", ""))
    assert names(tmp_path) == ["in.parquet", "out"] and names(tmp_path / "out") == ["part-00000.parquet"]


def test_a_file_that_somebody_makes_in_the_meantime_stays(source, tmp_path):
    with pytest.raises(sortie.Error, match="and now it is a file: name a new folder$"):
        sortie.sort_parquet(source, f"{tmp_path}/out/", by="key",
                            progress=lambda *_: (tmp_path / "out").write_text("theirs"))
    assert names(tmp_path) == ["in.parquet", "out"] and (tmp_path / "out").read_text() == "theirs"


@pytest.mark.parametrize("function", ["rename", "fsync", "open", "chmod"])
@pytest.mark.parametrize("is_there", [False, True])
def test_a_system_that_fails_leaves_no_trace(source, tmp_path, monkeypatch, function, is_there):
    """Each call in turn fails."""
    real, out = getattr(os, function), tmp_path / "out"
    if is_there:
        out.mkdir()
    for failing in range(100):
        calls = []

        def call(*arguments, **options):
            calls.append(arguments)
            if len(calls) == failing + 1:
                raise OSError(errno.EIO, os.strerror(errno.EIO))
            return real(*arguments, **options)
        monkeypatch.setattr(os, function, call)
        try:
            sortie.sort_parquet(source, f"{out}/", by="key", file_rows=2500)
            assert len(calls) <= failing
            break
        except sortie.Error as error:
            assert "Input/output error" in str(error) and str(out) in str(error)
            is_complete = "the output is complete" in str(error)
        finally:
            monkeypatch.setattr(os, function, real)
        if is_complete:
            assert len(names(out)) == 3
            return
        assert names(tmp_path) == (["in.parquet", "out"] if is_there else ["in.parquet"])
        assert not is_there or names(out) == []
    assert failing and names(out) == [f"part-0000{number}.parquet" for number in range(3)]


def test_a_full_disk_leaves_no_trace(small_disk, tmp_path):
    import numpy as np
    pq.write_table(pa.table({"key": np.random.default_rng(1).integers(0, 1 << 60, 500_000)}), tmp_path / "in.parquet")
    program = """
import os, sortie, sys
for output in sys.argv[2:]:
    try:
        sortie.sort_parquet(sys.argv[1], output, by="key", file_bytes="300kB")
    except sortie.Error as error:
        print(error)
    print(os.listdir(sys.argv[2][:-4]))
"""
    done = small_disk.run(program, tmp_path / "in.parquet", f"{small_disk.path}/out/", f"{small_disk.path}/")
    lines = done.stdout.splitlines()
    assert len(lines) == 4, done.stderr
    for line, shown in zip(lines[::2], (f"{small_disk.path}/out", f"{small_disk.path}")):
        assert line.startswith(f"cannot write '{shown}/part-0000") and line.endswith(": No space left on device")
    assert lines[1::2] == ["[]", "[]"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_leaves_no_hidden_folder(tmp_path, number):
    import numpy as np
    pq.write_table(pa.table({"key": np.arange(1_500_007) * 7919 % 1_500_007}), tmp_path / "in.parquet")
    with subprocess.Popen([*COMMAND, "-k", "key", "--compression=brotli:11", "--file-size=64K", "-o",
                           f"{tmp_path}/out/", tmp_path / "in.parquet"], stderr=subprocess.PIPE) as process:
        hidden = []
        while not hidden and process.poll() is None:
            hidden = [name for name in os.listdir(tmp_path) if name.startswith(".out.sortie-")]
            time.sleep(0.01)
        while process.poll() is None and not os.listdir(tmp_path / hidden[0]):
            time.sleep(0.01)
        process.send_signal(number)
        assert process.wait(100) == -number
    assert len(hidden) == 1
    assert names(tmp_path) == ["in.parquet"]


def test_more_files_than_names_are_refused(source, tmp_path, monkeypatch):
    from sortie.outputs import part_writer
    monkeypatch.setattr(part_writer, "_DIGITS", 1)
    with pytest.raises(sortie.Error, match="^the output has more than 10 files in one folder: let them be larger"):
        sortie.sort_parquet(source, f"{tmp_path}/out/", by="key", file_rows=500)
    assert names(tmp_path) == ["in.parquet"]
    assert sortie.sort_parquet(source, f"{tmp_path}/out/", by="key", file_rows=600).num_files == 10


def test_all_files_and_folders_are_synced_before_they_are_put_in_place(source, tmp_path, monkeypatch):
    from sortie.outputs import output_folder
    synced, real = [], output_folder._sync
    monkeypatch.setattr(output_folder, "_sync", lambda path: (synced.append(path), real(path)))
    report = sortie.sort_parquet(source, f"{tmp_path}/out/", by="key", file_rows=300)
    hidden = [path for path in synced if ".out.sortie-" in path]
    assert report.num_files == 20 and len(set(hidden)) == 21 and synced[21:] == [f"{tmp_path}/out", str(tmp_path)]

    def fail(path):
        raise OSError(errno.EIO, os.strerror(errno.EIO), path)

    monkeypatch.setattr(output_folder, "_sync", fail)
    with pytest.raises(sortie.Error, match=f"^cannot write '{tmp_path}/two/': Input/output error$"):
        sortie.sort_parquet(source, f"{tmp_path}/two/", by="key", file_rows=300)
    assert names(tmp_path) == ["in.parquet", "out"]


def test_the_command_writes_parts(source, tmp_path):
    done = subprocess.run([*COMMAND, "-k", "key", "--file-rows=2500", "-o", "out/", "in.parquet", "--stats"],
                          cwd=tmp_path, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0 and "\nfiles      3\n" in done.stderr
    assert pq.read_table(tmp_path / "out").num_rows == ROWS


@pytest.mark.parametrize("words, message", [
    (["-o", "out.parquet", "--file-size=1M"],
     "--file-size is for a folder of files, and the output is one file, 'out.parquet': "
     "leave it out, or let the name of the output end in '/'"),
    (["-o", "out/", "--file-size=1M", "--file-rows=5"],
     "--file-size and --file-rows are incompatible: give one of them"),
    (["-o", "out/", "--output-format=csv", "--page-index=on"], "--page-index is for Parquet: leave it out, or give "
     "--output-format=parquet"),
    (["-o", "out/", "--output-format=orc"], "invalid value 'orc' for --output-format: known are parquet, csv, csv.gz, "
     "csv.zst, jsonl, jsonl.gz, jsonl.zst, ndjson, ndjson.gz, ndjson.zst, arrow, feather"),
    (["-o", "out/", "--partition-by=x"], "--partition-by names the column 'x', which 'in.parquet' does not have; it "
     "has key, text, kind, place"),
])
def test_errors_of_the_command_name_its_options(source, tmp_path, words, message):
    done = subprocess.run([*COMMAND, "-k", "key", *words, "in.parquet"], cwd=tmp_path, capture_output=True, text=True,
                          timeout=100)
    assert (done.returncode, done.stderr) == (2, f"sortie-parquet: {message}\n")
