"""Whether a column of a row group is smaller with a dictionary. pyarrow finds that out by trying: it puts values into a
hash table until the dictionary is too large, which for numbers takes longer than to encode them."""

import math
import random

import pyarrow
import pyarrow.compute
from pyarrow import types

# pyarrow's own limit for the page of a dictionary, with a margin for the error of a sample.
_MOST_DICTIONARY_BYTES = 1.1 * (1 << 20)
# Where sampled rows lie, in shares of the column.
_GENERATOR = random.Random(0)
_FRACTIONS = pyarrow.array([_GENERATOR.random() for _ in range(8192)])

# Types that pyarrow finds unique values of.
_IS_SAMPLED = (types.is_integer, types.is_float32, types.is_float64, types.is_date, types.is_time, types.is_timestamp,
               types.is_duration, types.is_decimal128, types.is_decimal256, types.is_string, types.is_large_string,
               types.is_binary, types.is_large_binary, types.is_fixed_size_binary)


def dictionary_pays(column):
    """column: a chunked array. True where no sample tells. The same column gives the same answer."""
    if len(column) == 0 or not any(is_type(column.type) for is_type in _IS_SAMPLED):
        return True
    sample = _sample(column)
    seen = len(pyarrow.compute.unique(sample))
    distinct = min(_distinct(len(sample), seen), len(column))
    width = column.nbytes / len(column)
    dictionary_bytes = distinct * width
    indexes_bytes = len(column) * math.ceil(math.log2(distinct + 1)) / 8
    return dictionary_bytes <= _MOST_DICTIONARY_BYTES and dictionary_bytes + indexes_bytes < len(column) * width


def _sample(column):
    """Rows at random: those of a column in order repeat their neighbours."""
    pieces, drawn = [], 0
    for chunk in column.chunks:
        count = math.ceil(len(chunk) * min(1, len(_FRACTIONS) / len(column)))
        rows = pyarrow.compute.multiply(_FRACTIONS.slice(drawn, count), float(len(chunk)))
        pieces.append(chunk.take(rows.cast(pyarrow.int32(), safe=False)))
        drawn += count
    return pyarrow.chunked_array(pieces, column.type)


def _distinct(drawn, seen):
    """How many equally frequent values there are if `drawn` of them at random, each put back, show `seen` ones. The
    expected number is n (1 - (1 - 1/n)^drawn)."""
    least, most = seen, 1 << 40
    while least < most:
        middle = (least + most) // 2
        if -middle * math.expm1(drawn * math.log1p(-1 / middle)) < seen if middle > 1 else seen > 1:
            least = middle + 1
        else:
            most = middle
    return least
