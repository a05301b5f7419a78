"""Tables into files, by the suffixes of their names: which types a format holds, found by writing a null of each, as
that differs with pyarrow's version; and what writes batches while the next ones are made."""

from __future__ import annotations

import collections
import concurrent.futures
import typing
from collections.abc import Callable, Sequence
from typing import Any

import pyarrow
import pyarrow.csv
import pyarrow.ipc
import pyarrow.parquet

from .._arguments import count_of, text_of
from .._errors import ArgumentError, Error, shortened
from .._files import codec_of, first_line
from .._outputs import OutputFile
from .._thread_pools import DaemonPool
from ..columns.keys import NamedKey
from ..columns.schemas import TypedInput, null_rows
from ..inputs.table_files import format_of
from ..parquet.parquet_options import ParquetChoices
from ..parquet.parquet_writer import ParquetWriter
from .json_writer import json_lines

CODECS: dict[str, tuple[str, ...]] = {
    "parquet": ("none", "snappy", "gzip", "brotli", "lz4", "zstd"), "arrow": ("none", "lz4", "zstd"), "csv": (),
    "json": ()}
_WITH_LEVEL = ("gzip", "brotli", "zstd")
_WRITERS: dict[str, Callable[[Any, Any], object]] = {
    "parquet": pyarrow.parquet.write_table, "csv": pyarrow.csv.write_csv,
    "json": lambda table, output: output.write(json_lines(table.to_batches()[0]))}
_NOT_HELD: tuple[Any, ...] = (pyarrow.ArrowException, OSError, Error)


def refuse_types(schema: pyarrow.Schema, path: str, table_format: str,
                 remedy: str = "let the name of the output end in .arrow") -> None:
    """Raises Error that names the first column which the file at `path` could not hold."""
    # IPC holds all.
    if table_format == "json" and (twice := next((name for name in schema.names if schema.names.count(name) > 1),
                                                 None)) is not None:
        raise Error(f"several columns are called '{twice}', and an object of JSON in '{path}' has a name once: rename "
                    f"them, or {remedy}")
    if table_format == "arrow" or _holds(schema, table_format):
        return
    for field in schema:
        if not _holds(pyarrow.schema([field]), table_format):
            raise Error(f"column '{field.name}' is of type {shortened(field.type)}, which cannot be written to "
                        f"'{path}': cast it, or {remedy}")


def _holds(schema: pyarrow.Schema, table_format: str) -> bool:
    if table_format == "csv":
        schema = csv_schema(schema)
    try:
        # Extension types of a program may have no hash.
        own = [kind for kind in schema.types if isinstance(kind, pyarrow.BaseExtensionType)]
        others = dict.fromkeys(kind for kind in schema.types if not isinstance(kind, pyarrow.BaseExtensionType))
        nulls = pyarrow.table({str(number): null_rows(1, kind) for number, kind in enumerate([*own, *others])})
        _WRITERS[table_format](nulls, pyarrow.BufferOutputStream())
    except _NOT_HELD:
        return False
    return True


def csv_schema(schema: pyarrow.Schema) -> pyarrow.Schema:
    """The schema as CSV can hold it: with texts in place of bytes and views."""
    return pyarrow.schema([field.with_type(_csv_type(field.type)) for field in schema])


def csv_batch(batch: pyarrow.RecordBatch, schema: pyarrow.Schema) -> pyarrow.RecordBatch:
    """schema: a csv_schema() of that of the batch. Raises Error for bytes that are no text."""
    columns = []
    for field, column in zip(schema, batch.columns):
        try:
            columns.append(column if column.type.equals(field.type) else column.cast(field.type))
        except pyarrow.ArrowException as error:
            raise Error(f"column '{field.name}' cannot be written as CSV: {first_line(error)}; cast it, or let the "
                        "name of the output end in .parquet") from None
    return pyarrow.record_batch(columns, schema=schema)


def _csv_type(column_type: pyarrow.DataType) -> pyarrow.DataType:
    types = pyarrow.types
    if types.is_large_binary(column_type):
        return pyarrow.large_string()
    is_cast = (types.is_binary, types.is_fixed_size_binary, types.is_string_view, types.is_binary_view)
    return pyarrow.string() if any(is_type(column_type) for is_type in is_cast) else column_type


class TableWriter(typing.Protocol):
    """Takes record batches by write(), and is complete after close(). stop() ends it otherwise."""

    def write(self, batch: pyarrow.RecordBatch) -> None: ...

    def close(self) -> None: ...

    def stop(self) -> None: ...


class WriterOptions(typing.NamedTuple):
    """How an output is written. codec: None for that of the first input."""
    table_format: str
    row_group_rows: int | None
    codec: str | None
    level: int | None


def writer_options(path: str, row_group_rows: Any, compression: Any) -> WriterOptions:
    """Raises Error for what does not go with the format of the path."""
    table_format = format_of(path)
    if row_group_rows is not None:
        if table_format != "parquet":
            raise ArgumentError("row_group_rows is for Parquet: leave it out, or let the name of the output end in "
                                ".parquet")
        row_group_rows = count_of(row_group_rows, "row_group_rows")
    return WriterOptions(table_format, row_group_rows, *_parse_compression(path, table_format, compression))


def _parse_compression(path: str, table_format: str, compression: Any) -> tuple[str | None, int | None]:
    if compression is None:
        return {"arrow": "lz4" if path.lower().endswith(".feather") else "none"}.get(table_format), None
    return parse_codec(table_format, compression)


def parse_codec(table_format: str, compression: Any) -> tuple[str, int | None]:
    """The codec and its level."""
    known = CODECS[table_format]
    text_of(compression, "compression")
    if not known:
        raise ArgumentError("compression is for Parquet and Arrow: leave it out; files whose names end in .gz and "
                            ".zst are packed with gzip and zstd")
    codec, colon, digits = compression.partition(":")
    if codec not in known or (colon and (codec not in _WITH_LEVEL or not digits.lstrip("-").isdigit())):
        raise ArgumentError(f"invalid value '{compression}' for compression: known are {', '.join(known)}, with a "
                    "level as in zstd:3")
    level = int(digits) if colon else None
    if codec != "none":
        try:
            pyarrow.Codec(codec, level)
        except (pyarrow.ArrowException, ValueError) as error:
            raise ArgumentError(f"invalid value '{compression}' for compression: {first_line(error)}") from error
    if level is not None:
        least, most = pyarrow.Codec.minimum_compression_level(codec), pyarrow.Codec.maximum_compression_level(codec)
        if not least <= level <= most:
            raise ArgumentError(f"invalid value '{compression}' for compression: the level is from {least} to {most}")
    return codec, level


def make_writer(output: OutputFile, first_input: TypedInput, keys: Sequence[NamedKey], threads: int,
                options: WriterOptions, carried: pyarrow.Schema | None,
                choices: ParquetChoices | None = None) -> TableWriter:
    """carried: the schema of the batches, None for that of the output."""
    schema = first_input.schema
    if options.table_format == "parquet":
        codecs = (options.codec,) if options.codec else first_input.codecs
        return ParquetWriter(output, schema, keys, options.row_group_rows, threads, codecs, options.level,
                             carried, first_input.form, choices)
    return ThreadWriter(batch_writer(output, schema, options, carried))


def batch_writer(output: OutputFile, schema: pyarrow.Schema, options: WriterOptions,
                 carried: pyarrow.Schema | None) -> Any:
    """What writes batches of another format than Parquet by write_batch(), and ends by close()."""
    if options.table_format in _OF_TEXTS:
        return _OF_TEXTS[options.table_format](output, carried or schema)
    codec = None if options.codec == "none" else pyarrow.Codec(options.codec, options.level)
    ipc_options = pyarrow.ipc.IpcWriteOptions(compression=codec)
    return pyarrow.ipc.new_file(output, schema, options=ipc_options)


class _TextWriter:
    """Packs what is written to `stream`, if the name of the output ends so."""

    def __init__(self, output: OutputFile) -> None:
        codec = None if output.packs else codec_of(output.path)
        self._packed = pyarrow.CompressedOutputStream(output, codec) if codec else None
        self.stream = self._packed or output

    def close(self) -> None:
        if self._packed is not None:
            self._packed.close()


class _CsvWriter(_TextWriter):
    def __init__(self, output: OutputFile, schema: pyarrow.Schema) -> None:
        super().__init__(output)
        self._schema = csv_schema(schema)
        self._writer = pyarrow.csv.CSVWriter(self.stream, self._schema)

    def write_batch(self, batch: pyarrow.RecordBatch) -> None:
        self._writer.write_batch(csv_batch(batch, self._schema))

    def close(self) -> None:
        self._writer.close()
        super().close()


class _JsonWriter(_TextWriter):
    # Rows whose texts are made at once.
    _ROWS = 1 << 14

    def __init__(self, output: OutputFile, _: pyarrow.Schema) -> None:
        super().__init__(output)

    def write_batch(self, batch: pyarrow.RecordBatch) -> None:
        for begin in range(0, batch.num_rows, self._ROWS):
            self.stream.write(json_lines(batch.slice(begin, self._ROWS)))


_OF_TEXTS: dict[str, Callable[[OutputFile, pyarrow.Schema], Any]] = {"csv": _CsvWriter, "json": _JsonWriter}


class ThreadWriter:
    """Writes on a thread, while the next batches are made."""

    _MOST_PENDING = 2

    def __init__(self, writer: Any) -> None:
        self._writer = writer
        self._pool = DaemonPool(1, "sortie-writer")
        self._pending: collections.deque[concurrent.futures.Future[None]] = collections.deque()

    def write(self, batch: pyarrow.RecordBatch) -> None:
        while len(self._pending) >= self._MOST_PENDING:
            self._pending.popleft().result()
        self._pending.append(self._pool.submit(self._writer.write_batch, batch))

    def close(self) -> None:
        while self._pending:
            self._pending.popleft().result()
        self._writer.close()
        self.stop()

    def stop(self) -> None:
        self._pool.stop()
