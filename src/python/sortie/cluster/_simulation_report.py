"""What a simulation says, as text. Every figure of it is modelled."""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace

from . import _simulation_costs as costs
from ._simulation_flows import CPU, DISK, NETWORK_IN, NETWORK_OUT
from ._simulation_job import STAGES, Outcome, simulate
from ._simulation_metadata import metadata
from ._simulation_published import PUBLISHED
from ._simulation_setup import Setup
from .sizes import say_seconds, say_size

_HEAD = ("stage", "seconds", "bottleneck", "read", "written", "over network", "requests", "disk busy", "CPU busy",
         "network busy")


def report(setup: Setup, loss_seconds: float | None) -> Iterator[str]:
    """Lines."""
    outcome = simulate(setup)
    yield "Modelled, not measured. The speeds of forming and merging, and what the driver takes for a task, were"
    yield "measured on single machines. Disks and networks are as told, and busy for 80% of the time at most, as one"
    yield "disk was. Shares of being busy are of these 80%."
    for part in (_described(setup), _stages(outcome), _summary(setup, outcome), _losses(setup, outcome, loss_seconds),
                 compared(setup.sampling)):
        yield from itertools.chain([""], part)


def _described(setup: Setup) -> Iterator[str]:
    places = {"node": "on disks of the nodes", "memory": "in memory of the nodes", "shared": "on a shared file system"}
    engine = " and a GPU" if setup.engine == "gpu" else ""
    yield (f"{_many(setup.nodes, 'node')}, each: {_many(setup.cores, 'core')}{engine}, {say_size(setup.memory_bytes)} "
           f"of memory, disk {setup.disk_read / 1e9:g} and {setup.disk_write / 1e9:g} GB/s, network "
           f"{setup.network * 8 / 1e9:g} Gbit/s, {_many(setup.tasks, 'task')} at a time")
    yield f"{say_size(setup.data_bytes)} {places[setup.files]}, runs {places[setup.scratch]}"
    yield (f"{_many(setup.shards, 'shard')} of {say_size(max(setup.shard_sizes))}, "
           f"{_many(setup.runs_of_shard, 'run')} each; {_many(setup.ranges, 'range')}; "
           f"{_many(setup.slices, 'slice')} of {say_size(setup.slice_bytes)}")


def _many(count: int, name: str) -> str:
    return f"{count} {name}" if count == 1 else f"{count} {name}s"


def _stages(outcome: Outcome) -> Iterator[str]:
    rows: list[tuple[str, ...]] = [_HEAD]
    for name in STAGES:
        stage = outcome.stages[name]
        rows.append((name, f"{stage.seconds:.1f}", stage.bottleneck, say_size(stage.read), say_size(stage.written),
                     say_size(stage.over_network), f"{stage.requests:.3g}", *(f"{share:.0%}" for share in (
                         stage.busy_share(DISK), stage.busy_share(CPU), stage.busy_share(NETWORK_IN, NETWORK_OUT)))))
    rows.append(("all", f"{outcome.seconds:.1f}", "",
                 *(say_size(outcome.total(amount)) for amount in ("read", "written", "over_network")),
                 f"{outcome.total('requests'):.3g}", "", "", ""))
    yield from _columns(rows)


def _columns(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    """As a table of Markdown."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for number, row in enumerate(rows):
        yield "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |"
        if number == 0:
            yield "|" + "|".join("-" * (width + 2) for width in widths) + "|"


def _summary(setup: Setup, outcome: Outcome) -> Iterator[str]:
    yield from _skew(setup, outcome)
    yield from _slices(setup)
    yield from _metadata(setup)


def _skew(setup: Setup, outcome: Outcome) -> Iterator[str]:
    yield f"{_speed_of_node(setup, outcome):.2f} GB/s a node; largest range {setup.largest_share:.2f} times the mean"
    if setup.largest_share > 1.25 and setup.skew == 1:
        yield (f"The bounds make ranges differ: {setup.sample_count} samples a shard are few for {setup.ranges} "
               f"ranges. Give fewer --ranges, or more --samples.")


def _slices(setup: Setup) -> Iterator[str]:
    transfer = setup.request_bytes / setup.disk_read
    yield (f"A merge reads {say_size(setup.request_bytes)} of a run at a time: {transfer * 1e3:.2g} ms on the disk, "
           f"and {setup.seek_seconds * 1e3:.2g} ms for the request")
    if setup.seek_seconds > transfer:
        yield "Requests take longer than their bytes: give larger shards, more memory or fewer ranges."
    if setup.runs > setup.most_runs:
        yield (f"Memory for a merge of {setup.runs} runs is too small, {setup.most_runs} fit: give larger shards, or "
               f"more memory.")
    extra = setup.boundary_bytes / setup.data_bytes
    yield (f"Blocks at bounds: {say_size(setup.boundary_bytes)} read by the cuts, and as much again by merges, "
           f"{extra:.2%} of the data each")
    if extra > 0.05:
        yield "That is more than 5%: give larger shards or fewer ranges."


def _metadata(setup: Setup) -> Iterator[str]:
    kinds = metadata(setup)
    total, files = sum(kind.bytes for kind in kinds), sum(kind.files for kind in kinds)
    yield (f"Metadata: {say_size(total)}, {total / setup.data_bytes:.3%} of the data; files with runs and outputs: "
           f"{files}")
    yield "  " + ", ".join(f"{kind.name} {say_size(kind.bytes)}" for kind in kinds if kind.bytes)


def _losses(setup: Setup, outcome: Outcome, loss_seconds: float | None) -> Iterator[str]:
    if setup.nodes == 1 and loss_seconds is None:
        yield "The loss of the only node ends the job."
        return
    form, merge = outcome.stages["form"].seconds, outcome.stages["merge"].seconds
    begin_of_merge = outcome.seconds - outcome.stages["verify"].seconds - merge
    moments = [("in the middle of forming", form / 2), ("in the middle of merging", begin_of_merge + merge / 2)]
    if loss_seconds is not None:
        moments = [("as told", loss_seconds)]
    for name, seconds in moments:
        lossy = simulate(setup, seconds)
        again = ", ".join(f"{lossy.stages[stage].repeated_tasks} tasks of {stage}" for stage in STAGES
                          if lossy.stages[stage].repeated_tasks)
        more = max(0.0, lossy.seconds - outcome.seconds)
        yield (f"A node lost {name}, after {say_seconds(seconds)}: {say_seconds(more)} more, "
               f"{more / outcome.seconds:.1%}; again: {again or 'nothing'}")


def _speed_of_node(setup: Setup, outcome: Outcome) -> float:
    return setup.data_bytes / outcome.seconds / setup.nodes / costs.GB


def compared(sampling: str) -> Iterator[str]:
    rows = [("100 TB", "published", "GB/s a node", "modelled", "GB/s a node", "forming", "merging", "bottlenecks")]
    for published in PUBLISHED:
        outcome = simulate(replace(published.setup, sampling=sampling))
        form, merge = outcome.stages["form"], outcome.stages["merge"]
        was = published.setup.data_bytes / published.seconds / published.setup.nodes / costs.GB
        rows.append((published.name, f"{published.seconds:g} s", f"{was:.2f}", f"{outcome.seconds:.0f} s",
                     f"{_speed_of_node(published.setup, outcome):.2f}", f"{form.seconds:.0f} s",
                     f"{merge.seconds:.0f} s", f"{form.bottleneck}, {merge.bottleneck}"))
    yield "What others published, and the model on machines like theirs:"
    yield ""
    yield from _columns(rows)
    for published in PUBLISHED:
        yield f"{published.name}: {published.remark}."
