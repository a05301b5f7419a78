"""What a cluster engine does: it decides where and when attempts at tasks run. The truth is in the job directory."""

import errno
import os
import queue
import threading
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from .. import Error
from .commands import Commands, NotThere, Refused
from .machine import node_name
from .tasks import Task

_NUMBERS = (errno.ENOSPC, errno.EDQUOT)


def with_advice(text: str, job: str, scratch: str | None, output: str | None) -> str:
    """The same message if it is of something else. output: where a task writes."""
    for reason in map(os.strerror, _NUMBERS):
        front, found, _ = text.partition(reason)
        if found:
            return front + found + _advice(front, job, scratch, output)
    return text


def refuse_full(error: OSError, job: str) -> Error:
    """The error that a driver ends with that could not keep what it knows."""
    place = os.fsdecode(error.filename or job)
    return Error(with_advice(f"cannot write '{place}': {error.strerror}", job, None, None))


def is_full(error: OSError) -> bool:
    return error.errno in _NUMBERS


def _advice(front: str, job: str, scratch: str | None, output: str | None) -> str:
    again = ", and give the command again to go on"
    if f"{job}/" in front or f"'{job}'" in front:
        return f"; make room in the job directory '{job}'{again}"
    if scratch is not None and f"{scratch}/" in front:
        return f"; make room in the scratch folder '{os.path.dirname(scratch)}'{again}"
    if output is not None and os.path.dirname(output) in front:
        return f"; make room for the output{again}"
    return ""


@dataclass(frozen=True, eq=False)
class Attempt:
    """One try of a task. Each is an object of its own, equal to no other."""

    task: Task


class Failure(NamedTuple):
    """text: what went wrong, with the machine's name. is_final: the inputs are refused, or a machine has no command, as it
    would be again; the text names them."""

    text: str
    is_final: bool = False


@dataclass(frozen=True)
class Outcome:
    """failure: what went wrong, or None."""

    attempt: Attempt
    failure: Failure | None


def run_task(task: Task, commands: Commands) -> Failure | None:
    """Returns what went wrong, or None."""
    try:
        commands.refuse_if_cancelled()
        task.run(commands)
    except (Error, OSError, LookupError, TypeError, ValueError) as error:
        # Whatever is wrong with what a command printed, or a file held, is a failure of this attempt.
        setting = task.setting
        text = with_advice(_said(error), setting.directory().path, setting.scratch, getattr(task, "output", None))
        # Only what forms runs reads inputs: the others are refused what the job has made.
        is_refused = isinstance(error, Refused) and task.stage == "form"
        return Failure(text, is_refused or isinstance(error, NotThere))
    return None


def _said(error: Exception) -> str:
    if isinstance(error, Error):
        return str(error)
    if isinstance(error, OSError) and error.filename is not None:
        return f"on {node_name()}: cannot use '{os.fsdecode(error.filename)}': {error.strerror}"
    return f"on {node_name()}: {type(error).__name__}: {error}"


class Engine(Protocol):
    @property
    def slots(self) -> int:
        """How many attempts run at once. More may be submitted, and wait."""

    def submit(self, attempt: Attempt) -> None: ...

    def has_begun(self, attempt: Attempt) -> bool:
        """Whether it may run by now; False while it is known to wait its turn."""

    def wait(self, seconds: float) -> Outcome | None:
        """The next attempt that has ended; None if there is none so soon."""

    def is_idle(self) -> bool:
        """Whether nothing runs or waits, and no outcome is to be told."""

    def cancel(self, attempt: Attempt) -> None:
        """Ends it, if it has not ended. Its outcome is told all the same."""

    def stop(self) -> None:
        """Ends all that runs, and waits for that."""


class LocalEngine:
    def __init__(self, slots: int, command: str) -> None:
        self.slots = slots
        self._command = command
        self._waiting: queue.SimpleQueue[Attempt | None] = queue.SimpleQueue()
        self._ended: queue.SimpleQueue[Outcome] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._commands: dict[Attempt, Commands] = {}
        self._threads = [threading.Thread(target=self._work, name=f"sortie-slot-{i}", daemon=True)
                         for i in range(slots)]
        for thread in self._threads:
            thread.start()

    def submit(self, attempt: Attempt) -> None:
        with self._lock:
            self._commands[attempt] = Commands(self._command, attempt.task.setting.environment)
        self._waiting.put(attempt)

    def has_begun(self, attempt: Attempt) -> bool:
        # No more are submitted than there is room for.
        return True

    def is_idle(self) -> bool:
        with self._lock:
            return not self._commands and self._ended.empty()

    def wait(self, seconds: float) -> Outcome | None:
        try:
            return self._ended.get(timeout=seconds)
        except queue.Empty:
            return None

    def cancel(self, attempt: Attempt) -> None:
        with self._lock:
            commands = self._commands.get(attempt)
        if commands is not None:
            commands.cancel()

    def stop(self) -> None:
        with self._lock:
            unfinished = list(self._commands.values())
        for commands in unfinished:
            commands.cancel()
        for _ in self._threads:
            self._waiting.put(None)
        for thread in self._threads:
            thread.join()

    def _work(self) -> None:
        while (attempt := self._waiting.get()) is not None:
            failure = run_task(attempt.task, self._commands[attempt])
            with self._lock:
                del self._commands[attempt]
            self._ended.put(Outcome(attempt, failure))
