"""Tables in files, by the suffixes of their names: how they are read batch by batch."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, cast

import pyarrow
import pyarrow.ipc

from .. import ArgumentError
from .._files import CODEC_OF_END, naming, open_file
from ..columns.pandas_metadata import without_range
from ..columns.schemas import TypedInput
from ..parquet.parquet_input import ParquetInput
from .csv_input import CsvInput
from .csv_reading import guess_types
from .json_input import open_json

_TEXTS = {".csv": "csv", ".jsonl": "json", ".ndjson": "json"}
FORMATS = {".parquet": "parquet", **{suffix + packed: name for suffix, name in _TEXTS.items()
                                     for packed in ("", *CODEC_OF_END)},
           ".arrow": "arrow", ".feather": "arrow"}
# For messages.
KNOWN_ENDS = ".parquet, .arrow, .feather, .csv, .jsonl or .ndjson, of which the last three may have .gz or .zst behind"

_IPC_MAGIC = b"ARROW1"
_IPC_CONTINUATION = b"\xff\xff\xff\xff"
_IPC_END = _IPC_CONTINUATION + bytes(4)


def has_format(path: str) -> bool:
    """Whether the name tells a format."""
    name = os.path.basename(path).lower()
    return any(name.endswith(suffix) and name != suffix for suffix in FORMATS)


def format_of(path: str) -> str:
    """A key of table_writers.CODECS."""
    name = os.path.basename(path).lower() + getattr(path, "suffix", "")
    for suffix, table_format in FORMATS.items():
        if name.endswith(suffix) and name != suffix:
            return table_format
    of_folder = "; or in '/', if all objects below it are meant" if not getattr(path, "is_web", True) else ""
    raise ArgumentError(f"cannot tell the format of '{path}': let the name end in {KNOWN_ENDS}{of_folder}")


class ArrowInput(TypedInput):
    """An IPC file or stream."""

    def __init__(self, path: str) -> None:
        self.path = path
        with naming(path, "read"), open_file(path) as file:
            self.schema = without_range(_open_ipc(file).schema)

    def batches(self, use_threads: bool) -> Iterator[pyarrow.RecordBatch]:
        with naming(self.path, "read"), open_file(self.path) as file:
            for batch in _ipc_batches(_open_ipc(file)):
                # pyarrow believes what it reads, and would touch what is not there.
                batch.validate(full=True)
                yield batch
            if self.assumed is not None and not _has_end(file):
                self.assumed.add("no-end-of-stream", None, 1, self.path)


def _has_end(file: Any) -> bool:
    """Whether what was read to its end has a mark of it. Without one it may be the rest of a longer stream. Before
    version 0.15 of Arrow the mark was four zeros, with which rows may end, too."""
    end = file.tell()
    begin: bytes = file.read_at(len(_IPC_MAGIC), 0)
    if begin == _IPC_MAGIC or not begin.startswith(_IPC_CONTINUATION):
        return True
    return bool(file.read_at(len(_IPC_END), end - len(_IPC_END)) == _IPC_END)


def _open_ipc(file: Any) -> Any:
    is_file = file.read(len(_IPC_MAGIC)) == _IPC_MAGIC
    file.seek(0)
    return pyarrow.ipc.open_file(file) if is_file else pyarrow.ipc.open_stream(file)


def _ipc_batches(source: Any) -> Iterable[pyarrow.RecordBatch]:
    if isinstance(source, pyarrow.ipc.RecordBatchFileReader):
        return map(source.get_batch, range(source.num_record_batches))
    return cast("Iterable[pyarrow.RecordBatch]", source)


# A file of Parquet is held if it has no more bytes, as long as all of them have no more.
_MOST_HELD_BYTES, _MOST_HELD_BYTES_OF_ALL = 256 << 10, 8 << 20


def open_input(path: str, known_types: pyarrow.Schema | None, csv_keys: Sequence[str], stays_csv: bool,
               before: TypedInput | None = None, held_bytes: int = 0, reads_all: bool = False,
               list_bytes: int = sys.maxsize) -> TypedInput:
    """known_types: what other files tell of its columns, or None. csv_keys: the names of the keys if all files are CSV,
    stays_csv: if the output is CSV, too. before: the file in front, if there is one. held_bytes: of all files in front.
    reads_all: whether all rows of JSON Lines tell the types, and not the first ones alone. list_bytes: what lists of
    objects of one of these rows may take."""
    table_format = format_of(path)
    if table_format == "csv":
        types, is_of_all = guess_types(path, known_types, csv_keys if stays_csv else None)
        return CsvInput(path, types, csv_keys, stays_csv, not is_of_all)
    if table_format == "json":
        return open_json(path, reads_all, list_bytes).with_types(known_types)
    if table_format == "arrow":
        return ArrowInput(path)
    return open_parquet(path, before, held_bytes)


def open_parquet(path: str, before: TypedInput | None = None, held_bytes: int = 0) -> ParquetInput:
    """before, held_bytes: as open_input() takes them."""
    most_bytes = min(_MOST_HELD_BYTES, _MOST_HELD_BYTES_OF_ALL - held_bytes)
    return ParquetInput(path, most_bytes, before if isinstance(before, ParquetInput) else None)
