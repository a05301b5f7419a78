"""The output of a sort of files of a format (file_formats.py): one command writes it of all merged ranges, with what lies
beside it, such as an index. All lies in a hidden folder until it is verified."""

import json
import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .. import Error
from .commands import Commands
from .files_task import FilesTask
from .job import JobDirectory
from .job_plan import node_name
from .split_output import CutFile, SplitFiles
from .split_tasks import Do
from .tasks import RangeDamaged, Setting
from .written_files import Stretch, attempt_name, checksum_of, is_unchanged, length_of, remove_file


class FormatOutput(SplitFiles):
    """path: of the output; with a number where it is in parts."""

    def __init__(self, path: str, job: JobDirectory) -> None:
        super().__init__(os.path.realpath(path), job, by_key=False)


@dataclass(frozen=True)
class WriteTask(FilesTask):
    """Writes the output of merged ranges. place: the folder that it is made in, with what lies beside it."""

    setting: Setting
    number: int
    bytes: int
    ranges: tuple[Stretch, ...]
    pattern: str
    place: str
    formed: str
    stage = "write"
    node = None

    def __str__(self) -> str:
        return "writing the output"

    def made_of(self) -> dict[str, Any]:
        return {"ranges": [list(item) for item in self.ranges]}

    def make(self, commands: Commands) -> list[CutFile]:
        checksums, files = self._write(commands)
        if checksums != [item.checksum for item in self.ranges]:
            raise Error(f"on {node_name()}: the output was written of other records than were merged: give the command "
                        "again")
        return files

    def _write(self, commands: Commands) -> tuple[list[str], list[CutFile]]:
        made = f"{self.place}.{attempt_name()}"
        plan = self.setting.directory().item("plans", self.number, f".{self.stage}.{attempt_name()}")
        try:
            os.makedirs(made)
            with open(plan, "x", encoding="ascii") as file:
                json.dump({"header": "", "are_framed": False,
                           "ranges": [{"path": item.path, "begin": 0, "bytes": item.bytes} for item in self.ranges]},
                          file)
            told = commands.run([*self.setting.words_of_sort(), *self.setting.cuts, *self._listing(made), f"--split-ranges={plan}", "-o",
                                 os.path.join(made, self.pattern), f"--files0-from={self.setting.names}"])
            files = [self._look_at(made, name, commands) for name in sorted(os.listdir(made))]
            shutil.rmtree(self.place, ignore_errors=True)
            os.rename(made, self.place)
            return list(told["checksums"]), files
        except OSError as error:
            raise Error(f"on {node_name()}: cannot write '{self.place}': {error.strerror}") from None
        finally:
            shutil.rmtree(made, ignore_errors=True)
            remove_file(plan)

    def _listing(self, folder: str) -> list[str]:
        manifest = self.setting.manifest
        return [f"--manifest={os.path.join(folder, manifest)}"] if manifest else []

    @staticmethod
    def _look_at(folder: str, name: str, commands: Commands) -> CutFile:
        path = os.path.join(folder, name)
        size = os.path.getsize(path)
        return CutFile(name, size, checksum_of(path, 0, size, commands.refuse_if_cancelled) or "", 0, 0, "0")

    def refuse_damaged_ranges(self, commands: Commands) -> None:
        for number, item in enumerate(self.ranges):
            if length_of(item.path) != item.bytes or not is_unchanged(item, commands.refuse_if_cancelled):
                raise RangeDamaged(f"on {node_name()}: '{item.path}' is not what was written: look after the disk, and "
                                   "give the command again", number)


def write_output(output: FormatOutput, setting: Setting, formed: str, merged: Sequence[dict[str, Any]], do: Do,
                 on_failure: Any) -> None:
    """Has the output written, and keeps which files it has. merged: what was told of the ranges. do, on_failure: as
    Splitting has them."""
    output.prepare(0)
    ranges = tuple(Stretch(output.place(number, 0)[0], 0, told["file_bytes"], told["file_checksum"])
                   for number, told in enumerate(merged))
    task = WriteTask(setting, 0, sum(item.bytes for item in ranges), ranges, output.pattern,
                     output.place_of_cuts("write", 0), formed)
    do([task], [] if task.is_done() else [task], on_failure)
    output.keep((task.place, file) for file in task.files())
