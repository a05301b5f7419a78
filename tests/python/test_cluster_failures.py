"""Whatever fails of a cluster costs time, not the sort: commands, runs, machines' answers, the driver itself."""

import os
import signal

import pytest
from cluster_jobs import Jobs, wait_until

import sortie
from sortie.cluster import attempts

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
    jobs.fail(task, "hang")
    with jobs.start() as process:
        wait_until(lambda: task in jobs.commands() and not (jobs.faults / task).exists())
        process.send_signal(number)
        assert process.wait(60) == -signal.SIGINT and process.stderr.read() == ""
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
    result = jobs.job / "formed" / "000001.json"
    text = result.read_text()
    begin = text.index('"identity":') + len('"identity":')
    text = text[:begin] + ' "' + "0" * 32 + text[text.index('"', begin + 2):]
    result.write_text(text.replace(f'"node":"{os.uname().nodename}"', '"node":"other"'))
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
