"""Queries of Polars as streams of their rows: a LazyFrame gives batch by batch, and is not collected."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from typing import Any, cast

from .._needed_modules import import_pyarrow


def as_stream(thing: Any) -> Any:
    """A reader of pyarrow for a LazyFrame; anything else as it is. What the query needs it takes beside the sort's
    memory."""
    polars: Any = sys.modules.get("polars")
    if polars is None or not isinstance(thing, getattr(polars, "LazyFrame", ())):
        return thing
    # Before Polars 1.34 not_a_table() says what to do.
    if not hasattr(thing, "collect_batches"):
        return thing
    arrow, query = import_pyarrow("a LazyFrame"), cast(Any, thing)
    empty = arrow.RecordBatchReader.from_stream(polars.DataFrame(schema=query.collect_schema()))
    return arrow.RecordBatchReader.from_batches(empty.schema, _batches(arrow, query))


def _batches(arrow: Any, query: Any) -> Iterator[Any]:
    # The streaming engine gives rows before the query has ended.
    frames = query.collect_batches(maintain_order=True, lazy=True, engine="streaming")
    try:
        for frame in frames:
            yield from arrow.RecordBatchReader.from_stream(frame)
            del frame
    finally:
        with contextlib.suppress(AttributeError):
            frames.close()
