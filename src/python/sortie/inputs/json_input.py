"""JSON Lines as a table. The columns and their types are those of the first block of a file, or of all of it; whatever
is not as they say is an error that names its line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import pyarrow
import pyarrow.compute
import pyarrow.json

from .._errors import Error, shortened
from .._native import machine_share
from .._files import first_line, naming
from ..columns.schemas import TypedInput
from .json_lines import BLOCK_BYTES, Block, blocks_of, names_in, objects_in, pieces_of
from .json_numbers import Number, has_singles, is_rounded_number, may_have_rounded
from .json_types import (Beyond, Differs, Misfit, as_told, has_doubles, merged_fields, misfit, names_in_lists, read_as,
                         settled, type_of, width_of)

# Integers beyond it may not be doubles.
_EXACT_DOUBLE = float(1 << 53)
# pyarrow decodes a block in so many at once, with threads.
_PIECE_BYTES = 1 << 20
# A batch has a place for each value that a row might have, of some 8 bytes. Fewer rows at once would cost time.
_MOST_VALUES, _LEAST_ROWS = BLOCK_BYTES // 8, 512
# Three pieces are read ahead, one is pushed, and one is decoded and put together. Their lists take no more than this
# part of the memory of a sort, and so much of each piece in any case.
_PIECES_AT_ONCE, _SHARE_OF_LISTS, _LEAST_LIST_BYTES = 6, 4, 8 << 20
# Where the memory of the sort is not told, this part of what is available, and no more than so much.
_SHARE_OF_AVAILABLE, _USUAL_LIST_BYTES = 48, 64 << 20
_READ_ALL = 'give schema="union", by which files are read for their types first'
_ONE_KIND = "make all values of one kind"


class JsonInput(TypedInput):
    """types: of its columns, as a schema. is_sampled: whether they are those of its first rows alone. list_bytes: what
    the lists of objects of a piece may take."""

    types: pyarrow.Schema = None

    def __init__(self, path: str, types: pyarrow.Schema, is_sampled: bool, list_bytes: int) -> None:
        self.path, self._list_bytes = path, list_bytes
        self.types = self.schema = types
        self._is_sampled = is_sampled
        self._doubles = {field.name: field.type for field in types if has_doubles(field.type)}
        self._has_singles = any(map(has_singles, types.types))

    def with_types(self, known: pyarrow.Schema | None) -> JsonInput:
        """This input when all files are known. A file without rows tells no columns."""
        if known is None:
            return self
        if not len(self.types):
            return JsonInput(self.path, known, self._is_sampled, self._list_bytes)
        kinds = {field.name: field.type for field in known if known.names.count(field.name) == 1}
        fields = [field.with_type(read_as(field.type, kinds.get(field.name, field.type))) for field in self.types]
        return JsonInput(self.path, pyarrow.schema(fields), self._is_sampled, self._list_bytes)

    @property
    def claimed_bytes(self) -> int:
        has_places = names_in_lists(self.types.types) > 1  # for names that an object in a list lacks
        return _PIECES_AT_ONCE * (self._list_bytes - _LEAST_LIST_BYTES) if has_places else 0

    def tell_sampled(self) -> None:
        if self._is_sampled:
            self.assumed.add("json-sample", None, 1, f"'{self.path}'")

    def batches(self, use_threads: bool) -> Iterator[pyarrow.RecordBatch]:
        """The record batches, in the order of the rows."""
        with naming(self.path, "read"):
            most_rows, names = _most_rows(self.types.types), names_in_lists(self.types.types)
            for block in blocks_of(self.path):
                for piece in pieces_of(block, lambda: most_rows, lambda piece: names, self._list_bytes):
                    batch = self._decoded(piece, use_threads)
                    self._tell_rounded(batch, piece)
                    yield batch

    def _decoded(self, block: Block, use_threads: bool) -> pyarrow.RecordBatch:
        try:
            batch = _decoded(block, self.types, use_threads)
        except pyarrow.ArrowException as error:
            self._refuse(block)
            raise Error(f"cannot read '{self.path}': in the lines from {block.first} on: "
                        f"{first_line(error)}") from error
        if batch.num_rows != block.rows or not all(map(_is_finite, batch.columns)):
            self._refuse(block)
        return batch

    def _refuse(self, block: Block) -> None:
        """Raises Error that names the first line which has no object with values of the types, if there is one."""
        kinds = {field.name: field.type for field in self.types}
        for line, row in objects_in(block):
            for name, value in row.items():
                try:
                    found = misfit(value, kinds.get(name), name)
                except Beyond as beyond:
                    raise _refused_number(block.path, line, beyond) from None
                if found is not None:
                    raise self._refused(line, found)

    def _refused(self, line: int, found: Misfit) -> Error:
        known = f"the first {BLOCK_BYTES >> 20} MiB" if self._is_sampled else "the table"
        what = f"column '{found.column}' of '{self.path}' is of type {shortened(found.found)} in line {line}, and "
        if found.known is None:
            return Error(f"{what}is not in {known}: {_READ_ALL}")
        return Error(f"{what}of type {shortened(found.known)} in {known}: " + (f"{_READ_ALL}, or " * found.is_held)
                     + _ONE_KIND)

    def _tell_rounded(self, batch: pyarrow.RecordBatch, block: Block) -> None:
        """Numbers that a double does not hold as they are written, which are integers as a rule."""
        if self.assumed is None:
            return
        for name in self._doubles:
            self.assumed.looked_at(name, batch.num_rows)
        is_big = any(_has_big(batch.column(name)) for name in self._doubles)
        if not self._doubles or not (is_big or may_have_rounded(block.octets, self._has_singles)):
            return
        for line, row in objects_in(block):
            for name, kind in self._doubles.items():
                text = _rounded_in(row.get(name), kind)
                if text is not None:
                    self.assumed.add("rounded-number", name, 1, f"{self.path}: line {line}", text)


def _decoded(block: Block, types: pyarrow.Schema | None, use_threads: bool) -> pyarrow.RecordBatch:
    """types: None for those that pyarrow finds."""
    behavior = "infer" if types is None else "error"
    parse_options = pyarrow.json.ParseOptions(explicit_schema=types, newlines_in_values=False,
                                              unexpected_field_behavior=behavior)
    size = len(block.octets) + 1
    table = None
    if use_threads and size > _PIECE_BYTES:
        try:
            table = pyarrow.json.read_json(pyarrow.BufferReader(block.octets), parse_options=parse_options,
                                           read_options=pyarrow.json.ReadOptions(block_size=_PIECE_BYTES))
        except pyarrow.ArrowInvalid:
            pass  # a line may be longer than a piece
    if table is None:
        table = pyarrow.json.read_json(pyarrow.BufferReader(block.octets), parse_options=parse_options,
                                       read_options=pyarrow.json.ReadOptions(use_threads=False, block_size=size))
    batches = table.combine_chunks().to_batches()
    return batches[0] if batches else pyarrow.RecordBatch.from_pylist([], table.schema)


def _most_rows(kinds: Iterable[Any]) -> int:
    """The most rows of a batch with columns of these types."""
    return max(_MOST_VALUES // max(width_of(kinds), 1), _LEAST_ROWS)


def _floats_in(column: pyarrow.Array) -> Iterator[pyarrow.Array]:
    kind = column.type
    if pyarrow.types.is_struct(kind):
        for number in range(kind.num_fields):
            yield from _floats_in(column.field(number))
    elif pyarrow.types.is_list(kind):
        yield from _floats_in(column.flatten())
    elif pyarrow.types.is_floating(kind):
        yield column.cast(pyarrow.float64())


def _is_finite(column: pyarrow.Array) -> bool:
    """pyarrow takes words for numbers that JSON has not, and numbers that are too large for infinity."""
    return all(pyarrow.compute.all(pyarrow.compute.is_finite(floats), min_count=0).as_py()
               for floats in _floats_in(column))


def _has_big(column: pyarrow.Array) -> bool:
    """Also one that is not finite."""
    return not all(pyarrow.compute.all(pyarrow.compute.less(pyarrow.compute.abs(floats), _EXACT_DOUBLE),
                                       min_count=0).as_py()
                   for floats in _floats_in(column))


def _rounded_in(value: Any, kind: Any) -> str | None:
    """The first number that is rounded to be one of a floating-point type."""
    if isinstance(value, Number):
        return value if pyarrow.types.is_floating(kind) and is_rounded_number(value, kind) else None
    items: Iterable[tuple[Any, Any]] = ()
    if isinstance(value, dict):
        items = ((item, kind.field(name).type) for name, item in value.items())
    elif isinstance(value, list):
        items = ((item, kind.value_type) for item in value)
    return next((text for text in (_rounded_in(*item) for item in items) if text is not None), None)


def _refused_number(path: str, line: int, beyond: Beyond) -> Error:
    return Error(f"number {shortened(beyond.text)} of column '{beyond.column}' in line {line} of '{path}' is larger "
                 "than doubles are: write it as a text, or leave it out")


def list_bytes_of(memory: int) -> int:
    """What the lists of objects of a piece may take. memory: of the sort, 0 if it is not told."""
    if not memory:
        available: int = machine_share()[0]
        return min(_USUAL_LIST_BYTES, max(_LEAST_LIST_BYTES, available // _SHARE_OF_AVAILABLE))
    return max(_LEAST_LIST_BYTES, memory // (_SHARE_OF_LISTS * _PIECES_AT_ONCE))


def open_json(path: str, reads_all: bool, list_bytes: int = _USUAL_LIST_BYTES) -> JsonInput:
    """reads_all: whether all rows are looked at for columns and types, and not those of the first block alone.
    list_bytes: as pieces_of() takes them."""
    fields: list[pyarrow.Field] = []
    with naming(path, "read"):
        for number, block in enumerate(blocks_of(path)):
            if number and not reads_all:
                return JsonInput(path, _schema_of(fields), True, list_bytes)
            fields = _with_fields_of(block, fields, list_bytes)
    return JsonInput(path, _schema_of(fields), False, list_bytes)


def _schema_of(fields: Iterable[pyarrow.Field]) -> pyarrow.Schema:
    return pyarrow.schema([field.with_type(settled(field.type)) for field in fields])


def _with_fields_of(block: Block, known: list[pyarrow.Field], list_bytes: int) -> list[pyarrow.Field]:
    """known: of the blocks before."""
    rows = _LEAST_ROWS

    def most_rows() -> int:
        nonlocal rows
        rows *= 2  # so that new names cannot be many at once
        return min(rows, _most_rows(field.type for field in known))

    for piece in pieces_of(block, most_rows,
                           lambda piece: max(names_in(piece), names_in_lists(field.type for field in known)),
                           list_bytes):
        known = _with_fields_of_piece(piece, known)
    return known


def _with_fields_of_piece(block: Block, known: list[pyarrow.Field]) -> list[pyarrow.Field]:
    """known: of the pieces before. Raises Error that names the first line with a value of another type."""
    try:
        batch = _decoded(block, None, True)
        # One object on each line, and no integers that pyarrow takes for doubles.
        if batch.num_rows == block.rows and not any(map(_has_big, batch.columns)):
            return merged_fields(known, [field.with_type(as_told(field.type)) for field in batch.schema])
    except (pyarrow.ArrowException, Differs):
        pass
    for line, row in objects_in(block):
        try:
            known = merged_fields(known, [pyarrow.field(name, type_of(value, name)) for name, value in row.items()])
        except Beyond as beyond:
            raise _refused_number(block.path, line, beyond) from None
        except Differs as differs:
            raise Error(f"column '{differs.column}' of '{block.path}' is of type {shortened(differs.other)} in line "
                        f"{line}, and of type {shortened(differs.one)} in front of it: {_ONE_KIND}") from None
    return known
