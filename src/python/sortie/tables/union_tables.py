"""sort_table(schema="union"): tables with different columns as one table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pyarrow

from .._assumed import Assumed
from .._errors import ArgumentError, ArgumentTypeError, Error, shortened
from ..columns.schemas import null_rows
from ..columns.wider_types import wider_field, widened
from ..curves.geo_metadata import tell_untold, with_geometries_of
from .table_batches import open_batches

_Table = tuple[pyarrow.Schema, Iterator[pyarrow.RecordBatch]]


def union_of(data: Any) -> tuple[pyarrow.RecordBatchReader, Assumed]:
    """The rows of a list of tables and readers, one after the other, and what had to be assumed of these. Columns are
    found by their names, and come in the order of the first table. Raises Error that names table, column and both types
    if no type holds the values of both."""
    if not isinstance(data, (list, tuple)):
        raise ArgumentTypeError('schema="union" takes a list of tables or readers, whose columns are known before a '
                                'row is read, '
                                f"not {type(data).__name__}")
    if not data:
        raise ArgumentError("data is empty, so its columns are not known: give a table")
    tables = [open_batches(item, _called(number)) for number, item in enumerate(data)]
    schemas = [schema for schema, _ in tables]
    schema = _schema_of(schemas)
    assumed = Assumed(len(tables))
    tell_untold(schemas, list(map(_called, range(len(tables)))), [frozenset()] * len(tables), assumed)
    return pyarrow.RecordBatchReader.from_batches(schema, _rows_of(tables, schema)), assumed


def _called(number: int) -> str:
    return f"item {number} of data"


def _schema_of(schemas: Sequence[pyarrow.Schema]) -> pyarrow.Schema:
    """With the metadata of the first one, but for those of geometries."""
    fields: dict[str, pyarrow.Field] = {}
    told_by: dict[str, str] = {}
    for number, schema in enumerate(schemas):
        if len(set(schema.names)) < len(schema):
            twice = next(name for name in schema.names if schema.names.count(name) > 1)
            raise ArgumentError(f"{_called(number)} has several columns '{twice}', which are not told apart by their "
                                "names: rename them")
        for field in schema:
            known = fields.get(field.name, field)
            both = wider_field(known, field)
            if both is None:
                raise ArgumentError(f"column '{field.name}' of {_called(number)} is of type {shortened(field.type)}, "
                                    f"and of {told_by[field.name]} of type {shortened(known.type)}, and no type holds "
                                    "the values of both without loss: cast one of them")
            if field.name not in fields or not both.type.equals(known.type):
                told_by[field.name] = _called(number)
            fields[field.name] = both
    found = [field if all(name in schema.names for schema in schemas) else field.with_nullable(True)
             for name, field in fields.items()]
    schema = pyarrow.schema(found, schemas[0].metadata)
    return with_geometries_of(schema, schemas, [_called(number) for number in range(len(schemas))])


def _rows_of(tables: list[_Table], schema: pyarrow.Schema) -> Iterator[pyarrow.RecordBatch]:
    for number, (own, batches) in enumerate(tables):
        places = [own.get_field_index(name) for name in schema.names]
        for batch in batches:
            columns = [null_rows(batch.num_rows, field.type) if place < 0
                       else _widened(batch.column(place), field, number)
                       for place, field in zip(places, schema)]
            yield pyarrow.RecordBatch.from_arrays(columns, schema=schema)
            del batch, columns


def _widened(column: pyarrow.Array, field: pyarrow.Field, number: int) -> pyarrow.Array:
    try:
        return widened(column, field.type)
    except (pyarrow.ArrowException, ValueError) as error:
        raise Error(f"column '{field.name}' of {_called(number)} has a value that is beyond {shortened(field.type)}, "
                    f"the type that holds those of all: {(str(error).splitlines() or [''])[0]}; cast the column of all "
                    "to a type that holds it, or leave the value out") from error
