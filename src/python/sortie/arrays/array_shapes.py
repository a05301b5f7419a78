"""Axes of arrays: rows to be sorted, each by itself, are the last axis of what is made here."""

from __future__ import annotations

import operator
from typing import Any

from .._errors import ArgumentError, ArgumentTypeError
from .array_inputs import needed_numpy, with_memory


def rows_of(values: Any, axis: Any) -> Any:
    """A view of an array whose last axis is the one to sort along; None: all values, as one dimension."""
    if values.ndim == 0:
        raise ArgumentError("array has no dimension, and one is sorted at least: pass array.reshape(1)")
    if axis is None:
        return values if values.ndim == 1 else with_memory(values.reshape, -1)
    number = _checked(axis, values.ndim)
    return values if number == values.ndim - 1 else needed_numpy().moveaxis(values, number, -1)


def out_rows(out: Any, values: Any, axis: Any) -> Any:
    """The same for what takes the result. values: the array, which rows_of() has taken."""
    shape = (values.size,) if axis is None else values.shape
    if out.shape != shape:
        if out.ndim == 1 and len(shape) == 1:
            raise ArgumentError(f"out has room for {len(out)} number{'' if len(out) == 1 else 's'}, and array has "
                                f"{shape[0]}")
        raise ArgumentError(f"out is of shape {out.shape}, and the result of {shape}")
    return rows_of(out, axis)


def new_out(values: Any, axis: Any, dtype: Any) -> Any:
    """A new array for the result, laid out like the other one."""
    numpy = needed_numpy()
    if axis is None:
        return with_memory(numpy.empty, values.size, dtype)
    return with_memory(numpy.empty_like, values, dtype, subok=False)


def refuse_overlap(values: Any, out: Any, may_be_same: bool) -> None:
    """may_be_same: whether both may be one array; else they must lie apart."""
    numpy = needed_numpy()
    if _overlaps_itself(out):
        raise ArgumentError("out has several items at one place: pass an array of which each has its own")
    if not numpy.may_share_memory(values, out) or not _share_bytes(values, out):
        return
    is_same = (values.shape == out.shape and values.strides == out.strides
               and values.__array_interface__["data"][0] == out.__array_interface__["data"][0])
    if may_be_same and is_same:
        return
    raise ArgumentError(f"array and out overlap: let them be {'the same memory, or ' if may_be_same else ''}apart")


def _overlaps_itself(array: Any) -> bool:
    """Whether items may share bytes: where, from the axis of the shortest steps on, one is shorter than what lies
    within."""
    if array.flags.c_contiguous or not array.size:
        return False
    end = array.itemsize
    for step, length in sorted((abs(step), length) for step, length in zip(array.strides, array.shape) if length > 1):
        if step < end:
            return True
        end += step * (length - 1)
    return False


def _share_bytes(values: Any, out: Any) -> bool:
    """Where that is too hard to tell, they are taken to share some."""
    try:
        return bool(needed_numpy().shares_memory(values, out, max_work=1 << 20))
    except RuntimeError:  # TooHardError, which lies elsewhere in each version of NumPy
        return True


def _checked(axis: Any, dimensions: int) -> int:
    if isinstance(axis, bool) or not hasattr(axis, "__index__"):
        raise ArgumentTypeError(f"axis must be an int or None, not {type(axis).__name__}")
    number = operator.index(axis)
    if not -dimensions <= number < dimensions:
        raise ArgumentError(f"invalid value '{number}' for axis: the array has {dimensions} dimension"
                            f"{'' if dimensions == 1 else 's'}")
    return number % dimensions
