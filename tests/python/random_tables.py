"""Random tables of all types that a sort takes, and the order that they should come in."""

import datetime
import decimal
import random
import struct

import pyarrow as pa


def _integers(bits, is_signed):
    low, high = (-2**(bits - 1), 2**(bits - 1) - 1) if is_signed else (0, 2**bits - 1)
    return lambda r: r.choice([low, high, 0, r.randint(low, high), r.randint(max(low, -3), 3)])


def _float(r):
    return r.choice([0.0, -0.0, float("inf"), float("-inf"), float("nan"), -float("nan"), float(r.randint(-3, 3)),
                     round(r.gauss(0, 100), 1)])


def _bytes(r):
    return bytes(r.choice(b"\x00\x01\x1eab\xff") for _ in range(r.choice([0, 1, 2, 3, 13, 40])))


def _text(r):
    return "".join(r.choice("\0ab\x7fé𝄞") for _ in range(r.choice([0, 1, 2, 3, 13, 40])))


def _decimal(digits, scale):
    return lambda r: decimal.Decimal(r.randint(-10**digits + 1, 10**digits - 1)).scaleb(-scale, decimal.Context(80))


def _instant(r):
    return datetime.datetime(1970, 1, 1) + datetime.timedelta(milliseconds=r.randint(-10**12, 10**12))


def _day(r):
    return datetime.date(1970, 1, 1) + datetime.timedelta(days=r.randint(-20_000, 20_000))


def _time(r):
    return datetime.time(r.randrange(24), r.randrange(60), r.randrange(60))


KEYS = {
    **{pa.type_for_alias(f"int{bits}"): _integers(bits, True) for bits in (8, 16, 32, 64)},
    **{pa.type_for_alias(f"uint{bits}"): _integers(bits, False) for bits in (8, 16, 32, 64)},
    **{kind: _float for kind in (pa.float16(), pa.float32(), pa.float64())},
    **{kind: _text for kind in (pa.string(), pa.large_string(), pa.string_view())},
    **{kind: _bytes for kind in (pa.binary(), pa.large_binary(), pa.binary_view())},
    **{pa.timestamp(unit, zone): _instant for unit in ("ms", "us", "ns") for zone in (None, "UTC", "Europe/Berlin")},
    pa.bool_(): lambda r: r.random() < 0.5,
    pa.null(): lambda r: None,
    pa.binary(5): lambda r: bytes(r.choice(b"\0ab") for _ in range(5)),
    pa.decimal32(9, 2): _decimal(9, 2), pa.decimal64(18, 0): _decimal(18, 0),
    pa.decimal128(30, 3): _decimal(30, 3), pa.decimal256(60, 10): _decimal(60, 10),
    pa.date32(): _day, pa.date64(): _day,
    pa.time32("s"): _time, pa.time32("ms"): _time, pa.time64("us"): _time, pa.time64("ns"): _time,
    pa.timestamp("s"): lambda r: _instant(r).replace(microsecond=0),
    pa.duration("us"): lambda r: datetime.timedelta(milliseconds=r.randint(-10**9, 10**9)),
    pa.dictionary(pa.int8(), pa.string()): lambda r: r.choice(["", "b", "a", "zebra", "ab"]),
    pa.dictionary(pa.int32(), pa.int64()): lambda r: r.choice([5, -7, 0, 10**12]),
    pa.dictionary(pa.uint16(), pa.large_binary()): lambda r: r.choice([b"", b"\0", b"\xff"]),
}


def _list(r):
    return [r.choice([None, r.randint(0, 9)]) for _ in range(r.choice([0, 1, 5]))]


_PERSON = pa.struct([("name", pa.string()), ("tags", pa.list_(pa.string()))])

CARRIED = {
    **KEYS,
    pa.list_(pa.int16()): _list, pa.large_list(pa.int32()): _list,
    pa.list_view(pa.int32()): _list, pa.large_list_view(pa.int32()): _list,
    pa.list_(pa.int8(), 3): lambda r: [r.randint(0, 9), None, 1],
    _PERSON: lambda r: {"name": _text(r), "tags": [_text(r) for _ in range(r.randrange(3))]},
    pa.list_(_PERSON): lambda r: [{"name": None, "tags": None}] * r.randrange(3),
    pa.map_(pa.string(), pa.int32()): lambda r: [(_text(r) + str(i), i) for i in range(r.randrange(3))],
    pa.list_(pa.list_(pa.bool_())): lambda r: [[True, None], None, []][:r.randrange(4)],
    pa.month_day_nano_interval(): lambda r: pa.MonthDayNano([r.randint(-5, 5), r.randint(-50, 50),
                                                             r.randint(0, 10**12)]),
    pa.list_(pa.dictionary(pa.int8(), pa.string())): lambda r: [r.choice("xyz")] * r.randrange(3),
}


def random_column(r, kind, count):
    share = r.choice([0, 0.1, 0.9])
    make = CARRIED[kind]
    values = [None if r.random() < share else make(r) for _ in range(count)]
    # As in files: chunks, whose arrays begin somewhere in their buffers, and dictionaries of their own.
    chunks, at = [], 0
    while at < count or not chunks:
        step = r.choice([1, 7, 100, count])
        front = r.choice([0, 1, 9])
        padding = [make(r) for _ in range(front)]
        chunks.append(_array(padding + values[at:at + step], kind).slice(front))
        at += step
    return pa.chunked_array(chunks, kind)


def _array(values, kind):
    if pa.types.is_dictionary(kind):
        words = list(dict.fromkeys(value for value in values if value is not None))
        indices = [None if value is None else words.index(value) for value in values]
        return pa.DictionaryArray.from_arrays(pa.array(indices, kind.index_type), pa.array(words, kind.value_type))
    return pa.array(values, kind)


def _comparable(kind, value):
    """A value of Python that orders as the library orders values of the type."""
    if isinstance(value, str):
        return value.encode()
    if isinstance(value, float):
        (bits,) = struct.unpack("<q", struct.pack("<d", value))
        return bits if bits >= 0 else bits ^ (2**63 - 1)
    return value


def expected_rows(table, keys):
    """The rows as Python's values, in the order of (name, whether it falls, whether nulls come first) each: stable."""
    rows = table.to_pylist()
    for name, falls, nulls_first in reversed(keys):
        kind = table.schema.field(name).type

        def rank(row):
            value = row[name]
            return 0 if value is None else _comparable(kind, value)
        is_null = [row for row in rows if row[name] is None]
        others = sorted((row for row in rows if row[name] is not None), key=rank, reverse=falls)
        rows = is_null + others if nulls_first else others + is_null
    return rows


def random_table(seed, count):
    """A table, and keys for it."""
    r = random.Random(seed)
    key_kinds = r.choices(list(KEYS), k=r.randint(1, 4))
    kinds = key_kinds + r.choices(list(CARRIED), k=r.randint(0, 5))
    order = r.sample(range(len(kinds)), len(kinds))
    columns = {f"c{i}": random_column(r, kinds[i], count) for i in order}
    keys = [(f"c{i}", r.random() < 0.5, r.random() < 0.5) for i in range(len(key_kinds))]
    schema = pa.schema([pa.field(name, column.type, metadata={"about": name}) for name, column in columns.items()],
                       metadata={"seed": str(seed)})
    return pa.table(list(columns.values()), schema=schema), keys


def words_of(keys):
    """The argument `by`."""
    return [(name, "descending" if falls else "ascending", "at_start" if nulls_first else "at_end")
            for name, falls, nulls_first in keys]


def assert_sorted(result, table, keys):
    """That the rows of `result` are those of `table` in the order of Python's stable sort."""
    result.validate(full=True)
    assert result.schema.equals(table.schema, check_metadata=True)
    # repr() tells NaNs and zeros apart as the total order does.
    assert repr(result.to_pylist()) == repr(expected_rows(table, keys))
