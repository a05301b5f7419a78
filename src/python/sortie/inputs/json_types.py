"""Types of values in JSON, which tells texts, numbers, bools, lists and objects apart, and no more: a time is a text
there."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import pyarrow
from pyarrow import types

from ..columns.wider_types import MOST_DIGITS
from .json_numbers import Number, as_floating, is_decimal_of

_BIG_INTEGER = pyarrow.decimal128(MOST_DIGITS, 0)
# Stands for an integer that both int64 and uint64 hold; it is never the type of a column.
_EITHER = pyarrow.uint32()
_WITH_SIGN, _WITHOUT_SIGN = (_EITHER, pyarrow.int64()), (_EITHER, pyarrow.uint64())
_NUMBERS = (*_WITH_SIGN, pyarrow.uint64(), _BIG_INTEGER, pyarrow.float64())


class UnknownWord(ValueError):
    """A word that is no value of JSON, as NaN."""


class Repeated(ValueError):
    """A name that an object has twice."""


class Beyond(Exception):
    """A number that no double is near."""

    def __init__(self, column: str, text: str) -> None:
        super().__init__(column)
        self.column, self.text = column, text


class Differs(Exception):
    """Two values of one column whose types have none in common. one, other: these types."""

    def __init__(self, column: str, one: Any, other: Any) -> None:
        super().__init__(column)
        self.column, self.one, self.other = column, settled(one), settled(other)


def object_of(line: str) -> Any:
    """The value of a line, with its numbers as they are written. Raises ValueError for what is no JSON."""
    return json.loads(line, parse_int=Number, parse_float=Number, parse_constant=_refuse_word,
                      object_pairs_hook=_each_once)


def _refuse_word(word: str) -> Any:
    raise UnknownWord(f"JSON has no {word}")


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise Repeated(f"'{next(name for name in names if names.count(name) > 1)}' is there twice")
    return found


def type_of(value: Any, column: str) -> Any:
    """Raises Differs for a list of values of several types, and Beyond."""
    if isinstance(value, Number):
        if math.isinf(float(value)):
            raise Beyond(column, value)
        return _type_of_number(value)
    if isinstance(value, dict):
        return pyarrow.struct([(name, type_of(item, f"{column}.{name}")) for name, item in value.items()])
    if isinstance(value, list):
        kind = pyarrow.null()
        for item in value:
            kind = merged(kind, type_of(item, f"{column}[]"), f"{column}[]")
        return pyarrow.list_(kind)
    return pyarrow.null() if value is None else pyarrow.bool_() if isinstance(value, bool) else pyarrow.string()


def _type_of_number(text: str) -> Any:
    digits = text.removeprefix("-")
    if not digits.isdigit() or len(digits) > MOST_DIGITS:
        return pyarrow.float64()
    number = int(text)
    if number < 0:
        return pyarrow.int64() if number >= -(1 << 63) else _BIG_INTEGER
    return _EITHER if number < 1 << 63 else pyarrow.uint64() if number < 1 << 64 else _BIG_INTEGER


def merged(one: Any, other: Any, column: str) -> Any:
    """The type of a column that has values of both: numbers are double if some of them have a point or an exponent, and
    objects have the fields of both. Raises Differs if there is none."""
    if one.equals(other) or types.is_null(other):
        return one
    if types.is_null(one):
        return other
    if types.is_struct(one) and types.is_struct(other):
        return pyarrow.struct(merged_fields(one, other, f"{column}."))
    if types.is_list(one) and types.is_list(other):
        return pyarrow.list_(merged(one.value_type, other.value_type, f"{column}[]"))
    if one in _NUMBERS and other in _NUMBERS:
        return _merged_number(one, other)
    raise Differs(column, one, other)


def merged_fields(one: Iterable[Any], other: Iterable[Any], begin: str = "") -> list[Any]:
    """begin: of the names of the columns."""
    found = {field.name: field.type for field in one}
    for field in other:
        known = found.get(field.name)
        found[field.name] = field.type if known is None else merged(known, field.type, begin + field.name)
    return [pyarrow.field(name, kind) for name, kind in found.items()]


def _merged_number(one: Any, other: Any) -> Any:
    both = (one, other)
    if pyarrow.float64() in both:
        return pyarrow.float64()
    for kinds in (_WITH_SIGN, _WITHOUT_SIGN):
        if all(kind in kinds for kind in both):
            return kinds[1]
    return _BIG_INTEGER


def _changed(kind: Any, change: Callable[[Any], Any]) -> Any:
    """The type with others in place of those of its values."""
    if types.is_struct(kind):
        return pyarrow.struct([field.with_type(_changed(field.type, change)) for field in kind])
    return pyarrow.list_(_changed(kind.value_type, change)) if types.is_list(kind) else change(kind)


def width_of(kinds: Iterable[Any]) -> int:
    """How many values a row has, there or not."""
    return sum(width_of(field.type for field in kind) if types.is_struct(kind) else 1 for kind in kinds)


def names_in_lists(kinds: Iterable[Any]) -> int:
    """How many values an object within a list has at most, there or not."""
    found = 0
    for kind in kinds:
        if types.is_struct(kind):
            found = max(found, names_in_lists(field.type for field in kind))
        elif types.is_list(kind) or types.is_large_list(kind):
            found = max(found, width_of([kind.value_type]), names_in_lists([kind.value_type]))
    return found


def settled(kind: Any) -> Any:
    return _changed(kind, lambda own: pyarrow.int64() if own == _EITHER else own)


def as_told(kind: Any) -> Any:
    """The type of a column as JSON tells it, where pyarrow takes texts for times."""
    return _changed(kind, lambda own: pyarrow.string() if types.is_temporal(own) else own)


def as_json_tells(schema: Any) -> Any:
    """The columns with the types by which they are read again from the JSON that is made of them."""
    return pyarrow.schema([pyarrow.field(field.name, as_written(field.type)) for field in schema])


def as_written(kind: Any) -> Any:
    """The type by which values of a type are read again from the JSON that is made of them."""
    if types.is_dictionary(kind) or types.is_run_end_encoded(kind):
        return as_written(kind.value_type)
    if types.is_struct(kind):
        return pyarrow.struct([field.with_type(as_written(field.type)).with_nullable(True) for field in kind])
    if types.is_decimal(kind) and kind.precision <= MOST_DIGITS:
        return pyarrow.decimal128(kind.precision, kind.scale)
    if types.is_decimal(kind) or types.is_float16(kind):
        return pyarrow.float64()
    if types.is_null(kind) or types.is_boolean(kind) or types.is_integer(kind) or types.is_floating(kind):
        return kind
    if types.is_map(kind) or not hasattr(kind, "value_type"):
        return pyarrow.string()
    return pyarrow.list_(as_written(kind.value_type))


def read_as(own: Any, known: Any) -> Any:
    """The known type of a column, if its values, which are of type `own` in JSON, can be read so without a guess; else
    `own`."""
    if types.is_null(own) or own.equals(known):
        return known
    if types.is_struct(own) and types.is_struct(known):
        fields = {field.name: field for field in known}
        if len(fields) < len(known) or any(field.name not in fields for field in own):
            return own
        read = {field.name: read_as(field.type, fields[field.name].type) for field in own}
        return pyarrow.struct([field.with_type(read.get(field.name, field.type)) for field in known])
    if types.is_list(own) and types.is_list(known):
        return pyarrow.list_(known.value_field.with_type(read_as(own.value_type, known.value_type)))
    if types.is_integer(own) or own == _BIG_INTEGER:
        is_read = types.is_integer(known) or types.is_decimal128(known) or types.is_float64(known)
    elif types.is_float64(own):
        is_read = types.is_decimal128(known) or types.is_float32(known) or types.is_float64(known)
    else:
        is_read = types.is_string(own) and types.is_large_string(known)
    return known if is_read else own


class Misfit(NamedTuple):
    """A value that a column cannot have. found, known: the types. is_held: whether there is a type that holds both."""
    column: str
    found: Any
    known: Any
    is_held: bool


def misfit(value: Any, kind: Any, column: str) -> Misfit | None:
    """The first value in `value` that is none of type `kind`. Raises Beyond."""
    if isinstance(value, dict) and types.is_struct(kind):
        fields = {field.name: field.type for field in kind}
        return _first(misfit(item, fields.get(name), f"{column}.{name}") for name, item in value.items())
    if isinstance(value, list) and types.is_list(kind):
        return _first(misfit(item, kind.value_type, f"{column}[]") for item in value)
    if kind is not None and (value is None or _fits(value, kind)):
        return None
    try:
        found = settled(type_of(value, column))
        if kind is not None:
            merged(_number_or(kind), found, column)
    except Differs as differs:
        return Misfit(differs.column, differs.other, differs.one, False)
    return Misfit(column, found, kind, True)


def _number_or(kind: Any) -> Any:
    """The type as JSON may tell it, where a column is read as another one."""
    return pyarrow.int64() if types.is_integer(kind) else pyarrow.float64() if types.is_decimal(kind) else kind


def _first(found: Iterable[Misfit | None]) -> Misfit | None:
    return next((one for one in found if one is not None), None)


def _fits(value: Any, kind: Any) -> bool:
    if isinstance(value, Number):
        if types.is_integer(kind):
            least = 0 if types.is_unsigned_integer(kind) else -(1 << (kind.bit_width - 1))
            is_whole = value.removeprefix("-").isdigit() and len(value) <= MOST_DIGITS
            return is_whole and 0 <= int(value) - least < 1 << kind.bit_width
        if types.is_decimal(kind):
            return is_decimal_of(value, kind)
        return bool(types.is_floating(kind)) and math.isfinite(as_floating(value, kind))
    if isinstance(value, bool):
        return bool(types.is_boolean(kind))
    return isinstance(value, str) and bool(types.is_string(kind) or types.is_large_string(kind))


def has_doubles(kind: Any) -> bool:
    if types.is_struct(kind):
        return any(has_doubles(field.type) for field in kind)
    return has_doubles(kind.value_type) if types.is_list(kind) else bool(types.is_floating(kind))
