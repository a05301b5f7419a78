"""The tasks that cut merged ranges into the files of an output (split_output.py), and the stage that has them done."""

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from .. import Error
from .._report import say_count
from .arguments import words_of_cuts
from .commands import Commands
from .job_plan import node_name
from .split_output import CutFile, SplitFiles, chains_of, cut_into, end_pieces, have_names_of_their_own
from .tasks import Setting, Task, who_did_it
from .written_files import Stretch, attempt_name, is_unchanged


@dataclass(frozen=True)
class SplitTask(Task):
    """Cuts files in order. place: the folder of what becomes of them. records: in all files, if that is known. bytes: of all
    files. stage: "split", or "join" for the files in which ranges meet."""

    setting: Setting
    number: int
    bytes: int
    sources: tuple[str, ...]
    words: tuple[str, ...]
    pattern: str
    place: str
    records: int | None
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
        is_fitting = (result is not None and result["formed"] == self.formed and result["sources"] == list(self.sources)
                      and os.path.isdir(self.place))
        return result if is_fitting else None

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
                for name, size, checksum in known["files"]):
            self.leave({**known, "driver": self.setting.driver})
            return
        scratch = self.setting.directory().item("plans", self.number, f".{attempt_name()}")
        records, files = cut_into(commands, self.words, self.sources, self.pattern, self.place, scratch)
        if self.records not in (None, records):
            raise Error(f"on {node_name()}: cut {say_count(records, 'record')}, where {self.records} were merged")
        self.leave({"formed": self.formed, "sources": list(self.sources), "files": [list(file) for file in files],
                    "driver": self.setting.driver, **who_did_it(began)})


Do = Callable[[Sequence[Task], Sequence[Task]], None]


class Splitting:
    """do: sees tasks of a stage through, of which the second ones are not done."""

    def __init__(self, output: SplitFiles, setting: Setting, formed: str, do: Do) -> None:
        self._output, self._setting, self._formed, self._do = output, setting, formed, do
        self.counts: dict[str, int] = {}

    def run(self, merged: Sequence[dict[str, Any]]) -> None:
        """Keeps which files the output has. merged: what was told of the ranges."""
        self._output.prepare(0)
        parts = [self._output.place(number, 0)[0] for number in range(len(merged))]
        if self._output.by_key:
            found = self._cut_by_key(merged, parts)
            if have_names_of_their_own(self._output.folder, (file.name for _, file in found)):
                self._output.keep(found)
                return
        # As one sort names files, by all that came before.
        all_records = sum(told["output"]["records"] for told in merged)
        self._keep_all(self._task("split", 0, parts, all_records, sum(told["file_bytes"] for told in merged), "all"))

    def _keep_all(self, task: SplitTask) -> None:
        self._see_through([task])
        self._output.keep((task.place, file) for file in task.files())

    def _cut_by_key(self, merged: Sequence[dict[str, Any]], parts: Sequence[str]) -> list[tuple[str, CutFile]]:
        tasks = [self._task("split", number, [part], told["output"]["records"], told["file_bytes"])
                 for number, (told, part) in enumerate(zip(merged, parts, strict=True))]
        self._see_through(tasks)
        ranges = [(task.place, task.files()) for task in tasks]
        chains = chains_of(ranges)
        sizes = {os.path.join(place, file.name): file.bytes for place, files in ranges for file in files}
        joined = [end_pieces(ranges, chain) for chain in chains]
        joins = [self._task("join", number, paths, None, sum(map(sizes.__getitem__, paths)))
                 for number, paths in enumerate(joined)]
        if joins:
            self._see_through(joins)
        gone = {path for paths in joined for path in paths}
        kept = [(place, file) for place, files in ranges for file in files if os.path.join(place, file.name) not in gone]
        return [*kept, *((task.place, file) for task in joins for file in task.files())]

    def _see_through(self, tasks: Sequence[SplitTask]) -> None:
        self.counts[tasks[0].stage] = len(tasks)
        self._do(tasks, [task for task in tasks if not task.is_done()])

    def _task(self, stage: str, number: int, sources: Sequence[str], records: int | None, size: int,
              place: str | None = None) -> SplitTask:
        output = self._output
        return SplitTask(self._setting, number, size, tuple(sources), tuple(words_of_cuts(self._setting.words, output.cuts)),
                         output.pattern, output.place_of_cuts(place or stage, number), records, self._formed, stage)
