"""The job directory: whose it is, and what of it is believed."""

import os
import shutil
import stat

import pytest
from cluster_jobs import Jobs, check_output, stop_before

import sortie


@pytest.fixture
def jobs(tmp_path):
    return Jobs(tmp_path)


def mode_of(path):
    return stat.S_IMODE(os.stat(path).st_mode)


def test_a_directory_that_was_there_keeps_its_mode(jobs, monkeypatch):
    jobs.job.mkdir()
    jobs.job.chmod(0o755)
    jobs.sort_files(monkeypatch)
    assert mode_of(jobs.job) == 0o755
    assert all(mode_of(path) == 0o600 for path in jobs.job.iterdir())


def test_a_directory_that_is_made_is_private(jobs, monkeypatch):
    jobs.sort_files(monkeypatch)
    assert mode_of(jobs.job) == 0o700


@pytest.mark.parametrize("mode, remedy", [(0o1777, "name one within it with job="), (0o1755, "name one within it"),
                                          (0o777, "chmod go-w"), (0o775, "chmod go-w")])
def test_a_directory_of_many_users_is_refused_and_left(jobs, monkeypatch, mode, remedy):
    jobs.job.mkdir()
    jobs.job.chmod(mode)
    with pytest.raises(sortie.Error, match=remedy):
        jobs.sort_files(monkeypatch)
    assert mode_of(jobs.job) == mode and os.listdir(jobs.job) == []


def rewrite(path, text):
    """As cp -p, or touch -r afterwards: other bytes, the same size and time of change."""
    before = os.stat(path)
    with open(path, "r+") as file:
        file.write(text)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert (os.stat(path).st_size, os.stat(path).st_mtime_ns) == (before.st_size, before.st_mtime_ns)


def exchange(path, text):
    """As rsync -t: another file with the same name, size and time."""
    before = os.stat(path)
    data = path.read_text()
    other = path.with_name("other")
    other.write_text(text + data[len(text):])
    os.utime(other, ns=(before.st_atime_ns, before.st_mtime_ns))
    os.replace(other, path)


@pytest.mark.parametrize("change", [rewrite, exchange])
def test_an_input_with_other_bytes_and_the_old_time_is_noticed_by_a_restart(jobs, change):
    jobs.output.write_text("before")
    stop_before(jobs, "merge-1")
    change(jobs.inputs[0], "99999")
    told = jobs.run()
    assert told.returncode == 2 and "holds a job with other inputs" in told.stderr
    assert jobs.output.read_text() == "before"


def test_an_input_with_other_bytes_and_the_old_time_is_noticed_at_the_end(jobs, monkeypatch):
    jobs.output.write_text("before")

    def listen(phase, done, total):
        if phase == "merge":
            rewrite(jobs.inputs[0], "99999")

    with pytest.raises(sortie.Error, match="was changed while it was sorted"):
        jobs.sort_files(monkeypatch, progress=listen)
    assert jobs.output.read_text() == "before"


@pytest.mark.parametrize("name, other", [
    ("plan.json", "bounds.json"), ("request.json", "plan.json"), ("bounds.json", "plan.json"),
    ("runs.json", "plan.json"),
    ("formed/000001.json", "formed/000000.json"), ("cuts/000000.json", "merged/000000.json"),
    ("merged/000000.json", "cuts/000000.json")])
def test_state_that_is_a_copy_of_another_is_made_again_or_refused(jobs, name, other):
    jobs.output.write_text("old")
    jobs.fail("merge-1", "fail")
    assert jobs.run("--attempts=1", "--workers=1").returncode == 2
    shutil.copy(jobs.job / other, jobs.job / name)
    told = jobs.run("--attempts=1")
    assert "Traceback" not in told.stderr
    if name == "request.json":
        assert told.returncode == 2 and "no job that could go on" in told.stderr and jobs.output.read_text() == "old"
    else:
        assert told.returncode == 0, told.stderr
        check_output(jobs)


def test_the_plan_of_another_job_is_made_again(jobs, tmp_path):
    (tmp_path / "second").mkdir()
    other = Jobs(tmp_path / "second", seed=2)
    stop_before(other, "merge-1")
    stop_before(jobs, "merge-1")
    shutil.copy(other.job / "plan.json", jobs.job / "plan.json")
    assert jobs.run().returncode == 0
    assert jobs.output.read_bytes() == jobs.expected()
