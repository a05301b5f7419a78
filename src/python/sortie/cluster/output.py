"""Where the merged ranges go: one file, or parts with a manifest. Either is put in place when all is verified."""

import contextlib
import errno
import itertools
import os
import stat
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, cast

from .. import Error
from .._errors import file_error
from .._native import put_in_place
from .._sources import is_source
from .arguments import SortOptions
from .job import JobDirectory
from .paths import MANIFEST, PartNames, is_in_parts, numbered
from .written_files import Stretch, checksum_of, read_json, remove_file, write_json

if TYPE_CHECKING:
    from .tables import TableRequest

_PACKED = (".gz", ".bgz", ".zst", ".bz2", ".xz", ".lz4")
# A file name holds 255 bytes, of which a part that is not in place yet needs some for itself.
_MOST_NAME_BYTES = 200

Pieces = list[tuple[int, str]]


class Output:
    """Where parts are merged to, and what puts them in place."""

    copies_to: str | None = None
    """If parts are merged into files of their own, and copied when all sizes are known: to ranges of this file."""

    def __init__(self, job: JobDirectory) -> None:
        self._job = job
        # The job of the sort whose merges write the output.
        self.results = job

    def place(self, part: int, offset: int) -> tuple[str, int | None]:
        """The file of a part, and where in it; None for all of it. offset: in the concatenation of all parts."""
        raise NotImplementedError

    def prepare(self, total_bytes: int) -> None:
        """Makes what parts are written into."""

    def mark(self) -> list[int] | None:
        """What tells later which file it was that was verified, if it is one."""
        return None

    def behind(self) -> list[tuple[int, str]]:
        """Length and checksum of what is behind all parts."""
        return []

    def written(self, pieces: Pieces, mark: list[int] | None) -> list[Stretch] | None:
        """Where what was verified lies now, in place or not yet; None if it is gone. pieces: length and checksum of all
        parts, and of what is behind them."""
        raise NotImplementedError

    def pieces(self, merged: list[dict[str, Any]]) -> Pieces:
        """Length and checksum of all that ranges were merged into. merged: what was told of them, in their order."""
        return [(told["file_bytes"], told["file_checksum"]) for told in merged]

    def end_lost(self) -> None:
        """Ends what a driver that was killed has sent, and not finished."""

    def send(self, pieces: Pieces) -> None:
        """Brings what was verified to where finish() makes it visible. It may be interrupted, and is followed by finish() or
        give_up()."""

    def give_up(self) -> None:
        """Takes back what send() has sent. Does nothing after finish()."""

    def finish(self, ranges: list[dict[str, Any]], mark: list[int] | None) -> None:
        """Puts the output in place; the same again does no harm. ranges: for each part its totals and bounds."""

    def in_place(self, pieces: Pieces) -> list[Stretch]:
        """What finish() has put in place."""
        raise NotImplementedError

    def remove_scratch(self) -> None:
        """Removes what finish() has left beside the output."""


def make_output(path: str, job: JobDirectory, sort: SortOptions, table: "TableRequest | None") -> Output:
    """path: an absolute one, for which check_output() was called."""
    if sort.cuts:
        from .split_output import SplitFiles
        return SplitFiles(path, job, sort.cuts_by_key)
    if table is not None and table.is_folder:
        from .folder_output import TableFolder
        return TableFolder(path, job)
    if table is not None and not is_in_parts(path):
        from .parquet_output import OneObject, OneParquetFile
        return OneObject(path, job) if is_source(path) else OneParquetFile(path, job)
    if is_in_parts(path):
        return Parts(*os.path.split(path), job)
    return OneFile(os.path.realpath(path), job, sort.sizes_are_known)


def check_output(path: str, inputs: Iterable[str], has_cuts: bool = False) -> None:
    """Raises Error where such an output cannot be written. Paths are absolute. has_cuts: whether it is cut into files."""
    if is_source(path):
        from .parquet_output import check_object
        return check_object(path)
    folder, name = os.path.split(path)
    if is_in_parts(path):
        name_bytes = len(os.fsencode(numbered(name, 999_999)))
        if name_bytes > _MOST_NAME_BYTES:
            raise Error(f"the names of parts like '{name}' would have {name_bytes} bytes: {_MOST_NAME_BYTES} are the most")
        if has_cuts:
            from .split_output import refuse_cuts_over_inputs
            return refuse_cuts_over_inputs(path, inputs)
        _refuse_manifest_of_others(os.path.join(folder, MANIFEST))
        _refuse_parts_over_inputs(path, inputs)
        return
    _refuse_no_place(path, folder, name)
    if path.lower().endswith(_PACKED):
        raise Error(f"cannot pack '{path}', whose ranges are written at once: name it otherwise, or write parts, as in "
                    "'out/part-{:05d}.gz'")
    if os.path.exists(path) and not stat.S_ISREG(os.stat(path).st_mode):
        raise Error(f"cannot write ranges of '{path}', which is no regular file: name a file, or parts")


def require_writable(path: str) -> None:
    """Raises Error where nothing can be written beside the output, or over it. The folder of parts may have to be
    made."""
    if is_source(path):
        from .parquet_output import require_object_writable
        return require_object_writable(path)
    folder, name = os.path.split(path)
    if is_in_parts(path):
        while not os.path.lexists(folder):
            folder = os.path.dirname(folder)
    else:
        folder = os.path.dirname(os.path.realpath(path))
        if os.path.exists(path) and not os.access(path, os.W_OK):
            raise _cannot_write(path, errno.EACCES, "Permission denied")
    if not os.path.isdir(folder):
        raise _cannot_write(path, errno.ENOTDIR, f"'{folder}' is no directory")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise _cannot_write(path, errno.EACCES, f"'{folder}' cannot be written to")


def _refuse_no_place(path: str, folder: str, name: str) -> None:
    if name and os.path.exists(folder) and not os.path.isdir(folder):
        raise _cannot_write(path, errno.ENOTDIR, f"'{folder}' is no directory")
    if name and not os.path.exists(folder):
        raise _cannot_write(path, errno.ENOENT, "no such directory")
    if not name or os.path.isdir(path):
        raise _cannot_write(path, errno.EISDIR, "it names a directory; name a file in it, or parts")


def _cannot_write(path: str, number: int, reason: str) -> Exception:
    """With the number that the system has for it."""
    return cast(Exception, file_error(f"cannot write '{path}': {reason}", None, number, path))


def _refuse_parts_over_inputs(path: str, inputs: Iterable[str]) -> None:
    """A job that ended when some parts were in place could not go on: the inputs would not be those that it knows."""
    names = PartNames(path)
    for item in inputs:
        if names.replace(item):
            raise Error(f"a part of the output would replace the input '{item}': name parts otherwise, or another folder")


def _refuse_manifest_of_others(path: str) -> None:
    told = read_json(path)
    if os.path.lexists(path) and not (isinstance(told, dict) and "parts" in told):
        raise Error(f"'{path}' is there, and no manifest of parts: move it, or name another folder")


class OneFile(Output):
    def __init__(self, target: str, job: JobDirectory, sizes_are_known: bool) -> None:
        super().__init__(job)
        self._target = target
        folder, name = os.path.split(target)
        self._scratch = os.path.join(folder, f".{name[:200]}.{job.secret_name()}")
        self.copies_to = None if sizes_are_known else self._scratch

    def place(self, part: int, offset: int) -> tuple[str, int | None]:
        return (self._job.item("parts", part), None) if self.copies_to else (self._scratch, offset)

    def prepare(self, total_bytes: int) -> None:
        try:
            if not (os.path.isfile(self._scratch) and not os.path.islink(self._scratch)
                    and os.path.getsize(self._scratch) == total_bytes):
                # Ranges that were written are in another file, or nowhere.
                self.results.forget("copied" if self.copies_to else "merged")
                remove_file(self._scratch)
                with open(os.open(self._scratch, os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_WRONLY, 0o600),
                          "wb") as file:
                    file.truncate(total_bytes)
        except OSError as error:
            raise Error(f"cannot write '{self._scratch}': {error.strerror}") from None

    def mark(self) -> list[int] | None:
        # A time that is set is one that no machine which has written to the file changes late.
        with contextlib.suppress(OSError, NotImplementedError):
            os.utime(self._scratch, follow_symlinks=False)
        return identity_of(self._scratch)

    def written(self, pieces: Pieces, mark: list[int] | None) -> list[Stretch] | None:
        for path in (self._scratch, self._target):
            if mark is not None and identity_of(path) == mark:
                return one_behind_the_other(path, pieces)
        return None

    def finish(self, ranges: list[dict[str, Any]], mark: list[int] | None) -> None:
        if identity_of(self._scratch) != mark:
            if identity_of(self._target) == mark:
                return  # renamed before a driver died
            raise Error(f"'{self._scratch}' is not the file that was verified: give the command again")
        try:
            put_in_place(self._scratch, self._target)
        except Error as error:
            raise Error(f"cannot put '{self._scratch}' in place of '{self._target}': {error}; give the command again "
                        "once that can be") from None

    def in_place(self, pieces: Pieces) -> list[Stretch]:
        return one_behind_the_other(self._target, pieces)

    def remove_scratch(self) -> None:
        # It stays if it was copied, since the target has other names, for one.
        remove_file(self._scratch)


class Parts(Output):
    """Files whose concatenation is the output: a header is in front of the first. manifest.json beside them is written
    last."""

    def __init__(self, folder: str, pattern: str, job: JobDirectory) -> None:
        super().__init__(job)
        self._folder = folder
        self._pattern = pattern
        self._name = job.secret_name()
        # The same for each driver of the job: what one has left that was killed, the next one replaces.
        self._hidden_manifest = os.path.join(folder, f".{self._name}-{MANIFEST}")

    def name(self, part: int) -> str:
        return numbered(self._pattern, part)

    def place(self, part: int, offset: int) -> tuple[str, int | None]:
        # The command goes by the suffix.
        return os.path.join(self._folder, f".{self._name}-{self.name(part)}"), None

    def prepare(self, total_bytes: int) -> None:
        try:
            os.makedirs(self._folder, exist_ok=True)
        except OSError as error:
            raise Error(f"cannot make '{self._folder}': {error.strerror}") from None

    def written(self, pieces: Pieces, mark: list[int] | None) -> list[Stretch] | None:
        found = []
        for part, (count, checksum) in enumerate(pieces):
            hidden, final = self.place(part, 0)[0], self._final(part)
            found.append(Stretch(hidden if os.path.lexists(hidden) else final, 0, count, checksum))
        return found

    def in_place(self, pieces: Pieces) -> list[Stretch]:
        manifest = os.path.join(self._folder, MANIFEST)
        count = os.path.getsize(manifest)
        parts = [Stretch(self._final(part), 0, *piece) for part, piece in enumerate(pieces)]
        return [*parts, Stretch(manifest, 0, count, checksum_of(manifest, 0, count) or "")]

    def _final(self, part: int) -> str:
        return os.path.join(self._folder, self.name(part))

    def finish(self, ranges: list[dict[str, Any]], mark: list[int] | None) -> None:
        manifest = os.path.join(self._folder, MANIFEST)
        try:
            for part, item in enumerate(ranges):
                hidden, final = self.place(part, 0)[0], self._final(part)
                if os.path.exists(hidden) or os.path.getsize(final) != item["file_bytes"]:
                    put_part(hidden, final)
            write_json(manifest, {"version": 1, "parts": [{"file": self.name(part), **item}
                                                          for part, item in enumerate(ranges)]}, self._hidden_manifest)
        except OSError as error:
            raise Error(f"cannot put parts in place in '{self._folder}': {error.strerror}") from None


def put_part(hidden: str, final: str) -> None:
    """A former part keeps what it has beside its contents."""
    if not os.path.lexists(final):
        os.replace(hidden, final)
    elif not put_in_place(hidden, final):
        remove_file(hidden)


def one_behind_the_other(path: str, pieces: Pieces) -> list[Stretch]:
    offsets = itertools.accumulate((count for count, _ in pieces), initial=0)
    return [Stretch(path, offset, *piece) for offset, piece in zip(offsets, pieces, strict=False)]


def identity_of(path: str) -> list[int] | None:
    """Which file it is: inode, length and time of change. None if there is none. The number of its device does not count:
    it may be another one once the machine has started anew, or the disk is mounted again."""
    try:
        state = os.lstat(path)
    except FileNotFoundError:
        return None
    return [state.st_ino, state.st_size, state.st_mtime_ns] if stat.S_ISREG(state.st_mode) else None
