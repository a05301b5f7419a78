"""The kinds of work that tools/bench/end_to_end and scaling time, and who takes part in each."""
import dataclasses

from . import programs
from .machine import Trouble


@dataclasses.dataclass(frozen=True)
class Case:
    name: str
    what: str
    kind: str  # kind of data: "ascii", "binary", "u64" or "log"
    keys: tuple = ()  # options of sort
    host_limit: bool = False
    device_limit: bool = False
    spills_to_disk: bool = False  # spilled data goes to disk instead of beside the data
    needs_gpu: bool = False

    @property
    def format(self):
        return {"ascii": "lines", "binary": "gensort", "u64": "u64", "log": "lines"}[self.kind]

    @property
    def record_bytes(self):
        return {"u64": 8, "log": 147}.get(self.kind, 100)  # of a log on average

    def contenders(self, tools, options, scratch):
        """Programs that can do this work. DuckDB gets twice the memory: with as much as the others it fails."""
        memory = options.limit if self.host_limit else None
        device_memory = options.limit if self.device_limit else None
        engines = ["gpu"] if self.needs_gpu else options.engines
        found = [programs.Sortie(tools, self, options, scratch, engine, memory, device_memory) for engine in engines]
        if not options.wall:
            found.append(programs.Copy())
        if self.format == "lines":
            found.append(programs.GnuSort(self, options, scratch, memory))
        if self.kind == "ascii" and tools.duckdb:
            found.append(programs.DuckDb(tools.duckdb, options, scratch, memory and 2 * memory))
        return found


LOG_KEYS = ("-k9,9n", "-k10,10nr")

CASES = (
    Case("lines", "ASCII gensort as lines, in memory", "ascii"),
    Case("lines-spilled", "ASCII gensort as lines, memory limited", "ascii", host_limit=True),
    Case("binary", "binary gensort, in memory", "binary"),
    Case("binary-device-limit", "binary gensort, device memory limited, runs in host memory", "binary",
         device_limit=True, needs_gpu=True),
    Case("binary-both-limits", "binary gensort, device and host memory limited, runs on disk", "binary",
         host_limit=True, device_limit=True, spills_to_disk=True, needs_gpu=True),
    Case("binary-spilled", "binary gensort, memory limited", "binary", host_limit=True),
    Case("u64", "u64 numbers, in memory", "u64"),
    Case("u64-spilled", "u64 numbers, memory limited", "u64", host_limit=True),
    Case("log", "a log by two keys, in memory", "log", keys=LOG_KEYS),
    Case("log-spilled", "a log by two keys, memory limited", "log", keys=LOG_KEYS, host_limit=True),
)


def choose(names):
    if names == "all":
        return CASES
    known = {case.name: case for case in CASES}
    for name in names.split(","):
        if name not in known:
            raise Trouble(f"unknown case '{name}'; known: {', '.join(known)}")
    return [known[name] for name in names.split(",")]
