"""What is taken as an array, and what comes back: columns of pandas, pyarrow and Polars, tensors, and what has
__array__."""

import datetime
import decimal
import sys
import uuid

import numpy as np
import pytest

import sortie


class OnlyArray:
    """Something that has nothing but __array__."""

    def __init__(self, values):
        self._values = values

    def __array__(self, dtype=None, copy=None):
        return self._values


class OnlyDLPack:
    def __init__(self, values):
        self._values = values

    def __dlpack__(self, **options):
        return self._values.__dlpack__(**options)

    def __dlpack_device__(self):
        return self._values.__dlpack_device__()


def test_whatever_has_array_is_one():
    assert sortie.sort(OnlyArray(np.array([3, 1, 2], "i2"))).tolist() == [1, 2, 3]
    assert sortie.argsort(OnlyArray(np.array(["b", "a"]))).tolist() == [1, 0]


def test_a_masked_array_that_array_gives_is_refused():
    with pytest.raises(TypeError, match="masked arrays cannot be sorted"):
        sortie.sort(OnlyArray(np.ma.masked_array([3, 1, 2], [1, 0, 0])))


@pytest.mark.parametrize("type_name", ["bool", "int8", "uint16", "float16", "int64", "float64"])
def test_tensors_of_every_type_and_shape(type_name):
    values = np.random.default_rng(1).integers(0, 2, (4, 6)).astype(type_name)
    for view in (values, values[::-1, ::2], values.T, values[0]):
        found = sortie.sort(OnlyDLPack(view))
        assert found.dtype == values.dtype
        np.testing.assert_array_equal(found, np.sort(view))
        np.testing.assert_array_equal(sortie.argsort(OnlyDLPack(view), axis=0), np.argsort(view, axis=0, kind="stable"))
    out = np.zeros((4, 6), type_name)
    sortie.sort(values, out=OnlyDLPack(out))
    np.testing.assert_array_equal(out, np.sort(values))


def test_tensors_of_other_types_are_refused():
    with pytest.raises(TypeError, match="known are bool, and integers and floats"):
        sortie.sort(OnlyDLPack(np.zeros(3, "c8")))


@pytest.mark.parametrize("thing", [b"sortie", bytearray(b"sortie"), memoryview(b"sortie")])
def test_bytes_are_numbers(thing):
    assert bytes(sortie.sort(thing)) == b"eiorst"


@pytest.mark.parametrize("thing", [[2, 1], (2, 1), "text", 3, {1}, object()])
def test_what_is_no_array_is_refused(thing):
    for function in (sortie.sort, sortie.argsort):
        with pytest.raises(TypeError, match=r"^array must be an array .*, not \w+: try numpy.asarray\(\)$"):
            function(thing)
    with pytest.raises(TypeError, match="^out must be an array"):
        sortie.sort(np.arange(2), out=[1, 2])


@pytest.fixture
def pandas():
    return pytest.importorskip("pandas")


def series_of(pandas):
    generator = np.random.default_rng(2)
    numbers = generator.integers(-9, 9, 200)
    some = np.where(generator.integers(0, 5, 200) == 0, np.nan, numbers + 0.0)
    days = pandas.Series(pandas.date_range("2020-01-01",
                                           periods=200)).sample(frac=1, random_state=1).reset_index(drop=True)
    return {
        "ints": pandas.Series(numbers, name="n"), "small": pandas.Series(numbers.astype("i1")),
        "floats": pandas.Series(some), "bools": pandas.Series(numbers > 3), "days": days,
        "zoned": days.dt.tz_localize("Asia/Tokyo"), "spans": days - days[0], "periods": days.dt.to_period("M"),
        "nullable": pandas.Series(numbers, dtype="Int16"), "texts": pandas.Series([f"é{n}" for n in numbers]),
        "objects": pandas.Series([f"é{n}" for n in numbers], dtype=object),
        "categories": pandas.Series(pandas.Categorical.from_codes(numbers % 4, ["z", "y", "b", "a"], ordered=True)),
        "late": days.where(numbers % 3 > 0), "arrow": pandas.Series(numbers, dtype="int32[pyarrow]")}


@pytest.mark.parametrize("name", ["ints", "small", "floats", "bools", "days", "zoned", "spans", "periods", "nullable",
                                  "texts", "objects", "categories", "late", "arrow"])
def test_a_series_comes_back_as_one_with_its_labels(pandas, name):
    series = series_of(pandas)[name]
    series.index = [f"row {i}" for i in range(200)]
    for falls in (False, True):
        found = sortie.sort(series, descending=falls)
        expected = series.sort_values(kind="stable", ascending=not falls, na_position="first" if falls else "last")
        # pandas guesses the type of objects anew.
        pandas.testing.assert_series_equal(found, expected.astype(series.dtype))
    order = sortie.argsort(series)
    assert isinstance(order, np.ndarray) and order.dtype == np.int64
    pandas.testing.assert_series_equal(series.iloc[order], sortie.sort(series))
    # The same labels of an Index, but that it has no nulls of other types.
    index = pandas.Index(series, name="label")
    found = sortie.sort(index)
    pandas.testing.assert_index_equal(found, pandas.Index(sortie.sort(series), name="label"))


def test_a_series_is_sorted_within_memory(pandas):
    series = pandas.Series(np.random.default_rng(1).integers(0, 99, 100_000), name="n")
    pandas.testing.assert_series_equal(sortie.sort(series, memory="1MB"), series.sort_values(kind="stable"))


def test_missing_values_of_pandas_are_refused(pandas):
    for series in (pandas.Series([1, None], dtype="Int64"), pandas.Series(["a", None]),
                   pandas.Series(["a", None], dtype=object),
                   pandas.Series(["a", None], dtype="category"), pandas.Series([1, None], dtype="int32[pyarrow]")):
        for function in (sortie.sort, sortie.argsort):
            with pytest.raises(sortie.ArgumentError, match="missing values, which have no place: leave them out"):
                function(series)


def test_arrays_of_pandas_are_as_their_series(pandas):
    great = [2**63 - 1, 2**63 - 3]
    for values, dtype in ((great, "Int64"), (great, "int64[pyarrow]"), ([2.5, 1.5], "Float64"), (["b", "a"], "str"),
                          ([2.5, 1.5], "double[pyarrow]"), (["2021", "2020"], "datetime64[us, Asia/Tokyo]")):
        array = pandas.array(values, dtype=dtype)
        pandas.testing.assert_extension_array_equal(sortie.sort(array), array[::-1])
        assert sortie.argsort(array).tolist() == [1, 0]
        if "64[us" not in dtype:  # NaT is in order
            with pytest.raises(sortie.ArgumentError, match="missing values, which have no place: leave them out"):
                sortie.sort(pandas.array([*values, None], dtype=dtype))
    with pytest.raises(TypeError, match="a new IntegerArray is made: leave it out"):
        sortie.sort(pandas.array([2, 1]), out=np.zeros(2, "i8"))


def test_what_is_no_column_of_pandas_is_refused(pandas):
    with pytest.raises(TypeError, match=r"array is a table: sort_table\(\)"):
        sortie.sort(pandas.DataFrame({"a": [1]}))
    with pytest.raises(TypeError, match="several levels"):
        sortie.sort(pandas.MultiIndex.from_tuples([(1, 2)]))
    with pytest.raises(TypeError, match="a new Series is made: leave it out"):
        sortie.sort(pandas.Series([1]), out=np.zeros(1, "i8"))


@pytest.fixture
def pyarrow():
    return pytest.importorskip("pyarrow")


class OnlyArrow:
    def __init__(self, column):
        self._column = column

    def __arrow_c_array__(self, requested_schema=None):
        return self._column.__arrow_c_array__(requested_schema)


@pytest.mark.parametrize("type_name", ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64",
                                       "float32", "float64", "float16"])
def test_columns_of_arrow_are_arrays(pyarrow, type_name):
    values = np.random.default_rng(1).integers(0, 99, 500).astype(type_name)
    column = pyarrow.array(values)
    for given, expected in ((column, values), (column[7:300], values[7:300]), (column[:0], values[:0]),
                            (OnlyArrow(column[3:]), values[3:]), (pyarrow.chunked_array([column, column[:5]]),
                                                                  np.concatenate([values, values[:5]]))):
        found = sortie.sort(given)
        assert found.dtype == values.dtype
        np.testing.assert_array_equal(found, np.sort(expected))
        np.testing.assert_array_equal(sortie.argsort(given), np.argsort(expected, kind="stable"))


def test_other_columns_of_arrow_are_what_numpy_makes_of_them(pyarrow):
    assert sortie.sort(pyarrow.array(["b", "a"])).tolist() == ["a", "b"]
    assert sortie.sort(pyarrow.array([True, False])).tolist() == [False, True]
    found = sortie.sort(pyarrow.array([3, 1], pyarrow.timestamp("us")))
    assert found.dtype == "M8[us]" and found.astype(int).tolist() == [1, 3]


def test_columns_that_speak_arrow_alone_are_those_of_pyarrow(pyarrow):
    words = pyarrow.array(["z", "a"])
    for column in (pyarrow.array(["b", "a"]), pyarrow.array(["b", "a"], pyarrow.string_view()),
                   pyarrow.array([True, False]),
                   pyarrow.array([3, 1], pyarrow.date32()), pyarrow.array([3, 1], pyarrow.timestamp("us", "UTC")),
                   pyarrow.array([3, 1], pyarrow.duration("s")), pyarrow.array(["b", "a"]).dictionary_encode(),
                   pyarrow.array([3, 1]).dictionary_encode()):
        found, expected = sortie.sort(OnlyArrow(column)), sortie.sort(column)
        assert found.dtype == expected.dtype and found.tolist() == expected.tolist()
        assert sortie.argsort(OnlyArrow(column)).tolist() == [1, 0]
    ordered = pyarrow.DictionaryArray.from_arrays(pyarrow.array([1, 0, 1]), words, ordered=True)
    found = sortie.sort(OnlyArrow(ordered))
    assert found.type == ordered.type and found.to_pylist() == ["z", "a", "a"]
    with pytest.raises(ValueError, match="array has 2 nulls"):
        sortie.sort(OnlyArrow(pyarrow.array(["a", None, None])))
    with pytest.raises(TypeError, match="one is of Decimal: sort_table"):
        sortie.sort(OnlyArrow(pyarrow.array([1, 2]).cast(pyarrow.decimal128(20))))


def test_columns_that_speak_arrow_alone_need_pyarrow(pyarrow, monkeypatch):
    texts, numbers = OnlyArrow(pyarrow.array(["b", "a"])), OnlyArrow(pyarrow.array([2, 1]))
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert sortie.sort(numbers).tolist() == [1, 2]
    with pytest.raises(sortie.MissingModuleError,
                       match="array of OnlyArrow, .* needs pyarrow, which is not installed: pip"):
        sortie.sort(texts)


@pytest.mark.parametrize("things, advice", [
    ([2, 1], r": convert them with array.astype\('int64'\)"), ([2**63, 1], ""),
    ([1.5, 1.0], r": convert them with array.astype\(float\)"),
    ([True, False], r": convert them with array.astype\(bool\)"), ([1, 1.5], ""), ([1, "a"], ""),
    ([[1], [2]], ""), ([{}, {}], ""),
    *[(pair, r": sort_table\(\) sorts tables by such a column") for pair in (
        [b"b", b"a"], [decimal.Decimal(2), decimal.Decimal("1.5")], [datetime.time(2), datetime.time(1)],
        [datetime.date(2020, 1, 2), datetime.date(2020, 1, 1)], [uuid.UUID(int=2), uuid.UUID(int=1)])]])
def test_objects_are_refused_with_advice_that_fits(pyarrow, things, advice):
    objects = np.empty(2, object)
    objects[:] = things
    for function in (sortie.sort, sortie.argsort):
        with pytest.raises(TypeError, match="str can be sorted alone, and one is of "
                           f"{type(things[0]).__name__}{advice}$"):
            function(objects)
    if "astype" in advice:
        kind = {int: "int64"}.get(type(things[0]), type(things[0]))
        assert sortie.sort(objects.astype(kind)).tolist() == things[::-1]
    elif advice:
        try:
            column = pyarrow.array(things)
        except pyarrow.ArrowException:
            return  # UUIDs, before pyarrow 21
        assert sortie.sort_table(pyarrow.table({"a": column}), "a").to_arrow()["a"].to_pylist() == things[::-1]


def test_columns_of_which_numpy_has_no_arrays_are_refused(pyarrow):
    polars = pytest.importorskip("polars")
    numbers, texts = pyarrow.array([1, 2]), pyarrow.array(["a", "b"])
    union = pyarrow.UnionArray.from_sparse(pyarrow.array([0, 1], pyarrow.int8()), [numbers, texts])
    for column in (polars.Series([3, 1], dtype=polars.Int128), union):
        for function in (sortie.sort, sortie.argsort):
            with pytest.raises(sortie.ArgumentTypeError,
                               match="is a column of .*, of which NumPy has no arrays: cast it"):
                function(column)


WITHOUT_NUMPY = """
import array, sys
sys.modules["numpy"] = None
import sortie
numbers = array.array("q", [2, 1])
for function in (sortie.sort, sortie.argsort):
    for given, options in ((numbers, {}), (numbers, {"out": numbers, "memory": "1MB"}), (numbers, {"out": "file"}),
                           (memoryview(numbers)[::-1], {"out": array.array("q", [0, 0])}), ([2, 1], {}),
                           ([2, 1], {"out": numbers})):
        try:
            function(given, **options)
        except sortie.Error as error:
            print(type(error).__name__, error)
"""


def test_without_numpy_messages_say_what_is_missing(run_python):
    told = run_python(WITHOUT_NUMPY)
    assert told.returncode == 0, told.stderr
    missing = "NumPy, which is not installed: install it, or"
    no_array = ("ArgumentTypeError array must be an array of NumPy, or another with the buffer protocol, DLPack, "
                "__arrow_c_array__ or __array__, not list: try numpy.asarray()")
    expected = [f"MissingModuleError a new array is one of {missing} pass out=",
                f"MissingModuleError memory= needs {missing} leave it out",
                f"MissingModuleError out is a path, whose file comes back as an array of {missing} pass an array as "
                "out=",
                f"MissingModuleError arrays of this form need {missing} pass numbers that lie side by side in one "
                "dimension",
                no_array, no_array]
    assert told.stdout.splitlines() == expected * 2


def test_nulls_of_arrow_are_refused(pyarrow):
    column = pyarrow.array([5, None, 2, None])
    for given, nulls in ((column, 2), (OnlyArrow(column), 2), (column[:2], 1), (pyarrow.chunked_array([column]), 2),
                         (pyarrow.array(["a", None]), 1), (pyarrow.nulls(3), 3)):
        with pytest.raises(sortie.ArgumentError,
                           match=rf"^array has {nulls} nulls?, which (is|are) no values?: .*drop_null\(\)"):
            sortie.sort(given)
    assert sortie.sort(column[2:3]).tolist() == [2]
    with pytest.raises(TypeError, match="is a table"):
        sortie.sort(OnlyArrow(pyarrow.record_batch({"a": [1]})))
    for table in (pyarrow.table({"a": [1]}), pyarrow.record_batch({"a": [1]})):
        with pytest.raises(TypeError, match="is a table"):
            sortie.sort(table)


def test_ordered_categories_are_in_their_own_order_in_every_library(pandas, pyarrow):
    words = pyarrow.DictionaryArray.from_arrays(pyarrow.array([1, 0, 1]), pyarrow.array(["z", "a"]), ordered=True)
    columns = [pandas.Categorical(["a", "z", "a"], categories=["z", "a"], ordered=True), words,
               pyarrow.chunked_array([words[:1], words[1:]])]
    polars = pytest.importorskip("polars")
    columns.append(polars.Series(["a", "z", "a"], dtype=polars.Enum(["z", "a"])))
    for column in columns:
        found = sortie.sort(column)
        assert type(found) is type(column) and list(np.asarray(found)) == ["z", "a", "a"]
        assert list(np.asarray(sortie.sort(column[:0]))) == []
        assert list(np.asarray(sortie.sort(column, descending=True))) == ["a", "a", "z"]
        assert sortie.argsort(column).tolist() == [1, 0, 2]
        with pytest.raises(TypeError, match="out is for arrays"):
            sortie.sort(column, out=np.zeros(3, "i4"))
    with pytest.raises(ValueError, match="1 null, which is no value"):
        sortie.sort(polars.Series(["a", None], dtype=polars.Enum(["z", "a"])))
    other = pyarrow.DictionaryArray.from_arrays(pyarrow.array([1, 0]), pyarrow.array(["a", "z"]), ordered=True)
    with pytest.raises(ValueError, match="different dictionaries"):
        sortie.sort(pyarrow.chunked_array([words, other]))


def test_nulls_among_the_values_of_runs_and_dictionaries_are_refused(pyarrow):
    def made(values):
        runs = pyarrow.RunEndEncodedArray.from_arrays([1, 3], values)
        words = pyarrow.DictionaryArray.from_arrays(pyarrow.array([0, 1, 1]), values)
        return (runs, words, pyarrow.chunked_array([words, words[:0]]), pyarrow.chunked_array([runs]))
    for column in made(pyarrow.array([5, 2**62 + 1])):
        assert sortie.sort(column).tolist() == [5, 2**62 + 1, 2**62 + 1]
    for column in made(pyarrow.array([5, None])):
        for function in (sortie.sort, sortie.argsort):
            with pytest.raises(sortie.ArgumentError, match="^array has 2 nulls, which are no values"):
                function(column)
    words = pyarrow.array(["a"]).dictionary_encode()
    with pytest.raises(TypeError, match="which pyarrow does not decode"):
        sortie.sort(pyarrow.RunEndEncodedArray.from_arrays([2], words))


def test_columns_of_polars_are_arrays():
    polars = pytest.importorskip("polars")
    assert sortie.sort(polars.Series([3, 1, 2])).tolist() == [1, 2, 3]
    assert sortie.argsort(polars.Series(["b", "a"])).tolist() == [1, 0]
    with pytest.raises(ValueError, match="1 null, which is no value"):
        sortie.sort(polars.Series([3, None]))
    with pytest.raises(TypeError, match="is a table"):
        sortie.sort(polars.DataFrame({"a": [1]}))


def test_columns_of_values_with_parts_are_refused():
    polars, pyarrow = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    for column in (polars.Series([{"a": 2, "b": 1}]), polars.Series([[2, 1]], dtype=polars.Array(polars.Int64, 2))):
        for function in (sortie.sort, sortie.argsort):
            with pytest.raises(TypeError, match=r"whose values have parts: sort_table\(\) sorts rows"):
                function(column)
    for column in (polars.Series([[2, 1], [1]]), pyarrow.array([[2, 1]]),
                   pyarrow.array([[2, 1]], pyarrow.list_(pyarrow.int64(), 2))):
        with pytest.raises(TypeError, match="array holds Python objects, of which str can be sorted alone"):
            sortie.sort(column)


def test_memory_of_a_column_is_kept_as_long_as_it_is_read(run_python):
    pytest.importorskip("pyarrow")
    told = run_python("""
import gc, numpy, pyarrow
from sortie import _native
views = [numpy.asarray(_native.numbers_of_arrow(pyarrow.array(numpy.arange(100_000)), "array")) for _ in range(20)]
gc.collect()
junk = [numpy.full(100_000, -1) for _ in range(20)]
assert all((view == numpy.arange(100_000)).all() and not view.flags.writeable for view in views)
""")
    assert told.returncode == 0, told.stderr


class ArrowInt64:
    """A column of a library that speaks Arrow's C data interface alone. The buffers are those of `column`."""

    def __init__(self, column):
        self._column = column

    def __arrow_c_array__(self, requested_schema=None):
        return self._column.__arrow_c_array__(requested_schema)


@pytest.mark.parametrize(("values", "told"), [
    ([3, None], "array has 1 null, which is no value: leave it out or fill it, for example with drop_null"),
    ([None, None], "array has 2 nulls, which are no values: leave them out or fill them, for example with drop_null")])
def test_nulls_of_any_library_are_counted_in_words(pyarrow, values, told):
    with pytest.raises(sortie.ArgumentError, match=told):
        sortie.sort(ArrowInt64(pyarrow.array(values, "int64")))
