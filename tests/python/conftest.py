"""The package under test is the one on PYTHONPATH, or the one that is installed."""

import os
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
