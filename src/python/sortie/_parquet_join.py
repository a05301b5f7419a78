"""Parquet files one behind the other as one: a footer behind them names the row groups of all. What lies between these,
the footers of the parts, no reader looks at. Where the parts have page indexes, those with the offsets of pages are
written once more, in front of that footer."""

from . import _thrift as thrift
from ._parquet_footer import (COLUMN_INDEX, FILE_ROW_GROUPS, FILE_ROWS, GROUP_COLUMNS, MAGIC, OFFSET_INDEX,
                              OFFSET_INDEX_BYTES, footer_bytes, items, read_footer)
from ._parquet_index import first_offset_index, moved_offset_index
from ._parquet_writer import add_row_group, moved_group


def joined_footer(paths):
    """What makes one file of the concatenation of files that have the same columns: bytes to be written behind them."""
    whole, end = None, 0
    indexes = []  # (chunk, OffsetIndex)
    for path in paths:
        with open(path, "rb") as file:
            footer = read_footer(file)
            if whole is None:
                whole = {**footer, FILE_ROW_GROUPS: (thrift.LIST, (thrift.STRUCT, [])), FILE_ROWS: (thrift.I64, 0)}
            for group in items(footer, FILE_ROW_GROUPS):
                indexes += _moved_indexes(group, file, end)
                add_row_group(whole, moved_group(group, end))
            end += file.seek(0, 2)
    for chunk, index in indexes:
        chunk[OFFSET_INDEX], chunk[OFFSET_INDEX_BYTES] = (thrift.I64, end), (thrift.I32, len(index))
        end += len(index)
    footer = thrift.struct_bytes(whole)
    return b"".join([*(index for _, index in indexes), footer, len(footer).to_bytes(4, "little"), MAGIC])


def _moved_indexes(group, file, distance):
    """The OffsetIndex of each chunk that has one. Those of what pages hold lie with the row group, and move with it."""
    indexes = []
    for chunk in items(group, GROUP_COLUMNS):
        if COLUMN_INDEX in chunk:
            chunk[COLUMN_INDEX] = (thrift.I64, chunk[COLUMN_INDEX][1] + distance)
        if OFFSET_INDEX in chunk:
            file.seek(chunk[OFFSET_INDEX][1])
            indexes.append((chunk, moved_offset_index(file.read(chunk[OFFSET_INDEX_BYTES][1]), distance)))
    return indexes


def joined_bytes(path):
    """Bytes of the files in front of what joins them."""
    with open(path, "rb") as file:
        length = file.seek(0, 2)
        file.seek(-8, 2)
        end = length - footer_bytes(file.read(8))
        begin = first_offset_index(items(read_footer(file), FILE_ROW_GROUPS))
        return end if begin is None else begin
