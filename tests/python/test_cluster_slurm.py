"""Array jobs of Slurm, by a stand-in for it: what the driver asks of it, and what it does when an element fails or
vanishes."""

import os
import pathlib
import re
import signal
import sys
import threading

import pytest
from cluster_jobs import Jobs, wait_until
from slurm_stand_in import install

import sortie
from sortie.cluster import engine as engines, slurm_engine
from sortie.cluster.shards import Shard
from sortie.cluster.copy_tasks import CopyTask
from sortie.cluster.merge_tasks import MergeTask, task_from_json, task_to_json
from sortie.cluster.slurm_engine import SlurmEngine, slurm_resources
from sortie.cluster.tasks import CutTask, FormTask, Setting


@pytest.fixture
def jobs(tmp_path):
    jobs = Jobs(tmp_path, shard="10K", ranges=3)
    install(jobs)
    return jobs


def check_output(jobs, told, *options):
    assert told.returncode == 0, told.stderr
    assert jobs.output.read_bytes() == jobs.expected(*options)
    assert sorted(os.listdir(jobs.job)) == ["lock", "plan.json", "report.json", "request.json"]


def arrays(jobs):
    return [path.read_text().splitlines() for path in sorted((jobs.folder / "slurm").glob("*.job"))]


def test_a_stage_is_an_array_job_where_nothing_limits_it(jobs):
    check_output(jobs, jobs.run("--engine=slurm", "--workers=99", "--parallel=2"))
    assert [words[1] for words in arrays(jobs)] == ["--job-name=sortie-form", "--job-name=sortie-cut",
                                                    "--job-name=sortie-merge"]
    for words in arrays(jobs):
        assert "--cpus-per-task=2" in words and "--mem=97M" in words and not any("gres" in word for word in words)


def test_a_join_is_that_of_one_command(jobs):
    jobs.inputs = jobs.inputs[:2]
    options = ("--join=full", "-k1,1")
    check_output(jobs, jobs.run("--engine=slurm", *options), *options)


def use_stand_in(jobs, monkeypatch):
    """From this process, with less patience."""
    for name in ("_SECONDS_BETWEEN_QUESTIONS", "_SECONDS_TO_APPEAR", "_SECONDS_BETWEEN_TRIES"):
        monkeypatch.setattr(slurm_engine, name, 0.5)
    for name in ("PATH", "FAKE_SLURM"):
        monkeypatch.setenv(name, jobs.environment[name])


@pytest.mark.parametrize("task, how", [("form-0", "fail"), ("cut-1", "die"), ("merge-2", "fail")])
def test_an_element_that_fails_is_tried_again(jobs, task, how):
    jobs.fail(task, how)
    told = jobs.run("--engine=slurm", "-k1,1nr")
    check_output(jobs, told, "-k1,1nr")
    # Where the machine is busy, others may be late, and get second attempts.
    assert jobs.commands().count(task) >= 2 and not (jobs.faults / task).exists()
    assert int(re.search(r"(\d+) attempts? beside the first", told.stderr)[1]) >= 1


def test_an_element_that_slurm_lost_is_tried_again(jobs, monkeypatch):
    use_stand_in(jobs, monkeypatch)
    (jobs.folder / "slurm" / "lose").write_text("")
    report = jobs.sort_files(monkeypatch, engine="slurm")
    assert report.retries == 1 and jobs.output.read_bytes() == jobs.expected()


def test_a_job_that_is_interrupted_ends_its_commands_and_goes_on(jobs):
    jobs.fail("merge-1", "hang")
    process = jobs.start("--engine=slurm")
    wait_until(lambda: "merge-1" in jobs.commands() and not (jobs.faults / "merge-1").exists())
    process.terminate()
    process.communicate(timeout=300)
    wait_until(lambda: not jobs.running_commands())
    assert not jobs.output.exists()
    check_output(jobs, jobs.run("--engine=slurm"))


def test_an_interrupt_while_a_job_is_handed_over_leaves_none_behind(jobs):
    (jobs.folder / "slurm" / "slow").write_text("")
    jobs.fail("form-1", "hang")
    with jobs.start("--engine=slurm") as process:
        wait_until(lambda: "form-1" in jobs.commands() and not (jobs.faults / "form-1").exists())
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == -signal.SIGINT
    wait_until(lambda: not jobs.running_commands())


def test_what_slurm_refuses_is_told_once(jobs):
    (jobs.folder / "bin" / "sbatch").unlink()
    (jobs.folder / "bin" / "sbatch").write_text(
        f"#!/bin/sh\necho called >>'{jobs.folder}/calls'\necho 'sbatch: error: invalid partition: no' >&2\n"
        "echo 'sbatch: error: Batch job submission failed: Invalid partition' >&2\nexit 1\n")
    (jobs.folder / "bin" / "sbatch").chmod(0o755)
    told = jobs.run("--engine=slurm")
    assert told.returncode == 2 and told.stderr == (
        "sortie-cluster: sbatch failed: invalid partition: no; Batch job submission failed: Invalid partition\n")
    assert (jobs.folder / "calls").read_text() == "called\n" and not jobs.output.exists()


def test_a_slurm_that_does_not_answer_for_a_while_costs_no_attempt(jobs, monkeypatch):
    use_stand_in(jobs, monkeypatch)
    silence = jobs.folder / "slurm" / "silence"

    def be_silent():
        wait_until(lambda: any(name.startswith("form") for name in jobs.commands()))
        silence.write_text("4")
    thread = threading.Thread(target=be_silent)
    thread.start()
    report = jobs.sort_files(monkeypatch, engine="slurm", attempts=1)
    thread.join()
    assert not silence.exists()
    assert report.retries == 0 and jobs.output.read_bytes() == jobs.expected()


def test_a_slurm_that_never_answered_is_told(jobs):
    (jobs.folder / "slurm" / "silence").write_text("99")
    told = jobs.run("--engine=slurm")
    assert told.returncode == 2 and told.stderr.count("\n") == 1 and "Unable to contact slurm controller" in told.stderr


def test_elements_wait_where_slurm_takes_few(jobs, monkeypatch):
    use_stand_in(jobs, monkeypatch)
    (jobs.folder / "slurm" / "full").write_text("2")
    jobs.shard, jobs.ranges = "6K", 4
    report = jobs.sort_files(monkeypatch, engine="slurm", attempts=1, workers=99)
    assert report.retries == 0 and jobs.output.read_bytes() == jobs.expected()
    assert {word for words in arrays(jobs) for word in words if "array" in word} == {"--array=0-0", "--array=0-1"}


@pytest.mark.parametrize("reason, status", [("PartitionConfig", 2), ("Nodes are DOWN, DRAINED or reserved", 0)])
def test_elements_that_can_never_begin_end_the_job(jobs, reason, status):
    jobs.fail("form-0", "hang" if status else "fail")
    (jobs.folder / "slurm" / "stuck").write_text(reason)
    told = jobs.run("--engine=slurm")
    assert told.returncode == status, told.stderr
    if status:
        assert f"cannot begin ({reason}): ask for less with -S and --parallel" in told.stderr
        assert told.stderr.count("\n") == 1
        wait_until(lambda: not jobs.running_commands())


def test_an_element_that_vanishes_is_told_with_what_it_said(jobs, monkeypatch):
    use_stand_in(jobs, monkeypatch)
    monkeypatch.setattr(sys, "executable", "/none/python")
    with pytest.raises(sortie.Error, match=r"in Slurm: element 10\d_\d ended .* not found; see (.*)$") as told:
        jobs.sort_files(monkeypatch, engine="slurm", attempts=1)
    assert pathlib.Path(str(told.value).rpartition("; see ")[2]).exists()


def test_elements_of_a_driver_that_was_killed_are_ended_by_the_next_one(jobs):
    jobs.fail("merge-1", "hang")
    with jobs.start("--engine=slurm") as process:
        wait_until(lambda: "merge-1" in jobs.commands() and not (jobs.faults / "merge-1").exists())
        process.kill()
    assert jobs.running_commands()
    check_output(jobs, jobs.run("--engine=slurm"))
    wait_until(lambda: not jobs.running_commands())


def test_variables_of_slurm_do_not_change_what_the_driver_sees(jobs, monkeypatch):
    jobs.environment.update(SBATCH_WAIT="1", SQUEUE_STATES="SUSPENDED", SQUEUE_FORMAT="%i")
    check_output(jobs, jobs.run("--engine=slurm"))


def test_a_job_directory_may_have_any_name_but_one_that_slurm_changes(jobs):
    jobs.job = jobs.folder / "a 'b' \"c\" %u $d"
    check_output(jobs, jobs.run("--engine=slurm"))
    jobs.job = jobs.folder / "a\\b"
    told = jobs.run("--engine=slurm")
    assert told.returncode == 2 and "has a backslash in its name" in told.stderr and told.stderr.count("\n") == 1


def test_attempts_that_wait_their_turn_are_not_late(monkeypatch):
    class Waiting(SlurmEngine):
        def wait(self, seconds):
            return None
    engine = Waiting(slurm_resources(1 << 20, 1), None, 0, None)
    stage = engines.Stage(engine, 3, lambda task: None, lambda: None)
    monkeypatch.setattr(engines, "LATE_SECONDS", 0.0)
    stage._seconds = [0.0]
    stage._submit(CutTask(Setting("/job", (), {}), 0, 0, "i", "f"))
    stage._begin_anew_while_waiting()
    [begin] = stage._running.values()
    stage._begin_anew_while_waiting()
    assert [later > begin for later in stage._running.values()] == [True]


def test_slurm_needs_to_know_the_memory_and_its_programs(jobs):
    words = [word for word in jobs.words("--engine=slurm") if word not in ("-S", "256K")]
    told = jobs.run_words(words)
    assert told.returncode == 2 and "--engine=slurm needs -S" in told.stderr
    (jobs.folder / "bin" / "sbatch").unlink()
    (jobs.folder / "bin" / "python3").symlink_to(sys.executable)
    jobs.environment["PATH"] = str(jobs.folder / "bin")
    told = jobs.run("--engine=slurm")
    assert told.returncode == 2 and "cannot run sbatch: No such file" in told.stderr and told.stderr.count("\n") == 1


def test_rows_of_parquet_files_are_those_of_one_machine(jobs, tmp_path):
    pytest.importorskip("pyarrow")
    from cluster_tables import Tables, same
    tables = Tables(tmp_path, shard="24K")
    told = tables.run("--key=few", "--engine=slurm",
                      **{name: jobs.environment[name] for name in ("PATH", "FAKE_SLURM")})
    assert told.returncode == 0, told.stderr
    same(tables.result(), tables.expected("few"))


def test_tasks_go_through_files():
    setting = Setting("/job", ("-k1,1", "-r"), {"LC_ALL": "C", "TMPDIR": None}, "/job/table.json")
    for task in (FormTask(setting, Shard(1, "/in", 0, None, 9, 7), 256), CutTask(setting, 2, 5, "i", "f"),
                 FormTask(setting, Shard(1, "/in", 0, None, 9, 7, side="right"), 256),
                 CutTask(setting, 2, 5, "i", "f", None, "right"),
                 MergeTask(setting, 0, 1, 10, 11, "", None, None, "/out", None, "i", "f", {"first": None, "right": {}}),
                 MergeTask(setting, 3, 9, 10, 11, "aGVhZAo=", None, {"record": "YQ==", "run": 1}, "/out", None, "i",
                           "f"),
                 CopyTask(setting, 4, 12, "/part", "/out", 13, "f", "00")):
        assert task_from_json(task_to_json(task)) == task
