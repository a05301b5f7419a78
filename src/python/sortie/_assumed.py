"""What sort_parquet() assumes of files without being told, beside what the sort of their rows does: it is counted, told
once with its first place and the remedy, and refused by strict=True."""

import json
import os

from . import Error, _inputs
from ._report import Report

# {count}, {of} and {first} stand for what they are called; {name} for the column.
_MESSAGES = {
    "null-word": "column '{name}': {count} of {of} records have a word that is taken for null{first}: leave such fields "
                 "empty, or give a file in which the column is text, such as one of Parquet",
    "leading-zeros": "column '{name}': {count} of {of} records have a number with zeros in front, which is taken for the "
                     "one without them{first}: give a file in which the column is text, such as one of Parquet",
    "rounded-number": "column '{name}': {count} of {of} records have a number that is rounded to a double{first}: give a "
                      "file in which the column is text or decimal, such as one of Parquet",
    "no-end-of-stream": "{count} of {of} inputs are Arrow streams without a mark of their end{first}, and are taken to be "
                        "complete: write them again if they were cut short",
}


class Assumed:
    """Those of one kind about one column are one."""

    def __init__(self, inputs):
        self._inputs = inputs
        self._records = {}  # by column: how many were looked at
        self._known = {}  # by kind and column

    def looked_at(self, name, records):
        self._records[name] = self._records.get(name, 0) + records

    def add(self, kind, name, count, place, text=None):
        """place, text: of the first."""
        known = self._known.setdefault((kind, name), {"count": 0, "place": place, "text": text})
        known["count"] += count

    def told(self):
        """As --stats-json has them."""
        told = []
        for (kind, name), known in self._known.items():
            of = self._records.get(name, self._inputs)
            first = f", the first at {known['place']}" + (f" ‘{known['text']}’" if known["text"] is not None else "")
            message = _MESSAGES[kind].format(name=name, count=known["count"], of=of, first=first)
            told.append({"kind": kind, "message": message, "count": known["count"], "of": of,
                         "first_place": known["place"]})
        return told

    def refuse(self):
        """For a strict sort."""
        told = self.told()
        if told:
            first = f", the first of {len(told)} kinds" if len(told) > 1 else ""
            raise Error(f"the sort would have to assume something{first}: {told[0]['message']}")

    def tell(self, report, warn, stats_path):
        """Warns, and returns the report with what is assumed. stats_path: of the same report as JSON, or None."""
        told = self.told()
        if not told:
            return report
        for assumption in told:
            warn(assumption["message"])
        values = report.to_dict()
        values["assumptions"] += told
        text = json.dumps(values, indent=2, ensure_ascii=False)
        if _inputs.is_path(stats_path) and os.path.isfile(stats_path):
            with open(stats_path, "w", encoding="utf-8") as file:
                file.write(text + "\n")
        return Report(text, _with_lines(str(report), told))


def _with_lines(text, told):
    lines = "".join(f"assumed    {assumption['message']}\n" for assumption in told)
    head, bottleneck, tail = text.partition("bottleneck ")
    return head + lines + bottleneck + tail
