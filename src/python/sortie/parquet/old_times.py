"""Parquet's old timestamps of 96 bits, which pyarrow reads as those of 64 bits in ns: times that do not fit are
refused."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pyarrow
import pyarrow.compute

from .._errors import Error
from .dictionaries import arrays_within
from .parquet_footer import CHUNK_METADATA, CHUNK_PATH, CHUNK_TYPE, items

# Parquet's old timestamps of 96 bits. pyarrow reads them as those of 64 bits in ns, and takes those that do not fit for
# others: 9999-12-31 would be in 1816.
_INT96 = 3
# The unit in which all of them fit, and how many of it fit in ns on both sides of 1970.
TIME_UNIT = "ms"
_MOST_TIME = (1 << 63) // 10**6 - 1


def paths_of_old_times(chunks: Iterable[dict[int, Any]]) -> list[str]:
    """The paths of the columns that have such timestamps."""
    columns = [chunk[CHUNK_METADATA][1] for chunk in chunks]
    return [".".join(part.decode() for part in items(column, CHUNK_PATH)) for column in columns
            if column[CHUNK_TYPE][1] == _INT96 and CHUNK_PATH in column]


def refuse_far_times(batches: Iterable[pyarrow.RecordBatch], path: str) -> None:
    """batches: of these columns alone, in TIME_UNIT."""
    for batch in batches:
        for name, column in zip(batch.schema.names, batch.columns):
            for times in arrays_within(column, pyarrow.types.is_timestamp):
                bounds = pyarrow.compute.min_max(times.cast(pyarrow.int64()))
                for bound in (bounds["min"].as_py(), bounds["max"].as_py()):
                    if bound is not None and abs(bound) > _MOST_TIME:
                        raise Error(f"column '{name}' of '{path}' has times of 96 bits before 1678 or after "
                                    "2262-04-10, which timestamps in ns do not hold: write it with times of 64 bits in "
                                    "us")
