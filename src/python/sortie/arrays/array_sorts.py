"""Arrays by their types, axes and layouts: what sort() and argsort() do with all that is not plain numbers side by
side."""

from __future__ import annotations

from typing import Any

from .. import _arguments, _native

from .._errors import ArgumentError, ArgumentTypeError, shortened
from . import array_files
from . import NUMBERS
from .array_fields import Layout, fields_of
from .array_inputs import NEW_ARRAY_NEEDS_NUMPY, Taken, needed_numpy, plain_buffer, take, take_out, with_memory
from .array_numbers import Numbers, Times
from .array_records import Bytes, Records, Texts
from .array_shapes import new_out, out_rows, refuse_overlap, rows_of
from .array_strings import Strings

# Arguments for arrays that are sorted in memory at once. Others lead through the sort of files.
_IN_MEMORY = frozenset(("engine", "devices", "device_memory"))
_AT_ONCE = _IN_MEMORY | {"descending", "threads"}


def sort(array: Any, axis: Any, order: Any, out: Any, arguments: dict[str, Any], has_numpy: bool) -> Any:
    """has_numpy: whether the program has imported it."""
    if not has_numpy and _is_sorted_without_numpy(_native.sort_numbers, array, axis, order, out, arguments):
        return out
    _check_options(arguments)
    taken = take(array, "array", _why_numpy(axis, order, out, arguments))
    if taken.give_back is not None:
        if out is not None:
            raise ArgumentTypeError(f"out is for arrays, and a new {type(array).__name__} is made: leave it out")
        return taken.give_back(_argsorted(taken, axis, order, None, arguments))
    return _sorted(taken.values, axis, order, out, arguments)


def argsort(array: Any, axis: Any, order: Any, out: Any, arguments: dict[str, Any], has_numpy: bool) -> Any:
    """As sort()."""
    if not has_numpy and _is_sorted_without_numpy(_native.argsort, array, axis, order, out, arguments):
        return out
    _check_options(arguments)
    taken = take(array, "array", _why_numpy(axis, order, out, arguments))
    return _argsorted(taken, axis, order, out, arguments)


def _is_sorted_without_numpy(function: Any, array: Any, axis: Any, order: Any, out: Any,
                             arguments: dict[str, Any]) -> bool:
    """Whether it was: numbers side by side into an `out` of such, as long as a program has no need of NumPy."""
    if out is None or _arguments.is_path(out) or order is not None or axis not in (-1, 0, None):
        return False
    if not _AT_ONCE.issuperset(arguments):
        return False
    source = plain_buffer(array, "array")
    target = source if out is array else plain_buffer(out, "out")
    if source is None or target is None:
        return False
    function(source, target, arguments)
    return True


def _why_numpy(axis: Any, order: Any, out: Any, arguments: dict[str, Any]) -> str:
    """The message if NumPy is not there: what it is needed for, although there may be an `out`."""
    if out is None:
        return NEW_ARRAY_NEEDS_NUMPY
    missing = "NumPy, which is not installed: install it, or"
    if _arguments.is_path(out):
        return f"out is a path, whose file comes back as an array of {missing} pass an array as out="
    others = [name for name in arguments if name not in _AT_ONCE]
    others += ["order"] * (order is not None) + ["axis"] * (axis not in (-1, 0, None))
    if others:
        return f"{others[0]}= needs {missing} leave it out"
    return f"arrays of this form need {missing} pass numbers that lie side by side in one dimension"


def _sorted(values: Any, axis: Any, order: Any, out: Any, arguments: dict[str, Any]) -> Any:
    how = _order_of(values, order)
    rows = rows_of(values, axis)
    is_file = _arguments.is_path(out)
    is_stream = is_file or (_is_out_of_core(values, out, arguments) and not _are_all_equal(how))
    if is_stream:
        _refuse_what_streams_do_not_take(how)
    if is_file:
        return _sorted_to_file(rows, out, how, arguments)
    given = new_out(values, axis, values.dtype) if out is None else _checked_out(out, values)
    target = out_rows(given, values, axis)
    if out is not None:
        refuse_overlap(rows, target, may_be_same=True)
    if not is_stream:
        with_memory(how.sort, rows, target, arguments)
    else:
        for row in needed_numpy().ndindex(rows.shape[:-1]):
            array_files.sort_stream(rows[row], target[row], how.layout(values.dtype), arguments)
            how.settle_sorted(target[row], arguments["descending"])
    return given if out is None else out


def _sorted_to_file(rows: Any, path: Any, how: Any, arguments: dict[str, Any]) -> Any:
    if rows.ndim != 1:
        raise ArgumentError(f"array has {rows.ndim} dimensions, and a file is made of one: give axis=None")
    if _are_all_equal(how):
        raise ArgumentError("array has nothing that a file could be sorted by: its items, or the fields in order, have "
                            "no bytes")
    dtype = rows.dtype
    layout = how.layout_of_file(dtype) if isinstance(how, Texts) else how.layout(dtype)
    result = array_files.sort_to_file(rows, path, layout, arguments)
    how.settle_sorted(result, arguments["descending"])
    return result


def _argsorted(taken: Taken, axis: Any, order: Any, out: Any, arguments: dict[str, Any]) -> Any:
    values = taken.values
    how = _order_of(values, order)
    rows = rows_of(values, axis)
    given = new_out(values, axis, "int64") if out is None else take_out(out)
    if given.dtype != "int64":
        raise ArgumentTypeError(f"out is an array of {given.dtype}, and indexes are int64")
    target = out_rows(given, values, axis)
    if out is not None:
        refuse_overlap(values, given, may_be_same=False)
        _check_mapped(values, given)
    if _is_stream_of_indexes(arguments) and not _are_all_equal(how):
        _refuse_what_streams_do_not_take(how)
        for row in needed_numpy().ndindex(rows.shape[:-1]):
            array_files.argsort_stream(rows[row], target[row], how.layout(values.dtype), arguments)
            how.settle_indexes(rows[row], target[row], arguments["descending"])
    else:
        with_memory(how.argsort, rows, target, arguments)
    return given if out is None else out


def _check_mapped(values: Any, out: Any) -> None:
    if array_files.shares_its_file(out):
        if array_files.share_bytes_of_a_file(values, out):
            raise ArgumentError("array and out are mapped from the same bytes of a file: let them be apart")
        array_files.reserve_blocks(out)


def _is_out_of_core(values: Any, out: Any, arguments: dict[str, Any]) -> bool:
    return (array_files.is_mapped(values) or array_files.is_mapped(out)
            or not _AT_ONCE.issuperset(arguments))


def _is_stream_of_indexes(arguments: dict[str, Any]) -> bool:
    """In memory argsort() is for the CPU."""
    return (not {"descending", "threads", "engine"}.issuperset(arguments)
            or arguments.get("engine") not in (None, "auto", "cpu"))


def _are_all_equal(how: Any) -> bool:
    """True if items, or their fields, have no bytes: they make no stream."""
    return isinstance(how, Bytes) and not how.length


def _order_of(values: Any, order: Any) -> Any:
    """What sorts arrays of this type."""
    dtype = values.dtype
    if dtype.names is not None:
        fields = fields_of(dtype, order)
        return Records(Layout(dtype.itemsize, fields)) if fields else Bytes(0)
    if order is not None:
        raise ArgumentTypeError("order is for structured arrays: leave it out")
    if dtype.char in NUMBERS:
        return Numbers()
    if dtype.kind in "mM":
        return Times()
    if dtype.kind in "SV" and dtype.subdtype is None:
        return Bytes(dtype.itemsize)
    if dtype.kind == "U":
        return Texts(dtype)
    if dtype.kind in "OT":
        return Strings()
    raise ArgumentTypeError(f"array is an array of {shortened(dtype)}, which has no order here: known are bool, "
                            "integers, floats of 16, 32 and 64 bits, datetime64, timedelta64, bytes and texts, and "
                            "structured arrays")


def _checked_out(out: Any, values: Any) -> Any:
    given = take_out(out)
    if given.dtype != values.dtype:
        raise ArgumentTypeError(f"out is an array of {shortened(given.dtype)}, and array one of "
                                f"{shortened(values.dtype)}")
    return given


def _refuse_what_streams_do_not_take(how: Any) -> None:
    if isinstance(how, Strings):
        raise ArgumentError("texts of any length are sorted in memory alone: leave out memory= and the like, or sort a "
                            "table with sort_table()")


def _check_options(arguments: dict[str, Any]) -> None:
    """Checks the options of a sort without the library, where nobody else looks at them."""
    _arguments.check_options({name: value for name, value in arguments.items() if value is not None}, False)
