"""What the driver keeps of all shards once they are formed: totals, what they assumed, and the bounds of ranges."""

import array
import hashlib
import itertools
import json
import os
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from .. import Error
from .._native import total_assumptions
from .job import HEADER_FILE, JobDirectory
from .python_arguments import as_options
from .shards import Shard
from .sides import Side, bounds_file
from .tasks import CUTS_SUFFIX
from .totals import Totals
from .written_files import remove_file


def all_assumed(parts: list[dict[str, Any]], records: int) -> list[dict[str, Any]]:
    """What the shards of a job assumed without being told, as --stats-json has it: the command says of each shard what
    it was and how often. remedy is that of an Error, and advice ends the message for Python's callers: the argument
    that helps. parts: in the order of shards, as the first that has one knows the first place. records: of all
    shards."""
    told: list[dict[str, Any]] = total_assumptions(parts, records)
    return told


def refuse_assumed(told: list[dict[str, Any]]) -> None:
    """For a strict sort."""
    if told:
        ways = "" if len(told) == 1 else f" in {len(told)} ways, the first is this"
        raise Error(f"the sort would have to assume something{ways}: {told[0]['message']}"
                    f"{as_options(told[0]['advice'])}", told[0]["remedy"])


class Choice(NamedTuple):
    """A sample that became a bound: its number among those of its shard, and what it cuts (see Samples.choose)."""

    shard: int
    sample: int
    run: int
    block: int
    block_bytes: int


class Samples:
    """The samples of all runs, as arrays: a job may have half a million."""

    def __init__(self) -> None:
        self._keys: list[str] = []
        self._weights = array.array("q")
        self._numbers = [array.array("q") for _ in range(6)]
        self.total_bytes = 0

    def add_shard(self, shard: int, first_run: int, bytes_of_runs: list[int], samples: list[dict[str, Any]]) -> None:
        """In the order of shards. With the runs of the shard one behind the other, as a ring, a sample stands for the
        bytes from it up to the next one. Shards begin their samples at different places, so that this has no bias."""
        begins = list(itertools.accumulate(bytes_of_runs, initial=0))
        places = [begins[sample["run"]] + sample["output_bytes"] for sample in samples]
        self.total_bytes += begins[-1]
        if not samples:
            return
        for number, (sample, place, following) in enumerate(zip(samples, places, [*places[1:], begins[-1] + places[0]],
                                                                strict=True)):
            self._keys.append(sample["key"])
            self._weights.append(following - place)
            numbers = (shard, number, first_run + sample["run"], sample["block"], sample["block_bytes"],
                       sample["is_whole"])
            for column, value in zip(self._numbers, numbers, strict=True):
                column.append(value)

    def choose(self, parts: int, divides_equal_keys: bool, share: float = 1.0) -> list[Choice]:
        """The bounds, at most parts - 1, in order and no two alike. They are a systematic sample: each is the one next
        to a multiple of total_bytes / parts. Samples with equal keys are in the order of their runs and places, so that
        a key with many records is divided. Where equal keys must stay together, or a key is too long to be whole, a
        bound is in front of its key in every run, and the number of its run is -1. share: of the bytes that are wanted,
        from the begin on; the last part has the others, too."""
        # Stable: samples were added in the order of runs and places.
        order = sorted(range(len(self._keys)), key=self._keys.__getitem__)
        chosen: list[Choice] = []
        passed, last_key = 0, None
        step = self.total_bytes * share / parts
        target = step
        for place, index in enumerate(order):
            middle = passed + self._weights[index] / 2
            passed += self._weights[index]
            if place == 0 or middle < target or len(chosen) + 1 >= parts:
                continue
            key = self._keys[index]
            shard, sample, run, block, block_bytes, is_whole = (column[index] for column in self._numbers)
            if not (divides_equal_keys and is_whole):
                if key in (last_key, self._keys[order[0]]):
                    continue
                run, block, block_bytes = -1, 0, 0
            chosen.append(Choice(shard, sample, run, block, block_bytes))
            last_key = key
            target = (middle // step + 1) * step
        return chosen


def sizes_of_ranges(job: JobDirectory, shards: list[Shard], parts: int) -> tuple[list[int], list[int]]:
    """Records and bytes of each, as cuts have told."""
    sums = {"records": [0] * (parts + 1), "output_bytes": [0] * (parts + 1)}
    for shard in shards:
        told = job.require(f"cuts/{shard.number:06d}.json")
        for name, total in sums.items():
            if told[name]:
                sums[name] = list(map(int.__add__, total, told[name]))
    first, second = ([end - begin for begin, end in itertools.pairwise(total)] for total in sums.values())
    return first, second


# Warnings of one shard.
_MOST_WARNINGS = 20


class ShardsLost(Error):
    """Runs that were formed are gone, as those of a machine that died are."""


class ShardsDamaged(Error):
    """Runs that were formed cannot be read, or where they are cut, or what was made of them is damaged. That is to be
    made once more."""


@dataclass
class Formed:
    """sides: by their names in shards; a sort has one, with an empty name. digest: of all runs, and with_bounds of the
    bounds, too; what was made of others does not fit. first_runs: for each shard, the number of its first run among
    all; nodes: whose disk has its runs, None for one that all see."""

    sides: dict[str, Side] = field(default_factory=dict)
    digest: str = ""
    with_bounds: str = ""
    divides_equal_keys: bool = True
    input: Totals = Totals()
    dropped: Totals = Totals()
    run_count: int = 0
    first_runs: list[int] = field(default_factory=list)
    nodes: list[str | None] = field(default_factory=list)
    warnings: dict[str, None] = field(default_factory=dict)

    @property
    def identity(self) -> str:
        """As commands tell it that merge ranges: of both sides of a join, one behind the other."""
        return "".join(side.identity for side in self.sides.values())

    @property
    def header(self) -> str:
        """The header of a sort, or of the left side of a join."""
        return next((side.header for side in self.sides.values()), "")

    def all_assumed(self) -> list[dict[str, Any]]:
        """What was assumed of one side after the other; what is said of both alike is said once."""
        told = (item for side in self.sides.values() for item in all_assumed(side.assumed, side.records))
        return list({item["message"]: item for item in told}.values())


def read_formed(job: JobDirectory, shards: list[Shard]) -> Formed:
    """Raises Error for shards that were formed in different orders, or have different headers."""
    formed = Formed()
    digest = hashlib.sha256()
    runs = []
    for shard in shards:
        told = job.require(f"formed/{shard.number:06d}.json")
        formed.sides.setdefault(shard.side, Side(formed.run_count)).add(shard, told)
        formed.input = formed.input.plus(Totals.from_json(told["input"]))
        formed.dropped = formed.dropped.plus(Totals.from_json(told["dropped"]))
        formed.warnings.update(dict.fromkeys(told.get("warnings", ())[:_MOST_WARNINGS]))
        formed.divides_equal_keys &= told.get("divides_equal_keys", True)
        formed.first_runs.append(formed.run_count)
        formed.run_count += len(told["runs"])
        formed.nodes.append(told["scratch_node"])
        runs.append({"scratch_node": told["scratch_node"],
                     "runs": [[run["path"], run["file_bytes"]] for run in told["runs"]]})
        digest.update(json.dumps([told["identity"], told["runs"]]).encode())
    formed.sides[shards[0].side].assumed.extend((job.read(HEADER_FILE) or {}).get("assumptions", ()))
    formed.digest = digest.hexdigest()
    job.write("runs.json", {"shards": runs})
    return formed


def write_bounds(job: JobDirectory, shards: list[Shard], formed: Formed, parts: int, share: float = 1.0) -> int:
    """Chooses bounds of the key space, and returns how many parts there are. Those that were chosen for the same runs
    stay. share: as Samples.choose() takes it."""
    known = job.read("ranges.json")
    kept = [job.read(bounds_file(side)) for side in formed.sides]
    if known is not None and known["formed"] == formed.digest and None not in kept:
        formed.with_bounds = _digest_with(formed, kept[0]["bounds"])
        return int(known["parts"])
    samples = Samples()
    for shard in shards:
        told = _samples(job, shard.number)
        samples.add_shard(shard.number, formed.first_runs[shard.number], told["bytes_of_runs"], told["samples"])
    choices = samples.choose(parts, formed.divides_equal_keys, share)
    records: dict[Choice, str] = {}
    for number, of_shard in itertools.groupby(sorted(choices), lambda choice: choice.shard):
        told = _samples(job, number)
        records.update((choice, told["samples"][choice.sample]["record"]) for choice in of_shard)
    bounds = [{"record": records[choice], "run": choice.run, "block": choice.block, "block_bytes": choice.block_bytes}
              for choice in choices]
    formed.with_bounds = _digest_with(formed, bounds)
    for name, side in formed.sides.items():
        job.write(bounds_file(name), {"bounds": bounds, "header": side.header})
    job.write("ranges.json", {"formed": formed.digest, "parts": len(choices) + 1})
    return len(choices) + 1


def _digest_with(formed: Formed, bounds: list[dict[str, Any]]) -> str:
    return hashlib.sha256(json.dumps([formed.digest, bounds]).encode()).hexdigest()


def _samples(job: JobDirectory, shard: int) -> Any:
    """Without them the shard counts as not formed: its runs tell them again."""
    told = job.read(f"formed/{shard:06d}.samples")
    if told is None:
        remove_file(job.item("formed", shard, ".json"))
        raise ShardsLost(f"the samples of shard {shard} are not what was written")
    return told


def shards_with_file(job: JobDirectory, file: str) -> set[int]:
    """The shards that have this run, or a copy of it. file: as Failure has it."""
    name = _last_part(file)
    return {shard for shard, formed in enumerate(job.require("runs.json")["shards"])
            if any(os.path.basename(path) == name for path, _ in formed["runs"])}


def forget_damaged_cuts(job: JobDirectory, file: str) -> set[int]:
    """The shard whose file of cuts this is, if it is one. It is to be cut again. file: as Failure has it."""
    name, suffix = os.path.splitext(_last_part(file))
    if suffix != CUTS_SUFFIX or not name.isdigit():
        return set()
    remove_file(job.item("cuts", int(name), ".json"))
    return {int(name)}


def _last_part(file: str) -> str:
    """Names that the job has made have nothing in them that messages show otherwise, whatever the folder is called: only
    the quote behind them is no part of them."""
    return os.path.basename(file.rstrip("'\""))
