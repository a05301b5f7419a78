"""Who hears how far a sort is, and what it warns of."""

import contextlib
import os
import sys
import warnings

from . import SortWarning
from ._progress import listener

_FOLDER = os.path.dirname(__file__) + os.sep


def warn_caller(message):
    """Warns in the name of the line that called the package."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_FOLDER):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, SortWarning, stacklevel=level)


class Listening:
    """Takes progress and warn out of the arguments of a sort, and ends its bar."""

    def __init__(self, arguments):
        self.on_progress, self.end_bar = listener(arguments.pop("progress", None))
        warn = arguments.pop("warn", None)
        if warn is not None and not callable(warn):
            raise TypeError(f"warn must be a callable, not {type(warn).__name__}")
        self.on_warning = warn or warn_caller

    def __enter__(self):
        return self

    def __exit__(self, error, *_):
        # By now the output is in its place, or an exception is on its way: a bar that fails must change neither.
        with contextlib.suppress(Exception):
            self.end_bar(is_complete=error is None)
