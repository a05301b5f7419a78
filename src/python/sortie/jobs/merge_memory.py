"""How much of each input of a merge is read at once, so that as many as possible fit into memory, and how many these
are."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow

from .._sources import is_source
from ..columns.keys import TableKey
from ..columns.row_bytes import width_by_types
from ..columns.schemas import TypedInput, type_of_key

# Bytes of a batch of Parquet while it waits. Below the least one, reading takes longer than it saves memory.
_MOST_BATCH_BYTES, _LEAST_BATCH_BYTES = 2 << 20, 256 << 10
# Batches of an input at once: one that waits, one that is read, and its part of a window, twice. The first two have
# keys.
_BATCHES_AT_ONCE, _KEYS_AT_ONCE = 4, 2
_MOST_BATCH_ROWS = 1 << 16  # by parquet_input.py
# What an encoded key takes beside its bytes: where it is, its first 16 bytes, and its length; in front of its bytes two
# lengths, where keys have several.
_KEY_BYTES = 32 + 8
_MOST_BUFFER_BYTES, _LEAST_BUFFER_BYTES = 256 << 10, 16 << 10
# What pyarrow decodes of a column at once: a page and a dictionary, by their usual sizes.
_PAGE_BYTES = 1 << 20
# What is read ahead of CSV, and a guess for a batch of an Arrow file, which are read as wholes.
_OTHER_BYTES = 96 << 20
# What an object holds, whatever others do: see objects/read_ahead.py.
_OBJECT_BYTES = 1 << 20


def fitting_inputs(files: Sequence[TypedInput], keys: Sequence[TableKey], memory: int) -> int:
    """Tells files how much to read at once, and returns how many of them fit in."""
    schema = files[0].sorted_schema
    columns = max(1, len(files[0].schema))
    share = memory // len(files)
    keys_of_byte = _key_bytes(schema, keys, _MOST_BATCH_BYTES) / _MOST_BATCH_BYTES
    batch = min(_MOST_BATCH_BYTES, max(_LEAST_BATCH_BYTES,
                                       int(share / 2 / (_BATCHES_AT_ONCE + _KEYS_AT_ONCE * keys_of_byte))))
    buffer = min(_MOST_BUFFER_BYTES, max(_LEAST_BUFFER_BYTES, share // 4 // columns))
    costs = []
    for file in files:
        file.read_less(batch, buffer)
        group = file.group_bytes()
        if group is None:
            cost = _OTHER_BYTES + file.claimed_bytes
        else:
            rows = min(batch, group)
            cost = (_BATCHES_AT_ONCE * rows + _KEYS_AT_ONCE * _key_bytes(schema, keys, rows)
                    + min(columns * (buffer + _PAGE_BYTES), 2 * group))
        costs.append(cost + (_OBJECT_BYTES if _is_object(file) else 0))
    return memory // max(1, *costs)


def _key_bytes(schema: pyarrow.Schema, keys: Sequence[TableKey], batch: int) -> int:
    """Upper bound on the encoded keys of a batch of so many bytes, where texts have no bytes to escape."""
    row, _ = width_by_types(schema)
    rows = min(_MOST_BATCH_ROWS, batch // max(1, row))
    fixed, texts = width_by_types(pyarrow.schema([(str(name), type_of_key(schema, str(name))) for name, *_ in keys]))
    return rows * (_KEY_BYTES + fixed + len(keys)) + (batch if texts else 0)


def _is_object(file: TypedInput) -> bool:
    """Open files of programs are sources, too, and are held by these."""
    return is_source(file.path) and hasattr(file.path, "create")
