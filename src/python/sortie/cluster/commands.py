"""Runs the command `sortie`, for a task or to ask whether it takes the options, by argument vectors alone. It dies with
the process that started it."""

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
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from .. import Error, _native
from ..__main__ import find_command
from .._errors import file_error
from .arguments import SEED, read_cuts, refuse_passing_source, words_of
from .job_plan import node_name
from .node_disks import Disks

_READ_BYTES = 1 << 16
# How long a command, and all that it has started, may take to end when it is asked to.
GRACE_SECONDS = 1.0


def run_process(words: Sequence[str], environment: Mapping[str, str | None], seconds: float = GRACE_SECONDS,
                look: Callable[[], None] = lambda: None) -> tuple[int, bytes, bytes]:
    """Returns the status, and what the process has printed and said. It belongs to a group of its own, with all that it
    starts, as a script may that stands around a command. environment: beside that of this process; None: not set. look:
    called every so many seconds; what it raises ends the group. Raises OSError if it cannot be started."""
    settings = {name: value for name, value in {**os.environ, **environment}.items() if value is not None}
    path = words[0] if "/" in words[0] else shutil.which(words[0], path=settings.get("PATH")) or words[0]
    pipes = os.pipe(), os.pipe()
    texts = bytearray(), bytearray()
    unread = {read: text for (read, _), text in zip(pipes, texts, strict=True)}
    started: list[int] = []
    try:
        try:
            error = _native.spawn([os.fsencode(word) for word in (path, *words[1:])],
                                  [os.fsencode(f"{name}={value}") for name, value in settings.items()],
                                  *(write for _, write in pipes), started)
        finally:
            for _, write in pipes:
                os.close(write)
        if error:
            raise OSError(error, os.strerror(error))
        while not _read_on(unread, seconds):
            look()
        # It may have closed its pipes, and go on.
        os.waitid(os.P_PID, started[0], os.WEXITED | os.WNOWAIT)
        _, status = os.waitpid(started.pop(), 0)
        return os.waitstatus_to_exitcode(status), bytes(texts[0]), bytes(texts[1])
    except BaseException:
        for process in started:
            _end_group(process, unread)
        raise
    finally:
        for descriptor in unread:
            os.close(descriptor)


def _read_on(unread: dict[int, bytearray], seconds: float) -> bool:
    """Whether all pipes come to their ends by then. Those that do are closed."""
    give_up = time.monotonic() + seconds
    while unread:
        poll = select.poll()
        for descriptor in unread:
            poll.register(descriptor, select.POLLIN)
        ready = poll.poll(max(0.0, give_up - time.monotonic()) * 1000)
        for descriptor, _ in ready:
            data = os.read(descriptor, _READ_BYTES)
            unread[descriptor] += data
            if not data:
                os.close(descriptor)
                del unread[descriptor]
        if not ready:
            return False
    return True


def _end_group(process: int, unread: dict[int, bytearray]) -> None:
    """Asks the command to end, and all that it has started, and kills what takes longer than it may."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process, signal.SIGTERM)
        if not _read_on(unread, GRACE_SECONDS):
            os.killpg(process, signal.SIGKILL)
    os.waitpid(process, 0)


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
_MAY_PASS = ("exhausted", "GPU", "CUDA")
_REFUSED = 2
# Why a command cannot be started, however often that is tried; the status that shells have for it.
NEVER_STARTS = (errno.ENOENT, errno.ENOTDIR, errno.EACCES, errno.ENOEXEC, errno.ELOOP, errno.ENAMETOOLONG)
NOT_THERE = 127
_INSTALL = "; install it there, or name the command of the sort with --command"


class CommandError(Error):
    """What the command said as it failed, on which machine."""


class FileDamaged(Error):
    """A file that the job has made cannot be used. file: as the command tells it (see Failure)."""

    def __init__(self, file: str, text: str) -> None:
        super().__init__(text)
        self.file = file


class Refused(CommandError):
    """What the command refuses, as it said it. what: "record" if it is one of an input, whatever files the command was
    given, "shard" if it is a folder that holds another one, else None."""

    def __init__(self, text: str, what: str | None = None) -> None:
        super().__init__(text)
        self.what = what


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
        self._environment = environment
        self._is_cancelled = False

    def run(self, words: Sequence[str], table: str | None = None) -> dict[str, Any]:
        """Returns what the command printed, and its warnings, if it has any. table: a description of rows of which it
        gets the records, or None."""
        self.refuse_if_cancelled()
        words = [*((*_AROUND_TABLES, table) if table else ()), self._command, *words]
        try:
            status, output, errors = run_process(
                words, self._environment, _LOOK_SECONDS if self._end_file is None else _LOOK_SECONDS_AT_FILES,
                self.refuse_if_cancelled)
        except OSError as error:
            text = f"on {node_name()}: cannot run '{words[0]}': {error.strerror}"
            raise NotThere(text + _INSTALL) if error.errno in NEVER_STARTS else CommandError(text) from None
        self.refuse_if_cancelled()
        if status != 0:
            text = why(status, errors)
            told = json_object(output) or {}
            if "file" in told:
                raise FileDamaged(told["file"], f"on {node_name()}: {text}")
            if status == _REFUSED and errors and not _may_pass(text):
                raise Refused(_without_name(self._command, text), told.get("refused"))
            if status == NOT_THERE:
                raise NotThere(f"on {node_name()}: {text}{_INSTALL}")
            raise CommandError(f"on {node_name()}: {text}")
        values = json_object(output)
        if values is None:
            raise CommandError(f"on {node_name()}: '{self._command}' printed no JSON object: is it another version?")
        warnings = warnings_in(errors)
        return {**values, "warnings": warnings} if warnings else values

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
    raise file_error(f"cannot run '{command}': {os.strerror(number)}; name the command of the sort with --command",
                     None, number, command)


def check_options(command: str | None, options: Collection[tuple[str, str | None]],
                  environment: Mapping[str, str | None], path: str | None, output: str, *, is_here: bool,
                  others: Sequence[str] = ()) -> None:
    """Raises Error with what the command says of these options of the sort: it is asked for a plan of `path`, the first
    input, and of the other side of a join; None where rows are sorted. An input that cannot be read is told by who
    divides it. output: where it goes.

    command: None for that of the package, which is also asked where the other one is on other machines alone.
    is_here: commands run on this machine; others may have a GPU that this one has not."""
    needs_gpu_of_others = not is_here and dict(options).get("engine") == "gpu"
    words = words_of(option for option in options
                     if option[0] != SEED and not (needs_gpu_of_others and option[0] == "engine"))
    for name, value in options:
        if name == "random-source":
            refuse_passing_source(value or "")
    for word in words:
        if "\0" in word:
            raise Error(f"{word.partition('=')[0]} holds a NUL character, which no command can be given")
    if path is not None and not os.path.isfile(path):
        return
    files = []
    if read_cuts(options):
        folder, name = os.path.split(output)
        while not os.path.isdir(folder):
            # The job makes it, and nothing lies there. Another folder may hold files of such names.
            folder, name = os.path.dirname(folder), f".sortie-{os.path.basename(output)}"
        files = ["-o", os.path.join(folder, name)]
    _ask_for_plan(command, [*words, *files, "--", path or os.devnull, *others], environment)


def _ask_for_plan(command: str | None, words: Sequence[str], environment: Mapping[str, str | None]) -> None:
    try:
        asked = (command and shutil.which(command)) or find_command()
        status, _, errors = run_process([asked, "--plan", *words], environment)
    except (Error, OSError):
        return
    told = [line for line in os.fsdecode(errors).strip().splitlines() if _WARNING not in line]
    if status != 0 and told:
        raise Error(_without_name(asked, told[0]))


def _without_name(command: str, text: str) -> str:
    """What a command said, without its name in front, or that of the command that a script stands around."""
    return re.sub(f"^({re.escape(command)}|\\S*sortie(-command)?): ", "", text)
