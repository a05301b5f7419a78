"""What the dictionaries of Parquet files take. A sort holds the words of all dictionaries of a column at once, however
little memory it has: where they are many, their columns are carried as values."""

from . import Error
from . import _thrift as thrift
from ._dictionary_values import has_dictionary, schema_of_values
from ._parquet_footer import CHUNK_DICTIONARY, CHUNK_METADATA, CHUNK_PATH, COLUMN_BYTES, FILE_ROW_GROUPS, GROUP_COLUMNS, items
from ._parquet_form import has_indexes

# Words of all columns and row groups, also those that come again.
_MOST_WORD_BYTES = 16 << 20
_PAGE_BYTES, _MOST_HEADER_BYTES = 2, 1 << 12  # of a page header
# Formats that do not keep one dictionary for all rows.
_FORMATS = ("parquet", "csv")


def carried_schema(files, table_format):
    """A schema with the types of values in place of dictionaries that have no order, if they are to be carried so; else
    None. table_format: of the output."""
    schema = files[0].schema
    if table_format not in _FORMATS or not any(map(has_dictionary, schema.types)):
        return None
    if sum(file.word_bytes() for file in files) <= _MOST_WORD_BYTES:
        return None
    try:
        plain = schema_of_values(schema, keeps_ordered=True)
    except Error:  # which are carried as they are
        return None
    return None if plain.equals(schema) else plain


def word_bytes(file, footer, names):
    """Bytes of the dictionaries of columns in an open file, and of the values that stand beside them."""
    total = 0
    for group in items(footer, FILE_ROW_GROUPS):
        for chunk in items(group, GROUP_COLUMNS):
            column = chunk[CHUNK_METADATA][1]
            if items(column, CHUNK_PATH)[0].decode() in names:
                total += _word_bytes(file, column) if has_indexes(column) else column[COLUMN_BYTES][1]
    return total


def _word_bytes(file, column):
    file.seek(column[CHUNK_DICTIONARY][1])
    try:
        return thrift.read_struct(file.read(_MOST_HEADER_BYTES))[_PAGE_BYTES][1]
    except (ValueError, LookupError, TypeError):
        return 0  # whoever reads the rows tells of damage
