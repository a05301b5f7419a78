"""One input of a merge: its rows are read ahead, encoded and checked, and wait until they are the next ones."""

from __future__ import annotations

import concurrent.futures
import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import pyarrow

from .. import Error
from ..columns.ordered_keys import KeyEncoder

Batches = Callable[[], Iterator[pyarrow.RecordBatch]]
_Loaded = tuple[pyarrow.RecordBatch, Any]  # with its keys


class MergeInput:
    """Closed until start(), apart from its first row. path: None for what a merge made itself, whose order is known."""

    def __init__(self, number: int, path: str | None, batches: Batches, encoder: KeyEncoder,
                 pool: concurrent.futures.Executor) -> None:
        """pool: of one thread, which alone uses the encoder."""
        self.number, self._path, self._encoder, self._pool = number, path, encoder, pool
        self._batches = batches
        self._source: Iterator[pyarrow.RecordBatch] | None = None
        self._ahead: concurrent.futures.Future[_Loaded | None] | None = None
        self._last_keys: Any = None
        self._rows_read = 0
        # Rows that are loaded and have not been taken, from `begin` on.
        self.rows: pyarrow.RecordBatch | None = None
        self.keys: Any = None
        self.begin = 0
        self.first_key: Any = None

    def look(self, first_batches: Batches) -> None:
        """Finds the first key, None if there are no rows. first_batches: as `batches`, for the first row alone."""
        with contextlib.closing(_closable(first_batches())) as source:
            for batch in source:
                if batch.num_rows:
                    self.first_key = self._encoder.encode(batch.slice(0, 1))
                    return

    def start(self) -> None:
        self._source = _closable(self._batches())
        self._ahead = self._pool.submit(self._read)
        self.load()

    def load(self) -> bool:
        """Puts the next rows in the place of those that were taken; False at the end."""
        loaded = None if self._ahead is None else self._ahead.result()
        self.begin = 0
        if loaded is None:
            self._ahead = self.rows = self.keys = None
            return False
        self._ahead = self._pool.submit(self._read)
        self.rows, self.keys = loaded
        return True

    @property
    def last_row(self) -> int:
        return len(self.keys) - 1

    def close(self) -> None:
        """Precondition: the pool is idle."""
        if self._source is not None:
            self._source.close()  # type: ignore[attr-defined]
        self._source = self._ahead = self.rows = self.keys = None

    def _read(self) -> _Loaded | None:
        source = self._source
        if source is None:
            return None
        for batch in source:
            if not batch.num_rows:
                continue
            keys = self._encoder.encode(batch)
            if self._path is not None:
                self._check(keys)
            self._last_keys = keys
            self._rows_read += batch.num_rows
            return batch, keys
        return None

    def _check(self, keys: Any) -> None:
        row = keys.first_descent(self._last_keys)
        if row is not None:
            number = self._rows_read + row + 1
            raise Error(f"'{self._path}' is not in order: row {number} belongs in front of row {number - 1}: sort the "
                        "files instead of merging them")


def _closable(batches: Iterator[pyarrow.RecordBatch]) -> Any:
    """Sources are generators, whose files are closed with them."""
    return batches if hasattr(batches, "close") else (batch for batch in batches)
