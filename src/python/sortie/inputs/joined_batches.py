"""The rows of files, read ahead. Small files are read as one, and small batches become larger ones: to open a file, or
to hand over and push a batch, takes as long as to read hundreds of rows."""

from __future__ import annotations

import collections
import contextlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import pyarrow
from pyarrow import types

from .._errors import Error
from .._thread_pools import DaemonPool
from ..columns.schemas import TypedInput

# Batches of no more bytes become one, up to so many of all.
_SMALL_BYTES, _MOST_BYTES = 256 << 10, 1 << 20
# Those whose values can be put behind one another as they are.
_JOINED_TYPES = (types.is_primitive, types.is_decimal, types.is_string, types.is_large_string, types.is_binary,
                 types.is_large_binary, types.is_fixed_size_binary)

# Batches that are read before they are asked for.
_READ_AHEAD = 3


@contextlib.contextmanager
def reading_ahead(files: Sequence[TypedInput], threads: int) -> Iterator[Iterator[pyarrow.RecordBatch]]:
    """An iterator over the batches of all files, which a thread reads ahead."""
    batches = joined_batches(batches_of(files, use_threads=threads > 1))
    with DaemonPool(1, "sortie-reader") as pool:
        yield _read_by(pool, batches)


def _read_by(pool: DaemonPool,
             batches: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
    ahead = collections.deque(pool.submit(next, batches, None) for _ in range(_READ_AHEAD))
    while (batch := ahead.popleft().result()) is not None:
        ahead.append(pool.submit(next, batches, None))
        yield batch
        del batch


def batches_of(files: Iterable[TypedInput], use_threads: bool) -> Iterator[Any]:
    """The batches of all files, in the order of the rows."""
    to_come = collections.deque(files)
    while to_come:
        file, others = to_come.popleft(), list[TypedInput]()
        while to_come and file.is_read_with(to_come[0]):
            others.append(to_come.popleft())
        yield from _batches_of_joined(file, others, use_threads) if others else file.batches(use_threads=use_threads)


def _batches_of_joined(file: TypedInput, others: list[TypedInput], use_threads: bool) -> Iterator[Any]:
    rows = 0
    try:
        for batch in file.joined_with(others).batches(use_threads=use_threads):
            yield batch
            rows += batch.num_rows
            del batch
        return
    except (Error, LookupError, TypeError, ValueError):
        pass  # one of them is damaged: the same rows one by one, so that it is named
    for single in [file, *others]:
        for batch in single.batches(use_threads=use_threads):
            given = min(rows, batch.num_rows)
            rows -= given
            yield batch.slice(given)
            del batch


def joined_batches(batches: Iterable[Any]) -> Iterator[Any]:
    """The rows of all batches, in their order."""
    small: list[Any] = []
    size = 0
    for batch in batches:
        batch_bytes = batch.nbytes
        is_joined = batch_bytes <= _SMALL_BYTES and all(map(_is_joined_type, batch.schema.types))
        if small and not (is_joined and size + batch_bytes <= _MOST_BYTES and batch.schema.equals(small[0].schema)):
            yield _joined(small)
            small, size = [], 0
        if is_joined:
            small.append(batch)
            size += batch_bytes
        else:
            yield batch
        del batch
    if small:
        yield _joined(small)


def _is_joined_type(kind: Any) -> bool:
    return any(is_type(kind) for is_type in _JOINED_TYPES)


def _joined(batches: list[Any]) -> Any:
    return batches[0] if len(batches) == 1 else pyarrow.Table.from_batches(batches).combine_chunks().to_batches()[0]
