"""The command sortie-parquet: sort_parquet() for shells."""

import argparse
import glob
import os
import re
import signal
import sys

from . import Error, __version__, sort_parquet
from ._commands import CommandHelp, OptionGroup, ended_by, handle_ctrl_c, options_of

HELP = CommandHelp(
    name="sortie-parquet",
    purpose="sort Parquet, CSV or Arrow files that are larger than memory",
    forms=("--key=COLUMN -o FILE [OPTION]... FILE...",),
    description="Sorts the rows of Parquet, CSV or Arrow files, which may be larger than memory, into one file. Names that "
    "end in .parquet, .csv, .csv.gz, .arrow or .feather tell the formats. All columns are kept, with the metadata of the "
    "first file.",
    exit_status="0 if the output is complete, 2 after an error, which leaves the output as it was.",
    environment="TMPDIR: where to keep what does not fit in memory, without -T.",
    files="The output is written beside its place, and takes it when it is complete.",
    examples=(("sortie-parquet --key=user --key=ts:desc -S 4G -o out.parquet 'in/*.parquet'",
               "by user, and for each the latest first"),),
    references=("sortie", "sortie-cluster"),
)

_WORDS = {"asc": ("ascending", None), "desc": ("descending", None), "nulls-first": (None, "at_start"),
          "nulls-last": (None, "at_end")}


# What sort_parquet() calls its arguments, where that is not the option without its dashes.
_OPTIONS = {"by": "--key", "null_placement": "--nulls"}
_ARGUMENTS = "by|null_placement|row_group_rows|compression|memory|scratch|threads|engine|unique|top|stats_json"


class _Parser(argparse.ArgumentParser):
    def error(self, message):
        raise Error(f"{message}; try 'sortie-parquet --help'")


def _parser():
    parser = _Parser(prog=HELP.name, description=HELP.introduction, epilog=HELP.epilog, allow_abbrev=False,
                     formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("inputs", nargs="+", metavar="FILE", help="inputs; a pattern such as 'in/*.parquet' means what it matches")
    add("-k", "--key", action="append", required=True, metavar="COLUMN[:asc|:desc][:nulls-first|:nulls-last]",
        help="a column to sort by; the first counts most")
    add("-o", "--output", required=True, metavar="FILE", help="may be an input: it is replaced when all is done")
    add("--nulls", choices=("first", "last"), default="last", help="where nulls of other keys come (default: last)")
    add("-S", "--memory", metavar="SIZE", help="memory for the sort, such as 4G, beside that of reader and writer")
    add("-T", "--scratch", action="append", metavar="DIR",
        help="for what does not fit in memory (default: $TMPDIR or /tmp)")
    add("--threads", type=int, metavar="N", help="CPU threads (default: all)")
    add("--engine", metavar="NAME", help="auto (default), gpu or cpu")
    add("-u", "--unique", action="store_true", help="keep the first of rows with equal keys only")
    add("--top", type=int, metavar="N", help="keep the first N rows only")
    add("--row-group-rows", type=int, metavar="N",
        help="rows of a row group of Parquet (default: as many as take 64 MiB)")
    add("--compression", metavar="NAME", help="none, snappy, gzip, brotli, lz4 or zstd, with a level as in zstd:9 "
        "(default: each column as in the first file)")
    add("--strict", action="store_true", help="end with an error rather than assume what inputs do not say")
    add("--progress", action="store_true", help="draw a bar")
    add("--stats", action="store_true", help="print what the sort did on standard error")
    add("--stats-json", metavar="FILE", help="write it as JSON")
    add("--version", action="version", version=f"sortie-parquet {__version__}")
    return parser


def option_groups():
    """For the manual page."""
    return (OptionGroup("", tuple(options_of(_parser()))),)


def parse_key(text):
    """What `by` takes, of "COLUMN:desc:nulls-first". A column may have colons in its name."""
    name, direction, place = text, None, None
    while ":" in name and (words := _WORDS.get(name.rpartition(":")[2])):
        if (words[0] and direction) or (words[1] and place):
            raise Error(f"the key '{text}' has two words of one kind: leave one out")
        direction, place = direction or words[0], place or words[1]
        name = name.rpartition(":")[0]
    direction = direction or "ascending"
    return (name, direction, place) if place else (name, direction)


def expand(patterns):
    """The files that are meant: a name that exists means itself."""
    files = []
    for pattern in patterns:
        if os.path.exists(pattern) or not glob.has_magic(pattern):
            files.append(pattern)
            continue
        matches = sorted(glob.glob(pattern, recursive=True))
        if not matches:
            raise Error(f"nothing matches '{pattern}'")
        files += matches
    return files


def _run(arguments):
    options = vars(_parser().parse_args(arguments))
    wants_stats = options.pop("stats")
    report = sort_parquet(
        expand(options.pop("inputs")), options.pop("output"), by=[parse_key(key) for key in options.pop("key")],
        null_placement={"first": "at_start", "last": "at_end"}[options.pop("nulls")], warn=_warn, **options)
    if wants_stats:
        print(report, file=sys.stderr, end="")


def as_typed(message):
    """A message of sort_parquet() in the words of the command: with options in place of arguments."""
    message = re.sub(r', or None for [a-z ]+$', "", message)
    message = message.replace('with engine="cpu"', "with --engine=cpu")
    arguments = (rf"^({_ARGUMENTS})(?= (?:is for|must be|is also)\b)", rf"(?<=' for )({_ARGUMENTS})(?=: )",
                 rf"(?<= with )({_ARGUMENTS})=$")
    return re.sub("|".join(arguments), lambda found: _option(found[1] or found[2] or found[3]), message)


def _option(argument):
    return _OPTIONS.get(argument, "--" + argument.replace("_", "-"))


def _warn(message):
    print(f"sortie-parquet: warning: {as_typed(message)}", file=sys.stderr)


def main():
    try:
        handle_ctrl_c()
        _run(sys.argv[1:])
    except KeyboardInterrupt:
        ended_by(signal.SIGINT)
    except (Error, OSError, TypeError, ValueError, RuntimeError) as error:
        print(f"sortie-parquet: {as_typed(str(error))}", file=sys.stderr)
        sys.exit(2)
    except MemoryError:
        print("sortie-parquet: memory is exhausted: give less with --memory, or raise the limit", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
