"""A stretch of a column of texts as pages of Parquet: what pyarrow's writer makes of it, with less work. Stretches that
are not plain texts packed by zstd are left to that."""

from __future__ import annotations

from typing import Any, NamedTuple

import pyarrow

from .. import _native
from . import thrift as thrift
from .column_encoder import ColumnOptions, encode_columns, footer_of_part, sink_bytes
from .column_ends import CHUNK_STATISTICS, GREATEST, GREATEST_IS_EXACT, LEAST, LEAST_IS_EXACT, NULL_COUNT
from .joined_chunks import DEFINITIONS, PAGE_COUNT, PAGE_ENCODING, PAGE_TYPE, REPETITIONS, UNPACKED_BYTES
from .parquet_footer import (CHUNK_CODEC, CHUNK_ENCODINGS, CHUNK_METADATA, CHUNK_PAGE_COUNTS, CHUNK_PAGES, CHUNK_PATH,
                             CHUNK_ROWS, CHUNK_SIZES, CHUNK_TYPE, COLUMN_BYTES, COLUMN_STORED_BYTES, MAGIC,
                             first_chunks)
from .parquet_joining import CHUNK_OFFSET
from .sink_pool import SinkPool
from .thrift import Struct

# Values of the enums Type, Encoding, CompressionCodec and PageType in parquet.thrift.
_BYTE_ARRAY, _PLAIN, _RLE, _ZSTD, _DATA_PAGE = 6, 0, 3, 6, 0
# As pyarrow's writer has them: where a page ends, and the longest value that statistics tell.
_PAGE_BYTES, _MOST_STATISTICS_BYTES = 1 << 20, 4096
# Pages tell of their bytes by 31 bits, of which a text may have more.
_MOST_BYTES = 1 << 30


class TextStretch(NamedTuple):
    """file: which begins as a Parquet file does, with the pages. chunk: the struct ColumnChunk of these."""
    file: pyarrow.Buffer
    chunk: Struct


class TextEncoder:
    """Any thread may use it."""

    def __init__(self, most_bytes: int) -> None:
        """most_bytes: of a stretch for whose pages memory is used again."""
        self._pool = SinkPool(sink_bytes(most_bytes))
        self._pages = _native.TextPages()

    def encode(self, stretch: pyarrow.Table, column: ColumnOptions) -> TextStretch:
        """stretch: of one column. column: without a dictionary."""
        made = self._made_here(stretch, column.options)
        if made is None:
            file = encode_columns(stretch, stretch.num_rows, [column], self._pool)
            made = TextStretch(file, first_chunks(footer_of_part(file))[0])
        return made

    def _made_here(self, stretch: pyarrow.Table, options: dict[str, Any]) -> TextStretch | None:
        field, column = stretch.schema.field(0), stretch.column(0)
        if not _is_made_here(field, column, options):
            return None
        level = options.get("compression_level")
        buffer = self._pool.take(sink_bytes(stretch.nbytes))
        told = self._pages.write([chunk.__arrow_c_array__() for chunk in column.chunks], field.nullable,
                                 level.get(field.name) if isinstance(level, dict) else level,
                                 options.get("data_page_size", _PAGE_BYTES), memoryview(buffer)[len(MAGIC):])
        if told is None:
            self._pool.front_of(buffer, 0)  # gives it back
            return None
        memoryview(buffer).cast("B")[:len(MAGIC)] = MAGIC
        return TextStretch(self._pool.front_of(buffer, len(MAGIC) + told[0]), _chunk_of(field, *told))


def _is_made_here(field: pyarrow.Field, column: pyarrow.ChunkedArray, options: dict[str, Any]) -> bool:
    codec = options["compression"]
    if isinstance(codec, dict):
        codec = codec.get(field.name, "")
    is_usual = (options.get("data_page_version") == "1.0" and options.get("write_page_checksum", False)
                and options.get("write_statistics", True) and "column_encoding" not in options)
    return (is_usual and codec.lower() == "zstd" and column.nbytes <= _MOST_BYTES
            and (field.nullable or not column.null_count))


def _chunk_of(field: pyarrow.Field, stored_bytes: int, unpacked_bytes: int, text_bytes: int, rows: int, nulls: int,
              pages: int, least: bytes | None, greatest: bytes | None) -> Struct:
    statistics: Struct = {NULL_COUNT: (thrift.I64, nulls)}
    for place, is_exact, value in ((GREATEST, GREATEST_IS_EXACT, greatest), (LEAST, LEAST_IS_EXACT, least)):
        if value is not None and len(value) <= _MOST_STATISTICS_BYTES:
            statistics[place] = (thrift.BINARY, value)
            statistics[is_exact] = (thrift.TRUE, None)
    page_count: Struct = {PAGE_TYPE: (thrift.I32, _DATA_PAGE), PAGE_ENCODING: (thrift.I32, _PLAIN),
                          PAGE_COUNT: (thrift.I32, pages)}
    sizes: Struct = {UNPACKED_BYTES: (thrift.I64, text_bytes), REPETITIONS: (thrift.LIST, (thrift.I64, [])),
                     DEFINITIONS: (thrift.LIST, (thrift.I64, [nulls, rows - nulls] if field.nullable else []))}
    column: Struct = {
        CHUNK_TYPE: (thrift.I32, _BYTE_ARRAY), CHUNK_ENCODINGS: (thrift.LIST, (thrift.I32, [_RLE, _PLAIN])),
        CHUNK_PATH: (thrift.LIST, (thrift.BINARY, [field.name.encode()])), CHUNK_CODEC: (thrift.I32, _ZSTD),
        CHUNK_ROWS: (thrift.I64, rows), COLUMN_BYTES: (thrift.I64, unpacked_bytes),
        COLUMN_STORED_BYTES: (thrift.I64, stored_bytes), CHUNK_PAGES: (thrift.I64, len(MAGIC)),
        CHUNK_STATISTICS: (thrift.STRUCT, statistics), CHUNK_PAGE_COUNTS: (thrift.LIST, (thrift.STRUCT, [page_count])),
        CHUNK_SIZES: (thrift.STRUCT, sizes)}
    return {CHUNK_OFFSET: (thrift.I64, 0), CHUNK_METADATA: (thrift.STRUCT, column)}
