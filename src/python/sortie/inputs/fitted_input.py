"""A file with the columns of a table to which it belongs: those that it lacks are null, or what its folders tell."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pyarrow

from .._errors import Error, shortened
from .._files import first_line
from ..columns.schemas import InputAround, TypedInput, null_rows, nullable_as_both, type_of_key
from ..columns.wider_types import widened
from ..parquet.dictionaries import batches_of_values, has_dictionary, value_type
from ..parquet.leaves import codecs_of_table, form_of_table
from .hive_folders import PartitionColumns, Partitions, refuse_other_values


# A batch of an Arrow file may be the whole file: what is made of it at once. More for many columns.
_PIECE_BYTES, _COLUMN_BYTES = 8 << 20, 32 << 10


class Table:
    """schema: of the output. sorted_schema: with what keys are sorted by behind it."""

    def __init__(self, schema: pyarrow.Schema, files: Sequence[TypedInput], sources: Sequence[TypedInput]) -> None:
        """sources: the files that its columns come from."""
        self.schema = schema
        self.sources = sources
        self._files = files
        hidden: dict[str, pyarrow.Field] = {}
        self.hidden_values: dict[str, Any] = {}
        for file in files:
            if file.hidden_values():
                hidden.update((field.name, field) for field in list(file.sorted_schema)[len(file.schema):])
                self.hidden_values.update(file.hidden_values())
        self.fields = [*schema, *hidden.values()]
        self.sorted_schema = pyarrow.schema(self.fields, schema.metadata)
        self.names = self.sorted_schema.names

    def set_metadata(self, metadata: Any) -> None:
        self.schema, self.sorted_schema = (schema.with_metadata(metadata)
                                           for schema in (self.schema, self.sorted_schema))

    def sorted_by(self, key: str) -> list[str]:
        for file in self._files:
            if key in file.schema.names:
                return file.sorted_by(key)
        return [key]


def fits(file: TypedInput, table: Table, told: Partitions) -> bool:
    """Whether the file has the columns of the table already, but for where nulls may be."""
    if told or file.sorted_schema.names != table.names:
        return False
    return bool(file.schema.equals(table.schema)) or all(
        nullable_as_both(field, its) is not None for field, its in zip(file.schema, table.schema))


class FittedInput(InputAround):
    """The rows of another TypedInput, as rows of a Table."""

    def __init__(self, file: TypedInput, table: Table, told: Partitions, columns: PartitionColumns) -> None:
        """told: what the names of its folders say of all rows. columns: with the values of these columns."""
        super().__init__(file)
        self._table, self._told = table, told
        own = file.sorted_schema
        # Texts of folders for columns that the file has itself: these are compared.
        self._compared = {own.get_field_index(name): text for name, text in told if name in own.names}
        others = {**table.hidden_values, **columns.values(told)}
        by_place = own.names[:len(file.schema)] == table.schema.names
        self._sources: list[Any] = []  # of each column: the number of one of the file, the value of all rows, or None
        for place, field in enumerate(table.fields):
            number = place if by_place and place < len(table.schema) else own.get_field_index(field.name)
            value = others.get(field.name) if number < 0 else None
            self._sources.append(number if number >= 0 else None if value is None else value.cast(field.type))
        self._plain = self._without_dictionaries(own)

    def _without_dictionaries(self, own: pyarrow.Schema) -> pyarrow.Schema | None:
        """The columns of the file with values for dictionaries that are not kept; None if all are kept."""
        plain = own
        for source, field in zip(self._sources, self._table.fields):
            if isinstance(source, int) and has_dictionary(own.field(source).type) and not has_dictionary(field.type):
                plain = plain.set(source, own.field(source).with_type(value_type(own.field(source).type)))
        return None if plain is own else plain

    @property
    def schema(self) -> pyarrow.Schema:
        return self._table.schema

    @schema.setter
    def schema(self, schema: pyarrow.Schema) -> None:
        self._table.set_metadata(schema.metadata)

    @property
    def codecs(self) -> tuple[str, ...]:  # type: ignore[override]
        return codecs_of_table(self._table.schema, self._table.sources)

    @property
    def form(self) -> Mapping[str, Any]:  # type: ignore[override]
        return form_of_table(self._table.sources)

    @property
    def sorted_schema(self) -> pyarrow.Schema:
        return self._table.sorted_schema

    def sorted_by(self, key: str) -> list[str]:
        return self._table.sorted_by(key)

    def is_read_with(self, other: TypedInput) -> bool:
        return (isinstance(other, FittedInput) and self._table is other._table and self._told == other._told
                and self._file.is_read_with(other._file))

    def joined_with(self, others: list[Any]) -> FittedInput:
        joined = copy.copy(self)
        joined._file = self._file.joined_with([other._file for other in others])
        return joined

    def refuse_key(self, name: str) -> None:
        # A type whose order the file may not tell is the same in all files that have the column.
        kind = type_of_key(self.schema, name)
        if pyarrow.types.is_dictionary(kind) and kind.ordered and name in self._file.schema.names:
            if not pyarrow.types.is_null(self._file.schema.field(name).type):
                self._file.refuse_key(name)

    def group_rows(self) -> Sequence[int] | None:
        return self._file.group_rows()

    def some_columns(self, names: Sequence[str], groups: Sequence[int]) -> Iterator[tuple[int, pyarrow.RecordBatch]]:
        own = self._file.schema.names
        numbers = {self._table.names.index(name): None for name in names}
        schema = pyarrow.schema([self._table.fields[number] for number in numbers], self.schema.metadata)
        # A file that has none of them tells how many rows there are.
        for row, batch in self._file.some_columns([name for name in names if name in own] or own[:1], groups):
            columns = []
            for number, field in zip(numbers, schema):
                place = batch.schema.get_field_index(field.name) if isinstance(self._sources[number], int) else -1
                columns.append(self._constant(number, batch.num_rows) if place < 0 else
                               self._widened(batch.column(place), field))
            yield row, pyarrow.RecordBatch.from_arrays(columns, schema=schema)

    def ends_of(self, name: str) -> pyarrow.Array | None:
        number = self._table.names.index(name)
        if not isinstance(self._sources[number], int):
            return self._constant(number, 2).drop_null()
        ends = self._file.ends_of(name)
        field = self._table.fields[number]
        return None if ends is None or has_dictionary(field.type) else self._widened(ends, field)

    def first_rows(self, count: int) -> Iterator[pyarrow.RecordBatch]:
        return self._all_fitted(self._file.first_rows(count))

    def batches(self, use_threads: bool) -> Iterator[pyarrow.RecordBatch]:
        return self._all_fitted(self._file.batches(use_threads=use_threads))

    def _all_fitted(self, batches: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        for batch in batches:
            if self._compared:
                refuse_other_values(batch, self._compared, self.path)
            for some in _pieces(batch) if self._plain is None else batches_of_values(batch, self._plain):
                yield self._fitted(some)
                del some
            del batch

    def _fitted(self, batch: pyarrow.RecordBatch) -> pyarrow.RecordBatch:
        columns = []
        for source, field in zip(self._sources, self._table.fields):
            if isinstance(source, int):
                columns.append(self._widened(batch.column(source), field))
            else:
                columns.append(self._constant(len(columns), batch.num_rows))
        return pyarrow.RecordBatch.from_arrays(columns, schema=self._table.sorted_schema)

    def _constant(self, number: int, rows: int) -> pyarrow.Array:
        """A column that the file has not."""
        source = self._sources[number]
        is_null = source is None or not source.is_valid
        return null_rows(rows, self._table.fields[number].type) if is_null else pyarrow.repeat(source, rows)

    def _widened(self, column: pyarrow.Array, field: pyarrow.Field) -> pyarrow.Array:
        try:
            return widened(column, field.type)
        except (pyarrow.ArrowException, ValueError) as error:
            raise Error(f"column '{field.name}' of '{self.path}' has a value that is beyond {shortened(field.type)}, "
                        f"the type that holds those of all inputs: {first_line(error)}; cast the column of all inputs "
                        "to a type that holds it, or leave the value out") from error


def _pieces(batch: pyarrow.RecordBatch) -> Iterator[pyarrow.RecordBatch]:
    most_bytes = max(_PIECE_BYTES, _COLUMN_BYTES * batch.num_columns)
    rows = max(1, batch.num_rows * most_bytes // max(batch.nbytes, 1))
    return (batch.slice(begin, rows) for begin in range(0, batch.num_rows, rows))
