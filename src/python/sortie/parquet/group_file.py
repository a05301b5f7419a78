"""A Parquet file while row groups are appended to it. ParquetWriter has one at a time."""

from __future__ import annotations

import concurrent.futures
from collections.abc import Sequence
from typing import Any, NamedTuple

from . import thrift as thrift
from .column_encoder import footer_bytes_of_part, footer_of_part
from .joined_chunks import extend_chunk
from .parquet_footer import (CHUNK_METADATA, COLUMN_BYTES, COLUMN_STORED_BYTES, FILE_ROW_GROUPS, FILE_ROWS, GROUP_BYTES,
                              GROUP_COLUMNS, GROUP_ROWS, MAGIC, first_chunks, items)
from .parquet_joining import GROUP_OFFSET, PageIndexes, add_row_group, moved_chunk
from .stored_groups import StoredGroup, place_of_pages
from .thrift import Buffer, Struct

# Fields of the struct RowGroup in parquet.thrift.
_GROUP_SORTING, _GROUP_STORED_BYTES = 4, 6


class EncodedGroup(NamedTuple):
    """parts: some of its columns each, in their order, as Parquet files whose rows follow one another: one, or several
    of one column as GroupColumns has it. Who appends it takes them out of the list."""
    parts: list[Sequence[concurrent.futures.Future[Any]]]
    rows: int

    def stored_bytes(self) -> int:
        return sum(len(stretch.result()) for part in self.parts for stretch in part)


class GroupFile:
    """file: what takes bytes by write(). footer: the struct FileMetaData of its columns, without row groups; it is not
    changed. sorting: the structs SortingColumn. Not complete before end()."""

    def __init__(self, file: Any, footer: Struct, sorting: list[Struct]) -> None:
        self.file = file
        self._footer = {**footer, FILE_ROW_GROUPS: (thrift.LIST, (thrift.STRUCT, [])), FILE_ROWS: (thrift.I64, 0)}
        self._sorting = sorting
        self.position = 0
        self._append_bytes([MAGIC])

    def append(self, group: EncodedGroup | StoredGroup) -> None:
        if isinstance(group, StoredGroup):
            self._append_stored(group)
        else:
            self._append_parts(group.parts, group.rows)

    def _append_parts(self, parts: list[Sequence[concurrent.futures.Future[Any]]], rows: int) -> None:
        group: Struct = {GROUP_OFFSET: (thrift.I64, self.position), GROUP_ROWS: (thrift.I64, rows)}
        chunks: list[Struct] = []
        indexes = PageIndexes()
        while parts:
            part = parts.pop(0)
            if len(part) == 1:
                chunks += self._appended_columns(part[0].result(), indexes)
            else:
                chunks.append(self._appended_stretches(part))
        self._append_bytes(indexes.place(self.position))
        group[GROUP_COLUMNS] = (thrift.LIST, (thrift.STRUCT, chunks))
        self._add(_with_sizes(group))

    def _appended_columns(self, file: Buffer, indexes: PageIndexes) -> list[Struct]:
        """The column chunks of a file whose pages are put here."""
        part = memoryview(file)
        chunks = first_chunks(footer_of_part(part))
        moved = self.position - len(MAGIC)
        end = indexes.take(chunks, part, moved, len(part) - footer_bytes_of_part(part))
        self._append_bytes([part[len(MAGIC):end]])
        return [moved_chunk(chunk, moved) for chunk in chunks]

    def _appended_stretches(self, stretches: Sequence[concurrent.futures.Future[Any]]) -> Struct:
        """One column chunk of those of files with one column each."""
        whole: Struct | None = None
        for stretch in stretches:
            part = memoryview(stretch.result())
            chunk, = first_chunks(footer_of_part(part))
            begin, size = place_of_pages(chunk)
            moved = self.position - begin
            self._append_bytes([part[begin:begin + size]])
            if whole is None:
                whole = moved_chunk(chunk, moved)
            else:
                extend_chunk(whole, chunk)
        assert whole is not None
        return whole

    def _append_stored(self, stored: StoredGroup) -> None:
        group = stored.struct()
        group[GROUP_OFFSET] = (thrift.I64, self.position)
        for chunk, held in stored.chunks(group):
            distance = self.position - held.begin
            self._append_bytes(held.pieces)
            moved_chunk(chunk, distance)
        self._add(_with_sizes(group))

    def _add(self, group: Struct) -> None:
        group.pop(_GROUP_SORTING, None)
        if self._sorting:
            group[_GROUP_SORTING] = (thrift.LIST, (thrift.STRUCT, self._sorting))
        add_row_group(self._footer, group)

    def end(self) -> None:
        footer = thrift.struct_bytes(self._footer)
        self._append_bytes([footer, len(footer).to_bytes(4, "little"), MAGIC])

    def _append_bytes(self, pieces: Sequence[bytes | memoryview]) -> None:
        for piece in pieces:
            self.file.write(piece)
            self.position += len(piece)


def _with_sizes(group: Struct) -> Struct:
    """A row group with the sizes of all its columns."""
    columns = [chunk[CHUNK_METADATA][1] for chunk in items(group, GROUP_COLUMNS)]
    group[GROUP_BYTES] = (thrift.I64, sum(column[COLUMN_BYTES][1] for column in columns))
    group[_GROUP_STORED_BYTES] = (thrift.I64, sum(column[COLUMN_STORED_BYTES][1] for column in columns))
    return group
