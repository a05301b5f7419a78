"""Gives functions of tables their parameters and docstrings, by the catalogues of options."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from typing import Any

from ._arguments import TABLES, takes_options
from ._table_options import AS_WRITTEN, ON_CLUSTER, OWNERS, not_with, options_of
from ._who_has import telling_who_has
from .columns.keys import OF_KEYS


def takes_table_options(own: str, function: int, functions: int = TABLES,
                        **others: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """takes_options() for a function of tables, with the options of keys and those of the table behind its own
    parameters. In the docstring a line `TABLE OPTIONS` stands for what they are."""
    parameters = ", ".join(f"{option.name}: {option.type}{'' if option.default is not None else ' | None'} = "
                           f"{option.default!r}"
                           for option in options_of(function))

    def made(implementation: Callable[..., Any]) -> Callable[..., Any]:
        taken = telling_who_has(takes_options(f"{own}, {OF_KEYS}, {parameters}", functions, **others)(implementation),
                                function)
        taken.__doc__ = (implementation.__doc__ or "").replace("    TABLE OPTIONS\n", _described(function))
        return taken
    return made


def _described(function: int) -> str:
    """Lines of a docstring."""
    lines, elsewhere = "", dict[str, list[str]]()
    for option in options_of(function):
        owner = next(OWNERS[known] for known in OWNERS if option.functions & known)
        if owner == OWNERS.get(function):
            lines += _lines(f"{option.name}: {option.text}{_not_with(not_with(option, function))}")
        else:
            elsewhere.setdefault(owner, []).append(option.name)
    # The functions of a cluster have the same names in a module of their own.
    module = "sortie." if function == ON_CLUSTER else ""
    for owner, names in elsewhere.items():
        lines += _lines(f"{', '.join(names)}: as {module}{owner} takes {'it' if len(names) == 1 else 'them'}.")
    return lines


def _lines(text: str) -> str:
    return textwrap.fill(text, 128, initial_indent="    ", subsequent_indent=" " * 8, break_on_hyphens=False,
                         break_long_words=False) + "\n"


def _not_with(names: Sequence[str]) -> str:
    names = [AS_WRITTEN.get(name, name) for name in names]
    return f" Not with {' or '.join(filter(None, (', '.join(names[:-1]), names[-1])))}." if names else ""
