"""sort_table(curve=...): tables of any library in the order of a curve."""

from __future__ import annotations

import itertools
import sys
from typing import Any

from .._arguments import count_of
from ..columns.keys import table_keys
from ..curves.curve_bounds import BoundsFinder
from ..curves.curves import Curve, coordinates_of, curve_choice
from .sort_table import RowSorter, with_labels
from .sorted_table import SortedTable
from .table_batches import open_batches

# What of a stream is held to tell where cells begin and end: rows, and bytes of their batches.
_FIRST_ROWS, _FIRST_BYTES = 1 << 17, 64 << 20


def sort_on_curve(data: Any, by: Any, batch_rows: Any, given_curve: Any, curve_by: Any, options: dict[str, Any]) -> SortedTable:
    keys = table_keys(by, options)
    choice = curve_choice(given_curve, curve_by, options)
    assert choice is not None, "sort_table() asks for it"
    data = with_labels(data)
    schema, batches = open_batches(data, "data")
    coordinates = coordinates_of(schema, keys, "the table")
    finder = BoundsFinder(choice.way, coordinates, schema)
    if _is_read_again(data):
        finder.add_rows(open_batches(data, "data")[1])
    else:
        first, rows, size = [], 0, 0
        for batch in batches:
            first.append(batch)
            rows, size = rows + batch.num_rows, size + batch.nbytes
            if rows >= _FIRST_ROWS or size >= _FIRST_BYTES:
                break
        finder.add_rows(first)
        batches = itertools.chain(first, batches)
        del first
    threads = options.get("threads")
    curve = Curve(schema, coordinates, choice, finder.arrays(), _threads(threads))
    rows_to_sort = RowSorter("sort_table", curve.order, batch_rows, options)
    try:
        _push(rows_to_sort, schema, batches, curve)
    except BaseException:
        rows_to_sort.close()
        raise
    return SortedTable(rows_to_sort)


def _push(rows: RowSorter, schema: Any, batches: Any, curve: Curve) -> None:
    import pyarrow

    with_words = pyarrow.schema([*schema, *curve.fields()], schema.metadata)
    rows.native.hide_columns(len(curve.names))
    rows.push_schema(with_words, "data")
    for batch in batches:
        rows.push(pyarrow.record_batch([*batch.columns, *curve.words_of(batch)], schema=with_words))
        del batch
    rows.native.finish()


def _threads(given: Any) -> int:
    import os

    from .. import _native

    return len(os.sched_getaffinity(0)) if given is None else min(count_of(given, "threads"), _native.most_threads)


def _is_read_again(data: Any) -> bool:
    """Whether it is in memory, so that to read it twice gives the same rows."""
    held = (("pyarrow", "Table"), ("pyarrow", "RecordBatch"), ("polars", "DataFrame"))
    return any(module in sys.modules and isinstance(data, getattr(sys.modules[module], name)) for module, name in held)
