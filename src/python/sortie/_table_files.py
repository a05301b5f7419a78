"""Tables in files, by the suffixes of their names: how they are read batch by batch."""

import collections
import contextlib
import itertools
import os

import pyarrow
import pyarrow.compute
import pyarrow.ipc
import pyarrow.parquet

from . import Error
from ._files import guess_types, naming, open_file
from ._csv_input import CsvInput
from ._dictionaries import arrays_within, has_dictionary, refuse_missing_words, word_bytes
from ._parquet_footer import (CHUNK_METADATA, CHUNK_PATH, CHUNK_TYPE, FILE_ROW_GROUPS, items, pages_hold_rows, read_footer,
                              readable_footer)
from ._parquet_form import codecs_of, form_of, keeps_dictionaries
from ._schemas import TypedInput
from ._tables import without_range
from ._thrift import read_struct

FORMATS = {".parquet": "parquet", ".csv": "csv", ".csv.gz": "csv", ".arrow": "arrow", ".feather": "arrow"}

# What one batch that is read takes in memory at most, as far as can be told, and its rows. More for many columns, of each of
# which a batch should hold more than what the batch itself costs.
_BATCH_BYTES, _COLUMN_BYTES = 4 << 20, 8 << 10
_FIRST_ROWS, _BATCH_ROWS = 1 << 8, 1 << 16
# pyarrow reads each column of a batch by a thread: of fewer bytes that costs more than it saves.
_THREAD_BYTES = 64 << 10
# How many times as many rows a batch may have as the one in front: its rows may be longer.
_MOST_GROWTH = 4
# How much of each column is read ahead.
_BUFFER_BYTES = 1 << 20
_IPC_MAGIC = b"ARROW1"
_IPC_CONTINUATION = b"\xff\xff\xff\xff"
_IPC_END = _IPC_CONTINUATION + bytes(4)
# Parquet's old timestamps of 96 bits. pyarrow reads them as those of 64 bits in ns, and takes those that do not fit for others:
# 9999-12-31 would be in 1816.
_INT96 = 3
# The unit in which all of them fit, and how many of it fit in ns on both sides of 1970.
_TIME_UNIT = "ms"
_MOST_TIME = (1 << 63) // 10**6 - 1


def format_of(path):
    name = os.path.basename(path)
    for suffix, table_format in FORMATS.items():
        if name.endswith(suffix) and name != suffix:
            return table_format
    raise Error(f"cannot tell the format of '{path}': let the name end in one of {', '.join(FORMATS)}")


class ArrowInput(TypedInput):
    """An IPC file or stream."""

    def __init__(self, path):
        self.path = path
        with naming(path, "read"), open_file(path) as file:
            self.schema = without_range(_open_ipc(file).schema)

    def batches(self, use_threads):
        with naming(self.path, "read"), open_file(self.path) as file:
            for batch in _ipc_batches(_open_ipc(file)):
                # pyarrow believes what it reads, and would touch what is not there.
                batch.validate(full=True)
                yield batch
            if self.assumed is not None and not _has_end(file):
                self.assumed.add("no-end-of-stream", None, 1, self.path)


def _has_end(file):
    """Whether what was read to its end has a mark of it. Without one it may be the rest of a longer stream. Before version
    0.15 of Arrow the mark was four zeros, with which rows may end, too."""
    end = file.tell()
    begin = file.read_at(len(_IPC_MAGIC), 0)
    if begin == _IPC_MAGIC or not begin.startswith(_IPC_CONTINUATION):
        return True
    return file.read_at(len(_IPC_END), end - len(_IPC_END)) == _IPC_END


def _open_ipc(file):
    is_file = file.read(len(_IPC_MAGIC)) == _IPC_MAGIC
    file.seek(0)
    return pyarrow.ipc.open_file(file) if is_file else pyarrow.ipc.open_stream(file)


def _ipc_batches(source):
    if isinstance(source, pyarrow.ipc.RecordBatchFileReader):
        return map(source.get_batch, range(source.num_record_batches))
    return source


class ParquetInput(TypedInput):
    """codecs: how its columns are compressed, those in columns one by one. form: see form_of(). groups: the GroupSizes of its
    row groups."""

    def __init__(self, path):
        self.path = path
        with naming(path, "read"), open(path, "rb") as file, self._open() as source:
            self.form, self.codecs, self.groups, self._old_times = readable_footer(path, file, lambda footer, groups, chunks: (
                form_of(file, footer, chunks), codecs_of(chunks), groups, _old_times(chunks)))
            self.schema = without_range(source.schema_arrow)
        self._taken = range(len(self.groups))
        self._batch_bytes = max(_BATCH_BYTES, _COLUMN_BYTES * len(self.schema))
        # pyarrow reads no dictionaries within lists and structs of several row groups at once.
        self._joins_groups = not any(pyarrow.types.is_nested(kind) and has_dictionary(kind) for kind in self.schema.types)

    def take_groups(self, numbers):
        """Leaves out all other row groups."""
        self._taken = numbers

    def rows(self):
        return sum(self.groups[group].rows for group in self._taken)

    def batches(self, use_threads):
        """The record batches, in the order of the rows."""
        with naming(self.path, "read"), self._open() as source, open(self.path, "rb") as file:
            footer = items(read_footer(file), FILE_ROW_GROUPS) if len(self._taken) > 1 and self._joins_groups else []
            with_words = [number for number, kind in enumerate(source.schema_arrow.types) if has_dictionary(kind)]
            taken, last = collections.deque(self._taken), None
            while taken:
                groups = self._next_groups(taken, last)
                if len(groups) > 1:
                    whole = itertools.takewhile(lambda group: pages_hold_rows(file, read_struct(footer[group])), groups)
                    count = max(1, len(list(whole)))  # a damaged one is read alone
                    taken.extendleft(reversed(groups[count:]))
                    del groups[count:]
                for group in groups:
                    self._refuse_far_times(group)
                expected = sum(self.groups[group].rows for group in groups)
                most_rows = expected if len(groups) > 1 else self._batch_rows(source, groups[0])
                rows = 0
                stored = min(self._batch_bytes, sum(self.groups[group].bytes for group in groups))
                pays = stored >= _THREAD_BYTES * len(self.schema)
                for batch in source.iter_batches(most_rows, row_groups=groups, use_threads=use_threads and pays):
                    refuse_missing_words(batch, with_words)
                    rows += batch.num_rows
                    last = batch.num_rows, batch.nbytes if taken else 0
                    yield batch
                    del batch
                # pyarrow takes a page that it does not know, such as one with a damaged header, for the end of the rows.
                if rows != expected:
                    numbers = " to ".join(str(group + 1) for group in sorted({groups[0], groups[-1]}))
                    which = f"row group {numbers} has" if len(groups) == 1 else f"row groups {numbers} have"
                    raise Error(f"cannot read '{self.path}': it is damaged: {which} {expected} rows by the footer, and "
                                f"{rows} can be read")

    def _next_groups(self, taken, last):
        """Takes the row groups that are read at once: as many as fit into a batch, as far as the rows and bytes of the last batch
        tell, None for none."""
        groups = [taken.popleft()]
        if last is not None and last[0] and self._joins_groups:
            most_rows = min(_BATCH_ROWS, _MOST_GROWTH * last[0], self._batch_bytes // (last[1] // last[0] + 1))
            size, rows = self.groups[groups[0]].told_bytes, self.groups[groups[0]].rows
            while taken:
                size += self.groups[taken[0]].told_bytes
                rows += self.groups[taken[0]].rows
                if rows > most_rows or size > self._batch_bytes:
                    break
                groups.append(taken.popleft())
        return groups

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
            with self._open(coerce_int96_timestamp_unit=_TIME_UNIT) as source:
                _refuse_far_times(source.iter_batches(_BATCH_ROWS, [group], self._old_times), self.path)

    def _batch_rows(self, source, group):
        """By the first rows of a row group as they are in memory, where types do not tell of them: in the file long values that
        repeat take little, and what a footer tells of texts may be wrong."""
        sizes = self.groups[group]
        if sizes.rows == 0:
            return _FIRST_ROWS
        stored = sizes.bytes // sizes.rows + 1
        width, unknown = _width_by_types(source.schema_arrow)
        told = (sizes.text_bytes or 0) // sizes.rows
        if unknown:
            few = max(1, min(_FIRST_ROWS, self._batch_bytes // max(width + told + 1, stored)))
            if sizes.rows <= few:
                return few
            first = next(source.iter_batches(few, row_groups=[group], columns=unknown), None)
            if first is None:
                return few  # whoever reads the rows tells of the damage
            width += max(told, first.nbytes // max(first.num_rows, 1))
        return max(1, min(_BATCH_ROWS, self._batch_bytes // max(width + 1, stored)))

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


def _old_times(chunks):
    """The paths of the columns that have such timestamps."""
    columns = [chunk[CHUNK_METADATA][1] for chunk in chunks]
    return [".".join(part.decode() for part in items(column, CHUNK_PATH)) for column in columns
            if column[CHUNK_TYPE][1] == _INT96 and CHUNK_PATH in column]


def _refuse_far_times(batches, path):
    """batches: of these columns alone, in _TIME_UNIT."""
    for batch in batches:
        for name, column in zip(batch.schema.names, batch.columns):
            for times in arrays_within(column, pyarrow.types.is_timestamp):
                bounds = pyarrow.compute.min_max(times.cast(pyarrow.int64()))
                for bound in (bounds["min"].as_py(), bounds["max"].as_py()):
                    if bound is not None and abs(bound) > _MOST_TIME:
                        raise Error(f"column '{name}' of '{path}' has times of 96 bits before 1678 or after 2262-04-10, "
                                    "which timestamps in ns do not hold: write it with times of 64 bits in us")


def _width_by_types(schema):
    """Bytes of a row in the columns whose types tell them, and the names of the others."""
    bits, others = 0, []
    for name, kind in zip(schema.names, schema.types):
        if pyarrow.types.is_primitive(kind):
            bits += kind.bit_width + 1
        else:
            others.append(name)
    return bits // 8, others
