"""sort(), argsort(), sort_with_indices() and sort_pairs() of sortie.cuda."""

from __future__ import annotations

from typing import Any, NamedTuple

from .. import _native
from .._arguments import flag_of
from .._errors import ArgumentError, ArgumentTypeError
from .calls import Call, is_aligned
from .item_types import key_number
from .views import View


class Sorted(NamedTuple):
    """values: in order. indices: int64, where each of them was."""
    values: Any
    indices: Any


class Pairs(NamedTuple):
    """keys: in order. values: each beside its key."""
    keys: Any
    values: Any


def sort(x: Any, *, descending: bool = False, out: Any = None, stream: Any = None) -> Any:
    """Sorts an array, and returns the sorted one.

    out: an array of the same library, type and length that takes the result, which may be `x` itself (in place); None:
    a new one. stream: help(sortie.cuda) says when."""
    descending = flag_of(descending, "descending")
    arrays = {"x": x} if out is None or out is x else {"x": x, "out": out}
    with Call(arrays, stream) as call:
        source = call.keys("x")
        if out is None:
            result = call.new("x", source.shape)
            call.sort(source, result.address, descending)
            return result.give()
        target = _checked_out(call.views["x" if out is x else "out"], source)
        if is_aligned(target.address):
            call.sort(source, target.address, descending)
        else:
            aligned = call.scratch(source.bytes)
            call.sort(source, aligned, descending)
            call.copy(target.address, aligned, source.bytes)
    return out


def _checked_out(out: View, source: View) -> View:
    if out.tensor is not None:
        raise ArgumentError("out cannot be changed: arrays of JAX, and what comes by DLPack alone, are only read; "
                            "leave it out")
    if out.is_read_only:
        raise ArgumentError("out is read-only: pass an array that may be written")
    if out.item_type != source.item_type:
        raise ArgumentTypeError(f"out is an array of {out.item_type.name}, and x one of {source.item_type.name}")
    if out.shape != source.shape:
        raise ArgumentError(f"out has the shape {out.shape}, and x {source.shape}: pass one of the same shape")
    if out.address != source.address and abs(out.address - source.address) < source.bytes:
        raise ArgumentError("x and out overlap: let them be the same memory, or apart")
    return out


def argsort(x: Any, *, descending: bool = False, stream: Any = None) -> Any:
    """Returns the int64 positions that sort an array: x[argsort(x)] is in order. Of equal items the first comes
    first."""
    descending = flag_of(descending, "descending")
    with Call({"x": x}, stream) as call:
        source = call.keys("x")
        count = source.shape[0]
        positions = call.new_positions("x", count)
        if count:
            number = key_number(source.item_type, "x")
            place = call.place(_native.device.argsort_scratch_bytes(number, count))
            _native.device.argsort(place, source.address, number, positions.address, 8, count, descending)
        return positions.give()


def sort_with_indices(x: Any, *, descending: bool = False, stream: Any = None) -> Sorted:
    """Sorts an array, and returns (values, indices) as torch.sort(stable=True) does: the sorted array and the int64
    positions of its items in `x`."""
    descending = flag_of(descending, "descending")
    with Call({"x": x}, stream) as call:
        source = call.keys("x")
        values, indices = call.new("x", source.shape), call.new_positions("x", source.shape[0])
        call.sort(source, values.address, descending, indices.address, 8, with_positions=True)
        return Sorted(values.give(), indices.give())


def sort_pairs(keys: Any, values: Any, *, descending: bool = False, stream: Any = None) -> Pairs:
    """Sorts keys, and values with them, and returns new arrays (keys, values).

    values: of any type, and as many as keys; of an array of more dimensions the rows, of 65536 bytes at most. Those of
    4 and 8 bytes move with their keys; others once, at the end, and then there are 2^32 at most."""
    descending = flag_of(descending, "descending")
    with Call({"keys": keys, "values": values}, stream) as call:
        given_keys = call.keys("keys")
        given_values = call.values("values", given_keys, "keys")
        new_keys, new_values = call.new("keys", given_keys.shape), call.new("values", given_values.shape)
        call.copy(new_values.address, given_values.address, given_values.bytes)
        call.sort(given_keys, new_keys.address, descending, new_values.address, given_values.row_bytes)
        return Pairs(new_keys.give(), new_values.give())
