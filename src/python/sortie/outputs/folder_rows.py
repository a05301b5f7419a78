"""The rows of a folder that sort_parquet() has written, file by file in their order, with the partition columns that
the names of its folders tell."""

from __future__ import annotations

import functools
import itertools
import os
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import pyarrow
import pyarrow.compute
import pyarrow.csv
import pyarrow.ipc

from .._errors import Error
from .._sources import names_within, within
from ..columns.schemas import TypedInput
from ..inputs.json_types import as_json_tells
from ..inputs.table_files import FORMATS, open_input
from .hive_output import value_in, value_type, without_columns


class FolderForm(NamedTuple):
    """schema: of all rows, as a message of Arrow's IPC. partition_by: the names of columns. suffix: of the files.
    files: their number."""
    schema: bytes
    partition_by: tuple[str, ...]
    suffix: str
    files: int


class FolderRows:
    """path: of the folder."""

    def __init__(self, path: str, form: FolderForm) -> None:
        self._path, self._form = path, form
        self._written = pyarrow.ipc.read_schema(pyarrow.py_buffer(form.schema))

    def files(self, folder: str) -> list[str]:
        """In the order of the rows. folder: what the folder is called."""
        return [os.path.join(folder, path) for path, _ in self._all_places()]

    @functools.cached_property
    def schema(self) -> pyarrow.Schema:
        """As the first file has it, with the partition columns."""
        first = next(self._inputs(), None)
        if first is None:
            return self._written
        fields, partitions = iter(first[0].schema), first[1]
        if len(first[0].schema) + len(partitions) != len(self._written):
            raise _other_columns(first[0].path)
        return pyarrow.schema([field if field.name in partitions else next(fields) for field in self._written],
                              first[0].schema.metadata and self._written.metadata)

    def batches(self, use_threads: bool) -> Iterator[pyarrow.RecordBatch]:
        schema = self.schema
        for file, values in self._inputs():
            if len(file.schema) + len(values) != len(schema):
                raise _other_columns(file.path)
            for batch in file.batches(use_threads=use_threads):
                others = iter(batch.columns)
                columns = [_repeated(values[field.name], batch.num_rows, field.type) if field.name in values
                           else next(others)
                           for field in schema]
                yield pyarrow.record_batch(columns, schema=schema)

    def _inputs(self) -> Iterator[tuple[TypedInput, dict[str, Any]]]:
        """The files, with the values that their folders tell."""
        readable = {"csv": _readable, "json": as_json_tells}.get(FORMATS[self._form.suffix])
        for name, values in self._all_places():
            types = readable and readable(without_columns(self._written, list(values)))
            yield open_input(within(self._path, name), types, [], False, reads_all=True), values

    def _all_places(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Without rows there is one file, in no folder of its own."""
        found = self._places("", self._form.partition_by)
        first = next(found, None)
        return self._places("", ()) if first is None else itertools.chain([first], found)

    def _places(self, folder: str, names: Sequence[str]) -> Iterator[tuple[str, dict[str, Any]]]:
        """Files with the values that their folders tell. Paths are within the folder of all."""
        found = names_within(within(self._path, folder) if folder else self._path)
        if not names:
            yield from ((os.path.join(folder, name), {}) for name in sorted(found)
                        if name.startswith("part-") and name.endswith(self._form.suffix))
            return
        folders = sorted(name for name in found if name.startswith(f"{names[0]}="))
        values = [self._value(folder, name, names[0]) for name in folders]
        for number in _in_order(values):
            for path, others in self._places(os.path.join(folder, folders[number]), names[1:]):
                yield path, {names[0]: values[number], **others}

    def _value(self, folder: str, name: str, column: str) -> pyarrow.Scalar:
        kind = value_type(self._written.field(column).type)
        value = value_in(name, pyarrow.large_string() if pyarrow.types.is_string_view(kind) else kind)
        if value is None:
            raise Error(f"cannot read '{os.path.join(folder, name)}': its name tells no {kind}")
        return value


def _readable(schema: pyarrow.Schema) -> pyarrow.Schema:
    """The schema with texts in place of types of which CSV has no values."""
    return pyarrow.schema([field if _is_read(field.type) else field.with_type(pyarrow.string()) for field in schema])


def _is_read(kind: pyarrow.DataType) -> bool:
    row = pyarrow.BufferReader(b"name\n")
    try:
        pyarrow.csv.read_csv(row, convert_options=pyarrow.csv.ConvertOptions(column_types={"name": kind}))
    except pyarrow.ArrowException:
        return False
    return True


def _other_columns(path: str) -> Error:
    return Error(f"cannot read '{path}': it has other columns than the sort wrote")


def _in_order(values: Sequence[pyarrow.Scalar]) -> list[int]:
    """Numbers of values, as the sort has them: nulls come last."""
    if not values:
        return []
    order: list[int] = pyarrow.compute.array_sort_indices(_column(values)).to_pylist()
    return order


def _column(values: Sequence[pyarrow.Scalar]) -> pyarrow.Array:
    return pyarrow.concat_arrays([pyarrow.repeat(value, 1) for value in values])


def _repeated(value: pyarrow.Scalar, rows: int, kind: pyarrow.DataType) -> pyarrow.Array:
    if not pyarrow.types.is_dictionary(kind):
        column = pyarrow.repeat(value, rows)
        return column if column.type.equals(kind) else column.cast(kind)
    index = pyarrow.scalar(0 if value.is_valid else None, kind.index_type)
    words = pyarrow.repeat(value, 1).drop_null()
    words = words if words.type.equals(kind.value_type) else words.cast(kind.value_type)
    return pyarrow.DictionaryArray.from_arrays(pyarrow.repeat(index, rows), words, ordered=kind.ordered)
