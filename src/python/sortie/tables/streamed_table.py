"""What group_table() and join_tables() return: rows that are made while they are read."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Self, cast

from .._errors import ArgumentError, ArgumentTypeError, Error, OutOfMemoryError
from .._needed_modules import import_pyarrow
from .._report import Report, say_count
from .table_rows import TableRows

if TYPE_CHECKING:
    import polars
    import pyarrow


# As of a SortedTable.
CLOSED = "it is closed: sort again"


class StreamedTable(TableRows):
    """Rows of groups or of a join, in the order of the keys.

        >>> import pyarrow, sortie
        >>> sales = pyarrow.table({"city": ["Rome", "Oslo", "Rome"], "price": [3, 5, 4]})
        >>> result = sortie.group_table(sales, by="city", aggregates=[("price", "sum"), "count"])
        >>> result
        sortie.StreamedTable: 3 columns
        city    price_sum  count
        string  int64      int64
        Oslo    5          1
        Rome    7          2
        >>> result.to_arrow()["price_sum"].to_pylist()
        [5, 7]

    It gives its rows as a SortedTable does. Batch by batch, they may be more than memory holds, and are read once: by a
    loop over it, by to_batches(), to_reader() or whatever takes a stream of Arrow's C data interface. to_arrow(),
    to_pandas() and to_polars() keep all rows in memory, and from then on they may be read any number of times. What is
    shown of a table does not count as read. The sorts behind it keep memory and scratch space until the rows have been
    read, or until close()."""

    def __init__(self, schema: pyarrow.Schema, batches: Iterator[pyarrow.RecordBatch], sorts: Sequence[Any]) -> None:
        self._schema, self._source, self._sorts = schema, batches, sorts
        self._looked_at: list[pyarrow.RecordBatch] = []
        self._kept: pyarrow.Table | None = None
        self._is_begun = self._is_closed = False
        self._failure: Exception | None = None
        self._row_count: int | None = None

    @property
    def schema(self) -> pyarrow.Schema:
        """The columns, as pyarrow has them."""
        return self._schema

    @property
    def num_rows(self) -> int:
        """How many rows the table has. Raises Error if they have not been read: that is not known then."""
        if self._row_count is None:
            raise Error("the number of rows is not known before they have been read: read them, or keep them with "
                        "to_arrow(), to_pandas() or to_polars()")
        return self._row_count

    def to_arrow(self) -> pyarrow.Table:
        """The rows as a table of pyarrow. They are kept in memory, and may be read again."""
        if self._kept is None:
            self._kept = super().to_arrow()
        return self._kept

    def to_polars(self) -> polars.DataFrame:
        """The rows as a DataFrame of Polars. They are kept in memory, and may be read again."""
        self.to_arrow()
        return super().to_polars()

    def _batches(self) -> Iterator[pyarrow.RecordBatch]:
        if self._is_closed:
            raise ArgumentError(CLOSED)
        if self._kept is not None:
            return iter(self._kept.to_batches())
        if self._failure is not None:
            raise self._failure
        if self._is_begun:
            raise Error("the rows have been read, and are read once: keep them with to_arrow(), to_pandas() or "
                        "to_polars()")
        self._is_begun = True
        return self._read()

    def _read(self) -> Iterator[pyarrow.RecordBatch]:
        rows = 0
        while self._looked_at:
            rows += self._looked_at[0].num_rows
            yield self._looked_at.pop(0)
        while (batch := self._next()) is not None:
            rows += batch.num_rows
            yield batch
        self._row_count = rows

    def _next(self) -> pyarrow.RecordBatch | None:
        """The next batch of the source; None at the end. A failure is one for all who read, since the source is at its
        end then."""
        arrow = import_pyarrow("the rows")
        if self._failure is not None:
            raise self._failure
        try:
            return next(self._source, None)
        except arrow.ArrowException as error:
            kind = OutOfMemoryError if isinstance(error, MemoryError) else Error
            self._failure = kind(f"the rows cannot be made: {(str(error).splitlines() or [''])[0]}")
            raise self._failure from error
        except Exception as error:
            self._failure = error
            raise
        except BaseException:
            self._failure = Error("the rows have been read in part: who read them was stopped; sort them again")
            raise

    def _first_rows(self) -> pyarrow.RecordBatch | None:
        if self._kept is not None:
            return next(iter(self._kept.to_batches()), None)
        if self._is_begun or self._is_closed:
            return None
        with contextlib.suppress(Exception):  # whoever reads the rows is told
            while not self._looked_at and (batch := self._next()) is not None:
                if batch.num_rows:
                    self._looked_at.append(batch)
        return self._looked_at[0] if self._looked_at else None

    def _title(self) -> str:
        rows = "" if self._row_count is None else f"{say_count(self._row_count, 'row', ',')}, "
        columns = say_count(len(self._schema), "column", ",")
        return f"{rows}{columns}{self._state()}"

    def _state(self) -> str:
        if self._is_closed:
            return ", closed"
        if self._failure is not None:
            return ", cannot be read"
        return ", already read from" if self._is_begun and self._kept is None else ""

    def __repr__(self) -> str:
        self._first_rows()
        return self._shown(f"sortie.StreamedTable: {self._title()}")

    def _repr_html_(self) -> str:
        self._first_rows()
        return self._shown(self._title(), as_html=True)

    def __arrow_c_schema__(self) -> Any:
        return self._schema.__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self.to_reader().__arrow_c_stream__(requested_schema)

    def __iter__(self) -> Iterator[pyarrow.RecordBatch]:
        import_pyarrow("the rows")
        return self._batches()

    def __reduce__(self) -> Any:
        raise ArgumentTypeError("a StreamedTable cannot be copied or pickled, as its rows come from a sort: keep them "
                                "with to_arrow()")

    @property
    def reports(self) -> list[Report]:
        """A Report of each sort behind it, once all rows have been read."""
        return [cast(Report, sort.report()) for sort in self._sorts]

    def close(self) -> None:
        """Ends the sorts if they are not done, and frees their memory and scratch space, and rows that are kept."""
        self._is_closed = True
        self._kept = None
        self._looked_at = []
        for sort in self._sorts:
            sort.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()
