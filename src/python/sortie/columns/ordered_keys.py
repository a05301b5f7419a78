"""Keys of rows as the bytes by which the sort orders them: for rows that are in order already, and are checked, merged
or compared."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import pyarrow

from .. import Error, _native
from .key_columns import KeyColumn, decoded, is_extension
from .keys import TableKey


class KeyEncoder:
    """Encodes the keys of batches with one schema. One thread at a time."""

    def __init__(self, schema: pyarrow.Schema, keys: Sequence[TableKey]) -> None:
        self._columns = [KeyColumn(schema, key, "the table") for key in keys]
        self._categories: dict[int, pyarrow.Array] = {}  # of keys that have an order of their own
        fields = [pyarrow.field(column.name, _encoded_type(column.type)) for column in self._columns]
        self._schema = pyarrow.schema(fields)
        order = [(number, *how) for number, (_, *how) in enumerate(keys)]
        try:
            self._native = _native.KeyOrder(self._schema.__arrow_c_schema__(), order, 1)
        except Error as error:
            # Positions are those among the keys.
            name = re.sub("(?<=^key )[0-9]+(?=:)", lambda found: f"'{self._columns[int(found[0])].name}'", str(error))
            raise Error(name) from None

    def encode(self, batch: pyarrow.RecordBatch) -> Any:
        """EncodedKeys: one for each row."""
        columns = [self._encoded(number, column.of(batch)) for number, column in enumerate(self._columns)]
        keys = pyarrow.record_batch(columns, schema=self._schema)
        return self._native.encode(*keys.__arrow_c_array__())

    def _encoded(self, number: int, values: pyarrow.Array) -> pyarrow.Array:
        if not _is_ordered(values.type):
            return decoded(values)
        known = self._categories.setdefault(number, values.dictionary)
        if not known.equals(values.dictionary):
            raise Error(f"key '{self._columns[number].name}' has categories in different orders: give all inputs the "
                        "same categories")
        return values.indices.cast(pyarrow.int64())


def _is_ordered(kind: pyarrow.DataType) -> bool:
    return pyarrow.types.is_dictionary(kind) and bool(kind.ordered)


def _encoded_type(kind: pyarrow.DataType) -> pyarrow.DataType:
    if _is_ordered(kind):
        return pyarrow.int64()
    if pyarrow.types.is_dictionary(kind) or pyarrow.types.is_run_end_encoded(kind):
        return _encoded_type(kind.value_type)
    return _encoded_type(kind.storage_type) if is_extension(kind) else kind
