"""The tasks that bring merged parts to their ranges of one file, where their sizes were not known before they were
merged."""

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import IO, Any

from .. import Error
from .._native import ByteChecksum
from .commands import Commands
from .job_plan import node_name
from .output import Output
from .tasks import Setting, Task, who_did_it
from .written_files import Stretch, is_unchanged

_COPIED_BYTES = 4 << 20


@dataclass(frozen=True)
class CopyTask(Task):
    """Brings a part to its range of the output, where its size was not known before it was merged. checksum: of the
    bytes."""

    setting: Setting
    number: int
    bytes: int
    source: str
    output: str
    offset: int
    formed: str
    checksum: str
    stage = "copy"
    node = None

    def __str__(self) -> str:
        return f"copying part {self.number}"

    def is_done(self) -> bool:
        result = self.result()
        return result is not None and (result["formed"], result["driver"]) == (self.formed, self.setting.driver)

    def run(self, commands: Commands) -> None:
        began = time.time()
        known = self.result()
        written = Stretch(self.output, self.offset, self.bytes, self.checksum)
        if known is not None and known["formed"] == self.formed and is_unchanged(written, commands.refuse_if_cancelled):
            self.leave({**known, "driver": self.setting.driver})
            return
        if self._copy(commands) != self.checksum:
            raise Error(f"on {node_name()}: part {self.number} in '{self.source}' is not what was merged: give the "
                        "command again")
        self.leave({"formed": self.formed, "driver": self.setting.driver, **who_did_it(began)})

    def _copy(self, commands: Commands) -> str:
        """Returns the checksum of what was read."""
        checksum = ByteChecksum()

        def look(data: memoryview) -> None:
            commands.refuse_if_cancelled()
            checksum.add(data)
        with open(self.source, "rb", buffering=0) as source, open(self.output, "r+b") as output:
            output.seek(self.offset)
            copy_stretch(source, 0, self.bytes, output, look)
            output.flush()
            os.fsync(output.fileno())
        return str(checksum.value())


def copy_stretch(source: IO[bytes], begin: int, size: int, target: IO[bytes],
                 look: Callable[[memoryview], None] = lambda data: None) -> None:
    """Copies so many bytes, or up to the end of the source. look: called with what was read, before it is written."""
    buffer = memoryview(bytearray(min(_COPIED_BYTES, size)))
    source.seek(begin)
    left = size
    while left > 0:
        got = source.readinto(buffer[:min(len(buffer), left)])  # type: ignore[attr-defined]
        if not got:
            return
        look(buffer[:got])
        target.write(buffer[:got])
        left -= got


def copy_tasks(target: str, output: Output, setting: Setting, formed: str,
               merged: Sequence[dict[str, Any]]) -> list[CopyTask]:
    """One for each part. merged: what was told of them."""
    offset = 0
    tasks = []
    for part, told in enumerate(merged):
        source, _ = output.place(part, 0)
        tasks.append(CopyTask(setting, part, told["file_bytes"], source, target, offset, formed, told["file_checksum"]))
        offset += told["file_bytes"]
    return tasks
