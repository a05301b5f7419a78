"""How sortie.cuda knows the arrays of PyTorch, CuPy, JAX and numba, with stand-ins that have what it uses of them:
tests/gpu/python_cuda sorts arrays of the real ones."""

import importlib
import sys
import types

import pytest

numpy = pytest.importorskip("numpy", reason="numpy is not installed (every test of this file)")

import sortie  # noqa: E402
import sortie.cuda  # noqa: E402
from sortie.cuda import doors  # noqa: E402
from device_stand_in import Door, Exchanged, Interface, stand_in  # noqa: E402


@pytest.fixture
def gpu():
    with stand_in() as native:
        yield native


class Device:
    """A device of PyTorch, and, as a context, one of CuPy."""
    current = 0

    def __init__(self, type="cuda", index=0):
        self.type, self.index, self.id = type, index, index

    def __enter__(self):
        self.before, Device.current = Device.current, self.index

    def __exit__(self, *error):
        Device.current = self.before


class Tensor:
    def __init__(self, array, device, requires_grad=False, layout="torch.strided", is_nested=False, shows="as it is"):
        self.array, self.device, self.requires_grad = array, device, requires_grad
        self.shape, self.dtype, self.layout = array.shape, f"torch.{array.dtype}", layout
        self.is_nested, self.shows = is_nested, shows

    def is_neg(self):
        return self.shows == "negated"

    def is_conj(self):
        return self.shows == "conjugated"

    def is_contiguous(self):
        return self.array.flags.c_contiguous

    def data_ptr(self):
        return self.array.ctypes.data

    def element_size(self):
        return self.array.itemsize

    def detach(self):
        return Tensor(self.array, self.device)

    def movedim(self, source, target):
        return Tensor(numpy.moveaxis(self.array, source, target), self.device)

    def resize_(self, shape):
        self.array, self.shape = self.array[:shape[0]], shape
        return self

    def contiguous(self):
        return self if self.is_contiguous() else Tensor(self.gpu.array(self.array, self.device.index), self.device)


@pytest.fixture
def torch(gpu, monkeypatch):
    """Its current stream is 100 and the number of the device; on device 0 the default stream, which is 0."""
    made = []

    def empty(shape, dtype, device):
        array = gpu.array(numpy.empty(shape, str(dtype).removeprefix("torch.")), device.index)
        made.append(Tensor(array, device))
        return made[-1]

    def empty_strided(shape, strides, dtype, device):
        assert strides == (1,) and len(shape) == 1
        return empty(shape, dtype, device)

    def empty_like(like, dtype=None, memory_format="contiguous"):
        assert memory_format == "contiguous"
        return empty(like.shape, dtype or like.dtype, like.device)

    module = types.SimpleNamespace(
        Tensor=Tensor, int64="torch.int64", uint8="torch.uint8", device=Device, empty=empty, empty_like=empty_like,
        empty_strided=empty_strided, strided="torch.strided",
        contiguous_format="contiguous", made=made,
        cuda=types.SimpleNamespace(current_stream=lambda device: types.SimpleNamespace(
            cuda_stream=100 + device.index if device.index else 0)))
    monkeypatch.setattr(Tensor, "gpu", gpu, raising=False)
    monkeypatch.setitem(sys.modules, "torch", module)
    return module


def tensor(gpu, values, index=0, **told):
    return Tensor(gpu.array(values, index), Device(index=index), **told)


def test_tensors_come_back_as_tensors_in_the_current_stream(gpu, torch):
    x = tensor(gpu, numpy.array([3, 1, 2], "float32"), 2)
    result = sortie.cuda.sort_with_indices(x)
    assert result.values.array.tolist() == [1, 2, 3] and result.indices.array.tolist() == [1, 2, 0]
    assert (result.values.dtype, result.indices.dtype) == ("torch.float32", "torch.int64")
    assert gpu.calls == [("sort", 2, 102)] and not gpu.memories and not gpu.waits and not gpu.synchronized
    assert [made.device.index for made in torch.made] == [2, 2]  # of few items there is no scratch
    gpu.calls.clear(), torch.made.clear()
    sortie.cuda.argsort(tensor(gpu, numpy.arange(5000), 1))
    assert gpu.calls == [("argsort", 1, 101)] and [made.device.index for made in torch.made] == [1, 1]  # with scratch
    gpu.calls.clear()
    sortie.cuda.sort(tensor(gpu, [2, 1]))
    assert gpu.calls == [("sort", 0, 1)]


def test_tensors_are_sorted_in_place_and_merged(gpu, torch):
    x = tensor(gpu, [3, 1, 2])
    assert sortie.cuda.sort(x, out=x, descending=True) is x and x.array.tolist() == [3, 2, 1]
    merged = sortie.cuda.merge([tensor(gpu, [1, 3]), tensor(gpu, [2])],
                               [tensor(gpu, [[1.], [3.]]), tensor(gpu, [[2.]])])
    assert merged.keys.array.tolist() == [1, 2, 3] and merged.values.array.tolist() == [[1], [2], [3]]
    assert sortie.cuda.unique(tensor(gpu, [2, 1, 2])).array.tolist() == [1, 2]
    assert sortie.cuda.top_k(tensor(gpu, [2, 1, 3]), 2).values.array.tolist() == [3, 2]


def test_tensors_that_are_written_are_told_to_autograd(gpu, torch):
    written = []
    torch.autograd = types.SimpleNamespace(graph=types.SimpleNamespace(increment_version=written.append))
    x, out = tensor(gpu, [3, 1, 2]), tensor(gpu, [0, 0, 0])
    sortie.cuda.sort(x)
    assert not written
    sortie.cuda.sort(x, out=out)
    assert len(written) == 1 and written[0] is out
    sortie.cuda.sort(x, out=x)
    assert len(written) == 2 and written[1] is x


def test_tensors_are_sorted_along_any_dimension(gpu, torch):
    x = tensor(gpu, numpy.array([[3, 1], [2, 5], [1, 4]], "float32"), 1)
    assert sortie.cuda.sort(x).array.tolist() == [[1, 3], [2, 5], [1, 4]]
    assert sortie.cuda.sort(x, dim=0).array.tolist() == [[1, 1], [2, 4], [3, 5]]
    assert sortie.cuda.argsort(x, dim=-2).array.tolist() == [[2, 0], [1, 2], [0, 1]]
    both = sortie.cuda.sort_with_indices(x, dim=0, descending=True)
    assert both.values.array.tolist() == [[3, 5], [2, 4], [1, 1]] and both.indices.array.tolist() == [[0, 1], [1, 2],
                                                                                                     [2, 0]]
    assert {call[1:] for call in gpu.calls} == {(1, 101)} and not gpu.memories


@pytest.fixture
def door(gpu, torch, monkeypatch):
    """PyTorch with its C functions, in whose stream 500 it works."""
    made = Door(gpu, 500)

    def opened(capsule):
        assert capsule == "capsule"
        return made

    monkeypatch.setattr(gpu, "TensorDoor", opened, raising=False)
    monkeypatch.setattr(Tensor, "__dlpack_c_exchange_api__", "capsule", raising=False)
    monkeypatch.setattr(doors, "_DOORS", {})
    return made


def test_few_items_of_tensors_go_the_short_way(gpu, door):
    x = tensor(gpu, numpy.array([3, 1, 2, 1], "float32"), 2)
    assert sortie.cuda.sort(x).array.tolist() == [1, 1, 2, 3]
    assert sortie.cuda.argsort(x, descending=True).array.tolist() == [0, 2, 1, 3]
    both = sortie.cuda.sort_with_indices(x)
    assert both.values.array.tolist() == [1, 1, 2, 3] and both.indices.array.tolist() == [1, 3, 2, 0]
    top = sortie.cuda.top_k(x, 2)
    assert top.values.array.tolist() == [3, 2] and top.indices.array.tolist() == [0, 2]
    assert sortie.cuda.unique(x).array.tolist() == [1, 2, 3]
    assert door.taken == ["sort_rows"] * 3 + ["top", "unique"] and {call[1:] for call in gpu.calls} == {(2, 500)}
    rows = tensor(gpu, numpy.array([[3, 1], [2, 5]]))
    assert sortie.cuda.sort(rows, descending=True).array.tolist() == [[3, 1], [5, 2]] and len(door.taken) == 6


def test_what_the_short_way_does_not_take_goes_the_usual_way(gpu, torch, door):
    assert sortie.cuda.sort(tensor(gpu, numpy.arange(5000)[::-1].copy())).array.tolist() == list(range(5000))
    assert sortie.cuda.top_k(tensor(gpu, [2, 1]), 0).values.array.tolist() == []
    torch.made.clear()
    assert sortie.cuda.top_k(tensor(gpu, numpy.arange(2000)), 2).values.array.tolist() == [1999, 1998]
    assert len(torch.made) == 3  # values, indices, scratch: none was made in vain
    assert sortie.cuda.unique(tensor(gpu, numpy.zeros(0))).array.tolist() == []
    x = tensor(gpu, [2, 1])
    assert sortie.cuda.sort(x, out=x).array.tolist() == [1, 2] and not door.taken
    for call, told in ((lambda: sortie.cuda.sort(Tensor(gpu.array([1, 2, 3, 4])[::2], Device())), "x.contiguous()"),
                       (lambda: sortie.cuda.sort(tensor(gpu, [2., 1.], requires_grad=True)), "requires a gradient"),
                       (lambda: sortie.cuda.argsort(Tensor(numpy.arange(2), Device("cpu"))), "memory of the host"),
                       (lambda: sortie.cuda.top_k(tensor(gpu, [2, 1]), 3), "k is 3, and x has 2 items"),
                       (lambda: sortie.cuda.unique(tensor(gpu, [[2, 1]])), "x has 2 dimensions"),
                       (lambda: sortie.cuda.sort(tensor(gpu, [2, 1]), stream=3), "stream is for arrays of other")):
        assert told in refusal(call)
    assert not door.taken


def test_the_raw_stream_is_asked_for_where_torch_has_it(gpu, torch):
    torch._C = types.SimpleNamespace(_cuda_getCurrentRawStream=lambda index: 300 + index)
    sortie.cuda.sort(tensor(gpu, [2, 1], 2))
    assert gpu.calls == [("sort", 2, 302)]


def test_columns_of_tensors_go_with_their_keys(gpu, torch):
    columns = {"a": tensor(gpu, [7., 8., 9.]), "b": tensor(gpu, [4, 5, 6])}
    result = sortie.cuda.sort_pairs(tensor(gpu, [3, 1, 2]), columns)
    assert result.keys.array.tolist() == [1, 2, 3] and not gpu.memories
    assert {name: column.array.tolist() for name, column in result.values.items()} == {"a": [8, 9, 7], "b": [5, 6, 4]}


def test_segments_and_sets_of_tensors(gpu, torch):
    x, offsets = tensor(gpu, numpy.array([3, 1, 2, 1], "int16"), 1), tensor(gpu, [0, 2, 4], 1)
    assert sortie.cuda.segmented_sort(x, offsets).array.tolist() == [1, 3, 1, 2]
    a, b = tensor(gpu, [1, 1, 3]), tensor(gpu, [1, 2])
    assert sortie.cuda.union(a, b).array.tolist() == [1, 1, 2, 3]
    kept = sortie.cuda.difference(a, b, [tensor(gpu, [5., 6., 7.]), tensor(gpu, [8., 9.])])
    assert kept.keys.array.tolist() == [1, 3] and kept.values.array.tolist() == [6, 7]
    assert kept.values.dtype == "torch.float64" and not gpu.memories


class Operator:
    """What torch.library.custom_op() makes."""
    all = {}

    def __init__(self, name, run, mutates_args, device_types, schema):
        assert not mutates_args and device_types == "cuda"
        self.run, self.schema = run, schema
        Operator.all[name] = self

    def register_fake(self, fake):
        self.fake = fake

    def register_autograd(self, backward, setup_context):
        self.backward, self.setup_context = backward, setup_context


def test_torch_has_sorts_as_operators(gpu, torch, monkeypatch):
    torch.library = types.SimpleNamespace(custom_op=lambda name, run, **told: Operator(name, run, **told))
    monkeypatch.setattr(Operator, "all", {})
    monkeypatch.delitem(sys.modules, "sortie.cuda.torch_operators", raising=False)
    importlib.import_module("sortie.cuda.torch_operators")
    del sys.modules["sortie.cuda.torch_operators"]  # it is of a torch that ends here
    x = Tensor(gpu.array([3., 1., 2.]), Device(), requires_grad=True)

    def run(name, *arguments, **options):
        result = Operator.all[f"sortie::{name}"].run(*arguments, **options)
        return [each.array.tolist() for each in (result if isinstance(result, tuple) else (result,))]

    assert run("sort", x) == [[1, 2, 3]] and run("sort", x, descending=True) == [[3, 2, 1]]
    assert run("argsort", x) == [[1, 2, 0]]
    assert run("sort_with_indices", x, descending=True) == [[3, 2, 1], [0, 2, 1]]
    assert run("sort_pairs", x, tensor(gpu, [7, 8, 9])) == [[1, 2, 3], [8, 9, 7]]
    assert run("segmented_sort", x, tensor(gpu, [0, 1, 3]), descending=True) == [[3, 2, 1]]
    assert run("top_k", x, 2) == [[3, 2], [0, 2]] and run("top_k", x, 1, largest=False) == [[1], [1]]
    assert all(hasattr(operator, "fake") for operator in Operator.all.values()) and len(Operator.all) == 6
    with_gradients = [name for name, operator in Operator.all.items() if hasattr(operator, "backward")]
    assert with_gradients == ["sortie::sort_with_indices", "sortie::top_k"]


def test_operators_say_that_they_need_torch(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    told = "^sortie.cuda.torch_operators needs PyTorch, which is not installed"
    with pytest.raises(sortie.MissingModuleError, match=told):
        importlib.import_module("sortie.cuda.torch_operators")


class Bfloat16(Tensor):
    def __init__(self, array, device):
        super().__init__(array, device)
        self.dtype = "torch.bfloat16"


def test_the_type_of_the_kernels_is_that_of_the_tensor(gpu, torch, monkeypatch):
    seen = []
    monkeypatch.setattr(gpu, "argsort", lambda place, source, keys, type, *others: seen.append(type))
    monkeypatch.setattr(gpu, "argsort_scratch_bytes", lambda type, position_bytes, count: 8)
    for float_order in ("total", "value"):
        sortie.cuda.argsort(Bfloat16(gpu.array(numpy.zeros(2, "uint16")), Device()), float_order=float_order)
        sortie.cuda.argsort(tensor(gpu, numpy.zeros(2, "float16")), float_order=float_order)
    assert seen == [5, 4, 13, 12]


def refusal(function, *arguments, **options):
    with pytest.raises((sortie.ArgumentError, sortie.ArgumentTypeError)) as error:
        function(*arguments, **options)
    return str(error.value)


def test_tensors_that_cannot_be_sorted_are_refused_with_torchs_remedy(gpu, torch):
    sort = sortie.cuda.sort
    assert refusal(sort, Tensor(numpy.arange(2), Device("cpu"))).startswith("x lies in the memory of the host: ")
    assert refusal(sort, Tensor(numpy.arange(2), Device("meta"))) == "x lies on meta: copy it to a GPU of CUDA first"
    assert refusal(sort, tensor(gpu, [1., 2.], requires_grad=True)).endswith(": pass x.detach()")
    assert refusal(sort, Tensor(gpu.array([1, 2, 3, 4])[::2], Device())).endswith(": pass x.contiguous()")
    assert refusal(sort, tensor(gpu, [1j])).startswith("x is an array of complex128, which has no order here")
    assert refusal(sort, tensor(gpu, [1], layout="torch.sparse_coo")) == (
        "x has the layout torch.sparse_coo: pass x.to_dense()")
    assert refusal(sort, tensor(gpu, [[1]], is_nested=True), dim=0).startswith("x is nested: pass its values() and ")
    assert refusal(sort, tensor(gpu, [1]), stream=3).startswith("stream is for arrays of other libraries: ")
    other = Interface(gpu.array([1]))
    assert refusal(sortie.cuda.sort_pairs, tensor(gpu, [1]), other) == (
        "values is an array of a library that is not known, and keys one of torch: convert one of them, for example by "
        "from_dlpack()")
    assert refusal(sortie.cuda.sort_pairs, tensor(gpu, [1]),
                   tensor(gpu, [1], 1)).startswith("values lies on GPU 1, and ")


def test_tensors_that_show_other_numbers_than_lie_in_memory_are_refused(gpu, torch, door):
    told = "x shows its memory negated: pass x.resolve_neg()"
    negated = tensor(gpu, [1., 2.], shows="negated")
    for function in (sortie.cuda.sort, sortie.cuda.argsort, sortie.cuda.sort_with_indices, sortie.cuda.unique):
        assert refusal(function, negated) == told
    assert refusal(sortie.cuda.top_k, negated, 1) == told
    assert refusal(sortie.cuda.sort, tensor(gpu, [1., 2.]), out=negated) == told.replace("x", "out")
    assert refusal(sortie.cuda.sort_pairs, tensor(gpu, [1]), tensor(gpu, [1j], shows="conjugated")) == (
        "values shows its memory conjugated: pass values.resolve_conj()")
    assert not gpu.calls and not door.taken


def test_tensors_without_memory_are_refused(gpu, torch):
    def lacks_storage():
        raise RuntimeError("Cannot access data pointer of Tensor that doesn't have storage")

    for data_ptr in (lacks_storage, lambda: 0):
        x = tensor(gpu, [2, 1])
        x.data_ptr = data_ptr
        assert refusal(sortie.cuda.sort, x).startswith("x has no memory of its own, as ")


def refused_of_two_devices(merge, none, x):
    told = "arrays[1] lies on GPU {}, and other arrays on GPU {}: copy them to one GPU"
    assert refusal(merge, [none, x]) == told.format(1, 0)
    assert refusal(merge, [x, none]) == told.format(0, 1)


def test_tensors_without_items_on_another_device_are_refused(gpu, torch):
    refused_of_two_devices(sortie.cuda.merge, tensor(gpu, numpy.empty(0, "int64"), 0), tensor(gpu, [1, 2], 1))
    assert not gpu.calls and not torch.made
    merged = sortie.cuda.merge([tensor(gpu, numpy.empty(0, "int64"), 1), tensor(gpu, [1, 2], 1)])
    assert merged.array.tolist() == [1, 2] and merged.device.index == 1 and gpu.calls == [("merge", 1, 101)]


class Ndarray:
    """An array of CuPy."""

    def __init__(self, array, index=0):
        self.array, self.device = array, Device(index=index)
        self.shape, self.dtype, self.itemsize, self.flags = array.shape, array.dtype, array.itemsize, array.flags
        self.data = types.SimpleNamespace(ptr=array.ctypes.data)


@pytest.fixture
def cupy(gpu, monkeypatch):
    """Its current stream is 200 and the number of the current device."""
    module = types.SimpleNamespace(
        ndarray=Ndarray, empty=lambda shape, dtype: Ndarray(gpu.array(numpy.empty(shape, dtype), Device.current),
                                                            Device.current),
        cuda=types.SimpleNamespace(
            Device=lambda index: Device(index=index),
            get_current_stream=lambda: types.SimpleNamespace(ptr=200 + Device.current)))
    monkeypatch.setitem(sys.modules, "cupy", module)
    return module


def test_arrays_of_cupy_come_back_as_such(gpu, cupy):
    x = Ndarray(gpu.array([3, 1, 2], 1), 1)
    assert sortie.cuda.sort(x).array.tolist() == [1, 2, 3]
    result = sortie.cuda.argsort(x)
    assert type(result) is Ndarray and result.array.tolist() == [1, 2, 0] and result.device.id == 1
    assert gpu.calls == [("sort", 1, 201), ("argsort", 1, 201)] and not gpu.memories and Device.current == 0
    assert refusal(sortie.cuda.sort, Ndarray(gpu.array([1, 2, 3, 4])[::2])).endswith(": pass cupy.ascontiguousarray(x)")
    assert refusal(sortie.cuda.sort, x, stream=3).endswith("make the stream current by a stream of CuPy by `with`")


def test_arrays_of_cupy_without_items_on_another_device_are_refused(gpu, cupy):
    none, x = gpu.array(numpy.empty(0, "int64")), gpu.array([1, 2], 1)
    refused_of_two_devices(sortie.cuda.merge, Ndarray(none), Ndarray(x, 1))
    assert not gpu.calls
    assert sortie.cuda.merge([Ndarray(none, 1), Ndarray(x, 1)]).device.id == 1 and gpu.calls == [("merge", 1, 201)]


class Array(Exchanged):
    """An array of JAX."""


class Tracer(Array):
    pass


def test_arrays_of_jax_go_and_come_by_dlpack(gpu, monkeypatch):
    exchange = types.ModuleType("jax.dlpack")
    exchange.from_dlpack = lambda array: Array(array.__dlpack__(stream=33).array)
    monkeypatch.setitem(sys.modules, "jax", types.SimpleNamespace(Array=Array,
                                                                  core=types.SimpleNamespace(Tracer=Tracer)))
    monkeypatch.setitem(sys.modules, "jax.dlpack", exchange)
    x = Array(gpu.array([3, 1, 2]))
    result = sortie.cuda.sort(x)
    assert type(result) is Array and result.array.tolist() == [1, 2, 3] and x.array.tolist() == [3, 1, 2]
    assert x.streams == [1] and gpu.waits == [(33, 1)] and gpu.synchronized == [1]
    assert refusal(sortie.cuda.sort, x, out=x).startswith("out cannot be changed: arrays of JAX")
    assert refusal(sortie.cuda.sort, Tracer(x.array)).startswith("x is traced by jax.jit()")
    x.is_deleted = lambda: True
    assert refusal(sortie.cuda.sort, x).startswith("x was deleted, or donated ")


def test_arrays_of_jax_that_have_no_numbers_are_refused(gpu, monkeypatch):
    class RandomKeys:
        dtype, shape = "key<fry>", (2,)

    class Nibbles(RandomKeys, Array):
        def __dlpack__(self, *, stream=None):
            raise RuntimeError("UNIMPLEMENTED: XLA type S4 has no DLPack equivalent")

    monkeypatch.setitem(sys.modules, "jax", types.SimpleNamespace(Array=RandomKeys))
    for dim in (-1, 0):
        assert refusal(sortie.cuda.sort, RandomKeys(), dim=dim).startswith("x is an array of key<fry>, which are no ")
    assert "XLA type S4 has no DLPack equivalent" in refusal(sortie.cuda.sort, Nibbles(gpu.array([1])))


def test_arrays_of_numba_come_back_as_such(gpu, monkeypatch):
    numba = types.ModuleType("numba.cuda")
    numba.as_cuda_array = lambda array, sync: ("of numba", array.__cuda_array_interface__["stream"], sync)
    monkeypatch.setitem(sys.modules, "numba.cuda", numba)
    kind = type("DeviceNDArray", (Interface,), {"__module__": "numba.cuda.cudadrv.devicearray"})
    assert sortie.cuda.sort(kind(gpu.array([2, 1]), stream=5)) == ("of numba", 5, False)


def test_no_library_is_imported(gpu):
    before = set(sys.modules)
    sortie.cuda.sort(Interface(gpu.array([2, 1])))
    assert not {name for name in set(sys.modules) - before if not name.startswith("numpy")}
