"""CSV files, which are opened within little memory, with the types that pyarrow guesses from the first block of the
first file that has values there; its errors get the names of columns."""

from __future__ import annotations

import codecs
import collections
import contextlib
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, NamedTuple

import pyarrow
import pyarrow.compute
import pyarrow.csv

from .._errors import Error
from .._files import first_line, naming, open_unpacked
from ..columns.wider_types import MOST_DIGITS

# pyarrow reads 32 blocks ahead.
_BLOCK_BYTES = 1 << 20
_MOST_BLOCK_BYTES = 4 << 20  # no row may be longer
_REMEDIES = {
    "invalid value": "types are guessed from the first 4 MiB of the first file that has values there: make all values "
                     "of one kind",
    "invalid UTF8": "let the file be in UTF-8",
    "block size": "no row may be longer than 4 MiB",
}


def open_csv(path: str, columns: int, block_bytes: int, use_threads: bool, **options: Any) -> Any:
    """A reader of batches. columns: their number. options: those of pyarrow's ConvertOptions."""
    return _reader(open_unpacked(path), columns, block_bytes, use_threads, options)


def _first_rows(path: str) -> bytes:
    """More than a block, so that the first one does not end within a row."""
    with open_unpacked(path) as file:
        start: bytes = file.read(4 * _MOST_BLOCK_BYTES)
    return start


def open_first_rows(path: str, columns: int | None = None, start: bytes | None = None, **options: Any) -> Any:
    """A reader for the schema and the first batch, which is from a block of 4 MiB. start: of the file, if it is
    known."""
    start = _first_rows(path) if start is None else start
    if start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise _not_utf8(path, "it is in UTF-16", "UTF-16")
    return _reader(pyarrow.BufferReader(start), columns, _MOST_BLOCK_BYTES, False, options)


def _not_utf8(path: str, what: str, encoding: str) -> Error:
    return Error(f"cannot read '{path}': {what}, and CSV is read as UTF-8: convert the file first, as 'iconv -f "
                 f"{encoding} -t UTF-8' does")


def in_blocks(batches_of: Callable[[int], Iterator[pyarrow.RecordBatch]],
              types_are_guessed: bool) -> Iterator[pyarrow.RecordBatch]:
    """The batches of batches_of(block_bytes): of small blocks, until a row is longer than these. types_are_guessed:
    whether they depend on the first block."""
    done = 0
    if not types_are_guessed:
        try:
            for batch in batches_of(_BLOCK_BYTES):
                yield batch
                done += batch.num_rows
            return
        except pyarrow.ArrowInvalid as error:
            # One that a row does not fit into, or the header.
            if "block" not in first_line(error):
                raise
    for batch in batches_of(_MOST_BLOCK_BYTES):
        again = min(done, batch.num_rows)
        done -= again
        yield batch.slice(again)


@contextlib.contextmanager
def naming_columns(names: Sequence[str] = ()) -> Iterator[None]:
    """pyarrow numbers columns, and knows no remedies. names: those of all columns of the file, if they are known."""
    try:
        yield
    except pyarrow.ArrowInvalid as error:
        text = first_line(error)
        number = re.search(r"In CSV column #(\d+)", text)
        if number is not None and int(number[1]) < len(names):
            text = text.replace(number[0], f"column '{names[int(number[1])]}'")
        text += "".join(f" ({remedy})" for trouble, remedy in _REMEDIES.items() if trouble in text)
        raise pyarrow.ArrowInvalid(text) from None


def _reader(file: Any, columns: int | None, block_bytes: int, use_threads: bool, options: dict[str, Any]) -> Any:
    return pyarrow.csv.open_csv(
        file, read_options=pyarrow.csv.ReadOptions(block_size=block_bytes, use_threads=use_threads),
        # An empty line is the value of a single column.
        parse_options=pyarrow.csv.ParseOptions(newlines_in_values=True, ignore_empty_lines=columns != 1),
        convert_options=pyarrow.csv.ConvertOptions(**options))


class Guess(NamedTuple):
    """types: a schema; columns of type null have no values yet. is_of_all: whether all rows told them, and not the
    first ones alone."""

    types: pyarrow.Schema
    is_of_all: bool


def guess_types(path: str, known: pyarrow.Schema | None, names: Collection[str] | None) -> Guess:
    """known: a schema by the files before, or None. names: those of the columns whose types count, None for all."""
    with naming(path, "read"), naming_columns():
        start = _first_rows(path)
        with contextlib.closing(open_first_rows(path, start=start)) as source:
            guess = source.schema
        try:
            guess.names  # which decodes them
        except UnicodeDecodeError:
            raise _not_utf8(path, "the names of its columns are not UTF-8", "LATIN1") from None
    types = types_in_file(_widen_integers(path, guess, _guessed_floats(guess, known, names)), known)
    counted = set(types.names if names is None else names)
    by_name = {name: kind for name, kind in types_by_name(types).items() if name in counted}
    if any(by_name.get(field.name, field.type) != field.type for field in guess):
        # What other files tell may not go with what is here.
        with naming(path, "read"), naming_columns(types.names):
            open_first_rows(path, len(types), start, column_types=by_name).close()
    return Guess(types, len(start) <= _MOST_BLOCK_BYTES)


def types_in_file(own: pyarrow.Schema, known: pyarrow.Schema | None) -> pyarrow.Schema:
    """The known types of a file that by itself has its own ones. Files with other columns keep theirs."""
    if known is None:
        return own
    told = first_told(_of_file(known, own), own)
    by_name = types_by_name(told)
    return pyarrow.schema([field if field.name in by_name or _is_empty(guess) else guess
                           for field, guess in zip(told, own)])


def _of_file(known: pyarrow.Schema, own: pyarrow.Schema) -> pyarrow.Schema:
    """The known types as a schema of a file with other columns, or in another order; null for those that are not
    known."""
    if known.names == own.names:
        return known
    by_name, counts = types_by_name(known), collections.Counter(own.names)
    return pyarrow.schema([(name, by_name.get(name, pyarrow.null()) if counts[name] == 1 else pyarrow.null())
                           for name in own.names])


def first_told(types: pyarrow.Schema | None, others: pyarrow.Schema) -> pyarrow.Schema:
    """A schema of types, with the others where these are null, and with columns that others have beside them."""
    if types is None:
        return others
    if types.names == others.names:
        return pyarrow.schema([(field.name, other.type if _is_empty(field) else field.type)
                               for field, other in zip(types, others)])
    found, names = {field.name: field.type for field in others}, set(types.names)
    known = [(field.name, found.get(field.name, field.type) if _is_empty(field) else field.type) for field in types]
    return pyarrow.schema([*known, *(item for item in found.items() if item[0] not in names)])


def types_by_name(types: pyarrow.Schema) -> dict[str, pyarrow.DataType]:
    """As pyarrow takes them. Columns of one name and several types are left to its guess, and so are empty ones."""
    kinds: dict[str, set[pyarrow.DataType]] = {}
    for field in types:
        kinds.setdefault(field.name, set()).add(field.type)
    return {name: kind for name, (kind, *more) in kinds.items() if not more and not pyarrow.types.is_null(kind)}


def _is_empty(field: pyarrow.Field) -> bool:
    return bool(pyarrow.types.is_null(field.type))


def _guessed_floats(guess: pyarrow.Schema, known: pyarrow.Schema | None, names: Collection[str] | None) -> list[str]:
    """The names of columns that this file, as the first one, tells to be of floats."""
    is_first = [True] * len(guess) if known is None else map(_is_empty, _of_file(known, guess))
    counts = collections.Counter(guess.names)
    return [field.name for field, first in zip(guess, is_first)
            if first and pyarrow.types.is_floating(field.type) and counts[field.name] == 1
            and (names is None or field.name in names)]


def _widen_integers(path: str, types: pyarrow.Schema, names: list[str]) -> pyarrow.Schema:
    """pyarrow guesses that integers beyond 64 bits are floats, which would take many of them for the same."""
    if not names:
        return types
    as_text = dict.fromkeys(names, pyarrow.string())
    with (naming(path, "read"), naming_columns(types.names), contextlib.closing(
            open_first_rows(path, len(types), column_types=as_text, include_columns=names,
                            strings_can_be_null=True)) as source):
        rows = source.read_next_batch()
    for name in names:
        integer_type = _integer_type(rows.column(name), f"column '{name}' of '{path}'")
        if integer_type is not None:
            types = types.set(types.get_field_index(name), pyarrow.field(name, integer_type))
    return types


def _integer_type(texts: pyarrow.Array, what: str) -> pyarrow.DataType | None:
    """The type of integers that are no 64 bits with a sign; None for other numbers."""
    texts = pyarrow.compute.utf8_trim_whitespace(texts.drop_null())
    if not pyarrow.compute.all(pyarrow.compute.match_substring_regex(texts, "^-?[0-9]+$"), min_count=1).as_py():
        return None
    try:
        texts.cast(pyarrow.uint64())
        return pyarrow.uint64()
    except pyarrow.ArrowInvalid:
        pass
    if pyarrow.compute.max(pyarrow.compute.utf8_length(texts)).as_py() > MOST_DIGITS:
        raise Error(f"{what} has integers of more than {MOST_DIGITS} digits, which pyarrow cannot read: give a file "
                    "in which it is of another type, such as one of Parquet")
    return pyarrow.decimal128(MOST_DIGITS, 0)
