"""Where the key space is cut into ranges: bounds from the sampled blocks of all runs."""

import array
from typing import Any, NamedTuple


class Choice(NamedTuple):
    """A sample that became a bound: its number among those of its shard, and what it cuts (see Samples.choose)."""

    shard: int
    sample: int
    run: int
    block: int


class Samples:
    """The samples of all runs, as arrays: a job may have half a million."""

    def __init__(self) -> None:
        self._keys: list[str] = []
        self._weights = array.array("d")
        self._numbers = [array.array("q") for _ in range(5)]
        self.total_bytes = 0

    def add_shard(self, shard: int, first_run: int, runs: list[dict[str, Any]], samples: list[dict[str, Any]]) -> None:
        """In the order of shards. A block between two samples may be anywhere there, so that half of what lies between
        counts as passed at each of them."""
        by_run: dict[int, list[tuple[int, dict[str, Any]]]] = {}
        for number, sample in enumerate(samples):
            by_run.setdefault(sample["run"], []).append((number, sample))
        for run, items in sorted(by_run.items()):
            end = runs[run]["output_bytes"]
            passed = 0.0
            for i, (number, sample) in enumerate(items):
                following = items[i + 1][1]["output_bytes"] if i + 1 < len(items) else end
                middle = (sample["output_bytes"] + following) / 2
                self._keys.append(sample["key"])
                self._weights.append(middle - passed)
                numbers = (shard, number, first_run + run, sample["block"], sample["is_whole"])
                for column, value in zip(self._numbers, numbers, strict=True):
                    column.append(value)
                passed = middle
        self.total_bytes += sum(run["output_bytes"] for run in runs)

    def choose(self, parts: int, divides_equal_keys: bool) -> list[Choice]:
        """The bounds, at most parts - 1, in order and no two alike. Each is the first sample at which a multiple of
        total_bytes / parts has been passed: a systematic sample. Samples with equal keys are in the order of their runs
        and blocks, so that a key with many records is divided. Where equal keys must stay together, or a key is too long to be
        whole, a bound is in front of its key in every run, and the number of its run is -1."""
        # Stable: samples were added in the order of runs and blocks.
        order = sorted(range(len(self._keys)), key=self._keys.__getitem__)
        chosen: list[Choice] = []
        passed, last_key = 0.0, None
        step = self.total_bytes / parts
        target = step
        for place, index in enumerate(order):
            passed += self._weights[index]
            if place == 0 or passed < target or len(chosen) + 1 >= parts:
                continue
            key = self._keys[index]
            shard, sample, run, block, is_whole = (column[index] for column in self._numbers)
            if not (divides_equal_keys and is_whole):
                if key in (last_key, self._keys[order[0]]):
                    continue
                run, block = -1, 0
            chosen.append(Choice(shard, sample, run, block))
            last_key = key
            target = (passed // step + 1) * step
        return chosen
