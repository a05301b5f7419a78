"""An output that is a folder of Parquet files, hive-partitioned or not. Each range is merged into files of its own, in
a hidden folder beside a new one, or within an empty one that is there; in the end they get the numbers that follow one
another."""

import contextlib
import os
import re
import shutil
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from .. import Error
from .._errors import file_error_of
from .._files import naming
from .._native import ByteChecksum
from .._outputs import OutputFile
from ..outputs.output_folder import OutputFolder, is_empty_folder
from ..outputs.part_writer import part_name
from .job import JobDirectory
from .output import Output, Pieces
from .written_files import Stretch, attempt_name

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

_SUFFIX = ".parquet"
# Hidden folders of jobs: what one has left is no obstacle for the next driver.
_OF_JOBS = re.compile(r"\.sortie-[0-9a-f]{16}")
_RANGES, _FILES = "ranges", "files"


def check_folder(path: str, job: str, trace: str | None, *, may_be_written: bool) -> None:
    """Raises Error where no such folder can be made. job: the job directory. may_be_written: by an earlier driver of
    the job."""
    target = os.path.realpath(path)
    for what, place in (("job", job), *((("trace", trace),) if trace is not None else ())):
        if os.path.commonpath([target, os.path.realpath(place)]) == target:
            raise Error(f"{what} is within the output, '{place}', a folder of tables alone: name another")
    with naming(path, "write"):
        if not os.path.lexists(target):
            # As who makes it would be told.
            if not os.path.isdir(os.path.dirname(target)):
                raise FileNotFoundError(2, os.strerror(2))
            if not os.access(os.path.dirname(target), os.W_OK | os.X_OK):
                raise PermissionError(13, os.strerror(13))
        elif not may_be_written and not (os.path.isdir(target) and all(map(_OF_JOBS.search, os.listdir(target)))):
            is_empty_folder(path)


class _File(NamedTuple):
    """A file of a range. path: within the folder of the range; target: within that of all."""

    range_number: int
    path: str
    target: str
    bytes: int
    checksum: str


class TableFolder(Output):
    def __init__(self, path: str, job: JobDirectory) -> None:
        super().__init__(job)
        self._target = os.path.realpath(path)
        parent, name = os.path.split(self._target)
        scratch = f".{name[:200]}.{job.secret_name()}"
        within = os.path.join(self._target, scratch)
        is_there = os.path.isdir(within) or (os.path.isdir(self._target)
                                             and not os.path.isdir(os.path.join(parent, scratch)))
        self._scratch = within if is_there else os.path.join(parent, scratch)

    def place(self, part: int, offset: int) -> tuple[str, int | None]:
        return os.path.join(self._scratch, _RANGES, f"{part:06d}"), None

    def prepare(self, total_bytes: int) -> None:
        try:
            os.makedirs(self._scratch, 0o700, exist_ok=True)
            os.makedirs(os.path.join(self._scratch, _RANGES), exist_ok=True)
        except OSError as error:
            raise file_error_of(error, f"cannot make '{self._scratch}'", self._scratch) from error

    def _files(self) -> Iterator[_File]:
        """In the order of the rows. Numbers of one folder follow one another, whatever ranges its files come from."""
        parts = int(self._job.require("ranges.json")["parts"])
        merged = [self._job.require(f"merged/{number:06d}.json") for number in range(parts)]
        has_rows = any(told["output"]["records"] for told in merged)
        counts: Counter[str] = Counter()
        for number, told in enumerate(merged):
            # The file of a range without rows is one too many.
            for path, size, checksum in told["files"] if told["output"]["records"] or (not has_rows
                                                                                       and number == 0) else ():
                folder = os.path.dirname(path)
                yield _File(number, path, os.path.join(folder, part_name(counts[folder], _SUFFIX)), size, checksum)
                counts[folder] += 1

    def pieces(self, merged: list[dict[str, Any]]) -> Pieces:
        return [(file.bytes, file.checksum) for file in self._files()]

    def written(self, pieces: Pieces, mark: list[int] | None) -> list[Stretch] | None:
        return [Stretch(self._now(file), 0, file.bytes, file.checksum) for file in self._files()]

    def _now(self, file: _File) -> str:
        """Where it lies: an earlier driver may have been at it."""
        places = (os.path.join(self.place(file.range_number, 0)[0], file.path),
                  os.path.join(self._scratch, _FILES, file.target))
        return next(filter(os.path.lexists, places), os.path.join(self._target, file.target))

    def finish(self, ranges: list[dict[str, Any]], mark: list[int] | None) -> None:
        """May be done again from wherever it was ended."""
        whole = os.path.join(self._scratch, _FILES)
        with naming(self._target, "write"):
            for file in self._files():
                now, target = self._now(file), os.path.join(whole, file.target)
                if now.startswith(os.path.join(self._scratch, _RANGES, "")):
                    os.makedirs(os.path.dirname(target), exist_ok=True)
                    os.rename(now, target)
            if os.path.isdir(whole):
                self._put_in_place(whole)
            _sync_all(self._target)

    def _put_in_place(self, whole: str) -> None:
        """A new folder gets its name at once. One that is there stays what it is."""
        if not os.path.lexists(self._target):
            os.rename(whole, self._target)
            return
        foreign = sorted(set(os.listdir(self._target)) - {os.path.basename(self._scratch)} - self._names())
        if foreign:
            raise Error(f"cannot write '{self._target}': it was empty, or not there, when the sort began, and now "
                        "holds "
                        f"'{foreign[0]}': move that, and give the command again")
        for name in sorted(os.listdir(whole)):
            os.rename(os.path.join(whole, name), os.path.join(self._target, name))
        os.rmdir(whole)

    def _names(self) -> set[str]:
        """The names of what lies in the folder itself."""
        return {file.target.split(os.sep)[0] for file in self._files()}

    def in_place(self, pieces: Pieces) -> list[Stretch]:
        return [Stretch(os.path.join(self._target, file.target), 0, file.bytes, file.checksum)
                for file in self._files()]

    def remove_scratch(self) -> None:
        shutil.rmtree(self._scratch, ignore_errors=True)


def _sync_all(folder: str) -> None:
    for place, _, _ in os.walk(folder):
        descriptor = os.open(place, os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


class RangeFolder(OutputFolder):
    """The files of one range, in a folder that gets its place when all are complete. told: of each its path within the
    folder, length and checksum, in the order of the rows."""

    def __init__(self, place: str) -> None:
        self._place = place
        self._parts: list[tuple[str, _CheckedPart]] = []
        super().__init__(f"{place}.{attempt_name()}")

    def begin(self, folders: Sequence[str], name: str, new_folders: int = 0) -> OutputFile:
        part = _CheckedPart(super().begin(folders, name, new_folders))
        self._parts.append((os.path.join(*folders, name), part))
        return part

    def finish(self) -> None:
        super().finish()
        aside = f"{self._place}.{attempt_name()}"
        with naming(self._place, "write"):
            # What is there was damaged, or nobody knows of it.
            with contextlib.suppress(FileNotFoundError):
                os.rename(self._place, aside)
            os.rename(self.path, self._place)
        shutil.rmtree(aside, ignore_errors=True)

    def told(self) -> list[list[Any]]:
        return [[path, part.tell(), part.checksum.value()] for path, part in self._parts]

    def tell(self) -> int:
        return sum(part.tell() for _, part in self._parts)


class _CheckedPart(OutputFile):
    def __init__(self, part: OutputFile) -> None:
        self.path = part.path
        self._part = part
        self.checksum = ByteChecksum()

    def _take(self, data: "ReadableBuffer") -> None:
        self.checksum.add(data)
        self._part.write(data)

    def finish(self) -> None:
        self._part.finish()
