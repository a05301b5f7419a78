"""Types of items in device memory, as NumPy, `__cuda_array_interface__`, DLPack and the kernels call them."""

from __future__ import annotations

from typing import Any, NamedTuple

from .._errors import ArgumentError, ArgumentTypeError, shortened


class ItemType(NamedTuple):
    """typestr: of `__cuda_array_interface__`. dlpack_code: None if DLPack does not know the type. key_number: a KeyType
    of sortie::cuda; None if items of the type have no order here. value_number: of floats that of their order by value;
    of others the same."""
    name: str
    item_bytes: int
    typestr: str
    dlpack_code: int | None = None
    key_number: int | None = None
    value_number: int | None = None


_INT, _UINT, _FLOAT, _BFLOAT, _COMPLEX, _BOOL = 0, 1, 2, 4, 5, 6

_KNOWN_TYPES = (
    ItemType("bool", 1, "|b1", _BOOL, 0),  # as uint8, of which it has 0 and 1
    ItemType("uint8", 1, "|u1", _UINT, 0),
    ItemType("int8", 1, "|i1", _INT, 1),
    ItemType("uint16", 2, "<u2", _UINT, 2),
    ItemType("int16", 2, "<i2", _INT, 3),
    ItemType("float16", 2, "<f2", _FLOAT, 4),
    ItemType("bfloat16", 2, "<V2", _BFLOAT, 5),
    ItemType("uint32", 4, "<u4", _UINT, 6),
    ItemType("int32", 4, "<i4", _INT, 7),
    ItemType("float32", 4, "<f4", _FLOAT, 8),
    ItemType("uint64", 8, "<u8", _UINT, 9),
    ItemType("int64", 8, "<i8", _INT, 10),
    ItemType("float64", 8, "<f8", _FLOAT, 11),
    ItemType("complex64", 8, "<c8", _COMPLEX),
    ItemType("complex128", 16, "<c16", _COMPLEX),
)
_VALUE_NUMBERS = {4: 12, 5: 13, 8: 14, 11: 15}
_TYPES = tuple(known._replace(value_number=_VALUE_NUMBERS.get(known.key_number or 0, known.key_number))
               for known in _KNOWN_TYPES)
_BY_NAME = {known.name: known for known in _TYPES}
_BY_TYPESTR = {known.typestr: known for known in _TYPES if known.name != "bfloat16"}
_BY_DLPACK = {(known.dlpack_code, 8 * known.item_bytes): known for known in _TYPES}

INT64 = _BY_NAME["int64"]

# By dtype: a call of few items takes as long as what is asked of its types.
_SEEN: dict[Any, ItemType] = {}


def type_named(dtype: Any, array: Any) -> ItemType:
    """dtype: that of the array, such as torch.float32 or NumPy's."""
    known = _SEEN.get(dtype)
    if known is None:
        name = str(dtype).rpartition(".")[2]
        item_bytes = array.itemsize if hasattr(array, "itemsize") else array.element_size()
        known = _BY_NAME.get(name) or ItemType(shortened(dtype), item_bytes, f"|V{item_bytes}")
        _SEEN[dtype] = known
    return known


def type_of_interface(typestr: str, dtype: Any, name: str) -> ItemType:
    """dtype: what the array has as such beside its interface, or None: the interface has no word for bfloat16.
    name: of the argument, for the message."""
    if str(dtype) == "bfloat16":
        return _BY_NAME["bfloat16"]
    letters = typestr[2:]
    if not letters.isdecimal() or len(letters) > 9 or not int(letters):
        raise ArgumentTypeError(f"{name} has items of the type {shortened(typestr)!r}, which is not known")
    order = "|" if letters == "1" else typestr[0].replace("=", "<").replace("|", "<")
    item_bytes = int(letters) * (4 if typestr[1] == "U" else 1)
    return _BY_TYPESTR.get(order + typestr[1:]) or ItemType(typestr, item_bytes, typestr)


def type_of_dlpack(code: int, bits: int) -> ItemType:
    known = _BY_DLPACK.get((code, bits))
    return known or ItemType(f"type {code} of DLPack with {bits} bits", (bits + 7) // 8, f"|V{(bits + 7) // 8}")


def is_by_value(float_order: Any) -> bool:
    """float_order: an argument of the caller's."""
    if float_order == "value":
        return True
    if float_order == "total":
        return False
    raise ArgumentError(f"float_order is {shortened(float_order)!r}: pass 'value' or 'total'")


def key_number(item_type: ItemType, name: str, by_value: bool = False) -> int:
    """name: of the argument, for the message. by_value: for floats in the order of their values."""
    if by_value and item_type.value_number is not None:
        return item_type.value_number
    if item_type.key_number is None:
        raise ArgumentTypeError(f"{name} is an array of {item_type.name}, which has no order here: known are bool, "
                                "integers, and floats of 16, 32 and 64 bits; sort by a key of one of these types")
    return item_type.key_number
