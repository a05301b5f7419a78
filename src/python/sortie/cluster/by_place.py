"""Outputs in the order of the input (--order=input), by two sorts. The merges of the first one write what is kept
behind its places, each range into a file of its own. These files are the shards of the second sort, by places; its
merges write the output. The second sort has a folder of the job directory, and tasks as the first one has them.

    form ─▶ cut ─▶ merge ── ranges, with places ──▶ form ─▶ cut ─▶ merge ─▶ output
    by keys                                         by places
"""

import itertools
import os
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from .arguments import Comparison
from .formed import Formed
from .job import RANGES_FOLDER, JobDirectory
from .one_sort import Handover, Sorted, SortSpec
from .output import Output
from .report import BY_PLACE
from .shards import Shard
from .tasks import BY_PLACE_WORD
from .totals import Totals
from .written_files import Stretch

# In front of each record in the files between both sorts: two lengths, and its place.
_BESIDE_RECORD = 8 + 8


class Ranges(Output):
    """Files for a sort by places, in its folder, which is named after what was formed."""

    def __init__(self, job: JobDirectory, formed: Formed) -> None:
        super().__init__(job)
        self.second = job.second_sort(formed.with_bounds[:16])

    def place(self, part: int, offset: int) -> tuple[str, int | None]:
        return self.second.item(RANGES_FOLDER, part), None


def for_places(spec: SortSpec) -> SortSpec:
    """The same sort in front of one by places, which ends what it writes: with a header, after the first records, in
    files."""
    return replace(spec, setting=replace(spec.setting, cuts=()), comparison=spec.comparison._replace(top=None),
                   output=lambda formed: Ranges(spec.job, formed))


def by_place(before: Sorted, ranges: int, output: Callable[[JobDirectory], Output], comparison: Comparison,
             **setting: Any) -> SortSpec:
    """A sort by places of what the one before has written. ranges: that it is merged in, unless the first records are
    all that is wanted. output: of its own folder. setting: what is otherwise than in the sort before."""
    sort = before.sort
    assert isinstance(before.output, Ranges)
    job = before.output.second
    told = before.merged.told
    written = [Stretch(before.output.place(part, 0)[0], 0, item["file_bytes"], item["file_checksum"])
               for part, item in enumerate(told)]
    places = itertools.accumulate((item.bytes for item in written), initial=0)
    shards = [Shard(part, item.path, 0, None, item.bytes, place)
              for part, (item, place) in enumerate(zip(written, places, strict=False))]
    own = replace(sort.spec.setting, sort_words=(*sort.spec.setting.sort_words, BY_PLACE_WORD), header=None,
                  folder=os.path.relpath(job.path, sort.spec.setting.job), **setting)
    plan = sort.plan._replace(shards=shards, ranges=1 if comparison.top is not None else ranges)
    return SortSpec(job, plan, own, comparison, lambda formed: output(job), sort.spec.which + BY_PLACE,
                    before.formed.header,
                    _BESIDE_RECORD, reads=Handover(sort, written,
                                                   [Totals.from_json(item["passed_on"]) for item in told]))
