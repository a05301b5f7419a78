"""top_k() and unique() of sortie.cuda."""

from __future__ import annotations

import operator
from typing import Any

from .. import _native
from .._errors import ArgumentError
from .calls import Call
from .item_types import key_number
from .sorts import Sorted

# The select takes keys of 32 and 64 bits; shorter ones are sorted by one or two passes.
_LEAST_SELECTED_BYTES = 4


def top_k(x: Any, k: int, *, largest: bool = True, stream: Any = None) -> Sorted:
    """Returns (values, indices) as torch.topk() does: the k largest items in descending order, and their int64
    positions in `x`; with largest=False the k smallest, ascending. Of equal items the first come first."""
    with Call({"x": x}, stream) as call:
        source = call.keys("x")
        count, wanted = source.shape[0], operator.index(k)
        if not 0 <= wanted <= count:
            raise ArgumentError(f"k is {wanted}, and x has {count} items: pass a number from 0 to {count}")
        values, indices = call.new("x", (wanted,)), call.new_positions("x", wanted)
        number, item_bytes = key_number(source.item_type, "x"), source.item_type.item_bytes
        if not wanted:
            pass
        elif item_bytes < _LEAST_SELECTED_BYTES:
            keys, positions = call.scratch(source.bytes), call.scratch(8 * count)
            call.sort(source, keys, largest, positions, 8, with_positions=True)
            call.copy(values.address, keys, wanted * item_bytes)
            call.copy(indices.address, positions, wanted * 8)
        else:
            place = call.place(_native.device.top_scratch_bytes(number, count, wanted))
            _native.device.top(place, source.address, number, count, wanted, values.address, indices.address, largest)
        return Sorted(values.give(), indices.give())


def unique(x: Any, *, stream: Any = None) -> Any:
    """Returns a new array with each item of `x` once, sorted. Items are equal if their bits are: -0.0 and 0.0 are two,
    a NaN is one. Waits for the number of items, as torch.unique() does."""
    with Call({"x": x}, stream) as call:
        source = call.keys("x")
        count = source.shape[0]
        if not count:
            return call.new("x", (0,)).give()
        number = key_number(source.item_type, "x")
        keys, kept, kept_count = call.scratch(source.bytes), call.scratch(source.bytes), call.scratch(8)
        call.sort(source, keys, False)
        place = call.place(_native.device.unique_scratch_bytes(count))
        _native.device.unique(place, keys, number, count, kept, kept_count)
        length = _native.device.read_number(call.device, call.stream, kept_count)
        result = call.new("x", (length,))
        call.copy(result.address, kept, length * source.item_type.item_bytes)
        return result.give()
