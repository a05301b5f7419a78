"""Arguments of functions: options from the catalogue of the library, as real keyword parameters, with what help(sortie)
says of them; counts; the files that are named as inputs, and those that must not be named twice."""

from __future__ import annotations

import operator
import os
import stat
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, TypeGuard

from . import _native
from ._errors import ArgumentError, ArgumentTypeError, Error
from ._same_paths import AnyPath, is_same

FILES, RECORDS, JOINS, TABLES, ARRAYS, CLUSTERS, CLUSTER_TABLES, CHECKS = (1 << bit for bit in range(8))
_GROUPS = ("records", "order", "action", "resources", "observation")
CATALOGUE: list[dict[str, Any]] = sorted(_native.option_catalogue(), key=lambda option: _GROUPS.index(option["group"]))
# Who hears of a sort is Python's business alone: each with its type and what it is.
LISTENERS = {
    "progress": ("bool | Callable[[str, int, int], object]",
                 "True: a bar (of tqdm if it is installed); a callable gets (phase, done_bytes, total_bytes), where "
                 "total_bytes is 0 if it is unknown, up to ten times a second, and at begin and end of every phase"),
    "warn": ("Callable[[str], object]",
             "a callable gets warnings of one line each; default: warnings.warn(..., sortie.SortWarning)"),
}


# What says which rows a sort leaves, and what tells of one sort in a file: not for functions in which other rows come
# out, or which sort twice.
ACTIONS = tuple(option["name"] for option in CATALOGUE if option["group"] == "action")
ONE_REPORT = ("stats_json", "report", "trace")


def types_of(functions: int, listens: bool = True, without: Collection[str] = ()) -> dict[str, str]:
    """Maps the names of the options of these functions to their types, without None, which all of them take. without:
    names that are left out."""
    types = {option["name"]: option["type"] for option in CATALOGUE
             if option["functions"] & functions and option["name"] not in without}
    words = {option["name"]: ", ".join(f'"{word}"' for word in option["values"].split()) for option in CATALOGUE}
    types.update((name, f"Literal[{words[name]}]") for name, kind in types.items() if kind == "Literal")
    return {**types, **({name: told[0] for name, told in LISTENERS.items()} if listens else {})}


def takes_options(own: str, functions: int, listens: bool = True,
                  without: Collection[str] = ()) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Gives a function the options of `functions` as keyword parameters, behind its own, which are written as in a def.
    It gets those that it names itself, and the others that are not None as a dict, last. An option of the name of an
    own parameter is that parameter."""
    def made(implementation: Callable[..., Any]) -> Callable[..., Any]:
        name = implementation.__name__
        code = implementation.__code__
        passed = code.co_varnames[:code.co_argcount - 1]
        written = _names_in(own)
        types = {option: kind for option, kind in types_of(functions, listens, without).items()
                 if option not in written}
        parameters = ", ".join([own, *(["*"] if "*" not in own else []),
                                *(f"{option}: {kind} | None = None" for option, kind in types.items())])
        options = "".join(f"    if {option} is not None: options[{option!r}] = {option}\n"
                          for option in (*written, *types) if option not in passed)
        result = implementation.__annotations__.get("return")
        function: Callable[..., Any] = _defined(name, f"({parameters}){f' -> {result}' if result else ''}:\n"
                            f"    options = {{}}\n{options}"
                            f"    return implementation({', '.join(passed)}, options)\n", implementation)
        function.__doc__ = implementation.__doc__
        function.__module__ = implementation.__module__
        function.__qualname__ = implementation.__qualname__
        return function
    return made


def _defined(name: str, text: str, implementation: Callable[..., Any] | None = None) -> Any:
    """Annotations stay words: they are for those who read them, and for the stubs."""
    scope: dict[str, Any] = {"implementation": implementation}
    exec(compile(f"def {name}{text}", __file__, "exec", annotations.compiler_flag), scope)
    return scope[name]


def _names_in(own: str) -> tuple[str, ...]:
    code = _defined("own", f"({own}): pass").__code__
    names: tuple[str, ...] = code.co_varnames[:code.co_argcount + code.co_kwonlyargcount]
    return names


def described() -> str:
    """The options of all functions in three lists, for help(sortie)."""
    sections: dict[str, list[str]] = {"What the result is": [], "How it is reached": [], "What is told": []}
    for option in CATALOGUE:
        if option["help"]:
            title = {"resources": "How it is reached", "observation": "What is told"}.get(option["group"],
                                                                                         "What the result is")
            sections[title] += _columns(option["name"], option["help"])
    for name, (_, text) in LISTENERS.items():
        sections["What is told"] += _columns(name, text)
    return "\n".join("\n".join([title, *lines]) for title, lines in sections.items())


def _columns(name: str, text: str) -> list[str]:
    """Lines of at most 118 columns, of which the text begins in column 18."""
    lines, line = [], f"    {name:13}"
    for word in text.split():
        if len(line) + 1 + len(word) > 118:
            lines.append(line)
            line = " " * 17
        line += f" {word}"
    return [*lines, line]


def flag_of(value: Any, name: str) -> bool:
    if not is_flag(value):
        raise ArgumentTypeError(f"{name} must be True or False, not {type(value).__name__}")
    return bool(value)


def is_flag(value: Any) -> bool:
    """Whether it is a bool, of Python or of NumPy, which need not be installed."""
    kind = type(value)
    return kind is bool or (kind.__module__ == "numpy" and kind.__name__ in ("bool", "bool_"))


def text_of(value: Any, name: str) -> str:
    if not isinstance(value, str):
        raise ArgumentTypeError(f"{name} must be a str, not {type(value).__name__}")
    return value


def word_of(value: Any, name: str, words: Iterable[str]) -> str:
    """One of the words."""
    if text_of(value, name) not in words:
        raise ArgumentError(f"invalid value '{value}' for {name}: known are {', '.join(words)}")
    return str(value)


def count_of(value: Any, name: str) -> int:
    """A number of 1 or more as an int, of Python or anything else that is one, as those of NumPy are."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise ArgumentTypeError(f"{name} must be an int, not {type(value).__name__}")
    count = operator.index(value)
    if not 0 < count < 1 << 63:
        raise ArgumentError(f"invalid value '{count}' for {name}: give 1 or more")
    return count


def size_of(value: Any, name: str) -> int:
    """Bytes: an int, or a text such as "64MB" or "1G", as `memory` has them."""
    return min(int(_native.size_of(value, name)), (1 << 63) - 1)


def threads_of(options: Mapping[str, Any]) -> int:
    """CPU threads of a call with these options: as many as the process may use, unless it says how many."""
    given = options.get("threads")
    return len(os.sched_getaffinity(0)) if given is None else min(count_of(given, "threads"), int(_native.most_threads))


_PATHS = "a path (str, bytes or os.PathLike)"
# What files of tables begin and end with, and begin with alone. Their bytes are no lines, and whoever sorts them as
# such loses the table. Texts may begin and end with these letters: the length of the footer stands in front of the last
# ones.
_TABLE_MARKS = {b"PAR1": "Parquet", b"PARE": "Parquet", b"ARROW1": "Arrow"}
_LONGEST_MARK, _LENGTH_BYTES = 6, 4
_FORMATS_OF_LINES = (None, "lines", "csv", "tsv", "jsonl", "bed", "vcf", "gff", "gtf")


def named(inputs: Any, known: str = 'files, or "-" for standard input') -> AnyPath | list[AnyPath]:
    """A path, or a list. Refuses an empty one, which means standard input elsewhere."""
    if is_path(inputs):
        return one_path(inputs, "inputs")
    if is_no_list(inputs):
        raise ArgumentTypeError(f"inputs must be {_PATHS} or a list of them, not "
                                f"{type(inputs).__name__}{_advice(inputs)}")
    paths = list(inputs)
    for path in paths:
        if not is_path(path):
            raise ArgumentTypeError(f"inputs must be {_PATHS} or a list of them, not a {type(inputs).__name__} with an "
                                    f"item of type {type(path).__name__}{_advice(path)}")
        refuse_nul(path, "inputs")
    if not paths:
        raise ArgumentError(f"inputs is empty: name {known}")
    return paths


def one_path(path: Any, name: str) -> AnyPath:
    if is_path(path):
        refuse_nul(path, name)
        return path
    raise ArgumentTypeError(f"{name} must be {_PATHS}, not {type(path).__name__}{_advice(path)}")


def refuse_nul(path: AnyPath, name: str) -> None:
    """The system would take the name to end there, and mean another file."""
    if "\0" in os.fsdecode(path):
        raise ArgumentError(f"{name} is {os.fsdecode(path)!a}, which holds a NUL character: no file has such a name")


def is_path(thing: object) -> TypeGuard[AnyPath]:
    return isinstance(thing, (str, bytes)) or hasattr(thing, "__fspath__")


def refuse_no_output(output: object) -> None:
    if output is None:
        raise ArgumentTypeError('output must be a path, or "-" for standard output, not None')
    if is_path(output):
        refuse_nul(output, "output")


def lines_in(inputs: Any, options: dict[str, Any]) -> AnyPath | list[AnyPath]:
    """named(), for files of lines or records: tables are refused."""
    paths = named(inputs)
    for path in paths if isinstance(paths, list) else [paths]:
        line_file(path, "inputs", options)
    return paths


def line_file(path: Any, name: str, options: dict[str, Any]) -> AnyPath:
    """one_path(), for a file of lines or records."""
    given = one_path(path, name)
    as_lines = options.get("format") in _FORMATS_OF_LINES and options.get("unpack") is not False
    if as_lines and (kind := kind_of_table(given)):
        raise Error(f"'{os.fsdecode(given)}' is a file of {kind}, whose bytes are no lines: sort_parquet() sorts it")
    return given


def kind_of_table(path: AnyPath) -> str | None:
    """None for files that are no table, or cannot be read: the sort tells why."""
    try:
        path = os.fspath(path)
        if not stat.S_ISREG(os.stat(path).st_mode):
            return None
        with open(path, "rb") as file:
            begin = file.read(_LONGEST_MARK)
            size = file.seek(0, os.SEEK_END)
            file.seek(-min(size, _LONGEST_MARK + _LENGTH_BYTES), os.SEEK_END)
            end = file.read()
    except (OSError, ValueError):
        return None
    return next((kind for mark, kind in _TABLE_MARKS.items()
                 if begin.startswith(mark) and _ends_with_footer(end, mark, size)), None)


def _ends_with_footer(end: bytes, mark: bytes, size: int) -> bool:
    length = int.from_bytes(end[-len(mark) - _LENGTH_BYTES:-len(mark)], "little", signed=True)
    return end.endswith(mark) and 0 < length <= size - 2 * len(mark) - _LENGTH_BYTES


def check_options(options: dict[str, Any], for_tables: bool) -> None:
    """Raises what sort_files(), or sort_parquet(), would refuse of options before it looks at a file. Options that they
    do not know are left to others."""
    _native.check_options({name: value for name, value in options.items() if _native.has_option(name)}, for_tables)


def check_join_options(options: dict[str, Any], sides: list[Any]) -> None:
    """The same for join_files()."""
    known = {name: value for name, value in options.items() if _native.has_option(name)}
    _native.check_join_options({"inputs": sides, **known})


def refuse_used_twice(options: dict[str, Any], paths: Collection[AnyPath]) -> None:
    """The sort, which writes them, does not know the files that are read and written by others."""
    for name in ("stats_json", "trace", "report"):
        report = options.get(name)
        if is_path(report):
            refuse_nul(report, name)
        if is_path(report) and any(is_same(report, path) for path in paths):
            raise Error(f"{name} is also an input or the output, '{os.fsdecode(report)}': name another file")


def is_no_list(thing: object) -> bool:
    """Going through a file, bytes or a dict gives what nobody means by a list of names."""
    return isinstance(thing, (bytearray, memoryview, dict)) or hasattr(thing, "read") or not hasattr(thing, "__iter__")


def _advice(thing: object) -> str:
    return ", which is an open file: give its name" if hasattr(thing, "read") else ""
