"""What the tasks of each stage cost, of which machines. Pure functions of the setup.

Reading and writing share the time of a disk. A network card has its full speed in both directions at once.
"""

import math
from typing import NamedTuple

from . import _simulation_setup as costs
from ._simulation_flows import CPU, DISK, NETWORK_IN, NETWORK_OUT, RESOURCES, Load
from ._simulation_setup import Setup


class Amounts(NamedTuple):
    """Bytes of the data that a task reads and writes, and of those how many cross the network; what it reads of run
    files besides; and requests."""

    read: float
    written: float
    over_network: float
    other_read: float
    requests: float


class Loads:
    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        remote = setup.nodes > 1 or "shared" in (setup.files, setup.scratch)
        self._latency_seconds = setup.latency_seconds if remote else 0.0
        # What merges read of the runs that lie on other nodes.
        self._remote_share = 1.0 if setup.scratch == "shared" else 1 - 1 / setup.nodes
        # Seconds a byte.
        self._disk_writing = 1 / (setup.disk_write * costs.BUSY_SHARE)
        self._crossing = 1 / (setup.network * costs.BUSY_SHARE)
        self._extra_share = (setup.boundary_bytes + setup.footer_bytes) / setup.data_bytes
        form, merge = (self._speeds(stage) for stage in ("form", "merge"))
        self._loads = {"form": self._form("form", *form, 0.0), "form again": self._form("form again", *form, 1.0),
                       "cut": self._cut(), "merge": self._merge(*merge)}

    def of(self, stage: str, is_repeated: bool) -> Load:
        """Shards are formed again from copies of the input that lie on other nodes, if they do not lie on a shared file
        system."""
        again = stage == "form" and is_repeated and self._setup.files == "node"
        return self._loads["form again" if again else stage]

    def byte_count(self, stage: str, number: int) -> float:
        """That flow while a task runs."""
        if stage == "cut":
            return (self._setup.boundary_bytes + self._setup.footer_bytes) / self._setup.shards
        return (self._setup.shard_sizes if stage == "form" else self._setup.range_sizes)[number]

    def amounts(self, stage: str, number: int) -> Amounts:
        setup, count = self._setup, self.byte_count(stage, number)
        if stage == "form":
            crossing = count * ((setup.files == "shared") + (setup.scratch == "shared"))
            return Amounts(count, count, crossing, 0, math.ceil(count / costs.PIECE_BYTES))
        if stage == "cut":
            return Amounts(0, 0, 0, count, setup.runs_of_shard * setup.ranges)
        extra = count * self._extra_share
        requests = setup.shards + max(setup.runs, math.ceil((count + extra) / setup.request_bytes)) if count else 0
        return Amounts(count, count, count * (self._remote_share + (setup.files == "shared")), extra, requests)

    def start_seconds(self, stage: str) -> float:
        """From the driver's word to the first byte."""
        start = costs.COMMAND_START_SECONDS + self._latency_seconds
        if stage == "form" and self._setup.engine == "gpu":
            start += costs.GPU_START_SECONDS
        if stage == "merge":
            # Where its bounds cut the runs is in one file a shard. Then each run is opened, its part of the index read.
            opening = 2 * self._setup.runs * self._latency_seconds / costs.OPENED_AT_ONCE
            start += self._setup.shards * self._latency_seconds + opening
        return start

    def result_seconds(self, stage: str) -> float:
        """What the driver takes for a result."""
        json_bytes = costs.TASK_JSON_BYTES
        if stage == "form":
            json_bytes += self._setup.sample_count * costs.SAMPLE_JSON_BYTES
        if stage == "cut":
            json_bytes += self._setup.ranges * costs.TOTALS_JSON_BYTES
        return json_bytes / costs.DRIVER_JSON_SPEED

    def driver_seconds(self, stage: str) -> float:
        if stage == "bounds":
            bounds_json = self._setup.ranges * costs.BOUND_JSON_BYTES / costs.DRIVER_JSON_SPEED
            return self._setup.shards * self._setup.sample_count * costs.DRIVER_SECONDS_PER_SAMPLE + bounds_json
        totals_json = (self._setup.shards + self._setup.ranges) * costs.TASK_JSON_BYTES
        return totals_json / costs.DRIVER_JSON_SPEED + self._latency_seconds

    def _speeds(self, stage: str) -> tuple[float, float]:
        """The speeds of all cores of a node, and of one task."""
        setup = self._setup
        if setup.engine == "gpu":
            gpu = costs.GPU_FORM_SPEED if stage == "form" else costs.GPU_MERGE_SPEED
            return gpu, gpu
        measured = costs.FORM_SPEEDS if stage == "form" else costs.MERGE_SPEEDS
        return costs.speed(measured, setup.cores), costs.speed(measured, setup.cores / setup.tasks)

    def _disk_reading(self, request_bytes: float) -> float:
        """Seconds a byte."""
        return 1 / (self._setup.disk_read * costs.BUSY_SHARE) + self._setup.seek_seconds / max(1.0, request_bytes)

    def _form(self, name: str, node_speed: float, task_speed: float, copies: float) -> Load:
        setup, own, shared = self._setup, [0.0] * len(RESOURCES), 0.0
        own[CPU] = 1 / node_speed
        if setup.files == "node":
            own[DISK] += self._disk_reading(costs.PIECE_BYTES)
            own[NETWORK_IN] += copies * self._crossing
            own[NETWORK_OUT] += copies * self._crossing
        else:
            own[NETWORK_IN] += self._crossing
            shared += 1 / setup.shared_read
        if setup.scratch == "node":
            own[DISK] += self._disk_writing
        elif setup.scratch == "shared":
            own[NETWORK_OUT] += self._crossing
            shared += 1 / setup.shared_write
        return Load(name, tuple(own), shared=shared, most_speed=task_speed)

    def _cut(self) -> Load:
        """One block after the other."""
        setup, own, shared = self._setup, [0.0] * len(RESOURCES), 0.0
        most_speed = costs.MEMORY_READ_SPEED
        if setup.scratch == "node":
            own[DISK] = self._disk_reading(setup.block_bytes)
        elif setup.scratch == "shared":
            own[NETWORK_IN] = self._crossing
            shared = 1 / setup.shared_read
            most_speed = 1 / (self._crossing + self._latency_seconds / setup.block_bytes)
        return Load("cut", tuple(own), shared=shared, most_speed=most_speed, most_speed_name="latency")

    def _merge(self, node_speed: float, task_speed: float) -> Load:
        setup, own, shared = self._setup, [0.0] * len(RESOURCES), 0.0
        peers = [0.0] * len(RESOURCES)
        read = 1 + self._extra_share
        own[CPU] = 1 / node_speed
        own[NETWORK_IN] = read * self._remote_share * self._crossing
        if setup.scratch == "shared":
            shared += read / setup.shared_read
        else:
            peers[NETWORK_OUT] = read * self._remote_share * self._crossing
        if setup.scratch == "node":
            peers[DISK] = read * self._disk_reading(setup.request_bytes)
        if setup.files == "node":
            own[DISK] += self._disk_writing
        else:
            own[NETWORK_OUT] += self._crossing
            shared += 1 / setup.shared_write
        return Load("merge", tuple(own), tuple(peers), shared, task_speed)


class Kind(NamedTuple):
    name: str
    files: int
    bytes: float


def metadata(setup: Setup) -> list[Kind]:
    """Runs count by their footers, which are part of the run files; the data in runs and outputs is not counted. Plans
    are there while a merge runs; all of them are counted."""
    # There are two rows more than bounds, for begin and end. A plan has both cuts of each run.
    cuts = (setup.slices + setup.runs) * costs.CUT_JSON_BYTES
    plans = setup.slices * (2 * costs.CUT_JSON_BYTES + costs.RUN_NAME_BYTES)
    samples = setup.shards * setup.sample_count * costs.SAMPLE_JSON_BYTES
    return [
        Kind("footers of runs", setup.runs, setup.footer_bytes),
        Kind("shards and their samples", setup.shards, samples + setup.shards * costs.TASK_JSON_BYTES),
        Kind("bounds", 1, (setup.ranges - 1) * costs.BOUND_JSON_BYTES),
        Kind("cuts", setup.shards, cuts),
        Kind("totals at cuts", setup.shards, setup.shards * setup.ranges * costs.TOTALS_JSON_BYTES),
        Kind("plans of merges", setup.ranges, plans),
        Kind("results of merges", setup.ranges, setup.ranges * costs.TASK_JSON_BYTES),
        Kind("outputs", setup.ranges if setup.files == "node" else 1, 0),
    ]
