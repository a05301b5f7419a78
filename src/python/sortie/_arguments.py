"""Arguments of several functions: counts, and what `order` of arrays and `by` of tables are made of: names, and tuples of
a name, a direction and, for tables, the place of nulls."""

import operator

from ._errors import ArgumentError


def count_of(value, name):
    """A number of 1 or more as an int, of Python or anything else that is one, as those of NumPy are."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{name} must be an int, not {type(value).__name__}")
    count = operator.index(value)
    if not 0 < count < 1 << 63:
        raise ArgumentError(f"invalid value '{count}' for {name}: give 1 or more")
    return count


DIRECTIONS = ("ascending", "descending")
NULL_PLACEMENTS = ("at_start", "at_end")


def parse_keys(words, argument, null_placement=None):
    """[(name, whether it falls, where its nulls come)] of a key or of any iterable of keys.

    argument: who asks, for messages. null_placement: the place for keys that name none; None where nulls cannot be."""
    keys = [words] if _is_key(words) else _items(words, argument, null_placement is not None)
    return [_parse(key, argument, null_placement) for key in keys]


def check_word(word, known, what):
    if not isinstance(word, str) or word not in known:
        raise ValueError(f"{what} must be {' or '.join(map(repr, known))}, not {word!r}")


def _is_key(words):
    """Whether it is one key: a tuple is one if it holds a direction where a second name would stand."""
    return isinstance(words, str) or (isinstance(words, tuple) and len(words) > 1 and words[1] in DIRECTIONS)


def _items(words, argument, may_have_nulls):
    if isinstance(words, (bytes, dict)) or hasattr(words, "read") or not hasattr(words, "__iter__"):
        _refuse(words, argument, may_have_nulls)
    return list(words)


def _parse(key, argument, null_placement):
    if isinstance(key, str):
        return key, False, null_placement
    most = 2 if null_placement is None else 3
    if not isinstance(key, (tuple, list)) or not 2 <= len(key) <= most or not isinstance(key[0], str):
        _refuse(key, argument, null_placement is not None)
    name, direction, place = (*key, null_placement)[:3]
    check_word(direction, DIRECTIONS, f"the direction of {name!r}")
    if null_placement is not None:
        check_word(place, NULL_PLACEMENTS, f"the place of the nulls of {name!r}")
    return name, direction == "descending", place


def _refuse(thing, argument, may_have_nulls):
    longest = ', or three words with "at_start" or "at_end"' if may_have_nulls else ""
    raise TypeError(f'{argument} is made of names and of pairs such as ("age", "descending"){longest}, not of '
                    f"{thing!r}")
