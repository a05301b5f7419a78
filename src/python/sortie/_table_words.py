"""What words of commands mean as values of options of tables."""

from __future__ import annotations

import csv

from ._errors import ArgumentError


def switch(word: str) -> bool:
    if word not in ("on", "off"):
        raise ArgumentError(f"invalid value '{word}': known are on, off")
    return word == "on"


def listed_columns(text: str) -> list[str]:
    """The names in "a,b". A name with a comma stands in quotes, as in the header of CSV."""
    try:
        names, = csv.reader([text], strict=True)
    except (csv.Error, ValueError):
        raise ArgumentError(f"invalid value '{text}': a quote opens and ends the name of a column, and stands twice "
                            "within it") from None
    return names


def some_columns(text: str) -> list[str]:
    names = listed_columns(text)
    if not names:
        raise ArgumentError(f"invalid value '{text}': name a column, or give off")
    return names


def columns_or_switch(text: str) -> bool | list[str]:
    return text == "on" if text in ("on", "off") else some_columns(text)


def compression_of(words: list[str]) -> str | dict[str | None, str]:
    """What `compression` takes, of "zstd:3" and "user=none"."""
    told: dict[str | None, str] = {}
    for word in words:
        column, equals, name = word.rpartition("=")
        key = column if equals else None
        if key in told:
            what = f"of '{column}'" if equals else "of all columns"
            raise ArgumentError(f"--compression {what} is given twice: leave one of the two out")
        told[key] = name
    return told[None] if told.keys() == {None} else told
