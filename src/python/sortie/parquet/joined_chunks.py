"""Column chunks of bytes, whose pages follow one another, told of as one."""

from __future__ import annotations

from . import thrift as thrift
from .column_ends import GREATEST, GREATEST_IS_EXACT, LEAST, LEAST_IS_EXACT, NULL_COUNT, statistics
from .parquet_footer import (CHUNK_ENCODINGS, CHUNK_METADATA, CHUNK_PAGE_COUNTS, CHUNK_ROWS, CHUNK_SIZES, COLUMN_BYTES,
                              COLUMN_STORED_BYTES, items)
from .thrift import Struct

PAGE_TYPE, PAGE_ENCODING, PAGE_COUNT = 1, 2, 3  # of the struct PageEncodingStats
UNPACKED_BYTES, REPETITIONS, DEFINITIONS = 1, 2, 3  # of the struct SizeStatistics


def extend_chunk(chunk: Struct, tail: Struct) -> None:
    """Adds what a struct ColumnChunk tells, whose pages are put behind those of `chunk`. Both are of one leaf of texts or bytes,
    which are in the order of their bytes, have no dictionary, and are as pyarrow tells of them."""
    column, more = chunk[CHUNK_METADATA][1], tail[CHUNK_METADATA][1]
    _extend_statistics(column, more)
    for field in (CHUNK_ROWS, COLUMN_BYTES, COLUMN_STORED_BYTES):
        column[field] = (thrift.I64, column[field][1] + more[field][1])
    encodings = items(column, CHUNK_ENCODINGS)
    encodings += [encoding for encoding in items(more, CHUNK_ENCODINGS) if encoding not in encodings]
    _extend_page_counts(column, more)
    _extend_sizes(column, more)


def _extend_statistics(column: Struct, more: Struct) -> None:
    own, other = statistics(column), statistics(more)
    parts = ((own, column), (other, more))
    for field, first_of, is_exact in ((LEAST, min, LEAST_IS_EXACT), (GREATEST, max, GREATEST_IS_EXACT)):
        ends = [(told[field][1], told.get(is_exact)) for told, _ in parts if field in told]
        # That of a part that has values and does not tell it is too long.
        is_told = all(field in told or told.get(NULL_COUNT, (None, -1))[1] == part[CHUNK_ROWS][1] for told, part in parts)
        for gone in (field, is_exact):
            own.pop(gone, None)
        if is_told and ends:
            value, exact = first_of(ends, key=lambda end: end[0])
            own[field] = (thrift.BINARY, value)
            if exact is not None:
                own[is_exact] = exact
    for field in own.keys() - {LEAST, GREATEST, LEAST_IS_EXACT, GREATEST_IS_EXACT, NULL_COUNT}:
        del own[field]
    if NULL_COUNT in own and NULL_COUNT in other:
        own[NULL_COUNT] = (thrift.I64, own[NULL_COUNT][1] + other[NULL_COUNT][1])
    else:
        own.pop(NULL_COUNT, None)


def _extend_page_counts(column: Struct, more: Struct) -> None:
    if CHUNK_PAGE_COUNTS not in column or CHUNK_PAGE_COUNTS not in more:
        column.pop(CHUNK_PAGE_COUNTS, None)
        return
    known = {(count[PAGE_TYPE], count[PAGE_ENCODING]): count for count in items(column, CHUNK_PAGE_COUNTS)}
    for count in items(more, CHUNK_PAGE_COUNTS):
        own = known.get((count[PAGE_TYPE], count[PAGE_ENCODING]))
        if own is None:
            items(column, CHUNK_PAGE_COUNTS).append(count)
        else:
            own[PAGE_COUNT] = (thrift.I32, own[PAGE_COUNT][1] + count[PAGE_COUNT][1])


def _extend_sizes(column: Struct, more: Struct) -> None:
    if CHUNK_SIZES not in column or CHUNK_SIZES not in more:
        column.pop(CHUNK_SIZES, None)
        return
    own, other = column[CHUNK_SIZES][1], more[CHUNK_SIZES][1]
    if UNPACKED_BYTES in own and UNPACKED_BYTES in other:
        own[UNPACKED_BYTES] = (thrift.I64, own[UNPACKED_BYTES][1] + other[UNPACKED_BYTES][1])
    for field in (REPETITIONS, DEFINITIONS):
        if field in own and field in other:
            counts = [sum(pair) for pair in zip(items(own, field), items(other, field))]
            own[field] = (thrift.LIST, (thrift.I64, counts))
