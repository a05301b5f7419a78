"""Where the rows of sort_parquet() go, and how they are written, as its arguments say it: a file, a folder of parts, or
a hive-partitioned folder."""

from __future__ import annotations

import functools
import os
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import pyarrow

from .._arguments import is_path
from .._errors import ArgumentError, Error, listed
from .._files import naming, open_output
from .._outputs import FolderOutput, OutputFile
from .._sources import is_source
from ..columns.keys import NamedKey, TableKey
from ..columns.schemas import TypedInput
from ..inputs.table_files import FORMATS
from ..parquet.leaves import codecs_of_table
from ..parquet.parquet_options import ParquetChoices, parquet_choices
from .folder_rows import FolderForm
from .hive_output import HiveWriter, refuse_partition, without_columns
from .output_folder import OutputFolder, is_empty_folder
from .part_writer import BatchParts, ParquetParts, PartLimits, PartNames, PartWriter
from .table_writers import (TableWriter, WriterOptions, batch_writer, csv_schema, make_writer, parse_codec,
                            refuse_types,
                             writer_options)

# Bytes of a file in a folder, unless they or rows are asked for.
_FILE_BYTES = 512_000_000
# A file should have so many row groups at least, by whose ends it ends.
_GROUPS_OF_FILE = 4
_GROUP_BYTES = 64 << 20
_OF_FOLDERS = ("output_format", "file_bytes", "file_rows", "partition_by")


class _Folder(NamedTuple):
    """suffix: of its files. partition_by: columns, by names or positions."""
    suffix: str
    limits: PartLimits
    partition_by: Sequence[str | int]


class OutputRequest:
    """path: of the output. writer: its format, and what else goes for all of its files."""

    def __init__(self, path: str, told: Any, may_be_written: bool = False) -> None:
        """told: the options of the call, as take_options() gives them. may_be_written: whether somebody else looks at
        what is in a folder. Raises Error for what does not go with the path."""
        self.path = path
        given = {name: getattr(told, name) for name in _OF_FOLDERS if getattr(told, name) is not None}
        self._folder = _folder_of(path, given)
        if self._folder and not may_be_written:
            _refuse_used_folder(path)
        name = f"part{self._folder.suffix}" if self._folder else path
        table_format = writer_options(name, None, None).table_format
        remedy = 'let output_format be "parquet"' if self._folder else "let the name of the output end in .parquet"
        if told.row_group_rows is not None and table_format != "parquet":
            raise ArgumentError(f"row_group_rows is for Parquet: leave it out, or {remedy}")
        self._choices, compression = parquet_choices(told, table_format == "parquet", remedy,
                                                     functools.partial(parse_codec, table_format))
        self.writer: WriterOptions = writer_options(name, told.row_group_rows, compression)
        self._partitions: list[str] = []
        self._keys: list[str] = []
        self._first: Any = None

    @property
    def table_format(self) -> str:
        return self.writer.table_format

    @property
    def is_folder(self) -> bool:
        return self._folder is not None

    @property
    def partition_keys(self) -> list[TableKey]:
        """As table_keys() gives keys."""
        return [(column, False, False) for column in self._folder.partition_by] if self._folder else []

    def sorting_keys(self, partitions: Sequence[NamedKey], keys: Iterable[NamedKey]) -> list[NamedKey]:
        """partitions: the partition_keys with their names, by which the rows are sorted first."""
        self._partitions = [name for name, *_ in partitions]
        for name in self._partitions:
            if self._partitions.count(name) > 1:
                raise ArgumentError(f"partition_by names the column '{name}' twice: leave one of the two out")
        keys = list(keys)
        for name, falls, nulls_first in keys:
            if name in self._partitions and (falls or nulls_first):
                raise ArgumentError(f"key '{name}' also names folders, which come in ascending order with null last: "
                                    "leave the key, or its words, out")
        self._keys = [name for name, *_ in keys]
        return [*partitions, *(key for key in keys if key[0] not in self._partitions)]

    @property
    def stays_text(self) -> bool:
        """Whether columns of CSV may be written as they were read."""
        return self.table_format == "csv" and not self._partitions

    def refuse_partitions(self, first: TypedInput) -> None:
        """Raises Error for columns that cannot name folders. first: the first input."""
        for name in self._partitions:
            if first.schema.names.count(name) != 1:
                has = "has several times" if name in first.schema.names else "does not have"
                raise ArgumentError(f"partition_by names the column '{name}', which '{first.path}' {has}; it has "
                                    f"{listed(first.schema.names)}")
            refuse_partition(first.schema.field(name), first.path)

    def check(self, first: TypedInput, options: dict[str, Any]) -> None:
        """Raises Error for columns that cannot be written so. first: the first input. options: of the sort."""
        self._first = first
        if self._partitions and len(self._partitions) == len(first.schema):
            raise ArgumentError("partition_by names all columns, so that none is left for the files: leave one out")
        schema = without_columns(first.schema, self._partitions)
        remedy = 'let output_format be "arrow"' if self._folder else "let the name of the output end in .arrow"
        refuse_types(schema, self.path, self.table_format, remedy)
        if self._choices is not None:
            self._choices.refuse_missing(schema, first.path)
        if self._folder:
            self._refuse_reports_within(options)

    def _refuse_reports_within(self, options: dict[str, Any]) -> None:
        if is_source(self.path):
            return
        folder = os.path.realpath(self.path)
        for name in ("stats_json", "trace", "report"):
            given = options.get(name)
            if is_path(given):
                place = os.path.realpath(os.path.abspath(os.fsdecode(given)))
                if os.path.commonpath([place, folder]) == folder:
                    raise Error(f"{name} is within the output, '{os.fsdecode(given)}', a folder of tables alone: name "
                                "a file elsewhere")

    def open(self, threads: int, scratch: Any) -> OutputFile | FolderOutput:
        """scratch: see open_output()."""
        if not self._folder:
            return open_output(self.path, threads, scratch)
        if is_source(self.path):
            folder: FolderOutput = self.path.create_folder(scratch)  # type: ignore[attr-defined]
            return folder
        return OutputFolder(self.path)

    def make_writer(self, target: OutputFile | FolderOutput, first: TypedInput, keys: Sequence[NamedKey], threads: int,
                    carried: pyarrow.Schema | None) -> TableWriter:
        """See make_writer(). keys: each column once."""
        if isinstance(target, OutputFile):
            return make_writer(target, first, keys, threads, self.writer, carried, self._choices)
        assert self._folder is not None
        names = PartNames(target, self._folder.suffix)
        make = functools.partial(self._make_parts, self._folder, names, first, keys, threads, carried)
        if not self._partitions:
            return make([])
        return HiveWriter(make(self._partitions), carried or first.schema, self._partitions, lambda: make([]))

    def _make_parts(self, folder: _Folder, names: PartNames, first: TypedInput, keys: Sequence[NamedKey], threads: int,
                    carried: pyarrow.Schema | None, partitions: Sequence[str]) -> PartWriter:
        """partitions: columns that are left out. All rows come after a begin() then."""
        schema = without_columns(first.schema, partitions)
        inner = carried and without_columns(carried, partitions)
        left = [key for key in keys if key[0] not in partitions]
        if self.table_format == "parquet":
            return self._parquet_parts(folder, names, bool(partitions), first, schema, left, threads, inner)
        make = functools.partial(batch_writer, schema=schema, options=self.writer, carried=inner)
        return BatchParts(names, folder.limits, bool(partitions), make)

    def _parquet_parts(self, folder: _Folder, names: PartNames, has_places: bool, first: TypedInput,
                       schema: pyarrow.Schema,
                       keys: Sequence[NamedKey], threads: int, carried: pyarrow.Schema | None) -> ParquetParts:
        codecs = (self.writer.codec,) if self.writer.codec else codecs_of_table(schema, [first])
        choices = self._choices or ParquetChoices()
        is_asked = choices.row_group_bytes is not None or self.writer.row_group_rows is not None
        if folder.limits.bytes is not None and not is_asked:
            choices = choices._replace(row_group_bytes=max(1, min(_GROUP_BYTES,
                                                                  folder.limits.bytes // _GROUPS_OF_FILE)))
        return ParquetParts(names, folder.limits, has_places, schema, keys, self.writer.row_group_rows, threads, codecs,
                            self.writer.level, carried, first.form, choices)

    def form(self, target: OutputFile | FolderOutput) -> FolderForm | None:
        """What leads to the rows of a folder."""
        if self._folder is None or not isinstance(target, FolderOutput):
            return None
        schema = self._read_schema().serialize().to_pybytes()
        return FolderForm(schema, tuple(self._partitions), self._folder.suffix, target.files)

    def _read_schema(self) -> pyarrow.Schema:
        """The columns of a folder as they are read: of CSV that stays text, keys alone have types."""
        first = self._first
        if self.table_format != "csv":
            return first.schema
        return csv_schema(pyarrow.schema([typed if typed.name in self._keys else field
                                          for field, typed in zip(first.schema, first.types)]))


def _refuse_used_folder(path: str) -> None:
    if is_source(path):
        path.refuse_as_folder()  # type: ignore[attr-defined]
        return
    with naming(path, "write"):
        is_empty_folder(path)


def _known_format(output_format: str) -> str:
    if f".{output_format}" not in FORMATS:
        known = ", ".join(suffix[1:] for suffix in FORMATS)
        raise ArgumentError(f"invalid value '{output_format}' for output_format: known are {known}")
    return output_format


def _folder_of(path: str, given: dict[str, Any]) -> _Folder | None:
    """given: those of _OF_FOLDERS that are. Raises Error for one that needs a folder, where the path is that of a file.
    Paths of pathlib have no slash at their end: what has no suffix, and is not there, is a folder if something is said
    of folders. An open file is none, and gets the suffix that its name lacks."""
    has_suffix = os.path.basename(path).lower().endswith(tuple(FORMATS))
    if hasattr(path, "suffix"):
        path.suffix = "" if has_suffix else f".{_known_format(given.pop('output_format', 'parquet'))}"
    is_folder = not hasattr(path, "suffix") and (
        path.endswith("/") or os.path.isdir(path) or (given and not has_suffix and not os.path.lexists(path)))
    if not is_folder:
        for name in given:
            raise ArgumentError(f"{name} is for a folder of files, and the output is one file, '{path}': leave it out, "
                                "or let the name of the output end in '/'")
        return None
    output_format = _known_format(given.get("output_format", "parquet"))
    rows = given.get("file_rows")
    size = given.get("file_bytes", _FILE_BYTES) if rows is None else None
    return _Folder(f".{output_format}", PartLimits(size, rows), given.get("partition_by", []))
