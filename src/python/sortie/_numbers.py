"""Numbers as arguments."""

import operator

from ._errors import ArgumentError


def count_of(value, name):
    """A number of 1 or more as an int, of Python or anything else that is one, as those of NumPy are."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{name} must be an int, not {type(value).__name__}")
    count = operator.index(value)
    if not 0 < count < 1 << 63:
        raise ArgumentError(f"invalid value '{count}' for {name}: give 1 or more")
    return count
