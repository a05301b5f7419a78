"""sort() and argsort(): what is new in them beside the native functions, with NumPy where it is needed."""

import errno
import mmap
import os
import sys

from . import _arguments, _native
from ._errors import file_error, listed, shortened
from ._report import Listening
from ._arguments import parse_keys

# Arguments for arrays that are sorted in memory at once. Others lead through the sort of files.
_IN_MEMORY = frozenset(("engine", "devices", "device_memory"))

# kMaxFields of the library.
_MOST_FIELDS = 32

# As NumPy's dtype.char calls them, in either byte order.
_NUMBERS = frozenset("iIlLqQfd")

_FORMATS = {"int32": "i32", "uint32": "u32", "int64": "i64", "uint64": "u64", "float32": "f32", "float64": "f64"}


def sort(array, order, descending, out, threads, options):
    numpy = sys.modules.get("numpy")
    if (order is out is threads is None and descending is False and not options and numpy is not None
            and type(array) is numpy.ndarray and array.dtype.char in _NUMBERS and array.ndim == 1
            and array.flags.c_contiguous):
        # What most calls are: for few numbers, what follows would take longer than the sort.
        out = numpy.empty_like(array)
        _native.sort_numbers(array, out, options)
        return out
    _refuse(array, out)
    arguments = {"descending": descending, "threads": threads, **options}
    if _is_array(array) and array.dtype.names is not None:
        return _sort_out_of_core(array, out, _records_format(array, order), arguments)
    if order is not None:
        raise TypeError("order is for structured arrays: leave it out")
    type_name, count = _native.number_type(array)
    if _arguments.is_path(out) or _is_mapped(array) or _is_mapped(out) or not _IN_MEMORY.issuperset(options):
        return _sort_out_of_core(array, out, {"format": _FORMATS[type_name]}, arguments)
    if out is None:
        out = _numpy().empty(count, type_name)
    _native.sort_numbers(array, out, arguments)
    return out


def argsort(array, descending, out, threads):
    _refuse(array, out)
    if out is None:
        out = _numpy().empty(_native.number_type(array)[1], "int64")
    elif _shares_its_file(out):
        if _share_bytes_of_a_file(array, out):
            raise ValueError("array and out are mapped from the same bytes of a file: let them be apart")
        _reserve_blocks(out)
    _native.argsort(array, out, {"descending": descending, "threads": threads})
    return out


def _numpy():
    try:
        import numpy
    except ImportError:
        raise ImportError("a new array is one of NumPy, which is not installed: install it, or pass out=") from None
    return numpy


def _is_array(thing):
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(thing, numpy.ndarray)


def _refuse(array, out):
    """What the native functions would speak of as of their own arguments; and masked arrays, whose values under the mask
    would be sorted among the others."""
    if array is None:
        raise TypeError("array must be an array of NumPy, or another with the buffer protocol or DLPack, not None")
    masked = sys.modules.get("numpy.ma")
    if masked is not None and (isinstance(array, masked.MaskedArray) or isinstance(out, masked.MaskedArray)):
        raise TypeError("masked arrays cannot be sorted: pass what is not masked, with .compressed()")


def _is_mapped(thing):
    return _is_array(thing) and isinstance(thing, sys.modules["numpy"].memmap)


def _shares_its_file(thing):
    """Whether the memory is that of a file: pages that are given back lose nothing."""
    return _is_mapped(thing) and getattr(thing, "mode", "c") in ("r", "r+", "w+")


def _place_in_file(mapped):
    """Where its first byte lies. A view counts from the mapping, which begins at a page."""
    mapping_begin = mapped.offset - mapped.offset % mmap.ALLOCATIONGRANULARITY
    return mapping_begin + mapped.ctypes.data - _numpy().frombuffer(mapped._mmap, "u1").ctypes.data


def _share_bytes_of_a_file(array, out):
    """Whether what is written to one changes the other, though they lie apart in memory."""
    if not (_is_mapped(array) and array.filename and out.filename and array.size and out.size):
        return False
    try:
        if not os.path.samefile(array.filename, out.filename):
            return False
    except OSError:
        return False  # the file is gone
    begin, out_begin = _place_in_file(array), _place_in_file(out)
    return begin < out_begin + out.nbytes and out_begin < begin + array.nbytes


def _reserve_blocks(mapped):
    """Gives the file behind the memory all its blocks: a write to a hole on a full disk would end the process."""
    if mapped.filename is None or not mapped.size or not mapped.flags.writeable:
        return
    try:
        descriptor = os.open(mapped.filename, os.O_RDWR | os.O_CLOEXEC)
    except OSError:
        return  # the file is another's by now, or gone
    try:
        begin = _place_in_file(mapped)
        length = min(begin + mapped.nbytes, os.fstat(descriptor).st_size) - begin
        if length > 0:
            os.posix_fallocate(descriptor, begin, length)
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise file_error(f"cannot write '{mapped.filename}': {os.strerror(error.errno)}; free space, or name another "
                             "out", None, error.errno, os.fspath(mapped.filename)) from error
    finally:
        os.close(descriptor)


def _sort_out_of_core(array, out, record_format, arguments):
    numpy = _numpy()
    array = _checked(_as_ndarray(array), "array")
    if _arguments.is_path(out):
        target = None
        if os.fspath(out) in ("-", b"-"):
            raise ValueError('out is "-", and standard output cannot be mapped: name a file')
        arguments = {"output": out, "unpack": False, **arguments}
    else:
        target = numpy.empty(len(array), array.dtype) if out is None else _checked_target(_as_ndarray(out), array)
    if _shares_its_file(target):
        _reserve_blocks(target)
    _arguments.refuse_used_twice(arguments, [file.filename for file in (array, target)
                                             if _is_mapped(file) and file.filename is not None])
    with Listening(arguments) as listening:
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
            raise TypeError("an array with the buffer protocol or DLPack is needed, not "
                            f"{type(thing).__name__}") from None
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
    all_fields = list(dtype.names)
    keys = parse_keys(all_fields if order is None else order, "order") or parse_keys(all_fields, "order")
    if len(keys) > _MOST_FIELDS:
        raise ValueError(f"order has {len(keys)} fields, and {_MOST_FIELDS} at most make up a key: name them by order=")
    return {"format": f"fixed:{dtype.itemsize}", "fields": [_field(dtype, name, falls) for name, falls, _ in keys]}


def _field(dtype, name, descending):
    """A field as sort_files() takes it: "u32be@4:desc"."""
    if name not in dtype.fields:
        raise ValueError(f"array has no field {name!r}; it has {listed(dtype.names)}")
    field, offset = dtype.fields[name][:2]
    direction = ":desc" if descending else ""
    if field.kind in "SV" and field.names is None and field.subdtype is None:
        return f"bytes@{offset}:{field.itemsize}{direction}"
    word = {"i": "i", "u": "u", "f": "f", "b": "u", "M": "i", "m": "i"}.get(field.kind)
    sizes = (4, 8) if word == "f" else (1, 2, 4, 8)
    if word is None or field.itemsize not in sizes:
        raise TypeError(f"field {name!r} is of {shortened(field)}, which cannot be ordered: known are integers, float32, "
                        "float64, bool, datetime64, timedelta64 and bytes")
    is_big = field.byteorder == ">" or (field.byteorder == "=" and sys.byteorder == "big")
    return f"{word}{8 * field.itemsize}{'be' if is_big and field.itemsize > 1 else ''}@{offset}{direction}"
