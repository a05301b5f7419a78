"""Fields of structs that are dictionaries and must not be null: where the struct is null they get a word, as pyarrow
would not write them otherwise, though nobody reads it there."""

from __future__ import annotations

import typing

import pyarrow
import pyarrow.compute
from pyarrow import types

from ..columns.schemas import default_rows


def with_required_words(column: typing.Any) -> typing.Any:
    """A chunked array."""
    if not _has_required_word(column.type):
        return column
    return pyarrow.chunked_array([_filled(chunk, None) for chunk in column.chunks], column.type)


def _has_required_word(kind: typing.Any) -> bool:
    if types.is_struct(kind):
        return any((types.is_dictionary(field.type) and not field.nullable) or _has_required_word(field.type)
                   for field in kind)
    return (types.is_list(kind) or types.is_large_list(kind)) and _has_required_word(kind.value_type)


def _filled(array: typing.Any, is_null_above: typing.Any) -> typing.Any:
    """is_null_above: of each row, whether a struct that it is in is null; None if there is none."""
    kind = array.type
    if not _has_required_word(kind):
        return array
    if not types.is_struct(kind):
        # Without values of rows in front and behind.
        array = pyarrow.concat_arrays([array, array.slice(0, 0)])
        return pyarrow.Array.from_buffers(kind, len(array), array.buffers()[:2], offset=array.offset,
                                          children=[_filled(array.values, None)])
    is_null = array.is_null() if is_null_above is None else pyarrow.compute.or_(array.is_null(), is_null_above)
    fields = []
    for number, field in enumerate(kind):
        child = array.field(number)
        is_required = types.is_dictionary(field.type) and not field.nullable
        fields.append(_with_words(child, is_null) if is_required else _filled(child, is_null))
    return pyarrow.StructArray.from_arrays(fields, fields=list(kind), mask=array.is_null())


def _with_words(words: typing.Any, is_null: typing.Any) -> typing.Any:
    kind = words.type
    dictionary = words.dictionary if len(words.dictionary) else default_rows(1, kind.value_type)
    first = pyarrow.scalar(0, kind.index_type)
    indexes = pyarrow.compute.if_else(is_null, first, words.indices)
    return pyarrow.DictionaryArray.from_arrays(indexes, dictionary, ordered=kind.ordered)
