"""The exact places of records, by which samples and shuffles with a seed go: each shard begins at the byte, among those
of all records, at which it begins in a sort by one command. How long headers and records of plain files are is told
with the header that they share. Those of packed files are counted first, where others come behind them."""

import itertools
import shutil
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from .. import Error
from .arguments import without
from .commands import Commands
from .job import HEADER_FILE, JobDirectory
from .shards import Shard
from .stages import STAGES
from .tasks import Setting, Task, who_did_it
from .written_files import attempt_name

# What is known of an input, by its path: header_bytes, and record_bytes, which is None for one that is packed.
Extents = Mapping[str, Mapping[str, int | None]]


def extents_of(inputs: Sequence[str], job: JobDirectory) -> Extents:
    """As the command that looked at the headers of the inputs has told it."""
    return dict(zip(inputs, job.require(HEADER_FILE)["extents"], strict=True))


@dataclass(frozen=True)
class CountTask(Task):
    """Counts the bytes of the records of a shard of whole files: forms runs of one record, which are of no use."""

    setting: Setting
    number: int
    shard: Shard
    stage = "count"
    node = None

    @property
    def bytes(self) -> int:  # type: ignore[override]
        return self.shard.bytes

    def __str__(self) -> str:
        return f"counting the bytes of {self.shard}"

    def is_done(self) -> bool:
        result = self.result()
        return result is not None and Shard.from_json(result["shard"]) == self.shard

    def run(self, commands: Commands) -> None:
        began = time.time()
        folder = self.setting.directory().item(STAGES[self.stage].folder, self.number, f".{attempt_name()}")
        words = without(self.setting.words, "sample", "random-source", "top")
        try:
            told = commands.run([*words, "--sample=1,1", f"--form={folder}", "--samples=1",
                                 f"--shared-header={self.setting.header}", *self.shard.words()])
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        self.leave({"shard": list(self.shard), "record_bytes": told["input"]["bytes"], **who_did_it(began)})

    def counted(self) -> int:
        result = self.result()
        if result is None:
            raise Error(f"'{self.path()}' is gone, or is not what was written: give the command again")
        return int(result["record_bytes"])


def count_tasks(setting: Setting, shards: Iterable[Shard], extents: Extents) -> list[CountTask]:
    """Those for packed inputs that have others behind them."""
    unknown = [first for first, *_ in _groups(shards)[:-1] if _known_bytes(first, extents) is None]
    return [CountTask(setting, number, shard) for number, shard in enumerate(unknown)]


def with_exact_places(shards: Sequence[Shard], extents: Extents, counted: Iterable[CountTask]) -> list[Shard]:
    """counted: as count_tasks() gives them, all done."""
    rest = iter(counted)
    placed = []
    place = 0
    groups = _groups(shards)
    for number, group in enumerate(groups):
        first = group[0]
        header_bytes = extents[first.path]["header_bytes"] or 0
        placed += [shard._replace(place=place + max(0, shard.begin - header_bytes)) for shard in group]
        if number + 1 < len(groups):
            known = _known_bytes(first, extents)
            place += next(rest).counted() if known is None else known
    return placed


def _groups(shards: Iterable[Shard]) -> list[list[Shard]]:
    """The shards of one file that is divided, or one of whole files."""
    groups: list[list[Shard]] = []
    for shard in shards:
        if shard.begin == 0:
            groups.append([])
        groups[-1].append(shard)
    return groups


def _known_bytes(first: Shard, extents: Extents) -> int | None:
    """Bytes of the records of all files of a group, which begins with this shard."""
    found = [extents[path]["record_bytes"] for path in (first.path, *first.others)]
    known = list(itertools.takewhile(lambda count: count is not None, found))
    return sum(count or 0 for count in known) if len(known) == len(found) else None
