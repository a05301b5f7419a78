"""The shards of the inputs: what one machine forms runs of at a time. A pure function of sizes."""

import bisect
import itertools
import os
import stat
from collections.abc import Iterable
from typing import Any, NamedTuple

from .. import Error

# Places that a packed input takes, whose unpacked size nobody knows: so many times its bytes, as deflate packs at most,
# and no fewer than this.
_MOST_PACKED, _LEAST_PACKED_PLACES = 1 << 11, 1 << 36
PLACES = 1 << 56
_MAGIC = (b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd", b"BZh")


class Input(NamedTuple):
    path: str
    bytes: int
    changed: int
    """When, in nanoseconds."""
    is_packed: bool
    begins: tuple[int, ...] | None = None
    """Where shards may begin; None: anywhere."""

    def stamp(self) -> list[Any]:
        """What tells whether it was changed."""
        return [self.path, self.bytes, self.changed]

    @property
    def places(self) -> int:
        return max(self.bytes * _MOST_PACKED, _LEAST_PACKED_PLACES) if self.is_packed else self.bytes


class Shard(NamedTuple):
    """Bytes [begin, end) of a file; end is None for all that follow."""

    number: int
    path: str
    begin: int
    end: int | None
    bytes: int
    place: int

    @property
    def byte_range(self) -> str:
        """As --bytes takes it."""
        return f"{self.begin}-{'' if self.end is None else self.end}"

    def __str__(self) -> str:
        where = "" if self.begin == 0 and self.end is None else f", bytes {self.byte_range}"
        return f"shard {self.number} ('{self.path}'{where})"


def look_at(path: str) -> Input:
    try:
        state = os.stat(path)
        if not stat.S_ISREG(state.st_mode):
            raise Error(f"cannot divide '{path}' among machines: it is no regular file")
        with open(path, "rb") as file:
            begin = file.read(4)
    except OSError as error:
        raise Error(f"cannot read '{path}': {error.strerror}") from None
    return Input(path, state.st_size, state.st_mtime_ns, begin.startswith(_MAGIC))


def plan_shards(inputs: Iterable[Input], shard_bytes: int, whole_files: bool) -> list[Shard]:
    """Shards of equal sizes for each input, `shard_bytes` at most. Packed inputs, and all with `whole_files`, are not
    divided. Empty inputs have no shard, unless all are empty."""
    inputs = list(inputs)
    filled = [item for item in inputs if item.bytes] or inputs[:1]
    shards: list[Shard] = []
    place = 0
    for item in filled:
        count = 1 if item.is_packed or whole_files else max(1, -(-item.bytes // shard_bytes))
        for begin, end in itertools.pairwise(_bounds(item, count)):
            last = end == item.bytes
            shards.append(Shard(len(shards), item.path, begin, None if last else end, end - begin, place + begin))
        place += item.places
    if place >= PLACES:
        raise Error("the inputs are too large for one job: sort them in several, and merge the results")
    return shards


def _bounds(item: Input, count: int) -> list[int]:
    """Of so many shards, or of fewer where too few may begin."""
    bounds = [item.bytes * i // count for i in range(count + 1)]
    if item.begins is None:
        return bounds
    begins = [*item.begins, item.bytes]
    nearest = {begins[bisect.bisect_left(begins, bound)] for bound in bounds}
    return sorted(nearest | {0, item.bytes}) if item.bytes else bounds
