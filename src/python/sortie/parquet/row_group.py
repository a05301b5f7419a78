"""How large the row groups of a ParquetWriter are, and the one that it fills is."""

from __future__ import annotations

import bisect
from collections.abc import Iterable
from typing import Any

import pyarrow

# Bytes that a row group takes in memory at most, unless its rows are asked for.
_ROW_GROUP_BYTES = 64 << 20
_ROW_GROUP_ROWS = 1 << 20
# Unless its bytes are asked for, too.
_MOST_ROW_GROUP_ROWS = 1 << 30
# Row groups that are moved as they are may have so much of what one has at most: where no size is asked for, those of
# 64 Ki rows or 4 MiB on; else those of about that size.
_LEAST_SHARE = 1 / 16
_LEAST_SHARE_ASKED, _MOST_SHARE_ASKED = 1 / 4, 2
# How many times as large as usual one may be, rather than that few rows are left over.
_STRETCH = 2


class RowGroup:
    """The size of the next row group. kinds: the types of its columns. most_rows, most_bytes: what was asked for."""

    def __init__(self, most_rows: int | None, kinds: Iterable[Any], most_bytes: int | None = None) -> None:
        self._dictionaries = [number for number, kind in enumerate(kinds) if pyarrow.types.is_dictionary(kind)]
        self._is_asked = most_rows is not None or most_bytes is not None
        self._most_rows = most_rows or (_ROW_GROUP_ROWS if most_bytes is None else _MOST_ROW_GROUP_ROWS)
        self._most_bytes = most_bytes or (_ROW_GROUP_BYTES if most_rows is None else None)
        self._bytes, self.rows = 0, 0
        self._stretch = 1

    @property
    def is_full(self) -> bool:
        return self.rows == self._stretch * self._most_rows or (
            self._most_bytes is not None and self._bytes >= self._stretch * self._most_bytes)

    @property
    def may_end(self) -> bool:
        """Whether it is empty, or large enough to end in front of a row group that is moved."""
        return self.rows == 0 or self.suits(self.rows, self._bytes)

    def suits(self, rows: int, size: int) -> bool:
        """Whether a row group of so many rows and bytes is about as large as those that are made here."""
        share = max(rows / self._most_rows, 0 if self._most_bytes is None else size / self._most_bytes)
        return _LEAST_SHARE_ASKED <= share <= _MOST_SHARE_ASKED if self._is_asked else share >= _LEAST_SHARE

    def fill(self, batch: Any) -> tuple[Any, Any]:
        """Counts what there is room for, and returns that and the rest."""
        taken = batch.slice(0, self._stretch * self._most_rows - self.rows)
        if self._most_bytes is not None:
            taken, size = self._fitting(taken, self._stretch * self._most_bytes - self._bytes)
            self._bytes += size
        self.rows += taken.num_rows
        return taken, batch.slice(taken.num_rows)

    def stretch_for(self, rows: int, size: int) -> bool:
        """Makes room for so many rows and bytes more, if it is not too much; returns whether it has."""
        fits = self.rows + rows <= _STRETCH * self._most_rows
        fits = fits and (self._most_bytes is None or self._bytes + size <= _STRETCH * self._most_bytes)
        self._stretch = _STRETCH if fits else 1
        return fits

    def end(self) -> int:
        """Begins the next one, and returns the rows of this one."""
        rows = self.rows
        self._bytes, self.rows, self._stretch = 0, 0, 1
        return rows

    @property
    def expected_rows(self) -> int:
        """About how many rows it will have at its end, if the next ones are as long as those that it has."""
        most = self._stretch * self._most_rows
        if self._most_bytes is None or not self._bytes:
            return most
        return max(self.rows, min(most, self.rows * self._stretch * self._most_bytes // self._bytes))

    def _fitting(self, batch: Any, most_bytes: int) -> tuple[Any, int]:
        """The rows in front by which so many bytes are reached, one at least, and their bytes."""
        size = self._bytes_of(batch)
        if size <= most_bytes:
            return batch, size
        rows = bisect.bisect_left(range(1, batch.num_rows), most_bytes,
                                  key=lambda n: self._bytes_of(batch.slice(0, n))) + 1
        taken = batch.slice(0, rows)
        return taken, self._bytes_of(taken)

    def _bytes_of(self, batch: Any) -> int:
        """Batches share their dictionaries."""
        words = sum(batch.column(number).dictionary.nbytes for number in self._dictionaries)
        return int(batch.nbytes - words)
