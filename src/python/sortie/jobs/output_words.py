"""What sortie-parquet calls the arguments of sort_parquet() about its output."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import Any

from .._commands import Option
from .._errors import Error


def _switch(text: str) -> bool:
    if text not in ("on", "off"):
        raise argparse.ArgumentTypeError(f"invalid value '{text}': known are on, off")
    return text == "on"


def _columns(text: str) -> list[str]:
    return text.split(",")


def _columns_or_switch(text: str) -> bool | list[str]:
    return text == "on" if text in ("on", "off") else text.split(",")


def _columns_or_off(text: str) -> bool | list[str]:
    return False if text == "off" else text.split(",")


# By argument: the option, what stands for its value, how that is read, and what it is.
_TABLE: dict[str, tuple[str, str, Callable[[str], Any], str]] = {
    "output_format": ("--output-format", "NAME", str,
                      "of the files of a folder: parquet (default), csv, csv.gz, arrow or feather"),
    "file_bytes": ("--file-size", "SIZE", str, "about how large a file of a folder is, as it is on the disk (default: 512MB)"),
    "file_rows": ("--file-rows", "N", int, "rows of a file of a folder, in place of a size"),
    "partition_by": ("--partition-by", "COLUMN[,COLUMN]...", _columns,
                     "write folders such as year=2024/month=3, and leave these columns out of the files; rows are in the order "
                     "of these columns, then in that of the keys"),
    "row_group_bytes": ("--row-group-size", "SIZE", str,
                        "about how large a row group of Parquet is in memory (default: 64MiB)"),
    "dictionary": ("--dictionary", "on|off|COLUMN[,COLUMN]...", _columns_or_switch,
                   "which columns of Parquet have dictionaries (default: where they pay)"),
    "bloom_filters": ("--bloom-filters", "off|COLUMN[,COLUMN]...", _columns_or_off,
                      "which columns of Parquet have Bloom filters (default: those of the first file)"),
    "page_index": ("--page-index", "on|off", _switch, "whether Parquet has page indexes (default: as the first file)"),
    "data_page_bytes": ("--data-page-size", "SIZE", str, "about how large a page of Parquet is before it is compressed "
                        "(default: 1MiB)"),
}
OUTPUT_ARGUMENTS = tuple(_TABLE)
OUTPUT_NAMES = {argument: option for argument, (option, *_) in _TABLE.items()}


def add_output_options(parser: argparse.ArgumentParser) -> None:
    for argument, (option, value, read, text) in _TABLE.items():
        parser.add_argument(option, dest=argument, metavar=value, type=read, help=text)


def word_of(argument: str, text: str) -> Any:
    """The value of an argument, of what the option says."""
    option, _, read, _ = _TABLE[argument]
    try:
        return read(text)
    except argparse.ArgumentTypeError as error:
        raise Error(f"{error}".replace(": ", f" for {option}: ", 1)) from None


def option_of(argument: str) -> Option:
    option, value, _, text = _TABLE[argument]
    return Option((option,), value, text)


def compression_of(words: Sequence[str] | None) -> str | dict[str | None, str] | None:
    """What `compression` takes, of "zstd:3" and "user=none"."""
    if words is None:
        return None
    told: dict[str | None, str] = {}
    for word in words:
        column, equals, name = word.rpartition("=")
        key = column if equals else None
        if key in told:
            what = f"of '{column}'" if equals else "of all columns"
            raise Error(f"--compression {what} is given twice: leave one of the two out")
        told[key] = name
    return told[None] if told.keys() == {None} else told
