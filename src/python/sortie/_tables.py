"""Rows of tables in any library that speaks Arrow's C data interface, and what else a program makes: sort_table(), Sorter."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any, Self

from . import ArgumentError, ArgumentTypeError, Error, _native
from ._arguments import NULL_PLACEMENTS, RECORDS, TABLES, check_word, count_of, parse_keys, takes_options
from ._report import Listening

_KEY = b"pandas"


def with_labels(thing):
    """A table whose index is a column, of a DataFrame; a table of pyarrow without an index that is only told as a range:
    its rows do not keep that when they are sorted. Anything else comes back as it is."""
    pandas, pyarrow = sys.modules.get("pandas"), sys.modules.get("pyarrow")
    if pandas is not None and isinstance(thing, getattr(pandas, "DataFrame", ())):
        import pyarrow
        return pyarrow.Table.from_pandas(thing, preserve_index=True)
    if pyarrow is not None and isinstance(thing, (pyarrow.Table, pyarrow.RecordBatch)):
        given = thing.schema
        schema = without_range(given)
        return thing if schema is given else thing.replace_schema_metadata(schema.metadata)
    return thing


def without_range(schema):
    """A schema of pyarrow whose metadata for pandas, if there is any, tells of columns alone."""
    metadata = schema.metadata
    if not metadata or _KEY not in metadata:
        return schema
    import json

    try:
        told = json.loads(metadata[_KEY])
        columns = [column for column in told["index_columns"] if isinstance(column, str)]
        if len(columns) == len(told["index_columns"]):
            return schema
    except (KeyError, TypeError, ValueError):
        return schema  # nothing for pandas
    told = json.dumps({**told, "index_columns": columns}).encode()
    return schema.with_metadata({**metadata, _KEY: told})


def table_keys(by, null_placement):
    """[(name, whether it falls, whether its nulls come first)]"""
    check_word(null_placement, NULL_PLACEMENTS, "null_placement")
    keys = parse_keys(by, "by", null_placement)
    if not keys:
        raise ArgumentError("by is empty: name a column at least")
    return [(name, falls, place == "at_start") for name, falls, place in keys]


def table_records(schema, keys, threads):
    """What makes records of rows, and rows of records. keys: as table_keys() gives them."""
    return _native.TableRecords(schema.__arrow_c_schema__(), keys, threads)


class RowSorter:
    """Takes tables and gives back batches: what Sorter(by=...) and sort_table() share. Ends its bar."""

    def __init__(self, function, keys, batch_rows, options):
        """keys: as table_keys() gives them."""
        rows = None if batch_rows is None else count_of(batch_rows, "batch_rows")
        listening = Listening(options)
        self._end_bar = listening.end_bar
        self.native = _native.TableSort(options, keys, rows, function, listening.on_progress, listening.on_warning,
                                        self._end_bar)
        self._reader = self.native.new_reader()

    def push(self, rows):
        if not self._push_table(rows):
            raise ArgumentTypeError(_not_a_table("rows", rows))

    def push_all(self, data):
        """Takes a table, or all that an iterable gives."""
        if self._push_table(data):
            return
        if isinstance(data, (str, bytes, dict)) or hasattr(data, "read") or not hasattr(data, "__iter__"):
            raise ArgumentTypeError(_not_a_table("data", data, " or an iterable of such,"))
        for number, item in enumerate(data):
            if not self._push_table(item):
                raise ArgumentTypeError(_not_a_table(f"item {number} of data", item))

    def _push_table(self, thing):
        """False if it is none."""
        thing = with_labels(thing)
        if _is_reader_of_pyarrow(thing):
            self._push_reader(thing)
        elif hasattr(thing, "__arrow_c_stream__"):
            self.native.push_stream(thing.__arrow_c_stream__())
        elif hasattr(thing, "__arrow_c_array__"):
            self.native.push_array(*thing.__arrow_c_array__())
        else:
            return False
        return True

    def _push_reader(self, reader):
        """Batch by batch: through a stream of the interface only the text of what its source raises would come."""
        import pyarrow

        empty = pyarrow.RecordBatchReader.from_batches(without_range(reader.schema), [])
        self.native.push_stream(empty.__arrow_c_stream__())
        while (batch := _next_batch(reader)) is not None:
            self.native.push_array(*batch.__arrow_c_array__())
            del batch

    def pull(self):
        """The next batch, or None."""
        return self.native.pull(self._reader)

    def report(self):
        return self.native.report()

    def close(self):
        self._end_bar(is_complete=False)
        self.native.close()


class SortedTable:
    """The rows of a table in order, to be read once: as a stream of Arrow's C data interface, or batch by batch.

        pyarrow.table(result), polars.DataFrame(result), pandas.DataFrame.from_arrow(result)
        for batch in result: use(batch)

    Batches have __arrow_c_array__ and a length. Whoever reads the stream is told of a failure, and of Ctrl-C, as an
    error of its own. The sort keeps memory and scratch space until the rows have been read, close(), or the end of the
    last reference."""

    def __init__(self, rows: Any) -> None:
        self._rows = rows

    def __arrow_c_schema__(self) -> Any:
        return self._rows.native.schema()

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self._rows.native.stream(requested_schema)

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> SortedBatch:
        """The next SortedBatch."""
        batch = self._rows.pull()
        if batch is None:
            raise StopIteration
        return batch

    @property
    def report(self) -> Report:
        """The Report, once all rows have been read."""
        return self._rows.report()

    def close(self) -> None:
        """Ends the sort if it is not done, and frees its memory and scratch space."""
        self._rows.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


def sort_table(data, by, null_placement, batch_rows, options):
    rows = RowSorter("sort_table", table_keys(by, null_placement), batch_rows, options)
    try:
        rows.push_all(data)
        if not rows.native.has_schema:
            raise ArgumentError("data gave no batch, so its columns are not known: pass a table, or a reader, which has a "
                                "schema")
        rows.native.finish()
    except BaseException:
        rows.close()
        raise
    return SortedTable(rows)


def _is_reader_of_pyarrow(thing):
    pyarrow = sys.modules.get("pyarrow")
    return pyarrow is not None and isinstance(thing, pyarrow.RecordBatchReader)


def _next_batch(reader):
    """None at the end."""
    try:
        return reader.read_next_batch()
    except StopIteration:
        return None
    except Exception as error:
        text = (str(error).splitlines() or [""])[0]
        raise Error(f"the stream of rows failed: {type(error).__name__}{text and ': '}{text}") from error


def _not_a_table(name, thing, alternative=""):
    collect = ": collect() it first" if hasattr(thing, "collect") else ""
    return (f"{name} must be a table of a library that speaks Arrow's C data interface, such as pyarrow, Polars, "
            f"pandas 3 or DuckDB,{alternative} not {type(thing).__name__}{collect}")


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

    by, null_placement, batch_rows: for rows, as sort_table() takes them, and the other arguments are then those of
    sort_table(). For records they are those of sort_files() that have nothing to do with files. Calls must not overlap.
    Leaving the `with` block ends a sort that is not done."""

    @takes_options('self, *, by=None, null_placement="at_end", batch_rows=None', RECORDS | TABLES)
    def __init__(self, by, null_placement, batch_rows, options):
        if by is not None:
            self._native = RowSorter("Sorter", table_keys(by, null_placement), batch_rows, options)
            self._end_bar = self._native._end_bar
            return
        if batch_rows is not None or null_placement != "at_end":
            raise ArgumentError("batch_rows and null_placement are for rows: give by, too")
        listening = Listening(options)
        self._end_bar = listening.end_bar
        self._native = _native.PushPull(options, listening.on_progress, listening.on_warning)

    def push(self, records: _Buffer | _Table) -> None:
        """Takes the next bytes of the records (bytes or anything with a contiguous buffer), which may be cut anywhere;
        of rows, the next batch or table, with the columns of the first. Waits while the sort has no memory for them.
        Raises Error after pull()."""
        self._native.push(records)

    def pull(self) -> Any:
        """The next sorted records as bytes: whole ones, some MB at a time; b"" at the end. Of rows, the next
        SortedBatch; None at the end. The first call ends the input and waits until it is sorted."""
        part = self._native.pull()
        if not part:
            self._end_bar(is_complete=True)
        return part

    def __iter__(self) -> Iterator[Any]:
        """The sorted records or batches, part by part, as pull() gives them."""
        while part := self.pull():
            yield part

    @property
    def report(self) -> Report:
        """The Report, once pull() has come to the end."""
        return self._native.report()

    def close(self) -> None:
        """Ends the sort if it is not done, and frees its memory and scratch space."""
        self._end_bar(is_complete=False)
        self._native.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()
