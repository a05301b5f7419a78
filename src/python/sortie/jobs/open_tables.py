"""The inputs of sort_parquet() as one table: which files are meant, with which columns, keys and places on a curve.
Nothing of the output has been touched yet, and what cannot be sorted is refused here."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, cast

import pyarrow

from .. import _arguments
from .._assumed import Assumed
from .._errors import ArgumentError
from ..columns.keys import Keep, NamedKey, Shuffle, TableKey, is_dotted
from ..columns.row_words import ShuffleWords
from ..columns.schemas import TypedInput, named_keys, refuse_missing_keys
from ..curves.curve_inputs import CurveInput, on_curve
from ..curves.curves import CurveChoice
from ..curves.geo_metadata import BoxColumns, unite_geometries
from ..inputs.csv_reading import first_told
from ..inputs.input_names import InputName, files_meant, refuse_found_output, tell_left_out, tell_numbers_as_texts
from ..inputs.json_input import list_bytes_of
from ..inputs.one_schema import as_one_table
from ..inputs.table_files import format_of, open_input
from ..outputs.output_request import OutputRequest
from ..parquet.parquet_form import geometries_in, geometry_text
from ..tables.keep_rows import refuse_missing_column


class OpenTables(NamedTuple):
    """keys: by the names of columns. order: columns of what is sorted, in whose order it is. kept_by: that of which the
    first of equal keys is left. shuffle: gives the rows of all files the words that `order` names; None if there is
    none."""
    files: Sequence[TypedInput]
    keys: list[NamedKey]
    order: list[TableKey]
    kept_by: list[TableKey]
    assumed: Assumed
    shuffle: ShuffleWords | None


class Wanted(NamedTuple):
    """What is asked of the inputs. keys: none in a shuffle. memory: bytes of the sort, 0 if they are not told."""
    keys: list[TableKey]
    shuffle: Shuffle | None
    keep: Keep | None
    curve: CurveChoice | None
    has_boxes: bool
    is_union: bool
    threads: int
    memory: int


def open_tables(inputs: Any, wanted: Wanted, output: OutputRequest, options: dict[str, Any]) -> OpenTables:
    """options: of the call. Raises Error for what cannot be sorted or written so."""
    names, left_out = files_meant(inputs)
    refuse_found_output(names, output.path)
    list_bytes = list_bytes_of(wanted.memory)
    keys = output.sorting_keys(*(keys_by_name(some, names[0], list_bytes)
                                 for some in (output.partition_keys, wanted.keys)))
    kept_by = wanted.keep.order if wanted.keep else []
    files = _open_inputs(names, [*keys, *kept_by], output.stays_text, wanted.is_union, list_bytes)
    output.refuse_partitions(files[0])
    refuse_missing_column(wanted.keep, files[0].schema, f"'{files[0].path}'")
    _refuse_keys(files, [*keys, *kept_by])
    assumed = Assumed(len(files))
    unite_geometries(files, assumed)
    files, order = _with_places(files, keys, wanted)
    shuffle = None if wanted.shuffle is None else ShuffleWords(files[0].schema, wanted.shuffle)
    order = order if shuffle is None else shuffle.order
    output.check(files[0], options)
    _arguments.refuse_used_twice(options, [*(file.path for file in files), output.path])
    for file in files:
        file.assumed = assumed
        file.tell_sampled()
    tell_left_out(left_out, assumed)
    if output.table_format != "parquet":
        for path, told in geometries_in(files[0].form).items():
            assumed.add("geometry-as-bytes", path, 1, geometry_text(told))
    tell_numbers_as_texts(names, files[0].own_schema.names, assumed)
    if options.get("strict"):
        assumed.refuse()
    return OpenTables(files, keys, order, _columns_of(kept_by, files[0]), assumed, shuffle)


def _refuse_keys(files: Sequence[TypedInput], keys: Sequence[NamedKey]) -> None:
    refuse_missing_keys(files[0], keys)
    for file in files:
        for name, *_ in keys:
            file.refuse_key(name)


def _with_places(files: list[TypedInput], keys: Sequence[NamedKey], wanted: Wanted) -> tuple[list[TypedInput],
                                                                                             list[TableKey]]:
    """The files with boxes and places on a curve, if these are wanted, and the order of what is sorted."""
    boxes = BoxColumns(files[0].schema, files[0].path) if wanted.has_boxes else None
    if wanted.curve is not None:
        return on_curve(files, keys, wanted.curve, wanted.threads, boxes)
    if boxes is not None:
        files = [CurveInput(file, None, boxes) for file in files]
    return files, _columns_of(keys, files[0])


def _columns_of(keys: Iterable[NamedKey], file: TypedInput) -> list[TableKey]:
    return [(column, falls, nulls_first) for name, falls, nulls_first in keys for column in file.sorted_by(name)]


def keys_by_name(keys: list[TableKey], first: InputName, list_bytes: int = sys.maxsize) -> list[NamedKey]:
    """The keys as named_keys() gives them: positions are those in the first input, with what its folders tell.
    list_bytes: as open_input() takes them."""
    if all(isinstance(key, str) and not is_dotted(key) for key, *_ in keys):
        return cast("list[NamedKey]", keys)
    schema = open_input(first.path, None, [], False, list_bytes=list_bytes).schema
    for name in [name for name, _ in first.partitions if name not in schema.names]:
        schema = schema.append(pyarrow.field(name, pyarrow.string()))
    return named_keys(schema, keys, first.path)


def open_with_keys(path: str, keys: list[TableKey]) -> tuple[TypedInput, list[TableKey]]:
    """The file, and its columns by which a sort of it into its own format orders. Raises Error for keys that are not
    there, or have no order."""
    name, table_format = InputName(path), format_of(path)
    if table_format == "json":
        raise ArgumentError(f"'{path}' is JSON Lines, whose lines a table would write anew: sort it as lines, with "
                            "sort_files() or "
                            'sortie, and the format "jsonl"')
    named = keys_by_name(keys, name)
    file, = _open_inputs([name], named, table_format == "csv", False)
    _refuse_keys([file], named)
    return file, _columns_of(named, file)


def _open_inputs(names: list[InputName], keys: list[NamedKey], stays_text: bool, is_union: bool,
                 list_bytes: int = sys.maxsize) -> list[TypedInput]:
    are_csv = all(format_of(name.path) == "csv" for name in names)
    csv_keys = [name for name, *_ in keys] if are_csv else []
    files = []
    types: pyarrow.Schema = None  # of each column, of the first file that tells it: columns of CSV have these
    file: TypedInput | None = None
    held_bytes = 0
    for name in names:
        known = None if is_union else types
        file = open_input(name.path, known, csv_keys, are_csv and stays_text, file, held_bytes, is_union, list_bytes)
        files.append(file)
        held_bytes += file.held_bytes
        types = first_told(types, file.types)
    if not is_union:
        files = [file.with_types(types) for file in files]
    return as_one_table(files, [name.partitions for name in names], is_union)
