"""sort(), argsort() and sort_with_indices() of sortie.cuda: of arrays of one dimension, and of rows of others."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any, Literal, NamedTuple

from .. import _native
from .._arguments import flag_of
from .._errors import ArgumentError, ArgumentTypeError
from .calls import Call, is_aligned, scratch_bytes
from .doors import door_of
from .item_types import is_by_value, key_number
from .libraries import library_of
from .views import View


class Sorted(NamedTuple):
    """values: in order. indices: int64, where each of them was."""
    values: Any
    indices: Any


def sort(x: Any, *, dim: int = -1, descending: bool = False, float_order: Literal["value", "total"] = "value",
         out: Any = None, stream: Any = None) -> Any:
    """Sorts an array, and returns the sorted one.

    dim: of arrays of more dimensions, the one along which items are sorted, the last one by default; along another one
    they are copied before. float_order: help(sortie.cuda) says what it means. out: an array of the same library, type
    and shape that takes the result, which may be `x` itself (in place); None: a new one. stream: help(sortie.cuda) says
    when."""
    descending, by_value = flag_of(descending, "descending"), is_by_value(float_order)
    if out is not None:
        return _sort_to(x, out, dim, descending, by_value, stream)
    door = door_of(x) if stream is None and dim == -1 else None
    if door is not None:
        quick = door.sort(x, by_value, descending)
        if quick is not None:
            return quick
    if dim != -1:
        given, put_back = _with_last(x, dim)
        if put_back is not None:
            return put_back(sort(given, descending=descending, float_order=float_order, stream=stream))
    with Call({"x": x}, stream) as call:
        source, number = _source(call, by_value)
        result = call.new("x", source.shape)
        _sort_any(call, source, result.address, number, descending)
        return result.give()


def _sort_to(x: Any, out: Any, dim: int, descending: bool, by_value: bool, stream: Any) -> Any:
    with Call({"x": x} if out is x else {"x": x, "out": out}, stream) as call:
        source, number = _source(call, by_value)
        if _dim_of(dim, len(source.shape)) != len(source.shape) - 1:
            raise ArgumentError(f"dim is {dim}, and out takes what is sorted along the last dimension: leave out `out`")
        name = "x" if out is x else "out"
        target = _checked_out(call.views[name], source)
        if is_aligned(target.address):
            _sort_any(call, source, target.address, number, descending)
        else:
            aligned = call.scratch(source.bytes)
            _sort_any(call, source, aligned, number, descending)
            call.copy(target.address, aligned, source.bytes)
        call.note_written(name)
    return out


def _source(call: Call, by_value: bool) -> tuple[View, int]:
    """What is sorted, aligned as its type, and the number of this."""
    source = call.views["x"]
    number = key_number(source.item_type, "x", by_value)
    if not source.shape:
        raise ArgumentError("x has 0 dimensions, and nothing to sort: pass an array of one or more")
    return call.aligned(source), number


def _sort_any(call: Call, source: View, target: int, number: int, descending: bool) -> None:
    if len(source.shape) == 1:
        call.sort(source, target, number, descending)
    else:
        _sort_rows(call, source, target, number, descending, 0)


def _sort_rows(call: Call, source: View, target: int, number: int, descending: bool, places: int) -> None:
    """target: 0 if places alone are wanted. places: where the place in its row goes of each item; 0: nowhere."""
    count, row_items, place_bytes = math.prod(source.shape), source.shape[-1], 8 if places else 0
    if count:
        device = _native.device
        bytes = scratch_bytes(device.row_sort_scratch_bytes, number, place_bytes, count, row_items)
        keys = call.scratch(source.bytes) if bytes and not target else target  # short rows take none
        device.sort_rows(call.place(bytes), source.address, keys, number, places, place_bytes, count, row_items,
                         descending)


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


def _dim_of(dim: Any, dims: int) -> int:
    """The number of a dimension, counted from 0."""
    try:
        number = operator.index(dim)
    except TypeError:
        raise ArgumentTypeError(f"dim must be an int, not {type(dim).__name__}") from None
    if not -max(dims, 1) <= number < max(dims, 1):
        raise ArgumentError(f"dim is {number}, and x has {dims} dimensions: pass a number from {-max(dims, 1)} to "
                            f"{max(dims, 1) - 1}")
    return number % max(dims, 1)


def _with_last(x: Any, dim: Any) -> tuple[Any, Callable[[Any], Any] | None]:
    """`x` with that dimension as the last one, and what puts a result back; None if it is the last one."""
    library = library_of(x)
    library.refuse_other_forms(x, "x")
    shape = getattr(x, "shape", None)
    if not isinstance(shape, tuple):
        _, views = library.views({"x": x}, None)
        shape = views["x"].shape
    number = _dim_of(dim, len(shape))
    if number >= len(shape) - 1:
        return x, None
    return library.with_last(x, number, "x"), lambda result: library.moved_back(result, number)


def argsort(x: Any, *, dim: int = -1, descending: bool = False, float_order: Literal["value", "total"] = "value",
            stream: Any = None) -> Any:
    """Returns the int64 positions that sort an array: x[argsort(x)] is in order. If items are equal, the first comes
    first.

    dim: as for sort(); positions are then those along this dimension. float_order: help(sortie.cuda) says."""
    descending, by_value = flag_of(descending, "descending"), is_by_value(float_order)
    door = door_of(x) if stream is None and dim == -1 else None
    if door is not None:
        quick = door.argsort(x, by_value, descending)
        if quick is not None:
            return quick
    if dim != -1:
        given, put_back = _with_last(x, dim)
        if put_back is not None:
            return put_back(argsort(given, descending=descending, float_order=float_order, stream=stream))
    with Call({"x": x}, stream) as call:
        source, number = _source(call, by_value)
        positions = call.new_positions("x", source.shape)
        if len(source.shape) != 1:
            _sort_rows(call, source, 0, number, descending, positions.address)
        elif source.shape[0]:
            device, count = _native.device, source.shape[0]
            place = call.place(scratch_bytes(device.argsort_scratch_bytes, number, 8, count))
            device.argsort(place, source.address, 0, number, positions.address, 8, count, descending)
        return positions.give()


def sort_with_indices(x: Any, *, dim: int = -1, descending: bool = False,
                      float_order: Literal["value", "total"] = "value", stream: Any = None) -> Sorted:
    """Sorts an array, and returns (values, indices) as torch.sort(stable=True) does: the sorted array and the int64
    positions of its items in `x`, along `dim`. float_order: help(sortie.cuda) says."""
    descending, by_value = flag_of(descending, "descending"), is_by_value(float_order)
    door = door_of(x) if stream is None and dim == -1 else None
    if door is not None:
        both = door.sort_with_indices(x, by_value, descending)
        if both is not None:
            return Sorted(*both)
    if dim != -1:
        given, put_back = _with_last(x, dim)
        if put_back is not None:
            result = sort_with_indices(given, descending=descending, float_order=float_order, stream=stream)
            return Sorted(put_back(result.values), put_back(result.indices))
    with Call({"x": x}, stream) as call:
        source, number = _source(call, by_value)
        values, indices = call.new("x", source.shape), call.new_positions("x", source.shape)
        if len(source.shape) != 1:
            _sort_rows(call, source, values.address, number, descending, indices.address)
        elif source.shape[0]:
            device, count = _native.device, source.shape[0]
            place = call.place(scratch_bytes(device.sort_with_positions_scratch_bytes, number, 8, count))
            device.sort_with_positions(place, source.address, values.address, number, indices.address, 8, count,
                                       descending)
        return Sorted(values.give(), indices.give())
