"""The tasks that cut merged ranges into the files of an output (split_output.py), and the stage that has them done."""

import os
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from .. import Error
from .._report import say_count
from .arguments import words_of_cuts
from .commands import Commands
from .formed import ShardsDamaged
from .job_plan import node_name
from .split_output import CutFile, SplitFiles, chains_of, cut_into, end_pieces, have_names_of_their_own
from .tasks import Setting, Task, who_did_it
from .written_files import Stretch, attempt_name, is_unchanged, length_of, remove_file

# An error that names a range that was merged, or a file that was cut of it.
_DAMAGED = re.compile(r".*/(parts|split)/(\d+)['/].*is not what was written", re.DOTALL)


@dataclass(frozen=True)
class SplitTask(Task):
    """Cuts files in order. sources: as they were written. place: the folder of what becomes of them. records, bytes: of all
    files. stage: "split", or "join" for the files in which ranges meet."""

    setting: Setting
    number: int
    bytes: int
    sources: tuple[Stretch, ...]
    words: tuple[str, ...]
    pattern: str
    place: str
    records: int
    formed: str
    stage: str = "split"
    node = None

    @property
    def folder(self) -> str:  # type: ignore[override]
        return self.stage

    def __str__(self) -> str:
        return f"cutting range {self.number}" if self.stage == "split" else f"joining files {self.number}"

    def _known(self) -> dict[str, Any] | None:
        result = self.result()
        is_fitting = (result is not None and result["formed"] == self.formed and result["sources"] == self._sources()
                      and os.path.isdir(self.place))
        return result if is_fitting else None

    def _sources(self) -> list[list[Any]]:
        """As results name them: what was cut of other bytes does not fit."""
        return [list(source) for source in self.sources]

    def is_done(self) -> bool:
        known = self._known()
        return known is not None and known["driver"] == self.setting.driver

    def files(self) -> list[CutFile]:
        return [CutFile(*file) for file in (self.result() or {})["files"]]

    def run(self, commands: Commands) -> None:
        began = time.time()
        known = self._known()
        if known is not None and all(
                is_unchanged(Stretch(os.path.join(self.place, name), 0, size, checksum), commands.refuse_if_cancelled)
                for name, size, checksum, _ in known["files"]):
            self.leave({**known, "driver": self.setting.driver})
            return
        scratch = self.setting.directory().item("plans", self.number, f".{attempt_name()}")
        try:
            records, files = cut_into(commands, self.words, [source.path for source in self.sources], self.pattern, self.place,
                                      scratch)
        except Error:
            self._refuse_damaged_sources(commands)
            raise
        # Behind the command: what is whole then was whole while it read.
        self._refuse_damaged_sources(commands)
        if records != self.records:
            raise Error(f"on {node_name()}: cut {say_count(records, 'record')}, where {self.records} were merged")
        self.leave({"formed": self.formed, "sources": self._sources(), "files": [list(file) for file in files],
                    "driver": self.setting.driver, **who_did_it(began)})

    def _refuse_damaged_sources(self, commands: Commands) -> None:
        for source in self.sources:
            if length_of(source.path) != source.bytes or not is_unchanged(source, commands.refuse_if_cancelled):
                raise Error(f"on {node_name()}: '{source.path}' is not what was written: look after the disk, and give the "
                            "command again")


Do = Callable[[Sequence[Task], Sequence[Task], Callable[[str], None]], None]


class Splitting:
    """do: sees tasks of a stage through, of which the second ones are not done, and tells what went wrong with one. again: what
    was damaged once, by folders and numbers of results; what is damaged again ends the job."""

    def __init__(self, output: SplitFiles, setting: Setting, formed: str, do: Do,
                 again: set[tuple[str, int]]) -> None:
        self._output, self._setting, self._formed, self._do, self._again = output, setting, formed, do, again
        self.counts: dict[str, int] = {}

    def run(self, merged: Sequence[dict[str, Any]]) -> None:
        """Keeps which files the output has. merged: what was told of the ranges."""
        self._output.prepare(0)
        parts = [Stretch(self._output.place(number, 0)[0], 0, told["file_bytes"], told["file_checksum"])
                 for number, told in enumerate(merged)]
        records = [int(told["output"]["records"]) for told in merged]
        if self._output.by_key:
            found = self._cut_by_key(parts, records)
            if have_names_of_their_own(self._output.folder, (file.name for _, file in found)):
                self._keep(found, sum(records))
                return
        # As one sort names files, by all that came before.
        task = self._task("split", 0, parts, sum(records), "all")
        self._see_through([task])
        self._keep([(task.place, file) for file in task.files()], sum(records))

    def _keep(self, found: Sequence[tuple[str, CutFile]], records: int) -> None:
        kept = sum(file.records for _, file in found)
        if kept != records:
            raise Error(f"files of the output hold {say_count(kept, 'record')}, where {records} were merged; the output is as "
                        "it was")
        self._output.keep(found)

    def _cut_by_key(self, parts: Sequence[Stretch], records: Sequence[int]) -> list[tuple[str, CutFile]]:
        tasks = [self._task("split", number, [part], count)
                 for number, (part, count) in enumerate(zip(parts, records, strict=True))]
        self._see_through(tasks)
        ranges = [(task.place, task.files()) for task in tasks]
        by_path = {os.path.join(place, file.name): file for place, files in ranges for file in files}
        joined = [end_pieces(ranges, chain) for chain in chains_of(ranges)]
        joins = [self._task("join", number, [Stretch(path, 0, by_path[path].bytes, by_path[path].checksum) for path in paths],
                            sum(by_path[path].records for path in paths)) for number, paths in enumerate(joined)]
        if joins:
            self._see_through(joins)
        gone = {path for paths in joined for path in paths}
        kept = [(place, file) for place, files in ranges for file in files if os.path.join(place, file.name) not in gone]
        return [*kept, *((task.place, file) for task in joins for file in task.files())]

    def _see_through(self, tasks: Sequence[SplitTask]) -> None:
        self.counts[tasks[0].stage] = len(tasks)
        self._do(tasks, [task for task in tasks if not task.is_done()], self._forget_damaged)

    def _forget_damaged(self, error: str) -> None:
        """Raises ShardsDamaged where a range is to be merged again, or cut again."""
        found = _DAMAGED.match(error)
        if not found:
            return
        damaged = "merged" if found[1] == "parts" else "split", int(found[2])
        if damaged not in self._again:
            self._again.add(damaged)
            remove_file(self._setting.directory().item(*damaged, ".json"))
            raise ShardsDamaged(error)

    def _task(self, stage: str, number: int, sources: Sequence[Stretch], records: int, place: str | None = None) -> SplitTask:
        output, size = self._output, sum(source.bytes for source in sources)
        return SplitTask(self._setting, number, size, tuple(sources), tuple(words_of_cuts(self._setting.words, output.cuts)),
                         output.pattern, output.place_of_cuts(place or stage, number), records, self._formed, stage)
