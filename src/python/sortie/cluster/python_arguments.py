"""Arguments of Python's callers: their types and values, checked as sortie.sort_files() checks its own, and messages in
their words. What comes behind speaks of the command's options."""

import contextlib
import errno
import os
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, cast

from .._arguments import CATALOGUE, check_join_options, check_options, count_of, named, one_path, text_of, word_of
from .._errors import ArgumentError, ArgumentTypeError, Error, file_error, without_controls
from .job_plan import refuse_too_many_workers

ENGINES = ("local", "ray", "slurm")
# How Python's callers name the options of the command.
_NAMES = {"--nulls": "nulls",
          **{option: found["name"] for found in CATALOGUE if found["name"] and found["long_name"]
             for option in (f"--{found['long_name']}", f"-{found['short_name']}")}}
_OPTION = re.compile(r"(with |than |give |(?<![-\w/]))(--[a-z][a-z-]*|-[STo])(?:=([A-Za-z0-9_:./]+))?(?![-\w])")
_ARGUMENT = re.compile(r'\b([a-z_]+)="?([A-Za-z0-9]*)"?')


def checked_options(options: Mapping[str, Any], for_tables: bool = False,
                    sides: list[Any] | None = None) -> dict[str, Any]:
    """Raises TypeError and ArgumentError for what sortie.sort_files() or sort_table() would refuse, or join_files() of
    these sides. Arguments that are not known are left to whoever takes the options."""
    of_sort = {"engine" if name == "sort_engine" else name: value for name, value in options.items()}
    try:
        if sides is None:
            check_options(of_sort, for_tables)
        else:
            check_join_options(of_sort, sides)
    except Error as error:
        if "sort_engine" in options:
            text = str(error).replace(" for engine: ", " for sort_engine: ").replace("engine must", "sort_engine must")
            error.args = (text, *error.args[1:])
        raise
    return {name: value for name, value in options.items() if value is not None}


def checked_paths(inputs: Any) -> list[str]:
    paths = named(inputs, "files")
    names = [os.fsdecode(path) for path in (paths if isinstance(paths, list) else [paths])]
    if "" in names:
        raise _no_such_file("read")
    return names


def checked_path(path: Any, name: str) -> str:
    return os.fsdecode(one_path(path, name))


def checked_output(path: Any) -> str:
    output = checked_path(path, "output")
    if not output:
        raise _no_such_file("write")
    return output


def _no_such_file(doing: str) -> Error:
    """An empty name, which stands for the current directory where paths are put together."""
    return cast(Error, file_error(f"cannot {doing} '': {os.strerror(errno.ENOENT)}", None, errno.ENOENT, ""))


def own_words(options: dict[str, Any]) -> dict[str, str]:
    """Takes the arguments that are the cluster's own out of all, as the words of its options."""
    own = {name: check(options.pop(name), name) for name, check in _OWN.items() if name in options}
    if own["engine"] == "local":
        refuse_too_many_workers(int(own["workers"]) if "workers" in own else None)
    return own


def _path_word(value: Any, name: str) -> str:
    text = checked_path(value, name)
    if text == "" and name != "job":
        raise ArgumentError(f"invalid value '' for {name}: give a path, or None for none")
    if (name, text) == ("trace", "-"):
        raise ArgumentError('trace is "-", and standard output is no place for it: name a file, or "./-" for one of '
                            'that '
                            "name")
    return text


def _count_word(value: Any, name: str) -> str:
    return str(count_of(value, name))


def _size_word(value: Any, name: str) -> str:
    """An int is one of bytes."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise ArgumentTypeError(f'{name} must be an int or a str such as "50G", not {type(value).__name__}')
    return _count_word(value, name)


def _word(value: Any, name: str) -> str:
    return word_of(value, name, ENGINES) if name == "engine" else text_of(value, name)


_OWN: dict[str, Callable[[Any, str], str]] = {
    "job": _path_word, "engine": _word, "shard": _size_word, "ranges": _count_word, "scratch": _path_word,
    "workers": _count_word, "attempts": _count_word, "command": _path_word, "address": _word, "trace": _path_word}


@contextlib.contextmanager
def in_words_of_python() -> Iterator[None]:
    try:
        yield
    except Error as error:
        text = without_controls(as_argument(str(error)))
        if type(error) is Error and text.startswith("invalid value "):
            raise ArgumentError(text, error.remedy) from error.__cause__
        error.args = (text, *error.args[1:])
        raise


def as_argument(message: str) -> str:
    """A message with arguments in place of options."""
    return _OPTION.sub(_name_of, message)


def as_options(advice: str) -> str:
    """Words that name the argument that helps, with the option in its place."""
    return _ARGUMENT.sub(_option_of, advice)


def _option_of(found: re.Match[str]) -> str:
    name, value = found.groups()
    options = [option for option, argument in _NAMES.items() if argument == name and option.startswith("--")]
    option = options[0] if options else f"--{name.replace('_', '-')}"
    return f"{option}={value}" if value else option


def _name_of(found: re.Match[str]) -> str:
    before, option, value = found.groups()
    name = _NAMES.get(option, option.removeprefix("--").replace("-", "_"))
    if value is not None:
        is_number = value.isdigit() or value == "N"
        return f"{before}{name}={value if is_number else repr(value)}"
    return f"{before}{name}{'=' if before else ''}"
