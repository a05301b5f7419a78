"""The command sortie-parquet: sort_parquet() for shells."""

from __future__ import annotations

import argparse
import functools
import re
import sys
from collections.abc import Callable
from typing import Any, NoReturn

from .. import Error, __version__, sort_parquet
from .._arguments import ACTIONS, CATALOGUE, ONE_REPORT, TABLES
from .._commands import CommandHelp, OptionGroup, options_of, run_command
from .._table_options import IN_PLACE, SORT_PARQUET, TableOption, not_with, options_of as table_options_of, read_word
from ..columns.keys import DIRECTIONS
from .in_place_report import InPlaceReport

HELP = CommandHelp(
    name="sortie-parquet",
    purpose="sort tables, in Parquet and other files, that outgrow memory",
    forms=("--key=COLUMN -o FILE [OPTION]... FILE...", "--key=COLUMN -o FOLDER/ [OPTION]... FILE...",
           "--shuffle=SEED -o FILE|FOLDER/ [OPTION]... FILE...", "--key=COLUMN --in-place [OPTION]... FILE..."),
    description="Sorts the rows of Parquet, CSV, JSON Lines or Arrow files, which may be larger than memory, into one "
    "file, or into a folder of files. Folders among the inputs mean all such files in them. Names that end in "
    ".parquet, .csv, .jsonl, .ndjson, .arrow or .feather tell the formats; .gz or .zst may be behind those of texts. "
    "All columns are kept, with the metadata of the first file.",
    exit_status="0 if the output is complete, 2 after an error, which leaves the output as it was.",
    environment="TMPDIR: where to keep what does not fit in memory, without -T.",
    files="The output is written beside its place, and takes it when it is complete. A folder is, until then, a hidden "
    "one, .NAME.sortie-XXXXXX, beside a new folder or within an empty one. Inputs and the output may be objects on "
    "stores: s3://bucket/name, gs://, az:// and https://; an input that ends in / means all objects that begin so. "
    "These need the Python package obstore, which takes credentials from the environment, profiles and the machine. An "
    "object becomes visible at once when it is complete, or not at all; those of a folder one after the other, when "
    "all are complete.",
    examples=(("sortie-parquet --key=user --key=ts:desc -S 4G -o out.parquet 'in/*.parquet'",
               "by user, and for each the latest first"),
              ("sortie-parquet --key=ts --partition-by=year,month --file-size=256M -o events/ 'in/*.parquet'",
               "events/year=2024/month=3/part-00000.parquet and so on"),
              ("sortie-parquet --merge --key=user -u --keep=max:ts -o all.parquet days/*.parquet",
               "of files that are in order, for each user the latest row"),
              ("sortie-parquet --shuffle=7 --file-rows=100000 -o shards/ 'in/*.parquet'",
               "rows in random order, always alike, in files of so many"),
              ("sortie-parquet --in-place --key=user days/*.parquet", "sorts those that are not in order")),
    references=("sortie", "sortie-cluster"),
)

_WORDS: dict[str, tuple[str | None, str | None]] = {
    **{word: ("descending" if falls else "ascending", None) for word, falls in DIRECTIONS.items()},
    "nulls-first": (None, "at_start"), "nulls-last": (None, "at_end")}


# Options of the sort, by the names of its arguments. Which way Parquet is compressed is the command's own.
_OF_SORTS = {option["name"]: option for option in CATALOGUE
             if option["functions"] & TABLES and option["name"] != "compression"}
# Arguments that are True or False, where the option has a word for each: the one that means True, and what differs from
# the default.
_SWITCHES = {"keep_last": ("last", "last"), "verify": ("on", "off")}
# Where the catalogue speaks to programs, or of something that the command has not.
_TEXTS = {
    "keep_last": "of rows with equal keys the first (default) or the last; with -u and its like; with -u also "
                 "max:COLUMN or min:COLUMN, the one with the greatest or least value",
    "memory": "upper bound on memory for the sort, such as 4G, beside that of reader and writer; default: 3/4 of what "
              "is available",
    "compress_program": "a program that compresses what does not fit in memory",
    "verify": "compare counts, checksums and order (default: on)",
    "strict": "end with an error rather than assume what inputs do not say, and leave the output as it was",
}
_OF_TABLES = table_options_of(SORT_PARQUET)
# What the command calls arguments of sort_parquet(), where that is not the option without its dashes.
_OPTIONS = {"by": "--key", **{option.name: option.flag for option in _OF_TABLES if option.flag},
            **{name: f"--{_OF_SORTS[name]['long_name']}={differs}" for name, (_, differs) in _SWITCHES.items()}}
_ARGUMENT = f"({'|'.join(['by', 'nulls', *(option.name for option in _OF_TABLES), *_OF_SORTS])})"


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise Error(f"{message}; try 'sortie-parquet --help'")


def _parser(is_in_place: bool = False) -> _Parser:
    parser = _Parser(prog=HELP.name, description=HELP.introduction, epilog=HELP.epilog, allow_abbrev=False,
                     formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("inputs", nargs="+", metavar="FILE",
        help="inputs; a pattern such as 'in/*.parquet' means what it matches, and a "
        "folder all tables below it, with the values in names such as year=2024 as columns")
    add("-k", "--key", action="append", required=is_in_place, metavar="COLUMN[:asc|:desc][:nulls-first|:nulls-last]",
        help="a column to sort by, or a field of structs, user.id; the first counts most")
    add("-o", "--output", required=not is_in_place, metavar="FILE|FOLDER/",
        help="may be an input: it is replaced when all is done; a new or an empty folder gets files part-00000.parquet "
        "and so on")
    add("--in-place", action="store_true",
        help="sort each file by itself, and leave those alone that are in order; prints what became of each")
    add("--nulls", choices=("first", "last"), help="where nulls of other keys come (default: last)")
    for own in _OF_TABLES:
        if own.flag:
            _add_table_option(parser, own)
    for option in _OF_SORTS.values():
        _add_option(parser, option)
    add("--progress", action="store_true", help="draw a bar")
    add("--stats", action="store_true", help="print what the sort did on standard error")
    add("--version", action="version", version=f"sortie-parquet {__version__}")
    return parser


def _add_table_option(parser: _Parser, option: TableOption) -> None:
    others = dict.fromkeys(_option(name).partition("=")[0] for name in not_with(option, SORT_PARQUET))
    text = (option.help or option.text).removesuffix(".") + (f"; not with {', '.join(others)}" if others else "")
    if not option.value:
        parser.add_argument(option.flag, dest=option.name, action="store_true", default=None, help=text)
        return
    # A list of words is read when all are known.
    reads = str if option.is_repeated else functools.partial(read_word, option)
    parser.add_argument(option.flag, dest=option.name, metavar=option.value, type=reads, help=text,
                        action="append" if option.is_repeated else "store")


def _add_option(parser: _Parser, option: dict[str, Any]) -> None:
    """As the catalogue has it, under the name that it has in Python."""
    name, letter = option["name"], option["short_name"]
    names = [f"-{letter}"] if letter else []
    names.append("--" + (option["long_name"] if name in _SWITCHES else name.replace("_", "-")))
    how: dict[str, Any] = {"dest": name, "help": _TEXTS.get(name, option["help"].replace('"', ""))}
    if not option["takes"] and option["type"] == "bool":
        parser.add_argument(*names, action="store_true", default=None, **how)
        return
    readers: dict[str, Callable[[str], Any]] = {"int": int, "bool": functools.partial(_switch, option)}
    reads = readers.get(option["type"], str)
    action = "append" if option["values"] == "DIR" else "store"
    parser.add_argument(*names, action=action, metavar=_value_of(option),
                        type=_devices if name == "devices" else reads, **how)


def _value_of(option: dict[str, Any]) -> str:
    """What stands for the value in --help."""
    if option["name"] == "keep_last":
        return "first|last|max:COLUMN|min:COLUMN"
    values: str = option["values"]
    if values in ("FILE", "DIR"):
        return values
    if option["type"] in ("Literal", "bool"):
        return values.replace(" ", "|")
    return {"int": "N", "int | str": "SIZE", "str": "TEXT", "_Path": "PROG"}.get(option["type"], "LIST")


def _switch(option: dict[str, Any], word: str) -> bool | str:
    if option["name"] == "keep_last" and re.match("(max|min):.", word):
        return word
    words = option["values"].split()
    if word not in words:
        raise Error(f"invalid value '{word}' for --{option['long_name']}: known are {', '.join(words)}")
    return word == _SWITCHES[option["name"]][0]


def _devices(text: str) -> str | list[int]:
    if text == "all":
        return text
    if not re.fullmatch("[0-9]+(,[0-9]+)*", text):
        raise Error(f"invalid value '{text}' for --devices: give all, or numbers separated by commas: 0,1")
    return list(map(int, text.split(",")))


def option_groups() -> tuple[OptionGroup, ...]:
    """For the manual page."""
    return (OptionGroup("", tuple(options_of(_parser()))),)


def parse_key(text: str) -> tuple[str, str] | tuple[str, str, str]:
    """What `by` takes, of "COLUMN:desc:nulls-first". A column may have colons in its name."""
    name = text
    direction: str | None = None
    place: str | None = None
    while ":" in name and (words := _WORDS.get(name.rpartition(":")[2])):
        if (words[0] and direction) or (words[1] and place):
            raise Error(f"the key '{text}' has two words of one kind: leave one out")
        direction, place = direction or words[0], place or words[1]
        name = name.rpartition(":")[0]
    direction = direction or "ascending"
    return (name, direction, place) if place else (name, direction)


def _run(arguments: list[str]) -> None:
    options = vars(_parser("--in-place" in arguments).parse_args(arguments))
    wants_stats = options.pop("stats")
    options.update((option.name, option.read(options[option.name])) for option in _OF_TABLES
                   if option.is_repeated and options[option.name] is not None)
    given_keys = options.pop("key")
    keys: Any = None if given_keys is None else [parse_key(key) for key in given_keys]
    inputs = options.pop("inputs")
    if isinstance(options["keep_last"], str):
        options["keep"] = options.pop("keep_last")
    if options.pop("in_place"):
        _sort_in_place(inputs, keys, wants_stats, options)
        return
    report = sort_parquet(inputs, options.pop("output"), by=keys, warn=_warn, **options)
    if wants_stats:
        print(report, file=sys.stderr, end="")


def _sort_in_place(inputs: list[str], keys: list[Any], wants_stats: bool, options: dict[str, Any]) -> None:
    from . import sort_in_place

    of_others = ["output", *(option.name for option in _OF_TABLES if not option.functions & IN_PLACE), *ACTIONS,
                 *ONE_REPORT]
    for name in of_others:
        if options.pop(name, None):
            raise Error(f"--in-place and {_option(name)} are incompatible: leave one of the two out")
    given = {name: value for name, value in options.items() if value is not None}
    told = InPlaceReport()
    for path, report in sort_in_place.sorted_in_place(inputs, keys, {**given, "warn": _warn}):
        told.add(path, report)
        print(f"{'left alone' if report is None else 'sorted'} {path}", flush=True)
    if wants_stats:
        print(told, file=sys.stderr)


def as_typed(message: str) -> str:
    """A message of sort_parquet() in the words of the command: with options in place of arguments."""
    message = re.sub(r', or None for [a-z ]+$', "", message)
    message = message.replace("neither by nor shuffle is", "neither --key nor --shuffle is")
    message = message.replace('with engine="cpu"', "with --engine=cpu")
    message = message.replace('give schema="union"', "give --schema=union").replace(" and verify=False ",
                                                                                    " and verify ")
    message = re.sub(r"\bleave (merge|bounding_boxes) out$", lambda found: f"leave {_option(found[1])} out", message)
    message = re.sub(r'\blet output_format be "(\w+)"', r"give --output-format=\1", message)
    places = (rf"^{_ARGUMENT}(?= (?:by column )?(?:is for|is within|is empty|is made|names|needs a newer|must be|is "
              rf"also)\b)",
              rf"(?<=' for ){_ARGUMENT}(?=: )", rf"(?<= with ){_ARGUMENT}(?:=$| or file_rows$)",
              rf"(?<=, which count twice, and ){_ARGUMENT}(?= has )")
    message = re.sub("|".join(places), lambda found: _option(next(filter(None, found.groups()))).partition("=")[0],
                     message)
    # Messages that name two options which go together, or do not. Rows have no count.
    of_two = rf'^{_ARGUMENT}(?:="(\w+)")?( needs | and ){_ARGUMENT}(?:="(\w+)")?(?: or count)?(?= are incompatible|$)'
    return re.sub(of_two, lambda found: f"{_option(found[1], found[2])}{found[3]}{_option(found[4], found[5])}",
                  message)


def _option(argument: str, value: str | None = None) -> str:
    option = _OPTIONS.get(argument, "--" + argument.replace("_", "-"))
    return f"{option}={value}" if value else option


def _warn(message: str) -> None:
    print(f"sortie-parquet: warning: {as_typed(message)}", file=sys.stderr)


def main() -> None:
    run_command("sortie-parquet", _run, as_typed)


if __name__ == "__main__":
    main()
