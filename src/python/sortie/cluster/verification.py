"""What goes in comes out: the counts and checksums of all commands add up."""

from typing import Any, NamedTuple, Self

from .. import Error

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


class Comparison(NamedTuple):
    """What can be compared. counts_records: the output has a count in front of every record, so that only their numbers
    compare. top: merges end with so many records, and do not say what they leave."""

    with_checksums: bool = True
    counts_records: bool = False
    top: int | None = None


def verify(formed_input: Totals, formed_dropped: Totals, merge_input: Totals, merge_dropped: Totals, output: Totals,
           comparison: Comparison) -> None:
    """merge_input has no checksum. Raises Error for what is not equal."""
    left = formed_input.minus(formed_dropped)
    _compare("runs hold", left, "merges read", merge_input)
    left = left.minus(merge_dropped)
    if output.records == comparison.top and left.records >= comparison.top:
        return
    if comparison.counts_records:
        _compare("merges kept", Totals(left.records), "they wrote", Totals(output.records))
        return
    _compare("merges kept", left, "they wrote", output)
    if comparison.with_checksums and left.checksum != output.checksum:
        raise Error("the output is not what went in: its records have another checksum; the output is as it was")


def _compare(first: str, these: Totals, second: str, those: Totals) -> None:
    if these[:2] != those[:2]:
        raise Error(f"the output is not what went in: {first} {_say(these)}, {second} {_say(those)}; the output is as "
                    "it was")


def _say(totals: Totals) -> str:
    return f"{totals.records} records in {totals.bytes} bytes"
