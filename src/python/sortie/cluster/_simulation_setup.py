"""What is simulated: machines, data and how the job divides it. Numbers in, numbers out."""

import itertools
import math
import random
from dataclasses import dataclass
from functools import cached_property

from .. import Error
from . import _simulation_costs as costs

# Nodes, shards or ranges.
_MOST = 100_000


@dataclass(frozen=True)
class Setup:
    """Sizes in bytes, speeds in bytes per second. `files` are inputs and outputs."""

    nodes: int
    data_bytes: int
    shard_bytes: int
    disk_read: float
    disk_write: float
    network: float
    """Of a node, in each direction."""
    cores: int = 16
    memory_bytes: int = 128 << 30
    tasks: int = 1
    """That run on a node at a time, and share its cores and memory."""
    engine: str = "cpu"
    files: str = "node"
    """Where inputs and outputs are: "node", on the disk of the node that reads or writes them, or "shared"."""
    scratch: str = "node"
    """Where runs are: "node", "memory" (of the node) or "shared"."""
    shared_read: float = math.inf
    shared_write: float = math.inf
    """Of the whole shared file system."""
    range_count: int = 0
    """0: as many as shards."""
    seek_seconds: float = 20e-6
    """That a disk is busy with a request besides its bytes."""
    latency_seconds: float = 1e-3
    """Of a request to another node or to the shared file system."""
    samples: int = 256
    """That a shard reports for the choice of bounds, at most; fewer if there are very many shards."""
    sampling: str = "staggered"
    """"even": at the same places in every shard. "staggered": each shard begins elsewhere in its first interval."""
    skew: float = 1.0
    """Largest range to mean, for a key that cannot be divided."""

    def check(self) -> None:
        """Of numbers that are each in order by themselves."""
        for name, count, remedy in (("nodes", self.nodes, "fewer nodes"), ("shards", self.shards, "a larger --shard"),
                                    ("ranges", self.ranges, "fewer --ranges")):
            if count > _MOST:
                raise Error(f"{count} {name} are more than the {_MOST} that can be simulated: give {remedy}")
        if self.skew > self.ranges:
            raise Error(f"--skew must be at most {self.ranges}, the number of ranges: one cannot hold more than all")
        if self.tasks > self.cores:
            raise Error(f"--tasks must be at most {self.cores}, the number of cores")

    @cached_property
    def shards(self) -> int:
        return max(1, -(-self.data_bytes // self.shard_bytes))

    @cached_property
    def ranges(self) -> int:
        return self.range_count or self.shards

    @cached_property
    def shard_sizes(self) -> list[int]:
        ends = [self.data_bytes * i // self.shards for i in range(self.shards + 1)]
        return [end - begin for begin, end in itertools.pairwise(ends)]

    @property
    def task_memory(self) -> float:
        return self.memory_bytes / self.tasks

    @cached_property
    def runs_of_shard(self) -> int:
        largest = max(self.shard_sizes)
        if largest <= costs.ONE_RUN_SHARE_OF_MEMORY * self.task_memory:
            return 1
        return math.ceil(largest / (costs.RUN_SHARE_OF_MEMORY * self.task_memory))

    @property
    def runs(self) -> int:
        return self.shards * self.runs_of_shard

    @property
    def slices(self) -> int:
        return self.runs * self.ranges

    @property
    def slice_bytes(self) -> float:
        return self.data_bytes / self.slices

    @property
    def run_bytes(self) -> float:
        return self.data_bytes / self.runs

    @property
    def block_bytes(self) -> float:
        return min(costs.BLOCK_BYTES, self.run_bytes)

    @property
    def request_bytes(self) -> float:
        """What a merge reads of a run at a time: its share of the window, in whole blocks."""
        share = costs.WINDOW_SHARE_OF_MEMORY * self.task_memory / self.runs
        return min(max(share, self.block_bytes), costs.PIECE_BYTES, self.slice_bytes + self.block_bytes)

    @property
    def most_runs(self) -> int:
        """That a merge has memory for."""
        return max(2, int(costs.WINDOW_SHARE_OF_MEMORY * self.task_memory /
                          (costs.WINDOW_BLOCKS_OF_RUN * self.block_bytes)))

    @property
    def boundary_bytes(self) -> float:
        """Blocks that a bound lies in, of all runs: read by the cuts, and by merges once more than the data."""
        return self.runs * (self.ranges - 1) * self.block_bytes

    @property
    def footer_bytes(self) -> float:
        return self.data_bytes / self.block_bytes * (costs.INDEX_ENTRY_BYTES + costs.KEY_BYTES)

    @cached_property
    def sample_count(self) -> int:
        most = max(costs.LEAST_SAMPLES_OF_SHARD, costs.MOST_SAMPLES // self.shards)
        return max(1, min(self.samples, most))

    @cached_property
    def range_sizes(self) -> list[int]:
        """Of keys in no order, so that every shard has the same distribution of keys. They add up to the data."""
        weights = even_weights(self.ranges, self.sample_count)
        if self.sampling == "staggered":
            weights = staggered_weights(self.ranges, self.sample_count, self.shards)
        if self.skew > 1:
            weights[self.ranges // 2] = 0
            others = sum(weights) or 1
            weights = [weight / others * (self.ranges - self.skew) for weight in weights]
            weights[self.ranges // 2] = self.skew
        total, passed, last = sum(weights), 0.0, 0
        sizes = []
        for weight in weights:
            passed += weight
            end = min(self.data_bytes, round(self.data_bytes * (passed / total)))
            sizes.append(end - last)
            last = end
        sizes[-1] += self.data_bytes - last
        return sizes

    @property
    def largest_share(self) -> float:
        return max(self.range_sizes) * self.ranges / self.data_bytes


def even_weights(ranges: int, samples: int) -> list[float]:
    """Of the order in which bounds.py takes samples: those of all shards lie at the same quantiles, so that a bound can
    only be at a multiple of 1 / samples. It is at the first that is no more than half an interval in front of it."""
    places = [min(samples, max(0, math.ceil(i * samples / ranges - 0.5))) for i in range(ranges)] + [samples]
    return [float(end - begin) for begin, end in itertools.pairwise(places)]


def staggered_weights(ranges: int, samples: int, shards: int) -> list[float]:
    """A bound is off by the sum of what it is off in each shard, at most half an interval either way. Bounds that are
    closer to each other than an interval are off together, and a range has as many samples as chance puts there."""
    spread = min(math.sqrt(ranges / (samples * shards)), ranges / samples / math.sqrt(6 * shards))
    random_numbers = random.Random(costs.SEED)
    return [max(0.0, random_numbers.gauss(1, spread)) for _ in range(ranges)]
