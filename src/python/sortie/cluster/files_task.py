"""What tasks share that make files of merged ranges in a hidden folder: when what an earlier attempt made still fits."""

import os
import time
from typing import Any

from .. import Error
from .commands import Commands
from .split_output import CutFile
from .tasks import Task, who_did_it
from .written_files import Stretch, is_unchanged


class FilesTask(Task):
    """place: the folder. formed: the digest of runs and bounds."""

    place: str
    formed: str

    def made_of(self) -> dict[str, Any]:
        """As the result tells it, beside `formed`: files that were made of other bytes do not fit."""
        raise NotImplementedError

    def make(self, commands: Commands) -> list[CutFile]:
        """Makes the files, and compares what they hold with what was merged. Raises Error."""
        raise NotImplementedError

    def refuse_damaged_ranges(self, commands: Commands) -> None:
        """Raises RangeDamaged if a merged range is not what was written."""
        raise NotImplementedError

    def _known(self) -> dict[str, Any] | None:
        result = self.result()
        if result is None or not os.path.isdir(self.place):
            return None
        fits = all(result.get(name) == value for name, value in {"formed": self.formed, **self.made_of()}.items())
        return result if fits else None

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
                for name, size, checksum, *_ in known["files"]):
            self.leave({**known, "driver": self.setting.driver})
            return
        try:
            files = self.make(commands)
        except Error:
            self.refuse_damaged_ranges(commands)
            raise
        self.leave({"formed": self.formed, **self.made_of(), "files": [list(file) for file in files],
                    "driver": self.setting.driver, **who_did_it(began)})
