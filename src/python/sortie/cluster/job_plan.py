"""What a job will do, decided at its first start and kept: another driver goes on with the same shards, of which one machine
forms runs at a time. And what this machine has for tasks, where nothing else is asked for."""

import bisect
import itertools
import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from .. import Error
from .._errors import ArgumentError, file_error_of
from .._native import machine_share
from .._report import say_count
from .._sources import is_source, output_of
from .arguments import SortOptions, own_count, own_size, parse_scratch
from .job import JobDirectory
from .paths import lead_to_one_file

if TYPE_CHECKING:
    from .tables import TableRequest

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
    """Of an object: changes when it does."""

    def stamp(self) -> list[Any]:
        """What tells whether it was changed. Programs that copy a file over it may give it the old size and the old time
        of change. Numbers of devices differ among machines, and do not count."""
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
            raise Error(f"cannot divide '{path}' among machines: it is no regular file")
        with open(path, "rb") as file:
            begin = file.read(_BEGIN_BYTES)
    except OSError as error:
        raise file_error_of(error, f"cannot read '{path}'", path) from error
    is_array = is_json and begin.removeprefix(b"\xef\xbb\xbf").lstrip(b" \t\r\n").startswith(b"[")
    return Input(path, state.st_size, state.st_mtime_ns, is_array or begin.startswith(_MAGIC),
                 inode=state.st_ino, touched=state.st_ctime_ns)


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
    """Of a join: the shards of the left input, then those of the right one, each side with places of its own."""
    sides = [shard._replace(side=side) for side, item in zip(("left", "right"), inputs, strict=True)
             for shard in plan_shards([item], shard_bytes, whole_files)]
    return [shard._replace(number=number) for number, shard in enumerate(sides)]


def _bounds(item: Input, count: int) -> list[int]:
    """Of so many shards, or of fewer where too few may begin."""
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


# Samples that a job takes at most, and for each shard or range: more cut ranges of more equal sizes, and take memory of
# the driver, some 150 bytes each. A shard has its share of them by its bytes, and no fewer than the last number.
_MOST_SAMPLES, _SAMPLES_OF_ONE, _LEAST_SAMPLES = 1 << 19, 256, 8
# Smaller shards are not worth a process, where nothing else is asked for.
_LEAST_SHARD_BYTES, _MOST_SHARD_BYTES = 64 << 20, 50 << 30


class Resources(NamedTuple):
    """Of one task. slots: how many run at once."""

    slots: int
    memory_bytes: int
    threads: int


class Request(NamedTuple):
    """What is asked for. shard_bytes, ranges: None for what suits the sizes. scratch: a folder that is there on every node,
    for runs; None for the job directory. table: of Parquet files, else None."""

    inputs: list[str]
    output: str
    sort: SortOptions
    environment: Mapping[str, str | None]
    shard_bytes: int | None
    ranges: int | None
    scratch: str | None = None
    table: "TableRequest | None" = None

    def stamped(self, finished: dict[str, Any] | None) -> dict[str, Any]:
        """As it is kept, with the sizes and times of the inputs. finished: the same of a job whose output may have
        replaced an input."""
        before = {item[0]: item for item in finished["inputs"]} if finished else {}
        stamps = []
        for path in self.inputs:
            is_output = lead_to_one_file(path, self.output)
            stamps.append(before[path] if path in before and is_output else look_at(path).stamp())
        return {"version": 1, "inputs": stamps, "output": self.output,
                "options": [*self.sort.words, *(word for word in self.sort.cuts if word not in self.sort.words)],
                "locale": dict(self.environment), "shard size": self.shard_bytes, "number of ranges": self.ranges,
                "scratch folder": self.scratch, **({"table": self.table.stamp()} if self.table else {})}


def make_request(inputs: list[str], output: str, own: Mapping[str, str], sort: SortOptions,
                 environment: Mapping[str, str | None]) -> Request:
    """Of absolute paths. own: options of the cluster."""
    if sort.comparison.joins and len(inputs) != 2:
        raise Error("--join needs two files, the left and the right one")
    return Request(inputs, output, sort, environment, own_size(own, "shard"), own_count(own, "ranges"),
                   parse_scratch(own["scratch"]) if "scratch" in own else None)


def for_table(request: Request, table: "TableRequest") -> Request:
    """The request for rows of a table: their records are sorted in the order that it tells."""
    sort = request.sort
    if "--strict" in sort.words:
        table.refuse_assumed()
    return request._replace(sort=sort._replace(words=[*sort.words, *table.words], sizes_are_known=False), table=table)


class JobPlan(NamedTuple):
    shards: list[Shard]
    ranges: int
    memory_bytes: int
    threads: int

    @property
    def input_bytes(self) -> int:
        return sum(shard.bytes for shard in self.shards)

    def samples(self) -> list[int]:
        """That each shard is to tell."""
        wanted = min(_MOST_SAMPLES, _SAMPLES_OF_ONE * max(len(self.shards), self.ranges))
        total_bytes = self.input_bytes or 1
        return [max(_LEAST_SAMPLES, -(-wanted * shard.bytes // total_bytes)) for shard in self.shards]


def make_plan(request: Request, resources: Resources) -> JobPlan:
    is_json = "--jsonl" in request.sort.words
    inputs = request.table.inputs if request.table else [look_at(path, is_json) for path in request.inputs]
    total_bytes = sum(item.bytes for item in inputs)
    shard_bytes = request.shard_bytes or min(_MOST_SHARD_BYTES,
                                             max(_LEAST_SHARD_BYTES, -(-total_bytes // resources.slots)))
    if request.sort.comparison.joins:
        shards = plan_sides(inputs, shard_bytes, request.sort.whole_files)
    else:
        shards = plan_shards(inputs, shard_bytes, request.sort.whole_files, request.sort.compares_inputs)
    if request.table:
        shards = spread_places(shards)
    # Files that cannot be divided or joined have many shards, not many ranges.
    wanted = request.ranges or max(resources.slots, -(-total_bytes // shard_bytes))
    return JobPlan(shards, 1 if _needs_one_range(request.sort) else wanted, resources.memory_bytes, resources.threads)


def _needs_one_range(sort: SortOptions) -> bool:
    """Where only the first records are wanted, one merge finds them: that of the second sort, if there are two. Groups are cut
    into files as they stand in one file."""
    return (sort.keeps_few and not sort.in_order) or (sort.comparison.groups and bool(sort.cuts))


def kept_plan(job: JobDirectory, request: Request, resources: Resources) -> JobPlan:
    """The plan of the job, made if there is none yet. Commands get what there is for them now."""
    known, digest = job.read("plan.json"), job.request_digest()
    if known is None or known.get("request") != digest:
        # Shards that another plan had made would be others.
        job.forget_work()
        plan = make_plan(request, resources)
    else:
        plan = JobPlan([Shard.from_json(values) for values in known["shards"]], known["ranges"],
                       resources.memory_bytes, resources.threads)
    job.write("plan.json", {**plan._asdict(), "request": digest})
    return plan


# The share of the memory that the system and its control groups leave which tasks may have; what a command takes beside
# its data.
_SHARE = 0.75
BESIDE_BYTES, _LEAST_BYTES = 64 << 20, 1 << 20


def node_name() -> str:
    return os.uname().nodename


def local_resources(slots: int | None, memory_bytes: int | None, threads: int | None, root: str = "") -> Resources:
    """root: the folder that holds proc and sys; empty for those of the system."""
    available, cpus = machine_share(root)
    threads = threads or (max(1, cpus // slots) if slots else 1)
    slots = slots or max(1, cpus // threads)
    share = int(available * _SHARE) // slots - BESIDE_BYTES
    return Resources(slots, memory_bytes or max(_LEAST_BYTES, share), threads)


def refuse_too_many_workers(slots: int | None, name: str = "workers") -> None:
    """Raises ArgumentError for commands whose memory this machine does not have."""
    available, _ = machine_share()
    most = max(1, int(available * _SHARE) // (_LEAST_BYTES + BESIDE_BYTES))
    if slots is not None and slots > most:
        raise ArgumentError(f"invalid value '{slots}' for {name}: this machine has memory for "
                            f"{say_count(most, 'command')} at once")
