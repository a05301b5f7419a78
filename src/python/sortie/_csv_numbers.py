"""Numbers of CSV keys in their exact order. Doubles are compared first, which many numbers share; then what is left of a
number when its double is taken off: bytes that compare as these rests do. And what was assumed of the texts of a column."""

import decimal
import math

import pyarrow
import pyarrow.compute
from pyarrow import types

# Different numbers of so few characters have different doubles, if their exponents are small.
_EXACT_LENGTH = 15
_LONG_EXPONENT = "[eE][+-]?[0-9]{3,}"
_LEADING_ZEROS = "^[ \t]*[+-]?0+[0-9]"
_BELOW_ALL, _BELOW, _NOTHING, _ABOVE, _ABOVE_ALL = (bytes([i]) for i in range(5))
_EXPONENT_BYTES, _LEAST_EXPONENT = 8, -(1 << 63)
_CONTEXT = decimal.Context(prec=decimal.MAX_PREC, Emin=decimal.MIN_EMIN, Emax=decimal.MAX_EMAX)
_NOT_NUMBERS = ("nan", "inf", "infinity")


def is_rounded(kind):
    """Whether numbers in CSV are rounded to be values of a type."""
    return types.is_floating(kind)


def is_guessed(kind):
    """Whether values of a type, which pyarrow has guessed, are no longer the texts of the file."""
    return not (types.is_null(kind) or types.is_string(kind) or types.is_large_string(kind) or types.is_binary(kind))


def rests(texts, doubles):
    """For each number of a column what its double leaves of it, as bytes; and the rows of those that were rounded to be
    doubles, but for numbers that are written with more digits than theirs have."""
    simple = pyarrow.compute.and_(
        pyarrow.compute.less_equal(pyarrow.compute.utf8_length(texts), _EXACT_LENGTH),
        pyarrow.compute.invert(pyarrow.compute.match_substring_regex(texts, _LONG_EXPONENT)))
    simple = pyarrow.compute.or_(simple, pyarrow.compute.equal(doubles.cast(pyarrow.string()), texts))
    places = pyarrow.compute.indices_nonzero(pyarrow.compute.invert(simple.fill_null(True)))
    found, rounded = [_NOTHING] * len(texts), []
    for place, text, double in zip(places.to_pylist(), texts.take(places).to_pylist(),
                                   doubles.take(places).to_pylist()):
        if double is not None:
            found[place], is_rounded_here = _rest(text.strip(), double)
            if is_rounded_here:
                rounded.append(place)
    return pyarrow.array(found, pyarrow.binary()), rounded


def _rest(text, double):
    """What is left, and whether the number was rounded."""
    if text.lstrip("+-").lower() in _NOT_NUMBERS:
        return (_NOTHING if math.isnan(double) else _ABOVE_ALL if double > 0 else _BELOW_ALL), False
    number = _CONTEXT.create_decimal(text)
    # Where the double is far from the number no digits are filled up.
    if math.isinf(double) or not double:
        return _ordered_bytes(number), bool(number)
    rest = _CONTEXT.subtract(number, decimal.Decimal(repr(double)))
    digits = decimal.Context(prec=len(number.as_tuple().digits))
    return _ordered_bytes(rest), bool(rest) and digits.create_decimal(double) != number


def _ordered_bytes(number):
    """Bytes of decimals in their order."""
    if not number:
        return _NOTHING
    sign, digits, _ = number.as_tuple()
    exponent = (number.adjusted() - _LEAST_EXPONENT).to_bytes(_EXPONENT_BYTES, "big")
    # Digits from 1, so that a number is behind its beginning: 0 ends it.
    magnitude = exponent + bytes(digit + 1 for digit in _without_zeros(digits)) + b"\0"
    return _BELOW + bytes(0xff - byte for byte in magnitude) if sign else _ABOVE + magnitude


def _without_zeros(digits):
    """Without those at the end."""
    count = len(digits)
    while count > 1 and not digits[count - 1]:
        count -= 1
    return digits[:count]


def tell_assumed(assumed, name, texts, values, rounded, place_of):
    """texts: as they stand in the file, with null where a field is empty. rounded: the rows of numbers that come out
    as others. place_of(row): says where a row is."""
    assumed.looked_at(name, len(texts))
    rows = {"rounded-number": rounded}
    if values.null_count > texts.null_count:
        words = pyarrow.compute.and_(values.is_null(), pyarrow.compute.not_equal(texts, ""))
        rows["null-word"] = _true_rows(words)
    if types.is_integer(values.type) or types.is_floating(values.type) or types.is_decimal(values.type):
        rows["leading-zeros"] = _true_rows(pyarrow.compute.match_substring_regex(texts, _LEADING_ZEROS))
    for kind, found in rows.items():
        if len(found):
            assumed.add(kind, name, len(found), place_of(found[0]), texts[found[0]].as_py())


def _true_rows(mask):
    return pyarrow.compute.indices_nonzero(mask.fill_null(False)).to_pylist()
