"""Bad weather: each request to an object store fails in each way. Either the result is right, or one line names the object; and
after a failure no object is visible that was not there, and no upload is open. The table is printed with pytest -rP."""

import datetime
import io
import random
import threading
import time

import pytest

pytest.importorskip("obstore", reason="obstore is not installed (every test of this file)")
pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed (every test of this file)")
import pyarrow.parquet as pq  # noqa: E402

import sortie  # noqa: E402
from sortie.objects import reading, store, writing  # noqa: E402

SECRETS = ("AKIATHEKEY", "thesecretofthekey", "Signature", "Credential")
FAULTS = ("refused", "missing", "unavailable", "cut", "slow", "wrong length", "changed")
# Faults that need not end a job, when only one request fails: the library asks again.
PASS = ("unavailable", "cut", "slow")
OPERATIONS = ("head", "list", "get", "put", "create", "part", "complete", "abort")


@pytest.fixture
def quick(monkeypatch):
    """Short waits between tries, few of them, and small parts, so that little data has many."""
    monkeypatch.setattr(store, "RETRIES", {"max_retries": 2, "retry_timeout": datetime.timedelta(seconds=20), "backoff": {
        "init_backoff": datetime.timedelta(milliseconds=5), "max_backoff": datetime.timedelta(milliseconds=20), "base": 2}})
    monkeypatch.setattr(reading, "BLOCK_BYTES", 4 << 10)
    monkeypatch.setattr(reading, "RANGE_BLOCKS", 2)
    monkeypatch.setattr(writing, "PART_BYTES", 16 << 10)


@pytest.fixture
def rows():
    generator = random.Random(5)
    return pa.table({"key": [generator.getrandbits(62) for _ in range(12_000)]})


@pytest.fixture
def objects(s3, quick, rows):
    for number in range(4):
        for place, size in ((s3.objects, 1500), (s3.others, 1000)):
            file = io.BytesIO()
            pq.write_table(rows.slice(number * 3000, 3000), file, row_group_size=size)
            place[f"bucket/in/{number}.parquet"] = file.getvalue()
    s3.objects["bucket/out.parquet"] = b"as it was"
    return s3


def sorted_keys(rows):
    return sorted(rows["key"].to_pylist())


def wait_for_requests():
    """Requests that a failed sort has begun would take the faults of the next one."""
    while any(thread.name.startswith("sortie-objects") for thread in threading.enumerate()):
        time.sleep(0.001)


def attempt(objects, rows, output="s3://bucket/out.parquet", top=None):
    """What came of a sort of all objects: "right", or its message. Asserts what holds after each of them."""
    name = output.removeprefix("s3://")
    before = dict(objects.objects)
    try:
        sortie.sort_parquet("s3://bucket/in/*.parquet", output, by="key", compression="none", engine="cpu", top=top)
    except sortie.Error as error:
        assert set(objects.objects) == set(before) and objects.objects.get(name) == before.get(name)
        message = str(error)
        assert "s3://bucket/" in message and "\n" not in message and len(message) < 250
        assert not any(secret in message for secret in SECRETS)
        assert error.__context__ is None and error.__cause__ is None
        return message
    result = pq.read_table(io.BytesIO(objects.objects[name]))
    assert result["key"].to_pylist() == sorted_keys(rows)[:top]
    return "right"


@pytest.mark.parametrize("operation", OPERATIONS)
def test_every_request_may_fail_in_every_way(objects, rows, operation):
    """One row of the table: the first request and a later one fail once, then all of them."""
    top = 10 if operation == "put" else None  # few rows go by one request
    later = {"head": 2, "get": 9, "part": 3}.get(operation, 0)
    for fault in FAULTS:
        told = []
        for how in ({"times": 1}, {"times": 1, "after": later}, {}):
            begun = {name: content for name, content in objects.objects.items()}
            wait_for_requests()
            objects.faults.clear()
            objects.fail(operation, fault, seconds=0.05, **how)
            came = attempt(objects, rows, top=top)
            told.append(came)
            strikes = objects.faults[0].times < how.get("times", 1 << 30)
            assert strikes, f"no request of {operation} failed"
            if fault in PASS and how:
                assert came == "right", (fault, how, came)
            if operation == "abort" and came != "right":
                assert "it may be left open" in came
            else:
                assert objects.uploads == {}
            objects.uploads.clear()
            objects.objects.clear()
            objects.objects.update(begun)
        wait_for_requests()
        print(f"{operation:8} x {fault:12} | once: {told[0]} | later: {told[1]} | always: {told[2]}")


def test_an_answer_that_does_not_come_is_asked_for_again(objects, rows, monkeypatch):
    monkeypatch.setattr(store, "SILENCE", datetime.timedelta(milliseconds=300))
    for operation in ("head", "get", "part"):
        objects.faults.clear()
        objects.fail(operation, "slow", times=1, seconds=1)
        assert attempt(objects, rows) == "right"
        assert objects.faults[0].times <= 0
    objects.fail("get", "slow", seconds=1)
    assert attempt(objects, rows) == "cannot read 's3://bucket/in/0.parquet': no answer in time, 3 times"
    wait_for_requests()


def test_a_server_that_is_not_there_is_told_with_the_object(objects, rows):
    objects.close()
    message = attempt(objects, rows)
    assert message == "cannot list 's3://bucket/in/*.parquet': no connection, 3 times"


def test_every_range_is_of_the_object_that_was_opened(objects, rows):
    assert attempt(objects, rows) == "right"
    ranges = [headers for operation, _, headers in objects.asked if operation == "get"]
    assert len(ranges) > 10 and all(headers["if-match"] for headers in ranges)


def test_an_object_that_changes_between_two_looks_is_refused(objects, rows):
    name = store.ObjectName("s3://bucket/in/0.parquet")
    with name.open_source() as file:
        assert file.read(4) == b"PAR1"
    objects.change("bucket/in/0.parquet")
    with name.open_source() as file, pytest.raises(sortie.Error, match="in/0.parquet': it changed while it was read"):
        file.read(4)


def test_objects_of_web_servers_without_tags_are_compared_by_size_and_time(objects):
    name = store.ObjectName(f"{objects.url}/bucket/in/0.parquet")
    objects.without_tags = True
    with name.open_source() as file:
        assert file.read(4) == b"PAR1"
        objects.objects["bucket/in/0.parquet"] += b"more"
        with pytest.raises(sortie.Error, match="it changed while it was read"):
            file.seek(-4, 2)
            file.read()
