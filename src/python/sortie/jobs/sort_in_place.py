"""sort_parquet_in_place(): each file is checked, and sorted if it is not in order, or tells another order than that of
its rows."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from .. import _logging
from .._assumed import Assumed
from .._errors import ArgumentError
from .._report import warn_caller
from .._sources import is_source
from .._table_options import IN_PLACE, take_options
from ..columns.keys import DIRECTIONS, PLACES, TableKey, table_keys
from ..columns.ordered_keys import KeyEncoder
from ..columns.schemas import TypedInput
from ..inputs.input_names import files_meant, tell_left_out
from ..outputs.output_request import OutputRequest
from ..parquet.parquet_input import ParquetInput
from .in_place_report import InPlaceReport
from .open_tables import open_with_keys
from .sort_parquet import sort_parquet
from .table_report import TableReport
from .told_order import tells_its_order


def sort_parquet_in_place(paths: Any, by: Any, options: dict[str, Any]) -> InPlaceReport:
    told = InPlaceReport()
    for path, report in sorted_in_place(paths, by, options):
        told.add(path, report)
    return told


def sorted_in_place(paths: Any, by: Any, options: dict[str, Any]) -> Iterator[tuple[str, TableReport | None]]:
    """Each path when it is done, with the report of its sort, None if it was left alone."""
    keys = table_keys(by, options)
    told = take_options(dict(options), IN_PLACE)
    names, left_out = files_meant(paths)
    # A file that is named twice, or by a link, is one.
    named = list({path if is_source(path) else os.path.realpath(path): path
                  for path in (name.path for name in reversed(names))}
                 .values())[::-1]
    _tell_left_out(left_out, options)
    for path in named:
        # What cannot be sorted is refused before the first file changes.
        if is_source(path) and not hasattr(path, "create"):
            raise ArgumentError(f"the open file '{path}' cannot be sorted in place: name a file")
        file, _ = open_with_keys(path, keys)
        OutputRequest(path, told).check(file, {})
    for path in named:
        file, order = open_with_keys(path, keys)
        file.assumed = Assumed(1)
        if first_disorder(file, order) is None and tells_its_order(file, order, first_disorder):
            if options.get("strict"):
                file.assumed.refuse()
            yield path, None
        else:
            yield path, sort_parquet(path, path, list(map(_words, keys)), dict(options))


def _tell_left_out(left_out: list[str], options: dict[str, Any]) -> None:
    assumed = Assumed(len(left_out))
    tell_left_out(left_out, assumed)
    if options.get("strict"):
        assumed.refuse()
    warn = _logging.heard_warnings(options.get("warn") or warn_caller)
    for assumption in assumed.told():
        warn(assumption["message"])


def first_disorder(file: TypedInput, keys: Sequence[TableKey]) -> int | None:
    """The first row, from 0, that belongs in front of the one before it; None if there is none. keys: columns of the
    file's sorted_schema. Reads no other columns of Parquet, and nothing behind such a row."""
    encoder: KeyEncoder | None = None
    before, rows = None, 0
    with contextlib.closing(_batches(file, keys)) as batches:
        for batch in batches:
            encoder = encoder or KeyEncoder(batch.schema, keys)
            encoded = encoder.encode(batch)
            row: int | None = encoded.first_descent(before)
            if row is not None:
                return rows + row
            before = encoded if batch.num_rows else before
            rows += batch.num_rows
    return None


def _batches(file: TypedInput, keys: Iterable[TableKey]) -> Any:
    if isinstance(file, ParquetInput):
        return file.batches_of_columns([str(name) for name, *_ in keys])
    return (batch for batch in file.batches(use_threads=False))


def _words(key: TableKey) -> tuple[Any, str, str]:
    """As `by` takes it."""
    column, falls, nulls_first = key
    return (column, next(word for word, known in DIRECTIONS.items() if known == falls),
            next(word for word, known in PLACES.items() if known == nulls_first))
