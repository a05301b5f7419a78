"""Parquet files on a cluster: what is asked for, and what all commands of a job know of their table.

Row groups are the lines of such files: those that begin in a shard's bytes belong to it, counted as their bytes follow
one another. Their rows are sorted as the records of table_records.hpp, by the same commands as all other records, which
table_command.py stands around."""

import base64
import itertools
import os
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from .. import Error, MissingModuleError, __version__
from .._arguments import CATALOGUE, TABLES, kind_of_table
from ..columns.keys import NamedKey, TableKey, table_keys
from ..tables.sort_table import table_records
from .job import JobDirectory
from .job_plan import Input, look_at, shard_places

_DESCRIPTION = "table.json"
# A file of Parquet begins so, unless columns are encrypted; four letters alone may be the begin of a text.
_MAGIC = b"PAR1\x15"
# Options of the sort that rows have, too: others say how lines are ordered.
_OPTIONS = {option["long_name"] for option in CATALOGUE if option["functions"] & TABLES}


class TableRequest(NamedTuple):
    """keys: (name, whether it falls, whether nulls come first) each. inputs: the files, with where row groups begin.
    schema: of the output, as a message of Arrow's IPC. compression: as it was asked for; codecs, level: what follows
    from it and the first file. form: what else the first file has and the output keeps, see form_of()."""

    keys: list[NamedKey]
    inputs: list[Input]
    schema: bytes
    words: list[str]
    row_group_rows: int | None
    compression: str | None
    codecs: tuple[str, ...]
    level: int | None
    form: dict[str, Any]

    def stamp(self) -> list[Any]:
        """What tells one request from another, beside the files. With JSON's types."""
        return [list(map(list, self.keys)), self.row_group_rows, self.compression]

    def describe(self, job: JobDirectory, shards: int) -> str:
        """Writes what commands know of the table, and returns where. Raises Error if the job was begun with other
        versions, whose records may be others."""
        known = job.read(_DESCRIPTION)
        if known is not None and known["versions"] != versions():
            begun = " and ".join(f"{name} {version}" for name, version in known["versions"].items())
            raise Error(f"the job in '{job.path}' was begun with {begun}: go on with these, or remove it, and sort "
                        "again")
        job.write(_DESCRIPTION, {
            "versions": versions(), "schema": base64.b64encode(self.schema).decode(), "keys": self.keys,
            "row_group_rows": self.row_group_rows, "codecs": self.codecs, "level": self.level,
            "form": self.form,
            "shard_places": shard_places(shards)})
        return job.file(_DESCRIPTION)


def versions() -> dict[str, str]:
    """Of what makes records and files: the same on all machines, so that every attempt at a part writes the same."""
    import pyarrow
    return {"sortie": __version__, "pyarrow": pyarrow.__version__}


def _are_of_any_bytes(options: Iterable[tuple[str, str | None]]) -> bool:
    """Whether records are numbers or other bytes than text, which may begin like a table."""
    formats = [value for name, value in options if name == "format"]
    return bool(formats) and formats[-1] != "lines"


def are_tables(paths: Iterable[str], options: Iterable[tuple[str, str | None]] = ()) -> bool:
    """Whether the inputs are Parquet files. Raises Error if some are, and others are not. options: of the sort."""
    by_end = _are_of_any_bytes(options)
    found: dict[bool | None, str] = {}
    for path in paths:
        found.setdefault(_is_parquet(path, by_end), path)
    if {True, False} <= found.keys():
        raise Error(f"'{found[True]}' is a Parquet file, and '{found[False]}' is none: sort them in jobs of their own")
    return True in found


def _is_parquet(path: str, by_end: bool) -> bool | None:
    """None if it cannot be read: who sorts it tells why. by_end: it must end like one, too."""
    if not os.path.isfile(path):
        return None
    try:
        with open(path, "rb") as file:
            begins = not by_end and file.read(len(_MAGIC)) == _MAGIC
    except OSError:
        return None
    return begins or kind_of_table(path) == "Parquet"


def refuse_tables(paths: Iterable[str], options: Iterable[tuple[str, str | None]]) -> None:
    by_end = _are_of_any_bytes(options)
    for path in paths:
        if _is_parquet(path, by_end):
            raise Error(f"'{path}' is a Parquet file: sort it with sortie.cluster.sort_parquet()")


def words_of_table(options: Iterable[tuple[str, str | None]]) -> tuple[list[str], list[tuple[str, str | None]]]:
    """Keys as they were given, and the options that are left."""
    keys = []
    others = []
    for name, value in options:
        if name == "key":
            keys.append(value or "")
        elif name in _OPTIONS:
            others.append((name, value))
        else:
            raise Error(f"--{name} is not for Parquet files, whose rows are ordered by --key=COLUMN")
    if not keys:
        raise Error("missing --key: name a column to sort by, as in --key=day --key=amount:desc")
    return keys, others


def table_of_words(inputs: Sequence[str], output: str, keys: Iterable[str], nulls: str, row_group_rows: int | None,
                   compression: str | None) -> TableRequest:
    """As the options of sortie-parquet say it."""
    if nulls not in ("first", "last"):
        raise Error(f"invalid value '{nulls}' for --nulls: known are first, last")
    from ..jobs.parquet_command import parse_key
    parsed = table_keys([parse_key(key) for key in keys], {"nulls": nulls})
    return make_table(inputs, output, parsed, row_group_rows, compression)


def make_table(inputs: Sequence[str], output: str, keys: list[TableKey], row_group_rows: int | None,
               compression: str | None) -> TableRequest:
    """As sort_parquet() is told it. keys: as table_keys() gives them. Reads the footers of all inputs; raises what
    sort_parquet() raises."""
    if not output.lower().endswith(".parquet"):
        raise Error(f"the output of Parquet files is Parquet: let the name of '{output}' end in .parquet")
    try:
        from ..parquet import dictionaries, parquet_input
        from ..columns import schemas
        from ..outputs import table_writers
    except ImportError:
        raise MissingModuleError("Parquet files need pyarrow, which is not installed: "
                                 "pip install 'sortie-sort[parquet]'") from None
    options = table_writers.writer_options(output, row_group_rows, compression)
    looked_at = [look_at(path) for path in inputs]  # which refuses what is no file
    files = [parquet_input.ParquetInput(path) for path in inputs]
    schemas.unify(files)
    named = schemas.named_keys(files[0].schema, keys, files[0].path)
    schemas.refuse_missing_keys(files[0], named)
    schema = files[0].schema
    table_writers.refuse_types(schema, output, options.table_format)
    dictionaries.refuse_ordered(schema)
    records = table_records(dictionaries.schema_of_values(schema), named, 1)
    return TableRequest(named, list(map(_input, looked_at, files)), schema.serialize().to_pybytes(),
                        records.format_words(), options.row_group_rows, compression,
                        (options.codec,) if options.codec else tuple(files[0].codecs), options.level,
                        dict(files[0].form))


def _input(looked_at: Input, file: Any) -> Input:
    *begins, end = group_begins(file)
    return looked_at._replace(bytes=end, begins=tuple(begins))


def group_begins(file: Any) -> list[int]:
    """Where the row groups begin if their bytes follow one another; and the end."""
    return list(itertools.accumulate((group.bytes for group in file.groups), initial=0))


def groups_in(file: Any, begin: int, end: int | None) -> list[int]:
    """The numbers of the row groups that begin in [begin, end)."""
    return [number for number, at in enumerate(group_begins(file)[:-1]) if begin <= at and (end is None or at < end)]
