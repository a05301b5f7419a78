"""Keys, as users say them: names, positions and pairs with a direction, by which tables are sorted, and fields of
arrays."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any, NamedTuple, NoReturn, cast

from .._arguments import is_flag
from .._errors import ArgumentError, ArgumentTypeError
from .._native import key_target

# The words of Arrow, of Polars and of SQL. True: it falls; True: nulls come first.
DIRECTIONS = {"ascending": False, "asc": False, "descending": True, "desc": True}
PLACES = {"at_start": True, "first": True, "at_end": False, "last": False}

TableKey = tuple[str | int, bool, bool]
"""The column, by name or position; whether it falls; whether its nulls come first."""

NamedKey = tuple[str, bool, bool]
"""The same with the name of the column."""

# What functions of tables take beside `by`, as takes_options() has it.
OF_KEYS = ("descending: bool | Iterable[bool] | None = None, nulls: _NullPlacement | Iterable[_NullPlacement] | None = "
           "None, null_placement: _NullPlacement | Iterable[_NullPlacement] | None = None, "
           "nulls_last: bool | Iterable[bool] | None = None")
_NAMES = ("descending", "nulls", "null_placement", "nulls_last")


def table_keys(by: Any, options: dict[str, Any]) -> list[TableKey]:
    """options: of the call. Those of OF_KEYS are taken out of them."""
    given = {name: options.pop(name) for name in _NAMES if options.get(name) is not None}
    keys = [_parse(key, "by", may_have_nulls=True) for key in _listed(by, "by", may_have_nulls=True)]
    if not keys:
        raise ArgumentError("by is empty: name a column at least")
    falls = _of_all(keys, given.pop("descending", False), "descending", [key[1] for key in keys])
    if len(given) > 1:
        raise ArgumentError(f"{' and '.join(given)} say the same of nulls: give one of them")
    (name, places), = given.items() or [("nulls", "last")]
    first = _of_all(keys, places, name, [key[2] for key in keys])
    return [(column, *how) for (column, *_), how in zip(keys, zip(falls, first))]


def parse_keys(words: Any, argument: str) -> list[tuple[str, bool, None]]:
    """[(name, whether it falls, None)] of a key or of any iterable of keys, which are fields of an array.

    argument: who asks, for messages."""
    parsed = (_parse(key, argument, may_have_nulls=False) for key in _listed(words, argument, may_have_nulls=False))
    return [(str(name), bool(falls), None) for name, falls, _ in parsed]


def columns_of(given: Any, argument: str) -> list[str | int]:
    """One column, or several, by name or position; directions are not taken. argument: who asks, for messages."""
    if not is_column(given) and _lists_no_keys(given):
        raise ArgumentTypeError(f"{argument} is a column, by name or position, or a list of columns, not {given!r}")
    columns = [given] if is_column(given) else list(given)
    if not columns:
        raise ArgumentError(f"{argument} is empty: name a column at least")
    for column in columns:
        if not is_column(column):
            raise ArgumentTypeError(f"{argument} is made of columns, by name or position and without directions, not "
                                    f"of {column!r}")
    return [column if isinstance(column, str) else column.__index__() for column in columns]


def column_names(value: Any, name: str, flags: Collection[bool]) -> bool | tuple[str, ...]:
    """The names of columns, or one of the flags."""
    if isinstance(value, bool) and value in flags:
        return value
    names = [value] if isinstance(value, str) else list(value) if hasattr(value, "__iter__") else [None]
    if isinstance(value, (bytes, dict, set, frozenset)) or not all(isinstance(each, str) for each in names):
        raise ArgumentTypeError(f"{name} must be {', '.join(map(str, flags))} or a list of the names of columns, not "
                                f"{value!r}")
    return tuple(names)


def refuse_lonely_words(options: dict[str, Any]) -> None:
    """Refuses what belongs to `by` in a call that has none. Records may be descending, too."""
    given = [name for name in _NAMES[1:] if options.pop(name, None) is not None]
    if given:
        raise ArgumentError(f"{given[0]} is for rows: give by, too")


def target_of(schema: Any, key: str | int, table: str) -> tuple[int, tuple[int, ...]]:
    """The number of the column that a key means in a schema of pyarrow, and those of the fields in it. Raises Error if
    that is nothing, or several things. table: how messages call it."""
    return cast("tuple[int, tuple[int, ...]]", key_target(schema.__arrow_c_schema__(), (key, False, False), table))


def each_column_once(keys: Iterable[NamedKey]) -> list[NamedKey]:
    """Where a column's values are equal, it cannot decide any more."""
    first: dict[str, NamedKey] = {}
    for key in keys:
        first.setdefault(key[0], key)
    return list(first.values())


def is_dotted(column: str | int) -> bool:
    return isinstance(column, str) and column.startswith(".")


def without_dot(column: str | int, names: Iterable[str]) -> str | int:
    """pyarrow writes ".user.id" for the field "user.id". Where a column has that name, or one that it begins with, the
    column is meant. names: of all columns."""
    if not isinstance(column, str) or not is_dotted(column):
        return column
    is_named = any(column == name or (name and column.startswith(f"{name}.")) for name in names)
    return column if is_named else column[1:]


def _of_all(keys: list[Any], given: Any, name: str, own: list[bool | None]) -> list[bool]:
    """A word for each key. given: one for the keys that have none, or a list of one for each. own: what keys say."""
    if isinstance(given, str) or not hasattr(given, "__iter__"):
        usual = _word(given, name)
        return [usual if word is None else word for word in own]
    if isinstance(given, (bytes, dict, set, frozenset)):
        raise ArgumentTypeError(f"{name} must be a word or a list of these, one for each key, not {given!r}")
    words = [_word(word, name) for word in given]
    if len(words) != len(keys):
        raise ArgumentError(f"{name} is a list of {len(words)}, and by one of {len(keys)}: give a word for each key, "
                            "or one for all")
    for key, word in zip(keys, own):
        if word is not None:
            raise ArgumentError(f"key {key[0]!r} says itself what {name} says again: leave one of the two out")
    return words


def _word(given: Any, name: str) -> bool:
    """What an argument says of a key: whether it falls, or whether its nulls come first."""
    if name in ("descending", "nulls_last"):
        if not isinstance(given, bool) and type(given).__name__ not in ("bool", "bool_"):  # those of NumPy
            raise ArgumentTypeError(f"{name} must be True, False or a list of these, one for each key, not {given!r}")
        return bool(given) == (name == "descending")
    return _meaning(given, PLACES, name, "'at_start' or 'at_end'" if name == "null_placement" else _OF_NULLS)


_OF_DIRECTIONS, _OF_NULLS = "'ascending' or 'descending'", "'first' or 'last'"


def _meaning(word: Any, words: dict[str, bool], what: str, usual: str) -> bool:
    """usual: the words of which there is one for each meaning."""
    if not isinstance(word, str) or word not in words:
        raise ArgumentError(f"{what} must be {usual}, not {word!r}")
    return words[word]


def _listed(words: Any, argument: str, may_have_nulls: bool) -> Iterable[Any]:
    if _is_key(words):
        return [words]
    if _lists_no_keys(words):
        _refuse(words, argument, may_have_nulls)
    return list(words)


def _lists_no_keys(words: Any) -> bool:
    """Whether it is nothing that keys can be listed in: sets have no order."""
    return isinstance(words, (bytes, dict, set, frozenset)) or hasattr(words, "read") or not hasattr(words, "__iter__")


def _is_position(thing: Any) -> bool:
    """Whether it is an int, of Python or anything else that is one; arrays of NumPy are none."""
    return hasattr(thing, "__index__") and not hasattr(thing, "__len__") and not isinstance(thing, bool)


def is_column(thing: Any) -> bool:
    """Whether it is the name or the position of a column."""
    return isinstance(thing, str) or _is_position(thing)


def _is_key(words: Any) -> bool:
    """Whether it is one key: a tuple is one if it holds a direction where a second name would stand."""
    is_pair = isinstance(words, tuple) and len(words) > 1 and isinstance(words[1], str) and words[1] in DIRECTIONS
    return isinstance(words, str) or _is_position(words) or is_pair


def _parse(key: Any, argument: str, may_have_nulls: bool) -> tuple[str | int, bool | None, bool | None]:
    """The column, and whether it falls, and whether its nulls come first, as far as the key says it."""
    column, *words = key if isinstance(key, (tuple, list)) and key else [key]
    is_column = isinstance(column, str) or (may_have_nulls and _is_position(column))
    is_whole = len(words) in range(1, 3 if may_have_nulls else 2) or not isinstance(key, (tuple, list))
    if not is_column or not is_whole:
        _refuse(key, argument, may_have_nulls)
    falls = _meaning(words[0], DIRECTIONS, f"the direction of {column!r}", _OF_DIRECTIONS) if words else None
    place = f"the place of the nulls of {column!r}"
    first = _meaning(words[1], PLACES, place, _OF_NULLS) if len(words) > 1 else None
    return column if isinstance(column, str) else column.__index__(), falls, first


def _refuse(thing: Any, argument: str, may_have_nulls: bool) -> NoReturn:
    columns = "names, positions" if may_have_nulls else "names"
    longest = ', or three words with "first" or "last" for nulls' if may_have_nulls else ""
    raise ArgumentTypeError(f'{argument} is made of {columns} and of pairs such as ("age", "descending"){longest}, not '
                            'of '
                    f"{thing!r}")


class Shuffle(NamedTuple):
    """seed: None if one is to be made up."""
    seed: str | None


def shuffle_of(given: bool | str, name: str) -> Shuffle | None:
    """None for False. name: of the argument."""
    if isinstance(given, str):
        if not given:
            raise ArgumentError(f"invalid value '' for {name}: give a seed of one character at least")
        return Shuffle(given)
    if not is_flag(given):
        raise ArgumentTypeError(f"{name} must be True, False or a str, not {type(given).__name__}")
    return Shuffle(None) if given else None


def keys_unless_shuffled(by: Any, shuffle: Shuffle | None, options: dict[str, Any]) -> list[TableKey]:
    """As table_keys() gives them; none in a shuffle. Raises Error if neither is given, or both are."""
    if shuffle is None:
        if by is None:
            raise ArgumentError("neither by nor shuffle is given: name a column to sort by, or give a seed")
        return table_keys(by, options)
    given = {name: value for name in _NAMES if (value := options.pop(name, None)) is not None and value is not False}
    if by is not None:
        given = {"by": by, **given}
    if given:
        raise ArgumentError(f"shuffle and {next(iter(given))} are incompatible: leave one of the two out")
    return []


_KEPT = "'first', 'last', 'max:COLUMN' or 'min:COLUMN'"


class Keep(NamedTuple):
    """which: "first", "last", "max" or "min"; of a column, or of none."""
    which: str
    column: str | None

    @property
    def order(self) -> list[NamedKey]:
        """The key of which the least decides; none if the place of a row does."""
        return [] if self.column is None else [(self.column, self.which == "max", False)]


def keep_of(given: str | None, options: dict[str, Any]) -> Keep | None:
    """options: of the call. Raises Error for what does not go with them."""
    if given is None:
        return None
    which, _, column = given.partition(":")
    if given not in ("first", "last") and (which not in ("max", "min") or not column):
        raise ArgumentError(f"keep must be {_KEPT}, not '{given}'")
    if column and options.get("order") not in (None, "keys"):
        raise ArgumentError("keep and order are incompatible: leave one of the two out")
    return Keep(which, column or None)
