"""Whether a column of a row group may become smaller by a dictionary. pyarrow finds that out by trying: it puts values
into a hash table until the dictionary is full, and for numbers that takes longer than the rest of their encoding."""

import array
import math
import random

import pyarrow
import pyarrow.compute
from pyarrow import types

# So many show 1.25 rows a value apart from one within some 15%: of a million, 42 or 33 are drawn twice.
_SAMPLED_ROWS = 8192
# pyarrow's own limit for the page of a dictionary.
_MOST_DICTIONARY_BYTES = 1 << 20

# Those that pyarrow finds unique values of.
_SAMPLED_TYPES = (types.is_integer, types.is_float32, types.is_float64, types.is_date, types.is_time,
                  types.is_timestamp, types.is_duration, types.is_decimal128, types.is_decimal256, types.is_string,
                  types.is_large_string, types.is_binary, types.is_large_binary, types.is_fixed_size_binary)


def _random_shares(count):
    generator = random.Random(0)
    # Not from a list: that would import pandas.
    shares = array.array("d", [generator.random() for _ in range(count)])
    return pyarrow.Array.from_buffers(pyarrow.float64(), count, [None, pyarrow.py_buffer(shares)])


_SHARES = _random_shares(_SAMPLED_ROWS)


def dictionary_pays(column):
    """column: a chunked array. False if a dictionary costs more than it saves in whatever order the values are, as far
    as a sample tells; True for types of which none is taken. The same column gives the same answer."""
    rows = len(column)
    if rows == 0 or not any(is_type(column.type) for is_type in _SAMPLED_TYPES):
        return True
    sample = _sample(column)
    distinct = min(_distinct_values(len(sample), len(pyarrow.compute.unique(sample))), rows)
    width = column.nbytes / rows
    most_entries = min(distinct, _MOST_DICTIONARY_BYTES / width)
    index_bytes = math.ceil(math.log2(most_entries + 1)) / 8
    return distinct * width + rows * index_bytes < rows * width


def _sample(column):
    """Rows at random: those of a column in order repeat their neighbours."""
    pieces, rows, drawn = [], 0, 0
    for chunk in column.chunks:
        rows += len(chunk)
        end = rows * min(len(_SHARES), len(column)) // len(column)
        places = pyarrow.compute.multiply(_SHARES.slice(drawn, end - drawn), float(len(chunk)))
        pieces.append(chunk.take(places.cast(pyarrow.int32(), safe=False)))
        drawn = end
    return pyarrow.chunked_array(pieces, column.type)


def _distinct_values(drawn, seen):
    """The number n of equally frequent values of which `drawn` ones show `seen` different ones: the n of
    n (1 - (1 - 1/n)^drawn) = seen."""
    if seen < 2:
        return seen
    least, most = seen, 1 << 40
    while least < most:
        middle = (least + most) // 2
        if -middle * math.expm1(drawn * math.log1p(-1 / middle)) < seen:
            least = middle + 1
        else:
            most = middle
    return least
