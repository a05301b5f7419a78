"""Words behind the columns of rows, by which these are sorted in place of keys, and which do not come out: what a curve
and a shuffle share. And those of a shuffle."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import pyarrow

from .. import _native
from .._assumed import Assumed
from .keys import Shuffle, TableKey


class RowWords:
    """Gives batches of a schema columns of words, 64 bits each. names: of these columns."""

    def __init__(self, schema: pyarrow.Schema, count: int, name: str) -> None:
        self.names = list(_free_names(schema, count, name))

    @property
    def order(self) -> list[TableKey]:
        """By which rows with these columns are sorted."""
        return [(name, False, False) for name in self.names]

    def fields(self) -> list[pyarrow.Field]:
        return [pyarrow.field(name, pyarrow.uint64(), nullable=False) for name in self.names]

    def behind(self, schema: pyarrow.Schema) -> pyarrow.Schema:
        """The schema with the columns of the words."""
        return pyarrow.schema([*schema, *self.fields()], schema.metadata)

    def bytes_of(self, batch: pyarrow.RecordBatch, place: str, first_row: int,
                 assumed: Assumed | None) -> Sequence[bytes]:
        """The words of each column, one behind the other. The arguments are those of words_of()."""
        raise NotImplementedError

    def words_of(self, batch: pyarrow.RecordBatch, place: str = "", first_row: int = 0,
                 assumed: Assumed | None = None) -> list[pyarrow.Array]:
        """The columns of the words. place: of the batch, for messages. first_row: the number of its first row. assumed:
        takes what has to be assumed of the rows."""
        return [pyarrow.Array.from_buffers(pyarrow.uint64(), batch.num_rows, [None, pyarrow.py_buffer(words)])
                for words in self.bytes_of(batch, place, first_row, assumed)]

    def put_behind(self, batch: pyarrow.RecordBatch, first_row: int,
                   assumed: Assumed | None = None) -> pyarrow.RecordBatch:
        words = self.words_of(batch, "", first_row, assumed)
        return pyarrow.record_batch([*batch.columns, *words], schema=self.behind(batch.schema))


class ShuffleWords(RowWords):
    """Words that are made of the seed and of the number of the row among all rows of all inputs, and of nothing else:
    the same as those of files of samples and documents."""

    def __init__(self, schema: pyarrow.Schema, shuffle: Shuffle) -> None:
        self._native = _native.ShuffleKeys(shuffle.seed)
        super().__init__(schema, self._native.words, "place in the shuffle")

    def bytes_of(self, batch: pyarrow.RecordBatch, place: str, first_row: int,
                 assumed: Assumed | None) -> Sequence[bytes]:
        words: list[bytes] = self._native.of(first_row, batch.num_rows)
        return words

    def put_behind_all(self, batches: Iterable[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        """batches: all rows, in the order of the inputs."""
        row = 0
        for batch in batches:
            yield self.put_behind(batch, row)
            row += batch.num_rows
            del batch


def _free_names(schema: pyarrow.Schema, count: int, prefix: str) -> Iterator[str]:
    taken = set(schema.names)
    for number in range(count):
        name = f"{prefix} {number + 1}"
        while name in taken:
            name += "'"
        taken.add(name)
        yield name
