"""Tables of any library as batches of pyarrow, for what works on rows in Python: group_table() and join_tables()."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, cast

from . import ArgumentError, ArgumentTypeError, Error
from ._errors import shortened
from ._table_rows import import_pyarrow
from ._tables import next_batch, not_a_table, with_labels

if TYPE_CHECKING:
    import pyarrow


def batches_of(data: Any, name: str) -> tuple[pyarrow.Schema, Iterator[pyarrow.RecordBatch]]:
    """The columns and the batches of a table, or of an iterable of tables with the same columns. name: of the argument."""
    table = _opened(data)
    if table is not None:
        return table
    if isinstance(data, (str, bytes, dict)) or hasattr(data, "read") or not hasattr(data, "__iter__"):
        raise ArgumentTypeError(not_a_table(name, data, " or an iterable of such,"))
    tables = _opened_all(data, name)
    first = next(tables, None)
    if first is None:
        raise ArgumentError(f"{name} gave no batch, so its columns are not known: pass a table, or a reader, which has a "
                            "schema")
    return first[0], _chained(first, tables, name)


def _opened(thing: Any) -> tuple[pyarrow.Schema, Iterator[pyarrow.RecordBatch]] | None:
    """None if it is no table."""
    arrow = import_pyarrow("this")
    thing = with_labels(thing)
    if isinstance(thing, arrow.Table):
        return thing.schema, iter(thing.to_batches())
    if hasattr(thing, "__arrow_c_stream__") or isinstance(thing, arrow.RecordBatchReader):
        reader = thing if isinstance(thing, arrow.RecordBatchReader) else arrow.RecordBatchReader.from_stream(thing)
        return reader.schema, _read(reader)
    if hasattr(thing, "__arrow_c_array__"):
        batch = arrow.record_batch(thing)
        return batch.schema, iter([batch])
    return None


def _read(reader: pyarrow.RecordBatchReader) -> Iterator[pyarrow.RecordBatch]:
    while (batch := next_batch(reader)) is not None:
        yield cast("pyarrow.RecordBatch", batch)


def _opened_all(data: Iterable[Any], name: str) -> Iterator[tuple[pyarrow.Schema, Iterator[pyarrow.RecordBatch]]]:
    for number, item in enumerate(data):
        table = _opened(item)
        if table is None:
            raise ArgumentTypeError(not_a_table(f"item {number} of {name}", item))
        yield table


def _chained(first: Any, others: Iterable[Any], name: str) -> Iterator[pyarrow.RecordBatch]:
    schema = first[0]
    yield from first[1]
    for number, (other, batches) in enumerate(others, 1):
        if not other.equals(schema):
            raise Error(f"item {number} of {name} has columns {shortened(other.names)}, of other names or types than those of "
                        "the first one")
        yield from batches
