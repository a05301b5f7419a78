"""Arrays through the sort of files, within `memory`: as streams of records; and arrays that are mapped from files."""

from __future__ import annotations

import errno
import mmap
import os
import sys
from typing import Any

from .. import _arguments, _logging, _native
from .._errors import ArgumentError, file_error
from .._report import Listening
from .array_fields import Layout
from .array_inputs import is_ndarray, needed_numpy


def is_mapped(thing: Any) -> bool:
    return is_ndarray(thing) and isinstance(thing, sys.modules["numpy"].memmap)


def sort_stream(array: Any, out: Any, layout: Layout, arguments: dict[str, Any]) -> None:
    """Sorts an array of one dimension into another, or, if that is None, into the output that the arguments name."""
    arguments = {**arguments, **layout.of_records()}
    if shares_its_file(out):
        reserve_blocks(out)
    _refuse_used_twice(arguments, array, out)
    with Listening(arguments) as listening:
        report = _native.sort_buffer(array, out, arguments, listening.on_progress, listening.on_warning,
                                     shares_its_file(array), shares_its_file(out), layout.is_swapped)
    _logging.log_report("sort", report)


def argsort_stream(array: Any, out: Any, layout: Layout, arguments: dict[str, Any]) -> None:
    """Puts the order of an array of one dimension into another of int64."""
    arguments = {**arguments, **layout.of_indexes()}
    _refuse_used_twice(arguments, array, out)
    with Listening(arguments) as listening:
        report = _native.argsort_buffer(array, out, layout.parts(), arguments, listening.on_progress,
                                        listening.on_warning, shares_its_file(array), layout.is_swapped)
    _logging.log_report("argsort", report)


def sort_to_file(array: Any, path: Any, layout: Layout, arguments: dict[str, Any]) -> Any:
    """Sorts an array of one dimension into a file, and maps that."""
    if os.fspath(path) in ("-", b"-"):
        raise ArgumentError('out is "-", and standard output cannot be mapped: name a file')
    _arguments.refuse_nul(path, "out")
    sort_stream(array, None, layout, {"output": path, "unpack": False, **arguments})
    numpy = needed_numpy()
    return numpy.memmap(os.fspath(path), array.dtype, "r+") if len(array) else numpy.empty(0, array.dtype)


def _refuse_used_twice(arguments: dict[str, Any], array: Any, out: Any) -> None:
    _arguments.refuse_used_twice(arguments, [file.filename for file in (array, out)
                                             if is_mapped(file) and file.filename is not None])


def shares_its_file(thing: Any) -> bool:
    """Whether the memory is that of a file: pages that are given back lose nothing."""
    return is_mapped(thing) and getattr(thing, "mode", "c") in ("r", "r+", "w+")


def _place_in_file(mapped: Any) -> int:
    """Where its first byte lies. A view counts from the mapping, which begins at a page."""
    mapping_begin = mapped.offset - mapped.offset % mmap.ALLOCATIONGRANULARITY
    return int(mapping_begin + mapped.ctypes.data - needed_numpy().frombuffer(mapped._mmap, "u1").ctypes.data)


def share_bytes_of_a_file(array: Any, out: Any) -> bool:
    """Whether what is written to one changes the other, though they lie apart in memory."""
    if not (is_mapped(array) and array.filename and out.filename and array.size and out.size):
        return False
    try:
        if not os.path.samefile(array.filename, out.filename):
            return False
    except OSError:
        return False  # the file is gone
    begin, out_begin = _place_in_file(array), _place_in_file(out)
    return bool(begin < out_begin + out.nbytes and out_begin < begin + array.nbytes)


def reserve_blocks(mapped: Any) -> None:
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
            raise file_error(f"cannot write '{mapped.filename}': {os.strerror(error.errno)}; free space, or name "
                             "another out", None, error.errno, os.fspath(mapped.filename)) from error
    finally:
        os.close(descriptor)
