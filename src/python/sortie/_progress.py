"""Who hears how far a sort is."""


def listener(progress):
    """Returns (callable or None, whether the library draws its own line, what ends the bar)."""
    if progress is None or progress is False:
        return None, False, _nothing
    if callable(progress):
        return progress, False, _nothing
    if progress is not True:
        raise TypeError(f"progress must be True, False or a callable, not {type(progress).__name__}")
    try:
        import tqdm
    except ImportError:
        return None, True, _nothing
    bar = Bar(tqdm.tqdm)
    return bar, False, bar.close


def _nothing():
    pass


class Bar:
    """Shows each phase as a bar of tqdm."""

    def __init__(self, make):
        self._make = make
        self._bar = None
        self._phase = None

    def __call__(self, phase, done_bytes, total_bytes):
        if phase != self._phase:
            self.close()
            self._phase = phase
            self._bar = self._make(total=total_bytes or None, desc=phase, unit="B", unit_scale=True)
        self._bar.total = total_bytes or None
        self._bar.update(done_bytes - self._bar.n)

    def close(self):
        if self._bar is not None:
            self._bar.close()
            self._bar = None
