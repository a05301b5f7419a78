"""Threads that run functions. Unlike those of concurrent.futures they do so while the interpreter ends, too: another
thread of the program may still sort then."""

from __future__ import annotations

import concurrent.futures
import queue
import threading
from collections.abc import Callable
from typing import Any, Self, TypeVar

from ._errors import Error

_Result = TypeVar("_Result")


class DaemonPool:
    """Where it is no context, its functions never hold a lock, or anything else, that others need after stop()."""

    def __init__(self, threads: int, name: str) -> None:
        self._tasks: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._is_stopped = False
        for number in range(threads):
            thread = threading.Thread(target=self._work, name=f"{name}_{number}", daemon=True)
            try:
                thread.start()
            except RuntimeError:  # fewer do as well
                break
            self._threads.append(thread)
        if not self._threads:
            raise Error("cannot start a thread for tables: use fewer with threads=", "fewer_threads")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        for thread in self._threads:
            thread.join()

    def submit(self, function: Callable[..., _Result], *arguments: Any) -> concurrent.futures.Future[_Result]:
        future: concurrent.futures.Future[_Result] = concurrent.futures.Future()
        self._tasks.put((future, function, arguments))
        return future

    def stop(self) -> None:
        """The threads end after what they are at. Whoever waits for anything else gets CancelledError."""
        self._is_stopped = True
        for _ in self._threads:
            self._tasks.put(None)

    def _work(self) -> None:
        while (task := self._tasks.get()) is not None:
            future, function, arguments = task
            if self._is_stopped:
                future.cancel()
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result(function(*arguments))
                except BaseException as error:
                    future.set_exception(error)
            # Tables are large, and the next task may be far.
            del task, future, function, arguments
