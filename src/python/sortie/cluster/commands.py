"""Runs the command `sortie`, for a task or to ask whether it takes the options, by argument vectors alone. It dies with the
process that started it."""

import contextlib
import ctypes
import errno
import json
import os
import re
import select
import shutil
import signal
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .. import Error, _native
from .._errors import file_error
from .job_plan import Request, node_name
from .node_disks import Disks

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


_PR_SET_PDEATHSIG = 1
# How often it is asked whether an attempt was cancelled: by its own process, and where a network file system is asked.
_LOOK_SECONDS, _LOOK_SECONDS_AT_FILES = 0.1, 0.5
# How the command ends what it says of a mistake in its options.
_HINT = "Try '"
_WARNING = ": warning: "
_libc = ctypes.CDLL(None, use_errno=True)
# Starts this package's table_command.py, from wherever the package was loaded.
_AROUND_TABLES = (sys.executable, "-P", "-c",
                  "import sys; sys.path.insert(0, sys.argv.pop(1)); from sortie.cluster import table_command; "
                  "table_command.main()",
                  os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))


# What a command says where nothing is wrong with its inputs, beside what the system says of a call: all of it may pass.
_MAY_PASS = ("exhausted", "GPU", "CUDA", "sortie-run-")
_REFUSED = 2
# Why a command cannot be started, however often that is tried; the status that shells have for it.
NEVER_STARTS = (errno.ENOENT, errno.ENOTDIR, errno.EACCES, errno.ENOEXEC, errno.ELOOP, errno.ENAMETOOLONG)
NOT_THERE = 127
_INSTALL = "; install it there, or name the command of the sort with --command"


class CommandError(Error):
    """What the command said as it failed, on which machine."""


class Refused(CommandError):
    """What the command refuses about its inputs, as it said it. It would say the same again."""


class NotThere(CommandError):
    """The command cannot be started on this machine, and could not be the next time."""


class Cancelled(Error):
    """The attempt was ended from outside."""


class Commands:
    """The commands of one attempt, and the disks that it reaches. cancel() ends the command that runs, from any thread,
    and those that would follow; so does, from any machine, a file at the path `end_file`."""

    def __init__(self, command: str, environment: Mapping[str, str | None], end_file: str | None = None,
                 disks: Disks | None = None) -> None:
        self.disks = disks or Disks(node_name())
        self._end_file = end_file
        self._command = command
        self._environment = {name: value for name, value in {**os.environ, **environment}.items() if value is not None}
        self._is_cancelled = False

    def run(self, words: Sequence[str], table: str | None = None) -> dict[str, Any]:
        """Returns what the command printed, and its warnings, if it has any. table: a description of rows of which it gets
        the records, or None."""
        self.refuse_if_cancelled()
        process = self._start([*((*_AROUND_TABLES, table) if table else ()), self._command, *words])
        try:
            while (printed := process.end(_LOOK_SECONDS if self._end_file is None else _LOOK_SECONDS_AT_FILES)) is None:
                self.refuse_if_cancelled()
        except BaseException:
            end_group(process)
            raise
        self.refuse_if_cancelled()
        output, errors = printed
        if process.status != 0:
            text = why(process.status or 0, errors)
            if process.status == _REFUSED and errors and not _may_pass(text):
                raise Refused(re.sub(f"^({re.escape(self._command)}|\\S*sortie(-command)?): ", "", text))
            if process.status == NOT_THERE:
                raise NotThere(f"on {node_name()}: {text}{_INSTALL}")
            raise CommandError(f"on {node_name()}: {text}")
        values = json_object(output)
        if values is None:
            raise CommandError(f"on {node_name()}: '{self._command}' printed no JSON object: is it another version?")
        warnings = warnings_in(errors)
        return {**values, "warnings": warnings} if warnings else values

    def _start(self, words: list[str]) -> Process:
        try:
            return Process(words, self._environment)
        except OSError as error:
            text = f"on {node_name()}: cannot run '{words[0]}': {error.strerror}"
            raise NotThere(text + _INSTALL) if error.errno in NEVER_STARTS else CommandError(text) from None

    def refuse_if_cancelled(self) -> None:
        if self._is_cancelled or (self._end_file is not None and os.path.exists(self._end_file)):
            raise Cancelled("ended from outside")

    def cancel(self) -> None:
        self._is_cancelled = True


def json_object(text: bytes) -> dict[str, Any] | None:
    """None if it is none."""
    with contextlib.suppress(ValueError):
        value = json.loads(text)
        return value if isinstance(value, dict) else None
    return None


def _may_pass(text: str) -> bool:
    return any(reason in text for reason in (*_MAY_PASS, *map(os.strerror, errno.errorcode)))


def die_with(parent: int) -> Callable[[], None]:
    def prepare() -> None:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:
            os.kill(os.getpid(), signal.SIGTERM)
    return prepare


def warnings_in(errors: bytes) -> list[str]:
    """What a command warned of, without its name."""
    parts = (line.partition(_WARNING) for line in os.fsdecode(errors).splitlines())
    return [message for _, found, message in parts if found]


def why(status: int, errors: bytes) -> str:
    lines = [line for line in os.fsdecode(errors).strip().splitlines() if not line.startswith(_HINT)]
    if status < 0:
        try:
            name = signal.Signals(-status).name
        except ValueError:
            name = f"signal {-status}"
        return f"the command was ended by {name}"
    return lines[-1] if lines else f"the command ended with status {status}"


def require_command(command: str) -> None:
    """Raises Error where it cannot be started on this machine."""
    path = command if "/" in command else shutil.which(command) or command
    if os.path.isfile(path) and os.access(path, os.X_OK):
        return
    number = errno.EACCES if os.path.exists(path) else errno.ENOENT
    raise file_error(f"cannot run '{command}': {os.strerror(number)}; name the command of the sort with --command", None,
                     number, command)


def check_options(command: str, request: Request) -> None:
    """Asks for a plan of the first input. A command that is not on this machine cannot be asked."""
    environment = {name: value for name, value in {**os.environ, **request.environment}.items() if value is not None}
    words = [command, *request.sort.words, "--plan", "--", os.devnull if request.table else request.inputs[0]]
    try:
        process = Process(words, environment)
    except OSError:
        return
    try:
        _, errors = process.end(None) or (b"", b"")
    except BaseException:
        end_group(process)
        raise
    lines = os.fsdecode(errors).strip().splitlines()
    if process.status != 0 and lines:
        # The first line begins with the name of the command.
        raise Error(lines[0].removeprefix(f"{command}: "))
