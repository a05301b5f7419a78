"""What single rows of a column take in memory: a batch of few long texts is as large as one of many short ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy
import pyarrow
import pyarrow.compute

from .key_columns import is_extension, plain_type

if TYPE_CHECKING:
    from numpy.typing import NDArray


def bytes_held(rows: pyarrow.Array | pyarrow.RecordBatch) -> int:
    """What they take in memory. Of views older versions of pyarrow only know the whole buffers."""
    try:
        return int(rows.nbytes)
    except pyarrow.ArrowTypeError:
        return int(rows.get_total_buffer_size())


def whole_numbers(numbers: pyarrow.Array) -> NDArray[Any]:
    """The same, nulls as whatever is stored for them. Arrow's own way to NumPy loads pandas, which takes long."""
    width = numbers.type.bit_width // 8
    kind = numpy.dtype(f"{'u' if pyarrow.types.is_unsigned_integer(numbers.type) else 'i'}{width}")
    if not len(numbers):
        return numpy.zeros(0, kind)
    return numpy.frombuffer(numbers.buffers()[1], kind, len(numbers), numbers.offset * width)


def bytes_of_rows(column: pyarrow.Array) -> NDArray[numpy.float64]:
    """For each row; of the kinds of lists that have no offsets in order, the mean of all rows."""
    types, kind = pyarrow.types, column.type
    if is_extension(kind):
        return bytes_of_rows(column.storage)
    if types.is_dictionary(kind):
        return numpy.full(len(column), kind.index_type.bit_width / 8)
    if plain_type(kind) == pyarrow.large_binary():
        is_view = types.is_string_view(kind) or types.is_binary_view(kind)
        texts = column.cast(pyarrow.large_binary()) if is_view else column
        return whole_numbers(pyarrow.compute.binary_length(texts)).astype(float)
    if types.is_struct(kind):
        return sum(map(bytes_of_rows, column.flatten()), numpy.zeros(len(column)))
    if types.is_list(kind) or types.is_large_list(kind):
        offsets = whole_numbers(column.offsets)
        first, last = (int(offsets[0]), int(offsets[-1])) if len(offsets) else (0, 0)
        sums = numpy.concatenate([[0], numpy.cumsum(bytes_of_rows(column.values.slice(first, last - first)))])
        return numpy.diff(sums[offsets - first]) if len(column) else numpy.zeros(0)
    return numpy.full(len(column), bytes_held(column) / max(len(column), 1))


def width_by_types(schema: pyarrow.Schema) -> tuple[int, list[str]]:
    """Bytes of a row in the columns whose types tell them, and the names of the others."""
    bits = 0
    others: list[str] = []
    for name, kind in zip(schema.names, schema.types):
        if pyarrow.types.is_primitive(kind):
            bits += kind.bit_width + 1
        else:
            others.append(name)
    return bits // 8, others
