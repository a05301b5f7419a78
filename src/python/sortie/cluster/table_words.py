"""Sorts of Parquet files as the command line asks for them: in the words of sortie-parquet."""

from collections.abc import Iterable
from typing import Any

from .. import Error
from .._arguments import CATALOGUE, TABLES
from .._table_options import ON_CLUSTER, options_of, read_word, take_options
from ..columns.keys import table_keys
from .arguments import BETWEEN, Arguments
from .table_inputs import TableFiles, are_tables, files_of_tables, refuse_tables
from .tables import TableRequest, make_table

# Options of the sort that rows have, too: others say how lines are ordered.
_OPTIONS = {option["long_name"] for option in CATALOGUE if option["functions"] & TABLES}


def table_among(arguments: Arguments, paths: list[str], output: str, own_options: Iterable[str]) -> tuple[
        list[str], TableRequest | None, list[tuple[str, str | None]]]:
    """The files, what is asked for if they are Parquet files, and the options of the sort. own_options: names of those
    that are for tables alone."""
    own = arguments.own
    if not are_tables(paths, arguments.sort):
        for name in own_options:
            if name in own:
                raise Error(f"--{name} is for Parquet files, and the inputs are none")
        refuse_tables([output], ())
        return paths, None, arguments.sort
    keys, options = _words_of_table(arguments.sort)
    meant = files_of_tables(paths)
    try:
        table = _table_of_words(meant, output, keys, own.get("nulls", "last"), _options_of_table(own))
    except Error as error:
        from ..jobs.parquet_command import as_typed
        error.args = (as_typed(str(error)), *error.args[1:])
        raise
    return meant.paths, table, options


def _options_of_table(own: dict[str, str]) -> Any:
    """As take_options() gives them."""
    given = {}
    for option in options_of(ON_CLUSTER):
        word = own.get(option.flag[2:])
        if word is not None:
            given[option.name] = option.read(word.split(BETWEEN)) if option.is_repeated else read_word(option, word)
    return take_options(given, ON_CLUSTER)


def _words_of_table(options: Iterable[tuple[str, str | None]]) -> tuple[list[str], list[tuple[str, str | None]]]:
    """Keys as they were given, and the options that are left."""
    keys = []
    others = []
    for name, value in options:
        if name == "key":
            keys.append(value or "")
        elif (name == "order" and value == "input") or name == "sample":
            word = "--order=input" if name == "order" else "--sample"
            raise Error(f"{word} is not for Parquet files, whose rows a cluster does not sort a second time: leave it "
                        "out")
        elif name == "shuffle":
            raise Error("--shuffle of Parquet files is for one machine: sortie-parquet has it, or give --key=COLUMN")
        elif name in _OPTIONS:
            others.append((name, value))
        else:
            raise Error(f"--{name} is not for Parquet files, whose rows are ordered by --key=COLUMN")
    if not keys:
        raise Error("missing --key: name a column to sort by, as in --key=day --key=amount:desc")
    return keys, others


def _table_of_words(meant: TableFiles, output: str, keys: Iterable[str], nulls: str, told: Any) -> TableRequest:
    """As the options of sortie-parquet say it. told: as make_table() takes it."""
    if nulls not in ("first", "last"):
        raise Error(f"invalid value '{nulls}' for --nulls: known are first, last")
    from ..jobs.parquet_command import parse_key
    parsed = table_keys([parse_key(key) for key in keys], {"nulls": nulls})
    return make_table(meant, output, parsed, told)
