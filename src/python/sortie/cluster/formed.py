"""What the driver keeps of all shards once they are formed: totals, and how many runs each has."""

import hashlib
import itertools
import json
import os
import re
from dataclasses import dataclass, field
from typing import Any

from .. import Error
from .assumed import Assumed
from .bounds import Choice, Samples
from .job import HEADER_FILE, JobDirectory
from .json_files import remove_file
from .shards import Shard
from .totals import Totals

# As the command names them. No two have one name.
_RUN_NAME = re.compile(r"sortie-run-[0-9a-f]{16}-\d+")
# Of one shard.
_MOST_WARNINGS = 20
_CUT_FILE = re.compile(r"/cuts/(\d+)\.rows")


class ShardsLost(Error):
    """Runs that were formed are gone, as those of a machine that died are."""


class ShardsDamaged(Error):
    """Runs that were formed cannot be read, or where they are cut. They are to be formed, or cut, once more."""


@dataclass
class Formed:
    """digest: of all runs, and with_bounds of the bounds, too; what was made of others does not fit. first_runs: for
    each shard, the number of its first run among all; nodes: whose disk has its runs, None for one that all see."""

    identity: str = ""
    header: str = ""
    digest: str = ""
    with_bounds: str = ""
    divides_equal_keys: bool = True
    input: Totals = Totals()
    dropped: Totals = Totals()
    run_count: int = 0
    first_runs: list[int] = field(default_factory=list)
    nodes: list[str | None] = field(default_factory=list)
    assumed: Assumed = field(default_factory=Assumed)
    warnings: dict[str, None] = field(default_factory=dict)


def read_formed(job: JobDirectory, shards: list[Shard]) -> Formed:
    """Raises Error for shards that were formed in different orders, or have different headers."""
    formed = Formed()
    digest = hashlib.sha256()
    runs = []
    first = None
    header_form = ""
    for shard in shards:
        told = job.require(f"formed/{shard.number:06d}.json")
        form = told.get("header_form", told["header"])
        header_form = _common_header(header_form, form, shard)
        formed.header = formed.header or told["header"]
        if first is None:
            first = told
        elif told["identity"] != first["identity"]:
            raise Error(f"{first['node']} and {told['node']} order records differently ({_locale(first)} there, "
                        f"{_locale(told)} here): install the same version, C library and locales on all machines")
        formed.input = formed.input.plus(Totals.from_json(told["input"]))
        formed.dropped = formed.dropped.plus(Totals.from_json(told["dropped"]))
        formed.assumed.add(told.get("assumptions", ()))
        formed.warnings.update(dict.fromkeys(told.get("warnings", ())[:_MOST_WARNINGS]))
        formed.divides_equal_keys &= told.get("divides_equal_keys", True)
        formed.first_runs.append(formed.run_count)
        formed.run_count += len(told["runs"])
        formed.nodes.append(told["scratch_node"])
        runs.append({"scratch_node": told["scratch_node"],
                     "runs": [[run["path"], run["file_bytes"]] for run in told["runs"]]})
        digest.update(json.dumps([told["identity"], told["runs"]]).encode())
    formed.assumed.add((job.read(HEADER_FILE) or {}).get("assumptions", ()))
    formed.identity = first["identity"] if first else ""
    formed.digest = digest.hexdigest()
    job.write("runs.json", {"shards": runs})
    return formed


def _common_header(known: str, header: str, shard: Shard) -> str:
    """Of headers without what does not count when they are compared."""
    if known and header and known != header:
        raise Error(f"'{shard.path}' has another header than the inputs before it: leave inputs alone "
                    "during a sort")
    return known or header


def _locale(told: dict[str, str]) -> str:
    return told["locale"] or "bytes"


def write_bounds(job: JobDirectory, shards: list[Shard], formed: Formed, parts: int) -> int:
    """Chooses bounds of the key space, and returns how many parts there are. Those that were chosen for the same runs
    stay."""
    known = job.read("ranges.json")
    kept = job.read("bounds.json")
    if known is not None and known["formed"] == formed.digest and kept is not None:
        formed.with_bounds = _digest_with(formed, kept["bounds"])
        return int(known["parts"])
    samples = Samples()
    for shard in shards:
        told = _samples(job, shard.number)
        samples.add_shard(shard.number, formed.first_runs[shard.number], told["bytes_of_runs"], told["samples"])
    choices = samples.choose(parts, formed.divides_equal_keys)
    records: dict[Choice, str] = {}
    for number, of_shard in itertools.groupby(sorted(choices), lambda choice: choice.shard):
        told = _samples(job, number)
        records.update((choice, told["samples"][choice.sample]["record"]) for choice in of_shard)
    bounds = [{"record": records[choice], "run": choice.run, "block": choice.block, "block_bytes": choice.block_bytes}
              for choice in choices]
    formed.with_bounds = _digest_with(formed, bounds)
    job.write("bounds.json", {"bounds": bounds, "header": formed.header})
    job.write("ranges.json", {"formed": formed.digest, "parts": len(choices) + 1})
    return len(choices) + 1


def _digest_with(formed: Formed, bounds: list[dict[str, Any]]) -> str:
    return hashlib.sha256(json.dumps([formed.digest, bounds]).encode()).hexdigest()


def _samples(job: JobDirectory, shard: int) -> Any:
    """Without them the shard counts as not formed: its runs tell them again."""
    told = job.read(f"formed/{shard:06d}.samples")
    if told is None:
        remove_file(job.item("formed", shard, ".json"))
        raise ShardsLost(f"the samples of shard {shard} are not what was written")
    return told


def shards_named(job: JobDirectory, error: str) -> set[int]:
    """The shards whose runs are named by what a command said as it failed."""
    names = set(_RUN_NAME.findall(error))
    if not names:
        return set()
    return {shard for shard, formed in enumerate(job.require("runs.json")["shards"])
            if any(os.path.basename(path) in names for path, _ in formed["runs"])}


def forget_damaged_cuts(job: JobDirectory, error: str) -> set[int]:
    """The shards whose files of cuts are named by what a merge said as it failed. They are to be cut again."""
    found = {int(number) for number in _CUT_FILE.findall(error)}
    for number in found:
        remove_file(job.item("cuts", number, ".json"))
    return found
