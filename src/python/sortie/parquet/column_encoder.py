"""One or a few columns of a row group as a Parquet file in memory, which is how pyarrow encodes several at once: it
takes one thread for each file. ParquetWriter takes the bytes and the footer."""

from __future__ import annotations

import array
import typing

import pyarrow
import pyarrow.compute
import pyarrow.parquet

from . import thrift as thrift
from .dictionary_choice import columns_of_different_numbers, dictionary_pays, few_rows
from .parquet_footer import FILE_ROW_GROUPS, footer_bytes
from .required_words import with_required_words
from .sink_pool import SinkPool
from .thrift import Buffer, Struct


def _with_used_values(column: typing.Any) -> typing.Any:
    """A column whose dictionary holds no more than its rows name: that of a sort holds those of all rows. One that is
    ordered keeps all of its values, which tell the order. A null in the dictionary, which pyarrow does not write,
    becomes one in the rows."""
    if not pyarrow.types.is_dictionary(column.type):
        return column
    column = column.unify_dictionaries().combine_chunks()
    if column.type.ordered:
        # Made of a buffer: of a list, pyarrow would import pandas.
        numbers = array.array("q", range(len(column.dictionary)))
        every = pyarrow.Array.from_buffers(pyarrow.int64(), len(numbers), [None, pyarrow.py_buffer(numbers)])
        used = every.cast(column.type.index_type)
    else:
        used = pyarrow.compute.drop_null(pyarrow.compute.unique(column.indices))
    if column.dictionary.null_count:
        used = used.filter(column.dictionary.is_valid().take(used))
    if len(used) == len(column.dictionary):
        return column
    indexes = pyarrow.compute.index_in(column.indices, value_set=used).cast(column.type.index_type)
    return pyarrow.DictionaryArray.from_arrays(indexes, column.dictionary.take(used), ordered=column.type.ordered)


# Columns share a file up to so many bytes of all: to begin one takes as long as to encode them.
_PART_BYTES = 1 << 20


class ColumnOptions(typing.NamedTuple):
    """paths: of the leaves of a column. options: what pyarrow's writer is told of it; what is a list or a dict tells of
    leaves, and all else must be the same for the columns of a file."""
    paths: list[str]
    options: dict[str, typing.Any]

    @property
    def of_file(self) -> dict[str, typing.Any]:
        return {name: value for name, value in self.options.items() if type(value) not in (dict, list)}


def parts_of(sizes: list[int], columns: list[ColumnOptions]) -> list[range]:
    """The columns that are encoded together, which follow one another. sizes: bytes of each. A Bloom filter stands
    behind the column that it is of, and leaves of several columns may have one path."""
    parts: list[range] = []
    size, paths, of_file, own = 0, set[str](), dict[str, typing.Any](), dict[str, typing.Any]()
    options = None
    for number, (column_size, column) in enumerate(zip(sizes, columns)):
        if column.options is not options:  # many columns share theirs
            options = column.options
            own = column.of_file | ({"alone": number} if "bloom_filter_options" in options else {})
        if not parts or size + column_size > _PART_BYTES or own != of_file or not paths.isdisjoint(column.paths):
            parts.append(range(number, number))
            size, paths, of_file = 0, set(), own
        parts[-1] = range(parts[-1].start, number + 1)
        size += column_size
        paths.update(column.paths)
    return parts


def encode_columns(table: pyarrow.Table, rows: int, columns: list[ColumnOptions], pool: SinkPool | None = None) -> pyarrow.Buffer:
    """A Parquet file of one row group, for columns that parts_of() puts together. pool: of the memory for it."""
    arrays, merged = [], dict[str, typing.Any]()
    different, few = frozenset[int](), dict[int, pyarrow.ChunkedArray]()
    if len(columns) > 1 and not any(map(pyarrow.types.is_nested, table.schema.types)):
        # Few rows are together sooner than a writer has looked at each batch of them.
        table = table.combine_chunks()
        different = columns_of_different_numbers(table)
        few = few_rows(table, different)
    with_dictionary: list[str] = []
    last = None
    for number, (column, (paths, options)) in enumerate(zip(table.columns, columns)):
        arrays.append(_with_used_values(with_required_words(column)))
        if "use_dictionary" not in options and number not in different and dictionary_pays(arrays[-1], few.get(number)):
            with_dictionary += paths
        if options is not last:  # many columns share theirs
            last = options
            _merge(options, merged)
    merged.setdefault("use_dictionary", []).extend(with_dictionary)
    try:
        return encode(pyarrow.Table.from_arrays(arrays, schema=table.schema), rows, merged, pool=pool)
    except pyarrow.ArrowException as error:
        if len(columns) == 1:
            raise type(error)(f"column '{table.schema.field(0).name}': {error}") from None
        for number, column in enumerate(columns):  # one of them fails again, and says its name
            encode_columns(table.select([number]), rows, [column])
        raise


def _merge(options: dict[str, typing.Any], merged: dict[str, typing.Any]) -> None:
    for name, value in options.items():
        if isinstance(value, dict):
            merged.setdefault(name, {}).update(value)
        elif isinstance(value, list):
            merged.setdefault(name, []).extend(value)
        else:
            merged[name] = value


def sink_bytes(size: int) -> int:
    """Room for what is made of columns of so many bytes."""
    return 2 * size + (1 << 20)


def encode(table: pyarrow.Table, rows: int, options: dict[str, typing.Any], is_whole: bool = False,
           pool: SinkPool | None = None) -> pyarrow.Buffer:
    """A Parquet file of one row group, as a buffer."""
    # A stream that grows copies what it has, for a third of the time. Pages that are not written to take no memory.
    size = sink_bytes(table.nbytes)
    buffer = pyarrow.allocate_buffer(size) if pool is None else pool.take(size)
    sink = pyarrow.FixedSizeBufferWriter(buffer)
    try:
        _encode_into(sink, table, rows, options, is_whole)
        return buffer.slice(0, sink.tell()) if pool is None else pool.front_of(buffer, sink.tell())
    except (pyarrow.ArrowException, OSError):
        pass  # it is larger than in memory, as words of a dictionary may be
    sink = pyarrow.BufferOutputStream()
    _encode_into(sink, table, rows, options, is_whole)
    return sink.getvalue()


def _encode_into(sink: typing.Any, table: pyarrow.Table, rows: int, options: dict[str, typing.Any],
                 is_whole: bool) -> None:
    with pyarrow.parquet.ParquetWriter(sink, table.schema, store_schema=is_whole, **options) as writer:
        if rows:
            writer.write_table(table, row_group_size=rows)


def footer_bytes_of_part(part: Buffer) -> int:
    return footer_bytes(memoryview(part)[-8:])


def footer_of_part(part: Buffer) -> Struct:
    """For row_groups()."""
    return thrift.read_struct(memoryview(part)[-footer_bytes_of_part(part):], kept=FILE_ROW_GROUPS)
