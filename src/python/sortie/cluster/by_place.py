"""Outputs in the order of the input (--order=input), by two sorts. The merges of the first one write what is kept behind its
places, each range into a file of its own. These files are the shards of the second sort, by places; its merges write
the output. The second sort has a folder of the job directory, and tasks as the first one has them.

    form ─▶ cut ─▶ merge ── ranges, with places ──▶ form ─▶ cut ─▶ merge ─▶ output
    by keys                                         by places
"""

import os
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from .. import Error
from .arguments import Comparison
from .driver import Driver
from .formed import Formed, ShardsDamaged, sizes_of_ranges
from .totals import Merged, Totals
from .job import RANGES_FOLDER, JobDirectory
from .output import Output
from .progress import Course
from .shards import Shard
from .report import BY_PLACE, StageResults
from .tasks import BY_PLACE_WORD
from .written_files import Stretch, is_unchanged, remove_file

# In front of each record in the files between both sorts: two lengths, and its place.
_BESIDE_RECORD = 8 + 8


class RangesDamaged(Error):
    """Files between both sorts are not what was written. Those are merged once more."""


class AskedByPlace(NamedTuple):
    """What the second sort is to do. words: of the job. header: in front of what it writes. top: the most records. cuts: as
    those of Setting."""

    output: Output
    words: tuple[str, ...]
    header: str
    top: int | None
    cuts: tuple[str, ...]


@dataclass
class InOrderOfInput(Driver):
    """The first sort, and the whole job."""

    def __post_init__(self) -> None:
        self.course = self.course or Course(self.listener, self.plan.input_bytes * (2 + self.passes()))
        super().__post_init__()
        # Its ranges are what the second sort reads.
        self._cuts_of_output = self.setting.cuts
        self.setting = replace(self.setting, cuts=())
        self._wanted = self.comparison
        # The first so many are those of the second sort.
        self.comparison = self.comparison._replace(top=None)
        # The ranges of later sorts.
        self._later_ranges = self.plan.ranges
        # That of the second sort, once it is known what that sorts.
        self._second: JobDirectory
        self._merged_again: set[int] = set()

    def merge(self, formed: Formed) -> dict[str, Any]:
        parts = self.cut(formed)
        self._second = self.job.second_sort(formed.with_bounds[:16])
        self.merge_ranges(formed, parts)
        self.compared(formed, parts)
        try:
            return self._sort_by_place(formed, parts).sort()
        except RangesDamaged as error:
            raise ShardsDamaged(str(error)) from None

    def place(self, part: int, offset: int) -> tuple[str, int | None]:
        return self._range(part), None

    def _range(self, part: int) -> str:
        return self._second.item(RANGES_FOLDER, part)

    def _sort_by_place(self, formed: Formed, parts: int) -> "SortByPlace":
        shards = []
        place = 0
        for part in range(parts):
            file_bytes = self.merged(part)["file_bytes"]
            shards.append(Shard(part, self._range(part), 0, None, file_bytes, place))
            place += file_bytes
        asked = self._asked_by_place(formed)
        setting = replace(self.setting, words=asked.words, sort_words=(*self.setting.sort_words, BY_PLACE_WORD), header=None,
                          cuts=asked.cuts, folder=os.path.relpath(self._second.path, self.setting.job))
        is_one = asked.top is not None
        comparison = Comparison(self._wanted.with_checksums, top=asked.top)
        plan = self.plan._replace(shards=shards, ranges=1 if is_one else self._later_ranges)
        return SortByPlace(self._second, plan, setting, asked.output, self.engine, self.limit, self.listener, self.disks,
                           comparison, self.trace, self.command, self.tell, self.course, first=self, formed=formed,
                           header=asked.header)

    def _asked_by_place(self, formed: Formed) -> AskedByPlace:
        return AskedByPlace(self.output, self.setting.words, formed.header, self._wanted.top, self._cuts_of_output)

    def go_on(self, second: "SortByPlace", merged: Merged, formed: Formed, parts: int) -> dict[str, Any]:
        """What comes behind the second sort. formed: as its own, with the runs of both sorts."""
        report = {**second.report(formed, parts, merged.output), "shards": len(self.plan.shards)}
        return self.keep_verified(merged, report)

    def results_of_first(self, parts: int) -> list[StageResults]:
        """What is behind is of the second sort."""
        return [results for results in self.all_results(parts) if results.folder != "copied"]

    def damaged_ranges(self, parts: list[int]) -> list[int]:
        return [part for part in parts if not is_unchanged(
            Stretch(self._range(part), 0, self.merged(part)["file_bytes"], self.merged(part)["file_checksum"]))]

    def forget_ranges(self, parts: list[int]) -> None:
        """They are merged again, once: a disk that damages them again is to be looked after."""
        again = sorted(set(parts) & self._merged_again)
        if again:
            raise Error(f"'{self._range(again[0])}' is not what was written, again: look after the disk under "
                        f"'{self.job.path}'")
        self._merged_again |= set(parts)
        for part in parts:
            remove_file(self.job.item("merged", part, ".json"))


@dataclass
class SortByPlace(Driver):
    """The second sort. first: of the same job, whose runs are `formed`. header: in front of what it writes."""

    first: InOrderOfInput = field(kw_only=True)
    formed: Formed = field(kw_only=True)
    header: str = field(kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.which = self.first.which + BY_PLACE
        self.output.results = self.job

    def damaged_before(self, results: set[tuple[str, int]]) -> set[tuple[str, int]]:
        """Which of these, by folders and numbers, were damaged before. Now all were."""
        before = results & self._made_again
        self._made_again |= results
        return before

    def form(self) -> None:
        try:
            super().form()
        except Error:
            damaged = self.first.damaged_ranges([task.number for task in self.unformed()])
            if not damaged:
                raise
            self._merge_again(damaged)
        told = {shard.number: Totals.from_json(self.job.require(f"formed/{shard.number:06d}.json")["input"])
                for shard in self.plan.shards}
        other = [part for part, totals in told.items() if totals != self._passed_on(part)]
        if other:
            self.job.write("renewed.json", sorted(self.renewed() | set(other)))
            self._merge_again(other)

    def _merge_again(self, parts: list[int]) -> None:
        self.first.forget_ranges(parts)
        raise RangesDamaged(f"range {parts[0]} between both sorts is not what was written")

    def _passed_on(self, part: int) -> Totals:
        return Totals.from_json(self.first.merged(part)["passed_on"])

    def sizes(self, parts: int) -> tuple[list[int], list[int]]:
        records, output_bytes = sizes_of_ranges(self.job, self.plan.shards, parts)
        return records, [count - _BESIDE_RECORD * number for number, count in zip(records, output_bytes, strict=True)]

    def header_of(self, formed: Formed) -> str:
        return self.header

    def verify(self, formed: Formed, parts: int) -> dict[str, Any]:
        merged = self.compared(formed, parts)
        ranges = [{**item, "bytes": item["bytes"] - _BESIDE_RECORD * item["records"]} for item in merged.ranges]
        both = replace(self.formed, run_count=self.formed.run_count + formed.run_count)
        return self.first.go_on(self, Merged(merged.output, ranges, merged.told), both, parts)

    def all_results(self, parts: int) -> list[StageResults]:
        return [*self.first.results_of_first(len(self.plan.shards)), *self.results(parts)]
