"""Writes a Parquet file with all cores. Each column of a row group is encoded by a thread of its own
(column_encoder.py); their bytes follow one another in the output, and their footers become one."""

from __future__ import annotations

import collections
import concurrent.futures
import itertools
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

import pyarrow
import pyarrow.parquet

from .. import _native

from .._thread_pools import DaemonPool
from ..columns.keys import target_of
from . import thrift as thrift
from .column_encoder import ColumnOptions, encode, encode_columns, footer_of_part, parts_of
from .dictionaries import refuse_too_many_values
from .group_columns import MOST_STRETCH_BYTES, GroupColumns, is_text
from .group_file import EncodedGroup, EncodedPart, GroupFile
from .parquet_footer import FILE_SCHEMA, columns_of, is_leaf, items
from .parquet_form import ColumnForm, column_forms, name_bytes
from .parquet_options import ParquetChoices
from .row_group import RowGroup
from .stored_groups import LeafForm, StoredForm, StoredGroup
from .text_stretch import TextEncoder, TextStretch
from .thrift import Struct

# Memory is given back whenever so much was written.
_TRIMMED_BYTES = 1 << 20


class ParquetWriter:
    """keys: (name, whether it falls, whether nulls come first) each. codecs: one for all columns, or one for each, with
    those in columns one by one; "zstd" where that does not fit. batch_schema: that of the batches where it has values
    in place of dictionaries. form: what else a source has and is kept, see form_of(). choices: what is not kept. Not
    complete before close()."""

    def __init__(self, file: Any, schema: Any, keys: Iterable[tuple[str, bool, bool]], row_group_rows: int | None,
                 threads: int, codecs: tuple[str, ...], level: int | None, batch_schema: Any = None,
                 form: Mapping[str, Any] | None = None, choices: ParquetChoices | None = None) -> None:
        self._schema = schema
        self._batch_schema = batch_schema or schema
        choices = choices or ParquetChoices()
        self._group = RowGroup(row_group_rows, self._batch_schema.types, choices.row_group_bytes)
        # Row groups that are being encoded while the next one is filled.
        self._most_encoded = 1 if threads < 3 else 2
        no_rows = pyarrow.Table.from_batches([], schema)
        empty = encode(no_rows, 0, {}, True)
        self._footer = footer_of_part(empty)
        leaves, paths = _leaves(self._footer), _leaf_paths(empty)
        keys = list(keys)
        self._sorting = _sorting_columns(schema, leaves, paths, keys)
        self._paths = [[paths[leaf] for leaf in column] for column in leaves]
        columns = list(zip(schema.names, self._paths))
        self._forms = column_forms(choices.form_of(form or {}, columns), self._paths)
        _take_types(self._footer, no_rows, self._forms)
        name_bytes(form or {}, paths, self._footer)
        self._compressions = _compressions(paths, leaves, codecs)
        self._levels: Sequence[Any] = [level] * len(leaves)
        if choices.codecs:
            self._compressions, self._levels = choices.codecs_of(columns, self._compressions, level)
        self._open = None if file is None else self._begun(file)
        self.moved_groups = 0  # by move()
        self._threads = threads
        self._untrimmed = _TRIMMED_BYTES
        # There is no more to do than two row groups have columns.
        self._encoders = DaemonPool(max(1, min(threads, 2 * len(schema))), "sortie-encoder")
        self._appender = DaemonPool(1, "sortie-writer")
        self._pending: collections.deque[concurrent.futures.Future[None]] = collections.deque()
        self._columns = GroupColumns(self._batch_schema, self._divisible_texts({name for name, _, _ in keys}), threads,
                                     self._encode_stretch)
        self._texts = TextEncoder(MOST_STRETCH_BYTES)

    def write(self, batch: Any) -> None:
        """Takes a record batch. Waits while row groups are being encoded."""
        while batch.num_rows:
            taken, batch = self._group.fill(batch)
            self._columns.add(taken, self._group.expected_rows)
            del taken
            if self._group.is_full:
                self._flush()

    def stored_form(self) -> StoredForm:
        """What row groups must have that move() takes."""
        leaves = [LeafForm(path, codec if isinstance(codec, str) else codec[path],
                           path in level if isinstance(level, Mapping) else level is not None, form)
                  for paths, codec, level, form in zip(self._paths, self._compressions, self._levels, self._forms)
                  for path in paths]
        return StoredForm(self._schema, self._footer, leaves, self._group, self._threads > 1)

    def move(self, group: StoredGroup) -> None:
        """Takes a row group of another file as it is, unless the rows that were written before it are too few for one:
        then its rows come to these."""
        if not self._group.may_end:
            is_one = self._group.stretch_for(group.num_rows, group.nbytes)
            for batch in group.batches():
                self.write(batch)
            if is_one and self._group.rows:
                self._flush()
            return
        if self._group.rows:
            self._flush()
        self._wait(self._most_encoded - 1)
        self._append_behind(group)
        self.moved_groups += 1

    def close(self) -> None:
        """Ends the file."""
        if self._group.rows:
            self._flush()
        self._wait(0)
        self._end_open()
        self.stop()

    def stop(self) -> None:
        """Ends the threads without waiting for what they are at: a slow codec takes minutes for a column. Then the file
        is not complete, and whoever still writes to it fails."""
        self._encoders.stop()
        self._appender.stop()

    def _flush(self) -> None:
        rows, (held, encoded) = self._group.end(), self._columns.take()
        sizes = {number: column.nbytes for number, column in held.items()}
        self._untrimmed += sum(sizes.values())
        if self._untrimmed >= _TRIMMED_BYTES and not encoded:
            # Row groups that are written lie in free pieces between the batches of this one. What texts that were encoded in
            # stretches took is used again.
            _native.trim_memory()
            self._untrimmed = 0
        if self._batch_schema is not self._schema:
            for number, column in held.items():
                refuse_too_many_values(self._schema.field(number).name, self._schema.field(number).type, column)
        self._wait(self._most_encoded - 1)
        columns = self._column_options(rows)
        parts: dict[int, EncodedPart] = dict(encoded)  # by the number of the first column
        ranges = list(_parts_between(sizes, columns))
        # What takes longest begins first.
        for part in sorted(ranges, key=lambda part: -sum(sizes[column] for column in part)):
            table = pyarrow.Table.from_arrays([held[number] for number in part],
                                              schema=pyarrow.schema([self._batch_schema.field(number) for number in part]))
            parts[part.start] = self._encoders.submit(encode_columns, table, rows, columns[part.start:part.stop])
        self._append_behind(EncodedGroup([parts[first] for first in sorted(parts)], rows))

    def _divisible_texts(self, keys: Collection[str]) -> dict[int, bool]:
        """For GroupColumns. Those of keys are left out: in order, the first values tell nothing of the others."""
        texts = {}
        for number, (field, form) in enumerate(zip(self._schema, self._forms)):
            if (is_text(field.type) and self._batch_schema.field(number).type == field.type and field.name not in keys
                    and form.is_divisible):
                texts[number] = "use_dictionary" not in form.options(0)
        return texts

    def _encode_stretch(self, number: int, column: pyarrow.Table) -> concurrent.futures.Future[TextStretch]:
        paths, options = self._column_options(column.num_rows)[number]
        without = ColumnOptions(paths, {**options, "use_dictionary": []})
        return self._encoders.submit(self._texts.encode, column, without)

    def _column_options(self, rows: int) -> list[ColumnOptions]:
        """Columns of which the writer is told the same share it."""
        shared: dict[tuple[int, ColumnForm], dict[str, Any]] = {}
        columns = []
        for paths, compression, level, form in zip(self._paths, self._compressions, self._levels, self._forms):
            which = id(compression), form
            if which not in shared:
                shared[which] = {"compression": compression, "compression_level": level, **form.options(rows)}
            columns.append(ColumnOptions(paths, shared[which]))
        return columns

    def _wait(self, most: int) -> None:
        while len(self._pending) > most:
            self._pending.popleft().result()

    def _append_behind(self, group: EncodedGroup | StoredGroup) -> None:
        self._pending.append(self._appender.submit(self._appending(), group))

    def _appending(self) -> Callable[[EncodedGroup | StoredGroup], None]:
        """What appends the row group that comes now."""
        return self._append_group

    def _append_group(self, group: EncodedGroup | StoredGroup) -> None:
        if self._open is not None:
            self._open.append(group)

    def _begun(self, file: Any) -> GroupFile:
        return GroupFile(file, self._footer, self._sorting)

    def _end_open(self) -> None:
        if self._open is not None:
            self._open.end()


def _parts_between(sizes: Mapping[int, int], columns: list[ColumnOptions]) -> Iterator[range]:
    """parts_of() for the columns of some numbers, in order."""
    runs: list[range] = []
    for number in sizes:
        begin = runs.pop().start if runs and runs[-1].stop == number else number
        runs.append(range(begin, number + 1))
    for run in runs:
        for part in parts_of([sizes[number] for number in run], columns[run.start:run.stop]):
            yield range(run.start + part.start, run.start + part.stop)


def _leaves(footer: Struct) -> list[range]:
    """The numbers of the leaves of the schema in each column, as ranges."""
    ends = itertools.accumulate((sum(map(is_leaf, column)) for column in columns_of(footer)), initial=0)
    return [range(first, end) for first, end in itertools.pairwise(ends)]


def _sorting_columns(schema: Any, leaves: list[range], paths: list[str],
                     keys: Iterable[tuple[str, bool, bool]]) -> list[Struct]:
    """The structs SortingColumn of the keys. paths: of all leaves."""
    flag = {True: (thrift.TRUE, None), False: (thrift.FALSE, None)}
    return [{1: (thrift.I32, _leaf_of(name, schema, leaves, paths)), 2: flag[falls], 3: flag[nulls_first]}
            for name, falls, nulls_first in keys]


def _leaf_of(key: str, schema: Any, leaves: list[range], paths: list[str]) -> int:
    """A column that is a key is a leaf, and so is a field."""
    column, fields = target_of(schema, key, "the output")
    return next(leaf for leaf in leaves[column] if not fields or paths[leaf] == key)


def _leaf_paths(file: Any) -> list[str]:
    schema = pyarrow.parquet.read_metadata(pyarrow.BufferReader(file)).schema
    return [schema.column(leaf).path for leaf in range(len(schema))]


def _take_types(footer: Struct, no_rows: Any, forms: list[ColumnForm]) -> None:
    """Gives the schema the types of columns that are written in a form of their own."""
    taken = items(footer, FILE_SCHEMA)[:1]
    for number, (own, form) in enumerate(zip(columns_of(footer), forms)):
        def encode_none(options: dict[str, Any], number: int = number) -> Any:
            return encode(no_rows.select([number]), 0, options)
        form.try_encodings(encode_none)
        if form.changes_types:
            own = items(footer_of_part(encode_none(form.options(0))), FILE_SCHEMA)[1:]
        taken += own
    footer[FILE_SCHEMA] = (thrift.LIST, (thrift.STRUCT, taken))


def _compressions(paths: list[str], leaves: list[range], codecs: tuple[str, ...]) -> Sequence[str | dict[str, str]]:
    """What pyarrow's writer is told for each column."""
    if len(codecs) not in (1, len(paths)):
        codecs = ("zstd",)
    if len(set(codecs)) == 1:
        return codecs[:1] * len(leaves)
    return [{paths[leaf]: codecs[leaf] for leaf in column} for column in leaves]
