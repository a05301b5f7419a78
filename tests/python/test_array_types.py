"""Arrays of every type against NumPy: values, places of equal ones, in every layout."""

import functools

import numpy as np
import pytest

import sortie

SMALL = ["bool", "int8", "uint8", "int16", "uint16", "float16"]
NUMBERS = [*SMALL, "int32", "uint32", "int64", "uint64", "float32", "float64", ">i2", ">u4", ">i8", ">f2", ">f4", ">f8"]
TIMES = ["datetime64[s]", "datetime64[ns]", "timedelta64[D]", ">M8[us]", ">m8[ms]"]
TEXTS = ["S1", "S2", "S3", "S5", "S8", "S9", "S20", "U1", "U2", "U3", "U9", "U40", ">U4"]
TYPES = [*NUMBERS, *TIMES, *TEXTS]
SIZES = [0, 1, 2, 3, 24, 25, 1000, 20_000]


def values_of(type_name, size):
    """Some equal ones, the extremes, and NaN or NaT."""
    return made_values(type_name, size).copy()


@functools.cache
def made_values(type_name, size, seed=11):
    generator = np.random.default_rng([seed, size])
    dtype = np.dtype(type_name)
    if dtype.kind in "SU":
        letters = "ab\x01zé\u20ac\U0001f600"[:5 if dtype.kind == "S" or seed % 2 else None].replace("é", "y")
        lengths = generator.integers(0, dtype.itemsize // (1 if dtype.kind == "S" else 4) + 1, size)
        return np.array(["".join(generator.choice(list(letters), length)) for length in lengths], dtype)
    bits = generator.integers(0, 256, size * dtype.itemsize, "u1").view(f"V{dtype.itemsize}")
    values = bits.view(dtype) if dtype.kind != "b" else generator.integers(0, 2, size).astype(bool)
    values = values.copy()
    few = generator.integers(-5, 6, size)
    if dtype.kind in "mM":
        values[::2] = few[::2].astype("i8").view(dtype.newbyteorder("="))
        values[::17] = "NaT"
    elif dtype.kind in "iuf":
        values[::2] = few[::2].astype(dtype)
        if dtype.kind == "f":
            values[::19] = np.nan
            values[1::23] = -np.inf
            values[np.isnan(values)] = np.nan  # of the positive sign, as NumPy has them in order
            values[values == 0] = 0  # and no -0, which is before 0 here
        else:
            values[::19] = np.iinfo(dtype).min
            values[1::23] = np.iinfo(dtype).max
    return values


def falling(values):
    """The stable order, the greatest first."""
    return len(values) - 1 - np.argsort(values[::-1], kind="stable")[::-1]


def in_numpys_order(values, **axis):
    """By comparisons: on some processors NumPy's vectors make other NaNs of those of half floats, and leave some out of
    order."""
    return np.sort(values, kind="stable", **axis)


def same(found, expected):
    """By their bits: NaN and NaT are equal to nothing."""
    assert found.dtype == expected.dtype and found.shape == expected.shape
    if found.size and found.dtype.itemsize and found.dtype.kind != "T":
        found, expected = (np.ascontiguousarray(array).view(f"V{array.dtype.itemsize}") for array in (found, expected))
    assert found.tolist() == expected.tolist()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("type_name", TYPES)
def test_every_type_is_sorted_as_numpy_does(type_name, size):
    values = values_of(type_name, size)
    before = values.copy()
    same(sortie.sort(values), in_numpys_order(values))
    order = np.argsort(values, kind="stable")
    assert sortie.argsort(values).dtype == np.int64
    same(sortie.argsort(values), order)
    same(sortie.argsort(values, descending=True), falling(values))
    same(sortie.sort(values, descending=True), in_numpys_order(values)[::-1])
    same(values, before)
    assert sortie.sort(values, out=values) is values
    same(values, in_numpys_order(before))


@pytest.mark.parametrize("type_name", TYPES)
def test_every_layout_is_sorted(type_name):
    values = values_of(type_name, 999)
    odd = np.empty(999 * values.itemsize + 1, "u1")[1:].view(f"V{values.itemsize}").view(values.dtype)
    odd[:] = values
    read_only = values.copy()
    read_only.flags.writeable = False
    for view in (values[::2], values[::-1], values[900:3:-7], odd, read_only, np.broadcast_to(values[:1], 999)):
        same(sortie.sort(view), in_numpys_order(view))
        same(sortie.argsort(view), np.argsort(view, kind="stable"))
    for target in (np.empty(1998, values.dtype)[::2], np.empty(999, values.dtype)[::-1]):
        assert sortie.sort(values, out=target) is target
        same(target.copy(), in_numpys_order(values))
    indexes = np.empty(1998, "i8")[::-2]
    assert sortie.argsort(values, out=indexes) is indexes
    same(indexes.copy(), np.argsort(values, kind="stable"))
    reversed_in_place = values[::-1]
    expected = in_numpys_order(values)
    assert sortie.sort(reversed_in_place, out=reversed_in_place) is reversed_in_place
    same(reversed_in_place.copy(), expected)


@pytest.mark.parametrize("axis", [0, 1, 2, -1, -2, None])
@pytest.mark.parametrize("type_name", ["int8", "uint16", ">i2", "int32", "float64", "datetime64[s]", "S3", "S12", "U5"])
def test_axes_are_those_of_numpy(type_name, axis):
    for shape in ((4, 5, 60), (3, 1, 2), (2, 0, 3), (30, 40, 2)):
        values = values_of(type_name, int(np.prod(shape)))
        for array in (values.reshape(shape), np.asfortranarray(values.reshape(shape)), values.reshape(shape)[:, ::-1]):
            same(sortie.sort(array, axis=axis), in_numpys_order(array, axis=axis))
            same(sortie.argsort(array, axis=axis), np.argsort(array, axis=axis, kind="stable"))
            target = np.empty(array.size if axis is None else array.shape, array.dtype, order="F")
            assert sortie.sort(array, axis=axis, out=target) is target
            same(target, in_numpys_order(array, axis=axis))


@pytest.mark.parametrize("type_name", ["int8", "uint16", "float16", "int32", "float64"])
def test_many_rows_are_sorted_each_by_itself(type_name):
    values = values_of(type_name, 150_000).reshape(-1, 3)
    same(sortie.sort(values), in_numpys_order(values))
    same(sortie.argsort(values), np.argsort(values, kind="stable"))
    long_rows = values_of(type_name, 400_000).reshape(2, -1)
    same(sortie.sort(long_rows), in_numpys_order(long_rows))
    same(sortie.argsort(long_rows), np.argsort(long_rows, kind="stable"))


@pytest.mark.parametrize("type_name", SMALL)
def test_many_numbers_of_a_byte_or_two(type_name):
    values = values_of(type_name, 700_000)
    same(sortie.sort(values), in_numpys_order(values))
    same(sortie.argsort(values), np.argsort(values, kind="stable"))
    same(sortie.argsort(values, descending=True), falling(values))


def test_halves_are_in_total_order():
    expected = np.array([-np.nan, -np.inf, -1, -0.0, 0.0, 1, np.inf, np.nan], "f2")
    for count in (1, 100, 10_000):
        numbers = np.tile(expected[::-1], count)
        found = sortie.sort(numbers)
        same(found, np.repeat(expected, count))
        same(sortie.sort(numbers, descending=True), found[::-1])
        same(numbers[sortie.argsort(numbers)], found)


@pytest.mark.parametrize("type_name", TYPES)
def test_within_memory_the_result_is_the_same(type_name, tmp_path):
    values = values_of(type_name, 20_000)
    same(sortie.sort(values, memory="1MB"), in_numpys_order(values))
    same(sortie.sort(values[::-2], memory="1MB", descending=True), in_numpys_order(values[::-2])[::-1])
    order = np.argsort(values, kind="stable")
    same(sortie.argsort(values, memory="1MB"), order)
    same(sortie.argsort(values, memory="1MB", descending=True), falling(values))
    target = np.empty(40_000, values.dtype)[::2]
    sortie.sort(values, out=target, memory="1MB")
    same(target.copy(), in_numpys_order(values))
    in_place = values.copy()[::-2]
    expected = in_numpys_order(in_place)
    sortie.sort(in_place, out=in_place, memory="1MB")
    same(in_place.copy(), expected)
    if type_name != "U40":
        found = sortie.sort(values, out=tmp_path / "sorted")
        assert isinstance(found, np.memmap)
        same(np.array(found), in_numpys_order(values))


def test_texts_too_long_for_the_fields_of_a_file_are_refused(tmp_path):
    with pytest.raises(ValueError, match="more than 32 characters cannot be sorted into a file, and these have 33"):
        sortie.sort(values_of("U33", 5), out=tmp_path / "sorted")


def test_rows_are_sorted_within_memory():
    values = values_of("int32", 90_000).reshape(3, 30_000)
    same(sortie.sort(values, memory="1MB"), in_numpys_order(values))
    same(sortie.argsort(values, memory="1MB"), np.argsort(values, kind="stable"))
    same(sortie.sort(values, axis=None, memory="1MB"), in_numpys_order(values, axis=None))
    with pytest.raises(sortie.ArgumentError, match="2 dimensions, and a file is made of one"):
        sortie.sort(values, out="nowhere")


def strings(count):
    generator = np.random.default_rng(4)
    return ["".join(generator.choice(list("abcé\u20ac"), length)) for length in generator.integers(0, 9, count)]


@pytest.mark.parametrize("make", [lambda texts: np.array(texts, np.dtypes.StringDType()),
                                  lambda texts: np.array(texts, object)])
@pytest.mark.parametrize("texts", [[], ["b"], ["b", "", "a", "b"], strings(3000), ["a\0", "a", "b\0c", "a\0"],
                                   ["x" * 3_000_000, "y", *"cab"]], ids=["none", "one", "few", "many", "nul", "long"])
def test_texts_of_any_length(make, texts):
    array = make(texts)
    expected = sorted(texts)
    found = sortie.sort(array)
    assert found.dtype == array.dtype and found.tolist() == expected
    assert sortie.sort(array, descending=True).tolist() == expected[::-1]
    order = sorted(range(len(texts)), key=texts.__getitem__)
    assert sortie.argsort(array).tolist() == order
    assert sortie.argsort(array, descending=True).tolist() == sorted(range(len(texts)), key=texts.__getitem__,
                                                                     reverse=True)
    assert sortie.sort(array, out=array) is array and array.tolist() == expected


def test_objects_are_texts_or_refused():
    for missing in (None, float("nan")):
        with pytest.raises(ValueError, match="missing values"):
            sortie.sort(np.array(["b", missing, "a"], object))
    with pytest.raises(TypeError, match="one is of int"):
        sortie.sort(np.array(["b", 5], object))
    with pytest.raises(ValueError, match="in memory alone"):
        sortie.argsort(np.array(["b", "a"], object), memory="1MB")
    with pytest.raises(TypeError, match="descending must be True or False"):
        sortie.sort(np.array(["b", "a"], object), descending=1)


@pytest.mark.parametrize("type_name", ["complex64", "complex128", "longdouble"])
def test_types_without_an_order_are_refused(type_name):
    for function in (sortie.sort, sortie.argsort):
        with pytest.raises(TypeError, match="no order here: known are bool, integers"):
            function(np.zeros(3, type_name))


def test_axes_that_are_not_there_are_refused():
    for function in (sortie.sort, sortie.argsort):
        with pytest.raises(ValueError, match="invalid value '2' for axis: the array has 2 dimensions"):
            function(np.zeros((2, 2)), axis=2)
        with pytest.raises(ValueError, match="invalid value '-2' for axis: the array has 1 dimension$"):
            function(np.zeros(2), axis=-2)
        with pytest.raises(TypeError, match="axis must be an int or None, not float"):
            function(np.zeros(2), axis=1.0)
        with pytest.raises(ValueError, match="no dimension"):
            function(np.array(5))
        with pytest.raises(ValueError, match="no dimension"):
            function(np.int64(5))


PEOPLE = [("name", "S5"), ("age", ">i2"), ("height", "f2"), ("since", "M8[s]"), ("here", "?")]


def people(count):
    generator = np.random.default_rng(count)
    table = np.zeros(count, PEOPLE)
    table["name"] = generator.integers(0, 30, count).astype("S5")
    table["age"] = generator.integers(-300, 300, count)
    table["height"] = generator.standard_normal(count).round(1) + 0.0
    table["since"] = generator.integers(0, 99, count)
    table["here"] = generator.integers(0, 2, count)
    return table


@pytest.mark.parametrize("count", [0, 1, 5, 5000, 20_000])
@pytest.mark.parametrize("order, keys", [
    (None, ["name", "age", "height", "since", "here"]), ("age", ["age"]), (["height", "name"], ["height", "name"]),
    (["here", "since"], ["here", "since"])])
def test_the_order_of_structured_arrays(count, order, keys):
    table = people(count)
    expected = np.lexsort([table[key] for key in reversed(keys)])
    for options in ({}, {"memory": "1MB"}):
        same(sortie.argsort(table, order=order, **options), expected)
        same(sortie.sort(table, order=order, **options), table[expected])
        same(sortie.argsort(table[::-1], order=order, **options)[:0], expected[:0])
        same(table[::-3][sortie.argsort(table[::-3], order=order, **options)], sortie.sort(table[::-3], order=order))
    falls = [(key, "descending") for key in keys]
    same(sortie.argsort(table, order=falls), sortie.argsort(table, order=order, descending=True))


def test_rows_of_structured_arrays():
    table = people(3000).reshape(30, 100)
    found = sortie.sort(table, axis=0, order="age")
    assert (np.diff(found["age"].astype(int), axis=0) >= 0).all()
    same(np.take_along_axis(table, sortie.argsort(table, axis=0, order="age"), 0), found)


def test_records_without_fields_are_refused():
    with pytest.raises(ValueError, match="records without fields"):
        sortie.sort(np.zeros(3, []))


def test_nat_is_first_in_fields():
    table = np.zeros(3, [("when", "M8[s]")])
    table["when"] = ["2020-01-01", "NaT", "1950-01-01"]
    assert np.isnat(sortie.sort(table)["when"]).tolist() == [True, False, False]


def test_argsort_spills_what_does_not_fit(no_leftovers):
    numbers = np.random.default_rng(5).integers(-2**63, 2**63 - 1, 1_000_000)
    told = []
    found = sortie.argsort(numbers, memory="2MB", scratch=no_leftovers, progress=lambda *news: told.append(news[0]))
    same(found, np.argsort(numbers, kind="stable"))
    assert "merging" in told
