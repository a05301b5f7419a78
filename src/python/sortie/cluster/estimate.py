"""What a job would take: a pure function of sizes and stated speeds. `sortie-cluster plan` prints it."""

from typing import NamedTuple

from .job_plan import JobPlan
from .sizes import say_seconds, say_size

# As `sortie --plan` says for keyed lines of 50 GB at -S 64M, 1G and 8G: a run takes about so much of the memory, and a
# block so much of it for each run of a shard, within these bounds.
_RUN_SHARE, _BLOCK_SHARE = 0.25, 1 / 27
_LEAST_BLOCK_BYTES, _MOST_BLOCK_BYTES = 4 << 10, 1 << 20
_WARN_SHARE = 0.05
# An entry of a run in the job directory, for every range.
_CUT_BYTES = 180


class Speeds(NamedTuple):
    """Of a node, in bytes a second: what its disks read and write, and its network if files are shared by it."""

    read: float
    write: float
    network: float | None


class Estimate(NamedTuple):
    """scratch: where how much of it is needed. seconds: by stage. twice: the share of the bytes that merges read twice,
    as bounds lie within blocks."""

    plan: JobPlan
    nodes: int
    runs: int
    scratch: str
    seconds: dict[str, float]
    twice: float

    def __str__(self) -> str:
        total = self.plan.input_bytes
        lines = [f"input     {say_size(total)}",
                 f"shards    {len(self.plan.shards)}, the largest {say_size(max(s.bytes for s in self.plan.shards))}",
                 f"runs      about {self.runs}, formed in {say_size(self.plan.memory_bytes)} by "
                 f"{self.plan.threads} threads each",
                 f"ranges    {self.plan.ranges} of about {say_size(total / self.plan.ranges)}",
                 f"scratch   {self.scratch}; {say_size(self.runs * self.plan.ranges * _CUT_BYTES)} of cuts",
                 *(f"{stage:9} {say_seconds(seconds)}" for stage, seconds in self.seconds.items()),
                 f"in all    {say_seconds(sum(self.seconds.values()))}, "
                 f"{say_size(total / self.nodes / (sum(self.seconds.values()) or 1))}/s a node"]
        if self.twice > _WARN_SHARE:
            lines.append(f"warning: merges read {self.twice:.0%} of the runs twice, as bounds lie within blocks: take "
                         "fewer ranges with --ranges, or more memory with -S for longer runs")
        return "\n".join(lines) + "\n"


def estimate(plan: JobPlan, nodes: int, speeds: Speeds, merges_on_node: int | None = None) -> Estimate:
    """merges_on_node: that run at once on each, where runs lie on disks of nodes; None where they lie in the job
    directory."""
    run_bytes = max(1, int(plan.memory_bytes * _RUN_SHARE))
    runs = sum(max(1, -(-shard.bytes // run_bytes)) for shard in plan.shards)
    total = plan.input_bytes
    block_bytes = int(plan.memory_bytes * _BLOCK_SHARE / (runs / len(plan.shards)))
    block_bytes = min(max(_LEAST_BLOCK_BYTES, min(_MOST_BLOCK_BYTES, block_bytes)), total // runs)
    again = runs * (plan.ranges - 1) * block_bytes
    read, write = (min(speed, speeds.network or speed) * nodes for speed in speeds[:2])
    if merges_on_node is None:
        scratch = f"{say_size(total)} of runs, {say_size(total / nodes)} for each of {nodes} nodes"
        seconds = {"form": total / read + total / write, "merge": (total + again) / read + total / write}
    else:
        # What other nodes have is copied first, and read from the copy.
        distant = 1 - 1 / nodes
        copies = distant * min(merges_on_node * nodes, plan.ranges) / nodes * total / plan.ranges
        scratch = (f"on the disk of each of {nodes} nodes {say_size(total / nodes)} of runs and {say_size(copies)} of "
                   "what is merged there at a time")
        disk_read, disk_write = speeds.read * nodes, speeds.write * nodes
        copying = distant * (total + again) * (1 / read + 1 / disk_write)
        seconds = {"form": total / read + total / disk_write,
                   "merge": copying + (total + again) / disk_read + total / write}
    return Estimate(plan, nodes, runs, scratch, seconds, again / total if total else 0.0)
