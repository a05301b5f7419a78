"""Sees the tasks of a stage through: those that fail are tried again, those that take too long get a second attempt
beside the first."""

import time
from collections.abc import Callable, Sequence

from .. import Error
from .engine import Attempt, Engine, Failure, Outcome
from .tasks import Task

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


class Stage:
    """limit: how often a task may fail. on_done: called with each task that is done; on_failure: with what went wrong,
    whenever one fails; what they raise ends the stage."""

    def __init__(self, engine: Engine, limit: int, on_done: Callable[[Task], None],
                 on_failure: Callable[[str], None]) -> None:
        self._engine = engine
        self._limit = limit
        self._on_done = on_done
        self._on_failure = on_failure
        self._running: dict[Attempt, float] = {}
        self._failures: dict[int, int] = {}
        self._seconds: list[float] = []
        self.retries = 0
        self.second_attempts = 0

    def run(self, tasks: Sequence[Task]) -> None:
        """Raises TaskFailed, and Error for inputs that are refused. No attempt runs any more when it returns, or raises."""
        try:
            self._see_through(tasks)
        finally:
            for attempt in self._running:
                self._engine.cancel(attempt)
            # Ctrl-C may have come before an attempt was handed over, or when its end was known but not yet noted.
            give_up = time.monotonic() + _SECONDS_TO_END
            while self._running and not self._engine.is_idle() and time.monotonic() < give_up:
                outcome = self._engine.wait(_WAIT_SECONDS)
                if outcome is not None:
                    self._running.pop(outcome.attempt, None)
                    give_up = time.monotonic() + _SECONDS_TO_END

    def _see_through(self, tasks: Sequence[Task]) -> None:
        waiting = list(reversed(tasks))
        open_tasks = {task.number for task in tasks}
        while open_tasks:
            while waiting and len(self._running) < self._engine.slots:
                self._submit(waiting.pop())
            if not waiting:
                self._try_late_ones_again()
            outcome = self._engine.wait(_WAIT_SECONDS)
            if outcome is None:
                self._begin_anew_while_waiting()
            elif self._take(outcome, open_tasks):
                waiting.append(outcome.attempt.task)

    def _submit(self, task: Task) -> None:
        attempt = Attempt(task)
        self._running[attempt] = time.monotonic()
        self._engine.submit(attempt)

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
                self._engine.cancel(other)
            self._on_done(task)
            return False
        if failure.is_final:
            raise Error(failure.text)
        self._on_failure(failure.text)
        failures = self._failures[task.number] = self._failures.get(task.number, 0) + 1
        if failures >= self._limit:
            raise TaskFailed(f"{task} failed{f' {failures} times, at last' if failures > 1 else ''} {failure.text}")
        self.retries += 1
        return not self._others_at(task)

    def _others_at(self, task: Task) -> list[Attempt]:
        return [attempt for attempt in self._running if attempt.task.number == task.number]

    def _begin_anew_while_waiting(self) -> None:
        """Attempts that wait their turn are not late."""
        for attempt in self._running:
            if not self._engine.has_begun(attempt):
                self._running[attempt] = time.monotonic()

    def _try_late_ones_again(self) -> None:
        if not self._seconds or len(self._running) >= self._engine.slots:
            return
        usual = sorted(self._seconds)[len(self._seconds) // 2]
        late = max(_LATE_TIMES * usual, LATE_SECONDS)
        for attempt, begin in list(self._running.items()):
            is_late = time.monotonic() - begin > late and len(self._others_at(attempt.task)) == 1
            if is_late and len(self._running) < self._engine.slots:
                self.second_attempts += 1
                self._submit(attempt.task)
