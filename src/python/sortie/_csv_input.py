"""CSV as a table. pyarrow guesses the types of columns. Where a CSV file is made of it again, columns are carried as the
texts that they are, and keys are read once more with their types beside them, to be sorted by."""

import contextlib

import pyarrow
import pyarrow.csv

from . import Error
from ._file_errors import naming, open_file

_BLOCK_BYTES = 4 << 20  # no row may be longer


class CsvInput:
    """schema: that of the output. sorted_schema: with the typed keys behind it. key_names: theirs, by those of their
    columns. types: the schema that is guessed or known. tells_types: whether there are rows to guess from."""

    codec = None

    def __init__(self, path, texts_of, known_types):
        """texts_of: the names of the keys if columns are carried as texts, else None. known_types: None to guess."""
        self.path = path
        self.types = None
        with naming(path, "read"), contextlib.closing(self._open(column_types=known_types)) as source:
            self.types = source.schema
            self.tells_types = any(batch.num_rows > 0 for batch in source)
        self.schema = self.sorted_schema = self.types
        self.key_names = {}
        if texts_of is not None:
            self._carry_texts(dict.fromkeys(texts_of))

    def batches(self, use_threads):
        """The record batches, in the order of the rows."""
        with naming(self.path, "read"), contextlib.ExitStack() as stack:
            def source(**options):
                return stack.enter_context(contextlib.closing(self._open(use_threads, **options)))

            if not self.key_names:
                yield from source(column_types=self.types)
                return
            texts = source(column_types=self.schema, null_values=[""], strings_can_be_null=True,
                           quoted_strings_can_be_null=False)
            keys = source(column_types=self.types, include_columns=list(self.key_names))
            # pyarrow cuts both into the same blocks: these follow from bytes, not from types.
            for text, key in zip(texts, keys, strict=True):
                yield pyarrow.record_batch([*text.columns, *key.columns], schema=self.sorted_schema)

    def _carry_texts(self, keys):
        names = self.types.names
        for key in keys:
            if names.count(key) != 1:
                found = "several columns of this name" if key in names else f"no such column; it has {', '.join(names)}"
                raise Error(f"key '{key}': '{self.path}' has {found}")
            self.key_names[key] = _free_name(key, names)
        self.schema = pyarrow.schema([(name, pyarrow.string()) for name in names])
        typed = [pyarrow.field(hidden, self.types.field(key).type) for key, hidden in self.key_names.items()]
        self.sorted_schema = pyarrow.schema([*self.schema, *typed])

    def _open(self, use_threads=True, **options):
        file = open_file(self.path)
        if self.path.endswith(".gz"):
            file = pyarrow.CompressedInputStream(file, "gzip")
        return pyarrow.csv.open_csv(
            file, read_options=pyarrow.csv.ReadOptions(block_size=_BLOCK_BYTES, use_threads=use_threads),
            parse_options=pyarrow.csv.ParseOptions(newlines_in_values=True, ignore_empty_lines=len(self.types or ()) != 1),
            convert_options=pyarrow.csv.ConvertOptions(**options))


def _free_name(name, names):
    name += " as a key"
    while name in names:
        name += "'"
    return name
