"""What commands of the package share: Ctrl-C while their modules are loaded, before they can handle it; and what --help
and the manual page say, from one table. tools/common/manual_pages.py writes the pages."""

import contextlib
import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

_MODULES = ("sortie", "sortie.cluster")
_SCRIPTS = ("sortie-cluster", "sortie-parquet", "sortie-prepare")


def let_ctrl_c_end_commands() -> None:
    """In a process that is about to run a command of the package: it ends without a traceback. Programs that import the
    package keep what they have."""
    is_module = sys.argv[:1] == ["-m"] and _module_name() in _MODULES
    is_script = os.path.basename(sys.argv[0] if sys.argv else "") in _SCRIPTS
    if (is_module or is_script) and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        try:
            signal.signal(signal.SIGINT, signal.SIG_DFL)
        except ValueError:
            pass  # of another thread than the first


def handle_ctrl_c() -> None:
    """From here on it is a KeyboardInterrupt again, unless it is ignored."""
    if signal.getsignal(signal.SIGINT) == signal.SIG_DFL:
        signal.signal(signal.SIGINT, signal.default_int_handler)


class Ended(BaseException):
    """By the signal of this number."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def handle_ends() -> None:
    """From here on SIGTERM and SIGHUP are an Ended, unless they are ignored: what lies in a hidden folder is
    removed."""
    def end(number: int, _: object) -> None:
        raise Ended(number)
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) == signal.SIG_DFL:
            with contextlib.suppress(ValueError):  # of another thread than the first
                signal.signal(number, end)


def _module_name() -> str:
    """What stands behind -m, while Python looks for it."""
    words = iter(sys.orig_argv)
    word = next((word for word in words if word.startswith("-m")), "-m")
    return word[2:] or next(words, "")


if TYPE_CHECKING:
    import argparse

_WIDTH = 118


class Option(NamedTuple):
    """names: "-o", "--output". value: "FILE", or "" if there is none."""

    names: tuple[str, ...]
    value: str
    text: str

    @property
    def tag(self) -> str:
        joint = "" if not self.value else "=" if self.names[-1].startswith("--") else " "
        return ", ".join(self.names) + joint + self.value


class OptionGroup(NamedTuple):
    """title: "" for the options that need none."""

    title: str
    options: tuple[Option, ...]


class CommandHelp(NamedTuple):
    """forms: what follows the name, for each way to call the command. examples: commands and what they do."""

    name: str
    purpose: str
    forms: tuple[str, ...]
    description: str
    exit_status: str
    environment: str
    files: str
    examples: tuple[tuple[str, str], ...]
    references: tuple[str, ...]

    @property
    def usage(self) -> str:
        calls = (f"{self.name} {form}" for form in self.forms)
        return "Usage: " + "\n  or:  ".join(calls)

    @property
    def introduction(self) -> str:
        return _indented(self.description, 0)

    @property
    def epilog(self) -> str:
        """What comes behind the options."""
        sections = (("Exit status", self.exit_status), ("Environment", self.environment), ("Files", self.files))
        texts = [f"{title}:\n{_indented(text, 2)}" for title, text in sections]
        examples = "\n".join(f"  {command}\n      {meaning}" for command, meaning in self.examples)
        return "\n\n".join([*texts, f"Examples:\n{examples}"])


def options_of(parser: "argparse.ArgumentParser") -> Iterator[Option]:
    for action in parser._actions:
        if action.option_strings:
            takes_value = action.nargs != 0
            value = action.metavar or "{" + ",".join(action.choices or ()) + "}"
            yield Option(tuple(action.option_strings), str(value) if takes_value else "", action.help or "")


def in_columns(groups: Iterable[OptionGroup], column: int) -> str:
    """Options with their texts from `column` on."""
    import textwrap

    lines: list[str] = []
    for group in groups:
        if lines:
            lines.append("")
        if group.title:
            lines.append(f"{group.title}:")
        for option in group.options:
            text = textwrap.wrap(option.text, _WIDTH - column, break_on_hyphens=False, break_long_words=False)
            fits = len(option.tag) <= column - 4
            lines.append(f"  {option.tag:{column - 4}}  {text.pop(0)}" if fits else f"  {option.tag}")
            lines += [" " * column + more for more in text]
    return "\n".join(lines)


def _indented(text: str, columns: int) -> str:
    import textwrap

    return "\n".join(" " * columns + line for line in textwrap.wrap(text, _WIDTH - columns, break_on_hyphens=False))


def ended_by(number: int) -> None:
    """Ends the process by a signal, as shells want to know which one it was."""
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


def run_command(name: str, run: Callable[[list[str]], None], as_said: Callable[[str], str] = str) -> None:
    """Runs a command with the words of its line. What goes wrong is one line that begins with `name`, and exit status
    2. as_said: makes of a message for programs one for who typed the words."""
    from . import Error
    from ._errors import without_controls

    try:
        handle_ctrl_c()
        handle_ends()
        run(sys.argv[1:])
    except KeyboardInterrupt:
        ended_by(signal.SIGINT)
    except Ended as end:
        ended_by(end.number)
    except (Error, OSError, TypeError, ValueError, RuntimeError) as error:
        print(f"{name}: {without_controls(as_said(str(error)))}", file=sys.stderr)
        sys.exit(2)
    except MemoryError:
        print(f"{name}: memory is exhausted: give less with --memory, or raise the limit", file=sys.stderr)
        sys.exit(2)
