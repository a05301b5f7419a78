"""CSV as a table. Where a CSV file is made of it again, columns are carried as the texts that they are, and keys are
read once more with their types beside them, to be sorted by."""

import contextlib
from types import MappingProxyType

import pyarrow

from . import Error
from ._csv_file import in_blocks, naming_columns, open_csv
from ._csv_types import types_by_name, types_in_file
from ._errors import listed
from ._file_errors import naming


class CsvInput:
    """types: those of its columns, as a schema. schema: that of the output. key_names: those of the typed keys that
    are behind it while rows are sorted, by the names of their columns."""

    codecs = ()
    form = MappingProxyType({})

    def __init__(self, path, types, texts_of):
        """texts_of: the names of the keys if columns are carried as texts, else None."""
        self.path = path
        self.types = self.schema = types
        self.key_names = {}
        self._texts_of = texts_of
        if texts_of is not None:
            self.key_names = {key: self._hidden_name(key) for key in texts_of}
            self.schema = pyarrow.schema([(name, pyarrow.string()) for name in types.names])

    @property
    def sorted_schema(self):
        """The schema with the typed keys behind it."""
        typed = [pyarrow.field(hidden, self.types.field(key).type) for key, hidden in self.key_names.items()]
        return pyarrow.schema([*self.schema, *typed], self.schema.metadata)

    def with_types(self, known):
        """This input when all files are known."""
        return CsvInput(self.path, types_in_file(self.types, known), self._texts_of)

    def refuse_key(self, name):
        """None is refused: its values are read with their types."""

    def batches(self, use_threads):
        """The record batches, in the order of the rows."""
        names = self.types.names
        read, may_guess = self._typed, len(set(names)) < len(names)
        if self.key_names:
            read, may_guess = self._texts_and_keys, False
        with naming(self.path, "read"), naming_columns(names):
            yield from in_blocks(lambda block_bytes: read(block_bytes, use_threads), may_guess)

    def _typed(self, *how):
        with self._open(*how, column_types=types_by_name(self.types)) as source:
            for batch in source:
                # Where a type is left to pyarrow's guess, an empty column has none.
                yield batch if batch.schema.equals(self.types) else batch.cast(self.types)

    def _texts_and_keys(self, *how):
        schema = self.sorted_schema
        text_types = dict.fromkeys(self.types.names, pyarrow.string())
        with (self._open(*how, column_types=text_types, null_values=[""], strings_can_be_null=True,
                         quoted_strings_can_be_null=False) as texts,
              self._open(*how, column_types=types_by_name(self.types), include_columns=list(self.key_names)) as keys):
            # pyarrow cuts both into the same blocks: these follow from bytes, not from types.
            for text, key in zip(texts, keys, strict=True):
                yield pyarrow.record_batch([*text.columns, *key.columns], schema=schema)

    def _open(self, block_bytes, use_threads, **options):
        return contextlib.closing(open_csv(self.path, len(self.types), block_bytes, use_threads, **options))

    def _hidden_name(self, key):
        names = self.types.names
        if names.count(key) != 1:
            found = "several columns of this name" if key in names else f"no such column; it has {listed(names)}"
            raise Error(f"key '{key}': '{self.path}' has {found}")
        name = key + " as a key"
        while name in names:
            name += "'"
        return name
