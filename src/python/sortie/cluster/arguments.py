"""The words of a command line: what is for the cluster, what is passed on to the sort, and which files are meant."""

import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from .. import Error
from .._arguments import CATALOGUE, size_of
from .._table_options import ON_CLUSTER, options_of
from .job import absolute_path

# What the sort's options are called in full, and whether they take a value: "" no, "=" yes, "?" after "=" alone.
SORT_OPTIONS = {option["long_name"]: option["takes"] for option in CATALOGUE
                if option["long_name"] and not option["not_on_clusters"]}
# Why others have no meaning for a job of many commands.
_REFUSED = {option["long_name"]: option["not_on_clusters"] for option in CATALOGUE
            if option["long_name"] and option["not_on_clusters"]}
# Two that ask for a check have no other name.
LETTERS = {option["short_name"]: option["long_name"] or "check" for option in CATALOGUE if option["short_name"]}
# Options that drop records: how many there will be is not known before they are merged.
_DROPPING = {option["long_name"] for option in CATALOGUE if option["drops_records"]}
# Sets that are told apart by what each key's records have in which input.
_COMPARING = {"intersect", "except", "symmetric"}
_SETS = {*_COMPARING, "union"}
_NUMBERS = re.compile(r"[uif](32|64)")
# Options that choose among records with equal keys of a sample.
_CHOOSING = {"unique", "count", "repeated", "only-once"}
# Options that cut the output into files; the last one orders records, too.
# Files of one value are numbered from value to value if there may be several, so that one command cuts all ranges then. So
# does the one that lists all files.
_NUMBERING = {"group", "split-size", "split-records", "manifest"}
_CUTS, _CUTS_BY_KEY = ("split", "split-size", "split-records", "together"), "split-by"
# No option of the command, which reads a file: the bytes of a seed in hexadecimal digits.
SEED = "random-seed"
_ENGINES_OF_SORTS = next(option["values"].split() for option in CATALOGUE if option["long_name"] == "engine")
_LOCALE = ("LC_ALL", "LC_COLLATE", "LC_CTYPE", "LC_NUMERIC", "LC_TIME", "LC_MESSAGES", "LANG")

# Options that may be given several times, and what is then between their values: no argument holds it.
_OFTEN, BETWEEN = {option.flag[2:] for option in options_of(ON_CLUSTER) if option.is_repeated}, "\0"


class Arguments(NamedTuple):
    """own: options of the cluster by their names. sort: those of the sort, in full and in turn, with their values."""

    own: dict[str, str]
    sort: list[tuple[str, str | None]]
    inputs: list[str]


def parse_words(words: Iterable[str], own_options: Mapping[str, str]) -> Arguments:
    """own_options: names, and whether they take a value, as above. Options and files may be mixed; -- ends options."""
    known = {**SORT_OPTIONS, **dict.fromkeys(_REFUSED, "?"), **own_options}
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
        before = [found.own[name]] if name in _OFTEN and name in found.own else []
        found.own[name] = BETWEEN.join([*before, value or ""])
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
        name = LETTERS.get(letter)
        if name is None:
            raise Error(f"invalid option -- '{letter}'; try 'sortie-cluster --help'")
        if SORT_OPTIONS.get(name) == "=":
            yield name, letters or _value_of(f"-{letter}", rest)
            return
        yield name, None


def _value_of(option: str, rest: Iterator[str]) -> str:
    value = next(rest, None)
    if value is None:
        raise Error(f"option '{option}' requires an argument")
    return value


class Comparison(NamedTuple):
    """What can be compared. counts_records: the output has a count in front of every record, so that only their numbers
    compare. top: merges end with so many records, and do not say what they leave. groups: are written, not records.
    joins: the output has rows of a join, and what merges read is compared."""

    with_checksums: bool = True
    counts_records: bool = False
    top: int | None = None
    groups: bool = False
    joins: bool = False


class Sample(NamedTuple):
    """What is drawn of all inputs. needs_seed: none is given. is_sorted: by a third sort (see samples.py), whose shards
    make the same checksums as those that drew, if has_checksums."""

    records: int
    needs_seed: bool
    is_sorted: bool
    has_checksums: bool


class SortOptions(NamedTuple):
    """words: for every command, but for memory and threads. memory_bytes, threads: of one command, if they were
    given. needs_seed: random keys, or a shuffle. in_order: of the input, by a second sort. compares_inputs: as sets, so
    that shards must tell them apart. cuts: options that say where files of the output end; cuts_by_key: where a key
    does, which then orders first: each range can be cut by itself, unless records became groups. sample: None for all
    records.
    goes_by_places: whether the exact places of records decide. manifest: lists the files, beside them. seed: of the
    job, if one is given."""

    words: list[str]
    memory_bytes: int | None
    threads: int | None
    whole_files: bool
    keeps_few: bool
    sizes_are_known: bool
    needs_seed: bool
    comparison: Comparison
    in_order: bool = False
    compares_inputs: bool = False
    cuts: tuple[str, ...] = ()
    cuts_by_key: bool = False
    sample: Sample | None = None
    goes_by_places: bool = False
    manifest: str | None = None
    seed: str | None = None

    @property
    def later_sorts(self) -> int:
        """How many follow the first one: by places, of a sample, and by places once more."""
        if self.sample is None:
            return int(self.in_order)
        return 1 + (1 + int(self.in_order) if self.sample.is_sorted else 0)

    @property
    def asks_for_gpu(self) -> bool:
        engines = [word for word in self.words if word.startswith("--engine=")]
        return engines[-1:] == ["--engine=gpu"]


def words_of(options: Iterable[tuple[str, str | None]]) -> list[str]:
    """As the command takes them."""
    return [f"--{name}" if value is None else f"--{name}={value}" for name, value in options]


def is_join(options: Iterable[tuple[str, str | None]]) -> bool:
    return any(name == "join" for name, _ in options)


def with_sets_counted(options: list[tuple[str, str | None]], inputs: int) -> list[tuple[str, str | None]]:
    """Each command has some of the inputs, and must know of how many sets those are."""
    is_counted = inputs > 1 and any(name in _SETS for name, _ in options)
    return [*options, ("set-inputs", str(inputs))] if is_counted else options


def without(words: Iterable[str], *names: str) -> tuple[str, ...]:
    """Words of options in full without those of these names."""
    return tuple(word for word in words if word[2:].partition("=")[0] not in names)


def read_cuts(options: Collection[tuple[str, str | None]]) -> list[str]:
    """The words of options that say where files of the output end."""
    return words_of(option for option in options if option[0] in (*_CUTS, _CUTS_BY_KEY))


def refuse_passing_source(path: str) -> None:
    """Commands are started elsewhere, and each reads it."""
    if os.path.exists(path) and not os.path.isfile(path):
        raise Error(f"--random-source: '{path}' is no regular file, and gives each command other bytes: name a file, "
                    "or leave it out")


def read_sort_options(options: Collection[tuple[str, str | None]]) -> SortOptions:
    words = []
    memory, threads = None, None
    manifest = seed = None
    names = set[str]()
    for name, value in options:
        names.add(name)
        if name == "buffer-size":
            memory = max(memory or 0, parse_memory(value or "", "--buffer-size"))
        elif name == "parallel":
            threads = _count(value or "", "--parallel")
        elif name == "random-source":
            refuse_passing_source(value or "")
            words.append(f"--random-source={absolute_path(value or '')}")
        elif name == "chromosomes" and value is not None and not value.isalpha():
            words.append(f"--chromosomes={absolute_path(value)}")
        elif name == SEED:
            seed = value
        elif name == "manifest":
            manifest = absolute_path(value or "")
        elif name == "reference":
            words.append(f"--reference={absolute_path(value or '')}")
        elif name not in _CUTS:
            words += words_of([(name, value)])
    if manifest is not None and not read_cuts(options):
        raise Error("--manifest lists the files that --split and its like make, and parts of ranges have a manifest.json "
                    "beside them: leave it out")
    last = dict(options)
    top = last.get("top") or ""
    is_in_order = last.get("order") == "input"
    formats = [value for name, value in options if name == "format"]
    shuffles = "random-sort" in names or any(
        (name == "key" and ("R" in (value or "") or ":hash" in (value or ""))) or (name == "sort" and (value or "").startswith("r"))
        or (name == "shuffle" and value is None) for name, value in options)
    has_source = "random-source" in names
    sample = _sample(last, names)
    return SortOptions(words, memory, threads,
                       whole_files="entry-start" in names or _has_quotes(last) or formats[-1:] == ["prefixed"],
                       keeps_few="top" in names,
                       sizes_are_known="top" not in names if is_in_order else not names & {*_DROPPING, "join"},
                       needs_seed=shuffles and not has_source,
                       comparison=Comparison(last.get("verify") != "off", "count" in names,
                                             int(top) if top.isdigit() else None, "group" in names, "join" in names),
                       in_order=is_in_order, compares_inputs=bool(names & _COMPARING), cuts=tuple(read_cuts(options)),
                       cuts_by_key=_CUTS_BY_KEY in names and _NUMBERING.isdisjoint(names), manifest=manifest, seed=seed, sample=sample,
                       goes_by_places=bool(last.get("shuffle")) or ("shuffle" in names and (has_source or seed is not None))
                       or (sample is not None and not sample.needs_seed))


def _sample(last: Mapping[str, str | None], names: set[str]) -> Sample | None:
    count, comma, _ = (last.get("sample") or "").partition(",")
    if not count.isdigit():
        return None
    is_in_order = last.get("order") == "input"
    # Where the first records are all that is wanted, shards make no checksums. Numbers are sorted in another form.
    return Sample(int(count), needs_seed=not comma and "random-source" not in names,
                  is_sorted=not is_in_order or not names.isdisjoint(_CHOOSING),
                  has_checksums=(is_in_order or "top" not in names)
                  and not _NUMBERS.fullmatch(last.get("format") or ""))


def _has_quotes(last: Mapping[str, str | None]) -> bool:
    """Whether records begin where only all that is in front of them tells."""
    return ("csv" in last or "tsv" in last) and last.get("quote", "csv" if "csv" in last else "none") != "none"


def _count(text: str, option: str) -> int:
    if not re.fullmatch(r"[0-9]{1,9}", text) or int(text) == 0:
        raise Error(f"invalid value '{text}' for {option}: give 1 or more")
    return int(text)


def parse_memory(text: str, option: str) -> int:
    """As the command reads it: without a unit in KiB, with a "b" in bytes."""
    if text.isdigit():
        return 1024 * parse_size(text, option)
    return parse_size(text, option)


def parse_size(text: str, option: str) -> int:
    """Bytes of "50G", "50GiB" (powers of 1024) or "50GB" (of 1000)."""
    return size_of(text, option)


def own_count(own: Mapping[str, str], name: str, default: int | None = None) -> int | None:
    return _count(own[name], f"--{name}") if name in own else default


def own_size(own: Mapping[str, str], name: str) -> int | None:
    return parse_size(own[name], f"--{name}") if name in own else None


def parse_scratch(text: str) -> str:
    """The folder of "node:DIR"."""
    kind, colon, folder = text.partition(":")
    if kind != "node" or not colon or not os.path.isabs(folder):
        raise Error(f"invalid value '{text}' for --scratch: give node:DIR, a folder that is there on every node, such "
                    "as node:/nvme")
    return folder


def locale_of_environment() -> dict[str, str | None]:
    """For commands on machines whose environment is another. None: not set."""
    return {name: os.environ.get(name) for name in _LOCALE}
