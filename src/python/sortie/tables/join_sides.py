"""The two sides of join_tables(): each is sorted by its keys, and read group by group of equal keys."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy
import pyarrow
import pyarrow.compute
import pyarrow.ipc

from .. import ArgumentError, Error, _native
from .._arguments import is_no_list, is_path
from .._errors import shortened
from .._scratch_files import folder_of, scratch_error
from ..columns.key_columns import (KeyColumn, concatenated, differs_from_last, has_two_zeros, is_extension, of_type,
                                   plain, plain_type, with_one_zero)
from ..columns.row_bytes import bytes_held, bytes_of_rows
from ..columns.row_taking import batch_without_runs, schema_without_runs, taken
from .sort_table import RowSorter
from .streamed_table import CLOSED

if TYPE_CHECKING:
    from numpy.typing import NDArray


def common_type(left: KeyColumn, right: KeyColumn) -> pyarrow.DataType:
    """The type in which values of both can be compared exactly. Raises Error if there is none."""
    for key, side in ((left, "left"), (right, "right")):
        if (what := _without_order(plain_type(key.type))) is not None:
            raise Error(f"{side} key '{key.name}' is {shortened(key.type)}: {what} have no order, so they are no keys; "
                        "name another column, or a field of a struct")
    is_known = left.type == right.type or not (is_extension(left.type) or is_extension(right.type))
    found = _common(plain_type(left.type), plain_type(right.type)) if is_known else None
    if found is None:
        raise Error(f"left key '{left.name}' is {shortened(left.type)} and right key '{right.name}' "
                    f"{shortened(right.type)}: cast one of them to the type of the other")
    return found


def _without_order(kind: pyarrow.DataType) -> str | None:
    """What values of this type are if they cannot be keys."""
    if pyarrow.types.is_nested(kind):
        return "nested values"
    return "intervals" if pyarrow.types.is_interval(kind) else None


def _common(left: pyarrow.DataType, right: pyarrow.DataType) -> pyarrow.DataType | None:
    types = pyarrow.types
    if left == right:
        return pyarrow.float32() if types.is_float16(left) else left
    if types.is_null(left) or types.is_null(right):
        return right if types.is_null(left) else left
    if all(map(types.is_floating, (left, right))):
        return pyarrow.float64()
    if all(map(types.is_integer, (left, right))):
        are_unsigned = [types.is_unsigned_integer(kind) for kind in (left, right)]
        if all(are_unsigned):
            return pyarrow.uint64()
        return pyarrow.decimal128(20, 0) if pyarrow.uint64() in (left, right) else pyarrow.int64()
    if all(types.is_integer(kind) or types.is_decimal(kind) for kind in (left, right)):
        return _common_decimal([kind if types.is_decimal(kind) else pyarrow.decimal128(20, 0)
                                for kind in (left, right)])
    if all(map(types.is_timestamp, (left, right))) and (left.tz is None) == (right.tz is None):
        return pyarrow.timestamp(_finer(left, right), left.tz and "UTC")
    if all(map(types.is_duration, (left, right))):
        return pyarrow.duration(_finer(left, right))
    if all(map(types.is_date, (left, right))):
        return pyarrow.date64()
    if all(map(types.is_time, (left, right))):
        return pyarrow.time64("ns")
    octets = types.is_fixed_size_binary, types.is_large_binary
    are_octets = all(any(holds(kind) for holds in octets) for kind in (left, right))
    return pyarrow.large_binary() if are_octets else None


def _common_decimal(kinds: list[Any]) -> pyarrow.DataType | None:
    scale = max(kind.scale for kind in kinds)
    precision = scale + max(kind.precision - kind.scale for kind in kinds)
    if precision > 76:
        return None
    return pyarrow.decimal128(precision, scale) if precision <= 38 else pyarrow.decimal256(precision, scale)


def _finer(*kinds: Any) -> str:
    units = "s", "ms", "us", "ns"
    return units[max(units.index(kind.unit) for kind in kinds)]


# Rows of a side that are held beside its sort, if `memory` does not say it: no more than a 64th of what is available.
_USUAL_HELD_BYTES, _SHARE_OF_AVAILABLE = 256 << 20, 64
# Each sort gets three eighths of these bytes, which is the least that it works with.
_LEAST_BYTES = -(-(256 << 10) * 8 // 3)


def with_listed_folders(options: dict[str, Any]) -> dict[str, Any]:
    """Both sorts are told the folders, which an iterator gives once. What is no list they refuse."""
    scratch: Any = options.get("scratch")
    return options if is_path(scratch) or is_no_list(scratch) else {**options, "scratch": list(scratch)}


def shared_memory(options: dict[str, Any]) -> tuple[dict[str, Any], int]:
    """Options of the sort of each side, and the bytes of each that are held beside it: both sorts are there at a
    time."""
    given = options.get("memory")
    if given is None:
        return options, min(_USUAL_HELD_BYTES, _native.machine_share()[0] // _SHARE_OF_AVAILABLE)
    try:
        memory = _native.memory_of({"memory": given})
    except ArgumentError as error:
        if "too small" not in str(error):
            raise
        memory = 0
    if memory < _LEAST_BYTES:
        raise ArgumentError(f"invalid value '{given}' for memory: that is too small for a join, which sorts twice; "
                            f"give {_LEAST_BYTES} bytes or more, or None for the default", "more_memory")
    return {**options, "memory": memory * 3 // 8}, memory // 8


class Side:
    """What has been read of one table and is not joined yet: whole batches, and the groups of equal keys in them."""

    def __init__(self, schema: pyarrow.Schema, keys: Sequence[KeyColumn], compared: Sequence[pyarrow.DataType],
                 options: dict[str, Any], most_bytes: int) -> None:
        """schema: of what is pushed; rows come out without runs. compared: the types of the keys in which both sides
        are.
        most_bytes: what is held beyond them goes to a file."""
        self.schema, self.keys = schema_without_runs(schema), keys
        self._compared, self._most_bytes = compared, most_bytes
        # Keys that sort by other bytes than those that are compared stand behind the columns a second time.
        self._added = [number for number, key in enumerate(keys) if _sorts_otherwise(key.type)]
        added = [pyarrow.field(f"key {number}", compared[number]) for number in self._added]
        self._sorted_schema = pyarrow.schema([*schema, *added])
        self._places = {number: len(schema) + place for place, number in enumerate(self._added)}
        by = [self._places.get(number, self._column_of(key)) for number, key in enumerate(keys)]
        self._scratch = options.get("scratch")
        self.sorter = RowSorter("join_tables", [(column, False, False) for column in by], None, options)
        self.batches: list[pyarrow.RecordBatch] = []
        self._spilled = 0  # of the batches, the first ones
        self.row_count = 0
        self.begins: NDArray[numpy.int64] = numpy.zeros(0, numpy.int64)
        self.group_keys = [pyarrow.nulls(0, kind) for kind in compared]
        self.at_end = self._is_closed = False

    def _column_of(self, key: KeyColumn) -> str | int:
        """How the sort knows it: by its name, which messages show, unless another column has it, too."""
        return key.number if key.is_whole and self._sorted_schema.names.count(key.name) > 1 else key.name

    def push(self, batches: Iterator[pyarrow.RecordBatch]) -> None:
        """All rows of the table."""
        self.sorter.push_schema(self._sorted_schema)
        for batch in batches:
            added = [self._comparable(number, with_one_zero(self.keys[number].of(batch))) for number in self._added]
            self.sorter.push(pyarrow.record_batch([*batch.columns, *added], schema=self._sorted_schema))
        self.sorter.native.finish()

    def _comparable(self, number: int, column: pyarrow.Array) -> pyarrow.Array:
        kind = self._compared[number]
        column = plain(column)
        try:
            return of_type(column, kind)
        except pyarrow.ArrowInvalid as error:
            raise Error(f"key '{self.keys[number].name}' has a value that is beyond {kind}, in which both sides are "
                        f"compared: {str(error).splitlines()[0]}; cast the key of both sides to a type that holds it, "
                        "or leave the value out") from error

    @property
    def group_count(self) -> int:
        return len(self.begins)

    def fill(self) -> None:
        """Reads the next batch, or finds the end. A group that the last batch ended in may go on."""
        batch = self.sorter.pull()
        if batch is None:
            self.at_end = True
            return
        rows = batch_without_runs(pyarrow.record_batch(batch))
        keys = [rows.column(self._places[number]) if number in self._places else self._comparable(number, key.of(rows))
                for number, key in enumerate(self.keys)]
        begins = numpy.concatenate([[0], numpy.flatnonzero(differs_from_last(keys)) + 1])
        if self.group_count and not differs_from_last([concatenated([last[-1:], key[:1]])
                                                       for last, key in zip(self.group_keys, keys)])[0]:
            begins = begins[1:]
        firsts = pyarrow.array(begins)
        self.group_keys = [concatenated([old, key.take(firsts)]) for old, key in zip(self.group_keys, keys)]
        self.begins = numpy.concatenate([self.begins, begins + self.row_count])
        self.batches.append(rows.select(range(len(self.schema))))
        self.row_count += rows.num_rows
        held = self.batches[self._spilled:]
        if len(held) > 1 and sum(map(bytes_held, held)) > self._most_bytes:
            self._spill(held)

    def _spill(self, held: list[pyarrow.RecordBatch]) -> None:
        """Puts batches into a file that loses its name, and maps it."""
        path = self._new_file()
        try:
            with pyarrow.OSFile(path, "wb") as sink, pyarrow.ipc.new_stream(sink, held[0].schema) as writer:
                for batch in held:
                    writer.write_batch(batch)
            mapped = list(pyarrow.ipc.open_stream(pyarrow.memory_map(path)))
        except OSError as error:
            raise scratch_error(error, f"cannot keep rows with equal keys in '{path}'", path) from None
        finally:
            os.unlink(path)
        self.batches[self._spilled:] = mapped
        self._spilled = len(self.batches)

    def _new_file(self) -> str:
        folder = folder_of(self._scratch)
        try:
            file, path = tempfile.mkstemp(prefix="sortie-", dir=folder)
        except OSError as error:
            where = folder or "the usual folder"
            raise scratch_error(error, f"cannot create temporary file in '{where}'",
                                f"temporary file in '{where}'") from None
        os.close(file)
        return path

    def report(self) -> Any:
        return self.sorter.report()

    def close(self) -> None:
        """Ends the sort, and forgets the rows, with the file in which they may be."""
        self._is_closed = True
        self.sorter.close()
        self.batches, self.group_keys = [], []
        self.begins, self.row_count = numpy.zeros(0, numpy.int64), 0

    def drop(self, groups: int) -> None:
        """Forgets the first groups."""
        cut = int(self.begins[groups]) if groups < self.group_count else self.row_count
        self.begins = self.begins[groups:] - cut
        self.group_keys = [keys[groups:] for keys in self.group_keys]
        self.row_count -= cut
        while cut:
            first = self.batches[0]
            if first.num_rows > cut:
                self.batches[0] = first.slice(cut)
                return
            cut -= first.num_rows
            self.batches.pop(0)
            self._spilled = max(self._spilled - 1, 0)

    def taken(self, columns: Iterable[int], rows: NDArray[numpy.int64]) -> list[pyarrow.Array]:
        """Columns of these rows; null for -1."""
        part, first = self._part(rows)
        if not part:
            return [pyarrow.nulls(len(rows), self.schema.field(column).type) for column in columns]
        places = pyarrow.array(rows - first, mask=rows < 0)
        return [taken(concatenated([batch.column(column) for batch in part]), places) for column in columns]

    def row_bytes(self, columns: Iterable[int], rows: NDArray[numpy.int64]) -> NDArray[numpy.float64]:
        """What columns of these rows take in memory; 0 for -1."""
        part, first = self._part(rows)
        of_part = numpy.zeros(sum(batch.num_rows for batch in part))
        for column in columns if part else ():
            of_part += numpy.concatenate([bytes_of_rows(batch.column(column)) for batch in part])
        found = numpy.zeros(len(rows))
        found[rows >= 0] = of_part[rows[rows >= 0] - first]
        return found

    def _part(self, rows: NDArray[numpy.int64]) -> tuple[list[pyarrow.RecordBatch], int]:
        """The stretch that has these rows, and its first row; nothing if all are -1."""
        if self._is_closed:
            raise ArgumentError(CLOSED)
        there = rows[rows >= 0]
        if not len(there):
            return [], 0
        first = begin = int(there.min())
        end = int(there.max()) + 1
        found = []
        for batch in self.batches:
            if begin < batch.num_rows and end > 0:
                found.append(batch.slice(max(begin, 0), min(end, batch.num_rows) - max(begin, 0)))
            begin, end = begin - batch.num_rows, end - batch.num_rows
        return found, first


def _sorts_otherwise(kind: pyarrow.DataType) -> bool:
    """Whether a sort by the column does not bring values in the order of plain(): ordered dictionaries order by
    categories."""
    return has_two_zeros(kind) or (pyarrow.types.is_dictionary(kind) and kind.ordered)
