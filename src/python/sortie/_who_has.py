"""Arguments that a function of tables does not have, and another one has: Python's own words, with a remedy behind
them."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from ._arguments import TABLES, types_of
from ._errors import ArgumentTypeError
from ._table_options import IN_PLACE, ON_CLUSTER, OWNERS, SORT_PARQUET, SORT_TABLE, TABLE_OPTIONS

# For what another function has, or a name that is near.
_INSTEAD = {
    (ON_CLUSTER, "keep"): 'with unique=True a cluster leaves the first of equal rows, and with keep_last=True the last '
    'one; by values of a '
                          "column sortie.sort_parquet() does so, on one machine",
    (ON_CLUSTER, "output_format"): "a cluster writes tables as Parquet: leave it out",
    (IN_PLACE, "output"): "files are sorted where they are: leave it out, or call sort_parquet()",
}


def telling_who_has(taken: Callable[..., Any], function: int) -> Callable[..., Any]:
    """The function with a remedy behind Python's own words for an argument that it does not have, and another one
    has."""
    code = taken.__code__  # to import inspect takes long
    known = set(code.co_varnames[:code.co_argcount + code.co_kwonlyargcount])
    of_tables = types_of(TABLES)
    owners = {option.name: OWNERS[SORT_PARQUET if option.functions & SORT_PARQUET else SORT_TABLE]
              for option in TABLE_OPTIONS}
    where = "sortie." if function == ON_CLUSTER else ""

    @functools.wraps(taken)
    def telling(*arguments: Any, **options: Any) -> Any:
        for name in options.keys() - known:
            owner = owners.get(name, "sort_parquet()" if name in of_tables else None)
            has_it = f"{where}{owner} has it" + ", on one machine" * (function == ON_CLUSTER) if owner else None
            instead = _INSTEAD.get((function, name), has_it)
            if instead:
                raise ArgumentTypeError(f"{taken.__name__}() got an unexpected keyword argument '{name}': {instead}")
        return taken(*arguments, **options)

    return telling
