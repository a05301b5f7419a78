"""Which sorts make shards of raw files: pure. Each step is a call of sort_files(), and can be had as a command."""

from __future__ import annotations

import hashlib
import os
import shlex
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from typing import Any, NamedTuple

from .. import Error
from .._arguments import size_of

# Files of steps, and what is left when all is done.
WORK, STATE, MANIFEST, DROPPED = ".work", "prepare.json", "manifest.json", "dropped.tsv"
_SUFFIXES = {"jsonl": ".jsonl", "csv": ".csv", "tsv": ".tsv", "lines": ".txt"}
_FORMATS = {".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "jsonl", ".csv": "csv", ".tsv": "tsv"}
_PACKED = (".gz", ".zst", ".bz2", ".xz", ".lz4", ".bgz")
# Files whose records are no lines: what they are called like, and what makes shards of them.
_ONE_SORT = "one sort makes shards of it, sortie --shuffle=SEED --split-records=N"
_NO_LINES = {**dict.fromkeys((".tar", ".tgz"), ("an archive of samples", _ONE_SORT)),
             **dict.fromkeys((".npy", ".bin", ".idx"), ("a file of tokens", _ONE_SORT)),
             **dict.fromkeys((".parquet", ".arrow", ".feather"), (
                 "a table", "turn it into JSON Lines first, sortie-parquet -k COLUMN -o FILE.jsonl"))}


class Source(NamedTuple):
    """Files that are weighted together: weight 2 is each record twice, 0.3 a sample of so many of them."""

    files: tuple[str, ...]
    weight: Decimal = Decimal(1)


class Wishes(NamedTuple):
    """What the command is asked for. shards: arguments of sort_files() that say how large shards are. resources: the same
    for what a step may use. cluster: arguments of cluster.sort_files() that are its own, with the directory of all jobs;
    empty for one machine."""

    folder: str
    sources: tuple[Source, ...]
    format: str
    seed: str
    unique_by: str | None = None
    keep: str = "first"
    whole_keys: bool = False
    dropped: bool = False
    split_by: str | None = None
    shares: str | None = None
    in_order: bool = False
    weight: str | None = None
    pack: str = ""
    shards: Mapping[str, Any] = {}
    resources: Mapping[str, Any] = {}
    cluster: Mapping[str, Any] = {}


class Step(NamedTuple):
    """output: a path, or the pattern of shards. records_of: the step whose records tell the size of a sample, of which
    `fraction` is drawn; None: no sample. counts: how many records the inputs have is all that is wanted. arguments: of
    sort_files() beside inputs and output."""

    name: str
    inputs: tuple[str, ...]
    output: str
    arguments: Mapping[str, Any]
    records_of: str | None = None
    fraction: Decimal = Decimal(0)
    counts: bool = False

    def command(self, cluster: Mapping[str, Any] | None = None) -> str:
        """The step as a shell has it. cluster: its own arguments for a job of this step. Where a sample's size is known
        only then, it is called N."""
        words = ["sortie"]
        if cluster:
            words = ["sortie-cluster", "sort", *(word for name, value in cluster.items() for word in _words(name, value))]
        if self.records_of or self.counts:
            words.append(f"--sample={'1' if self.counts else 'N'},{self.arguments['sample_seed']}")
        words += [word for name, value in self.arguments.items() for word in _words(name, value)]
        command = shlex.join([*words, "-o", self.output, *self.inputs])
        return f"{command}  # N: {self.fraction} of the records of {self.records_of}" if self.records_of else command


# Arguments of sort_files() whose options are called otherwise, and those that are several options.
_SIZES = ("memory", "split_size")
_OPTIONS = {"memory": "buffer-size", "scratch": "temporary-directory", "threads": "parallel", "keep_best": "keep"}


def _words(name: str, value: Any) -> list[str]:
    if name in ("sample", "sample_seed"):
        return []
    if name == "format":
        return [] if value == "lines" else [f"--{value}"]
    if name == "set_operation":
        return [f"--{value}"]
    if name == "keep_last":
        return ["--keep=last"]
    if name == "random_seed":
        return [f"--random-source={_seed_file(value)}"]
    if name == "keys":
        return [f"--key={key}" for key in value]
    option = "--" + _OPTIONS.get(name, name.replace("_", "-"))
    if name in _SIZES:
        value = f"{size_of(value, name)}b"
    return [option] if value is True else [f"{option}={value}"]


def _seed_file(seed: bytes) -> str:
    return f"{seed.hex()}.seed"


def preparation(wishes: Wishes, steps: list[Step]) -> str:
    """What a shell needs to do in front of the commands of the steps: the folder, and the file of a seed."""
    seeds = {step.arguments["random_seed"] for step in steps if "random_seed" in step.arguments}
    bytes_of = ("".join(f"\\{byte:03o}" for byte in seed) for seed in seeds)
    commands = [f"mkdir -p {shlex.quote(os.path.join(wishes.folder, WORK))}",
                *(f"printf '{text}' >{_seed_file(seed)}" for seed, text in zip(seeds, bytes_of))]
    return " && ".join(commands)


def format_of(paths: list[str]) -> str:
    """What the names of files say of their format; all must say the same."""
    found = {_format_of_name(path) for path in paths}
    if len(found) > 1:
        raise Error(f"the inputs are of several formats, {', '.join(sorted(found))}: say with --format which it is")
    return found.pop()


def _format_of_name(path: str) -> str:
    name = path
    while name.endswith(_PACKED):
        name = name.rpartition(".")[0]
    suffix = os.path.splitext(name)[1].lower()
    if suffix in _NO_LINES:
        what, remedy = _NO_LINES[suffix]
        raise Error(f"'{path}' is called like {what}: {remedy}; if it has lines, say so with --format=lines")
    return _FORMATS.get(suffix, "lines")


def read_weight(word: str) -> Decimal:
    try:
        weight = Decimal(word)
    except InvalidOperation:
        weight = Decimal(-1)
    if not weight.is_finite() or weight <= 0 or weight > 1000:
        raise Error(f"invalid weight '{word}': give a number from 0 to 1000, such as 0.3 or 2")
    return weight


def seed_bytes(seed: str) -> bytes:
    """For keys: sort_files() takes the seed of a shuffle as it is."""
    return hashlib.sha256(seed.encode()).digest()[:16]


def plan(wishes: Wishes) -> list[Step]:
    """The steps, of which each may read what those in front of it have written. The last one writes shards."""
    _refuse_contradictions(wishes)
    if any(source.weight != 1 for source in wishes.sources):
        return _mixture(wishes)
    inputs = tuple(path for source in wishes.sources for path in source.files)
    if not wishes.unique_by:
        return [_shards(wishes, inputs, _order(wishes))]
    if not wishes.in_order and wishes.split_by in (None, wishes.unique_by):
        return [_shards(wishes, inputs, _distinct(wishes))]
    if wishes.in_order and not wishes.split_by:
        return [_shards(wishes, inputs, {**_distinct(wishes), "order": "input"})]
    order = {"order": "input"} if wishes.in_order else {}
    distinct = Step("distinct", inputs, _work(wishes, "distinct"),
                    {"format": wishes.format, **_distinct(wishes), **order, **_told_of(wishes, ""), **wishes.resources})
    return [distinct, _shards(wishes, (distinct.output,), _order(wishes), tells=False)]


def _mixture(wishes: Wishes) -> list[Step]:
    """Duplicates are looked for in each source, then what a source named before has is left out. A weight beyond a whole
    number is a sample more."""
    steps, inputs, before = list[Step](), list[str](), list[str]()
    for number, source in enumerate(wishes.sources):
        files = source.files
        fraction = source.weight % 1
        sample = {"format": wishes.format, "order": "input", "sample_seed": f"{wishes.seed} {number}",
                  **_some_key(wishes), **wishes.resources}
        name, output = f"source-{number}", _work(wishes, f"source-{number}")
        if wishes.unique_by:
            how = {**_distinct(wishes), **_told_of(wishes, f"-{number}")}
            steps.append(Step(name, files, output, {"format": wishes.format, **how, **wishes.resources}))
            if before:
                steps.append(_in_no_other(wishes, number, output, before))
            before.append(output)
            name, files = steps[-1].name, (steps[-1].output,)
        elif fraction:
            steps.append(Step(name, files, output, {"sample": 1, **sample}, counts=True))
        inputs += files * int(source.weight)
        if fraction:
            drawn = Step(f"sample-{number}", files, _work(wishes, f"sample-{number}"), sample, name, fraction)
            steps.append(drawn)
            inputs.append(drawn.output)
    return [*steps, _shards(wishes, tuple(inputs), _order(wishes), tells=False)]


def _in_no_other(wishes: Wishes, number: int, source: str, others: list[str]) -> Step:
    name, told = f"own-{number}", _distinct(wishes)
    return Step(name, (source, *others), _work(wishes, name),
                {"format": wishes.format, "set_operation": "except", "keys": told["keys"],
                 "random_seed": told["random_seed"], **wishes.resources})


def _refuse_contradictions(wishes: Wishes) -> None:
    if wishes.in_order and any(source.weight != 1 for source in wishes.sources):
        raise Error("sources with weights are mixed, so that no order of the input is left: leave --in-order out")
    if bool(wishes.split_by) != bool(wishes.shares):
        raise Error("--split-by and --shares go together: the key that is hashed, and which part goes where")
    if not wishes.unique_by and (wishes.keep != "first" or wishes.dropped or wishes.whole_keys):
        raise Error("--keep, --dropped and --whole-keys are for duplicates: say with --unique-by which these are")


def _work(wishes: Wishes, name: str) -> str:
    return os.path.join(wishes.folder, WORK, name + _SUFFIXES[wishes.format])


def _distinct(wishes: Wishes) -> dict[str, Any]:
    """The order of hashes with a seed is a random one. As keys these take 16 bytes beside each record. Whole keys stand
    behind them."""
    kept: dict[str, Any] = {}
    if wishes.keep == "last":
        kept = {"keep_last": True}
    elif wishes.keep != "first":
        kept = {"keep_best": wishes.keep}
    ends = (":hash", "") if wishes.whole_keys else (":hash",)
    keys = [f"{wishes.unique_by}{end}" for end in ends]
    return {"unique": True, "keys": keys, "random_seed": seed_bytes(wishes.seed), **kept}


def _told_of(wishes: Wishes, mark: str) -> dict[str, Any]:
    path = os.path.join(wishes.folder, DROPPED.replace(".", f"{mark}.", 1))
    return {"dropped": path} if wishes.dropped else {}


def _order(wishes: Wishes) -> dict[str, Any]:
    if not wishes.in_order:
        return {"shuffle": wishes.seed}
    if wishes.split_by:
        return {}
    raise Error("files that are only cut up need no preparation: give --unique-by or --split-by, or leave --in-order "
                "out")


def _some_key(wishes: Wishes) -> dict[str, Any]:
    """JSON Lines always have a key."""
    return {"keys": ["."]} if wishes.format == "jsonl" else {}


def _shards(wishes: Wishes, inputs: tuple[str, ...], order: Mapping[str, Any], tells: bool = True) -> Step:
    name = "{}-{:05d}" if wishes.split_by else "part-{:05d}"
    output = os.path.join(wishes.folder, name + _SUFFIXES[wishes.format] + wishes.pack)
    split = {"split_by": wishes.split_by, "shares": wishes.shares} if wishes.split_by else {}
    weight = {"weight": wishes.weight} if wishes.weight else {}
    told = _told_of(wishes, "") if tells and wishes.unique_by else {}
    return Step("shards", inputs, output,
                {"format": wishes.format, **order, **split, **wishes.shards, **weight,
                 "manifest": os.path.join(wishes.folder, MANIFEST), **told, **wishes.resources})
