"""What sort() and argsort() take as an array, as one of NumPy over the same memory where that can be: of NumPy itself,
by the buffer protocol, by Arrow's C data interface, by DLPack, by __array__; and columns of pandas, which come back as
such."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, NamedTuple

from .. import _native
from .._errors import ArgumentError, ArgumentTypeError, MissingModuleError, OutOfMemoryError, shortened
from .._needed_modules import import_pyarrow


class Taken(NamedTuple):
    """values: an array of NumPy. give_back: makes a column such as a Series of the positions of its items; None where
    an array is given back."""
    values: Any
    give_back: Callable[[Any], Any] | None = None


NEW_ARRAY_NEEDS_NUMPY = "a new array is one of NumPy, which is not installed: install it, or pass out="


def needed_numpy(told: str = NEW_ARRAY_NEEDS_NUMPY) -> Any:
    """told: the message if it is not there."""
    try:
        import numpy
    except ImportError:
        raise MissingModuleError(told) from None
    return numpy


def is_ndarray(thing: object) -> bool:
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(thing, numpy.ndarray)


def _without_matrix(array: Any) -> Any:
    """Rows of a matrix would be matrices again."""
    numpy = needed_numpy()
    return numpy.asarray(array) if isinstance(array, numpy.matrix) else array


def with_memory(function: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    """What a function returns that takes memory, and calls nothing of the program."""
    try:
        return function(*arguments, **options)
    except OutOfMemoryError:
        raise
    except MemoryError as error:
        raise OutOfMemoryError(f"{error or 'memory is exhausted'}: pass a shorter array, or a view that "
                               "repeats nothing",
                               "more_memory") from None


def is_plain(array: Any) -> bool:
    """Whether the native functions take it as it is: side by side, at multiples of the size, in the machine's byte
    order."""
    return bool(array.flags.c_contiguous and array.flags.aligned and array.dtype.isnative)


def take(thing: Any, name: str, without_numpy: str) -> Taken:
    """name: of the argument, for messages. without_numpy: the message if NumPy is not there."""
    _refuse_masked(thing)
    if is_ndarray(thing):
        return Taken(_without_matrix(thing))
    column = _column_of_pandas(thing)
    if column is not None:
        return Taken(_values_of_pandas(column, name), thing.take)
    _refuse_table(thing, name)
    if _speaks_arrow_alone(thing):
        numbers = _native.numbers_of_arrow(thing, name)
        if numbers is not None:
            return Taken(needed_numpy(without_numpy).asarray(numbers))
        thing = _of_pyarrow(thing, name)
    ordered = _ordered_categories(thing, name)
    if ordered is not None:
        return ordered
    shared = _shared(thing, name)  # what is no array is refused for that, also without NumPy
    values = needed_numpy(without_numpy).asarray(shared)
    if values.ndim != 1 and (hasattr(thing, "__arrow_c_array__") or hasattr(thing, "__arrow_c_stream__")):
        told = shortened(getattr(thing, "dtype", None) or getattr(thing, "type", type(thing).__name__))
        raise ArgumentTypeError(f"{name} is a column of {told}, whose values have parts: sort_table() sorts rows by "
                                "fields of structs")
    return Taken(values)


def take_out(thing: Any) -> Any:
    """An array of NumPy over the memory of `out`, which may be written."""
    _refuse_masked(thing)
    if not is_ndarray(thing):
        if not _has_buffer(thing) and not hasattr(thing, "__dlpack__"):
            raise ArgumentTypeError("out must be an array of NumPy, or another with the buffer protocol or DLPack, not "
                                    f"{type(thing).__name__}")
        thing = needed_numpy().asarray(_shared(thing, "out"))
    if not thing.flags.writeable:
        raise ArgumentError("out is read-only: pass an array that may be written")
    return _without_matrix(thing)


def plain_buffer(thing: Any, name: str) -> Any:
    """What the native functions take without NumPy: an object with numbers side by side in one dimension; None if it is
    none."""
    if not _has_buffer(thing):
        thing = _native.numbers_of_dlpack(thing, name) if hasattr(thing, "__dlpack__") else None
    if thing is None:
        return None
    view = memoryview(thing)
    is_plain = view.ndim == 1 and view.c_contiguous and view.format.lstrip("@=<") in tuple("?bBhHiIlLqQnNefd")
    return thing if is_plain else None


def _shared(thing: Any, name: str) -> Any:
    """Something of which NumPy makes an array, over the same memory where that can be."""
    if _has_buffer(thing):
        return memoryview(thing)
    thing = _decoded(thing, name)
    _refuse_nulls(thing, name)  # to NumPy nulls would be numbers
    if hasattr(thing, "__arrow_c_array__"):
        numbers = _native.numbers_of_arrow(thing, name)
        if numbers is not None:
            return numbers
    elif hasattr(thing, "__dlpack__"):
        return _native.numbers_of_dlpack(thing, name)
    if not hasattr(thing, "__array__"):
        raise ArgumentTypeError(f"{name} must be an array of NumPy, or another with the buffer protocol, DLPack, "
                                f"__arrow_c_array__ or __array__, not {_told(thing)}")
    values = _array_of(thing, name)
    _refuse_masked(values)
    return values


def _array_of(thing: Any, name: str) -> Any:
    """What __array__ gives. Of what a program raises there nothing is changed."""
    try:
        return thing.__array__()
    except Exception as error:
        if type(error).__module__.partition(".")[0] not in ("polars", "pyarrow"):
            raise
        told = shortened(getattr(thing, "dtype", None) or getattr(thing, "type", type(thing).__name__))
        raise ArgumentTypeError(f"{name} is a column of {told}, of which NumPy has no arrays: cast it to another "
                                "type") from error


def _refuse_nulls(thing: Any, name: str) -> None:
    nulls = getattr(thing, "null_count", 0)
    nulls = nulls() if callable(nulls) else nulls
    if nulls == 1:
        raise ArgumentError(f"{name} has 1 null, which is no value: leave it out or fill it, for example with "
                            "drop_null() or fill_null()")
    if nulls:
        raise ArgumentError(f"{name} has {nulls} nulls, which are no values: leave them out or fill them, for example "
                            "with drop_null() or fill_null()")


def _ordered_categories(thing: Any, name: str) -> Taken | None:
    """The places of the values of a column of Polars or pyarrow whose texts have an order of their own."""
    polars: Any = sys.modules.get("polars")
    if hasattr(polars, "Enum") and isinstance(getattr(thing, "dtype", None), polars.Enum):
        _refuse_nulls(thing, name)
        return Taken(thing.to_physical().to_numpy(), thing.gather)
    if not (_is_of_arrow(thing) and getattr(thing.type, "ordered", False)):
        return None
    pieces = getattr(thing, "chunks", [thing])
    if any(not piece.dictionary.equals(pieces[0].dictionary) for piece in pieces):
        raise ArgumentError(f"{name} has pieces with different dictionaries, which are no common order: cast() it to "
                            "what they hold")
    for piece in pieces:
        _refuse_nulls(piece.dictionary_decode(), name)
    places = [piece.indices.to_numpy() for piece in pieces]
    return Taken(needed_numpy().concatenate(places) if places else needed_numpy().empty(0, "i4"), thing.take)


def _decoded(thing: Any, name: str) -> Any:
    """A column of pyarrow without runs and dictionaries: nulls among their values are not counted as those of the
    column."""
    if not _is_of_arrow(thing):
        return thing
    import pyarrow.compute

    try:
        if pyarrow.types.is_run_end_encoded(thing.type):
            thing = pyarrow.compute.run_end_decode(thing)
        return thing.cast(thing.type.value_type) if pyarrow.types.is_dictionary(thing.type) else thing
    except NotImplementedError as error:
        raise ArgumentTypeError(f"{name} is a column of {shortened(thing.type)}, which pyarrow does not decode: cast() "
                                "it to what it holds") from error


def _is_of_arrow(thing: Any) -> bool:
    pyarrow: Any = sys.modules.get("pyarrow")
    return hasattr(pyarrow, "ChunkedArray") and isinstance(thing, (pyarrow.Array, pyarrow.ChunkedArray))


def _speaks_arrow_alone(thing: Any) -> bool:
    return hasattr(thing, "__arrow_c_array__") and not hasattr(thing, "__array__") and not _has_buffer(thing)


def _of_pyarrow(thing: Any, name: str) -> Any:
    """A column of pyarrow of what has no other way to its values than Arrow's interface."""
    pyarrow = import_pyarrow(f"{name} of {type(thing).__name__}, which holds other things than numbers,")
    try:
        return pyarrow.array(thing)
    except (pyarrow.ArrowException, ValueError, TypeError) as error:
        raise ArgumentTypeError(f"{name} is a column of {type(thing).__name__}, which pyarrow does not take: "
                                f"{(str(error).splitlines() or [''])[0]}") from error


def _has_buffer(thing: Any) -> bool:
    try:
        memoryview(thing).release()
    except (TypeError, BufferError):
        return False
    return True


def _told(thing: Any) -> str:
    return "None" if thing is None else f"{type(thing).__name__}: try numpy.asarray()"


def _refuse_masked(thing: Any) -> None:
    """Values under a mask would be sorted among the others."""
    masked = sys.modules.get("numpy.ma")
    if masked is not None and isinstance(thing, masked.MaskedArray):
        raise ArgumentTypeError("masked arrays cannot be sorted: pass what is not masked, with .compressed()")


def _refuse_table(thing: Any, name: str) -> None:
    if hasattr(thing, "columns") and (hasattr(thing, "__arrow_c_stream__") or hasattr(thing, "__arrow_c_array__")):
        raise ArgumentTypeError(f"{name} is a table: sort_table() sorts its rows")


def _column_of_pandas(thing: Any) -> Any:
    """A Series or an Index as it is; of an array of pandas a Series, which has more ways into NumPy; None for
    others."""
    pandas: Any = sys.modules.get("pandas")
    if not (hasattr(pandas, "Series") and hasattr(pandas, "Index") and hasattr(pandas, "api")):
        return None  # another thread may be importing it
    if isinstance(thing, (pandas.Series, pandas.Index)):
        return thing
    return pandas.Series(thing, copy=False) if isinstance(thing, pandas.api.extensions.ExtensionArray) else None


def _values_of_pandas(thing: Any, name: str) -> Any:
    """Missing values of its own types are refused: in numbers of NumPy NaN and NaT are in order."""
    dtype = thing.dtype
    if getattr(thing, "nlevels", 1) > 1:
        raise ArgumentTypeError(f"{name} is an index of several levels: sort a DataFrame of them with sort_table()")
    if hasattr(dtype, "tz"):
        times = getattr(thing, "dt", thing)
        return times.tz_convert(None).to_numpy()
    if hasattr(dtype, "freq"):
        return thing.array.asi8.view("m8[ns]")  # periods, of which NaT is the same number
    if not isinstance(dtype, needed_numpy().dtype) and bool(thing.isna().any()):
        raise ArgumentError(f"{name} has missing values, which have no place: leave them out or fill them, with "
                            ".dropna() or .fillna()")
    if hasattr(dtype, "categories") and hasattr(dtype, "ordered"):
        return needed_numpy().asarray(getattr(thing, "cat", thing).codes)
    plain = getattr(dtype, "numpy_dtype", None)
    return thing.to_numpy() if plain is None else thing.to_numpy(dtype=plain)
