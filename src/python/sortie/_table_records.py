"""Rows of tables as records, as the library makes them."""

from . import _native


def table_records(schema, keys, threads):
    """keys: as table_keys() gives them."""
    return _native.TableRecords(schema.__arrow_c_schema__(), keys, threads)
