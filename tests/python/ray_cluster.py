"""A cluster of Ray for tests: two nodes of one CPU on this machine, as fixtures."""

import os
import re
import subprocess
import time

import pytest
import ray
from cluster_jobs import Jobs
from ray.cluster_utils import Cluster

# A node that is gone is noticed after some 2 seconds: it refuses connections. One that is there may take long to answer
# on a busy machine. Nodes write often how they use their object stores. They start the workers that tasks need, and no
# others.
CONFIG = {"health_check_initial_delay_ms": 0, "health_check_period_ms": 500, "health_check_timeout_ms": 10_000,
          "health_check_failure_threshold": 3, "event_stats_print_interval_ms": 300,
          "enable_worker_prestart": False, "prestart_worker_first_driver": False}
# Processes of the head that no test looks at.
HEAD = {"num_cpus": 1, "include_dashboard": False, "include_log_monitor": False, "no_monitor": True,
        "_system_config": CONFIG}


@pytest.fixture(scope="module")
def faults(tmp_path_factory):
    """Where commands look for faults: nodes get their environment when they start."""
    folder = tmp_path_factory.mktemp("faults")
    os.environ["SORTIE_FAULTS"] = str(folder)
    yield folder
    del os.environ["SORTIE_FAULTS"]


@pytest.fixture(scope="module")
def cluster(faults, tmp_path_factory):
    os.environ["SORTIE_REAL"] = Jobs(tmp_path_factory.mktemp("jobs")).environment["SORTIE_REAL"]
    cluster = Cluster(initialize_head=True, head_node_args=HEAD)
    cluster.add_node(num_cpus=1)
    cluster.wait_for_nodes()
    yield cluster
    cluster.shutdown()


@pytest.fixture(scope="module")
def nodes(cluster):
    """The cluster, to which this process is connected: its jobs share their workers, each of which takes seconds to
    start."""
    ray.init(address=cluster.address, log_to_driver=False)
    yield cluster
    ray.shutdown()


@pytest.fixture
def jobs(tmp_path, faults):
    jobs = Jobs(tmp_path, faults=faults)
    yield jobs
    for path in faults.iterdir():
        path.unlink()


def words(jobs, cluster, *options):
    return jobs.words("--engine=ray", f"--address={cluster.address}", "--workers=3", *options)


def run(jobs, cluster, *options):
    return subprocess.run(words(jobs, cluster, *options), capture_output=True, text=True, timeout=200,
                          env=jobs.environment)


def check_output(jobs, told):
    assert told.returncode == 0, told.stderr
    check_files(jobs)


def check_files(jobs):
    assert jobs.output.read_bytes() == jobs.expected()
    assert sorted(os.listdir(jobs.job)) == ["lock", "plan.json", "report.json", "request.json"]


def bytes_in_object_stores(cluster):
    """All that ever came into the stores of all nodes, as Ray says, which is up to date soon after."""
    time.sleep(3 * CONFIG["event_stats_print_interval_ms"] / 1000)
    logs = os.path.join(cluster.head_node.get_session_dir_path(), "logs")
    total = 0
    for name in os.listdir(logs):
        if re.fullmatch(r"raylet(\.\d+)?\.out", name):
            with open(os.path.join(logs, name), errors="replace") as file:
                found = re.findall(r"num bytes created total: (\d+)", file.read())
            total += int(found[-1]) if found else 0
    return total
