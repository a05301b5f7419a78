"""Samples (--sample), by up to four sorts. The first one draws: its merges write the first so many records of a shuffle,
behind their places; cuts tell how many each range has, and ranges behind these records are not merged. The second one, by
places, puts them into the order of the input. What else is asked for is a sort by itself, of the file that the second one has
written, and may be followed by one by places in turn.

    form ─▶ cut ─▶ merge ── drawn, with places ──▶ form ─▶ cut ─▶ merge ── drawn ──▶ form ─▶ cut ─▶ merge ─▶ output
    shuffled                                       by place                          of sample
"""

import itertools
import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from .. import Error
from .._report import say_count
from .arguments import Comparison, Sample, without
from .by_place import AskedByPlace, InOrderOfInput, SortByPlace
from .driver import Driver
from .formed import Formed, ShardsDamaged
from .job import DRAWN_FILE
from .merge_tasks import MergeTask
from .output import OneFile, one_behind_the_other
from .report import OF_SAMPLE, StageResults
from .shards import Input, plan_shards
from .tasks import OF_JOB_WORD
from .totals import Merged, Totals, sum_of
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
        self.comparison = Comparison(self._wanted.with_checksums)
        # Ranges of the first sort, those that nothing is drawn of among them.
        self._all_ranges = 0

    def cut(self, formed: Formed, share: float = 1.0) -> int:
        """Returns how many ranges something is drawn of."""
        held = formed.input.minus(formed.dropped).records
        self._all_ranges = super().cut(formed, min(1.0, self.sample.records / max(1, held)))
        drawn = len(self._drawn_records())
        self.job.write(DRAWN_FILE, {"parts": drawn})
        return drawn

    def _drawn_records(self) -> list[int]:
        """Records that are drawn of each range, up to the last one that has some; of one range at least."""
        records, _ = self.sizes(self._all_ranges)
        before = itertools.accumulate(records, initial=0)
        drawn = [min(count, self.sample.records - passed) for count, passed in zip(records, before, strict=False)]
        return [count for count in drawn if count > 0] or [0]

    def merge_tasks(self, formed: Formed, parts: int) -> list[MergeTask]:
        tasks = super().merge_tasks(formed, self._all_ranges)
        return [replace(task, most_records=count) for task, count in zip(tasks, self._drawn_records(), strict=False)]

    def compared(self, formed: Formed, parts: int) -> Merged:
        """Raises Error unless the records were drawn that are to be."""
        records, _ = self.sizes(self._all_ranges)
        held = formed.input.minus(formed.dropped).records
        drawn, wanted = self.drawn_totals(parts).records, min(held, self.sample.records)
        if sum(records) != held or drawn != wanted:
            raise Error(f"the sample is not what went in: runs hold {say_count(held, 'record')}, cuts have told {sum(records)}, "
                        f"and {drawn} of {wanted} were drawn; the output is as it was")
        # All records of all ranges: then checksums compare.
        return super().compared(formed, parts) if drawn == held else Merged(self.drawn_totals(parts), [], [])

    def tells_header(self) -> bool:
        return self.sample.is_sorted or super().tells_header()

    def _asked_by_place(self, formed: Formed) -> AskedByPlace:
        if not self.sample.is_sorted:
            return super()._asked_by_place(formed)
        # Without a header, whose end could not be told from records that begin like it.
        file = OneFile(self._second.file("drawn"), self.job, sizes_are_known=True)
        return AskedByPlace(file, without(self.setting.words, "top"), "", None, cuts=())

    def go_on(self, second: SortByPlace, merged: Merged, formed: Formed, parts: int) -> dict[str, Any]:
        if not self.sample.is_sorted:
            return super().go_on(second, merged, formed, parts)
        return self._sort_of_sample(second, formed, parts).sort()

    def _sort_of_sample(self, second: SortByPlace, formed: Formed, parts: int) -> "SortOfSample":
        job = second.job.sort_of_sample()
        path, _ = second.output.place(0, 0)
        written = one_behind_the_other(path, second.output.pieces([second.merged(part) for part in range(parts)]))
        file = Input(path, sum(item.bytes for item in written), 0, is_packed=False)
        shards = plan_shards([file], max(1, *(shard.bytes for shard in self.plan.shards)), self.whole_files)
        # One merge finds the first records, if no other sort follows.
        is_one = self._wanted.top is not None and not self.in_order
        plan = self.plan._replace(shards=shards, ranges=1 if is_one else self._later_ranges)
        job.write("plan.json", {"shards": len(shards)})  # for who asks how far it is
        setting = replace(self.setting, words=tuple(self.sorts_with), sort_words=(OF_JOB_WORD,), cuts=self._cuts_of_output,
                          folder=os.path.relpath(job.path, self.setting.job))
        kind = SortOfSampleInOrder if self.in_order else SortOfSample
        return kind(job, plan, setting, self.output, self.engine, self.limit, self.listener, self.disks, self._wanted,
                    self.trace, self.command, self.tell, self.course, drawn=self, second=second, formed=formed, written=written)

    def drawn_totals(self, parts: int) -> Totals:
        return sum_of(Totals.from_json(self.merged(part)["output"]) for part in range(parts))


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
        self.output.results = self.job

    def form(self) -> None:
        try:
            super().form()
        except Error:
            self._merge_damaged_again()
            raise
        told = sum_of(Totals.from_json(self.job.require(f"formed/{shard.number:06d}.json")["input"]) for shard in self.plan.shards)
        drawn = self.drawn.drawn_totals(len(self.second.plan.shards))
        if told == drawn:
            return
        may_differ = not self.drawn.sample.has_checksums and told[:2] == drawn[:2]
        if may_differ and are_unchanged(self.written, self.engine.slots):
            return
        self._merge_damaged_again()
        first, *others = [path for path, *_ in self.drawn.job.require("request.json")["inputs"]]
        which = f"'{others[0]}'" if len(others) == 1 else f"one of the {len(others)} inputs behind '{first}'"
        raise Error(f"{say_count(drawn.records, 'record')} were drawn, and {told.records} could be told apart in the sample: {which} "
                    "begins with lines that belong to no record of it; take them out of that file")

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

    def keep_verified(self, merged: Merged, report: dict[str, Any]) -> dict[str, Any]:
        assumed = {item["message"]: item for item in (*self.formed.all_assumed(), *report["assumptions"])}
        return self.drawn.keep_verified(merged, {
            **report, "input_records": self.formed.input.records, "input_bytes": self.formed.input.bytes,
            "shards": len(self.drawn.plan.shards), "runs": self.formed.run_count + report["runs"],
            "assumptions": list(assumed.values()), "warnings": list({**self.formed.warnings, **dict.fromkeys(report["warnings"])})})

    def all_results(self, parts: int) -> list[StageResults]:
        return [*self.second.all_results(len(self.written)), *self.results(parts)]


@dataclass
class SortOfSampleInOrder(SortOfSample, InOrderOfInput):
    """The third sort where a fourth one, by places, puts what is kept into the order of the input."""
