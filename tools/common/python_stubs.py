"""Writes the stub files of the Python package, from its annotations and the catalogue of options.

    python_stubs.py TEMPLATE OUT

The package must be on PYTHONPATH. In a template these lines stand for others:

    FUNCTION sort_files     the signature of a function, or with (out: _Array) -> _Array behind it one of several, in which
                            this parameter and the result are of other types
    MEMBERS OF Report       the methods of a class that have annotations, and what a report tells
    OPTIONS OF TABLES       the arguments of such functions, where one has several signatures; OF SORTER: those of the catalogue of
                            tables; with NO in front: the same, which are None
"""

import functools
import importlib
import inspect
import pathlib
import re
import sys
import tempfile

import sortie
from sortie import _arguments, _table_options

PLACE = re.compile(r"^( *)(FUNCTION|MEMBERS OF|NO OPTIONS OF|OPTIONS OF) (\w+)(?:\((.*)\) -> (.*))?$")
WIDTH = 116
PARAMETER = re.compile(r"^ *(\w+): ")


def signature(function, other=None, result=None):
    """Lines of a def whose annotations are words. other: a parameter as it is to be written."""
    told = inspect.signature(function)
    words = []
    for parameter in told.parameters.values():
        if parameter.kind is parameter.KEYWORD_ONLY and "*" not in words:
            words.append("*")
        default = "" if parameter.default is parameter.empty else f" = {parameter.default!r}"
        mark = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
        kind = "" if parameter.annotation is parameter.empty else f": {parameter.annotation}"
        is_other = other is not None and other.startswith(f"{parameter.name}:")
        words.append(other if is_other else f"{mark}{parameter.name}{kind}{default}")
    begin, end = f"def {function.__name__}(", f") -> {result or told.return_annotation}: ..."
    if len(line := begin + ", ".join(words) + end) < WIDTH:
        yield line
    else:
        yield from [begin, *(f"    {word}," for word in words), end]


def members(kind):
    for name, value in report_values().get(kind.__name__, {}).items():
        yield f"{name}: {'float' if name.endswith('seconds') else type_word(value)}"
    found = {name: member for base in reversed(kind.__mro__) if base.__module__.startswith("sortie")
             for name, member in vars(base).items()}
    for name, member in found.items():
        is_property = isinstance(member, property)
        function = member.fget if is_property else member
        is_private = name.startswith("_") and not name.endswith("_")
        if inspect.isfunction(function) and "return" in function.__annotations__ and not is_private:
            yield from ["@property"] if is_property else []
            yield from signature(function)


@functools.cache
def report_values():
    """What reports tell of sorts of nothing."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "empty")
        path.touch()
        reports = [sortie.sort_files(path, path, engine="cpu"),
                   sortie.join_files(path, path, pathlib.Path(folder, "joined"), keys="1,1", engine="cpu")]
    return {type(report).__name__: {name: value for name, value in vars(report).items() if not name.startswith("_")}
            for report in reports}


def type_word(value):
    return "list[types.SimpleNamespace]" if isinstance(value, list) else type(value).__name__


def types_of(functions):
    if hasattr(_arguments, functions):
        return _arguments.types_of(getattr(_arguments, functions))
    return {option.name: option.type for option in _table_options.options_of(getattr(_table_options, functions))}


def expanded(lines, module):
    """A parameter that is written in the template is not there a second time."""
    written = set()
    for line in lines:
        place = PLACE.match(line)
        if place is None:
            parameter = PARAMETER.match(line)
            written = written | {parameter[1]} if parameter else set() if "def " in line else written
            yield line
        elif place[2].endswith("OPTIONS OF"):
            for name, kind in types_of(place[3]).items():
                if name not in written:
                    yield f"{place[1]}{name}: {'' if place[2].startswith('NO') else f'{kind} | '}None = None,"
        else:
            thing = getattr(module, place[3])
            told = members(thing) if place[2] == "MEMBERS OF" else signature(thing, place[4], place[5])
            yield from (place[1] + line for line in told)


def main(template, out):
    path = pathlib.Path(template)
    module = importlib.import_module("sortie.cluster" if path.parent.name == "cluster" else "sortie")
    lines = expanded(path.read_text(encoding="utf-8").splitlines(), module)
    pathlib.Path(out).unlink(missing_ok=True)  # it may be a link, whose target is not to change
    pathlib.Path(out).write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
