"""Whatever fails of a cluster costs time, not the sort: commands, runs, machines' answers, the driver itself."""

import json
import os
import shutil
import signal
from concurrent.futures import Future
from types import SimpleNamespace

import pytest
from cluster_jobs import SECONDS_TO_WAIT, Jobs, check_output, stop_before, wait_until
from faulty_command import flip_a_byte

import sortie
from sortie.cluster import engine
from sortie.cluster.engine import LocalEngine
from sortie.cluster.written_files import read_state, write_state

TASKS = ["form-0", "form-4", "cut-0", "cut-1", "merge-0", "merge-3"]


@pytest.fixture
def jobs(tmp_path):
    return Jobs(tmp_path)


@pytest.fixture(params=[False, True], ids=["bare", "quoted"])
def jobs_by_name(request, jobs):
    if request.param:
        jobs.take_names_that_messages_quote()
    return jobs


@pytest.mark.parametrize("how", ["fail", "die", "garbage"])
def test_tasks_that_fail_are_tried_again(jobs, how):
    for task in TASKS:
        jobs.fail(task, how)
    told = jobs.run()
    assert told.returncode == 0, told.stderr
    check_output(jobs)
    assert f"{len(TASKS)} attempts beside the first" in told.stderr
    assert all(jobs.commands().count(task) == (2 if task in TASKS else 1) for task in jobs.commands())


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


@pytest.mark.parametrize("options, moments", [
    ([], ["form-0", "form-2", "form-4", "cut-0", "cut-1", "cut-3", "merge-0", "merge-1", "merge-2", "merge-3"]),
    (["-u"], ["form-2", "cut-1", "merge-1", "merge-3"])])
def test_a_driver_that_is_killed_is_started_again_and_goes_on(jobs, options, moments):
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


def test_an_interrupt_before_an_attempt_is_handed_over_ends_the_stage(jobs, monkeypatch):
    def interrupted(self, attempt):
        raise KeyboardInterrupt
    monkeypatch.setattr(LocalEngine, "submit", interrupted)
    with pytest.raises(KeyboardInterrupt):
        jobs.sort_files(monkeypatch)


def test_an_attempt_that_waits_for_a_thread_keeps_the_stage_open(monkeypatch):
    held = Future()
    monkeypatch.setattr(engine.ThreadPoolExecutor, "submit", lambda *given: held)
    local = LocalEngine(1, "command")
    assert local.is_idle()
    local.submit(engine.Attempt(SimpleNamespace(setting=SimpleNamespace(environment={}))))
    assert not local.is_idle()
    held.set_result(None)
    assert local.is_idle()


def test_commands_die_with_their_driver(jobs):
    jobs.fail("form-1", "hang")
    with jobs.start() as process:
        wait_until(lambda: "form-1" in jobs.commands() and not (jobs.faults / "form-1").exists())
        process.kill()
    wait_until(lambda: not jobs.running_commands())


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("task", ["form-1", "merge-1"])
def test_a_job_that_is_interrupted_ends_and_goes_on_later(jobs, task, number):
    jobs.output.write_text("old")
    jobs.fail(task, "hang on")
    with jobs.start() as process:
        wait_until(lambda: task in jobs.commands() and not (jobs.faults / task).exists())
        process.send_signal(number)
        # Neither a command that does not heed what asks it to end, nor one behind a script, holds it up as long as it
        # hangs.
        assert process.wait(SECONDS_TO_WAIT) == -number and process.stderr.read() == ""
    # What a command has left is killed, but nobody can wait for it.
    wait_until(lambda: not jobs.running_commands())
    assert jobs.output.read_text() == "old"
    assert jobs.run().returncode == 0
    check_output(jobs)


@pytest.mark.parametrize("task", ["form-2", "merge-2"])
def test_a_task_that_takes_too_long_gets_a_second_attempt(jobs, monkeypatch, task):
    monkeypatch.setattr(engine, "LATE_SECONDS", 1)
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
    (["--scratch=node:/dev/null"], "cannot keep runs in '/dev/null': Not a directory; name another folder with "
     "--scratch"),
    (["--scratch=node:/none/of/these"], "cannot keep runs in '/none/of/these': No such file or directory"),
    (["--scratch=node:/", "--engine=slurm"], "--scratch=node:DIR does not go with --engine=slurm")])
def test_scratch_that_cannot_be_is_refused(jobs, options, message):
    told = jobs.run(*options)
    assert told.returncode == 2 and message in told.stderr and told.stderr.count("\n") == 1
    assert not jobs.output.exists() and not jobs.job.exists()


@pytest.mark.parametrize("task", ["cut-0", "merge-1"])
@pytest.mark.parametrize("offset", [70, -60, -1], ids=["block", "index", "trailer"])
def test_shards_whose_runs_are_damaged_are_formed_again_and_only_those(jobs_by_name, task, offset):
    jobs = jobs_by_name
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


def test_a_shard_that_is_damaged_again_ends_the_job_with_the_name_of_the_run(jobs_by_name):
    jobs = jobs_by_name
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
    stop_before(jobs, "merge-1", "--parallel=1")
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
