"""Parquet files on a cluster: what is asked for, and what all commands of a job know of their table.

Row groups are the lines of such files: those that begin in a shard's bytes belong to it, counted as their bytes follow
one another. Their rows are sorted as the records of table_records.hpp, by the same commands as all other records, which
table_command.py stands around."""

import base64
import json
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from .. import Error, __version__
from .._arguments import CATALOGUE, TABLES
from ..columns.keys import NamedKey, TableKey, table_keys
from .job import JobDirectory
from .job_plan import Input, shard_places
from .table_inputs import TableFiles, as_one_table, require_pyarrow

_DESCRIPTION = "table.json"
# Options of the sort that rows have, too: others say how lines are ordered.
# Arguments of sort_parquet() about schemas, and about how Parquet is written.
OF_TABLES = ("schema", "row_group_rows", "compression", "row_group_bytes", "dictionary", "bloom_filters", "page_index",
             "data_page_bytes")
_OPTIONS = {option["long_name"] for option in CATALOGUE if option["functions"] & TABLES}


class TableRequest(NamedTuple):
    """keys: (name, whether it falls, whether nulls come first) each. inputs: the files, with where row groups begin.
    partitions: by the path of a file, what the names of its folders tell. schema: of the output, as a message of Arrow's IPC.
    asked: what tells one request from another, with JSON's types. codecs, level: what follows from the arguments and the first
    file. form: what else the first file has and the output keeps, see form_of(). choices: see ParquetChoices. assumed: of the
    inputs, as Assumed tells it."""

    keys: list[NamedKey]
    inputs: list[Input]
    partitions: dict[str, list[list[str | None]]]
    schema: bytes
    words: list[str]
    row_group_rows: int | None
    asked: Any
    codecs: tuple[str, ...]
    level: int | None
    form: dict[str, Any]
    choices: dict[str, Any] | None
    assumed: list[dict[str, Any]]

    def stamp(self) -> Any:
        """What tells one request from another, beside the files. With JSON's types."""
        return self.asked

    def refuse_assumed(self) -> None:
        """For a strict sort."""
        for assumption in self.assumed:
            raise Error(f"the sort would have to assume something: {assumption['message']}")

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
            "form": self.form, "choices": self.choices, "partitions": self.partitions, "assumed": self.assumed,
            "shard_places": shard_places(shards)})
        return job.file(_DESCRIPTION)


def versions() -> dict[str, str]:
    """Of what makes records and files: the same on all machines, so that every attempt at a part writes the same."""
    import pyarrow
    return {"sortie": __version__, "pyarrow": pyarrow.__version__}


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


def table_of_words(meant: TableFiles, output: str, keys: Iterable[str], nulls: str,
                   how: Mapping[str, Any]) -> TableRequest:
    """As the options of sortie-parquet say it. how: as make_table() takes it."""
    if nulls not in ("first", "last"):
        raise Error(f"invalid value '{nulls}' for --nulls: known are first, last")
    from ..jobs.parquet_command import parse_key
    parsed = table_keys([parse_key(key) for key in keys], {"nulls": nulls})
    return make_table(meant, output, parsed, how)


def make_table(meant: TableFiles, output: str, keys: list[TableKey], how: Mapping[str, Any]) -> TableRequest:
    """As sort_parquet() is told it. keys: as table_keys() gives them. how: its arguments about schemas and about how Parquet is
    written, which may be None. Reads the footers of all inputs; raises what sort_parquet() raises."""
    if not output.lower().endswith(".parquet"):
        raise Error(f"the output of Parquet files is Parquet: let the name of '{output}' end in .parquet")
    require_pyarrow()
    from .._report import Assumed
    from ..columns.schemas import refuse_missing_keys
    from ..inputs.input_names import refuse_found_output, tell_left_out
    from ..inputs.one_schema import schema_option
    from ..jobs.sort_parquet import keys_by_name
    from ..outputs import table_writers
    from ..parquet import dictionaries
    from ..tables.sort_table import table_records
    choices, options = _writer_options(output, dict(how))
    is_union = schema_option(how.get("schema"))
    refuse_found_output(meant.files, output)
    named = keys_by_name(keys, meant.files[0])
    files, inputs = as_one_table(meant, is_union)
    first = files[0]
    refuse_missing_keys(first, named)
    table_writers.refuse_types(first.schema, output, options.table_format)
    if choices is not None:
        choices.refuse_missing(first.schema, first.path)
    dictionaries.refuse_ordered(first.schema)
    records = table_records(dictionaries.schema_of_values(first.schema), named, 1)
    assumed = Assumed(len(files))
    tell_left_out(meant.left_out, assumed)
    partitions = {file.path: [[*pair] for pair in file.partitions] for file in meant.files if file.partitions}
    told = choices and {**choices._asdict(), "codecs": dict(choices.codecs)}
    asked = [named, options.row_group_rows, options.codec, options.level, told, is_union, partitions]
    return TableRequest(named, inputs, partitions, first.schema.serialize().to_pybytes(), records.format_words(),
                        options.row_group_rows, json.loads(json.dumps(asked)),
                        (options.codec,) if options.codec else tuple(first.codecs), options.level, dict(first.form), told,
                        assumed.told())


def _writer_options(output: str, how: dict[str, Any]) -> tuple[Any, Any]:
    """What is chosen, or None, and the WriterOptions."""
    import functools

    from ..outputs.table_writers import parse_codec, writer_options
    from ..parquet.parquet_options import take_choices
    choices, compression = take_choices(how, how.get("compression"), True, "let the name of the output end in .parquet",
                                        functools.partial(parse_codec, "parquet"))
    return choices, writer_options(output, how.get("row_group_rows"), compression)
