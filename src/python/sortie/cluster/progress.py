"""How far a job is, for whoever listens. What the caller's own code raises is marked: it ends the job, and is no
failure of it."""

import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

# Gets a phase, the bytes that are done, and all.
Listener = Callable[[str, int, int], object]


class ListenerFailed(Exception):
    """What the listener raised is its cause."""


def call_listener(call: Callable[[], object]) -> None:
    """Raises ListenerFailed for whatever the call raises."""
    try:
        call()
    except Exception as error:
        raise ListenerFailed from error


class Expected(NamedTuple):
    """A stage to come that moves bytes: how many, or which share of those of the stage in front of it, if that is not
    None."""

    stage: str
    bytes: int = 0
    share: float | None = 1.0


class Progress:
    """The bytes that stages have done, of all that stages will do. How many a stage moves is known when it begins;
    until then it is expected to move its share of what the one in front of it moves. expected: in turn."""

    def __init__(self, listener: Listener | None, expected: Sequence[Expected]) -> None:
        self._listener = listener
        self._expected = {item.stage: item for item in expected}
        self._total_bytes = {item.stage: item.bytes for item in expected}
        self._done_bytes = dict.fromkeys(self._total_bytes, 0)
        self._begun: set[str] = set()
        self._last_stage = ""
        self._expect_behind(-1)

    def begin(self, stage: str, all_bytes: int, done_bytes: int) -> None:
        """A stage that moves so many bytes in all, of which some are done already. What was done behind it is to be
        done again."""
        if stage in self._expected:
            self._total_bytes[stage], self._done_bytes[stage] = all_bytes, done_bytes
            self._begun.add(stage)
            self._expect_behind(list(self._expected).index(stage))
        self._tell(stage)

    def add(self, stage: str, done_bytes: int) -> None:
        if stage in self._expected:
            self._done_bytes[stage] += done_bytes
        self._tell(stage)

    def end(self) -> None:
        """Nothing comes any more of what has not begun."""
        unfinished = set(self._expected) - self._begun
        for stage in unfinished:
            self._total_bytes[stage] = 0
        if unfinished and self._last_stage:
            self._tell(self._last_stage)

    def _expect_behind(self, number: int) -> None:
        names = list(self._expected)
        moved = float(self._total_bytes[names[number]]) if number >= 0 else 0.0
        for name in names[number + 1:]:
            share = self._expected[name].share
            if share is not None:
                self._total_bytes[name] = round(moved * share)
            moved = float(self._total_bytes[name])
            self._done_bytes[name] = 0
            self._begun.discard(name)

    def _tell(self, stage: str) -> None:
        self._last_stage = stage
        listener = self._listener
        if listener is not None:
            done_bytes, total_bytes = sum(self._done_bytes.values()), sum(self._total_bytes.values())
            call_listener(lambda: listener(stage, done_bytes, total_bytes))


class Course:
    """How far a job is, which may be of several sorts: since when, and with how many attempts beside the first."""

    def __init__(self, listener: Listener | None, expected: Sequence[Expected]) -> None:
        self.begin = time.monotonic()
        self.progress = Progress(listener, expected)
        self.retries = 0
