"""Jobs of a cluster on this machine, by a command that fails where a test says so (faulty_command)."""

import os
import pathlib
import random
import subprocess
import sys
import time

import sortie.cluster
from sortie.__main__ import find_command

HERE = pathlib.Path(__file__).parent
FAULTY = HERE / "faulty_command"
DRIVER = [sys.executable, "-m", "sortie.cluster"]
LOG = "log"
# However busy the machine is.
SECONDS_TO_WAIT = 300


def wait_until(condition):
    """Fails before what hangs, for ten minutes, would end by itself."""
    end = time.monotonic() + SECONDS_TO_WAIT
    while not condition():
        assert time.monotonic() < end, "it does not come about"
        time.sleep(0.02)


class Faults:
    """What becomes of commands, as faulty_command has it, which reads it in that folder."""

    def __init__(self, folder):
        self.folder = folder
        self.folder.mkdir(exist_ok=True)
        self.environment = {"SORTIE_FAULTS": str(self.folder), "SORTIE_REAL": find_command()}

    def fail(self, task, how):
        (self.folder / task).write_text(how)

    def commands(self):
        """The tasks whose commands were started, in turn."""
        return (self.folder / LOG).read_text().split() if (self.folder / LOG).exists() else []


class Jobs:
    """In folder: inputs a, b and c, which is empty; runs jobs with few bytes a shard, so that there are many."""

    def __init__(self, folder, seed=1, values=3000, lines=(2500, 1500, 0), faults=None, shard="6K", ranges=4):
        self.folder, self.shard, self.ranges = folder, shard, ranges
        self.faults = faults or folder / "faults"
        told = Faults(self.faults)
        self.fail, self.commands = told.fail, told.commands
        numbers = random.Random(seed)
        self.inputs = [folder / name for name in "abc"]
        for path, count in zip(self.inputs, lines):
            path.write_text("".join(f"{numbers.randrange(values):05}\n" for _ in range(count)))
        self.output = folder / "out"
        self.job = folder / "job"
        self.environment = {**os.environ, "LC_ALL": "C", **told.environment}

    def take_names_that_messages_quote(self):
        """In a locale where their quotes are not those of a shell."""
        self.job = self.folder / "it's a job"
        self.environment["LC_ALL"] = "C.UTF-8"

    def running_commands(self):
        found = []
        for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
            try:
                words = path.read_bytes()
            except OSError:
                continue
            is_command = any(name.encode() in words for name in (str(FAULTY), self.environment["SORTIE_REAL"]))
            if is_command and str(self.job).encode() in words and b"sortie.cluster" not in words:
                found.append(words)
        return found

    def words(self, *options):
        return [*DRIVER, "sort", f"--job={self.job}", f"--shard={self.shard}", f"--ranges={self.ranges}", "--workers=2",
                "-S", "256K", f"--command={FAULTY}", *options, "-o", str(self.output), *map(str, self.inputs)]

    def run(self, *options):
        return self.run_words(self.words(*options))

    def run_words(self, words):
        return subprocess.run(words, capture_output=True, text=True, timeout=300, env=self.environment)

    def start(self, *options):
        return subprocess.Popen(self.words(*options), stderr=subprocess.PIPE, text=True, env=self.environment)

    def expected(self, *options):
        """What one command makes of the inputs."""
        return subprocess.run([find_command(), *options, *map(str, self.inputs)], capture_output=True, check=True,
                              env={**os.environ, "LC_ALL": "C"}).stdout

    def sort_files(self, monkeypatch, **options):
        """The same in this process."""
        for name in ("SORTIE_FAULTS", "SORTIE_REAL"):
            monkeypatch.setenv(name, self.environment[name])
        return sortie.cluster.sort_files(self.inputs, self.output, **{
            "job": self.job, "shard": self.shard, "ranges": self.ranges, "workers": 2, "memory": "256K",
            "command": FAULTY, **options})


def check_output(jobs, *options):
    assert jobs.output.read_bytes() == jobs.expected(*options)
    assert sorted(os.listdir(jobs.job)) == ["lock", "plan.json", "report.json", "request.json"]
    assert sorted(os.listdir(jobs.folder)) == ["a", "b", "c", "faults", jobs.job.name, "out"]


def check(jobs, *options):
    """Runs the job, whose output is that of one command. Returns what it told."""
    told = jobs.run(*options)
    assert told.returncode == 0, told.stderr
    check_output(jobs, *options)
    return told


def stop_before(jobs, task, *options):
    """Runs the job until the task fails for good. Those behind it are not begun by then: with more workers they may be
    done where the machine is busy."""
    jobs.fail(task, "fail")
    assert jobs.run("--attempts=1", "--workers=1", *options).returncode == 2


def go_on_with_damaged_state(jobs, name, text, *options):
    """Goes on with a job that was stopped, of whose files one says `text`, or is missing where that is None: it ends well,
    or says in a line why it does not, and leaves the output as it was."""
    if text is None:
        (jobs.job / name).unlink()
    else:
        (jobs.job / name).write_text(text)
    status = jobs.run_words([*DRIVER, "status", f"--job={jobs.job}"])
    assert status.returncode == 0 or (status.returncode == 2 and status.stderr.count("\n") == 1), status.stderr
    told = jobs.run("--workers=1", "--attempts=1", *options)
    if told.returncode == 0:
        return check_output(jobs, *options)
    assert told.returncode == 2 and told.stderr.count("\n") == 1, told.stderr
    assert jobs.output.read_text() == "old"
