"""Whoever ends the command of a cluster finds all ended that it has started, from its first moment on."""

import os
import pathlib
import signal
import subprocess
import sys

import pytest
from cluster_jobs import DRIVER, wait_until

from sortie import _native
from sortie.cluster import commands

SCRIPT = """#!/bin/sh
sleep 1000 &
echo $! > pid.new
mv pid.new pid
wait
"""


def is_running(process):
    try:
        return pathlib.Path("/proc", str(process), "stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_what_a_script_has_started_that_is_asked_for_a_plan_ends_with_the_driver(tmp_path, number):
    (tmp_path / "in").write_text("b\na\n")
    (tmp_path / "script").write_text(SCRIPT)
    (tmp_path / "script").chmod(0o755)
    words = [*DRIVER, "sort", "--job=job", "--command=./script", "-S", "32M", "-o", "out", "in"]
    with subprocess.Popen(words, cwd=tmp_path, stderr=subprocess.PIPE, text=True) as driver:
        wait_until((tmp_path / "pid").exists)
        started = int((tmp_path / "pid").read_text())
        driver.send_signal(number)
        assert driver.stderr.read() == "" and driver.wait() == -number
    # What has closed its files may take a moment to end.
    wait_until(lambda: not is_running(started))


@pytest.mark.parametrize("words", [["sh", "-c", "exec sleep 1000"], ["sh", "-c", "exec >&- 2>&-; exec sleep 1000"]])
def test_a_signal_that_comes_as_a_command_starts_ends_it(monkeypatch, words):
    running = []

    class Native:
        @staticmethod
        def spawn(*arguments):
            error = _native.spawn(*arguments)
            running.extend(arguments[-1])
            # As soon as the command is there, or once its pipes are closed.
            signal.setitimer(signal.ITIMER_REAL, 0.5 if ">&-" in words[-1] else 1e-6)
            return error

    def end(number, frame):
        raise KeyboardInterrupt

    monkeypatch.setattr(commands, "_native", Native)
    usual = signal.signal(signal.SIGALRM, end)
    try:
        with pytest.raises(KeyboardInterrupt):
            commands.run_process(words, {})
    finally:
        signal.signal(signal.SIGALRM, usual)
    assert len(running) == 1 and not is_running(running[0])


def test_a_hangup_that_is_ignored_stays_ignored(tmp_path):
    (tmp_path / "in").write_text("b\na\n")
    (tmp_path / "script").write_text(f"#!/bin/sh\nkill -HUP $PPID\nexec {sys.executable} -m sortie \"$@\"\n")
    (tmp_path / "script").chmod(0o755)
    words = ["nohup", *DRIVER, "sort", "--quiet", "--job=job", "--command=./script", "-S", "32M", "-o", "out", "in"]
    assert subprocess.run(words, cwd=tmp_path, capture_output=True, stdin=subprocess.DEVNULL).returncode == 0
    assert (tmp_path / "out").read_text() == "a\nb\n"


@pytest.mark.parametrize("module, loaded", [("sortie", "platform"), ("sortie.cluster", "shutil")])
def test_ctrl_c_while_the_command_is_loaded_leaves_no_traceback(tmp_path, module, loaded):
    (tmp_path / f"{loaded}.py").write_text("import os, signal, time\nos.kill(os.getpid(), "
                                           "signal.SIGINT)\ntime.sleep(9)\n")
    path = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    done = subprocess.run([sys.executable, "-m", module, "--version"], capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": path})
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, "", "")


def test_a_program_that_loads_the_package_keeps_its_ctrl_c(run_python):
    done = run_python("import signal, sortie.cluster; assert signal.getsignal(2) is signal.default_int_handler")
    assert done.returncode == 0, done.stderr
