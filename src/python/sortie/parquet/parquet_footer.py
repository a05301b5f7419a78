"""The footer of a Parquet file: what pyarrow does not tell of it, and damage that it shows by itself, as its parts tell
the same things several times. A footer has no checksum, and what it says is taken for true by pyarrow, which ends the
process at some of it."""

from __future__ import annotations

import typing
from collections.abc import Callable, Iterable, Iterator
from typing import Any, BinaryIO, cast

from .. import _native

from .._errors import Error
from .._report import say_count
from . import thrift as thrift
from .thrift import Struct

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
_VARIANT = 16
# What comes of values of other types than those that parquet.thrift has.
DAMAGE = (ValueError, LookupError, TypeError, AttributeError, RecursionError)
# Fields of a footer that tell of the rows.
_OF_ROWS = frozenset((FILE_ROWS, FILE_ROW_GROUPS))


def footer_bytes(tail: bytes | memoryview) -> int:
    """Bytes of the footer with its length and the magic number, by the last eight of a file."""
    return int.from_bytes(tail[:4], "little") + 4 + len(MAGIC)


def has_footer(content: bytes) -> bool:
    """Whether the bytes of a file end with a footer that is as long as they tell."""
    return content.endswith(MAGIC) and footer_bytes(content[-8:]) + len(MAGIC) <= len(content)


def have_one_schema(footer: Struct, other: Struct) -> bool:
    """Whether footers tell the same of all but the rows."""
    return all(footer.get(field) == other.get(field) for field in (footer.keys() | other.keys()) - _OF_ROWS)


def of_rows(footer: Struct) -> Struct:
    """What a footer tells of the rows."""
    return {field: footer[field] for field in _OF_ROWS}


def items(struct: Struct, field: int) -> list[Any]:
    return cast(list[Any], struct[field][1][1])


def leaf_elements(footer: Struct) -> Iterator[Struct]:
    """The structs SchemaElement that have no children."""
    return filter(is_leaf, items(footer, FILE_SCHEMA)[1:])


def is_leaf(element: Struct) -> bool:
    return cast(bool, element.get(ELEMENT_CHILDREN, (None, 0))[1] == 0)


def columns_of(footer: Struct) -> list[list[Struct]]:
    """The elements of each column, with those within it."""
    columns: list[list[Struct]] = []
    open_elements = 0
    for element in items(footer, FILE_SCHEMA)[1:]:
        if open_elements == 0:
            columns.append([])
            open_elements = 1
        columns[-1].append(element)
        open_elements += element.get(ELEMENT_CHILDREN, (None, 0))[1] - 1
    return columns


def read_footer(file: BinaryIO) -> Struct:
    """The struct FileMetaData of an open file, for row_groups()."""
    file.seek(-8, 2)
    file.seek(-footer_bytes(file.read(8)), 2)
    return thrift.read_struct(file.read(), kept=FILE_ROW_GROUPS)


def row_groups(footer: Struct) -> Iterator[Struct]:
    """The structs RowGroup, one after the other: those of all would take a hundred times as much memory as the
    footer."""
    return map(thrift.read_struct, items(footer, FILE_ROW_GROUPS))


def first_chunks(footer: Struct) -> list[Struct]:
    """The structs ColumnChunk of the first row group, if there is one."""
    return next((items(group, GROUP_COLUMNS) for group in row_groups(footer)), [])


def columns_by_path(group: Struct) -> dict[str, Struct]:
    """The structs ColumnMetaData of a struct RowGroup."""
    columns = [chunk[CHUNK_METADATA][1] for chunk in items(group, GROUP_COLUMNS)]
    return {b".".join(items(column, CHUNK_PATH)).decode(): column for column in columns}


def pages_hold_rows(file: BinaryIO, group: Struct) -> bool:
    """Whether the headers of pages tell as many values of each column as a struct RowGroup of the open file. Where they
    tell more, pyarrow takes the rest for values of the next row group that it reads at once with this one."""
    file_bytes = file.seek(0, 2)
    for chunk in items(group, GROUP_COLUMNS):
        column = chunk[CHUNK_METADATA][1]
        if column[COLUMN_STORED_BYTES][1] > file_bytes:
            return False
        begins = [column[field][1] for field in (CHUNK_DICTIONARY, CHUNK_PAGES) if field in column
                  and column[field][1] > 0]
        file.seek(min(begins, default=0))
        try:
            if _native.page_values(file.read(column[COLUMN_STORED_BYTES][1])) != column[CHUNK_ROWS][1]:
                return False
        except ValueError:
            return False
    return True


def _refuse_types(footer: Struct) -> None:
    for element in items(footer, FILE_SCHEMA):
        if unknown := _unknown_type(element):
            raise _Unreadable(element[ELEMENT_NAME][1],
                              f"has Parquet's type {unknown}, which cannot be kept: leave it out, or make it another")


def _refuse_encryption(chunks: Iterable[Struct]) -> None:
    for chunk in chunks:
        if _CHUNK_CRYPTO_METADATA in chunk:
            raise _Unreadable(_name_of(chunk),
                              "is encrypted, and no key can be given: write the file without encryption")


def _name_of(chunk: Struct) -> bytes:
    """The name of an encrypted column. Its metadata may be missing, or may be all there is."""
    key = chunk[_CHUNK_CRYPTO_METADATA][1].get(_COLUMN_KEY)
    path = items(key[1], _KEY_PATH) if key else items(chunk[CHUNK_METADATA][1], CHUNK_PATH)
    return b".".join(path)


def _unknown_type(element: Struct) -> str | None:
    if element.get(CONVERTED_TYPE, (None, None))[1] == _INTERVAL:
        return "INTERVAL"
    return "VARIANT" if _VARIANT in element.get(LOGICAL_TYPE, (None, {}))[1] else None


_REPETITION = 3  # of a SchemaElement
_OPTIONAL, _REPEATED = 1, 2
_BYTE_ARRAY = 6
_LAST_TYPE, _LAST_CODEC = 7, 7
_NUMBERS_OF_CHUNK = (CHUNK_TYPE, CHUNK_CODEC, CHUNK_ROWS, CHUNK_PAGES, COLUMN_STORED_BYTES)
# Fields of the struct SizeStatistics.
_TEXT_BYTES, _REPETITION_LEVELS, _DEFINITION_LEVELS = 1, 2, 3
_INTEGERS = frozenset((thrift.I16, thrift.I32, thrift.I64))

_Seen = typing.TypeVar("_Seen")
_Leaf = tuple[int, list[bytes], int, int]
"""Its type, path, largest repetition level and largest definition level."""


class _Damage(ValueError):
    """Says what does not fit."""


class _Unreadable(Exception):
    """The name of a column that cannot be read, and why."""


def readable_footer(path: Any, file: BinaryIO,
                    look: Callable[[Struct, list[GroupSizes], list[Struct]], _Seen]) -> _Seen:
    """What look(footer, groups, chunks) returns. groups: the GroupSizes. chunks: of the first group. Raises Error for a
    damaged footer, for columns of types that Arrow does not have, which would come back as others, and for encrypted
    ones: of these pyarrow's metadata cannot be asked without an end of the process."""
    try:
        footer = read_footer(file)
        _refuse_types(footer)
        return look(footer, *_checked_groups(footer))
    except DAMAGE as error:
        reason = f": {error}" if isinstance(error, _Damage) else ""
        raise Error(f"cannot read '{path}': its footer is damaged{reason}") from error
    except _Unreadable as unreadable:
        name, reason = unreadable.args
        raise Error(f"column '{name.decode(errors='replace')}' of '{path}' {reason}") from None


class GroupSizes(typing.NamedTuple):
    """The size of a row group. text_bytes: all texts and bytes, as they are in memory; None where the footer does not
    tell."""
    bytes: int
    rows: int
    text_bytes: int | None

    @property
    def told_bytes(self) -> int:
        """Lower bound on its bytes in memory."""
        return max(self.bytes, self.text_bytes or 0)


def _checked_groups(footer: Struct) -> tuple[list[GroupSizes], list[Struct]]:
    """The GroupSizes of each row group, and the chunks of the first. Raises _Damage, or what comes of values of other
    types than those that parquet.thrift has."""
    leaves = list(_leaves(footer))
    groups: list[GroupSizes] = []
    first: list[Struct] = []
    rows = 0
    for number, group in enumerate(row_groups(footer), 1):
        chunks = items(group, GROUP_COLUMNS)
        first = first or chunks
        _refuse_encryption(chunks)
        if len(chunks) != len(leaves):
            raise _Damage(f"row group {number} has {say_count(len(chunks), 'column')}, and the schema {len(leaves)}")
        texts = [_check_chunk(chunk[CHUNK_METADATA][1], leaf, number) for chunk, leaf in zip(chunks, leaves)]
        text_bytes = None if None in texts else sum(cast(list[int], texts))
        sizes = GroupSizes(_integer(group, GROUP_BYTES), _integer(group, GROUP_ROWS), text_bytes)
        # No group with rows has no bytes.
        groups.append(sizes._replace(bytes=max(sizes.bytes, sizes.rows)))
        rows += sizes.rows
    if rows != _integer(footer, FILE_ROWS):
        raise _Damage(f"it tells of {say_count(footer[FILE_ROWS][1], 'row')}, and its row groups of {rows}")
    return groups, first


def _check_chunk(column: Struct, leaf: _Leaf, number: int) -> int | None:
    """Bytes of its texts, None where it does not tell."""
    kind, path, *_ = leaf
    if CHUNK_PATH in column and items(column, CHUNK_PATH) != path:
        found = b".".join(items(column, CHUNK_PATH)).decode()
        raise _Damage(f"column '{_name(path)}' is called '{found}' in row group {number}")
    for field in _NUMBERS_OF_CHUNK:
        _integer(column, field)
    if column[CHUNK_TYPE][1] != kind or kind > _LAST_TYPE:
        raise _Damage(f"column '{_name(path)}' has several types")
    if column[CHUNK_CODEC][1] > _LAST_CODEC:
        raise _Damage(f"column '{_name(path)}' has compression {column[CHUNK_CODEC][1]}, which is not known")
    if not {int}.issuperset(map(type, items(column, CHUNK_ENCODINGS))):
        raise _Damage(f"column '{_name(path)}' has encodings that are no numbers")
    sizes = column[CHUNK_SIZES][1] if CHUNK_SIZES in column else {}
    if sizes:
        _check_sizes(sizes, leaf)
    if kind != _BYTE_ARRAY:
        return 0
    return _integer(sizes, _TEXT_BYTES) if _TEXT_BYTES in sizes else None


def _name(path: Iterable[bytes]) -> str:
    return b".".join(path).decode()


def _check_sizes(sizes: Struct, leaf: _Leaf) -> None:
    kind, path, repetition, definition = leaf
    for field, most in ((_REPETITION_LEVELS, repetition), (_DEFINITION_LEVELS, definition)):
        counts = items(sizes, field) if field in sizes else []
        if counts and len(counts) != most + 1:
            raise _Damage(f"column '{_name(path)}' has levels up to {most}, and counts of "
                          f"{say_count(len(counts), 'level')}")
    if _TEXT_BYTES in sizes and kind != _BYTE_ARRAY:
        raise _Damage(f"column '{_name(path)}' has the size of texts, and is of another type")


def _leaves(footer: Struct) -> Iterator[_Leaf]:
    """Each leaf of the schema, in turn."""
    root, *elements = items(footer, FILE_SCHEMA)
    ends: list[list[Any]] = [[_children(root), [], 0, 0]]  # of each open element: children to come, path, levels
    for element in elements:
        while ends and ends[-1][0] == 0:
            ends.pop()
        if not ends:
            raise _Damage("its schema has columns that belong to none")
        ends[-1][0] -= 1
        _, path, repetition, definition = ends[-1]
        element[ELEMENT_NAME][1].decode()  # raises ValueError for what is no name
        path = [*path, element[ELEMENT_NAME][1]]
        kind = element.get(_REPETITION, (None, 0))[1]
        repetition, definition = repetition + (kind == _REPEATED), definition + (kind in (_OPTIONAL, _REPEATED))
        if _children(element):
            ends.append([_children(element), path, repetition, definition])
        elif CHUNK_TYPE in element:
            yield element[CHUNK_TYPE][1], path, repetition, definition
    if any(missing for missing, *_ in ends):
        raise _Damage("its schema is cut short")


def _children(element: Struct) -> int:
    return _integer(element, ELEMENT_CHILDREN) if ELEMENT_CHILDREN in element else 0


def _integer(struct: Struct, field: int) -> int:
    """A number that is not below 0."""
    kind, value = struct[field]
    if kind not in _INTEGERS or value < 0:
        raise _Damage("a number is out of its range")
    return cast(int, value)
