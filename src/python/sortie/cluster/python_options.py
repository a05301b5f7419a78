"""Arguments of Python's callers as options of the command, where a job has commands that take them."""

import os
from collections.abc import Callable, Mapping
from typing import Any

from .. import Error
from .._arguments import CATALOGUE, size_of
from .._errors import ArgumentError
from .arguments import LETTERS, SEED, SORT_OPTIONS

# Arguments of sortie.sort_files(), by their names.
_ARGUMENTS = {option["name"]: option for option in CATALOGUE if option["name"]}
# The letters that `ordering` is made of: they have no argument of their own.
_ORDERING = "".join(option["short_name"] for option in CATALOGUE if option["group"] == "order" and not option["name"])


def options_of_names(arguments: Mapping[str, Any]) -> list[tuple[str, str | None]]:
    """Arguments of sortie.sort_files() as options of the command."""
    options: list[tuple[str, str | None]] = []
    if arguments.get("group") is not None and arguments.get("count"):
        # On a command line it would be an aggregate.
        raise Error("groups have their counts as aggregates: ask for no other count")
    if arguments.get("sample_seed") is not None:
        if "\0" in str(arguments["sample_seed"]):
            raise ArgumentError("sample_seed holds a NUL character, which no command can be given")
        arguments = {**arguments, "sample": f"{arguments['sample']},{arguments['sample_seed']}", "sample_seed": None}
    for name, value in arguments.items():
        argument = _ARGUMENTS["engine" if name == "sort_engine" else name]
        option = argument["long_name"]
        if value is None:
            continue
        if name == "header_lines" and not value:
            options += [("no-header", None)] if arguments.get("format") in ("csv", "tsv") else []
        elif name in _OTHERS:
            options += _OTHERS[name](value)
        elif not argument["takes"]:
            options += [(option, None)] if value else []
        elif "Iterable" in argument["type"]:
            options += [(option, _text(item)) for item in ([value] if isinstance(value, str) else value)]
        else:
            options.append((option, _text(value)))
    return options


def _text(value: Any) -> str:
    return os.fsdecode(value) if isinstance(value, (str, bytes, os.PathLike)) else str(value)


def _delimiter(value: Any) -> list[tuple[str, str | None]]:
    if _text(value) not in ("\n", "\0"):
        raise Error(f"invalid value {value!r} for delimiter: on a cluster it is a newline or NUL")
    return [("zero-terminated", None)] if _text(value) == "\0" else []


def _separator(value: Any) -> list[tuple[str, str | None]]:
    """The command takes these words for other characters, and no argument holds NUL."""
    text = _text(value)
    if text in (r"\0", r"\t") or ("\0" in text and text != "\0"):
        raise Error(f"invalid value {value!r} for separator: on a cluster it cannot be that")
    return [("field-separator", r"\0" if text == "\0" else text)]


def _missing_words(value: Any) -> list[tuple[str, str | None]]:
    if isinstance(value, bool):
        return [("na", None)] if value else []
    words = [value] if isinstance(value, str) else [_text(word) for word in value]
    if any("," in word for word in words):
        raise Error(f"invalid value {value!r} for na: on a cluster a word holds no comma")
    return [("na", ",".join(words))]


def _format(value: Any) -> list[tuple[str, str | None]]:
    """Some have an option of their name."""
    return [("format", _text(value)) if SORT_OPTIONS.get(value) is None else (value, None)]


def _ordering(value: str) -> list[tuple[str, str | None]]:
    if not set(value) <= set(_ORDERING):
        raise Error(f"invalid value '{value}' for ordering: known are the letters {', '.join(_ORDERING)}")
    return [(LETTERS[letter], None) for letter in value]


def _size(argument: str, option: str) -> Callable[[Any], list[tuple[str, str | None]]]:
    """In bytes, as the command takes no size like 64MB, and a number without a unit for KiB."""
    return lambda value: [(option, f"{size_of(value, argument)}b")]


def _group(value: Any) -> list[tuple[str, str | None]]:
    """Each aggregate has an option of its name."""
    aggregates = [value] if isinstance(value, str) else [_text(item) for item in value]
    pairs = (aggregate.partition(":") for aggregate in aggregates)
    return [("group", None), *((name, column if colon else None) for name, colon, column in pairs)]


def _unpack(value: Any) -> list[tuple[str, str | None]]:
    if not value:
        raise ArgumentError("invalid value False for unpack: commands of a cluster unpack what is packed; leave it "
                            "out, or sort with sortie.sort_files()")
    return []


_OTHERS: dict[str, Callable[[Any], list[tuple[str, str | None]]]] = {
    "memory": _size("memory", "buffer-size"),
    "device_memory": _size("device_memory", "device-memory"),
    "split_size": _size("split_size", "split-size"),
    "ordering": _ordering,
    "format": _format,
    "delimiter": _delimiter,
    "header_lines": lambda value: [("header", str(value))],
    "na": _missing_words,
    "separator": _separator,
    "set_operation": lambda value: [(_text(value), None)],
    "group": _group,
    "shuffle": lambda value: [("shuffle", value if isinstance(value, str) else None)] if value else [],
    "keep_last": lambda value: [("keep", "last")] if value else [],
    "keep_best": lambda value: [("keep", _text(value))],
    "verify": lambda value: [] if value else [("verify", "off")],
    "unpack": _unpack,
    "random_seed": lambda value: [(SEED, bytes(value).hex())],
    "devices": lambda value: [("devices", value if isinstance(value, str) else ",".join(map(str, value)))],
}
