"""The slices of runs that a range consists of, by the rows in which the command tells where bounds cut runs (cut_file.hpp),
and how those of other nodes come to the one that merges them."""

import contextlib
import os
import struct
from collections.abc import Iterator
from typing import Any, NamedTuple

from .. import Error
from .commands import Commands
from .job import JobDirectory
from .written_files import attempt_name, checksum_of_bytes
from .machine import node_name
from .node_disks import Piece, attempt_folder, private_folder, remove_remains

_NAMES = ("block", "block_bytes", "records", "bytes", "output_bytes", "stored_begin", "stored_end", "index_begin",
          "index_end", "index_checksum")
_CUT = struct.Struct(f"<{len(_NAMES)}Q")
_NUMBER = struct.Struct("<Q")


def read_rows(path: str, parts: int, part: int, runs: int) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The cuts in front of a part and behind it. Raises Error for rows that are damaged."""
    width = 2 * _NUMBER.size + runs * _CUT.size
    with open(path, "rb") as file:
        if os.fstat(file.fileno()).st_size != width * (parts + 1):
            raise _damaged(path)
        file.seek(part * width)
        return _read_row(path, file.read(width), part), _read_row(path, file.read(width), part + 1)


def _read_row(path: str, row: bytes, number: int) -> list[dict[str, Any]]:
    low_word = int(checksum_of_bytes(row[:-_NUMBER.size]), 16) % (1 << 64)
    if _NUMBER.unpack_from(row)[0] != number or _NUMBER.unpack_from(row, len(row) - _NUMBER.size)[0] != low_word:
        raise _damaged(path)
    cuts = []
    for values in _CUT.iter_unpack(row[_NUMBER.size:-_NUMBER.size]):
        cut: dict[str, Any] = dict(zip(_NAMES, values, strict=True))
        cuts.append({**cut, "index_checksum": f"{cut['index_checksum']:016x}"})
    return cuts


def _damaged(path: str) -> Error:
    return Error(f"file '{path}' cannot be used: what it says of cuts is damaged; cut the runs again")


# In front of all blocks of a run, see FORMAT.md.
_HEADER_BYTES = 64
# Between two questions whether an attempt is to end, which may be ones to a network file system.
_COPIED_BYTES = 64 << 20


class Slice(NamedTuple):
    """Of the run with this number, between two cuts. node: whose disk has the file, or None for one that all see."""

    node: str | None
    path: str
    file_bytes: int
    run: int
    begin: dict[str, Any]
    end: dict[str, Any]

    def pieces(self) -> list[Piece]:
        """All that a merge reads."""
        stretches = [(0, _HEADER_BYTES), (self.begin["stored_begin"], self.end["stored_end"]),
                     (self.begin["index_begin"], self.end["index_end"])]
        return [Piece(self.path, begin, end - begin) for begin, end in stretches]

    def as_planned(self) -> dict[str, Any]:
        """As the command reads it."""
        return {"path": self.path, "run": self.run, "begin": self.begin, "end": self.end}


def slices_of_range(job: JobDirectory, number: int, parts: int) -> list[Slice]:
    """Those that are not empty, in the order of their runs."""
    slices = []
    run = 0
    for shard, formed in enumerate(job.require("runs.json")["shards"]):
        if not formed["runs"]:
            continue
        begins, ends = read_rows(job.item("cuts", shard, ".rows"), parts, number, len(formed["runs"]))
        for (path, file_bytes), begin, end in zip(formed["runs"], begins, ends, strict=True):
            if end["records"] > begin["records"]:
                slices.append(Slice(formed["scratch_node"], path, file_bytes, run, begin, end))
            run += 1
    return slices


@contextlib.contextmanager
def within_reach(slices: list[Slice], number: int, scratch: str | None, commands: Commands) -> Iterator[list[Slice]]:
    """The same slices in files that can be read here. What other nodes have is copied to the disk of this one, and
    removed again: files as long as the runs, of which all that is not needed is a hole."""
    own = commands.disks.node
    distant = [item for item in slices if item.node not in (None, own)]
    if not distant or scratch is None:
        yield slices
        return
    folder = private_folder(scratch, own)
    remove_remains(folder)
    with attempt_folder(os.path.join(folder, f"{number:06d}.{attempt_name()}")) as copies:
        try:
            _copy(distant, copies, commands)
        except OSError as error:
            raise Error(f"on {node_name()}: cannot write '{copies}': {error.strerror}") from None
        try:
            yield [item if item.node in (None, own) else item._replace(node=own, path=_copy_of(item.path, copies))
                   for item in slices]
        except Error:
            # The disk of a node that dies may be gone first. That says nothing of runs on other nodes.
            if all(os.path.exists(_copy_of(item.path, copies)) for item in distant):
                raise
            raise Error(f"on {node_name()}: what was copied to '{copies}' is gone") from None


def _copy_of(path: str, copies: str) -> str:
    # The names of runs differ, on whatever node they were formed.
    return os.path.join(copies, os.path.basename(path))


def _copy(distant: list[Slice], copies: str, commands: Commands) -> None:
    wanted: dict[str, list[Piece]] = {}
    for item in distant:
        wanted.setdefault(str(item.node), []).extend(item.pieces())
        with open(_copy_of(item.path, copies), "xb") as file:
            file.truncate(item.file_bytes)
    unasked = 0
    for piece, data in commands.disks.read(wanted):
        unasked += len(data)
        if unasked > _COPIED_BYTES:
            commands.refuse_if_cancelled()
            unasked = 0
        with open(_copy_of(piece.path, copies), "r+b") as file:
            file.seek(piece.offset)
            file.write(data)
