"""An object that is written in parts, on several connections, and becomes visible at once by complete(), or not at
all."""

from __future__ import annotations

import concurrent.futures
import contextlib
import datetime
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .._errors import Error
from .._outputs import OutputFile
from .._report import warn_caller
from .open_uploads import how_to_end, open_uploads, tell_left_open
from .store import ObjectName, State, require_obstore, state_of
from .store_errors import asked, is_refused, plain_error

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

# A part; of the most parts that S3 takes an object has 10,000, so that it may have 156 GiB. As many as there are
# connections are collected while as many are on their way.
PART_BYTES, CONNECTIONS = 16 << 20, 4
_MOST_PARTS = 10_000
# What an object is of which the store does not tell it.
_UNKNOWN = State(-1, None, "")


class _Failed(Exception):
    """For obstore: what was begun is given up."""


class Upload:
    """Nothing is visible under the name before complete() has returned, and what was there stays as it is. For one
    thread at a time."""

    def __init__(self, name: ObjectName, pool: concurrent.futures.Executor,
                 begun: Callable[[], None] | None = None) -> None:
        """pool: its threads ask the store, so that Ctrl-C ends the wait, and not the request. begun: is called when the
        store has begun the upload, before most parts are sent."""
        self.name, self._pool, self._begun = name, pool, begun
        self._pending: concurrent.futures.Future[Any] | None = None
        self._held = bytearray()
        self._parts = self._sent = 0
        # It sends the parts of one write() at once, and the next write() waits until they have come.
        self._writer: Any = require_obstore().open_writer(name.store, name.key, buffer_size=PART_BYTES,
                                                          max_concurrency=1)

    @property
    def has_parts(self) -> bool:
        """Whether any were sent."""
        return self._parts > 0

    def write(self, data: ReadableBuffer) -> None:
        left = memoryview(data).cast("B")
        most = PART_BYTES * CONNECTIONS
        while left:
            if len(self._held) == most:
                held, self._held = self._held, bytearray()
                self.send(held)
            room = most - len(self._held)
            self._held += left[:room]
            left = left[room:]

    def send_parts(self) -> bytearray:
        """Sends what makes whole parts, and returns the others: one byte at least, if there is any."""
        held, self._held = self._held, bytearray()
        whole = max(0, len(held) - 1) // PART_BYTES * PART_BYTES
        rest = held[whole:]
        del held[whole:]
        self.send(held)
        return rest

    def send(self, content: bytes | bytearray) -> None:
        """Returns when what was sent before has come."""
        if not content:
            return
        if self._writer is None:
            raise Error("the output is closed")
        self._parts += len(content) // PART_BYTES
        if self._parts >= _MOST_PARTS:
            raise Error(f"cannot write '{self.name}': it has more than {_MOST_PARTS} parts of {PART_BYTES >> 20} MiB, "
                        "the most that stores take: write it to a file, or compress it more")
        is_first = self._sent < PART_BYTES <= self._sent + len(content)
        if is_first and self._begun is not None and len(content) > PART_BYTES:
            self.send(content[:PART_BYTES])
            content = content[PART_BYTES:]
            is_first = False
        self._sent += len(content)
        self._ask(self._writer.write, content, is_first)
        if is_first and self._begun is not None:
            self._begun()

    def complete(self) -> None:
        """Makes the object visible. Raises Error if it cannot; then what was begun is given up."""
        held, self._held = self._held, bytearray()
        self.send(held)
        before = self._state_there()
        writer, self._writer = self._writer, None
        try:
            self._ask(writer.close, is_first=self._sent <= PART_BYTES)
        except Error:
            # An answer may get lost, and the store then refuses to complete the upload again: it is not open any more.
            now = self._state_there() if before is not _UNKNOWN else None
            if now is None or now.size != self._sent or now == before:
                raise

    def _state_there(self) -> State | None:
        """The state of what has the name now; None if nothing has."""
        try:
            return state_of(asked(self.name, "read", require_obstore().head, self.name.store, self.name.key))
        except FileNotFoundError:
            return None
        except Error:
            return _UNKNOWN

    def give_up(self) -> None:
        """Gives up all that was sent. Does nothing after complete()."""
        writer, self._writer = self._writer, None
        if writer is None:
            return
        # A request that is on its way may begin what has to be given up.
        with contextlib.suppress(Error):
            self._wait()
        try:
            self._ask(_give_up, writer)
        except Error as error:
            warn_caller(_left_open(self.name, error))

    def _ask(self, function: Callable[..., Any], argument: Any = None, is_first: bool = False) -> None:
        """is_first: whether it may begin the upload."""
        self._pending = self._pool.submit(function, *([] if argument is None else [argument]))
        self._wait(is_first)

    def _wait(self, is_first: bool = False) -> None:
        if self._pending is None:
            return
        failure = None
        try:
            self._pending.result()
            self._pending = None
        except Exception as error:
            failure = plain_error(self.name, "write", error)
            failure = _begun_perhaps(self.name, failure) if is_first and not is_refused(error) else failure
            self._pending = None
        if failure is not None:
            raise failure


class ObjectOutput(OutputFile):
    def __init__(self, name: ObjectName, begun: Callable[[], None] | None = None) -> None:
        """Tries whether the store takes the object, so that a sort does not run in vain. begun: as of an Upload."""
        self.path, self._name = str(name), name
        name.refuse_no_key()
        self._since = datetime.datetime.now(datetime.timezone.utc)
        try_to_begin(name)
        self._pool = concurrent.futures.ThreadPoolExecutor(1, "sortie-objects")
        self._upload = Upload(name, self._pool, begun)
        self._is_ended = False

    def _take(self, data: ReadableBuffer) -> None:
        self._upload.write(data)

    def finish(self) -> None:
        self._upload.complete()
        self._end()

    def discard(self) -> None:
        self._upload.give_up()
        self._end()

    def _end(self) -> None:
        self._pool.shutdown()
        if not self._is_ended:
            self._is_ended = True
            tell_left_open(self._name, self._since)


def try_to_begin(name: ObjectName) -> None:
    """Begins an upload, and gives it up. Raises Error if the store refuses that."""
    asked(name, "write", _try_to_begin, name)


def _give_up(writer: Any) -> None:
    writer.__exit__(_Failed, _Failed(), None)


def _try_to_begin(name: ObjectName) -> None:
    writer = require_obstore().open_writer(name.store, name.key, buffer_size=1, max_concurrency=1)
    failure: Error | None = None
    try:
        writer.write(b"try")
    except Exception as error:
        if is_refused(error):
            raise
        failure = _begun_perhaps(name, plain_error(name, "write", error))
    if failure is not None:
        raise failure
    try:
        _give_up(writer)
    except Exception as error:
        failure = Error(_left_open(name, plain_error(name, "write", error)))
    else:
        return
    raise failure


def _begun_perhaps(name: ObjectName, error: Error) -> Error:
    """For an answer that did not come."""
    if name.kind == "az":
        return error  # which forgets what is not used
    found = open_uploads(name)
    if found is None:
        return Error(f"{error}; an upload may have been begun, and is open then, and costs: {how_to_end(name)}")
    if not found:
        return error
    are_open = "an upload to it is open, and costs"
    if len(found) > 1:
        are_open = f"{len(found)} uploads to it are open, and cost; the last one"
    return Error(f"{error}; {are_open}: {how_to_end(name, found[-1].number)}")


def _left_open(name: str, error: Error) -> str:
    reason = str(error).partition("': ")[2]
    return (f"cannot give up an upload to '{name}': {reason}; it may be left open, and cost, until you or a rule of "
            "the bucket remove it")
