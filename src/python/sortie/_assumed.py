"""What sorts of tables assume of files and of rows: counted, told once, and refused by a strict sort."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ._errors import Error
from ._report import Report, told_again, with_lines

# {count}, {of} and {first} stand for what they are called; {name} for the column.
_MESSAGES = {
    "null-word": "column '{name}': {count} of {of} records have a word that is taken for null{first}: leave such "
                 "fields empty, or give a file in which the column is text, such as one of Parquet",
    "leading-zeros": "column '{name}': {count} of {of} records have a number with zeros in front, which is taken for "
                     "the one without them{first}: give a file in which the column is text, such as one of Parquet",
    "rounded-number": "column '{name}': {count} of {of} records have a number that is rounded to a double{first}: give "
                      "a file in which the column is text or decimal, such as one of Parquet",
    "json-sample": "{count} of {of} inputs are JSON Lines of which the first 4 MiB tell columns and types{first}: give "
                   "schema=\"union\", by which files are read for their types first",
    "csv-sample": "{count} of {of} inputs are CSV of which the first 4 MiB tell the types of columns{first}, and a "
                  "later value that is none of its type ends the sort: give a file whose columns have types, such as "
                  "one of Parquet",
    "no-end-of-stream": "{count} of {of} inputs are Arrow streams without a mark of their end{first}, and are taken to "
                        "be complete: write them again if they were cut short",
    "folder-text": "column '{name}': the names of folders are taken for texts, as {count} of their numbers are not "
                   "written as integers usually are{first}: write 7 for 007 in all of these names, or let the files "
                  "have the column",
    "geometry-as-bytes": "column '{name}' is written as bytes of well-known binary, without its type in "
                         "Parquet{first}: let the name of the output end in .parquet to keep it",
    "untold-geometry": "column '{name}': {count} of {of} inputs have no 'geo' metadata that tell of it, and its values "
                       "are taken for geometries like those of the others{first}: write these metadata, or rename the "
                       "column",
    "beyond-the-curve": "column '{name}': values beyond those by which places on the curve were found are in the first "
                        "or the last cell, {count} in all{first}: sort a table or files that can be read twice, and "
                        "tell their own ranges",
    "file-left-out": "files of folders whose names tell no known format are left out, {count} in all{first}: let their "
                     "names end as those of tables do, or move them elsewhere",
}


class Assumed:
    """Those of one kind about one column are one."""

    def __init__(self, inputs: int) -> None:
        self._inputs = inputs
        self._records: dict[str | None, int] = {}  # by column: how many were looked at
        self._known: dict[tuple[str, str | None], dict[str, Any]] = {}  # by kind and column

    def looked_at(self, name: str, records: int) -> None:
        self._records[name] = self._records.get(name, 0) + records

    def add(self, kind: str, name: str | None, count: int, place: str, text: str | None = None) -> None:
        """place, text: of the first."""
        known = self._known.setdefault((kind, name), {"count": 0, "place": place, "text": text})
        known["count"] += count

    def told(self) -> list[dict[str, Any]]:
        """As --stats-json has them."""
        told = []
        for (kind, name), known in self._known.items():
            of = self._records.get(name, self._inputs)
            first = f", the first at {known['place']}" + (f" ‘{known['text']}’" if known["text"] is not None else "")
            message = _MESSAGES[kind].format(name=name, count=known["count"], of=of, first=first)
            told.append({"kind": kind, "message": message, "count": known["count"], "of": of,
                         "first_place": known["place"]})
        return told

    def messages(self) -> list[str]:
        return [assumption["message"] for assumption in self.told()]

    def refuse(self) -> None:
        """For a strict sort."""
        told = self.told()
        if told:
            first = f", the first of {len(told)} kinds" if len(told) > 1 else ""
            raise Error(f"the sort would have to assume something{first}: {told[0]['message']}")

    def tell(self, report: Report, warn: Callable[[str], object], stats_path: Any) -> Report:
        """Warns, and returns the report with what is assumed. stats_path: of the same report as JSON, or None."""
        told = self.told()
        if not told:
            return report
        for assumption in told:
            warn(assumption["message"])
        values = report.to_dict()
        values["assumptions"] += told
        lines = "".join(f"assumed    {assumption['message']}\n" for assumption in told)
        return told_again(values, with_lines(str(report), lines), stats_path)
