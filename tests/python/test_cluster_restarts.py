"""What a driver that is started again takes over is verified first: state, shards, ranges, parts, copies, outputs."""

import itertools
import os
import shutil
import signal
import subprocess

import pytest
from cluster_jobs import DRIVER, FAULTY, Jobs, check_output, go_on_with_damaged_state, stop_before
from faulty_command import flip_a_byte

from sortie.cluster import output as output_module
from sortie.__main__ import find_command


@pytest.fixture
def jobs(tmp_path):
    return Jobs(tmp_path)


@pytest.mark.parametrize("change", [os.unlink, lambda path: path.write_text("other"),
                                    lambda path: flip_a_byte(path, 9)])
def test_a_job_that_is_done_does_not_vouch_for_another_output(jobs, change):
    assert jobs.run().returncode == 0
    change(jobs.output)
    told = jobs.run()
    assert told.returncode == 2 and "is done, but its output is not there any more" in told.stderr


def test_a_job_that_is_done_believes_an_output_of_the_same_bytes(jobs):
    assert jobs.run().returncode == 0
    shutil.copy(jobs.output, jobs.folder / "copy")
    os.replace(jobs.folder / "copy", jobs.output)
    assert jobs.run().returncode == 0
    check_output(jobs)


@pytest.fixture(scope="module")
def stopped(tmp_path_factory):
    """A job that was killed as it merged, and a copy of what it made: each test begins with that."""
    jobs = Jobs(tmp_path_factory.mktemp("stopped"))
    jobs.output.write_text("old")
    jobs.fail("merge-1", "kill driver")
    assert jobs.run("--workers=1").returncode == -signal.SIGKILL
    made = [path for path in jobs.folder.iterdir() if path not in jobs.inputs]
    copy = tmp_path_factory.mktemp("copy")
    for path in made:
        (shutil.copytree if path.is_dir() else shutil.copy)(path, copy / path.name)
    return jobs, copy


def begin_with(jobs, copy):
    for path in jobs.folder.iterdir():
        if path.is_dir():
            shutil.rmtree(path)
        elif path not in jobs.inputs:
            path.unlink()
    for path in copy.iterdir():
        (shutil.copytree if path.is_dir() else shutil.copy)(path, jobs.folder / path.name)


def test_a_job_that_was_killed_goes_on_with_what_it_has(stopped):
    jobs, copy = stopped
    begin_with(jobs, copy)
    done = set(jobs.commands()) - {"merge-1"}
    assert jobs.run("--workers=1", "--attempts=1").returncode == 0
    check_output(jobs)
    assert all(jobs.commands().count(task) == 1 for task in done)


@pytest.mark.parametrize("name", ["request.json", "plan.json", "ranges.json", "bounds.json", "formed/000001.json",
                                  "cuts/000000.json", "cuts/000000.rows", "merged/000000.json"])
@pytest.mark.parametrize("text", [None, "{}", "3"])
def test_state_that_is_damaged_costs_time_or_is_refused(stopped, name, text):
    jobs, copy = stopped
    begin_with(jobs, copy)
    go_on_with_damaged_state(jobs, name, text)


@pytest.mark.parametrize("is_quoted", [False, True], ids=["bare", "quoted"])
def test_cuts_that_are_damaged_are_made_again(jobs, is_quoted):
    if is_quoted:
        jobs.take_names_that_messages_quote()
    stop_before(jobs, "merge-1")
    flip_a_byte(jobs.job / "cuts" / "000000.rows", -60)
    told = jobs.run("--attempts=1")
    assert told.returncode == 0, told.stderr
    check_output(jobs)
    assert jobs.commands().count("cut-0") == 2 and jobs.commands().count("cut-1") == 1


def stop_before_in_place(jobs, monkeypatch):
    """Runs the job until all is verified, and nothing in place."""
    monkeypatch.setattr(output_module.OneFile, "finish", lambda self, ranges, mark: os._exit(9))
    if os.fork() == 0:
        jobs.sort_files(monkeypatch)
        os._exit(1)
    assert os.waitstatus_to_exitcode(os.wait()[1]) == 9
    [scratch] = [name for name in os.listdir(jobs.folder) if name.startswith(".out.sortie-")]
    return jobs.folder / scratch


def test_an_output_that_was_exchanged_before_it_was_put_in_place_is_made_again(jobs, monkeypatch):
    jobs.output.write_bytes(jobs.expected()[::-1])
    stop_before_in_place(jobs, monkeypatch).unlink()
    assert jobs.run().returncode == 0
    check_output(jobs)


@pytest.mark.parametrize("offset", [10, -1])
def test_a_range_that_is_damaged_before_it_was_put_in_place_is_merged_again(jobs, monkeypatch, offset):
    flip_a_byte(stop_before_in_place(jobs, monkeypatch), offset)
    merged = jobs.commands().count("merge-0")
    assert jobs.run().returncode == 0
    check_output(jobs)
    # The driver in this process and its commands have one log.
    assert sum(name.startswith("merge-") for name in jobs.commands()) == 5 and merged == 1


def killed_before_last_merge(jobs, *options):
    jobs.fail("merge-3", "kill driver")
    assert jobs.run("--workers=1", *options).returncode == -signal.SIGKILL


@pytest.mark.parametrize("options", [[], ["-u"]])
def test_ranges_that_are_damaged_while_no_driver_runs_are_merged_again_and_only_those(jobs, options):
    killed_before_last_merge(jobs, *options)
    if "-u" in options:
        flip_a_byte(jobs.job / "parts" / "000001", 100)
    else:
        [scratch] = jobs.folder.glob(".out.sortie-*")
        flip_a_byte(scratch, 7000)  # in the second range
    assert jobs.run(*options).returncode == 0
    check_output(jobs, *options)
    merged = [name for name in jobs.commands() if name.startswith("merge-")]
    assert sorted(merged) == ["merge-0", "merge-1", "merge-1", "merge-2", "merge-3", "merge-3"]


def test_copies_of_parts_that_are_damaged_are_made_again(jobs, monkeypatch):
    monkeypatch.setattr(output_module.OneFile, "mark", lambda self: os._exit(9))
    if os.fork() == 0:
        jobs.sort_files(monkeypatch, unique=True)
        os._exit(1)
    assert os.waitstatus_to_exitcode(os.wait()[1]) == 9
    [scratch] = jobs.folder.glob(".out.sortie-*")
    flip_a_byte(scratch, 7000)
    assert jobs.run("-u").returncode == 0
    check_output(jobs, "-u")


def test_a_manifest_of_a_driver_that_was_killed_does_not_stay(jobs, monkeypatch):
    jobs.output = jobs.folder / "out" / "part-{}"
    replace = os.replace
    monkeypatch.setattr(os, "replace", lambda old, new: os._exit(9) if new.endswith("manifest.json")
                        else replace(old, new))
    if os.fork() == 0:
        jobs.sort_files(monkeypatch)
        os._exit(1)
    assert os.waitstatus_to_exitcode(os.wait()[1]) == 9
    assert len([name for name in os.listdir(jobs.folder / "out") if "manifest.json" in name]) == 1
    assert jobs.run().returncode == 0
    assert sorted(os.listdir(jobs.folder / "out")) == ["manifest.json", *(f"part-{number}" for number in range(4))]


@pytest.mark.parametrize("suffix", ["", ".gz", ".zst"])
def test_parts_that_are_damaged_while_no_driver_runs_are_merged_again(jobs, suffix):
    jobs.output = jobs.folder / "out" / ("part-{}" + suffix)
    killed_before_last_merge(jobs)
    [part] = jobs.output.parent.glob(".sortie-*-part-2" + suffix)
    flip_a_byte(part, 30)
    assert jobs.run().returncode == 0
    parts = [str(jobs.output).format(number) for number in range(4)]
    assert subprocess.run([find_command(), "-s", "-k2,2", *parts], capture_output=True).stdout == jobs.expected()
    assert [jobs.commands().count(f"merge-{number}") for number in range(4)] == [1, 1, 2, 2]


@pytest.mark.parametrize("name", ["formed/000001.json", "formed/000002.samples", "shards/000003/shard.json",
                                  "plan.json",
                                  "bounds.json", "cuts/000001.json", "merged/000001.json", "token.json", "runs.json"])
def test_a_changed_byte_of_what_a_driver_kept_is_found(jobs, name):
    killed_before_last_merge(jobs)
    path = jobs.job / name
    text = path.read_bytes()
    # A digit that is another one is good JSON.
    at = next(at for at in range(len(text) // 3, len(text)) if text[at:at + 1] in b"12345678")
    path.write_bytes(text[:at] + bytes([text[at] ^ 1]) + text[at + 1:])
    if name == "shards/000003/shard.json":
        (jobs.job / "formed" / "000003.json").unlink()
    assert jobs.run().returncode == 0
    assert jobs.output.read_bytes() == jobs.expected()


def test_a_seed_that_is_lost_costs_time(jobs):
    killed_before_last_merge(jobs, "-R")
    (jobs.job / "seed.json").write_text("{}")
    assert jobs.run("-R").returncode == 0
    assert sorted(jobs.output.read_text().split()) == sorted(jobs.expected().decode().split())


def damaging(jobs, name):
    """Options by which the first command that forms a shard finds this file of the job damaged."""
    command = jobs.folder / "faults" / "command"
    command.write_text(f"""#!/bin/sh
case $* in *--form=*) [ -e '{command}.log' ] || {{ echo >'{command}.log'; printf X | dd of='{jobs.job}/{name}' conv=notrunc; }} ;; esac
exec '{FAULTY}' "$@"
""")
    command.chmod(0o700)
    return [f"--command={command}", "--workers=1", "--attempts=1"]


def refuse_damaged(jobs, name, options):
    told = jobs.run(*options)
    assert told.returncode == 2 and told.stderr.count("\n") == 1, told.stderr
    assert f"'{jobs.job}/{name}' is gone, or is not what was written" in told.stderr
    assert "give the command again" in told.stderr
    assert jobs.run(*options).returncode == 0


def test_a_seed_that_is_damaged_is_named_and_costs_a_shard(jobs):
    refuse_damaged(jobs, "seed", ["-R", *damaging(jobs, "seed")])
    numbers = jobs.output.read_text().split()
    assert sorted(numbers) == sorted(jobs.expected().decode().split())
    assert len(list(itertools.groupby(numbers))) == len(set(numbers))


def test_a_header_that_is_damaged_is_named(jobs):
    refuse_damaged(jobs, "header.json", damaging(jobs, "header.json"))
    assert jobs.output.read_bytes() == jobs.expected()


@pytest.mark.parametrize("change", [os.unlink, lambda path: flip_a_byte(path, 30)], ids=["gone", "damaged"])
def test_a_request_that_is_damaged_is_named(jobs, change):
    stop_before(jobs, "merge-1")
    change(jobs.job / "request.json")
    told = jobs.run()
    assert told.returncode == 2 and f"'{jobs.job}/request.json' is gone, or is not what was written" in told.stderr
    assert "remove the directory to sort again" in told.stderr and not jobs.output.exists()
