"""One input of a merge: its rows are read ahead, encoded and checked, and wait until they are the next ones. Of a row
group that may be moved all columns are read, to see that they can be, and what waits is its first key and its last
one."""

from __future__ import annotations

import concurrent.futures
import contextlib
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, TypeAlias

import pyarrow

from .. import Error
from .._thread_pools import DaemonPool
from ..columns.ordered_keys import KeyEncoder
from ..columns.row_bytes import bytes_held
from ..parquet.stored_groups import StoredGroup
from .merge_groups import LookedGroup

Rows: TypeAlias = pyarrow.RecordBatch | StoredGroup
# A row group that may be moved comes as what shows whether it may.
Look: TypeAlias = concurrent.futures.Future[LookedGroup]
Batches = Callable[[], Iterator[pyarrow.RecordBatch | Look]]


class _Loaded(NamedTuple):
    """keys: of the rows; of a StoredGroup the first and the last one. held_bytes: of the rows; of a StoredGroup 0.
    must_decode: whether a StoredGroup is not to be moved."""
    rows: Rows
    keys: Any
    held_bytes: int
    must_decode: bool = False


class MergeInput:
    """Closed until start(), apart from its first row. path: None for what a merge made itself, whose order is known."""

    def __init__(self, number: int, path: str | None, batches: Batches, encoder: KeyEncoder,
                 pool: DaemonPool) -> None:
        """pool: of one thread, which alone uses the encoder."""
        self.number, self._path, self._encoder, self._pool = number, path, encoder, pool
        self._batches = batches
        self._source: Iterator[pyarrow.RecordBatch | Look] | None = None
        self._ahead: concurrent.futures.Future[_Loaded | None] | None = None
        # The rows of a StoredGroup that is not moved, which come in front of the rest of the source.
        self._decoded: Iterator[pyarrow.RecordBatch] | None = None
        self._decoded_ahead: concurrent.futures.Future[_Loaded | None] | None = None
        self._last_keys: Any = None
        self._rows_read = 0
        # Rows that are loaded and have not been taken, from `begin` on.
        self.rows: Rows | None = None
        self.keys: Any = None
        self.held_bytes = 0  # of all that was loaded
        self.begin = 0
        self.first_key: Any = None

    def look(self, first_batches: Callable[[], Iterator[pyarrow.RecordBatch]]) -> None:
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
        loaded = self._next()
        self.begin = 0
        if loaded is None:
            self.rows = self.keys = None
            return False
        self.rows, self.keys, self.held_bytes = loaded.rows, loaded.keys, loaded.held_bytes
        if loaded.must_decode:
            self.decode()
        return True

    def decode(self) -> None:
        """Puts rows in the place of the StoredGroup that is loaded."""
        assert isinstance(self.rows, StoredGroup)
        self._decoded = self.rows.batches()
        self._decoded_ahead = self._pool.submit(self._read_decoded)
        self.load()

    @property
    def group(self) -> StoredGroup | None:
        """What is loaded, if it is a row group that has not been read."""
        return self.rows if isinstance(self.rows, StoredGroup) else None

    @property
    def last_row(self) -> int:
        return len(self.keys) - 1

    def close(self) -> None:
        """Precondition: the pool is idle."""
        for source in (self._decoded, self._source):
            if source is not None:
                source.close()  # type: ignore[attr-defined]
        self._source = self._decoded = self._ahead = self._decoded_ahead = self.rows = self.keys = None

    def _next(self) -> _Loaded | None:
        if self._decoded_ahead is not None:
            loaded = self._decoded_ahead.result()
            self._decoded_ahead = None if loaded is None else self._pool.submit(self._read_decoded)
            if loaded is not None:
                return loaded
        loaded = None if self._ahead is None else self._ahead.result()
        self._ahead = None if loaded is None else self._pool.submit(self._read)
        return loaded

    def _read(self) -> _Loaded | None:
        for rows in self._source or ():
            if isinstance(rows, concurrent.futures.Future):
                return self._looked_at(rows.result())
            if rows.num_rows:
                keys = self._encoder.encode(rows)
                self._check(keys.first_descent(self._last_keys) if self._path is not None else None)
                self._take(keys, rows.num_rows)
                return _Loaded(rows, keys, bytes_held(rows))
        return None

    def _read_decoded(self) -> _Loaded | None:
        """They were checked when their row group was looked at."""
        for batch in self._decoded or ():
            if batch.num_rows:
                return _Loaded(batch, self._encoder.encode(batch), bytes_held(batch))
        return None

    def _looked_at(self, looked: LookedGroup) -> _Loaded:
        if looked.ends.first_descent(self._last_keys) == 0:
            self._check(0)
        self._check(looked.descent)
        self._take(looked.ends, looked.group.num_rows)
        return _Loaded(looked.group, looked.ends, 0, not looked.may_move)

    def _check(self, descent: int | None) -> None:
        """descent: the first row behind those that were taken that belongs in front of the one before it."""
        if descent is not None:
            number = self._rows_read + descent + 1
            raise Error(f"'{self._path}' is not in order: row {number} belongs in front of row {number - 1}: sort the "
                        "files instead of merging them")

    def _take(self, keys: Any, rows: int) -> None:
        self._last_keys = keys
        self._rows_read += rows


def _closable(batches: Iterator[Any]) -> Any:
    """Sources are generators, whose files are closed with them."""
    return batches if hasattr(batches, "close") else (batch for batch in batches)
