"""Writes the stub files of the Python package, whose functions take the options of the catalogue.

    python_stubs.py TEMPLATE OUT

The package must be on PYTHONPATH. In a template, a line "FUNCTION name" stands for what the package says of the function,
and a line "OPTIONS OF TABLES" for the arguments of such functions, where one has several signatures.
"""

import importlib
import inspect
import pathlib
import re
import sys

from sortie import _options

PLACE = re.compile(r"^( *)OPTIONS OF ([A-Z]+)$")
FUNCTION = re.compile(r"^FUNCTION (\w+)$")
PARAMETER = re.compile(r"^ *(\w+): ")


def signature(function):
    """Lines of a def whose annotations are words."""
    told = inspect.signature(function)
    yield f"def {function.__name__}("
    stars = False
    for parameter in told.parameters.values():
        if parameter.kind is parameter.KEYWORD_ONLY and not stars:
            stars = True
            yield "    *,"
        default = "" if parameter.default is parameter.empty else f" = {parameter.default!r}"
        yield f"    {parameter.name}: {parameter.annotation}{default},"
    yield f") -> {told.return_annotation}: ..."


def expanded(lines, module):
    """A parameter that is written in the template is not there a second time."""
    written = set()
    for line in lines:
        place, function = PLACE.match(line), FUNCTION.match(line)
        if function is not None:
            yield from signature(getattr(module, function[1]))
        elif place is not None:
            for name, kind in _options.types_of(getattr(_options, place[2])).items():
                if name not in written:
                    yield f"{place[1]}{name}: {kind} | None = None,"
        else:
            parameter = PARAMETER.match(line)
            written = written | {parameter[1]} if parameter else set() if "def " in line else written
            yield line


def main(template, out):
    path = pathlib.Path(template)
    module = importlib.import_module("sortie.cluster" if path.parent.name == "cluster" else "sortie")
    lines = expanded(path.read_text(encoding="utf-8").splitlines(), module)
    pathlib.Path(out).unlink(missing_ok=True)  # it may be a link, whose target is not to change
    pathlib.Path(out).write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
