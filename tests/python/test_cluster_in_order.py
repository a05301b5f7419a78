"""What is kept of equal records in the order of the input, by two sorts on a cluster: byte for byte what one command
gives, whatever fails in either sort."""

import json
import os
import random
import shutil
import struct
import subprocess

import pytest
from cluster_jobs import DRIVER, Jobs, check_output, stop_before
from faulty_command import flip_a_byte

ORDER = "--order=input"


@pytest.fixture
def jobs(tmp_path):
    return Jobs(tmp_path, lines=(2500, 1500, 600))


def check(jobs, *options):
    told = jobs.run(*options, ORDER)
    assert told.returncode == 0, told.stderr
    check_output(jobs, *options, ORDER)
    return told


@pytest.mark.parametrize("options", [
    ["-u"], ["-u", "--keep=last"], ["--count"], ["--repeated"], ["--only-once"], ["--count", "--keep=last"],
    ["-u", "-r"], ["-u", "-k1.3,1.4n"], ["-u", "-k1.2,1.3", "--keep=last"], ["-u", "--verify=off"],
    ["--count", "--repeated"],
    ["-u", "--top=1"], ["-u", "--top=40"], ["--count", "--top=999999"], ["--only-once", "--top=17"],
    ["--intersect"], ["--union"], ["--except", "-k1.2,1.4"], ["--symmetric", "--keep=last"], ["--intersect", "--top=5"],
    ["--symmetric", "--count"], ["-u", "--compress=zstd"], ["-u", "--batch-size=2"]], ids=" ".join)
def test_the_output_is_that_of_one_command(jobs, options):
    assert "0 attempts beside the first" in check(jobs, *options).stderr


@pytest.mark.parametrize("seed", range(10))
def test_made_up_lines(jobs, seed):
    numbers = random.Random(seed)
    for path in jobs.inputs:
        rows = numbers.choice((0, 3, 500, 900))
        words = ["".join(numbers.choices("aB\t 9\xe4", k=numbers.randrange(12)))
                 for _ in range(numbers.choice((1, 30, 800)))]
        text = "\n".join(numbers.choice(words) for _ in range(rows))
        path.write_text(text + numbers.choice(("", "\n")), encoding="latin-1")
    check(jobs, *numbers.choice((["-u"], ["-u", "-f"], ["--count", "-b", "-k2"], ["--repeated", "-V"],
                                 ["--only-once", "-d"])),
          *numbers.choice(([], ["-r"], ["--keep=last"] if numbers.random() < 0 else ["--top=30"])))


@pytest.mark.parametrize("values", [1, 2])
def test_one_key_is_all(tmp_path, values):
    check(Jobs(tmp_path, values=values, lines=(3000, 900, 1)), "-u")


def test_longer_lines_than_are_collected(jobs):
    jobs.inputs[2].write_text("x" * 3_000_000 + "\n" + "y" * 70_000 + "\n0\n")
    told = jobs.run_words([word.replace("256K", "16M") for word in jobs.words("-u", ORDER)])
    assert told.returncode == 0, told.stderr
    check_output(jobs, "-u", ORDER)


def test_csv_keeps_its_header_in_front(jobs):
    numbers = random.Random(7)
    for path in jobs.inputs:
        path.write_text("name,text\r\n" + "".join(f'{numbers.randrange(90)},"a\n""b"" {i % 3}"\r\n'
                                                  for i in range(500)))
    check(jobs, "-u", "--csv", "--header", "-kname:n")


def test_records_of_fixed_length_and_numbers(jobs):
    numbers = random.Random(8)
    for path in jobs.inputs:
        path.write_bytes(b"".join(struct.pack("<Q", numbers.randrange(300)) for _ in range(1200)))
    for number, options in enumerate((["-u", "--format=u64"], ["-u", "--format=fixed:8", "--field=u16@0"],
                                      ["--repeated", "--format=u64", "-r"])):
        jobs.job = jobs.folder / f"job-{number}"
        told = jobs.run(*options, ORDER)
        assert told.returncode == 0, told.stderr
        assert jobs.output.read_bytes() == jobs.expected(*options, ORDER)


def test_records_with_lengths_and_entries(jobs):
    numbers = random.Random(9)
    for path in jobs.inputs:
        path.write_bytes(b"".join(struct.pack("<II", 2, 5) + b"%02d" % numbers.randrange(40) + b"%05d" % i
                                  for i in range(400)))
    check(jobs, "-u", "--format=prefixed")
    shutil.rmtree(jobs.job)
    for path in jobs.inputs:
        path.write_text("".join(f"> {numbers.randrange(30)}\n body {i}\n" for i in range(300)))
    check(jobs, "-u", "--entry-start=^>", "-k2,2n")


def test_parts_one_behind_the_other_are_the_output(jobs):
    jobs.output = jobs.folder / "parts" / "part-{}.gz"
    told = jobs.run("-u", ORDER)
    assert told.returncode == 0, told.stderr
    manifest = json.loads((jobs.folder / "parts" / "manifest.json").read_text())
    parts = [subprocess.run(["gzip", "-dc", jobs.folder / "parts" / part["file"]], capture_output=True,
                            check=True).stdout
             for part in manifest["parts"]]
    assert b"".join(parts) == jobs.expected("-u", ORDER)
    assert [(part["records"], part["bytes"]) for part in manifest["parts"]] == [(part.count(b"\n"), len(part))
                                                                                for part in parts]


def test_nothing_is_left_of_empty_inputs(jobs):
    for path in jobs.inputs:
        path.write_text("")
    check(jobs, "-u")


def test_python_has_the_same(jobs, monkeypatch):
    heard = []
    report = jobs.sort_files(monkeypatch, unique=True, order="input", progress=lambda *told: heard.append(told))
    assert jobs.output.read_bytes() == jobs.expected("-u", ORDER)
    stages = ["form", "cut", "merge", "form by place", "cut by place", "merge by place"]
    assert [stage["name"] for stage in report.stages] == stages == list(dict.fromkeys(told[0] for told in heard))
    assert (report.input_records, report.shards) == (4600, 6) and report.output_bytes == jobs.output.stat().st_size


def test_a_timeline_has_both_sorts(jobs):
    told = jobs.run("-u", ORDER, f"--trace={jobs.folder}/trace.json")
    assert told.returncode == 0, told.stderr
    names = [event["name"] for event in json.loads((jobs.folder / "trace.json").read_text())["traceEvents"]]
    assert "merged 3" in names and "merged by place 3" in names


def test_plan_and_status_tell_of_both_sorts(jobs):
    told = subprocess.run([*DRIVER, "plan", "--shard=6K", "--ranges=4", "-u", ORDER, "-o", jobs.output, *jobs.inputs],
                          capture_output=True, text=True)
    assert told.returncode == 0, told.stderr
    assert "by place" in told.stdout and "at most" in told.stdout and not jobs.job.exists()
    stop_before(jobs, "place-merge-1", "-u", ORDER)
    status = subprocess.run([*DRIVER, "status", f"--job={jobs.job}"], capture_output=True, text=True, check=True).stdout
    assert "\nranges merged          4 of 4\n" in status
    assert "ranges formed by place 4 of 4\n" in status and "ranges merged by place 1 of 4\n" in status, status


@pytest.mark.parametrize("how", ["fail", "die", "garbage"])
def test_tasks_that_fail_are_tried_again(jobs, how):
    tasks = ("form-0", "merge-1", "place-form-0", "place-cut-1", "place-merge-2")
    for task in tasks:
        jobs.fail(task, how)
    assert f"{len(tasks)} attempts beside the first" in check(jobs, "-u").stderr


MOMENTS = ["form-1", "cut-1", "merge-1", "merge-3", "place-form-0", "place-form-3", "place-cut-1", "place-merge-0",
           "place-merge-3"]


@pytest.mark.parametrize("options", [["-u"], ["--count", "--top=70"]], ids=" ".join)
def test_a_driver_that_is_killed_goes_on(jobs, options):
    moments = MOMENTS if "-u" in options else ["merge-2", "place-form-1", "place-merge-0"]
    for task in moments:
        jobs.fail(task, "kill driver")
        assert jobs.run(*options, ORDER, "--workers=1").returncode < 0
        assert not (jobs.faults / task).exists() and not jobs.output.exists()
    check(jobs, *options)
    # Only what was at work when a driver died is done again.
    assert len(jobs.commands()) == len(set(jobs.commands())) + len(moments)


@pytest.mark.parametrize("folder, task", [("shards", "merge-1"), ("by-place/*/shards", "place-cut-0"),
                                          ("by-place/*/shards", "place-merge-1")])
def test_runs_of_either_sort_that_are_damaged_are_formed_again(jobs, folder, task):
    stop_before(jobs, task, "-u", ORDER)
    [run] = jobs.job.glob(f"{folder}/000001/sortie-run-*")
    flip_a_byte(run, 70)
    check(jobs, "-u")
    form = "place-form-1" if "place" in folder else "form-1"
    assert jobs.commands().count(form) == 2


@pytest.mark.parametrize("folder, again", [("by-place/*/ranges", "merge-1"), ("by-place/*/merged", "place-merge-1"),
                                           ("by-place/*/formed", "place-form-1")])
@pytest.mark.parametrize("change", [os.unlink, lambda path: flip_a_byte(path, 30), lambda path: path.write_bytes(b"")])
def test_what_is_damaged_while_no_driver_runs_is_made_again(jobs, folder, again, change):
    stop_before(jobs, "place-merge-3", "-u", ORDER)
    [path] = (path for path in jobs.job.glob(f"{folder}/000001*") if path.suffix != ".samples")
    change(path)
    check(jobs, "-u")
    assert jobs.commands().count(again) == 2


@pytest.mark.parametrize("scratch", [False, True], ids=["in the job", "on nodes"])
@pytest.mark.parametrize("is_damaged", [False, True], ids=["copied", "damaged"])
def test_runs_of_a_range_that_became_another_file_are_formed_again(jobs, is_damaged, scratch):
    """Where a driver died between the command that formed them and its result."""
    disk = []
    if scratch:
        (jobs.folder / "disk").mkdir()
        disk = [f"--scratch=node:{jobs.folder}/disk"]
    stop_before(jobs, "place-merge-3", "-u", ORDER, *disk)
    [told] = jobs.job.glob("by-place/*/formed/000001.json")
    told.unlink()
    [path] = jobs.job.glob("by-place/*/ranges/000001")
    shutil.copy(path, f"{path}.new")
    os.replace(f"{path}.new", path)
    if is_damaged:
        flip_a_byte(path, 30)
    ended = jobs.run("-u", ORDER, "--attempts=1", *disk)
    assert ended.returncode == 0, ended.stderr
    assert jobs.output.read_bytes() == jobs.expected("-u", ORDER)
    assert jobs.commands().count("merge-1") == 1 + is_damaged


@pytest.mark.parametrize("offset", [4, 30, -3], ids=["lengths", "record", "last"])
@pytest.mark.parametrize("options", [["-u"], ["-u", "--top=90"]], ids=" ".join)
def test_ranges_that_are_damaged_between_both_sorts_are_merged_again(jobs, monkeypatch, options, offset):
    from sortie.cluster import chain
    by_place = chain.by_place

    def damage(*before, **setting):
        if not jobs.commands().count("place-form-0"):
            flip_a_byte(next(jobs.job.glob("by-place/*/ranges/000002")), offset)
        return by_place(*before, **setting)
    monkeypatch.setattr(chain, "by_place", damage)
    arguments = {"top": 90} if "--top=90" in options else {}
    jobs.sort_files(monkeypatch, unique=True, order="input", **arguments)
    assert jobs.output.read_bytes() == jobs.expected(*options, ORDER)
    assert jobs.commands().count("merge-2") == 2


def test_a_range_that_is_damaged_again_ends_the_job(jobs, monkeypatch):
    from sortie import Error
    from sortie.cluster import chain
    by_place = chain.by_place

    def damage(*before, **setting):
        flip_a_byte(next(jobs.job.glob("by-place/*/ranges/000002")), 30)
        return by_place(*before, **setting)
    monkeypatch.setattr(chain, "by_place", damage)
    with pytest.raises(Error, match="ranges/000002' is not what was written, again: look after the disk"):
        jobs.sort_files(monkeypatch, unique=True, order="input")
    assert not jobs.output.exists()


def test_runs_on_disks_of_nodes(jobs):
    (jobs.folder / "disk").mkdir()
    told = jobs.run("-u", ORDER, f"--scratch=node:{jobs.folder}/disk")
    assert told.returncode == 0, told.stderr
    assert jobs.output.read_bytes() == jobs.expected("-u", ORDER) and os.listdir(jobs.folder / "disk") == []


@pytest.mark.parametrize("options", [[], ["--group"], ["-R"], ["--shuffle", "-u"]], ids=str)
def test_what_one_command_refuses_is_refused_before_anything_is_made(jobs, options):
    told = jobs.run(*options, ORDER)
    assert told.returncode == 2 and told.stderr.count("\n") == 1 and not jobs.job.exists()
