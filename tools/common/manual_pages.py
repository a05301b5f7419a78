"""Writes the manual pages of the package's commands, from the tables of their --help.

usage: manual_pages.py FOLDER, with the package of the build tree on PYTHONPATH
"""

import pathlib
import re
import sys
import textwrap
from collections.abc import Iterable, Iterator

from sortie import __version__

from sortie.jobs import parquet_command
from sortie.prepare import prepare_command
from sortie._commands import CommandHelp, Option, OptionGroup
from sortie.cluster import command_line, simulate

ROOT = pathlib.Path(__file__).resolve().parents[2]
_SIGNS = {"\\": r"\e", "-": r"\-", "'": r"\(aq", "`": r"\(ga", "^": r"\(ha", "~": r"\(ti"}


def escaped(text: str) -> str:
    return "".join(_SIGNS.get(sign, sign) for sign in text)


def bold(text: str) -> str:
    return rf"\fB{escaped(text)}\fR"


def italic(text: str) -> str:
    return rf"\fI{escaped(text)}\fR"


def marked_form(form: str) -> str:
    """Words in capitals stand for something; options and the names of what a command does are to be typed."""
    words = re.findall(r"[A-Z]+|-{0,2}[a-z][a-z0-9-]*|[^A-Za-z-]+|-", form)
    return "".join(italic(word) if word.isupper() else bold(word) if word[0].isalpha() or word[0] == "-"
                   else escaped(word) for word in words)


def words_of(text: str) -> Iterator[str]:
    """Lines of roff are short by custom. One that begins with a dot would be a macro."""
    for line in textwrap.wrap(escaped(text), 78, break_on_hyphens=False, break_long_words=False):
        yield r"\&" + line if line.startswith(".") else line


def option_lines(option: Option) -> Iterator[str]:
    yield ".TP"
    joint = "=" if option.names[-1].startswith("--") else " "
    yield ", ".join(map(bold, option.names)) + (joint + italic(option.value) if option.value else "")
    yield from words_of(option.text)


def section(title: str, text: str) -> Iterator[str]:
    yield f".SH {title.upper()}"
    yield from words_of(text)


def day_of_version() -> str:
    """The same as on the pages of the other commands."""
    header = (ROOT / "include" / "sortie" / "version.hpp").read_text(encoding="utf-8")
    return re.search(r'SORTIE_DATE "([0-9-]+)"', header)[1]


def page(told: CommandHelp, groups: Iterable[OptionGroup]) -> Iterator[str]:
    yield f'.TH {told.name.upper()} 1 {day_of_version()} "sortie {__version__}" "User Commands"'
    yield ".SH NAME"
    yield rf"{escaped(told.name)} \- {escaped(told.purpose)}"
    yield ".SH SYNOPSIS"
    yield "\n.br\n".join(f"{bold(told.name)} {marked_form(form)}" for form in told.forms)
    yield from section("Description", told.description)
    yield ".SH OPTIONS"
    for group in groups:
        if group.title:
            yield f".SS {escaped(group.title)}"
        for option in group.options:
            yield from option_lines(option)
    yield from section("Exit status", told.exit_status)
    yield from section("Environment", told.environment)
    yield from section("Files", told.files)
    yield ".SH EXAMPLES"
    for command, meaning in told.examples:
        yield from (".TP", bold(command), *words_of(meaning))
    yield ".SH SEE ALSO"
    yield ",\n".join(f".BR {escaped(name)} (1)" for name in told.references)


def main() -> None:
    folder = pathlib.Path(sys.argv[1])
    pages = ((parquet_command.HELP, parquet_command.option_groups()),
             (prepare_command.HELP, prepare_command.option_groups()),
             (command_line.HELP, (*command_line.OPTIONS, *simulate.option_groups())))
    for told, groups in pages:
        text = "\n".join(page(told, groups)) + "\n"
        (folder / f"{told.name}.1").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
