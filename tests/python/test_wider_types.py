"""Every pair of types: the one that holds the values of both without loss, or none."""

import datetime
import decimal
import itertools

import pytest

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed (every test of this file)")

from sortie.columns import wider_types  # noqa: E402

INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
FLOATS = {"float16": 11, "float32": 24, "float64": 53}
TEXTS = ("string", "large_string", "string_view")
OCTETS = ("binary", "large_binary", "binary_view", "binary(3)")
UNITS = ("s", "ms", "us", "ns")
OTHERS = ("bool", "date32", "date64")
TYPES = {
    **{name: getattr(pa, "bool_" if name == "bool" else name)()
       for name in (*INTEGERS, *FLOATS, *TEXTS, *OCTETS[:3], *OTHERS)},
    "binary(3)": pa.binary(3),
    **{f"timestamp {unit}": pa.timestamp(unit) for unit in UNITS},
    **{f"timestamp {unit} UTC": pa.timestamp(unit, "UTC") for unit in UNITS},
    **{f"time {unit}": pa.time32(unit) if unit in UNITS[:2] else pa.time64(unit) for unit in UNITS},
    **{f"duration {unit}": pa.duration(unit) for unit in UNITS},
    "decimal 5 2": pa.decimal128(5, 2), "decimal 20 0": pa.decimal128(20, 0), "decimal 38 30": pa.decimal128(38, 30),
    "decimal 9 9": pa.decimal32(9, 9), "decimal 70 1": pa.decimal256(70, 1),
}


def expected(one, other):
    """By rules that are written in another way than those of the package; None for a conflict."""
    if one == other:
        return TYPES[one]
    names = {one, other}
    kinds = [TYPES[one], TYPES[other]]
    bits = [getattr(kind, "bit_width", 0) if name in INTEGERS or name in FLOATS else 0
            for kind, name in zip(kinds, (one,
        other))]
    if names <= set(INTEGERS):
        unsigned = [name.startswith("u") for name in (one, other)]
        if all(unsigned) or not any(unsigned):
            return kinds[bits.index(max(bits))]
        need = max(width + is_unsigned for width, is_unsigned in zip(bits, unsigned))
        return next((TYPES[name] for name in INTEGERS[:4] if TYPES[name].bit_width >= need), None)
    if names <= set(FLOATS):
        return kinds[bits.index(max(bits))]
    for integer, number in ((one, other), (other, one)):
        if integer in INTEGERS and number in FLOATS:
            need = max(TYPES[integer].bit_width, FLOATS[number])
            return next((TYPES[name] for name, exact in FLOATS.items() if exact >= need), None)
        if integer in INTEGERS and number.startswith("decimal"):
            digits = {8: 3, 16: 5, 32: 10, 64: 20 if integer.startswith("u") else 19}[TYPES[integer].bit_width]
            return decimal_of(TYPES[number], pa.decimal128(digits, 0))
    if names <= set(TEXTS):
        return pa.large_string()
    if names <= set(OCTETS):
        return pa.large_binary()
    if names == {"date32", "date64"}:
        return pa.date64()
    first, second = one.split(), other.split()
    if first[0] == second[0] == "decimal":
        return decimal_of(*kinds)
    if first[0] == second[0] and first[2:] == second[2:] and first[0] in ("timestamp", "time", "duration"):
        return kinds[0] if UNITS.index(first[1]) > UNITS.index(second[1]) else kinds[1]
    return None


def decimal_of(one, other):
    whole = max(one.precision - one.scale, other.precision - other.scale)
    scale = max(one.scale, other.scale)
    width = max(one.bit_width, other.bit_width)
    if whole + scale > 76:
        return None
    makers = [(9, 32, pa.decimal32), (18, 64, pa.decimal64), (38, 128, pa.decimal128), (76, 256, pa.decimal256)]
    return next(make(whole + scale, scale) for most, bits, make in makers if whole + scale <= most and bits >= width)


@pytest.mark.parametrize("one", TYPES)
def test_every_pair_of_plain_types(one):
    for other in TYPES:
        assert wider_types.wider_type(TYPES[one], TYPES[other]) == expected(one, other), (one, other)


def test_null_goes_with_everything():
    for kind in (*TYPES.values(), pa.list_(pa.int8()), pa.struct([("a", pa.int8())]), pa.uuid(), pa.dictionary("int8",
        "string")):
        assert wider_types.wider_type(kind, pa.null()) == wider_types.wider_type(pa.null(), kind) == kind


def ends_of(kind):
    """The least and the greatest values of a type, as far as Python has them."""
    if pa.types.is_integer(kind):
        signed = pa.types.is_signed_integer(kind)
        return [-(1 << kind.bit_width - 1) if signed else 0, (1 << kind.bit_width - signed) - 1]
    if pa.types.is_decimal(kind):
        most = decimal.Decimal(10 ** kind.precision - 1).scaleb(-kind.scale, decimal.Context(prec=80))
        return [most, most.copy_negate()]
    if pa.types.is_floating(kind):
        return {16: [65504.0, 2.0 ** -24], 32: [2.0 ** 127, 2.0 ** -149], 64: [1e308, 5e-324]}[kind.bit_width]
    if pa.types.is_boolean(kind):
        return [True, False]
    if pa.types.is_date(kind):
        return [datetime.date(1, 1, 1), datetime.date(9999, 12, 31)]
    if pa.types.is_timestamp(kind):
        return [datetime.datetime(1700, 1, 1), datetime.datetime(2200, 1, 1)]
    if pa.types.is_time(kind):
        return [datetime.time(0), datetime.time(23, 59, 59)]
    if pa.types.is_duration(kind):
        return [datetime.timedelta(-1), datetime.timedelta(10_000)]
    return ["abc", "é"] if kind in (pa.string(), pa.large_string(), pa.string_view()) else [b"abc", b"\xff\0z"]


def test_values_of_both_types_are_the_same_in_the_wider_one():
    pairs = 0
    for one, other in itertools.permutations(TYPES.values(), 2):
        kind = wider_types.wider_type(one, other)
        if kind is None:
            continue
        pairs += 1
        values = pa.array([*ends_of(one), None], one)
        wide = wider_types.widened(values, kind)
        assert wide.type == kind
        zone = {"tzinfo": datetime.timezone.utc} if pa.types.is_timestamp(one) and one.tz else {}
        expect = [value.replace(**zone) if zone else value for value in ends_of(one)]
        got = wide.to_pylist()
        if pa.types.is_timestamp(kind) or pa.types.is_duration(kind):
            got = [value and value.as_py() for value in wide.cast(pa.timestamp("us", kind.tz)
                                                                  if pa.types.is_timestamp(kind)
                                                                  else pa.duration("us"))]
        assert got == [*expect, None], (one, other, kind)
    assert pairs > 150


DEEP = [
    (pa.list_(pa.int8()), pa.list_(pa.int32()), pa.list_(pa.int32()), [[1, None], None, []]),
    (pa.list_(pa.int8()), pa.large_list(pa.string()), None, None),
    (pa.list_(pa.int8()), pa.large_list(pa.int16()), pa.large_list(pa.int16()), [[1, None], None, []]),
    (pa.list_(pa.int8(), 2), pa.list_(pa.int16()), pa.list_(pa.int16()), [[1, None], None, [3, 4]]),
    (pa.list_(pa.int8(), 2), pa.list_(pa.int16(), 2), pa.list_(pa.int16(), 2), [[1, None], None, [3, 4]]),
    (pa.list_(pa.int8(), 2), pa.list_(pa.int8(), 3), pa.list_(pa.int8()), [[1, None], None, [3, 4]]),
    (pa.list_view(pa.int8()), pa.list_view(pa.int16()), pa.list_view(pa.int16()), [[1, None], None, [3, 4]]),
    (pa.large_list_view(pa.int8()), pa.list_(pa.int16()), pa.large_list(pa.int16()), [[1, None], None, [3, 4]]),
    (pa.list_(pa.list_(pa.float32())), pa.list_(pa.list_(pa.float64())), pa.list_(pa.list_(pa.float64())),
     [[[1.5], None],
        None]),
    (pa.map_(pa.string(), pa.int8()), pa.map_(pa.large_string(), pa.int16()), pa.map_(pa.large_string(), pa.int16()),
     [[("a", 1), ("b", None)], None, []]),
    (pa.struct([("a", pa.int8()), ("b", pa.string())]), pa.struct([("b", pa.string()), ("a", pa.int16())]),
     pa.struct([("a", pa.int16()), ("b", pa.string())]), [{"a": 1, "b": "x"}, None, {"a": None, "b": None}]),
    (pa.struct([("a", pa.int8())]), pa.struct([("c", pa.list_(pa.int8()))]),
     pa.struct([("a", pa.int8()), ("c", pa.list_(pa.int8()))]), [{"a": 1}, None]),
    (pa.struct([("a", pa.int8())]), pa.struct([("a", pa.string())]), None, None),
    (pa.struct([("a", pa.int8()), ("a", pa.int8())]), pa.struct([("a", pa.int8())]), None, None),
    (pa.list_(pa.struct([("a", pa.int8())])), pa.list_(pa.struct([("a", pa.int8()), ("b", pa.date32())])),
     pa.list_(pa.struct([("a", pa.int8()), ("b", pa.date32())])), [[{"a": 1}, None], [], None]),
    (pa.dictionary("int8", "string"), pa.string(), pa.string(), ["b", None, "a", "b"]),
    (pa.dictionary("int8", "string"), pa.large_string(), pa.large_string(), ["b", None, "a", "b"]),
    (pa.dictionary("int8", "string"), pa.dictionary("int32", "string"), pa.dictionary("int32", "string"),
     ["b", None, "a"]),
    (pa.dictionary("int8", "string"), pa.dictionary("int8", "large_string"), pa.dictionary("int8", "large_string"),
     ["b",
        None]),
    (pa.dictionary("int8", "int16"), pa.int32(), pa.int32(), [7, None, 5]),
    (pa.dictionary("int8", "string"), pa.int32(), None, None),
    (pa.dictionary("int8", "string", ordered=True), pa.string(), None, None),
    (pa.dictionary("int8", "string", ordered=True), pa.dictionary("int8", "string"), None, None),
    (pa.list_(pa.dictionary("int8", "string")), pa.list_(pa.string()), pa.list_(pa.string()), [["b", None], None, []]),
    (pa.uuid(), pa.binary(16), None, None),
    (pa.string(), pa.binary(), None, None),
    (pa.timestamp("s", "UTC"), pa.timestamp("s", "Europe/Rome"), None, None),
]


@pytest.mark.parametrize("one, other, kind, values", DEEP, ids=lambda value: str(value) if isinstance(value,
    pa.DataType) else "")
def test_nested_types_and_dictionaries(one, other, kind, values):
    assert wider_types.wider_type(one, other) == kind
    if kind is None:
        assert wider_types.wider_type(other, one) is None
        return
    array = pa.array(values, one)
    expect = pa.array(values, kind).to_pylist()
    assert wider_types.widened(array, kind).to_pylist() == expect
    # As a part of a longer array, whose other values are not looked at.
    for piece in (slice(1, None), slice(0, 1), slice(1, 2), slice(0, 0)):
        wide = wider_types.widened(array[piece], kind)
        wide.validate(full=True)
        assert wide.type == kind and wide.to_pylist() == expect[piece]


def test_runs_become_values():
    runs = pa.RunEndEncodedArray.from_arrays([2, 3], pa.array([5, None], pa.int8()))
    kind = wider_types.wider_type(runs.type, pa.int16())
    assert kind == pa.int16() and wider_types.widened(runs, kind).to_pylist() == [5, 5, None]


def test_a_time_that_is_too_far_for_a_finer_unit_is_refused():
    far = pa.array([datetime.datetime(9999, 12, 31)], pa.timestamp("s"))
    with pytest.raises(pa.ArrowInvalid):
        wider_types.widened(far, pa.timestamp("ns"))
