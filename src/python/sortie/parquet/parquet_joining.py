"""Parts that become one Parquet file: row groups whose bytes move, page indexes, and a footer behind several files that
names the row groups of all. What lies between these, the footers of the parts, no reader looks at."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import BinaryIO

from . import thrift as thrift
from .parquet_footer import (CHUNK_BLOOM, CHUNK_DICTIONARY, CHUNK_METADATA, CHUNK_PAGES, COLUMN_INDEX,
                             COLUMN_INDEX_BYTES,
                              FILE_ROW_GROUPS, FILE_ROWS, GROUP_COLUMNS, GROUP_ROWS, MAGIC, OFFSET_INDEX,
                             OFFSET_INDEX_BYTES,
                              items, read_footer, row_groups)
from .thrift import Struct

CHUNK_OFFSET, _CHUNK_INDEX_PAGE = 2, 10
OFFSETS_OF_PAGES = (CHUNK_PAGES, _CHUNK_INDEX_PAGE, CHUNK_DICTIONARY)
GROUP_OFFSET, _GROUP_ORDINAL = 5, 7  # of the struct RowGroup
_PLACES, _PLACE_OFFSET = 1, 1  # of the structs OffsetIndex and PageLocation


def moved_chunk(chunk: Struct, distance: int) -> Struct:
    """A column chunk whose bytes lie elsewhere. Offsets that are not set are 0, before any data."""
    column = chunk[CHUNK_METADATA][1]
    for struct, fields in ((chunk, (CHUNK_OFFSET,)), (column, (*OFFSETS_OF_PAGES, CHUNK_BLOOM))):
        for field in fields:
            if field in struct and struct[field][1] >= len(MAGIC):
                struct[field] = (thrift.I64, struct[field][1] + distance)
    return chunk


def add_row_group(footer: Struct, group: Struct) -> None:
    groups = items(footer, FILE_ROW_GROUPS)
    group.pop(_GROUP_ORDINAL, None)
    if len(groups) < 1 << 15:
        group[_GROUP_ORDINAL] = (thrift.I16, len(groups))
    groups.append(group)
    footer[FILE_ROWS] = (thrift.I64, footer[FILE_ROWS][1] + group[GROUP_ROWS][1])


def moved_group(group: Struct, distance: int) -> Struct:
    """A row group whose bytes lie elsewhere. Its page indexes stay where they were."""
    if GROUP_OFFSET in group:
        group[GROUP_OFFSET] = (thrift.I64, group[GROUP_OFFSET][1] + distance)
    for chunk in items(group, GROUP_COLUMNS):
        moved_chunk(chunk, distance)
    return group


class PageIndexes:
    """Those of one row group after the other: first of all columns what their pages hold, then where they lie."""

    def __init__(self) -> None:
        self._columns: list[tuple[Struct, bytes]] = []
        self._offsets: list[tuple[Struct, bytes]] = []

    def take(self, chunks: Iterable[Struct], file: bytes | memoryview, distance: int, end: int) -> int:
        """Takes the indexes of chunks out of the bytes of their file, for pages that move by a distance. Returns where
        they began: they are the last in front of the footer, which begins at `end`."""
        for chunk in chunks:
            columns, offsets = None, None
            if COLUMN_INDEX in chunk:
                begin = chunk[COLUMN_INDEX][1]
                columns = bytes(file[begin:begin + chunk[COLUMN_INDEX_BYTES][1]])
                end = min(end, begin)
            if OFFSET_INDEX in chunk:
                begin = chunk[OFFSET_INDEX][1]
                offsets = file[begin:begin + chunk[OFFSET_INDEX_BYTES][1]]
                end = min(end, begin)
            self.add(chunk, columns, offsets, distance)
        return end

    def add(self, chunk: Struct, columns: bytes | None, offsets: bytes | memoryview | None, distance: int) -> None:
        """columns, offsets: the bytes of its ColumnIndex and OffsetIndex, None for none. distance: by which its pages
        move."""
        if columns is not None:
            self._columns.append((chunk, columns))
        if offsets is not None:
            self._offsets.append((chunk, moved_offset_index(offsets, distance)))

    def place(self, position: int) -> list[bytes]:
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


def moved_offset_index(index: bytes | memoryview, distance: int) -> bytes:
    """The bytes of an OffsetIndex whose pages lie elsewhere."""
    struct = thrift.read_struct(index)
    for place in items(struct, _PLACES):
        place[_PLACE_OFFSET] = (thrift.I64, place[_PLACE_OFFSET][1] + distance)
    return thrift.struct_bytes(struct)


def joined_footer(paths: Iterable[str | os.PathLike[str]]) -> bytes:
    """What makes one file of the concatenation of files that have the same columns: bytes to be written behind them."""
    whole: Struct = {}
    end = 0
    indexes = []  # (chunk, OffsetIndex)
    for path in paths:
        with open(path, "rb") as file:
            footer = read_footer(file)
            whole = whole or _without_rows(footer)
            for group in row_groups(footer):
                indexes += _moved_indexes(group, file, end)
                add_row_group(whole, moved_group(group, end))
            end += file.seek(0, 2)
    for chunk, index in indexes:
        chunk[OFFSET_INDEX], chunk[OFFSET_INDEX_BYTES] = (thrift.I64, end), (thrift.I32, len(index))
        end += len(index)
    return b"".join([*(index for _, index in indexes), *_footer_at_end(whole)])


def joined_file(files: Sequence[tuple[bytes, Struct]]) -> bytes:
    """The bytes of one file of the rows of files that have the same columns, without their page indexes. files: (bytes,
    the footer as read_footer() gives it) of each."""
    whole, end = _without_rows(files[0][1]), 0
    for content, footer in files:
        for group in row_groups(footer):
            for chunk in items(group, GROUP_COLUMNS):
                for field in (COLUMN_INDEX, COLUMN_INDEX_BYTES, OFFSET_INDEX, OFFSET_INDEX_BYTES):
                    chunk.pop(field, None)
            add_row_group(whole, moved_group(group, end))
        end += len(content)
    return b"".join([*(content for content, _ in files), *_footer_at_end(whole)])


def _without_rows(footer: Struct) -> Struct:
    return {**footer, FILE_ROW_GROUPS: (thrift.LIST, (thrift.STRUCT, [])), FILE_ROWS: (thrift.I64, 0)}


def _footer_at_end(footer: Struct) -> list[bytes]:
    """The pieces with which a file ends."""
    content = thrift.struct_bytes(footer)
    return [content, len(content).to_bytes(4, "little"), MAGIC]


def _moved_indexes(group: Struct, file: BinaryIO, distance: int) -> list[tuple[Struct, bytes]]:
    """The OffsetIndex of each chunk that has one. Those of what pages hold lie with the row group, and move with it."""
    indexes = []
    for chunk in items(group, GROUP_COLUMNS):
        if COLUMN_INDEX in chunk:
            chunk[COLUMN_INDEX] = (thrift.I64, chunk[COLUMN_INDEX][1] + distance)
        if OFFSET_INDEX in chunk:
            file.seek(chunk[OFFSET_INDEX][1])
            indexes.append((chunk, moved_offset_index(file.read(chunk[OFFSET_INDEX_BYTES][1]), distance)))
    return indexes
