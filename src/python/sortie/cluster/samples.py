"""Samples (--sample), by up to four sorts. The first one draws: its merges write the first so many records of a shuffle,
behind their places. The second one, by places, puts them into the order of the input. What else is asked for is a sort by
itself, of the file that the second one has written, and may be followed by one by places in turn.

    form ─▶ cut ─▶ merge ── drawn, with places ──▶ form ─▶ cut ─▶ merge ── drawn ──▶ form ─▶ cut ─▶ merge ─▶ output
    shuffled                                       by place                          of sample
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from .. import Error
from .._report import say_count
from .arguments import Comparison, Sample, without
from .by_place import InOrderOfInput, SortByPlace
from .driver import Driver
from .formed import Formed, ShardsDamaged
from .output import OneFile, Output, one_behind_the_other
from .report import OF_SAMPLE
from .shards import Input, plan_shards
from .tasks import Setting
from .totals import Merged, Totals
from .written_files import Stretch, are_unchanged, is_unchanged, remove_file


@dataclass
class SampleSort(InOrderOfInput):
    """The first sort, and the whole job. sorts_with: words of the third sort; in_order: whether a fourth one follows it.
    whole_files: the file of the sample cannot be divided."""

    sample: Sample = field(kw_only=True)
    sorts_with: Sequence[str] = field(kw_only=True)
    in_order: bool = field(kw_only=True)
    whole_files: bool = field(kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.comparison = Comparison(self._wanted.with_checksums, top=self.sample.records)
        # One merge finds the first records of all.
        self.plan = self.plan._replace(ranges=1)

    def _asked_by_place(self) -> tuple[Output, Setting, int | None]:
        if not self.sample.is_sorted:
            return super()._asked_by_place()
        file = OneFile(self._second.file("drawn"), self.job, sizes_are_known=True)
        return file, replace(self.setting, words=without(self.setting.words, "top"), all_have_headers=False), None

    def go_on(self, second: SortByPlace, merged: Merged, formed: Formed, parts: int) -> dict[str, Any]:
        if not self.sample.is_sorted:
            return super().go_on(second, merged, formed, parts)
        third = self._sort_of_sample(second, formed, parts)
        try:
            return third.sort()
        finally:
            second.count_retries(third.all_retries())

    def _sort_of_sample(self, second: SortByPlace, formed: Formed, parts: int) -> "SortOfSample":
        job = second.job.sort_of_sample()
        path, _ = second.output.place(0, 0)
        written = one_behind_the_other(path, second.output.pieces([second._merged(part) for part in range(parts)]))
        file = Input(path, sum(item.bytes for item in written), 0, is_packed=False)
        shards = plan_shards([file], max(1, *(shard.bytes for shard in self.plan.shards)), self.whole_files)
        plan = self.plan._replace(shards=shards, ranges=self._later_ranges)
        setting = replace(self.setting, words=(*self.sorts_with, "--of-job"), folder=os.path.relpath(job.path, self.setting.job))
        kind = SortOfSampleInOrder if self.in_order else SortOfSample
        return kind(job, plan, setting, self.output, self.engine, self.limit, self.listener, self.disks, self._wanted,
                    self.trace, self.command, self.tell, drawn=self, second=second, formed=formed, written=written)

    def drawn_totals(self) -> Totals:
        return Totals.from_json(self._merged(0)["output"])


@dataclass
class SortOfSample(Driver):
    """The third sort. second: the one in front of it, in whose folder it works. formed: what is known of the shards of the
    job, with the runs of both sorts in front. written: the ranges of the sample in its file."""

    drawn: SampleSort = field(kw_only=True)
    second: SortByPlace = field(kw_only=True)
    formed: Formed = field(kw_only=True)
    written: list[Stretch] = field(kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.which = OF_SAMPLE
        self._begin, self._progress = self.drawn._begin, self.drawn._progress
        self._retries = self.second.all_retries()
        self.output.results = self.job

    def sort(self) -> dict[str, Any]:
        return self._sort()

    def all_retries(self) -> int:
        return self._retries

    def _find_header(self) -> None:
        """It is that of the inputs, or in front of the sample."""

    def _form(self) -> None:
        try:
            super()._form()
        except Error:
            self._merge_damaged_again()
            raise
        told = Totals()
        for shard in self.plan.shards:
            told = told.plus(Totals.from_json(self.job.require(f"formed/{shard.number:06d}.json")["input"]))
        drawn = self.drawn.drawn_totals()
        # Where the first records are all that is wanted, shards make no checksums.
        has_checksums = self.comparison.top is None or self.drawn.in_order
        if told == drawn or (not has_checksums and told[:2] == drawn[:2] and are_unchanged(self.written, self.engine.slots)):
            return
        self._merge_damaged_again()
        raise Error(f"{say_count(drawn.records, 'record')} were drawn, and {told.records} read from '{self.written[0].path}': an "
                    "input begins with lines that belong to no record of it; take them out")

    def _merge_damaged_again(self) -> None:
        """Raises ShardsDamaged where what the second sort has written is not that any more. It is merged again, once."""
        damaged = {("merged", part) for part, stretch in enumerate(self.written) if not is_unchanged(stretch)}
        if not damaged:
            return
        again = self.second.damaged_before(damaged)
        if again:
            raise Error(f"'{self.written[0].path}' is not what was written, again: look after the disk under "
                        f"'{self.drawn.job.path}'")
        for folder, part in damaged:
            remove_file(self.second.job.item(folder, part, ".json"))
        self.second.job.forget_sort_of_sample()
        raise ShardsDamaged(f"'{self.written[0].path}' is not what was written")

    def _keep_verified(self, merged: Merged, report: dict[str, Any]) -> dict[str, Any]:
        assumed = {item["message"]: item for item in (*self.formed.all_assumed(), *report["assumptions"])}
        return self.drawn._keep_verified(merged, {
            **report, "input_records": self.formed.input.records, "input_bytes": self.formed.input.bytes,
            "shards": len(self.drawn.plan.shards), "runs": self.formed.run_count + report["runs"],
            "assumptions": list(assumed.values()), "warnings": list({**self.formed.warnings, **dict.fromkeys(report["warnings"])})})

    def _results(self, parts: int) -> list[Any]:
        return [*self.second._results(len(self.written)), *super()._results(parts)]


@dataclass
class SortOfSampleInOrder(SortOfSample, InOrderOfInput):
    """The third sort where a fourth one, by places, puts what is kept into the order of the input."""
