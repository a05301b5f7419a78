"""segmented_sort() of sortie.cuda."""

from __future__ import annotations

from typing import Any, Literal

from .. import _native
from .._arguments import flag_of
from .._errors import ArgumentError, ArgumentTypeError
from .calls import Call, scratch_bytes
from .item_types import is_by_value, key_number
from .pairs import Pairs
from .views import View

_MOST_SEGMENTS = 2**32 - 1


def segmented_sort(keys: Any, offsets: Any, values: Any = None, *, descending: bool = False,
                   float_order: Literal["value", "total"] = "value", stream: Any = None) -> Any:
    """Sorts each segment of an array by itself, all at once, and returns a new array; with values, (keys, values).

    offsets: an array of int64 or uint64 on the same GPU; segment s is keys[offsets[s]:offsets[s + 1]]. It begins with
    0, ascends, and ends with the number of keys, which is not checked: they stay on the GPU. With other offsets
    the result is undefined. Segments may be empty. values: one for each key, as for sort_pairs(). float_order:
    help(sortie.cuda) says. Rows of one length are sorted by sort() of an array of two dimensions."""
    descending, by_value = flag_of(descending, "descending"), is_by_value(float_order)
    arrays = {"keys": keys, "offsets": offsets, **({} if values is None else {"values": values})}
    with Call(arrays, stream) as call:
        given = call.keys("keys")
        segment_count = _segment_count(call.keys("offsets"), given)
        rows = None if values is None else call.values("values", given, "keys")
        new_keys = call.new("keys", given.shape)
        new_rows = None if rows is None else call.new("values", rows.shape)
        if given.shape[0]:
            device, count = _native.device, given.shape[0]
            number, row_bytes = key_number(given.item_type, "keys", by_value), 0 if rows is None else rows.row_bytes
            place = call.place(scratch_bytes(device.segmented_sort_scratch_bytes, number, row_bytes, count))
            if rows and new_rows:
                call.copy(new_rows.address, rows.address, rows.bytes)
            device.segmented_sort(place, given.address, new_keys.address, number, new_rows.address if new_rows else 0,
                                  row_bytes, count, call.views["offsets"].address, segment_count, descending)
        return Pairs(new_keys.give(), new_rows.give()) if new_rows else new_keys.give()


def _segment_count(offsets: View, keys: View) -> int:
    if offsets.item_type.name not in ("int64", "uint64"):
        raise ArgumentTypeError(f"offsets is an array of {offsets.item_type.name}: convert it to int64")
    count = offsets.shape[0] - 1
    if count < 0 or (count == 0 and keys.shape[0]):
        raise ArgumentError(f"offsets has {count + 1} items, and keys has {keys.shape[0]}: pass the beginning of each "
                            "segment, and the end of the last one")
    if count > _MOST_SEGMENTS:
        raise ArgumentError(f"offsets has {count + 1} items, for {count} segments: sort {_MOST_SEGMENTS} at once at "
                            "most")
    return count
