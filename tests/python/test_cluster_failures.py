"""Whatever fails of a cluster costs time, not the sort: commands, runs, machines' answers, the driver itself."""

import json
import os
import shutil
import signal
import subprocess
import time

import pytest
from cluster_jobs import DRIVER, Jobs, wait_until
from faulty_command import flip_a_byte

import sortie
from sortie.cluster import attempts, local_engine
from sortie.cluster.json_files import read_state, write_state
from sortie.cluster import output as output_module
from sortie.__main__ import find_command

TASKS = ["form-0", "form-4", "cut-0", "cut-1", "merge-0", "merge-3"]


@pytest.fixture
def jobs(tmp_path):
    return Jobs(tmp_path)


def check_output(jobs, *options):
    assert jobs.output.read_bytes() == jobs.expected(*options)
    assert sorted(os.listdir(jobs.job)) == ["lock", "plan.json", "report.json", "request.json"]
    assert sorted(os.listdir(jobs.folder)) == ["a", "b", "c", "faults", "job", "out"]


@pytest.mark.parametrize("how", ["fail", "die", "garbage"])
@pytest.mark.parametrize("task", TASKS)
def test_a_task_that_fails_is_tried_again(jobs, task, how):
    jobs.fail(task, how)
    told = jobs.run()
    assert told.returncode == 0, told.stderr
    check_output(jobs)
    assert "1 attempts beside the first" in told.stderr and jobs.commands().count(task) == 2


@pytest.mark.parametrize("task, named", [("form-1", "shard 1 ('{a}', bytes "), ("cut-0", "cutting the runs of shard 0"),
                                         ("merge-2", "merging range 2")])
def test_a_task_that_always_fails_ends_the_job_with_its_words_and_the_machine(jobs, task, named):
    jobs.output.write_text("old")
    jobs.fail(task, "full")
    told = jobs.run("--attempts=1")
    message = f"failed on {os.uname().nodename}: sortie: cannot write '/scratch': No space left on device\n"
    assert told.returncode == 2 and told.stderr.endswith(message)
    assert told.stderr.startswith("sortie-cluster: " + named.format(a=jobs.inputs[0]))
    assert jobs.output.read_text() == "old"
    done = jobs.commands()
    assert jobs.run("--attempts=1").returncode == 0
    check_output(jobs)
    # What was done is not done again.
    assert len(jobs.commands()) < 2 * len(set(jobs.commands())) and set(done) <= set(jobs.commands())


@pytest.mark.parametrize("options", [[], ["-u"]])
def test_a_driver_that_is_killed_is_started_again_and_goes_on(jobs, options):
    moments = ["form-0", "form-2", "form-4", "cut-0", "cut-1", "cut-3", "merge-0", "merge-1", "merge-2", "merge-3"]
    for task in moments:
        jobs.fail(task, "kill driver")
        # One at a time: another that runs at the same time may be done by then.
        assert jobs.run(*options, "--workers=1").returncode == -signal.SIGKILL
        assert not (jobs.faults / task).exists() and not jobs.output.exists()
    told = jobs.run(*options)
    assert told.returncode == 0, told.stderr
    check_output(jobs, *options)
    # Only what was at work when a driver died is done again.
    assert len(jobs.commands()) == len(set(jobs.commands())) + len(moments)


def test_nothing_that_the_job_did_not_make_is_taken_for_its_own(jobs):
    for words in (["-o", str(jobs.job / "shards" / "out")], ["-o", str(jobs.job / "part-{}")]):
        told = jobs.run_words([*jobs.words()[:-5], *words, *map(str, jobs.inputs)])
        assert told.returncode == 2 and "lies in the job directory" in told.stderr
    (jobs.folder / "parts").mkdir()
    (jobs.folder / "parts" / "manifest.json").write_text("{}")
    told = jobs.run_words([*jobs.words()[:-5], "-o", str(jobs.folder / "parts" / "p-{}"), *map(str, jobs.inputs)])
    assert told.returncode == 2 and "no manifest of parts" in told.stderr
    assert (jobs.folder / "parts" / "manifest.json").read_text() == "{}"


@pytest.mark.parametrize("name", ["{:999}", "part-{:0300}", "x" * 198 + "{}"])
def test_parts_whose_names_no_file_can_have_are_refused_before_any_work(jobs, name):
    told = jobs.run_words([*jobs.words()[:-5], "-o", str(jobs.folder / name), *map(str, jobs.inputs)])
    assert told.returncode == 2 and "200 are the most" in told.stderr
    assert not jobs.commands()


@pytest.mark.parametrize("change", [os.unlink, lambda path: path.write_text("other"), lambda path: flip_a_byte(path, 9)])
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


@pytest.mark.parametrize("name", ["request.json", "plan.json", "ranges.json", "bounds.json", "formed/000001.json",
                                  "cuts/000000.json", "cuts/000000.rows", "merged/000000.json"])
@pytest.mark.parametrize("text", [None, "", "{}", "[]", "3"])
def test_state_that_is_damaged_costs_time_or_is_refused(jobs, name, text):
    jobs.output.write_text("old")
    jobs.fail("merge-1", "kill driver")
    jobs.run("--workers=1")
    if text is None:
        (jobs.job / name).unlink()
    else:
        (jobs.job / name).write_text(text)
    status = jobs.run_words([*DRIVER, "status", f"--job={jobs.job}"])
    assert status.returncode == 0 or (status.returncode == 2 and status.stderr.count("\n") == 1), status.stderr
    told = jobs.run("--workers=1", "--attempts=1")
    if told.returncode == 0:
        return check_output(jobs)
    assert told.returncode == 2 and told.stderr.count("\n") == 1, told.stderr
    assert jobs.output.read_text() == "old"


def test_cuts_that_are_damaged_are_made_again(jobs):
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


@pytest.mark.parametrize("name", ["formed/000001.json", "formed/000002.samples", "shards/000003/shard.json", "plan.json",
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


def test_an_interrupt_before_an_attempt_is_handed_over_ends_the_stage(jobs, monkeypatch):
    def interrupted(self, attempt):
        raise KeyboardInterrupt
    monkeypatch.setattr(local_engine.LocalEngine, "submit", interrupted)
    with pytest.raises(KeyboardInterrupt):
        jobs.sort_files(monkeypatch)


def test_commands_die_with_their_driver(jobs):
    jobs.fail("form-1", "hang")
    with jobs.start() as process:
        wait_until(lambda: "form-1" in jobs.commands() and not (jobs.faults / "form-1").exists())
        process.kill()
    wait_until(lambda: not jobs.running_commands())


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("task", ["form-1", "merge-1"])
def test_a_job_that_is_interrupted_ends_and_goes_on_later(jobs, task, number):
    jobs.output.write_text("old")
    jobs.fail(task, "hang on")
    with jobs.start() as process:
        wait_until(lambda: task in jobs.commands() and not (jobs.faults / task).exists())
        process.send_signal(number)
        sent = time.monotonic()
        assert process.wait(60) == -number and process.stderr.read() == ""
        # Nor a command that does not heed what asks it to end, nor one behind a script, holds it up for long.
        assert time.monotonic() - sent < 8
    assert not jobs.running_commands() and jobs.output.read_text() == "old"
    assert jobs.run().returncode == 0
    check_output(jobs)


@pytest.mark.parametrize("task", ["form-2", "merge-2"])
def test_a_task_that_takes_too_long_gets_a_second_attempt(jobs, monkeypatch, task):
    monkeypatch.setattr(attempts, "LATE_SECONDS", 1)
    jobs.fail(task, "hang")
    report = jobs.sort_files(monkeypatch)
    check_output(jobs)
    assert jobs.commands().count(task) >= 2 and report.retries >= 1


@pytest.mark.parametrize("task", ["cut-0", "merge-1"])
@pytest.mark.parametrize("what", ["all", "a run"])
def test_shards_whose_runs_are_gone_are_formed_again_and_only_those(jobs, task, what):
    stop_before(jobs, task)
    folder = jobs.job / "shards" / "000003"
    run = min(path for path in folder.iterdir() if path.name != "shard.json")
    jobs.fail(task, f"remove {folder if what == 'all' else run}")
    told = jobs.run()
    assert told.returncode == 0, told.stderr
    check_output(jobs)
    formed = [name for name in jobs.commands() if name.startswith("form-")]
    assert formed.count("form-3") == 2 and len(formed) == len(set(formed)) + 1


def stop_before(jobs, task):
    """Runs the job until the task fails for good."""
    jobs.fail(task, "fail")
    assert jobs.run("--attempts=1").returncode == 2


def test_machines_that_order_differently_are_named(jobs):
    stop_before(jobs, "cut-0")
    result = str(jobs.job / "formed" / "000001.json")
    write_state(result, {**read_state(result), "identity": "0" * 32, "node": "other"})
    told = jobs.run()
    assert told.returncode == 2
    assert f"{os.uname().nodename} and other order records differently" in told.stderr
    assert not jobs.output.exists()


def test_an_input_that_changes_meanwhile_is_refused(jobs):
    stop_before(jobs, "merge-0")
    os.utime(jobs.inputs[0], ns=(1, 1))
    told = jobs.run()
    assert told.returncode == 2 and "holds a job with other inputs" in told.stderr
    assert not jobs.output.exists()


def test_two_drivers_are_not_at_work_on_one_job(jobs):
    jobs.fail("form-1", "hang")
    with jobs.start() as process:
        wait_until(lambda: "form-1" in jobs.commands())
        told = jobs.run()
        assert told.returncode == 2 and "another driver is at work" in told.stderr
        process.send_signal(signal.SIGINT)


def test_a_bad_output_is_found_before_anything_runs(jobs, monkeypatch):
    jobs.output = jobs.folder / "none" / "out"
    with pytest.raises(sortie.Error, match="no such directory"):
        jobs.sort_files(monkeypatch)
    assert jobs.commands() == []


def test_runs_lie_on_a_disk_of_this_machine_until_the_end(jobs, tmp_path_factory):
    disk = tmp_path_factory.mktemp("disk")
    scratch = f"--scratch=node:{disk}"
    jobs.fail("merge-0", "fail")
    assert jobs.run("--attempts=1", scratch).returncode == 2
    assert os.listdir(jobs.job / "shards") == []
    [folder] = disk.glob(f"sortie-*/{os.uname().nodename}")
    assert sorted(os.listdir(folder)) == [f"{number:06d}" for number in range(5)]
    told = jobs.run()
    assert told.returncode == 2 and "holds a job with other scratch folder" in told.stderr
    shutil.rmtree(folder / "000003")
    told = jobs.run(scratch)
    assert told.returncode == 0, told.stderr
    check_output(jobs)
    assert os.listdir(disk) == [] and jobs.commands().count("form-3") == 2 and jobs.commands().count("form-2") == 1


@pytest.mark.parametrize("options, message", [
    (["--scratch=/nvme"], "invalid value '/nvme' for --scratch: give node:DIR"),
    (["--scratch=node:nvme"], "invalid value 'node:nvme' for --scratch: give node:DIR"),
    (["--scratch=node:/dev/null"], f"on {os.uname().nodename}: cannot make '/dev/null/sortie-"),
    (["--scratch=node:/none/of/these"], f"on {os.uname().nodename}: cannot make '/none/of/these/sortie-"),
    (["--scratch=node:/", "--engine=slurm"], "--scratch=node:DIR does not go with --engine=slurm")])
def test_scratch_that_cannot_be_is_refused(jobs, options, message):
    told = jobs.run(*options)
    assert told.returncode == 2 and message in told.stderr and told.stderr.count("\n") == 1
    assert not jobs.output.exists()


@pytest.mark.parametrize("task", ["cut-0", "merge-1"])
@pytest.mark.parametrize("offset", [70, -60, -1], ids=["block", "index", "trailer"])
def test_shards_whose_runs_are_damaged_are_formed_again_and_only_those(jobs, task, offset):
    stop_before(jobs, task)
    for shard in (1, 3):
        [run] = (jobs.job / "shards" / f"{shard:06d}").glob("sortie-run-*")
        flip_a_byte(run, offset)
    # Runs are damaged, none is lost: it counts for no attempt.
    told = jobs.run("--attempts=1")
    if task == "merge-1" and offset == -1:
        # A merge does not need the trailer.
        assert jobs.commands().count("form-3") == 1
    else:
        assert jobs.commands().count("form-1") == jobs.commands().count("form-3") == 2
    assert told.returncode == 0, told.stderr
    check_output(jobs)
    assert jobs.commands().count("form-2") == 1


def test_a_shard_that_is_damaged_again_ends_the_job_with_the_name_of_the_run(jobs):
    jobs.fail("cut-0", f"damage {jobs.job}/shards/000003/sortie-run-*")
    jobs.fail("merge-0", f"damage {jobs.job}/shards/000003.renewed/sortie-run-*")
    told = jobs.run("--workers=1")
    [run] = (jobs.job / "shards").glob("000003.renewed/sortie-run-*")
    assert told.returncode == 2 and run.name in told.stderr and "is damaged" in told.stderr
    assert jobs.commands().count("form-3") == 2 and not jobs.output.exists()


def test_a_job_goes_on_with_the_memory_and_threads_that_are_asked_for_now(jobs):
    def kept():
        told = json.loads((jobs.job / "plan.json").read_text())
        return told["memory_bytes"], told["threads"]
    stop_before(jobs, "merge-1")
    assert kept() == (256 << 10, 1)
    jobs.fail("merge-2", "fail")
    words = [word for word in jobs.words("--attempts=1") if word not in ("-S", "256K")]
    assert jobs.run_words([*words, "-S", "1M", "--parallel=2"]).returncode == 2
    assert kept() == (1 << 20, 2)
    told = jobs.run_words(words)
    assert told.returncode == 0, told.stderr
    assert kept() == (1 << 20, 2)
    check_output(jobs)
    assert all(jobs.commands().count(f"form-{number}") == 1 for number in range(5))
