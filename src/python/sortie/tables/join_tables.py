"""join_tables(): both tables are sorted by their keys, and what is equal on both sides is brought together as it comes
out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy
import pyarrow
import pyarrow.compute
from numpy.typing import NDArray

from .. import ArgumentError
from .._arguments import text_of, word_of
from .._report import say_count
from ..columns.key_columns import KeyColumn, concatenated, differs_from_last, of_type, plain
from ..columns.keys import columns_of
from ..columns.row_taking import refuse_if_not_taken, schema_without_runs, taken
from .join_sides import Side, common_type, shared_memory, with_listed_folders
from .streamed_table import StreamedTable
from .table_batches import open_batches

Numbers = NDArray[numpy.int64]

HOW = ("inner", "left", "right", "full", "semi", "anti")
_NEVER = 1 << 62
# Batches of the result.
_MOST_ROWS, _MOST_BYTES = 1 << 16, 8 << 20


def join_tables(left: Any, right: Any, on: Any, how: Any, left_on: Any, right_on: Any, suffix: Any,
                options: dict[str, Any]) -> StreamedTable:
    word_of(how, "how", HOW)
    text_of(suffix, "suffix")
    names = _keys_of(on, left_on, right_on)
    means, held_bytes = shared_memory(with_listed_folders(options))
    given = [open_batches(left, "left"), open_batches(right, "right")]
    keys = [[KeyColumn(schema, key, f"the {side} table") for key in of_side]
            for (schema, _), of_side, side in zip(given, names, ("left", "right"))]
    compared = [common_type(*pair) for pair in zip(*keys)]
    for (side_schema, _), name in zip(given, ("left", "right")):
        for field in side_schema:
            refuse_if_not_taken(f"column '{field.name}' of the {name} table", field.type)
    schema = _Schema(schema_without_runs(given[0][0]), schema_without_runs(given[1][0]), keys, compared, how, suffix)
    sides: list[Side] = []
    try:
        for (side_schema, batches), of_side in zip(given, keys):
            sides.append(Side(side_schema, of_side, compared, dict(means), held_bytes))
            sides[-1].push(batches)
    except BaseException:
        for side in sides:
            side.close()
        raise
    return StreamedTable(schema.schema, _Join(sides[0], sides[1], how, schema).batches(), sides)


def _keys_of(on: Any, left_on: Any, right_on: Any) -> tuple[list[str | int], list[str | int]]:
    if (on is None) == (left_on is None and right_on is None) or (left_on is None) != (right_on is None):
        raise ArgumentError("give on, or left_on and right_on")
    if on is not None:
        keys = columns_of(on, "on")
        return keys, keys
    left, right = columns_of(left_on, "left_on"), columns_of(right_on, "right_on")
    if len(left) != len(right):
        raise ArgumentError(f"left_on names {say_count(len(left), 'column')} and right_on {len(right)}: a key is one "
                            "of each")
    return left, right


class _Schema:
    """The columns of the result: those of the left table, in which keys are of either side; then those of the right one
    but for its keys. A key of the left table that is named twice goes with the first of its right ones, and the others
    are columns."""

    def __init__(self, left: pyarrow.Schema, right: pyarrow.Schema, keys: Sequence[Sequence[KeyColumn]],
                 compared: Sequence[pyarrow.DataType], how: str, suffix: str) -> None:
        self.key_of_left: dict[int, KeyColumn] = {}
        # In which both are, of a key that may come from either side.
        kinds: dict[int, pyarrow.DataType] = {}
        for (key, other), kind in zip(zip(*keys), compared):
            if key.is_whole and other.is_whole and key.number not in self.key_of_left:
                self.key_of_left[key.number], kinds[key.number] = other, kind
        hidden = {other.number for other in self.key_of_left.values()}
        self.of_right = [] if how in ("semi", "anti") else [number for number in range(len(right))
                                                            if number not in hidden]
        fields = [self._left_field(number, field, kinds, how) for number, field in enumerate(left)]
        fields += self._right_fields(left, right, how, suffix)
        metadata = {key: value for key, value in (left.metadata or {}).items() if key != b"pandas"}
        self.schema = pyarrow.schema(fields, metadata or None)

    def _right_fields(self, left: pyarrow.Schema, right: pyarrow.Schema, how: str, suffix: str) -> list[pyarrow.Field]:
        names = [right.field(number).name for number in self.of_right]
        shown = [name + (suffix if name in left.names else "") for name in names]
        for name, as_shown in zip(names, shown):
            if names.count(name) > 1:
                raise ArgumentError(f"the right table has two columns '{name}': rename one of them")
            if as_shown in left.names or shown.count(as_shown) > 1:
                raise ArgumentError(f"the result would have two columns '{as_shown}': give another suffix")
        fields = [right.field(number) for number in self.of_right]
        return [field.with_name(name).with_nullable(field.nullable or how in ("left", "full"))
                for field, name in zip(fields, shown)]

    def _left_field(self, number: int, field: pyarrow.Field, kinds: dict[int, pyarrow.DataType],
                    how: str) -> pyarrow.Field:
        if how not in ("right", "full"):
            return field
        if number in self.key_of_left and field.type != self.key_of_left[number].type:
            field = field.with_type(_shown_type([field.type, self.key_of_left[number].type], kinds[number]))
        return field.with_nullable(True)


def _shown_type(kinds: Sequence[pyarrow.DataType], compared: pyarrow.DataType) -> pyarrow.DataType:
    """The type of a key whose sides have two types. Texts are compared as bytes, and bytes may be no text."""
    is_text = compared == pyarrow.large_binary() and not any(map(_is_octets, kinds))
    return pyarrow.large_string() if is_text else compared


def _is_octets(kind: pyarrow.DataType) -> bool:
    types = pyarrow.types
    if types.is_dictionary(kind) or types.is_run_end_encoded(kind):
        return _is_octets(kind.value_type)
    octets = types.is_binary, types.is_large_binary, types.is_binary_view, types.is_fixed_size_binary
    return any(is_type(kind) for is_type in octets)


class _Window(NamedTuple):
    """Groups of both sides, by codes that ascend with the keys: rows `begin` to `begin + count` of a side have the
    key."""

    left_begin: Numbers
    left_count: Numbers
    right_begin: Numbers
    right_count: Numbers


class _Join:
    def __init__(self, left: Side, right: Side, how: str, schema: _Schema) -> None:
        self._left, self._right, self._how, self._schema = left, right, how, schema
        # Whether the first group of the right side has found partners already, in rows that are gone.
        self._is_matched = False

    def batches(self) -> Iterator[pyarrow.RecordBatch]:
        left, right = self._left, self._right
        while True:
            for side in (left, right):
                while not side.group_count and not side.at_end:
                    side.fill()
            if not left.group_count and not right.group_count:
                return
            codes = _codes(left.group_keys, right.group_keys)
            if self._is_matched and not (left.group_count and codes[0][0] == codes[1][0]):
                self._is_matched = False
                right.drop(1)
                continue
            bound = min(_open_code(left, codes[0]), _open_code(right, codes[1]))
            whole = [int(numpy.searchsorted(of_side, bound)) for of_side in codes]
            if any(whole):
                yield from self._joined(codes, whole)
                self._is_matched = self._is_matched and not whole[1]
                left.drop(whole[0])
                right.drop(whole[1])
            else:
                yield from self._with_open_group(codes, bound)

    def _with_open_group(self, codes: tuple[Numbers, Numbers], bound: int) -> Iterator[pyarrow.RecordBatch]:
        """The first group of all is one that may go on. That of the right side is held as a whole if there are
        partners."""
        left, right = self._left, self._right
        has_left = bool(left.group_count) and codes[0][0] == bound
        if _open_code(right, codes[1]) == bound:
            if has_left:
                right.fill()
                return
            yield from self._joined(codes, [0, 1])
            right.drop(1)
            return
        has_right = bool(right.group_count) and codes[1][0] == bound
        yield from self._joined(codes, [1, 1 if has_right else 0])
        self._is_matched = has_right
        left.drop(1)

    def _joined(self, codes: tuple[Numbers, Numbers], groups: list[int]) -> Iterator[pyarrow.RecordBatch]:
        """What becomes of the first groups of both sides."""
        window = _window([of_side[:count] for of_side, count in zip(codes, groups)], [self._left, self._right])
        counts = self._counts(window)
        ends = numpy.cumsum(counts)
        total = int(ends[-1]) if len(ends) else 0
        begin = 0
        while begin < total:
            code = int(numpy.searchsorted(ends, begin, side="right"))
            done, partners = begin - int(ends[code] - counts[code]), int(window.right_count[code])
            rows = _in_one_pass(min(total - begin, _MOST_ROWS), done, partners)
            left, right = self._places(window, ends - counts, begin, begin + rows)
            rows = _in_one_pass(self._fitting(left, right), done, partners)
            yield self._rows(left[:rows], right[:rows])
            begin += rows

    def _counts(self, window: _Window) -> Numbers:
        """Rows of the result for each code."""
        left, right, how = window.left_count, window.right_count, self._how
        if how == "semi":
            return numpy.where(right > 0, left, 0)
        if how == "anti":
            return numpy.where(right > 0, 0, left)
        alone_left = numpy.where(right == 0, left, 0) if how in ("left", "full") else 0
        alone_right = numpy.where(left == 0, right, 0) if how in ("right", "full") else 0
        return left * right + alone_left + alone_right

    def _places(self, window: _Window, begins: Numbers, begin: int, end: int) -> tuple[Numbers, Numbers]:
        """The rows of both sides in these rows of the result; -1: none."""
        rows = numpy.arange(begin, end)
        code = numpy.searchsorted(begins, rows, side="right") - 1
        within = rows - begins[code]
        is_pairing = self._how not in ("semi", "anti")
        partners = numpy.maximum(window.right_count[code], 1) if is_pairing else numpy.ones_like(code)
        left = numpy.where(window.left_count[code] > 0, window.left_begin[code] + within // partners, -1)
        right = numpy.where(window.right_count[code] > 0, window.right_begin[code] + within % partners, -1)
        return left, right

    def _fitting(self, left: Numbers, right: Numbers) -> int:
        """How many of these rows make a batch, one at least."""
        row_bytes = self._left.row_bytes(range(len(self._left.schema)), left)
        row_bytes += self._right.row_bytes(self._schema.of_right, right)
        return max(int(numpy.searchsorted(numpy.cumsum(row_bytes), _MOST_BYTES, side="right")), 1)

    def _rows(self, left: Numbers, right: Numbers) -> pyarrow.RecordBatch:
        """-1: no row of that side."""
        schema = self._schema
        columns = self._left.taken(range(len(self._left.schema)), left)
        if self._how in ("right", "full"):
            for number, key in schema.key_of_left.items():
                kind = schema.schema.field(number).type
                other = self._right.taken([key.number], right)[0]
                places = numpy.arange(len(left)) + numpy.where(left >= 0, 0, len(left))
                both = concatenated([_as(columns[number], kind), _as(other, kind)])
                columns[number] = taken(both, pyarrow.array(places))
        columns += self._right.taken(schema.of_right, right)
        return pyarrow.record_batch(columns, schema=schema.schema)


def _as(column: pyarrow.Array, kind: pyarrow.DataType) -> pyarrow.Array:
    return column if column.type == kind else of_type(plain(column), kind)


def _in_one_pass(rows: int, done: int, partners: int) -> int:
    """Rows of the result without those behind the end of one row of the left side, if it has more partners: they lie
    side by side on the right one, of which no more is looked at. done: rows of the key that are out."""
    return min(rows, partners - done % partners) if partners >= rows else rows


def _open_code(side: Side, codes: Numbers) -> int:
    """That of the last group, which may go on; beyond all codes if no more rows come."""
    return _NEVER if side.at_end or not len(codes) else int(codes[-1])


def _codes(left: Sequence[pyarrow.Array], right: Sequence[pyarrow.Array]) -> tuple[Numbers, Numbers]:
    """Numbers for the groups of both sides that ascend with the keys, the same for equal ones. Keys with nulls have no
    equals."""
    columns = [concatenated(pair) for pair in zip(left, right)]
    names = [str(number) for number in range(len(columns))]
    order = pyarrow.compute.sort_indices(pyarrow.table(columns, names=names),
                                         sort_keys=[(name, "ascending") for name in names])
    places = order.to_numpy()
    is_new = numpy.ones(len(places), bool)
    is_new[1:] = differs_from_last([column.take(order) for column in columns])
    for column in columns:
        is_new |= column.is_null().to_numpy(zero_copy_only=False)[places]
    codes = numpy.empty(len(places), numpy.int64)
    codes[places] = numpy.cumsum(is_new) - 1
    return codes[:len(left[0])], codes[len(left[0]):]


def _window(codes: Sequence[Numbers], sides: Sequence[Side]) -> _Window:
    known, places = numpy.unique(numpy.concatenate(codes), return_inverse=True)
    parts = []
    at = 0
    for of_side, side in zip(codes, sides):
        begins, counts = numpy.zeros(len(known), numpy.int64), numpy.zeros(len(known), numpy.int64)
        mine = places[at:at + len(of_side)]
        ends = numpy.append(side.begins[1:], side.row_count)[:len(of_side)]
        begins[mine] = side.begins[:len(of_side)]
        counts[mine] = ends - side.begins[:len(of_side)]
        parts += [begins, counts]
        at += len(of_side)
    return _Window(*parts)
