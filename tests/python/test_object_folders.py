"""Folders of objects as outputs of sort_parquet() and sortie-parquet."""

import io
import os
import pickle
import random
import signal
import subprocess
import sys
import time

import pytest

pytest.importorskip("obstore", reason="obstore is not installed (every test of this file)")
pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed (every test of this file)")
import pyarrow.parquet as pq  # noqa: E402

import sortie  # noqa: E402
from sortie.objects import folder, writing  # noqa: E402


def table_of(count):
    generator = random.Random(count)
    return pa.table({"key": [generator.getrandbits(40) for _ in range(count)],
                     "year": [2000 + i % 3 for i in range(count)],
                     "name": pa.array([None if i % 7 == 0 else f"a/b {i % 4}%" for i in range(count)])})


@pytest.fixture
def table(tmp_path):
    rows = table_of(20_000)
    pq.write_table(rows, tmp_path / "in.parquet")
    return rows


def files_below(path):
    return {str(file.relative_to(path)): file.read_bytes() for file in path.rglob("*") if file.is_file()}


@pytest.mark.parametrize("options", [
    {"file_rows": 6000}, {"file_bytes": 100_000}, {"partition_by": ["year", "name"]},
    {"output_format": "csv.gz", "file_rows": 9000}, {"output_format": "arrow", "partition_by": "year"}], ids="-".join)
@pytest.mark.parametrize("slash", ["/", ""])
def test_a_folder_of_objects_holds_what_a_folder_of_files_does(each_store, table, tmp_path, options, slash,
                                                               monkeypatch):
    monkeypatch.setattr(writing, "PART_BYTES", 32 << 10)
    each_store.objects["bucket/outer"] = each_store.objects["bucket/o"] = b"others"
    report = sortie.sort_parquet(tmp_path / "in.parquet", f"{each_store.scheme}://bucket/a/out{slash}", by="key",
                                 **options)
    local = sortie.sort_parquet(tmp_path / "in.parquet", f"{tmp_path}/out/", by="key", **options)
    written = {name.removeprefix("bucket/a/out/"): content for name, content in each_store.objects.items()
               if name.startswith("bucket/a/")}
    assert written == files_below(tmp_path / "out") and each_store.uploads == {}
    assert [name.partition("out/")[2] for name in report.files] == [name.partition("out/")[2] for name in local.files]
    assert report.num_files == len(written) and report.files[0].startswith(f"{each_store.scheme}://bucket/a/out/")
    assert pickle.loads(pickle.dumps(report)).to_arrow().equals(local.to_arrow()) and report.schema == local.schema
    again = sortie.sort_parquet(f"{each_store.scheme}://bucket/a/out/", tmp_path / "again.parquet", by="key")
    assert again.output_records == 20_000


def test_a_bucket_may_be_the_folder(s3, table, tmp_path):
    for url in ("s3://bucket/", "s3://bucket"):
        s3.objects.clear()
        report = sortie.sort_parquet(tmp_path / "in.parquet", url, by="key", file_rows=15_000)
        assert sorted(s3.objects) == ["bucket/part-00000.parquet",
                                      "bucket/part-00001.parquet"] and report.num_files == 2


def test_a_folder_that_holds_objects_is_refused_before_a_row_is_read(s3, tmp_path):
    s3.objects["bucket/out/a/1"] = b"theirs"
    for url in ("s3://bucket/out/", "s3://bucket/out/a"):
        with pytest.raises(sortie.Error, match=f"^cannot write '{url}': the folder is not empty, it holds "
                           "'s3://bucket/out/a/1': name an empty or a new one$"):
            sortie.sort_parquet(tmp_path / "none.parquet", url, by="key", file_rows=10)
    with pytest.raises(sortie.ArgumentError,
                       match="^output 'https://server/x/' is a folder of a web server, which lists"):
        sortie.sort_parquet(tmp_path / "none.parquet", "https://server/x/", by="key")


def test_objects_that_somebody_writes_meanwhile_stay_and_are_told(s3, table, tmp_path):
    real = s3.fault_of

    def write_meanwhile(operation):
        if operation == "part" or s3.counts["abort"]:
            s3.objects["bucket/out/theirs"] = b"theirs"
        return real(operation)

    s3.fault_of = write_meanwhile
    with pytest.raises(sortie.Error, match="/out/': it was empty when the sort began, and now it holds "
                       "'s3://bucket/out/the"):
        sortie.sort_parquet(tmp_path / "in.parquet", "s3://bucket/out/", by="key", file_rows=6000)
    assert s3.objects == {"bucket/out/theirs": b"theirs"} and s3.uploads == {}


def test_nothing_is_visible_before_all_is_verified(s3, table, tmp_path, monkeypatch):
    monkeypatch.setattr(writing, "PART_BYTES", 16 << 10)
    seen = []
    real = folder.ObjectFolder.finish

    def look(self):
        seen.append((dict(s3.objects), len(s3.uploads)))
        real(self)

    monkeypatch.setattr(folder.ObjectFolder, "finish", look)
    sortie.sort_parquet(tmp_path / "in.parquet", "s3://bucket/out/", by="key", file_rows=6000, compression="none")
    assert seen == [({}, 4)] and len(s3.objects) == 4 and s3.uploads == {}


def test_what_is_on_its_way_is_bounded_however_many_objects_there_are(s3, tmp_path, monkeypatch):
    monkeypatch.setattr(writing, "PART_BYTES", 1 << 10)
    s3.seconds = 0.002
    generator = random.Random(1)
    from sortie.objects.store import ObjectName

    output = ObjectName("s3://bucket/out/").create_folder(tmp_path)
    handed, contents = 0, {}
    for number in range(40):
        part = output.begin([], f"part-{number}")
        size = generator.choice([0, 1, 1000, 1024, 5000, 20_000])
        contents[f"bucket/out/part-{number}"] = content = generator.randbytes(size)
        for begin in range(0, len(content), 700):
            part.write(content[begin:begin + 700])
        part.finish()
        handed += len(content)
        sent = sum(len(one) for _, parts in s3.uploads.values() for one in parts.values())
        waiting = sum(part._waiting for part in output._parts)
        # A byte of each is held, by which the rest of it goes on.
        assert handed - sent - waiting <= writing.CONNECTIONS * writing.PART_BYTES + number + 1
    output.finish()
    assert s3.objects == contents and s3.most_at_once["part"] <= writing.CONNECTIONS and s3.uploads == {}


def test_ends_wait_in_scratch(s3, table, tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", "/nowhere")
    sortie.sort_parquet(tmp_path / "in.parquet", "s3://bucket/out/", by="key", file_rows=6000, scratch=tmp_path,
                        memory="64MB")
    assert len(s3.objects) == 4
    with pytest.raises(sortie.Error, match="choose another scratch directory with scratch=$"):
        sortie.sort_parquet(tmp_path / "in.parquet", "s3://bucket/other/", by="key", file_rows=6000, scratch="/nowhere")
    assert len(s3.objects) == 4 and s3.uploads == {}


SMALL_PARTS = "import sortie.objects.writing as w; w.PART_BYTES = 4 << 10; import sortie.jobs.parquet_command as c; c.main()"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("operation", ["part", "complete"])
def test_a_command_that_is_ended_by_a_signal_leaves_no_object_and_no_upload(s3, table, tmp_path, number, operation):
    s3.fail(operation, "slow", after=1, seconds=0.5)
    process = subprocess.Popen([sys.executable, "-c", SMALL_PARTS, "--key=key", "--compression=none",
                                "--file-rows=1500", "-o",
                                "s3://bucket/out/", tmp_path / "in.parquet"], stderr=subprocess.PIPE, text=True)
    while s3.counts[operation] < 3:
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(number)
    assert process.communicate()[1] == "" and process.returncode == -number
    assert s3.uploads == {} and s3.objects == {}


def test_the_command_writes_folders(s3, table, tmp_path):
    done = subprocess.run([sys.executable, "-m", "sortie.jobs.parquet_command", "--key=key", "--partition-by=year",
                           "-o",
                           "s3://bucket/out", tmp_path / "in.parquet"], capture_output=True, text=True,
                          env=dict(os.environ))
    assert (done.returncode, done.stderr) == (0, "")
    assert sorted(s3.objects) == [f"bucket/out/year={year}/part-00000.parquet" for year in (2000, 2001, 2002)]
    assert sum(pq.read_metadata(io.BytesIO(content)).num_rows for content in s3.objects.values()) == 20_000
