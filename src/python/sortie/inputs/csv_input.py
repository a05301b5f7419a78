"""CSV as a table. Where a CSV file is made of it again, columns are carried as the texts that they are, and keys are
read once more with their types beside them, to be sorted by."""

from __future__ import annotations

import contextlib
import decimal
import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import pyarrow
import pyarrow.compute
from pyarrow import types

from .._errors import Error
from .._files import naming
from ..columns.schemas import TypedInput
from .csv_reading import in_blocks, naming_columns, open_csv, types_by_name, types_in_file
from .hive_folders import scalar_of

if TYPE_CHECKING:
    from .._assumed import Assumed

# Different numbers of so few characters have different doubles, if their exponents are small.
_EXACT_LENGTH = 15
_LONG_EXPONENT = "[eE][+-]?[0-9]{3,}"
_LEADING_ZEROS = "^[ \t]*[+-]?0+[0-9]"
_BELOW_ALL, _BELOW, _NOTHING, _ABOVE, _ABOVE_ALL = (bytes([i]) for i in range(5))
_EXPONENT_BYTES, _LEAST_EXPONENT = 8, -(1 << 63)
_CONTEXT = decimal.Context(prec=decimal.MAX_PREC, Emin=decimal.MIN_EMIN, Emax=decimal.MAX_EMAX)
_NOT_NUMBERS = ("nan", "inf", "infinity")


def is_rounded(kind: pyarrow.DataType) -> bool:
    """Whether numbers in CSV are rounded to be values of a type."""
    return bool(types.is_floating(kind))


def is_guessed(kind: pyarrow.DataType) -> bool:
    """Whether values of a type, which pyarrow has guessed, are no longer the texts of the file."""
    return not (types.is_null(kind) or types.is_string(kind) or types.is_large_string(kind) or types.is_binary(kind))


def rests(texts: pyarrow.Array, doubles: pyarrow.Array) -> tuple[pyarrow.Array, list[int]]:
    """For each number of a column what its double leaves of it, as bytes; and the rows of those that were rounded to be
    doubles, but for numbers that are written with more digits than theirs have."""
    simple = pyarrow.compute.and_(
        pyarrow.compute.less_equal(pyarrow.compute.utf8_length(texts), _EXACT_LENGTH),
        pyarrow.compute.invert(pyarrow.compute.match_substring_regex(texts, _LONG_EXPONENT)))
    simple = pyarrow.compute.or_(simple, pyarrow.compute.equal(doubles.cast(pyarrow.string()), texts))
    places = pyarrow.compute.indices_nonzero(pyarrow.compute.invert(simple.fill_null(True)))
    found = [_NOTHING] * len(texts)
    rounded: list[int] = []
    for place, text, double in zip(places.to_pylist(), texts.take(places).to_pylist(),
                                   doubles.take(places).to_pylist()):
        if double is not None:
            found[place], is_rounded_here = _rest(text.strip(), double)
            if is_rounded_here:
                rounded.append(place)
    return pyarrow.array(found, pyarrow.binary()), rounded


def _rest(text: str, double: float) -> tuple[bytes, bool]:
    """What is left, and whether the number was rounded."""
    if text.lstrip("+-").lower() in _NOT_NUMBERS:
        return (_NOTHING if math.isnan(double) else _ABOVE_ALL if double > 0 else _BELOW_ALL), False
    number = _CONTEXT.create_decimal(text)
    # Where the double is far from the number no digits are filled up.
    if math.isinf(double) or not double:
        return _ordered_bytes(number), bool(number)
    rest = _CONTEXT.subtract(number, decimal.Decimal(repr(double)))
    digits = decimal.Context(prec=len(number.as_tuple().digits))
    return _ordered_bytes(rest), bool(rest) and digits.create_decimal(double) != number


def is_rounded_text(text: str, double: float) -> bool:
    """Whether a number that is written so is rounded to be that one."""
    return _rest(text, double)[1]


def _ordered_bytes(number: decimal.Decimal) -> bytes:
    """Bytes of decimals in their order."""
    if not number:
        return _NOTHING
    sign, digits, _ = _CONTEXT.normalize(number).as_tuple()
    exponent = (number.adjusted() - _LEAST_EXPONENT).to_bytes(_EXPONENT_BYTES, "big")
    # Digits from 1, so that a number is behind its beginning: 0 ends it.
    magnitude = exponent + bytes(digit + 1 for digit in digits) + b"\0"
    return _BELOW + bytes(0xff - byte for byte in magnitude) if sign else _ABOVE + magnitude


def tell_assumed(assumed: Assumed, name: str, texts: pyarrow.Array, values: pyarrow.Array, rounded: list[int],
                 place_of: Callable[[int], str]) -> None:
    """texts: as they stand in the file, with null where a field is empty. rounded: the rows of numbers that come out
    as others. place_of(row): says where a row is."""
    assumed.looked_at(name, len(texts))
    rows = {"rounded-number": rounded}
    if values.null_count > texts.null_count:
        words = pyarrow.compute.and_(values.is_null(), pyarrow.compute.not_equal(texts, ""))
        rows["null-word"] = _true_rows(words)
    if types.is_integer(values.type) or types.is_floating(values.type) or types.is_decimal(values.type):
        rows["leading-zeros"] = _true_rows(pyarrow.compute.match_substring_regex(texts, _LEADING_ZEROS))
    for kind, found in rows.items():
        if len(found):
            assumed.add(kind, name, len(found), place_of(found[0]), texts[found[0]].as_py())


def _true_rows(mask: pyarrow.Array) -> list[int]:
    rows: list[int] = pyarrow.compute.indices_nonzero(mask.fill_null(False)).to_pylist()
    return rows


class CsvInput(TypedInput):
    """types: those of its columns, as a schema."""

    types: pyarrow.Schema = None

    def __init__(self, path: str, types: pyarrow.Schema, keys: Iterable[str], carries_texts: bool,
                 is_sampled: bool = False) -> None:
        """keys: the names of those that are compared as exactly as the texts tell. carries_texts: whether columns are
        carried as texts. is_sampled: whether the first rows alone told the types."""
        self.path = path
        self._is_sampled = is_sampled
        self.types = self.schema = types
        # Other files may have the others.
        self._keys = [key for key in dict.fromkeys(keys) if types.names.count(key) == 1]
        self._taken_names: Sequence[str] = types.names
        self._carries_texts = carries_texts
        self._rows_told = 0
        if carries_texts:
            self.schema = pyarrow.schema([(name, pyarrow.string()) for name in types.names])

    @property
    def sorted_schema(self) -> pyarrow.Schema:
        """The schema with what keys are sorted by behind it."""
        return pyarrow.schema([*self.schema, *self._hidden_fields()], self.schema.metadata)

    def sorted_by(self, key: str) -> list[str]:
        """The names of the columns in sorted_schema that order as a key does."""
        hidden = [name for name in self._hidden_names(key) if name is not None] if key in self._keys else []
        return hidden if self._carries_texts else [key, *hidden]

    def with_types(self, known: pyarrow.Schema | None) -> CsvInput:
        """This input when all files are known."""
        return CsvInput(self.path, types_in_file(self.types, known), self._keys, self._carries_texts, self._is_sampled)

    def tell_sampled(self) -> None:
        taken = self._keys if self._carries_texts else self.types.names
        if self._is_sampled and any(is_guessed(field.type) for field in self.types if field.name in taken):
            self.assumed.add("csv-sample", None, 1, f"'{self.path}'")

    def set_names(self, names: Sequence[str]) -> None:
        self._taken_names = names

    def hidden_values(self) -> dict[str, pyarrow.Scalar]:
        hidden = [self._hidden_names(key) for key in self._keys]
        return {**{typed: scalar_of(None) for typed, _ in hidden if typed is not None},
                **{exact: scalar_of(_NOTHING) for _, exact in hidden if exact is not None}}

    def batches(self, use_threads: bool) -> Iterator[pyarrow.RecordBatch]:
        """The record batches, in the order of the rows."""
        names = self.types.names
        read = self._texts_and_keys if self._carries_texts else self._typed
        may_guess = not self._carries_texts and len(set(names)) < len(names)
        self._rows_told = 0
        with naming(self.path, "read"), naming_columns(names):
            yield from in_blocks(lambda block_bytes: read(block_bytes, use_threads), may_guess)

    def _typed(self, *how: *tuple[int, bool]) -> Iterator[pyarrow.RecordBatch]:
        watched = [name for name, kind in types_by_name(self.types).items() if is_guessed(kind)]
        if (repeated := next((name for name in watched if self.types.names.count(name) > 1), None)) is not None:
            raise Error(f"'{self.path}' has several columns '{repeated}', whose types are guessed: give each a name of "
                        "its own, or write CSV, which needs no types")
        with (self._open(*how, column_types=types_by_name(self.types)) as source,
              self._open_texts(*how, watched) as texts):
            at = 0
            for batch, text in zip(source, texts, strict=bool(watched)):
                # Where a type is left to pyarrow's guess, an empty column has none.
                batch = batch if batch.schema.equals(self.types) else batch.cast(self.types)
                yield self._with_rests(batch, text, batch, watched, at)
                at += batch.num_rows

    def _texts_and_keys(self, *how: *tuple[int, bool]) -> Iterator[pyarrow.RecordBatch]:
        text_types = dict.fromkeys(self.types.names, pyarrow.string())
        keys = self._keys
        with (self._open(*how, column_types=text_types, null_values=[""], strings_can_be_null=True,
                         quoted_strings_can_be_null=False) as texts,
              self._open(*how, column_types=types_by_name(self.types), include_columns=keys) as values):
            # pyarrow cuts both into the same blocks: these follow from bytes, not from types.
            at = 0
            for text, value in zip(texts, values, strict=True):
                yield self._with_rests(text, text, value, keys, at)
                at += text.num_rows

    @contextlib.contextmanager
    def _open_texts(self, block_bytes: int, use_threads: bool,
                    names: list[str]) -> Iterator[Iterable[pyarrow.RecordBatch | None]]:
        """The texts of some columns, batch by batch; without end if there are none."""
        if not names:
            yield itertools.repeat(None)
            return
        with self._open(block_bytes, use_threads, column_types=dict.fromkeys(names, pyarrow.string()),
                        include_columns=names, null_values=[""], strings_can_be_null=True) as texts:
            yield texts

    def _with_rests(self, carried: pyarrow.RecordBatch, texts: pyarrow.RecordBatch, values: pyarrow.RecordBatch,
                    watched: list[str], at: int) -> pyarrow.RecordBatch:
        """A batch of the sorted_schema. carried: the batch that comes out. watched: names of columns that are in
        `texts` and `values`. at: the number of the first row."""
        columns = carried.columns
        for name in watched:
            text, value = texts.column(name), values.column(name)
            rest, rounded = rests(text, value) if is_rounded(value.type) else (None, [])
            # A text that is carried comes out as it was.
            self._tell(name, text, value, [] if self._carries_texts else rounded, at)
            if name in self._keys:
                typed, exact = self._hidden_names(name)
                columns += [value] if typed else []
                columns += [rest] if exact else []
        self._rows_told = max(self._rows_told, at + carried.num_rows)
        return pyarrow.record_batch(columns, schema=self.sorted_schema)

    def _tell(self, name: str, texts: pyarrow.Array, values: pyarrow.Array, rounded: list[int], at: int) -> None:
        """Rows that did not fit into blocks are read once more, and told once."""
        begin = max(0, self._rows_told - at)
        if begin >= len(texts) or self.assumed is None or not is_guessed(values.type):
            return
        # The header is a record, too.
        tell_assumed(self.assumed, name, texts[begin:], values[begin:],
                     [row - begin for row in rounded if row >= begin],
                     lambda row: f"{self.path}: record {at + begin + row + 2}")

    def _open(self, block_bytes: int, use_threads: bool, **options: Any) -> contextlib.closing[Any]:
        return contextlib.closing(open_csv(self.path, len(self.types), block_bytes, use_threads, **options))

    def _hidden_fields(self) -> Iterator[pyarrow.Field]:
        # As _with_rests() comes to the keys.
        for key in self._keys if self._carries_texts else filter(self._keys.__contains__, types_by_name(self.types)):
            typed, exact = self._hidden_names(key)
            if typed:
                yield pyarrow.field(typed, self.types.field(key).type)
            if exact:
                yield pyarrow.field(exact, pyarrow.binary())

    def _hidden_names(self, key: str) -> tuple[str | None, str | None]:
        """The names of the column with the values of a key, and of the column with what these leave of its numbers;
        None for what is not needed."""
        is_exact = is_rounded(self.types.field(key).type)
        return (self._free_name(key + " as a key") if self._carries_texts else None,
                self._free_name(key + " exactly") if is_exact else None)

    def _free_name(self, name: str) -> str:
        while name in self._taken_names:
            name += "'"
        return name
