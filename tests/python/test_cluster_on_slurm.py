"""Sorts on a real Slurm: three nodes of one CPU on this machine, which are lost while they work. What a stand-in shows
as well is in test_cluster_slurm.py."""

import os
import signal
import subprocess
import threading

import pytest
from cluster_jobs import Jobs, wait_until
from slurm_cluster import NODES, SlurmCluster, missing_programs

from sortie.cluster import slurm_engine

if missing_programs() and not os.environ.get("CI"):
    pytest.skip(f"Slurm is not installed: {', '.join(missing_programs())} (every test of this file)",
                allow_module_level=True)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    cluster = SlurmCluster(tmp_path_factory.mktemp("slurm"))
    yield cluster
    cluster.close()


@pytest.fixture
def jobs(tmp_path, cluster):
    jobs = Jobs(tmp_path)
    jobs.environment.update(cluster.environment)
    yield jobs
    cluster.clear()


@pytest.fixture
def sort(jobs, cluster, monkeypatch):
    """In this process, with less patience."""
    for name in ("_SECONDS_BETWEEN_QUESTIONS", "_SECONDS_TO_APPEAR"):
        monkeypatch.setattr(slurm_engine, name, 1.0)
    for name, value in cluster.environment.items():
        monkeypatch.setenv(name, value)
    return lambda: jobs.sort_files(monkeypatch, engine="slurm", workers=3)


def check_output(jobs, told, *options):
    assert told.returncode == 0, told.stderr
    assert jobs.output.read_bytes() == jobs.expected(*options)
    assert sorted(os.listdir(jobs.job)) == ["lock", "plan.json", "report.json", "request.json"]


def is_at_work(jobs, task):
    return task in jobs.commands() and not (jobs.faults / task).exists()


def set_down(cluster, node):
    cluster.run("scontrol", "update", f"nodename={node}", "state=down", "reason=test")


def test_the_output_is_that_of_one_command_whatever_the_names(jobs, cluster):
    jobs.output, jobs.job = jobs.folder / "o \"u\" 't %j $HOME", jobs.folder / "j 'o' \"b\" %u $HOME"
    options = ["-u", "-t", "'", "-k1.2,1nr"]
    # More elements at once than an array may have.
    check_output(jobs, jobs.run("--engine=slurm", "--workers=99", *options), *options)
    wait_until(lambda: cluster.elements() == [])  # one that has given its result may still be ending


def test_an_element_that_is_cancelled_is_tried_again(jobs, cluster, sort):
    jobs.fail("merge-1", "hang")

    def cancel():
        wait_until(lambda: is_at_work(jobs, "merge-1"))
        element, _ = cluster.place_of(b"plans/000001.")
        cluster.run("scancel", element)
    thread = threading.Thread(target=cancel)
    thread.start()
    # Where the machine is busy, others may be late, and get second attempts.
    assert sort().retries >= 1
    thread.join()
    assert jobs.output.read_bytes() == jobs.expected() and jobs.commands().count("merge-1") >= 2


@pytest.mark.parametrize("task, words, lose", [
    ("form-0", b"shards/000000\0", set_down),
    ("merge-0", b"plans/000000.", SlurmCluster.kill_node)])
def test_elements_of_a_node_that_is_lost_are_done_elsewhere(jobs, cluster, sort, task, words, lose):
    jobs.fail(task, "hang")

    def lose_node():
        wait_until(lambda: is_at_work(jobs, task))
        _, node = cluster.place_of(words)
        lose(cluster, node)
    thread = threading.Thread(target=lose_node)
    thread.start()
    assert sort().retries >= 1
    thread.join()
    assert jobs.output.read_bytes() == jobs.expected() and jobs.commands().count(task) >= 2


def test_a_driver_that_is_killed_is_started_again_and_ends_what_it_left(jobs, cluster):
    for task in ("form-0", "form-1", "form-2"):
        jobs.fail(task, "hang")
    with jobs.start("--engine=slurm", "--workers=99") as process:
        # They are handed over in two arrays: the first may be at work before the second is known.
        wait_until(lambda: all(is_at_work(jobs, f"form-{number}") for number in range(3))
                   and len(cluster.elements()) == 5)
        process.kill()
    assert len(cluster.elements("--states=PENDING")) == 2
    check_output(jobs, jobs.run("--engine=slurm"))
    # One that has given its result may still be ending.
    wait_until(lambda: cluster.elements() == [] and not jobs.running_commands())


def test_a_job_that_is_interrupted_leaves_nothing_in_the_queue_and_goes_on_later(jobs, cluster):
    for task in ("form-0", "form-1", "form-2"):
        jobs.fail(task, "hang")
    with jobs.start("--engine=slurm", "--workers=99") as process:
        wait_until(lambda: all(is_at_work(jobs, f"form-{number}") for number in range(3)))
        process.send_signal(signal.SIGINT)
        assert process.wait(300) == -signal.SIGINT and process.stderr.read() == ""
    wait_until(lambda: cluster.elements("--states=PENDING,RUNNING") == [])
    wait_until(lambda: not jobs.running_commands())
    assert not jobs.output.exists()
    check_output(jobs, jobs.run("--engine=slurm"))


def test_a_controller_that_is_started_again_costs_no_attempt(jobs, cluster, sort):
    jobs.fail("form-1", "pause")

    def start_again():
        wait_until(lambda: is_at_work(jobs, "form-1"))
        cluster.stop_controller()
        cluster.start_controller()
    thread = threading.Thread(target=start_again)
    thread.start()
    assert sort().retries == 0
    thread.join()
    assert jobs.output.read_bytes() == jobs.expected()


@pytest.mark.parametrize("variables, words, why", [
    ({"SBATCH_PARTITION": "none"}, [], "Invalid partition name specified"),
    ({}, ["-S", "2G"], "Requested node configuration is not available"),
    ({}, ["--parallel=2"], "Requested node configuration is not available")])
def test_what_slurm_refuses_is_told(jobs, variables, words, why):
    jobs.environment.update(variables)
    told = jobs.run("--engine=slurm", *words)
    assert told.returncode == 2 and told.stderr.startswith("sortie-cluster: sbatch failed: ")
    assert told.stderr.endswith(f"; Batch job submission failed: {why}\n") and told.stderr.count("\n") == 1
    assert not jobs.output.exists()


def test_a_job_that_waits_is_waited_for(jobs, cluster):
    cluster.run("scontrol", "update", f"nodename={','.join(NODES)}", "state=drain", "reason=test")
    with jobs.start("--engine=slurm") as process:
        wait_until(cluster.elements)
        [number] = {number for number, _ in cluster.elements()}
        cluster.run("scontrol", "hold", number)
        cluster.run("scontrol", "update", f"nodename={','.join(NODES)}", "state=resume")
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(2)
        cluster.run("scontrol", "release", number)
        process.communicate(timeout=300)
    assert process.returncode == 0 and jobs.output.read_bytes() == jobs.expected()
