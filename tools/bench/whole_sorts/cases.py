"""The kinds of work that tools/bench/end_to_end and scaling time, and who takes part in each."""
import dataclasses

from . import programs, ways_in
from .machine import Trouble


@dataclasses.dataclass(frozen=True)
class Kind:
    """A kind of data."""
    options: tuple  # of sortie-gen
    format: str = "lines"
    record_bytes: int = 100  # on average


KINDS = {
    "ascii": Kind(("--ascii",)),
    "binary": Kind((), "gensort"),
    "u64": Kind(("--kind=u64",), "u64", 8),
    "log": Kind(("--kind=log",), record_bytes=147),
    "short": Kind(("--kind=letters", "--line-bytes=8"), record_bytes=8),
    "long": Kind(("--kind=letters", "--line-bytes=2048"), record_bytes=2048),
    "few": Kind(("--kind=letters", "--line-bytes=100", "--distribution=few")),
    "nearly": Kind(("--kind=letters", "--line-bytes=100", "--distribution=nearly")),
    "words": Kind(("--kind=lines",), record_bytes=43),
}


@dataclasses.dataclass(frozen=True)
class Case:
    name: str
    what: str
    kind: str  # kind of data: one of KINDS
    keys: tuple = ()  # options of sort
    locale: bool = False  # in the order of a language, if the machine has one
    host_limit: bool = False
    device_limit: bool = False
    spills_to_disk: bool = False  # spilled data goes to disk instead of beside the data
    needs_gpu: bool = False
    from_pipe: bool = False
    from_disk: bool = False  # and to it

    @property
    def format(self):
        return KINDS[self.kind].format

    @property
    def record_bytes(self):
        return KINDS[self.kind].record_bytes

    @property
    def data_options(self):
        """Options of sortie-gen."""
        return KINDS[self.kind].options

    def contenders(self, tools, options, scratch):
        """Programs that can do this work. DuckDB gets twice the memory: with as much as the others it fails."""
        memory = options.limit if self.host_limit else None
        device_memory = options.limit if self.device_limit else None
        engines = ["gpu"] if self.needs_gpu else options.engines
        found = [programs.Sortie(tools, self, options, scratch, engine, memory, device_memory) for engine in engines]
        if self.from_pipe:
            found = [ways_in.Pipe(program) for program in (*found, programs.GnuSort(self, options, scratch, memory))]
            return [*found, ways_in.PipeAlone()]
        if self.from_disk:
            return [*map(ways_in.Disk, found), ways_in.ReadThenWrite()]
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
    Case("pipe", "ASCII gensort as lines, from a pipe into memory", "ascii", from_pipe=True),
    Case("disk", "ASCII gensort as lines, from a disk to the disk", "ascii", from_disk=True),
    Case("disk-spilled", "ASCII gensort as lines, memory limited, from a disk to the disk, where runs go, too", "ascii", host_limit=True,
         spills_to_disk=True, from_disk=True),
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
    Case("short", "lines of 8 bytes, in memory", "short"),
    Case("short-spilled", "lines of 8 bytes, memory limited", "short", host_limit=True),
    Case("long", "lines of 2 KiB, in memory", "long"),
    Case("long-spilled", "lines of 2 KiB, memory limited", "long", host_limit=True),
    Case("few", "16 different lines, in memory", "few"),
    Case("few-spilled", "16 different lines, memory limited", "few", host_limit=True),
    Case("nearly", "lines of which one in 100 is out of order, in memory", "nearly"),
    Case("nearly-spilled", "lines of which one in 100 is out of order, memory limited", "nearly", host_limit=True),
    Case("locale", "lines of words in a language's order, in memory", "words", locale=True),
    Case("locale-spilled", "lines of words in a language's order, memory limited", "words", host_limit=True, locale=True),
)


def choose(names):
    if names == "all":
        return CASES
    known = {case.name: case for case in CASES}
    for name in names.split(","):
        if name not in known:
            raise Trouble(f"unknown case '{name}'; known: {', '.join(known)}")
    return [known[name] for name in names.split(",")]
