"""An object as a file that pyarrow reads: in ranges that are read ahead on many connections, each of them only as long
as the object is the one that was opened."""

from __future__ import annotations

import collections
import concurrent.futures
import functools
from typing import TYPE_CHECKING, Any

from .._errors import Error
from .._sources import PlacedReader
from .._thread_pools import DaemonPool
from .store import ObjectName, require_obstore, state_of
from .store_errors import changed, plain_error

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

# A range is one request: smaller ones cost more of them, larger ones come on fewer connections.
BLOCK_BYTES, RANGE_BLOCKS, CONNECTIONS = 1 << 20, 8, 8
# Places from which one may go on to read, such as the columns of a row group.
_MOST_STREAMS = 1024


class _Range:
    """Blocks that came, or come, by one request."""

    def __init__(self, first: int, count: int, content: concurrent.futures.Future[Any]) -> None:
        self.first, self.count, self.content = first, count, content


class ObjectFile(PlacedReader):
    """For one thread at a time. Reads what is there when it is asked for the first time; an object that has changed
    since is an Error."""

    def __init__(self, name: ObjectName) -> None:
        self.name, self._state, self._shared = name, name.state, name.ahead
        # Threads, not coroutines: with those of obstore 0.12 a process may be aborted at its end.
        self._pool: DaemonPool | None = None
        self._blocks: dict[int, _Range] = {}
        self._ranges: collections.OrderedDict[int, _Range] = collections.OrderedDict()
        # Where reads ended, with how many blocks are read ahead of there.
        self._streams: collections.OrderedDict[int, int] = collections.OrderedDict()

    def size(self) -> int:
        return self._state.size

    def read(self, size: int | None = -1) -> bytes:
        left = max(0, self._state.size - self._position)
        content = bytearray(left if size is None or size < 0 else min(size, left))
        self.readinto(content)
        return bytes(content)

    def readall(self) -> bytes:
        return self.read()

    def readinto(self, buffer: WriteableBuffer) -> int:
        target = memoryview(buffer).cast("B")
        target = target[:max(0, self._state.size - self._position)]
        done = 0
        while done < len(target):
            done += self._read_some(target[done:])
        return done

    def close(self) -> None:
        if self._pool is not None:
            self._pool.stop()
            self._pool = None
            self._shared.leave()
        for held in list(self._ranges.values()):
            self._drop(held)
        super().close()

    def _read_some(self, target: memoryview) -> int:
        """Reads from one range. Precondition: target is not empty, and within the object."""
        begin = self._position
        block = begin // BLOCK_BYTES
        last = (begin + len(target) - 1) // BLOCK_BYTES
        self._ask_for(block, min(last, block + self._shared.share() // 2), self._ahead(begin))
        held = self._blocks[block]
        self._ranges.move_to_end(held.first)
        content = self._content(held)
        offset = begin - held.first * BLOCK_BYTES
        count = min(len(target), len(content) - offset)
        target[:count] = content[offset:offset + count]
        self._position += count
        self._streams[self._position] = self._streams.pop(begin, 0)
        if len(self._streams) > _MOST_STREAMS:
            self._streams.popitem(last=False)
        if offset + count == len(content):
            self._ranges.move_to_end(held.first, last=False)  # it is read: the first to go
        return count

    def _ahead(self, begin: int) -> int:
        """How many blocks to read ahead of what is asked for: more each time that someone goes on where a read ended,
        as long as all who do have room."""
        window = self._streams.get(begin)
        if window is None:
            return 0
        active = sum(1 for blocks in self._streams.values() if blocks)
        most = self._shared.share() * 3 // 4 // max(1, active)
        self._streams[begin] = min(max(4, 4 * window), most)
        return self._streams[begin]

    def _ask_for(self, first: int, needed: int, ahead: int) -> None:
        """Begins to read what is missing of the blocks from the first to the needed one, and as many ahead as make
        requests that are worth it."""
        end = (self._state.size - 1) // BLOCK_BYTES
        last, block = min(needed + ahead, end), first
        while block <= last:
            if block in self._blocks:
                block += 1
                continue
            count = 1
            while count < RANGE_BLOCKS and block + count <= last and block + count not in self._blocks:
                count += 1
            is_cut_by_window = last < end and block + count > last
            if block > needed and is_cut_by_window and count < min(RANGE_BLOCKS, ahead // 2):
                return
            # What is needed at once makes room for itself; what is read ahead waits for room.
            count = self._make_room(count, first, block == first)
            if not count:
                return
            self._begin(block, count)
            block += count

    def _make_room(self, count: int, needed: int, must: bool) -> int:
        """Takes room for so many blocks, or fewer, and returns for how many; one at least if there must be room."""
        most = self._shared.share()
        count = min(count, most)
        while sum(each.count for each in self._ranges.values()) + count > most or not self._shared.take(count):
            oldest = next((each for each in self._ranges.values() if each is not self._blocks.get(needed)), None)
            if oldest is None or not (must or oldest.content.done()):
                return int(must and self._shared.take(1, must=True))
            self._drop(oldest)
        return count

    def _drop(self, held: _Range) -> None:
        held.content.cancel()
        # One that is on its way takes room until it has come.
        held.content.add_done_callback(functools.partial(self._came, held.count))
        del self._ranges[held.first]
        for block in range(held.first, held.first + held.count):
            del self._blocks[block]

    def _came(self, count: int, _: concurrent.futures.Future[Any]) -> None:
        self._shared.give_back(count)

    def _begin(self, first: int, count: int) -> None:
        if self._pool is None:
            self._pool = DaemonPool(CONNECTIONS, "sortie-objects")
            self._shared.enter()
        begin = first * BLOCK_BYTES
        end = min(begin + count * BLOCK_BYTES, self._state.size)
        asked = _Range(first, count, self._pool.submit(self._fetch, begin, end))
        self._ranges[first] = asked
        self._blocks.update(dict.fromkeys(range(first, first + count), asked))

    def _fetch(self, begin: int, end: int) -> Any:
        how: dict[str, Any] = {"range": (begin, end)}
        # One that begins with W/ is weak and matches nothing: these objects are compared by what comes.
        if self._state.tag is not None and not self._state.tag.startswith("W/"):
            how["if_match"] = self._state.tag
        result = require_obstore().get(self.name.store, self.name.key, options=how)
        return state_of(result.meta), result.bytes()

    def _content(self, held: _Range) -> memoryview:
        try:
            told, content = held.content.result()
        except Error:
            raise
        except Exception as error:
            failure: Error | None = plain_error(self.name, "read", error)
        else:
            failure = self._damage(held, told, len(content))
        if failure is not None:
            raise failure
        return memoryview(content)

    def _damage(self, held: _Range, told: Any, count: int) -> Error | None:
        if told.mark != self._state.mark or told.size != self._state.size:
            return changed(self.name)
        expected = min(held.count * BLOCK_BYTES, self._state.size - held.first * BLOCK_BYTES)
        if count != expected:
            return Error(f"cannot read '{self.name}': the store gave {count} bytes in place of {expected}")
        return None
