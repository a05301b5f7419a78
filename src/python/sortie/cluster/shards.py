"""Inputs of a job, and how they are divided into shards."""

import bisect
import itertools
import os
import stat
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from .. import Error
from .._errors import file_error_of
from .._sources import is_source, output_of

# Places that a packed input takes, whose unpacked size nobody knows: so many times its bytes, as deflate packs at most,
# and no fewer than this.
_MOST_PACKED, _LEAST_PACKED_PLACES = 1 << 11, 1 << 36
_PLACES = 1 << 56
# Upper bound on the names of a shard's files. Linux gives a command 2 MiB for its words and its environment, or less.
_MOST_WORDS_BYTES = 256 << 10
# Enough to tell how a file is packed, and whether it is a JSON array.
_BEGIN_BYTES = 4 << 10
_MAGIC = (b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd", b"BZh")


class Input(NamedTuple):
    path: str
    bytes: int
    changed: int
    """When, in nanoseconds."""
    is_packed: bool
    begins: tuple[int, ...] | None = None
    """Where shards may begin; None: anywhere."""
    inode: int = 0
    touched: int = 0
    """When the file was last changed in any way, in nanoseconds: nobody can set this time."""
    mark: str | None = None
    """The tag of an object, which changes when that does."""
    is_in_blocks: bool = False
    """Packed in blocks of BGZF, of which each can be unpacked by itself."""

    def stamp(self) -> list[Any]:
        """What tells whether it was changed. Programs that copy a file over it may give it the old size and the old
        time of change. Numbers of devices differ among machines, and do not count."""
        if self.mark is not None:
            return [self.path, self.bytes, self.mark]
        return [self.path, self.bytes, self.changed, self.touched, self.inode]

    @property
    def places(self) -> int:
        return max(self.bytes * _MOST_PACKED, _LEAST_PACKED_PLACES) if self.is_packed else self.bytes


class Shard(NamedTuple):
    """Bytes [begin, end) of a file; end is None for all that follow. others: files that come behind it, whole as it is
    then. side: of a join, left or right."""

    number: int
    path: str
    begin: int
    end: int | None
    bytes: int
    place: int
    others: tuple[str, ...] = ()
    side: str = ""

    @classmethod
    def from_json(cls, values: list[Any]) -> "Shard":
        # Jobs of earlier versions have no sides.
        number, path, begin, end, size, place, others, side = [*values, ""][:8]
        return cls(number, path, begin, end, size, place, tuple(others), side)

    def words_of_format(self, names: str) -> list[str]:
        """As the command takes it of files of a format, of which `names` lists all: bytes are those of all."""
        return [f"--bytes={self._bytes()}", f"--place={self.place}", f"--files0-from={names}"]

    def words(self) -> list[str]:
        """As the command takes it."""
        range_of_bytes = [] if self.others else [f"--bytes={self._bytes()}"]
        side = [f"--side={self.side}"] if self.side else []
        return [*side, *range_of_bytes, f"--place={self.place}", "--", self.path, *self.others]

    def _bytes(self) -> str:
        return f"{self.begin}-{'' if self.end is None else self.end}"

    def __str__(self) -> str:
        where = "" if (self.begin, self.end) == (0, None) else f", bytes {self._bytes()}"
        return f"shard {self.number} ('{self.path}'{where}{f' and {len(self.others)} more' if self.others else ''})"


def look_at(path: str, is_json: bool = False) -> Input:
    """is_json: a document that is one array is not divided, as if it were packed."""
    place: Any = output_of(path)
    if is_source(place):
        return Input(place, place.state.size, 0, False, mark=place.state.mark)
    try:
        state = os.stat(path)
        if not stat.S_ISREG(state.st_mode):
            of_folder = ", but a folder without Parquet files" if stat.S_ISDIR(state.st_mode) else ""
            raise Error(f"cannot divide '{path}' among machines: it is no regular file{of_folder}: name files")
        with open(path, "rb") as file:
            begin = file.read(_BEGIN_BYTES)
    except OSError as error:
        raise file_error_of(error, f"cannot read '{path}'", path) from error
    is_array = is_json and begin.removeprefix(b"\xef\xbb\xbf").lstrip(b" \t\r\n").startswith(b"[")
    return Input(path, state.st_size, state.st_mtime_ns, is_array or begin.startswith(_MAGIC),
                 inode=state.st_ino, touched=state.st_ctime_ns,
                 is_in_blocks=begin[3:4] == b"\x04" and begin[12:16] == b"BC\x02\0")


def plan_shards(inputs: Iterable[Input], shard_bytes: int, whole_files: bool, are_sets: bool = False) -> list[Shard]:
    """Shards of equal sizes for each input, `shard_bytes` at most. Packed inputs, and all with `whole_files`, are not
    divided. Small ones that follow each other are one shard. Empty inputs have no shard, unless all are empty, or
    `are_sets`: then the place of a record tells which input it is of."""
    inputs = list(inputs)
    filled = inputs if are_sets else [item for item in inputs if item.bytes] or inputs[:1]
    set_places = _set_places(inputs) if are_sets else 0
    shards: list[Shard] = []
    place = behind = 0
    for together in _joined(filled, shard_bytes):
        if are_sets:
            place = behind * set_places
            behind += len(together)
        first = together[0]
        whole = first._replace(bytes=sum(item.bytes for item in together))
        count = 1 if len(together) > 1 or first.is_packed or whole_files else max(1, -(-whole.bytes // shard_bytes))
        others = tuple(item.path for item in together[1:])
        for begin, end in itertools.pairwise(_bounds(whole, count)):
            last = end == whole.bytes
            shards.append(Shard(len(shards), first.path, begin, None if last else end, end - begin, place + begin,
                                others))
        # A line that is not complete gets a byte more.
        place += sum(item.places + 1 for item in together)
    if place >= _PLACES:
        raise Error("the inputs are too large for one job: sort them in several, and merge the results")
    return shards


def _set_places(inputs: list[Input]) -> int:
    """Places of each, as the command divides them among sets (shard.hpp)."""
    places = _PLACES >> len(inputs).bit_length()
    for item in (item for item in inputs if item.bytes >= places):
        raise Error(f"'{item.path}' is too large for one of {len(inputs)} sets: name fewer inputs")
    return places


def plan_sides(inputs: Iterable[Input], shard_bytes: int, whole_files: bool) -> list[Shard]:
    """The shards of a join: those of the left input, then those of the right one, each side with places of its own."""
    sides = [shard._replace(side=side) for side, item in zip(("left", "right"), inputs, strict=True)
             for shard in plan_shards([item], shard_bytes, whole_files)]
    return [shard._replace(number=number) for number, shard in enumerate(sides)]


def _bounds(item: Input, count: int) -> list[int]:
    """The bounds of so many shards, or of fewer where too few may begin."""
    bounds = [item.bytes * i // count for i in range(count + 1)]
    if item.begins is None:
        return bounds
    begins = [*item.begins, item.bytes]
    nearest = {begins[bisect.bisect_left(begins, bound)] for bound in bounds}
    return sorted(nearest | {0, item.bytes}) if item.bytes else bounds


def _joined(inputs: Iterable[Input], shard_bytes: int) -> Iterator[list[Input]]:
    """Inputs that follow each other and fill a shard at most, and no more of them than a command takes. Tables are not
    joined."""
    together: list[Input] = []
    room = words = 0
    for item in inputs:
        words += len(os.fsencode(item.path)) + 1
        if item.bytes > room or words > _MOST_WORDS_BYTES or item.begins is not None:
            if together:
                yield together
            together, room, words = [], shard_bytes, len(os.fsencode(item.path)) + 1
        together.append(item)
        room -= item.bytes
    if together:
        yield together


def shard_places(count: int) -> int:
    """Bytes of records that each of so many shards has places for."""
    return _PLACES // (count + 1)


def spread_places(shards: Iterable[Shard]) -> list[Shard]:
    """Records take more bytes than row groups that are packed: each shard has as many places as there may be."""
    shards = list(shards)
    return [shard._replace(place=shard.number * shard_places(len(shards))) for shard in shards]
