"""sort_table(): rows of tables in any library that speaks Arrow's C data interface."""

from __future__ import annotations

import functools
import sys
import time
import weakref
from collections.abc import Iterable
from typing import Any, cast

from .. import ArgumentError, ArgumentTypeError, Error
from .._assumed import Assumed
from .._logging import heard_warnings, log_end
from .._native import TableRecords, TableSort
from .._needed_modules import import_pyarrow
from .._report import Listening, warn_caller
from .._table_options import SORT_TABLE, take_options
from ..columns.keys import TableKey, is_dotted, keep_of, keys_unless_shuffled, without_dot
from .lazy_frames import as_stream
from .sorted_table import SortedTable


def with_labels(thing: Any) -> Any:
    """A table whose index is a column, of a DataFrame; a table of pyarrow without an index that is only told as a
    range: its rows do not keep that when they are sorted. Anything else comes back as it is."""
    pandas, pyarrow = sys.modules.get("pandas"), sys.modules.get("pyarrow")
    if pandas is not None and isinstance(thing, getattr(pandas, "DataFrame", ())):
        pyarrow = import_pyarrow("a DataFrame of pandas")
        return pyarrow.Table.from_pandas(thing, preserve_index=True)
    if pyarrow is not None and isinstance(thing, (pyarrow.Table, pyarrow.RecordBatch)):
        from ..columns.pandas_metadata import without_range

        given = thing.schema
        schema = without_range(given)
        return thing if schema is given else thing.replace_schema_metadata(schema.metadata)
    return thing


def table_records(schema: Any, keys: Iterable[TableKey], threads: int) -> Any:
    """What makes records of rows, and rows of records. keys: as table_keys() gives them."""
    return TableRecords(schema.__arrow_c_schema__(), list(keys), threads)


class RowSorter:
    """Takes tables and gives back batches: what Sorter(by=...) and sort_table() share. Ends its bar."""

    def __init__(self, function: str, keys: list[TableKey], batch_rows: int | None, options: dict[str, Any],
                 logs_end: bool = True) -> None:
        """options: without those of the keys. logs_end: whether the end of the sort is logged here, where nobody may
        ask for the report."""
        listening = Listening(options)
        end_bar: Any = listening.end_bar

        begin = time.perf_counter()
        # The native sort holds end(), and must not hold itself by it.
        own = weakref.ref(self)

        def end(is_complete: bool) -> None:
            end_bar(is_complete=is_complete)
            if is_complete and logs_end:
                rows = own()  # a stream may be read longer
                log_end(function, None if rows is None else rows.native.sorted_rows, time.perf_counter() - begin)
        self.end_bar: Any = end
        others = batch_rows, function, listening.on_progress, listening.on_warning, self.end_bar
        self.native = TableSort(options, keys, *others)
        self._reader = self.native.new_reader()
        self._expected_bytes = 0
        # Whether a dot in front belongs to a name is known by the first table.
        self._dotted = (options, keys, others) if any(is_dotted(key[0]) for key in keys) else None
        # What drops rows, and how many are left at most. Of rows that are not dropped all come out.
        self._drops_rows = any(options.get(name) for name in ("unique", "repeated", "only_once", "sample"))
        self._most_rows = options.get("top")

    def expect_bytes(self, count: int) -> None:
        """About how many all rows have; 0 if unknown. Call before rows are pushed."""
        self._expected_bytes = count
        self.native.expect_bytes(count)

    def push(self, rows: Any) -> None:
        if not self._push_table(rows, "rows"):
            raise ArgumentTypeError(not_a_table("rows", rows))

    def push_all(self, data: Any) -> None:
        """Takes a table, or all that an iterable gives."""
        if self._push_table(data, "data"):
            return
        refuse_no_iterable("data", data)
        for number, item in enumerate(data):
            name = f"item {number} of data"
            if not self._push_table(item, name):
                raise ArgumentTypeError(not_a_table(name, item))

    def _push_table(self, thing: Any, name: str) -> bool:
        """False if it is none. name: what messages call it."""
        thing = with_labels(as_stream(thing))
        if self._dotted is not None:
            thing = self._without_dots(thing, *self._dotted)
        if _is_reader_of_pyarrow(thing):
            self._push_reader(thing, name)
        elif hasattr(thing, "__arrow_c_stream__"):
            self.native.push_stream(thing.__arrow_c_stream__(), name)
        elif hasattr(thing, "__arrow_c_array__"):
            self.native.push_array(*thing.__arrow_c_array__(), name)
        else:
            return False
        return True

    def _without_dots(self, thing: Any, options: dict[str, Any], keys: list[TableKey], others: tuple[Any, ...]) -> Any:
        """Begins again with the keys that are meant by the columns of the first table, which comes back. Where pyarrow
        is not installed nobody names columns by its words."""
        try:
            import pyarrow
        except ImportError:
            return thing
        if hasattr(thing, "__arrow_c_stream__"):
            thing = thing if _is_reader_of_pyarrow(thing) else pyarrow.RecordBatchReader.from_stream(thing)
        elif hasattr(thing, "__arrow_c_array__"):
            thing = pyarrow.record_batch(thing)
        else:
            return thing
        self._dotted = None
        self.native = TableSort(options, [(without_dot(key, thing.schema.names), *how) for key, *how in keys], *others)
        self.native.expect_bytes(self._expected_bytes)
        self._reader = self.native.new_reader()
        return thing

    def _push_reader(self, reader: Any, name: str) -> None:
        """Batch by batch: through a stream of the interface only the text of what its source raises would come."""
        from ..columns.pandas_metadata import without_range

        self.push_schema(without_range(reader.schema), name)
        while (batch := next_batch(reader)) is not None:
            self.native.push_array(*batch.__arrow_c_array__(), name)
            del batch

    def push_schema(self, schema: Any, name: str = "rows") -> None:
        """No rows: the columns alone, of any type."""
        import pyarrow

        empty = pyarrow.RecordBatchReader.from_batches(schema, [])
        self.native.push_stream(empty.__arrow_c_stream__(), name)

    def finish(self) -> None:
        """Ends the input, and sorts it."""
        self.native.finish()

    def pull(self) -> Any:
        """The next batch, or None."""
        return self.native.pull(self._reader)

    def report(self) -> Any:
        return self.native.report()

    def row_count(self) -> int | None:
        """Rows of the sorted table, after all rows have been pushed; None if that is not known yet."""
        if self.native.sorted_rows is not None or self._drops_rows:
            return cast("int | None", self.native.sorted_rows)
        pushed = cast(int, self.native.pushed_rows)
        return pushed if self._most_rows is None else min(pushed, self._most_rows)

    def column_count(self) -> int:
        return cast(int, self.native.column_count)

    def close(self) -> None:
        self.end_bar(is_complete=False)
        self.native.close()
        self._dotted = None


def sort_table(data: Any, by: Any, options: dict[str, Any]) -> SortedTable:
    told = take_options(options, SORT_TABLE)
    stats_path, is_strict, warn = options.get("stats_json"), options.get("strict"), options.get("warn")
    rows = begun_sort("sort_table", keys_unless_shuffled(by, told.shuffle, options), told, options)
    assumed: Assumed | None = None
    try:
        if told.schema == "union":
            data, assumed = _union_of(data)
            if is_strict:
                assumed.refuse()
            for message in assumed.messages():
                heard_warnings(warn or warn_caller)(message)
        rows.push_all(data)
        if not rows.native.has_schema:
            raise ArgumentError("data gave no batch, so its columns are not known: pass a table, or a reader, which "
                                "has a schema")
        rows.finish()
    except BaseException:
        rows.close()
        raise
    retold = None if assumed is None else functools.partial(assumed.tell, warn=lambda message: None,
                                                            stats_path=stats_path)
    return SortedTable(rows, retold)


def _union_of(data: Any) -> tuple[Any, Assumed]:
    """The rows as one table, and what had to be assumed of the tables."""
    import_pyarrow('schema="union"')
    from . import union_tables

    return union_tables.union_of(data)


def begun_sort(function: str, keys: list[TableKey], told: Any, options: dict[str, Any], logs_end: bool = True) -> Any:
    """A RowSorter, or what has its functions, for rows on a curve or in a shuffle and for those that are left by a
    value. told: as take_options() gives them. options: of the sort."""
    if told.shuffle is not None:
        import_pyarrow("shuffle")
        from . import word_sorter

        return word_sorter.ShuffleSorter(function, told, options, logs_end)
    if told.curve is not None:
        import_pyarrow("curve")
        from . import curve_sorter

        return curve_sorter.CurveSorter(function, keys, told, options, logs_end)
    keep = keep_of(told.keep, options)
    if keep is not None and keep.column is not None:
        import_pyarrow("keep")
        from . import kept_sorter

        return kept_sorter.KeptSorter(function, keys, keep, told.batch_rows, options, logs_end)
    if keep is not None:
        options = {**options, "keep_last": keep.which == "last"}
    return RowSorter(function, keys, told.batch_rows, options, logs_end)


def _is_reader_of_pyarrow(thing: Any) -> bool:
    pyarrow = sys.modules.get("pyarrow")
    return pyarrow is not None and isinstance(thing, pyarrow.RecordBatchReader)


def next_batch(reader: Any) -> Any:
    """None at the end."""
    try:
        return reader.read_next_batch()
    except StopIteration:
        return None
    except Exception as error:
        text = (str(error).splitlines() or [""])[0]
        raise Error(f"the stream of rows failed: {type(error).__name__}{text and ': '}{text}") from error


def refuse_no_iterable(name: str, thing: Any) -> None:
    """Raises ArgumentTypeError if it is nothing that tables come from."""
    if isinstance(thing, (str, bytes, dict)) or hasattr(thing, "read") or not hasattr(thing, "__iter__"):
        raise ArgumentTypeError(not_a_table(name, thing, " or an iterable of such,"))


def is_table(thing: Any) -> bool:
    """Whether it may be one: a LazyFrame, or something of which the C data interface or pandas makes one."""
    pandas, polars = sys.modules.get("pandas"), sys.modules.get("polars")
    kinds = (getattr(pandas, "DataFrame", ()), getattr(polars, "LazyFrame", ()))
    return hasattr(thing, "__arrow_c_stream__") or hasattr(thing, "__arrow_c_array__") or isinstance(thing, kinds)


def not_a_table(name: str, thing: Any, alternative: str = "") -> str:
    ways = {"collect": ": collect() it first", "to_reader": ": pass its .to_reader()",
            "scanner": ": pass its .scanner().to_reader()"}
    way = next((told for name, told in ways.items() if hasattr(thing, name)), "")
    return (f"{name} must be a table of a library that speaks Arrow's C data interface, such as pyarrow, Polars, "
            f"pandas 3 or DuckDB,{alternative} not {type(thing).__name__}{way}")
