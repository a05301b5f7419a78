"""--engine=local: commands on this machine, some at once. Needs the standard library alone."""

import queue
import threading

from .commands import Commands
from .engine import Attempt, Outcome, run_task


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
