"""The libraries whose arrays are known, by their types: how each tells where an array lies, which stream is current,
and makes new arrays. None is imported here; who passes an array has imported its library."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Mapping
from typing import Any

from .. import _native
from .._errors import ArgumentError, ArgumentTypeError
from .device_array import DeviceArray, stream_number
from .item_types import ItemType, type_named
from .views import LEGACY_STREAM, View, refuse_host, refuse_strided, same_stream, view_of_dlpack, view_of_interface


class Library:
    """Arrays with a protocol, of a library that is not known. Results are DeviceArrays."""
    name = "a library that is not known"

    def views(self, arrays: Mapping[str, Any], given: Any) -> tuple[int, dict[str, View]]:
        """The stream where to work, and where the arrays lie. given: the caller's argument."""
        known = {name: view_of_interface(array, name) for name, array in arrays.items()
                 if hasattr(array, "__cuda_array_interface__")}
        if given is not None:
            stream = stream_number(given)
        else:
            # An array without items may be of another device, whose streams are none of this one.
            first = next((name for name in arrays if name not in known or known[name].bytes), next(iter(arrays)))
            told = known[first].stream if first in known else None
            stream = LEGACY_STREAM if told is None else told
        return stream, {name: known[name] if name in known else self._taken_over(array, name, stream)
                        for name, array in arrays.items()}

    def _taken_over(self, array: Any, name: str, stream: int) -> View:
        if hasattr(array, "__dlpack__") and hasattr(array, "__dlpack_device__"):
            return view_of_dlpack(array, name, stream)
        if hasattr(array, "__array__") or hasattr(array, "__array_interface__"):
            refuse_host(name)
        raise ArgumentTypeError(f"{name} must be an array in the memory of a GPU, with __cuda_array_interface__ or "
                                f"DLPack, not {type(array).__name__}")

    def new(self, like: Any, shape: tuple[int, ...], item_type: ItemType, device: int, stream: int) -> tuple[Any, View]:
        """An array for a result, and where it lies. like: an array of the same library, and of the same type unless
        this is int64."""
        view = View(0, shape, item_type, device)
        # Not all libraries take over an array that has no address.
        memory = _native.device.allocate(device, stream, max(view.bytes, 1))
        return DeviceArray(memory, shape, item_type, device, stream), view._replace(address=memory.address)

    def scratch(self, bytes: int, device: int, stream: int) -> tuple[Any, int]:
        """Who owns it, and its address. It may be given back when all work is queued."""
        memory = _native.device.allocate(device, stream, bytes)
        return memory, memory.address

    def give(self, array: Any) -> Any:
        """What the caller gets of a new array."""
        return array


class KnownLibrary(Library):
    """One that tells where to work by itself: as the first array has it, for all arrays are on one device."""

    def views(self, arrays: Mapping[str, Any], given: Any) -> tuple[int, dict[str, View]]:
        stream = self.stream(next(iter(arrays.values())), given)
        return stream, {name: self.view(array, name, stream) for name, array in arrays.items()}

    def stream(self, array: Any, given: Any) -> int:
        raise NotImplementedError

    def view(self, array: Any, name: str, stream: int) -> View:
        raise NotImplementedError


class Torch(KnownLibrary):
    name = "torch"

    def stream(self, array: Any, given: Any) -> int:
        _refuse_stream(given, "torch.cuda.stream()")
        if array.device.type != "cuda":
            return LEGACY_STREAM  # the array is refused
        return same_stream(int(_module("torch").cuda.current_stream(array.device).cuda_stream))

    def view(self, array: Any, name: str, stream: int) -> View:
        if array.device.type == "cpu":
            refuse_host(name)
        if array.device.type != "cuda":
            raise ArgumentError(f"{name} lies on {array.device.type}: copy it to a GPU of CUDA first")
        if array.requires_grad:
            raise ArgumentError(f"{name} requires a gradient, and a sort here passes none on: pass {name}.detach()")
        if not array.is_contiguous():
            refuse_strided(name, f"{name}.contiguous()")
        return View(array.data_ptr(), tuple(array.shape), type_named(array.dtype, array.element_size()),
                    array.device.index)

    def new(self, like: Any, shape: tuple[int, ...], item_type: ItemType, device: int, stream: int) -> tuple[Any, View]:
        dtype = _module("torch").int64 if item_type.name == "int64" else like.dtype
        array = _module("torch").empty(shape, dtype=dtype, device=like.device)
        return array, View(array.data_ptr(), shape, item_type, device)

    def scratch(self, bytes: int, device: int, stream: int) -> tuple[Any, int]:
        torch = _module("torch")
        memory = torch.empty(bytes, dtype=torch.uint8, device=torch.device("cuda", device))
        return memory, int(memory.data_ptr())


class Cupy(KnownLibrary):
    name = "cupy"

    def stream(self, array: Any, given: Any) -> int:
        _refuse_stream(given, "a stream of CuPy by `with`")
        with array.device:
            return same_stream(int(_module("cupy").cuda.get_current_stream().ptr))

    def view(self, array: Any, name: str, stream: int) -> View:
        if not array.flags.c_contiguous:
            refuse_strided(name, f"cupy.ascontiguousarray({name})")
        return View(array.data.ptr, tuple(array.shape), type_named(array.dtype, array.itemsize), array.device.id)

    def new(self, like: Any, shape: tuple[int, ...], item_type: ItemType, device: int, stream: int) -> tuple[Any, View]:
        cupy = _module("cupy")
        with like.device:
            array = cupy.empty(shape, dtype="int64" if item_type.name == "int64" else like.dtype)
        return array, View(array.data.ptr, shape, item_type, device)

    def scratch(self, bytes: int, device: int, stream: int) -> tuple[Any, int]:
        cupy = _module("cupy")
        with cupy.cuda.Device(device):
            memory = cupy.empty(bytes, dtype="uint8")
        return memory, int(memory.data.ptr)


class Jax(KnownLibrary):
    """Its arrays cannot be changed, and its streams are its own: they wait for each other by DLPack."""
    name = "jax"

    def stream(self, array: Any, given: Any) -> int:
        return LEGACY_STREAM if given is None else stream_number(given)

    def view(self, array: Any, name: str, stream: int) -> View:
        if isinstance(array, getattr(getattr(_module("jax"), "core", None), "Tracer", ())):
            raise ArgumentTypeError(f"{name} is traced by jax.jit() or the like, and has no memory yet: call this "
                                    "outside of it")
        return view_of_dlpack(array, name, stream)

    def give(self, array: Any) -> Any:
        return importlib.import_module("jax.dlpack").from_dlpack(array)


class Numba(Library):
    name = "numba"

    def give(self, array: Any) -> Any:
        return importlib.import_module("numba.cuda").as_cuda_array(array, sync=False)  # it notes the stream


_TORCH, _CUPY, _JAX, _NUMBA, _OTHER = Torch(), Cupy(), Jax(), Numba(), Library()


def library_of(array: Any) -> Library:
    for library, kind in ((_TORCH, "Tensor"), (_CUPY, "ndarray"), (_JAX, "Array")):
        module = sys.modules.get(library.name)
        if module is not None and isinstance(array, getattr(module, kind, ())):
            return library
    is_of_numba = type(array).__module__.partition(".")[0] in ("numba", "numba_cuda")
    return _NUMBA if is_of_numba and hasattr(array, "__cuda_array_interface__") else _OTHER


def _module(name: str) -> Any:
    return sys.modules[name]


def _refuse_stream(given: Any, remedy: str) -> None:
    if given is not None:
        raise ArgumentError("stream is for arrays of other libraries: leave it out, and make the stream current by "
                            f"{remedy}")
