"""Who hears how far a sort is, and what it warns of."""

import contextlib
import os
import sys
import typing
import warnings

from . import SortWarning


def listener(progress: typing.Any) -> tuple[typing.Any, typing.Callable[[bool], None]]:
    """Returns (a callable, None for nobody, or True for the library's own line; what ends the bar)."""
    if progress is None or progress is False:
        return None, _nothing
    if callable(progress):
        return progress, _nothing
    if progress is not True:
        raise TypeError(f"progress must be True, False or a callable, not {type(progress).__name__}")
    try:
        import tqdm
    except ImportError:
        return True, _nothing
    bar = Bar(tqdm.tqdm)
    return bar, bar.end


def _nothing(is_complete):
    pass


class Bar:
    """Shows each phase as a bar of tqdm."""

    def __init__(self, make):
        self._make = make
        self._bar = None
        self._phase = None

    def __call__(self, phase, done_bytes, total_bytes):
        if phase != self._phase:
            self.end(is_complete=True)
            self._phase = phase
            self._bar = self._make(total=total_bytes or None, desc=phase, unit="B", unit_scale=True)
        self._bar.total = total_bytes or None
        self._bar.update(done_bytes - self._bar.n)

    def end(self, is_complete):
        """Closes the bar of the phase; of a complete one at its end, which is not always told."""
        if self._bar is not None:
            if is_complete and self._bar.total:
                self._bar.update(self._bar.total - self._bar.n)
            self._bar.close()
            self._bar = None


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
