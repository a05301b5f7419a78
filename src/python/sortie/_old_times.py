"""Parquet's old timestamps of 96 bits (INT96). pyarrow reads them as those of 64 bits in ns, and takes those that do not
fit for others: 9999-12-31 would be in 1816."""

import pyarrow
import pyarrow.compute
from pyarrow import types

from . import Error
from ._dictionary_values import arrays_within
from ._parquet_footer import CHUNK_METADATA, CHUNK_PATH, CHUNK_TYPE, FILE_ROW_GROUPS, GROUP_COLUMNS, items

_INT96 = 3
# The unit in which all of them fit, and how many of it fit in ns on both sides of 1970.
UNIT = "ms"
_MOST = (1 << 63) // 10**6 - 1


def old_times(footer):
    """The paths of the columns that have such timestamps."""
    columns = [chunk[CHUNK_METADATA][1] for group in items(footer, FILE_ROW_GROUPS)[:1]
               for chunk in items(group, GROUP_COLUMNS)]
    return [".".join(part.decode() for part in items(column, CHUNK_PATH)) for column in columns
            if column[CHUNK_TYPE][1] == _INT96 and CHUNK_PATH in column]


def refuse_far_times(batches, path):
    """batches: of these columns alone, in UNIT."""
    for batch in batches:
        for name, column in zip(batch.schema.names, batch.columns):
            for times in arrays_within(column, types.is_timestamp):
                bounds = pyarrow.compute.min_max(times.cast(pyarrow.int64()))
                for bound in (bounds["min"].as_py(), bounds["max"].as_py()):
                    if bound is not None and abs(bound) > _MOST:
                        raise Error(f"column '{name}' of '{path}' has times of 96 bits before 1678 or after 2262-04-10, "
                                    "which timestamps in ns do not hold: write it with times of 64 bits in us")
