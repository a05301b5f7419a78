"""The footer of a Parquet file, and what pyarrow does not tell of it."""

from . import Error
from . import _thrift as thrift

MAGIC = b"PAR1"
# Fields of the structs FileMetaData and SchemaElement in parquet.thrift.
FILE_SCHEMA = 2
ELEMENT_NAME, ELEMENT_CHILDREN, _CONVERTED_TYPE, _LOGICAL_TYPE = 4, 5, 6, 10
# Values of the enum ConvertedType and fields of the union LogicalType.
_INTERVAL = 21
_LOGICAL_TYPES = {16: "VARIANT", 17: "GEOMETRY", 18: "GEOGRAPHY"}


def footer_bytes(tail):
    """Bytes of the footer with its length and the magic number, by the last eight of a file."""
    return int.from_bytes(tail[:4], "little") + 4 + len(MAGIC)


def items(struct, field):
    return struct[field][1][1]


def refuse_unknown_types(path, file):
    """Arrow has no such types: their columns would come back as others. Raises Error."""
    for element in _schema_elements(path, file):
        name = element[ELEMENT_NAME][1].decode(errors="replace")
        logical_type = next(iter(element.get(_LOGICAL_TYPE, (None, {}))[1]), None)
        unknown = _LOGICAL_TYPES.get(logical_type)
        if element.get(_CONVERTED_TYPE, (None, None))[1] == _INTERVAL:
            unknown = "INTERVAL"
        if unknown:
            raise Error(f"column '{name}' of '{path}' has Parquet's type {unknown}, which cannot be kept: leave it "
                        "out, or make it another")


def _schema_elements(path, file):
    file.seek(-8, 2)
    file.seek(-footer_bytes(file.read(8)), 2)
    try:
        return items(thrift.read_struct(file.read()), FILE_SCHEMA)
    except (ValueError, KeyError, RecursionError):
        raise Error(f"cannot read '{path}': its footer is damaged") from None
