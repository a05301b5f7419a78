"""sort_pairs() of sortie.cuda: an array of values, or several, that go with their keys."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from .. import _native
from .._arguments import flag_of
from .._errors import ArgumentError
from .calls import Call, scratch_bytes
from .item_types import is_by_value, key_number
from .views import View

# Positions of 4 bytes move in the place of several values.
_MOST_GATHERED = 1 << 32


class Pairs(NamedTuple):
    """keys: in order. values: each beside its key; of several arrays a tuple or a dict of them, as they were given."""
    keys: Any
    values: Any


def sort_pairs(keys: Any, values: Any, *, descending: bool = False, float_order: Literal["value", "total"] = "value",
               stream: Any = None) -> Pairs:
    """Sorts keys, and values with them, and returns new arrays (keys, values).

    values: of any type, and as many as keys; of an array of more dimensions the rows, of 65536 bytes at most. Those of
    4 and 8 bytes move with their keys; others once, at the end, and then there are 2^32 at most. Or several such
    arrays, columns of a table: a list, a tuple, or a dict by their names. Keys are sorted once then, and all columns
    are put into their order. float_order: help(sortie.cuda) says."""
    descending, by_value = flag_of(descending, "descending"), is_by_value(float_order)
    if isinstance(values, Mapping):
        result = _sort_columns(keys, {f"values[{name!r}]": array for name, array in values.items()}, descending,
                               by_value, stream)
        return Pairs(result.keys, dict(zip(values, result.values)))
    if isinstance(values, (list, tuple)):
        return _sort_columns(keys, {f"values[{i}]": array for i, array in enumerate(values)}, descending, by_value,
                             stream)
    with Call({"keys": keys, "values": values}, stream) as call:
        given_keys = call.keys("keys")
        given_values = call.values("values", given_keys, "keys")
        new_keys, new_values = call.new("keys", given_keys.shape), call.new("values", given_values.shape)
        call.copy(new_values.address, given_values.address, given_values.bytes)
        call.sort(given_keys, new_keys.address, key_number(given_keys.item_type, "keys", by_value), descending,
                  new_values.address, given_values.row_bytes)
        return Pairs(new_keys.give(), new_values.give())


def _sort_columns(keys: Any, columns: dict[str, Any], descending: bool, by_value: bool, stream: Any) -> Pairs:
    if not columns:
        raise ArgumentError("values is empty: pass one array or more, or call sort()")
    with Call({"keys": keys, **columns}, stream) as call:
        given = call.keys("keys")
        number, count = key_number(given.item_type, "keys", by_value), given.shape[0]
        if count > _MOST_GATHERED:
            raise ArgumentError(f"keys has {count} items, and several arrays of values go with 2^32 at most: call "
                                "argsort(), and put each into its order")
        sources = [given, *(call.values(name, given, "keys") for name in columns)]
        results = [call.new(name, source.shape) for name, source in zip(("keys", *columns), sources)]
        if count:
            _sort_and_gather(call, sources, [result.address for result in results], number, descending)
        in_order, *rows = (result.give() for result in results)
        return Pairs(in_order, tuple(rows))


def _sort_and_gather(call: Call, sources: Sequence[View], targets: Sequence[int], number: int,
                     descending: bool) -> None:
    """Sorts the first array, and puts the others into its order."""
    device, count = _native.device, sources[0].shape[0]
    positions = call.scratch(4 * count)
    place = call.place(scratch_bytes(device.sort_with_positions_scratch_bytes, number, 4, count))
    device.sort_with_positions(place, sources[0].address, targets[0], number, positions, 4, count, descending)
    device.gather(call.device, call.stream, positions, count,
                  [(source.address, target, source.row_bytes) for source, target in zip(sources[1:], targets[1:])])
