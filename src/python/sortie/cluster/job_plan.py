"""What a job will do, decided at its first start and kept: another driver goes on with the same shards, of which one
machine forms runs at a time. And what this machine has for tasks, where nothing else is asked for."""

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from .. import Error
from .._errors import ArgumentError
from .._native import machine_share
from .._report import say_count
from .arguments import SortOptions, own_count, own_size, parse_scratch
from .job import JobDirectory
from .output import identity_of
from .paths import lead_to_one_file
from .shards import Shard, look_at, plan_shards, plan_sides, spread_places

if TYPE_CHECKING:
    from .file_formats import FileFormat
    from .tables import TableRequest


# Samples that a job takes at most, and for each shard or range: more cut ranges of more equal sizes, and take memory of
# the driver, some 150 bytes each. A shard has its share of them by its bytes, and no fewer than the last number.
_MOST_SAMPLES, _SAMPLES_OF_ONE, _LEAST_SAMPLES = 1 << 19, 256, 8
# Smaller shards are not worth a process, where nothing else is asked for.
_LEAST_SHARD_BYTES, _MOST_SHARD_BYTES = 64 << 20, 50 << 30


class Resources(NamedTuple):
    """What one task takes. slots: how many run at once."""

    slots: int
    memory_bytes: int
    threads: int


class Request(NamedTuple):
    """What is asked for. shard_bytes, ranges: None for what suits the sizes. scratch: a folder that is there on every
    node, for runs; None for the job directory. table: of Parquet files, else None. of_files:
    the format of files that are more than their records, else None."""

    inputs: list[str]
    output: str
    sort: SortOptions
    environment: Mapping[str, str | None]
    shard_bytes: int | None
    ranges: int | None
    scratch: str | None = None
    table: "TableRequest | None" = None
    of_files: "FileFormat | None" = None

    def stamped(self, finished: dict[str, Any] | None) -> dict[str, Any]:
        """As it is kept, with the sizes and times of the inputs. finished: the same of a job whose output may have
        replaced an input."""
        before = {item[0]: item for item in finished["inputs"]} if finished else {}
        stamps = []
        for path in self.inputs:
            is_output = lead_to_one_file(path, self.output)
            stamps.append(before[path] if path in before and is_output else look_at(path).stamp())
        return {"version": 1, "inputs": stamps, "output": self.output,
                "options": [*self.sort.words, *([f"seed {self.sort.seed}"] if self.sort.seed else ()), *(word for word in self.sort.cuts if word not in self.sort.words)],
                "locale": dict(self.environment), "shard size": self.shard_bytes, "number of ranges": self.ranges,
                "scratch folder": self.scratch, **({"table": self.table.stamp()} if self.table else {})}


def make_request(inputs: list[str], output: str, own: Mapping[str, str], sort: SortOptions,
                 environment: Mapping[str, str | None], of_files: "FileFormat | None" = None) -> Request:
    """The request of a job. inputs, output: absolute paths. own: options of the cluster."""
    if sort.comparison.joins and len(inputs) != 2:
        raise Error("--join needs two files, the left and the right one")
    if of_files is not None:
        from .file_formats import as_sort_of_format
        sort = as_sort_of_format(sort, of_files)
    return Request(inputs, output, sort, environment, own_size(own, "shard"), own_count(own, "ranges"),
                   parse_scratch(own["scratch"]) if "scratch" in own else None, of_files=of_files)


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
    elif request.of_files is not None:
        from .file_formats import plan_format_shards
        shards = plan_format_shards(inputs, shard_bytes, request.of_files)
    else:
        shards = plan_shards(inputs, shard_bytes, request.sort.whole_files, request.sort.compares_inputs)
    if request.table:
        shards = spread_places(shards)
    # Files that cannot be divided or joined have many shards, not many ranges.
    wanted = request.ranges or max(resources.slots, -(-total_bytes // shard_bytes))
    return JobPlan(shards, 1 if _needs_one_range(request.sort) else wanted, resources.memory_bytes, resources.threads)


def _needs_one_range(sort: SortOptions) -> bool:
    """Where only the first records are wanted, one merge finds them: that of a later sort, if there are several."""
    return sort.keeps_few and not sort.in_order and sort.sample is None


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


def refuse_changed_inputs(job: JobDirectory, replaced: list[int] | None) -> None:
    """replaced: which file was the output that took the place of an input, maybe, and is made again: the runs have what
    was in that input."""
    for stamp in job.require("request.json")["inputs"]:
        is_replaced = replaced is not None and identity_of(os.path.realpath(stamp[0])) == replaced
        if not is_replaced and look_at(stamp[0]).stamp() != stamp:
            raise Error(f"input '{stamp[0]}' was changed while it was sorted: remove '{job.path}', and sort again")


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
