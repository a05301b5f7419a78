"""Parquet files on a cluster: what is asked for, and what all commands of a job know of their table.

Row groups are the lines of such files: those that begin in a shard's bytes belong to it, counted as their bytes follow
one another. Their rows are sorted as the records of table_records.hpp, by the same commands as all other records, which
table_command.py stands around."""

import base64
import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from .. import Error, __version__
from .._sources import is_source
from .._table_options import ON_CLUSTER, options_of, take_options
from ..columns.keys import NamedKey, TableKey
from .job import JobDirectory
from .shards import Input, shard_places
from .table_inputs import TableFiles, as_one_table, require_pyarrow

_DESCRIPTION = "table.json"


class TableRequest(NamedTuple):
    """keys: (name, whether it falls, whether nulls come first) each, with the columns in front that name folders.
    inputs: the files, with where row groups begin. partitions: by the path of a file, what the names of its folders
    tell. schema: of the output, as a message of Arrow's IPC. how: the arguments about how it is written, see
    request_of(). asked: what tells one request from another, with JSON's types. codecs, form: what the first file has,
    see form_of(). assumed: of the inputs, as Assumed tells it."""

    keys: list[NamedKey]
    inputs: list[Input]
    partitions: dict[str, list[list[str | None]]]
    schema: bytes
    words: list[str]
    how: dict[str, Any]
    partition_by: list[str]
    asked: Any
    codecs: tuple[str, ...]
    form: dict[str, Any]
    assumed: list[dict[str, Any]]

    @property
    def is_folder(self) -> bool:
        """Whether the output is a folder of files."""
        return bool(self.how["is_folder"])

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
            "how": self.how, "partition_by": self.partition_by, "codecs": self.codecs, "form": self.form,
            "partitions": self.partitions, "assumed": self.assumed,
            "shard_places": shard_places(shards)})
        return job.file(_DESCRIPTION)


def versions() -> dict[str, str]:
    """Versions of what makes records and files: all machines have the same, so that every attempt at a part writes the
    same."""
    import pyarrow
    return {"sortie": __version__, "pyarrow": pyarrow.__version__}


def make_table(meant: TableFiles, output: str, keys: list[TableKey], told: Any) -> TableRequest:
    """As sort_parquet() is told it. keys: as table_keys() gives them. told: the options, as take_options() gives them.
    Reads the footers of all inputs; raises what sort_parquet() raises."""
    require_pyarrow()
    from .._assumed import Assumed
    from ..columns.schemas import refuse_missing_keys
    from ..inputs.input_names import refuse_found_output, tell_left_out, tell_numbers_as_texts
    from ..jobs.open_tables import keys_by_name
    from ..outputs.output_request import OutputRequest
    from ..parquet.dictionaries import refuse_ordered, schema_of_values
    from ..tables.sort_table import table_records
    request = OutputRequest(output, told, may_be_written=True)
    if request.is_folder and is_source(output):
        raise Error(f"'{output}' is a folder of objects, which a cluster does not write: name one object, or a folder "
                    "on a disk that all machines see")
    if not request.is_folder and not output.lower().endswith(".parquet"):
        raise Error(f"the output of Parquet files is Parquet: let the name of '{output}' end in .parquet")
    refuse_found_output(meant.files, output)
    first_name = meant.files[0]
    named = request.sorting_keys(keys_by_name(request.partition_keys, first_name), keys_by_name(keys, first_name))
    assumed = Assumed(len(meant.files))
    files, inputs = as_one_table(meant, told.schema == "union", assumed)
    first = files[0]
    request.refuse_partitions(first)
    refuse_missing_keys(first, named)
    request.check(first, {})
    refuse_ordered(first.schema)
    records = table_records(schema_of_values(first.schema), named, 1)
    tell_left_out(meant.left_out, assumed)
    tell_numbers_as_texts(meant.files, first.own_schema.names, assumed)
    partitions = {file.path: [[*pair] for pair in file.partitions] for file in meant.files if file.partitions}
    partition_by = [name for name, *_ in named[:len(request.partition_keys)]]
    how = _as_json({"is_folder": request.is_folder, "options": _in_plain_words(told, partition_by)})
    return TableRequest(named, inputs, partitions, first.schema.serialize().to_pybytes(), records.format_words(), how,
                        partition_by, _as_json([named, how, partitions]), tuple(first.codecs), dict(first.form),
                        assumed.told())


def _in_plain_words(told: Any, partition_by: list[str]) -> dict[str, Any]:
    """The options with types that JSON has. partition_by: names for the positions of columns, too."""
    options = {option.name: getattr(told, option.name) for option in options_of(ON_CLUSTER)}
    if isinstance(options["compression"], Mapping):
        options["compression"] = [*options["compression"].items()]
    return {**options, "partition_by": partition_by or None}


def request_of(how: Mapping[str, Any]) -> Any:
    """The OutputRequest that TableRequest.how stands for, of an output of some name."""
    from ..outputs.output_request import OutputRequest
    options = dict(how["options"])
    if isinstance(options["compression"], list):
        options["compression"] = dict(options["compression"])
    return OutputRequest("out/" if how["is_folder"] else "out.parquet", take_options(options, ON_CLUSTER),
                         may_be_written=True)


def _as_json(value: Any) -> Any:
    return json.loads(json.dumps(value))
