"""Files that a cluster cuts its output into, by the values of a key, by bytes or by number: those of one machine, byte
for byte."""

import json
import os
import random
import shutil
import signal
import subprocess

import pytest
from cluster_jobs import Jobs, stop_before, wait_until

import sortie
import sortie.cluster
from sortie.__main__ import find_command
from sortie.cluster import split_output
from sortie.cluster.engine import Failure
from sortie.cluster.estimate import Speeds, estimate
from sortie.cluster.formed import ShardsDamaged
from sortie.cluster.job import JobDirectory
from sortie.cluster.job_plan import JobPlan
from sortie.cluster.merge_tasks import task_from_json, task_to_json
from sortie.cluster.report import job_status
from sortie.cluster.shards import Shard
from sortie.cluster.split_output import (CutFile, Source, SplitFiles, chains_of, ends_of_chain, have_names_of_their_own,
                                         source_of_end)
from sortie.cluster.split_tasks import SplitTask, Splitting
from sortie.cluster.tasks import Setting
from sortie.cluster.totals import Totals
from sortie.cluster.written_files import Stretch, write_state


@pytest.fixture
def jobs(tmp_path):
    """Keys that few lines share, many, and all of a range."""
    jobs = Jobs(tmp_path)
    numbers = random.Random(5)
    for path, count in zip(jobs.inputs, (900, 700, 0)):
        path.write_text("".join(f"{numbers.choice('aabbbcccccccccccccccddEef')},{numbers.randrange(300)},{row}\n"
                                for row in range(count)))
    jobs.output = tmp_path / "out" / "{}.csv"
    return jobs


def expected(jobs, *options):
    """The files of one sort."""
    folder = jobs.folder / "one"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    subprocess.run([find_command(), *options, "-o", str(folder / os.path.basename(jobs.output)),
                    *map(str, jobs.inputs)],
                   check=True, env={**os.environ, "LC_ALL": "C"})
    return contents(folder)


def contents(folder):
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file()}


def check(jobs, *options):
    told = jobs.run(*options)
    assert told.returncode == 0, told.stderr
    assert contents(jobs.folder / "out") == expected(jobs, *(word for word in options
                                                             if not word.startswith("--attempts")))
    assert sorted(os.listdir(jobs.folder / "out")) == sorted(contents(jobs.folder / "out"))
    assert sorted(os.listdir(jobs.job)) == ["lock", "plan.json", "report.json", "request.json"]
    return told


@pytest.mark.parametrize("options", [
    ["--split-by=1"], ["--split-by=1", "-k2,2n"], ["--split-by=2:n", "-k1,1r", "-s"], ["--split-by=1", "-u", "-k2,2n"],
    ["--split-by=1", "-r"], ["--split-by=1:f", "-k2,2n", "--top=500"], ["--split-by=1", "--repeated", "-k2,2"]],
                         ids=" ".join)
def test_a_file_for_each_value(jobs, options):
    told = check(jobs, "-t,", *options)
    ranges = 1 if "--top=500" in options else 4
    assert f"split       {ranges} task" in told.stderr and ("join   " in told.stderr) == (ranges > 1), told.stderr


def test_keys_that_files_go_by_are_warned_of_as_by_one_sort(jobs):
    with jobs.inputs[1].open("a") as file:
        file.write("a,1x,0\nc,zz,0\n")
    told = check(jobs, "-t,", "--split-by=1", "-k2,2n")
    alone = subprocess.run([find_command(), "-t,", "--split-by=1", "-k2,2n", "-o", str(jobs.folder / "one" / "{}.csv"),
                            *map(str, jobs.inputs)], check=True, capture_output=True, text=True, env=jobs.environment)
    warnings = [line.partition(": ")[2] for line in told.stderr.splitlines() if "warning" in line]
    assert warnings == [line.partition(": ")[2] for line in alone.stderr.splitlines()] and len(warnings) == 2
    assert len(json.loads((jobs.job / "report.json").read_text())["report"]["assumptions"]) == 2


@pytest.mark.parametrize("options", [
    ["--split-by=3", "--shares=train=0.8,test=0.2", "-k1,1", "-k3,3"],
    ["--split-by=3:normal", "--shares=train=0.8,test=0.2", "-u", "-k2,2"],
    ["--split-by=1", "-u", "-k2,2n", "--keep=max:3:n"]], ids=" ".join)
def test_shares_and_the_best_of_equal_lines(jobs, options):
    check(jobs, "-t,", *options)


@pytest.mark.parametrize("options", [["--split-by=1", "--split-records=5"], ["--split-by=1", "--split-size=900", "-k2,2n"]],
                         ids=" ".join)
def test_parts_of_values_that_are_only_so_large_are_cut_by_one_command(jobs, options):
    jobs.output = jobs.output.with_name("x-{}-{:03d}.csv")
    check(jobs, "-t,", *options)


@pytest.mark.parametrize("suffix", [".gz", ".zst"])
def test_files_are_packed_as_one_sort_packs_them(jobs, suffix):
    jobs.output = jobs.output.with_name("x-{}.csv" + suffix)
    check(jobs, "-t,", "--split-by=1", "-k3,3n")


@pytest.mark.parametrize("options", [
    ["--csv", "--header", "--split-by=name", "-k", "value:n"],
    ["--csv", "--split-by=name", "-k", "value:n:desc", "-s"]], ids=" ".join)
def test_every_file_has_the_header(jobs, options):
    for path in jobs.inputs[:2]:
        path.write_text("name,value,row\n" + path.read_text())
    jobs.inputs = jobs.inputs[:2]
    check(jobs, *options)


@pytest.mark.parametrize("options, name", [(["--split-by=1"], "p-{}"), (["--split=3"], "f\udcff-{}")],
                         ids=["of a value", "of the output"])
def test_names_of_files_are_bytes(jobs, options, name):
    for path in jobs.inputs:
        path.write_bytes(path.read_bytes().replace(b"b,", b"\xff,"))
    jobs.output = jobs.folder / "out" / name
    check(jobs, "-t,", *options)
    assert any("\udcff" in name for name in os.listdir(jobs.folder / "out"))


def test_an_input_that_is_not_the_first_is_not_replaced(jobs):
    jobs.output = jobs.folder / "{}"
    jobs.inputs[0] = jobs.inputs[0].rename(jobs.folder / "faults" / "a")
    told = jobs.run("-t,", "--split-by=1")
    assert told.returncode == 2 and "a part of the output would replace the input" in told.stderr
    assert not jobs.job.exists()


def test_a_folder_that_is_not_there_holds_no_inputs(jobs):
    jobs.output = jobs.folder / "out" / "{}"
    check(jobs, "-t,", "--split-by=1")


def test_values_of_json_name_files(jobs):
    numbers = random.Random(8)
    jobs.inputs = jobs.inputs[:1]
    kinds = ["1", '"1"', "null", "true"]
    jobs.inputs[0].write_text("".join(f'{{"kind": {numbers.choice(kinds)}, "n": {row}}}\n' for row in range(900)))
    jobs.output = jobs.folder / "out" / "{}.jsonl"
    check(jobs, "--jsonl", "--split-by=.kind", "-k", ".n:n")


@pytest.mark.parametrize("options", [
    ["--split=5"], ["--split=3", "--together", "-k1,1"], ["--split-size=4000"], ["--split-records=333", "-k2,2n"],
    ["--split-records=100", "--together", "-k1,1"], ["--split-size=3K", "-u"]], ids=" ".join)
def test_files_by_bytes_and_by_number(jobs, options):
    jobs.output = jobs.folder / "out" / "part-{:03d}"
    check(jobs, "-t,", *options)


@pytest.mark.parametrize("operation", ["--union", "--intersect", "--except", "--symmetric"])
@pytest.mark.parametrize("options", [["--split-by=1", "-k2,2n"], ["--split-by=1", "-u", "-k2,2"],
                                     ["--split-records=99", "-k1,2"]],
                         ids=" ".join)
def test_sets_are_cut_as_one_command_cuts_them(jobs, operation, options):
    check(jobs, "-t,", operation, *options)


@pytest.mark.parametrize("options", [
    ["-u", "-k1,2", "--split=5"], ["-u", "-k2,2n", "--split-records=77"], ["--repeated", "-k2,2", "--split-size=900"],
    ["--union", "-k1,2", "--split=3"], ["-u", "-k1,2", "--top=50", "--split=2"]], ids=" ".join)
def test_files_in_the_order_of_the_input(jobs, options):
    jobs.output = jobs.folder / "out" / "part-{:03d}"
    told = check(jobs, "-t,", "--order=input", *options)
    assert "split by place" in told.stderr


def test_files_in_the_order_of_the_input_have_headers(jobs):
    for path in jobs.inputs[:2]:
        path.write_text("name,value,row\n" + path.read_text())
    jobs.inputs = jobs.inputs[:2]
    check(jobs, "--csv", "--header", "--order=input", "-u", "-k", "name", "-k", "value", "--split=4")


@pytest.mark.parametrize("options", [
    ["-t,", "-k2,2n", "--sum=3", "--split=5"], ["-t,", "-k1,1", "-k2,2n", "--count", "--split-records=50"],
    ["-t,", "-k2,2n", "--top=30", "--split-size=40"], ["-t,", "-k2,2n", "--sum=3", "--split-by=1"],
    ["--csv", "--header", "-k", "value:n:desc", "-k", "name", "--sum=row", "--split=3"],
    ["--csv", "-k", "3:n", "--count", "--split-records=100"]], ids=" ".join)
def test_groups_are_cut(jobs, options):
    if "--csv" in options:
        for path in jobs.inputs[:2]:
            path.write_text("name,value,row\n" + path.read_text())
        jobs.inputs = jobs.inputs[:2]
    jobs.output = jobs.folder / "out" / ("{}.csv" if "--split-by=1" in options else "part-{:03d}")
    told = check(jobs, "--group", *options)
    assert f"merge       {1 if '--top=30' in options else 4} task" in told.stderr
    assert "split       1 task" in told.stderr


@pytest.mark.parametrize("options", [["--split-by=1", "-k2,2n"], ["--split=4", "-k1,2"],
                                     ["--split-records=40", "-k1,1"]], ids=" ".join)
def test_counted_lines_are_cut(jobs, options):
    check(jobs, "-t,", "--count", *options)


@pytest.mark.parametrize("options", [
    ["-t,", "-k2,2n", "--na=x", "--count", "--split=5"], ["-t,", "-k2,2n", "--sum=3", "--na", "--split-records=50"],
    ["-t,", "-k1,1:time", "--year=2020", "--count", "--split=3"],
    ["-t,", "-k1,1:time", "--year=2020", "--zone=+02:00", "--sum=3", "--split=3"],
    ["--csv", "--no-header", "-k1:time", "-k3:n", "--year=2020", "--zone=+02:00", "--na", "--count",
     "--split-size=900"]],
                         ids=" ".join)
def test_groups_by_keys_that_are_read_in_some_way_are_cut(jobs, options):
    numbers = random.Random(6)
    for path in jobs.inputs:
        path.write_text("".join(f"Mar {numbers.randrange(1, 20):2} 10:00:00,{numbers.choice('x123')},{row % 40}\n"
                                for row in range(400)))
    jobs.output = jobs.folder / "out" / "part-{:03d}"
    check(jobs, "--group", *options)


def test_groups_of_json_are_cut(jobs):
    jobs.inputs = jobs.inputs[:1]
    jobs.inputs[0].write_text("".join(f'{{"kind": {{"a": {row % 70}}}, "n": {row}}}\n' for row in range(900)))
    jobs.output = jobs.folder / "out" / "{}.jsonl"
    check(jobs, "--group", "--jsonl", "-k", ".kind.a:n", "--sum=.n", "--split-records=20")


def test_a_driver_that_is_killed_while_it_cuts_by_place_goes_on(jobs):
    jobs.output = jobs.folder / "out" / "part-{:03d}"
    words = ["-t,", "--order=input", "-u", "-k1,2", "--split=5"]
    jobs.fail("split-0", "kill driver")
    assert jobs.run(*words).returncode == -signal.SIGKILL
    wait_until(lambda: not jobs.running_commands())
    before = len(jobs.commands())
    check(jobs, *words)
    assert set(jobs.commands()[before:]) == {"split-0"}


def test_python_takes_the_same_arguments(jobs, monkeypatch):
    report = jobs.sort_files(monkeypatch, separator=",", split_by="1", keys="2,2n")
    assert contents(jobs.folder / "out") == expected(jobs, "-t,", "--split-by=1", "-k2,2n")
    assert [stage["name"] for stage in report.stages] == ["form", "cut", "merge", "split", "join"]


@pytest.mark.parametrize("options, message", [
    (["--order=input", "-u", "--split-by=1"], "parts go by keys where one sort is all"),
    (["--group", "--split=2", "--together"], "incompatible"),
    (["--order=input", "-u", "--split=2", "--together"], "parts go by keys where one sort is all"),
    (["--split-by=x"], "'x'"), (["--split=0"], "'0'"), (["--split=2", "--split-size=3"], "incompatible"),
    (["--together"], "--together"), (["--split-by=1", "--shuffle=x"], "shuffle"),
    (["--manifest=list", "--split=2"], "the manifest '"),
    (["--split-by=1", "-o", "FOLDER/{}"], "a part of the output could replace"),
    (["--split=3", "-o", "FOLDER/out"], "has no place: write one place"),
    (["--split-by=1", "-o", "FOLDER/a={}/out"], "/a={}/out' has its place in the folder")])
def test_what_cannot_be_is_refused_in_one_line_before_anything_is_made(jobs, options, message):
    told = jobs.run_words([*jobs.words("-t,"), *(option.replace("FOLDER", str(jobs.folder)) for option in options)])
    assert told.returncode == 2 and told.stderr.count("\n") == 1 and message in told.stderr, told.stderr
    assert sorted(os.listdir(jobs.folder)) == ["a", "b", "c", "faults"]


@pytest.mark.parametrize("cut", ["--split-by=1", "--split=2"])
def test_joins_are_not_cut(jobs, cut):
    jobs.inputs = jobs.inputs[:2]
    told = jobs.run("-t,", "--join=inner", "-k1,1", cut)
    assert told.returncode == 2 and told.stderr.count("\n") == 1 and "incompatible" in told.stderr, told.stderr
    assert sorted(os.listdir(jobs.folder)) == ["a", "b", "c", "faults"]


def words_of_split(jobs):
    return ["-t,", "--split-by=1", "-k2,2n"]


@pytest.mark.parametrize("how", ["fail", "die"])
def test_workers_that_are_killed_cost_time(jobs, how):
    tasks = ["form-0", "merge-1", "split-1", "join-0"]
    for task in tasks:
        jobs.fail(task, how)
    told = check(jobs, *words_of_split(jobs))
    assert "4 attempts beside the first" in told.stderr
    assert [jobs.commands().count(task) for task in tasks] == [2, 2, 2, 2]


def test_a_job_goes_on_where_it_was_ended_and_damaged_files_are_cut_again(jobs):
    jobs.fail("join-0", "fail")
    told = jobs.run("--attempts=1", "--workers=1", *words_of_split(jobs))
    assert told.returncode == 2 and "no luck" in told.stderr and contents(jobs.folder / "out") == {}
    damaged = next(path for path in sorted((jobs.folder / "out").rglob("split/000001/*")))
    damaged.write_bytes(damaged.read_bytes()[:-1] + b"?")
    before = len(jobs.commands())
    check(jobs, "--attempts=1", *words_of_split(jobs))
    assert sorted(set(jobs.commands()[before:])) == ["join-0", "split-1"]


@pytest.mark.parametrize("task", ["split-1", "join-0"])
def test_a_driver_that_is_killed_goes_on(jobs, task):
    jobs.fail(task, "hang")
    words = jobs.words(*words_of_split(jobs))
    with subprocess.Popen(words, env=jobs.environment, stderr=subprocess.DEVNULL) as process:
        wait_until(lambda: task in jobs.commands() and not (jobs.faults / task).exists())
        process.send_signal(signal.SIGKILL)
        process.wait(300)
    wait_until(lambda: not jobs.running_commands())
    assert contents(jobs.folder / "out") == {}
    check(jobs, *words_of_split(jobs))
    assert jobs.commands().count("merge-0") == 1 and jobs.commands().count("split-0") <= 2


def test_a_job_that_is_done_knows_its_files_and_files_that_are_there_are_replaced(jobs):
    (jobs.folder / "out").mkdir()
    (jobs.folder / "out" / "a.csv").write_text("old")
    (jobs.folder / "out" / "a.csv").chmod(0o640)
    told = check(jobs, *words_of_split(jobs))
    assert (jobs.folder / "out" / "a.csv").stat().st_mode & 0o777 == 0o640
    again = jobs.run(*words_of_split(jobs))
    assert (again.returncode, again.stderr) == (0, told.stderr)
    (jobs.folder / "out" / "b.csv").write_text("changed")
    again = jobs.run(*words_of_split(jobs))
    assert again.returncode == 2 and "its output is not there any more as it was" in again.stderr


def test_other_files_are_another_job(jobs):
    jobs.output = jobs.folder / "out" / "part-{}"
    check(jobs, "-t,", "--split=2")
    for other in ("--split=3", "--split-records=99"):
        told = jobs.run("-t,", other)
        assert told.returncode == 2 and "holds a job with other options" in told.stderr


@pytest.mark.parametrize("task, damaged, again", [
    ("split-1", "job/parts/000001", ["merge-1", "split-1"]),
    ("join-0", "job/parts/000001", ["merge-1", "join-0"])])
def test_what_is_damaged_before_it_is_cut_is_made_once_more(jobs, task, damaged, again):
    jobs.fail(task, f"damage {jobs.folder / damaged}")
    check(jobs, *words_of_split(jobs))
    assert all(jobs.commands().count(name) == 2 for name in again), jobs.commands()
    assert jobs.commands().count("merge-0") == 1


@pytest.mark.parametrize("options", [["--split=3"], ["--order=input", "-u", "-k1,2", "--split=3"]], ids=" ".join)
def test_damage_in_front_of_one_command_that_cuts_all(jobs, options):
    jobs.output = jobs.folder / "out" / "part-{:03d}"
    jobs.fail("split-0", f"damage {jobs.job / 'parts' / '000000'}")
    check(jobs, "-t,", *options)
    assert jobs.commands().count("place-merge-0" if "-u" in options else "merge-0") == 2


def test_a_disk_that_damages_again_ends_the_job_in_one_line(jobs):
    jobs.fail("split-1", "fail")
    assert jobs.run("--attempts=1", "--workers=1", *words_of_split(jobs)).returncode == 2
    splitting = Splitting(SplitFiles(str(jobs.output), JobDirectory(str(jobs.job)), True),
                          Setting(str(jobs.job), (), {}), "", "", lambda *of_stage: None, set())
    failure = Failure("not what was written", damaged_range=1)
    with pytest.raises(ShardsDamaged):
        splitting._forget_damaged(failure)
    assert not (jobs.job / "merged" / "000001.json").exists()
    splitting._forget_damaged(failure)
    splitting._forget_damaged(Failure("no luck"))


def test_files_that_were_cut_of_other_bytes_do_not_count(tmp_path):
    (tmp_path / "split").mkdir()
    task = SplitTask(Setting(str(tmp_path), (), {}), 0, 9, (Source(4, Stretch("a", 0, 9, "1e"), 2, 7),), "", False,
                     "{}", str(tmp_path), Totals(1), "digest")
    told = {"formed": "digest", "driver": "", "files": []}
    task.leave({**told, "sources": [[4, ["a", 0, 9, "1e"], 2, 7]]})
    assert task.is_done()
    for other in ([4, ["a", 0, 9, "1f"], 2, 7], [4, ["a", 0, 8, "1e"], 2, 7], [4, ["a", 0, 9, "1e"], 0, 7], "a"):
        task.leave({**told, "sources": [other]})
        assert not task.is_done()


def cut_file(name, records=1, record_bytes=1):
    return CutFile(name, 1, "", records, record_bytes, "0")


def test_files_must_hold_all_that_was_merged(jobs):
    jobs.job.mkdir()
    splitting = Splitting(SplitFiles(str(jobs.output), JobDirectory(str(jobs.job)), True),
                          Setting(str(jobs.job), (), {}), "", "", lambda *of_stage: None, set())
    with pytest.raises(sortie.Error, match="hold 3 records, where 4 were merged"):
        splitting._keep([("x", cut_file("a", 1)), ("x", cut_file("b", 2))], 4)


@pytest.mark.parametrize("options, line", [
    (["--split-by=1"], "files     are cut of merged ranges, by a task for each; those in which ranges meet are cut "
     "once more"),
    (["--split=3"], "files     are cut of merged ranges, all by one command"), ([], None)], ids=str)
def test_plans_tell_how_files_are_cut(jobs, options, line):
    words = [word for word in jobs.words("-t,", *options) if not word.startswith(("--job=", "--command="))]
    words[words.index("sort")] = "plan"
    told = jobs.run_words(words)
    assert told.returncode == 0, told.stderr
    assert (f"\n{line}\n" in told.stdout) == (line is not None) == ("of merged ranges, beside "
                                                                    "the output" in told.stdout)
    assert ("\nsplit     at most " in told.stdout) == (line is not None), told.stdout
    assert not jobs.job.exists()


def test_one_command_cuts_no_faster_on_more_nodes():
    plan = JobPlan([Shard(0, "in", 0, None, 8 << 30, 0)], 4, 1 << 30, 2)
    speeds = Speeds(1 << 30, 1 << 30, None)
    seconds = [estimate(plan, nodes, speeds, cuts_by_key=by_key).seconds["split"]
               for nodes in (1, 4) for by_key in (True, False)]
    assert seconds == [16, 16, 4, 16]


@pytest.mark.parametrize("options, task, lines", [
    (["--split-by=1"], "join-0", ["ranges merged  4 of 4", "ranges split   4 of 4", "files joined   0 of"]),
    (["--split-by=1"], "split-2", ["ranges merged  4 of 4", "ranges split   2 of 4"])])
def test_status_tells_how_many_ranges_are_cut(jobs, options, task, lines):
    stop_before(jobs, task, "-t,", *options)
    status = job_status(str(jobs.job))
    assert all(f"\n{line}" in status for line in lines), status
    assert ("joined" in status) == (task == "join-0")
    if task == "join-0":
        [joins] = [line.rpartition(" ")[2] for line in status.splitlines() if "joined" in line]
        assert f"\njoin        {joins} task" in check(jobs, "-t,", *options).stderr and joins != "0"


def test_status_of_one_command_that_cuts_all(jobs):
    jobs.output = jobs.folder / "out" / "part-{:03d}"
    stop_before(jobs, "split-0", "-t,", "--split=3")
    assert "split" not in job_status(str(jobs.job))
    # As it is once the command has ended, before all is verified.
    write_state(str(jobs.job / "split" / "000000.json"), {"files": []})
    assert "\nranges split   4 of 4\n" in job_status(str(jobs.job))


def test_a_task_goes_to_other_machines_as_json(tmp_path):
    sources = (Source(3, Stretch("a", 0, 90, "0f"), 30, 60), Source(4, Stretch("b", 0, 9, "1e"), 0, 9))
    task = SplitTask(Setting(str(tmp_path), ("-t,",), {"LC_ALL": "C"}, cuts=("--split-by=1",)), 3, 99, sources, "YQo=",
                     True, "{}.csv", "/x", Totals(7, 90, 1 << 127), "digest", "join")
    again = task_from_json(json.loads(json.dumps(task_to_json(task))))
    assert again == task and str(again) == "joining files 3" and again.path().endswith("join/000003.json")


def test_ranges_that_meet_within_a_file_are_joined():
    def files(*names):
        return [cut_file(name) for name in names]
    ranges = [files("a", "b"), [], files("b"), files("b", "c"), files("d")]
    assert chains_of(ranges) == [[0, 2, 3], [3, 4]]
    ends = [[(number, file.name) for number, file in ends_of_chain(ranges, chain)] for chain in chains_of(ranges)]
    assert ends == [[(0, "b"), (2, "b"), (3, "b")], [(3, "c"), (4, "d")]]
    assert chains_of(ranges[:1]) == [] and chains_of([]) == []


def test_records_at_the_ends_of_a_range_are_found_by_their_bytes():
    files = [cut_file("a", 2, 10), cut_file("b", 1, 4), cut_file("c", 3, 9)]
    for is_framed, whole, bounds in [(False, 23, [(0, 10), (14, 9)]), (True, 23 + 6 * 8, [(0, 26), (38, 33)])]:
        stretch = Stretch("range", 0, whole, "0f")
        found = [source_of_end(0, stretch, files, file, is_framed) for file in (files[0], files[-1])]
        assert [(source.begin, source.bytes) for source in found] == bounds
        assert source_of_end(0, Stretch("range", 0, 10 + 16 * is_framed, ""), files[:1], files[0],
                             is_framed)[2:] == (0, 10 + 16 * is_framed)


def test_names_are_compared_as_the_file_system_does(tmp_path, monkeypatch):
    assert have_names_of_their_own(str(tmp_path), ["a", "b", "A"]) and os.listdir(tmp_path) == []
    assert not have_names_of_their_own(str(tmp_path), ["a", "b", "a"])
    monkeypatch.setattr(split_output, "lead_to_one_name", lambda path, other: True)
    assert not have_names_of_their_own(str(tmp_path), ["a", "b", "A"])
