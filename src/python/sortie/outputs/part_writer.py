"""Rows into several files, one after another: part-00000.parquet and so on. Each holds about as many bytes, or as many
rows, as were asked for, and the rows of one file come before those of the next."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Protocol

import pyarrow

from .._errors import Error
from .._outputs import FolderOutput, OutputFile
from ..parquet.group_file import EncodedGroup
from ..parquet.parquet_writer import ParquetWriter
from ..parquet.stored_groups import StoredGroup
from .table_writers import ThreadWriter

# The names of files have so many digits, and their order is that of the rows.
_DIGITS = 5


class PartLimits(NamedTuple):
    """Where a file ends: at about so many bytes, as they are encoded, or so many rows; None for no limit."""
    bytes: int | None
    rows: int | None


def part_name(number: int, suffix: str) -> str:
    if number >= 10 ** _DIGITS:
        raise Error(f"the output has more than {10 ** _DIGITS} files in one folder: let them be larger, with "
                    "file_bytes or file_rows")
    return f"part-{number:0{_DIGITS}}{suffix}"


class PartNames:
    """Makes the files of a folder. suffix: of their names."""

    def __init__(self, folder: FolderOutput, suffix: str) -> None:
        self._folder, self._suffix = folder, suffix
        self._place: tuple[str, ...] | None = None
        self._number = 0

    def next(self, place: tuple[str, ...]) -> OutputFile:
        """place: the folders within the folder, one in the other."""
        new = 0
        if place != self._place:
            same = len(os.path.commonprefix([place, self._place or ()]))
            new, self._place, self._number = len(place) - same, place, 0
        part = self._folder.begin(place, part_name(self._number, self._suffix), new)
        self._number += 1
        return part


class PartWriter(Protocol):
    """A TableWriter of several files. begin() says in which folder the rows lie that come then."""

    def begin(self, place: tuple[str, ...]) -> None: ...

    def write(self, batch: pyarrow.RecordBatch) -> None: ...

    def close(self) -> None: ...

    def stop(self) -> None: ...


class ParquetParts(ParquetWriter):
    """arguments: as ParquetWriter takes them behind its file. The next row group, or a begin(), ends a file: so row
    groups of one file are encoded while another one is written. has_places: whether all rows come after a begin(). Else
    there is a file if there is no row."""

    def __init__(self, names: PartNames, limits: PartLimits, has_places: bool, *arguments: Any) -> None:
        super().__init__(None, *arguments)
        self._names, self._limits, self._has_places = names, limits, has_places
        self._place: tuple[str, ...] = ()
        self._begins_file = True
        self._rows = 0  # of the file to which the next rows go

    def begin(self, place: tuple[str, ...]) -> None:
        self._end_of_file()
        self._place = place

    def write(self, batch: pyarrow.RecordBatch) -> None:
        while batch.num_rows:
            if self._rows == self._limits.rows:
                self._end_of_file()
            taken = batch if self._limits.rows is None else batch.slice(0, self._limits.rows - self._rows)
            super().write(taken)
            self._rows += taken.num_rows
            batch = batch.slice(taken.num_rows)

    def close(self) -> None:
        self._end_of_file()
        self._wait(0)
        if self._open is None and not self._has_places:
            self._open = self._begun(self._names.next(()))
        super().close()

    def _end_of_file(self) -> None:
        if self._group.rows:
            self._flush()
        self._begins_file, self._rows = True, 0

    def move(self, group: StoredGroup) -> None:
        if self._limits.rows is None:
            super().move(group)
        else:
            for batch in group.batches():
                self.write(batch)

    def _appending(self) -> Callable[[EncodedGroup | StoredGroup], None]:
        begins_file, self._begins_file = self._begins_file, False
        return functools.partial(self._append_to, self._place, begins_file)

    def _append_to(self, place: tuple[str, ...], begins_file: bool, group: EncodedGroup | StoredGroup) -> None:
        if begins_file or self._is_full(group):
            self._end_open()
        self._open = self._open or self._begun(self._names.next(place))
        self._append_group(group)

    def _is_full(self, group: EncodedGroup | StoredGroup) -> bool:
        if self._limits.bytes is None or self._open is None:
            return False
        return self._open.position + group.stored_bytes() > self._limits.bytes

    def _end_open(self) -> None:
        super()._end_open()
        if self._open is not None:
            self._open.file.finish()
        self._open = None


class BatchParts:
    """The same for other formats, whose batches are written one by one. make: what makes a writer with write_batch()
    and close() for a file."""

    def __init__(self, names: PartNames, limits: PartLimits, has_places: bool,
                 make: Callable[[OutputFile], Any]) -> None:
        self._thread = ThreadWriter(_FileByFile(names, limits, has_places, make))
        self._place: tuple[str, ...] = ()

    def begin(self, place: tuple[str, ...]) -> None:
        self._place = place

    def write(self, batch: pyarrow.RecordBatch) -> None:
        self._thread.write((self._place, batch))

    def close(self) -> None:
        self._thread.close()

    def stop(self) -> None:
        self._thread.stop()


# A file may be larger than asked for by the share that is written between two looks at its size.
_LOOKS = 8


class _FileByFile:
    """What the thread of BatchParts does."""

    def __init__(self, names: PartNames, limits: PartLimits, has_places: bool,
                 make: Callable[[OutputFile], Any]) -> None:
        self._names, self._limits, self._has_places, self._make = names, limits, has_places, make
        self._place: tuple[str, ...] = ()
        self._file: OutputFile | None = None
        self._writer: Any = None
        self._rows = 0

    def write_batch(self, item: tuple[tuple[str, ...], pyarrow.RecordBatch]) -> None:
        place, batch = item
        if place != self._place:
            self._end()
            self._place = place
        for rows in self._pieces(batch):
            if self._is_full():
                self._end()
            self._begin()
            self._writer.write_batch(rows)
            self._rows += rows.num_rows

    def close(self) -> None:
        if not self._has_places and self._file is None:
            self._begin()
        self._end()

    def _pieces(self, batch: pyarrow.RecordBatch) -> Iterator[pyarrow.RecordBatch]:
        done, count = 0, batch.num_rows
        if self._limits.bytes is not None and batch.nbytes:
            count = max(1, batch.num_rows * self._limits.bytes // (batch.nbytes * _LOOKS))
        while done < batch.num_rows:
            left = count if self._limits.rows is None else self._limits.rows - (0 if self._is_full() else self._rows)
            piece = batch.slice(done, min(count, left))
            done += piece.num_rows
            yield piece

    def _is_full(self) -> bool:
        if self._file is None:
            return False
        has_bytes = self._limits.bytes is not None and self._file.tell() >= self._limits.bytes
        return has_bytes or self._rows == self._limits.rows

    def _begin(self) -> None:
        if self._file is None:
            self._file = self._names.next(self._place)
            self._writer, self._rows = self._make(self._file), 0

    def _end(self) -> None:
        if self._file is not None:
            self._writer.close()
            self._file.finish()
        self._file, self._writer, self._rows = None, None, 0
