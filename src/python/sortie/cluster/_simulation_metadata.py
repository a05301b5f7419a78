"""How many files and bytes a job keeps besides its data: some grow with the product of shards and ranges."""

from typing import NamedTuple

from . import _simulation_costs as costs
from ._simulation_setup import Setup


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
