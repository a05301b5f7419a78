"""An exception of a job means that its output is as it was: nothing of the caller's runs once it is in its place."""

import os
import signal
import subprocess
import sys
import threading
import types
import warnings

import pytest
from cluster_jobs import DRIVER, Jobs

import sortie
import sortie.cluster
from sortie.cluster import output as output_module
from sortie.cluster.sorting import HeldSignals


@pytest.fixture
def jobs(tmp_path):
    jobs = Jobs(tmp_path)
    with open(jobs.inputs[0], "a") as file:
        file.write("never\n")
    jobs.output.write_text("before")
    return jobs


KEYS = {"keys": "1,1:time(s)"}


def test_a_warning_that_is_an_error_leaves_the_output(jobs, monkeypatch):
    with warnings.catch_warnings():
        warnings.simplefilter("error", sortie.SortWarning)
        for _ in range(2):  # the second one finds all verified
            with pytest.raises(sortie.SortWarning, match="no time could be read"):
                jobs.sort_files(monkeypatch, **KEYS)
            assert jobs.output.read_text() == "before"
    with pytest.warns(sortie.SortWarning, match="no time could be read") as told:
        jobs.sort_files(monkeypatch, **KEYS)
    assert len(told) == 1 and told[0].filename.endswith("cluster_jobs.py")
    assert jobs.output.read_bytes() == jobs.expected("-k1,1:time(s)")


def test_a_job_that_is_done_warns_again(jobs, monkeypatch):
    for _ in range(2):
        with pytest.warns(sortie.SortWarning, match="no time could be read"):
            jobs.sort_files(monkeypatch, **KEYS)


class FailingBar:
    def __init__(self, total, desc, unit, unit_scale):
        self.total, self.n, self.phase = total, 0, desc

    def update(self, step):
        self.n += step

    def close(self):
        if self.phase == "merge":  # the last one of a job
            raise OSError("no terminal")


def test_a_bar_that_cannot_end_leaves_the_output_of_a_job(jobs, monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm", types.SimpleNamespace(tqdm=FailingBar))
    with pytest.raises(OSError, match="no terminal"):
        jobs.sort_files(monkeypatch, progress=True)
    assert jobs.output.read_text() == "before"


def test_a_last_bar_that_cannot_end_is_no_error_once_the_output_is_in_its_place(tmp_path, monkeypatch):
    class LastBar(FailingBar):
        last = None

        def __init__(self, *words, **named):
            super().__init__(*words, **named)
            LastBar.last = self

        def close(self):
            # Bars of earlier phases end while the sort is at work.
            if not os.path.exists(tmp_path / "out"):
                return
            raise OSError("no terminal")

    monkeypatch.setitem(sys.modules, "tqdm", types.SimpleNamespace(tqdm=LastBar))
    (tmp_path / "in").write_text("b\na\n")
    sortie.sort_files(tmp_path / "in", tmp_path / "out", progress=True)
    assert LastBar.last is not None and (tmp_path / "out").read_text() == "a\nb\n"


def test_a_report_that_cannot_be_kept_is_no_error_once_the_output_is_in_its_place(jobs, monkeypatch):
    from sortie.cluster.job import JobDirectory

    write = JobDirectory.write

    def write_or_fail(self, name, value):
        if name == "report.json":
            raise OSError(28, "No space left on device", name)
        write(self, name, value)

    with monkeypatch.context() as patched:
        patched.setattr(JobDirectory, "write", write_or_fail)
        jobs.sort_files(monkeypatch)
    assert jobs.output.read_bytes() == jobs.expected()
    commands = jobs.commands()
    jobs.sort_files(monkeypatch)
    assert jobs.commands() == commands and not (jobs.job / "output.json").exists()


def test_a_terminal_that_is_gone_is_no_error_once_the_output_is_in_its_place(jobs):
    with open("/dev/full", "w") as full:
        told = subprocess.run(jobs.words("-k1,1:time(s)"), stderr=full, env=jobs.environment, timeout=300)
    assert told.returncode == 0 and jobs.output.read_bytes() == jobs.expected("-k1,1:time(s)")


@pytest.fixture
def interrupted(monkeypatch):
    """Ctrl-C comes as soon as the output, or the first part of it, is in its place."""
    put = output_module.put_in_place

    def put_and_interrupt(source, target):
        monkeypatch.setattr(output_module, "put_in_place", put)
        is_renamed = put(source, target)
        os.kill(os.getpid(), signal.SIGINT)
        return is_renamed
    monkeypatch.setattr(output_module, "put_in_place", put_and_interrupt)


@pytest.mark.parametrize("name", ["out", "part-{}"])
def test_ctrl_c_as_the_output_takes_its_place_says_that_it_is_complete(jobs, monkeypatch, interrupted, name):
    jobs.output = jobs.folder / name
    if name != "out":
        for number in range(4):
            (jobs.folder / name.format(number)).write_text("before")
    handler = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt) as told:
        jobs.sort_files(monkeypatch)
    assert told.value.__notes__ == [f"the output '{jobs.output}' is complete"]
    assert signal.getsignal(signal.SIGINT) == handler and "output.json" not in os.listdir(jobs.job)
    paths = [jobs.folder / name.format(number) for number in (range(1) if name == "out" else range(4))]
    assert b"".join(path.read_bytes() for path in paths) == jobs.expected()
    assert (jobs.folder / "manifest.json").exists() == (name != "out")
    commands = jobs.commands()
    assert jobs.sort_files(monkeypatch).output_records == len(jobs.expected().splitlines())
    assert jobs.commands() == commands


def test_a_handler_that_ends_nothing_has_the_job_end_as_usual(jobs, monkeypatch, interrupted):
    came = []
    before = signal.signal(signal.SIGINT, lambda number, frame: came.append(number))
    try:
        jobs.sort_files(monkeypatch)
    finally:
        signal.signal(signal.SIGINT, before)
    assert came == [signal.SIGINT] and jobs.output.read_bytes() == jobs.expected()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_command_that_is_ended_as_the_output_takes_its_place_says_that_it_is_complete(jobs, number):
    program = f"""
import os, sys
from sortie.cluster import command_line, output
put = output.put_in_place
output.put_in_place = lambda *paths: (put(*paths), os.kill(os.getpid(), {int(number)}))
command_line.main()
"""
    words = [sys.executable, "-c", program, *jobs.words()[len(DRIVER):]]
    told = subprocess.run(words, capture_output=True, text=True, timeout=300, env=jobs.environment)
    assert (told.returncode, told.stderr) == (-number, f"sortie-cluster: the output '{jobs.output}' is complete\n")
    assert jobs.output.read_bytes() == jobs.expected()


def test_the_second_ctrl_c_is_heeded_at_once():
    with pytest.raises(KeyboardInterrupt) as told, HeldSignals() as held:
        held.begin()
        os.kill(os.getpid(), signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
        held.note = "done"
    assert told.value.__notes__ == ["done"]


def test_signals_of_a_thread_are_left_alone(jobs, monkeypatch):
    handler = signal.getsignal(signal.SIGINT)
    thread = threading.Thread(target=jobs.sort_files, args=[monkeypatch])
    thread.start()
    thread.join()
    assert signal.getsignal(signal.SIGINT) == handler and jobs.output.read_bytes() == jobs.expected()
