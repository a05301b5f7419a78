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


class Jobs:
    """In folder: inputs a, b and c, which is empty; runs jobs with few bytes a shard, so that there are many."""

    def __init__(self, folder, seed=1, values=3000, lines=(2500, 1500, 0), faults=None, shard="6K", ranges=4):
        self.folder, self.shard, self.ranges = folder, shard, ranges
        self.faults = faults or folder / "faults"
        self.faults.mkdir(exist_ok=True)
        numbers = random.Random(seed)
        self.inputs = [folder / name for name in "abc"]
        for path, count in zip(self.inputs, lines):
            path.write_text("".join(f"{numbers.randrange(values):05}\n" for _ in range(count)))
        self.output = folder / "out"
        self.job = folder / "job"
        self.environment = {**os.environ, "LC_ALL": "C", "SORTIE_FAULTS": str(self.faults),
                            "SORTIE_REAL": find_command()}

    def take_names_that_messages_quote(self):
        """In a locale where their quotes are not those of a shell."""
        self.job = self.folder / "it's a job"
        self.environment["LC_ALL"] = "C.UTF-8"

    def fail(self, task, how):
        (self.faults / task).write_text(how)

    def commands(self):
        """The tasks whose commands were started, in turn."""
        return (self.faults / LOG).read_text().split() if (self.faults / LOG).exists() else []

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
