"""The options of functions, from the library's catalogue: real keyword parameters, and what help(sortie) says of them."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from typing import Any

from . import _native

FILES, RECORDS, JOINS, TABLES, ARRAYS, CLUSTERS, CLUSTER_TABLES = (1 << bit for bit in range(7))
_GROUPS = ("records", "order", "action", "resources", "observation")
CATALOGUE = sorted(_native.option_catalogue(), key=lambda option: _GROUPS.index(option["group"]))
# Who hears of a sort is Python's business alone: each with its type and what it is.
LISTENERS = {
    "progress": ("bool | Callable[[str, int, int], object]",
                 "True: a bar (of tqdm if it is installed); a callable gets (phase, done_bytes, total_bytes), where "
                 "total_bytes is 0 if it is unknown, up to ten times a second, and at begin and end of every phase"),
    "warn": ("Callable[[str], object]",
             "a callable gets warnings of one line each; default: warnings.warn(..., sortie.SortWarning)"),
}


def type_of(option):
    if option["type"] != "Literal":
        return option["type"]
    return "Literal[{}]".format(", ".join(f'"{word}"' for word in option["values"].split()))


def types_of(functions, listens=True):
    """Maps the names of the options of these functions to their types, without None, which all of them take."""
    types = {option["name"]: type_of(option) for option in CATALOGUE if option["functions"] & functions}
    return {**types, **({name: told[0] for name, told in LISTENERS.items()} if listens else {})}


def takes_options(own: str, functions: int, listens: bool = True) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Gives a function the options of `functions` as keyword parameters, behind its own, which are written as in a def.
    It gets those that it names itself, and the others that are not None as a dict, last. An option of the name of an own
    parameter is that parameter."""
    def made(implementation):
        name = implementation.__name__
        code = implementation.__code__
        passed = code.co_varnames[:code.co_argcount - 1]
        written = _names_in(own)
        types = {option: kind for option, kind in types_of(functions, listens).items() if option not in written}
        parameters = ", ".join([own, *(["*"] if "*" not in own else []),
                                *(f"{option}: {kind} | None = None" for option, kind in types.items())])
        options = ", ".join(f"({option!r}, {option})" for option in (*written, *types) if option not in passed)
        result = implementation.__annotations__.get("return")
        function = _defined(name, f"({parameters}){f' -> {result}' if result else ''}:\n"
                            f"    options = {{name: value for name, value in ({options},) if value is not None}}\n"
                            f"    return implementation({', '.join(passed)}, options)\n", implementation)
        function.__doc__ = implementation.__doc__
        function.__module__ = implementation.__module__
        function.__qualname__ = implementation.__qualname__
        return function
    return made


def _defined(name, text, implementation=None):
    """Annotations stay words: they are for those who read them, and for the stubs."""
    scope = {"implementation": implementation}
    exec(compile(f"def {name}{text}", __file__, "exec", annotations.compiler_flag), scope)
    return scope[name]


def _names_in(own):
    code = _defined("own", f"({own}): pass").__code__
    return code.co_varnames[:code.co_argcount + code.co_kwonlyargcount]


def described():
    """The options of all functions in three lists, for help(sortie)."""
    sections = {"What the result is": [], "How it is reached": [], "What is told": []}
    for option in CATALOGUE:
        if option["help"]:
            title = {"resources": "How it is reached", "observation": "What is told"}.get(option["group"],
                                                                                         "What the result is")
            sections[title] += _columns(option["name"], option["help"])
    for name, (_, text) in LISTENERS.items():
        sections["What is told"] += _columns(name, text)
    return "\n".join("\n".join([title, *lines]) for title, lines in sections.items())


def _columns(name, text):
    """Lines of at most 118 columns, of which the text begins in column 18."""
    return textwrap.wrap(text, 118, initial_indent=f"    {name:13} ", subsequent_indent=" " * 18, break_long_words=False,
                         break_on_hyphens=False)
