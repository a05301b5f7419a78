"""The package under test is the one on PYTHONPATH, or the one that is installed."""

import os
import pathlib
import subprocess
import sys

import pytest


@pytest.fixture
def no_leftovers(tmp_path):
    """A scratch directory that must be empty in the end."""
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    yield scratch
    assert os.listdir(scratch) == []


@pytest.fixture
def run_python():
    """Runs a program with the package, and returns what it did."""
    def run(program, *arguments, **options):
        return subprocess.run([sys.executable, "-c", program, *map(str, arguments)], capture_output=True, text=True,
                              timeout=100, **options)
    return run


class SmallDisk:
    """A disk of 1 MiB at `path`, which only programs see that are run on it."""

    def __init__(self, path, namespace):
        self.path = path
        self._namespace = namespace

    def run(self, program, *arguments):
        mount = 'mount -t tmpfs -o size=1M tmpfs "$0" && exec "$@"'
        return subprocess.run([*self._namespace, "sh", "-c", mount, self.path, sys.executable, "-c", program,
                               *map(str, arguments)], capture_output=True, text=True, timeout=100)


@pytest.fixture
def small_disk(tmp_path):
    """Mounted as root, or where users may make namespaces."""
    path = pathlib.Path(tmp_path, "disk")
    path.mkdir()
    for namespace in (["unshare", "-Urm"], ["unshare", "-m"]):
        disk = SmallDisk(path, namespace)
        if disk.run("").returncode == 0:
            return disk
    pytest.skip("no disk can be mounted here")
