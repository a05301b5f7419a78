"""Sorts on a cluster of Ray: two or three nodes of one CPU on this machine, which die while they work."""

import os
import signal
import subprocess
import sys
import threading

import pytest

import sortie

pytest.importorskip("ray", reason="ray is not installed (every test of this file)")
from cluster_jobs import FAULTY, wait_until  # noqa: E402
from ray_cluster import check_files, check_output, cluster, faults, jobs, nodes, run, words  # noqa: E402, F401


def test_the_output_is_that_of_one_command(jobs, cluster):
    check_output(jobs, run(jobs, cluster))


def test_a_join_is_that_of_one_command(jobs, cluster):
    jobs.inputs = jobs.inputs[:2]
    told = run(jobs, cluster, "--join=full", "-k1,1")
    assert told.returncode == 0, told.stderr
    assert jobs.output.read_bytes() == jobs.expected("--join=full", "-k1,1")


@pytest.mark.parametrize("stage, numbers", [("form", (0, 1, 2)), ("cut", (0, 1, 2)), ("merge", (0, 1, 2))])
def test_tasks_of_a_node_that_dies_are_done_elsewhere(jobs, nodes, stage, numbers, monkeypatch):
    node = nodes.add_node(num_cpus=1)
    nodes.wait_for_nodes()
    names = [f"{stage}-{number}" for number in numbers]
    for name in names:
        jobs.fail(name, "pause")

    def kill():
        wait_until(lambda: set(names) <= set(jobs.commands()))
        nodes.remove_node(node, allow_graceful=False)
    killer = threading.Thread(target=kill)
    killer.start()
    jobs.sort_files(monkeypatch, engine="ray", workers=3)
    check_files(jobs)
    killer.join()


def test_a_worker_that_is_killed_takes_its_command_with_it_and_costs_an_attempt(jobs, cluster):
    jobs.fail("form-1", "kill driver")
    told = run(jobs, cluster)
    check_output(jobs, told)
    assert "1 attempt beside the first" in told.stderr and jobs.commands().count("form-1") == 2


def test_a_driver_that_is_killed_is_started_again_and_goes_on(jobs, cluster):
    for task in ("form-1", "cut-1", "merge-1"):
        jobs.fail(task, "pause")
        begun = jobs.commands().count(task)
        with subprocess.Popen(words(jobs, cluster), stderr=subprocess.DEVNULL, env=jobs.environment) as process:
            wait_until(lambda task=task, begun=begun: jobs.commands().count(task) > begun)
            process.kill()
        assert process.returncode == -signal.SIGKILL and not jobs.output.exists()
    check_output(jobs, run(jobs, cluster))


def test_a_job_that_is_interrupted_ends_and_goes_on_later(jobs, cluster):
    for task in ("form-1", "merge-1"):
        jobs.fail(task, "hang")
        with subprocess.Popen(words(jobs, cluster), stderr=subprocess.PIPE, text=True, env=jobs.environment) as process:
            wait_until(lambda task=task: task in jobs.commands() and not (jobs.faults / task).exists())
            process.send_signal(signal.SIGINT)
            told = process.communicate(timeout=300)[1]
            assert process.returncode == -signal.SIGINT, told
        wait_until(lambda: not jobs.running_commands())
        assert not jobs.output.exists()
    check_output(jobs, run(jobs, cluster))


def test_python_uses_the_cluster_that_it_is_connected_to(jobs, cluster):
    program = """
import sys
import ray
import sortie.cluster
job, output, command, address, *inputs = sys.argv[1:]
ray.init(address=address, log_to_driver=False)
report = sortie.cluster.sort_files(inputs, output, job=job, engine="ray", shard="6K", memory="256K", command=command)
assert ray.is_initialized() and report.output_records == 4000
"""
    told = subprocess.run([sys.executable, "-c", program, jobs.job, jobs.output, jobs.environment["SORTIE_REAL"],
                           cluster.address, *jobs.inputs], capture_output=True, text=True, timeout=300)
    check_output(jobs, told)


def test_rows_of_parquet_files_are_those_of_one_machine(jobs, cluster, tmp_path):
    pytest.importorskip("pyarrow")
    from cluster_tables import Tables, same
    tables = Tables(tmp_path, shard="24K")
    jobs.fail("form-1", "kill driver")
    told = tables.run("--key=few:desc", "--engine=ray", f"--address={cluster.address}",
                      f"--command={FAULTY}")
    assert told.returncode == 0 and "1 attempt beside the first" in told.stderr, told.stderr
    same(tables.result(), tables.expected([("few", "descending")]))


@pytest.mark.parametrize("options", [{"threads": 2}, {"memory": "900T"}])
def test_more_than_any_node_has_is_refused_and_not_waited_for(jobs, nodes, options, monkeypatch):
    with pytest.raises(sortie.Error, match="no node of Ray has for one command"):
        jobs.sort_files(monkeypatch, engine="ray", **options)
    assert not jobs.output.exists()


def test_a_command_that_no_node_has_is_told_once(jobs, cluster):
    told = run(jobs, cluster, "--command=/none/sortie")
    assert told.returncode == 2 and told.stderr == (
        f"sortie-cluster: on {os.uname().nodename}: cannot run '/none/sortie': No such file or directory; install it "
        "there, or name the command of the sort with --command\n")
    assert not jobs.output.exists()


def test_an_address_where_nobody_is_is_refused(jobs):
    told = subprocess.run(jobs.words("--engine=ray", "--address=127.0.0.1:1"), capture_output=True, text=True,
                          env=jobs.environment)
    assert told.returncode == 2 and told.stderr.count("\n") == 1
    assert told.stderr.startswith("sortie-cluster: cannot connect to Ray at '127.0.0.1:1': ")
    assert not jobs.output.exists()
