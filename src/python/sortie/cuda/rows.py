"""lexsort() and argsort_strings() of sortie.cuda."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from .. import _native
from .._arguments import flag_of, is_flag
from .._errors import ArgumentError, ArgumentTypeError
from .calls import Call, scratch_bytes
from .item_types import is_by_value, key_number
from .lists import named_lists
from .views import View

_BYTE_TYPES = ("uint8", "int8")
_OFFSET_TYPES = ("int32", "uint32", "int64", "uint64")


def lexsort(keys: Sequence[Any], *, descending: bool | Sequence[bool] = False,
            float_order: Literal["value", "total"] = "value", stream: Any = None) -> Any:
    """Returns the int64 positions that sort rows by several arrays, as numpy.lexsort() and cupy.lexsort() do: the LAST
    of `keys` decides, of rows that are equal in it the one before, and so on. Rows that are equal in all keep their
    order.

    keys: arrays of one length, of any types together. descending: for all of them, or a bool for each. Neighbouring
    arrays whose types have up to 64 bits together are sorted by at once: two of int32, or eight of int8. float_order:
    help(sortie.cuda) says."""
    named, by_value = named_lists(keys, "keys"), is_by_value(float_order)
    directions = _directions(descending, len(named))
    with Call(named, stream) as call:
        views = [call.keys(name) for name in named]
        count = views[0].shape[0]
        for name, view in zip(named, views):
            if view.shape[0] != count:
                raise ArgumentError(f"{name} has {view.shape[0]} items, and keys[0] has {count}: pass a key of each "
                                    "row")
            _refuse_unaligned(name, view)
        positions = call.new_positions("keys[0]", (count,))
        if count:
            columns = [(view.address, key_number(view.item_type, name, by_value), direction)
                       for name, view, direction in zip(named, views, directions)]
            columns.reverse()  # the kernels take first what decides first
            place = call.place(_native.device.lexsort_scratch_bytes(columns, count))
            _native.device.lexsort(place, columns, count, positions.address)
        return positions.give()


def _directions(descending: Any, count: int) -> list[bool]:
    if is_flag(descending):
        return [bool(descending)] * count
    if not isinstance(descending, (list, tuple)):
        raise ArgumentTypeError(f"descending must be a bool or a list of them, not {type(descending).__name__}")
    if len(descending) != count:
        raise ArgumentError(f"descending has {len(descending)} items, and keys has {count}: pass one for each, or one "
                            "for all")
    return [flag_of(direction, f"descending[{i}]") for i, direction in enumerate(descending)]


def _refuse_unaligned(name: str, view: View) -> None:
    if view.address % view.item_type.item_bytes:
        raise ArgumentError(f"{name} begins at an address that is no multiple of {view.item_type.item_bytes}: copy it")


def argsort_strings(data: Any, offsets: Any, *, descending: bool = False, stream: Any = None) -> Any:
    """Returns the int64 positions that sort strings by their bytes, a shorter one before those that it begins; of equal
    strings the first comes first. UTF-8 is so in the order of its code points.

    data: the bytes of all strings, uint8. offsets: int32 or int64, or unsigned, one more than there are strings, which
    is how Arrow and cuDF hold them: string i is data[offsets[i]:offsets[i + 1]]. They ascend, and do not leave `data`;
    nobody checks that. Fewer than 2^32 strings."""
    descending = flag_of(descending, "descending")
    with Call({"data": data, "offsets": offsets}, stream) as call:
        bytes_view = _of_types(call, "data", _BYTE_TYPES)
        offsets_view = _of_types(call, "offsets", _OFFSET_TYPES)
        _refuse_unaligned("offsets", offsets_view)
        count = max(offsets_view.shape[0] - 1, 0)
        positions = call.new_positions("data", (count,))
        if count:
            offset_bytes = offsets_view.item_type.item_bytes
            place = call.place(scratch_bytes(_native.device.argsort_strings_scratch_bytes, offset_bytes, count))
            _native.device.argsort_strings(place, bytes_view.address, offsets_view.address, offset_bytes, count,
                                           positions.address, descending)
        return positions.give()


def _of_types(call: Call, name: str, types: tuple[str, ...]) -> View:
    view = call.keys(name)
    if view.item_type.name not in types:
        raise ArgumentTypeError(f"{name} is an array of {view.item_type.name}: pass one of {' or '.join(types)}")
    return view
