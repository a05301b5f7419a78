"""What sort_parquet() returns: what the sort did, and a way to the rows of the file that it wrote."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, cast

from .._outputs import unread
from .._report import Report, say_count
from .._sources import is_source, output_of
from ..tables.table_rows import TableRows

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

    Of an output that is a folder, the rows are those of all files, in their order, with the columns that name folders.
    The file is read anew whenever rows are asked for, as it is then: nothing of it is kept in memory. A report that was
    pickled leads to the file of this path, too. to_polars(), to_pandas() and whatever takes streams of Arrow's C data
    interface, such as duckdb.sql("select * from report"), read it as sort_parquet() reads its inputs."""

    def __init__(self, json_text: str, text: str, path: str, folder: tuple[Any, ...] | None = None,
                 is_handed: bool = False, schema: bytes | None = None) -> None:
        """folder: a FolderForm, if the output is one. is_handed: whether it is an open file, to which no name leads.
        schema: of the rows that were written as JSON Lines, as a message of Arrow's IPC."""
        super().__init__(json_text, text)
        path = output_of(path)
        self._path, self._folder, self._written = str(path), folder, schema
        self._is_handed = is_handed or not getattr(path, "has_name", True)
        # It is read later, from wherever the process is then.
        self._file = self._path if is_source(path) and not os.path.isfile(path) else os.path.abspath(path)

    def __reduce__(self) -> tuple[Any, ...]:
        path = self._path if self._is_handed else self._file
        return TableReport, (self._values, self._text, path, self._folder and tuple(self._folder), self._is_handed,
                             self._written)

    @property
    def path(self) -> str:
        """The output: a file or a folder."""
        return self._path

    @property
    def files(self) -> list[str]:
        """The paths of the files of the output, in the order of their rows."""
        return [self._path] if self._folder is None else self._open().files(self._path)

    @property
    def num_files(self) -> int:
        """How many files the sort wrote."""
        return 1 if self._folder is None else int(self.output_files)

    @property
    def schema(self) -> pyarrow.Schema:
        """The columns of the output, as pyarrow has them, with those that name the folders of a hive-partitioned
        one."""
        return cast("pyarrow.Schema", self._open().schema)

    @property
    def num_rows(self) -> int:
        """How many rows the sort wrote."""
        return int(self.output_records)

    def _open(self) -> Any:
        if self._is_handed:
            raise unread(self._path)
        if self._folder is not None:
            from ..outputs import folder_rows

            return folder_rows.FolderRows(output_of(self._file), folder_rows.FolderForm(*self._folder))
        from ..inputs import table_files

        return table_files.open_input(output_of(self._file), self._known_types(), [], False, reads_all=True)

    def _known_types(self) -> pyarrow.Schema | None:
        """Those that JSON Lines do not tell."""
        if self._written is None:
            return None
        import pyarrow

        from ..inputs.json_types import as_json_tells

        return cast("pyarrow.Schema", as_json_tells(pyarrow.ipc.read_schema(pyarrow.py_buffer(self._written))))

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
