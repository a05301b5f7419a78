"""Hive-partitioned folders: year=2024/month=3/part-00000.parquet. Rows come in the order of the partition columns, so
one file is open at a time; the names of the folders tell the values of these columns, which the files leave out."""

from __future__ import annotations

import urllib.parse
from collections.abc import Callable, Iterator, Sequence

import pyarrow
import pyarrow.compute

from .._errors import ArgumentError, Error, shortened
from ..inputs.hive_folders import NULL
from .part_writer import PartWriter

# What else the names of folders hold than the name of the column, or readers take for hidden.
_NOT_IN_NAMES, _NOT_IN_FRONT = "/=%\0", "._"


def refuse_partition(field: pyarrow.Field, path: str) -> None:
    """Raises ArgumentError if the values of a column cannot be told by names of folders. path: of its table."""
    kind = value_type(field.type)
    types = pyarrow.types
    is_told = (types.is_integer, types.is_boolean, types.is_date, types.is_string, types.is_large_string,
               types.is_string_view)
    if not any(is_type(kind) for is_type in is_told) and not (types.is_timestamp(kind) and kind.tz is None):
        raise ArgumentError(f"partition_by names the column '{field.name}' of '{path}', of type "
                            f"{shortened(field.type)}: names of folders tell integers, bools, texts, dates, and "
                            "timestamps without a zone; cast it, or take another")
    if not field.name or any(letter in field.name for letter in _NOT_IN_NAMES) or field.name[0] in _NOT_IN_FRONT:
        raise ArgumentError(f"partition_by names the column '{field.name}' of '{path}': readers do not find folders of "
                            "a name that is empty, has '/', '=' or '%', or begins with '.' or '_'; rename the column, "
                            "or take another")


def value_type(kind: pyarrow.DataType) -> pyarrow.DataType:
    return kind.value_type if pyarrow.types.is_dictionary(kind) else kind


def folder_of(name: str, value: pyarrow.Scalar) -> str:
    """As pyarrow.dataset calls it. Raises Error for a value that would not come back."""
    if not value.is_valid:
        return f"{name}={NULL}"
    text = value.cast(pyarrow.string())
    # Nobody reads 10000-01-01 as a date again.
    comes_back = _value_of(text, value.type) == value
    octets = text.cast(pyarrow.binary()).as_py()
    if not comes_back or octets == NULL.encode():
        raise Error(f"column '{name}' has the value '{octets.decode(errors='replace')}', which as the name of a folder "
                    "means something else: change it, or partition by another column")
    return f"{name}={urllib.parse.quote_from_bytes(octets, safe='')}"


def value_in(folder: str, kind: pyarrow.DataType) -> pyarrow.Scalar:
    """The value of which folder_of() has made a name, in a value_type()."""
    text = folder.partition("=")[2]
    if text == NULL:
        return pyarrow.scalar(None, kind)
    return _value_of(pyarrow.scalar(urllib.parse.unquote_to_bytes(text)).cast(pyarrow.string()), kind)


def _value_of(text: pyarrow.Scalar, kind: pyarrow.DataType) -> pyarrow.Scalar:
    """None if it cannot be told."""
    try:
        return text.cast(kind)
    except pyarrow.ArrowException:
        return None


class HiveWriter:
    """A TableWriter of batches with partition columns. parts: takes the other columns."""

    def __init__(self, parts: PartWriter, schema: pyarrow.Schema, names: Sequence[str],
                 empty_parts: Callable[[], PartWriter]) -> None:
        """schema: of the batches. empty_parts: makes a writer of all columns, for a table without rows. No folder would
        tell of its partition columns, and readers refuse a folder without files, or know no columns: one file without
        rows has all."""
        self._parts, self._names, self._empty_parts = parts, names, empty_parts
        self._columns = [schema.names.index(name) for name in names]
        self._others = [number for number in range(len(schema)) if number not in self._columns]
        self._place: tuple[str, ...] | None = None

    def write(self, batch: pyarrow.RecordBatch) -> None:
        columns = [_plain(batch.column(number)) for number in self._columns]
        rows = batch.select(self._others)
        for begin, end in _stretches(columns, batch.num_rows):
            place = tuple(folder_of(name, column[begin]) for name, column in zip(self._names, columns))
            if place != self._place:
                self._parts.begin(place)
                self._place = place
            self._parts.write(rows.slice(begin, end - begin))

    def close(self) -> None:
        self._parts.close()
        if self._place is None:
            self._parts = self._empty_parts()
            self._parts.close()

    def stop(self) -> None:
        self._parts.stop()


def _plain(column: pyarrow.Array) -> pyarrow.Array:
    """With values in place of a dictionary, and of a type of which pyarrow finds runs."""
    if pyarrow.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    return column.cast(pyarrow.large_string()) if pyarrow.types.is_string_view(column.type) else column


def _stretches(columns: Sequence[pyarrow.Array], rows: int) -> Iterator[tuple[int, int]]:
    """Begin and end of rows with equal values in all columns."""
    ends: set[int] = set()
    for column in columns:
        ends.update(pyarrow.compute.run_end_encode(column, run_end_type=pyarrow.int64()).run_ends.to_pylist())
    begin = 0
    for end in sorted(ends):
        yield begin, end
        begin = end


def without_columns(schema: pyarrow.Schema, names: Sequence[str]) -> pyarrow.Schema:
    return pyarrow.schema([field for field in schema if field.name not in names], schema.metadata)
