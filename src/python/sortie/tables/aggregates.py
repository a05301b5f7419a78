"""What group_table() makes of the rows of a group: each function turns a column into states, one a row, joins the
states of neighbouring rows of a group, and makes a value of what is left."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

import numpy
import pyarrow
import pyarrow.compute

from .. import ArgumentError, Error
from .._errors import shortened
from ..columns.key_columns import concatenated, decoded, is_extension, plain_type
from ..columns.row_taking import taken

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
    values = _type_of_values(kind)
    is_of_categories = word in ("min", "max") and _is_ordered(kind)
    made = _extreme_category(word, kind) if is_of_categories else FUNCTIONS[word](values, column)
    if made is None:
        raise Error(f"column '{column}' is of type {shortened(kind)}, of which there is no {word}: "
                    f"{_remedy(word, values)}")
    return made


def _is_ordered(kind: pyarrow.DataType) -> bool:
    return bool(pyarrow.types.is_dictionary(kind) and kind.ordered)


def _remedy(word: str, kind: pyarrow.DataType) -> str:
    if _has_negative_scale(kind):
        return "cast it to a decimal whose scale is 0 or more"
    if word in ("sum", "mean"):
        return "it is for numbers" + (" and durations" if word == "sum" else "")
    return "intervals have no order" if pyarrow.types.is_interval(kind) else "nested values have no order"


def _has_negative_scale(kind: pyarrow.DataType) -> bool:
    return bool(pyarrow.types.is_decimal(kind) and kind.scale < 0)


def _type_of_values(kind: pyarrow.DataType) -> pyarrow.DataType:
    is_coded = pyarrow.types.is_dictionary(kind) or pyarrow.types.is_run_end_encoded(kind)
    return _type_of_values(kind.value_type) if is_coded else kind


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


def _extreme_category(word: str, kind: pyarrow.DataType) -> Function:
    """The least or greatest value of an ordered dictionary, by its categories, which all batches share."""
    categories = pyarrow.nulls(0, kind.value_type)

    def states(values: pyarrow.Array) -> States:
        nonlocal categories
        categories = values.dictionary
        return [values.indices.cast(pyarrow.int64())]

    def joined(states: States, begins: Any) -> States:
        return [_by_arrow(word, states[0], begins)]

    def value(states: States) -> pyarrow.Array:
        return decoded(taken(categories, states[0]))
    return Function(_type_of_values(kind.value_type), states, joined, value)


def _comparable_type(kind: pyarrow.DataType) -> pyarrow.DataType | None:
    """The type in which pyarrow finds the least of a group; None if values have no order."""
    if is_extension(kind):
        return _comparable_type(kind.storage_type)
    if pyarrow.types.is_nested(kind) or pyarrow.types.is_interval(kind) or _has_negative_scale(kind):
        return None
    if pyarrow.types.is_float16(kind):
        return pyarrow.float32()
    if pyarrow.types.is_duration(kind):
        return pyarrow.int64()
    return plain_type(kind)


def _sum(kind: pyarrow.DataType, column: str) -> Function | None:
    parts = _parts_of(kind, column)
    if parts is None:
        return None

    def value(states: States) -> pyarrow.Array:
        return _if_any(parts.value(states[:-1]), states[-1])
    return Function(parts.type, *_with_counts(parts), value)


def _mean(kind: pyarrow.DataType, column: str) -> Function | None:
    parts = None if pyarrow.types.is_duration(kind) else _parts_of(kind, column)
    if parts is None:
        return None

    def value(states: States) -> pyarrow.Array:
        sums = states[0]
        if len(states) == 3:
            sums = pyarrow.array(states[0].to_numpy() * float(1 << 32) + states[1].to_numpy())
        means = pyarrow.compute.divide(sums.cast(pyarrow.float64(), safe=False), states[-1].cast(pyarrow.float64()))
        return _if_any(means, states[-1])
    return Function(pyarrow.float64(), *_with_counts(parts), value)


def _if_any(values: pyarrow.Array, counts: pyarrow.Array) -> pyarrow.Array:
    """Null where nothing was counted."""
    return pyarrow.compute.if_else(pyarrow.compute.greater(counts, 0), values, pyarrow.scalar(None, values.type))


def _with_counts(parts: Function) -> tuple[Callable[[pyarrow.Array], States], Callable[[States, Any], States]]:
    """What makes and joins states that tell last how many values are there."""
    def states(values: pyarrow.Array) -> States:
        values = decoded(values)
        return [*parts.states(values), *_counts(values)]

    def joined(states: States, begins: Any) -> States:
        return [*parts.joined(states[:-1], begins), *_joined_counts(states[-1:], begins)]
    return states, joined


def _parts_of(kind: pyarrow.DataType, column: str) -> Function | None:
    """Exact sums, in states that hold more than the type of the sum; None if values cannot be added."""
    if pyarrow.types.is_decimal(kind):
        return None if _has_negative_scale(kind) else _decimal_parts(kind, column)
    if pyarrow.types.is_floating(kind):
        return Function(pyarrow.float64(), _floats, _joined_floats, _unchanged)
    if pyarrow.types.is_unsigned_integer(kind):
        return _whole_parts(pyarrow.uint64(), pyarrow.uint64(), column)
    if pyarrow.types.is_signed_integer(kind) or pyarrow.types.is_boolean(kind):
        return _whole_parts(pyarrow.int64(), pyarrow.int64(), column)
    return _whole_parts(pyarrow.int64(), kind, column) if pyarrow.types.is_duration(kind) else None


def _floats(values: pyarrow.Array) -> States:
    return [values.cast(pyarrow.float64()).fill_null(0)]


def _joined_floats(states: States, begins: Any) -> States:
    """One after the other: the same sum, wherever batches end."""
    numbers = states[0].to_numpy()
    return [pyarrow.array(numpy.bincount(_groups(begins, len(numbers)), numbers))]


def _whole_parts(added: pyarrow.DataType, kind: pyarrow.DataType, column: str) -> Function:
    """Sums of upper halves of 32 bits, and of lower ones, which 64 bits hold. added: of 64 bits. kind: of the sum."""
    mask = (1 << 32) - 1

    def states(values: pyarrow.Array) -> States:
        whole = values.view(added) if pyarrow.types.is_duration(values.type) else values.cast(added)
        numbers = whole.fill_null(0).to_numpy()
        return [pyarrow.array((numbers >> 32).astype("int64")), pyarrow.array((numbers & mask).astype("int64"))]

    def joined(states: States, begins: Any) -> States:
        upper, lower = (numpy.add.reduceat(state.to_numpy(), begins) for state in states)
        return [pyarrow.array(upper + (lower >> 32)), pyarrow.array(lower & mask)]

    def value(states: States) -> pyarrow.Array:
        upper, lower = (state.to_numpy() for state in states)
        least, most = (0, 1 << 32) if added == pyarrow.uint64() else (-(1 << 31), 1 << 31)
        if ((upper < least) | (upper >= most)).any():
            _refuse_sum(column, kind)
        sums = pyarrow.array(((upper.astype("uint64") << 32) | lower.astype("uint64")).view(str(added)))
        return sums if kind == added else sums.view(kind)
    return Function(kind, states, joined, value)


def _decimal_parts(kind: pyarrow.DataType, column: str) -> Function:
    """In 256 bits, which hold more than 76 digits."""
    wide = pyarrow.decimal256(76, kind.scale)
    sum_type = wide if kind.bit_width > 128 else pyarrow.decimal128(38, kind.scale)
    # Beyond this, sums of 256 bits might wrap: doubles tell it well enough.
    most = 5 * 10.0 ** (76 - kind.scale)

    def states(values: pyarrow.Array) -> States:
        return [values.cast(wide).fill_null(pyarrow.scalar(0).cast(wide))]

    def joined(states: States, begins: Any) -> States:
        rough = numpy.add.reduceat(states[0].cast(pyarrow.float64()).to_numpy(), begins)
        if (abs(rough) >= most).any():
            _refuse_sum(column, sum_type)
        return [_by_arrow("sum", states[0], begins).cast(wide)]

    def value(states: States) -> pyarrow.Array:
        try:
            states[0].validate(full=True)
            return states[0].cast(sum_type)
        except pyarrow.ArrowInvalid:
            _refuse_sum(column, sum_type)
    return Function(sum_type, states, joined, value)


def _refuse_sum(column: str, kind: pyarrow.DataType) -> NoReturn:
    remedy = "" if pyarrow.types.is_duration(kind) else ": cast the column to float64 or to a wider decimal"
    raise Error(f"a sum of column '{column}' is beyond {kind}{remedy}")


FUNCTIONS: dict[str, Callable[[pyarrow.DataType, str], Function | None]] = {
    "count": _count, "sum": _sum, "mean": _mean, "min": _extreme("min"), "max": _extreme("max"), "first": _first,
    "last": _last}


class Aggregate:
    """A function of a column; or, of none, how many rows there are."""

    def __init__(self, name: str, function: Function, number: int | None) -> None:
        """number: of the column in what states() gets."""
        self.field = pyarrow.field(name, function.type, nullable=function.joined is not _joined_counts)
        self._function, self._number = function, number

    def states(self, columns: Sequence[pyarrow.Array], begins: NDArray[numpy.int64], before: States | None) -> States:
        """The states of the groups of some rows, whose columns these are. before: the state of the first group after
        the rows in front of them, or None."""
        states = self._function.states(columns[self._number or 0])
        if before is not None:
            states = [concatenated(pair) for pair in zip(before, states)]
            begins = numpy.concatenate([begins[:1], begins[1:] + 1])
        return self._function.joined(states, begins)

    def values(self, states: States) -> pyarrow.Array:
        return self._function.value(states)
