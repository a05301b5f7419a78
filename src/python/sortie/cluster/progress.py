"""How far a job is, for whoever listens. What the caller's own code raises is marked: it ends the job, and is no failure of
it."""

import time
from collections.abc import Callable

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


class Progress:
    """The bytes that stages have done. total_bytes: of the whole job."""

    def __init__(self, listener: Listener | None, total_bytes: int) -> None:
        self._listener = listener
        self._total_bytes = total_bytes
        self._done_bytes: dict[str, int] = {}

    def begin(self, stage: str, done_bytes: int) -> None:
        """A stage of which some is done already."""
        self._done_bytes[stage] = done_bytes
        self._tell(stage)

    def add(self, stage: str, done_bytes: int) -> None:
        self.begin(stage, self._done_bytes[stage] + done_bytes)

    def _tell(self, stage: str) -> None:
        listener = self._listener
        if listener is not None:
            done_bytes = min(sum(self._done_bytes.values()), self._total_bytes)
            call_listener(lambda: listener(stage, done_bytes, self._total_bytes))


class Course:
    """How far a job is, which may be of several sorts: what is done of total_bytes, since when, and with how many attempts
    beside the first."""

    def __init__(self, listener: Listener | None, total_bytes: int) -> None:
        self.begin = time.monotonic()
        self.progress = Progress(listener, total_bytes)
        self.retries = 0
