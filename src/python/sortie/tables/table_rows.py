"""What tables that the package gives back can do: how other libraries get their rows, and how they show themselves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, cast

from .._errors import MissingModuleError
from .._needed_modules import import_pyarrow

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow


class _StreamOnly:
    """Rows for Polars, which before 1.31 takes whatever is iterable as rows of Python, and not as a stream."""

    def __init__(self, rows: TableRows) -> None:
        self._rows, self.is_begun = rows, False

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        self.is_begun = True
        return self._rows.__arrow_c_stream__(requested_schema)


class TableRows:
    """Rows with columns. A class of this kind has schema, num_rows and _batches(), and _first_rows() for what it
    shows."""

    @property
    def schema(self) -> pyarrow.Schema:
        raise NotImplementedError

    @property
    def num_rows(self) -> int:
        raise NotImplementedError

    def _batches(self) -> Iterator[pyarrow.RecordBatch]:
        """The rows from the first one on."""
        raise NotImplementedError

    def _first_rows(self) -> pyarrow.RecordBatch | None:
        """Some of them, if they can be had without reading all, and without an error."""
        raise NotImplementedError

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        raise NotImplementedError

    def to_arrow(self) -> pyarrow.Table:
        """The rows as a table of pyarrow."""
        arrow = import_pyarrow("to_arrow()")
        return arrow.Table.from_batches(self._batches(), self.schema)

    def to_batches(self) -> Iterator[pyarrow.RecordBatch]:
        """The rows as record batches of pyarrow, one by one: only one of them is in memory."""
        import_pyarrow("to_batches()")
        return self._batches()

    def to_reader(self) -> pyarrow.RecordBatchReader:
        """The rows as a reader of pyarrow, for pyarrow.dataset.write_dataset() and whatever else takes them one by
        one."""
        arrow = import_pyarrow("to_reader()")
        return arrow.RecordBatchReader.from_batches(self.schema, self._batches())

    def to_pandas(self, **options: Any) -> pandas.DataFrame:
        """The rows as a DataFrame of pandas, with its index if they came from one. options: those of
        pyarrow.Table.to_pandas(), such as types_mapper."""
        try:
            import pandas  # noqa: F401
        except ImportError:
            raise MissingModuleError("to_pandas() needs pandas, which is not installed: pip install pandas") from None
        return cast("pandas.DataFrame", self.to_arrow().to_pandas(**options))

    def to_polars(self) -> polars.DataFrame:
        """The rows as a DataFrame of Polars."""
        try:
            import polars
        except ImportError:
            raise MissingModuleError("to_polars() needs Polars, which is not installed: pip install polars") from None
        stream = _StreamOnly(self)
        try:
            return polars.DataFrame(stream)
        except TypeError:
            if stream.is_begun:
                raise
        # The first versions of Polars 1 know no streams.
        return cast("polars.DataFrame", polars.from_arrow(self.to_arrow()))

    def _shown(self, name: str, as_html: bool = False) -> str:
        """name: what it is, and how many rows there are."""
        try:
            import pyarrow  # noqa: F401
        except ImportError:
            return name
        from . import table_preview

        show = table_preview.as_html if as_html else table_preview.as_text
        return show(name, self.schema, self._first_rows())
