"""A process of a command: what it prints is collected, and it ends with whoever started it."""

import contextlib
import os
import select
import shutil
import signal
import time
from collections.abc import Mapping, Sequence

from .. import _native

_READ_BYTES = 1 << 16
# How long a command, and all that it has started, may take to end when it is asked to.
GRACE_SECONDS = 1.0


class Process:
    """Raises OSError if it cannot be started. It belongs to a group of its own, with all that it starts."""

    def __init__(self, words: Sequence[str], environment: Mapping[str, str]) -> None:
        path = words[0] if "/" in words[0] else shutil.which(words[0], path=environment.get("PATH")) or words[0]
        pipes = os.pipe(), os.pipe()
        self._unread = {read: bytearray() for read, _ in pipes}
        self._texts = list(self._unread.values())
        self.status: int | None = None
        try:
            self._id = _native.spawn([os.fsencode(word) for word in (path, *words[1:])],
                                     [os.fsencode(f"{name}={value}") for name, value in environment.items()],
                                     *(write for _, write in pipes))
        finally:
            for _, write in pipes:
                os.close(write)
        if self._id < 0:
            self._close()
            raise OSError(-self._id, os.strerror(-self._id))

    def end(self, seconds: float | None) -> tuple[bytes, bytes] | None:
        """What it has printed, and said, once it has ended; None if it takes longer."""
        give_up = None if seconds is None else time.monotonic() + seconds
        poll = select.poll()
        for descriptor in self._unread:
            poll.register(descriptor, select.POLLIN)
        while self._unread:
            left = None if give_up is None else max(0.0, give_up - time.monotonic())
            ready = poll.poll(None if left is None else left * 1000)
            if not ready:
                return None
            for descriptor, _ in ready:
                data = os.read(descriptor, _READ_BYTES)
                self._unread[descriptor] += data
                if not data:
                    poll.unregister(descriptor)
                    os.close(descriptor)
                    del self._unread[descriptor]
        self.wait()
        return bytes(self._texts[0]), bytes(self._texts[1])

    def wait(self) -> None:
        if self.status is None:
            _, status = os.waitpid(self._id, 0)
            self.status = os.waitstatus_to_exitcode(status)
            self._close()

    def send_to_group(self, number: int) -> None:
        """To the command and whatever it has started, as a script may that stands around it."""
        if self.status is None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._id, number)

    def kill(self) -> None:
        self.send_to_group(signal.SIGKILL)

    def _close(self) -> None:
        for descriptor in self._unread:
            os.close(descriptor)
        self._unread.clear()


def end_group(process: Process) -> None:
    """Asks the command to end, and all that it has started, and kills what takes longer than it may."""
    process.send_to_group(signal.SIGTERM)
    if process.end(GRACE_SECONDS) is None:
        process.kill()
        process.wait()
