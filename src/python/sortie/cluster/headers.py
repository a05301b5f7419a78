"""The header of all inputs of a job, found before shards are formed, as one command finds it: where inputs differ in what
they have in front, that is merged, told or refused as there."""

import os
from collections.abc import Iterable
from dataclasses import dataclass

from .commands import Commands
from .job import HEADER_FILE, NAMES_FILE, JobDirectory
from .json_files import read_state, write_state
from .tasks import Setting


@dataclass(frozen=True)
class HeaderTask:
    setting: Setting
    stage = "header"
    number = 0
    bytes = 0
    node = None

    def __str__(self) -> str:
        return "looking at the headers of the inputs"

    @property
    def result(self) -> str:
        return self.setting.directory().file(HEADER_FILE)

    def is_done(self) -> bool:
        return read_state(self.result) is not None

    def run(self, commands: Commands) -> None:
        names = self.setting.directory().file(NAMES_FILE)
        write_state(self.result, commands.run([*self.setting.words, "--shared-header", f"--files0-from={names}"]))


def write_names(job: JobDirectory, inputs: Iterable[str]) -> None:
    """The list of inputs that the task reads."""
    with open(job.file(NAMES_FILE), "wb") as file:
        file.write(b"".join(os.fsencode(path) + b"\0" for path in inputs))
