"""How far a job is, on one line of a terminal."""

import sys
import time

from .sizes import say_seconds, say_size

_DOING = {"header": "looking at headers", "form": "forming runs", "cut": "cutting runs", "merge": "merging", "copy": "copying"}


class ProgressLine:
    """The estimate is by the bytes that this driver has seen moved."""

    def __init__(self) -> None:
        self._begin = time.monotonic()
        self._at_begin: int | None = None

    def __call__(self, phase: str, done_bytes: int, total_bytes: int) -> None:
        if self._at_begin is None:
            self._at_begin = done_bytes
        seconds = time.monotonic() - self._begin
        moved = done_bytes - self._at_begin
        text = f"{_DOING[phase]}: {done_bytes / (total_bytes or 1):.0%}"
        if moved > 0 and seconds > 0:
            rate = moved / seconds
            text += f", {say_size(rate)}/s, {say_seconds((total_bytes - done_bytes) / rate)} left"
        print(f"\r{text:<70}", end="", file=sys.stderr, flush=True)

    def end(self) -> None:
        print("\r" + " " * 70 + "\r", end="", file=sys.stderr, flush=True)
