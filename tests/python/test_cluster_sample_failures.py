"""Samples on a cluster, whatever fails in one of their sorts: byte for byte what one command gives."""

import gzip
import os
import subprocess

import pytest
from cluster_jobs import DRIVER, Jobs, check, stop_before
from faulty_command import flip_a_byte

ORDER = "--order=input"
SORTED = ("--sample=900,x", "-u", "-k1.2")
IN_ORDER = ("--sample=900,x", "-u", "-k1.2", ORDER)
DRAWN = ("--sample=900,x", ORDER)


@pytest.fixture
def jobs(tmp_path):
    return Jobs(tmp_path, lines=(2500, 1500, 600))


@pytest.mark.parametrize("how", ["fail", "die", "garbage"])
def test_tasks_that_fail_are_tried_again(jobs, how):
    tasks = ("form-0", "cut-2", "merge-0", "place-form-0", "place-cut-0", "place-merge-1", "sample-form-0",
             "sample-merge-1", "sample-place-form-0", "sample-place-merge-0")
    for task in tasks:
        jobs.fail(task, how)
    assert f"{len(tasks)} attempts beside the first" in check(jobs, *IN_ORDER).stderr


@pytest.mark.parametrize("options", [SORTED, IN_ORDER, DRAWN], ids=" ".join)
def test_a_driver_that_is_killed_goes_on(jobs, options):
    jobs.inputs[0].write_bytes(gzip.compress(jobs.inputs[0].read_bytes()))
    moments = ["count-0", "form-1", "cut-1", "merge-0", "place-form-0", "place-cut-0", "place-merge-1"]
    if options != DRAWN:
        moments += ["sample-form-0", "sample-cut-0", "sample-merge-1"]
    if options == IN_ORDER:
        moments += ["sample-place-form-1", "sample-place-merge-1"]
    for task in moments:
        jobs.fail(task, "kill driver")
        assert jobs.run(*options, "--workers=1").returncode < 0
        assert not (jobs.faults / task).exists() and not jobs.output.exists()
    check(jobs, *options)
    # Only what was at work when a driver died is done again.
    assert len(jobs.commands()) == len(set(jobs.commands())) + len(moments)


@pytest.mark.parametrize("folder, task, form", [
    ("shards", "merge-0", "form-1"), ("by-place/*/shards", "place-merge-0", "place-form-1"),
    ("by-place/*/sample/shards", "sample-merge-1", "sample-form-0"),
    ("by-place/*/sample/by-place/*/shards", "sample-place-merge-1", "sample-place-form-1")])
def test_runs_of_any_sort_that_are_damaged_are_formed_again(jobs, folder, task, form):
    stop_before(jobs, task, *IN_ORDER)
    run = next(jobs.job.glob(f"{folder}/{int(form[-1]):06}/sortie-run-*"))
    flip_a_byte(run, 70)
    check(jobs, *IN_ORDER)
    assert jobs.commands().count(form) == 2


@pytest.mark.parametrize("place, again", [("by-place/*/ranges/000001", "merge-1"),
                                          ("by-place/*/.drawn.*", "place-merge-0"),
                                          ("by-place/*/sample/merged/000000.json", "sample-merge-0"),
                                          ("counted/000000.json", "count-0")])
@pytest.mark.parametrize("change", [os.unlink, lambda path: flip_a_byte(path, 30), lambda path: path.write_bytes(b"")])
def test_what_is_damaged_while_no_driver_runs_is_made_again(jobs, place, again, change):
    jobs.inputs[0].write_bytes(gzip.compress(jobs.inputs[0].read_bytes()))
    stop_before(jobs, "sample-merge-2", *SORTED)
    [path] = jobs.job.glob(place)
    change(path)
    check(jobs, *SORTED)
    assert jobs.commands().count(again) == 2


@pytest.mark.parametrize("offset", [10, -3], ids=["record", "last"])
@pytest.mark.parametrize("options", [SORTED, IN_ORDER, ("--sample=900,x", "--top=800")], ids=" ".join)
def test_a_sample_that_is_damaged_between_two_sorts_is_merged_again(jobs, monkeypatch, options, offset):
    from sortie.cluster import chain
    of_sample = chain.of_sample
    damaged = []

    def damage(*before):
        if not damaged:
            damaged.append(next(jobs.job.glob("by-place/*/.drawn.*")))
            flip_a_byte(damaged[0], offset)
        return of_sample(*before)
    monkeypatch.setattr(chain, "of_sample", damage)
    arguments = {"--top=800": {"top": 800}}.get(options[-1], {"unique": True, "keys": "1.2"})
    if ORDER in options:
        arguments["order"] = "input"
    jobs.sort_files(monkeypatch, sample=900, sample_seed="x", **arguments)
    assert jobs.output.read_bytes() == jobs.expected(*options)
    assert damaged and max(jobs.commands().count(f"place-merge-{part}") for part in range(4)) == 2


def test_a_sample_that_is_damaged_again_ends_the_job(jobs, monkeypatch):
    from sortie import Error
    from sortie.cluster import chain
    of_sample = chain.of_sample

    def damage(*before):
        flip_a_byte(next(jobs.job.glob("by-place/*/.drawn.*")), 10)
        return of_sample(*before)
    monkeypatch.setattr(chain, "of_sample", damage)
    with pytest.raises(Error, match="is not what was written, again: look after the disk"):
        jobs.sort_files(monkeypatch, sample=900, sample_seed="x", unique=True)
    assert not jobs.output.exists()


def test_runs_on_disks_of_nodes(jobs):
    (jobs.folder / "disk").mkdir()
    told = jobs.run(*IN_ORDER, f"--scratch=node:{jobs.folder}/disk")
    assert told.returncode == 0, told.stderr
    assert jobs.output.read_bytes() == jobs.expected(*IN_ORDER) and os.listdir(jobs.folder / "disk") == []


def test_status_tells_that_bytes_were_counted(jobs):
    jobs.inputs[0].write_bytes(gzip.compress(jobs.inputs[0].read_bytes()))
    stop_before(jobs, "merge-1", "--shuffle=x")
    status = subprocess.run([*DRIVER, "status", f"--job={jobs.job}"], capture_output=True, text=True, check=True).stdout
    assert "\ninputs counted 1 of ?\n" in status, status


def test_status_tells_of_all_sorts(jobs):
    stop_before(jobs, "sample-place-merge-1", *IN_ORDER)
    status = subprocess.run([*DRIVER, "status", f"--job={jobs.job}"], capture_output=True, text=True, check=True).stdout
    assert "\nranges merged by place           4 of 4\n" in status, status
    assert "\nshards formed of sample          2 of 2\n" in status, status
    assert "\nranges merged of sample          4 of 4\n" in status, status
    assert "\nranges formed of sample by place 4 of 4\n" in status, status
    assert "\nranges merged of sample by place 1 of 4\n" in status, status
