"""An output that is one file of Parquet: the parts as they are, one behind the other, and a footer behind them that
names the row groups of all. On a disk, or as an object of a store."""

import contextlib
import datetime
import os
from typing import Any

from .. import Error
from .._native import ByteChecksum
from .job import JobDirectory
from .output import OneFile, Output, Pieces, one_behind_the_other
from .paths import is_in_parts
from .written_files import Stretch, checksum_of_bytes, remove_file

_READ_BYTES = 4 << 20
# Which upload is open.
_UPLOAD = "upload.json"


def footer_behind(paths: list[str]) -> bytes:
    """What makes one file of Parquet of parts that lie one behind the other. Nothing behind a single one."""
    from ..parquet.parquet_joining import joined_footer
    return joined_footer(paths) if len(paths) > 1 else b""


class OneParquetFile(OneFile):
    """The parts as they are, one behind the other, and a footer that names the row groups of all."""

    def __init__(self, path: str, job: JobDirectory) -> None:
        super().__init__(os.path.realpath(path), job, sizes_are_known=False)
        self._footer = 0, ""

    def prepare(self, total_bytes: int) -> None:
        parts = self._job.require("ranges.json")["parts"]
        footer = footer_behind([self.place(part, 0)[0] for part in range(parts)])
        super().prepare(total_bytes + len(footer))
        self._footer = len(footer), checksum_of_bytes(footer)
        try:
            with open(os.open(self._scratch, os.O_WRONLY | os.O_NOFOLLOW), "wb") as file:
                file.seek(total_bytes)
                file.write(footer)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise Error(f"cannot write '{self._scratch}': {error.strerror}") from None

    def behind(self) -> list[tuple[int, str]]:
        return [self._footer]


def check_object(name: Any) -> None:
    """Raises Error where no such object can be written. name: an ObjectName."""
    if is_in_parts(name):
        raise Error(f"parts of '{name}' would be objects, which cannot become visible at once: name one object, or "
                    "parts on a disk")
    name.refuse_no_key()


def require_object_writable(name: Any) -> None:
    """Asks the store whether it takes the object, so that a sort does not run in vain."""
    name.create().discard()


class OneObject(Output):
    """Ranges are merged into the job directory. The driver's machine sends them one behind the other, and the object
    becomes visible by the last request, or not at all."""

    def __init__(self, name: Any, job: JobDirectory) -> None:
        super().__init__(job)
        self._name = name
        self._upload: Any = None
        self._kept: dict[str, Any] = {}

    def end_lost(self) -> None:
        kept = self._job.read(_UPLOAD)
        if kept is None or kept["object"] != str(self._name):
            return
        self._name.end_upload(kept["number"], datetime.datetime.fromisoformat(kept["since"]))
        remove_file(self._job.file(_UPLOAD))

    def place(self, part: int, offset: int) -> tuple[str, int | None]:
        return self._job.item("parts", part), None

    def behind(self) -> list[tuple[int, str]]:
        parts = int(self._job.require("ranges.json")["parts"])
        footer = footer_behind([self.place(part, 0)[0] for part in range(parts)])
        with open(self.place(parts, 0)[0], "wb") as file:
            file.write(footer)
        return [(len(footer), checksum_of_bytes(footer))]

    def written(self, pieces: Pieces, mark: list[int] | None) -> list[Stretch] | None:
        return [Stretch(self.place(number, 0)[0], 0, *piece) for number, piece in enumerate(pieces)]

    def send(self, pieces: Pieces) -> None:
        self._keep_open_upload()
        self._upload = self._name.create(begun=self._keep_open_upload)
        for number, (count, checksum) in enumerate(pieces):
            path = self.place(number, 0)[0]
            if self._send(path) != (count, checksum):
                raise Error(f"'{path}' is not what was merged: give the command again")

    def _keep_open_upload(self) -> None:
        """In the job, so that whoever goes on with it after this process was killed ends the upload. The store tells
        which ones are open before and after it begins: the one that is new, if it is one alone, is this one."""
        numbers = self._name.open_uploads()
        if not self._kept:
            since = datetime.datetime.now(datetime.timezone.utc).isoformat()
            self._kept = {"object": str(self._name), "since": since, "number": None, "before": numbers}
        elif numbers is not None and self._kept["before"] is not None:
            new = [number for number in numbers if number not in self._kept["before"]]
            self._kept["number"] = new[0] if len(new) == 1 else None
        self._job.write(_UPLOAD, self._kept)

    def _send(self, path: str) -> tuple[int, str]:
        """Length and checksum of what was sent."""
        checksum, sent = ByteChecksum(), 0
        with open(path, "rb", buffering=0) as file:
            while data := file.read(_READ_BYTES):
                checksum.add(data)
                sent += len(data)
                self._upload.write(data)
        return sent, str(checksum.value())

    def give_up(self) -> None:
        if self._upload is not None:
            with contextlib.suppress(Error):
                self._upload.discard()
            self._upload = None
            remove_file(self._job.file(_UPLOAD))

    def finish(self, ranges: list[dict[str, Any]], mark: list[int] | None) -> None:
        upload, self._upload = self._upload, None
        upload.finish()
        remove_file(self._job.file(_UPLOAD))

    def in_place(self, pieces: Pieces) -> list[Stretch]:
        """One behind the other, in the object."""
        return one_behind_the_other(str(self._name), pieces)
