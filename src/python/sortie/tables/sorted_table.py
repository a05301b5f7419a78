"""What sort_table() returns: sorted rows, to be read batch by batch or kept in memory."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Self, cast

from .._errors import ArgumentTypeError, Error
from .._needed_modules import import_pyarrow
from .._report import Report, say_count
from .table_rows import TableRows

if TYPE_CHECKING:
    import polars
    import pyarrow

    from .. import SortedBatch


class SortedTable(TableRows):
    """The rows of a table in order.

        >>> import pyarrow, sortie
        >>> events = pyarrow.table({"user": [2, 1, 2], "ts": [5, 7, 9], "url": ["/a", "/b", "/c"]})
        >>> result = sortie.sort_table(events, by=["user", ("ts", "descending")])
        >>> result
        sortie.SortedTable: 3 rows, 3 columns
        user   ts     url
        int64  int64  string
        1      7      /b
        2      9      /c
        2      5      /a
        >>> result.schema.names, result.num_rows
        (['user', 'ts', 'url'], 3)
        >>> result.to_arrow()["url"].to_pylist()
        ['/b', '/c', '/a']

    It gives its rows in two ways. Batch by batch, they may be more than memory holds, and are read once:

        for batch in result: use(batch)                       # each a SortedBatch
        for batch in result.to_batches(): use(batch)          # each of pyarrow; to_reader() gives a reader of these
        pyarrow.table(result), duckdb.sql("select * from result")
        polars.DataFrame(result)                              # of Polars 1.31 and later

    to_arrow(), to_pandas() and to_polars() keep all rows in memory, and from then on they may be read any number of
    times, in every way. What is shown of a table does not count as read. The sort keeps memory and scratch space until
    the rows have been read, and kept rows their memory, until close() or the end of the last reference. Whoever reads
    the stream is told of a failure, and of Ctrl-C, as an error of its own."""

    def __init__(self, rows: Any, retold: Callable[[Report], Report] | None = None) -> None:
        """retold: adds what was assumed of the tables to the report of the sort."""
        self._rows, self._retold = rows, retold

    @property
    def schema(self) -> pyarrow.Schema:
        """The columns, as pyarrow has them."""
        return import_pyarrow("schema").schema(self)

    @property
    def num_rows(self) -> int:
        """How many rows the table has. Raises Error if it leaves rows out, by unique or the like, and they have not
        been read: that is not known then."""
        count = self._rows.row_count()
        if count is None:
            raise Error("the number of rows is not known before they have been read, as some are left out: read them, "
                        "or keep them with to_arrow(), to_pandas() or to_polars()")
        return cast(int, count)

    def to_arrow(self) -> pyarrow.Table:
        """The rows as a table of pyarrow. They are kept in memory, and may be read again."""
        import_pyarrow("to_arrow()")
        self._rows.native.keep()
        return super().to_arrow()

    def to_polars(self) -> polars.DataFrame:
        """The rows as a DataFrame of Polars. They are kept in memory, and may be read again."""
        self._rows.native.keep()
        return super().to_polars()

    def _batches(self) -> Iterator[pyarrow.RecordBatch]:
        arrow = import_pyarrow("to_batches()")
        native = self._rows.native
        reader = native.new_reader()
        while (batch := native.pull(reader)) is not None:
            yield arrow.record_batch(batch)

    def _first_rows(self) -> pyarrow.RecordBatch | None:
        batch = self._rows.native.first_rows()
        return None if batch is None else import_pyarrow("repr()").record_batch(batch)

    def _title(self) -> str:
        count = self._rows.row_count()
        columns = say_count(self._rows.column_count(), "column", ",")
        if self._rows.native.is_closed:
            columns += ", closed"
        elif self._rows.native.first_rows() is None and count != 0:
            columns += ", already read from"
        return f"{'rows' if count is None else say_count(count, 'row', ',')}, {columns}"

    def __repr__(self) -> str:
        return self._shown(f"sortie.SortedTable: {self._title()}")

    def _repr_html_(self) -> str:
        return self._shown(self._title(), as_html=True)

    def __arrow_c_schema__(self) -> Any:
        return self._rows.native.schema()

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self._rows.native.stream(requested_schema)

    def __iter__(self) -> Iterator[SortedBatch]:
        """Each a SortedBatch: what next() has left, or all rows again if they are kept."""
        native = self._rows.native
        # Where all have been read, from the first one on.
        pull = self._rows.pull if native.sorted_rows is None else functools.partial(native.pull, native.new_reader())
        while (batch := pull()) is not None:
            yield batch

    def __next__(self) -> SortedBatch:
        """The next SortedBatch."""
        batch = self._rows.pull()
        if batch is None:
            raise StopIteration
        return cast("SortedBatch", batch)

    def __reduce__(self) -> Any:
        raise ArgumentTypeError("a SortedTable cannot be copied or pickled, as its rows come from a sort: keep them "
                                "with to_arrow()")

    @property
    def report(self) -> Report:
        """The Report, once all rows have been read."""
        report: Report = self._rows.report()
        return report if self._retold is None else self._retold(report)

    def close(self) -> None:
        """Ends the sort if it is not done, and frees its memory and scratch space, and rows that are kept."""
        self._rows.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()
