"""The words of a command line: what is for the cluster, what is passed on to the sort, and which files are meant."""

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from .. import Error
from .._errors import ArgumentError
from .job import absolute_path
from .sizes import parse_memory, parse_size
from .verification import Comparison

# What the sort's options are called in full, and whether they take a value: "" no, "=" yes, "?" after "=" alone.
_SORT_OPTIONS = {
    "unique": "", "keep": "=", "count": "", "top": "=", "ignore-leading-blanks": "", "dictionary-order": "",
    "repeated": "", "only-once": "", "ignore-case": "", "general-numeric-sort": "", "human-numeric-sort": "",
    "ignore-nonprinting": "", "month-sort": "", "numeric-sort": "", "random-sort": "", "random-source": "=",
    "shuffle": "?", "version-sort": "", "reverse": "", "sort": "=", "key": "=", "field-separator": "=", "stable": "",
    "year": "=", "zone": "=", "chromosomes": "=", "csv": "", "tsv": "", "jsonl": "", "bed": "", "vcf": "",
    "entry-start": "=", "header": "?", "no-header": "", "quote": "=", "na": "?", "format": "=", "field": "=",
    "zero-terminated": "", "batch-size": "=", "buffer-size": "=", "compress": "=", "parallel": "=", "devices": "=",
    "device-memory": "=", "algorithm": "=", "verify": "=", "strict": "", "output": "=", "files0-from": "=",
}
_LETTERS = {"u": "unique", "b": "ignore-leading-blanks", "d": "dictionary-order", "f": "ignore-case",
            "g": "general-numeric-sort", "h": "human-numeric-sort", "i": "ignore-nonprinting", "M": "month-sort",
            "n": "numeric-sort", "R": "random-sort", "V": "version-sort", "r": "reverse", "k": "key",
            "t": "field-separator", "s": "stable", "z": "zero-terminated", "S": "buffer-size", "o": "output"}
# Options of the sort that have no meaning for a job of many commands.
_REFUSED = {"merge": "inputs that are sorted already need no cluster", "check": "a check reads one input in turn",
            "plan": "sortie-cluster plan says what a job would do", "debug": "it is for one sort",
            "checkpoint": "the job directory keeps what is done", "temporary-directory": "runs are kept in the job "
            "directory", "stats": "a report comes in the end", "stats-json": "a report comes in the end",
            "order": "one command alone keeps the order of the input", "sample": "one command alone draws a sample",
            **dict.fromkeys(("group", "sum", "min", "max", "mean", "first", "last"),
                            "sort first, and group the output by a merge"),
            "compress-program": "runs are compressed by the sort itself, as --compress says",
            **dict.fromkeys(("split", "split-size", "split-records", "split-by", "together", "manifest"),
                            "-o 'out/part-{:04d}' writes a part for each of the --ranges"),
            "output-level": "parts whose names end in .gz, .zst, .bz2, .xz or .lz4 are packed at the usual level"}
_REFUSED |= {"explain": "it is of one sort", "columns": "sortie --columns names them", "report": "--trace writes a "
             "timeline", "self-test": "sortie --self-test tests an installation",
             **dict.fromkeys(("form", "bytes", "place", "samples", "shared-header", "cut", "merge-runs"),
                             "a job gives it to its commands itself")}
_REFUSED |= dict.fromkeys(("union", "intersect", "except", "symmetric"), "a shard does not know the other inputs: compare "
                          "sets with sortie")
_REFUSED |= dict.fromkeys(("join", "right-key", "select", "empty"), "sortie joins on one machine")
# Options that drop records: how many there will be is not known before they are merged.
_DROPPING = {"unique", "count", "repeated", "only-once", "top"}
_REFUSED_LETTERS = {"m": "merge", "c": "check", "C": "check", "T": "temporary-directory"}
_ENGINES_OF_SORTS = ("auto", "gpu", "cpu")
_LOCALE = ("LC_ALL", "LC_COLLATE", "LC_CTYPE", "LC_NUMERIC", "LC_TIME", "LC_MESSAGES", "LANG")


class Arguments(NamedTuple):
    """own: options of the cluster by their names. sort: those of the sort, in full and in turn, with their values."""

    own: dict[str, str]
    sort: list[tuple[str, str | None]]
    inputs: list[str]


def parse_words(words: Iterable[str], own_options: Mapping[str, str]) -> Arguments:
    """own_options: names, and whether they take a value, as above. Options and files may be mixed; -- ends options."""
    known = {**_SORT_OPTIONS, **dict.fromkeys(_REFUSED, "?"), **own_options, "engine": "="}
    found = Arguments({}, [], [])
    rest = iter(words)
    for word in rest:
        if word == "--":
            found.inputs.extend(rest)
        elif word.startswith("--"):
            _take(found, *_long_option(word, known, rest), own_options)
        elif word.startswith("-") and word != "-":
            for name, value in _short_options(word[1:], rest):
                _take(found, name, value, own_options)
        else:
            found.inputs.append(word)
    return found


def _take(found: Arguments, name: str, value: str | None, own_options: Mapping[str, str]) -> None:
    if name in _REFUSED:
        raise Error(f"--{name} does not go with a cluster: {_REFUSED[name]}")
    if name in own_options or name in ("output", "files0-from"):
        found.own[name] = value or ""
    elif name == "engine" and value not in _ENGINES_OF_SORTS:
        found.own[name] = value or ""
    else:
        found.sort.append((name, value))


def _long_option(word: str, known: Mapping[str, str], rest: Iterator[str]) -> tuple[str, str | None]:
    name, equals, value = word[2:].partition("=")
    names = [name] if name in known else [full for full in known if full.startswith(name)]
    if len(names) != 1:
        raise Error(f"{'unrecognized' if not names else 'ambiguous'} option '{word}'; try 'sortie-cluster --help'")
    kind = known[names[0]]
    if equals and not kind:
        raise Error(f"option '--{names[0]}' doesn't allow an argument")
    if equals or kind != "=":
        return names[0], value if equals else None
    return names[0], _value_of(f"--{names[0]}", rest)


def _short_options(letters: str, rest: Iterator[str]) -> Iterator[tuple[str, str | None]]:
    while letters:
        letter, letters = letters[0], letters[1:]
        name = _LETTERS.get(letter) or _REFUSED_LETTERS.get(letter)
        if name is None:
            raise Error(f"invalid option -- '{letter}'; try 'sortie-cluster --help'")
        if _SORT_OPTIONS.get(name) == "=":
            yield name, letters or _value_of(f"-{letter}", rest)
            return
        yield name, None


def _value_of(option: str, rest: Iterator[str]) -> str:
    value = next(rest, None)
    if value is None:
        raise Error(f"option '{option}' requires an argument")
    return value


class SortOptions(NamedTuple):
    """words: for every command, but for memory and threads. memory_bytes, threads: of one command, if they were
    given."""

    words: list[str]
    memory_bytes: int | None
    threads: int | None
    whole_files: bool
    keeps_few: bool
    sizes_are_known: bool
    needs_seed: bool
    comparison: Comparison

    @property
    def asks_for_gpu(self) -> bool:
        return "--engine=gpu" in self.words


def read_sort_options(options: Iterable[tuple[str, str | None]]) -> SortOptions:
    words = []
    memory, threads = None, None
    names = set()
    for name, value in options:
        names.add(name)
        if name == "buffer-size":
            memory = max(memory or 0, parse_memory(value or "", "--buffer-size"))
        elif name == "parallel":
            threads = _count(value or "", "--parallel")
        elif name == "random-source":
            # Commands are started elsewhere, and each reads it.
            if os.path.exists(value or "") and not os.path.isfile(value or ""):
                raise Error(f"--random-source: '{value}' is no regular file, and gives each command other bytes: name a "
                            "file, or leave it out")
            words.append(f"--random-source={absolute_path(value or '')}")
        else:
            words.append(f"--{name}" if value is None else f"--{name}={value}")
    last = dict(options)
    top = last.get("top") or ""
    formats = [value for name, value in options if name == "format"]
    shuffles = "random-sort" in names or any(
        (name == "key" and "R" in (value or "")) or (name == "sort" and (value or "").startswith("r"))
        or (name == "shuffle" and value is None) for name, value in options)
    return SortOptions(words, memory, threads,
                       whole_files="entry-start" in names or _has_quotes(last) or formats[-1:] == ["prefixed"],
                       keeps_few="top" in names, sizes_are_known=not names & _DROPPING,
                       needs_seed=shuffles and "random-source" not in names,
                       comparison=Comparison(last.get("verify") != "off", "count" in names,
                                             int(top) if top.isdigit() else None))


def _has_quotes(last: Mapping[str, str | None]) -> bool:
    """Whether records begin where only all that is in front of them tells."""
    return ("csv" in last or "tsv" in last) and last.get("quote", "csv" if "csv" in last else "none") != "none"


def _count(text: str, option: str) -> int:
    if not re.fullmatch(r"[0-9]{1,9}", text) or int(text) == 0:
        raise Error(f"invalid value '{text}' for {option}: give 1 or more")
    return int(text)


def own_count(own: Mapping[str, str], name: str, default: int | None = None) -> int | None:
    return _count(own[name], f"--{name}") if name in own else default


def own_size(own: Mapping[str, str], name: str) -> int | None:
    return parse_size(own[name], f"--{name}") if name in own else None


def locale_of_environment() -> dict[str, str | None]:
    """For commands on machines whose environment is another. None: not set."""
    return {name: os.environ.get(name) for name in _LOCALE}


# Arguments of sortie.sort_files() as options of the command.
_FLAGS = {"descending": "reverse", "stable": "stable", "unique": "unique", "count": "count", "repeated": "repeated",
          "only_once": "only-once", "strict": "strict"}
_VALUES = {"threads": "parallel", "chromosomes": "chromosomes", "top": "top", "year": "year", "zone": "zone",
           "entry_start": "entry-start", "merge_fan_in": "batch-size", "compression": "compress",
           "device_memory": "device-memory", "algorithm": "algorithm", "sort_engine": "engine"}
_LISTS = {"keys": "key", "fields": "field"}
_ORDERING = "bdfghiMnRV"


def options_of_names(arguments: Mapping[str, Any]) -> list[tuple[str, str | None]]:
    """Raises TypeError for what is not known."""
    options: list[tuple[str, str | None]] = []
    for name, value in arguments.items():
        if value is None:
            continue
        if name in _FLAGS:
            options += [(_FLAGS[name], None)] if value else []
        elif name in _VALUES:
            options.append((_VALUES[name], _text(value)))
        elif name in _LISTS:
            items = [value] if isinstance(value, str) else value
            options += [(_LISTS[name], _text(item)) for item in items]
        elif name == "header_lines" and not value:
            options += [("no-header", None)] if arguments.get("format") in ("csv", "tsv") else []
        elif name in _OTHERS:
            options += _OTHERS[name](value)
        elif name == "unpack":
            if not value:
                raise ArgumentError("invalid value False for unpack: commands of a cluster unpack what is packed; leave it "
                                    "out, or sort with sortie.sort_files()")
        else:
            raise TypeError(f"sort_files() of a cluster has no argument '{name}'")
    return options


def _text(value: Any) -> str:
    return os.fsdecode(value) if isinstance(value, (str, bytes, os.PathLike)) else str(value)


def _delimiter(value: Any) -> list[tuple[str, str | None]]:
    if _text(value) not in ("\n", "\0"):
        raise Error(f"invalid value {value!r} for delimiter: on a cluster it is a newline or NUL")
    return [("zero-terminated", None)] if _text(value) == "\0" else []


def _separator(value: Any) -> list[tuple[str, str | None]]:
    """The command takes these words for other characters, and no argument holds NUL."""
    text = _text(value)
    if text in (r"\0", r"\t") or ("\0" in text and text != "\0"):
        raise Error(f"invalid value {value!r} for separator: on a cluster it cannot be that")
    return [("field-separator", r"\0" if text == "\0" else text)]


def _missing_words(value: Any) -> list[tuple[str, str | None]]:
    if isinstance(value, bool):
        return [("na", None)] if value else []
    words = [value] if isinstance(value, str) else [_text(word) for word in value]
    if any("," in word for word in words):
        raise Error(f"invalid value {value!r} for na: on a cluster a word holds no comma")
    return [("na", ",".join(words))]


def _format(value: Any) -> list[tuple[str, str | None]]:
    return [(value, None)] if value in ("csv", "tsv", "jsonl", "bed", "vcf") else [("format", _text(value))]


def _ordering(value: str) -> list[tuple[str, str | None]]:
    if not set(value) <= set(_ORDERING):
        raise Error(f"invalid value '{value}' for ordering: known are the letters {', '.join(_ORDERING)}")
    return [(_LETTERS[letter], None) for letter in value]


def _memory(value: Any) -> list[tuple[str, str | None]]:
    """A number is one of bytes, which the command would take for KiB."""
    return [("buffer-size", f"{value}b" if _text(value).isdigit() else _text(value))]


_OTHERS: dict[str, Callable[[Any], list[tuple[str, str | None]]]] = {
    "memory": _memory,
    "ordering": _ordering,
    "format": _format,
    "delimiter": _delimiter,
    "header_lines": lambda value: [("header", str(value))],
    "na": _missing_words,
    "quote": lambda value: [("quote", _text(value))],
    "separator": _separator,
    "shuffle": lambda value: [("shuffle", value if isinstance(value, str) else None)] if value else [],
    "keep_last": lambda value: [("keep", "last")] if value else [],
    "verify": lambda value: [] if value else [("verify", "off")],
    "devices": lambda value: [("devices", value if isinstance(value, str) else ",".join(map(str, value)))],
}
