"""Where bounds cut the runs of a shard: the file of rows of equal width that the command writes (cut_file.hpp). Read here
only where a merge needs slices of runs on other nodes."""

import os
import struct
from typing import Any

from .. import Error
from .._native import ByteChecksum

_NAMES = ("block", "block_bytes", "records", "bytes", "output_bytes", "stored_begin", "stored_end", "index_begin",
          "index_end", "index_checksum")
_CUT = struct.Struct(f"<{len(_NAMES)}Q")
_NUMBER = struct.Struct("<Q")


def read_rows(path: str, parts: int, part: int, runs: int) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The cuts in front of a part and behind it. Raises Error for rows that are damaged."""
    width = 2 * _NUMBER.size + runs * _CUT.size
    with open(path, "rb") as file:
        if os.fstat(file.fileno()).st_size != width * (parts + 1):
            raise _damaged(path)
        file.seek(part * width)
        return _read_row(path, file.read(width), part), _read_row(path, file.read(width), part + 1)


def _read_row(path: str, row: bytes, number: int) -> list[dict[str, Any]]:
    checksum = ByteChecksum()
    checksum.add(row[:-_NUMBER.size])
    low_word = int(checksum.value(), 16) % (1 << 64)
    if _NUMBER.unpack_from(row)[0] != number or _NUMBER.unpack_from(row, len(row) - _NUMBER.size)[0] != low_word:
        raise _damaged(path)
    cuts = []
    for values in _CUT.iter_unpack(row[_NUMBER.size:-_NUMBER.size]):
        cut: dict[str, Any] = dict(zip(_NAMES, values, strict=True))
        cuts.append({**cut, "index_checksum": f"{cut['index_checksum']:016x}"})
    return cuts


def _damaged(path: str) -> Error:
    return Error(f"file '{path}' cannot be used: what it says of cuts is damaged; cut the runs again")
