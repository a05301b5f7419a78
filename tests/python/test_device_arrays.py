"""sortie.cuda with a stand-in for the GPU: what it makes of arrays with `__cuda_array_interface__` and DLPack, by what
streams, and what it refuses. tests/gpu/python_cuda runs it on a GPU."""

import itertools
import pathlib
import types

import pytest

numpy = pytest.importorskip("numpy", reason="numpy is not installed (every test of this file)")

import sortie  # noqa: E402
import sortie.cuda  # noqa: E402
from sortie import _native  # noqa: E402
from device_stand_in import (SET_OPERATIONS, Exchanged, Interface, kept_of, order_of, order_of_bare_keys,  # noqa: E402
                             stand_in, string_order, values_of)

TYPES = ("uint8", "int8", "uint16", "int16", "float16", "uint32", "int32", "float32", "uint64", "int64", "float64")
COUNTS = (0, 1, 2, 100)


@pytest.fixture
def gpu():
    with stand_in() as native:
        yield native


def numbers(dtype, count, seed=1):
    """Few values, so that many are equal."""
    values = numpy.random.default_rng(seed).integers(0, 40, count)
    return (values - (20 if dtype[0] != "u" else 0)).astype(dtype)


def same(result, expected):
    got = values_of(result)
    assert got.dtype == expected.dtype and got.tobytes() == expected.tobytes()


@pytest.mark.parametrize("dtype, count, descending", list(itertools.product(TYPES, COUNTS, (False, True))))
def test_every_type_is_sorted_with_its_positions(gpu, dtype, count, descending):
    values = numbers(dtype, count)
    x = Interface(gpu.array(values))
    order = order_of(values, descending)
    same(sortie.cuda.sort(x, descending=descending), values[order])
    same(sortie.cuda.argsort(x, descending=descending), order)
    in_order, indices = sortie.cuda.sort_with_indices(x, descending=descending)
    same(in_order, values[order])
    same(indices, order)
    assert x.array.tobytes() == values.tobytes()


FLOATS = ("float16", "float32", "float64")


def floats(dtype, count, seed=5):
    """Few values, with both zeros, infinities, and NaNs of either sign with other bits."""
    random = numpy.random.default_rng(seed)
    values = random.integers(-3, 4, count).astype(dtype)
    values[random.random(count) < 0.3] = numpy.nan
    values[random.random(count) < 0.1] = numpy.inf
    values[random.random(count) < 0.2] = 0
    bits = values.view(f"u{values.itemsize}")
    bits |= (random.integers(0, 2, count) << (8 * values.itemsize - 1)).astype(bits.dtype)
    bits[numpy.isnan(values)] |= random.integers(0, 4, int(numpy.isnan(values).sum())).astype(bits.dtype)
    return values


@pytest.mark.parametrize("dtype, descending, float_order",
                         list(itertools.product(FLOATS, (False, True), ("value", "total"))))
def test_floats_are_ordered_by_value_or_totally(gpu, dtype, descending, float_order):
    values, others = floats(dtype, 200), numpy.arange(200)
    by_value, options = float_order == "value", {"descending": descending, "float_order": float_order}
    x, order = Interface(gpu.array(values)), order_of(values, descending, by_value)
    if by_value:
        assert numpy.isnan(values[order][:5] if descending else values[order][-5:]).all()
    same(sortie.cuda.sort(x, **options), values[order_of_bare_keys(values, descending, by_value)])
    same(sortie.cuda.argsort(x, **options), order)
    both = sortie.cuda.sort_with_indices(x, **options)
    same(both.values, values[order])
    same(both.indices, order)
    pairs = sortie.cuda.sort_pairs(x, Interface(gpu.array(others)), **options)
    same(pairs.keys, values[order])
    same(pairs.values, others[order])
    rows = sortie.cuda.segmented_sort(x, Interface(gpu.array([0, 200])), **options)
    same(rows, values[order])
    same(sortie.cuda.lexsort([x], **options), order)
    top = sortie.cuda.top_k(x, 50, largest=descending, float_order=float_order)
    same(top.values, values[order[:50]])
    same(top.indices, order[:50])
    parts = [values[:70], values[70:]]
    parts = [Interface(gpu.array(part[order_of(part, descending, by_value)])) for part in parts]
    both = numpy.concatenate([part.array for part in parts])
    merged_order = (order_of_bare_keys if dtype == "float16" else order_of)(both, descending, by_value)
    same(sortie.cuda.merge(parts, **options), both[merged_order])


def test_floats_are_ordered_by_value_unless_told_otherwise(gpu):
    x = Interface(gpu.array(numpy.array([1, -numpy.nan, -1])))
    assert numpy.isnan(values_of(sortie.cuda.sort(x))[2]) and values_of(sortie.cuda.argsort(x)).tolist() == [2, 0, 1]
    assert values_of(sortie.cuda.argsort(x, float_order="total")).tolist() == [1, 2, 0]
    for function in (sortie.cuda.sort, sortie.cuda.argsort, sortie.cuda.sort_with_indices,
                     lambda x, **options: sortie.cuda.sort_pairs(x, x, **options),
                     lambda x, **options: sortie.cuda.lexsort([x], **options),
                     lambda x, **options: sortie.cuda.merge([x], **options),
                     lambda x, **options: sortie.cuda.segmented_sort(x, x, **options),
                     lambda x, **options: sortie.cuda.top_k(x, 1, **options)):
        assert refusal(function, x, float_order="ieee") == "float_order is 'ieee': pass 'value' or 'total'"


@pytest.mark.parametrize("dtype", ["uint8", "float32", "int64"])
@pytest.mark.parametrize("shape, dim", [((6, 7), -1), ((6, 7), 1), ((2, 3, 4), 2), ((0, 5), -1), ((5, 0), 1),
                                        ((1, 9), -1), ((9, 1), -1)])
def test_rows_are_sorted_along_the_last_dimension(gpu, dtype, shape, dim):
    values = numbers(dtype, int(numpy.prod(shape))).reshape(shape)
    x = Interface(gpu.array(values))
    for descending in (False, True):
        order = numpy.empty(shape, "int64")
        for row in numpy.ndindex(shape[:-1]):
            order[row] = order_of(values[row], descending)
        wanted = numpy.take_along_axis(values, order, -1)
        same(sortie.cuda.sort(x, dim=dim, descending=descending), wanted)
        same(sortie.cuda.argsort(x, dim=dim, descending=descending), order)
        both = sortie.cuda.sort_with_indices(x, dim=dim, descending=descending)
        same(both.values, wanted)
        same(both.indices, order)
        out = Interface(gpu.array(values))
        assert sortie.cuda.sort(out, dim=dim, descending=descending, out=out) is out
        assert out.array.tolist() == wanted.tolist()
    assert x.array.tobytes() == values.tobytes()


def test_dimensions_that_are_none_or_not_the_last_are_refused(gpu):
    x = Interface(gpu.array([[2, 1], [4, 3]]))
    for function in (sortie.cuda.sort, sortie.cuda.argsort, sortie.cuda.sort_with_indices):
        assert refusal(function, x, dim=2) == "dim is 2, and x has 2 dimensions: pass a number from -2 to 1"
        assert refusal(function, x, dim="row") == "dim must be an int, not str"
        assert refusal(function, x, dim=0) == (
            "dim is 0, and items of arrays of a library that is not known are sorted along their last dimension: pass "
            "a copy of x with that dimension as the last one")
    assert refusal(sortie.cuda.sort, x, dim=0, out=x) == (
        "dim is 0, and out takes what is sorted along the last dimension: leave out `out`")
    assert refusal(sortie.cuda.top_k, x, 1) == (
        "x has 2 dimensions, and this takes arrays of one: pass it flat, or a row at a time")
    assert not gpu.calls


@pytest.mark.parametrize("kind", [list, tuple, dict])
def test_columns_of_a_table_go_with_their_keys(gpu, kind):
    keys, columns = numbers("float32", 100), [numpy.arange(100, dtype="int16").reshape(50, 2).repeat(2, 0),
                                              numpy.arange(100, dtype="float64"), numbers("uint8", 100, 3)]
    arrays = [Interface(gpu.array(column)) for column in columns]
    values = {f"c{i}": array for i, array in enumerate(arrays)} if kind is dict else kind(arrays)
    for descending in (False, True):
        order = order_of(keys, descending)
        result = sortie.cuda.sort_pairs(Interface(gpu.array(keys)), values, descending=descending)
        same(result.keys, keys[order])
        assert type(result.values) is (dict if kind is dict else tuple)
        assert kind is not dict or list(result.values) == ["c0", "c1", "c2"]
        for got, column in zip(result.values.values() if kind is dict else result.values, columns):
            same(got, column[order])
    none = sortie.cuda.sort_pairs(Interface(gpu.array(keys[:0])), [Interface(gpu.array(columns[0][:0]))])
    assert none.keys.shape == (0,) and none.values[0].shape == (0, 2)


def test_columns_that_cannot_go_with_their_keys_are_refused(gpu):
    x = Interface(gpu.array([2, 1]))
    assert refusal(sortie.cuda.sort_pairs, x, []) == "values is empty: pass one array or more, or call sort()"
    assert refusal(sortie.cuda.sort_pairs, x, {"a": Interface(gpu.array([1]))}) == (
        "values['a'] has 1 items, and keys has 2: pass a value for each key")
    assert refusal(sortie.cuda.sort_pairs, x, [x, 3]).startswith("values[1] must be an array in the memory of a GPU")
    assert not gpu.calls


def test_bools_are_sorted(gpu):
    x = Interface(gpu.array([True, False, True, False]))
    result = sortie.cuda.sort(x)
    assert result.dtype == "bool" and values_of(result).tolist() == [False, False, True, True]


def test_named_results_are_those_of_torch(gpu):
    result = sortie.cuda.sort_with_indices(Interface(gpu.array([3, 1, 2])))
    assert result._fields == ("values", "indices")
    assert sortie.cuda.top_k(Interface(gpu.array([3, 1, 2])), 1)._fields == ("values", "indices")


@pytest.mark.parametrize("values", [numpy.arange(100, dtype="int64"), numpy.arange(100) + 1j,
                                    numpy.arange(300, dtype="int16").reshape(100, 3), numpy.arange(100, dtype="uint8")])
def test_values_of_any_type_and_rows_go_with_their_keys(gpu, values):
    keys = numbers("float32", 100)
    order = order_of(keys, True)
    result = sortie.cuda.sort_pairs(Interface(gpu.array(keys)), Interface(gpu.array(values)), descending=True)
    same(result.keys, keys[order])
    same(result.values, values[order])


@pytest.mark.parametrize("dtype", ["int8", "float64"])
@pytest.mark.parametrize("counts", [(5,), (0, 0), (3, 0, 7), tuple(range(20))])
def test_lists_are_merged(gpu, dtype, counts):
    lists = [numpy.sort(numbers(dtype, count, seed)) for seed, count in enumerate(counts)]
    values = [numpy.arange(len(keys)) + 100 * i for i, keys in enumerate(lists)]
    all_keys, all_values = numpy.concatenate(lists), numpy.concatenate(values)
    order = order_of(all_keys, False)
    arrays = [Interface(gpu.array(keys)) for keys in lists]
    same(sortie.cuda.merge(arrays), all_keys[order])
    merged = sortie.cuda.merge(arrays, [Interface(gpu.array(each)) for each in values])
    same(merged.keys, all_keys[order])
    same(merged.values, all_values[order])


@pytest.mark.parametrize("dtype", ["uint8", "float16", "int64"])
@pytest.mark.parametrize("counts", [(0, 0), (0, 7), (40, 0), (60, 50)])
@pytest.mark.parametrize("operation", SET_OPERATIONS)
def test_sorted_arrays_are_combined_as_sets(gpu, dtype, counts, operation):
    for descending in (False, True):
        a, b = (numbers(dtype, count, seed) for seed, count in enumerate(counts, 1))
        a, b = a[order_of(a, descending)], b[order_of(b, descending)]
        kept = kept_of(operation, a, b, descending)
        x, y = Interface(gpu.array(a)), Interface(gpu.array(b))
        same(getattr(sortie.cuda, operation)(x, y, descending=descending), numpy.concatenate([a, b])[kept])
        rows = [sign * numpy.arange(2 * len(each), dtype="int16").reshape(-1, 2) for sign, each in ((1, a), (-1, b))]
        arrays = [Interface(gpu.array(each)) for each in rows]
        both = getattr(sortie.cuda, operation)(x, y, arrays, descending=descending)
        same(both.keys, numpy.concatenate([a, b])[kept])
        same(both.values, numpy.concatenate(rows)[kept])


@pytest.mark.parametrize("operation, of_numpy", [("union", "union1d"), ("intersection", "intersect1d"),
                                                 ("difference", "setdiff1d"), ("symmetric_difference", "setxor1d")])
def test_sets_of_unique_items_are_those_of_numpy(gpu, operation, of_numpy):
    a, b = numbers("int32", 60), numbers("int32", 15, 2)
    x, y = (sortie.cuda.unique(Interface(gpu.array(each))) for each in (a, b))
    same(getattr(sortie.cuda, operation)(x, y), getattr(numpy, of_numpy)(a, b))


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("offsets", [[0, 100], [0, 0, 1, 1, 60, 100, 100], list(range(101))])
def test_segments_are_sorted_each_by_itself(gpu, dtype, offsets):
    keys, values = numbers(dtype, 100), numpy.arange(300, dtype="int16").reshape(100, 3)
    x, bounds = Interface(gpu.array(keys)), Interface(gpu.array(numpy.array(offsets)))
    for descending in (False, True):
        order = numpy.concatenate([begin + order_of(keys[begin:end], descending)
                                   for begin, end in zip(offsets, offsets[1:])])
        same(sortie.cuda.segmented_sort(x, bounds, descending=descending), keys[order])
        both = sortie.cuda.segmented_sort(x, bounds, Interface(gpu.array(values)), descending=descending)
        same(both.keys, keys[order])
        same(both.values, values[order])
    assert x.array.tobytes() == keys.tobytes()


def test_no_items_have_no_segments(gpu):
    for offsets in ([0], [0, 0]):
        result = sortie.cuda.segmented_sort(Interface(gpu.array(numbers("int8", 0))), Interface(gpu.array(offsets)))
        same(result, numbers("int8", 0))
    assert not gpu.calls


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("k", [0, 1, 7, 100])
def test_the_first_are_selected(gpu, dtype, k):
    values = numbers(dtype, 100)
    x = Interface(gpu.array(values))
    for largest in (False, True):
        order = order_of(values, largest)[:k]
        top, indices = sortie.cuda.top_k(x, k, largest=largest)
        same(top, values[order])
        same(indices, order)


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("dtypes", [("int32",), ("float32", "uint8"),
                                    ("int64", "float64", "int8", "float16", "uint64")])
def test_rows_are_ordered_by_several_arrays_as_numpy_does(gpu, dtypes, count):
    columns = [numbers(dtype, count, seed) // 8 for seed, dtype in enumerate(dtypes)]
    arrays = [Interface(gpu.array(column)) for column in columns]
    same(sortie.cuda.lexsort(arrays), numpy.lexsort(columns))
    same(sortie.cuda.lexsort(tuple(arrays), descending=False), numpy.lexsort(columns))
    # Only rows that are equal in all arrays are in their own order, so reversed positions would not do.
    falling = [-column.astype("float64") for column in columns]
    same(sortie.cuda.lexsort(arrays, descending=True), numpy.lexsort(falling))
    mixed = [falls if i % 2 else rises for i, (rises, falls) in enumerate(zip(columns, falling))]
    same(sortie.cuda.lexsort(arrays, descending=[i % 2 == 1 for i in range(len(arrays))]), numpy.lexsort(mixed))


@pytest.mark.parametrize("keys, descending, told", [
    ([], False, "keys is empty: pass one array or more"),
    ([3, 2], False, "keys[1] has 2 items, and keys[0] has 3: pass a key of each row"),
    ([3, 3], [True], "descending has 1 items, and keys has 2: pass one for each, or one for all"),
    ([3, 3], "yes", "descending must be a bool or a list of them, not str"),
    (3, False, "keys must be a list or tuple of arrays, not int"),
])
def test_rows_that_are_none_are_refused(gpu, keys, descending, told):
    arrays = [Interface(gpu.array(numpy.arange(count))) for count in keys] if isinstance(keys, list) else keys
    with pytest.raises((sortie.ArgumentError, sortie.ArgumentTypeError)) as error:
        sortie.cuda.lexsort(arrays, descending=descending)
    assert told in str(error.value)
    assert not gpu.calls


def test_rows_and_offsets_begin_where_items_of_their_type_may(gpu):
    memory = gpu.array(numpy.zeros(64, "uint8"))
    odd = Interface(memory[1:33].view("int32"))
    with pytest.raises(sortie.ArgumentError, match=r"keys\[1\] begins at an address that is no multiple of 4: copy it"):
        sortie.cuda.lexsort([Interface(memory[:32].view("int32")), odd])
    with pytest.raises(sortie.ArgumentError, match="offsets begins at an address that is no multiple of 4: copy it"):
        sortie.cuda.argsort_strings(Interface(memory), odd)
    assert not gpu.calls


@pytest.mark.parametrize("offset_type", ["int32", "uint32", "int64", "uint64"])
@pytest.mark.parametrize("strings", [[], [b""], [b"b", b"", b"ab", b"a\0", b"a", b"\xff", b"b", b"", b"a"] * 5])
def test_strings_are_ordered_by_their_bytes(gpu, offset_type, strings):
    data = Interface(gpu.array(numpy.frombuffer(b"".join([b"--", *strings]), "uint8")))
    offsets = Interface(gpu.array(numpy.cumsum([2, *map(len, strings)]).astype(offset_type)))
    for descending in (False, True):
        order = numpy.array(string_order(strings, descending), "int64")
        same(sortie.cuda.argsort_strings(data, offsets, descending=descending), order)
    same(sortie.cuda.argsort_strings(data, Interface(gpu.array(numpy.empty(0, offset_type)))), numpy.empty(0, "int64"))


def test_strings_of_other_types_are_refused(gpu):
    data, offsets = Interface(gpu.array(numpy.arange(9, dtype="uint8"))), Interface(gpu.array(numpy.arange(3)))
    for arguments, told in (((offsets, offsets), "data is an array of int64: pass one of uint8 or int8"),
                            ((data, data), "offsets is an array of uint8: pass one of int32 or uint32 or int64 or "
                             "uint64")):
        with pytest.raises(sortie.ArgumentTypeError) as error:
            sortie.cuda.argsort_strings(*arguments)
        assert told in str(error.value)
    assert not gpu.calls


@pytest.mark.parametrize("dtype", TYPES)
def test_each_item_once(gpu, dtype):
    values = numbers(dtype, 100)
    same(sortie.cuda.unique(Interface(gpu.array(values))), numpy.unique(values))
    same(sortie.cuda.unique(Interface(gpu.array(values[:0]))), values[:0])


@pytest.mark.parametrize("values", [numpy.arange(100), numpy.arange(300, dtype="int16").reshape(100, 3)])
def test_each_item_once_has_a_value(gpu, values):
    keys = numbers("float32", 100)
    order = order_of(keys, False)
    changes = keys[order][1:] != keys[order][:-1]
    for keep, is_kept in (("first", [[True], changes]), ("last", [changes, [True]])):
        kept = order[numpy.concatenate(is_kept)]
        result = sortie.cuda.unique(Interface(gpu.array(keys)), Interface(gpu.array(values)), keep=keep)
        same(result.keys, keys[kept])
        same(result.values, values[kept])
    none = sortie.cuda.unique(Interface(gpu.array(keys[:0])), Interface(gpu.array(values[:0])))
    assert none.keys.shape == (0,) and none.values.shape == values[:0].shape


@pytest.mark.parametrize("dtype", FLOATS)
def test_floats_once_are_those_of_one_value_or_of_the_same_bits(gpu, dtype):
    values, rows = floats(dtype, 200), numpy.arange(200)
    x = Interface(gpu.array(values))
    by_value = values_of(sortie.cuda.unique(x))
    assert len(by_value) == len(numpy.unique(values)) and numpy.isnan(by_value).tolist().index(True) == len(by_value) - 1
    assert numpy.count_nonzero(by_value == 0) == 1 and numpy.signbit(by_value[by_value == 0]).all()
    bits = values.view(f"u{values.itemsize}")
    total = values_of(sortie.cuda.unique(x, float_order="total"))
    assert sorted(total.view(bits.dtype).tolist()) == numpy.unique(bits).tolist()
    for keep, of_equal in (("first", 0), ("last", -1)):
        both = sortie.cuda.unique(x, Interface(gpu.array(rows)), keep=keep)
        assert values_of(both.values)[-1] == numpy.flatnonzero(numpy.isnan(values))[of_equal]
        zero = int(numpy.flatnonzero(values_of(both.keys) == 0)[0])
        assert values_of(both.values)[zero] == numpy.flatnonzero(values == 0)[of_equal]


@pytest.mark.parametrize("float_order, sizes", [("value", (5, 2, 1, 3)), ("total", (7, 0, 3, 7))])
def test_floats_of_sets_are_equal_by_value_or_by_bits(gpu, float_order, sizes):
    nan = numpy.float32(numpy.nan)
    a = numpy.array([-0.0, 2, nan] if float_order == "value" else [-nan, -0.0, 2], "float32")
    b = numpy.array([-1, 0.0, 7, -nan] if float_order == "value" else [-1, 0.0, 7, nan], "float32")
    x, y = Interface(gpu.array(a)), Interface(gpu.array(b))
    for operation, size in zip(SET_OPERATIONS, sizes):
        kept = getattr(sortie.cuda, operation)(x, y, float_order=float_order)
        assert kept.shape == (size,), operation
    if float_order == "value":
        assert numpy.signbit(values_of(sortie.cuda.intersection(x, y))).tolist() == [True, False]  # those of x


def test_few_items_once_take_one_call_and_no_copy(gpu, monkeypatch):
    monkeypatch.setattr(gpu, "copy", None)
    x, rows = Interface(gpu.array(numbers("int32", 100))), Interface(gpu.array(numpy.arange(200).reshape(100, 2)))
    sortie.cuda.unique(x)
    assert gpu.calls == [("unique", 0, 1)] and gpu.synchronized == [1]
    assert len(gpu.memories) == 1  # the result, which has room for all, and scratch behind it
    assert sortie.cuda.unique(x, rows).values.shape == (len(numpy.unique(x.array)), 2)
    in_order = sortie.cuda.sort(x)
    assert sortie.cuda.intersection(in_order, in_order).shape == (100,)
    assert sortie.cuda.symmetric_difference(in_order, in_order).shape == (0,)
    assert gpu.synchronized == [1, 1, 1, 1]


@pytest.mark.parametrize("different, is_copied", [(30_000, False), (29_999, True), (1, True)])
def test_a_result_that_fills_little_of_its_room_is_copied(gpu, different, is_copied):
    count = 4 * 30_000
    rows = numpy.arange(3 * count).reshape(count, 3)
    keys = numpy.arange(count) % different
    result = sortie.cuda.unique(Interface(gpu.array(keys)), Interface(gpu.array(rows)))
    assert values_of(result.keys).tolist() == list(range(different))
    same(result.values, rows[:different])
    room = next(memory for memory in gpu.memories if memory.address == result.values._memory.address)
    assert room.array.nbytes == 24 * (different if is_copied else count)


def test_an_array_is_sorted_in_place_and_into_another(gpu):
    values = numbers("int32", 50)
    x, out = Interface(gpu.array(values)), Interface(gpu.array(values * 0))
    assert sortie.cuda.sort(x, out=out) is out
    assert out.array.tolist() == sorted(values) and x.array.tolist() == values.tolist()
    assert sortie.cuda.sort(x, out=x) is x
    assert x.array.tolist() == sorted(values)


def test_an_out_that_is_not_aligned_is_written(gpu):
    values = numbers("int32", 50)
    whole = gpu.array(values)
    assert sortie.cuda.sort(Interface(whole[1:]), out=(out := Interface(whole[1:]))) is out
    assert whole.tolist() == [values[0], *sorted(values[1:])]


def test_arrays_of_dlpack_are_given_back_after_they_were_read(gpu):
    values = numbers("int64", 50)
    x = Exchanged(gpu.array(values))
    result = sortie.cuda.sort(x, stream=7)
    same(result, numpy.sort(values))
    assert x.streams == [7] and gpu.synchronized == [7]


def test_what_comes_back_has_both_protocols(gpu):
    result = sortie.cuda.sort(Interface(gpu.array([2.5, 1.5], 1)), stream=9)
    assert (result.shape, result.dtype, result.device, result.stream, len(result)) == ((2,), "float64", 1, 9, 2)
    assert repr(result) == "<sortie.cuda.DeviceArray of float64, shape (2,), on GPU 1>"
    assert result.__cuda_array_interface__["stream"] == 9 and result.__dlpack_device__() == (2, 1)
    memory = gpu.memories[0]
    assert memory.is_shared
    assert result.__dlpack__(stream=4).array.tolist() == [1.5, 2.5]
    assert gpu.waits == [(4, 9)]
    result.__dlpack__(stream=-1), result.__dlpack__(stream=9)
    assert gpu.waits == [(4, 9)]
    result.__dlpack__()
    assert gpu.waits == [(4, 9), (1, 9)]
    assert sortie.cuda.sort(result, descending=True).stream == 9
    for refused in ({"copy": True}, {"dl_device": (1, 0)}):
        with pytest.raises(BufferError):
            result.__dlpack__(**refused)


def test_memory_is_shared_only_when_others_have_seen_it(gpu):
    result = sortie.cuda.sort(Interface(gpu.array(numpy.arange(5000))))
    assert [memory.is_shared for memory in gpu.memories] == [False, False]  # the result, and scratch
    result.__dlpack__()
    assert [memory.is_shared for memory in gpu.memories] == [True, False]


class CudaStream:
    def __cuda_stream__(self):
        return 0, 12


@pytest.mark.parametrize("given, told, worked_in",
                         [(None, None, 1), (None, 1, 1), (None, 5, 5), (8, None, 8), (0, None, 1),
                                                    (CudaStream(), None, 12)])
def test_work_is_queued_in_the_stream(gpu, given, told, worked_in):
    x = Interface(gpu.array([2, 1]), **({} if told is None else {"stream": told}))
    sortie.cuda.sort(x, stream=given)
    assert gpu.calls == [("sort", 0, worked_in)]
    assert all(memory.stream == worked_in for memory in gpu.memories) and not gpu.waits and not gpu.synchronized


def test_other_streams_are_waited_for_and_wait(gpu):
    x, out = Interface(gpu.array([2, 1]), stream=5), Interface(gpu.array([0, 0]), stream=6)
    sortie.cuda.sort(x, out=out)
    assert gpu.waits == [(5, 6), (6, 5)]


def test_an_array_without_items_tells_no_device_and_no_stream(gpu):
    none, x = Interface(gpu.array(numpy.empty(0, "int64")), stream=5), Interface(gpu.array([1, 2], 1), stream=6)
    same(sortie.cuda.merge([none, x]), numpy.array([1, 2]))
    assert gpu.calls == [("merge", 1, 6)] and all(memory.device == 1 for memory in gpu.memories) and not gpu.waits


def test_a_tensor_without_items_on_another_device_is_refused(gpu):
    none, x = Exchanged(gpu.array(numpy.empty(0, "int64"))), Exchanged(gpu.array([1, 2], 1), (2, 1))
    assert refusal(sortie.cuda.merge, [none, x]).startswith("arrays[1] lies on GPU 1, and other arrays on GPU 0: ")
    assert not gpu.calls


def test_work_runs_on_the_device_of_the_arrays(gpu):
    sortie.cuda.sort(Interface(gpu.array([2, 1], 3)))
    assert gpu.calls == [("sort", 3, 1)] and all(memory.device == 3 for memory in gpu.memories)


def test_without_memory_for_scratch_nothing_is_written(gpu, monkeypatch):
    def allocate(*arguments):
        raise sortie.OutOfMemoryError("the device has no memory")

    monkeypatch.setattr(gpu, "allocate", allocate)
    x, out, offsets = Interface(gpu.array([2, 1])), Interface(gpu.array([0, 0])), Interface(gpu.array([0, 2]))
    falling = numpy.arange(5000)[::-1]
    many, rows = Interface(gpu.array(falling)), Interface(gpu.array(numpy.zeros(5000, "int64")))
    calls = [lambda: sortie.cuda.sort(many, out=many), lambda: sortie.cuda.sort(many, out=rows),
             lambda: sortie.cuda.argsort(x),
             lambda: sortie.cuda.sort_with_indices(x), lambda: sortie.cuda.sort_pairs(x, out),
             lambda: sortie.cuda.segmented_sort(x, offsets, out), lambda: sortie.cuda.top_k(x, 1),
             lambda: sortie.cuda.unique(x), lambda: sortie.cuda.unique(x, out),
             lambda: sortie.cuda.merge([x, x], [out, out]),
             *(lambda name=name: getattr(sortie.cuda, name)(x, x, (out, out)) for name in SET_OPERATIONS)]
    for call in calls:
        with pytest.raises(sortie.OutOfMemoryError):
            call()
    assert (x.array.tolist(), out.array.tolist()) == ([2, 1], [0, 0]) and not gpu.calls
    assert (many.array == falling).all() and not rows.array.any()


def test_few_items_and_short_rows_take_no_scratch(gpu):
    x = Interface(gpu.array(numpy.random.default_rng(1).integers(0, 50, (3, 4096))))
    assert (values_of(sortie.cuda.argsort(x)) == numpy.argsort(x.array, 1, kind="stable")).all()
    sortie.cuda.sort_with_indices(Interface(gpu.array(x.array[0])))
    assert len(gpu.memories) == 3  # the results
    gpu.memories.clear()
    x = Interface(gpu.array(numpy.random.default_rng(1).integers(0, 50, (3, 4097))))
    assert (values_of(sortie.cuda.argsort(x)) == numpy.argsort(x.array, 1, kind="stable")).all()
    assert len(gpu.memories) == 3  # the result, the keys in order, and scratch


def test_an_array_that_is_not_aligned_as_its_type_is_copied(gpu):
    memory = gpu.array(numpy.zeros(8 * 3 + 1, "uint8"))
    memory[1:] = numpy.array([3, 1, 2]).view("uint8")
    x = Interface(memory, shape=(3,), typestr="<i8", data=(memory.ctypes.data + 1, False))
    assert values_of(sortie.cuda.sort(x)).tolist() == [1, 2, 3]
    assert values_of(sortie.cuda.argsort(x)).tolist() == [1, 2, 0]
    assert values_of(sortie.cuda.unique(x)).tolist() == [1, 2, 3]
    assert values_of(sortie.cuda.top_k(x, 2).values).tolist() == [3, 2]


REFUSED = {
    "list": (lambda gpu: [2, 1], "x must be an array in the memory of a GPU, with __cuda_array_interface__ or DLPack, "
             "not list"),
    "host": (lambda gpu: numpy.arange(3), "x lies in the memory of the host: sortie.sort() and sortie.argsort() take "
             "it there"),
    "host interface": (lambda gpu: Interface(numpy.arange(3)), "x lies in the memory of the host"),
    "scalar": (lambda gpu: Interface(gpu.array(2)), "x has 0 dimensions"),
    "strides": (lambda gpu: Interface(gpu.array([1, 2, 3, 4])[::2]),
                "x has items that do not lie side by side: pass a contig"),
    "reversed": (lambda gpu: Interface(gpu.array([1, 2])[::-1]), "x has items that do not lie side by side"),
    "complex": (lambda gpu: Interface(gpu.array([1j])),
                "x is an array of complex128, which has no order here: known are bool"),
    "other byte order": (lambda gpu: Interface(gpu.array(numpy.array([1], ">i4"))),
                         "x is an array of >i4, which has no order"),
    "struct": (lambda gpu: Interface(gpu.array([1]), typestr="|V8"), "x is an array of |V8, which has no order here"),
    "odd type": (lambda gpu: Interface(gpu.array([1]), typestr="|O"),
                 "x has items of the type '|O', which is not known"),
    "type of no bytes": (lambda gpu: Interface(gpu.array([1]), typestr="<i0"), "x has items of the type '<i0', which"),
    **{f"interface {told}": (lambda gpu, told=told: Interface(gpu.array([1]), **told),
                             "x has a __cuda_array_interface__ that is not of the protocol's form (")
       for told in ({"typestr": None}, {"data": None}, {"data": (1,)}, {"data": ("a", False)},
                    {"data": (2**64, False)}, {"shape": 3}, {"shape": ("a",)}, {"shape": (-1,)}, {"shape": (2**62,)},
                    {"shape": (0, 2**63)}, {"shape": (0, -1)}, {"strides": 8}, {"strides": (8, 8)},
                    {"stream": "s"}, {"stream": 2**64})},
    "interface that is no dict": (lambda gpu: types.SimpleNamespace(__cuda_array_interface__=3),
                                  "x has a __cuda_array_interface__ that is not of the protocol's form (TypeError: "),
    "interface of nothing": (lambda gpu: types.SimpleNamespace(__cuda_array_interface__={}),
                             "x has a __cuda_array_interface__ that is not of the protocol's form (KeyError: "),
    "mask": (lambda gpu: Interface(gpu.array([1]), mask=3), "x is masked: pass the items that are there"),
    "strided tensor": (lambda gpu: Exchanged(gpu.array([1, 2, 3, 4])[::2]), "x has items that do not lie side by side"),
    "tensor on host": (lambda gpu: Exchanged(numpy.arange(3), (1, 0)), "x lies in the memory of the host"),
}


@pytest.mark.parametrize("make, told", REFUSED.values(), ids=REFUSED.keys())
def test_what_cannot_be_sorted_is_refused_before_anything_is_done(gpu, make, told):
    for function in (sortie.cuda.sort, sortie.cuda.argsort, sortie.cuda.sort_with_indices, sortie.cuda.unique,
                     lambda x: sortie.cuda.top_k(x, 0)):
        with pytest.raises((sortie.ArgumentError, sortie.ArgumentTypeError)) as error:
            function(make(gpu))
        assert str(error.value).startswith(told)
    assert not gpu.calls and not gpu.memories


def refusal(function, *arguments, **options):
    with pytest.raises((sortie.ArgumentError, sortie.ArgumentTypeError)) as error:
        function(*arguments, **options)
    return str(error.value)


def test_an_out_that_does_not_fit_is_refused(gpu):
    x = Interface(gpu.array(numpy.arange(10, dtype="int32")))

    def told(out):
        return refusal(sortie.cuda.sort, x, out=out)

    assert told(Interface(gpu.array(numpy.arange(10)))) == "out is an array of int64, and x one of int32"
    assert told(Interface(gpu.array(numpy.arange(9, dtype="int32")))) == ("out has the shape (9,), and x (10,): pass "
                                                                          "one of the same shape")
    read_only = Interface(gpu.array(x.array), data=(x.array.ctypes.data, True))
    assert told(read_only) == "out is read-only: pass an array that may be written"
    assert told(Exchanged(gpu.array(x.array))).startswith("out cannot be changed: ")
    assert told(Interface(gpu.array(x.array, 1))) == ("out lies on GPU 1, and other arrays on GPU 0: copy them to one "
                                                      "GPU")
    whole = gpu.array(numpy.arange(11, dtype="int32"))
    assert refusal(sortie.cuda.sort, Interface(whole[:10]), out=Interface(whole[1:])).startswith("x and out overlap")


FLAGS = {
    "sort": lambda x, flag: sortie.cuda.sort(x, out=x, descending=flag),
    "argsort": lambda x, flag: sortie.cuda.argsort(x, descending=flag),
    "sort_with_indices": lambda x, flag: sortie.cuda.sort_with_indices(x, descending=flag),
    "sort_pairs": lambda x, flag: sortie.cuda.sort_pairs(x, x, descending=flag),
    "segmented_sort": lambda x, flag: sortie.cuda.segmented_sort(x, x, descending=flag),
    "merge": lambda x, flag: sortie.cuda.merge([x], descending=flag),
    **{name: lambda x, flag, name=name: getattr(sortie.cuda, name)(x, x, descending=flag) for name in SET_OPERATIONS},
    "argsort_strings": lambda x, flag: sortie.cuda.argsort_strings(x, x, descending=flag),
    "lexsort": lambda x, flag: sortie.cuda.lexsort([x], descending=[flag]),
    "top_k": lambda x, flag: sortie.cuda.top_k(x, 1, largest=flag),
}


@pytest.mark.parametrize("name", FLAGS)
def test_flags_that_are_no_bools_are_refused_before_anything_is_done(gpu, name):
    x = Interface(gpu.array([2, 1, 3]))
    argument = {"top_k": "largest", "lexsort": "descending[0]"}.get(name, "descending")
    for flag in (1, "no", None, numpy.array([True])):
        with pytest.raises(sortie.ArgumentTypeError) as error:
            FLAGS[name](x, flag)
        assert str(error.value) == f"{argument} must be True or False, not {type(flag).__name__}"
    assert x.array.tolist() == [2, 1, 3] and not gpu.calls and not gpu.memories


def test_flags_may_be_those_of_numpy(gpu):
    x, yes = Interface(gpu.array([2, 1, 3])), numpy.bool_(True)
    same(sortie.cuda.sort(x, descending=yes), numpy.array([3, 2, 1]))
    same(sortie.cuda.argsort(x, descending=yes), numpy.array([2, 0, 1]))
    same(sortie.cuda.top_k(x, 1, largest=numpy.bool_(False)).values, numpy.array([1]))
    for flags in (yes, [yes]):
        same(sortie.cuda.lexsort([x], descending=flags), numpy.array([2, 0, 1]))


def test_keys_and_values_that_do_not_fit_are_refused(gpu):
    def one(values):
        return Interface(gpu.array(values))

    x = one([1, 2])
    assert refusal(sortie.cuda.sort_pairs, x,
                   one([1])) == "values has 1 items, and keys has 2: pass a value for each key"
    assert refusal(sortie.cuda.merge, []) == "arrays is empty: pass one array or more"
    assert refusal(sortie.cuda.merge, x) == "arrays must be a list or tuple of arrays, not Interface"
    assert refusal(sortie.cuda.merge, [x, one([1.5])]) == ("arrays[1] is an array of float64, and arrays[0] one of "
                                                           "int64: convert one of them")
    assert refusal(sortie.cuda.merge, [x, x], [x]) == "values has 1 arrays, and arrays has 2: pass values for each"
    assert refusal(sortie.cuda.merge, [x, x], [x, one([1])]).startswith("values[1] has 1 items, and arrays[1] has 2")
    assert refusal(sortie.cuda.merge, [x, x], [x, one([[1], [2]])]).startswith("values[1] has rows of the shape (1,)")
    for name in SET_OPERATIONS:
        combine = getattr(sortie.cuda, name)
        assert refusal(combine, x, one([1.5])) == "b is an array of float64, and a one of int64: convert one of them"
        assert refusal(combine, x, x, [x]) == "values has 1 arrays: pass two, one for a and one for b"
        assert refusal(combine, x, x, [x, one([1])]) == "values[1] has 1 items, and b has 2: pass a value for each key"
        assert refusal(combine, x, one([[1]])).startswith("b has 2 dimensions")
    told = "offsets has 1 items, and keys has 2: pass the beginning of each segment, and the end of the last one"
    assert refusal(sortie.cuda.segmented_sort, x, one([0])) == told
    segmented_sort = sortie.cuda.segmented_sort
    assert refusal(segmented_sort, x, one(numpy.array([0, 2], "int32"))) == ("offsets is an array of int32: convert "
                                                                             "it to int64")
    assert refusal(segmented_sort, x, one([0, 2]), one([1])).startswith("values has 1 items, and keys has 2")
    assert refusal(segmented_sort, x, numpy.array([0, 2])).startswith("offsets lies in the memory of the host")
    assert refusal(sortie.cuda.unique, x, keep="any") == "keep is 'any': pass 'first' or 'last'"
    assert refusal(sortie.cuda.unique, x, one([1])) == "values has 1 items, and x has 2: pass a value for each key"
    assert refusal(sortie.cuda.top_k, x, 3) == "k is 3, and x has 2 items: pass a number from 0 to 2"
    assert refusal(sortie.cuda.top_k, x, -1).startswith("k is -1, and ")
    for k in (1.5, None, "a"):
        assert refusal(sortie.cuda.top_k, x, k) == f"k must be an int, not {type(k).__name__}"
    told = "values is empty: leave it out, or pass an array for each array of keys"
    assert refusal(sortie.cuda.merge, [x, x], []) == told and refusal(sortie.cuda.union, x, x, ()) == told
    assert refusal(sortie.cuda.sort, x, stream="s") == ("stream must be an int, a cudaStream_t, or have "
                                                        "__cuda_stream__, not str")
    for number in (-1, 2**64, 2**70):
        assert refusal(sortie.cuda.sort, x, stream=number) == f"stream is {number}, which is no cudaStream_t"
    for told in ((0,), (0, None), 3, lambda: (0,), lambda: None, lambda version: (0, 12)):
        stream = types.SimpleNamespace(__cuda_stream__=told)
        assert refusal(sortie.cuda.sort, x, stream=stream) == (
            "stream has a __cuda_stream__ that gives no pair of a version and a cudaStream_t")


def empty_tensor():
    """A real one of DLPack, which needs no GPU: it has no items."""
    return _native.device.capsule(_native.device.allocate(3, 1, 0), [0, 5], 2, 32)


def test_tensors_go_out_and_come_in():
    tensor = _native.device.tensor(empty_tensor())
    assert (tensor.address, tensor.shape, tensor.code, tensor.bits) == (0, [0, 5], 2, 32)
    assert tensor.strides == [5, 1]
    assert (tensor.device_type, tensor.device) == (2, 3)
    empty_tensor()  # nobody takes it over
    taken_over = empty_tensor()
    _native.device.tensor(taken_over)
    for other in (taken_over, 3):
        with pytest.raises(sortie.ArgumentTypeError, match="^the array's DLPack is of no known form$"):
            _native.device.tensor(other)


def test_sorts_on_the_host_say_who_sorts_on_a_device():
    class OnDevice:
        def __dlpack__(self, **options):
            return empty_tensor()

    with pytest.raises(sortie.ArgumentError,
                       match="array lies in the memory of a device: sortie.cuda sorts it there, or copy"):
        sortie.sort(OnDevice())


def test_without_the_gpu_engine_it_is_said_how_to_get_it():
    if (pathlib.Path(sortie.__file__).parent / "libsortie_gpu.so").exists():
        pytest.skip("the GPU engine is beside the package")
    with pytest.raises(sortie.Error, match="libsortie_gpu.so .*; install the wheel sortie-sort-cuda13 of this version, "
                       "or"):
        sortie.cuda.sort(Interface(numpy.arange(3)))
