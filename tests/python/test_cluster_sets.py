"""Inputs as sets on a cluster: byte for byte what one command makes of them, whatever fails."""

import gzip
import random
import re
import subprocess

import pytest
from cluster_jobs import DRIVER, Jobs, check, stop_before
from faulty_command import flip_a_byte

import sortie

OPERATIONS = ("--union", "--intersect", "--except", "--symmetric")


@pytest.fixture
def jobs(tmp_path):
    return Jobs(tmp_path, lines=(2500, 1500, 900))


@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize("options", [[], ["-u"], ["--keep=last"], ["--count"], ["-r", "-k1.2,1.3"], ["--top=25"],
                                     ["-n", "--verify=off"]], ids=str)
def test_sets_are_those_of_one_command(jobs, operation, options):
    check(jobs, operation, *options)


@pytest.mark.parametrize("seed", range(8))
def test_made_up_sets(tmp_path, seed):
    numbers = random.Random(seed)
    jobs = Jobs(tmp_path, shard=numbers.choice(("2K", "6K", "40K")), ranges=numbers.choice((1, 3, 7)))
    # Many small ones are joined to shards, with empty ones between; large ones are divided.
    jobs.inputs = [tmp_path / f"set-{i}" for i in range(numbers.choice((2, 5, 17)))]
    values = numbers.choice((3, 60, 3000))
    for path in jobs.inputs:
        rows = numbers.choice((0, 1, 20, 400, 2500))
        text = "\n".join(f"{numbers.randrange(values):04} {numbers.randrange(9)}" for _ in range(rows))
        path.write_text(text + numbers.choice(("", "\n")))
    for number, operation in enumerate(OPERATIONS):
        jobs.job, jobs.output = tmp_path / f"job-{number}", tmp_path / f"out-{number}"
        options = (operation, *numbers.choice(([], ["-k1,1"], ["-k1,1n", "--keep=last"], ["--order=input", "-k1,1"])))
        told = jobs.run(*options)
        assert told.returncode == 0, told.stderr
        assert jobs.output.read_bytes() == jobs.expected(*options), options


def test_one_file_may_be_two_sets(jobs):
    jobs.inputs = [jobs.inputs[0], jobs.inputs[1], jobs.inputs[0]]
    check(jobs, "--intersect")


@pytest.mark.parametrize("operation", OPERATIONS)
def test_headers_are_one_in_front(jobs, operation):
    for path in jobs.inputs:
        path.write_text("id,text\n" + "".join(f"{line},x\n" for line in path.read_text().split()))
    check(jobs, operation, "--csv", "--header", "-kid")


@pytest.mark.parametrize("operation", OPERATIONS[1:])
def test_packed_sets(jobs, operation):
    jobs.inputs[1].write_bytes(gzip.compress(jobs.inputs[1].read_bytes()))
    check(jobs, operation)


def test_other_headers_are_refused_in_the_words_of_the_command(jobs):
    for path in jobs.inputs:
        path.write_text(f"{path.name}\n1\n")
    told = jobs.run("--intersect", "--header")
    assert told.returncode == 2 and "has another header" in told.stderr and not jobs.output.exists()


@pytest.mark.parametrize("operation", ["union", "intersect", "except", "symmetric"])
def test_python_has_the_same(jobs, monkeypatch, operation):
    report = jobs.sort_files(monkeypatch, set_operation=operation)
    assert jobs.output.read_bytes() == jobs.expected(f"--{operation}")
    assert (report.input_records, report.output_records) == (4900, jobs.output.read_bytes().count(b"\n"))


def test_plan_knows_sets(jobs):
    told = subprocess.run([*DRIVER, "plan", "--intersect", "--shard=6K", "-o", jobs.output, *jobs.inputs],
                          capture_output=True, text=True)
    assert told.returncode == 0 and "shards    6" in told.stdout, told.stderr


@pytest.mark.parametrize("options", [["--union", "--repeated"], ["--intersect", "--except"], ["--union", "--shuffle"],
                                     ["--except", "--sample=3"], ["--set-inputs=3", "--union"]], ids=" ".join)
def test_what_makes_no_sense_is_refused_before_anything_is_made(jobs, options):
    told = jobs.run(*options)
    assert told.returncode == 2 and told.stderr.count("\n") == 1 and not jobs.job.exists()


def test_a_single_set_is_refused_as_one_command_does(jobs, monkeypatch):
    jobs.inputs = jobs.inputs[:1]
    told = jobs.run("--union")
    assert told.returncode == 2 and not jobs.job.exists()
    assert told.stderr == "sortie-cluster: --union compares sets: name two files at least\n"
    with pytest.raises(sortie.Error, match=re.escape('set_operation="union" compares sets: name two files at least')):
        jobs.sort_files(monkeypatch, set_operation="union")


OPTIONS = ("--symmetric", "-k1.2,1.5")


@pytest.mark.parametrize("how", ["fail", "die", "garbage"])
def test_tasks_that_fail_are_tried_again(jobs, how):
    for task in ("form-3", "cut-1", "merge-2"):
        jobs.fail(task, how)
    check(jobs, *OPTIONS)


@pytest.mark.parametrize("task", ["form-1", "cut-0", "merge-0", "merge-3"])
def test_a_driver_that_is_killed_goes_on(jobs, task):
    jobs.fail(task, "kill driver")
    assert jobs.run(*OPTIONS, "--workers=1").returncode < 0
    check(jobs, *OPTIONS)


@pytest.mark.parametrize("task", ["cut-0", "merge-1"])
def test_runs_that_are_damaged_are_formed_again(jobs, task):
    stop_before(jobs, task, *OPTIONS)
    [run] = (jobs.job / "shards" / "000001").glob("sortie-run-*")
    flip_a_byte(run, 70)
    check(jobs, *OPTIONS)
    assert jobs.commands().count("form-1") == 2


def test_ranges_that_are_damaged_are_merged_again(jobs):
    stop_before(jobs, "merge-2", *OPTIONS)
    flip_a_byte(jobs.job / "parts" / "000000", 2)
    check(jobs, *OPTIONS)
    assert jobs.commands().count("merge-0") == 2
