"""A Parquet file while row groups are appended to it. ParquetWriter has one at a time."""

from __future__ import annotations

import concurrent.futures
from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

from . import thrift as thrift
from .column_encoder import footer_bytes_of_part, footer_of_part
from .joined_chunks import extend_chunk
from .parquet_footer import (CHUNK_METADATA, COLUMN_BYTES, COLUMN_STORED_BYTES, FILE_ROW_GROUPS, FILE_ROWS, GROUP_BYTES,
                              GROUP_COLUMNS, GROUP_ROWS, MAGIC, first_chunks, items)
from .parquet_joining import GROUP_OFFSET, PageIndexes, add_row_group, moved_chunk
from .stored_groups import StoredGroup, place_of_pages
from .text_stretch import TextStretch
from .thrift import Buffer, Struct

# Fields of the struct RowGroup in parquet.thrift.
_GROUP_SORTING, _GROUP_STORED_BYTES = 4, 6


EncodedPart: TypeAlias = concurrent.futures.Future[Any] | Sequence[concurrent.futures.Future[TextStretch]]
"""Some columns as a Parquet file, as encode_columns() gives it, or the stretches of one column."""


class EncodedGroup(NamedTuple):
    """parts: its columns in their order. Who appends it takes them out of the list."""
    parts: list[EncodedPart]
    rows: int

    def stored_bytes(self) -> int:
        return sum(len(part.result()) if isinstance(part, concurrent.futures.Future)
                   else sum(len(stretch.result().file) for stretch in part) for part in self.parts)


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

    def _append_parts(self, parts: list[EncodedPart], rows: int) -> None:
        group: Struct = {GROUP_OFFSET: (thrift.I64, self.position), GROUP_ROWS: (thrift.I64, rows)}
        chunks: list[Struct] = []
        indexes = PageIndexes()
        while parts:
            part = parts.pop(0)
            if isinstance(part, concurrent.futures.Future):
                chunks += self._appended_columns(part.result(), indexes)
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

    def _appended_stretches(self, stretches: Sequence[concurrent.futures.Future[TextStretch]]) -> Struct:
        """One column chunk of those of all stretches."""
        whole: Struct | None = None
        for stretch in stretches:
            file, chunk = stretch.result()
            begin, size = place_of_pages(chunk)
            moved = self.position - begin
            self._append_bytes([memoryview(file)[begin:begin + size]])
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
