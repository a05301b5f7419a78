"""sort() and argsort(): what most calls are, numbers of NumPy side by side, is done here at once. All else is in
_array_sorts, which is imported when it is needed: `import sortie` is to take no longer than it must."""

from __future__ import annotations

import sys
from typing import Any

from .. import _native

# As NumPy's dtype.char calls what the native functions take.
NUMBERS = frozenset("?bBhHiIlLqQefd")

# Longer ones are looked at in all ways: there it takes no time, may take memory that there is not, and is logged.
_MOST_AT_ONCE = 1 << 18


def sort(array: Any, axis: Any, order: Any, descending: Any, out: Any, threads: Any, options: dict[str, Any]) -> Any:
    numpy = sys.modules.get("numpy")
    if (order is out is threads is None and descending is False and axis == -1 and not options and numpy is not None
            and _is_plain(array, numpy)):
        out = numpy.empty_like(array)
        _native.sort_numbers(array, out, options)
        return out
    from . import array_sorts

    return array_sorts.sort(array, axis, order, out, {"descending": descending, "threads": threads, **options},
                             numpy is not None)


def argsort(array: Any, axis: Any, order: Any, descending: Any, out: Any, threads: Any, options: dict[str, Any]) -> Any:
    numpy = sys.modules.get("numpy")
    arguments = {"descending": descending, "threads": threads, **options}
    if order is out is None and axis == -1 and not options and numpy is not None and _is_plain(array, numpy):
        out = numpy.empty(len(array), numpy.int64)
        _native.argsort(array, out, arguments)
        return out
    from . import array_sorts

    return array_sorts.argsort(array, axis, order, out, arguments, numpy is not None)


def _is_plain(array: Any, numpy: Any) -> bool:
    if type(array) is not numpy.ndarray or array.ndim != 1:
        return False
    dtype, flags = array.dtype, array.flags
    return (dtype.char in NUMBERS and dtype.isnative and flags.c_contiguous and flags.aligned
            and array.size < _MOST_AT_ONCE)
