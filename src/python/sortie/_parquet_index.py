"""Page indexes of Parquet files: where they lie, and the offsets of pages in them, when the bytes of columns move."""

from . import _thrift as thrift
from ._parquet_footer import (CHUNK_BLOOM, CHUNK_METADATA, CHUNK_PAGES, CHUNK_DICTIONARY, COLUMN_INDEX,
                              COLUMN_INDEX_BYTES, GROUP_COLUMNS, MAGIC, OFFSET_INDEX, OFFSET_INDEX_BYTES, items)

_CHUNK_OFFSET, _CHUNK_INDEX_PAGE = 2, 10
_PLACES, _PLACE_OFFSET = 1, 1  # of the structs OffsetIndex and PageLocation


def moved_chunk(chunk, distance):
    """A column chunk whose bytes lie elsewhere. Offsets that are not set are 0, before any data."""
    column = chunk[CHUNK_METADATA][1]
    offsets = (CHUNK_PAGES, _CHUNK_INDEX_PAGE, CHUNK_DICTIONARY, CHUNK_BLOOM)
    for struct, fields in ((chunk, (_CHUNK_OFFSET,)), (column, offsets)):
        for field in fields:
            if field in struct and struct[field][1] >= len(MAGIC):
                struct[field] = (thrift.I64, struct[field][1] + distance)
    return chunk


class PageIndexes:
    """Those of one row group after the other: first of all columns what their pages hold, then where they lie."""

    def __init__(self):
        self._columns, self._offsets = [], []

    def take(self, chunks, file, distance, end):
        """Takes the indexes of chunks out of the bytes of their file, for pages that move by a distance. Returns where
        they began: they are the last in front of the footer, which begins at `end`."""
        for chunk in chunks:
            if COLUMN_INDEX in chunk:
                begin = chunk[COLUMN_INDEX][1]
                self._columns.append((chunk, bytes(file[begin:begin + chunk[COLUMN_INDEX_BYTES][1]])))
                end = min(end, begin)
            if OFFSET_INDEX in chunk:
                begin = chunk[OFFSET_INDEX][1]
                index = file[begin:begin + chunk[OFFSET_INDEX_BYTES][1]]
                self._offsets.append((chunk, moved_offset_index(index, distance)))
                end = min(end, begin)
        return end

    def place(self, position):
        """The bytes to be written at a position of the output."""
        pieces = []
        for kept, begin_field, bytes_field in ((self._columns, COLUMN_INDEX, COLUMN_INDEX_BYTES),
                                               (self._offsets, OFFSET_INDEX, OFFSET_INDEX_BYTES)):
            for chunk, index in kept:
                chunk[begin_field] = (thrift.I64, position)
                chunk[bytes_field] = (thrift.I32, len(index))
                pieces.append(index)
                position += len(index)
        return pieces


def moved_offset_index(index, distance):
    """The bytes of an OffsetIndex whose pages lie elsewhere."""
    struct = thrift.read_struct(index)
    for place in items(struct, _PLACES):
        place[_PLACE_OFFSET] = (thrift.I64, place[_PLACE_OFFSET][1] + distance)
    return thrift.struct_bytes(struct)


def first_offset_index(groups):
    """Where the first OffsetIndex of row groups lies; None if there is none."""
    begins = [chunk[OFFSET_INDEX][1] for group in groups for chunk in items(group, GROUP_COLUMNS)
              if OFFSET_INDEX in chunk]
    return min(begins, default=None)
