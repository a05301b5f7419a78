"""How many records and bytes went into the stages of a job and came out again, and whether these are the same."""

import itertools
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, Self

from .. import Error
from .._report import say_count
from .arguments import Comparison

_CHECKSUMS = 1 << 128


class Totals(NamedTuple):
    records: int = 0
    bytes: int = 0
    checksum: int = 0

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> Self:
        return cls(value["records"], value["bytes"], int(value["checksum"], 16))

    def plus(self, other: "Totals") -> "Totals":
        return Totals(self.records + other.records, self.bytes + other.bytes,
                      (self.checksum + other.checksum) % _CHECKSUMS)

    def minus(self, other: "Totals") -> "Totals":
        return Totals(self.records - other.records, self.bytes - other.bytes,
                      (self.checksum - other.checksum) % _CHECKSUMS)


def sum_of(parts: Iterable[Totals]) -> Totals:
    total = Totals()
    for part in parts:
        total = total.plus(part)
    return total


class Merged(NamedTuple):
    """What all merges have written. ranges: as Output has them. told: of each merge, what its command told."""

    output: Totals
    ranges: list[dict[str, Any]]
    told: list[dict[str, Any]]


def verified_output(formed_input: Totals, formed_dropped: Totals, merged: list[dict[str, Any]],
                    comparison: Comparison) -> Totals:
    """What merges have written in all. merged: what each has told. Raises Error unless all that went in has come
    out."""
    totals = {name: Totals() for name in ("input", "dropped", "output", *(["grouped"] if comparison.groups else []))}
    for told in merged:
        totals = {name: total.plus(Totals.from_json(told[name])) for name, total in totals.items()}
    if comparison.groups:
        verify_groups(formed_input, totals["input"], totals["grouped"], totals["output"], comparison.top)
    else:
        verify(formed_input, formed_dropped, totals["input"], totals["dropped"], totals["output"], comparison)
    return totals["output"]


def verify(formed_input: Totals, formed_dropped: Totals, merge_input: Totals, merge_dropped: Totals, output: Totals,
           comparison: Comparison) -> None:
    """merge_input has a checksum only for a join, whose rows are other records. Raises Error for what is not equal."""
    left = formed_input.minus(formed_dropped)
    _compare("runs hold", left, "merges read", merge_input)
    if comparison.joins:
        if comparison.with_checksums and left.checksum != merge_input.checksum:
            raise Error("merges read other records than went in: their checksums differ; the output is as it was")
        return
    left = left.minus(merge_dropped)
    if output.records == comparison.top and left.records >= comparison.top:
        return
    if comparison.counts_records:
        _compare("merges kept", Totals(left.records), "they wrote", Totals(output.records))
        return
    _compare("merges kept", left, "they wrote", output)
    if comparison.with_checksums and left.checksum != output.checksum:
        raise Error("the output is not what went in: its records have another checksum; the output is as it was")


def verify_groups(formed_input: Totals, merge_input: Totals, grouped: Totals, output: Totals, top: int | None) -> None:
    """Runs hold states of groups, each of which knows its records. grouped: these, of all groups that merges have
    seen."""
    _compare("shards read", formed_input._replace(records=0), "runs hold groups of", merge_input._replace(records=0))
    if output.records != top:
        _compare("shards read", formed_input, "groups are made of", grouped)


def drawn_of_ranges(records: Sequence[int], wanted: int) -> list[int]:
    """Records that are drawn of each range, the first `wanted` of all, up to the last range that has some; of one range
    at least."""
    before = itertools.accumulate(records, initial=0)
    drawn = [min(count, wanted - passed) for count, passed in zip(records, before, strict=False)]
    return [count for count in drawn if count > 0] or [0]


def verify_drawn(held: int, records: Sequence[int], drawn: int, wanted: int) -> bool:
    """Whether all records were drawn: then checksums compare. held: by runs; records: of ranges, as cuts have told.
    Raises Error unless the records were drawn that are to be."""
    if sum(records) != held or drawn != min(held, wanted):
        raise Error(f"the sample is not what went in: runs hold {say_count(held, 'record')}, cuts have told "
                    f"{sum(records)}, and {drawn} of {min(held, wanted)} were drawn; the output is as it was")
    return drawn == held


def _compare(first: str, these: Totals, second: str, those: Totals) -> None:
    if these[:2] != those[:2]:
        raise Error(f"the output is not what went in: {first} {_say(these)}, {second} {_say(those)}; the output is as "
                    "it was")


def _say(totals: Totals) -> str:
    return f"{say_count(totals.records, 'record')} in {say_count(totals.bytes, 'byte')}"
