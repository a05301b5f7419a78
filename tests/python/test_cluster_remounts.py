"""A driver that is started again after a remount, or on a machine that was started anew, knows its files: numbers of
devices are others then."""

import os
import types

import pytest
from cluster_jobs import Jobs, check_output

from sortie.cluster import driver, output, written_files


@pytest.fixture
def jobs(tmp_path):
    return Jobs(tmp_path)


class Remounted:
    """The system, whose files have devices of other numbers."""

    def __getattr__(self, name):
        return getattr(os, name)

    def stat(self, path):
        return with_other_device(os.stat(path))

    def lstat(self, path):
        return with_other_device(os.lstat(path))


def with_other_device(state):
    values = {name: getattr(state, name) for name in dir(state) if name.startswith("st_")}
    return types.SimpleNamespace(**{**values, "st_dev": state.st_dev + 1})


def remount(monkeypatch):
    for module in (output, written_files):
        monkeypatch.setattr(module, "os", Remounted())


def die_once_in_place(jobs, monkeypatch):
    """Runs the job in a process that ends as soon as the output has its place."""
    with monkeypatch.context() as patched:
        patched.setattr(driver.Driver, "_keep_report", lambda self, verified: os._exit(9))
        if os.fork() == 0:
            jobs.sort_files(monkeypatch)
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.wait()[1]) == 9


@pytest.mark.parametrize("replaces_an_input", [False, True])
def test_an_output_that_has_its_place_is_the_job_s_own(jobs, monkeypatch, replaces_an_input):
    expected = jobs.expected()
    if replaces_an_input:
        jobs.output = jobs.inputs[0]
    die_once_in_place(jobs, monkeypatch)
    commands = jobs.commands()
    remount(monkeypatch)
    jobs.sort_files(monkeypatch)
    assert jobs.commands() == commands and jobs.output.read_bytes() == expected


def test_another_file_of_the_same_bytes_and_time_is_not(jobs, monkeypatch):
    die_once_in_place(jobs, monkeypatch)
    before = os.stat(jobs.output)
    (jobs.folder / "copy").write_bytes(jobs.output.read_bytes())
    os.utime(jobs.folder / "copy", ns=(before.st_atime_ns, before.st_mtime_ns))
    os.replace(jobs.folder / "copy", jobs.output)
    commands = jobs.commands()
    jobs.sort_files(monkeypatch)
    assert len(jobs.commands()) > len(commands)
    check_output(jobs)


def test_the_output_of_a_job_that_is_done_is_not_read_again(jobs, monkeypatch):
    jobs.sort_files(monkeypatch)
    remount(monkeypatch)
    monkeypatch.setattr(driver, "are_unchanged", None)
    assert jobs.sort_files(monkeypatch).output_records == 4000
