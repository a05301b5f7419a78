"""What sort_parquet_in_place() returns."""

from __future__ import annotations

import types
from typing import TYPE_CHECKING

from .._report import say_count

if TYPE_CHECKING:
    from .table_report import TableReport


class InPlaceReport(types.SimpleNamespace):
    """What became of files: sorted and left_alone, lists of paths, and reports, a list of a TableReport for each that
    was sorted.

        >>> import pyarrow, pyarrow.parquet, sortie
        >>> pyarrow.parquet.write_table(pyarrow.table({"n": [1, 2]}), "a.parquet")
        >>> pyarrow.parquet.write_table(pyarrow.table({"n": [2, 1]}), "b.parquet")
        >>> sortie.sort_parquet_in_place(["a.parquet", "b.parquet"], by="n")
        <sortie.InPlaceReport: 1 file sorted, 1 left alone>
    """

    sorted: list[str]
    left_alone: list[str]
    reports: list[TableReport]

    def __init__(self) -> None:
        super().__init__(sorted=[], left_alone=[], reports=[])

    def add(self, path: str, report: TableReport | None) -> None:
        """report: None of a file that was left alone."""
        if report is None:
            self.left_alone.append(path)
        else:
            self.sorted.append(path)
            self.reports.append(report)

    def __str__(self) -> str:
        return f"{say_count(len(self.sorted), 'file')} sorted, {len(self.left_alone)} left alone"

    def __repr__(self) -> str:
        return f"<sortie.InPlaceReport: {self}>"
