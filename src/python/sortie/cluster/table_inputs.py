"""Which Parquet files a job sorts, as one table: paths, patterns, folders, hive-partitioned folders and objects, found
as one machine finds them. And how a task reads the rows of one of them."""

import glob
import itertools
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from .. import Error, MissingModuleError
from .._arguments import kind_of_table
from .._sources import is_hidden, is_source, output_of
from .shards import Input, look_at

if TYPE_CHECKING:
    from .._assumed import Assumed
    from ..inputs.hive_folders import Partitions
    from ..inputs.input_names import InputName

# A file of Parquet begins so, unless columns are encrypted; four letters alone may be the begin of a text.
_MAGIC = b"PAR1\x15"


def _are_of_any_bytes(options: Iterable[tuple[str, str | None]]) -> bool:
    """Whether records are numbers or other bytes than text, which may begin like a table."""
    formats = [value for name, value in options if name == "format"]
    return bool(formats) and formats[-1] != "lines"


def are_tables(paths: Iterable[str], options: Iterable[tuple[str, str | None]] = ()) -> bool:
    """Whether the inputs are Parquet files, or folders and patterns of such. Raises Error if some are, and others are
    not.
    options: of the sort."""
    by_end = _are_of_any_bytes(options)
    found: dict[bool | None, str] = {}
    for path in paths:
        found.setdefault(_means_parquet(path, by_end), path)
    if {True, False} <= found.keys():
        raise Error(f"'{found[True]}' is a Parquet file, and '{found[False]}' is none: sort them in jobs of their own")
    return True in found


def refuse_tables(paths: Iterable[str], options: Iterable[tuple[str, str | None]]) -> None:
    by_end = _are_of_any_bytes(options)
    for path in paths:
        if is_source(path):
            raise Error(f"'{path}' is an object, which a cluster reads and writes for Parquet alone: name a file on a "
                        "disk that all machines see")
        if os.path.isfile(path) and _means_parquet(path, by_end):
            raise Error(f"'{path}' is a Parquet file: sort it with sortie.cluster.sort_parquet()")


def _means_parquet(path: str, by_end: bool) -> bool | None:
    """None if it cannot be read: who sorts it tells why. by_end: it must end like one, too."""
    if is_source(path):
        return True
    if os.path.isfile(path):
        return _is_parquet(path, by_end)
    if os.path.isdir(path):
        # A damaged one is named when it is opened.
        return any(name.lower().endswith(".parquet") or _is_whole(name) for name in _files_below(path)) or None
    if not os.path.lexists(path) and glob.has_magic(path):
        return any(_means_parquet(match, by_end) for match in glob.iglob(path, recursive=True)) or None
    return None


def _is_parquet(path: str, by_end: bool = False) -> bool | None:
    try:
        with open(path, "rb") as file:
            begins = not by_end and file.read(len(_MAGIC)) == _MAGIC
    except OSError:
        return None
    return begins or _is_whole(path)


def _is_whole(path: str) -> bool:
    return kind_of_table(path) == "Parquet"


def _files_below(folder: str) -> Iterator[str]:
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not is_hidden(name)]
        yield from (os.path.join(place, name) for name in names if not is_hidden(name))


def refuse_signed_urls(given: Iterable[str]) -> None:
    """What is signed is in no job directory, so that no other machine could open it."""
    for url in given:
        place = output_of(url)
        if is_source(place) and place.partition("://")[0] in ("http", "https") and re.search("[?#]", url):
            raise Error(f"'{place}' is signed by what is behind its name, which a job does not keep: name an object of "
                        "a store whose credentials each machine has, or copy it to a disk")


class TableFiles(NamedTuple):
    """files: in the order in which they are read. left_out: files of folders whose names tell no format."""

    files: "list[InputName]"
    left_out: list[str]

    @property
    def paths(self) -> list[str]:
        return [file.path for file in self.files]


def files_of_tables(given: Sequence[str]) -> TableFiles:
    """given: absolute paths, and names of objects. Raises Error for what is no Parquet file."""
    require_pyarrow()
    from ..inputs.input_names import files_meant
    files, left_out = files_meant(list(given))
    for path in (file.path for file in files):
        is_table = path.lower().endswith(".parquet") if is_source(path) else os.path.isfile(path) and _is_parquet(path)
        if not is_table:
            look_at(path)  # which tells if it cannot be read
            raise Error(f"'{path}' is no Parquet file, and a cluster sorts no other tables: sort lines with "
                        "sort_files(), and write other tables as Parquet first")
    return TableFiles(files, left_out)


def require_pyarrow() -> None:
    try:
        import pyarrow.parquet  # noqa: F401
    except ImportError:
        raise MissingModuleError("Parquet files need pyarrow, which is not installed: "
                                 "pip install 'sortie-sort[parquet]'") from None


class OneTable(NamedTuple):
    """files: with the columns of the table, which is that of the first. inputs: the same, with where row groups
    begin."""

    files: list[Any]
    inputs: list[Input]


def as_one_table(meant: TableFiles, is_union: bool, assumed: "Assumed") -> OneTable:
    """Reads the footers of all; raises what sort_parquet() raises. assumed: is told of geometries that files do not
    tell of."""
    from ..curves.geo_metadata import unite_geometries
    from ..inputs import one_schema
    from ..inputs.table_files import open_parquet
    opened: list[Any] = []
    inputs = []
    held_bytes = 0
    for path in meant.paths:
        looked_at = look_at(path)  # which refuses what is no file
        file = open_parquet(path, opened[-1] if opened else None, held_bytes)
        held_bytes += file.held_bytes
        *begins, end = group_begins(file)
        opened.append(file)
        inputs.append(looked_at._replace(bytes=end, begins=tuple(begins)))
    files = one_schema.as_one_table(opened, [file.partitions for file in meant.files], is_union)
    unite_geometries(files, assumed)
    return OneTable(files, inputs)


def group_begins(file: Any) -> list[int]:
    """Where the row groups begin if their bytes follow one another; and the end."""
    return list(itertools.accumulate((group.bytes for group in file.groups), initial=0))


def rows_of_shard(path: str, begin: int, end: int | None, schema: Any, partitions: "Partitions") -> tuple[Any, int]:
    """The row groups of a file that begin in [begin, end), as an input with the columns of the table, and their rows.
    schema: of the table. partitions: what the names of its folders say of all rows."""
    from ..inputs.fitted_input import FittedInput, Table, fits
    from ..inputs.hive_folders import PartitionColumns
    from ..parquet.parquet_input import ParquetInput
    file = ParquetInput(output_of(path))
    file.take_groups([number for number, at in enumerate(group_begins(file)[:-1])
                      if begin <= at and (end is None or at < end)])
    table = Table(schema, [], [])
    if fits(file, table, partitions):
        return file, file.rows()
    return FittedInput(file, table, partitions, PartitionColumns([partitions])), file.rows()
