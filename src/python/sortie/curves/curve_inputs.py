"""Files of tables whose rows get their places on a curve while they are read, and boxes of geometries."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from typing import Any

import pyarrow
import pyarrow.compute
from pyarrow import types

from ..columns.keys import NamedKey, TableKey
from ..columns.schemas import InputAround, TypedInput
from .curve_bounds import BoundsFinder
from .curves import Coordinate, Curve, CurveChoice, coordinates_of
from .geo_metadata import BoxColumns, box_of_metadata

# Row groups that are read for a sample, spread over all files, and the rows that are enough.
_SAMPLE_GROUPS, _LEAST_GROUPS, _SAMPLE_ROWS = 24, 8, 1 << 21


class CurveInput(InputAround):
    """The rows of a file with boxes behind its columns, and words of a curve behind all."""

    def __init__(self, file: TypedInput, curve: Curve | None, boxes: BoxColumns | None) -> None:
        super().__init__(file)
        self._curve, self._boxes = curve, boxes
        self.form, self.held_bytes = file.form, file.held_bytes
        self.schema = boxes.schema if boxes else file.schema
        added = len(self.schema) - len(file.schema)
        self.codecs = (*file.codecs, *["zstd"] * (4 * added)) if len(file.codecs) > 1 else file.codecs

    @property
    def sorted_schema(self) -> pyarrow.Schema:
        if self._curve is not None:
            return self._curve.behind(self.schema)
        # With what other keys are sorted by.
        own = len(self._file.schema)
        return pyarrow.schema([*self.schema, *list(self._file.sorted_schema)[own:]], self.schema.metadata)

    def sorted_by(self, key: Any) -> list[Any]:
        return self._file.sorted_by(key)

    def is_read_with(self, other: TypedInput) -> bool:
        return isinstance(other, CurveInput) and self._file.is_read_with(other._file)

    def joined_with(self, others: list[Any]) -> TypedInput:
        return CurveInput(self._file.joined_with([other._file for other in others]), self._curve, self._boxes)

    def refuse_key(self, name: str) -> None:
        self._file.refuse_key(name)

    def batches(self, use_threads: bool) -> Iterator[pyarrow.RecordBatch]:
        schema, row = self.sorted_schema, 0
        place = f"'{self.path}': "
        own = len(self._file.schema)
        for batch in self._file.batches(use_threads):
            columns = batch.columns[:own]
            if self._boxes is not None:
                columns += self._boxes.of(batch, place, row)
            columns += batch.columns[own:] if self._curve is None else self._curve.words_of(batch, place, row,
                                                                                            self.assumed)
            row += batch.num_rows
            yield pyarrow.record_batch(columns, schema=schema)
            del batch, columns


def with_keys_behind(schema: pyarrow.Schema, file: TypedInput) -> pyarrow.Schema:
    """schema: of the columns that a file is carried as. With those by which it is sorted."""
    return pyarrow.schema([*schema, *list(file.sorted_schema)[len(file.schema):]], schema.metadata)


def on_curve(files: Sequence[TypedInput], keys: Sequence[NamedKey], choice: CurveChoice, threads: int,
             boxes: BoxColumns | None) -> tuple[list[TypedInput], list[TableKey]]:
    """The files, and the keys that their rows are sorted by. Reads the columns of the keys once, or a part of them.
    Raises Error for keys that have no place on a curve."""
    first = files[0]
    # CSV that stays CSV has keys with types behind its texts.
    typed: list[TableKey] = [(first.sorted_by(name)[0], falls, nulls_first) for name, falls, nulls_first in keys]
    coordinates = coordinates_of(first.sorted_schema, typed, f"'{first.path}'", _wkb_columns(first))
    finder = BoundsFinder(choice.way, coordinates, first.sorted_schema)
    groups = _sampled_groups(files) if choice.way == "rank" else None
    for number, file in enumerate(files):
        taken = None if groups is None else [group for at, group in groups if at == number]
        _take_bounds(finder, file, coordinates, choice, taken, first.sorted_schema.metadata)
    curve = Curve(first.sorted_schema, coordinates, choice, finder.arrays(), threads, finder.ends())
    return [CurveInput(file, curve, boxes) for file in files], curve.order


def _sampled_groups(files: Sequence[TypedInput]) -> list[tuple[int, int]]:
    """Row groups of Parquet as (number of the file, of the group)."""
    all_groups = [(number, group, rows) for number, file in enumerate(files)
                  for group, rows in enumerate(file.group_rows() or ())]
    step = max(1, -(-len(all_groups) // _SAMPLE_GROUPS))
    found: list[tuple[int, int]] = []
    rows = 0
    # Those in the middle of parts, in an order that leaves gaps between the first ones.
    for number, group, count in itertools.chain(all_groups[step // 2::2 * step],
                                                all_groups[step // 2 + step::2 * step]):
        if len(found) >= _LEAST_GROUPS and rows >= _SAMPLE_ROWS:
            break
        found.append((number, group))
        rows += count
    return found


def _take_bounds(finder: BoundsFinder, file: TypedInput, coordinates: Sequence[Coordinate], choice: CurveChoice,
                 groups: Sequence[int] | None, metadata: Any) -> None:
    """metadata: of the table, which tell what is a geometry for files that do not."""
    place = f"'{file.path}': "
    all_rows = file.group_rows()
    if all_rows is None:
        finder.add_rows(file.batches(use_threads=True), place, coordinates_of(
            file.sorted_schema.with_metadata(metadata), [coordinate.key for coordinate in coordinates], place,
            _wkb_columns(file)))
        return
    if choice.way == "bits" and (ends := _told_ends(file, coordinates)):
        finder.add(ends)
        return
    names = [file.schema.names[coordinate.column.number] for coordinate in coordinates]
    if groups is None:
        groups = range(len(all_rows))
    own: list[Coordinate] | None = None
    for row, batch in file.some_columns(names, groups) if groups else ():
        own = own or coordinates_of(batch.schema.with_metadata(metadata),
                                    [coordinate.key for coordinate in coordinates], place, _wkb_columns(file))
        finder.add_rows([batch], place, own, row)


def _wkb_columns(file: TypedInput) -> list[str]:
    """Those of Parquet's types GEOMETRY and GEOGRAPHY."""
    return [path for path, leaf in file.form.get("leaves", {}).items() if "geometry" in leaf]


def _told_ends(file: TypedInput, coordinates: Sequence[Coordinate]) -> list[pyarrow.Array] | None:
    """The least and the greatest value of each number, by the statistics in a footer; None if they do not tell all, or
    if one is not finite."""
    ends: list[pyarrow.Array] = []
    for coordinate in coordinates:
        if coordinate.geometry is not None:
            box = box_of_metadata(file.own_schema, coordinate.name)
            if box is None:
                return None
            if not all(map(math.isfinite, box)):
                return None
            ends += [pyarrow.array([box[0], box[2]]), pyarrow.array([box[1], box[3]])]
            continue
        values = file.ends_of(coordinate.name) if coordinate.column.is_whole else None
        if values is None or len(values) != 2:
            return None
        number = file.schema.names.index(coordinate.name)
        fields = [field.with_type(values.type) if at == number else field for at, field in enumerate(file.schema)]
        batch = pyarrow.record_batch([values], schema=pyarrow.schema([fields[number]]))
        own, = Coordinate(batch.schema, coordinate.key, file.path).arrays_of(batch, "", 0)
        if types.is_floating(own.type) and not pyarrow.compute.all(pyarrow.compute.is_finite(own)).as_py():
            return None  # the least and the greatest of the finite ones are not known
        ends.append(own)
    return ends
