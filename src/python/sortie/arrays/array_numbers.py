"""How arrays of numbers are sorted in memory: bool, integers and floats of NumPy in any byte order, and times."""

from __future__ import annotations

from typing import Any

from .. import _logging, _native
from .array_fields import Layout, field_of
from .array_inputs import is_plain, needed_numpy

# What is made something of where the CPU alone sorts in memory.
_OF_CPU = ("descending", "threads")

# As kLeastWatchedNumbers, below which sort() tells nothing.
_LEAST_LOGGED = 1 << 18


# Items that are looked at or moved together: what is known of each takes memory, and so does a copy.
_PIECE = 1 << 16


class Kind:
    """What sorts arrays of one kind of items. It has sort() and argsort(), and layout() if files can be sorted so."""

    def settle_sorted(self, out: Any, falls: bool) -> None:
        """What there is to do once an array of one dimension has been sorted by its layout, out of core."""

    def settle_indexes(self, values: Any, out: Any, falls: bool) -> None:
        """What there is to do once the indexes of `values` are in the order of its layout."""


class Numbers(Kind):
    """values: arrays whose last axis is sorted, row by row; out: arrays of the same shape and type. Both may be laid
    out in any way."""

    def layout(self, dtype: Any) -> Layout:
        return Layout(dtype.itemsize, [field_of("", dtype, 0, False)])

    def sort(self, values: Any, out: Any, arguments: dict[str, Any]) -> None:
        numpy = needed_numpy()
        dtype = values.dtype.newbyteorder("=")
        work = out if is_plain(out) else numpy.empty(out.shape, dtype)
        source = values
        if not is_plain(values):
            source = work
            numpy.copyto(work, values)
        if work.size:
            is_counted = dtype.itemsize < 4
            taken = _of_cpu(arguments) if is_counted else arguments
            told = _native.sort_numbers(_flat(source), _flat(work), taken, work.shape[-1])
            if told is not None:
                _logging.log(_logging.DEBUG, "sort: %d numbers of %s, engine %s", work.size, dtype, told[0])
                _logging.log_fallback("sort", told[1])
            if is_counted:
                log_cpu_alone("sort", arguments, "numbers of 8 and 16 bits are counted there")
        if work is not out:
            numpy.copyto(out, work)

    def argsort(self, values: Any, out: Any, arguments: dict[str, Any]) -> None:
        numpy = needed_numpy()
        source = values if is_plain(values) else numpy.require(values, values.dtype.newbyteorder("="), ["C", "A"])
        work = out if is_plain(out) else numpy.empty(out.shape, numpy.int64)
        if work.size:
            _native.argsort(_flat(source), _flat(work), _of_cpu(arguments), work.shape[-1])
            if work.size >= _LEAST_LOGGED:
                _logging.log(_logging.DEBUG, "argsort: %d numbers of %s, engine cpu", work.size, source.dtype)
        self.settle_indexes(source, work, bool(arguments.get("descending")))
        if work is not out:
            numpy.copyto(out, work)


class Times(Numbers):
    """datetime64 and timedelta64: their numbers, but that NaT, the least number, is greater than all times, as in
    NumPy."""

    def sort(self, values: Any, out: Any, arguments: dict[str, Any]) -> None:
        """In place of NaT the greatest time is sorted: the least number would be far from all others, and sorts of
        arrays deal them by their range."""
        numpy = needed_numpy()
        places = numpy.isnat(values)
        if not places.any():
            super().sort(values, out, arguments)
            return
        if not places.all():
            times = values.astype(values.dtype.newbyteorder("="))
            times[places] = values[~places].max()
            super().sort(times, out, arguments)
        counts = places.sum(axis=-1, keepdims=True)
        numbers = numpy.arange(values.shape[-1])
        falls = bool(arguments.get("descending"))
        out[numbers < counts if falls else numbers >= values.shape[-1] - counts] = "NaT"

    def settle_sorted(self, out: Any, falls: bool) -> None:
        numpy = needed_numpy()
        if len(out) and numpy.isnat(out[-1 if falls else 0]):
            # isnat() of times in order is in order, too.
            count = _count_first(numpy.isnat, out[::-1] if falls else out)
            # NumPy copies in the direction that loses nothing.
            if falls:
                out[count:] = out[:len(out) - count]
                out[:count] = "NaT"
            else:
                out[:len(out) - count] = out[count:]
                out[len(out) - count:] = "NaT"

    def settle_indexes(self, values: Any, out: Any, falls: bool) -> None:
        if not out.size:
            return
        numpy = needed_numpy()
        for row in [()] if out.ndim == 1 else numpy.ndindex(out.shape[:-1]):
            indexes, times = out[row], values[row]
            if numpy.isnat(times[indexes[-1 if falls else 0]]):
                count = sum(int(numpy.count_nonzero(numpy.isnat(times[begin:begin + _PIECE])))
                            for begin in range(0, len(times), _PIECE))
                _rotate(indexes, count, falls)


def log_cpu_alone(function: str, arguments: dict[str, Any], reason: str) -> None:
    """That engine="gpu" was not followed, where no GPU can be used."""
    if arguments.get("engine") == "gpu":
        _logging.log_fallback(function, reason)


def _of_cpu(arguments: dict[str, Any]) -> dict[str, Any]:
    return {name: arguments[name] for name in _OF_CPU if name in arguments}


def _flat(array: Any) -> Any:
    """One dimension, of a type that has a buffer."""
    array = array.reshape(-1)
    return array.view("i8") if array.dtype.kind in "mM" else array


def _count_first(is_first: Any, row: Any) -> int:
    """How many items at the begin of a row are, where none is behind one that is not. Looks at few of them."""
    begin, end = 0, len(row)
    while begin < end:
        middle = (begin + end) // 2
        begin, end = (middle + 1, end) if is_first(row[middle]) else (begin, middle)
    return begin


def _rotate(row: Any, count: int, falls: bool) -> None:
    """The first `count` items come to the end; falls: the last ones to the begin. Takes little memory."""
    first = len(row) - count if falls else count
    for part in (row[:first], row[first:], row):
        _reverse(part)


def _reverse(row: Any) -> None:
    """In place, by pieces at both ends: NumPy would copy a row that it writes over itself."""
    begin, end = 0, len(row)
    while (length := min(_PIECE, (end - begin) // 2)) > 0:
        moved = row[begin:begin + length].copy()
        row[begin:begin + length] = row[end - length:end][::-1]
        row[end - length:end] = moved[::-1]
        begin, end = begin + length, end - length
