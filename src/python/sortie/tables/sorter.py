"""Sorter: records or rows that a program makes, pushed and pulled."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Self, cast

from .. import ArgumentError
from .._arguments import RECORDS, TABLES, types_of
from .._logging import INFO, is_heard, log_report
from .._native import PushPull
from .._report import Listening, Report
from .._table_parameters import takes_table_options
from .._table_options import SORTER, options_of, take_options
from ..columns.keys import keys_unless_shuffled, refuse_lonely_words
from .sort_table import begun_sort, is_table

_OF_RECORDS_ALONE = types_of(RECORDS).keys() - types_of(TABLES).keys()


def _refuse_words_of_records(options: dict[str, Any]) -> None:
    for name in options:
        if name in _OF_RECORDS_ALONE:
            raise ArgumentError(f"{name}= is for records and does not go with by=, which is for rows: leave one of the "
                                "two out")


def _is_shuffle_of_any(options: dict[str, Any]) -> bool:
    """Whether it may be one of rows as well as one of records."""
    return bool(options.get("shuffle")) and not (options.keys() - {"shuffle"}) & _OF_RECORDS_ALONE


class Sorter:
    """Sorts records or rows that a program makes.

        with sortie.Sorter(format="fixed:16", fields="u64@0", memory="1GB") as sorter:
            for chunk in chunks():
                sorter.push(chunk)
            for part in sorter:
                use(part)

        with sortie.Sorter(by=["user", ("ts", "descending")], memory="1GB") as sorter:
            for batch in batches():
                sorter.push(batch)
            for batch in sorter:
                use(batch)

    by, descending, nulls, keep, curve, curve_by, batch_rows: for rows, as sort_table() takes them, and the other
    arguments are then those of sort_table(). Of rows on a curve the first 131072, or 64 MiB, or `memory` if that is
    less, are held: they tell where cells begin. For records the arguments are those of sort_files() that have nothing
    to do with files. shuffle, without `by`: for rows if a table is pushed first, and for records otherwise. Calls must
    not overlap. Leaving the `with` block ends a sort that is not done."""

    @takes_table_options("self, *, by=None", SORTER, RECORDS | TABLES)
    def __init__(self, by: Any, options: dict[str, Any]):
        self._native: Any
        self._is_logged = False
        # Those of a shuffle, until what is pushed first tells whether it is one of rows.
        self._options_of_rows = dict(options) if by is None and _is_shuffle_of_any(options) else None
        of_rows = [option.name for option in options_of(SORTER)
                   if option.name != "shuffle" and options.get(option.name) is not None]
        if by is not None or (of_rows and self._options_of_rows is not None):
            self._begin_rows(by, options)
            return
        if of_rows:
            raise ArgumentError(f"{of_rows[0]} is for rows: give by, too")
        refuse_lonely_words(options)
        listening = Listening(options)
        self._end_bar = listening.end_bar
        self._native = PushPull(options, listening.on_progress, listening.on_warning)

    def _begin_rows(self, by: Any, options: dict[str, Any]) -> None:
        self._options_of_rows = None
        told = take_options(options, SORTER)
        keys = keys_unless_shuffled(by, told.shuffle, options)
        _refuse_words_of_records(options)
        self._native = begun_sort("Sorter", keys, told, options, logs_end=False)
        self._end_bar = self._native.end_bar

    def push(self, records: _Buffer | _Table) -> None:  # type: ignore[name-defined]  # of the stubs
        """Takes the next bytes of the records (bytes or anything with a contiguous buffer), which may be cut anywhere;
        of rows, the next batch or table, with the columns of the first. Waits while the sort has no memory for them.
        Raises Error after pull()."""
        options, self._options_of_rows = self._options_of_rows, None
        if options is not None and is_table(records):
            self._native.close()
            self._begin_rows(None, options)
        self._native.push(records)

    def pull(self) -> Any:
        """The next sorted records as bytes: whole ones, some MB at a time; b"" at the end. Of rows, the next
        SortedBatch; None at the end. The first call ends the input and waits until it is sorted."""
        self._options_of_rows = None
        part = self._native.pull()
        if not part:
            self._end_bar(is_complete=True)
            if not self._is_logged and is_heard(INFO):
                self._is_logged = True
                log_report("Sorter", self.report)
        return part

    def __iter__(self) -> Iterator[Any]:
        """The sorted records or batches, part by part, as pull() gives them."""
        while part := self.pull():
            yield part

    @property
    def report(self) -> Report:
        """The Report, once pull() has come to the end."""
        return cast(Report, self._native.report())

    def close(self) -> None:
        """Ends the sort if it is not done, and frees its memory and scratch space."""
        self._end_bar(is_complete=False)
        self._native.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()
