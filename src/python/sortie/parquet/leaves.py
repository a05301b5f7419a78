"""Leaves of Parquet columns: their values, and how they are kept, of files with other columns than the table, where
they are found by their places in columns."""

from __future__ import annotations

import collections
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pyarrow
from pyarrow import types

from ..columns.row_taking import without_runs
from ..columns.schemas import TypedInput

_Leaf = tuple[str, ...]
_OTHERS = "zstd"


def codecs_of_table(schema: pyarrow.Schema, sources: Sequence[TypedInput]) -> tuple[str, ...]:
    """How leaves are compressed in the first of the files that has them."""
    known: dict[_Leaf, str] = {}
    for file in sources:
        leaves = list(_leaves_of(file.schema))
        if len(leaves) == len(file.codecs):
            known = {**dict(zip(leaves, file.codecs)), **known}
    return tuple(known.get(leaf, _OTHERS) for leaf in _leaves_of(schema)) if known else ()


def form_of_table(sources: Sequence[TypedInput]) -> Mapping[str, Any]:
    """As form_of() gives it: of the first file, and of others for columns that it lacks."""
    first, *others = sources
    form, names = first.form, set(first.schema.names)
    leaves = dict(form.get("leaves", {}))
    for file in others:
        added = tuple(f"{name}." for name in file.schema.names if name not in names)
        names.update(file.schema.names)
        if added:
            leaves.update((path, leaf) for path, leaf in file.form.get("leaves", {}).items()
                          if f"{path}.".startswith(added) and path not in leaves)
    return {**form, "leaves": leaves} if leaves else form


def _leaves_of(schema: pyarrow.Schema) -> Iterator[_Leaf]:
    # The table has all of several columns of one name, in the same order.
    seen: collections.Counter[str] = collections.Counter()
    for field in schema:
        yield from _leaves_in(field.type, (field.name, str(seen[field.name])))
        seen[field.name] += 1


def _leaves_in(kind: Any, path: _Leaf) -> Iterator[_Leaf]:
    if isinstance(kind, pyarrow.BaseExtensionType):
        yield from _leaves_in(kind.storage_type, path)
    elif types.is_dictionary(kind) or types.is_run_end_encoded(kind):
        yield from _leaves_in(kind.value_type, path)
    elif types.is_map(kind):
        yield from _leaves_in(kind.key_type, (*path, "key"))
        yield from _leaves_in(kind.item_type, (*path, "value"))
    elif types.is_struct(kind):
        for field in kind:
            yield from _leaves_in(field.type, (*path, field.name))
    elif types.is_nested(kind) and not types.is_union(kind):
        yield from _leaves_in(kind.value_type, (*path, "[]"))
    else:
        yield path


def leaf_values(column: pyarrow.Array) -> Iterator[pyarrow.Array]:
    """The values of each leaf of a column, with nulls where structs around them are null."""
    kind = column.type
    if isinstance(kind, pyarrow.BaseExtensionType):
        yield from leaf_values(column.storage)
    elif types.is_run_end_encoded(kind):
        yield from leaf_values(without_runs(column))
    elif types.is_struct(kind):
        for field in column.flatten():
            yield from leaf_values(field)
    elif types.is_map(kind):
        # pyarrow tells all entries of maps, those of other rows, too.
        yield from leaf_values(_list_of_entries(column))
    elif types.is_nested(kind) and not types.is_union(kind):
        yield from leaf_values(column.flatten())
    else:
        yield column


def _list_of_entries(column: pyarrow.MapArray) -> pyarrow.ListArray:
    entries = pyarrow.StructArray.from_arrays([column.keys, column.items], ["key", "value"])
    return pyarrow.Array.from_buffers(pyarrow.list_(entries.type), len(column), column.buffers()[:2],
                                      offset=column.offset, children=[entries])
