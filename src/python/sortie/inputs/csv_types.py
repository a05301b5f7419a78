"""Types of columns of CSV and JSON Lines where those of several files may differ: a text of CSV may be read as another
type, and a number of both as a larger one."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from typing import Any

import pyarrow
from pyarrow import types

from ..columns.schemas import TypedInput
from ..columns.wider_types import MOST_DIGITS, wider_type
from .csv_input import CsvInput
from .json_input import JsonInput
from .json_types import Differs, merged

_OF_TEXTS = (CsvInput, JsonInput)


def common_types(files: Iterable[TypedInput]) -> pyarrow.Schema | None:
    """One type for each column of files of texts, in which none loses anything but digits that a double does not have.
    Columns of other files have a say, as far as texts can be of their types. None without files of texts."""
    found: dict[str, Any] = {}
    last: pyarrow.Schema = None
    # Those of other files can be what a text is read as, and not the other way round.
    for file in sorted(files, key=lambda file: isinstance(file, _OF_TEXTS), reverse=True):
        if last is not None and file.types.equals(last):
            continue
        last = file.types
        is_of_texts = isinstance(file, _OF_TEXTS)
        if not is_of_texts and not found:
            return None
        for field in last:
            if is_of_texts:
                found[field.name] = _type_of_both(found[field.name], field.type) if field.name in found else field.type
            elif field.name in found and _is_read_from_text(field.type):
                found[field.name] = _type_of_both(found[field.name], field.type)
    return pyarrow.schema(list(found.items())) if found else None


def _type_of_both(one: Any, other: Any) -> Any:
    with contextlib.suppress(Differs):
        return merged(one, other, "")
    wider = wider_type(one, other)
    if wider is not None:
        return wider
    if types.is_integer(one) and types.is_integer(other):
        return pyarrow.decimal128(MOST_DIGITS, 0)
    if all(types.is_integer(kind) or types.is_floating(kind) for kind in (one, other)):
        return pyarrow.float64()
    return pyarrow.large_string() if pyarrow.large_string() in (one, other) else pyarrow.string()


def _is_read_from_text(kind: Any) -> bool:
    return not isinstance(kind, pyarrow.BaseExtensionType) and (
        types.is_primitive(kind) or types.is_decimal128(kind) or types.is_string(kind) or types.is_large_string(kind))
