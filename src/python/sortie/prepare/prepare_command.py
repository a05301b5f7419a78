"""The command sortie-prepare, which is also `sortie prepare`: training data from raw files to shards."""

from __future__ import annotations

import argparse
import glob
import os
import sys
from typing import Any, NoReturn

from .. import Error, __version__
from .._commands import CommandHelp, OptionGroup, options_of, run_command
from .cluster_steps import job_of, refuse_on_cluster
from .plan import Source, Step, Wishes, format_of, plan, preparation, read_weight
from .runs import run

HELP = CommandHelp(
    name="sortie-prepare",
    purpose="make shards of training data from raw files",
    forms=("-o FOLDER [OPTION]... FILE...", "-o FOLDER --source=WEIGHT:FILE... [OPTION]..."),
    description="Drops duplicates, sends each record to its split by a hash of a key, shuffles all records, and writes "
    "shards with a manifest. Each step is a sort, so that the data may be larger than memory. FOLDER gets the shards, "
    "manifest.json, and prepare.json, which says what was asked for and which steps are done: after a kill the same "
    "command goes on behind the last step that was done. The same seed and inputs give the same shards.",
    exit_status="0 if all is done, 2 after an error, which leaves the steps that were done, or nothing if there are none.",
    environment="TMPDIR: where to keep what does not fit in memory, without -T.",
    files="FOLDER/.work holds what steps pass on, up to the size of the inputs, and is removed at the end.",
    examples=(("sortie-prepare -o data --unique-by=.text:normal --split-by=.id --shares=train=0.98,valid=0.01,test=0.01 "
               "--seed=1 raw/*.jsonl.zst", "data/train-00000.jsonl and so on, of texts that differ in more than case, white "
               "space and punctuation"),
              ("sortie-prepare -o data --seed=1 --source=2:books.jsonl --source='0.3:web/*.jsonl' --weight=.n_tokens "
               "--shard-weight=100000000", "each book twice and 30 of 100 pages, in shards of 100 million tokens"),
              ("sortie-prepare -o /shared/data --job=/shared/night --engine=ray --unique-by=.text /shared/raw/*.jsonl",
               "the steps as jobs of a cluster of Ray"),
              ("sortie-prepare -o data --plan --unique-by=.text raw/*.jsonl", "shows the steps as commands")),
    references=("sortie", "sortie-cluster"),
)


# Options of a cluster, which are arguments of its functions.
_OF_CLUSTERS = ("engine", "address", "workers", "shard", "ranges", "command")


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise Error(f"{message}; try 'sortie-prepare --help'")


def _parser() -> _Parser:
    parser = _Parser(prog=HELP.name, description=HELP.introduction, epilog=HELP.epilog, allow_abbrev=False,
                     formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("inputs", nargs="*", metavar="FILE", help="inputs, packed or not; a pattern means the files that it matches, in "
        "the order of their names")
    add("-o", "--output", required=True, metavar="FOLDER", help="new, empty, or one that this command has begun")
    add("--source", action="append", default=[], metavar="WEIGHT:FILE", help="a file or pattern with its weight: 2 for "
        "each record twice, 0.3 for a sample of so many; with --unique-by, what is in several sources belongs to the one "
        "that is named first")
    add("--format", choices=("jsonl", "lines", "csv", "tsv"), help="default: what the names of the files say")
    add("--unique-by", metavar="KEY", help="of records with this key keep one: a value as .text, with :normal behind it "
        "in its normal form; a hash of 128 bits stands for it")
    add("--whole-keys", action="store_true", help="compare the whole text of keys, not hashes; takes more memory and "
        "scratch space")
    add("--keep", default="first", metavar="first|last|max:KEY|min:KEY", help="which of equal records (default: first)")
    add("--dropped", action="store_true", help="list in FOLDER/dropped.tsv what was dropped, and for which record; of "
        "sources with weights what each has twice")
    add("--split-by", metavar="KEY", help="the key whose hash tells which split a record goes to, with --shares")
    add("--shares", metavar="NAME=SHARE,...", help="the splits: train=0.98,valid=0.01,test=0.01")
    add("--seed", default="sortie", help="any text; the same gives the same order again (default: sortie)")
    add("--in-order", action="store_true", help="do not shuffle: records stay in the order of the inputs")
    add("--shard-size", metavar="SIZE", help="shards of at most SIZE before they are packed (default: 1G, unless another "
        "limit is given)")
    add("--shard-records", type=int, metavar="N", help="shards of N records")
    add("--shard-weight", type=int, metavar="N", help="shards whose weights add up to at most N")
    add("--weight", metavar="COL", help="where a record has its weight, such as .n_tokens; the manifest has the sums")
    add("--pack", choices=("zst", "gz", "none"), default="none", help="how shards are packed (default: none)")
    add("-S", "--memory", metavar="SIZE", help="upper bound on memory for data")
    add("-T", "--scratch", action="append", metavar="DIR", help="where to keep what does not fit in memory")
    add("--threads", type=int, metavar="N", help="how many (default: all)")
    add("--strict", action="store_true", help="refuse to assume anything: what would be a warning, as of records that lack "
        "a key, ends the step, and nothing of it is left")
    on_cluster = parser.add_argument_group("on a cluster (sortie-cluster has the same options)")
    add_own = on_cluster.add_argument
    add_own("--job", metavar="DIR", help="have each step done by a job of a cluster, whose state and runs lie in DIR, on a "
            "disk that every machine sees, as FOLDER and inputs must; -S and --threads are of each command then")
    add_own("--engine", choices=("local", "ray", "slurm"), help="what runs the commands (default: local, processes on "
            "this machine)")
    add_own("--address", metavar="ADDRESS", help="of Ray")
    add_own("--workers", type=int, metavar="N", help="commands that run at once")
    add_own("--shard", metavar="SIZE", help="what one command forms runs of")
    add_own("--ranges", type=int, metavar="N", help="ranges that are merged")
    add_own("--command", metavar="FILE", help="the command sortie on all machines")
    add("--plan", action="store_true", help="print the steps as commands, and do nothing")
    add("--progress", action="store_true", help="draw a bar")
    add("--stats", action="store_true", help="say on standard error which step is done, and how many records it has")
    add("--version", action="version", version=f"sortie-prepare {__version__}")
    return parser


def option_groups() -> tuple[OptionGroup, ...]:
    """For the manual page."""
    return (OptionGroup("", tuple(options_of(_parser()))),)


def _files(word: str) -> tuple[str, ...]:
    if word == "-":
        raise Error("standard input comes once, and steps read their inputs again: name files")
    if os.path.exists(word) or not glob.has_magic(word):
        return (word,)
    found = tuple(sorted(glob.glob(word)))
    if not found:
        raise Error(f"no file matches '{word}'")
    return found


def _source(word: str) -> Source:
    weight, colon, files = word.partition(":")
    if not colon or not files:
        raise Error(f"invalid source '{word}': write WEIGHT:FILE, such as 0.3:web.jsonl")
    return Source(_files(files), read_weight(weight))


def _wishes(given: argparse.Namespace) -> Wishes:
    sources = [Source(tuple(path for word in given.inputs for path in _files(word)))] if given.inputs else []
    sources += map(_source, given.source)
    if not sources:
        raise Error("there is nothing to prepare: name files, or sources with weights")
    limits = {"split_size": given.shard_size, "split_records": given.shard_records, "split_weight": given.shard_weight}
    shards: dict[str, Any] = {name: value for name, value in limits.items() if value is not None}
    if len(shards) > 1:
        raise Error("--shard-size, --shard-records and --shard-weight are incompatible: give one of them")
    if given.shard_weight is not None and not given.weight:
        raise Error("--shard-weight needs --weight: where a record has its weight")
    own = {name: getattr(given, name) for name in _OF_CLUSTERS if getattr(given, name) is not None}
    if own and not given.job:
        raise Error(f"--{next(iter(own))} is for a cluster: name the directory of its jobs with --job")
    used = {"memory": given.memory, "scratch": given.scratch, "threads": given.threads, "strict": given.strict or None}
    paths = [path for source in sources for path in source.files]
    return Wishes(os.path.normpath(given.output), tuple(sources), given.format or format_of(paths), given.seed,
                  given.unique_by, given.keep, given.whole_keys, given.dropped, given.split_by, given.shares,
                  given.in_order, given.weight, "" if given.pack == "none" else f".{given.pack}",
                  shards or {"split_size": "1G"}, {name: value for name, value in used.items() if value is not None},
                  {"job": os.path.abspath(given.job), **own} if given.job else {})


def _job_of_step(wishes: Wishes, step: Step) -> dict[str, Any] | None:
    return {**wishes.cluster, "job": job_of(wishes, step)} if wishes.cluster else None


def _run(arguments: list[str]) -> None:
    given = _parser().parse_args(arguments)
    wishes = _wishes(given)
    steps = plan(wishes)
    if wishes.cluster:
        refuse_on_cluster(steps)
    if given.plan:
        print(f"folder: {preparation(wishes, steps)}")
        for step in steps:
            print(f"{step.name}: {step.command(_job_of_step(wishes, step))}")
        return
    run(wishes, steps, _say if given.stats else _say_nothing, _warn, given.progress)


def _say(text: str) -> None:
    print(f"sortie-prepare: {text}", file=sys.stderr, flush=True)


def _say_nothing(text: str) -> None:
    pass


def _warn(message: str) -> None:
    print(f"sortie-prepare: warning: {message}", file=sys.stderr)


def main() -> None:
    run_command("sortie-prepare", _run)


if __name__ == "__main__":
    main()
