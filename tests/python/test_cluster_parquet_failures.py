"""Whatever fails of a sort of Parquet files on a cluster costs time, not the sort: commands, the processes around them,
damaged files, the driver itself."""

import json
import os
import signal
import subprocess

import pytest

pytest.importorskip("pyarrow", reason="pyarrow is not installed (every test of this file)")
import pyarrow.parquet as pq  # noqa: E402
from cluster_jobs import DRIVER, FAULTY, Faults, wait_until  # noqa: E402
from cluster_tables import Tables, same  # noqa: E402

import sortie  # noqa: E402
from sortie.__main__ import find_command  # noqa: E402
from sortie.cluster.written_files import write_state  # noqa: E402


@pytest.fixture
def tables(tmp_path):
    return Tables(tmp_path, shard="24K")


@pytest.fixture
def faults(tmp_path):
    return Faults(tmp_path / "faults")


# To "kill driver" is to kill the process around the command.
@pytest.mark.parametrize("how", ["fail", "die", "garbage", "kill driver"])
def test_tasks_that_fail_are_tried_again(tables, faults, how):
    tasks = ["form-2", "merge-1"]
    for task in tasks:
        faults.fail(task, how)
    told = tables.run("--key=few", f"--command={FAULTY}", **faults.environment)
    assert told.returncode == 0, told.stderr
    assert "2 attempts beside the first" in told.stderr
    assert [faults.commands().count(task) for task in tasks] == [2, 2]
    same(tables.result(), tables.expected("few"))
    assert sorted(os.listdir(tables.job)) == ["lock", "plan.json", "report.json", "request.json"]


@pytest.mark.parametrize("task", ["form-1", "merge-1"])
def test_what_a_command_says_is_told_and_the_job_goes_on_later(tables, faults, task):
    faults.fail(task, "full")
    words = ("--key=few", f"--command={FAULTY}", "--attempts=1")
    told = tables.run(*words, **faults.environment)
    message = f"failed on {os.uname().nodename}: sortie: cannot write '/scratch': No space left on device\n"
    assert told.returncode == 2 and told.stderr.endswith(message) and not tables.output.exists()
    before = faults.commands()
    told = tables.run(*words, **faults.environment)
    assert told.returncode == 0, told.stderr
    same(tables.result(), tables.expected("few"))
    # What was done is not done again, but what was ended with the failed one.
    assert len(faults.commands()) - len(set(before)) <= len(set(faults.commands())) - len(set(before)) + 2


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_a_job_whose_driver_is_ended_leaves_no_processes_and_goes_on_later(tables, faults, number):
    faults.fail("merge-1", "hang")
    words = tables.words("--key=few", f"--command={FAULTY}")
    with subprocess.Popen(words, stderr=subprocess.PIPE, env={**os.environ, **faults.environment}) as process:
        # It would hang once more if its word of that were still there.
        wait_until(lambda: "merge-1" in faults.commands() and not (faults.folder / "merge-1").exists())
        process.send_signal(number)
        assert process.wait(300) == -number
    wait_until(lambda: not processes_of(tables.job))
    assert not tables.output.exists()
    assert tables.run("--key=few", f"--command={FAULTY}", **faults.environment).returncode == 0
    same(tables.result(), tables.expected("few"))


def processes_of(job):
    found = []
    for number in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{number}/cmdline", "rb") as file:
                words = file.read()
        except OSError:
            continue
        found += [words] if str(job).encode() in words else []
    return found


def test_a_file_that_cannot_be_read_to_its_end_leaves_no_shard_that_looks_whole(tables):
    """The command, which reads a pipe, sees no difference."""
    metadata = pq.read_metadata(tables.inputs[0])
    begin = metadata.row_group(2).column(0).data_page_offset
    with open(tables.inputs[0], "r+b") as file:
        file.seek(begin)
        file.write(b"\xff" * 60)
    told = tables.run("--key=key", "--shard=1G", "--attempts=2")
    assert told.returncode == 2 and f"cannot read '{tables.inputs[0]}'" in told.stderr, told.stderr
    assert not tables.output.exists()
    assert [name for name in os.listdir(tables.job / "shards") if name.startswith("000000")] == []


def test_a_shard_whose_task_died_before_it_could_tell_is_taken_as_it_is(tables, faults):
    words = ("--key=few", f"--command={FAULTY}", "--attempts=1")
    faults.fail("cut-0", "fail")
    assert tables.run(*words, **faults.environment).returncode == 2
    (tables.job / "formed" / "000002.json").unlink()
    told = tables.run(*words, **faults.environment)
    assert told.returncode == 0, told.stderr
    assert faults.commands().count("form-2") == 1
    same(tables.result(), tables.expected("few"))


def test_machines_with_other_versions_are_refused(tables, faults):
    # A job of which nothing is done keeps nothing.
    faults.fail("form-2", "fail")
    done = tables.run("--key=key", f"--command={FAULTY}", "--attempts=1", "--workers=1", **faults.environment)
    assert done.returncode == 2 and "no luck" in done.stderr, done.stderr
    told = json.loads((tables.job / "table.json").read_text())
    told["versions"]["pyarrow"] = "1.0"
    program = "import sys; sys.path.insert(0, sys.argv.pop(1)); from sortie.cluster import table_command; " \
              "table_command.main()"
    write_state(str(tables.folder / "other.json"), told)
    package = os.path.dirname(os.path.dirname(sortie.__file__))
    done = subprocess.run([DRIVER[0], "-c", program, package, tables.folder / "other.json", find_command(),
                           "--buffer-size=1000000b", "--parallel=1", f"--form={tables.folder}/x", "--bytes=0-", "--",
                           tables.inputs[0]], capture_output=True, text=True)
    assert done.returncode == 1
    assert "the job was begun with 1.0: install the same on all machines" in done.stderr
    write_state(str(tables.job / "table.json"), told)
    done = tables.run("--key=key", f"--command={FAULTY}", "--attempts=1", **faults.environment)
    assert done.returncode == 2 and "pyarrow 1.0: go on with these, or remove it, and sort again" in done.stderr
