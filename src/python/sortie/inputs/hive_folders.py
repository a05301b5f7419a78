"""Folders whose names are values, such as year=2024/month=3: they are columns of the files in them, as Hive, Spark and
Arrow have it."""

from __future__ import annotations

import array
import itertools
import re
import urllib.parse
from collections.abc import Iterable, Mapping

import pyarrow
import pyarrow.compute

from .._errors import Error, listed, shortened

Partitions = tuple[tuple[str, str | None], ...]
"""The name of the column, and the text of the value; None for null."""

NULL = "__HIVE_DEFAULT_PARTITION__"
# Integers would leave something out of 007 and +7.
_INTEGER = re.compile("0|-?[1-9][0-9]{0,18}")
_NUMBER, _USUAL_NUMBER = re.compile("[-+]?[0-9]+"), re.compile("0|-?[1-9][0-9]*")


def partitions_in(folders: Iterable[str], path: str) -> Partitions:
    """folders: the names of those that a file is in. path: of the file, for messages."""
    told: dict[str, str | None] = {}
    for folder in folders:
        name, equals, value = folder.partition("=")
        if not equals or not name:
            continue
        name = _decoded(name, path)
        if name in told:
            raise Error(f"two folders of '{path}' tell of the column '{name}': let one name do so")
        told[name] = None if value == NULL else _decoded(value, path)
    return tuple(told.items())


def _decoded(text: str, path: str) -> str:
    try:
        return urllib.parse.unquote(text, errors="strict").encode().decode()
    except UnicodeError:
        raise Error(f"a folder of '{path}' is called {text!a}, which is not UTF-8: give it another name") from None


def refuse_other_partitions(first: str, known: Partitions, path: str, found: Partitions) -> None:
    """Raises Error for two files of one folder, by their paths, of which the folders tell of different columns."""
    names, others = dict(known), dict(found)
    if names.keys() != others.keys():
        raise Error(f"the folders of '{first}' tell of the columns: {listed(names)}; those of '{path}' of: "
                    f"{listed(others)}; let all files of one folder have the same, or name them one by one")


class PartitionColumns:
    """The columns that the folders of all files tell of. types: by name, those in which no value loses anything: int32,
    int64, else string."""

    def __init__(self, files: Iterable[Partitions]) -> None:
        texts: dict[str, dict[str | None, None]] = {}
        for name, text in itertools.chain.from_iterable(files):
            texts.setdefault(name, {})[text] = None
        self.types = {name: _type_of({text for text in found if text is not None}) for name, found in texts.items()}
        self._values = {name: {text: scalar_of(text).cast(self.types[name]) for text in found}
                        for name, found in texts.items()}

    def values(self, partitions: Partitions) -> dict[str, pyarrow.Scalar]:
        """By the names of the columns."""
        return {name: self._values[name][text] for name, text in partitions}


def scalar_of(text: str | bytes | None) -> pyarrow.Scalar:
    """pyarrow.scalar() would import pandas."""
    if text is None:
        return pyarrow.nulls(1, pyarrow.string())[0]
    octets = text.encode() if isinstance(text, str) else text
    offsets = array.array("i", (0, len(octets)))
    kind = pyarrow.string() if isinstance(text, str) else pyarrow.binary()
    return pyarrow.Array.from_buffers(kind, 1, [None, pyarrow.py_buffer(offsets), pyarrow.py_buffer(octets)])[0]


def _type_of(texts: set[str]) -> pyarrow.DataType:
    if not texts or not all(map(_INTEGER.fullmatch, texts)):
        return pyarrow.string()
    most = max(max(number, -1 - number) for number in map(int, texts))
    return next((kind for bits, kind in ((31, pyarrow.int32()), (63, pyarrow.int64())) if most < 1 << bits),
                pyarrow.string())


def numbers_that_stay_text(texts: Iterable[str | None]) -> list[str]:
    """Those by which a column is string whose texts are all numbers; none if it is an integer, or has other texts."""
    told = {text for text in texts if text is not None}
    if not pyarrow.types.is_string(_type_of(told)) or not all(map(_NUMBER.fullmatch, told)):
        return []
    return sorted(text for text in told if not _USUAL_NUMBER.fullmatch(text))


def refuse_other_values(batch: pyarrow.RecordBatch, texts: Mapping[int, str | None], path: str) -> None:
    """Raises Error for a file whose own column differs from what its folder tells of it. texts: by the number of such a
    column in the batch."""
    for number, text in texts.items():
        column, name = batch.column(number), batch.schema.names[number]
        if pyarrow.types.is_dictionary(column.type):
            column = column.dictionary_decode()
        what = f"column '{name}' of '{path}'"
        told = f"the name of the file's folder tells {'null' if text is None else repr(text)}"
        remedy = "leave the column out of the file, or give the folder another name"
        try:
            value = scalar_of(text).cast(column.type)
            differs = column.is_valid() if text is None else pyarrow.compute.not_equal(column, value).fill_null(True)
        except (pyarrow.ArrowException, ValueError):
            raise Error(f"{what} is of type {shortened(column.type)}, and {told}, which is no such value: "
                        f"{remedy}") from None
        row = pyarrow.compute.index(differs, True).as_py()
        if row >= 0:
            raise Error(f"{what} has the value {shortened(column[row])}, and {told}: {remedy}")
