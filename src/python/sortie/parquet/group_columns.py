"""The columns of the row group that a ParquetWriter fills. Texts for which no dictionary pays are encoded while it is filled:
what they take in memory is used again at once, and little is left to be encoded when the row group is full.

    texts     | stretch | stretch | str..      each is encoded when it has some MiB, and the pages of all become one column chunk
    others    | ...................            wait for the end of the row group

Each stretch is made into pages by text_stretch.py, or by pyarrow as a file in memory."""

from __future__ import annotations

import collections
import concurrent.futures
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import pyarrow
from pyarrow import types

from .dictionaries import has_dictionary
from .dictionary_choice import dictionary_pays
from .text_stretch import TextStretch

Encoded = concurrent.futures.Future[TextStretch]

# A stretch of a column has so many bytes: one of few costs what it takes to begin a file.
_STRETCH_BYTES = 4 << 20
# A stretch has no more, unless rows are long.
MOST_STRETCH_BYTES = 2 * _STRETCH_BYTES
# Columns with less of that when another one has a stretch are not worth it.
_LEAST_SHARE = 4
# Stretches that wait, or are being encoded, for each thread.
_MOST_WAITING = 2

_TEXTS = (types.is_string, types.is_large_string, types.is_binary, types.is_large_binary)


def is_text(kind: Any) -> bool:
    return any(is_type(kind) for is_type in _TEXTS)


class TakenColumns(NamedTuple):
    """Those of a row group by their numbers. held: to be encoded. encoded: stretches of the others."""
    held: Mapping[int, pyarrow.ChunkedArray]
    encoded: Mapping[int, Sequence[Encoded]]


class GroupColumns:
    """texts: the numbers of columns that may be encoded in stretches, which are is_text(), and whether it is to be asked if a
    dictionary pays. encode: begins to encode a stretch of the column of a number, without a dictionary."""

    def __init__(self, schema: pyarrow.Schema, texts: Mapping[int, bool], threads: int,
                 encode: Callable[[int, pyarrow.Table], Encoded]) -> None:
        self._schema, self._encode = schema, encode
        # Where columns cannot be copied, what texts take would be held with them.
        self._texts = texts if all(map(_is_copied, schema.types)) else {}
        self._most_waiting_bytes = _MOST_WAITING * threads * _STRETCH_BYTES
        self._waiting: collections.deque[tuple[Encoded, int]] = collections.deque()
        self._waiting_bytes = 0
        self._dictionaries: dict[int, pyarrow.Array] = {}  # that were copied last
        self._begin()

    def _begin(self) -> None:
        self._pieces: list[list[pyarrow.Array]] = [[] for _ in self._schema]
        self._text_bytes = dict.fromkeys(self._texts, 0)  # of the pieces
        self._encoded: dict[int, list[Encoded]] = {}
        self._is_decided = not self._texts

    def add(self, batch: pyarrow.RecordBatch, expected_rows: int) -> None:
        """expected_rows: of the row group. Waits while stretches are being encoded."""
        for number, column in enumerate(batch.columns):
            is_freed = self._encoded and number not in self._encoded
            self._pieces[number].append(self._copied(number, column) if is_freed else column)
            if number in self._text_bytes:
                self._text_bytes[number] += column.nbytes
        del batch
        if not self._is_decided and max(self._text_bytes.values()) >= _STRETCH_BYTES:
            self._decide(expected_rows)
        for number in self._encoded:
            if self._text_bytes[number] >= _STRETCH_BYTES:
                self._end_stretch(number)

    def take(self) -> TakenColumns:
        """Ends the row group."""
        for number in self._encoded:
            if self._pieces[number]:
                self._end_stretch(number)
        held = {number: pyarrow.chunked_array(pieces, self._schema.field(number).type)
                for number, pieces in enumerate(self._pieces) if number not in self._encoded}
        taken = TakenColumns(held, self._encoded)
        self._begin()
        return taken

    def _decide(self, expected_rows: int) -> None:
        """Which columns are encoded in stretches. The same rows give the same answer."""
        self._is_decided = True
        for number, is_asked in self._texts.items():
            column = pyarrow.chunked_array(self._pieces[number])
            if self._text_bytes[number] * _LEAST_SHARE >= _STRETCH_BYTES and not (
                    is_asked and dictionary_pays(column, of_rows=expected_rows)):
                self._encoded[number] = []
        if self._encoded:
            self._pieces = [pieces if number in self._encoded else [self._copied(number, piece) for piece in pieces]
                            for number, pieces in enumerate(self._pieces)]

    def _copied(self, number: int, column: pyarrow.Array) -> pyarrow.Array:
        """What others made holds all columns of a batch until the last one is gone."""
        if not types.is_dictionary(column.type):
            return pyarrow.concat_arrays([column])
        known = self._dictionaries.get(number)
        if known is None or not known.equals(column.dictionary):
            known = self._dictionaries[number] = pyarrow.concat_arrays([column.dictionary])
        indexes = pyarrow.concat_arrays([column.indices])
        return pyarrow.DictionaryArray.from_arrays(indexes, known, ordered=column.type.ordered, safe=False)

    def _end_stretch(self, number: int) -> None:
        column, size = pyarrow.chunked_array(self._pieces[number]), self._text_bytes[number]
        self._pieces[number], self._text_bytes[number] = [], 0
        encoded = self._encode(number, pyarrow.Table.from_arrays([column], schema=pyarrow.schema([self._schema.field(number)])))
        self._encoded[number].append(encoded)
        del column
        self._waiting.append((encoded, size))
        self._waiting_bytes += size
        while self._waiting_bytes > self._most_waiting_bytes:
            encoded, size = self._waiting.popleft()
            encoded.result()
            self._waiting_bytes -= size


def _is_copied(kind: pyarrow.DataType) -> bool:
    """Whether pyarrow copies arrays of the type, with their dictionaries."""
    if types.is_dictionary(kind):
        return not has_dictionary(kind.value_type)
    return not (has_dictionary(kind) or types.is_run_end_encoded(kind) or isinstance(kind, pyarrow.BaseExtensionType)) and (
        not types.is_nested(kind) or all(_is_copied(kind.field(number).type) for number in range(kind.num_fields)))
