"""--engine=slurm: attempts are elements of array jobs of Slurm, which says where they run. The driver is a process on
any machine that sees the job directory and has sbatch, squeue and scancel.

An element leaves what came of it as a file. What Slurm says is a hint: an element that it does not know any more, and
that has left no file, counts as failed. What jobs need beside processors and memory, such as a partition or an account,
sbatch takes from its own variables (SBATCH_PARTITION, SBATCH_ACCOUNT)."""

import errno
import os
import re
import shlex
import sys
import time
from dataclasses import dataclass

from .. import Error
from ..__main__ import find_command
from .commands import Commands
from .engine import Attempt, Engine, Failure, Outcome, run_task
from .job import JobDirectory
from .job_plan import BESIDE_BYTES, Resources, node_name
from .merge_tasks import task_from_json, task_to_json
from .slurm_commands import NoAnswer, TooMany, cancel_elements, known_elements, submit_array
from .written_files import attempt_name, read_json, remove_file, write_json, write_text

_SECONDS_BETWEEN_LOOKS = 0.2
# Slurm answers slowly where it has much to do.
_SECONDS_BETWEEN_QUESTIONS = 10.0
_SECONDS_BETWEEN_QUESTIONS_AT_THE_END = 1.0
# How long a Slurm that took jobs before may be silent before that ends the sort.
_SECONDS_WITHOUT_ANSWER, _SECONDS_BETWEEN_TRIES = 1800.0, 5.0
# An element that Slurm does not know may have left a file that a network file system does not show yet.
_SECONDS_TO_APPEAR = 60.0
# For so long Slurm may count an element that has ended as one of the user's jobs, until it has cleaned up behind it.
_SECONDS_TO_COMPLETE = 60.0
_MOST_AT_ONCE = 1000
# Why an element waits that no node of its partition can run.
_NEVER_BEGINS = ("PartitionConfig", "PartitionNodeLimit", "BadConstraints")
# MaxArraySize of a cluster that sets none is 1001. Where it is less, arrays become smaller.
_MOST_IN_ARRAY = 1000
# What a shell says where a node has no such Python.
_NOT_THERE = re.compile(f"but said: .*: (not found|{os.strerror(errno.ENOENT)}); see ")
# The Python that starts the command, and waits for it.
_INTERPRETER_BYTES = 32 << 20


@dataclass
class _Element:
    """One element of an array job. name: of its files. job: as JOB_INDEX. waits: whether it has not begun, as far as is
    known. gone: when it was found that Slurm does not know it."""

    name: str
    job: str
    log: str
    waits: bool = True
    is_cancelled: bool = False
    gone: float | None = None


class SlurmEngine(Engine):
    """resources: of one command. most: elements at once. command: None for that of the package on the node."""

    def __init__(self, resources: Resources, most: int | None, gpus: int, command: str | None) -> None:
        self.slots = most or _MOST_AT_ONCE
        self._resources = resources
        self._gpus = gpus
        self._command = command
        self._waiting: list[Attempt] = []
        self._running: dict[Attempt, _Element] = {}
        self._ended: list[Outcome] = []
        self._asked = time.monotonic()
        self._most_in_array = _MOST_IN_ARRAY
        self._submit_from = 0.0
        self._last_end: float | None = None
        self._has_answered = False
        self._unanswered_since: float | None = None
        # Where scripts of this job lie, once there may be some that Slurm knows.
        self._folder: str | None = None
        self._is_submitting = False

    def submit(self, attempt: Attempt) -> None:
        self._waiting.append(attempt)

    def has_begun(self, attempt: Attempt) -> bool:
        return attempt in self._running and not self._running[attempt].waits

    def wait(self, seconds: float) -> Outcome | None:
        end = time.monotonic() + seconds
        while True:
            self._submit_waiting()
            if not self._ended:
                self._ask_slurm()
                self._collect()
            if self._ended:
                return self._ended.pop()
            if time.monotonic() > end:
                return None
            time.sleep(_SECONDS_BETWEEN_LOOKS)

    def _collect(self) -> None:
        """One look at the folder for all: a thousand files that are not there yet cost a network file system much."""
        names = set(os.listdir(self._folder)) if self._folder is not None and self._running else set()
        for attempt, element in list(self._running.items()):
            outcome = f"{element.name}.outcome"
            told = read_json(outcome) if os.path.basename(outcome) in names else None
            if told is not None:
                self._end(attempt, told["failure"] and Failure(*told["failure"]))
                for path in (f"{element.name}.task", f"{element.name}.end", outcome):
                    remove_file(path)
            elif element.gone is not None and element.is_cancelled:
                self._end(attempt, Failure("ended from outside"))
            elif element.gone is not None and time.monotonic() > element.gone + _SECONDS_TO_APPEAR:
                why = _why_gone(element)
                self._end(attempt, Failure(why, _NOT_THERE.search(why) is not None))

    def _end(self, attempt: Attempt, failure: Failure | None) -> None:
        del self._running[attempt]
        self._last_end = time.monotonic()
        self._ended.append(Outcome(attempt, failure))

    def _submit_waiting(self) -> None:
        """What was submitted since the last call becomes array jobs. Raises Error if Slurm refuses it."""
        while self._waiting and time.monotonic() >= self._submit_from:
            attempts = self._waiting[:self._most_in_array]
            try:
                self._submit_array(attempts)
            except TooMany:
                if len(attempts) > 1:
                    self._most_in_array = len(attempts) // 2
                elif self._running:
                    self._submit_from = time.monotonic() + _SECONDS_BETWEEN_QUESTIONS
                elif self._last_end is not None and time.monotonic() < self._last_end + _SECONDS_TO_COMPLETE:
                    self._submit_from = time.monotonic() + _SECONDS_BETWEEN_QUESTIONS_AT_THE_END
                else:
                    raise
            except NoAnswer:
                now = time.monotonic()
                self._unanswered_since = self._unanswered_since or now
                if not self._has_answered or now > self._unanswered_since + _SECONDS_WITHOUT_ANSWER:
                    raise
                self._submit_from = now + _SECONDS_BETWEEN_TRIES
            else:
                self._has_answered, self._unanswered_since = True, None
                del self._waiting[:len(attempts)]

    def _submit_array(self, attempts: list[Attempt]) -> None:
        job = attempts[0].task.setting.whole_job()
        if self._folder is None:
            self._prepare(job)
        names = [job.file(f"slurm/{attempt_name()}") for _ in attempts]
        for name, attempt in zip(names, attempts, strict=True):
            write_json(f"{name}.task", {"task": task_to_json(attempt.task), "command": self._command})
        array = job.file(f"slurm/{attempt_name()}")
        write_json(f"{array}.list", names)
        write_text(f"{array}.sh", _script(f"{array}.list"))
        self._is_submitting = True
        try:
            number = submit_array(self._words(attempts[0].task.stage, array, len(attempts)))
        except Error:
            self._is_submitting = False
            raise
        for index, (name, attempt) in enumerate(zip(names, attempts, strict=True)):
            self._running[attempt] = _Element(name, f"{number}_{index}", f"{array}.{index}.log")
        self._is_submitting = False

    def _prepare(self, job: JobDirectory) -> None:
        """A driver that was killed has left elements that wait, or run."""
        if "\\" in job.path:
            raise Error(f"'{job.path}' has a backslash in its name, which Slurm takes out: name another with --job")
        self._folder = job.file("slurm")
        self._cancel_all()

    def _cancel_all(self) -> None:
        """All elements of this job, whichever driver submitted them."""
        known = known_elements() or {}
        elements = [element for element, told in known.items() if told.script.startswith(f"{self._folder}/")]
        if elements:
            cancel_elements(elements, only_waiting=False)

    def _words(self, stage: str, array: str, count: int) -> list[str]:
        memory = -(-(self._resources.memory_bytes + BESIDE_BYTES + _INTERPRETER_BYTES) // (1 << 20))
        # Slurm would run an element again only after minutes, or hold it: the driver does so at once.
        return [f"--job-name=sortie-{stage}", f"--array=0-{count - 1}", "--no-requeue",
                f"--cpus-per-task={self._resources.threads}", f"--mem={memory}M",
                f"--output={array.replace('%', '%%')}.%a.log", *([f"--gres=gpu:{self._gpus}"] if self._gpus else []),
                f"{array}.sh"]

    def _ask_slurm(self) -> None:
        cancelled = [element for element in self._running.values() if element.is_cancelled]
        pause = _SECONDS_BETWEEN_QUESTIONS_AT_THE_END if cancelled else _SECONDS_BETWEEN_QUESTIONS
        if not self._running or time.monotonic() < self._asked + pause:
            return
        # Those that run end by the file, and say so.
        waiting = [element.job for element in cancelled if element.waits]
        if waiting:
            cancel_elements(waiting, only_waiting=True)
        known = known_elements()
        self._asked = time.monotonic()
        for element in self._running.values():
            if known is None:
                element.gone = None
            elif element.job in known:
                element.gone, element.waits = None, known[element.job].waits
                if element.waits and known[element.job].reason in _NEVER_BEGINS:
                    raise Error(f"in Slurm: element {element.job} waits, and cannot begin "
                                f"({known[element.job].reason}): ask for less with -S and --parallel, or for another "
                                "partition with SBATCH_PARTITION")
            elif element.gone is None:
                element.gone = self._asked

    def is_idle(self) -> bool:
        return not (self._waiting or self._running or self._ended)

    def cancel(self, attempt: Attempt) -> None:
        if attempt in self._waiting:
            self._waiting.remove(attempt)
            self._ended.append(Outcome(attempt, Failure("ended from outside")))
        element = self._running.get(attempt)
        if element is not None and not element.is_cancelled:
            element.is_cancelled = True
            write_text(f"{element.name}.end", "")

    def stop(self) -> None:
        if self._running or self._is_submitting:
            self._cancel_all()


def _why_gone(element: _Element) -> str:
    try:
        with open(element.log, encoding="utf-8", errors="replace") as file:
            lines = file.read().strip().splitlines()
    except OSError:
        return (f"in Slurm: element {element.job} ended and left neither a result nor a log: was it cancelled, or does "
                "its node not see the job directory?")
    said = f", but said: {lines[-1]}" if lines else ""
    return f"in Slurm: element {element.job} ended and left no result in the job directory{said}; see {element.log}"


def slurm_resources(memory_bytes: int | None, threads: int | None) -> Resources:
    """Resources of machines that are not known: what is asked for."""
    if memory_bytes is None:
        raise Error("--engine=slurm needs -S: say how much memory each command may use")
    return Resources(1, memory_bytes, threads or 1)


def _script(path: str) -> str:
    words = [sys.executable, "-m", "sortie.cluster.slurm_engine", path]
    return f"#!/bin/sh\nexec {shlex.join(words)} \"$SLURM_ARRAY_TASK_ID\"\n"


def run_element(path: str, index: int) -> None:
    """On some node, as an element of an array job."""
    names = read_json(path)
    told = None if names is None else read_json(f"{names[index]}.task")
    if told is None:
        raise SystemExit(f"nothing is to be done here any more: '{path}' is gone")
    name = names[index]
    task = task_from_json(told["task"])
    try:
        command = told["command"] or find_command()
    except Error as caught:
        failure: Failure | None = Failure(f"on {node_name()}: {caught}", is_final=True)
    else:
        failure = run_task(task, Commands(command, task.setting.environment, f"{name}.end"))
    write_json(f"{name}.outcome", {"failure": failure})


if __name__ == "__main__":
    run_element(sys.argv[1], int(sys.argv[2]))
