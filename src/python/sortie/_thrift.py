"""Thrift's compact protocol, as far as the footers of Parquet files need it: read into plain values and written again.

A struct is a dict {field number: (type, value)}, a list is (type of its items, items). What nobody looks at comes back
as it was, so that footers of later versions lose nothing."""

TRUE, FALSE, BYTE, I16, I32, I64, DOUBLE, BINARY, LIST, SET = range(1, 11)
STRUCT = 12
_INTEGERS = (I16, I32, I64)


def read_struct(data):
    """The struct at the start of `data`."""
    return _Reader(data).value(STRUCT)


def struct_bytes(struct):
    out = bytearray()
    _write(out, STRUCT, struct)
    return bytes(out)


class _Reader:
    def __init__(self, data):
        self._data = bytes(data)
        self._at = 0

    def value(self, kind):
        if kind in _INTEGERS:
            number = self._varint()
            return number >> 1 ^ -(number & 1)
        if kind in (TRUE, FALSE, BYTE):
            return self._bytes(1)[0]
        if kind == DOUBLE:
            return self._bytes(8)
        if kind == BINARY:
            return self._bytes(self._varint())
        if kind == STRUCT:
            return self._fields()
        if kind in (LIST, SET):
            return self._list()
        raise ValueError(f"a footer with a value of type {kind}")

    def _bytes(self, count):
        begin, self._at = self._at, self._at + count
        if self._at > len(self._data):
            raise ValueError("a footer that is cut short")
        return self._data[begin:self._at]

    def _varint(self):
        number = shift = 0
        while True:
            byte = self._bytes(1)[0]
            number |= (byte & 0x7f) << shift
            if byte < 0x80:
                return number
            shift += 7

    def _fields(self):
        fields, number = {}, 0
        while header := self._bytes(1)[0]:
            number = number + (header >> 4) if header >> 4 else self.value(I16)
            kind = header & 15
            # The type of a bool is its value.
            fields[number] = (kind, None if kind in (TRUE, FALSE) else self.value(kind))
        return fields

    def _list(self):
        header = self._bytes(1)[0]
        count = header >> 4 if header >> 4 < 15 else self._varint()
        return header & 15, [self.value(header & 15) for _ in range(count)]


def _write(out, kind, value):
    if kind in _INTEGERS:
        _write_varint(out, value << 1 ^ value >> 63)
    elif kind in (TRUE, FALSE, BYTE):
        out.append(value)
    elif kind == DOUBLE:
        out += value
    elif kind == BINARY:
        _write_varint(out, len(value))
        out += value
    elif kind == STRUCT:
        _write_fields(out, value)
    else:
        item_kind, items = value
        out.append(min(len(items), 15) << 4 | item_kind)
        if len(items) >= 15:
            _write_varint(out, len(items))
        for item in items:
            _write(out, item_kind, item)


def _write_varint(out, number):
    while number >= 0x80:
        out.append(number & 0x7f | 0x80)
        number >>= 7
    out.append(number)


def _write_fields(out, fields):
    last = 0
    for number, (kind, value) in sorted(fields.items()):
        if 0 < number - last < 16:
            out.append(number - last << 4 | kind)
        else:
            out.append(kind)
            _write(out, I16, number)
        if kind not in (TRUE, FALSE):
            _write(out, kind, value)
        last = number
    out.append(0)
