"""Which types the format of an output holds, found by writing a null of each, as that differs with pyarrow's version;
and texts and bytes as CSV takes them."""

import pyarrow
import pyarrow.csv
import pyarrow.parquet

from . import Error
from ._errors import shortened
from ._file_errors import first_line

_WRITERS = {"parquet": pyarrow.parquet.write_table, "csv": pyarrow.csv.write_csv}
_NOT_HELD = (pyarrow.ArrowException, OSError)


def refuse_types(schema, path, table_format):
    """Raises Error that names the first column which the file at `path` could not hold."""
    # IPC holds all.
    if table_format == "arrow" or _holds(schema, table_format):
        return
    for field in schema:
        if not _holds(pyarrow.schema([field]), table_format):
            raise Error(f"column '{field.name}' is of type {shortened(field.type)}, which cannot be written to "
                        f"'{path}': cast it, or let the name of the output end in .arrow")


def _holds(schema, table_format):
    if table_format == "csv":
        schema = csv_schema(schema)
    try:
        nulls = pyarrow.table([pyarrow.nulls(1, field.type) for field in schema], names=schema.names)
        _WRITERS[table_format](nulls, pyarrow.BufferOutputStream())
    except _NOT_HELD:
        return False
    return True


def csv_schema(schema):
    """The schema as CSV can hold it: with texts in place of bytes and views."""
    return pyarrow.schema([field.with_type(_csv_type(field.type)) for field in schema])


def csv_batch(batch, schema):
    """schema: a csv_schema() of that of the batch. Raises Error for bytes that are no text."""
    columns = []
    for field, column in zip(schema, batch.columns):
        try:
            columns.append(column if column.type.equals(field.type) else column.cast(field.type))
        except pyarrow.ArrowException as error:
            raise Error(f"column '{field.name}' cannot be written as CSV: {first_line(error)}; cast it, or let the "
                        "name of the output end in .parquet") from None
    return pyarrow.record_batch(columns, schema=schema)


def _csv_type(column_type):
    types = pyarrow.types
    if types.is_large_binary(column_type):
        return pyarrow.large_string()
    is_cast = (types.is_binary, types.is_fixed_size_binary, types.is_string_view, types.is_binary_view)
    return pyarrow.string() if any(is_type(column_type) for is_type in is_cast) else column_type
