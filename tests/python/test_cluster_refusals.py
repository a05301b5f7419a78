"""What cannot be sorted on a cluster as it is asked for is told at once, and no job is kept."""

import contextlib
import os

import pytest
from cluster_jobs import DRIVER, Jobs

import sortie
from sortie.cluster.job import JobDirectory


@pytest.fixture
def jobs(tmp_path):
    return Jobs(tmp_path)


def test_a_mistake_in_the_options_keeps_no_job(jobs):
    told = jobs.run("-k0")
    assert told.returncode == 2 and told.stderr.count("\n") == 1 and "field number is zero" in told.stderr
    assert not jobs.job.exists()
    assert jobs.run("-k1").returncode == 0
    assert jobs.output.read_bytes() == jobs.expected("-k1")


@pytest.mark.parametrize("options, message", [
    (["--group"], "--group does not go with a cluster"), (["--sum=2"], "--sum does not go with a cluster"),
    (["--engine=no"], "invalid value 'no' for --engine"), (["--address=1.2.3.4"], "--address is that of Ray"),
    (["--trace=/none/of/these"], "cannot write '/none/of/these'"), (["--trace="], "cannot write ''"),
    (["--scratch=node:/\udcff"], "name of the scratch folder is not in UTF-8"),
    (["-o", "/dev/null/p-{}"], "'/dev/null' is no directory")])
def test_what_cannot_be_is_told_before_a_job_is_kept(jobs, options, message):
    words = jobs.words(*options)
    if "-o" in options:
        del words[-5:-3]
    told = jobs.run_words(words)
    assert told.returncode == 2 and message in told.stderr and told.stderr.count("\n") == 1, told.stderr
    assert not jobs.job.exists() and jobs.commands() == []


@pytest.mark.parametrize("name", ["out", "p-{}", "new/p-{}"])
def test_a_folder_that_cannot_be_written_to_is_told_before_a_job_is_kept(jobs, monkeypatch, name):
    # Whoever runs the tests may be allowed to write everywhere.
    monkeypatch.setattr(os, "access", lambda path, mode: not os.path.samefile(path, jobs.folder))
    jobs.output = jobs.folder / name
    with pytest.raises(sortie.Error, match=f"'{jobs.folder}' cannot be written to"):
        jobs.sort_files(monkeypatch)
    assert not jobs.job.exists()


def test_a_link_as_the_output_leads_where_there_is_a_folder(jobs):
    jobs.output.symlink_to(jobs.folder / "none" / "out")
    told = jobs.run()
    assert told.returncode == 2 and "none' is no directory" in told.stderr and not jobs.job.exists()


@pytest.mark.parametrize("words", [["-k1"], ["a"], ["--workers=2"]])
def test_status_takes_nothing_else(jobs, words):
    told = jobs.run_words([*DRIVER, "status", f"--job={jobs.job}", *words])
    assert (told.returncode, told.stderr) == (2, "sortie-cluster: status takes --job=DIR, and nothing else\n")


@pytest.mark.parametrize("name", ["ranges", "workers", "attempts"])
@pytest.mark.parametrize("value", [0, -1])
def test_counts_below_one_are_refused_in_python(jobs, monkeypatch, name, value):
    with pytest.raises(sortie.Error, match=f"invalid value '{value}' for {name}: give 1 or more"):
        jobs.sort_files(monkeypatch, **{name: value})
    assert not jobs.job.exists()


def test_a_job_that_another_driver_has_begun_meanwhile_is_kept(tmp_path):
    job, other = JobDirectory(str(tmp_path / "job")), JobDirectory(str(tmp_path / "job"))

    def make_request(known):
        if not os.path.exists(job.path):
            other.open(lambda known: {"options": ["-r"]})
            other.write("formed/000000.json", {})
            other.close()
        return {"options": []}
    with contextlib.closing(job), pytest.raises(sortie.Error, match="holds a job with other options"):
        job.open(make_request)
    assert job.read("request.json") == {"options": ["-r"]}
