"""Files of tables that have a schema, and those of Arrow."""

import types

import pyarrow.ipc

from ._file_errors import naming, open_file
from ._pandas_index import without_range

_IPC_MAGIC = b"ARROW1"
_IPC_CONTINUATION = b"\xff\xff\xff\xff"
_IPC_END = _IPC_CONTINUATION + bytes(4)


class TypedInput:
    """A file that has a schema. What it does not have: see CsvInput."""

    codecs = ()
    form = types.MappingProxyType({})
    assumed = None

    @property
    def types(self):
        return self.schema

    @property
    def sorted_schema(self):
        return self.schema

    def sorted_by(self, key):
        return [key]

    def with_types(self, known):
        return self

    def word_bytes(self):
        """Bytes of the dictionaries of all columns, as far as the file tells before it is read."""
        return 0

    def refuse_key(self, name):
        """Raises Error if values of the column are read without the order that their type has."""


class ArrowInput(TypedInput):
    """An IPC file or stream."""

    def __init__(self, path):
        self.path = path
        with naming(path, "read"), open_file(path) as file:
            self.schema = without_range(_open_ipc(file).schema)

    def batches(self, use_threads):
        with naming(self.path, "read"), open_file(self.path) as file:
            for batch in _ipc_batches(_open_ipc(file)):
                # pyarrow believes what it reads, and would touch what is not there.
                batch.validate(full=True)
                yield batch
            if self.assumed is not None and not _has_end(file):
                self.assumed.add("no-end-of-stream", None, 1, self.path)


def _has_end(file):
    """Whether what was read to its end has a mark of it. Without one it may be the rest of a longer stream. Before version
    0.15 of Arrow the mark was four zeros, with which rows may end, too."""
    end = file.tell()
    begin = file.read_at(len(_IPC_MAGIC), 0)
    if begin == _IPC_MAGIC or not begin.startswith(_IPC_CONTINUATION):
        return True
    return file.read_at(len(_IPC_END), end - len(_IPC_END)) == _IPC_END


def _open_ipc(file):
    is_file = file.read(len(_IPC_MAGIC)) == _IPC_MAGIC
    file.seek(0)
    return pyarrow.ipc.open_file(file) if is_file else pyarrow.ipc.open_stream(file)


def _ipc_batches(source):
    if isinstance(source, pyarrow.ipc.RecordBatchFileReader):
        return map(source.get_batch, range(source.num_record_batches))
    return source
