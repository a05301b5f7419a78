"""Objects on stores as inputs and outputs of sort_parquet() and sortie-parquet."""

import contextlib
import gzip
import importlib.util
import io
import os
import pickle
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time

import pytest

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed (every test of this file)")
import pyarrow.parquet as pq  # noqa: E402
from table_files import arrow_bytes, csv_bytes, json_bytes, parquet_bytes  # noqa: E402

import sortie  # noqa: E402
from sortie._sources import sources_of  # noqa: E402
from sortie.objects import listing, read_ahead, reading, store, writing  # noqa: E402

needs_obstore = pytest.mark.skipif(importlib.util.find_spec("obstore") is None, reason="obstore is not installed")


def table_of(count, seed=3):
    generator = random.Random(seed)
    return pa.table({"key": [generator.getrandbits(40) for _ in range(count)],
                     "text": [f"text {i % 99}" for i in range(count)]})


def numbers(count):
    return pa.table({"key": [i * 7919 % count for i in range(count)], "other": range(count)})


@pytest.mark.parametrize("name, content", [
    ("in.parquet", parquet_bytes), ("in.csv", csv_bytes), ("in.csv.gz", lambda table: gzip.compress(csv_bytes(table))),
    ("in.arrow", arrow_bytes), ("in.jsonl.gz", lambda table: gzip.compress(json_bytes(table)))])
@pytest.mark.parametrize("output", ["out.parquet", "out.csv", "out.csv.gz", "out.arrow", "out.ndjson.gz"])
@needs_obstore
def test_all_formats_are_read_from_a_store_and_written_to_it(each_store, tmp_path, name, content, output):
    table, place = table_of(3000), f"{each_store.scheme}://bucket"
    each_store.objects[f"bucket/{name}"] = content(table)
    (tmp_path / name).write_bytes(content(table))
    report = sortie.sort_parquet(f"{place}/{name}", f"{place}/{output}", by="key")
    sortie.sort_parquet(tmp_path / name, tmp_path / output, by="key")
    unpack = gzip.decompress if output.endswith(".gz") else bytes
    assert unpack(each_store.objects[f"bucket/{output}"]) == unpack((tmp_path / output).read_bytes())
    assert report.path == f"{place}/{output}" and each_store.uploads == {}
    assert pickle.loads(pickle.dumps(report)).to_arrow()["key"].to_pylist() == sorted(table["key"].to_pylist())


@needs_obstore
def test_large_objects_go_in_parts_and_come_in_ranges_on_many_connections(each_store):
    table, place = numbers(1_500_000), f"{each_store.scheme}://bucket"
    each_store.objects["bucket/in.parquet"] = content = parquet_bytes(table, compression="none", use_dictionary=False)
    each_store.seconds = 0.02
    sortie.sort_parquet(f"{place}/in.parquet", f"{place}/out.parquet", by="key", compression="none")
    assert pq.read_table(io.BytesIO(each_store.objects["bucket/out.parquet"]))["key"].to_pylist() == list(range(1_500_000))
    assert each_store.counts["part"] >= 2 and each_store.counts["complete"] == 1 and each_store.uploads == {}
    assert 2 <= each_store.most_at_once["get"] <= reading.CONNECTIONS
    ranges = [headers["range"] for operation, _, headers in each_store.asked if operation == "get"]
    asked = sum(int(end) - int(begin) + 1 for begin, end in (text.removeprefix("bytes=").split("-") for text in ranges))
    assert asked < 1.5 * len(content)


@needs_obstore
def test_parts_go_on_several_connections_and_no_more_are_held_than_is_told(s3, monkeypatch):
    monkeypatch.setattr(writing, "PART_BYTES", 64 << 10)
    s3.seconds = 0.01
    content = random.Random(1).randbytes(3_000_001)
    output = store.ObjectName("s3://bucket/out").create()
    for begin in range(0, len(content), 10_000):
        output.write(content[begin:begin + 10_000])
        sent = sum(len(part) for _, parts in s3.uploads.values() for part in parts.values())
        assert output.tell() - sent <= 2 * writing.CONNECTIONS * writing.PART_BYTES + 10_000
    output.finish()
    assert s3.objects["bucket/out"] == content and s3.most_at_once["part"] == writing.CONNECTIONS


@needs_obstore
def test_more_parts_than_stores_take_are_refused(s3, monkeypatch):
    monkeypatch.setattr(writing, "PART_BYTES", 1 << 20)
    monkeypatch.setattr(writing, "_MOST_PARTS", 5)
    s3.objects["bucket/in.parquet"] = parquet_bytes(numbers(1_000_000))
    with pytest.raises(sortie.Error, match="^cannot write 's3://bucket/out.parquet': it has more than 5 parts "
                       "of 1 MiB"):
        sortie.sort_parquet("s3://bucket/in.parquet", "s3://bucket/out.parquet", by="key", compression="none")
    assert s3.uploads == {} and list(s3.objects) == ["bucket/in.parquet"]


@needs_obstore
def test_ranges_that_are_read_ahead_keep_to_their_memory(s3, monkeypatch):
    """In any order of reads, and the bytes are the right ones."""
    monkeypatch.setattr(reading, "BLOCK_BYTES", 1 << 10)
    s3.objects["bucket/in"] = content = random.Random(1).randbytes(300_001)
    generator = random.Random(2)
    with store.ObjectName("s3://bucket/in").open_source() as file:
        places = [0, 100_000, 200_000, 300_000]
        for _ in range(2000):
            which = generator.randrange(4)
            file.seek(places[which] if generator.random() < 0.9 else generator.randrange(310_000))
            begin = file.tell()
            size = generator.choice([1, 10, 1000, 5000, 100_000])
            assert file.read(size) == content[begin:begin + size]
            places[which] = file.tell()
            assert sum(held.count for held in file._ranges.values()) <= file._shared.held <= read_ahead.MOST_BLOCKS
            assert len(file._blocks) == sum(held.count for held in file._ranges.values())
        file.seek(0)
        assert file.read() == content and file.read() == b"" and file.seek(-3, 2) == 299_998 and len(file.read(99)) == 3


@needs_obstore
def test_all_open_objects_of_a_call_hold_so_much_together(s3, monkeypatch):
    """And a block each, if there are more of them than blocks."""
    monkeypatch.setattr(reading, "BLOCK_BYTES", 1 << 10)
    s3.objects["bucket/in"] = content = random.Random(1).randbytes(300_001)
    for count in (1, 3, 20, 100):
        names = sources_of(["s3://bucket/in"] * count)
        generator, most = random.Random(count), 0
        with contextlib.ExitStack() as stack:
            files = [stack.enter_context(name.open_source()) for name in names]
            for turn in range(max(400, 8 * count)):
                file = files[turn % count] if generator.random() < 0.8 else generator.choice(files)
                begin, size = file.tell(), generator.choice([1, 1000, 5000, 50_000])
                assert file.read(size) == content[begin:begin + size]
                if file.tell() == len(content):
                    file.seek(0)
                most = max(most, names[0].ahead.held)
                assert names[0].ahead.held <= read_ahead.MOST_BLOCKS + count
            assert most > read_ahead.MOST_BLOCKS // 4
        wait_for_requests()
        assert names[0].ahead.held == 0 and names[0].ahead.share() == read_ahead.MOST_BLOCKS


def wait_for_requests():
    while any(thread.name.startswith("sortie-objects") for thread in threading.enumerate()):
        time.sleep(0.001)


@needs_obstore
def test_web_servers_that_take_a_put_are_written_to(s3, tmp_path, monkeypatch):
    s3.objects["bucket/in.parquet"] = parquet_bytes(table_of(3000))
    monkeypatch.setattr(store, "SILENCE", store.SILENCE / 60)
    url = f"{s3.url}/bucket/a%20b/out.csv.gz"
    for fault, times, message in ((None, 0, None), ("unavailable", 2, None), ("cut", 1, None),
                                  ("refused", 1, "the server says 403 Forbidden")):
        s3.objects.pop("bucket/a b/out.csv.gz", None)
        s3.faults.clear()
        s3.fail("put", fault, times=times)
        if message is None:
            sortie.sort_parquet("s3://bucket/in.parquet", url + "?X-Amz-Signature=TOPSECRET", by="key")
            assert gzip.decompress(s3.objects["bucket/a b/out.csv.gz"]).count(b"\n") == 3001
            assert s3.asked[-1][1] == "/bucket/a%20b/out.csv.gz?X-Amz-Signature=TOPSECRET"
        else:
            with pytest.raises(sortie.Error, match=f"^cannot write '{url}': {message}$"):
                sortie.sort_parquet("s3://bucket/in.parquet", url + "?X-Amz-Signature=TOPSECRET", by="key")
            assert "bucket/a b/out.csv.gz" not in s3.objects


@needs_obstore
def test_what_goes_to_a_web_server_waits_in_scratch(s3, tmp_path, monkeypatch):
    s3.objects["bucket/in.parquet"] = parquet_bytes(table_of(3000))
    monkeypatch.setattr(tempfile, "tempdir", "/nowhere")
    monkeypatch.setenv("TMPDIR", "/nowhere")
    sortie.sort_parquet("s3://bucket/in.parquet", f"{s3.url}/bucket/out.parquet", by="key", scratch=tmp_path)
    assert pq.read_table(io.BytesIO(s3.objects["bucket/out.parquet"])).num_rows == 3000
    with pytest.raises(FileNotFoundError, match="^cannot create temporary file in '/nowhere/too': No such file or "
                       "directory; choose another scratch directory with scratch=$"):
        store.ObjectName(f"{s3.url}/bucket/out.parquet").create("/nowhere/too")


@needs_obstore
def test_empty_objects_and_empty_tables(s3):
    s3.objects["bucket/nothing.csv"] = b""
    with pytest.raises(sortie.Error, match="^cannot read 's3://bucket/nothing.csv': Empty CSV file$"):
        sortie.sort_parquet("s3://bucket/nothing.csv", "s3://bucket/out.csv", by="key")
    s3.objects["bucket/empty.parquet"] = parquet_bytes(table_of(0))
    assert sortie.sort_parquet("s3://bucket/empty.parquet", "s3://bucket/out.parquet", by="key").output_records == 0
    assert pq.read_table(io.BytesIO(s3.objects["bucket/out.parquet"])).num_rows == 0


NAMES = ("a/1.csv", "a/2.csv", "a/b/3.csv", "a/b/c/4.csv", "a/_hidden/5.csv", "a/.x.csv", "ab/6.csv", "a/7*.csv",
         "a/é 8.csv", "a/9.parquet")


@needs_obstore
@pytest.mark.parametrize("pattern, found", [
    ("a/*.csv", ["1", "2", "7*", "é 8", ".x"]), ("a/", ["1", "2", "b/3", "b/c/4", "7*", "é 8", "9.parquet"]),
    ("a/**/*.csv", ["1", "2", "b/3", "b/c/4", "7*", "é 8", "_hidden/5", ".x"]), ("a/b/**", ["b/3", "b/c/4"]),
    ("a/[12].csv", ["1", "2"]), ("a/?.csv", ["1", "2"]), ("a/7*.csv", ["7*"]), ("a/1.csv", ["1"]),
    ("a/*/3.csv", ["b/3"])])
def test_patterns_and_prefixes_mean_objects(each_store, pattern, found):
    for name in NAMES:
        each_store.objects[f"bucket/{name}"] = b""
    place = f"{each_store.scheme}://bucket"
    names = listing.objects_like(store.ObjectName(f"{place}/{pattern}"))
    full = sorted(f"{place}/a/{name}" + ("" if "." in name[1:] else ".csv" if name != ".x" else ".csv")
                  for name in found)
    assert names == full


@needs_obstore
def test_what_is_no_object_is_refused_before_all_else(s3, tmp_path):
    s3.objects["bucket/in.csv"] = b"key\n1\n"
    for inputs, output, message in (
            ("s3://bucket/no*.csv", "out.csv", "nothing matches 's3://bucket/no*.csv'"),
            ("s3://bucket/none/", "out.csv", "nothing matches 's3://bucket/none/'"),
            ("s3://bucket/no.csv", "out.csv", "cannot read 's3://bucket/no.csv': no such object or bucket"),
            ("s3://", "out.csv", "'s3://' names no bucket: give s3://bucket/name"),
            ("https:///x.csv", "out.csv", "'https:///x.csv' names no server: give https://server/name"),
            ("s3://bucket/in", "out.csv", "cannot tell the format of 's3://bucket/in': let the name end in .parquet, "
             ".arrow, .feather, .csv, .jsonl or .ndjson, of which the last three may have .gz or .zst behind; or in "
             "'/', if all objects below it are meant"),
            ("s3://bucket/a//b.csv", "out.csv",
             "cannot read 's3://bucket/a//b.csv': names with '//', '.' or '..' between"),
            ("s3://bucket/in.csv", "https://server/x/",
             "output 'https://server/x/' is a folder of a web server, which lists"),
            ("s3://bucket/in.csv", "s3://bucket/",
             "cannot write 's3://bucket/': the folder is not empty, it holds 's3://bucket/in"
             ".csv': name an empty or a new one")):
        output = output if "://" in output else tmp_path / output
        with pytest.raises(sortie.Error) as told:
            sortie.sort_parquet(inputs, output, by="key")
        assert str(told.value).startswith(message)
    with pytest.raises(FileNotFoundError):
        sortie.sort_parquet("s3://bucket/no.csv", tmp_path / "out.csv", by="key")
    assert os.listdir(tmp_path) == [] and list(s3.objects) == ["bucket/in.csv"]


@needs_obstore
def test_an_output_that_may_not_be_written_is_refused_before_rows_are_sorted(s3):
    s3.objects["bucket/in.parquet"] = parquet_bytes(table_of(100_000), row_group_size=1000)
    s3.fail("create", "refused")
    with pytest.raises(PermissionError, match="^cannot write 's3://bucket/out.parquet': the store refuses it"):
        sortie.sort_parquet("s3://bucket/in.parquet", "s3://bucket/out.parquet", by="key")
    assert s3.counts["get"] < 12


def test_obstore_is_not_imported_for_files(files, tmp_path, run_python):
    program = "import sys, sortie; sortie.sort_parquet(sys.argv[2:], sys.argv[1], by='key'); sys.exit('obstore' in sys.modules)"
    assert run_python(program, tmp_path / "out.parquet", *files[0]).returncode == 0


def command(*arguments, **options):
    return subprocess.Popen([sys.executable, "-m", "sortie.jobs.parquet_command", *map(str, arguments)],
                            stderr=subprocess.PIPE, text=True, **options)


@needs_obstore
def test_the_command_takes_urls(s3, tmp_path):
    for number in range(3):
        s3.objects[f"bucket/in/{number}.csv"] = csv_bytes(table_of(100, number))
    process = command("--key=key", "-o", "s3://bucket/out.parquet", "s3://bucket/in/*.csv")
    assert process.communicate()[1] == "" and process.returncode == 0
    assert pq.read_metadata(io.BytesIO(s3.objects["bucket/out.parquet"])).num_rows == 300
    process = command("--key=key", "-o", tmp_path / "out.csv", "s3://bucket/no/")
    assert process.communicate()[1] == "sortie-parquet: nothing matches 's3://bucket/no/'\n" and process.returncode == 2


SMALL_PARTS = "import sortie.objects.writing as w; w.PART_BYTES = 64 << 10; import sortie.jobs.parquet_command as c; c.main()"


@needs_obstore
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_command_that_is_ended_by_a_signal_leaves_no_object_and_no_upload(s3, number):
    s3.objects["bucket/in.parquet"] = parquet_bytes(numbers(300_000), compression="none", use_dictionary=False)
    s3.objects["bucket/out.parquet"] = b"as it was"
    s3.fail("part", "slow", after=3, seconds=0.5)
    process = subprocess.Popen([sys.executable, "-c", SMALL_PARTS, "--key=key", "--compression=none",
                                "--row-group-rows=20000",
                                "-o", "s3://bucket/out.parquet", "s3://bucket/in.parquet"], stderr=subprocess.PIPE,
                               text=True)
    while s3.counts["part"] < 6:
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(number)
    assert process.communicate()[1] == "" and process.returncode == -number
    assert s3.uploads == {} and s3.objects["bucket/out.parquet"] == b"as it was"


@pytest.mark.parametrize("scheme, other", [("s3", "s3a"), ("s3", "s3n"), ("gs", "gcs"), ("az", "abfs"),
                                           ("az", "abfss")])
@needs_obstore
def test_other_names_of_stores_mean_the_same(each_store, tmp_path, scheme, other):
    if each_store.scheme != scheme:
        pytest.skip("of another store")
    each_store.objects["bucket/in/a.parquet"] = parquet_bytes(numbers(100))
    report = sortie.sort_parquet(f"{other}://bucket/in/*.parquet", f"{other}://bucket/out.parquet", by="key")
    assert report.path == f"{other}://bucket/out.parquet" and report.to_arrow()["key"].to_pylist() == list(range(100))
    assert "bucket/out.parquet" in each_store.objects


def test_an_account_in_front_of_a_container_is_no_password():
    from sortie.objects.store import ObjectName

    url = "abfss://things@account.dfs.core.windows.net/folder/x.parquet"
    name = ObjectName(url)
    assert str(name) == url and name.key == "folder/x.parquet" and str(pickle.loads(pickle.dumps(name))) == url
    for place in ("user:secret@account.dfs", "user:secret@things", "a@b@account.dfs"):
        with pytest.raises(sortie.Error, match="has a name or a password in front of '@'") as caught:
            ObjectName(f"abfss://{place}.core.windows.net/x")
        assert "secret" not in str(caught.value)
