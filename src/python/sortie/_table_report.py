"""What sort_parquet() returns: what the sort did, and a way to the rows of the file that it wrote."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, cast

from ._report import Report, say_count
from ._table_rows import TableRows

if TYPE_CHECKING:
    import pyarrow


class TableReport(Report, TableRows):
    """What a sort of files of tables did, as a Report tells it, and the rows of the output.

        >>> import pyarrow, pyarrow.csv, sortie
        >>> pyarrow.csv.write_csv(pyarrow.table({"n": [3, 1, 2]}), "in.csv")
        >>> report = sortie.sort_parquet("in.csv", "out.parquet", by="n")
        >>> report.path, report.schema.names, report.num_rows
        ('out.parquet', ['n'], 3)
        >>> report.to_arrow()["n"].to_pylist()
        [1, 2, 3]
        >>> [batch.num_rows for batch in report.to_batches()]
        [3]

    The file is read anew whenever rows are asked for, as it is then: nothing of it is kept in memory. A report that was
    pickled leads to the file of this path, too. to_polars(), to_pandas() and whatever takes streams of Arrow's C data interface,
    such as duckdb.sql("select * from report"), read it as sort_parquet() reads its inputs."""

    def __init__(self, json_text: str, text: str, path: str) -> None:
        super().__init__(json_text, text)
        self._path = path
        # It is read later, from wherever the process is then.
        self._file = os.path.abspath(path)

    def __reduce__(self) -> tuple[Any, ...]:
        return TableReport, (self._values, self._text, self._file)

    @property
    def path(self) -> str:
        """The output."""
        return self._path

    @property
    def schema(self) -> pyarrow.Schema:
        """The columns of the file, as pyarrow has them."""
        return cast("pyarrow.Schema", self._open().schema)

    @property
    def num_rows(self) -> int:
        """How many rows the sort wrote."""
        return int(self.output_records)

    def _open(self) -> Any:
        from . import _table_files

        return _table_files.open_input(self._file, None, [], False)

    def _batches(self) -> Iterator[pyarrow.RecordBatch]:
        yield from self._open().batches(use_threads=True)

    def _first_rows(self) -> pyarrow.RecordBatch | None:
        return next(self._batches(), None)

    def __arrow_c_schema__(self) -> Any:
        return self.schema.__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self.to_reader().__arrow_c_stream__(requested_schema)

    def __repr__(self) -> str:
        line = str(super().__repr__()).replace("sortie.Report", "sortie.TableReport")
        # Whoever looks at a report does not ask for the file, which may be gone.
        with contextlib.suppress(Exception):
            return self._shown(line)
        return line

    def _repr_html_(self) -> str:
        told = str(super()._repr_html_())
        with contextlib.suppress(Exception):
            name = os.path.basename(self._path)
            told += self._shown(f"{name}: {say_count(self.num_rows, 'row', ',')}", as_html=True)
        return told
