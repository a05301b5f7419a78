"""One call: its arrays, the device and the stream where it works, and what must live until its work is queued."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Self

from .. import _native
from .._errors import ArgumentError, ArgumentTypeError
from .item_types import INT64, ItemType, key_number
from .libraries import library_of
from .views import View

# What the kernels want of arrays that they write; new arrays have it.
_ALIGNMENT = 16


# A result that has room for more is copied if it is larger than this, and has room for more times its items.
_SMALL_BYTES = 1 << 20
_MOST_ROOM = 4

# A small result has scratch behind it. New arrays are aligned to as much in all libraries.
_SMALL_TOGETHER = 1 << 18
_SCRATCH_ALIGNMENT = 256


# What native functions have told: programs sort arrays of the same few lengths again and again.
_SIZES: dict[tuple[Any, ...], int] = {}
_MOST_SIZES = 4096


def scratch_bytes(function: Callable[..., int], *sizes: int) -> int:
    """What `function` tells of these sizes."""
    question = (function, *sizes)
    known = _SIZES.get(question)
    if known is None:
        if len(_SIZES) >= _MOST_SIZES:
            _SIZES.clear()
        known = _SIZES[question] = function(*sizes)
    return known


class Call:
    _other_streams: Sequence[int] = ()
    _must_wait = False

    def __init__(self, arrays: dict[str, Any], stream: Any = None) -> None:
        """arrays: by the names of arguments, which messages have. A call of few items takes as long as what is done
        here: nothing is asked twice."""
        self._arrays = arrays
        first = next(iter(arrays))
        library = self._library = library_of(arrays[first])
        if len(arrays) > 1:
            self._refuse_other_libraries(first)
        self.stream, self.views = library.views(arrays, stream)
        self.device = self.views[first].device or 0
        if len(arrays) > 1:
            self._find_device()
        self._scratch: list[Any] = []
        if library.shares:
            self._find_shared()

    def _refuse_other_libraries(self, first: str) -> None:
        for name, array in self._arrays.items():
            library = library_of(array)
            if library is not self._library:
                raise ArgumentTypeError(f"{name} is an array of {library.name}, and {first} one of "
                                        f"{self._library.name}: convert one of them, for example by from_dlpack()")

    def _find_device(self) -> None:
        self.device = next((view.device for view in self.views.values() if view.device is not None), 0)
        for name, view in self.views.items():
            if view.device not in (None, self.device):
                raise ArgumentError(f"{name} lies on GPU {view.device}, and other arrays on GPU {self.device}: copy "
                                    "them to one GPU")

    def _find_shared(self) -> None:
        """Whose work an array holds: this call's work comes after it, and what they do next after this call."""
        shared = [view for view in self.views.values() if view.bytes]
        self._other_streams = sorted({view.stream for view in shared if view.stream is not None} - {self.stream})
        self._must_wait = any(view.tensor is not None for view in shared)

    def __enter__(self) -> Self:
        for other in self._other_streams:
            _native.device.wait_for(self.device, self.stream, other)
        return self

    def __exit__(self, *error: object) -> None:
        for other in self._other_streams:
            _native.device.wait_for(self.device, other, self.stream)
        if self._must_wait:
            _native.device.synchronize(self.device, self.stream)

    def keys(self, name: str) -> View:
        """The view of an argument with keys: of one dimension, of a type with an order."""
        view = self.views[name]
        if view.item_type.key_number is None:
            key_number(view.item_type, name)
        if len(view.shape) != 1:
            raise ArgumentError(f"{name} has {len(view.shape)} dimensions, and this takes arrays of one: pass it flat, "
                                "or a row at a time")
        return view

    def aligned(self, view: View) -> View:
        """The same, or a copy in scratch, so that items lie as the kernels read them."""
        if view.address % view.item_type.item_bytes == 0:
            return view
        copied = self.scratch(view.bytes)
        self.copy(copied, view.address, view.bytes)
        return view._replace(address=copied)

    def values(self, name: str, keys: View, name_of_keys: str) -> View:
        """The view of an argument with values: one for each key, which may be rows."""
        view = self.views[name]
        if not view.shape or view.shape[0] != keys.shape[0]:
            length = view.shape[0] if view.shape else "no"
            raise ArgumentError(f"{name} has {length} items, and {name_of_keys} has {keys.shape[0]}: pass a value for "
                                "each key")
        return view

    def new(self, name: str, shape: tuple[int, ...], item_type: ItemType | None = None,
            like: "Result | None" = None) -> "Result":
        """An array for a result, of the library of that argument. like: one of the same shape, which is quicker."""
        wanted = self.views[name].item_type if item_type is None else item_type
        array, address = self._library.new(self._arrays[name] if like is None else like.array, shape, wanted,
                                           self.device, self.stream)
        return Result(self._library.give, array, address)

    def new_with_scratch(self, name: str, count: int, scratch_bytes: int) -> tuple["Result", tuple[int, int, int, int]]:
        """An array with room for `count` items, and a place to work. If both are small, that is in the same array,
        behind the items: one array takes half the time of two. first() is to give it."""
        item_bytes = self.views[name].item_type.item_bytes
        if not scratch_bytes or count * item_bytes + scratch_bytes > _SMALL_TOGETHER:
            return self.new(name, (count,)), self.place(scratch_bytes)
        begin, room = together(count, item_bytes, scratch_bytes)
        result = self.new(name, (room,))
        return result, (self.device, self.stream, result.address + begin, scratch_bytes)

    def first(self, name: str, result: "Result", room: int, length: int, row_shape: tuple[int, ...] = ()) -> Any:
        """What the caller gets of a result that has `length` rows, and was made by new() with room for more: the same
        memory where that is small or well used, else a copy."""
        if length == room and length == result.array.shape[0]:
            return result.give()
        row_bytes = self.views[name].item_type.item_bytes * math.prod(row_shape)
        if room * row_bytes <= _SMALL_BYTES or room <= _MOST_ROOM * length:
            return self._library.give(self._library.first(result.array, length))
        smaller = self.new(name, (length, *row_shape))
        self.copy(smaller.address, result.address, length * row_bytes)
        return smaller.give()

    def new_positions(self, name: str, shape: tuple[int, ...], like: "Result | None" = None) -> "Result":
        return self.new(name, shape, INT64, like)

    def note_written(self, name: str) -> None:
        """Tells the library that the contents of an argument have changed."""
        self._library.note_written(self._arrays[name])

    def scratch(self, bytes: int) -> int:
        """The address of memory that lives as long as this."""
        if not bytes:
            return 0
        owner, address = self._library.scratch(bytes, self.device, self.stream)
        self._scratch.append(owner)
        return address

    def place(self, scratch_bytes: int) -> tuple[int, int, int, int]:
        """As the native functions take it."""
        return self.device, self.stream, self.scratch(scratch_bytes), scratch_bytes

    def copy(self, target: int, source: int, bytes: int) -> None:
        if bytes and target != source:
            _native.device.copy(self.device, self.stream, target, source, bytes)

    def sort(self, source: View, keys: int, number: int, descending: bool, values: int = 0,
             value_bytes: int = 0) -> None:
        """Copies keys to the address `keys`, unless they are there, and sorts them, and values in place. number: of the
        type. Nothing is written if there is no memory for scratch."""
        count = source.shape[0]
        if count:
            device = _native.device
            place = self.place(scratch_bytes(device.sort_scratch_bytes, number, value_bytes, count))
            device.sort(place, source.address, keys, number, values, value_bytes, count, descending)


def together(count: int, item_bytes: int, scratch_bytes: int) -> tuple[int, int]:
    """In an array of items with scratch behind them: where this begins, in bytes, and how many items there are room
    for."""
    begin = -(-count * item_bytes // _SCRATCH_ALIGNMENT) * _SCRATCH_ALIGNMENT
    return begin, (begin + scratch_bytes + item_bytes - 1) // item_bytes


class Result:
    """A new array: `address` to write to, `give()` for the caller."""
    __slots__ = ("_give", "address", "array")

    def __init__(self, give: Callable[[Any], Any], array: Any, address: int) -> None:
        self._give, self.array, self.address = give, array, address

    def give(self) -> Any:
        return self._give(self.array)


def is_aligned(address: int) -> bool:
    return address % _ALIGNMENT == 0
