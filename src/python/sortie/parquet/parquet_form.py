"""How a Parquet file holds its rows, where its footer tells more than pyarrow's schema: page indexes, Bloom filters,
decimals as integers, encodings, the version of pages. An output keeps what its first input has, as far as pyarrow
writes it. Plain values, which go through JSON."""

from __future__ import annotations

import inspect
import itertools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, BinaryIO

import pyarrow
import pyarrow.parquet

from . import thrift as thrift
from .parquet_footer import (CHUNK_BLOOM, CHUNK_BLOOM_BYTES, CHUNK_CODEC, CHUNK_DICTIONARY, CHUNK_ENCODINGS,
                             CHUNK_METADATA, CHUNK_PAGE_COUNTS, CHUNK_PAGES, CHUNK_PATH, CHUNK_ROWS, CHUNK_TYPE,
                             COLUMN_INDEX, CONVERTED_TYPE, ELEMENT_NAME, GROUP_COLUMNS, LOGICAL_TYPE, items,
                             leaf_elements, row_groups)
from .thrift import Struct

_INT32, _INT64, _BYTE_ARRAY = 1, 2, 6
_DECIMAL, _TIME_MS, _TIME_US = 5, 7, 8  # ConvertedType
_LOGICAL_DECIMAL, _LOGICAL_TIME = 5, 7
_TIME_IN_UTC = 1
# ENUM and BSON, which Arrow has as bytes: ConvertedType, and the field of the union LogicalType.
_NAMES_OF_BYTES = {4: 4, 20: 13}
# GEOMETRY and GEOGRAPHY, which pyarrow reads as bytes of well-known binary: fields of the union LogicalType, and of
# these.
GEOMETRY_TYPES = {17: "GEOMETRY", 18: "GEOGRAPHY"}
_CRS, _ALGORITHM = 1, 2
_ENCODINGS = {5: "DELTA_BINARY_PACKED", 6: "DELTA_LENGTH_BYTE_ARRAY", 7: "DELTA_BYTE_ARRAY", 9: "BYTE_STREAM_SPLIT"}
_CODECS = {0: "none", 1: "snappy", 2: "gzip", 4: "brotli", 6: "zstd", 7: "lz4"}
_DATA_PAGE_V2, _MOST_HEADER_BYTES = 3, 1 << 16
_DATA_PAGES = (0, _DATA_PAGE_V2)
# Fields of the struct PageEncodingStats; PLAIN_DICTIONARY and RLE_DICTIONARY.
_PAGE_TYPE, _PAGE_ENCODING, _INDEXES = 1, 2, (2, 8)
_PARAMETERS = frozenset(inspect.signature(pyarrow.parquet.ParquetWriter.__init__).parameters)
# pyarrow makes Bloom filters with so many bits for each value, by the rate of false answers.
_FALSE_RATE = 0.05
_BITS_OF_VALUE = -8 / math.log(1 - _FALSE_RATE ** (1 / 8))


def form_of(file: BinaryIO, footer: Struct, chunks: Sequence[Struct]) -> dict[str, Any]:
    """{"page_version": ..., "leaves": {path: {what it has}}}, of an open file. Leaves with nothing special are left
    out, and so is all of a footer that does not tell. chunks: of the first row group."""
    try:
        return _form_of(file, footer, chunks)
    except (ValueError, LookupError, TypeError, AttributeError):
        return {}


def _form_of(file: BinaryIO, footer: Struct, chunks: Sequence[Struct]) -> dict[str, Any]:
    leaves = {}
    for element, chunk in itertools.zip_longest(leaf_elements(footer), chunks):
        form = _form_of_type(element)
        if chunk is not None:
            form.update(_form_of_chunk(chunk))
        if form:
            leaves[_path(element, chunk)] = form
    return {"page_version": page_version(file, chunks), "leaves": leaves}


def codecs_of(chunks: Iterable[Struct], unknown: str = "zstd") -> tuple[str, ...]:
    """How the columns are compressed, as pyarrow's writer calls it. unknown: for what it does not write."""
    return tuple(_CODECS.get(chunk[CHUNK_METADATA][1][CHUNK_CODEC][1], unknown) for chunk in chunks)


def keeps_dictionaries(footer: Struct, name: str) -> bool:
    """Whether all pages of a column refer to dictionaries. From others values come in the order in which they occur."""
    for group in row_groups(footer):
        for chunk in items(group, GROUP_COLUMNS):
            column = chunk[CHUNK_METADATA][1]
            if items(column, CHUNK_PATH) == [name.encode()] and column[CHUNK_ROWS][1] and not has_indexes(column):
                return False
    return True


def has_indexes(column: Struct) -> bool:
    """Whether all pages of a column chunk are known to refer to its dictionary."""
    pages = items(column, CHUNK_PAGE_COUNTS) if CHUNK_PAGE_COUNTS in column else []
    return CHUNK_DICTIONARY in column and all(
        page[_PAGE_ENCODING][1] in _INDEXES for page in pages if page[_PAGE_TYPE][1] in _DATA_PAGES)


def _path(element: Struct, chunk: Struct | None) -> str:
    if chunk is not None:
        return ".".join(part.decode() for part in items(chunk[CHUNK_METADATA][1], CHUNK_PATH))
    # Without rows only columns that are one leaf have a path that is seen at once.
    return str(element[ELEMENT_NAME][1].decode())


def _form_of_type(element: Struct) -> dict[str, Any]:
    if CONVERTED_TYPE not in element and LOGICAL_TYPE not in element:
        return {}
    kind = element.get(CHUNK_TYPE, (None, None))[1]
    converted = element.get(CONVERTED_TYPE, (None, None))[1]
    logical: Struct = element.get(LOGICAL_TYPE, (None, {}))[1]
    form: dict[str, Any] = {}
    if kind in (_INT32, _INT64) and (converted == _DECIMAL or _LOGICAL_DECIMAL in logical):
        form["integer_decimals"] = True
    if _LOGICAL_TIME in logical:
        is_utc = logical[_LOGICAL_TIME][1].get(_TIME_IN_UTC, (None,))[0] == thrift.TRUE
    else:
        is_utc = converted in (_TIME_MS, _TIME_US)
    if is_utc:
        form["utc"] = True
    for name, number in _NAMES_OF_BYTES.items():
        if kind == _BYTE_ARRAY and (converted == name or number in logical):
            form["bytes_named"] = name
    for number in GEOMETRY_TYPES:
        if kind == _BYTE_ARRAY and number in logical:
            told = logical[number][1]
            crs = told.get(_CRS, (None, None))[1]
            form["geometry"] = {"type": number, "crs": crs and crs.decode(),
                                "algorithm": told.get(_ALGORITHM, (None, None))[1]}
    return form


def geometry_text(told: Mapping[str, Any]) -> str:
    """For messages."""
    return f"{GEOMETRY_TYPES[told['type']]}({told['crs'] or 'OGC:CRS84'})"


def geometries_in(form: Mapping[str, Any]) -> dict[str, Any]:
    """What a form tells of geometries, by the paths of their leaves."""
    return {path: leaf["geometry"] for path, leaf in form.get("leaves", {}).items() if "geometry" in leaf}


def _form_of_chunk(chunk: Struct) -> dict[str, Any]:
    form: dict[str, Any] = {}
    column = chunk[CHUNK_METADATA][1]
    if COLUMN_INDEX in chunk:
        form["index"] = True
    if CHUNK_BLOOM in column:
        rows = max(1, column[CHUNK_ROWS][1])
        size = column.get(CHUNK_BLOOM_BYTES, (None, None))[1]
        values = rows if size is None else min(rows, int(size * 8 / _BITS_OF_VALUE))
        form["bloom"] = max(1, values) / rows
    if CHUNK_DICTIONARY not in column:
        known = [_ENCODINGS[number] for number in items(column, CHUNK_ENCODINGS) if number in _ENCODINGS]
        if known:
            form["encoding"] = known[0]
    return form


def page_version(file: BinaryIO, chunks: Sequence[Struct]) -> str:
    """Pages tell it, the first of which is asked."""
    if not chunks:
        return "1.0"
    file.seek(chunks[0][CHUNK_METADATA][1][CHUNK_PAGES][1])
    try:
        header = thrift.read_struct(file.read(_MOST_HEADER_BYTES))
        return "2.0" if header[1][1] == _DATA_PAGE_V2 else "1.0"
    except (ValueError, LookupError, TypeError, RecursionError):
        return "1.0"  # whoever reads the rows tells of damage


def known_options(**options: Any) -> dict[str, Any]:
    """Those that this version of pyarrow's writer knows."""
    return {name: value for name, value in options.items() if name in _PARAMETERS}


class ColumnForm:
    """What pyarrow's writer is told for the leaves of one column."""

    def __init__(self, form: Mapping[str, Any], paths: Sequence[str]) -> None:
        known = form.get("leaves", {})
        leaves = {path: known[path] for path in paths if path in known}
        flags = {name for leaf in leaves.values() for name, value in leaf.items() if value}
        # The version goes for all pages, of columns and files.
        self._options = known_options(
            write_page_checksum=True, data_page_version=form.get("page_version", "1.0"),
            store_decimal_as_integer="integer_decimals" in flags, write_time_adjusted_to_utc="utc" in flags,
            write_page_index="index" in flags)
        if "geometry" in flags:
            # Geometries have no order, and their bytes no least ones.
            self._options["write_statistics"] = False
        if "data_page_bytes" in form:
            self._options["data_page_size"] = form["data_page_bytes"]
        self.changes_types = not flags.isdisjoint(("integer_decimals", "utc"))
        chosen = {path: leaf["dictionary"] for path, leaf in leaves.items() if "dictionary" in leaf}
        self._dictionaries = chosen and {"use_dictionary": [path for path in paths if chosen.get(path)]}
        encodings = {path: leaf["encoding"] for path, leaf in leaves.items() if "encoding" in leaf
                     and not chosen.get(path)}
        # An encoding of its own takes the place of a dictionary that nobody asked for.
        others = [path for path in paths if path not in encodings]
        self._encodings = encodings and {"column_encoding": encodings, "use_dictionary": others, **self._dictionaries}
        self._blooms = {path: leaf["bloom"] for path, leaf in leaves.items() if "bloom" in leaf}

    def options(self, rows: int) -> dict[str, Any]:
        """For a row group with so many rows."""
        blooms = {path: {"ndv": max(1, math.floor(share * rows)), "fpp": _FALSE_RATE}
                  for path, share in self._blooms.items()}
        told = {**self._options, **self._dictionaries, **self._encodings}
        return {**told, **(known_options(bloom_filter_options=blooms) if blooms else {})}

    @property
    def is_divisible(self) -> bool:
        """Whether pages of a column of one leaf are the same if it is encoded in several stretches without a
        dictionary."""
        return not (self.has_index or self._blooms or self._dictionaries.get("use_dictionary"))

    @property
    def has_index(self) -> bool:
        return bool(self._options.get("write_page_index"))

    def has_bloom(self, path: str) -> bool:
        return path in self._blooms

    def is_form_of(self, path: str, chunk: Struct, page_version: str) -> bool:
        """Whether a column chunk of a leaf looks as it would be written, apart from page indexes and Bloom filters. Of
        a size of pages that was asked for no chunk tells."""
        if "data_page_size" in self._options or page_version != self._options.get("data_page_version", page_version):
            return False
        column = chunk[CHUNK_METADATA][1]
        chosen = self._dictionaries.get("use_dictionary")
        if chosen is not None and (path in chosen) != (CHUNK_DICTIONARY in column):
            return False
        encodings = self._encodings.get("column_encoding", {}) if self._encodings else {}
        return bool(_form_of_chunk(chunk).get("encoding") == encodings.get(path))

    def try_encodings(self, encode: Callable[[dict[str, Any]], object]) -> None:
        """Leaves out encodings with which encode(options) fails: the column may be of another type by now."""
        if self._encodings:
            try:
                encode(self.options(0))
            except (pyarrow.ArrowException, OSError, ValueError, TypeError):
                self._encodings = {}


def column_forms(form: Mapping[str, Any], columns: Iterable[Sequence[str]]) -> list[ColumnForm]:
    """The ColumnForm of each of some columns, which are lists of paths. Those with nothing special share one."""
    leaves = form.get("leaves", {})
    plain = ColumnForm(form, [])
    return [plain if leaves.keys().isdisjoint(paths) else ColumnForm(form, paths) for paths in columns]


def name_bytes(form: Mapping[str, Any], paths: Iterable[str], footer: Struct) -> None:
    """Gives leaves of bytes the type that they have in the source: ENUM, BSON, GEOMETRY or GEOGRAPHY."""
    for path, element in zip(paths, leaf_elements(footer)):
        leaf = form.get("leaves", {}).get(path, {})
        if CONVERTED_TYPE in element or LOGICAL_TYPE in element or element[CHUNK_TYPE][1] != _BYTE_ARRAY:
            continue
        if "bytes_named" in leaf:
            element[CONVERTED_TYPE] = (thrift.I32, leaf["bytes_named"])
            element[LOGICAL_TYPE] = (thrift.STRUCT, {_NAMES_OF_BYTES[leaf["bytes_named"]]: (thrift.STRUCT, {})})
        elif "geometry" in leaf:
            told = leaf["geometry"]
            element[LOGICAL_TYPE] = (thrift.STRUCT, {told["type"]: (thrift.STRUCT, _geometry_struct(told))})


def _geometry_struct(told: Mapping[str, Any]) -> Struct:
    struct: Struct = {}
    if told["crs"] is not None:
        struct[_CRS] = (thrift.BINARY, told["crs"].encode())
    if told["algorithm"] is not None:
        struct[_ALGORITHM] = (thrift.I32, told["algorithm"])
    return struct
