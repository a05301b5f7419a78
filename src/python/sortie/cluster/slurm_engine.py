"""--engine=slurm: attempts are elements of array jobs of Slurm, which says where they run. The driver is a process on
any machine that sees the job directory and has sbatch and squeue.

An element leaves what came of it as a file. What Slurm says is a hint: an element that it does not know any more, and
that has left no file, counts as failed. What jobs need beside processors and memory, such as a partition or an account,
sbatch takes from its own variables (SBATCH_PARTITION, SBATCH_ACCOUNT)."""

import os
import shlex
import subprocess
import sys
import time
from dataclasses import dataclass

from .. import Error
from ..__main__ import find_command
from .commands import Commands, node_name
from .engine import Attempt, Outcome, run_task
from .job import JobDirectory
from .job_plan import Resources
from .json_files import attempt_name, read_json, write_json, write_text
from .machine import BESIDE_BYTES
from .tasks import task_from_json, task_to_json

_SECONDS_BETWEEN_LOOKS = 0.2
# Slurm answers slowly where it has much to do.
_SECONDS_BETWEEN_QUESTIONS = 10.0
# An element that Slurm does not know may have left a file that a network file system does not show yet.
_SECONDS_TO_APPEAR = 60.0
_MOST_AT_ONCE = 1000


@dataclass
class _Element:
    """One element of an array job. gone: when it was found that Slurm does not know it."""

    attempt: Attempt
    job: str
    gone: float | None = None


class SlurmEngine:
    """resources: of one command. most: elements at once. command: None for that of the package on the node."""

    def __init__(self, resources: Resources, most: int | None, gpus: int, command: str | None) -> None:
        self.slots = most or _MOST_AT_ONCE
        self._resources = resources
        self._gpus = gpus
        self._command = command
        self._waiting: list[Attempt] = []
        self._running: dict[str, _Element] = {}
        self._ended: list[Outcome] = []
        self._asked = time.monotonic()

    def submit(self, attempt: Attempt) -> None:
        self._waiting.append(attempt)

    def wait(self, seconds: float) -> Outcome | None:
        """What was submitted since the last call becomes one array job."""
        if self._waiting:
            self._start_array()
        end = time.monotonic() + seconds
        while True:
            if self._ended:
                return self._ended.pop()
            self._ask_slurm()
            for name, element in self._running.items():
                outcome = self._outcome(name, element)
                if outcome is not None:
                    del self._running[name]
                    return outcome
            if time.monotonic() > end:
                return None
            time.sleep(_SECONDS_BETWEEN_LOOKS)

    def _outcome(self, name: str, element: _Element) -> Outcome | None:
        told = read_json(f"{name}.outcome")
        if told is not None:
            return Outcome(element.attempt, told["error"])
        if element.gone is None or time.monotonic() < element.gone + _SECONDS_TO_APPEAR:
            return None
        return Outcome(element.attempt, f"in Slurm: element {element.job} ended and left no result; see {name}.log")

    def _start_array(self) -> None:
        attempts, self._waiting = self._waiting, []
        try:
            self._submit_array(attempts)
        except (Error, OSError) as error:
            self._ended += [Outcome(attempt, str(error)) for attempt in attempts]

    def _submit_array(self, attempts: list[Attempt]) -> None:
        job = attempts[0].task.setting.directory()
        names = [job.file(f"slurm/{attempt_name()}") for _ in attempts]
        for name, attempt in zip(names, attempts, strict=True):
            write_json(f"{name}.task", {"task": task_to_json(attempt.task), "command": self._command})
        array = job.file(f"slurm/{attempt_name()}")
        write_json(f"{array}.list", names)
        write_text(f"{array}.sh", _script(f"{array}.list"))
        number = _sbatch(self._words(attempts[0].task.stage, array, len(attempts)))
        for index, (name, attempt) in enumerate(zip(names, attempts, strict=True)):
            self._running[name] = _Element(attempt, f"{number}_{index}")

    def _words(self, stage: str, array: str, count: int) -> list[str]:
        memory = -(-(self._resources.memory_bytes + BESIDE_BYTES) // (1 << 20))
        return ["sbatch", "--parsable", f"--job-name=sortie-{stage}", f"--array=0-{count - 1}",
                f"--cpus-per-task={self._resources.threads}", f"--mem={memory}M", f"--output={array}.%a.log",
                *([f"--gres=gpu:{self._gpus}"] if self._gpus else []), f"{array}.sh"]

    def _ask_slurm(self) -> None:
        if not self._running or time.monotonic() < self._asked + _SECONDS_BETWEEN_QUESTIONS:
            return
        known = _known_elements({element.job.partition("_")[0] for element in self._running.values()})
        self._asked = time.monotonic()
        for element in self._running.values():
            if known is None or element.job in known:
                element.gone = None
            elif element.gone is None:
                element.gone = self._asked

    def is_idle(self) -> bool:
        return not (self._waiting or self._running or self._ended)

    def cancel(self, attempt: Attempt) -> None:
        if attempt in self._waiting:
            self._waiting.remove(attempt)
            self._ended.append(Outcome(attempt, "ended from outside"))
        for name, element in self._running.items():
            if element.attempt is attempt:
                # Its command ends by the file, and the element says so; one that waits ends at once.
                write_text(f"{name}.end", "")

    def stop(self) -> None:
        for attempt in [element.attempt for element in self._running.values()]:
            self.cancel(attempt)


def slurm_resources(memory_bytes: int | None, threads: int | None) -> Resources:
    """Of machines that are not known: what is asked for."""
    if memory_bytes is None:
        raise Error("--engine=slurm needs -S: say how much memory each command may use")
    return Resources(1, memory_bytes, threads or 1)


def _script(path: str) -> str:
    words = [sys.executable, "-m", "sortie.cluster.slurm_engine", path]
    return f"#!/bin/sh\nexec {shlex.join(words)} \"$SLURM_ARRAY_TASK_ID\"\n"


def _sbatch(words: list[str]) -> str:
    try:
        done = subprocess.run(words, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    except OSError as error:
        raise Error(f"cannot run sbatch: {error.strerror}; --engine=slurm is for machines of a Slurm cluster") from None
    number = done.stdout.strip().partition(";")[0]
    if done.returncode != 0 or not number.isdigit():
        lines = done.stderr.strip().splitlines() or [f"status {done.returncode}"]
        raise Error(f"sbatch failed: {lines[-1]}")
    return number


def _known_elements(jobs: set[str]) -> set[str] | None:
    """Elements that wait or run, as JOB_INDEX; None if Slurm does not answer."""
    done = subprocess.run(["squeue", "--noheader", "--array", "--format=%F_%K", f"--jobs={','.join(sorted(jobs))}"],
                          capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        # It says so, too, of jobs that have ended long ago.
        return set() if "Invalid job id" in done.stderr else None
    return set(done.stdout.split())


def run_element(path: str, index: int) -> None:
    """On some node, as an element of an array job."""
    name = read_json(path)[index]
    told = read_json(f"{name}.task")
    task = task_from_json(told["task"])
    try:
        commands = Commands(told["command"] or find_command(), task.setting.environment, f"{name}.end")
        error = run_task(task, commands)
    except Error as caught:
        error = f"on {node_name()}: {caught}"
    write_json(f"{name}.outcome", {"error": error})


if __name__ == "__main__":
    run_element(sys.argv[1], int(sys.argv[2]))
