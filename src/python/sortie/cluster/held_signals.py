"""While the output takes its place, Ctrl-C and other signals that end a program wait, and then say that it is done,
since otherwise nobody would know which output is there."""

import contextlib
import signal
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Any

_NUMBERS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class HeldSignals:
    """From begin() to the end of the block signals wait that Python handles. The second one is heeded at once. note:
    what the exceptions of handlers are told to say."""

    note = ""

    def __init__(self) -> None:
        self._handlers: dict[int, Callable[[int, FrameType | None], Any]] = {}
        self._came: int | None = None

    def __enter__(self) -> "HeldSignals":
        return self

    def begin(self) -> None:
        for number in _NUMBERS:
            handler = signal.getsignal(number)
            if callable(handler):
                self._handlers[number] = handler
                # Only the first thread gets signals, and may say what becomes of them.
                with contextlib.suppress(ValueError):
                    signal.signal(number, self._hold)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        try:
            self._let_go()
            if self._came is not None:
                self._handlers[self._came](self._came, None)
        except BaseException as raised:
            if self.note:
                raised.add_note(self.note)
            raise

    def _hold(self, number: int, frame: FrameType | None) -> None:
        if self._came is not None:
            self._let_go()
            self._handlers[number](number, frame)
        self._came = number

    def _let_go(self) -> None:
        for number, handler in self._handlers.items():
            with contextlib.suppress(ValueError):
                if signal.getsignal(number) == self._hold:
                    signal.signal(number, handler)
