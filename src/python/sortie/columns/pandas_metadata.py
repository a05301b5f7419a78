"""What the metadata of schemas tell pandas, of types and of indexes."""

from __future__ import annotations

import json

import pyarrow

_PANDAS = b"pandas"
# What pandas calls types of its own, and those of NumPy.
_OF_PANDAS = {getattr(pyarrow, name.lower())(): name for name in (
    "Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "UInt64", "Float32", "Float64")}
_NUMPY = {kind: name.lower() for kind, name in _OF_PANDAS.items()}


def told_to_pandas(schema: pyarrow.Schema, first: pyarrow.Schema) -> pyarrow.Schema:
    """With metadata for pandas, if the first file has any, that tell the types that columns have now: pandas would make
    integers of 32 bits again of wider ones."""
    if not schema.metadata or _PANDAS not in schema.metadata:
        return schema
    before = {field.name: field.type for field in first}
    changed = {field.name for field in schema if not before.get(field.name, field.type).equals(field.type)}
    if not changed:
        return schema
    try:
        told = json.loads(schema.metadata[_PANDAS])
        for column in told["columns"]:
            if (name := column["field_name"]) in changed and column["numpy_type"] in _OF_PANDAS.values():
                column["numpy_type"] = _OF_PANDAS.get(schema.field(name).type, "object")
            elif name in changed:
                column["numpy_type"] = _NUMPY.get(schema.field(name).type, "object")
    except (KeyError, TypeError, ValueError):
        return schema  # nothing for pandas
    return schema.with_metadata({**schema.metadata, _PANDAS: json.dumps(told).encode()})


def without_range(schema: pyarrow.Schema) -> pyarrow.Schema:
    """A schema of pyarrow whose metadata for pandas, if there is any, tells of columns alone."""
    metadata = schema.metadata
    if not metadata or _PANDAS not in metadata:
        return schema
    try:
        told = json.loads(metadata[_PANDAS])
        columns = [column for column in told["index_columns"] if isinstance(column, str)]
        if len(columns) == len(told["index_columns"]):
            return schema
    except (KeyError, TypeError, ValueError):
        return schema  # nothing for pandas
    told = json.dumps({**told, "index_columns": columns}).encode()
    return schema.with_metadata({**metadata, _PANDAS: told})
