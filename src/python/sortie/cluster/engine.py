"""How attempts at tasks run: what an engine of a cluster does, which decides where and when, and how the tasks of a
stage are seen through. Those that fail are tried again, those that take too long get a second attempt beside the first.
The truth is in the job directory."""

import errno
import os
import queue
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import NamedTuple

from .. import Error
from .commands import Commands, FileDamaged, NotThere, Refused
from .job_plan import node_name
from .tasks import RangeDamaged, Task

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
    """text: what went wrong, with the machine's name. is_final: the inputs are refused, or a machine has no command, as
    it would be again; the text names them. damaged_range: the merged range whose file is not what was written, if it is
    that.
    file: the path of the one that cannot be used, if it is that; of one that the system does not open or read, as
    messages show it."""

    text: str
    is_final: bool = False
    damaged_range: int | None = None
    file: str | None = None


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
        text = with_advice(_said(error), setting.whole_job().path, setting.scratch, getattr(task, "output", None))
        # Only what forms runs reads inputs, and joins name the record of an input that no row can be made of: all else
        # is refused of what the job has made.
        is_refused = isinstance(error, Refused) and (task.stage == "form" or error.what == "record")
        return Failure(text, is_refused or isinstance(error, NotThere),
                       error.number if isinstance(error, RangeDamaged) else None,
                       error.file if isinstance(error, FileDamaged) else None)
    return None


def _said(error: Exception) -> str:
    if isinstance(error, Error):
        return str(error)
    if isinstance(error, OSError) and error.filename is not None:
        return f"on {node_name()}: cannot use '{os.fsdecode(error.filename)}': {error.strerror}"
    return f"on {node_name()}: {type(error).__name__}: {error}"


class Engine:
    """slots: how many attempts run at once. More may be submitted, and wait."""

    slots: int

    def submit(self, attempt: Attempt) -> None:
        raise NotImplementedError

    def has_begun(self, attempt: Attempt) -> bool:
        """Whether it may run by now; False while it is known to wait its turn."""
        return True

    def wait(self, seconds: float) -> Outcome | None:
        """The next attempt that has ended; None if there is none so soon."""
        raise NotImplementedError

    def is_idle(self) -> bool:
        """Whether nothing runs or waits, and no outcome is to be told."""
        raise NotImplementedError

    def cancel(self, attempt: Attempt) -> None:
        """Ends it, if it has not ended. Its outcome is told all the same."""

    def stop(self) -> None:
        """Ends all that runs, and waits for that."""


class LocalEngine(Engine):
    """--engine=local: commands on this machine, some at once. Needs the standard library alone."""

    def __init__(self, slots: int, command: str) -> None:
        self.slots = slots
        self._command = command
        self._pool = ThreadPoolExecutor(slots, "sortie-slot")
        self._ended: queue.SimpleQueue[Outcome] = queue.SimpleQueue()
        self._commands: dict[Attempt, Commands] = {}
        self._handed_over: dict[Attempt, Future[None]] = {}

    def submit(self, attempt: Attempt) -> None:
        commands = self._commands[attempt] = Commands(self._command, attempt.task.setting.environment)
        self._handed_over[attempt] = self._pool.submit(self._work, attempt, commands)

    def _work(self, attempt: Attempt, commands: Commands) -> None:
        self._ended.put(Outcome(attempt, run_task(attempt.task, commands)))

    def is_idle(self) -> bool:
        # Ctrl-C may have come before an attempt was handed over: that one never ends.
        return all(work.done() for work in self._handed_over.values()) and self._ended.empty()

    def wait(self, seconds: float) -> Outcome | None:
        try:
            outcome = self._ended.get(timeout=seconds)
        except queue.Empty:
            return None
        del self._commands[outcome.attempt]
        self._handed_over.pop(outcome.attempt, None)
        return outcome

    def cancel(self, attempt: Attempt) -> None:
        if attempt in self._commands:
            self._commands[attempt].cancel()

    def stop(self) -> None:
        for commands in self._commands.values():
            commands.cancel()
        self._pool.shutdown()


# A task is late that takes so many times as long as half of the others did, and no less than so many seconds.
_LATE_TIMES, LATE_SECONDS = 3.0, 30.0
_WAIT_SECONDS = 0.5
# Commands that are ended take no longer.
_SECONDS_TO_END = 60.0
# A network file system may show late what another machine has written.
_PAUSES_SECONDS = (0.0, 0.1, 1.0, 5.0, 30.0)


class TaskFailed(Error):
    """A task that failed as often as it may."""


def _shows_result(task: Task) -> bool:
    for seconds in _PAUSES_SECONDS:
        time.sleep(seconds)
        if task.is_done():
            return True
    return False


@dataclass
class Stage:
    """limit: how often a task may fail. on_done: called with each task that is done; on_failure: with what went wrong,
    whenever one fails; what they raise ends the stage."""

    engine: Engine
    limit: int
    on_done: Callable[[Task], None]
    on_failure: Callable[[Failure], None]
    retries: int = 0
    second_attempts: int = 0

    def __post_init__(self) -> None:
        self._running: dict[Attempt, float] = {}
        self._failures: dict[int, int] = {}
        self._seconds: list[float] = []

    def run(self, tasks: Sequence[Task]) -> None:
        """Raises TaskFailed, and Error for inputs that are refused. No attempt runs any more when it returns, or
        raises."""
        try:
            self._see_through(tasks)
        finally:
            for attempt in self._running:
                self.engine.cancel(attempt)
            # Ctrl-C may have come before an attempt was handed over, or when its end was known but not yet noted.
            give_up = time.monotonic() + _SECONDS_TO_END
            while self._running and not self.engine.is_idle() and time.monotonic() < give_up:
                outcome = self.engine.wait(_WAIT_SECONDS)
                if outcome is not None:
                    self._running.pop(outcome.attempt, None)
                    give_up = time.monotonic() + _SECONDS_TO_END

    def _see_through(self, tasks: Sequence[Task]) -> None:
        waiting = list(reversed(tasks))
        open_tasks = {task.number for task in tasks}
        while open_tasks:
            while waiting and len(self._running) < self.engine.slots:
                self._submit(waiting.pop())
            if not waiting:
                self._try_late_ones_again()
            outcome = self.engine.wait(_WAIT_SECONDS)
            if outcome is None:
                self._begin_anew_while_waiting()
            elif self._take(outcome, open_tasks):
                waiting.append(outcome.attempt.task)

    def _submit(self, task: Task) -> None:
        attempt = Attempt(task)
        self._running[attempt] = time.monotonic()
        self.engine.submit(attempt)

    def _take(self, outcome: Outcome, open_tasks: set[int]) -> bool:
        """Returns whether the task is to be tried again."""
        begin = self._running.pop(outcome.attempt)
        task = outcome.attempt.task
        if task.number not in open_tasks:
            return False
        failure = outcome.failure or (None if _shows_result(task) else Failure("left no result that fits"))
        if failure is None:
            self._seconds.append(time.monotonic() - begin)
            open_tasks.remove(task.number)
            for other in self._others_at(task):
                self.engine.cancel(other)
            self.on_done(task)
            return False
        if failure.is_final:
            raise Error(failure.text)
        self.on_failure(failure)
        failures = self._failures[task.number] = self._failures.get(task.number, 0) + 1
        if failures >= self.limit:
            raise TaskFailed(f"{task} failed{f' {failures} times, at last' if failures > 1 else ''} {failure.text}")
        self.retries += 1
        return not self._others_at(task)

    def _others_at(self, task: Task) -> list[Attempt]:
        return [attempt for attempt in self._running if attempt.task.number == task.number]

    def _begin_anew_while_waiting(self) -> None:
        """Attempts that wait their turn are not late."""
        for attempt in self._running:
            if not self.engine.has_begun(attempt):
                self._running[attempt] = time.monotonic()

    def _try_late_ones_again(self) -> None:
        if not self._seconds or len(self._running) >= self.engine.slots:
            return
        usual = sorted(self._seconds)[len(self._seconds) // 2]
        late = max(_LATE_TIMES * usual, LATE_SECONDS)
        for attempt, begin in list(self._running.items()):
            is_late = time.monotonic() - begin > late and len(self._others_at(attempt.task)) == 1
            if is_late and len(self._running) < self.engine.slots:
                self.second_attempts += 1
                self._submit(attempt.task)
