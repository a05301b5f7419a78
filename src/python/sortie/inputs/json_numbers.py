"""Numbers of JSON as they are written, and the floating-point numbers that they come out as: which of them are rounded
is looked at one by one only where digits or exponents are so many that some may be."""

from __future__ import annotations

import decimal
import math
import re
import struct
from collections.abc import Iterator
from typing import Any

import pyarrow
import pyarrow.compute
from pyarrow import types

from .csv_input import is_rounded_text

_BETWEEN = bytes(byte if byte in b"0123456789.eE+-" else ord(" ") for byte in range(256))
_FLOATING = r"^-?[0-9]+(\.[0-9]+([eE][+-]?[0-9]+)?|[eE][+-]?[0-9]+)$"
_ANY = r"^-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?$"
# The words of so many bytes are made at once.
_PART_BYTES = 256 << 10
_NOT_ZERO = re.compile("[-0.]*[1-9]")
_AS_ZEROS = bytes.maketrans(b"123456789E", b"000000000e")
_EXACT = decimal.Context(prec=decimal.MAX_PREC)


class Number(str):
    """A number as it is written."""


def as_floating(text: str, kind: Any) -> float:
    """The value of a type that a number comes out as."""
    double = float(text)
    if types.is_float64(kind):
        return double
    try:
        return float(struct.unpack("<f", struct.pack("<f", double))[0])
    except OverflowError:
        return math.copysign(math.inf, double)


def is_decimal_of(text: str, kind: Any) -> bool:
    """Whether a decimal of the type holds all digits of a number."""
    try:
        number = _EXACT.normalize(_EXACT.create_decimal(text))
    except decimal.DecimalException:
        return False
    exponent = number.as_tuple().exponent
    return not number or (isinstance(exponent, int) and exponent >= -kind.scale and
                          number.adjusted() + 1 + kind.scale <= kind.precision)


def is_rounded_number(text: str, kind: Any) -> bool:
    value = as_floating(text, kind)
    if not value:
        return bool(_NOT_ZERO.match(text))  # whatever exponents decimals have
    return is_rounded_text(text, value)


def has_singles(kind: Any) -> bool:
    if types.is_struct(kind):
        return any(has_singles(field.type) for field in kind)
    return has_singles(kind.value_type) if types.is_list(kind) else bool(types.is_float32(kind))


def may_have_rounded(octets: bytes, are_singles: bool) -> bool:
    """Whether some number is rounded to be a double, or a float of 32 bits; or a text looks like such a number.
    Integers that are doubles are left to those who see their values."""
    most_digits, exponent = (6, b"00") if are_singles else (15, b"000")
    plain = octets.translate(_AS_ZEROS, b".")
    marks = (b"0" * (most_digits + 1), b"0e" + exponent, b"0e-" + exponent, b"0e+" + exponent)
    if not any(mark in plain for mark in marks):
        return False
    long_exponent = re.compile(rb"[eE][+-]?[0-9]{%d}" % len(exponent)).search if any(map(plain.__contains__,
                                                                                         marks[1:])) else None
    kind = pyarrow.float32() if are_singles else pyarrow.float64()
    for words in _words_of(octets):
        texts = [word for word in words if len(word) > most_digits
                 or (long_exponent is not None and long_exponent(word))]
        if any(is_rounded_number(text, kind) for text in _not_shortest(texts, kind)):
            return True
    return False


def _words_of(octets: bytes) -> Iterator[list[bytes]]:
    """Numbers, and what texts have of their characters."""
    begin, plain = 0, octets.translate(_BETWEEN)
    while begin < len(plain):
        end = plain.find(b" ", begin + _PART_BYTES)
        end = len(plain) if end < 0 else end
        yield plain[begin:end].split()
        begin = end


def _not_shortest(texts: list[bytes], kind: Any) -> list[str]:
    """Those that are numbers, and not written as their values are."""
    column = pyarrow.array(texts, pyarrow.string())
    column = column.filter(pyarrow.compute.match_substring_regex(column, _ANY if types.is_float32(kind) else _FLOATING))
    try:
        shown = column.cast(kind).cast(pyarrow.string())
    except pyarrow.ArrowException:
        shown = pyarrow.repeat(pyarrow.scalar("", pyarrow.string()), len(column))
    found: list[str] = column.filter(pyarrow.compute.not_equal(shown, column)).to_pylist()
    return found
