"""group_table(): the rows of a table are sorted by keys, and those with equal keys become one as they come out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy
import pyarrow

from .. import ArgumentError, ArgumentTypeError
from ..columns.key_columns import (KeyColumn, concatenated, differs_from_last, has_two_zeros, of_type, plain,
                                   plain_type, refuse_keys_without_order, with_one_zero)
from ..columns.keys import is_column, table_keys
from ..columns.row_bytes import bytes_held
from ..columns.row_taking import batch_without_runs, refuse_if_not_taken, schema_without_runs, taken
from .aggregates import FUNCTIONS, ROWS, Aggregate, States, function_of
from .sort_table import RowSorter
from .streamed_table import StreamedTable
from .table_batches import open_batches

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Groups that go out together, where a batch has few or short ones.
_LEAST_ROWS, _LEAST_BYTES = 1 << 14, 2 << 20


def group_table(data: Any, by: Any, aggregates: Any, options: dict[str, Any]) -> StreamedTable:
    keys = table_keys(by, options)
    schema, batches = open_batches(data, "data")
    columns = [KeyColumn(schema, key, "the table") for key in keys]
    refuse_keys_without_order(columns)
    values, made = _aggregates(schema, aggregates, len(columns))
    kept = [_field_of(column) for column in columns] + [value.field for value in values]
    # The names of values are of no use, and may be those of keys.
    sorted_fields = kept[:len(columns)] + [field.with_name(f" {number}")
                                           for number, field in enumerate(kept[len(columns):])]
    _refuse_repeated([column.name for column in columns], [aggregate.field.name for aggregate in made])
    for column in columns:
        if not pyarrow.types.is_union(column.type):  # which the sort refuses
            refuse_if_not_taken(f"key '{column.name}'", column.type)
    sorter = RowSorter("group_table", [(column.name, *key[1:]) for column, key in zip(columns, keys)], None, options)
    try:
        sorted_schema = pyarrow.schema(sorted_fields)
        sorter.push_schema(sorted_schema)
        for batch in batches:
            taken = [with_one_zero(column.of(batch)) if has_two_zeros(column.type) else column.of(batch)
                     for column in columns]
            arrays = [*taken, *(value.of(batch) for value in values)]
            sorter.push(pyarrow.record_batch(_with_types(arrays, sorted_schema), schema=sorted_schema))
        sorter.native.finish()
    except BaseException:
        sorter.close()
        raise
    metadata = {key: value for key, value in (schema.metadata or {}).items() if key != b"pandas"}
    keys_out = schema_without_runs(pyarrow.schema(kept[:len(columns)]))
    schema = pyarrow.schema([*keys_out, *(aggregate.field for aggregate in made)], metadata)
    return StreamedTable(schema, _Groups(len(columns), made, schema).of(sorter), [sorter])


def _field_of(column: KeyColumn) -> pyarrow.Field:
    return column.field.with_type(plain_type(column.type)) if has_two_zeros(column.type) else column.field


def _with_types(arrays: list[pyarrow.Array], schema: pyarrow.Schema) -> list[pyarrow.Array]:
    return [of_type(array, field.type) for array, field in zip(arrays, schema)]


def _refuse_repeated(keys: list[str], aggregates: list[str]) -> None:
    names = [*keys, *aggregates]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None and keys.count(twice) > 1:
        raise ArgumentError(f"by has two columns '{twice}': name each key once, and rename columns of one name")
    if twice is not None:
        raise ArgumentError(f"the result would have two columns '{twice}': name the aggregates, as in "
                            '{"total": ("price", "sum")}')


def _aggregates(schema: pyarrow.Schema, given: Any, key_count: int) -> tuple[list[KeyColumn], list[Aggregate]]:
    """The columns that are read, and what is made of them."""
    columns: list[KeyColumn] = []
    made = []
    for name, item in _named(given):
        if item == "count":
            made.append(Aggregate(name or item, ROWS, None))
            continue
        column = _column_of(schema, item[0])
        known = next((number for number, other in enumerate(columns) if other.is_same(column)), len(columns))
        if known == len(columns):
            columns.append(column)
        function = function_of(item[1], column.type, column.name)
        if item[1] in ("first", "last"):
            refuse_if_not_taken(f"column '{column.name}'", column.type)
        made.append(Aggregate(name or f"{column.name}_{item[1]}", function, key_count + known))
    return columns, made


def _column_of(schema: pyarrow.Schema, column: Any) -> KeyColumn:
    try:
        return KeyColumn(schema, column, "the table")
    except ArgumentError as error:
        raise ArgumentError(f"aggregates: {str(error).replace('key', 'column', 1)}") from None


def _named(given: Any) -> list[tuple[str | None, Any]]:
    """Name, if there is one, and what was asked for: "count", or a pair of column and word."""
    if isinstance(given, str) or not isinstance(given, Mapping) and _is_pair(given):
        given = [given]
    if isinstance(given, Mapping):
        items: list[tuple[Any, Any]] = list(given.items())
    elif isinstance(given, (bytes, set, frozenset)) or not hasattr(given, "__iter__"):
        raise ArgumentTypeError(f"aggregates is {_FORM}, not {given!r}")
    else:
        items = [(None, item) for item in given]
    for name, item in items:
        if not (item == "count" if isinstance(item, str)
                else _is_pair(item)) or not isinstance(name, (str, type(None))):
            raise ArgumentTypeError(f"aggregates is {_FORM}, not of {item!r}")
    return items


_FORM = ('made of "count" and of pairs of a column and one of ' + ", ".join(FUNCTIONS) +
         ': a list such as [("price", "sum"), "count"], or a dict such as {"total": ("price", "sum")}')


def _is_pair(item: Any) -> bool:
    return isinstance(item, tuple) and len(item) == 2 and is_column(item[0]) and isinstance(item[1], str)


def _as_one(batches: list[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
    """Their rows as one batch; none if there are none."""
    return iter(pyarrow.Table.from_batches(batches).combine_chunks().to_batches())


class _Groups:
    """Makes batches of groups of sorted batches. A group is open until a row of another one comes."""

    def __init__(self, key_count: int, aggregates: list[Aggregate], schema: pyarrow.Schema) -> None:
        self._key_count, self._aggregates, self._schema = key_count, aggregates, schema
        self._open_keys: list[pyarrow.Array] | None = None
        self._open_states: list[States] = []

    def of(self, sorter: RowSorter) -> Iterator[pyarrow.RecordBatch]:
        waiting: list[pyarrow.RecordBatch] = []
        while (batch := sorter.pull()) is not None:
            waiting.append(self._closed_by(batch_without_runs(pyarrow.record_batch(batch))))
            if sum(made.num_rows for made in waiting) >= _LEAST_ROWS or sum(map(bytes_held, waiting)) >= _LEAST_BYTES:
                yield from _as_one(waiting)
                waiting = []
        if self._open_keys is not None:
            waiting.append(self._batch(self._open_keys, self._open_states))
        if waiting:
            yield from _as_one(waiting)

    def _closed_by(self, batch: pyarrow.RecordBatch) -> pyarrow.RecordBatch:
        """The groups that end in the batch, or in front of it."""
        keys, columns = batch.columns[:self._key_count], batch.columns
        begins, continues = self._begins(keys)
        before = self._open_states if continues else [None] * len(self._aggregates)
        states = [aggregate.states(columns, begins, of_one) for aggregate, of_one in zip(self._aggregates, before)]
        keys = [taken(key, pyarrow.array(begins)) for key in keys]
        if self._open_keys is not None and not continues:
            keys = [concatenated(pair) for pair in zip(self._open_keys, keys)]
            states = [[concatenated(pair) for pair in zip(*of_one)] for of_one in zip(self._open_states, states)]
        self._open_keys = [key[-1:] for key in keys]
        self._open_states = [[state[-1:] for state in of_one] for of_one in states]
        return self._batch([key[:-1] for key in keys], [[state[:-1] for state in of_one] for of_one in states])

    def _begins(self, keys: list[pyarrow.Array]) -> tuple[NDArray[numpy.int64], bool]:
        """The first rows of groups, and whether the first one of all goes on with the open group."""
        compared = [plain(key) for key in keys]
        differs = differs_from_last(compared)
        continues = False
        if self._open_keys is not None:
            pairs = [concatenated([plain(key), first[:1]]) for key, first in zip(self._open_keys, compared)]
            continues = not differs_from_last(pairs)[0]
        return numpy.concatenate([[0], numpy.flatnonzero(differs) + 1]), continues

    def _batch(self, keys: list[pyarrow.Array], states: list[States]) -> pyarrow.RecordBatch:
        values = [aggregate.values(of_one) for aggregate, of_one in zip(self._aggregates, states)]
        return pyarrow.record_batch(_with_types([*keys, *values], self._schema), schema=self._schema)
