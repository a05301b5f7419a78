"""Array jobs of Slurm, by a stand-in for it: what the driver asks of it, and what it does when an element fails or
vanishes."""

import os
import pathlib

import pytest
from cluster_jobs import Jobs, wait_until

from sortie.cluster import slurm_engine
from sortie.cluster.job_plan import Shard
from sortie.cluster.tasks import CopyTask, CutTask, FormTask, MergeTask, Setting, task_from_json, task_to_json

FAKE = pathlib.Path(__file__).parent / "fake_slurm.py"


@pytest.fixture
def jobs(tmp_path):
    jobs = Jobs(tmp_path)
    (tmp_path / "bin").mkdir()
    (tmp_path / "slurm").mkdir()
    for name in ("sbatch", "squeue"):
        (tmp_path / "bin" / name).symlink_to(FAKE)
    jobs.environment["PATH"] = f"{tmp_path / 'bin'}:{os.environ['PATH']}"
    jobs.environment["FAKE_SLURM"] = str(tmp_path / "slurm")
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
        assert "--cpus-per-task=2" in words and "--mem=65M" in words and not any("gres" in word for word in words)


@pytest.mark.parametrize("task", ["form-0", "cut-1", "merge-2"])
@pytest.mark.parametrize("how", ["fail", "die"])
def test_an_element_that_fails_is_tried_again(jobs, task, how):
    jobs.fail(task, how)
    told = jobs.run("--engine=slurm", "-k1,1nr")
    check_output(jobs, told, "-k1,1nr")
    assert "1 attempts beside the first" in told.stderr


def test_an_element_that_slurm_lost_is_tried_again(jobs, monkeypatch):
    for name in ("_SECONDS_BETWEEN_QUESTIONS", "_SECONDS_TO_APPEAR"):
        monkeypatch.setattr(slurm_engine, name, 0.5)
    for name in ("PATH", "FAKE_SLURM"):
        monkeypatch.setenv(name, jobs.environment[name])
    (jobs.folder / "slurm" / "lose").write_text("")
    report = jobs.sort_files(monkeypatch, engine="slurm")
    assert report.retries == 1 and jobs.output.read_bytes() == jobs.expected()


def test_a_job_that_is_interrupted_ends_its_commands_and_goes_on(jobs):
    jobs.fail("merge-1", "hang")
    process = jobs.start("--engine=slurm")
    wait_until(lambda: "merge-1" in jobs.commands() and not (jobs.faults / "merge-1").exists())
    process.terminate()
    process.communicate(timeout=60)
    wait_until(lambda: not jobs.running_commands())
    assert not jobs.output.exists()
    check_output(jobs, jobs.run("--engine=slurm"))


def test_what_slurm_refuses_is_told(jobs):
    (jobs.folder / "bin" / "sbatch").unlink()
    (jobs.folder / "bin" / "sbatch").write_text("#!/bin/sh\necho 'sbatch: error: invalid partition' >&2\nexit 1\n")
    (jobs.folder / "bin" / "sbatch").chmod(0o755)
    told = jobs.run("--engine=slurm", "--attempts=1")
    assert told.returncode == 2 and told.stderr.endswith("failed sbatch failed: sbatch: error: invalid partition\n")
    assert not jobs.output.exists()


def test_slurm_needs_to_know_the_memory_and_its_programs(jobs):
    told = jobs.run("--engine=slurm")
    assert told.returncode == 0
    words = [word for word in jobs.words("--engine=slurm") if word not in ("-S", "256K")]
    told = jobs.run_words(words)
    assert told.returncode == 2 and "--engine=slurm needs -S" in told.stderr
    (jobs.folder / "bin" / "sbatch").unlink()
    told = jobs.run_words([word.replace(str(jobs.job), f"{jobs.job}2") for word in jobs.words("--engine=slurm")])
    assert told.returncode == 2 and "cannot run sbatch: No such file" in told.stderr and told.stderr.count("\n") == 1


def test_tasks_go_through_files():
    setting = Setting("/job", ("-k1,1", "-r"), {"LC_ALL": "C", "TMPDIR": None})
    for task in (FormTask(setting, Shard(1, "/in", 0, None, 9, 7), 256), CutTask(setting, 2, 5, "i", "f"),
                 MergeTask(setting, 3, 9, 10, 11, "aGVhZAo=", "/out", None, "i", "f"),
                 CopyTask(setting, 4, 12, "/part", "/out", 13, "f")):
        assert task_from_json(task_to_json(task)) == task
