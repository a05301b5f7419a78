"""An array in device memory of Sortie's own, for what no other library is at hand to own."""

from __future__ import annotations

from typing import Any

from .. import _native
from .._errors import ArgumentError, ArgumentTypeError
from .item_types import ItemType
from .views import LEGACY_STREAM, is_address, same_stream


class DeviceArray:
    """An array in the memory of a GPU, for other libraries to take over without a copy: by `__cuda_array_interface__`
    (version 3) or DLPack. Functions of sortie.cuda return it if their arrays are of a library that is not known.

    shape, dtype (in NumPy's words), device (CUDA's number), stream (where it is written: whoever takes it over waits
    for this one). Its memory is given back with the last who holds it."""

    __slots__ = ("_item_type", "_memory", "device", "shape", "stream")

    def __init__(self, memory: Any, shape: tuple[int, ...], item_type: ItemType, device: int, stream: int) -> None:
        self._memory = memory
        self._item_type = item_type
        self.shape = shape
        self.device = device
        self.stream = stream

    def first(self, length: int) -> "DeviceArray":
        """The first rows, in the same memory."""
        return DeviceArray(self._memory, (length, *self.shape[1:]), self._item_type, self.device, self.stream)

    @property
    def dtype(self) -> str:
        return self._item_type.name

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        self._memory.share()
        return {"shape": self.shape, "typestr": self._item_type.typestr, "data": (self._memory.address, False),
                "version": 3, "strides": None, "stream": self.stream}

    def __dlpack_device__(self) -> tuple[int, int]:
        return 2, self.device

    def __dlpack__(self, *, stream: int | None = None, max_version: tuple[int, int] | None = None,
                   dl_device: tuple[int, int] | None = None, copy: bool | None = None) -> Any:
        """stream: waits for the array; -1: none does."""
        if dl_device is not None and tuple(dl_device) != self.__dlpack_device__():
            raise BufferError(f"the array is on GPU {self.device}: take it over there, and copy it")
        if copy:
            raise BufferError("the array is not copied: take it over, and copy it")
        if self._item_type.dlpack_code is None:
            raise BufferError(f"DLPack has no word for {self.dtype}: use __cuda_array_interface__")
        other = LEGACY_STREAM if stream is None else stream
        if other != -1 and same_stream(other) != self.stream:
            _native.device.wait_for(self.device, other, self.stream)
        return _native.device.capsule(self._memory, list(self.shape), self._item_type.dlpack_code,
                                      8 * self._item_type.item_bytes)

    def __len__(self) -> int:
        return self.shape[0]

    def __repr__(self) -> str:
        return f"<sortie.cuda.DeviceArray of {self.dtype}, shape {self.shape}, on GPU {self.device}>"


def stream_number(stream: Any) -> int:
    """stream: an argument of the caller's."""
    protocol = getattr(stream, "__cuda_stream__", None)
    if protocol is not None:
        try:
            stream = int((protocol() if callable(protocol) else protocol)[1])
        except (IndexError, KeyError, TypeError, ValueError) as error:
            raise ArgumentTypeError("stream has a __cuda_stream__ that gives no pair of a version and a "
                                    "cudaStream_t") from error
    if isinstance(stream, bool) or not isinstance(stream, int):
        raise ArgumentTypeError("stream must be an int, a cudaStream_t, or have __cuda_stream__, not "
                                f"{type(stream).__name__}")
    if not is_address(stream):
        raise ArgumentError(f"stream is {stream}, which is no cudaStream_t")
    return same_stream(stream)
