"""The footer of a Parquet file, and what pyarrow does not tell of it."""

from . import _thrift as thrift

MAGIC = b"PAR1"
# Fields of the structs FileMetaData, RowGroup, SchemaElement and ColumnChunk in parquet.thrift.
FILE_SCHEMA, FILE_ROWS, FILE_ROW_GROUPS = 2, 3, 4
GROUP_COLUMNS, GROUP_BYTES, GROUP_ROWS = 1, 2, 3
ELEMENT_NAME, ELEMENT_CHILDREN, CONVERTED_TYPE, LOGICAL_TYPE = 4, 5, 6, 10
CHUNK_METADATA, _CHUNK_CRYPTO_METADATA = 3, 8
OFFSET_INDEX, OFFSET_INDEX_BYTES, COLUMN_INDEX, COLUMN_INDEX_BYTES = 4, 5, 6, 7  # of a chunk
# Fields of ColumnMetaData. The first is that of SchemaElement, too.
CHUNK_TYPE, CHUNK_ENCODINGS, CHUNK_PATH, CHUNK_CODEC, CHUNK_ROWS, CHUNK_PAGES, CHUNK_DICTIONARY = 1, 2, 3, 4, 5, 9, 11
CHUNK_PAGE_COUNTS, CHUNK_BLOOM, CHUNK_BLOOM_BYTES, CHUNK_SIZES = 13, 14, 15, 16
COLUMN_BYTES, COLUMN_STORED_BYTES = 6, 7
# What tells an encrypted chunk's column: fields of the key in the union ColumnCryptoMetaData.
_COLUMN_KEY, _KEY_PATH = 2, 1
# Values of the enum ConvertedType and fields of the union LogicalType.
_INTERVAL = 21
_LOGICAL_TYPES = {16: "VARIANT", 17: "GEOMETRY", 18: "GEOGRAPHY"}


def footer_bytes(tail):
    """Bytes of the footer with its length and the magic number, by the last eight of a file."""
    return int.from_bytes(tail[:4], "little") + 4 + len(MAGIC)


def items(struct, field):
    return struct[field][1][1]


def leaf_elements(footer):
    """The structs SchemaElement that have no children."""
    root, *elements = items(footer, FILE_SCHEMA)
    return [element for element in elements if element.get(ELEMENT_CHILDREN, (None, 0))[1] == 0]


def read_footer(file):
    """The struct FileMetaData of an open file."""
    file.seek(-8, 2)
    file.seek(-footer_bytes(file.read(8)), 2)
    return thrift.read_struct(file.read())


def unreadable_column(footer):
    """The name of a column of a type that Arrow does not have, which would come back as another, or of an encrypted one,
    and why; None if there is none."""
    for group in items(footer, FILE_ROW_GROUPS):
        for chunk in items(group, GROUP_COLUMNS):
            if _CHUNK_CRYPTO_METADATA in chunk:
                return _name_of(chunk), "is encrypted, and no key can be given: write the file without encryption"
    for element in items(footer, FILE_SCHEMA):
        if unknown := _unknown_type(element):
            return (element[ELEMENT_NAME][1],
                    f"has Parquet's type {unknown}, which cannot be kept: leave it out, or make it another")
    return None


def _name_of(chunk):
    """The name of an encrypted column. Its metadata may be missing, or may be all there is."""
    key = chunk[_CHUNK_CRYPTO_METADATA][1].get(_COLUMN_KEY)
    path = items(key[1], _KEY_PATH) if key else items(chunk[CHUNK_METADATA][1], CHUNK_PATH)
    return b".".join(path)


def _unknown_type(element):
    if element.get(CONVERTED_TYPE, (None, None))[1] == _INTERVAL:
        return "INTERVAL"
    logical_type = next(iter(element.get(LOGICAL_TYPE, (None, {}))[1]), None)
    return _LOGICAL_TYPES.get(logical_type)
