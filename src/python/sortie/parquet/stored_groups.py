"""Row groups that go from one Parquet file into another as the bytes that they are: which ones may, and their bytes."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import BinaryIO, NamedTuple

import pyarrow

from .. import _native
from .._errors import Error
from .._files import naming
from ..columns.row_bytes import width_by_types
from . import thrift as thrift
from .column_ends import without_ends
from .parquet_footer import (CHUNK_BLOOM, CHUNK_BLOOM_BYTES, CHUNK_DICTIONARY, CHUNK_METADATA, CHUNK_PAGES, CHUNK_ROWS,
                             COLUMN_BYTES, COLUMN_INDEX, COLUMN_INDEX_BYTES, COLUMN_STORED_BYTES, DAMAGE,
                             FILE_ROW_GROUPS, FILE_SCHEMA, GROUP_COLUMNS, OFFSET_INDEX, OFFSET_INDEX_BYTES, items,
                             read_footer)
from .parquet_form import ColumnForm, codecs_of, page_version
from .parquet_input import ParquetInput
from .parquet_joining import OFFSETS_OF_PAGES, moved_chunk
from .row_group import RowGroup
from .thrift import Struct

# Fields that tell nothing of how values are stored.
_FIELD_ID, _CHUNK_FILE = 9, 1  # of the structs SchemaElement and ColumnChunk
# A column chunk is held as a whole while it moves.
_MOST_CHUNK_BYTES = 64 << 20
# Statistics within the structs DataPageHeader and DataPageHeaderV2, and these within PageHeader.
_PAGE_STATISTICS = ((5, 5), (8, 8))
_INDEXES = (COLUMN_INDEX, COLUMN_INDEX_BYTES, OFFSET_INDEX, OFFSET_INDEX_BYTES)


class LeafForm(NamedTuple):
    """path, codec: of a leaf. form: of its column. has_level: whether a level of compression was asked for, which none
    that is stored tells."""
    path: str
    codec: str
    has_level: bool
    form: ColumnForm


class StoredForm:
    """What a ParquetWriter writes, so that only row groups that look the same are moved into it."""

    def __init__(self, schema: pyarrow.Schema, footer: Struct, leaves: Sequence[LeafForm], sizes: RowGroup,
                 use_threads: bool) -> None:
        """footer: of the output. use_threads: where rows are read after all."""
        self._schema, self._leaves, self._sizes = schema, leaves, sizes
        self._elements = _elements(footer)
        self.use_threads = use_threads

    def groups_of(self, file: ParquetInput) -> dict[int, StoredGroup]:
        """The row groups that may be moved, by their numbers."""
        if file.has_old_times or not file.schema.equals(self._schema) or any(leaf.has_level for leaf in self._leaves):
            return {}
        found: dict[int, StoredGroup] = {}
        width, _ = width_by_types(file.schema)
        with naming(file.path, "read"), file.open_stored() as stored:
            footer = read_footer(stored)
            if _elements(footer) != self._elements:
                return {}
            for number, struct in enumerate(items(footer, FILE_ROW_GROUPS)):
                sizes = file.groups[number]
                size = max(sizes.bytes, sizes.rows * width + (sizes.text_bytes or 0))
                if not self._sizes.suits(sizes.rows, size):
                    continue
                with contextlib.suppress(*DAMAGE, OSError):
                    if self._is_form_of(items(thrift.read_struct(struct), GROUP_COLUMNS), stored):
                        found[number] = StoredGroup(file, number, struct, size, self)
        if found:
            file.keep_footer()
        return found

    def _is_form_of(self, chunks: Sequence[Struct], file: BinaryIO) -> bool:
        for chunk in chunks:
            if _CHUNK_FILE in chunk or chunk[CHUNK_METADATA][1][COLUMN_STORED_BYTES][1] > _MOST_CHUNK_BYTES:
                return False
        if codecs_of(chunks, unknown="") != tuple(leaf.codec for leaf in self._leaves):
            return False
        version = page_version(file, chunks)
        # Where page indexes and Bloom filters are wanted, they are made anew: wrong ones hide rows, and do not look
        # damaged.
        return all(leaf.form.is_form_of(leaf.path, chunk, version) and not leaf.form.has_index
                   and not leaf.form.has_bloom(leaf.path) for leaf, chunk in zip(self._leaves, chunks))


class StoredGroup:
    """A row group of a file that may be moved. nbytes: about what its rows take in memory."""

    def __init__(self, file: ParquetInput, number: int, struct: bytes, size: int, form: StoredForm) -> None:
        self._file, self._number, self._struct, self._form = file, number, struct, form
        self.num_rows = file.groups[number].rows
        self.nbytes = size
        self._endless: Sequence[int] = ()

    def batches(self, is_alone: bool = True) -> Iterator[pyarrow.RecordBatch]:
        """is_alone: whether no others are read at once."""
        return self._file.of_groups([self._number]).batches(use_threads=self._form.use_threads and is_alone)

    def leave_out_ends(self, leaves: Sequence[int]) -> None:
        """Does not tell the least and greatest values of these leaves."""
        self._endless = leaves

    def struct(self) -> Struct:
        """The struct RowGroup, without what stands beside its pages: page indexes and Bloom filters."""
        group = thrift.read_struct(self._struct)
        chunks = items(group, GROUP_COLUMNS)
        for chunk in chunks:
            for field in _INDEXES:
                chunk.pop(field, None)
            for field in (CHUNK_BLOOM, CHUNK_BLOOM_BYTES):
                chunk[CHUNK_METADATA][1].pop(field, None)
        for leaf in self._endless:
            without_ends(chunks[leaf][CHUNK_METADATA][1])
        return group

    def stored_bytes(self) -> int:
        return sum(chunk[CHUNK_METADATA][1][COLUMN_STORED_BYTES][1] for chunk in items(self.struct(), GROUP_COLUMNS))

    def has_sound_places(self) -> bool:
        """Whether the footer tells places that can be moved."""
        for chunk in items(self.struct(), GROUP_COLUMNS):
            moved_chunk(chunk, place_of_pages(chunk)[0])  # raises what DAMAGE has
        return True

    def chunks(self, group: Struct) -> Iterator[tuple[Struct, StoredChunk]]:
        """Each struct ColumnChunk of struct() with its bytes. Raises Error for pages that are damaged."""
        with naming(self._file.path, "read"), self._file.open_stored() as file:
            for chunk in items(group, GROUP_COLUMNS):
                yield chunk, self._chunk(chunk, file)

    def _chunk(self, chunk: Struct, file: BinaryIO) -> StoredChunk:
        begin, size = place_of_pages(chunk)
        pages = _read(file, begin, size)
        places = _pages_in(pages, chunk[CHUNK_METADATA][1][CHUNK_ROWS][1])
        if places is None:
            raise Error(f"cannot read '{self._file.path}': it is damaged: row group {self._number + 1} has pages that "
                        "differ from what their headers, or the footer, tell")
        return StoredChunk(begin, _without_statistics(chunk[CHUNK_METADATA][1], begin, pages, places))


class StoredChunk(NamedTuple):
    """begin: where its pages are in their file. pieces: their bytes."""
    begin: int
    pieces: list[bytes | memoryview]


def place_of_pages(chunk: Struct) -> tuple[int, int]:
    """Where the pages of a column chunk begin, and their size."""
    column = chunk[CHUNK_METADATA][1]
    begin = min(column[field][1] for field in (CHUNK_DICTIONARY, CHUNK_PAGES) if field in column
                and column[field][1] > 0)
    return begin, column[COLUMN_STORED_BYTES][1]


_Place = tuple[int, int, int, bool]


def _pages_in(pages: bytes, values: int) -> list[_Place] | None:
    """Where the header of each page begins, where the page begins and ends, and whether its header has statistics. None
    unless pages have as many values as the footer tells, and their checksums."""
    places: list[_Place]
    try:
        told, places = _native.stored_pages(pages)
    except ValueError:
        return None
    return places if told == values else None


def _without_statistics(column: Struct, begin: int, pages: bytes, places: Sequence[_Place]) -> list[bytes | memoryview]:
    """The bytes of pages without what their headers tell of values: nobody has compared it with these, and wrong ends
    hide rows. column: the struct ColumnMetaData, which is told of the bytes that are left out. begin: of the pages, in
    their file."""
    whole = memoryview(pages)
    pieces: list[bytes | memoryview] = []
    offsets = {field: column[field][1] for field in OFFSETS_OF_PAGES if field in column and column[field][1] > 0}
    kept = left_out = 0
    for header, page, _, has_statistics in places:
        if not has_statistics:
            continue
        struct = thrift.read_struct(whole[header:page])
        for kind, statistics in _PAGE_STATISTICS:
            of_kind = struct.get(kind)
            if of_kind is not None and of_kind[0] == thrift.STRUCT and of_kind[1].pop(statistics, None) is not None:
                made = thrift.struct_bytes(struct)
                pieces += [whole[kept:header], made]
                kept = page
                # What lies behind this header comes nearer.
                for field, offset in offsets.items():
                    if offset >= begin + page:
                        column[field] = (thrift.I64, column[field][1] - (page - header - len(made)))
                left_out += page - header - len(made)
    for field in (COLUMN_BYTES, COLUMN_STORED_BYTES):
        column[field] = (thrift.I64, column[field][1] - left_out)
    return [*pieces, whole[kept:]]


def _read(file: BinaryIO, begin: int, size: int) -> bytes:
    """Files of programs may give less at once."""
    file.seek(begin)
    content = file.read(size)
    while len(content) < size:
        more = file.read(size - len(content))
        if not more:
            raise OSError("it ends within a row group")
        content += more
    return content


def _elements(footer: Struct) -> list[Struct]:
    """The elements of all columns, as far as they tell how values are stored and what they mean."""
    return [{field: value for field, value in element.items() if field != _FIELD_ID}
            for element in items(footer, FILE_SCHEMA)[1:]]
