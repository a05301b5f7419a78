"""sort() and argsort(): what is new in them beside the native functions, with NumPy where it is needed."""

import os
import sys

from . import _Listening, _native

# Arguments for arrays that are sorted in memory at once, and those that lead through the sort of files.
_IN_MEMORY = frozenset(("engine", "devices", "device_memory"))
_OUT_OF_CORE = frozenset(("memory", "scratch", "merge_fan_in", "algorithm", "compression", "compress_program", "verify",
                          "progress", "warn", "trace", "stats_json"))

_FORMATS = {"int32": "i32", "uint32": "u32", "int64": "i64", "uint64": "u64", "float32": "f32", "float64": "f64"}


def sort(array, order, descending, out, threads, options):
    _refuse_masked(array, out)
    options = {name: value for name, value in options.items() if value is not None or name not in _OUT_OF_CORE}
    for name in options:
        if name not in _IN_MEMORY and name not in _OUT_OF_CORE:
            raise TypeError(f"sort() has no argument '{name}'")
    if isinstance(descending, bool) is False:
        raise TypeError(f"descending must be True or False, not {type(descending).__name__}")
    arguments = {"descending": descending, "threads": threads, **options}
    if _is_structured(array):
        return _sort_out_of_core(array, out, _records_format(array, order), arguments)
    if order is not None:
        raise TypeError("order is for structured arrays: leave it out")
    type_name, count = _native.number_type(array)
    if _is_path(out) or _is_mapped(array) or _is_mapped(out) or not _OUT_OF_CORE.isdisjoint(options):
        return _sort_out_of_core(array, out, {"format": _FORMATS[type_name]}, arguments)
    if out is None:
        out = _numpy().empty(count, type_name)
    _native.sort_numbers(array, out, arguments)
    return out


def argsort(array, descending, out, threads):
    _refuse_masked(array, out)
    if out is None:
        out = _numpy().empty(_native.number_type(array)[1], "int64")
    _native.argsort(array, out, {"descending": descending, "threads": threads})
    return out


def _numpy():
    try:
        import numpy
    except ImportError:
        raise ImportError("a new array is one of NumPy, which is not installed: install it, or pass out=") from None
    return numpy


def _is_path(out):
    return isinstance(out, (str, bytes, os.PathLike))


def _is_array(thing):
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(thing, numpy.ndarray)


def _refuse_masked(*arrays):
    """The values under a mask would be sorted among the others."""
    masked = sys.modules.get("numpy.ma")
    if masked is not None and any(isinstance(array, masked.MaskedArray) for array in arrays):
        raise TypeError("masked arrays cannot be sorted: pass what is not masked, with .compressed()")


def _is_mapped(thing):
    return _is_array(thing) and isinstance(thing, sys.modules["numpy"].memmap)


def _is_structured(array):
    return _is_array(array) and array.dtype.names is not None


def _shares_its_file(thing):
    """Whether the memory is that of a file: pages that are given back lose nothing."""
    return _is_mapped(thing) and getattr(thing, "mode", "c") in ("r", "r+", "w+")


def _sort_out_of_core(array, out, record_format, arguments):
    numpy = _numpy()
    array = _checked(_as_ndarray(array), "array")
    if _is_path(out):
        target = None
        if os.fspath(out) in ("-", b"-"):
            raise ValueError('out is "-", and standard output cannot be mapped: name a file')
        arguments = {"output": out, "unpack": False, **arguments}
    else:
        target = numpy.empty(len(array), array.dtype) if out is None else _checked_target(_as_ndarray(out), array)
    with _Listening(arguments) as listening:
        _native.sort_buffer(array, target, {**record_format, **arguments}, listening.on_progress, listening.on_warning,
                            _shares_its_file(array), _shares_its_file(target))
    if target is not None:
        return out if out is not None else target
    return numpy.memmap(os.fspath(out), array.dtype, "r+") if len(array) else numpy.empty(0, array.dtype)


def _as_ndarray(thing):
    """An array of NumPy over the same memory."""
    if _is_array(thing):
        return thing
    numpy = _numpy()
    try:
        return numpy.asarray(memoryview(thing))
    except TypeError:
        if not hasattr(thing, "__dlpack__"):
            raise TypeError(f"an array with the buffer protocol or DLPack is needed, not {type(thing).__name__}") from None
    return numpy.from_dlpack(thing)


def _checked(array, name):
    if array.ndim != 1:
        raise ValueError(f"{name} has {array.ndim} dimensions, and one is sorted: pass {name}.reshape(-1)")
    if not array.flags.c_contiguous:
        raise ValueError(f"{name} is not contiguous: pass numpy.ascontiguousarray({name})")
    return array


def _checked_target(out, array):
    _checked(out, "out")
    if out.dtype != array.dtype:
        raise TypeError(f"out is an array of {out.dtype}, and array one of {array.dtype}")
    if not out.flags.writeable:
        raise ValueError("out is read-only: pass an array that may be written")
    if len(out) != len(array):
        raise ValueError(f"out has room for {len(out)} records, and array has {len(array)}")
    return out


def _records_format(array, order):
    """The arguments of sort_files() for the records of a structured array."""
    dtype = array.dtype
    if dtype.hasobject:
        raise TypeError("array holds Python objects, which cannot be sorted: let its fields be numbers and bytes")
    if order is None or (isinstance(order, (list, tuple)) and not order):
        order = list(dtype.names)
    elif isinstance(order, str):
        order = [order]
    return {"format": f"fixed:{dtype.itemsize}", "fields": [_field(dtype, *_direction(item)) for item in order]}


def _direction(item):
    """("age", False) for "age", and ("age", True) for ("age", "descending")."""
    if isinstance(item, str):
        return item, False
    name, direction = item
    if direction not in ("ascending", "descending"):
        raise ValueError(f"order of {name!r} must be 'ascending' or 'descending', not {direction!r}")
    return name, direction == "descending"


def _field(dtype, name, descending):
    """A field as sort_files() takes it: "u32be@4:desc"."""
    if name not in dtype.fields:
        raise ValueError(f"array has no field {name!r}; it has {', '.join(dtype.names)}")
    field, offset = dtype.fields[name][:2]
    direction = ":desc" if descending else ""
    if field.kind in "SV" and field.names is None and field.subdtype is None:
        return f"bytes@{offset}:{field.itemsize}{direction}"
    word = {"i": "i", "u": "u", "f": "f", "b": "u", "M": "i", "m": "i"}.get(field.kind)
    sizes = (4, 8) if word == "f" else (1, 2, 4, 8)
    if word is None or field.itemsize not in sizes:
        raise TypeError(f"field {name!r} is of {field}, which cannot be ordered: known are integers, float32, float64, bool, "
                        "datetime64, timedelta64 and bytes")
    is_big = field.byteorder == ">" or (field.byteorder == "=" and sys.byteorder == "big")
    return f"{word}{8 * field.itemsize}{'be' if is_big and field.itemsize > 1 else ''}@{offset}{direction}"
