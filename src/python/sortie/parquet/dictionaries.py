"""Columns of dictionaries: with values in place of them, and where their words take much memory."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from typing import Any, BinaryIO, cast

import pyarrow
import pyarrow.compute
from pyarrow import types

from .._errors import Error, shortened
from .._files import first_line
from ..columns.schemas import list_maker
from . import thrift
from .parquet_footer import CHUNK_DICTIONARY, CHUNK_METADATA, CHUNK_PATH, COLUMN_BYTES, GROUP_COLUMNS, items, row_groups
from .parquet_form import has_indexes
from .thrift import Struct

# What a batch of values may take, and rows that are tried first: words of a dictionary may be long.
_MOST_BYTES, _FIRST_ROWS = 8 << 20, 64
# Indexes of more bits count more values than a row group has.
_NARROW_BITS = 16


def schema_of_values(schema: Any, keeps_ordered: bool = False) -> Any:
    """The schema with the types of values in place of dictionaries, or but for columns with ordered ones. Raises Error
    for a column that cannot be cast."""
    fields = [field if keeps_ordered and _holds_ordered(field.type) else field.with_type(value_type(field.type))
              for field in schema]
    for field, plain in zip(schema, fields):
        if plain.type.equals(field.type):
            continue
        try:
            pyarrow.nulls(0, field.type).cast(plain.type)
        except (pyarrow.ArrowException, ValueError):
            raise Error(f"column '{field.name}' is of type {shortened(field.type)}, whose dictionaries cannot be "
                        "divided among machines: cast it, or use sortie-parquet") from None
    return pyarrow.schema(fields, metadata=schema.metadata)


def refuse_ordered(schema: Any) -> None:
    """Raises Error for a column whose values order by their places in dictionaries, which would be lost."""
    for field in schema:
        if _holds_ordered(field.type):
            raise Error(f"column '{field.name}' is of type {shortened(field.type)}, whose order is that of its "
                        "dictionary, which cannot be divided among machines: cast it, or use sortie-parquet")


def _holds_ordered(kind: Any) -> bool:
    if types.is_dictionary(kind):
        return cast(bool, kind.ordered)
    return any(_holds_ordered(kind.field(i).type) for i in range(kind.num_fields))


def batches_of_values(batch: Any, schema: Any) -> Iterator[Any]:
    """The rows of a batch as batches of a schema_of_values(), of few MiB each where dictionaries repeat long words."""
    if not any(map(_is_cast, batch.schema.types, schema.types)):
        yield batch
        return
    rows, begin = _FIRST_ROWS, 0
    while begin < batch.num_rows:
        some = _cast(batch.slice(begin, rows), schema)
        begin += some.num_rows
        width = some.nbytes // some.num_rows + 1
        rows = max(1, min(4 * rows, _MOST_BYTES // width))
        yield some


def _cast(batch: Any, schema: Any) -> Any:
    try:
        columns = [column.cast(kind) if _is_cast(column.type, kind) else column
                   for column, kind in zip(batch.columns, schema.types)]
    except pyarrow.ArrowException as error:
        raise Error(f"cannot take values from dictionaries: {first_line(error)}") from None
    fields = [field.with_type(column.type) for field, column in zip(batch.schema, columns)]
    return pyarrow.record_batch(columns, schema=pyarrow.schema(fields, batch.schema.metadata))


def _is_cast(kind: Any, target: Any) -> bool:
    return has_dictionary(kind) and not has_dictionary(target)


def has_dictionary(kind: Any) -> bool:
    return (types.is_dictionary(kind) or types.is_nested(kind)) and not value_type(kind).equals(kind)


def value_type(kind: Any) -> Any:
    if types.is_dictionary(kind):
        return value_type(kind.value_type)
    if types.is_struct(kind):
        return pyarrow.struct([field.with_type(value_type(field.type)) for field in kind])
    if types.is_map(kind):
        key, item = (field.with_type(value_type(field.type)) for field in (kind.key_field, kind.item_field))
        return pyarrow.map_(key, item, kind.keys_sorted)
    make = list_maker(kind)
    return make(kind.value_field.with_type(value_type(kind.value_type))) if make else kind


def refuse_missing_words(batch: Any, columns: Iterable[int]) -> None:
    """Raises ArrowInvalid where a row has a word that is not in its dictionary: pyarrow reads such rows of damaged
    files, and would look for the word behind the dictionary's memory. columns: the numbers of those that have
    dictionaries."""
    for number in columns:
        for array in arrays_within(batch.column(number), types.is_dictionary):
            bounds = pyarrow.compute.min_max(array.indices).as_py()
            if bounds["max"] is not None and not 0 <= bounds["min"] <= bounds["max"] < len(array.dictionary):
                raise pyarrow.ArrowInvalid(f"it is damaged: column '{batch.schema.names[number]}' has words that its "
                                           "dictionary does not have")


def arrays_within(array: Any, is_wanted: Callable[[Any], bool]) -> Iterator[Any]:
    """Those of a type for which is_wanted(type) holds: the array itself, or of its fields and elements."""
    kind = array.type
    if is_wanted(kind):
        yield array
    elif types.is_struct(kind):
        for field in array.flatten():
            yield from arrays_within(field, is_wanted)
    elif types.is_map(kind):
        yield from arrays_within(array.keys, is_wanted)
        yield from arrays_within(array.items, is_wanted)
    elif hasattr(array, "flatten"):
        yield from arrays_within(array.flatten(), is_wanted)


def refuse_too_many_values(name: str, kind: Any, column: Any) -> None:
    """Raises Error where a row group has more values than a dictionary of the type may hold: nobody could read it."""
    if types.is_dictionary(kind):
        bits = kind.index_type.bit_width
        if bits > _NARROW_BITS or types.is_dictionary(column.type):
            return
        most = 1 << (bits - types.is_signed_integer(kind.index_type))
        if pyarrow.compute.count_distinct(column).as_py() > most:
            raise Error(f"column '{name}': a row group has more than {most} different values, too many for the indexes "
                        f"of a {kind}; let row groups have fewer rows, or cast it to one with wider indexes")
    elif types.is_struct(kind):
        for i, field in enumerate(kind):
            refuse_too_many_values(name, field.type, pyarrow.compute.struct_field(column, i))
    elif types.is_map(kind):
        for part in (0, 1):
            entries = pyarrow.chunked_array([(chunk.keys, chunk.items)[part] for chunk in column.chunks],
                                            (column.type.key_type, column.type.item_type)[part])
            refuse_too_many_values(name, (kind.key_type, kind.item_type)[part], entries)
    elif list_maker(kind):
        refuse_too_many_values(name, kind.value_type, pyarrow.compute.list_flatten(column))


# Words of all columns and row groups, also those that come again.
_MOST_WORD_BYTES = 16 << 20
_PAGE_BYTES, _MOST_HEADER_BYTES = 2, 1 << 12  # of a page header
# Formats that do not keep one dictionary for all rows.
_FORMATS = ("parquet", "csv", "json")


def carried_schema(files: Sequence[Any], table_format: str) -> Any:
    """A schema with the types of values in place of dictionaries that have no order, if they are to be carried so; else
    None. table_format: of the output."""
    schema = files[0].schema
    if table_format not in _FORMATS or not any(map(has_dictionary, schema.types)):
        return None
    if sum(file.word_bytes() for file in files) <= _MOST_WORD_BYTES:
        return None
    try:
        plain = schema_of_values(schema, keeps_ordered=True)
    except Error:  # which are carried as they are
        return None
    return None if plain.equals(schema) else plain


def word_bytes(file: BinaryIO, footer: Struct, names: Container[str]) -> int:
    """Bytes of the dictionaries of columns in an open file, and of the values that stand beside them."""
    total = 0
    for group in row_groups(footer):
        for chunk in items(group, GROUP_COLUMNS):
            column = chunk[CHUNK_METADATA][1]
            if items(column, CHUNK_PATH)[0].decode() in names:
                total += _word_bytes(file, column) if has_indexes(column) else column[COLUMN_BYTES][1]
    return total


def _word_bytes(file: BinaryIO, column: Struct) -> int:
    file.seek(column[CHUNK_DICTIONARY][1])
    try:
        return cast(int, thrift.read_struct(file.read(_MOST_HEADER_BYTES))[_PAGE_BYTES][1])
    except (ValueError, LookupError, TypeError):
        return 0  # whoever reads the rows tells of damage
