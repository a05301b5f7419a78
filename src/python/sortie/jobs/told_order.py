"""Whether the order that a Parquet file tells, as sorting_columns, is that of its rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pyarrow

from .._errors import Error
from ..columns.keys import TableKey
from ..columns.schemas import TypedInput
from ..parquet import thrift as thrift
from ..parquet.parquet_footer import DAMAGE, columns_by_path, items
from ..parquet.parquet_input import ParquetInput

_SORTING = 4  # of the struct RowGroup
_LEAF, _FALLS, _NULLS_FIRST = 1, 2, 3  # of the struct SortingColumn

Disorder = Callable[[TypedInput, Sequence[TableKey]], int | None]
"""See first_disorder()."""


def tells_its_order(file: TypedInput, keys: Sequence[TableKey], first_disorder: Disorder) -> bool:
    """Whether each row group that tells an order is in it; of what tells none there is nothing to say. keys: an order
    in which the rows are known to be."""
    if not isinstance(file, ParquetInput):
        return True
    for number, group in enumerate(file.group_structs()):
        try:
            told = _told(group)
            if told != list(keys[:len(told)]) and first_disorder(file.of_groups([number]), told) is not None:
                return False
        except (*DAMAGE, Error, pyarrow.ArrowException):
            return False  # of what is no order here
    return True


def _told(group: dict[int, Any]) -> list[TableKey]:
    if _SORTING not in group:
        return []
    paths = list(columns_by_path(group))
    return [(paths[column[_LEAF][1]], column[_FALLS][0] == thrift.TRUE, column[_NULLS_FIRST][0] == thrift.TRUE)
            for column in items(group, _SORTING)]
