"""An object that is written in parts, on several connections, and becomes visible at once by finish(), or not at all."""

from __future__ import annotations

import concurrent.futures
import contextlib
import zlib
from typing import TYPE_CHECKING, Any

from .._errors import Error
from .._files import OutputFile
from .._report import warn_caller
from .store import ObjectName, asked, plain_error, require_obstore

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

# A part; of the most parts that S3 takes an object has 10,000, so that it may have 156 GiB. Held are one that is filled, one
# that is handed over, and those on their way.
PART_BYTES, CONNECTIONS = 16 << 20, 4
_MOST_PARTS = 10_000
_GZIP_BITS = 16 + zlib.MAX_WBITS


class _Failed(Exception):
    """For obstore: what was begun is given up."""


class ObjectOutput(OutputFile):
    """What pyarrow's writers write to. finish() or discard() ends it. Nothing is visible under the name before finish() has
    returned, and what was there stays as it is."""

    def __init__(self, name: ObjectName, packs: bool) -> None:
        """packs: by gzip. Tries whether the store takes the object, so that a sort does not run in vain."""
        self.path = str(name)
        self.name = name
        name.refuse_no_key()
        obstore = require_obstore()
        self._position = self._parts = 0
        self._pending: concurrent.futures.Future[Any] | None = None
        self._part = bytearray()
        self._packer = zlib.compressobj(6, zlib.DEFLATED, _GZIP_BITS) if packs else None
        asked(name, "write", self._try_to_begin, obstore)
        self._writer: Any = obstore.open_writer(name.store, name.key, buffer_size=PART_BYTES, max_concurrency=CONNECTIONS)
        self._pool = concurrent.futures.ThreadPoolExecutor(1, "sortie-objects")

    def write(self, data: ReadableBuffer) -> int:
        content = memoryview(data).cast("B")
        self._position += len(content)
        self._take(self._packer.compress(content) if self._packer else content)
        return len(content)

    def finish(self) -> None:
        """Makes the object visible. Raises Error if it cannot; then it is not."""
        if self._packer:
            self._take(self._packer.flush())
        self._send()
        self._wait()
        writer, self._writer = self._writer, None
        # If this fails the library gives up what it began.
        self._pending = self._pool.submit(writer.close)
        self._wait()
        self._pool.shutdown()

    def discard(self) -> None:
        """Gives up all that was sent. Does nothing after finish()."""
        writer, self._writer = self._writer, None
        if writer is not None:
            # A request that is on its way may begin what has to be given up.
            with contextlib.suppress(Error):
                self._wait()
            self._pending = self._pool.submit(writer.__exit__, _Failed, _Failed(), None)
            try:
                self._wait()
            except Error as error:
                warn_caller(_left_open(self.name, error))
        self._pool.shutdown()

    def _take(self, content: ReadableBuffer) -> None:
        left = memoryview(content)
        while left:
            room = PART_BYTES - len(self._part)
            self._part += left[:room]
            left = left[room:]
            if len(self._part) == PART_BYTES:
                self._send()

    def _send(self) -> None:
        self._wait()
        part, self._part = self._part, bytearray()
        if part:
            self._parts += 1
            if self._parts > _MOST_PARTS:
                raise Error(f"cannot write '{self.name}': it has more than {_MOST_PARTS} parts of {PART_BYTES >> 20} MiB, the "
                            "most that stores take: write it to a file, or compress it more")
            self._pending = self._pool.submit(self._writer.write, part)

    def _wait(self) -> None:
        """Until what was handed over is on its way. Ctrl-C ends the wait, not the request."""
        if self._pending is None:
            return
        failure = None
        try:
            self._pending.result()
            self._pending = None
        except Exception as error:
            failure = plain_error(self.name, "write", error)
            self._pending = None
        if failure is not None:
            raise failure

    def _try_to_begin(self, obstore: Any) -> None:
        """Begins an upload, and gives it up."""
        writer = obstore.open_writer(self.name.store, self.name.key, buffer_size=1, max_concurrency=1)
        writer.write(b"try")
        try:
            writer.__exit__(_Failed, _Failed(), None)
        except Exception as error:
            failure = Error(_left_open(self.name, plain_error(self.name, "write", error)))
        else:
            return
        raise failure


def _left_open(name: str, error: Error) -> str:
    reason = str(error).partition("': ")[2]
    return (f"cannot give up an upload to '{name}': {reason}; it may be left open, and cost, until you or a rule of the bucket "
            "remove it")
