"""Where the merged ranges go: one file, or parts with a manifest. Either is put in place when all is verified."""

import os
import re
import stat
from collections.abc import Iterable
from typing import Any, Protocol

from .. import Error
from .job import JobDirectory
from .json_files import read_json, remove_file, write_json

_NUMBER = re.compile(r"\{(?::0?\d*d?)?\}")
_PACKED = (".gz", ".bgz", ".zst", ".bz2", ".xz", ".lz4")
_MANIFEST = "manifest.json"
# A file name holds 255 bytes, of which a part that is not in place yet needs some for itself.
_MOST_NAME_BYTES = 200


class Output(Protocol):
    @property
    def copies_to(self) -> str | None:
        """If parts are merged into files of their own, and copied when all sizes are known: to ranges of this file."""

    def place(self, part: int, offset: int) -> tuple[str, int | None]:
        """The file of a part, and where in it; None for all of it. offset: in the concatenation of all parts."""

    def prepare(self, total_bytes: int) -> None:
        """Makes what parts are written into."""

    def mark(self) -> list[int] | None:
        """What tells later which file it was that was verified, if it is one."""

    def finish(self, ranges: list[dict[str, Any]], mark: list[int] | None) -> None:
        """Puts the output in place; the same again does no harm. ranges: for each part its totals and bounds."""

    def is_in_place(self, total_bytes: int) -> bool:
        """Whether what was put in place is still there, as far as lengths tell."""


def make_output(path: str, job: JobDirectory, sizes_are_known: bool) -> Output:
    """path: an absolute one, for which check_output() was called."""
    folder, name = os.path.split(path)
    if _NUMBER.search(name):
        return Parts(folder, name, job)
    return OneFile(os.path.realpath(path), job, sizes_are_known)


def check_output(path: str, inputs: Iterable[str]) -> None:
    """Raises Error where such an output cannot be written. Paths are absolute."""
    folder, name = os.path.split(path)
    if _NUMBER.search(name):
        _refuse_long_names(name)
        _refuse_manifest_of_others(os.path.join(folder, _MANIFEST))
        _refuse_parts_over_inputs(folder, name, inputs)
        return
    if not name or not os.path.isdir(folder):
        raise Error(f"cannot write '{path}': no such directory")
    if path.endswith(_PACKED):
        raise Error(f"cannot pack '{path}', whose ranges are written at once: name it otherwise, or write parts, as in "
                    "'out/part-{:05d}.gz'")
    if os.path.exists(path) and not stat.S_ISREG(os.stat(path).st_mode):
        raise Error(f"cannot write ranges of '{path}', which is no regular file: name a file, or parts")


def require_writable(path: str) -> None:
    """Raises Error where nothing can be written beside the output. The folder of parts may have to be made."""
    folder, name = os.path.split(path)
    if _NUMBER.search(name):
        while not os.path.lexists(folder):
            folder = os.path.dirname(folder)
    else:
        folder = os.path.dirname(os.path.realpath(path))
    if not os.path.isdir(folder):
        raise Error(f"cannot write '{path}': '{folder}' is no directory")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise Error(f"cannot write '{path}': '{folder}' cannot be written to")


def _refuse_long_names(pattern: str) -> None:
    name_bytes = len(os.fsencode(_numbered(pattern, 999_999)))
    if name_bytes > _MOST_NAME_BYTES:
        raise Error(f"the names of parts like '{pattern}' would have {name_bytes} bytes: {_MOST_NAME_BYTES} are the most")


def _numbered(pattern: str, part: int) -> str:
    return _NUMBER.sub(lambda found: found[0].format(part), pattern, count=1)


def _refuse_parts_over_inputs(folder: str, pattern: str, inputs: Iterable[str]) -> None:
    """A job that ended when some parts were in place could not go on: the inputs would not be those that it knows."""
    before, behind = _NUMBER.split(pattern, maxsplit=1)
    part = re.compile(f"{re.escape(before)}[ 0-9]+{re.escape(behind)}")
    parts_folder = os.path.realpath(folder)
    for path in inputs:
        entry = os.path.join(os.path.realpath(os.path.dirname(path)), os.path.basename(path))
        for name in (entry, os.path.realpath(path)):
            if os.path.dirname(name) == parts_folder and (part.fullmatch(os.path.basename(name))
                                                          or os.path.basename(name) == _MANIFEST):
                raise Error(f"a part of the output would replace the input '{path}': name parts otherwise, or another "
                            "folder")


def _refuse_manifest_of_others(path: str) -> None:
    told = read_json(path)
    if os.path.lexists(path) and not (isinstance(told, dict) and "parts" in told):
        raise Error(f"'{path}' is there, and no manifest of parts: move it, or name another folder")


class OneFile:
    def __init__(self, target: str, job: JobDirectory, sizes_are_known: bool) -> None:
        self._target = target
        folder, name = os.path.split(target)
        self._scratch = os.path.join(folder, f".{name[:200]}.{job.secret_name()}")
        self._job = job
        self.copies_to = None if sizes_are_known else self._scratch

    def place(self, part: int, offset: int) -> tuple[str, int | None]:
        return (self._job.item("parts", part), None) if self.copies_to else (self._scratch, offset)

    def prepare(self, total_bytes: int) -> None:
        try:
            if not (os.path.isfile(self._scratch) and not os.path.islink(self._scratch)
                    and os.path.getsize(self._scratch) == total_bytes):
                # Ranges that were written are in another file, or nowhere.
                self._job.forget("copied" if self.copies_to else "merged")
                remove_file(self._scratch)
                with open(os.open(self._scratch, os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_WRONLY, 0o600),
                          "wb") as file:
                    file.truncate(total_bytes)
        except OSError as error:
            raise Error(f"cannot write '{self._scratch}': {error.strerror}") from None

    def mark(self) -> list[int] | None:
        return _identity(self._scratch)

    def finish(self, ranges: list[dict[str, Any]], mark: list[int] | None) -> None:
        try:
            if _identity(self._scratch) != mark:
                if _identity(self._target) == mark:
                    return  # renamed before a driver died
                raise Error(f"'{self._scratch}' is not the file that was verified: remove '{self._job.path}', and sort "
                            "again")
            with open(os.open(self._scratch, os.O_RDWR | os.O_NOFOLLOW), "rb+") as file:
                os.fchmod(file.fileno(), _mode_of(self._target))
                os.fsync(file.fileno())
            os.replace(self._scratch, self._target)
            _sync_folder(os.path.dirname(self._target))
        except OSError as error:
            raise Error(f"cannot put '{self._scratch}' in place of '{self._target}': {error.strerror}") from None

    def is_in_place(self, total_bytes: int) -> bool:
        return _length(self._target) == total_bytes


class Parts:
    """Files whose concatenation is the output: a header is in front of the first. manifest.json beside them is written
    last."""

    copies_to = None

    def __init__(self, folder: str, pattern: str, job: JobDirectory) -> None:
        self._folder = folder
        self._pattern = pattern
        self._name = job.secret_name()

    def name(self, part: int) -> str:
        return _numbered(self._pattern, part)

    def place(self, part: int, offset: int) -> tuple[str, int | None]:
        # The command goes by the suffix.
        return os.path.join(self._folder, f".{self._name}-{self.name(part)}"), None

    def prepare(self, total_bytes: int) -> None:
        try:
            os.makedirs(self._folder, exist_ok=True)
        except OSError as error:
            raise Error(f"cannot make '{self._folder}': {error.strerror}") from None

    def mark(self) -> list[int] | None:
        return None

    def is_in_place(self, total_bytes: int) -> bool:
        parts = self._parts_in_manifest()
        return (len(parts) > 0 and sum(parts.values()) == total_bytes
                and all(_length(os.path.join(self._folder, name)) == count for name, count in parts.items()))

    def finish(self, ranges: list[dict[str, Any]], mark: list[int] | None) -> None:
        manifest = os.path.join(self._folder, _MANIFEST)
        try:
            for part, item in enumerate(ranges):
                hidden, final = self.place(part, 0)[0], os.path.join(self._folder, self.name(part))
                if os.path.exists(hidden) or os.path.getsize(final) != item["file_bytes"]:
                    os.replace(hidden, final)
            _sync_folder(self._folder)
            write_json(manifest, {"version": 1, "parts": [{"file": self.name(part), **item}
                                                          for part, item in enumerate(ranges)]})
        except OSError as error:
            raise Error(f"cannot put parts in place in '{self._folder}': {error.strerror}") from None

    def _parts_in_manifest(self) -> dict[str, int]:
        """Their names and lengths; none where there is no manifest, or another than parts have."""
        try:
            return {item["file"]: item["file_bytes"]
                    for item in read_json(os.path.join(self._folder, _MANIFEST))["parts"]}
        except (LookupError, TypeError):
            return {}


def _identity(path: str) -> list[int] | None:
    """Which file it is: device and inode. None if there is none."""
    try:
        state = os.lstat(path)
    except FileNotFoundError:
        return None
    return [state.st_dev, state.st_ino] if stat.S_ISREG(state.st_mode) else None


def _length(path: str) -> int | None:
    try:
        return os.path.getsize(path)
    except OSError:
        return None


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
