"""Tables in files, by the suffixes of their names: how they are read batch by batch, and written."""

import collections
import concurrent.futures
import contextlib
import os
import re
import typing

import pyarrow
import pyarrow.csv
import pyarrow.ipc
import pyarrow.parquet

from . import Error
from ._parquet_writer import ParquetWriter, column_bytes

FORMATS = {".parquet": "parquet", ".csv": "csv", ".csv.gz": "csv", ".arrow": "arrow", ".feather": "arrow"}

CODECS = {"parquet": ("none", "snappy", "gzip", "brotli", "lz4", "zstd"), "arrow": ("none", "lz4", "zstd"), "csv": ()}
_WITH_LEVEL = ("gzip", "brotli", "zstd")

# What one batch that is read takes in memory at most, as far as can be told, and its rows.
_BATCH_BYTES = 4 << 20
_BATCH_ROWS = 1 << 16
_PROBED_ROWS = 256
# No row of CSV may be longer.
_CSV_BLOCK_BYTES = 8 << 20
# Of each column that is read ahead.
_BUFFER_BYTES = 1 << 20


def format_of(path):
    name = os.path.basename(path)
    for suffix, table_format in FORMATS.items():
        if name.endswith(suffix) and name != suffix:
            return table_format
    raise Error(f"cannot tell the format of '{path}': let the name end in one of {', '.join(FORMATS)}")


@contextlib.contextmanager
def _reading(path):
    """Names the file in what is wrong with it."""
    try:
        yield
    except pyarrow.ArrowException as error:
        raise Error(f"cannot read '{path}': {first_line(error)}") from None
    except OSError as error:
        raise Error(f"cannot read '{path}': {error.strerror or first_line(error)}") from None


def first_line(error):
    return (str(error).splitlines() or [type(error).__name__])[0]


class TableFile:
    """An input."""

    def __init__(self, path, known_schema=None):
        """known_schema: that of the first input, whose types columns of CSV get; None: they are guessed."""
        self.path = path
        self._format = format_of(path)
        self._types = known_schema
        with _reading(path), open(path, "rb"), contextlib.closing(self._open()) as source:
            self.schema = source.schema_arrow if self._format == "parquet" else source.schema
            self.codec = _codec(source) if self._format == "parquet" else None
            if self._format == "parquet":
                _refuse_types_that_would_be_lost(path, source.schema)

    @property
    def is_csv(self):
        return self._format == "csv"

    def take_types(self, schema):
        """Columns of CSV are of these types from now on."""
        self.schema = self._types = schema

    def batches(self, use_threads):
        """The record batches, in the order of the rows."""
        with _reading(self.path), contextlib.closing(self._open()) as source:
            if self._format == "parquet":
                for group in range(source.num_row_groups):
                    yield from source.iter_batches(_batch_rows(source, group), row_groups=[group], use_threads=use_threads)
            elif self._format == "csv":
                yield from source
            else:
                # Nothing checks what a damaged file says of its buffers.
                for batch in _arrow_batches(source):
                    batch.validate(full=True)
                    yield batch

    def _open(self):
        if self._format == "parquet":
            return pyarrow.parquet.ParquetFile(self.path, pre_buffer=False, buffer_size=_BUFFER_BYTES)
        if self._format == "csv":
            return pyarrow.csv.open_csv(
                self.path, read_options=pyarrow.csv.ReadOptions(block_size=_CSV_BLOCK_BYTES),
                parse_options=pyarrow.csv.ParseOptions(newlines_in_values=True),
                convert_options=pyarrow.csv.ConvertOptions(column_types=self._types))
        source = pyarrow.OSFile(self.path)
        try:
            return _Closing(pyarrow.ipc.open_file(source), source)
        except pyarrow.ArrowInvalid:
            source.seek(0)
            return _Closing(pyarrow.ipc.open_stream(source), source)


class _Closing:
    """A reader that closes its file."""

    def __init__(self, reader, source):
        self._reader, self._source = reader, source

    def __getattr__(self, name):
        return getattr(self._reader, name)

    def __iter__(self):
        return iter(self._reader)

    def close(self):
        self._source.close()


def _refuse_types_that_would_be_lost(path, schema):
    """Arrow takes these types of Parquet for others."""
    for line in str(schema).splitlines():
        if found := re.search(r"field_id=-?\d+ (.*) \((Variant|Interval|Geometry|Geography)\b", line):
            raise Error(f"column '{found[1]}' of '{path}' is of type {found[2]}, which Arrow has not: leave it out, or cast it")


def _codec(source):
    """How the first column is compressed, as pyarrow's writer calls it; None for what it does not write."""
    if source.metadata.num_row_groups == 0 or source.metadata.num_columns == 0:
        return None
    codec = source.metadata.row_group(0).column(0).compression.lower().replace("uncompressed", "none")
    return codec if codec in CODECS["parquet"] else None


def _arrow_batches(source):
    if hasattr(source, "get_batch"):
        return (source.get_batch(number) for number in range(source.num_record_batches))
    return source


def _batch_rows(source, group):
    """Rows of a row group that take _BATCH_BYTES, if all are as wide as the first: the footer tells only what is encoded."""
    for probe in source.iter_batches(_PROBED_ROWS, row_groups=[group], use_threads=False):
        row_bytes = sum(map(column_bytes, probe.columns)) // max(probe.num_rows, 1) + 1
        return max(1, min(_BATCH_ROWS, _BATCH_BYTES // row_bytes))
    return _BATCH_ROWS


class WriterOptions(typing.NamedTuple):
    """Of an output. codec: None for that of the first input."""
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
        if isinstance(row_group_rows, bool) or not isinstance(row_group_rows, int):
            raise TypeError(f"row_group_rows must be an int, not {type(row_group_rows).__name__}")
        if row_group_rows < 1:
            raise Error(f"invalid value '{row_group_rows}' for row_group_rows: give 1 or more")
    return WriterOptions(table_format, row_group_rows, *_parse_compression(path, table_format, compression))


def _parse_compression(path, table_format, compression):
    if compression is None:
        return {"arrow": "lz4" if path.endswith(".feather") else "none"}.get(table_format), None
    if not isinstance(compression, str):
        raise TypeError(f"compression must be a str, not {type(compression).__name__}")
    known = CODECS[table_format]
    if not known:
        raise Error("compression is for Parquet and Arrow: leave it out; a name that ends in .csv.gz is packed with gzip")
    codec, colon, level = compression.partition(":")
    if codec not in known or (colon and (codec not in _WITH_LEVEL or not level.lstrip("-").isdigit())):
        raise Error(f"invalid value '{compression}' for compression: known are {', '.join(known)}, with a level as in zstd:3")
    return codec, int(level) if colon else None


def make_writer(output, first_input, keys, threads, options):
    """What takes record batches by write(), and is complete after close(). stop() ends it otherwise."""
    schema = first_input.schema
    if options.table_format == "parquet":
        return ParquetWriter(output.file, schema, keys, options.row_group_rows, threads,
                             compression=options.codec or first_input.codec or "zstd", compression_level=options.level)
    if options.table_format == "csv":
        file = _gzip_stream(output.file) if output.path.endswith(".gz") else output.file
        return _ThreadWriter(pyarrow.csv.CSVWriter(file, schema), file)
    codec = None if options.codec == "none" else pyarrow.Codec(options.codec, options.level)
    ipc_options = pyarrow.ipc.IpcWriteOptions(compression=codec)
    return _ThreadWriter(pyarrow.ipc.new_file(output.file, schema, options=ipc_options), output.file)


def _gzip_stream(file):
    """Closing it leaves `file` open."""
    return pyarrow.CompressedOutputStream(os.fdopen(os.dup(file.fileno()), "wb"), "gzip")


class _ThreadWriter:
    """Writes on a thread, while the next batches are made."""

    _MOST_PENDING = 2

    def __init__(self, writer, file):
        self._writer, self._file = writer, file
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
        if isinstance(self._file, pyarrow.NativeFile):
            self._file.close()
        self.stop()

    def stop(self):
        self._executor.shutdown(wait=True, cancel_futures=True)
