"""One column of a row group as a Parquet file in memory, which is how pyarrow encodes several at once: it takes one thread
for each file. ParquetWriter takes the bytes and the footer."""

import array

import pyarrow
import pyarrow.compute
import pyarrow.parquet

from . import _thrift as thrift
from ._dictionaries import dictionary_pays
from ._parquet_footer import footer_bytes


def _with_used_values(column):
    """A column whose dictionary holds no more than its rows name: that of a sort holds those of all rows. One that is
    ordered keeps all of its values, which tell the order. A null in the dictionary, which pyarrow does not write, becomes one
    in the rows."""
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


def encode_column(table, rows, options):
    column = _with_used_values(table.column(0))
    if "use_dictionary" not in options:
        options = {"use_dictionary": dictionary_pays(column), **options}
    field = table.schema.field(0)
    try:
        return encode(table.set_column(0, field, column), rows, options)
    except pyarrow.ArrowException as error:
        raise type(error)(f"column '{field.name}': {error}") from None


def encode(table, rows, options, is_whole=False):
    """A Parquet file of one row group, as a buffer."""
    # A stream that grows copies what it has, for a third of the time. Pages that are not written to take no memory.
    buffer = pyarrow.allocate_buffer(2 * table.nbytes + (1 << 20))
    sink = pyarrow.FixedSizeBufferWriter(buffer)
    try:
        _encode_into(sink, table, rows, options, is_whole)
        return buffer.slice(0, sink.tell())
    except (pyarrow.ArrowException, OSError):
        pass  # it is larger than in memory, as words of a dictionary may be
    sink = pyarrow.BufferOutputStream()
    _encode_into(sink, table, rows, options, is_whole)
    return sink.getvalue()


def _encode_into(sink, table, rows, options, is_whole):
    with pyarrow.parquet.ParquetWriter(sink, table.schema, store_schema=is_whole, **options) as writer:
        if rows:
            writer.write_table(table, row_group_size=rows)


def footer_bytes_of_part(part):
    return footer_bytes(memoryview(part)[-8:])


def footer_of_part(part):
    return thrift.read_struct(memoryview(part)[-footer_bytes_of_part(part):])
