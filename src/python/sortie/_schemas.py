"""The columns of several files as those of one table: they must be the same but for where nulls may be."""

from __future__ import annotations

import types
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import pyarrow

from ._dictionaries import list_maker
from ._errors import Error, listed, shortened
from ._keys import TableKey, target_of


class TypedInput:
    """A file of a table. schema: that of the output. assumed: takes what is assumed of values. held_bytes: those of the file
    that are held in memory."""

    path: Any
    schema: Any
    codecs: tuple[str, ...] = ()
    form: Mapping[str, Any] = types.MappingProxyType({})
    assumed: Any = None
    held_bytes: int = 0

    @property
    def types(self) -> Any:
        return self.schema

    @property
    def sorted_schema(self) -> Any:
        return self.schema

    def sorted_by(self, key: Any) -> list[Any]:
        return [key]

    def with_types(self, known: Any) -> TypedInput:
        return self

    def is_read_with(self, other: TypedInput) -> bool:
        """Whether both may be read as one file, by joined_with()."""
        return False

    def joined_with(self, others: list[Any]) -> TypedInput:
        raise NotImplementedError

    def batches(self, use_threads: bool) -> Iterator[Any]:
        """The record batches, in the order of the rows."""
        raise NotImplementedError

    def word_bytes(self) -> int:
        """Bytes of the dictionaries of all columns, as far as the file tells before it is read."""
        return 0

    def refuse_key(self, name: str) -> None:
        """Raises Error if values of the column are read without the order that their type has."""


def unify(files: Sequence[TypedInput]) -> None:
    """Widens the schema of the first file, so that the rows of all fit. Raises Error that names file and column of a
    true difference."""
    first = files[0]
    for other in files[1:]:
        for column, (field, found) in enumerate(zip(first.schema, other.schema)):
            both = _field_of_both(field, found)
            if both is None:
                raise Error(f"column {column + 1} of '{other.path}' is '{found.name}' of type {shortened(found.type)}, "
                            f"and of '{first.path}' '{field.name}' of type {shortened(field.type)}: let all inputs have "
                            "the same columns")
            if both is not field:
                first.schema = first.schema.set(column, both)
        _refuse_missing(first, other)
        _refuse_missing(other, first)


def named_keys(schema: Any, keys: Iterable[TableKey], path: Any) -> list[tuple[Any, ...]]:
    """The keys with the names of columns in place of positions."""
    return [(schema.names[target_of(schema, key, f"'{path}'")[0]] if isinstance(key, int) else key, *how)
            for key, *how in keys]


def refuse_missing_keys(file: TypedInput, keys: Iterable[tuple[Any, ...]]) -> None:
    """Before a row is read."""
    names = file.schema.names
    for name, *_ in keys:
        if name not in names and any(name.startswith(f"{column}.") for column in names):
            target_of(file.schema, name, f"'{file.path}'")
        elif name not in names:
            raise Error(f"key '{name}': '{file.path}' has no such column; it has {listed(names)}")
        if names.count(name) > 1:
            raise Error(f"key '{name}': '{file.path}' has several columns of this name")


def type_of_key(schema: Any, name: str) -> Any:
    """Of a column or a field that is there."""
    if name in schema.names:
        return schema.field(name).type
    column, fields = target_of(schema, name, "the table")
    kind = schema.field(column).type
    for field in fields:
        kind = kind.field(field).type
    return kind


def _refuse_missing(one: TypedInput, other: TypedInput) -> None:
    missing = one.schema.names[len(other.schema):]
    if missing:
        raise Error(f"'{other.path}' has no column '{missing[0]}', which '{one.path}' has: let all inputs have the "
                    "same columns")


def _field_of_both(field: Any, other: Any) -> Any:
    """The first field, with nulls wherever one of both may have them; None if they differ otherwise."""
    if field.name != other.name:
        return None
    return _nullable_as_both(field, other)


def _nullable_as_both(field: Any, other: Any) -> Any:
    both = _type_of_both(field.type, other.type)
    if both is None:
        return None
    if both is not field.type:
        field = field.with_type(both)
    return field if field.nullable or not other.nullable else field.with_nullable(True)


def _type_of_both(first: Any, other: Any) -> Any:
    if first.equals(other):
        return first
    if first.id != other.id or isinstance(first, pyarrow.BaseExtensionType):
        return None
    if pyarrow.types.is_struct(first):
        if first.num_fields != other.num_fields:
            return None
        fields = [_field_of_both(first.field(i), other.field(i)) for i in range(first.num_fields)]
        return None if any(field is None for field in fields) else pyarrow.struct(fields)
    if pyarrow.types.is_map(first):
        key, item = (_nullable_as_both(*fields) for fields in ((first.key_field, other.key_field),
                                                                (first.item_field, other.item_field)))
        same = key is not None and item is not None and first.keys_sorted == other.keys_sorted
        return pyarrow.map_(key, item, first.keys_sorted) if same else None
    make_list = list_maker(first)
    if make_list is None or (pyarrow.types.is_fixed_size_list(first) and first.list_size != other.list_size):
        return None
    # Lists do not tell themselves apart by what they call their elements.
    item = _nullable_as_both(first.value_field, other.value_field)
    return None if item is None else make_list(item)
