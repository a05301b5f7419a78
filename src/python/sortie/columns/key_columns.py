"""Columns of keys: how those of a batch are found, compared, and made such that a sort brings equal ones together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy
import pyarrow
import pyarrow.compute

from .. import Error
from .keys import TableKey, target_of, without_dot
from .row_taking import taken, type_without_runs, without_runs

if TYPE_CHECKING:
    from numpy.typing import NDArray


class KeyColumn:
    """A column, or a field of structs in one, of tables with a schema."""

    def __init__(self, schema: pyarrow.Schema, key: TableKey | str | int, table: str) -> None:
        """Raises Error if there is no such column. table: how messages call the table."""
        column = key[0] if isinstance(key, tuple) else key
        if not isinstance(column, str):
            column = column.__index__()
        column = without_dot(column, schema.names)
        self.number, self._path = target_of(schema, column, table)
        field = schema.field(self.number)
        nullable = field.nullable
        for number in self._path:
            field = field.type.field(number)
            nullable = nullable or field.nullable
        self.name: str = column if isinstance(column, str) else field.name
        # In which its values come out of the sort; field tells how they go in.
        self.type: pyarrow.DataType = type_without_runs(field.type)
        self.field: pyarrow.Field = pyarrow.field(self.name, self.type if self._path else field.type, nullable,
                                                  field.metadata)

    def is_same(self, other: KeyColumn) -> bool:
        return (self.number, self._path) == (other.number, other._path)

    @property
    def is_whole(self) -> bool:
        """Whether it is no field of another column."""
        return not self._path

    def of(self, batch: pyarrow.RecordBatch) -> pyarrow.Array:
        column = batch.column(self.number)
        if not self._path:
            return column
        path = list(self._path)
        if type_without_runs(column.type) != column.type:
            # pyarrow would put nulls of structs on runs, which have none. The other fields are left as they are.
            fields, field = [column.type.field(path[0])], column.field(path[0])
            column = without_runs(pyarrow.StructArray.from_arrays([field], fields=fields, mask=column.is_null()))
            path[0] = 0
        return pyarrow.compute.struct_field(column, path)


def refuse_keys_without_order(columns: Sequence[KeyColumn]) -> None:
    """Refuses keys that a sort takes, and that pyarrow does not compare."""
    for column in columns:
        if pyarrow.types.is_decimal(column.type) and column.type.scale < 0:
            raise Error(f"key '{column.name}' is {column.type}, which cannot be compared here: cast it to a decimal "
                        "whose scale is 0 or more")


def plain_type(kind: pyarrow.DataType) -> pyarrow.DataType:
    """The type of the values of dictionaries, runs and extensions; large_binary for texts and bytes of any kind;
    decimal128 for short decimals, which pyarrow does not sort. Other types as they are."""
    if pyarrow.types.is_dictionary(kind) or pyarrow.types.is_run_end_encoded(kind):
        return plain_type(kind.value_type)
    if is_extension(kind):
        return plain_type(kind.storage_type)
    if pyarrow.types.is_decimal(kind) and kind.bit_width < 128:
        return pyarrow.decimal128(kind.precision, kind.scale)
    texts = pyarrow.types.is_string, pyarrow.types.is_large_string, pyarrow.types.is_string_view
    octets = pyarrow.types.is_binary, pyarrow.types.is_large_binary, pyarrow.types.is_binary_view
    return pyarrow.large_binary() if any(holds(kind) for holds in (*texts, *octets)) else kind


def is_extension(kind: pyarrow.DataType) -> bool:
    """Whether values have a meaning beyond their type, such as UUIDs or periods of pandas."""
    return isinstance(kind, pyarrow.BaseExtensionType)


def decoded(column: pyarrow.Array) -> pyarrow.Array:
    """Values in the place of dictionaries, runs and extensions."""
    if pyarrow.types.is_run_end_encoded(column.type):
        return decoded(without_runs(column))
    if is_extension(column.type):
        return decoded(column.storage)
    return decoded(taken(column.dictionary, column.indices)) if pyarrow.types.is_dictionary(column.type) else column


def plain(column: pyarrow.Array) -> pyarrow.Array:
    """The same values in plain_type()."""
    column = decoded(column)
    kind = plain_type(column.type)
    return of_type(column, kind)


def of_type(column: pyarrow.Array, kind: pyarrow.DataType) -> pyarrow.Array:
    """The same values in another type. Raises ArrowInvalid if one of them is beyond it."""
    return column if column.type == kind else column.cast(kind)


def with_one_zero(column: pyarrow.Array) -> pyarrow.Array:
    """Floats with one zero and one NaN, since those of either sign are equal, and a sort brings them to different
    places. Other columns as they are."""
    values = decoded(column)
    if not pyarrow.types.is_floating(values.type):
        return column
    numbers = numpy.array(values.fill_null(0).to_numpy(zero_copy_only=False))
    numbers += 0
    numbers[numpy.isnan(numbers)] = numpy.nan
    return pyarrow.array(numbers, values.type, mask=values.is_null().to_numpy(zero_copy_only=False))


def has_two_zeros(kind: pyarrow.DataType) -> bool:
    return bool(pyarrow.types.is_floating(plain_type(kind)))


def differs_from_last(columns: Sequence[pyarrow.Array]) -> NDArray[numpy.bool_]:
    """True for each row but the first whose keys differ from those of the row before. Nulls are equal, and so are
    floats of the same bits. columns: plain()."""
    differs = numpy.zeros(max(len(columns[0]) - 1, 0), bool)
    for column in columns:
        differs |= _differs(column)
    return differs


def _differs(column: pyarrow.Array) -> NDArray[numpy.bool_]:
    if pyarrow.types.is_null(column.type):
        return numpy.zeros(max(len(column) - 1, 0), bool)
    if pyarrow.types.is_floating(column.type):
        column = column.view(f"int{column.type.bit_width}")
    values = pyarrow.compute.not_equal(column[1:], column[:-1]).fill_null(True).to_numpy(zero_copy_only=False)
    is_null = column.is_null().to_numpy(zero_copy_only=False)
    return cast("NDArray[numpy.bool_]", values & ~(is_null[1:] & is_null[:-1]))


def concatenated(arrays: Sequence[Any]) -> pyarrow.Array:
    """One array of several. Their dictionaries become one."""
    return arrays[0] if len(arrays) == 1 else pyarrow.chunked_array(arrays).combine_chunks()
