"""Records of arrays as sort_files() knows them: fields of a fixed place, in words such as "u32be@4:desc"."""

from __future__ import annotations

import sys
from typing import Any, NamedTuple

from .._errors import ArgumentError, ArgumentTypeError, listed, shortened
from ..columns.keys import parse_keys

# kMaxFields of the library.
MOST_FIELDS = 32

_INDEX_BYTES = 8
_WORDS = {"i": "i", "u": "u", "f": "f", "b": "u", "M": "i", "m": "i"}


class Field(NamedTuple):
    word: str  # the type, such as "u32be" or "bytes"
    offset: int
    bytes: int
    falls: bool

    def text(self, offset: int) -> str:
        length = f":{self.bytes}" if self.word == "bytes" else ""
        return f"{self.word}@{offset}{length}{':desc' if self.falls else ''}"


class Layout(NamedTuple):
    """How the records of an array lie, and by what they are sorted."""
    record_bytes: int
    fields: list[Field]
    is_swapped: bool = False  # numbers of 32 bits that a stream turns round, so that their bytes are in order

    def of_records(self) -> dict[str, Any]:
        """The arguments of sort_files()."""
        field = self.fields[0]
        if len(self.fields) == 1 and field.word in ("i32", "u32", "i64", "u64", "f32", "f64") and not field.falls \
                and field.bytes == self.record_bytes:
            return {"format": field.word}
        return self.as_fixed()

    def as_fixed(self) -> dict[str, Any]:
        """The same for what is no array of numbers to the sort, even if it is one."""
        return {"format": f"fixed:{self.record_bytes}", "fields": [field.text(field.offset) for field in self.fields]}

    def parts(self) -> list[tuple[int, int]]:
        """What an order needs of a record: offset and bytes of each."""
        return [] if self.is_swapped else [(field.offset, field.bytes) for field in self.fields]

    def of_indexes(self) -> dict[str, Any]:
        """The same for such parts, one behind the other, and the number of the record behind them."""
        fields, offset = [], 0
        for field in self.fields:
            fields.append(field.text(offset))
            offset += field.bytes
        return {"format": f"fixed:{offset + _INDEX_BYTES}", "fields": fields}


def fields_of(dtype: Any, order: Any) -> list[Field]:
    """The fields of a structured array that `order` names, or all of them, without those of no bytes."""
    if dtype.hasobject:
        raise ArgumentTypeError("array holds Python objects, which cannot be sorted: let its fields be numbers and "
                                "bytes")
    all_fields = list(dtype.names)
    keys = parse_keys(all_fields if order is None else order, "order") or parse_keys(all_fields, "order")
    if not keys:
        raise ArgumentError("array has records without fields, which have no order")
    if len(keys) > MOST_FIELDS:
        raise ArgumentError(f"order has {len(keys)} fields, and {MOST_FIELDS} at most make up a key: name them by "
                            "order=")
    for name, _, _ in keys:
        if name not in dtype.fields:
            raise ArgumentError(f"array has no field {name!r}; it has {listed(dtype.names)}")
    fields = [(name, dtype.fields[name], falls) for name, falls, _ in keys]
    # What has no bytes is equal to its like, and decides nothing.
    return [field_of(name, field[0], field[1], falls) for name, field, falls in fields if field[0].itemsize]


def field_of(name: str, field: Any, offset: int, falls: bool) -> Field:
    """field: its dtype."""
    if field.kind in "SV" and field.names is None and field.subdtype is None:
        return Field("bytes", offset, field.itemsize, falls)
    word = _WORDS.get(field.kind)
    if word is None or field.itemsize not in ((2, 4, 8) if word == "f" else (1, 2, 4, 8)):
        raise ArgumentTypeError(f"field {name!r} is of {shortened(field)}, which cannot be ordered: known are "
                                "integers, floats of 16, 32 and 64 bits, bool, datetime64, timedelta64 and bytes")
    is_big = field.byteorder == ">" or (field.byteorder == "=" and sys.byteorder == "big")
    return Field(f"{word}{8 * field.itemsize}{'be' if is_big and field.itemsize > 1 else ''}", offset, field.itemsize,
                 falls)
