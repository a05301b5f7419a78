"""A type that holds all values of two types without loss, and how values become those of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pyarrow
import pyarrow.compute
from pyarrow import types

from .schemas import list_maker, null_rows, nullable_as_both

_UNITS = ("s", "ms", "us", "ns")
_FLOATS = {16: (pyarrow.float16(), 11), 32: (pyarrow.float32(), 24),
           64: (pyarrow.float64(), 53)}  # with bits that are exact
_SIGNED = {8: pyarrow.int8(), 16: pyarrow.int16(), 32: pyarrow.int32(), 64: pyarrow.int64()}
_UNSIGNED = {8: pyarrow.uint8(), 16: pyarrow.uint16(), 32: pyarrow.uint32(), 64: pyarrow.uint64()}
_DIGITS = {pyarrow.int8(): 3, pyarrow.uint8(): 3, pyarrow.int16(): 5, pyarrow.uint16(): 5, pyarrow.int32(): 10,
           pyarrow.uint32(): 10, pyarrow.int64(): 19, pyarrow.uint64(): 20}
MOST_DIGITS = 38  # of decimals that pyarrow reads from texts
# The kinds of decimals, by the digits that they hold at most.
_DECIMALS = {digits: getattr(pyarrow, name) for digits, name in (
    (9, "decimal32"), (18, "decimal64"), (38, "decimal128"), (76, "decimal256")) if hasattr(pyarrow, name)}

_Test = Callable[[Any], bool]


def wider_field(field: Any, other: Any) -> Any:
    """The first field, with a type that holds the values of both, and nulls where one of both may have them; None if
    there is no such type."""
    kind = wider_type(field.type, other.type)
    if kind is None:
        return None
    nullable = field.nullable or other.nullable or types.is_null(field.type) or types.is_null(other.type)
    return field.with_type(kind).with_nullable(nullable)


def wider_type(one: Any, other: Any) -> Any:
    """None if no type holds the values of both without loss, or if what they mean differs."""
    same = nullable_as_both(pyarrow.field("", one), pyarrow.field("", other))
    if same is not None:
        return same.type
    if types.is_null(one) or types.is_null(other):
        return other if types.is_null(one) else one
    if any(isinstance(kind, pyarrow.BaseExtensionType) for kind in (one, other)):
        return None
    if types.is_dictionary(one) or types.is_dictionary(other):
        return _wider_dictionary(one, other)
    if types.is_run_end_encoded(one) or types.is_run_end_encoded(other):
        return wider_type(*(kind.value_type if types.is_run_end_encoded(kind) else kind for kind in (one, other)))
    for are_such, wider in _FAMILIES:
        if are_such(one) and are_such(other):
            return wider(one, other)
    return _wider_number(one, other)


def _wider_dictionary(one: Any, other: Any) -> Any:
    both = [kind for kind in (one, other) if types.is_dictionary(kind)]
    # Their order would be lost, or another.
    if any(kind.ordered for kind in both):
        return None
    values = wider_type(*(kind.value_type if types.is_dictionary(kind) else kind for kind in (one, other)))
    if values is None or len(both) == 1:
        return values
    indexes = wider_type(one.index_type, other.index_type)
    return values if indexes is None or types.is_nested(values) else pyarrow.dictionary(indexes, values)


def _wider_integer(one: Any, other: Any) -> Any:
    bits = max(one.bit_width, other.bit_width)
    are_unsigned = [types.is_unsigned_integer(kind) for kind in (one, other)]
    if all(are_unsigned) or not any(are_unsigned):
        return (_UNSIGNED if all(are_unsigned) else _SIGNED)[bits]
    unsigned = one if are_unsigned[0] else other
    return _SIGNED.get(max(bits, 2 * unsigned.bit_width))


def _wider_number(one: Any, other: Any) -> Any:
    """The type that holds an integer, and a float or a decimal."""
    integers = [kind for kind in (one, other) if types.is_integer(kind)]
    if len(integers) != 1:
        return None
    integer, number = integers[0], other if types.is_integer(one) else one
    if types.is_floating(number):
        bits = next((bits for bits, (_, exact) in _FLOATS.items() if exact >= integer.bit_width), None)
        return None if bits is None else _FLOATS[max(bits, number.bit_width)][0]
    return _wider_decimal(pyarrow.decimal128(_DIGITS[integer], 0), number) if types.is_decimal(number) else None


def _wider_decimal(one: Any, other: Any) -> Any:
    scale = max(one.scale, other.scale)
    precision = scale + max(one.precision - one.scale, other.precision - other.scale)
    bits = max(one.bit_width, other.bit_width)
    made = (make(precision, scale) for digits, make in _DECIMALS.items() if precision <= digits)
    return next((kind for kind in made if kind.bit_width >= bits), None)


def _wider_timestamp(one: Any, other: Any) -> Any:
    return pyarrow.timestamp(_finer(one, other), one.tz) if one.tz == other.tz else None


def _wider_time(one: Any, other: Any) -> Any:
    unit = _finer(one, other)
    return pyarrow.time64(unit) if unit in ("us", "ns") else pyarrow.time32(unit)


def _finer(*kinds: Any) -> str:
    return _UNITS[max(_UNITS.index(kind.unit) for kind in kinds)]


def _wider_struct(one: Any, other: Any) -> Any:
    """The fields of the first, and behind them those of the other alone."""
    fields = fields_of_both(one, other)
    return None if fields is None else pyarrow.struct(fields)


def fields_of_both(one: Iterable[Any], other: Iterable[Any]) -> list[Any] | None:
    """By their names; those that one of both lacks may be null. None for a name that several fields have, and if types
    of one name have none in common."""
    mine, others = ({field.name: field for field in fields} for fields in (one, other))
    if len(mine) != len(list(one)) or len(others) != len(list(other)):
        return None
    fields = [wider_field(field, others[name]) if name in others else field.with_nullable(True)
              for name, field in mine.items()]
    fields += [field.with_nullable(True) for name, field in others.items() if name not in mine]
    return None if any(field is None for field in fields) else fields


def _wider_list(one: Any, other: Any) -> Any:
    item = wider_field(one.value_field, other.value_field)
    if item is None:
        return None
    make = list_maker(one)
    if one.id == other.id and make is not None and getattr(one, "list_size", 0) == getattr(other, "list_size", 0):
        return make(item)
    is_large = any(types.is_large_list(kind) or types.is_large_list_view(kind) for kind in (one, other))
    return pyarrow.large_list(item) if is_large else pyarrow.list_(item)


def _wider_map(one: Any, other: Any) -> Any:
    key, item = wider_field(one.key_field, other.key_field), wider_field(one.item_field, other.item_field)
    if key is None or item is None:
        return None
    return pyarrow.map_(key.with_nullable(False), item, one.keys_sorted and other.keys_sorted)


def _any_of(*tests: _Test) -> _Test:
    return lambda kind: any(test(kind) for test in tests)


_FAMILIES: tuple[tuple[_Test, Callable[[Any, Any], Any]], ...] = (
    (types.is_integer, _wider_integer),
    (types.is_floating, lambda one, other: _FLOATS[max(one.bit_width, other.bit_width)][0]),
    (types.is_decimal, _wider_decimal),
    (_any_of(types.is_string, types.is_large_string, types.is_string_view), lambda one, other: pyarrow.large_string()),
    (_any_of(types.is_binary, types.is_large_binary, types.is_binary_view, types.is_fixed_size_binary),
     lambda one, other: pyarrow.large_binary()),
    (types.is_date, lambda one, other: pyarrow.date64()),
    (types.is_timestamp, _wider_timestamp),
    (types.is_time, _wider_time),
    (types.is_duration, lambda one, other: pyarrow.duration(_finer(one, other))),
    (types.is_struct, _wider_struct),
    (types.is_map, _wider_map),
    (lambda kind: list_maker(kind) is not None, _wider_list),
)


def widened(array: Any, kind: Any) -> Any:
    """The same values in a type that wider_type() gave, of this one and others. Raises ArrowException for a value that
    does not fit after all, such as a time that is too far for a finer unit."""
    own = array.type
    if own.equals(kind):
        return array
    if types.is_null(own):
        return null_rows(len(array), kind)
    if types.is_dictionary(own):
        if types.is_dictionary(kind):
            return pyarrow.DictionaryArray.from_arrays(array.indices.cast(kind.index_type),
                                                       widened(array.dictionary, kind.value_type))
        return widened(array.dictionary_decode(), kind)
    if types.is_run_end_encoded(own):
        return widened(pyarrow.compute.run_end_decode(array), kind)
    if types.is_struct(own):
        return _widened_struct(array, kind)
    if types.is_map(own) or list_maker(own) is not None:
        return _widened_list(array, kind)
    return array.cast(kind)


def _widened_struct(array: Any, kind: Any) -> Any:
    """Columns of fields do not know of nulls of the struct itself, and their own need not be those of the type."""
    own = array.type
    columns = []
    for place, field in enumerate(kind):
        number = place if _has_names(own, kind) else own.get_field_index(field.name)
        columns.append(null_rows(len(array), field.type) if number < 0 else widened(array.field(number), field.type))
    if not columns:
        return array
    return pyarrow.StructArray.from_arrays(columns, fields=list(kind), mask=array.is_null())


def _has_names(own: Any, kind: Any) -> bool:
    """Fields of one name are told apart by their places."""
    return [field.name for field in own] == [field.name for field in kind]


def _widened_list(array: Any, kind: Any) -> Any:
    own = array.type
    if types.is_map(kind):
        same, entries = kind, pyarrow.struct([kind.key_field, kind.item_field])
    else:
        make = list_maker(own)
        assert make is not None
        same, entries = make(kind.value_field), kind.value_type
    if not array.values.type.equals(entries):
        # Without values of rows in front and behind, of which there may be far more.
        array = pyarrow.concat_arrays([array, array.slice(0, 0)])
        own_buffers = array.buffers()[:1 if types.is_fixed_size_list(own) else _BUFFERS_OF_VIEWS.get(own.id, 2)]
        array = pyarrow.Array.from_buffers(same, len(array), own_buffers, offset=array.offset,
                                           children=[widened(array.values, entries)])
    if array.type.equals(kind):
        return array
    return _list_of_view(array, kind) if array.type.id in _BUFFERS_OF_VIEWS else array.cast(kind)


def _list_of_view(array: Any, kind: Any) -> Any:
    """pyarrow's own cast loses elements behind a null."""
    lengths = pyarrow.compute.list_value_length(array).fill_null(0).cast(pyarrow.int64())
    ends = pyarrow.compute.cumulative_sum(lengths)
    offsets = pyarrow.concat_arrays([pyarrow.array([0], pyarrow.int64()), ends])
    make, offset_type = ((pyarrow.LargeListArray, pyarrow.int64()) if types.is_large_list(kind)
                         else (pyarrow.ListArray, pyarrow.int32()))
    return make.from_arrays(offsets.cast(offset_type), array.flatten(), type=kind, mask=array.is_null())


# Without those of their values: whether they are null; offsets; sizes.
_BUFFERS_OF_VIEWS = {pyarrow.list_view(pyarrow.null()).id: 3, pyarrow.large_list_view(pyarrow.null()).id: 3}
