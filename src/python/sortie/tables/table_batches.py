"""Tables of any library as batches of pyarrow, for what works on rows in Python: group_table() and join_tables()."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, cast

from .. import ArgumentError, ArgumentTypeError
from .._errors import shortened
from .._needed_modules import import_pyarrow
from .lazy_frames import as_stream
from .sort_table import next_batch, not_a_table, refuse_no_iterable, with_labels

if TYPE_CHECKING:
    import pyarrow


def open_batches(data: Any, name: str) -> tuple[pyarrow.Schema, Iterator[pyarrow.RecordBatch]]:
    """The columns and the batches of a table, or of an iterable of tables with the same columns. name: of the
    argument."""
    table = _opened(data)
    if table is not None:
        return table
    refuse_no_iterable(name, data)
    tables = _opened_all(data, name)
    first = next(tables, None)
    if first is None:
        raise ArgumentError(f"{name} gave no batch, so its columns are not known: pass a table, or a reader, which has "
                            "a schema")
    return first[0], _chained(first, tables, name)


def _opened(thing: Any) -> tuple[pyarrow.Schema, Iterator[pyarrow.RecordBatch]] | None:
    """None if it is no table."""
    arrow = import_pyarrow("this")
    thing = with_labels(_without_range(as_stream(thing)))
    if isinstance(thing, arrow.Table):
        return thing.schema, iter(thing.to_batches())
    if hasattr(thing, "__arrow_c_stream__") or isinstance(thing, arrow.RecordBatchReader):
        reader = thing if isinstance(thing, arrow.RecordBatchReader) else arrow.RecordBatchReader.from_stream(thing)
        return reader.schema, _read(reader)
    if hasattr(thing, "__arrow_c_array__"):
        batch = arrow.record_batch(thing)
        return batch.schema, iter([batch])
    return None


def _without_range(thing: Any) -> Any:
    """A table of a DataFrame of pandas. Its index is a column unless it is a range without a name, which says nothing
    of the rows that are made here. Anything else comes back as it is."""
    pandas = sys.modules.get("pandas")
    if pandas is None or not isinstance(thing, getattr(pandas, "DataFrame", ())):
        return thing
    # pyarrow keeps no column of any range, named or not, unless it is told to.
    is_named = cast(Any, thing).index.name is not None
    return import_pyarrow("a DataFrame of pandas").Table.from_pandas(thing, preserve_index=True if is_named else None)


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
    yield from first[1]
    for number, (other, batches) in enumerate(others, 1):
        yield from batches_like(first[0], other, batches, f"item {number} of {name}")


def batches_like(first: Any, schema: pyarrow.Schema, batches: Iterator[pyarrow.RecordBatch],
                 name: str) -> Iterator[pyarrow.RecordBatch]:
    """The batches, with the schema of the first table. schema: their own. name: what messages call them."""
    if schema.names != first.names or not all(map(_are_alike, schema.types, first.types)):
        raise ArgumentError(f"{name} has columns {shortened(schema.names)}, of other names or types than those of the "
                            "first one")
    return batches if schema.equals(first) else (_with_schema(batch, first) for batch in batches)


def _are_alike(one: pyarrow.DataType, other: pyarrow.DataType) -> bool:
    """Whether two types are equal but for where nulls can be."""
    if one == other:
        return True
    types = import_pyarrow("this").types
    nested = types.is_struct, types.is_list, types.is_large_list, types.is_map, types.is_fixed_size_list
    if not any(is_type(one) and is_type(other) for is_type in nested) or one.num_fields != other.num_fields:
        return False
    if types.is_fixed_size_list(one) and one.list_size != other.list_size:
        return False
    pairs = [(one.field(number), other.field(number)) for number in range(one.num_fields)]
    has_names = types.is_struct(one)
    return all(_are_alike(a.type, b.type) and (a.name == b.name or not has_names) for a, b in pairs)


def _with_schema(batch: pyarrow.RecordBatch, schema: pyarrow.Schema) -> pyarrow.RecordBatch:
    """The same rows under the schema of others, which is alike. A sort refuses nulls where it has none."""
    return cast("pyarrow.RecordBatch", import_pyarrow("this").record_batch(_Batch(batch, schema)))


class _Batch:
    """Hands over a batch with another schema."""

    def __init__(self, batch: pyarrow.RecordBatch, schema: pyarrow.Schema) -> None:
        self._batch, self._schema = batch, schema

    def __arrow_c_array__(self, requested_schema: Any = None) -> tuple[Any, Any]:
        return self._schema.__arrow_c_schema__(), self._batch.__arrow_c_array__()[1]
