"""Where the key space is cut into ranges: bounds from the sampled blocks of all runs."""

import array
import itertools
from typing import Any, NamedTuple


class Choice(NamedTuple):
    """A sample that became a bound: its number among those of its shard, and what it cuts (see Samples.choose)."""

    shard: int
    sample: int
    run: int
    block: int
    block_bytes: int


class Samples:
    """The samples of all runs, as arrays: a job may have half a million."""

    def __init__(self) -> None:
        self._keys: list[str] = []
        self._weights = array.array("q")
        self._numbers = [array.array("q") for _ in range(6)]
        self.total_bytes = 0

    def add_shard(self, shard: int, first_run: int, bytes_of_runs: list[int], samples: list[dict[str, Any]]) -> None:
        """In the order of shards. With the runs of the shard one behind the other, as a ring, a sample stands for the
        bytes from it up to the next one. Shards begin their samples at different places, so that this has no bias."""
        begins = list(itertools.accumulate(bytes_of_runs, initial=0))
        places = [begins[sample["run"]] + sample["output_bytes"] for sample in samples]
        self.total_bytes += begins[-1]
        if not samples:
            return
        for number, (sample, place, following) in enumerate(zip(samples, places, [*places[1:], begins[-1] + places[0]],
                                                                strict=True)):
            self._keys.append(sample["key"])
            self._weights.append(following - place)
            numbers = (shard, number, first_run + sample["run"], sample["block"], sample["block_bytes"],
                       sample["is_whole"])
            for column, value in zip(self._numbers, numbers, strict=True):
                column.append(value)

    def choose(self, parts: int, divides_equal_keys: bool) -> list[Choice]:
        """The bounds, at most parts - 1, in order and no two alike. They are a systematic sample: each is the one next
        to a multiple of total_bytes / parts. Samples with equal keys are in the order of their runs and places, so that
        a key with many records is divided. Where equal keys must stay together, or a key is too long to be whole, a
        bound is in front of its key in every run, and the number of its run is -1."""
        # Stable: samples were added in the order of runs and places.
        order = sorted(range(len(self._keys)), key=self._keys.__getitem__)
        chosen: list[Choice] = []
        passed, last_key = 0, None
        step = self.total_bytes / parts
        target = step
        for place, index in enumerate(order):
            middle = passed + self._weights[index] / 2
            passed += self._weights[index]
            if place == 0 or middle < target or len(chosen) + 1 >= parts:
                continue
            key = self._keys[index]
            shard, sample, run, block, block_bytes, is_whole = (column[index] for column in self._numbers)
            if not (divides_equal_keys and is_whole):
                if key in (last_key, self._keys[order[0]]):
                    continue
                run, block, block_bytes = -1, 0, 0
            chosen.append(Choice(shard, sample, run, block, block_bytes))
            last_key = key
            target = (middle // step + 1) * step
        return chosen
