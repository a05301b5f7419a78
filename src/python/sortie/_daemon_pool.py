"""Threads that the end of the interpreter does not wait for, as it does for those of ThreadPoolExecutor."""

import concurrent.futures
import queue
import threading

from ._errors import Error


class DaemonPool:
    """For functions that never hold a lock, or anything else, that others need after stop()."""

    def __init__(self, threads, name):
        self._tasks = queue.SimpleQueue()
        self._unfinished = set()
        self._threads = [threading.Thread(target=_work, args=[self._tasks], name=f"{name}_{i}", daemon=True)
                         for i in range(threads)]
        for number, thread in enumerate(self._threads):
            try:
                thread.start()
            except RuntimeError:  # fewer do as well
                del self._threads[number:]
                break
        if not self._threads:
            raise Error("cannot start a thread for the output: use fewer with threads=", "fewer_threads")

    def submit(self, function, *arguments):
        future = concurrent.futures.Future()
        self._unfinished.add(future)
        future.add_done_callback(self._unfinished.discard)
        self._tasks.put((future, function, arguments))
        return future

    def stop(self):
        """Whoever waits for a result gets CancelledError at once; the threads end after what they are at."""
        for future in list(self._unfinished):
            _settle(future.set_exception, concurrent.futures.CancelledError())
        for _ in self._threads:
            self._tasks.put(None)


def _work(tasks):
    while (task := tasks.get()) is not None:
        future, function, arguments = task
        del task
        if not future.done():
            try:
                _settle(future.set_result, function(*arguments))
            except BaseException as error:
                _settle(future.set_exception, error)
        # Tables are large, and the next task may be far.
        del future, function, arguments


def _settle(set_outcome, outcome):
    try:
        set_outcome(outcome)
    except concurrent.futures.InvalidStateError:
        pass  # stopped meanwhile
