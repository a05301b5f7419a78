"""Memory that stretches of columns are encoded into. It is used again as soon as what it held is written: memory that is new
costs more than the copies into it."""

from __future__ import annotations

import contextlib
import mmap
import threading
import weakref
from typing import Any

import pyarrow


class SinkPool:
    """Buffers of one size, of which pages that are not written to take no memory. Any thread may use it."""

    def __init__(self, buffer_bytes: int) -> None:
        self._buffer_bytes = buffer_bytes
        self._lock = threading.Lock()
        self._free: list[pyarrow.Buffer] = []

    def take(self, size: int) -> pyarrow.Buffer:
        """One of `size` bytes at least."""
        if size > self._buffer_bytes:
            return pyarrow.allocate_buffer(size)
        with self._lock:
            if self._free:
                return self._free.pop()
        # Not of pyarrow's pool, nor of huge pages, which would be filled in part. Pages of shared memory, which is what Python
        # takes unless it is told, take 1.4 times as long at their first use.
        memory = mmap.mmap(-1, self._buffer_bytes, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        with contextlib.suppress(OSError):  # a system without huge pages
            memory.madvise(mmap.MADV_NOHUGEPAGE)
        return pyarrow.py_buffer(memory)

    def front_of(self, buffer: pyarrow.Buffer, size: int) -> pyarrow.Buffer:
        """The first bytes of one that was taken, which comes back when they are gone."""
        front = buffer.slice(0, size)
        if buffer.size == self._buffer_bytes:
            weakref.finalize(front, self._give, buffer).atexit = False
        return front

    def _give(self, buffer: Any) -> None:
        with self._lock:
            self._free.append(buffer)
