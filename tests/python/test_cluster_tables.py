"""Where the rows of a cluster come from and go to: folders, hive-partitioned folders, files with other columns and
objects, and how Parquet is written. All of it as one machine has it."""

import importlib.util
import inspect
import io
import json
import os
import random
import shutil
import signal
import struct
import subprocess

import pytest

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed (every test of this file)")
import pyarrow.parquet as pq  # noqa: E402
from cluster_jobs import DRIVER, FAULTY, Faults, wait_until  # noqa: E402
from cluster_tables import few_valued, same  # noqa: E402

import sortie  # noqa: E402
import sortie.cluster  # noqa: E402
from sortie.objects import store  # noqa: E402

needs_obstore = pytest.mark.skipif(importlib.util.find_spec("obstore") is None, reason="obstore is not installed")
SECRETS = ("AKIATHEKEY", "thesecretofthekey", "TOPSECRET")
OPTIONS = {"shard": "8K", "ranges": 2, "workers": 2, "memory": "1M"}


def parquet(table, **options):
    file = io.BytesIO()
    pq.write_table(table, file, row_group_size=100, **options)
    return file.getvalue()


def write_hive(folder, days=(3, 1, 2)):
    """The same rows in a hive-partitioned folder, and in a folder of files that have the column themselves."""
    for day in days:
        table = few_valued(250, day).select(["key", "row", "few"])
        for name, content in ((f"hive/day={day}/a.parquet", table),
                              (f"plain/{day}.parquet", table.append_column("day", pa.array([day] * 250, pa.int32())))):
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(parquet(content))


def on_cluster(folder, inputs, by, name="many", **options):
    output = options.pop("output", folder / f"{name}.parquet")
    return sortie.cluster.sort_parquet(inputs, output, by=by, job=folder / f"job {name}", **{**OPTIONS, **options})


def check(folder, inputs, by, cluster=None, **options):
    sortie.sort_parquet(inputs, folder / "one.parquet", by=by, **options)
    report = on_cluster(folder, inputs, by, **options, **(cluster or {}))
    same(pq.read_table(folder / "many.parquet"), pq.read_table(folder / "one.parquet"))
    return report


@needs_obstore
def test_a_folder_a_hive_folder_a_store_and_a_cluster_give_the_same_bytes(tmp_path, s3):
    write_hive(tmp_path)
    for path in (tmp_path / "hive").rglob("*.parquet"):
        s3.objects[f"bucket/{path.relative_to(tmp_path)}"] = path.read_bytes()
    inputs = {"folder": tmp_path / "plain", "hive": tmp_path / "hive", "pattern": tmp_path / "hive" / "*" / "*.parquet",
              "store": "s3://bucket/hive/*/*.parquet"}
    by, options = ["few", ("day", "descending")], {"row_group_rows": 200, "compression": "zstd"}
    one = {}
    for name, given in inputs.items():
        sortie.sort_parquet(given, tmp_path / f"one {name}.parquet", by=by, **options)
        one[name] = (tmp_path / f"one {name}.parquet").read_bytes()
    assert len(set(one.values())) == 1
    for name, given in inputs.items():
        report = on_cluster(tmp_path, given, by, name, ranges=1, **options)
        assert (tmp_path / f"{name}.parquet").read_bytes() == one[name], name
        assert report.shards == 3
    on_cluster(tmp_path, "s3://bucket/hive/", by, output="s3://bucket/out.parquet", ranges=1, **options)
    assert s3.objects["bucket/out.parquet"] == one["store"] and s3.uploads == {}
    for name in ("hive", "store"):
        assert on_cluster(tmp_path, inputs[name], by, f"several {name}", **options).ranges == 2
    assert (tmp_path / "several hive.parquet").read_bytes() == (tmp_path / "several store.parquet").read_bytes()
    same(pq.read_table(tmp_path / "several hive.parquet"), pq.read_table(tmp_path / "one hive.parquet"))


def test_partition_columns_may_be_keys_and_null_and_texts(tmp_path):
    write_hive(tmp_path, days=(1, 2))
    (tmp_path / "hive" / "day=1").rename(tmp_path / "hive" / "day=__HIVE_DEFAULT_PARTITION__")
    check(tmp_path, tmp_path / "hive", [("day", "descending", "at_start"), "few"])
    (tmp_path / "hive" / "day=2").rename(tmp_path / "hive" / "day=a%20b")
    shutil.rmtree(tmp_path / "job many")
    check(tmp_path, [tmp_path / "hive"], "day")


def with_other_columns(folder):
    words = pa.DictionaryArray.from_arrays(pa.array([0, 1, None] * 40, pa.int8()), ["x", "y"])
    tables = [pa.table({"id": pa.array(range(120), pa.int16()), "word": words, "only": ["first"] * 120}),
              pa.table({"word": ["z", None, "a"] * 40, "id": pa.array(range(120, 0, -1), pa.int64())}),
              pa.table({"id": pa.array([None, 5, 7] * 40, pa.uint8()), "new": pa.array([1.5] * 120, pa.float32())})]
    for number, table in enumerate(tables):
        pq.write_table(table, folder / f"{number}.parquet", row_group_size=30,
                       compression=["gzip", "none", "snappy"][number])
    return [folder / f"{number}.parquet" for number in range(3)]


@pytest.mark.parametrize("options", [{}, {"unique": True, "keep_last": True}])
def test_files_with_other_columns_become_one_table(tmp_path, options):
    inputs = with_other_columns(tmp_path)
    report = check(tmp_path, inputs, ["id", ("word", "descending")], schema="union", **options)
    assert report.shards >= 3 and pq.read_schema(tmp_path / "many.parquet").names == ["id", "word", "only", "new"]
    codecs = [pq.read_metadata(tmp_path / f"{name}.parquet").row_group(0).column(3).compression
              for name in ("one", "many")]
    assert codecs[0] == codecs[1]


@pytest.mark.parametrize("options, message", [
    ({}, 'give schema="union"'), ({"schema": "strict"}, 'give schema="union"'),
    ({"schema": "wide"}, "known are strict, union")])
def test_other_columns_are_refused_as_on_one_machine(tmp_path, options, message):
    inputs = with_other_columns(tmp_path)
    with pytest.raises(sortie.Error) as one:
        sortie.sort_parquet(inputs, tmp_path / "one.parquet", by="id", **options)
    with pytest.raises(sortie.Error) as many:
        on_cluster(tmp_path, inputs, "id", **options)
    assert str(many.value) == str(one.value) and message in str(one.value)
    assert not (tmp_path / "job many").exists()


FORMS = [{"row_group_bytes": "4KB", "dictionary": False}, {"dictionary": ["few"], "page_index": True},
         {"data_page_bytes": 512, "compression": {"few": "zstd:7", None: "none"}},
         {"row_group_rows": 77, "page_index": True, "bloom_filters": ["few", "key"], "compression": {"key": "gzip"}}]


@pytest.mark.parametrize("options", FORMS, ids=str)
def test_parquet_is_written_as_one_machine_writes_it(tmp_path, options):
    known = inspect.signature(pq.ParquetWriter.__init__).parameters
    if options.get("bloom_filters") and "bloom_filter_options" not in known:
        pytest.skip("this pyarrow writes no Bloom filters")
    table = few_valued(600, 4).select(["key", "few", "row"])
    table = table.append_column("text", [[str(row * 7 % 90) for row in range(600)]])
    (tmp_path / "in.parquet").write_bytes(parquet(table))
    check(tmp_path, tmp_path / "in.parquet", ["few", "row"], {"ranges": 1}, **options)
    if "row_group_bytes" not in options:
        assert (tmp_path / "many.parquet").read_bytes() == (tmp_path / "one.parquet").read_bytes()
    on_cluster(tmp_path, tmp_path / "in.parquet", ["few", "row"], "two", **options)
    same(pq.read_table(tmp_path / "two.parquet"), pq.read_table(tmp_path / "one.parquet"))
    assert form_of(tmp_path / "two.parquet") == form_of(tmp_path / "one.parquet")


def form_of(path):
    groups = pq.read_metadata(path)
    columns = [groups.row_group(0).column(column) for column in range(groups.num_columns)]
    return [(column.compression, column.has_dictionary_page, column.has_column_index, column.has_offset_index,
             column.encodings) for column in columns]


def test_the_command_takes_the_same_words(tmp_path):
    write_hive(tmp_path)
    words = ["--key=day:desc", "-k", "few", "--schema=union", "--row-group-size=4KB", "--dictionary=few",
             "--page-index=on",
             "--data-page-size=600", "--compression=few=zstd:3", "--compression=none", "--bloom-filters=off"]
    done = run(tmp_path, *words, "-o", "many.parquet", "hive", "plain/*.parquet")
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    sortie.sort_parquet([tmp_path / "hive", tmp_path / "plain/*.parquet"], tmp_path / "one.parquet",
                        by=[("day", "descending"), "few"], schema="union", row_group_bytes="4KB", dictionary=["few"],
                        page_index=True, data_page_bytes=600, compression={"few": "zstd:3", None: "none"})
    same(pq.read_table(tmp_path / "many.parquet"), pq.read_table(tmp_path / "one.parquet"))
    assert form_of(tmp_path / "many.parquet") == form_of(tmp_path / "one.parquet")
    other = run(tmp_path, *words, "--page-index=off", "-o", "many.parquet", "hive", "plain/*.parquet")
    assert other.returncode == 2 and "holds a job with other table" in other.stderr
    planned = subprocess.run([*DRIVER, "plan", "--key=few", "-o", "x.parquet", "hive"], capture_output=True, text=True,
                             cwd=tmp_path)
    assert planned.returncode == 0 and "shards    3" in planned.stdout, planned.stderr


def run(folder, *words, **environment):
    return subprocess.run([*DRIVER, "sort", "--job=job", "--shard=8K", "--ranges=2", "--workers=2", "-S", "1M", *words],
                          capture_output=True, text=True, timeout=300, cwd=folder, env={**os.environ, **environment})


@pytest.mark.parametrize("words, message", [
    (["hive"], "missing --key: name a column"),
    (["empty"], "cannot divide '.*/empty' among machines: it is no regular file, but a folder without Parquet files"),
    (["--key=few", "torn"], "cannot read '.*/torn/a.parquet'"),
    (["--key=few", "mixed"], "'.*/mixed/b.csv' is no Parquet file, and a cluster sorts no other tables"),
    (["--key=few", "hive", "none/*.parquet"], "nothing matches '.*/none/\\*.parquet'"),
    (["--key=day", "hive", "--page-index=perhaps"], "invalid value 'perhaps' for --page-index: known are on, off"),
    (["--key=day", "hive", "--row-group-size=big"], "invalid value 'big' for --row-group-size"),
    (["--key=day", "hive", "--dictionary=none"], "--dictionary names the column 'none'"),
    (["--key=day", "hive", "--schema=wide"], "invalid value 'wide' for --schema: known are strict, union"),
    (["--key=day", "hive", "--compression=none", "--compression=zstd"], "--compression of all columns is given twice"),
    (["--key=day", "hive", "http://server/x.parquet?signature=TOPSECRET"], "'http://server/x.parquet' is signed"),
    (["--key=day", "-o", "s3://bucket/part-{}.parquet", "hive"], "cannot become visible at once: name one object"),
    (["--key=day", "-u", "--order=input", "hive"], "--order=input is not for Parquet files"),
    (["--key=day", "--sample=2", "hive"], "--sample is not for Parquet files"),
    (["--key=day", "-o", "s3://bucket/out/", "hive"], "is a folder of objects, which a cluster does not write"),
    (["-o", "hive/day=1/a.parquet", "--key=day", "hive"], "is also one of the files of a folder that is sorted"),
    (["-o", "s3://bucket/out", "lines"], "'s3://bucket/out' is an object, which a cluster reads and writes for Parquet "
     "alone"),
])
def test_what_cannot_be_is_refused_in_one_line_before_anything_is_kept(tmp_path, words, message):
    write_hive(tmp_path, days=(1,))
    (tmp_path / "empty").mkdir()
    (tmp_path / "mixed").mkdir()
    (tmp_path / "mixed" / "a.parquet").write_bytes(parquet(few_valued(10, 1)))
    (tmp_path / "mixed" / "b.csv").write_text("few\n1\n")
    (tmp_path / "torn").mkdir()
    (tmp_path / "torn" / "a.parquet").write_bytes(parquet(few_valued(10, 1))[:-30])
    (tmp_path / "lines").write_text("b\na\n")
    done = run(tmp_path, *(["-o", "out.parquet"] if "-o" not in words else []), *words)
    assert done.returncode == 2 and done.stderr.count("\n") == 1 and "TOPSECRET" not in done.stderr, done.stderr
    with pytest.raises(sortie.Error, match=message):
        raise sortie.Error(done.stderr)
    assert not (tmp_path / "job").exists() and not (tmp_path / "out.parquet").exists()


def test_texts_of_folders_that_are_numbers_are_told_and_strict_refuses_them(tmp_path):
    for text in ("007", "1"):
        (tmp_path / "hive" / f"code={text}").mkdir(parents=True)
        (tmp_path / "hive" / f"code={text}" / "a.parquet").write_bytes(parquet(few_valued(10, 1)))
    alone = sortie.sort_parquet(tmp_path / "hive", tmp_path / "one.parquet", by="few", warn=[].append)
    told = []
    report = on_cluster(tmp_path, tmp_path / "hive", "few", warn=told.append)
    assert len(told) == 1 and "code" in told[0] and [item["message"] for item in report.assumptions] == [
        item.message for item in alone.assumptions]
    with pytest.raises(sortie.Error, match="the sort would have to assume something: .*code"):
        on_cluster(tmp_path, tmp_path / "hive", "few", name="strict", strict=True)
    assert not (tmp_path / "job strict").exists()


def test_files_that_are_left_out_are_told_and_strict_refuses_them(tmp_path):
    write_hive(tmp_path, days=(1,))
    (tmp_path / "hive" / "day=1" / "notes.txt").write_text("x")
    told = []
    report = on_cluster(tmp_path, tmp_path / "hive", "few", warn=told.append)
    assert len(told) == 1 and "notes.txt" in told[0] and report.assumptions[0]["kind"] == "file-left-out"
    with pytest.raises(sortie.Error, match="the sort would have to assume something: .*notes.txt"):
        on_cluster(tmp_path, tmp_path / "hive", "few", "strict", strict=True)
    assert not (tmp_path / "job strict").exists()


@pytest.mark.parametrize("order", [1, -1])
def test_geometries_that_a_file_does_not_tell_of_are_told_and_strict_refuses_them(tmp_path, order):
    table = pa.table({"geometry": [struct.pack("<BIdd", 1, 1, 1.0, 2.0)], "row": [1]})
    geo = {"version": "1.1.0", "primary_column": "geometry", "columns": {"geometry": {"encoding": "WKB",
                                                                                      "geometry_types": ["Point"]}}}
    (tmp_path / "untold.parquet").write_bytes(parquet(table))
    (tmp_path / "told.parquet").write_bytes(parquet(table.replace_schema_metadata({"geo": json.dumps(geo)})))
    inputs = [tmp_path / "told.parquet", tmp_path / "untold.parquet"][::order]
    told = []
    report = on_cluster(tmp_path, inputs, "row", warn=told.append)
    assert len(told) == 1 and "untold.parquet" in told[0] and report.assumptions[0]["kind"] == "untold-geometry"
    with pytest.raises(sortie.Error, match="the sort would have to assume something: column 'geometry': 1 of 2 inputs"):
        on_cluster(tmp_path, inputs, "row", "strict", strict=True)
    assert not (tmp_path / "job strict").exists()


def on_store(s3, folder):
    write_hive(folder)
    for path in (folder / "hive").rglob("*.parquet"):
        s3.objects[f"bucket/{path.relative_to(folder)}"] = path.read_bytes()
    sortie.sort_parquet(folder / "hive", folder / "one.parquet", by="few")
    return pq.read_table(folder / "one.parquet")


@needs_obstore
def test_credentials_are_nowhere_in_a_job(s3, tmp_path):
    expected = on_store(s3, tmp_path)
    faults = Faults(tmp_path / "faults")
    faults.fail("merge-1", "fail")
    words = ("--key=few", f"--command={FAULTY}", "--attempts=1", "--trace=trace", "-o", "s3://bucket/out.parquet",
             "s3://bucket/hive/")
    stopped = run(tmp_path, *words, **faults.environment)
    assert stopped.returncode == 2 and "bucket/out.parquet" not in s3.objects and s3.uploads == {}
    kept = [path for path in (tmp_path / "job").rglob("*") if path.is_file()]
    assert len(kept) > 10
    told = [stopped.stderr.encode(), *(path.read_bytes() for path in kept)]
    done = run(tmp_path, *words, **faults.environment)
    assert done.returncode == 0, done.stderr
    told += [done.stderr.encode(), (tmp_path / "trace").read_bytes()]
    told += [path.read_bytes() for path in (tmp_path / "job").rglob("*") if path.is_file()]
    assert not any(secret.encode() in text for text in told for secret in SECRETS)
    same(pq.read_table(io.BytesIO(s3.objects["bucket/out.parquet"])), expected)


@needs_obstore
@pytest.mark.parametrize("how", ["die", "kill driver"])
def test_workers_that_are_killed_cost_time(s3, tmp_path, how):
    expected = on_store(s3, tmp_path)
    faults = Faults(tmp_path / "faults")
    for task in ("form-1", "merge-0"):
        faults.fail(task, how)
    done = run(tmp_path, "--key=few", f"--command={FAULTY}", "-o", "s3://bucket/out.parquet", "s3://bucket/hive/",
               **faults.environment)
    assert done.returncode == 0 and "2 attempts beside the first" in done.stderr, done.stderr
    same(pq.read_table(io.BytesIO(s3.objects["bucket/out.parquet"])), expected)


@needs_obstore
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_a_driver_that_is_ended_while_it_sends_goes_on_and_merges_nothing_again(s3, tmp_path, number):
    expected = on_store(s3, tmp_path)
    faults = Faults(tmp_path / "faults")
    words = [*DRIVER, "sort", "--job=job", "--shard=8K", "--ranges=2", "--workers=2", "-S", "1M", "--key=few",
             f"--command={FAULTY}", "-o", "s3://bucket/out.parquet", "s3://bucket/hive/"]
    faults.fail("merge-1", "fail")
    stopped = subprocess.run([*words, "--attempts=1"], cwd=tmp_path, env={**os.environ, **faults.environment})
    assert stopped.returncode == 2
    # Two uploads are begun then. The first one is given up before the job goes on.
    begun = s3.counts["create"]
    s3.fail("create", "slow", after=1, seconds=20)
    with subprocess.Popen(words, cwd=tmp_path, stderr=subprocess.PIPE,
                          env={**os.environ, **faults.environment}) as process:
        wait_until(lambda: s3.counts["create"] == begun + 2)
        assert (tmp_path / "job" / "output.json").exists()
        process.send_signal(number)
        process.wait(60)
    assert process.returncode != 0 and "bucket/out.parquet" not in s3.objects
    s3.faults.clear()
    before = (faults.folder / "log").read_text().split()
    (tmp_path / "job" / "parts" / "000000").write_bytes(b"damaged")
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, env={**os.environ, **faults.environment})
    assert done.returncode == 0, done.stderr
    same(pq.read_table(io.BytesIO(s3.objects["bucket/out.parquet"])), expected)
    again = (faults.folder / "log").read_text().split()[len(before):]
    assert again == ["merge-0"] and sorted(os.listdir(tmp_path / "job")) == ["lock", "plan.json", "report.json",
                                                                             "request.json"]


@needs_obstore
def test_an_upload_of_a_driver_that_was_killed_is_ended_by_the_next_one(s3, tmp_path):
    """Others that are open stay so."""
    generator = random.Random(3)
    table = pa.table({"few": pa.array([generator.getrandbits(62) for _ in range(3_000_000)])})
    s3.objects["bucket/in/a.parquet"] = parquet(table)
    s3.uploads["theirs"], s3.begun["theirs"] = ("bucket/out.parquet", {}), "2026-01-01T00:00:00.000Z"
    words = [*DRIVER, "sort", "--job=job", "--shard=16M", "--ranges=2", "--workers=2", "-S", "64M", "--key=few", "-o",
             "s3://bucket/out.parquet", "s3://bucket/in/"]
    s3.fail("part", "slow", after=1, seconds=20)
    with subprocess.Popen(words, cwd=tmp_path, stderr=subprocess.PIPE) as process:
        kept = tmp_path / "job" / "upload.json"
        wait_until(lambda: kept.exists() and '"number":"upload' in kept.read_text())
        process.send_signal(signal.SIGKILL)
        process.wait(60)
    assert len(s3.uploads) == 2 and not any(secret in kept.read_text() for secret in ("AKIA", "secret"))
    s3.faults.clear()
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, [*s3.uploads]) == (0, ["theirs"]), done.stderr
    assert not kept.exists() and pq.read_table(io.BytesIO(s3.objects["bucket/out.parquet"])).num_rows == 3_000_000


@needs_obstore
def test_a_job_that_is_done_knows_its_object(s3, tmp_path):
    on_store(s3, tmp_path)
    report = on_cluster(tmp_path, "s3://bucket/hive/", "few", output="s3://bucket/out.parquet")
    counts = s3.counts["get"]
    again = on_cluster(tmp_path, "s3://bucket/hive/", "few", output="s3://bucket/out.parquet")
    assert again.to_dict() == report.to_dict() and s3.counts["get"] - counts < 20
    s3.objects["bucket/out.parquet"] = b"other"
    with pytest.raises(sortie.Error, match="its output is not there any more as it was"):
        on_cluster(tmp_path, "s3://bucket/hive/", "few", output="s3://bucket/out.parquet")


@needs_obstore
def test_an_object_that_changes_ends_the_job_and_the_output_is_as_it_was(s3, tmp_path):
    on_store(s3, tmp_path)
    faults = Faults(tmp_path / "faults")
    faults.fail("merge-1", "fail")
    words = ("--key=few", f"--command={FAULTY}", "--attempts=1", "-o", "out.parquet", "s3://bucket/hive/")
    assert run(tmp_path, *words, **faults.environment).returncode == 2
    name = "bucket/hive/day=2/a.parquet"
    s3.objects[name] = parquet(few_valued(250, 9).select(["key", "row", "few"]))
    s3._tags.pop(name, None)
    done = run(tmp_path, *words, **faults.environment)
    assert done.returncode == 2 and "holds a job with other inputs" in done.stderr, done.stderr
    assert not (tmp_path / "out.parquet").exists()


@needs_obstore
def test_an_output_that_the_store_refuses_is_told_before_anything_is_kept(s3, tmp_path, monkeypatch):
    on_store(s3, tmp_path)
    monkeypatch.setattr(store, "RETRIES", {**store.RETRIES, "max_retries": 0})
    s3.fail("put", "refused")
    s3.fail("create", "refused")
    with pytest.raises(sortie.Error, match="cannot write 's3://bucket/out.parquet'"):
        on_cluster(tmp_path, tmp_path / "hive", "few", output="s3://bucket/out.parquet")
    assert not (tmp_path / "job many").exists()


def files_in(folder):
    """The files of a folder with their rows, in their order."""
    return {str(path.relative_to(folder)): pq.ParquetFile(path).read() for path in sorted(folder.rglob("*.parquet"))}



FOLDERS = [(False, {"file_rows": 90}), (True, {"file_bytes": "3KB", "row_group_rows": 40}),
           (False, {"partition_by": ["few"]}),
           (True, {"partition_by": "day", "file_rows": 100}), (False, {"partition_by": ["day", "few"], "unique": True})]


@pytest.mark.parametrize("is_there, options", FOLDERS, ids=str)
def test_a_folder_has_the_files_of_one_machine_but_where_ranges_end(tmp_path, is_there, options):
    write_hive(tmp_path)
    by = ["few", ("row", "descending")]
    sortie.sort_parquet(tmp_path / "plain", f"{tmp_path}/one/", by=by, **options)
    one = files_in(tmp_path / "one")
    for ranges in (1, 3):
        folder = tmp_path / f"many {ranges}"
        if is_there:
            folder.mkdir(mode=0o750)
        report = on_cluster(tmp_path, tmp_path / "plain", by, str(ranges), output=f"{folder}/", ranges=ranges,
                            **options)
        many = files_in(folder)
        assert report.output_records == sum(len(table) for table in one.values())
        assert not any(name.startswith(".") for name in [*os.listdir(folder), *os.listdir(tmp_path)])
        if ranges == 1:
            assert many.keys() == one.keys()
            assert all((folder / name).read_bytes() == (tmp_path / "one" / name).read_bytes() for name in one)
        else:
            assert len(one) <= len(many) <= len(one) + 2
            assert in_folders(many) == in_folders(one)
        again = on_cluster(tmp_path, tmp_path / "plain", by, str(ranges), output=f"{folder}/", ranges=ranges, **options)
        assert again.to_dict() == report.to_dict()


def in_folders(files):
    """The rows of each folder, in the order of its files."""
    found = {}
    for name, table in files.items():
        found.setdefault(os.path.dirname(name), []).extend(table.to_pylist())
    return found


@pytest.mark.parametrize("words, message", [
    (["-o", "full/", "--file-rows=10"], "the folder is not empty, it holds 'x'"),
    (["-o", "out/", "--file-rows=0"], "invalid value '0' for --file-rows"),
    (["-o", "out/", "--file-rows=9", "--file-size=1M"], "--file-size and --file-rows are incompatible"),
    (["-o", "out.parquet", "--file-rows=9"], "--file-rows is for a folder of files"),
    (["-o", "out/", "--partition-by=none"], "--partition-by names the column 'none'"),
    (["-o", "none/out/", "--partition-by=few"], "cannot write '.*none/out/': No such file"),
    (["-o", "full/", "--partition-by=few", "--trace=full/trace"], "trace is within the output"),
    (["-o", "out/", "--partition-by=few", "--job=out/job"], "job is within the output")])
def test_folders_that_cannot_be_are_refused_before_anything_is_kept(tmp_path, words, message):
    write_hive(tmp_path, days=(1,))
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "x").write_text("x")
    done = run(tmp_path, "--key=few", *words, "hive")
    assert done.returncode == 2 and done.stderr.count("\n") == 1, done.stderr
    with pytest.raises(sortie.Error, match=message):
        raise sortie.Error(done.stderr)
    assert sorted(os.listdir(tmp_path)) == ["full", "hive", "plain"] and os.listdir(tmp_path / "full") == ["x"]


@pytest.mark.parametrize("is_there", [False, True])
def test_a_job_into_a_folder_goes_on_after_workers_and_drivers_were_killed(tmp_path, is_there, monkeypatch):
    write_hive(tmp_path)
    sortie.sort_parquet(tmp_path / "hive", f"{tmp_path}/one/", by="key", partition_by="few")
    if is_there:
        (tmp_path / "out").mkdir()
    faults = Faults(tmp_path / "faults")
    faults.fail("form-1", "kill driver")
    faults.fail("merge-1", "fail")
    words = ("--key=key", f"--command={FAULTY}", "--attempts=2", "--partition-by=few", "-o", "out/", "hive")
    first = run(tmp_path, *words, **faults.environment)
    assert first.returncode == 0 and "2 attempts beside the first" in first.stderr, first.stderr
    expected = in_folders(files_in(tmp_path / "one"))
    assert in_folders(files_in(tmp_path / "out")) == expected
    shutil.rmtree(tmp_path / "out")
    shutil.rmtree(tmp_path / "job")
    if is_there:
        (tmp_path / "out").mkdir()
    faults.fail("merge-1", "fail")
    one_attempt = tuple("--attempts=1" if word.startswith("--attempts") else word for word in words)
    assert run(tmp_path, *one_attempt, "--workers=1", **faults.environment).returncode == 2
    assert not (tmp_path / "out").exists() or files_in(tmp_path / "out").keys() <= {
        name for name in files_in(tmp_path / "out") if ".sortie-" in name}
    damaged = next(path for path in tmp_path.rglob("ranges/000000/**/*.parquet"))
    damaged.write_bytes(damaged.read_bytes()[:-8] + b"12345678")
    before = len((faults.folder / "log").read_text().split())
    done = run(tmp_path, *one_attempt, **faults.environment)
    assert done.returncode == 0, done.stderr
    assert set((faults.folder / "log").read_text().split()[before:]) == {"merge-0", "merge-1"}
    assert in_folders(files_in(tmp_path / "out")) == expected
    assert not [name for name in [*os.listdir(tmp_path), *os.listdir(tmp_path / "out")] if name.startswith(".")]


@pytest.mark.parametrize("is_there", [False, True])
@pytest.mark.parametrize("renames", [0, 4])
def test_a_folder_that_was_put_in_place_by_half_is_completed(tmp_path, is_there, renames, monkeypatch):
    write_hive(tmp_path)
    if is_there:
        (tmp_path / "out").mkdir()
    sortie.sort_parquet(tmp_path / "hive", f"{tmp_path}/one/", by="key", partition_by="few")
    left = [renames]
    rename = os.rename

    def fail_after(source, target):
        if "/files/" in str(target) or "/out" in str(target).removeprefix(str(tmp_path)) and "/ranges/" not in str(target):
            if left[0] == 0:
                raise KeyboardInterrupt
            left[0] -= 1
        rename(source, target)

    arguments = {"output": f"{tmp_path}/out/", "partition_by": "few"}
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(os, "rename", fail_after)
        on_cluster(tmp_path, tmp_path / "hive", "key", **arguments)
        if left[0] > 0:
            raise KeyboardInterrupt
    on_cluster(tmp_path, tmp_path / "hive", "key", **arguments)
    assert in_folders(files_in(tmp_path / "out")) == in_folders(files_in(tmp_path / "one"))
    assert not [name for name in [*os.listdir(tmp_path), *os.listdir(tmp_path / "out")] if name.startswith(".")]
