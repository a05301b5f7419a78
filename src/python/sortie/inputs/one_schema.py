"""Files whose columns differ, as one table: columns are found by their names, and by their places where names are the
same."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import pyarrow

from .._errors import Error, shortened
from ..columns.pandas_metadata import told_to_pandas
from ..columns.schemas import TypedInput, nullable_as_both, refuse_missing_columns
from ..columns.wider_types import wider_field
from ..parquet.parquet_form import geometries_in, geometry_text
from .csv_types import common_types
from .fitted_input import FittedInput, Table, fits
from .hive_folders import PartitionColumns, Partitions

_SAME_COLUMNS = "let all inputs have the same columns"
_UNION = f'{_SAME_COLUMNS}, or give schema="union"'


def as_one_table(files: Sequence[TypedInput], partitions: Sequence[Partitions], is_union: bool) -> list[TypedInput]:
    """The files with the columns of one table, which is that of the first one: what is kept of a file is kept of this
    one. partitions: of each file. Raises Error that names file and column of a true difference."""
    if is_union:
        known = common_types(files)
        files = [file.with_types(known) for file in files]
    _refuse_other_geometries(files)
    told_columns = PartitionColumns(partitions)
    own = [_columns_of(file, told, told_columns.types) for file, told in zip(files, partitions)]
    schema, sources = (_union if is_union else _strict)(own)
    for file in files:
        file.set_names(schema.names)
    schema = told_to_pandas(schema, files[0].schema)
    table = Table(schema, files, sources)
    fitted = [file if fits(file, table, told) else FittedInput(file, table, told, told_columns)
              for file, told in zip(files, partitions)]
    if fitted[0] is files[0]:
        fitted[0].schema = schema
    return fitted


def _refuse_other_geometries(files: Sequence[TypedInput]) -> None:
    """Raises Error for columns of geometries whose coordinates mean something else in another file."""
    known: dict[str, tuple[Any, str]] = {}
    last: Any = None
    for file in files:
        if file.form is last:  # files that are alike share it
            continue
        last = file.form
        for path, told in geometries_in(file.form).items():
            first, its_path = known.setdefault(path, (told, file.path))
            if first != told:
                raise Error(f"column '{path}' of '{file.path}' is of Parquet's type {geometry_text(told)}, and of "
                            f"'{its_path}' of type {geometry_text(first)}: transform one of them")


class _Columns(NamedTuple):
    """fields: of the file; added: those that the names of its folders tell."""
    file: TypedInput
    fields: pyarrow.Schema
    added: list[pyarrow.Field]

    def is_like(self, other: _Columns) -> bool:
        return self.fields.equals(other.fields) and self.added == other.added

    @property
    def all(self) -> pyarrow.Schema:
        return pyarrow.schema([*self.fields, *self.added], self.fields.metadata) if self.added else self.fields


def _columns_of(file: TypedInput, told: Partitions, types: dict[str, Any]) -> _Columns:
    names = set(file.schema.names) if told else set()
    return _Columns(file, file.schema, [pyarrow.field(name, types[name]) for name, _ in told if name not in names])


def _strict(files: Iterable[_Columns]) -> tuple[pyarrow.Schema, list[TypedInput]]:
    """The columns of all, and the files that they come from."""
    first, *others = files
    schema, last = first.all, first
    for other in others:
        if not other.is_like(last):
            schema = _refuse_others(schema, first.file.path, other)
        last = other
    return schema, [first.file]


def _refuse_others(schema: pyarrow.Schema, first: str, other: _Columns) -> pyarrow.Schema:
    """The schema of the files before, with nulls where the other one may have them."""
    found, path = other.all, other.file.path
    refuse_missing_columns(schema, first, found, path, _UNION)
    for place, number in enumerate(_places(schema, found, first, path)):
        field, its = schema.field(place), found.field(number)
        both = nullable_as_both(field, its)
        if both is None:
            remedy = "cast one of them" if wider_field(field, its) is None else _UNION
            raise Error(f"{_called(schema, place)} of '{path}' is of type {shortened(its.type)}, and of '{first}' of "
                        f"type {shortened(field.type)}: {remedy}")
        if both is not field:
            schema = schema.set(place, both)
    return schema


def _called(schema: pyarrow.Schema, place: int) -> str:
    name = schema.names[place]
    return f"column '{name}'" if schema.names.count(name) == 1 else f"column {place + 1}, '{name}',"


def _places(schema: pyarrow.Schema, found: pyarrow.Schema, first: str, path: str) -> list[int]:
    """The place in `found` of each column of the schema; -1 for those that are not there."""
    if schema.names == found.names:
        return list(range(len(schema)))
    for names, file in ((schema.names, first), (found.names, path)):
        twice = next((name for name in names if names.count(name) > 1), None) if len(set(names)) < len(names) else None
        if twice is not None:
            raise Error(f"'{file}' has several columns '{twice}', which are told apart by their places alone, and "
                        f"other inputs have other columns: {_SAME_COLUMNS}")
    places = {name: number for number, name in enumerate(found.names)}
    return [places.get(name, -1) for name in schema.names]


def _union(files: Iterable[_Columns]) -> tuple[pyarrow.Schema, list[TypedInput]]:
    """As _strict(). Columns that folders tell of are the last ones."""
    files = list(files)
    wide = _Union(files[0])
    for other, last in zip(files[1:], files):
        if not other.is_like(last):
            wide.add(other.fields, other.file)
    for other in (files[0], *(other for other, last in zip(files[1:], files) if not other.is_like(last))):
        wide.add(pyarrow.schema(other.added), other.file, are_all=False)
    return _with_nulls(wide.schema, files), wide.sources


def _with_nulls(schema: pyarrow.Schema, files: Iterable[_Columns]) -> pyarrow.Schema:
    """Columns that a file lacks may be null there."""
    for other, last in zip(files, (None, *files)):
        if last is not None and other.is_like(last):
            continue
        names = {*other.fields.names, *(field.name for field in other.added)}
        for place, field in enumerate(schema):
            if field.name not in names and not field.nullable:
                schema = schema.set(place, field.with_nullable(True))
    return schema


class _Union:
    """The columns of the files so far. sources: the files that changed it."""

    def __init__(self, first: _Columns) -> None:
        self.schema = first.fields
        self.sources = [first.file]
        self._path = first.file.path
        self._told_by = dict.fromkeys(self.schema.names, f"of '{first.file.path}'")

    def add(self, found: pyarrow.Schema, file: TypedInput, are_all: bool = True) -> None:
        """are_all: whether a file has no other columns."""
        before = self.schema
        if are_all:
            pairs = list(enumerate(_places(self.schema, found, self._path, file.path)))
        else:
            pairs = [(self.schema.get_field_index(name), number) for number, name in enumerate(found.names)]
        for place, number in pairs:
            if place >= 0 and number >= 0:
                self._widen(place, found.field(number), file)
        for field in found:
            if field.name not in self._told_by:
                self.schema = self.schema.append(field)
                self._told_by[field.name] = f"of '{file.path}'"
        if self.schema is not before:
            self.sources.append(file)

    def _widen(self, place: int, found: pyarrow.Field, file: TypedInput) -> None:
        field = self.schema.field(place)
        both = wider_field(field, found)
        if both is None:
            raise Error(f"{_called(self.schema, place)} of '{file.path}' is of type {shortened(found.type)}, and "
                        f"{self._told_by[field.name]} of type {shortened(field.type)}, and no type holds the values of "
                        "both without loss: cast one of them")
        if not both.equals(field):
            self.schema = self.schema.set(place, both)
            if not both.type.equals(field.type):
                self._told_by[field.name] = "of the files before"
