"""The tasks that cut merged ranges into the files of an output (split_output.py), and the stage that has them done."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from .. import Error
from .._report import say_count
from .commands import Commands
from .engine import Failure
from .files_task import FilesTask
from .formed import ShardsDamaged
from .job_plan import node_name
from .split_output import (CutFile, Source, SplitFiles, chains_of, cut_into, ends_of_chain, have_names_of_their_own,
                           source_of_end)
from .tasks import RangeDamaged, Setting, Task
from .totals import Totals, sum_of
from .written_files import Stretch, attempt_name, is_unchanged, length_of, remove_file

@dataclass(frozen=True)
class SplitTask(FilesTask):
    """Cuts records of merged ranges into files. header: of the inputs; is_framed: lengths tell where records end.
    place: the folder of what becomes of them. totals: of all records; the cut of a whole range compares their number.
    stage: "split", or "join" for the files in which ranges meet."""

    setting: Setting
    number: int
    bytes: int
    sources: tuple[Source, ...]
    header: str
    is_framed: bool
    pattern: str
    place: str
    totals: Totals
    formed: str
    stage: str = "split"
    node = None

    def __str__(self) -> str:
        return f"cutting range {self.number}" if self.stage == "split" else f"joining files {self.number}"

    def made_of(self) -> dict[str, Any]:
        return {"sources": [[number, list(whole), begin, size] for number, whole, begin, size in self.sources]}

    def make(self, commands: Commands) -> list[CutFile]:
        checksums, files = self._cut(commands)
        for source, checksum in zip(self.sources, checksums, strict=True):
            if source.bytes == source.whole.bytes and checksum != source.whole.checksum:
                raise _damaged(source)
        made = sum_of(file.totals for file in files)
        if made != self.totals if self.stage == "join" else made.records != self.totals.records:
            raise Error(f"on {node_name()}: cut {say_count(made.records, 'record')}, where {self.totals.records} were "
                        "merged")
        return files

    def _cut(self, commands: Commands) -> tuple[list[str], list[CutFile]]:
        words = [*(word for word in self.setting.words if word not in self.setting.cuts), *self.setting.cuts]
        ranges = {"header": self.header, "are_framed": self.is_framed,
                  "ranges": [{"path": whole.path, "begin": begin, "bytes": size}
                             for _, whole, begin, size in self.sources]}
        scratch = self.setting.directory().item("plans", self.number, f".{self.stage}.{attempt_name()}")
        return cut_into(commands, words, ranges, self.pattern, self.place, scratch,
                        self.setting.manifest)

    def refuse_damaged_ranges(self, commands: Commands) -> None:
        for source in self.sources:
            if length_of(source.whole.path) != source.whole.bytes or not is_unchanged(source.whole,
                                                                                      commands.refuse_if_cancelled):
                raise _damaged(source)


def _damaged(source: Source) -> RangeDamaged:
    return RangeDamaged(f"on {node_name()}: '{source}' is not what was written: look after the disk, and give the "
                        "command again",
                        source.number)


Do = Callable[[Sequence[Task], Sequence[Task], Callable[[Failure], None]], None]


class Splitting:
    """header: of the inputs. formed: the digest of runs and bounds. do: sees tasks of a stage through, of which the
    second ones are not done, and tells what went wrong with one. again: what was damaged once, by folders and numbers
    of results; what is damaged again ends the job."""

    def __init__(self, output: SplitFiles, setting: Setting, header: str, formed: str, do: Do,
                 again: set[tuple[str, int]]) -> None:
        self._output, self._setting, self._header, self._formed = output, setting, header, formed
        self._do, self._again = do, again
        self._is_framed = False

    def run(self, merged: Sequence[dict[str, Any]]) -> None:
        """Keeps which files the output has. merged: what was told of the ranges."""
        self._output.prepare(0)
        self._is_framed = bool(merged[0]["is_framed"])
        ranges = [Stretch(self._output.place(number, 0)[0], 0, told["file_bytes"], told["file_checksum"])
                  for number, told in enumerate(merged)]
        records = [int(told["output"]["records"]) for told in merged]
        if self._output.by_key:
            found = self._cut_by_key(ranges, records)
            if have_names_of_their_own(self._output.folder, (file.name for _, file in found)):
                self._keep(found, sum(records))
                return
        # As one sort names files, by all that came before.
        task = self._task("split", 0, list(map(_all_of, ranges, range(len(ranges)))), Totals(sum(records)), "all")
        self._see_through([task])
        self._keep([(task.place, file) for file in task.files()], sum(records))

    def _keep(self, found: Sequence[tuple[str, CutFile]], records: int) -> None:
        kept = sum(file.records for _, file in found)
        if kept != records:
            raise Error(f"files of the output hold {say_count(kept, 'record')}, where {records} were merged; the "
                        "output is as it was")
        self._output.keep(found)

    def _cut_by_key(self, ranges: Sequence[Stretch], records: Sequence[int]) -> list[tuple[str, CutFile]]:
        tasks = [self._task("split", number, [_all_of(whole, number)], Totals(count))
                 for number, (whole, count) in enumerate(zip(ranges, records, strict=True))]
        self._see_through(tasks)
        files = [task.files() for task in tasks]
        chains = [ends_of_chain(files, chain) for chain in chains_of(files)]
        joins = [self._task("join", number, [source_of_end(part, ranges[part], files[part], file, self._is_framed)
                                             for part, file in ends], sum_of(file.totals for _, file in ends))
                 for number, ends in enumerate(chains)]
        if joins:
            self._see_through(joins)
        gone = {end for ends in chains for end in ends}
        kept = [(task.place, file) for part, task in enumerate(tasks) for file in files[part]
                if (part, file) not in gone]
        return [*kept, *((task.place, file) for task in joins for file in task.files())]

    def _see_through(self, tasks: Sequence[SplitTask]) -> None:
        self._do(tasks, [task for task in tasks if not task.is_done()], self._forget_damaged)

    def _forget_damaged(self, failure: Failure) -> None:
        """Raises ShardsDamaged where a range is to be merged again."""
        if failure.damaged_range is None:
            return
        damaged = "merged", failure.damaged_range
        if damaged not in self._again:
            self._again.add(damaged)
            remove_file(self._setting.directory().item(*damaged, ".json"))
            raise ShardsDamaged(failure.text)

    def _task(self, stage: str, number: int, sources: Sequence[Source], totals: Totals,
              place: str | None = None) -> SplitTask:
        output, size = self._output, sum(source.bytes for source in sources)
        return SplitTask(self._setting, number, size, tuple(sources), self._header, self._is_framed, output.pattern,
                         output.place_of_cuts(place or stage, number), totals, self._formed, stage)


def _all_of(whole: Stretch, number: int) -> Source:
    return Source(number, whole, 0, whole.bytes)
