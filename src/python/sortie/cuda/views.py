"""Where arrays of any library lie: read from `__cuda_array_interface__` or DLPack."""

from __future__ import annotations

import math
import operator
from typing import Any, NamedTuple

from .. import _native
from .._errors import ArgumentError, ArgumentTypeError, shortened
from .item_types import ItemType, type_of_dlpack, type_of_interface

# As CUDA's and DLPack's interfaces call the default stream; as a cudaStream_t it may be 0, too.
LEGACY_STREAM = 1
_CUDA, _CUDA_MANAGED = 2, 13  # DLPack's kinds of devices


class View(NamedTuple):
    """device: None if it is not told, of an array without items that has `__cuda_array_interface__` alone. stream:
    whose work what the array holds waits for; None: there is none. tensor: of DLPack, which must live until it has
    been read."""
    address: int
    shape: tuple[int, ...]
    item_type: ItemType
    device: int | None
    is_read_only: bool = False
    stream: int | None = None
    tensor: Any = None

    @property
    def bytes(self) -> int:
        return math.prod(self.shape) * self.item_type.item_bytes

    @property
    def row_bytes(self) -> int:
        """Of what the first dimension counts."""
        return math.prod(self.shape[1:]) * self.item_type.item_bytes


def refuse_host(name: str) -> None:
    raise ArgumentError(f"{name} lies in the memory of the host: sortie.sort() and sortie.argsort() take it there, or "
                        "copy it to a GPU first")


def refuse_strided(name: str, remedy: str) -> None:
    raise ArgumentError(f"{name} has items that do not lie side by side: pass {remedy}")


def same_stream(stream: int) -> int:
    return stream or LEGACY_STREAM


def is_address(number: int) -> bool:
    return 0 <= number < 1 << 64


def view_of_interface(array: Any, name: str) -> View:
    try:
        told = array.__cuda_array_interface__
        typestr, mask, stream = told["typestr"], told.get("mask"), told.get("stream")
        shape, strides = _numbers(told["shape"]), told.get("strides")
        strides = None if strides is None else _numbers(strides)
        address, is_read_only = told["data"]
        address, is_read_only = operator.index(address or 0), bool(is_read_only)
        stream = None if stream is None else same_stream(operator.index(stream))
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise _of_no_form(name, f"{type(error).__name__}: {error}") from error
    if mask is not None:
        raise ArgumentError(f"{name} is masked: pass the items that are there")
    if not isinstance(typestr, str):
        raise _of_no_form(name, f"typestr {shortened(typestr)}")
    view = View(address, shape, type_of_interface(typestr, getattr(array, "dtype", None), name), None, is_read_only,
                stream)
    if min(shape, default=0) < 0 or max(view.bytes, *shape, 0) >= 1 << 63:
        raise _of_no_form(name, f"shape {shortened(shape)}")
    if not is_address(address) or not is_address(stream or 0):
        raise _of_no_form(name, f"data at {address}, stream {stream}")
    if strides is not None and len(strides) != len(shape):
        raise _of_no_form(name, f"strides {shortened(strides)} of the shape {shortened(shape)}")
    if strides and not _are_side_by_side(shape, [stride / view.item_type.item_bytes for stride in strides]):
        refuse_strided(name, "a contiguous copy")
    return view._replace(device=_device_of(address, name) if view.bytes else None)


def _numbers(told: Any) -> tuple[int, ...]:
    return tuple(map(operator.index, told))


def _of_no_form(name: str, why: str) -> ArgumentTypeError:
    return ArgumentTypeError(f"{name} has a __cuda_array_interface__ that is not of the protocol's form ({why}): pass "
                             "an array whose shape, typestr and data can be read")


def view_of_dlpack(array: Any, name: str, stream: int) -> View:
    """stream: waits for what is still to be written to the array."""
    if array.__dlpack_device__()[0] not in (_CUDA, _CUDA_MANAGED):
        refuse_host(name)
    try:
        tensor = _native.device.tensor(array.__dlpack__(stream=stream))
    except (BufferError, RuntimeError) as error:  # JAX has errors of its own
        raise ArgumentTypeError(f"{name}: its DLPack could not be taken over ({error}): pass an array of a type that "
                                "DLPack has, on one GPU") from None
    shape = tuple(tensor.shape)
    if not _are_side_by_side(shape, tensor.strides):
        refuse_strided(name, "a contiguous copy")
    return View(tensor.address, shape, type_of_dlpack(tensor.code, tensor.bits), tensor.device, True, None, tensor)


def _device_of(address: int, name: str) -> int:
    device = _native.device.device_of(address)
    if device is None:
        refuse_host(name)
    return int(device)


def _are_side_by_side(shape: tuple[int, ...], strides: Any) -> bool:
    """strides: in items."""
    expected = 1
    for length, stride in reversed(list(zip(shape, strides))):
        if length > 1 and stride != expected:
            return not math.prod(shape)
        expected *= length
    return True
