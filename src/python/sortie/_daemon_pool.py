"""Threads that the end of the interpreter does not wait for, as it does for those of ThreadPoolExecutor."""

import concurrent.futures
import queue
import threading

from ._errors import Error


class DaemonPool:
    """For functions that never hold a lock, or anything else, that others need after stop()."""

    def __init__(self, threads, name):
        self._tasks = queue.SimpleQueue()
        self._threads = 0
        self._is_stopped = False
        for number in range(threads):
            try:
                threading.Thread(target=self._work, name=f"{name}_{number}", daemon=True).start()
            except RuntimeError:  # fewer do as well
                break
            self._threads += 1
        if not self._threads:
            raise Error("cannot start a thread for the output: use fewer with threads=", "fewer_threads")

    def submit(self, function, *arguments):
        future = concurrent.futures.Future()
        self._tasks.put((future, function, arguments))
        return future

    def stop(self):
        """The threads end after what they are at. Whoever waits for anything else gets CancelledError."""
        self._is_stopped = True
        for _ in range(self._threads):
            self._tasks.put(None)

    def _work(self):
        while (task := self._tasks.get()) is not None:
            future, function, arguments = task
            if self._is_stopped:
                future.cancel()
            else:
                try:
                    future.set_result(function(*arguments))
                except BaseException as error:
                    future.set_exception(error)
            # Tables are large, and the next task may be far.
            del task, future, function, arguments
