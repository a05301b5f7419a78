"""Where bounds cut the runs of a shard, as a file of rows of equal width: a merge reads the two rows that it needs."""

import json
import os
from typing import Any

from .. import Error
from .json_files import write_text


def write_rows(path: str, cuts_of_runs: list[list[dict[str, Any]]]) -> None:
    """A row for the begin, each bound and the end: what the command said of it for every run of the shard."""
    rows = [json.dumps(row, separators=(",", ":")) for row in zip(*cuts_of_runs, strict=True)]
    width = max(map(len, rows))
    write_text(path, "".join(row.ljust(width) + "\n" for row in rows))


def read_rows(path: str, parts: int, part: int) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The cuts in front of a part and behind it. Raises Error for rows that are damaged."""
    width = os.path.getsize(path) // (parts + 1)
    with open(path, "rb") as file:
        file.seek(part * width)
        rows = file.read(width), file.read(width)
    try:
        return json.loads(rows[0]), json.loads(rows[1])
    except ValueError:
        raise Error(f"what is said of cuts in '{path}' is damaged: remove this file, and give the command "
                    "again") from None


def totals_at_cuts(cuts_of_runs: list[list[dict[str, Any]]], name: str) -> list[int]:
    """For every row: what all runs of a shard have in front of it."""
    return [sum(cut[name] for cut in row) for row in zip(*cuts_of_runs, strict=True)]
