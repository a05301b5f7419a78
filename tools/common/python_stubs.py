"""Writes the stub files of the Python package, whose functions take the options of the catalogue.

    python_stubs.py TEMPLATE OUT

The package must be on PYTHONPATH. In a template, a line "OPTIONS OF FILES" stands for the arguments of such functions.
"""

import pathlib
import re
import sys

from sortie import _options

# Functions of the package, and whether somebody hears how far they are.
KINDS = {
    "FILES": (_options.FILES, True),
    "PLANS": (_options.FILES, False),
    "JOINS": (_options.JOINS, True),
    "JOIN PLANS": (_options.JOINS, False),
    "RECORDS": (_options.RECORDS, True),
    "TABLES": (_options.TABLES, True),
    "ARRAYS": (_options.ARRAYS, True),
    "CLUSTERS": (_options.CLUSTERS, False),
    "TABLES OF CLUSTERS": (_options.CLUSTER_TABLES, False),
}
PLACE = re.compile(r"^( *)OPTIONS OF ([A-Z ]+)$")
PARAMETER = re.compile(r"^ *(\w+): ")


def expanded(lines):
    """A parameter that is written in the template is not there a second time."""
    written = set()
    for line in lines:
        place = PLACE.match(line)
        if place is None:
            parameter = PARAMETER.match(line)
            written = written | {parameter[1]} if parameter else set() if "def " in line else written
            yield line
            continue
        functions, listens = KINDS[place[2]]
        for name, kind in _options.types_of(functions, listens).items():
            if name not in written:
                yield f"{place[1]}{name}: {kind} | None = None,"


def main(template, out):
    lines = expanded(pathlib.Path(template).read_text(encoding="utf-8").splitlines())
    pathlib.Path(out).unlink(missing_ok=True)  # it may be a link, whose target is not to change
    pathlib.Path(out).write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
