"""top_k() and unique() of sortie.cuda."""

from __future__ import annotations

import operator
from typing import Any, Literal

from .. import _native
from .._arguments import flag_of
from .._errors import ArgumentError, ArgumentTypeError, shortened
from .calls import Call, scratch_bytes
from .doors import door_of
from .item_types import is_by_value, key_number
from .pairs import Pairs
from .sorts import Sorted


def top_k(x: Any, k: int, *, largest: bool = True, float_order: Literal["value", "total"] = "value",
          stream: Any = None) -> Sorted:
    """Returns (values, indices) as torch.topk() does: the k largest items in descending order, and their int64
    positions in `x`; with largest=False the k smallest, ascending. If items are equal, the first come first. NaN is the
    largest. float_order: help(sortie.cuda) says."""
    largest, by_value, wanted = flag_of(largest, "largest"), is_by_value(float_order), _number(k)
    door = door_of(x) if stream is None else None
    if door is not None:
        both = door.top_k(x, wanted, by_value, largest)
        if both is not None:
            return Sorted(*both)
    with Call({"x": x}, stream) as call:
        source = call.aligned(call.keys("x"))
        count = source.shape[0]
        if not 0 <= wanted <= count:
            raise ArgumentError(f"k is {wanted}, and x has {count} items: pass a number from 0 to {count}")
        values = call.new("x", (wanted,))
        indices = call.new_positions("x", (wanted,), values)
        if wanted:
            device, number = _native.device, key_number(source.item_type, "x", by_value)
            place = call.place(scratch_bytes(device.top_scratch_bytes, number, count, wanted))
            device.top(place, source.address, number, count, wanted, values.address, indices.address, largest)
        return Sorted(values.give(), indices.give())


def _number(k: Any) -> int:
    try:
        return operator.index(k)
    except TypeError:
        raise ArgumentTypeError(f"k must be an int, not {type(k).__name__}") from None


def unique(x: Any, values: Any = None, *, keep: Literal["first", "last"] = "first",
           float_order: Literal["value", "total"] = "value", stream: Any = None) -> Any:
    """Returns a new array with each item of `x` once, sorted; with values, (keys, values).

    values: one for each item, as for sort_pairs(). keep: which of the items with one key its value is of. float_order:
    by value -0.0 and 0.0 are one item, and so are all NaNs; without values the one is kept that sort() puts first, or
    last. In total order items are equal if their bits are. Waits for the number of items, as torch.unique() does."""
    by_value = is_by_value(float_order)
    if keep not in ("first", "last"):
        raise ArgumentError(f"keep is {shortened(keep)!r}: pass 'first' or 'last'")
    door = door_of(x) if stream is None and values is None else None
    if door is not None:
        found = door.unique(x, by_value, keep == "last")
        if found is not None:
            return found
    with Call({"x": x} if values is None else {"x": x, "values": values}, stream) as call:
        source = call.aligned(call.keys("x"))
        rows = None if values is None else call.values("values", source, "x")
        count, length = source.shape[0], 0
        device, row_bytes = _native.device, rows.row_bytes if rows else 0
        number = key_number(source.item_type, "x", by_value)
        bytes = scratch_bytes(device.unique_scratch_bytes, number, row_bytes, count) if count else 0
        new_keys, place = call.new_with_scratch("x", count, bytes)
        new_rows = None if rows is None else call.new("values", rows.shape)
        if count:
            length = device.unique(place, (source.address, rows.address if rows else 0, count), number, row_bytes,
                                   new_keys.address, new_rows.address if new_rows else 0, keep == "last")
        kept = call.first("x", new_keys, count, length)
        if rows is None or new_rows is None:
            return kept
        return Pairs(kept, call.first("values", new_rows, count, length, rows.shape[1:]))
