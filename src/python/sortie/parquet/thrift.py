"""Thrift's compact protocol, as far as the footers of Parquet files need it: read into plain values and written again.

A struct is a dict {field number: (type, value)}, a list is (type of its items, items); the value of a bool is its type,
and a float is its bytes. What nobody looks at comes back as it was, so that footers of later versions lose nothing."""

from __future__ import annotations

from typing import Any, cast

from .. import _native

TRUE, FALSE, BYTE, I16, I32, I64, DOUBLE, BINARY, LIST, SET = range(1, 11)
STRUCT = 12

Struct = dict[int, tuple[int, Any]]
Buffer = Any
"""Bytes, or what has them: a memoryview, a buffer of pyarrow."""


def read_struct(data: Buffer, kept: int = 0) -> Struct:
    """The struct at the start of `data`. Raises ValueError where it is none. kept: a field of it, whose list has
    structs that stay the bytes that they are, each a struct for read_struct() again."""
    return cast(Struct, _native.read_thrift(bytes(data), kept))


def struct_bytes(struct: Struct) -> bytes:
    """Bytes may stand for a struct in it."""
    return cast(bytes, _native.thrift_bytes(struct))
