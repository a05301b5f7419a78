"""Samples (--sample), by up to four sorts. The first one draws: its merges write the first so many records of a
shuffle, behind their places; cuts tell how many each range has, and ranges behind these records are not merged. The
second one, by places, puts them into the order of the input. What else is asked for is a sort by itself, of the file
that the second one has written, and may be followed by one by places in turn.

    form ─▶ cut ─▶ merge ── drawn, with places ──▶ form ─▶ cut ─▶ merge ── drawn ──▶ form ─▶ cut ─▶ merge ─▶ output
    shuffled                                       by place                          of sample
"""

import itertools
import os
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from .copy_tasks import copy_stretch
from .job import PIECES_FOLDER, JobDirectory
from .one_sort import Handover, Sorted, SortSpec
from .output import OneFile, Output, one_behind_the_other
from .report import OF_SAMPLE
from .shards import Input, plan_shards
from .tasks import OF_JOB_WORD
from .totals import Totals
from .written_files import Stretch


def sample_file(second: JobDirectory, job: JobDirectory) -> Output:
    """What the second sort writes, if a third one follows. second: its folder. Without a header, whose end could not be
    told from records that begin like it."""
    return OneFile(second.file("drawn"), job, sizes_are_known=True)


def _inputs(path: str, written: Sequence[Stretch], told: Sequence[dict[str, Any]], job: JobDirectory) -> list[Input]:
    """The file of the sample. Where an entry (--entry-start) begins with no line of its own, as the first of an input
    may, the sort of the sample would take it to the entry in front of it: there another input begins, as in a sort by
    one command."""
    begins = {stretch.offset + begin for stretch, item in zip(written, told, strict=True)
              for begin in item.get("begins", ())}
    size = sum(item.bytes for item in written)
    if not begins - {0}:
        return [Input(path, size, 0, is_packed=False)]
    inputs = []
    with open(path, "rb") as file:
        for number, (begin, end) in enumerate(itertools.pairwise(sorted(begins | {0, size}))):
            piece = job.item(PIECES_FOLDER, number)
            with open(piece, "wb") as target:
                copy_stretch(file, begin, end - begin, target)
            inputs.append(Input(piece, end - begin, 0, is_packed=False))
    return inputs


def of_sample(drawn: Sorted, before: Sorted, wanted: SortSpec, has_checksums: bool, whole_files: bool) -> SortSpec:
    """The sort of the sample, which the one before has written into a file. drawn: the first sort. wanted: that of the
    job, if no records were to be drawn, with its ranges. whole_files: the file cannot be divided."""
    sort = before.sort
    path, _ = before.output.place(0, 0)
    told = before.merged.told
    written = one_behind_the_other(path, before.output.pieces(told))
    job = sort.job.sort_of_sample()
    inputs = _inputs(path, written, told, job)
    most_bytes = sum(item.bytes for item in inputs) if whole_files else max(shard.bytes for shard in wanted.plan.shards)
    shards = plan_shards(inputs, max(1, most_bytes), whole_files)
    job.write("plan.json", {"shards": len(shards)})  # for who asks how far it is
    setting = replace(wanted.setting, sort_words=(OF_JOB_WORD,), folder=os.path.relpath(job.path, wanted.setting.job))
    handover = Handover(sort, written, [Totals.from_json(item["output"]) for item in drawn.merged.told],
                        is_shard_each=False, has_checksums=has_checksums)
    return replace(wanted, job=job, plan=wanted.plan._replace(shards=shards), setting=setting, which=OF_SAMPLE,
                   reads=handover)
