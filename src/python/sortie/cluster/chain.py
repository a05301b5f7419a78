"""Which sorts a job is made of, one behind the other, and what each of them is to do once those in front of it are
done."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from .arguments import Comparison, Sample, without
from .by_place import by_place, for_places
from .format_output import FormatOutput
from .job import JobDirectory
from .job_plan import JobPlan
from .one_sort import Sorted, SortSpec
from .output import Output
from .progress import Expected
from .report import BY_PLACE, OF_SAMPLE
from .samples import of_sample, sample_file
from .split_output import SplitFiles
from .tasks import Setting

# A guess, for samples: how many bytes of the input are drawn is known when runs are formed.
_USUAL_RECORD_BYTES = 100


@dataclass(frozen=True)
class Asked:
    """What a job is to do. setting: with the options of the first sort. comparison: of what goes in with what comes
    out. in_order: of the input. sample: None for all records; sample_words: options of the sort of it, and whole_files:
    its file cannot be divided. goes_by_places: whether records must have the places that they have in a sort by one
    command."""

    job: JobDirectory
    plan: JobPlan
    setting: Setting
    output: Output
    comparison: Comparison = Comparison()
    in_order: bool = False
    sample: Sample | None = None
    sample_words: tuple[str, ...] = ()
    whole_files: bool = False
    goes_by_places: bool = False

    @property
    def sorts_sample(self) -> bool:
        return self.sample is not None and self.sample.is_sorted

    @property
    def needs_header(self) -> bool:
        """Whether something but the shards must know the header, and where records begin."""
        return self.goes_by_places or self.sorts_sample


class Link(NamedTuple):
    """One sort of a job. which: behind the names of its stages. make: of the sorts in front of it. share: of the bytes
    that it forms runs of, about how many it merges."""

    which: str
    make: Callable[[Asked, Sequence[Sorted]], SortSpec]
    share: float = 1.0


def chain_of(asked: Asked) -> list[Link]:
    """The sorts of a job, in turn."""
    if asked.sample is None:
        return [Link("", _in_front_of_places),
                Link(BY_PLACE, _last_by_place)] if asked.in_order else [Link("", _wanted)]
    share = min(1.0, asked.sample.records * _USUAL_RECORD_BYTES / max(1, asked.plan.input_bytes))
    drawn = Link("", _drawing, share)
    if not asked.sorts_sample:
        return [drawn, Link(BY_PLACE, _last_by_place)]
    both = [drawn, Link(BY_PLACE, _sample_by_place)]
    if not asked.in_order:
        return [*both, Link(OF_SAMPLE, _sample)]
    return [*both, Link(OF_SAMPLE, _sample_in_front_of_places), Link(OF_SAMPLE + BY_PLACE, _last_by_place)]


def expected_course(asked: Asked) -> list[Expected]:
    """The stages of the job that move bytes."""
    stages = [Expected("count")] if asked.goes_by_places else []
    chain = chain_of(asked)
    for number, link in enumerate(chain):
        stages.append(Expected("form" + link.which, asked.plan.input_bytes if number == 0 else 0,
                               None if number == 0 else 1.0))
        stages.append(Expected("merge" + link.which, share=link.share))
    last = chain[-1].which
    if asked.output.copies_to is not None:
        stages.append(Expected("copy" + last))
    if isinstance(asked.output, FormatOutput):
        stages.append(Expected("write" + last))
    elif isinstance(asked.output, SplitFiles):
        stages.append(Expected("split" + last))
        # Where neighbours meet within a file; how often they do is known when they are cut.
        if asked.output.by_key and asked.plan.ranges > 1:
            stages.append(Expected("join" + last, share=1 / asked.plan.ranges))
    return stages


def _wanted(asked: Asked, before: Sequence[Sorted]) -> SortSpec:
    """All that is asked for by one sort."""
    return SortSpec(asked.job, asked.plan, asked.setting, asked.comparison, lambda formed: asked.output)


def _in_front_of_places(asked: Asked, before: Sequence[Sorted]) -> SortSpec:
    return for_places(_wanted(asked, before))


def _drawing(asked: Asked, before: Sequence[Sorted]) -> SortSpec:
    assert asked.sample is not None
    spec = for_places(_wanted(asked, before))
    return replace(spec, comparison=Comparison(asked.comparison.with_checksums), draws=asked.sample.records)


def _last_by_place(asked: Asked, before: Sequence[Sorted]) -> SortSpec:
    comparison = Comparison(asked.comparison.with_checksums, top=asked.comparison.top)
    return by_place(before[-1], asked.plan.ranges, lambda job: asked.output, comparison, cuts=asked.setting.cuts)


def _sample_by_place(asked: Asked, before: Sequence[Sorted]) -> SortSpec:
    spec = by_place(before[-1], asked.plan.ranges, lambda job: sample_file(job, asked.job),
                    Comparison(asked.comparison.with_checksums), words=without(asked.setting.words, "top"))
    return replace(spec, header="")


def _sample(asked: Asked, before: Sequence[Sorted]) -> SortSpec:
    assert asked.sample is not None
    wanted = _wanted(asked, before)
    # One merge finds the first records, if no other sort follows.
    is_one = asked.comparison.top is not None and not asked.in_order
    wanted = replace(wanted, setting=replace(wanted.setting, words=asked.sample_words),
                     plan=wanted.plan._replace(ranges=1 if is_one else asked.plan.ranges))
    return of_sample(before[0], before[-1], wanted, asked.sample.has_checksums, asked.whole_files)


def _sample_in_front_of_places(asked: Asked, before: Sequence[Sorted]) -> SortSpec:
    return for_places(_sample(asked, before))
