"""Rows of a Parquet file, batch by batch: row groups that are read at once, and batches of a bounded size."""

from __future__ import annotations

import collections
import contextlib
import copy
import io
import itertools
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, BinaryIO, cast

import pyarrow
import pyarrow.parquet

from .. import Error
from .._files import naming, open_bytes, open_file
from .._report import say_count
from ..columns.pandas_metadata import without_range
from ..columns.row_bytes import width_by_types
from ..columns.schemas import TypedInput, type_of_key
from .column_ends import ends_told
from .dictionaries import has_dictionary, refuse_missing_words, word_bytes
from .old_times import TIME_UNIT, paths_of_old_times, refuse_far_times
from .parquet_footer import (FILE_ROW_GROUPS, GroupSizes, has_footer, have_one_schema, items, of_rows, pages_hold_rows,
                              read_footer, readable_footer, row_groups)
from .parquet_form import codecs_of, form_of, keeps_dictionaries
from .parquet_joining import joined_file
from .thrift import read_struct

# Upper bounds on the memory of a batch, as far as can be told, and on its rows. Memory of larger arrays is given back and
# taken anew: a tenth of the time of reading. Row groups that are read at once have more, and so have many columns.
_BATCH_BYTES, _JOINED_BYTES, _COLUMN_BYTES = 2 << 20, 4 << 20, 16 << 10
_FIRST_ROWS, _BATCH_ROWS = 1 << 8, 1 << 16
# pyarrow reads each column of a batch by a thread: of fewer bytes that costs more than it saves.
_THREAD_BYTES = 64 << 10
# How many times as many rows a batch may have as the one in front: its rows may be longer.
_MOST_GROWTH = 4
# How much of each column is read ahead.
_BUFFER_BYTES = 1 << 20

_Struct = dict[int, Any]  # of the footer, as thrift.py reads it


class ParquetInput(TypedInput):
    """codecs: how its columns are compressed, those in columns one by one. form: see form_of(). Files that are alike
    have those of the first. groups: the GroupSizes of its row groups. held_bytes: of a file that is held in memory;
    else 0."""

    def __init__(self, path: str, most_held_bytes: int = 0, like: ParquetInput | None = None) -> None:
        """A file of no more bytes is held: to open it again takes as long as to read its rows. like: a ParquetInput
        that this one may be alike."""
        self.path = path
        self._buffer_bytes = _BUFFER_BYTES
        self._content: bytes | None = None
        self._metadata: Any = None
        with naming(path, "read"), open_bytes(path) as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(0)
            if size <= most_held_bytes:
                self._content = file.read()
                self.held_bytes = len(self._content)
            if not self._take_from(like):
                with self._open() as source:
                    self._tell(*readable_footer(path, file, lambda footer, groups, chunks: (
                        footer, groups, paths_of_old_times(chunks), form_of(file, footer, chunks), codecs_of(chunks))))
                    self.schema = without_range(source.schema_arrow)
        self._taken: Sequence[int] = range(len(self.groups))
        self._joined_bytes = max(_JOINED_BYTES, _COLUMN_BYTES * len(self.schema))
        self._batch_bytes = max(_BATCH_BYTES, min(_THREAD_BYTES * len(self.schema), self._joined_bytes))
        # pyarrow reads no dictionaries within lists and structs of several row groups at once.
        self._joins_groups = not any(pyarrow.types.is_nested(kind) and has_dictionary(kind)
                                     for kind in self.schema.types)

    def _tell(self, footer: _Struct, groups: list[GroupSizes], old_times: list[str], form: Mapping[str, Any],
              codecs: tuple[str, ...]) -> None:
        self.groups, self._old_times, self.form, self.codecs = groups, old_times, form, codecs
        self._footer = footer if self._content is not None else {}

    def _take_from(self, like: ParquetInput | None) -> bool:
        """Takes the schema of `like` if both files are held and have the same; returns whether it has. False for a
        damaged file, too: pyarrow says what is wrong with it."""
        if like is None or like._content is None or self._content is None or not has_footer(self._content):
            return False
        try:
            footer, groups, old_times = readable_footer(self.path, io.BytesIO(self._content),
                                                        lambda footer, groups, chunks: (
                footer, groups, paths_of_old_times(chunks)))
        except Error:
            return False
        if not have_one_schema(footer, like._footer):
            return False
        self._tell({**like._footer, **of_rows(footer)}, groups, old_times, like.form, like.codecs)
        self.schema = like.schema
        return True

    def is_read_with(self, other: TypedInput) -> bool:
        return (isinstance(other, ParquetInput) and self.held_bytes > 0 and other.held_bytes > 0
                and not self._old_times and not other._old_times and have_one_schema(other._footer, self._footer))

    def joined_with(self, others: Iterable[TypedInput]) -> ParquetInput:
        """A ParquetInput of the rows of all. Precondition: is_read_with(other) each. Raises LookupError, TypeError or
        ValueError for a footer that is damaged."""
        files = [self, *cast("Iterable[ParquetInput]", others)]
        joined = copy.copy(self)
        joined._content = joined_file([(file._content or b"", file._footer) for file in files])
        joined.held_bytes, joined._metadata = len(joined._content), None
        joined.groups = list(itertools.chain.from_iterable(file.groups for file in files))
        joined._taken = range(len(joined.groups))
        return joined

    def take_groups(self, numbers: Sequence[int]) -> None:
        """Leaves out all other row groups."""
        self._taken = numbers

    def of_groups(self, numbers: Sequence[int]) -> ParquetInput:
        """The rows of these row groups alone."""
        part = copy.copy(self)
        part.take_groups(numbers)
        return part

    def keep_footer(self) -> None:
        """Where it is opened again and again."""
        with naming(self.path, "read"), self._open() as source:
            self._metadata = source.metadata

    def group_structs(self) -> Iterator[_Struct]:
        """The structs RowGroup of all row groups."""
        with naming(self.path, "read"), self.open_stored() as file:
            yield from row_groups(read_footer(file))

    @property
    def has_old_times(self) -> bool:
        return bool(self._old_times)

    def open_stored(self) -> BinaryIO:
        """The bytes of the file."""
        return open_bytes(self.path) if self._content is None else io.BytesIO(self._content)

    def read_less(self, batch_bytes: int, buffer_bytes: int) -> None:
        """Where many files are read at once: bytes of a batch, and of each column that are read ahead."""
        self._batch_bytes, self._joined_bytes, self._buffer_bytes = batch_bytes, batch_bytes, buffer_bytes

    def first_rows(self, count: int, columns: list[str] | None = None) -> Iterator[pyarrow.RecordBatch]:
        """A batch of so many rows, or of fewer if the first row group that is not empty has no more; none for an empty
        file."""
        group = next((number for number in self._taken if self.groups[number].rows), None)
        if group is not None:
            with naming(self.path, "read"), self._open() as source:
                yield from itertools.islice(source.iter_batches(count, row_groups=[group], columns=columns,
                                                                use_threads=False), 1)

    def group_bytes(self) -> int:
        return max((group.told_bytes for group in self.groups), default=0)

    def batches_of_columns(self, names: list[str]) -> Iterator[pyarrow.RecordBatch]:
        """As batches(), with these columns, or the structs that have these fields, alone."""
        with naming(self.path, "read"), self._open() as source:
            for group in self._taken:
                self._refuse_far_times(group)
                rows = 0
                for batch in source.iter_batches(self._batch_rows(source, group), row_groups=[group], columns=names,
                                                 use_threads=False):
                    refuse_missing_words(batch, [number for number, kind in enumerate(batch.schema.types)
                                                 if has_dictionary(kind)])
                    rows += batch.num_rows
                    yield batch
                    del batch
                self._require_rows([group], rows)

    def rows(self) -> int:
        return sum(self.groups[group].rows for group in self._taken)

    def batches(self, use_threads: bool) -> Iterator[pyarrow.RecordBatch]:
        """The record batches, in the order of the rows."""
        with contextlib.ExitStack() as stack:
            stack.enter_context(naming(self.path, "read"))
            source = stack.enter_context(self._open())
            if len(self._taken) > 1 and self._joins_groups:
                file = stack.enter_context(self.open_stored())
                footer = items(read_footer(file), FILE_ROW_GROUPS)
            with_words = [number for number, kind in enumerate(self.schema.types) if has_dictionary(kind)]
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
                self._require_rows(groups, rows)

    def _require_rows(self, groups: Sequence[int], rows: int) -> None:
        """Raises Error unless so many are in these row groups. pyarrow takes a page that it does not know, such as one
        with a damaged header, for the end of the rows."""
        expected = sum(self.groups[group].rows for group in groups)
        if rows != expected:
            numbers = " to ".join(str(group + 1) for group in sorted({groups[0], groups[-1]}))
            which = f"row group {numbers} has" if len(groups) == 1 else f"row groups {numbers} have"
            raise Error(f"cannot read '{self.path}': it is damaged: {which} {say_count(expected, 'row')} by the "
                        f"footer, and {rows} can be read")

    def group_rows(self) -> list[int]:
        return [sizes.rows for sizes in self.groups]

    def some_columns(self, names: Sequence[str], groups: Sequence[int]) -> Iterator[tuple[int, pyarrow.RecordBatch]]:
        whole = len(set(self.schema.names)) < len(self.schema) or any("." in name for name in self.schema.names)
        with naming(self.path, "read"), self._open() as source:
            begins = list(itertools.accumulate((sizes.rows for sizes in self.groups), initial=0))
            columns = None if whole else list(dict.fromkeys(names))
            for group in groups:
                row = begins[group]
                for batch in source.iter_batches(self._batch_rows(source, group), [group], columns, use_threads=False):
                    yield row, batch
                    row += batch.num_rows

    def ends_of(self, name: str) -> pyarrow.Array | None:
        """The least and the greatest value of a column by its statistics, none for a column without values; None if
        they do not tell it."""
        if self._old_times:
            return None
        with naming(self.path, "read"), self._open() as source:
            return ends_told(source.metadata, self._taken, name, self.schema.field(name).type)

    def _next_groups(self, taken: collections.deque[int], last: tuple[int, int] | None) -> list[int]:
        """Takes the row groups that are read at once: as many as fit into a batch, as far as the rows and bytes of the
        last batch tell, None for none."""
        groups = [taken.popleft()]
        if last is not None and last[0] and self._joins_groups:
            most_rows = min(_BATCH_ROWS, _MOST_GROWTH * last[0], self._joined_bytes // (last[1] // last[0] + 1))
            size, rows = self.groups[groups[0]].told_bytes, self.groups[groups[0]].rows
            while taken:
                size += self.groups[taken[0]].told_bytes
                rows += self.groups[taken[0]].rows
                if rows > most_rows or size > self._joined_bytes:
                    break
                groups.append(taken.popleft())
        return groups

    def word_bytes(self) -> int:
        names = {field.name for field in self.schema if has_dictionary(field.type)}
        if not names:
            return 0
        with naming(self.path, "read"), open_bytes(self.path) as file:
            return word_bytes(file, read_footer(file), names)

    def refuse_key(self, name: str) -> None:
        kind = type_of_key(self.schema, name)
        if not pyarrow.types.is_dictionary(kind) or not kind.ordered:
            return
        with naming(self.path, "read"), open_bytes(self.path) as file:
            if not keeps_dictionaries(read_footer(file), name):
                raise Error(f"key '{name}' is of type {kind}, and '{self.path}' holds values without the dictionary "
                            "that tells their order: write it with dictionaries, or cast the column to text")

    def _refuse_far_times(self, group: int) -> None:
        if self._old_times:
            with self._open(coerce_int96_timestamp_unit=TIME_UNIT) as source:
                refuse_far_times(source.iter_batches(_BATCH_ROWS, [group], self._old_times), self.path)

    def _batch_rows(self, source: pyarrow.parquet.ParquetFile, group: int) -> int:
        """By the first rows of a row group as they are in memory, where types do not tell of them: in the file long
        values that repeat take little, and what a footer tells of texts may be wrong."""
        sizes = self.groups[group]
        if sizes.rows == 0:
            return _FIRST_ROWS
        width, unknown = width_by_types(self.schema)
        if not unknown:
            return max(1, min(_BATCH_ROWS, self._batch_bytes // (width + 1)))
        stored, told = sizes.bytes // sizes.rows + 1, (sizes.text_bytes or 0) // sizes.rows
        few = max(1, min(_FIRST_ROWS, self._batch_bytes // max(width + told + 1, stored)))
        if sizes.rows <= few:
            return few
        first = next(source.iter_batches(few, row_groups=[group], columns=unknown, use_threads=False), None)
        if first is None:
            return few  # whoever reads the rows tells of the damage
        bytes_of_row: int = first.nbytes // max(first.num_rows, 1)
        width += max(told, bytes_of_row)
        return max(1, min(_BATCH_ROWS, self._batch_bytes // max(width + 1, stored)))

    @contextlib.contextmanager
    def _open(self, **options: Any) -> Iterator[pyarrow.parquet.ParquetFile]:
        is_held = self._content is not None
        with pyarrow.BufferReader(self._content) if is_held else open_file(self.path) as file:
            yield pyarrow.parquet.ParquetFile(file, pre_buffer=False, buffer_size=0 if is_held else self._buffer_bytes,
                                              page_checksum_verification=True, metadata=self._metadata, **options)
