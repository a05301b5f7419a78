"""The columns of several files as those of one table: they must be the same but for where nulls may be."""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import pyarrow

from .._errors import ArgumentError, Error, listed
from .keys import TableKey, target_of, without_dot


class TypedInput:
    """A file of a table. schema: that of the output. assumed: takes what is assumed of values. held_bytes: those of the
    file that are held in memory."""

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
    def own_schema(self) -> Any:
        """As the file has it, with its own metadata."""
        return self.schema

    @property
    def sorted_schema(self) -> Any:
        return self.schema

    def sorted_by(self, key: Any) -> list[Any]:
        return [key]

    def hidden_values(self) -> dict[str, Any]:
        """What columns of sorted_schema that are not in the schema have for rows of other files, which lack them; by
        name. Null for those that are not told, of which there are none if nothing is told."""
        return {}

    def with_types(self, known: Any) -> TypedInput:
        return self

    def tell_sampled(self) -> None:
        """Adds to what is assumed that columns and types are those of the first rows. Precondition: assumed is not
        None."""

    def set_names(self, names: Sequence[str]) -> None:
        """names: of all columns of the table that it is read into."""

    def is_read_with(self, other: TypedInput) -> bool:
        """Whether both may be read as one file, by joined_with()."""
        return False

    def joined_with(self, others: list[Any]) -> TypedInput:
        raise NotImplementedError

    def batches(self, use_threads: bool) -> Iterator[Any]:
        """The record batches, in the order of the rows."""
        raise NotImplementedError

    def first_rows(self, count: int) -> Iterator[Any]:
        """Batches that begin with the first rows; a format that can reads no more than `count`. Nothing is assumed of
        them: it is told when all rows are read."""
        assumed, self.assumed = self.assumed, None
        try:
            yield from self.batches(use_threads=False)
        finally:
            self.assumed = assumed

    def group_rows(self) -> Sequence[int] | None:
        """Rows of each row group; None for a file that has none."""
        return None

    def some_columns(self, names: Sequence[str], groups: Sequence[int]) -> Iterator[tuple[int, Any]]:
        """Batches with the columns of these names, and maybe others, of some row groups, each with the number of its
        first row. Precondition: the file has groups."""
        raise NotImplementedError

    def ends_of(self, name: str) -> Any:
        """The least and the greatest value of a column as an array, as the file tells it before it is read; none of a
        column without values, None if it is not told."""
        return None

    @property
    def claimed_bytes(self) -> int:
        """What is held while it is read, beside batches of the usual size: it comes out of the memory of the sort."""
        return 0

    def read_less(self, batch_bytes: int, buffer_bytes: int) -> None:
        """Tells a file of Parquet how many bytes a batch may have, and how many of each column are read ahead."""

    def group_bytes(self) -> int | None:
        """The bytes of the largest row group, as the footer tells; None for a file that has none."""
        return None

    def word_bytes(self) -> int:
        """Bytes of the dictionaries of all columns, as far as the file tells before it is read."""
        return 0

    def refuse_key(self, name: str) -> None:
        """Raises Error if values of the column are read without the order that their type has."""


class InputAround(TypedInput):
    """The rows of another input, in another form."""

    def __init__(self, file: TypedInput) -> None:
        self._file, self.path = file, file.path

    @property
    def assumed(self) -> Any:
        return self._file.assumed

    @assumed.setter
    def assumed(self, assumed: Any) -> None:
        self._file.assumed = assumed

    @property
    def own_schema(self) -> Any:
        return self._file.own_schema

    def tell_sampled(self) -> None:
        self._file.tell_sampled()

    @property
    def claimed_bytes(self) -> int:
        return self._file.claimed_bytes

    def read_less(self, batch_bytes: int, buffer_bytes: int) -> None:
        self._file.read_less(batch_bytes, buffer_bytes)

    def group_bytes(self) -> int | None:
        return self._file.group_bytes()

    def word_bytes(self) -> int:
        return self._file.word_bytes()


def named_keys(schema: Any, keys: Iterable[TableKey], path: Any) -> list[tuple[Any, ...]]:
    """The keys with the names of columns in place of positions, and without dots in front."""
    return [(schema.names[target_of(schema, key, f"'{path}'")[0]] if isinstance(key, int)
             else without_dot(key, schema.names), *how) for key, *how in keys]


def refuse_missing_keys(file: TypedInput, keys: Iterable[tuple[Any, ...]]) -> None:
    """Before a row is read."""
    names = file.schema.names
    for name, *_ in keys:
        if name not in names and any(name.startswith(f"{column}.") for column in names):
            target_of(file.schema, name, f"'{file.path}'")
        elif name not in names:
            raise ArgumentError(f"key '{name}': '{file.path}' has no such column; it has {listed(names)}")
        if names.count(name) > 1:
            raise ArgumentError(f"key '{name}': '{file.path}' has several columns of this name")


def type_of_key(schema: Any, name: str) -> Any:
    """The type of a column or a field that is there."""
    if name in schema.names:
        return schema.field(name).type
    column, fields = target_of(schema, name, "the table")
    kind = schema.field(column).type
    for field in fields:
        kind = kind.field(field).type
    return kind


def refuse_missing_columns(first: Any, first_path: Any, other: Any, other_path: Any, remedy: str) -> None:
    """Raises Error that names a column which one of two schemas lacks, and says what helps."""
    names, others = first.names, other.names
    if names == others:
        return
    for one, two, lacks, has in ((names, set(others), other_path, first_path),
                                 (others, set(names), first_path, other_path)):
        missing = next((name for name in one if name not in two), None)
        if missing is not None:
            raise Error(f"'{lacks}' has no column '{missing}', which '{has}' has: {remedy}")


def _field_of_both(field: Any, other: Any) -> Any:
    """The first field, with nulls wherever one of both may have them; None if they differ otherwise."""
    if field.name != other.name:
        return None
    return nullable_as_both(field, other)


def nullable_as_both(field: Any, other: Any) -> Any:
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
        key, item = (nullable_as_both(*fields) for fields in ((first.key_field, other.key_field),
                                                                (first.item_field, other.item_field)))
        same = key is not None and item is not None and first.keys_sorted == other.keys_sorted
        return pyarrow.map_(key, item, first.keys_sorted) if same else None
    make_list = list_maker(first)
    if make_list is None or (pyarrow.types.is_fixed_size_list(first) and first.list_size != other.list_size):
        return None
    # Lists do not tell themselves apart by what they call their elements.
    item = nullable_as_both(first.value_field, other.value_field)
    return None if item is None else make_list(item)


def list_maker(kind: Any) -> Callable[[Any], Any] | None:
    """What makes a type of lists of the same kind, of another field of values; None for a type that is none of
    lists."""
    if pyarrow.types.is_fixed_size_list(kind):
        return lambda field: pyarrow.list_(field, kind.list_size)
    makers = {pyarrow.types.is_list: pyarrow.list_, pyarrow.types.is_large_list: pyarrow.large_list,
              pyarrow.types.is_list_view: pyarrow.list_view, pyarrow.types.is_large_list_view: pyarrow.large_list_view}
    return next((make for is_kind, make in makers.items() if is_kind(kind)), None)


def null_rows(count: int, kind: Any) -> Any:
    """Nulls as pyarrow.nulls() makes them, but for fields of structs that must not be null: these are zero or empty."""
    storage = kind.storage_type if isinstance(kind, pyarrow.BaseExtensionType) else kind
    if not _has_required_field(storage):
        return pyarrow.nulls(count, kind)
    fields = [null_rows(count, field.type) if field.nullable else default_rows(count, field.type) for field in storage]
    made = pyarrow.StructArray.from_arrays(fields, fields=list(storage), mask=pyarrow.repeat(True, count))
    return made if storage is kind else pyarrow.ExtensionArray.from_storage(kind, made)


def default_rows(count: int, kind: Any) -> Any:
    """Values that are zero or empty, of a type or a dictionary of it."""
    if isinstance(kind, pyarrow.BaseExtensionType):
        return pyarrow.ExtensionArray.from_storage(kind, default_rows(count, kind.storage_type))
    if pyarrow.types.is_dictionary(kind):
        indexes = pyarrow.repeat(pyarrow.scalar(0, kind.index_type), count)
        return pyarrow.DictionaryArray.from_arrays(indexes, default_rows(1, kind.value_type), ordered=kind.ordered)
    if pyarrow.types.is_struct(kind) and kind.num_fields:
        fields = [null_rows(count, field.type) if field.nullable else default_rows(count, field.type) for field in kind]
        return pyarrow.StructArray.from_arrays(fields, fields=list(kind))
    # What pyarrow puts below a null.
    within = pyarrow.array([None], pyarrow.struct([pyarrow.field("", kind, nullable=False)])).field(0)
    return within.take(pyarrow.repeat(0, count))


def _has_required_field(kind: Any) -> bool:
    return pyarrow.types.is_struct(kind) and any(not field.nullable or _has_required_field(field.type)
                                                 for field in kind)
