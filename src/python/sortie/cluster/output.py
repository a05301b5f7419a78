"""Where the merged ranges go: one file, or parts with a manifest. Either is put in place when all is verified."""

import hashlib
import os
import re
import stat
from typing import Any, Protocol

from .. import Error
from .job import JobDirectory
from .json_files import remove_file, write_json

_NUMBER = re.compile(r"\{(?::0?\d*d?)?\}")
_PACKED = (".gz", ".zst", ".bz2")


class Output(Protocol):
    @property
    def copies_to(self) -> str | None:
        """If parts are merged into files of their own, and copied when all sizes are known: to ranges of this file."""

    def place(self, part: int, offset: int) -> tuple[str, int | None]:
        """The file of a part, and where in it; None for all of it. offset: in the concatenation of all parts."""

    def prepare(self, total_bytes: int) -> None:
        """Makes what parts are written into."""

    def finish(self, ranges: list[dict[str, Any]]) -> None:
        """Puts the output in place; the same again does no harm. ranges: for each part its totals and bounds."""


def make_output(path: str, job: JobDirectory, sizes_are_known: bool) -> Output:
    folder = os.path.dirname(os.path.abspath(path))
    if _NUMBER.search(os.path.basename(path)):
        return Parts(folder, os.path.basename(path), job)
    if not os.path.isdir(folder):
        raise Error(f"cannot write '{path}': no such directory")
    if path.endswith(_PACKED):
        raise Error(f"cannot pack '{path}', whose ranges are written at once: name it otherwise, or write parts, as in "
                    "'out/part-{:05d}.gz'")
    if os.path.exists(path) and not stat.S_ISREG(os.stat(path).st_mode):
        raise Error(f"cannot write ranges of '{path}', which is no regular file: name a file, or parts")
    return OneFile(os.path.realpath(path), job, sizes_are_known)


def _job_name(job: JobDirectory) -> str:
    return "sortie-" + hashlib.sha256(os.fsencode(job.path)).hexdigest()[:12]


class OneFile:
    def __init__(self, target: str, job: JobDirectory, sizes_are_known: bool) -> None:
        self._target = target
        folder, name = os.path.split(target)
        self._scratch = os.path.join(folder, f".{name[:200]}.{_job_name(job)}")
        self._job = job
        self.copies_to = None if sizes_are_known else self._scratch

    def place(self, part: int, offset: int) -> tuple[str, int | None]:
        return (self._job.item("parts", part), None) if self.copies_to else (self._scratch, offset)

    def prepare(self, total_bytes: int) -> None:
        try:
            if not (os.path.exists(self._scratch) and os.path.getsize(self._scratch) == total_bytes):
                # Ranges that were written are in another file, or nowhere.
                self._job.forget("copied" if self.copies_to else "merged")
                remove_file(self._scratch)
                with open(os.open(self._scratch, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
                    file.truncate(total_bytes)
        except OSError as error:
            raise Error(f"cannot write '{self._scratch}': {error.strerror}") from None

    def finish(self, ranges: list[dict[str, Any]]) -> None:
        try:
            if not os.path.exists(self._scratch):
                if os.path.getsize(self._target) == sum(item["file_bytes"] for item in ranges):
                    return  # renamed before a driver died
                raise FileNotFoundError(2, os.strerror(2))
            os.chmod(self._scratch, _mode_of(self._target))
            with open(self._scratch, "rb+") as file:
                os.fsync(file.fileno())
            os.replace(self._scratch, self._target)
            _sync_folder(os.path.dirname(self._target))
        except OSError as error:
            raise Error(f"cannot put '{self._scratch}' in place of '{self._target}': {error.strerror}") from None


class Parts:
    """Files whose concatenation is the output: a header is in front of the first. manifest.json beside them is written
    last."""

    copies_to = None

    def __init__(self, folder: str, pattern: str, job: JobDirectory) -> None:
        self._folder = folder
        self._pattern = pattern
        self._name = _job_name(job)

    def name(self, part: int) -> str:
        return _NUMBER.sub(lambda found: found[0].format(part), self._pattern, count=1)

    def place(self, part: int, offset: int) -> tuple[str, int | None]:
        # The command goes by the suffix.
        return os.path.join(self._folder, f".{self._name}-{self.name(part)}"), None

    def prepare(self, total_bytes: int) -> None:
        try:
            os.makedirs(self._folder, exist_ok=True)
        except OSError as error:
            raise Error(f"cannot make '{self._folder}': {error.strerror}") from None

    def finish(self, ranges: list[dict[str, Any]]) -> None:
        manifest = os.path.join(self._folder, "manifest.json")
        try:
            remove_file(manifest)
            for part, item in enumerate(ranges):
                hidden, final = self.place(part, 0)[0], os.path.join(self._folder, self.name(part))
                if os.path.exists(hidden) or os.path.getsize(final) != item["file_bytes"]:
                    os.replace(hidden, final)
            _sync_folder(self._folder)
            write_json(manifest, {"version": 1, "parts": [{"file": self.name(part), **item}
                                                          for part, item in enumerate(ranges)]})
        except OSError as error:
            raise Error(f"cannot put parts in place in '{self._folder}': {error.strerror}") from None


def _mode_of(target: str) -> int:
    try:
        return stat.S_IMODE(os.stat(target).st_mode)
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask


def _sync_folder(folder: str) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
