"""How arrays of numbers are sorted in memory: bool, integers and floats of NumPy in any byte order, and times."""

from __future__ import annotations

from typing import Any

from . import _logging, _native
from ._array_fields import Layout, field_of
from ._array_inputs import needed_numpy, new_array

# What argsort() makes something of in memory; it is for the CPU.
_OF_ARGSORT = ("descending", "threads")


class Numbers:
    """values: arrays whose last axis is sorted, row by row; out: arrays of the same shape and type. Both may be laid out in
    any way."""

    def layout(self, dtype: Any) -> Layout:
        return Layout(dtype.itemsize, [field_of("", dtype, 0, False)])

    def sort(self, values: Any, out: Any, arguments: dict[str, Any]) -> None:
        numpy = needed_numpy()
        dtype = values.dtype.newbyteorder("=")
        work = out if _is_plain(out) else new_array(numpy.empty, out.shape, dtype)
        source = values
        if not _is_plain(values):
            source = work
            numpy.copyto(work, values)
        if work.size:
            told = _native.sort_numbers(_flat(source), _flat(work), arguments, work.shape[-1])
            if told is not None:
                _logging.log(_logging.DEBUG, "sort: %d numbers of %s, engine %s", work.size, dtype, told[0])
                _logging.log_fallback("sort", told[1])
        self._settle_sorted(work, bool(arguments.get("descending")))
        if work is not out:
            numpy.copyto(out, work)

    def argsort(self, values: Any, out: Any, arguments: dict[str, Any]) -> None:
        numpy = needed_numpy()
        source = values if _is_plain(values) else new_array(numpy.require, values, values.dtype.newbyteorder("="),
                                                            ["C", "A"])
        work = out if _is_plain(out) else new_array(numpy.empty, out.shape, numpy.int64)
        if work.size:
            told = {name: arguments[name] for name in _OF_ARGSORT if name in arguments}
            _native.argsort(_flat(source), _flat(work), told, work.shape[-1])
        self.settle_indexes(source, work, bool(arguments.get("descending")))
        if work is not out:
            numpy.copyto(out, work)

    def _settle_sorted(self, work: Any, falls: bool) -> None:
        """What there is to do once the numbers are in order."""

    def settle_sorted(self, out: Any, falls: bool) -> None:
        """The same for an array that has been sorted out of core."""

    def settle_indexes(self, values: Any, out: Any, falls: bool) -> None:
        """The same for the indexes of `values`."""


class Times(Numbers):
    """datetime64 and timedelta64: their numbers, but that NaT, the least number, is greater than all times, as in NumPy."""

    def _settle_sorted(self, work: Any, falls: bool) -> None:
        _each_row(_move_sorted, [_integers(work)], falls)

    def settle_sorted(self, out: Any, falls: bool) -> None:
        if _is_native(out):
            _each_row(_move_sorted, [_integers(out)], falls)
        else:
            numpy = needed_numpy()
            count = int(numpy.count_nonzero(numpy.isnat(out)))
            _rotate(out, count, falls)

    def settle_indexes(self, values: Any, out: Any, falls: bool) -> None:
        if not _is_native(values):
            values = values.astype(values.dtype.newbyteorder("="))
        _each_row(_move_indexes, [_integers(values), out], falls)


def _is_native(array: Any) -> bool:
    return bool(array.dtype.isnative)


def _is_plain(array: Any) -> bool:
    """Whether the native functions take it as it is."""
    return bool(array.flags.c_contiguous and array.flags.aligned and array.dtype.isnative)


def _flat(array: Any) -> Any:
    """One dimension, of a type that has a buffer."""
    array = array.reshape(-1)
    return _integers(array) if array.dtype.kind in "mM" else array


def _integers(array: Any) -> Any:
    return array.view("i8")


def _least() -> Any:
    numpy = needed_numpy()
    return numpy.iinfo(numpy.int64).min


def _each_row(move: Any, arrays: list[Any], falls: bool) -> None:
    numpy = needed_numpy()
    if arrays[0].size:
        for index in numpy.ndindex(arrays[0].shape[:-1]):
            move(*(array[index] for array in arrays), falls)


def _move_sorted(row: Any, falls: bool) -> None:
    least = _least()
    if row[-1 if falls else 0] == least:
        _rotate(row, int((row[::-1] if falls else row).searchsorted(least, "right")), falls)


def _move_indexes(row: Any, indexes: Any, falls: bool) -> None:
    least = _least()
    if row[indexes[-1 if falls else 0]] == least:
        _rotate(indexes, int(needed_numpy().count_nonzero(row == least)), falls)


def _rotate(row: Any, count: int, falls: bool) -> None:
    """The first `count` items come to the end; falls: the last ones to the begin. Takes as much memory as they do."""
    if count in (0, len(row)):
        return
    moved = (row[-count:] if falls else row[:count]).copy()
    # NumPy copies in the direction that loses nothing.
    if falls:
        row[count:] = row[:-count]
        row[:count] = moved
    else:
        row[:-count] = row[count:]
        row[-count:] = moved
