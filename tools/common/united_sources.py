"""The commands of a unity build, and the sources that each of them compiles as one. Used by tools/tidy and
tools/check-includes."""

import dataclasses
import json
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "sources"  # its own, so that it can be configured while CI builds


@dataclasses.dataclass
class Unit:
    """A file that the compiler is given. `sources` are the project's sources that it unites, or the file itself."""
    file: pathlib.Path
    directory: str
    arguments: list
    sources: list

    def folder(self):
        """The top folder of its sources: src, kernels, tools or tests."""
        return self.sources[0].relative_to(ROOT).parts[0]

    def command_for(self, source):
        """The command that reads one of its sources by itself, with no header but those that it includes, and makes no
        code."""
        words = iter(self.arguments)
        arguments = []
        for word in words:
            if word in ("-o", "-include"):
                next(words)
            elif word not in (str(self.file), "-c", "-g", "-g1", "-O2", "-Winvalid-pch"):
                arguments.append(word)
        if arguments[0].endswith("ccache"):
            del arguments[0]
        return [*arguments, "-fsyntax-only", str(source)]


def sources_of(file):
    if file.is_relative_to(BUILD):
        return [pathlib.Path(name) for name in re.findall(r'#include "(.*\.cpp)"', file.read_text())]
    return [file]


def units():
    """All host sources, with the options of the build for tests."""
    subprocess.run(["bash", "-c", "source tools/common/build.bash; configure sources"], cwd=ROOT, check=True)
    entries = json.loads((BUILD / "compile_commands.json").read_text())
    named = {}
    for entry in entries:
        file = pathlib.Path(entry["file"])
        if file.suffix in (".cpp", ".cxx"):
            named[file] = Unit(file, entry["directory"], shlex.split(entry["command"]), sources_of(file))
    return [unit for unit in named.values() if unit.sources]


@dataclasses.dataclass
class Part:
    """Every `stride`th thing, from number `first` on, counted from 0."""
    first: int = 0
    stride: int = 1

    @staticmethod
    def of(words):
        """The part that the first word asks for, --part=K/N, and the other words."""
        if not words or not words[0].startswith("--part="):
            return Part(), words
        found = re.fullmatch(r"--part=([1-9]\d*)/([1-9]\d*)", words[0])
        if not found or int(found[1]) > int(found[2]):
            print(f"{words[0]}: --part=K/N takes two numbers, and K is at most N", file=sys.stderr)
            sys.exit(2)
        return Part(int(found[1]) - 1, int(found[2])), words[1:]

    def taken(self, things):
        return things[self.first::self.stride]
