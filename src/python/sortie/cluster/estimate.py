"""What a job would take: memory of nodes, scratch space and time."""

from typing import NamedTuple

from .._report import say_count, say_seconds, say_size
from .job_plan import JobPlan

# As `sortie --plan` says for keyed lines of 50 GB at -S 64M, 1G and 8G: a run takes about so much of the memory, and a
# block so much of it for each run of a shard, within these bounds.
_RUN_SHARE, _BLOCK_SHARE = 0.25, 1 / 27
_LEAST_BLOCK_BYTES, _MOST_BLOCK_BYTES = 4 << 10, 1 << 20
_WARN_SHARE = 0.05
# An entry of a run in the job directory, for every range.
_CUT_BYTES = 180
# A sample of the keys in the job directory, which has it twice, for lines of a hundred bytes.
_SAMPLE_BYTES = 1200
# Beside a record that is written between sorts, or in a run: its key or its place, lengths, and its share of an index.
_BESIDE_RECORD_BYTES = 32
# What sorts that follow the first one are called, in turn.
_LATER_SORTS = ("by place", "of sample", "in order")


class Speeds(NamedTuple):
    """What the disks of a node read and write, and its network if files are shared by it, in bytes a second."""

    read: float
    write: float
    network: float | None


class Estimate(NamedTuple):
    """scratch: where how much of it is needed. seconds: by stage. twice: the share of the bytes that merges read twice,
    as bounds lie within blocks. at_most: stages whose bytes depend on what is kept. cuts_by_key: whether each merged
    range is cut into files by itself, or all by one command; None if there is one file, or a part for each range.
    later_sorts: how many follow the first one. of_format: what is to be known of files of a format."""

    plan: JobPlan
    nodes: int
    runs: int
    scratch: str
    seconds: dict[str, float]
    twice: float
    at_most: frozenset[str] = frozenset()
    cuts_by_key: bool | None = None
    later_sorts: int = 0
    of_format: tuple[str, ...] = ()

    def __str__(self) -> str:
        total = self.plan.input_bytes
        sorts = 1 + self.later_sorts
        samples = sorts * sum(self.plan.samples()) * _SAMPLE_BYTES
        # Runs of the first sort; of each later one what it reads, and its runs.
        beside_record = (1 + 2 * self.later_sorts) * _BESIDE_RECORD_BYTES
        lines = [f"input     {say_size(total)}",
                 f"shards    {len(self.plan.shards)}, the largest {say_size(max(s.bytes for s in self.plan.shards))}",
                 *self.of_format,
                 f"runs      about {self.runs}, formed in {say_size(self.plan.memory_bytes)} by "
                 f"{say_count(self.plan.threads, 'thread')} each",
                 f"ranges    {self.plan.ranges} of about {say_size(total / self.plan.ranges)}",
                 f"scratch   {self.scratch}; {say_size(sorts * self.runs * self.plan.ranges * _CUT_BYTES)} of cuts",
                 f"          about {say_size(samples)} of samples of keys; {beside_record} bytes for each record "
                 "beside it, and more for long keys",
                 *(["join      of two files; all records of a key are joined by one command, however many there are"]
                   if self.plan.shards[0].side else []),
                 *([] if self.cuts_by_key is None else ["files     are cut of merged ranges, " + (
                     "by a task for each; those in which ranges meet are cut once more" if self.cuts_by_key else
                     "all by one command")]),
                 *(f"{stage:9} {'at most ' if stage in self.at_most else ''}{say_seconds(seconds)}"
                   for stage, seconds in self.seconds.items()),
                 f"in all    {'at most ' if self.at_most else ''}{say_seconds(sum(self.seconds.values()))}, "
                 f"{say_size(total / self.nodes / (sum(self.seconds.values()) or 1))}/s a node"]
        if self.twice > _WARN_SHARE:
            lines.append(f"warning: merges read {self.twice:.0%} of the runs twice, as bounds lie within blocks: take "
                         "fewer ranges with --ranges, or more memory with -S for longer runs")
        return "\n".join(lines) + "\n"


def estimate(plan: JobPlan, nodes: int, speeds: Speeds, merges_on_node: int | None = None, *, is_copied: bool = False,
             later_sorts: int = 0, counted_bytes: int = 0, cuts_by_key: bool | None = None) -> Estimate:
    """merges_on_node: that run at once on each, where runs lie on disks of nodes; None where they lie in the job
    directory. is_copied: merged ranges are, as their sizes are not known before. later_sorts: how often all that is
    kept is sorted again (by_place.py, samples.py). counted_bytes: of inputs that are counted first. cuts_by_key: as
    Estimate has it."""
    run_bytes = max(1, int(plan.memory_bytes * _RUN_SHARE))
    runs = sum(max(1, -(-shard.bytes // run_bytes)) for shard in plan.shards)
    total = plan.input_bytes
    block_bytes = int(plan.memory_bytes * _BLOCK_SHARE / (runs / len(plan.shards)))
    block_bytes = min(max(_LEAST_BLOCK_BYTES, min(_MOST_BLOCK_BYTES, block_bytes)), total // runs)
    again = runs * (plan.ranges - 1) * block_bytes
    read, write = (min(speed, speeds.network or speed) * nodes for speed in speeds[:2])
    if merges_on_node is None:
        scratch = f"{say_size(total)} of runs, {say_size(total / nodes)} for each of {say_count(nodes, 'node')}"
        seconds = {"form": total / read + total / write, "merge": (total + again) / read + total / write}
    else:
        # What other nodes have is copied first, and read from the copy.
        distant = 1 - 1 / nodes
        copies = distant * min(merges_on_node * nodes, plan.ranges) / nodes * total / plan.ranges
        scratch = (f"on the disk of each of {say_count(nodes, 'node')} {say_size(total / nodes)} of runs and "
                   f"{say_size(copies)} of what is merged there at a time")
        disk_read, disk_write = speeds.read * nodes, speeds.write * nodes
        copying = distant * (total + again) * (1 / read + 1 / disk_write)
        seconds = {"form": total / read + total / disk_write,
                   "merge": copying + (total + again) / disk_read + total / write}
    at_most = set()
    if counted_bytes:
        seconds = {"count": counted_bytes / read, **seconds}
    for name in _LATER_SORTS[:later_sorts]:
        seconds[name] = seconds["form"] + seconds["merge"]
        at_most.add(name)
    if later_sorts:
        which = "the second sort, by places" if later_sorts == 1 else f"the {later_sorts} sorts behind the first one"
        scratch += f"; {say_size(2 * later_sorts * total)} at most for {which}"
    if is_copied:
        scratch += f"; {say_size(total)} at most of merged ranges, to be copied"
        seconds["copy"] = total / read + total / write
        at_most.add("copy")
    if cuts_by_key is not None:
        scratch += f"; {say_size(total)} at most of merged ranges, beside the output, to be cut into files"
        at_once = 1 if cuts_by_key else nodes
        seconds["split"] = at_once * (total / read + total / write)
        at_most.add("split")
    return Estimate(plan, nodes, runs, scratch, seconds, again / total if total else 0.0, frozenset(at_most),
                    cuts_by_key, later_sorts)
