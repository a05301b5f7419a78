"""A short way for few items of PyTorch's tensors: the native module asks PyTorch's C functions where they lie. What it
does not take, for whatever reason, goes the usual way, which says what is wrong."""

from __future__ import annotations

import sys
from typing import Any

from .. import _native
from .calls import scratch_bytes, together
from .item_types import type_named

_MOST_ITEMS = 4096  # of arrays and rows that one launch takes without scratch


class TorchDoor:
    """Functions return None for what they have not done. x: of the type torch.Tensor itself."""

    def __init__(self, torch: Any, native: Any) -> None:
        self._native = native
        self._empty_like, self._empty_strided = torch.empty_like, torch.empty_strided
        self._int64, self._contiguous, self._strided = torch.int64, torch.contiguous_format, torch.strided

    def _takes(self, x: Any) -> bool:
        try:
            shape = x.shape
        except RuntimeError:  # of nested tensors
            return False
        return (len(shape) > 0 and shape[-1] <= _MOST_ITEMS and x.layout is self._strided and not x.requires_grad and
                not x.is_neg())

    def _number(self, x: Any, by_value: bool) -> int | None:
        item_type = type_named(x.dtype, x)
        return item_type.value_number if by_value else item_type.key_number

    def sort(self, x: Any, by_value: bool, descending: bool) -> Any:
        if not self._takes(x):
            return None
        values = self._empty_like(x, memory_format=self._contiguous)
        return values if self._native.sort_rows(x, values, None, by_value, descending) else None

    def argsort(self, x: Any, by_value: bool, descending: bool) -> Any:
        if not self._takes(x):
            return None
        indices = self._empty_like(x, dtype=self._int64, memory_format=self._contiguous)
        return indices if self._native.sort_rows(x, None, indices, by_value, descending) else None

    def sort_with_indices(self, x: Any, by_value: bool, descending: bool) -> tuple[Any, Any] | None:
        if not self._takes(x):
            return None
        values = self._empty_like(x, memory_format=self._contiguous)
        indices = self._empty_like(x, dtype=self._int64, memory_format=self._contiguous)
        return (values, indices) if self._native.sort_rows(x, values, indices, by_value, descending) else None

    def top_k(self, x: Any, k: int, by_value: bool, largest: bool) -> tuple[Any, Any] | None:
        if not 0 < k <= _MOST_ITEMS or not self._takes(x) or len(x.shape) != 1:
            return None
        number = self._number(x, by_value)
        if number is None or scratch_bytes(_native.device.top_scratch_bytes, number, x.shape[0], k):
            return None
        values = self._empty_strided((k,), (1,), dtype=x.dtype, device=x.device)
        indices = self._empty_like(values, dtype=self._int64)
        return (values, indices) if self._native.top(x, values, indices, k, by_value, largest) else None

    def unique(self, x: Any, by_value: bool, keep_last: bool) -> Any:
        if not self._takes(x) or len(x.shape) != 1:
            return None
        number, count = self._number(x, by_value), x.shape[0]
        if number is None or not count:
            return None
        bytes = scratch_bytes(_native.device.unique_scratch_bytes, number, 0, count)
        begin, room = together(count, type_named(x.dtype, x).item_bytes, bytes)
        kept = self._empty_strided((room,), (1,), dtype=x.dtype, device=x.device)
        length = self._native.unique(x, kept, begin, bytes, by_value, keep_last)
        return kept.resize_((length,)) if length >= 0 else None


# By types of arrays.
_DOORS: dict[type, TorchDoor | None] = {}


def door_of(x: Any) -> TorchDoor | None:
    kind = type(x)
    try:
        return _DOORS[kind]
    except KeyError:
        door = _DOORS[kind] = _made(kind)
        return door


def _made(kind: type) -> TorchDoor | None:
    torch = sys.modules.get("torch")
    capsule = getattr(kind, "__dlpack_c_exchange_api__", None)
    if torch is None or kind is not getattr(torch, "Tensor", None) or capsule is None:
        return None
    try:
        return TorchDoor(torch, _native.device.TensorDoor(capsule))
    except (TypeError, ValueError):  # of a version that is not known
        return None
