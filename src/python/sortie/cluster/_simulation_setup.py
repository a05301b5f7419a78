"""What is simulated: machines, data and how the job divides it. Numbers in, numbers out."""

import itertools
import math
import random
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from .. import Error

GB = 1e9

# Lines of 100 bytes on the H200 machine, -S a fifth of the input, files and scratch in tmpfs: nothing but the CPU is
# waited for. RESULTS, "Threads": 1 GB takes 2.53 s with one thread and 1.64 with two; 10 GB takes 4.19 s with 16. Those
# seconds are both phases. They are divided as the processor seconds are: a sort in memory has no merge, and takes 2.2
# of 3.6, 2.1 of 4.0 and 33 of 53.
FORM_SPEEDS = {1: 0.65 * GB, 2: 1.16 * GB, 16: 3.8 * GB}
MERGE_SPEEDS = {1: 1.02 * GB, 2: 1.28 * GB, 16: 6.3 * GB}

# RESULTS, "Whole sorts beside other programs": 10 GB of binary records, --device-memory=2G, runs in host memory: 2.6 to
# 2.9 s, 1.32 of them merging. One GPU with 16 cores.
GPU_FORM_SPEED = 7.0 * GB
GPU_MERGE_SPEED = 7.6 * GB

# RESULTS, "One merge pass on a disk": 10 GB at -S 1G took 35.5 s; 40 GB at the 1.4 GB/s of that disk are 28.6 s.
# Reading and writing share the disk's time there. For networks the same share is assumed.
BUSY_SHARE = 0.8

# Assumed: blocks of runs in memory are read as fast as one thread writes there (RESULTS, "What an output in
# memory waits for": up to 5 GB/s).
MEMORY_READ_SPEED = 5.0 * GB

# RESULTS, "One merge pass on a disk": 10 GB at -S 256M were 107 runs.
RUN_SHARE_OF_MEMORY = 10e9 / 107 / (256 << 20)
# RESULTS, "Whole sorts on two CPU cores": a sort of 1 GB in memory takes 1157 MB.
ONE_RUN_SHARE_OF_MEMORY = 1 / 1.157
# src/pipeline/plan/memory_plan.cpp: the window that a merge holds of all runs, the largest block, and how many blocks
# of every run it must have room for.
WINDOW_SHARE_OF_MEMORY = 0.11
BLOCK_BYTES = 1 << 20
WINDOW_BLOCKS_OF_RUN = 2 / 0.75

# src/run/FORMAT.md: the entry of a block in a footer, without its key. A line of 100 bytes is its own key.
INDEX_ENTRY_BYTES = 44
KEY_BYTES = 100
# The largest piece that is read at once (src/README.md).
PIECE_BYTES = 32 << 20

# Bytes of JSON, counted in objects as the driver and its commands exchange them: a sample with key and record of 100
# bytes; a bound; where a bound cuts a run; the rest of a slice in a plan; both totals of a shard at a bound; what a
# task says beside these.
SAMPLE_JSON_BYTES = 310
BOUND_JSON_BYTES = 175
CUT_JSON_BYTES = 211
RUN_NAME_BYTES = 100
TOTALS_JSON_BYTES = 26
TASK_JSON_BYTES = 1000

# job_plan.py: of all shards together.
MOST_SAMPLES, LEAST_SAMPLES_OF_SHARD = 1 << 19, 8

# Two cores, Python 3.11: json.loads() of cuts 284 MB/s; samples into arrays and the choice of bounds.
DRIVER_JSON_SPEED = 280e6
DRIVER_SECONDS_PER_SAMPLE = 1.25e-6

# Ray 2.60 on two cores: the first task on a node, each further one, and the time until the death of a node is noticed.
WORKER_START_SECONDS = 4.0
TASK_SECONDS = 0.005
DETECTION_SECONDS = 16.0
# RESULTS-small, "Start-up and small inputs": the command by itself takes some 4 ms; RESULTS, "Where the time of 10 GB
# goes": with a GPU 0.28 s.
COMMAND_START_SECONDS = 0.004
GPU_START_SECONDS = 0.28

# Assumed: so many runs are opened at a time.
OPENED_AT_ONCE = 32
# Ranges differ by chance as these random numbers say, the same in every run of the model.
SEED = 17


def speed(measured: Mapping[int, float], cores: float) -> float:
    """Bytes per second, by a power law between the two nearest measured numbers of cores, and beyond the last."""
    known = sorted(measured)
    upper = next((i for i in range(1, len(known)) if cores <= known[i]), len(known) - 1)
    low, high = known[upper - 1], known[upper]
    exponent = math.log(measured[high] / measured[low]) / math.log(high / low)
    return measured[low] * math.pow(cores / low, exponent)


# Nodes, shards or ranges.
_MOST = 100_000


@dataclass
class Setup:
    """Sizes in bytes, speeds in bytes per second. `files` are inputs and outputs."""

    nodes: int
    data_bytes: int
    shard_bytes: int
    disk_read: float
    disk_write: float
    network: float
    """The network of a node, in each direction."""
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
    """The whole shared file system."""
    range_count: int = 0
    """0: as many as shards."""
    seek_seconds: float = 20e-6
    """That a disk is busy with a request besides its bytes."""
    latency_seconds: float = 1e-3
    """What a request to another node or to the shared file system takes."""
    samples: int = 256
    """That a shard reports for the choice of bounds, at most; fewer if there are very many shards."""
    sampling: str = "staggered"
    """"even": at the same places in every shard. "staggered": each shard begins elsewhere in its first interval."""
    skew: float = 1.0
    """Largest range to mean, for a key that cannot be divided."""

    def __post_init__(self) -> None:
        """What follows from these."""
        self.shards = max(1, -(-self.data_bytes // self.shard_bytes))
        self.ranges = self.range_count or self.shards
        self.task_memory = self.memory_bytes / self.tasks
        largest = -(-self.data_bytes // self.shards)
        self.runs_of_shard = 1
        if largest > ONE_RUN_SHARE_OF_MEMORY * self.task_memory:
            self.runs_of_shard = math.ceil(largest / (RUN_SHARE_OF_MEMORY * self.task_memory))
        self.runs = self.shards * self.runs_of_shard
        self.run_bytes = self.data_bytes / self.runs
        self.slices = self.runs * self.ranges
        self.slice_bytes = self.data_bytes / self.slices
        self.block_bytes = min(BLOCK_BYTES, self.run_bytes)
        # What a merge reads of a run at a time: its share of the window, in whole blocks.
        window = WINDOW_SHARE_OF_MEMORY * self.task_memory
        self.request_bytes = min(max(window / self.runs, self.block_bytes), PIECE_BYTES,
                                 self.slice_bytes + self.block_bytes)
        # Runs that a merge has memory for.
        self.most_runs = max(2, int(window / (WINDOW_BLOCKS_OF_RUN * self.block_bytes)))
        # Blocks that a bound lies in, of all runs: read by the cuts, and by merges once more than the data.
        self.boundary_bytes = self.runs * (self.ranges - 1) * self.block_bytes
        self.footer_bytes = self.data_bytes / self.block_bytes * (INDEX_ENTRY_BYTES + KEY_BYTES)
        self.sample_count = max(1, min(self.samples, max(LEAST_SAMPLES_OF_SHARD, MOST_SAMPLES // self.shards)))

    def check(self) -> None:
        """Checks together the numbers that are each in order by themselves."""
        for name, count, remedy in (("nodes", self.nodes, "fewer nodes"), ("shards", self.shards, "a larger --shard"),
                                    ("ranges", self.ranges, "fewer --ranges")):
            if count > _MOST:
                raise Error(f"{count} {name} are more than the {_MOST} that can be simulated: give {remedy}")
        if self.skew > self.ranges:
            raise Error(f"--skew must be at most {self.ranges}, the number of ranges: one cannot hold more than all")
        if self.tasks > self.cores:
            raise Error(f"--tasks must be at most {self.cores}, the number of cores")

    @cached_property
    def shard_sizes(self) -> list[int]:
        ends = [self.data_bytes * i // self.shards for i in range(self.shards + 1)]
        return [end - begin for begin, end in itertools.pairwise(ends)]

    @cached_property
    def range_sizes(self) -> list[int]:
        """Sizes for keys in no order: every shard has the same distribution of keys. They add up to the data."""
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
    """Weights by the order in which bounds.py takes samples: those of all shards lie at the same quantiles, so a bound
    can only be at a multiple of 1 / samples. It is at the first that is no more than half an interval in front of
    it."""
    places = [min(samples, max(0, math.ceil(i * samples / ranges - 0.5))) for i in range(ranges)] + [samples]
    return [float(end - begin) for begin, end in itertools.pairwise(places)]


def staggered_weights(ranges: int, samples: int, shards: int) -> list[float]:
    """A bound is off by the sum of what it is off in each shard, at most half an interval either way. Bounds that are
    closer to each other than an interval are off together, and a range has as many samples as chance puts there."""
    spread = min(math.sqrt(ranges / (samples * shards)), ranges / samples / math.sqrt(6 * shards))
    random_numbers = random.Random(SEED)
    return [max(0.0, random_numbers.gauss(1, spread)) for _ in range(ranges)]
