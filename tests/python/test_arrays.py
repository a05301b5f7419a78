"""Arrays against NumPy: values, order of equal ones, places, and what is refused."""

import array as array_module
import threading

import numpy as np
import pytest

import sortie

TYPES = ["int32", "uint32", "int64", "uint64", "float32", "float64"]
SIZES = [0, 1, 2, 1000, 1_000_000]


def random_array(type_name, size, kind="uniform", seed=7):
    generator = np.random.default_rng(seed)
    if kind == "few":
        return generator.integers(0, 17, size).astype(type_name)
    if kind == "skewed":
        return (generator.standard_exponential(size) ** 8).clip(0, 1e9).astype(type_name)
    if type_name.startswith("float"):
        return (generator.standard_normal(size) * 1e6).astype(type_name)
    limits = np.iinfo(type_name)
    return generator.integers(limits.min, limits.max, size, type_name, endpoint=True)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("type_name", TYPES)
def test_sorts_as_numpy_does(type_name, size):
    for kind in ("uniform", "few", "skewed"):
        numbers = random_array(type_name, size, kind)
        before = numbers.copy()
        result = sortie.sort(numbers)
        assert result.dtype == numbers.dtype
        np.testing.assert_array_equal(result, np.sort(numbers))
        np.testing.assert_array_equal(sortie.sort(numbers, descending=True), np.sort(numbers)[::-1])
        np.testing.assert_array_equal(numbers, before)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("type_name", TYPES)
def test_argsort_is_stable_as_numpy_is(type_name, size):
    for kind in ("uniform", "few", "skewed"):
        numbers = random_array(type_name, size, kind)
        indexes = sortie.argsort(numbers)
        assert indexes.dtype == np.int64
        np.testing.assert_array_equal(indexes, np.argsort(numbers, kind="stable"))
        # Reversed twice, equal numbers keep their order.
        falling = size - 1 - np.argsort(numbers[::-1], kind="stable")[::-1]
        np.testing.assert_array_equal(sortie.argsort(numbers, descending=True, threads=2), falling)


@pytest.mark.parametrize("make", [
    lambda n: np.zeros(n, "int64"), lambda n: np.arange(n), lambda n: np.arange(n)[::-1].copy(),
    # Values that a deal by the range of all of them cannot tell apart.
    lambda n: np.where(np.arange(n) % 1000 == 0, 2**62, np.arange(n) * 7919 % 1009),
    lambda n: (np.arange(n) * 7919 % 1009) << 50, lambda n: np.repeat(np.arange(n // 10) % 999, 10)])
def test_argsort_of_hostile_orders(make):
    numbers = make(500_000)
    np.testing.assert_array_equal(sortie.argsort(numbers), np.argsort(numbers, kind="stable"))
    np.testing.assert_array_equal(sortie.sort(numbers), np.sort(numbers))


@pytest.mark.parametrize("type_name", ["float32", "float64"])
def test_floats_are_in_total_order(type_name):
    bits = "uint32" if type_name == "float32" else "uint64"
    nan = np.array(np.nan, type_name)
    expected = np.array([-nan, -np.inf, -1, -0.0, 0.0, 1, np.inf, nan], type_name)
    for shuffle in range(5):
        order = np.random.default_rng(shuffle).permutation(len(expected))
        numbers = expected[order]
        np.testing.assert_array_equal(sortie.sort(numbers).view(bits), expected.view(bits))
        np.testing.assert_array_equal(sortie.argsort(numbers), np.argsort(order))
        np.testing.assert_array_equal(sortie.sort(numbers, descending=True).view(bits), expected[::-1].view(bits))
    assert np.isnan(sortie.sort(np.array([np.nan, 1], type_name))[-1])


def test_out_takes_the_result():
    numbers = random_array("int64", 1000)
    out = np.empty_like(numbers)
    assert sortie.sort(numbers, out=out) is out
    np.testing.assert_array_equal(out, np.sort(numbers))
    indexes = np.empty(1000, "int64")
    assert sortie.argsort(numbers, out=indexes) is indexes
    np.testing.assert_array_equal(numbers[indexes], out)
    expected = np.sort(numbers)
    assert sortie.sort(numbers, out=numbers) is numbers
    np.testing.assert_array_equal(numbers, expected)


def test_whatever_has_the_buffer_protocol_is_an_array():
    numbers = array_module.array("q", [3, 1, 2])
    assert sortie.sort(numbers).tolist() == [1, 2, 3]
    assert sortie.argsort(memoryview(numbers)).tolist() == [1, 2, 0]
    sortie.sort(numbers, out=numbers, descending=True)
    assert numbers.tolist() == [3, 2, 1]
    assert sortie.sort(numbers, memory="1MB").tolist() == [1, 2, 3]


class OnlyDLPack:
    """An array that has nothing else."""

    def __init__(self, numbers):
        self._numbers = numbers

    def __dlpack__(self, **options):
        return self._numbers.__dlpack__(**options)

    def __dlpack_device__(self):
        return self._numbers.__dlpack_device__()


def test_whatever_has_dlpack_is_an_array():
    numbers = np.array([3.5, 1.5, 2.5])
    assert sortie.sort(OnlyDLPack(numbers)).tolist() == [1.5, 2.5, 3.5]
    assert sortie.argsort(OnlyDLPack(numbers)).tolist() == [1, 2, 0]
    assert sortie.sort(OnlyDLPack(numbers), memory="1MB").tolist() == [1.5, 2.5, 3.5]
    out = OnlyDLPack(numbers)
    assert sortie.sort(numbers, out=out) is out
    assert numbers.tolist() == [1.5, 2.5, 3.5]


def test_an_object_that_is_no_array_is_refused():
    for thing in ([2, 1], "text", 3, None):
        with pytest.raises(TypeError, match="array"):
            sortie.sort(thing)


@pytest.mark.parametrize("item", [np.int64(1), np.int8(1), np.float16(1), np.datetime64(1, "s"), b"0123456789"])
@pytest.mark.parametrize("function", [sortie.sort, sortie.argsort])
def test_more_than_memory_holds_is_a_memory_error(function, item):
    with pytest.raises(MemoryError, match="pass a shorter array") as caught:
        function(np.broadcast_to(np.array(item), 10 ** 15))
    assert isinstance(caught.value, sortie.Error) and caught.value.remedy == "more_memory"


def test_what_is_refused_takes_no_memory_before():
    with pytest.raises(TypeError, match="complex64"):
        sortie.sort(np.broadcast_to(np.complex64(1), 10 ** 15))


def test_outs_that_do_not_suit_are_refused():
    numbers = np.arange(12)
    read_only = np.arange(12)
    read_only.flags.writeable = False
    for options in ({}, {"memory": "1MB"}):
        with pytest.raises(ValueError, match="read-only"):
            sortie.sort(numbers, out=read_only, **options)
        with pytest.raises(ValueError, match="room for 3"):
            sortie.sort(numbers, out=np.empty(3, "int64"), **options)
        with pytest.raises(TypeError, match="out is an array of float64"):
            sortie.sort(numbers, out=np.empty(12), **options)
        with pytest.raises(ValueError, match="^array and out overlap: let them be the same memory, or apart$"):
            sortie.sort(numbers[:6], out=numbers[3:9], **options)
        with pytest.raises(ValueError, match="^array and out overlap"):
            sortie.sort(numbers[:6], out=numbers[::2], **options)
        with pytest.raises(ValueError, match=r"^out is of shape \(3, 4\), and the result of \(12,\)$"):
            sortie.sort(numbers, out=np.empty((3, 4), "int64"), **options)
    with pytest.raises(TypeError, match="indexes are int64"):
        sortie.argsort(numbers, out=np.empty(12, "uint64"))
    with pytest.raises(ValueError, match="^array and out overlap: let them be apart$"):
        sortie.argsort(numbers, out=numbers)
    np.testing.assert_array_equal(numbers, np.arange(12))


def test_every_second_number_may_be_sorted_into_the_others():
    numbers = np.arange(12)[::-1].copy()
    sortie.sort(numbers[::2], out=numbers[1::2])
    assert numbers.tolist() == [11, 1, 9, 3, 7, 5, 5, 7, 3, 9, 1, 11]


def test_indexes_are_not_written_over_the_bytes_of_the_file_that_they_are_made_of(tmp_path):
    np.arange(24)[::-1].tofile(tmp_path / "numbers")
    whole = np.memmap(tmp_path / "numbers", "i8", "r")
    again = np.memmap(tmp_path / "numbers", "i8", "r+")
    for array, out in ((whole, again), (whole[:12], again[11:23]), (whole[12:], again[12:])):
        with pytest.raises(ValueError, match="mapped from the same bytes of a file"):
            sortie.argsort(array, out=out)
    sortie.argsort(whole[:12], out=np.memmap(tmp_path / "numbers", "i8", "r+", offset=96))
    assert whole.tolist() == [*range(23, 11, -1), *range(11, -1, -1)]


def test_other_arguments_are_refused():
    with pytest.raises(TypeError, match="unexpected keyword argument 'keys'"):
        sortie.sort(np.arange(3), keys="1")
    with pytest.raises(TypeError, match="descending must be True or False"):
        sortie.sort(np.arange(3), descending=1)
    with pytest.raises(TypeError, match="order is for structured arrays"):
        sortie.sort(np.arange(3), order="a")
    with pytest.raises(sortie.Error, match="invalid value 'tpu' for engine"):
        sortie.sort(np.arange(3), engine="tpu")


@pytest.mark.parametrize("options", [{"devices": 0}, {"device_memory": "1G"}])
def test_what_only_a_gpu_uses_is_refused_beside_the_cpu(options):
    with pytest.raises(sortie.ArgumentError, match=f'engine="cpu" and {next(iter(options))} are incompatible'):
        sortie.sort(np.arange(3), engine="cpu", **options)


@pytest.mark.parametrize("type_name", ["int32", "uint64", "float32", "float64"])
@pytest.mark.parametrize("size", [2, 1000, 300_000])
def test_arrays_in_order_or_reversed(type_name, size):
    ascending = (np.arange(size) - (0 if type_name == "uint64" else size // 2)).astype(type_name)
    for numbers in (ascending, ascending[::-1].copy()):
        for descending in (False, True):
            expected = ascending[::-1] if descending else ascending
            assert np.array_equal(sortie.sort(numbers, descending=descending), expected)
            out = numbers.copy()
            sortie.sort(out, out=out, descending=descending)
            assert np.array_equal(out, expected)
            assert np.array_equal(numbers[sortie.argsort(numbers, descending=descending)], expected)


def test_sorts_run_in_several_threads():
    arrays = [random_array("int64", 500_000, seed=seed) for seed in range(4)]
    results = [None] * 4

    def work(i):
        results[i] = sortie.sort(arrays[i]), sortie.argsort(arrays[i])
    threads = [threading.Thread(target=work, args=[i]) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for numbers, (in_order, indexes) in zip(arrays, results):
        np.testing.assert_array_equal(in_order, np.sort(numbers))
        np.testing.assert_array_equal(indexes, np.argsort(numbers, kind="stable"))


def test_numpy_is_not_needed_for_an_out(run_python):
    told = run_python("""
import sys
sys.modules["numpy"] = None
import array, sortie
numbers = array.array("i", [3, 1, 2])
indexes = array.array("q", [0, 0, 0])
assert sortie.argsort(numbers, out=indexes) is indexes
assert indexes.tolist() == [1, 2, 0]
sortie.sort(numbers, out=numbers)
assert numbers.tolist() == [1, 2, 3]
letters = bytearray(b"sortie")
assert sortie.sort(letters, out=letters) == b"eiorst"
try:
    sortie.sort(numbers)
except ImportError as error:
    assert isinstance(error, sortie.MissingModuleError) and isinstance(error, sortie.Error)
    print(error)
try:
    sortie.sort(numbers, out=numbers[:1])
except ValueError as error:
    print(error)
""")
    assert told.returncode == 0, told.stderr
    assert "pass out=" in told.stdout
    assert told.stdout.endswith("out has room for 1 number, and array has 3\n")


def test_arrays_of_ctypes_are_sorted(run_python):
    told = run_python("""
import ctypes, sortie
numbers = (ctypes.c_int64 * 3)(3, 2, 1)
assert sortie.sort(numbers).tolist() == [1, 2, 3]
assert sortie.argsort(numbers).tolist() == [2, 1, 0]
sortie.sort(numbers, out=numbers)
assert list(numbers) == [1, 2, 3]
""")
    assert told.returncode == 0, told.stderr


def test_masked_arrays_are_refused():
    for function in (sortie.sort, sortie.argsort):
        with pytest.raises(TypeError, match="compressed"):
            function(np.ma.array([3, 1, 2], mask=[0, 1, 0]))
