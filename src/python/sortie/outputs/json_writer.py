"""JSON Lines from record batches: the texts of all values of a column at once, one in another."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pyarrow
import pyarrow.compute
from pyarrow import types

from .._errors import Error
from .._files import first_line
from ..columns.schemas import list_maker

# What stands otherwise between quotes.
_ESCAPED = r'[\x00-\x1f"\\]'
_TEXT = pyarrow.large_string()


class _Unheld(Exception):
    """A value that JSON has not."""


def json_lines(batch: Any) -> memoryview:
    """Each row as an object on a line of its own. Raises Error for a value that JSON has not."""
    names, columns = [], []
    for field, column in zip(batch.schema, batch.columns):
        try:
            columns.append(_texts(column))
        except (pyarrow.ArrowException, _Unheld) as error:
            raise Error(f"column '{field.name}' cannot be written as JSON Lines: {first_line(error)}; cast it, or let "
                        "the name of the output end in .parquet") from None
        names.append(field.name)
    lines = _joined(_object(names, columns, batch.num_rows), "\n")
    # All of them stand behind one another in memory.
    size = pyarrow.compute.sum(pyarrow.compute.binary_length(lines)).as_py()
    return memoryview(lines.buffers()[2])[:size] if size else memoryview(b"")


def _texts(column: Any) -> Any:
    """The text of each value, and "null" where there is none."""
    kind = column.type
    if isinstance(kind, pyarrow.BaseExtensionType):
        return _texts(column.storage)
    if types.is_null(kind):
        return _repeated("null", len(column))
    if types.is_dictionary(kind):
        return _texts(column.dictionary.take(column.indices))
    if types.is_run_end_encoded(kind):
        return _texts(pyarrow.compute.run_end_decode(column))
    found = _with_values(column)
    return pyarrow.compute.if_else(column.is_valid(), found, pyarrow.scalar("null", _TEXT))


def _with_values(column: Any) -> Any:
    kind = column.type
    if types.is_struct(kind):
        _refuse_repeated([field.name for field in kind])
        texts = [_texts(column.field(number)) for number in range(kind.num_fields)]
        return _object([field.name for field in kind], texts, len(column))
    if types.is_map(kind):
        return _maps(column)
    if list_maker(kind) is not None:
        return _list(column, _texts(column.flatten()), "[", "]")
    for is_kind, made in _MADE:
        if is_kind(kind):
            return made(column)
    # Texts, and times as pyarrow writes them.
    return _quoted(column.cast(pyarrow.string() if types.is_temporal(kind) else _TEXT).cast(_TEXT))


def _numbers(column: Any) -> Any:
    return column.cast(pyarrow.string()).cast(_TEXT)


def _floats(column: Any) -> Any:
    """With a point or an exponent, by which they are read as such again."""
    if not pyarrow.compute.all(pyarrow.compute.is_finite(column)).as_py():
        if pyarrow.compute.any(pyarrow.compute.invert(pyarrow.compute.is_finite(column))).as_py():
            raise _Unheld("JSON has no NaN and no infinity")
    texts = _numbers(column)
    is_whole = pyarrow.compute.match_substring_regex(texts, "^-?[0-9]+$")
    return pyarrow.compute.if_else(is_whole, _joined(texts, ".0"), texts)


def _quoted(texts: Any) -> Any:
    special = pyarrow.compute.match_substring_regex(texts, _ESCAPED)
    if pyarrow.compute.any(special).as_py():
        made = [json.dumps(text, ensure_ascii=False)[1:-1] for text in texts.filter(special).to_pylist()]
        texts = pyarrow.compute.replace_with_mask(texts, special.fill_null(False), pyarrow.array(made, _TEXT))
    return _joined('"', texts, '"')


def _object(names: list[str], texts: list[Any], rows: int) -> Any:
    """names: of the members of all objects."""
    parts: list[Any] = []
    for number, (name, text) in enumerate(zip(names, texts)):
        parts += [f"{',' if number else ''}{json.dumps(name, ensure_ascii=False)}:", text]
    return _joined("{", *parts, "}") if parts else _repeated("{}", rows)


def _maps(column: Any) -> Any:
    kind = column.type
    if not (types.is_string(kind.key_type) or types.is_large_string(kind.key_type)):
        raise _Unheld(f"names in JSON are texts, and keys of maps of type {kind.key_type}")
    # Without the entries in front of the first row and behind the last one.
    begin, end = column.offsets[0].as_py(), column.offsets[-1].as_py()
    keys = column.keys[begin:end]
    _refuse_repeated_keys(pyarrow.ListArray.from_arrays(pyarrow.compute.subtract(column.offsets, begin), keys))
    pairs = _joined(_texts(keys), ":", _texts(column.items[begin:end]))
    return _list(column, pairs, "{", "}")


def _refuse_repeated_keys(lists: Any) -> None:
    """lists: of the keys of each map."""
    keys = pyarrow.table({"map": lists.value_parent_indices(), "key": lists.flatten()})
    if keys.group_by(["map", "key"]).aggregate([]).num_rows < len(keys):
        for names in lists.to_pylist():
            _refuse_repeated(names)


def _refuse_repeated(names: list[str]) -> None:
    if len(set(names)) < len(names):
        raise _Unheld("an object of JSON has a name once, and "
                      f"'{next(name for name in names if names.count(name) > 1)}' is there twice")


def _list(column: Any, texts: Any, opening: str, closing: str) -> Any:
    """texts: of the items of all lists, of which a null has none."""
    counts = pyarrow.compute.list_value_length(column) if not types.is_map(column.type) else _map_lengths(column)
    ends = pyarrow.compute.cumulative_sum(counts.fill_null(0).cast(pyarrow.int64()))
    offsets = pyarrow.concat_arrays([pyarrow.array([0], pyarrow.int64()), ends])
    lists = pyarrow.LargeListArray.from_arrays(offsets, texts)
    return _joined(opening, pyarrow.compute.binary_join(lists, pyarrow.scalar(",", _TEXT)), closing)


def _map_lengths(column: Any) -> Any:
    return pyarrow.compute.subtract(column.offsets[1:], column.offsets[:-1])


def _joined(*parts: Any) -> Any:
    scalars = [pyarrow.scalar(part, _TEXT) if isinstance(part, str) else part for part in parts]
    return pyarrow.compute.binary_join_element_wise(*scalars, pyarrow.scalar("", _TEXT))


def _repeated(text: str, rows: int) -> Any:
    return pyarrow.repeat(pyarrow.scalar(text, _TEXT), rows)


_MADE: tuple[tuple[Callable[[Any], bool], Callable[[Any], Any]], ...] = (
    (types.is_boolean, _numbers), (types.is_integer, _numbers), (types.is_decimal, _numbers),
    (types.is_floating, _floats))
