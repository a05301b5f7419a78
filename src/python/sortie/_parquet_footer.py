"""The footer of a Parquet file: what pyarrow does not tell of it."""

from . import Error
from . import _thrift as thrift

# Fields of the structs FileMetaData and SchemaElement in parquet.thrift, and of the union LogicalType.
_SCHEMA = 2
_NAME, _CONVERTED_TYPE, _LOGICAL_TYPE = 4, 6, 10
_INTERVAL = 21
_LOGICAL_TYPES = {16: "VARIANT", 17: "GEOMETRY", 18: "GEOGRAPHY"}


def refuse_unknown_types(path, file):
    """Arrow has no such types: their columns would come back as others. Raises Error."""
    for element in _schema_elements(path, file):
        name = element[_NAME][1].decode(errors="replace")
        logical_type = next(iter(element.get(_LOGICAL_TYPE, (None, {}))[1]), None)
        unknown = _LOGICAL_TYPES.get(logical_type)
        if element.get(_CONVERTED_TYPE, (None, None))[1] == _INTERVAL:
            unknown = "INTERVAL"
        if unknown:
            raise Error(f"column '{name}' of '{path}' has Parquet's type {unknown}, which cannot be kept: leave it out, or "
                        "make it another")


def _schema_elements(path, file):
    file.seek(-8, 2)
    length = int.from_bytes(file.read(4), "little")
    file.seek(-8 - length, 2)
    try:
        return thrift.read_struct(file.read(length))[_SCHEMA][1][1]
    except (ValueError, KeyError, RecursionError):
        raise Error(f"cannot read '{path}': its footer is damaged") from None
