"""Sorts of tables of any library by words behind their columns: what sort_table(curve=...) and sort_table(shuffle=...)
share, and the latter."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

import pyarrow

from .. import _logging
from .._arguments import check_options
from .._assumed import Assumed
from .._errors import ArgumentError, Error
from .._report import Report, warn_caller
from ..columns.row_words import RowWords, ShuffleWords
from .sort_table import RowSorter, with_labels
from .streamed_table import CLOSED
from .table_batches import batches_like, open_batches


class WordSorter:
    """Has the functions of a RowSorter. A subclass begins the sort when it knows what gives the words."""

    def __init__(self, function: str, told: Any, options: dict[str, Any], logs_end: bool) -> None:
        """told: as take_options() gives them."""
        self._is_strict, self._stats_path = options.get("strict"), options.get("stats_json")
        self._warn = _logging.heard_warnings(options.get("warn") or warn_caller)
        self._assumed = Assumed(1)
        self._schema: pyarrow.Schema | None = None
        self._words: RowWords | None = None
        self._row = 0
        # The names of the columns of words are not known yet.
        self._new_sort = functools.partial(RowSorter, function, batch_rows=told.batch_rows, options=options,
                                           logs_end=logs_end)
        self._rows: RowSorter | None = None

    def _know(self, schema: pyarrow.Schema) -> None:
        """Takes the columns, before any rows."""
        self._schema = schema

    def _hold(self, batch: pyarrow.RecordBatch) -> None:
        """Takes rows in front of _begin()."""
        raise NotImplementedError

    def _settle(self) -> None:
        """Begins the sort, unless it has begun, with all that is held."""

    @property
    def native(self) -> Any:
        return self if self._rows is None else self._rows.native

    @property
    def has_schema(self) -> bool:
        return self._schema is not None

    def end_bar(self, is_complete: bool) -> None:
        if self._rows is not None:
            self._rows.end_bar(is_complete=is_complete)

    def push(self, rows: Any) -> None:
        self._take(*open_batches(rows, "rows"), "rows")

    def push_all(self, data: Any) -> None:
        self._take(*open_batches(with_labels(data), "data"), "data")

    def finish(self) -> None:
        """Raises Error for a strict sort of which something is assumed."""
        self._settle()
        assert self._rows is not None
        self._tell()
        self._rows.finish()

    def pull(self) -> Any:
        self._refuse_if_closed()
        if not self.has_schema:
            return None
        if self._rows is None:
            self.finish()
        elif not self._is_told:
            self._tell()
        assert self._rows is not None
        return self._rows.pull()

    _is_told = _is_closed = False

    def _refuse_if_closed(self) -> None:
        if self._is_closed:
            raise ArgumentError(CLOSED)

    def _tell(self) -> None:
        self._is_told = True
        if self._is_strict:
            self._assumed.refuse()
        for assumption in self._assumed.told():
            self._warn(assumption["message"])

    def report(self) -> Any:
        self._refuse_if_closed()
        if self._rows is None:
            raise Error("a sort has no report yet: read its rows to the end")
        report: Report = self._rows.report()
        return self._assumed.tell(report, lambda message: None, self._stats_path)

    def row_count(self) -> int | None:
        return None if self._rows is None else self._rows.row_count()

    def column_count(self) -> int:
        return 0 if self._rows is None else self._rows.column_count()

    def close(self) -> None:
        self._is_closed = True
        if self._rows is not None:
            self._rows.close()

    def _take(self, schema: pyarrow.Schema, batches: Iterator[pyarrow.RecordBatch], name: str) -> None:
        self._refuse_if_closed()
        if self._schema is None:
            self._know(schema)
        for batch in batches_like(self._schema, schema, batches, name):
            if self._rows is None:
                self._hold(batch)
            else:
                self._push(batch)
            del batch

    def _begin(self, words: RowWords) -> None:
        assert self._schema is not None
        self._words = words
        self._rows = self._new_sort(keys=words.order)
        self._rows.native.hide_columns(len(words.names))
        self._rows.push_schema(words.behind(self._schema), "data")

    def _push(self, batch: pyarrow.RecordBatch) -> None:
        assert self._rows is not None and self._words is not None
        self._rows.push(self._words.put_behind(batch, self._row, self._assumed))
        self._row += batch.num_rows


class ShuffleSorter(WordSorter):
    """The words are known by the first columns."""

    def __init__(self, function: str, told: Any, options: dict[str, Any], logs_end: bool) -> None:
        check_options(options, for_tables=True)  # before rows are looked at
        super().__init__(function, told, options, logs_end)
        self._shuffle = told.shuffle

    def _know(self, schema: pyarrow.Schema) -> None:
        super()._know(schema)
        self._begin(ShuffleWords(schema, self._shuffle))
