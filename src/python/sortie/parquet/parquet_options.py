"""How Parquet is written, as far as arguments say it: row groups by bytes, dictionaries, Bloom filters, page indexes,
pages, and compression by column. What is not said stays as in the first input, see parquet_form.py."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import pyarrow
import pyarrow.parquet

from .._errors import ArgumentError, ArgumentTypeError, Error, listed, shortened
from ..columns.schemas import null_rows

Codec = tuple[str, int | None]
"""Its name and its level."""

class ParquetChoices(NamedTuple):
    """What is None stays as in the first input. dictionary, bloom_filters: True or False for all columns, or the names
    of those that have it. codecs: of columns by name."""
    row_group_bytes: int | None = None
    dictionary: bool | tuple[str, ...] | None = None
    bloom_filters: bool | tuple[str, ...] | None = None
    page_index: bool | None = None
    data_page_bytes: int | None = None
    codecs: Mapping[str, Codec] = {}

    def refuse_missing(self, schema: pyarrow.Schema, path: str) -> None:
        """Raises Error where a name is that of no column, or a column cannot have what is asked for. path: of the
        table."""
        named = {"dictionary": self.dictionary, "bloom_filters": self.bloom_filters, "compression": tuple(self.codecs)}
        if not any(isinstance(names, tuple) and names for names in named.values()):
            return
        columns = [(field.name, leaf_paths(field)) for field in schema]
        for argument, names in named.items():
            for name in names if isinstance(names, tuple) else ():
                if not _leaves_of([name], columns):
                    raise ArgumentError(f"{argument} names the column '{name}', which '{path}' does not have; it has "
                                        f"{listed(schema.names)}")
        filtered = self.bloom_filters if isinstance(self.bloom_filters, tuple) else ()
        for field in schema if filtered else ():
            leaves = _leaves_of(filtered, [(field.name, leaf_paths(field))])
            if leaves and not _can_have_filters(field, leaves):
                raise ArgumentError(f"bloom_filters names the column '{field.name}' of type {shortened(field.type)}, "
                                    "for which Parquet has none: leave it out")

    def form_of(self, form: Mapping[str, Any], columns: Sequence[tuple[str, Sequence[str]]]) -> Mapping[str, Any]:
        """A form as form_of() gives it, with what is chosen. columns: the name and the paths of the leaves of each."""
        leaves = {path: dict(leaf) for path, leaf in form.get("leaves", {}).items()}
        every = [path for _, paths in columns for path in paths]
        chosen = {"dictionary": _chosen(self.dictionary, columns), "bloom": _chosen(self.bloom_filters, columns)}
        for path in every:
            leaf = leaves.setdefault(path, {})
            if self.page_index:
                leaf["index"] = True
            elif self.page_index is not None:
                leaf.pop("index", None)
            if chosen["dictionary"] is not None:
                leaf["dictionary"] = path in chosen["dictionary"]
            if chosen["bloom"] is not None and path not in chosen["bloom"]:
                leaf.pop("bloom", None)
            elif chosen["bloom"] is not None:
                leaf.setdefault("bloom", 1.0)
        leaves = {path: leaf for path, leaf in leaves.items() if leaf}
        changed = {**form, "leaves": leaves}
        return {**changed, "data_page_bytes": self.data_page_bytes} if self.data_page_bytes else changed

    def codecs_of(self, columns: Sequence[tuple[str, Sequence[str]]], usual: Sequence[str | Mapping[str, str]],
                  level: int | None) -> tuple[list[dict[str, str]], list[dict[str, int]]]:
        """Compression and level of each column by the paths of its leaves. usual, level: of columns that are not
        named."""
        codecs, levels = [], []
        named = [(_leaves_of([name], columns), codec) for name, codec in self.codecs.items()]
        for (_, paths), own in zip(columns, usual):
            told: dict[str, Codec] = {path: (own if isinstance(own, str) else own[path], level) for path in paths}
            for leaves, codec in named:
                told.update((path, codec) for path in paths if path in leaves)
            codecs.append({path: name for path, (name, _) in told.items()})
            levels.append({path: height for path, (_, height) in told.items() if height is not None})
        return codecs, levels


def _chosen(names: bool | tuple[str, ...] | None,
            columns: Sequence[tuple[str, Sequence[str]]]) -> Collection[str] | None:
    """The paths of the leaves that are meant."""
    if names is None:
        return None
    if isinstance(names, bool):
        return {path for _, paths in columns for path in paths} if names else set()
    return _leaves_of(names, columns)


def _leaves_of(names: Iterable[str], columns: Sequence[tuple[str, Sequence[str]]]) -> set[str]:
    """The paths of the leaves of columns, or of fields in them."""
    leaves = set()
    for name in names:
        own = {path for column, paths in columns if column == name for path in paths}
        leaves |= own or {path for _, paths in columns for path in paths if path == name or path.startswith(f"{name}.")}
    return leaves


def leaf_paths(field: pyarrow.Field) -> list[str]:
    """As pyarrow's writer calls the leaves of a column."""
    sink = pyarrow.BufferOutputStream()
    pyarrow.parquet.write_table(pyarrow.schema([field]).empty_table(), sink)
    schema = pyarrow.parquet.read_metadata(pyarrow.BufferReader(sink.getvalue())).schema
    return [schema.column(leaf).path for leaf in range(len(schema))]


def _can_have_filters(field: pyarrow.Field, leaves: Iterable[str]) -> bool:
    rows = pyarrow.table([null_rows(1, field.type)], names=[field.name])
    try:
        pyarrow.parquet.write_table(rows, pyarrow.BufferOutputStream(),
                                    bloom_filter_options={path: {"ndv": 1, "fpp": 0.5} for path in leaves})
    except (pyarrow.ArrowException, OSError):
        return False
    return True


# Arguments that need something of pyarrow's writer, and what that is called there.
_PARAMETERS = inspect.signature(pyarrow.parquet.ParquetWriter.__init__).parameters
_NEEDED = {"page_index": "write_page_index", "bloom_filters": "bloom_filter_options"}
_NAMES = ("row_group_bytes", "dictionary", "bloom_filters", "page_index", "data_page_bytes")


def parquet_choices(told: Any, is_parquet: bool, remedy: str,
                    parse_codec: Callable[[Any], Codec]) -> tuple[ParquetChoices | None, Any]:
    """What options say, as take_options() gives them, None if it is nothing; and the compression of the columns that
    are not named. remedy: what makes the output Parquet."""
    given = {name: getattr(told, name) for name in _NAMES if getattr(told, name) is not None}
    compression = told.compression
    by_column: Mapping[Any, Any] = compression if isinstance(compression, Mapping) else {}
    if not is_parquet and (given or by_column):
        what = next(iter(given), "compression by column")
        raise ArgumentError(f"{what} is for Parquet: leave it out, or {remedy}")
    if isinstance(compression, Mapping):
        compression = by_column.get(None)
    if not given and not by_column:
        return None, compression
    for name, needed in _NEEDED.items():
        if given.get(name) and needed not in _PARAMETERS:
            raise Error(f"{name} needs a newer version of pyarrow, whose writer knows {needed}: leave it out, or pip "
                        "install -U pyarrow")
    codecs = {_column(name): parse_codec(word) for name, word in by_column.items() if name is not None}
    return ParquetChoices(**given, codecs=codecs), compression


def _column(name: Any) -> str:
    if not isinstance(name, str):
        raise ArgumentTypeError("compression must be a str, or a dict of these by the names of columns, with None for "
                                f"all others, not with a key of type {type(name).__name__}")
    return name
