"""Columns of dictionaries: with values in place of them, where their words take much memory, and whether one makes a
column of a file smaller."""

from __future__ import annotations

import array
import bisect
import math
import random
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from typing import Any, BinaryIO, cast

import pyarrow
import pyarrow.compute
from pyarrow import types

from .. import _native
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


# So many show 1.25 rows a value apart from one: of a million rows, 42 show a value again, or none.
_SAMPLED_ROWS = 8192
# So many of few rows are looked at first. Where a dictionary pays, rows of numbers repeat each other that often that
# these tell none of it once in a hundred times, and it then saves next to nothing.
_FEW_ROWS = 256
# pyarrow's own limit for the page of a dictionary.
_MOST_DICTIONARY_BYTES = 1 << 20

# Those that pyarrow finds unique values of.
_SAMPLED_TYPES = (types.is_integer, types.is_float32, types.is_float64, types.is_date, types.is_time,
                  types.is_timestamp, types.is_duration, types.is_decimal128, types.is_decimal256, types.is_string,
                  types.is_large_string, types.is_binary, types.is_large_binary, types.is_fixed_size_binary)


def _is_sampled(kind: Any) -> bool:
    return any(is_type(kind) for is_type in _SAMPLED_TYPES)


def _doubles(numbers: Sequence[float]) -> Any:
    """As an array of pyarrow, which would import pandas to make one of a list, or a scalar of a number."""
    return pyarrow.Array.from_buffers(pyarrow.float64(), len(numbers),
                                      [None, pyarrow.py_buffer(array.array("d", numbers))])


def _random_shares(count: int) -> Any:
    generator = random.Random(0)
    return _doubles([generator.random() for _ in range(count)])


_SHARES = _random_shares(_SAMPLED_ROWS)


def _few_places(rows: int) -> array.array[int] | None:
    """Some rows at random, as integers of 32 bits: one of each of equal stretches, since neighbours repeat each other
    in a column in order. None if the rows are not few, or are too few."""
    if not 2 * _FEW_ROWS <= rows <= _SAMPLED_ROWS:
        return None
    generator, stretch = random.Random(0), rows // _FEW_ROWS
    return array.array("i", (number * rows // _FEW_ROWS + int(generator.random() * stretch)
                             for number in range(_FEW_ROWS)))


def columns_of_different_numbers(table: Any) -> frozenset[int]:
    """The numbers of columns without nulls of 32 or 64 bits whose few rows all differ: no dictionary pays. table: each
    of its columns in one piece."""
    places = _few_places(table.num_rows)
    if places is None or any(isinstance(kind, pyarrow.BaseExtensionType) for kind in table.schema.types):
        return frozenset()
    batch = table.to_batches()[0]
    return frozenset(_native.columns_of_different_numbers(*batch.__arrow_c_array__(), places.tobytes()))


def few_rows(table: Any, left_out: Container[int] = frozenset()) -> dict[int, Any]:
    """Some random rows of a table of few rows, for dictionary_pays(). By number of the column, without those that are
    left out or that dictionary_pays() does not look at; none if the rows are not few, or are too few."""
    places = _few_places(table.num_rows)
    numbers = [number for number, kind in enumerate(table.schema.types) if number not in left_out and _is_sampled(kind)]
    if places is None or not numbers:
        return {}
    taken = pyarrow.Array.from_buffers(pyarrow.int32(), len(places), [None, pyarrow.py_buffer(places)])
    return dict(zip(numbers, table.select(numbers).take(taken).columns))


def dictionary_pays(column: Any, few: Any = None, of_rows: int = 0) -> bool:
    """column: a chunked array. few: some of it as few_rows() takes them, or None. of_rows: how many rows the column will have, if
    it is the begin of one. False if a dictionary costs more than it saves in whatever order the values are, as far as a sample
    tells, or all of few values; True for types of which none is taken. The same column gives the same answer."""
    rows = len(column)
    if rows == 0 or not _is_sampled(column.type):
        return True
    if rows <= _SAMPLED_ROWS:
        if few is not None and len(few.unique()) == _FEW_ROWS:
            return False
        drawn, distinct = rows, len(column.unique())
    else:
        sample = _sample(column)
        drawn, distinct = len(sample), len(sample.unique())
    width = column.nbytes / rows
    rows = max(rows, of_rows)
    if drawn < rows:
        distinct = min(_distinct_values(drawn, distinct), rows)
    most_entries = min(distinct, _MOST_DICTIONARY_BYTES / width)
    index_bytes = math.ceil(math.log2(most_entries + 1)) / 8
    return cast(bool, distinct * width + rows * index_bytes < rows * width)


def _sample(column: Any) -> Any:
    """Rows at random: those of a column in order repeat their neighbours."""
    pieces, rows, drawn = [], 0, 0
    for chunk in column.chunks:
        rows += len(chunk)
        end = rows * min(len(_SHARES), len(column)) // len(column)
        places = pyarrow.compute.multiply(_SHARES.slice(drawn, end - drawn), _doubles([len(chunk)])[0])
        # A row that is drawn twice is no value that repeats.
        pieces.append(chunk.take(places.cast(pyarrow.int32(), safe=False).unique()))
        drawn = end
    return pyarrow.chunked_array(pieces, column.type)


def _distinct_values(drawn: int, seen: int) -> int:
    """The number n of equally frequent values of which `drawn` ones show `seen` different ones: the n of
    n (1 - (1 - 1/n)^drawn) = seen."""
    if seen < 2:
        return seen
    counts: Any = range(1 << 40)  # the key makes floats of them
    return bisect.bisect_left(counts, seen, seen, key=lambda count: -count * math.expm1(drawn * math.log1p(-1 / count)))
