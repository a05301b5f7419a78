"""What group_table() makes of the rows of a group: each function turns a column into states, one a row, joins the states of
neighbouring rows of a group, and makes a value of what is left."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy
import pyarrow
import pyarrow.compute

from . import ArgumentError, Error
from ._errors import shortened
from ._key_columns import concatenated, decoded, is_extension, plain_type, taken

if TYPE_CHECKING:
    from numpy.typing import NDArray

States = list[pyarrow.Array]


class Function(NamedTuple):
    """type: of the value. states: of a column. joined: one state for each begin of a group. value: of states."""

    type: pyarrow.DataType
    states: Callable[[pyarrow.Array], States]
    joined: Callable[[States, Any], States]
    value: Callable[[States], pyarrow.Array]


def function_of(word: str, kind: pyarrow.DataType, column: str) -> Function:
    """The function of a word for a column of this type. Raises Error if there is none."""
    if word not in FUNCTIONS:
        raise ArgumentError(f"there is no aggregate {word!r}: known are {', '.join(FUNCTIONS)}")
    made = FUNCTIONS[word](_type_of_values(kind), column)
    if made is None:
        raise Error(f"column '{column}' is of type {shortened(kind)}, of which there is no {word}: {_REMEDIES[word]}")
    return made


def _type_of_values(kind: pyarrow.DataType) -> pyarrow.DataType:
    is_coded = pyarrow.types.is_dictionary(kind) or pyarrow.types.is_run_end_encoded(kind)
    return _type_of_values(kind.value_type) if is_coded else kind


_NUMBERS = "it is for numbers and durations"
_ORDERED = "nested values have no order"
_REMEDIES = {"sum": _NUMBERS, "mean": "it is for numbers", "min": _ORDERED, "max": _ORDERED}


def _unchanged(states: States) -> pyarrow.Array:
    return states[0]


def _groups(begins: Any, count: int) -> NDArray[numpy.int64]:
    """The number of the group of each row."""
    numbers = numpy.zeros(count, numpy.int64)
    numbers[begins[1:]] = 1
    return numpy.cumsum(numbers)


def _by_arrow(word: str, column: pyarrow.Array, begins: Any) -> pyarrow.Array:
    """Its hash aggregation, by numbers of groups, comes in their order."""
    table = pyarrow.table({"group": _groups(begins, len(column)), "value": column})
    return concatenated(table.group_by("group", use_threads=False).aggregate([("value", word)])[f"value_{word}"].chunks)


def _counts(column: pyarrow.Array) -> States:
    return [pyarrow.array(column.is_valid().to_numpy(zero_copy_only=False), pyarrow.bool_()).cast(pyarrow.int64())]


def _joined_counts(states: States, begins: Any) -> States:
    return [pyarrow.array(numpy.add.reduceat(states[0].to_numpy(), begins))]


def _count(kind: pyarrow.DataType, column: str) -> Function:
    return Function(pyarrow.int64(), _counts, _joined_counts, _unchanged)


# Rows are counted, whether their values are null or not.
ROWS = Function(pyarrow.int64(), lambda column: [pyarrow.array(numpy.ones(len(column), numpy.int64))], _joined_counts,
                _unchanged)


def _first(kind: pyarrow.DataType, column: str) -> Function:
    def joined(states: States, begins: Any) -> States:
        return [taken(states[0], pyarrow.array(begins))]
    return Function(kind, lambda values: [decoded(values)], joined, _unchanged)


def _last(kind: pyarrow.DataType, column: str) -> Function:
    def joined(states: States, begins: Any) -> States:
        return [taken(states[0], pyarrow.array(numpy.append(begins[1:], len(states[0])) - 1))]
    return Function(kind, lambda values: [decoded(values)], joined, _unchanged)


def _extreme(word: str) -> Callable[[pyarrow.DataType, str], Function | None]:
    def made(kind: pyarrow.DataType, column: str) -> Function | None:
        compared = _comparable_type(kind)
        if compared is None:
            return None

        def states(values: pyarrow.Array) -> States:
            values = decoded(values)
            return [values.view(compared) if pyarrow.types.is_duration(kind) else values.cast(compared)]

        def value(states: States) -> pyarrow.Array:
            return states[0].view(kind) if pyarrow.types.is_duration(kind) else states[0].cast(kind)
        return Function(kind, states, lambda states, begins: [_by_arrow(word, states[0], begins)], value)
    return made


def _comparable_type(kind: pyarrow.DataType) -> pyarrow.DataType | None:
    """The type in which pyarrow finds the least of a group; None if values have no order."""
    if is_extension(kind):
        return _comparable_type(kind.storage_type)
    if pyarrow.types.is_nested(kind) or pyarrow.types.is_interval(kind):
        return None
    if pyarrow.types.is_float16(kind):
        return pyarrow.float32()
    if pyarrow.types.is_duration(kind):
        return pyarrow.int64()
    return plain_type(kind)


def _sum(kind: pyarrow.DataType, column: str) -> Function | None:
    added = _type_of_sums(kind)
    if added is None:
        return None

    def states(values: pyarrow.Array) -> States:
        values = decoded(values)
        return [values.view(pyarrow.int64()) if pyarrow.types.is_duration(kind) else values.cast(added), *_counts(values)]

    def joined(states: States, begins: Any) -> States:
        return [_added(states[0], begins, column), *_joined_counts(states[1:], begins)]

    def value(states: States) -> pyarrow.Array:
        is_there = pyarrow.compute.greater(states[1], 0)
        sums = states[0].view(kind) if pyarrow.types.is_duration(kind) else states[0]
        return pyarrow.compute.if_else(is_there, sums, pyarrow.scalar(None, sums.type))
    return Function(kind if pyarrow.types.is_duration(kind) else added, states, joined, value)


def _type_of_sums(kind: pyarrow.DataType) -> pyarrow.DataType | None:
    """None if values cannot be added."""
    if pyarrow.types.is_decimal(kind):
        return pyarrow.decimal256(76, kind.scale) if kind.bit_width > 128 else pyarrow.decimal128(38, kind.scale)
    if pyarrow.types.is_floating(kind):
        return pyarrow.float64()
    if pyarrow.types.is_unsigned_integer(kind):
        return pyarrow.uint64()
    is_whole = pyarrow.types.is_signed_integer(kind) or pyarrow.types.is_boolean(kind) or pyarrow.types.is_duration(kind)
    return pyarrow.int64() if is_whole else None


def _added(values: pyarrow.Array, begins: Any, column: str) -> pyarrow.Array:
    """Sums of groups. Raises Error if one is beyond its type."""
    if pyarrow.types.is_decimal(values.type):
        return _added_decimals(values, begins, column)
    numbers = values.fill_null(0).to_numpy()
    if pyarrow.types.is_floating(values.type):
        # One after the other: the same sum, wherever batches end.
        return pyarrow.array(numpy.bincount(_groups(begins, len(numbers)), numbers))
    # A sum of 64 bits that wraps says nothing: halves of 32 bits are added, whose sums fit.
    halves = numpy.add.reduceat(numbers & 0xffffffff, begins)
    tops = numpy.add.reduceat(numbers >> 32, begins) + (halves >> 32)
    least, most = (0, 1 << 32) if numbers.dtype == "uint64" else (-(1 << 31), 1 << 31)
    if ((tops < least) | (tops >= most)).any():
        _refuse_sum(column, values.type)
    return pyarrow.array((tops << 32) | (halves & 0xffffffff))


def _added_decimals(values: pyarrow.Array, begins: Any, column: str) -> pyarrow.Array:
    """pyarrow does not look whether a sum has too many digits: that of doubles tells."""
    kind = values.type
    exact = _by_arrow("sum", values.fill_null(pyarrow.scalar(0).cast(kind)), begins).cast(kind)
    rough = numpy.add.reduceat(values.cast(pyarrow.float64()).fill_null(0).to_numpy(), begins)
    if (abs(rough) >= 10.0 ** (kind.precision - kind.scale) * (1 - 1e-9)).any():
        _refuse_sum(column, kind)
    return exact


def _refuse_sum(column: str, kind: pyarrow.DataType) -> None:
    raise Error(f"a sum of column '{column}' is beyond {kind}: cast the column to float64 or to a decimal")


def _mean(kind: pyarrow.DataType, column: str) -> Function | None:
    summed = None if pyarrow.types.is_duration(kind) else _sum(kind, column)
    if summed is None:
        return None

    def value(states: States) -> pyarrow.Array:
        sums = summed.value(states).cast(pyarrow.float64(), safe=False)
        return pyarrow.compute.divide(sums, states[1].cast(pyarrow.float64()))
    return Function(pyarrow.float64(), summed.states, summed.joined, value)


FUNCTIONS: dict[str, Callable[[pyarrow.DataType, str], Function | None]] = {
    "count": _count, "sum": _sum, "mean": _mean, "min": _extreme("min"), "max": _extreme("max"), "first": _first, "last": _last}


class Aggregate:
    """A function of a column; or, of none, how many rows there are."""

    def __init__(self, name: str, function: Function, number: int | None) -> None:
        """number: of the column in what states() gets."""
        self.field = pyarrow.field(name, function.type)
        self._function, self._number = function, number

    def states(self, columns: Sequence[pyarrow.Array], begins: NDArray[numpy.int64], before: States | None) -> States:
        """Of the groups of some rows. columns: of these rows, at least one. before: what the first group has of rows in front of
        them, or None."""
        states = self._function.states(columns[self._number or 0])
        if before is not None:
            states = [concatenated(pair) for pair in zip(before, states)]
            begins = numpy.concatenate([begins[:1], begins[1:] + 1])
        return self._function.joined(states, begins)

    def values(self, states: States) -> pyarrow.Array:
        return self._function.value(states)
