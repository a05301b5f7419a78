"""What the open objects of one call hold of what they have read: a number of blocks, for all of them together."""

from __future__ import annotations

import threading

# Blocks of 1 MiB.
MOST_BLOCKS = 64


class ReadAhead:
    """For any thread. An object that finds nothing left gets one block all the same, so that it can be read."""

    def __init__(self, most: int | None = None) -> None:
        self._most = MOST_BLOCKS if most is None else max(1, most)
        self._lock = threading.Lock()
        self._held = self._open = 0

    @property
    def held(self) -> int:
        return self._held

    def enter(self) -> None:
        """For one more open object."""
        with self._lock:
            self._open += 1

    def leave(self) -> None:
        with self._lock:
            self._open -= 1

    def share(self) -> int:
        """How many blocks an open object should hold."""
        return max(1, self._most // max(1, self._open))

    def take(self, count: int, must: bool = False) -> bool:
        """Whether so many blocks are taken. must: they are, whatever is left."""
        with self._lock:
            if not must and self._held + count > self._most:
                return False
            self._held += count
            return True

    def give_back(self, count: int) -> None:
        with self._lock:
            self._held -= count
