"""Bad weather: each request to an object store fails in each way. Either the result is right, or one line names the
object; and after a failure no object is visible that was not there, and no upload is open. The table is printed with
pytest -rP."""

import datetime
import io
import random
import shlex
import threading
import time

import pytest

pytest.importorskip("obstore", reason="obstore is not installed (every test of this file)")
pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed (every test of this file)")
import pyarrow.parquet as pq  # noqa: E402

from azure_stand_in import AzureStandIn  # noqa: E402
from s3_stand_in import GoogleStandIn, S3StandIn  # noqa: E402

import sortie  # noqa: E402
from sortie.objects import reading, store, writing  # noqa: E402
from sortie.objects.open_uploads import signed_headers  # noqa: E402

# The last one is the secret as Azure writes it.
SECRETS = ("AKIATHEKEY", "thesecretofthekey", "Signature", "Credential", "Authorization", "dGhlc2VjcmV0b2Z0aGVrZXk")
FAULTS = ("refused", "missing", "unavailable", "cut", "answer lost", "slow", "wrong length", "changed")
# Faults that need not end a job, when only one request fails: the library asks again.
PASS = ("unavailable", "cut", "slow")
ROWS = [(kind.scheme, operation) for kind in (S3StandIn, GoogleStandIn, AzureStandIn)
        for operation in ("head", "list", "get", "put", "create", "part", "complete", "abort")
        if operation not in kind.lacks]


@pytest.fixture
def quick(monkeypatch):
    """Short waits between tries, few of them, and small parts, so that little data has many."""
    monkeypatch.setattr(store, "RETRIES", {"max_retries": 2, "retry_timeout": datetime.timedelta(seconds=20),
                                           "backoff": {
        "init_backoff": datetime.timedelta(milliseconds=5), "max_backoff": datetime.timedelta(milliseconds=20),
        "base": 2}})
    monkeypatch.setattr(reading, "BLOCK_BYTES", 4 << 10)
    monkeypatch.setattr(reading, "RANGE_BLOCKS", 2)
    monkeypatch.setattr(writing, "PART_BYTES", 16 << 10)


@pytest.fixture
def rows():
    generator = random.Random(5)
    return pa.table({"key": [generator.getrandbits(62) for _ in range(12_000)]})


def fill(store_with, rows):
    for number in range(4):
        for place, size in ((store_with.objects, 1500), (store_with.others, 1000)):
            file = io.BytesIO()
            pq.write_table(rows.slice(number * 3000, 3000), file, row_group_size=size)
            place[f"bucket/in/{number}.parquet"] = file.getvalue()
    store_with.objects["bucket/out.parquet"] = b"as it was"


@pytest.fixture
def objects(s3, quick, rows):
    fill(s3, rows)
    return s3


@pytest.fixture
def each(each_store, quick, rows):
    fill(each_store, rows)
    return each_store


def sorted_keys(rows):
    return sorted(rows["key"].to_pylist())


def wait_for_requests():
    """Requests that a failed sort has begun would take the faults of the next one."""
    while any(thread.name.startswith("sortie-objects") for thread in threading.enumerate()):
        time.sleep(0.001)


def attempt(objects, rows, output="out.parquet", **options):
    """What came of a sort of all objects: "right", or its message. Asserts what holds after each of them."""
    place, before = f"{objects.scheme}://bucket", dict(objects.objects)
    try:
        report = sortie.sort_parquet(f"{place}/in/*.parquet", f"{place}/{output}", by="key", compression="none",
                                     engine="cpu", **options)
    except sortie.Error as error:
        name = "bucket/out.parquet"
        assert set(objects.objects) == set(before) and objects.objects[name] == before[name]
        message = str(error)
        assert f"{place}/" in message and "\n" not in message and len(message) < 320
        assert not any(secret in message for secret in SECRETS)
        assert error.__context__ is None and error.__cause__ is None
        return message
    names = [name.removeprefix(f"{objects.scheme}://") for name in written(objects, output, report)]
    assert set(names) == set(objects.objects) - set(before) | ({"bucket/out.parquet"} if output == "out.parquet"
                                                               else set())
    keys = [key for name in names for key in pq.read_table(io.BytesIO(objects.objects[name]))["key"].to_pylist()]
    assert keys == sorted_keys(rows)[:options.get("top")]
    return "right"


def written(objects, output, report):
    """In the order of the rows, without asking the store."""
    if not output.endswith("/"):
        return [f"{objects.scheme}://bucket/{output}"]
    return [f"{objects.scheme}://bucket/{output}part-{number:05}.parquet" for number in range(report.num_files)]


def fail_in_turn(objects, rows, operation, later, output, **options):
    """One row of the table: the first request and a later one fail once, then all of them."""
    begun = dict(objects.objects)
    for fault in FAULTS:
        told = []
        for how in ({"times": 1}, {"times": 1, "after": later}, {}):
            wait_for_requests()
            objects.faults.clear()
            objects.fail(operation, fault, seconds=0.05, where="bucket/in/", **how)
            came = attempt(objects, rows, output, **options)
            told.append(came)
            assert objects.faults[0].times < how.get("times", 1 << 30), f"no request of {operation} failed"
            if fault in PASS and how:
                assert came == "right", (fault, how, came)
            # An upload is left open by one whose number nobody has been told, and by a store that does not let it be
            # given up.
            if operation == "abort" and came != "right":
                assert "it may be left open" in came
            elif (operation, fault) != ("create", "answer lost"):
                assert objects.uploads == {}
            objects.uploads.clear()
            objects.objects.clear()
            objects.objects.update(begun)
        wait_for_requests()
        print(f"{objects.scheme} {operation:8} x {fault:12} | once: {told[0]} | later: {told[1]} | always: {told[2]}")


@pytest.mark.parametrize("each_store, operation", ROWS, indirect=["each_store"])
def test_every_request_may_fail_in_every_way(each, rows, operation):
    later = {"head": 2, "get": 9, "part": 3}.get(operation, 0)
    # Few rows go by one request.
    fail_in_turn(each, rows, operation, later, "out.parquet", top=10 if operation == "put" else None)


@pytest.mark.parametrize("each_store, operation", ROWS, indirect=["each_store"])
def test_every_request_of_a_folder_may_fail_in_every_way(each, rows, operation):
    """Three objects, the last of which goes by one request."""
    later = {"list": 2, "get": 9, "part": 5, "complete": 1, "create": 2, "abort": 0, "head": 5}.get(operation, 0)
    fail_in_turn(each, rows, operation, later, "out/", file_rows=5500)


@pytest.mark.parametrize("fault", ["refused", "missing", "unavailable", "cut", "answer lost"])
def test_objects_of_a_folder_that_cannot_be_deleted_again_are_told(each, rows, fault):
    before = dict(each.objects)
    each.fail("complete", "refused", after=1)
    each.fail("delete", fault)
    place = f"{each.scheme}://bucket"
    with pytest.warns(sortie.SortWarning) as told, pytest.raises(sortie.Error, match="^cannot write '"):
        sortie.sort_parquet(f"{place}/in/*.parquet", f"{place}/out/", by="key", compression="none", file_rows=5500)
    left = set(each.objects) - set(before)
    messages = [str(warning.message) for warning in told]
    assert each.uploads == {} and len(messages) == 1 and "could not delete what it had written to '" in messages[0]
    assert fault == "answer lost" or any(name in messages[0] for name in left)


def test_an_object_that_somebody_else_has_written_meanwhile_is_not_deleted(each, rows):
    """Into the folder, while the sort completes its own."""
    each.fail("complete", "refused", after=1)
    real = each.fault_of

    def write_meanwhile(operation):
        if operation == "head" and each.counts["complete"] >= 2:
            for number in range(3):
                if (name := f"bucket/out/part-{number:05}.parquet") in each.objects:
                    each.objects[name] = b"theirs"
        return real(operation)

    each.fault_of = write_meanwhile
    place = f"{each.scheme}://bucket"
    with pytest.raises(sortie.Error, match="^cannot write '"):
        sortie.sort_parquet(f"{place}/in/*.parquet", f"{place}/out/", by="key", compression="none", file_rows=5500)
    there = {name: content for name, content in each.objects.items() if name.startswith("bucket/out/")}
    assert there and set(there.values()) == {b"theirs"} and each.uploads == {}


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


def test_an_object_that_somebody_else_wrote_meanwhile_is_not_replaced(each, rows, monkeypatch):
    from sortie.jobs import sort_parquet as job

    write_rows, theirs = job._write, []

    def write_meanwhile(*arguments):
        write_rows(*arguments)
        each.change("bucket/in/0.parquet")
        theirs.append(each.objects["bucket/in/0.parquet"])

    monkeypatch.setattr(job, "_write", write_meanwhile)
    place = f"{each.scheme}://bucket/in/0.parquet"
    with pytest.raises(sortie.Error, match=f"^cannot replace '{place}': it was changed while it was sorted"):
        sortie.sort_parquet_in_place(place, by="key")
    assert [each.objects["bucket/in/0.parquet"]] == theirs and each.uploads == {}


def test_uploads_whose_begin_got_no_answer_are_told_with_their_end(s3, rows, quick):
    fill(s3, rows)
    how = "aws s3api abort-multipart-upload --bucket bucket --endpoint-url http://127.0.0.1:"
    # The library asks again by itself, and the sort goes on.
    s3.fail("create", "answer lost", times=1, after=1)
    with pytest.warns(sortie.SortWarning, match="^an upload to 's3://bucket/out.parquet' that was begun at .* is open, "
                      "and costs: end it with "
                                                f"'{how}") as told:
        assert attempt(s3, rows) == "right"
    number, = s3.uploads
    assert len(told) == 1
    assert f" --key out.parquet --upload-id {number}', unless another program sends it" in str(told[0].message)
    s3.uploads.clear()
    s3.faults.clear()
    s3.fail("create", "answer lost", after=1)
    with pytest.warns(sortie.SortWarning) as told:
        message = attempt(s3, rows)
    assert f"; 3 uploads to it are open, and cost; the last one: end it with '{how}" in message
    assert all(any(number in str(warning.message) for warning in told)
               for number in s3.uploads) and len(s3.uploads) == 3
    assert not any(secret in text for secret in SECRETS
                   for text in [message, *(str(warning.message) for warning in told)])


def test_uploads_from_before_a_sort_are_warned_of(s3, rows):
    fill(s3, rows)
    s3.uploads["old"] = "bucket/out.parquet", {}
    s3.begun["old"] = "2024-01-31T04:05:06.000Z"
    with pytest.warns(sortie.SortWarning, match="^an upload to 's3://bucket/out.parquet' that was begun at "
                                                "2024-01-31T04:05:06.000Z, before this sort, is open, and costs: end "
                      "it with 'aws s3api abort-multipart-upload "):
        assert attempt(s3, rows) == "right"
    assert s3.uploads.keys() == {"old"}


def test_keys_of_open_uploads_below_a_folder_are_shown_without_control_characters(s3, rows):
    fill(s3, rows)
    s3.uploads["old"] = "bucket/parts/a\x1b[2J\nb", {}
    s3.begun["old"] = "2024-01-31T04:05:06.000Z"
    with pytest.warns(sortie.SortWarning, match="^an upload to 's3://bucket/parts/a.033.2J.nb' that was begun at ") as told:
        sortie.sort_parquet("s3://bucket/in/0.parquet", "s3://bucket/parts/", by="key", engine="cpu")
    assert all(str(warning.message).isprintable() for warning in told)


def test_uploads_are_listed_page_by_page_and_their_ends_are_quoted_for_a_shell(s3, rows, quick):
    fill(s3, rows)
    s3.uploads_of_page = 1
    key = "it's $(out) & more.parquet"
    s3.fail("create", "answer lost", after=1)
    with pytest.warns(sortie.SortWarning) as told:
        message = attempt(s3, rows, key)
    assert len(s3.uploads) == 3
    assert "; 3 uploads to it are open, and cost; the last one: end it with 'aws s3api " in message
    commands = [str(warning.message).partition("end it with '")[2].rpartition("', unless")[0] for warning in told]
    words = [shlex.split(command) for command in commands]
    assert {tuple(found[-4:]) for found in words} == {("--key", key, "--upload-id", number) for number in s3.uploads}


@pytest.mark.parametrize("lacks", ["uploads", "keys"])
def test_uploads_that_cannot_be_listed_are_told_all_the_same(s3, rows, quick, monkeypatch, lacks):
    fill(s3, rows)
    if lacks == "uploads":
        s3.fail("uploads", "refused")
    else:
        monkeypatch.setattr("sortie.objects.open_uploads._keys", lambda _: None)
    s3.fail("create", "answer lost")
    assert attempt(s3, rows).endswith("an upload may have been begun, and is open then, and costs: 'aws s3api "
                                      f"list-multipart-uploads --bucket bucket --endpoint-url {s3.url} --prefix "
                                      "out.parquet' lists it, and a rule of the bucket ends it")


def test_requests_are_signed_as_aws_describes_it():
    """The last example of its documentation, which lists a bucket."""
    keys = {"access_key_id": "AKIAIOSFODNN7EXAMPLE", "secret_access_key": "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"}
    now = datetime.datetime(2013, 5, 24, tzinfo=datetime.timezone.utc)
    for query, signature in (("lifecycle=", "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"),
                             ("max-keys=2&prefix=J",
                              "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7")):
        told = signed_headers(f"GET\n/\n{query}", "examplebucket.s3.amazonaws.com", "us-east-1", keys, now)
        assert told["authorization"].endswith(f"Signature={signature}")
