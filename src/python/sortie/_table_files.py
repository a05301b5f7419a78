"""Tables in files, by the suffixes of their names: how they are read batch by batch, and written."""

import collections
import concurrent.futures
import contextlib
import os
import typing

import pyarrow
import pyarrow.csv
import pyarrow.ipc
import pyarrow.parquet

from ._arrow_input import ArrowInput, TypedInput
from ._errors import ArgumentError, Error
from ._csv_input import CsvInput
from ._csv_types import guess_types
from ._dictionary_sizes import word_bytes
from ._dictionary_values import has_dictionary, refuse_missing_words
from ._file_errors import first_line, naming, open_file
from ._footer_check import readable_footer
from ._numbers import count_of
from ._old_times import UNIT, old_times, refuse_far_times
from ._output_types import csv_batch, csv_schema
from ._pandas_index import without_range
from ._parquet_footer import FILE_ROW_GROUPS, GROUP_BYTES, GROUP_ROWS, items, read_footer
from ._parquet_form import codecs_of, form_of, keeps_dictionaries
from ._parquet_writer import ParquetWriter

FORMATS = {".parquet": "parquet", ".csv": "csv", ".csv.gz": "csv", ".arrow": "arrow", ".feather": "arrow"}

CODECS = {"parquet": ("none", "snappy", "gzip", "brotli", "lz4", "zstd"), "arrow": ("none", "lz4", "zstd"), "csv": ()}
_WITH_LEVEL = ("gzip", "brotli", "zstd")

# What one batch that is read takes in memory at most, as far as can be told, and its rows.
_BATCH_BYTES = 4 << 20
_FIRST_ROWS, _BATCH_ROWS = 1 << 8, 1 << 16
# How much of each column is read ahead.
_BUFFER_BYTES = 1 << 20


def format_of(path):
    name = os.path.basename(path)
    for suffix, table_format in FORMATS.items():
        if name.endswith(suffix) and name != suffix:
            return table_format
    raise Error(f"cannot tell the format of '{path}': let the name end in one of {', '.join(FORMATS)}")


class ParquetInput(TypedInput):
    """codecs: how its columns are compressed, those in columns one by one. form: see form_of(). groups: bytes and rows of its row groups,
    where no group with rows has no bytes."""

    def __init__(self, path):
        self.path = path
        with naming(path, "read"), open(path, "rb") as file, self._open() as source:
            self.form, self.codecs, self.groups, self._old_times = readable_footer(path, file, lambda footer: (
                form_of(file, footer), codecs_of(footer), _groups(footer), old_times(footer)))
            self.schema = without_range(source.schema_arrow)

    def batches(self, use_threads, groups=None):
        """The record batches, in the order of the rows: those of the row groups with these numbers, or of all."""
        with naming(self.path, "read"), self._open() as source:
            for group in range(source.num_row_groups) if groups is None else groups:
                self._refuse_far_times(group)
                rows = 0
                for batch in source.iter_batches(_read_batch_rows(source, group), row_groups=[group],
                                                 use_threads=use_threads):
                    refuse_missing_words(batch)
                    rows += batch.num_rows
                    yield batch
                    del batch
                _refuse_missing_rows(self.path, group, rows, self.groups[group][1])

    def word_bytes(self):
        names = {field.name for field in self.schema if has_dictionary(field.type)}
        if not names:
            return 0
        with naming(self.path, "read"), open(self.path, "rb") as file:
            return word_bytes(file, read_footer(file), names)

    def refuse_key(self, name):
        kind = self.schema.field(name).type
        if not pyarrow.types.is_dictionary(kind) or not kind.ordered:
            return
        with naming(self.path, "read"), open(self.path, "rb") as file:
            if not keeps_dictionaries(read_footer(file), name):
                raise Error(f"key '{name}' is of type {kind}, and '{self.path}' holds values without the dictionary that "
                            "tells their order: write it with dictionaries, or cast the column to text")

    def _refuse_far_times(self, group):
        if self._old_times:
            with self._open(coerce_int96_timestamp_unit=UNIT) as source:
                refuse_far_times(source.iter_batches(_BATCH_ROWS, [group], self._old_times), self.path)

    @contextlib.contextmanager
    def _open(self, **options):
        with open_file(self.path) as file:
            yield pyarrow.parquet.ParquetFile(file, pre_buffer=False, buffer_size=_BUFFER_BYTES,
                                              page_checksum_verification=True, **options)


def open_input(path, known_types, csv_keys, stays_csv):
    """known_types: what other files tell of its columns, or None. csv_keys: the names of the keys if all files are CSV,
    stays_csv: if the output is CSV, too."""
    table_format = format_of(path)
    if table_format == "csv":
        return CsvInput(path, guess_types(path, known_types, csv_keys if stays_csv else None), csv_keys, stays_csv)
    return ParquetInput(path) if table_format == "parquet" else ArrowInput(path)


def _groups(footer):
    groups = [(group[GROUP_BYTES][1], group[GROUP_ROWS][1]) for group in items(footer, FILE_ROW_GROUPS)]
    return [(max(size, rows), rows) for size, rows in groups]


def _refuse_missing_rows(path, group, rows, expected):
    """pyarrow takes a page that it does not know, such as one with a damaged header, for the end of the rows."""
    if rows != expected:
        raise Error(f"cannot read '{path}': it is damaged: row group {group + 1} has {expected} rows by the footer, and "
                    f"{rows} can be read")


def _read_batch_rows(source, group):
    """By the first rows of a row group as they are in memory: in the file long values that repeat take little."""
    metadata = source.metadata.row_group(group)
    if metadata.num_rows == 0:
        return _FIRST_ROWS
    stored = metadata.total_byte_size // metadata.num_rows + 1
    few = max(1, min(_FIRST_ROWS, _BATCH_BYTES // stored))
    if metadata.num_rows <= few:
        return few
    first = next(source.iter_batches(few, row_groups=[group]), None)
    if first is None:
        return few  # whoever reads the rows tells of the damage
    return max(1, min(_BATCH_ROWS, _BATCH_BYTES // max(first.nbytes // first.num_rows + 1, stored)))


class WriterOptions(typing.NamedTuple):
    """How an output is written. codec: None for that of the first input."""
    table_format: str
    row_group_rows: int | None
    codec: str | None
    level: int | None


def writer_options(path, row_group_rows, compression):
    """Raises Error for what does not go with the format of the path."""
    table_format = format_of(path)
    if row_group_rows is not None:
        if table_format != "parquet":
            raise Error("row_group_rows is for Parquet: leave it out, or let the name of the output end in .parquet")
        row_group_rows = count_of(row_group_rows, "row_group_rows")
    return WriterOptions(table_format, row_group_rows, *_parse_compression(path, table_format, compression))


def _parse_compression(path, table_format, compression):
    if compression is None:
        return {"arrow": "lz4" if path.endswith(".feather") else "none"}.get(table_format), None
    if not isinstance(compression, str):
        raise TypeError(f"compression must be a str, not {type(compression).__name__}")
    known = CODECS[table_format]
    if not known:
        raise Error("compression is for Parquet and Arrow: leave it out; a name that ends in .csv.gz is packed with "
                    "gzip")
    codec, colon, level = compression.partition(":")
    if codec not in known or (colon and (codec not in _WITH_LEVEL or not level.lstrip("-").isdigit())):
        raise ArgumentError(f"invalid value '{compression}' for compression: known are {', '.join(known)}, with a level as in "
                    "zstd:3")
    level = int(level) if colon else None
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


def make_writer(output, first_input, keys, threads, options, carried):
    """What takes record batches by write(), and is complete after close(). stop() ends it otherwise. carried: the schema of
    the batches, None for that of the output."""
    schema = first_input.schema
    if options.table_format == "parquet":
        codecs = (options.codec,) if options.codec else first_input.codecs
        return ParquetWriter(output, schema, keys, options.row_group_rows, threads, codecs, options.level,
                             carried, first_input.form)
    if options.table_format == "csv":
        return _ThreadWriter(_CsvWriter(output, carried or schema))
    codec = None if options.codec == "none" else pyarrow.Codec(options.codec, options.level)
    ipc_options = pyarrow.ipc.IpcWriteOptions(compression=codec)
    return _ThreadWriter(pyarrow.ipc.new_file(output, schema, options=ipc_options))


class _CsvWriter:
    def __init__(self, output, schema):
        self._schema = csv_schema(schema)
        self._writer = pyarrow.csv.CSVWriter(output, self._schema)

    def write_batch(self, batch):
        self._writer.write_batch(csv_batch(batch, self._schema))

    def close(self):
        self._writer.close()


class _ThreadWriter:
    """Writes on a thread, while the next batches are made."""

    _MOST_PENDING = 2

    def __init__(self, writer):
        self._writer = writer
        self._executor = concurrent.futures.ThreadPoolExecutor(1, "sortie-writer")
        self._pending = collections.deque()

    def write(self, batch):
        while len(self._pending) >= self._MOST_PENDING:
            self._pending.popleft().result()
        self._pending.append(self._executor.submit(self._writer.write_batch, batch))

    def close(self):
        while self._pending:
            self._pending.popleft().result()
        self._writer.close()
        self.stop()

    def stop(self):
        self._executor.shutdown(wait=False, cancel_futures=True)
