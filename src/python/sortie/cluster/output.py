"""Where the merged ranges go: one file, or parts with a manifest. Either is put in place when all is verified."""

import contextlib
import itertools
import os
import stat
from typing import TYPE_CHECKING, Any

from .. import Error
from .._native import put_in_place
from .._sources import is_source
from .arguments import SortOptions
from .job import JobDirectory
from .paths import MANIFEST, is_in_parts, numbered
from .written_files import Stretch, checksum_of, remove_file, write_json

if TYPE_CHECKING:
    from .file_formats import FileFormat
    from .tables import TableRequest

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
        """Brings what was verified to where finish() makes it visible. It may be interrupted, and is followed by
        finish() or give_up()."""

    def give_up(self) -> None:
        """Takes back what send() has sent. Does nothing after finish()."""

    def finish(self, ranges: list[dict[str, Any]], mark: list[int] | None) -> None:
        """Puts the output in place; the same again does no harm. ranges: for each part its totals and bounds."""

    def in_place(self, pieces: Pieces) -> list[Stretch]:
        """What finish() has put in place."""
        raise NotImplementedError

    def remove_scratch(self) -> None:
        """Removes what finish() has left beside the output."""


def make_output(path: str, job: JobDirectory, sort: SortOptions, table: "TableRequest | None",
                of_files: "FileFormat | None" = None) -> Output:
    """path: an absolute one, for which check_output() was called."""
    if of_files is not None:
        from .format_output import FormatOutput
        return FormatOutput(path, job)
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
    """Which file it is: inode, length and time of change. None if there is none. The number of its device does not
    count: it may be another one once the machine has started anew, or the disk is mounted again."""
    try:
        state = os.lstat(path)
    except FileNotFoundError:
        return None
    return [state.st_ino, state.st_size, state.st_mtime_ns] if stat.S_ISREG(state.st_mode) else None
