"""What goes in comes out: the counts and checksums of all commands add up."""

from .. import Error
from .totals import Totals


def verify(formed_input: Totals, formed_dropped: Totals, merge_input: Totals, merge_dropped: Totals, output: Totals,
           *, with_checksums: bool, counts_records: bool) -> None:
    """counts_records: the output has a count in front of every record, so that only their numbers compare."""
    _compare("runs hold", formed_input.minus(formed_dropped), "merges read", merge_input, with_checksums)
    left = merge_input.minus(merge_dropped)
    if counts_records:
        left, output = Totals(left.records), Totals(output.records)
    _compare("merges read", left, "they wrote", output, with_checksums)


def _compare(first: str, these: Totals, second: str, those: Totals, with_checksums: bool) -> None:
    if these[:2] != those[:2]:
        raise Error(f"the output is not what went in: {first} {_say(these)}, {second} {_say(those)}; the output is as it "
                    "was")
    if with_checksums and these.checksum != those.checksum:
        raise Error(f"the output is not what went in: {first} records of another checksum than {second}; the output is "
                    "as it was")


def _say(totals: Totals) -> str:
    return f"{totals.records} records in {totals.bytes} bytes"
