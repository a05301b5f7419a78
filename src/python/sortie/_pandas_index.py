"""The index of pandas. It belongs to the rows, so that it must go with them."""

import json
import sys

_KEY = b"pandas"


def with_labels(thing):
    """A table whose index is a column, of a DataFrame; a table of pyarrow without an index that is only told as a range:
    its rows do not keep that when they are sorted. Anything else comes back as it is."""
    pandas, pyarrow = sys.modules.get("pandas"), sys.modules.get("pyarrow")
    if pandas is not None and isinstance(thing, getattr(pandas, "DataFrame", ())):
        import pyarrow
        return pyarrow.Table.from_pandas(thing, preserve_index=True)
    if pyarrow is not None and isinstance(thing, (pyarrow.Table, pyarrow.RecordBatch)):
        return thing.replace_schema_metadata(without_range(thing.schema).metadata)
    return thing


def without_range(schema):
    """A schema of pyarrow whose metadata for pandas, if there is any, tells of columns alone."""
    try:
        told = json.loads((schema.metadata or {})[_KEY])
        columns = [column for column in told["index_columns"] if isinstance(column, str)]
        if len(columns) == len(told["index_columns"]):
            return schema
    except (KeyError, TypeError, ValueError):
        return schema  # nothing for pandas
    told = json.dumps({**told, "index_columns": columns}).encode()
    return schema.with_metadata({**schema.metadata, _KEY: told})
