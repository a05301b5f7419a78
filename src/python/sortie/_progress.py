"""Who hears how far a sort is."""

import typing


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
