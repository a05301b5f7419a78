"""The command sortie with objects of stores, and python -m sortie.objects, through which it reads and writes them."""

import gzip
import importlib.util
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

import pytest

import sortie

if importlib.util.find_spec("obstore") is None or importlib.util.find_spec("pyarrow") is None:
    pytest.skip("obstore or pyarrow is not installed (every test of this file)", allow_module_level=True)

TEXT = b"".join(b"%d of many lines\n" % (i * 7919 % 300_007) for i in range(300_007))
RESULT = b"".join(b"%d of many lines\n" % i for i in range(300_007))
SORT = [sys.executable, "-m", "sortie"]
OBJECTS = [sys.executable, "-m", "sortie.objects"]


def environment(**more):
    """With this Python in front of all others."""
    return {**os.environ, "PATH": f"{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}", **more}


def run(*arguments, **options):
    options = {"env": environment(), **options}
    done = subprocess.run(list(map(str, arguments)), capture_output=True, timeout=100, **options)
    return done.returncode, done.stdout, done.stderr.decode()


def test_sortie_reads_and_writes_objects(s3, tmp_path):
    s3.objects["bucket/in.txt"] = TEXT
    assert run(*SORT, "-n", "s3://bucket/in.txt", "-o", "s3://bucket/out.txt") == (0, b"", "")
    assert s3.objects["bucket/out.txt"] == RESULT and s3.uploads == {}
    (tmp_path / "in.txt").write_bytes(b"-1 and a file\n")
    assert run(*SORT, "-n", "-S", "1M", "s3://bucket/in.txt", tmp_path / "in.txt") == (0, b"-1 and a file\n" + RESULT,
                                                                                       "")
    assert run(*SORT, "-n", "s3://bucket/out.txt", "-o", "s3://bucket/out.txt") == (0, b"", "")
    assert run(*SORT, "-n", "s3://bucket/out.txt", "-o", "s3://bucket/out.txt.gz") == (0, b"", "")
    assert gzip.decompress(s3.objects["bucket/out.txt.gz"]) == s3.objects["bucket/out.txt"] == RESULT
    assert run(*SORT, "-n", "-m", "s3://bucket/out.txt.gz", "s3://bucket/out.txt", "-u") == (0, RESULT, "")
    assert run(*SORT, "-n", "-c", "s3://bucket/out.txt") == (0, b"", "")
    assert run(*SORT, "-n", "-c", "s3://bucket/in.txt")[0] == 1


def test_sortie_knows_other_names_of_stores(s3):
    s3.objects["bucket/in.txt"] = TEXT
    assert run(*SORT, "-n", "s3a://bucket/in.txt", "-o", "S3N://bucket/out.txt") == (0, b"", "")
    assert s3.objects["bucket/out.txt"] == RESULT


def test_sort_files_takes_objects(s3, tmp_path, monkeypatch):
    """The library runs the Python that it is in."""
    monkeypatch.setenv("PATH", "/nowhere")
    s3.objects["bucket/in.txt"] = TEXT
    program = ("import sortie, sys; print(sortie.sort_files('s3://bucket/in.txt', 's3://bucket/out.txt', keys=['1,1n'])"
               ".output_records)")
    assert run(sys.executable, "-c", program, env=dict(os.environ)) == (0, b"300007\n", "")
    assert s3.objects["bucket/out.txt"] == RESULT


@pytest.mark.parametrize("operation, fault", [
    ("head", "refused"), ("get", "refused"), ("get", "changed"), ("create", "refused"), ("put", "refused"),
    ("put", "wrong length"), ("abort", "refused")])
def test_sortie_tells_in_one_line_what_fails(s3, operation, fault):
    s3.objects["bucket/in.txt"], s3.objects["bucket/out.txt"] = TEXT, b"as it was"
    s3.fail(operation, fault)
    status, output, message = run(*SORT, "-n", "s3://bucket/in.txt", "-o", "s3://bucket/out.txt")
    assert status == 2 and output == b"" and message.count("\n") == 1 and ": cannot " in message
    assert "'s3://bucket/" in message
    assert s3.objects["bucket/out.txt"] == b"as it was" and (s3.uploads == {} or operation == "abort")


def test_an_error_of_the_sort_leaves_the_object_as_it_was(s3, tmp_path):
    s3.objects["bucket/in.txt"], s3.objects["bucket/out.txt"] = TEXT, b"as it was"
    for arguments in (["--header=1", "--strict", "--key=no-such-column"], [tmp_path / "missing"],
                      ["s3://bucket/missing"]):
        assert run(*SORT, "s3://bucket/in.txt", "-o", "s3://bucket/out.txt", *arguments)[0] == 2
        assert s3.objects["bucket/out.txt"] == b"as it was" and s3.uploads == {}


def test_credentials_in_names_are_refused_and_not_shown(s3, tmp_path):
    for url, shown in (("s3://me:TOPSECRET@bucket/in.txt", "s3://bucket/in.txt"),
                       ("https://server/in.txt?X-Amz-Signature=TOPSECRET", "https://server/in.txt")):
        for arguments in ([url], ["-o", url, "/dev/null"], ["-c", url], ["-m", url, url],
                          [url, "--trace", tmp_path / "trace", "--stats-json", tmp_path / "stats"]):
            status, output, message = run(*SORT, *arguments)
            assert status == 2 and f"'{shown}' has a password" in message
            assert "TOPSECRET" not in message + output.decode()
        assert "TOPSECRET" not in str(run(*SORT, "--plan", url))
    assert all(b"TOPSECRET" not in path.read_bytes() for path in tmp_path.iterdir()) and s3.asked == []


def test_sortie_tells_what_is_missing(s3, tmp_path):
    (tmp_path / "obstore").mkdir()
    (tmp_path / "obstore" / "__init__.py").write_text("raise ImportError\n")
    with_broken = environment(PYTHONPATH=f"{tmp_path}:{os.environ.get('PYTHONPATH', '')}")
    status, _, message = run(*SORT, "s3://bucket/in.txt", env=with_broken)
    assert status == 2 and "need obstore, which is not installed: pip install 'sortie-sort[objects]'" in message


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_sort_that_is_killed_leaves_no_object_and_no_upload(s3, number):
    s3.objects["bucket/in.txt"], s3.objects["bucket/out.txt"] = TEXT * 30, b"as it was"
    s3.fail("part", "slow", after=1, seconds=1)
    process = subprocess.Popen([*SORT, "-n", "s3://bucket/in.txt", "-o", "s3://bucket/out.txt"], env=environment(),
                               stderr=subprocess.PIPE)
    while s3.counts["part"] < 2:
        assert process.poll() is None
        time.sleep(0.005)
    process.send_signal(number)
    assert process.wait() == -number
    assert process.communicate()[1] == b""
    while s3.uploads:  # the process that writes the object gives up what it has begun
        time.sleep(0.01)
    assert s3.objects["bucket/out.txt"] == b"as it was"


def test_objects_are_read_written_and_listed_by_pipes(s3):
    assert run(*OBJECTS, "put", "s3://bucket/a/1.gz", input=TEXT) == (0, b"", "")
    assert s3.objects["bucket/a/1.gz"] == TEXT
    assert run(*OBJECTS, "get", "s3://bucket/a/1.gz") == (0, TEXT, "")
    assert run(*OBJECTS, "put", "s3://bucket/a/2", input=b"") == (0, b"", "")
    assert s3.objects["bucket/a/2"] == b"" and run(*OBJECTS, "get", "s3://bucket/a/2") == (0, b"", "")
    assert run(*OBJECTS, "list", "s3://bucket/a/") == (0, b"s3://bucket/a/1.gz\ns3://bucket/a/2\n", "")
    assert run(*OBJECTS, "get", "s3://bucket/b") == (2, b"", "cannot read 's3://bucket/b': no such object or bucket\n")
    assert run(*OBJECTS, "drop", "s3://bucket/b") == (2, b"", "usage: python -m sortie.objects "
                                                      "get|put|list|end-uploads URL\n")


def test_blocks_without_an_end_write_nothing(s3):
    block = len(TEXT).to_bytes(8, "little") + TEXT
    whole = block * 9 + bytes(8)
    put = [*OBJECTS, "put", "--blocks", "s3://bucket/a"]
    for size in (0, 5, 8, 10_000, len(block), len(whole) - 8, len(whole) - 1):
        message = "standard input ended before the object was complete: nothing was written\n"
        assert run(*put, input=whole[:size]) == (2, b"", message)
        assert s3.objects == {} and s3.uploads == {}
    assert run(*put, input=whole) == (0, b"", "") and s3.objects["bucket/a"] == TEXT * 9


def test_all_open_objects_share_what_is_read_ahead_and_outputs_wait_in_scratch(tmp_path):
    """A program in the place of Python notes what it is asked for."""
    command = tmp_path / "sortie"
    shutil.copy(pathlib.Path(sortie.__file__).parent / "sortie-command", command)
    (tmp_path / "python3").write_text(f"#!/bin/sh\necho \"$@\" >> {tmp_path}/asked\n"
                                      "case $4 in get) echo a;; put) cat > /dev/null;; esac\n")
    (tmp_path / "python3").chmod(0o755)
    inputs = [f"s3://bucket/{number}" for number in range(9)]
    assert run(command, "-m", "-T", tmp_path, *inputs, "-o", "https://server/out") == (0, b"", "")
    asked = [line.split() for line in (tmp_path / "asked").read_text().splitlines()]
    assert ["-P", "-m", "sortie.objects", "put", "--blocks", f"--scratch={tmp_path}", "https://server/out"] in asked
    ahead = [int(words[4].removeprefix("--ahead=")) >> 20 for words in asked if words[3] == "get"]
    assert len(ahead) == 9 and sum(ahead) <= 64 + 9 and max(ahead) == 32 and min(ahead) == 1


def test_the_name_sort_takes_urls_for_paths(s3, tmp_path):
    os.symlink(pathlib.Path(sortie.__file__).parent / "sortie-command", tmp_path / "sort")
    s3.objects["bucket/in.txt"] = TEXT
    status, output, message = run(tmp_path / "sort", "s3://bucket/in.txt")
    assert (status, output) == (2, b"") and "'s3://bucket/in.txt': No such file or directory" in message
    assert s3.asked == []


def open_upload(s3, key, number):
    s3.uploads[number] = f"bucket/{key}", {}
    s3.begun[number] = "2024-01-31T04:05:06.000Z"


def test_uploads_that_a_killed_sort_has_left_are_ended_by_a_command(s3):
    for key, number in (("out.parquet", "one"), ("out.parquet", "two"), ("out.parquet.old", "three"),
                        ("folder/a", "four"), ("folder/deep/b", "five"), ("folder", "six")):
        open_upload(s3, key, number)
    status, printed, message = run(*OBJECTS, "end-uploads", "s3://bucket/out.parquet")
    assert (status, printed, message) == (0, b"s3://bucket/out.parquet begun at 2024-01-31T04:05:06.000Z\n" * 2, "")
    assert s3.uploads.keys() == {"three", "four", "five", "six"}
    assert run(*OBJECTS, "end-uploads", "s3://bucket/folder/")[0] == 0 and s3.uploads.keys() == {"three", "six"}
    assert run(*OBJECTS, "end-uploads", "s3://bucket/nothing") == (
        0, b"", "no upload to 's3://bucket/nothing' is open\n")
    s3.fail("abort", "refused")
    status, _, message = run(*OBJECTS, "end-uploads", "s3://bucket/folder")
    assert status == 2 and message.startswith("cannot end the upload to 's3://bucket/folder' that was begun at 2024-")
    assert message.count("\n") == 1
    s3.fail("uploads", "refused")
    status, _, message = run(*OBJECTS, "end-uploads", "s3://bucket/folder")
    assert status == 2 and message.startswith("cannot list uploads to 's3://bucket/folder': ")
    assert message.count("\n") == 1


def test_uploads_of_a_whole_bucket_are_ended_where_its_url_ends_in_a_slash(s3):
    for key, number in (("a", "one"), ("folder/b", "two"), ("folder/", "three"), ("folder//c", "four")):
        open_upload(s3, key, number)
    assert run(*OBJECTS, "end-uploads", "s3://bucket") == (
        2, b"", "'s3://bucket' names no object: give s3://bucket/name, or s3://bucket/ to end all uploads to the "
                "bucket\n")
    assert len(s3.uploads) == 4
    assert run(*OBJECTS, "end-uploads", "s3://bucket/folder//")[0] == 0 and s3.uploads.keys() == {"one", "two", "three"}
    status, printed, message = run(*OBJECTS, "end-uploads", "s3://bucket/")
    assert (status, printed.count(b"\n"), message, s3.uploads) == (0, 3, "", {})
    assert run(*OBJECTS, "end-uploads", "s3://bucket/") == (0, b"", "no upload to 's3://bucket/' is open\n")


def test_patterns_of_uploads_are_refused_unless_they_are_names(s3):
    open_upload(s3, "a1", "one")
    open_upload(s3, "a*[1]", "two")
    for pattern in ("a?", "*", "[a]1"):
        assert run(*OBJECTS, "end-uploads", f"s3://bucket/{pattern}") == (
            2, b"", f"no upload to 's3://bucket/{pattern}' is open, and end-uploads takes no patterns: give the name "
                    "of one object, or a prefix that ends in '/'\n")
    assert run(*OBJECTS, "end-uploads", "s3://bucket/a*[1]")[0] == 0 and s3.uploads.keys() == {"one"}


@pytest.mark.parametrize("markers", [(), ("NextKeyMarker",)])
def test_a_list_of_uploads_without_its_rest_is_no_list(s3, markers):
    for number in ("one", "two"):
        open_upload(s3, "a", number)
    s3.uploads_of_page, s3.markers = 1, markers
    status, printed, message = run(*OBJECTS, "end-uploads", "s3://bucket/a")
    assert (status, printed, len(s3.uploads)) == (2, b"", 2)
    assert message == ("cannot list uploads to 's3://bucket/a': the keys may not list uploads, or the store has no "
                       "such list or gives no answer; a rule of the bucket for uploads that are not completed ends "
                       "them\n")


def test_keys_of_uploads_are_printed_without_controls(s3):
    open_upload(s3, "a/\x1b[2J\nb", "one")
    assert run(*OBJECTS, "end-uploads", "s3://bucket/a/") == (
        0, b"s3://bucket/a/\\033[2J\\nb begun at 2024-01-31T04:05:06.000Z\n", "")
    assert s3.uploads == {}


@pytest.mark.parametrize("words", [["end-uploads", "--blocks"], ["end-uploads", "--ahead=1"], ["list", "--scratch=x"],
                                   ["end-uploads", "--scratch=x"], ["get", "--blocks"], ["put", "--ahead=1"]])
def test_options_of_other_actions_are_refused(s3, words):
    status, output, message = run(*OBJECTS, *words, "s3://bucket/a")
    assert (status, output, message.count("\n"), s3.asked) == (2, b"", 1, [])
    assert message.startswith(f"usage: python -m sortie.objects {words[0]} ")


def test_why_uploads_cannot_be_listed_is_told(s3, tmp_path):
    open_upload(s3, "a", "one")
    rule = "; a rule of the bucket for uploads that are not completed ends them"
    for url, more in (("gs://bucket/a", rule), ("az://bucket/a", ""), ("https://server/a", "")):
        assert run(*OBJECTS, "end-uploads", url) == (
            2, b"", f"'{url}' is not on S3, and end-uploads is for S3: give s3://bucket/name{more}\n")
    none = {"AWS_ACCESS_KEY_ID": "", "HOME": str(tmp_path)}
    for changed, why in (({"AWS_SKIP_SIGNATURE": "true"}, "AWS_SKIP_SIGNATURE is set, and only requests that are "
                          "signed may list them: take it away"),
                         (none, "the keys are neither in the environment nor in a profile")):
        assert run(*OBJECTS, "end-uploads", "s3://bucket/a", env=environment(**changed)) == (
            2, b"", f"cannot list uploads to 's3://bucket/a': {why}{rule}\n")
    assert s3.uploads.keys() == {"one"}
