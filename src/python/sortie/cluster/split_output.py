"""An output in files that the records cut: by the values of a key (--split-by), by bytes or by number. Ranges are
merged into the job directory, and cut by a command that takes their records as merges have written them. By a key, each
range is cut by itself, and the records of files in which neighbours meet are cut once more, together. Else one command
cuts all ranges."""

import base64
import json
import os
import re
import shutil
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from .. import Error
from .._arguments import folded, lead_to_one_name
from .._errors import file_error_of
from .commands import Commands
from .job import JobDirectory
from .job_plan import node_name
from .output import Output, Pieces, put_part
from .paths import NUMBER
from .totals import Totals
from .written_files import Stretch, attempt_name, checksum_of, length_of, remove_file


# In front of each record, where lengths tell where records end (PREFIXED.md).
_FRAME_BYTES = 8


class CutFile(NamedTuple):
    """name: within the folder that a task has made. bytes, checksum: of the file; what follows: of its records, as they
    were merged."""

    name: str
    bytes: int
    checksum: str
    records: int
    record_bytes: int
    record_checksum: str

    @property
    def totals(self) -> Totals:
        return Totals(self.records, self.record_bytes, int(self.record_checksum, 16))


class Source(NamedTuple):
    """Bytes of the range with this number, which was merged into a file that is `whole`."""

    number: int
    whole: Stretch
    begin: int
    bytes: int

    def __str__(self) -> str:
        return self.whole.path


def cut_into(commands: Commands, words: Sequence[str], ranges: dict[str, Any], pattern: str, place: str,
             scratch: str, manifest: str = "") -> tuple[list[str], list[CutFile]]:
    """The records of ranges as files in the folder `place`, which is made when all are complete, and takes the place of
    what is there. ranges: as the command gets them; scratch: a path for that, and for what the command tells. manifest: a
    name beside the files for the same, or none. Returns the checksums of what was read of each range, and the files in
    the order of the rows, that one last."""
    made = f"{place}.{attempt_name()}"
    os.makedirs(made)
    try:
        with open(scratch, "x", encoding="ascii") as file:
            json.dump(ranges, file)
        told = commands.run([*words, f"--split-ranges={scratch}", f"--manifest={scratch}.files",
                             "-o", os.path.join(made, pattern)])
        with open(f"{scratch}.files", encoding="utf-8") as file:
            parts = json.load(file)["parts"]
        files = []
        for part in parts:
            name = _name_in_manifest(part["file"])
            path = os.path.join(made, name)
            size = os.path.getsize(path)
            files.append(CutFile(name, size, checksum_of(path, 0, size, commands.refuse_if_cancelled) or "",
                                 part["records"], part["bytes"], part["checksum"]))
        if manifest:
            files.append(_list_beside(f"{scratch}.files", os.path.join(made, manifest)))
        aside = f"{made}.old"
        if os.path.isdir(place):
            os.rename(place, aside)
        os.rename(made, place)
        shutil.rmtree(aside, ignore_errors=True)
        return list(told["checksums"]), files
    except OSError as error:
        raise Error(f"on {node_name()}: cannot write '{place}': {error.strerror}") from None
    finally:
        shutil.rmtree(made, ignore_errors=True)
        remove_file(scratch)
        remove_file(f"{scratch}.files")


def _list_beside(told: str, path: str) -> CutFile:
    """No records are in it."""
    shutil.copyfile(told, path)
    size = os.path.getsize(path)
    return CutFile(os.path.basename(path), size, checksum_of(path, 0, size) or "", 0, 0, "0")


def _name_in_manifest(told: Any) -> str:
    """A name of bytes that are no UTF-8 is an object there."""
    return told if isinstance(told, str) else os.fsdecode(base64.b64decode(told["base64"]))


class SplitFiles(Output):
    """path: with a place for values or numbers. by_key: whether files end where a key does, so that each range can be
    cut by itself."""

    def __init__(self, path: str, job: JobDirectory, by_key: bool) -> None:
        super().__init__(job)
        self.folder, self.pattern = os.path.split(path)
        self.by_key = by_key
        self._scratch = os.path.join(self.folder, f".{job.secret_name()}")

    def place(self, part: int, offset: int) -> tuple[str, int | None]:
        return self._job.item("parts", part), None

    def place_of_cuts(self, stage: str, number: int) -> str:
        return os.path.join(self._scratch, stage, f"{number:06d}")

    def prepare(self, total_bytes: int) -> None:
        try:
            os.makedirs(self.folder, exist_ok=True)
            os.makedirs(self._scratch, 0o700, exist_ok=True)
        except OSError as error:
            raise file_error_of(error, f"cannot make '{self._scratch}'", self._scratch) from error

    def _files(self) -> dict[str, tuple[str, CutFile]]:
        """By their names, in which folder they are made, and what they are."""
        found = [(folder, CutFile(*file)) for folder, *file in self._job.require("split.json")]
        return {file.name: (folder, file) for folder, file in found}

    def keep(self, found: Iterable[tuple[str, CutFile]]) -> None:
        """found: all files with the folders in which they lie."""
        self._job.write("split.json", [[folder, *file] for folder, file in found])

    def pieces(self, merged: list[dict[str, Any]]) -> Pieces:
        return [(file.bytes, file.checksum) for _, file in self._files().values()]

    def written(self, pieces: Pieces, mark: list[int] | None) -> list[Stretch] | None:
        found = []
        for folder, file in self._files().values():
            hidden = os.path.join(folder, file.name)
            found.append(Stretch(hidden if os.path.lexists(hidden) else self._final(file), 0, file.bytes,
                                 file.checksum))
        return found

    def _final(self, file: CutFile) -> str:
        return os.path.join(self.folder, file.name)

    def in_place(self, pieces: Pieces) -> list[Stretch]:
        return [Stretch(self._final(file), 0, file.bytes, file.checksum) for _, file in self._files().values()]

    def finish(self, ranges: list[dict[str, Any]], mark: list[int] | None) -> None:
        try:
            for folder, file in self._files().values():
                hidden, final = os.path.join(folder, file.name), self._final(file)
                if os.path.lexists(hidden) or length_of(final) != file.bytes:
                    put_part(hidden, final)
        except OSError as error:
            raise Error(f"cannot put files in place in '{self.folder}': {error.strerror}") from None

    def remove_scratch(self) -> None:
        shutil.rmtree(self._scratch, ignore_errors=True)


def refuse_cuts_over_inputs(path: str, inputs: Iterable[str]) -> None:
    """Raises Error for an input that a file of the output may replace."""
    folder, pattern = os.path.split(path)
    before, behind = NUMBER.split(pattern, maxsplit=1)
    names = re.compile(f"{re.escape(before)}.+{re.escape(behind)}", re.DOTALL)
    for item in inputs:
        for place in (item, os.path.realpath(item)):
            its_folder, name = os.path.split(place)
            if os.path.realpath(its_folder) == os.path.realpath(folder) and names.fullmatch(name):
                raise Error(f"a part of the output would replace the input '{item}': name parts otherwise, or another "
                            "folder")


def chains_of(files_of_ranges: Sequence[list[CutFile]]) -> list[list[int]]:
    """Which ranges that follow each other meet within a file, maybe: the numbers of those from the last file of the
    first to the first file of the last. A range with one file is in the middle, those without are left out."""
    filled = [number for number, files in enumerate(files_of_ranges) if files]
    chains: list[list[int]] = []
    for number in filled:
        if chains:
            chains[-1].append(number)
        if not chains or len(files_of_ranges[number]) > 1:
            chains.append([number])
    return [chain for chain in chains if len(chain) > 1]


def have_names_of_their_own(folder: str, names: Iterable[str]) -> bool:
    """Whether no two of them would be one file of the folder, whose file system may take 'a' and 'A' for the same."""
    found: dict[str, list[str]] = {}
    for name in names:
        alike = found.setdefault(folded(name), [])
        path = os.path.join(folder, name)
        if any(other == name or lead_to_one_name(path, os.path.join(folder, other)) for other in alike):
            return False
        alike.append(name)
    return True


def ends_of_chain(files_of_ranges: Sequence[list[CutFile]], chain: Sequence[int]) -> list[tuple[int, CutFile]]:
    """The files whose records a chain joins, with the numbers of their ranges."""
    return [(number, files_of_ranges[number][-1 if number == chain[0] else 0]) for number in chain]


def source_of_end(number: int, whole: Stretch, files: Sequence[CutFile], file: CutFile, is_framed: bool) -> Source:
    """The records of the first or the last file of a range, where they lie in that. files: of the range."""
    size = file.record_bytes + (_FRAME_BYTES * file.records if is_framed else 0)
    return Source(number, whole, 0 if file == files[0] else whole.bytes - size, size)
