"""Files of a format on a cluster, such as BAM or tar: files that are more than their records. A command makes records of
what begins in some bytes of all inputs, cuts and merges are those of records, and one command writes the output of the
merged ranges, as it does by itself."""

import itertools
import os
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from .. import Error, _native
from .._arguments import CATALOGUE
from .._sources import is_source
from .arguments import SortOptions
from .formed import refuse_assumed
from .output_checks import refuse_no_place
from .paths import is_in_parts, lead_to_one_file
from .shards import Input, Shard, plan_shards, spread_places

# Options after which files hold bare records, whatever they begin with, as the command has it.
_OF_RECORDS = {*(option["long_name"] for option in CATALOGUE
                 if option["is_of_lines"] and option["long_name"] not in ("stable", "reverse")),
               "field", "header", "no-header", "quote", "zero-terminated", "join"}
_BCF = ".bcf"
_OF_FORMATS = frozenset(_native.file_formats.split())


class FileFormat(NamedTuple):
    """name: a word of --format. is_divided: whether a shard may begin within a file. guess: what is assumed, as reports
    have it, if the name of the first file says it alone."""

    name: str
    is_divided: bool
    guess: dict[str, Any] | None = None


def format_of_inputs(options: Iterable[tuple[str, str | None]], paths: Sequence[str], output: str) -> FileFormat | None:
    """What --format says, or how the first file begins; None for files of bare records. A file that cannot be read is told
    by who divides it. Raises Error for an output whose name says that it holds no bare records."""
    given = dict(options)
    word = given.get("format")
    of_records = _OF_RECORDS - ({"vcf"} if output.endswith(_BCF) else set())
    by_content = word is None and of_records.isdisjoint(given) and os.path.isfile(paths[0])
    found = _native.find_file_format(paths[0], output, word if word in _OF_FORMATS else "", by_content)
    return found and FileFormat(*found)


def with_format_named(options: list[tuple[str, str | None]],
                      of_files: FileFormat | None) -> list[tuple[str, str | None]]:
    """Commands are told the format: most of them see no input. Of files that become BCF it says more than --vcf does.
    Raises Error for an index of lines."""
    if of_files is None and "index" in dict(options):
        raise Error("--index of lines does not go with a cluster, whose output is written in ranges: let tabix make one of "
                    "the finished output")
    if of_files is None or "format" in dict(options):
        return options
    return [*((name, value) for name, value in options if name != "vcf"), ("format", of_files.name)]


def as_sort_of_format(sort: SortOptions, of_files: FileFormat) -> SortOptions:
    """Keys of a shuffle are made of the numbers of records, which are counted, and not of their places. Raises Error for
    what takes a second sort, and for a strict sort of files whose format is a guess."""
    if of_files.guess is not None and "--strict" in sort.words:
        refuse_assumed([of_files.guess])
    if sort.sample is not None or sort.in_order:
        option = "--sample" if sort.sample is not None else "--order=input"
        raise Error(f"{option} of files of {of_files.name} takes a second sort, which a cluster does of bare records "
                    "alone: give it to sortie on one machine, or leave it out")
    return sort._replace(goes_by_places=False, sizes_are_known=False)


def with_format_worded(refused: Error, of_files: FileFormat | None) -> None:
    """Where commands refuse files that only their name makes some of a format, the message says how another is named."""
    if of_files is None or of_files.guess is None:
        return
    refused.args = (f"{refused}; {of_files.guess['first_place']} is taken for {of_files.name} by its name: if it is something "
                    "else, say what by --format, such as --format=lines", *refused.args[1:])


def words_of_plan(of_files: FileFormat | None) -> tuple[str, ...]:
    """Lines for a plan: what one command does alone."""
    if of_files is None:
        return ()
    name = of_files.name
    shared = (f"of any {'block' if name == 'bam' else 'sample'} on; packed ones are whole files" if of_files.is_divided
              else "of whole files: each is read by one command")
    return (f"          {shared}", f"output    of {name} is written by one command, of all merged ranges",
            *([f"          {of_files.guess['message']}"] if of_files.guess else []))


def counts_records(words: Iterable[str]) -> bool:
    """Whether a sort by these options has the records of all inputs counted first."""
    return any(word.partition("=")[0] == "--shuffle" for word in words)


def plan_format_shards(inputs: Iterable[Input], shard_bytes: int, of_files: FileFormat) -> list[Shard]:
    """Shards of some bytes of all inputs, one behind the other. Blocks of BGZF can be told, and other packed files are not
    divided."""
    whole = [item._replace(is_packed=item.is_packed and not item.is_in_blocks) for item in inputs]
    shards = spread_places(plan_shards(whole, shard_bytes, not of_files.is_divided))
    ends = itertools.accumulate(shard.bytes for shard in shards)
    return [shard._replace(begin=end - shard.bytes, end=end) for shard, end in zip(shards, ends, strict=True)]


def check_format_output(path: str, inputs: Iterable[str], of_files: FileFormat, has_cuts: bool) -> None:
    """Raises Error where such an output cannot be written. Paths are absolute."""
    if is_source(path):
        raise Error(f"'{path}' is an object, and a cluster writes files of {of_files.name} to disks alone: name a file "
                    "on one that all machines see")
    if has_cuts:
        from .split_output import refuse_cuts_over_inputs
        if is_in_parts(path):
            refuse_cuts_over_inputs(path, inputs)
        return
    if is_in_parts(path):
        raise Error(f"nothing says where parts of {of_files.name} end: give --split, --split-size or --split-records, "
                    "or name one file")
    refuse_no_place(path, *os.path.split(path))
    for item in inputs:
        if lead_to_one_file(path, item):
            raise Error(f"the output '{path}' is an input, which files of {of_files.name} cannot be on a cluster: it is "
                        "read once more while the output is written; name another output")
