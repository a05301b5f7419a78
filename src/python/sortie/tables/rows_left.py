"""Which rows of a sort or a merge come out, where the sort itself does not drop the others, and how a report counts
them."""

from __future__ import annotations

import collections
import errno
import json
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import pyarrow

from .._arguments import count_of
from .._errors import file_error
from .._report import Report, say_count, say_size
from ..columns.keys import Keep, TableKey
from ..columns.row_bytes import bytes_held
from .keep_rows import KeptRows, first_rows

_BY_ROWS = ("unique", "keep_last", "top", "stats_json")


def _refuse_no_folder(path: Any) -> None:
    """Raises Error if the folder of a file that is written in the end is not there."""
    if path is not None and not os.path.isdir(os.path.dirname(os.path.abspath(os.fsdecode(path)))):
        path = os.fsdecode(path)
        raise file_error(f"cannot write '{path}': {os.strerror(errno.ENOENT)}", None, errno.ENOENT, path)


class RowsLeft:
    """of_sort: the options of the sort, which does the rest."""

    def __init__(self, options: dict[str, Any], keep: Keep | None, is_merge: bool) -> None:
        if is_merge and options.get("unique") and keep is None:
            keep = Keep("last" if options.get("keep_last") else "first", None)
        self._is_merge = is_merge
        self.of_sort = options
        self._keep: Keep | None = None
        self._most_rows: int | None = None
        self._stats_path: Any = None
        self.rows = self.bytes = 0
        if is_merge or (keep is not None and keep.column is not None):
            self._keep = keep
            self._most_rows = None if options.get("top") is None else count_of(options["top"], "top")
            self._stats_path = options.get("stats_json")
            _refuse_no_folder(self._stats_path)
            self.of_sort = {name: value for name, value in options.items() if name not in _BY_ROWS}
        elif keep is not None:
            self.of_sort = {**options, "keep_last": keep.which == "last"}
        self._is_counted = self.of_sort is not options and not (keep is not None and self._keep is None)
        self._kept: KeptRows | None = None

    @property
    def are_all(self) -> bool:
        """Whether all rows of a merge are written."""
        return self._keep is None and self._most_rows is None

    def prepare(self, schema: pyarrow.Schema, keys: Sequence[TableKey], values: Sequence[TableKey]) -> None:
        """values: as KeptRows takes them. Raises Error for what cannot be kept."""
        if self._keep is not None:
            self._kept = KeptRows(schema, keys, values, self._keep.which == "last")

    def of(self, batches: Iterable[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        kept = batches if self._kept is None else self._kept.of(batches)
        for batch in first_rows(kept, self._most_rows):
            if self._is_counted:
                self.rows += batch.num_rows
                self.bytes += bytes_held(batch)
            yield batch
            del batch
        if not self._is_merge:
            # A sort reports when all of its rows have come.
            collections.deque(batches, 0)

    def told(self, report: Report) -> Report:
        """The report with what was written."""
        if not self._is_counted:
            return report
        values = {**report.to_dict(), "output_records": self.rows, "output_bytes": self.bytes}
        line = f"{say_count(self.rows, 'record')}, {say_size(self.bytes)}"
        text = re.sub("^(output +).*", lambda found: found[1] + line, str(report), count=1, flags=re.MULTILINE)
        return Report(json.dumps(values, indent=2, ensure_ascii=False), text)

    def write_stats(self, report: Report) -> None:
        if self._stats_path is not None:
            try:
                with open(os.fsencode(self._stats_path), "w", encoding="utf-8") as file:
                    file.write(report.to_json() + "\n")
            except OSError as error:
                path = os.fsdecode(self._stats_path)
                raise file_error(f"cannot write '{path}': {os.strerror(error.errno or 0)}; the output is complete",
                                 None, error.errno, path) from error
