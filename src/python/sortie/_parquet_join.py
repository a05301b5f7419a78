"""Parquet files one behind the other as one: a footer behind them names the row groups of all. What lies between these,
the footers of the parts, no reader looks at."""

from . import _thrift as thrift
from ._parquet_footer import FILE_ROW_GROUPS, MAGIC, footer_bytes, items, read_footer
from ._parquet_writer import FILE_ROWS, add_row_group, moved_group


def joined_footer(paths):
    """What makes one file of the concatenation of files that have the same columns: bytes to be written behind them."""
    whole, end = None, 0
    for path in paths:
        with open(path, "rb") as file:
            footer = read_footer(file)
            if whole is None:
                whole = {**footer, FILE_ROW_GROUPS: (thrift.LIST, (thrift.STRUCT, [])), FILE_ROWS: (thrift.I64, 0)}
            for group in items(footer, FILE_ROW_GROUPS):
                add_row_group(whole, moved_group(group, end))
            end += file.seek(0, 2)
    footer = thrift.struct_bytes(whole)
    return footer + len(footer).to_bytes(4, "little") + MAGIC


def joined_bytes(path):
    """Bytes of the files in front of a footer that joins them."""
    with open(path, "rb") as file:
        length = file.seek(0, 2)
        file.seek(-8, 2)
        return length - footer_bytes(file.read(8))
