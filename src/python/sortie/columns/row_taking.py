"""Rows out of columns of any type. pyarrow takes none of runs, in whose place values are put, and none of views."""

from __future__ import annotations

from collections.abc import Callable

import numpy
import pyarrow

from .. import Error
from .._errors import shortened


def taken(column: pyarrow.Array, places: pyarrow.Array) -> pyarrow.Array:
    """The values at these places. pyarrow takes none of views, which Polars makes of texts. The column has no runs."""
    kind = _type_without_views(column.type)
    return column.take(places) if kind == column.type else column.cast(kind).take(places).cast(column.type)


def _type_without_views(kind: pyarrow.DataType) -> pyarrow.DataType:
    types = pyarrow.types
    if types.is_string_view(kind) or types.is_binary_view(kind):
        return pyarrow.large_string() if types.is_string_view(kind) else pyarrow.large_binary()
    return with_fields(kind, _type_without_views)


def refuse_if_not_taken(column: str, kind: pyarrow.DataType) -> None:
    """Raises Error for a column of a type that this version of pyarrow does not take rows of. column: as messages show
    it."""
    nulls = pyarrow.nulls(1, type_without_runs(kind))
    # Row 0 and none. Made of buffers: of a list, pyarrow would import pandas.
    places = pyarrow.Array.from_buffers(pyarrow.int32(), 2, [pyarrow.py_buffer(b"\1"), pyarrow.py_buffer(bytes(8))])
    try:
        taken(pyarrow.chunked_array([nulls, nulls]).combine_chunks(), places)
    except pyarrow.ArrowNotImplementedError:
        raise Error(f"{column} is of type {shortened(kind)}, of which pyarrow {pyarrow.__version__} takes no rows: "
                    "leave the column out, or cast it to another type") from None


def type_without_runs(kind: pyarrow.DataType) -> pyarrow.DataType:
    """The same type with those of values in the place of runs. Extensions and unions are as they are."""
    if pyarrow.types.is_run_end_encoded(kind):
        return type_without_runs(kind.value_type)
    if pyarrow.types.is_dictionary(kind):
        values = type_without_runs(kind.value_type)
        return kind if values == kind.value_type else pyarrow.dictionary(kind.index_type, values, kind.ordered)
    return with_fields(kind, type_without_runs)


def schema_without_runs(schema: pyarrow.Schema) -> pyarrow.Schema:
    return pyarrow.schema([field.with_type(type_without_runs(field.type)) for field in schema], schema.metadata)


def with_fields(kind: pyarrow.DataType, changed: Callable[[pyarrow.DataType], pyarrow.DataType]) -> pyarrow.DataType:
    """A type of structs, maps or lists with other types in it; other types as they are."""
    types = pyarrow.types

    def field(given: pyarrow.Field) -> pyarrow.Field:
        return given.with_type(changed(given.type))
    if types.is_struct(kind):
        return pyarrow.struct([field(kind.field(number)) for number in range(kind.num_fields)])
    if types.is_map(kind):
        return pyarrow.map_(field(kind.key_field), field(kind.item_field), kind.keys_sorted)
    if types.is_fixed_size_list(kind):
        return pyarrow.list_(field(kind.value_field), kind.list_size)
    makers = {types.is_list: pyarrow.list_, types.is_large_list: pyarrow.large_list}
    if hasattr(pyarrow, "list_view"):
        makers |= {types.is_list_view: pyarrow.list_view, types.is_large_list_view: pyarrow.large_list_view}
    make = next((make for is_kind, make in makers.items() if is_kind(kind)), None)
    return make(field(kind.value_field)) if make else kind


def without_runs(column: pyarrow.Array) -> pyarrow.Array:
    """The same values in type_without_runs()."""
    types, kind = pyarrow.types, column.type
    plain = type_without_runs(kind)
    if plain == kind:
        return column
    if types.is_run_end_encoded(kind):
        ends = column.run_ends.to_numpy()
        places = numpy.searchsorted(ends, numpy.arange(column.offset, column.offset + len(column)), side="right")
        return taken(without_runs(column.values), pyarrow.array(places))
    if types.is_dictionary(kind):
        return pyarrow.DictionaryArray.from_arrays(column.indices, without_runs(column.dictionary),
                                                   ordered=kind.ordered)
    if types.is_struct(kind):
        fields = [without_runs(column.field(number)) for number in range(kind.num_fields)]
        return pyarrow.StructArray.from_arrays(fields, fields=list(plain),
                                               mask=column.is_null() if column.null_count else None)
    # Only the elements of lists and maps change, those in front of the first row and behind the last one, too.
    own = 1 if types.is_fixed_size_list(kind) else 2 + (hasattr(column, "sizes"))
    elements = without_runs(_elements(column))
    return pyarrow.Array.from_buffers(plain, len(column), column.buffers()[:own], offset=column.offset,
                                      children=[elements])


def _elements(column: pyarrow.Array) -> pyarrow.Array:
    if not pyarrow.types.is_map(column.type):
        return column.values
    pairs = pyarrow.struct([column.type.key_field, column.type.item_field])
    return pyarrow.StructArray.from_arrays([column.keys, column.items], fields=list(pairs))


def batch_without_runs(batch: pyarrow.RecordBatch) -> pyarrow.RecordBatch:
    columns = [without_runs(column) for column in batch.columns]
    return pyarrow.record_batch(columns, schema=schema_without_runs(batch.schema))
