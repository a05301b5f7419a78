"""Memory that stretches of columns are encoded into. It is used again as soon as what it held is written: memory that is new
costs more than the copies into it."""

from __future__ import annotations

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
        # Not of pyarrow's pool, whose huge pages would be filled in part.
        return pyarrow.py_buffer(mmap.mmap(-1, self._buffer_bytes))

    def front_of(self, buffer: pyarrow.Buffer, size: int) -> pyarrow.Buffer:
        """The first bytes of one that was taken, which comes back when they are gone."""
        front = buffer.slice(0, size)
        if buffer.size == self._buffer_bytes:
            weakref.finalize(front, self._give, buffer).atexit = False
        return front

    def _give(self, buffer: Any) -> None:
        with self._lock:
            self._free.append(buffer)
