"""What a join on a cluster refuses, before anything is made, and in the words of one command."""

import os
import random
import subprocess

import pytest
from cluster_jobs import DRIVER
from join_jobs import joins, one_command, rows, uniform

import sortie
import sortie.cluster


@pytest.fixture
def jobs(tmp_path):
    numbers = random.Random(5)
    return joins(tmp_path, rows(numbers, 1500, uniform(600), 4), rows(numbers, 900, uniform(900)))


@pytest.mark.parametrize("options, kind, message", [
    ({"keys": 3}, TypeError, "keys"), ({"how": "semi"}, ValueError, "invalid value 'semi' for how"),
    ({"select": "x"}, sortie.Error, "columns have names in CSV alone"),
    ({"right_keys": ["1,1", "2,2"]}, sortie.Error, "the right input has 2 keys, the left one 1"),
    ({"select": "1.0"}, sortie.Error, "fields are counted from 1"),
    ({"unique": True}, TypeError, "unexpected keyword argument 'unique'")])
def test_python_refuses_what_one_join_refuses(tmp_path, options, kind, message):
    (tmp_path / "left").write_text("1\n")
    given = {"keys": "1,1", "job": tmp_path / "job", **options}
    with pytest.raises(kind, match=message):
        sortie.cluster.join_files(tmp_path / "left", tmp_path / "left", tmp_path / "out", **given)
    assert os.listdir(tmp_path) == ["left"]


@pytest.mark.parametrize("options", [
    ["-u"], ["--top=3"], ["--count"], ["--repeated"], ["--only-once"], ["--keep=last", "-u"], ["--shuffle"],
    ["--jsonl"],
    ["--entry-start=x"], ["--format=u64"], ["--right-key=1,1", "--right-key=2,2"], ["--right-key=1,1n"],
    ["--select=what"], ["--select=1.2,left.a"], ["-k1"], ["-k1,1", "--header=2"], ["--join=semi"]], ids=" ".join)
@pytest.mark.parametrize("verb", ["sort", "plan"])
def test_what_a_join_makes_nothing_of_is_refused_at_once_in_the_words_of_the_command(jobs, verb, options):
    keys = ["-k1,1"] if not any(word.startswith("-k") for word in options) else []
    words = ["--join=inner", "-t,", *keys, *options]
    files = ["-o", str(jobs.output), *map(str, jobs.inputs)]
    real = jobs.environment["SORTIE_REAL"]
    said = subprocess.run([real, *words, *files], capture_output=True, text=True, env=jobs.environment)
    assert said.returncode != 0 and not jobs.output.exists()
    told = jobs.run_words([*DRIVER, verb, f"--job={jobs.job}", *words, *files])
    first = said.stderr.splitlines()[0].removeprefix(f"{real}: ")
    assert (told.returncode, told.stdout, told.stderr) == (2, "", f"sortie-cluster: {first}\n")
    assert sorted(os.listdir(jobs.folder)) == ["a", "b", "c", "faults"]


@pytest.mark.parametrize("key", ["--key=1", "-k2", "-k1.2,1.3"])
def test_keys_that_no_row_can_show_are_refused_at_once_where_there_are_no_headers(jobs, key):
    words = ["--join=inner", "--csv", "--no-header", key]
    one = one_command(jobs, *words)
    told = jobs.run(*words)
    assert one.returncode == told.returncode == 2 and "let it end with its field" in told.stderr
    assert told.stderr.split(": ", 1)[1] == one.stderr.split(": ", 1)[1]
    assert sorted(os.listdir(jobs.folder)) == ["a", "b", "c", "faults"]


@pytest.mark.parametrize("options", [["--select=what"], ["--select=left.x,id"], ["--select=1.9"], ["--key=other"],
                                     ["--right-key=what"]], ids=" ".join)
def test_columns_that_are_not_there_are_refused_at_once(tmp_path, options):
    jobs = joins(tmp_path, "id,a\n1,2\n", "id,other\n1,3\n")
    words = ["--join=inner", "--csv", *([] if "--key=other" in options else ["--key=id"]), *options]
    one = one_command(jobs, *words)
    told = jobs.run(*words)
    assert one.returncode == told.returncode == 2 and told.stderr.split(": ", 1)[1] == one.stderr.split(": ", 1)[1]
    assert sorted(os.listdir(jobs.folder)) == ["a", "b", "c", "faults"]


@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.parametrize("own", [[], ["--command=/none/sortie"]])
def test_a_join_is_one_of_two_files(jobs, count, own):
    jobs.inputs = (jobs.inputs * 2)[:count]
    told = jobs.run("--join=inner", "-k1,1", *own)
    assert (told.returncode, told.stderr) == (2, "sortie-cluster: --join needs two files, the left and the right one\n")
    assert not jobs.job.exists()


@pytest.mark.parametrize("option", ["--select=0", "--empty=x", "--right-key=1"])
def test_options_of_joins_need_one(jobs, option):
    told = jobs.run("-k1,1", option)
    assert (told.returncode, told.stderr) == (2, f"sortie-cluster: {option.partition('=')[0]} needs --join\n")
    assert not jobs.job.exists()


def test_a_plan_says_that_a_key_stays_whole(jobs):
    words = ["--join=inner", "-t,", "-k1,1", "--shard=6K", "-o", str(jobs.output), *map(str, jobs.inputs)]
    told = jobs.run_words([*DRIVER, "plan", *words])
    assert told.returncode == 0
    assert "\njoin      of two files; all records of a key are joined by one command" in told.stdout
    assert "\njoin " not in jobs.run_words([*DRIVER, "plan", *words[1:]]).stdout


@pytest.mark.parametrize("side", [0, 1])
def test_a_record_that_no_row_can_be_made_of_is_named_as_one_command_names_it(tmp_path, side):
    numbers = random.Random(7)
    texts = ["id,a\n" + rows(numbers, 400, uniform(300), 2), "id,b\n" + rows(numbers, 400, uniform(300), 2)]
    texts[side] += "00150,too,many\n"
    texts[1 - side] += "00150,a\n"
    jobs = joins(tmp_path, *texts, shard="2K")
    options = ["--join=inner", "--csv", "--key=id"]
    one = one_command(jobs, *options)
    told = jobs.run(*options)
    assert one.returncode == told.returncode == 2 and "record 402 has 3 fields" in told.stderr
    assert told.stderr.split(": ", 1)[1] == one.stderr.split(": ", 1)[1]
    assert not jobs.output.exists()
