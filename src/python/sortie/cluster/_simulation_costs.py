"""What the simulation takes as given, each figure with its source. RESULTS is tools/bench/RESULTS.md.

Measured: the speeds of forming and merging on 1, 2 and 16 cores and on a GPU, how well a disk is kept busy, memory for
runs, sizes of JSON and what the driver does with it, Ray's times. Everything else here is assumed and says so.
"""

import math
from collections.abc import Mapping

GB = 1e9

# Lines of 100 bytes on the H200 machine, -S a fifth of the input, files and scratch in tmpfs: nothing but the CPU is
# waited for. RESULTS, "Sixteen threads: numbers, runs in memory, logs": 1 GB takes 2.53 s with one thread and 1.64 with
# two; "What an output in memory waits for": 10 GB takes 4.19 s with 16. Those seconds are both phases. They are divided
# as the processor seconds are: a sort in memory has no merge, and takes 2.2 of 3.6, 2.1 of 4.0 and 33 of 53.
FORM_SPEEDS = {1: 0.65 * GB, 2: 1.16 * GB, 16: 3.8 * GB}
MERGE_SPEEDS = {1: 1.02 * GB, 2: 1.28 * GB, 16: 6.3 * GB}

# RESULTS, "Whole sorts beside other programs": 10 GB of binary records, --device-memory=2G, runs in host memory: 2.6 to
# 2.9 s, 1.32 of them merging. One GPU with 16 cores.
GPU_FORM_SPEED = 7.0 * GB
GPU_MERGE_SPEED = 7.6 * GB

# RESULTS, "One merge pass on a disk": 10 GB at -S 1G took 35.5 s; 40 GB at the 1.4 GB/s of that disk are 28.6 s.
# Reading and writing share the disk's time there. For networks the same share is assumed.
BUSY_SHARE = 0.8

# Assumed: blocks of runs in memory are read as fast as one thread writes there (RESULTS, "Whole sorts beside other
# programs": up to 5 GB/s).
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
# RESULTS, "Start-up": the command by itself takes some 4 ms; "Whole sorts beside other programs": with a GPU 0.28 s.
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
