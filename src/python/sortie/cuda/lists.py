"""Functions of sorted arrays of sortie.cuda: merge(), union(), intersection(), difference() and
symmetric_difference()."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from .. import _native
from .._arguments import flag_of
from .._errors import ArgumentError, ArgumentTypeError
from .calls import Call, scratch_bytes
from .item_types import is_by_value, key_number
from .pairs import Pairs
from .views import View

# As SetOperation of sortie::cuda has them.
_UNION, _INTERSECTION, _DIFFERENCE, _SYMMETRIC_DIFFERENCE = range(4)


def merge(arrays: Sequence[Any], values: Sequence[Any] | None = None, *, descending: bool = False,
          float_order: Literal["value", "total"] = "value", stream: Any = None) -> Any:
    """Merges sorted arrays, any number of them, into a new one, and returns it; with values, (keys, values).

    arrays: each in the order of the merge, which is not checked; of one type. If keys are equal, those of an earlier
    array come first. values: an array for each of `arrays`, with a value for each key, as for sort_pairs().

    Takes one pass for 16 arrays, two for 256, and so on; more than two are copied side by side before that, and floats
    by value. Arrays of 8 and 16 bits are copied and sorted, which takes one or two passes and has the same result.
    float_order: help(sortie.cuda) says; that in which the arrays are."""
    descending, by_value = flag_of(descending, "descending"), is_by_value(float_order)
    named, named_values = named_lists(arrays, "arrays"), _named_values(values)
    if values is not None and len(named) != len(named_values):
        raise ArgumentError(f"values has {len(named_values)} arrays, and arrays has {len(named)}: pass values for each")
    with Call({**named, **named_values}, stream) as call:
        keys = [call.keys(name) for name in named]
        _refuse_other_types(tuple(named), keys)
        rows = [call.values(name, given, of) for name, given, of in zip(named_values, keys, named)]
        _refuse_other_types(tuple(named_values), rows)
        count = sum(view.shape[0] for view in keys)
        new_keys = call.new("arrays[0]", (count,))
        new_values = call.new("values[0]", (count, *rows[0].shape[1:])) if rows else None
        if count:
            value_bytes = rows[0].row_bytes if rows else 0
            number = key_number(keys[0].item_type, "arrays[0]", by_value)
            place = call.place(scratch_bytes(_native.device.merge_scratch_bytes, number, value_bytes, count, len(keys)))
            lists = [(view.address, rows[i].address if rows else 0, view.shape[0]) for i, view in enumerate(keys)]
            _native.device.merge(place, lists, number, value_bytes, new_keys.address,
                                 new_values.address if new_values else 0, descending)
        return Pairs(new_keys.give(), new_values.give()) if new_values else new_keys.give()


def union(a: Any, b: Any, values: Sequence[Any] | None = None, *, descending: bool = False,
          float_order: Literal["value", "total"] = "value", stream: Any = None) -> Any:
    """Returns a new array with what either of two sorted arrays has, sorted; with values, (keys, values).

    a, b: in the same order, which is not checked; of one type. They may have equal items: of m in `a` and n in `b` the
    larger number is kept, as std::set_union() has it. Where both have an item, that of `a` is kept. values: two arrays
    with a value for each key of `a` and `b`, as for sort_pairs(). float_order: that in which the arrays are; by value
    -0.0 and 0.0 are equal, and so are all NaNs, in total order items are equal if their bits are.

    union(unique(x), unique(y)) is numpy.union1d(). Waits for the number of items, as unique() does."""
    return _combined(_UNION, a, b, values, descending, float_order, stream)


def intersection(a: Any, b: Any, values: Sequence[Any] | None = None, *, descending: bool = False,
                 float_order: Literal["value", "total"] = "value", stream: Any = None) -> Any:
    """Returns what both of two sorted arrays have: of m equal items in `a` and n in `b` the smaller number, from `a`.
    intersection(unique(x), unique(y)) is numpy.intersect1d(). Arguments are those of union()."""
    return _combined(_INTERSECTION, a, b, values, descending, float_order, stream)


def difference(a: Any, b: Any, values: Sequence[Any] | None = None, *, descending: bool = False,
               float_order: Literal["value", "total"] = "value", stream: Any = None) -> Any:
    """Returns what the first of two sorted arrays has more: of m equal items in `a` and n in `b` the last m - n of `a`.
    difference(unique(x), unique(y)) is numpy.setdiff1d(). Arguments are those of union()."""
    return _combined(_DIFFERENCE, a, b, values, descending, float_order, stream)


def symmetric_difference(a: Any, b: Any, values: Sequence[Any] | None = None, *, descending: bool = False,
                         float_order: Literal["value", "total"] = "value", stream: Any = None) -> Any:
    """Returns what either of two sorted arrays has more than the other one, sorted.
    symmetric_difference(unique(x), unique(y)) is numpy.setxor1d(). Arguments are those of union()."""
    return _combined(_SYMMETRIC_DIFFERENCE, a, b, values, descending, float_order, stream)


def _combined(operation: int, a: Any, b: Any, values: Sequence[Any] | None, descending: bool, float_order: str,
              stream: Any) -> Any:
    descending, by_value = flag_of(descending, "descending"), is_by_value(float_order)
    named_values = _named_values(values)
    if named_values and len(named_values) != 2:
        raise ArgumentError(f"values has {len(named_values)} arrays: pass two, one for a and one for b")
    with Call({"a": a, "b": b, **named_values}, stream) as call:
        keys = [call.keys("a"), call.keys("b")]
        _refuse_other_types(("a", "b"), keys)
        rows = [call.values(name, given, of) for name, given, of in zip(named_values, keys, ("a", "b"))]
        _refuse_other_types(tuple(named_values), rows)
        return _kept(call, operation, keys, rows, descending, by_value)


def _kept(call: Call, operation: int, keys: list[View], rows: list[View], descending: bool, by_value: bool) -> Any:
    count, length = keys[0].shape[0] + keys[1].shape[0], 0
    room = count if operation in (_UNION, _SYMMETRIC_DIFFERENCE) else keys[0].shape[0]
    row_shape = rows[0].shape[1:] if rows else ()
    new_keys = call.new("a", (room,))
    new_rows = call.new("values[0]", (room, *row_shape)) if rows else None
    if room:
        number, row_bytes = key_number(keys[0].item_type, "a", by_value), rows[0].row_bytes if rows else 0
        place = call.place(scratch_bytes(_native.device.set_scratch_bytes, operation, number, count))
        lists = [(view.address, rows[i].address if rows else 0, view.shape[0]) for i, view in enumerate(keys)]
        length = _native.device.combine_sets(place, operation, *lists, number, row_bytes, new_keys.address,
                                             new_rows.address if new_rows else 0, descending)
    kept = call.first("a", new_keys, room, length)
    return Pairs(kept, call.first("values[0]", new_rows, room, length, row_shape)) if new_rows else kept


def _named_values(values: Any) -> dict[str, Any]:
    if values is None:
        return {}
    if isinstance(values, (list, tuple)) and not values:
        raise ArgumentError("values is empty: leave it out, or pass an array for each array of keys")
    return named_lists(values, "values")


def named_lists(arrays: Any, name: str) -> dict[str, Any]:
    if not isinstance(arrays, (list, tuple)):
        raise ArgumentTypeError(f"{name} must be a list or tuple of arrays, not {type(arrays).__name__}")
    if not arrays:
        raise ArgumentError(f"{name} is empty: pass one array or more")
    return {f"{name}[{i}]": array for i, array in enumerate(arrays)}


def _refuse_other_types(names: Sequence[str], views: list[View]) -> None:
    for name, view in zip(names, views):
        if view.item_type != views[0].item_type:
            raise ArgumentTypeError(f"{name} is an array of {view.item_type.name}, and {names[0]} one of "
                                    f"{views[0].item_type.name}: convert one of them")
        if view.shape[1:] != views[0].shape[1:]:
            raise ArgumentError(f"{name} has rows of the shape {view.shape[1:]}, and {names[0]} of "
                                f"{views[0].shape[1:]}")
