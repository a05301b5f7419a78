"""Groups and their aggregates on a cluster: byte for byte what one command makes of the inputs, whatever fails."""

import json
import random

import pytest
from cluster_jobs import Jobs, check, stop_before
from faulty_command import flip_a_byte

import sortie

AGGREGATES = ("--count", "--sum=2", "--min=2", "--max=3", "--mean=3", "--first=2", "--last=2", "--sum=3", "--mean=2")


@pytest.fixture
def jobs(tmp_path):
    return Jobs(tmp_path)


def table(numbers, rows, keys, separator=",", *, header="", hot=0.0):
    """Rows of a key, a number with decimals, and a large one; some values are missing. hot: the share of one key."""
    lines = [header] if header else []
    for _ in range(rows):
        key = f"key{numbers.randrange(keys)}" if numbers.random() >= hot else "hot"
        first = numbers.choice(["", f"{numbers.randrange(-10**6, 10**6) / 100}", f"1e{numbers.randrange(-9, 9)}"])
        lines.append(separator.join([key, first, str(numbers.randrange(10**15))]))
    return "".join(f"{line}\n" for line in lines)


def fill(jobs, seed, keys, separator=",", **options):
    numbers = random.Random(seed)
    for path, rows in zip(jobs.inputs, (700, 400, numbers.choice((0, 90)))):
        path.write_text(table(numbers, rows, keys, separator, **options))


@pytest.mark.parametrize("seed", range(12))
def test_groups_are_those_of_one_command(jobs, seed):
    numbers = random.Random(seed)
    fill(jobs, seed, numbers.choice((1, 5, 60, 900)))
    order = numbers.choice((["-k1,1"], ["-k1,1r"], ["-k1,1V"], ["-k1.1,1.5"], ["-k1,1", "-k3,3n"]))
    chosen = numbers.sample(AGGREGATES, numbers.randrange(len(AGGREGATES)))
    check(jobs, "--group", "-t,", *order, *chosen)


@pytest.mark.parametrize("hot", [0.9, 1.0])
def test_a_key_larger_than_a_range_is_shared_by_partial_aggregates(jobs, hot):
    fill(jobs, 3, 400, hot=hot)
    options = ("--group", "-t,", "-k1,1", *AGGREGATES)
    check(jobs, *options)
    report = json.loads((jobs.job / "report.json").read_text())["report"]
    if hot < 1:
        assert report["ranges"] == 4 and report["skew"] < 3


@pytest.mark.parametrize("options", [
    ["--csv", "--header", "-kname", "--sum=price", "--count", "--last=price"],
    ["--csv", "--header", "-kname:desc", "--mean=amount"], ["--tsv", "-k1", "--count"],
    ["--header", "-t,", "-k1,1", "--sum=2"], ["-z", "--count"], ["-t,", "-k1,1", "--count", "--top=7"],
    ["-t,", "-k1,1", "--na", "--sum=2"], ["-t,", "-k1,1", "--verify=off", "--count"]], ids=" ".join)
def test_groups_of_other_records(jobs, options):
    separator = "\t" if "--tsv" in options else ","
    header = separator.join(("name", "price", "amount")) if {"--header", "--csv", "--tsv"} & {*options} else ""
    fill(jobs, 5, 70, separator, header=header)
    check(jobs, "--group", *options)


def test_groups_of_json_lines(jobs):
    numbers = random.Random(4)
    for path in jobs.inputs:
        path.write_text("".join(f'{{"user": {{"n": {numbers.randrange(50)}}}, "size": '
                                f'{numbers.randrange(10**9) / 8}}}\n'
                                for _ in range(500)))
    check(jobs, "--group", "--jsonl", "-k.user.n:n", "--sum=.size", "--max=.size", "--count")


def test_groups_of_nothing_have_the_header_of_one_command(jobs):
    for path in jobs.inputs:
        path.write_text("name,price\n")
    check(jobs, "--group", "--csv", "--header", "-kname", "--sum=price")


def test_groups_of_empty_inputs(jobs):
    for path in jobs.inputs:
        path.write_text("")
    check(jobs, "--group", "--count")


def test_parts_have_whole_groups(jobs):
    fill(jobs, 8, 100)
    jobs.output = jobs.folder / "parts" / "part-{}"
    told = jobs.run("--group", "-t,", "-k1,1", "--count")
    assert told.returncode == 0, told.stderr
    parts = [(jobs.folder / "parts" / f"part-{i}").read_bytes() for i in range(4)]
    assert all(parts) and b"".join(parts) == jobs.expected("--group", "-t,", "-k1,1", "--count")


@pytest.mark.parametrize("group, words", [
    (["count", "sum:2", "mean:3", "first:2"], ["--count", "--sum=2", "--mean=3", "--first=2"]), ("count", ["--count"]),
    ([], [])])
def test_python_has_the_same(jobs, monkeypatch, group, words):
    fill(jobs, 6, 30)
    report = jobs.sort_files(monkeypatch, group=group, keys="1,1", separator=",")
    assert jobs.output.read_bytes() == jobs.expected("--group", *words, "-t,", "-k1,1")
    assert report.output_records == jobs.output.read_bytes().count(b"\n") and report.input_records == 1100 + jobs.inputs[
        2].read_bytes().count(b"\n")


def test_python_counts_groups_by_an_aggregate_as_one_sort_does(jobs, monkeypatch):
    with pytest.raises(sortie.Error) as of_one:
        sortie.sort_files(jobs.inputs, jobs.output, group="sum:1", count=True)
    with pytest.raises(sortie.Error) as of_job:
        jobs.sort_files(monkeypatch, group="sum:1", count=True)
    assert str(of_job.value) == str(of_one.value) and not jobs.job.exists()


@pytest.mark.parametrize("options", [["--group", "-u"], ["--group", "--sum=x"], ["--sum=2"],
                                     ["--group", "--order=input"],
                                     ["--group", "--format=u64"], ["--group", "--csv"]], ids=" ".join)
def test_what_one_command_refuses_is_refused_before_anything_is_made(jobs, options):
    told = jobs.run(*options)
    assert told.returncode == 2 and told.stderr.count("\n") == 1 and not jobs.job.exists() and not jobs.commands()


def test_a_value_that_is_no_number_is_refused_in_the_words_of_the_command(jobs):
    fill(jobs, 2, 10)
    with open(jobs.inputs[1], "a") as file:
        file.write("key1,many,1\n")
    options = ("--group", "-t,", "-k1,1", "--sum=2")
    told = jobs.run(*options)
    assert told.returncode == 2 and "many" in told.stderr and str(jobs.inputs[1]) in told.stderr, told.stderr
    assert not jobs.output.exists()


OPTIONS = ("--group", "-t,", "-k1,1", *AGGREGATES)


@pytest.mark.parametrize("how", ["fail", "die", "garbage"])
def test_tasks_that_fail_are_tried_again(jobs, how):
    fill(jobs, 1, 300)
    for task in ("form-0", "cut-1", "merge-2"):
        jobs.fail(task, how)
    check(jobs, *OPTIONS)


@pytest.mark.parametrize("task", ["form-1", "cut-0", "merge-0", "merge-2"])
def test_a_driver_that_is_killed_goes_on(jobs, task):
    fill(jobs, 1, 300)
    jobs.fail(task, "kill driver")
    assert jobs.run(*OPTIONS, "--workers=1").returncode < 0
    check(jobs, *OPTIONS)


@pytest.mark.parametrize("task", ["cut-0", "merge-1"])
def test_runs_that_are_damaged_are_formed_again(jobs, task):
    fill(jobs, 1, 300)
    stop_before(jobs, task, *OPTIONS)
    [run] = (jobs.job / "shards" / "000001").glob("sortie-run-*")
    flip_a_byte(run, 70)
    check(jobs, *OPTIONS)
    assert jobs.commands().count("form-1") == 2


def test_ranges_that_are_damaged_are_merged_again(jobs):
    fill(jobs, 1, 300)
    stop_before(jobs, "merge-2", *OPTIONS)
    path = jobs.job / "parts" / "000000"
    path.write_bytes(path.read_bytes()[:-2] + b"9\n")
    check(jobs, *OPTIONS)
    assert jobs.commands().count("merge-0") == 2
