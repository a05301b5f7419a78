"""Whether a dictionary makes a column of a file smaller, by some of its rows."""

from __future__ import annotations

import array
import bisect
import math
import random
from collections.abc import Container, Sequence
from typing import Any, cast

import pyarrow
import pyarrow.compute
from pyarrow import types

from .. import _native

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
