"""Whatever fails of a join on a cluster costs time, not the join: commands, runs of either side, state, the driver
itself."""

import os
import random
import shutil
import signal

import pytest
from cluster_jobs import DRIVER, check_output, go_on_with_damaged_state, stop_before, wait_until
from faulty_command import flip_a_byte
from join_jobs import joins, rows, uniform

from sortie.cluster.shards import Shard
from sortie.cluster.written_files import read_state

OPTIONS = ["--join=full", "--csv", "--quote=none", "--key=id:n", "--right-key=key"]


def make_jobs(folder):
    """Three shards of the left side and two of the right one, of 6000 bytes."""
    numbers = random.Random(8)
    return joins(folder, "id,a\n" + rows(numbers, 1200, uniform(900), 2),
                 "key,b\n" + rows(numbers, 800, uniform(900), 2))


@pytest.fixture
def jobs(tmp_path):
    return make_jobs(tmp_path)


def sides(jobs):
    return [read_state(str(path))["shard"][-1] for path in sorted((jobs.job / "formed").glob("*.json"))]


def test_each_side_has_shards_of_its_own(jobs):
    stop_before(jobs, "cut-0", *OPTIONS)
    assert sides(jobs) == ["left", "left", "left", "right", "right"]
    shards = [Shard.from_json(read_state(str(path))["shard"]) for path in sorted((jobs.job / "formed").glob("*.json"))]
    assert shards[0].place == shards[3].place == 0 and [shard.number for shard in shards] == list(range(5))


@pytest.mark.parametrize("how", ["fail", "die", "garbage"])
def test_tasks_that_fail_are_tried_again(jobs, how):
    tasks = ["form-0", "form-4", "cut-0", "cut-3", "merge-0", "merge-3"]
    for task in tasks:
        jobs.fail(task, how)
    told = jobs.run(*OPTIONS)
    assert told.returncode == 0, told.stderr
    check_output(jobs, *OPTIONS)
    assert f"{len(tasks)} attempts beside the first" in told.stderr
    assert all(jobs.commands().count(task) == (2 if task in tasks else 1) for task in jobs.commands())


def test_a_driver_that_is_killed_is_started_again_and_goes_on(jobs):
    moments = ["form-1", "form-4", "cut-0", "cut-3", "merge-0", "merge-2", "merge-3"]
    for task in moments:
        jobs.fail(task, "kill driver")
        assert jobs.run(*OPTIONS, "--workers=1").returncode == -signal.SIGKILL
        assert not (jobs.faults / task).exists() and not jobs.output.exists()
    told = jobs.run(*OPTIONS)
    assert told.returncode == 0, told.stderr
    check_output(jobs, *OPTIONS)
    # Only what was at work when a driver died is done again.
    assert len(jobs.commands()) == len(set(jobs.commands())) + len(moments)


@pytest.mark.parametrize("task", ["form-3", "merge-1"])
def test_a_join_that_is_interrupted_ends_and_goes_on_later(jobs, task):
    jobs.output.write_text("old")
    jobs.fail(task, "hang on")
    with jobs.start(*OPTIONS) as process:
        wait_until(lambda: task in jobs.commands() and not (jobs.faults / task).exists())
        process.send_signal(signal.SIGTERM)
        assert process.wait(300) == -signal.SIGTERM and process.stderr.read() == ""
    wait_until(lambda: not jobs.running_commands())
    assert jobs.output.read_text() == "old"
    assert jobs.run(*OPTIONS).returncode == 0
    check_output(jobs, *OPTIONS)


@pytest.mark.parametrize("task", ["cut-0", "merge-1"])
@pytest.mark.parametrize("shard", [1, 3], ids=["left", "right"])
def test_shards_whose_runs_are_gone_are_formed_again_and_only_those(jobs, task, shard):
    stop_before(jobs, task, *OPTIONS)
    jobs.fail(task, f"remove {jobs.job / 'shards' / f'{shard:06d}'}")
    told = jobs.run(*OPTIONS)
    assert told.returncode == 0, told.stderr
    check_output(jobs, *OPTIONS)
    formed = [name for name in jobs.commands() if name.startswith("form-")]
    assert formed.count(f"form-{shard}") == 2 and len(formed) == len(set(formed)) + 1


@pytest.mark.parametrize("task", ["cut-0", "merge-1"])
@pytest.mark.parametrize("offset", [70, -60], ids=["block", "index"])
def test_shards_whose_runs_are_damaged_are_formed_again_and_only_those(jobs, task, offset):
    stop_before(jobs, task, *OPTIONS)
    for shard in (1, 3):
        [run] = (jobs.job / "shards" / f"{shard:06d}").glob("sortie-run-*")
        flip_a_byte(run, offset)
    told = jobs.run("--attempts=1", *OPTIONS)
    assert told.returncode == 0, told.stderr
    assert [jobs.commands().count(f"form-{shard}") for shard in range(5)] == [1, 2, 1, 2, 1]
    check_output(jobs, *OPTIONS)


def test_cuts_that_are_damaged_are_made_again(jobs):
    stop_before(jobs, "merge-1", *OPTIONS)
    flip_a_byte(jobs.job / "cuts" / "000003.rows", -60)
    told = jobs.run("--attempts=1", *OPTIONS)
    assert told.returncode == 0, told.stderr
    check_output(jobs, *OPTIONS)
    assert jobs.commands().count("cut-3") == 2 and jobs.commands().count("cut-1") == 1


@pytest.mark.parametrize("damaged", ["parts/000001", "merged/000001.json"])
def test_ranges_that_are_damaged_while_no_driver_runs_are_joined_again_and_only_those(jobs, damaged):
    jobs.fail("merge-3", "kill driver")
    assert jobs.run("--workers=1", *OPTIONS).returncode == -signal.SIGKILL
    flip_a_byte(jobs.job / damaged, 100)
    assert jobs.run(*OPTIONS).returncode == 0
    check_output(jobs, *OPTIONS)
    assert [jobs.commands().count(f"merge-{number}") for number in range(4)] == [1, 2, 1, 2]


@pytest.fixture(scope="module")
def stopped(tmp_path_factory):
    """A join that was killed as it merged, and a copy of what it made: each test begins with that."""
    jobs = make_jobs(tmp_path_factory.mktemp("stopped"))
    jobs.output.write_text("old")
    jobs.fail("merge-1", "kill driver")
    assert jobs.run("--workers=1", *OPTIONS).returncode == -signal.SIGKILL
    copy = tmp_path_factory.mktemp("copy") / "all"
    shutil.copytree(jobs.folder, copy)
    return jobs, copy


@pytest.mark.parametrize("name", ["request.json", "plan.json", "ranges.json", "bounds.json", "right_bounds.json",
                                  "runs.json",
                                  "formed/000003.json", "formed/000003.samples", "cuts/000003.json", "cuts/000003.rows",
                                  "merged/000000.json"])
@pytest.mark.parametrize("text", [None, "{}", "3"])
def test_state_that_is_damaged_costs_time_or_is_refused(stopped, name, text):
    jobs, copy = stopped
    shutil.rmtree(jobs.job)
    shutil.copytree(copy / "job", jobs.job)
    jobs.output.write_text("old")
    go_on_with_damaged_state(jobs, name, text, *OPTIONS)


def test_status_tells_how_far_a_join_is(stopped):
    jobs, copy = stopped
    told = jobs.run_words([*DRIVER, "status", f"--job={copy / 'job'}"]).stdout
    assert "state          stopped" in told
    assert "shards formed  5 of 5\nshards cut     5 of 5\nranges merged  1 of 4\n" in told


@pytest.mark.parametrize("options", [["--join=left", *OPTIONS[1:]], OPTIONS[1:4], [*OPTIONS, "--select=id"],
                                     [*OPTIONS, "--empty=-"]], ids=" ".join)
def test_a_job_of_another_join_is_refused(stopped, options):
    jobs, copy = stopped
    shutil.rmtree(jobs.job)
    shutil.copytree(copy / "job", jobs.job)
    told = jobs.run(*options)
    assert told.returncode == 2 and "holds a job with other options" in told.stderr


@pytest.mark.parametrize("side", [0, 1])
def test_an_input_that_changes_meanwhile_is_refused(jobs, side):
    stop_before(jobs, "merge-0", *OPTIONS)
    os.utime(jobs.inputs[side], ns=(1, 1))
    told = jobs.run(*OPTIONS)
    assert told.returncode == 2 and "holds a job with other inputs" in told.stderr
    assert not jobs.output.exists()


def test_runs_on_disks_of_nodes_are_formed_again_where_they_are_gone(jobs, tmp_path_factory):
    disk = tmp_path_factory.mktemp("disk")
    scratch = f"--scratch=node:{disk}"
    jobs.fail("merge-0", "fail")
    assert jobs.run("--attempts=1", scratch, *OPTIONS).returncode == 2
    [folder] = disk.glob(f"sortie-*/{os.uname().nodename}")
    shutil.rmtree(folder / "000003")
    told = jobs.run(scratch, *OPTIONS)
    assert told.returncode == 0, told.stderr
    check_output(jobs, *OPTIONS)
    assert os.listdir(disk) == [] and jobs.commands().count("form-3") == 2 and jobs.commands().count("form-2") == 1
