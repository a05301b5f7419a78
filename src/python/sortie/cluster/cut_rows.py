"""Where bounds cut the runs of a shard, as a file of rows of equal width: a merge reads the two rows that it needs."""

import json
import os
from typing import Any

from .json_files import write_text


def write_rows(path: str, cuts_of_runs: list[list[dict[str, Any]]]) -> None:
    """A row for each bound, and one for the end: what the command said of it for every run of the shard."""
    rows = [json.dumps(row, separators=(",", ":")) for row in zip(*cuts_of_runs, strict=True)]
    width = max(map(len, rows))
    write_text(path, "".join(row.ljust(width) + "\n" for row in rows))


def read_rows(path: str, row_count: int, part: int) -> tuple[list[dict[str, Any] | None], list[dict[str, Any]]]:
    """The cuts in front of a part and behind it. There are none in front of the first."""
    width = os.path.getsize(path) // row_count
    with open(path, "rb") as file:
        first = max(0, part - 1)
        file.seek(first * width)
        rows = [json.loads(file.read(width)) for _ in range(first, part + 1)]
    return (rows[0] if part > 0 else [None] * len(rows[0])), rows[-1]


def totals_at_cuts(cuts_of_runs: list[list[dict[str, Any]]], name: str) -> list[int]:
    """For every bound and the end: what all runs of a shard have in front of it."""
    return [sum(cut[name] for cut in row) for row in zip(*cuts_of_runs, strict=True)]
