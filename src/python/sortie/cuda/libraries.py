"""The libraries whose arrays are known, by their types: how each tells where an array lies, which stream is current,
and makes new arrays. None is imported here; who passes an array has imported its library."""

from __future__ import annotations

import importlib
import math
import sys
from typing import Any

from .. import _native
from .._errors import ArgumentError, ArgumentTypeError, shortened
from .device_array import DeviceArray, stream_number
from .item_types import INT64, ItemType, type_named
from .tensor_forms import address_of, refuse_other_tensors
from .views import LEGACY_STREAM, View, refuse_host, refuse_strided, same_stream, view_of_dlpack, view_of_interface


class Library:
    """Arrays with a protocol, of a library that is not known. Results are DeviceArrays."""
    name = "a library that is not known"
    shares = True  # arrays may be in use in other streams, which their views name, or must be given back

    def views(self, arrays: dict[str, Any], given: Any) -> tuple[int, dict[str, View]]:
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

    def new(self, like: Any, shape: tuple[int, ...], item_type: ItemType, device: int, stream: int) -> tuple[Any, int]:
        """An array for a result, and its address. like: an array of the same library, and of the same type unless
        this is int64."""
        # Not all libraries take over an array that has no address.
        memory = _native.device.allocate(device, stream, max(math.prod(shape) * item_type.item_bytes, 1))
        return DeviceArray(memory, shape, item_type, device, stream), memory.address

    def first(self, array: Any, length: int) -> Any:
        """The first rows of a new array, in the same memory."""
        return array.first(length)

    def scratch(self, bytes: int, device: int, stream: int) -> tuple[Any, int]:
        """Who owns it, and its address. It may be given back when all work is queued."""
        memory = _native.device.allocate(device, stream, bytes)
        return memory, memory.address

    def give(self, array: Any) -> Any:
        """What the caller gets of a new array."""
        return array

    def note_written(self, array: Any) -> None:
        """Tells the library that the contents of an array of the caller's have changed."""

    def refuse_other_forms(self, array: Any, name: str) -> None:
        """Raises for arrays whose items are not numbers in memory, whose dimensions cannot be moved either."""

    def with_last(self, array: Any, dim: int, name: str) -> Any:
        """A copy with that dimension as the last one."""
        raise ArgumentError(f"dim is {dim}, and items of arrays of {self.name} are sorted along their last dimension: "
                            f"pass a copy of {name} with that dimension as the last one")

    def moved_back(self, array: Any, dim: int) -> Any:
        """The same array with its last dimension as that one."""
        raise NotImplementedError


class KnownLibrary(Library):
    """One that tells where to work by itself: as the first array has it, for all arrays are on one device."""
    shares = False

    def views(self, arrays: dict[str, Any], given: Any) -> tuple[int, dict[str, View]]:
        stream = self.stream(next(iter(arrays.values())), given)
        views = {}
        for name, array in arrays.items():
            views[name] = self.view(array, name, stream)
        return stream, views

    def stream(self, array: Any, given: Any) -> int:
        raise NotImplementedError

    def view(self, array: Any, name: str, stream: int) -> View:
        raise NotImplementedError


class Torch(KnownLibrary):
    name = "torch"
    _learnt: Any = None

    def _learn(self, module: Any) -> None:
        """Looks up once what each call needs."""
        self._learnt, self._empty, self._empty_like = module, module.empty, module.empty_like
        self._empty_strided = module.empty_strided
        self._int64, self._uint8, self._contiguous = module.int64, module.uint8, module.contiguous_format
        self._devices: dict[int, Any] = {}
        # What PyTorch's own compiler asks: an object for a stream takes as long as a launch.
        self._raw_stream = getattr(getattr(module, "_C", None), "_cuda_getCurrentRawStream", None)
        graph = getattr(getattr(module, "autograd", None), "graph", None)
        self._increment_version = getattr(graph, "increment_version", None)

    def stream(self, array: Any, given: Any) -> int:
        if given is not None:
            _refuse_stream("torch.cuda.stream()")
        module = sys.modules["torch"]
        if module is not self._learnt:
            self._learn(module)
        device = array.device
        if device.type != "cuda":
            return LEGACY_STREAM  # the array is refused
        if self._raw_stream is not None:
            return self._raw_stream(device.index) or LEGACY_STREAM
        return same_stream(int(module.cuda.current_stream(device).cuda_stream))

    def view(self, array: Any, name: str, stream: int) -> View:
        self.refuse_other_forms(array, name)
        if not array.is_contiguous():
            refuse_strided(name, f"{name}.contiguous()")
        return View(address_of(array, name), tuple(array.shape), type_named(array.dtype, array), array.device.index)

    def refuse_other_forms(self, array: Any, name: str) -> None:
        refuse_other_tensors(array, name, _module("torch").strided)

    def new(self, like: Any, shape: tuple[int, ...], item_type: ItemType, device: int, stream: int) -> tuple[Any, int]:
        dtype = self._int64 if item_type is INT64 else like.dtype
        # What is quickest: 3.5, 4.1 and 6.3 us on a slow host.
        if shape == like.shape:
            array = self._empty_like(like, dtype=dtype, memory_format=self._contiguous)
        elif len(shape) == 1:
            array = self._empty_strided(shape, (1,), dtype=dtype, device=like.device)
        else:
            array = self._empty(shape, dtype=dtype, device=like.device)
        return array, array.data_ptr()

    def first(self, array: Any, length: int) -> Any:
        return array.resize_((length, *array.shape[1:]))  # as torch.unique() does: it is no view

    def scratch(self, bytes: int, device: int, stream: int) -> tuple[Any, int]:
        place = self._devices.get(device)
        if place is None:
            place = self._devices[device] = self._learnt.device("cuda", device)
        memory = self._empty_strided((bytes,), (1,), dtype=self._uint8, device=place)
        return memory, memory.data_ptr()

    def note_written(self, array: Any) -> None:
        # Else what was saved of it for a gradient would be taken for unchanged.
        if self._increment_version is not None:
            self._increment_version(array)

    def with_last(self, array: Any, dim: int, name: str) -> Any:
        return array.movedim(dim, -1).contiguous()

    def moved_back(self, array: Any, dim: int) -> Any:
        return array.movedim(-1, dim)


class Cupy(KnownLibrary):
    name = "cupy"

    def stream(self, array: Any, given: Any) -> int:
        if given is not None:
            _refuse_stream("a stream of CuPy by `with`")
        with array.device:
            return same_stream(int(_module("cupy").cuda.get_current_stream().ptr))

    def view(self, array: Any, name: str, stream: int) -> View:
        if not array.flags.c_contiguous:
            refuse_strided(name, f"cupy.ascontiguousarray({name})")
        return View(array.data.ptr, tuple(array.shape), type_named(array.dtype, array), array.device.id)

    def new(self, like: Any, shape: tuple[int, ...], item_type: ItemType, device: int, stream: int) -> tuple[Any, int]:
        cupy = _module("cupy")
        with like.device:
            array = cupy.empty(shape, dtype="int64" if item_type is INT64 else like.dtype)
        return array, array.data.ptr

    def first(self, array: Any, length: int) -> Any:
        return array[:length]

    def scratch(self, bytes: int, device: int, stream: int) -> tuple[Any, int]:
        cupy = _module("cupy")
        with cupy.cuda.Device(device):
            memory = cupy.empty(bytes, dtype="uint8")
        return memory, memory.data.ptr

    def with_last(self, array: Any, dim: int, name: str) -> Any:
        cupy = _module("cupy")
        with array.device:
            return cupy.ascontiguousarray(cupy.moveaxis(array, dim, -1))

    def moved_back(self, array: Any, dim: int) -> Any:
        return _module("cupy").moveaxis(array, -1, dim)


class Jax(KnownLibrary):
    """Its arrays cannot be changed, and its streams are its own: they wait for each other by DLPack."""
    name = "jax"
    shares = True

    def stream(self, array: Any, given: Any) -> int:
        return LEGACY_STREAM if given is None else stream_number(given)

    def view(self, array: Any, name: str, stream: int) -> View:
        if isinstance(array, getattr(getattr(_module("jax"), "core", None), "Tracer", ())):
            raise ArgumentTypeError(f"{name} is traced by jax.jit() or the like, and has no memory yet: call this "
                                    "outside of it")
        self.refuse_other_forms(array, name)
        return view_of_dlpack(array, name, stream)

    def refuse_other_forms(self, array: Any, name: str) -> None:
        if not hasattr(array, "__dlpack_device__"):
            raise ArgumentTypeError(f"{name} is an array of {shortened(array.dtype)}, which are no numbers: for random "
                                    "keys, pass jax.random.key_data()")
        if getattr(array, "is_deleted", bool)():
            raise ArgumentError(f"{name} was deleted, or donated to another function: pass one that is there")

    def give(self, array: Any) -> Any:
        return importlib.import_module("jax.dlpack").from_dlpack(array)

    def with_last(self, array: Any, dim: int, name: str) -> Any:
        return importlib.import_module("jax.numpy").moveaxis(array, dim, -1)

    def moved_back(self, array: Any, dim: int) -> Any:
        return importlib.import_module("jax.numpy").moveaxis(array, -1, dim)


class Numba(Library):
    name = "numba"

    def give(self, array: Any) -> Any:
        return importlib.import_module("numba.cuda").as_cuda_array(array, sync=False)  # it notes the stream


_TORCH, _CUPY, _JAX, _NUMBA, _OTHER = Torch(), Cupy(), Jax(), Numba(), Library()

# By types of arrays, of libraries that are known by them.
_SEEN: dict[type, Library] = {}


def library_of(array: Any) -> Library:
    kind = type(array)
    library = _SEEN.get(kind)
    if library is None:
        library = _library_of(array)
        if library in (_TORCH, _CUPY, _JAX):
            _SEEN[kind] = library
    return library


def _library_of(array: Any) -> Library:
    for library, kind in ((_TORCH, "Tensor"), (_CUPY, "ndarray"), (_JAX, "Array")):
        module = sys.modules.get(library.name)
        if module is not None and isinstance(array, getattr(module, kind, ())):
            return library
    is_of_numba = type(array).__module__.partition(".")[0] in ("numba", "numba_cuda")
    return _NUMBA if is_of_numba and hasattr(array, "__cuda_array_interface__") else _OTHER


def _module(name: str) -> Any:
    return sys.modules[name]


def _refuse_stream(remedy: str) -> None:
    raise ArgumentError("stream is for arrays of other libraries: leave it out, and make the stream current by "
                        f"{remedy}")
