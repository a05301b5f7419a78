"""CSV as a table. pyarrow guesses the types of columns. Where a CSV file is made of it again, columns are carried as
the texts that they are, and keys are read once more with their types beside them, to be sorted by."""

import contextlib
import re

import pyarrow
import pyarrow.compute
import pyarrow.csv

from . import Error
from ._file_errors import first_line, naming, open_file

_BLOCK_BYTES = 4 << 20  # no row may be longer
_MOST_DIGITS = 38  # of decimals


class CsvInput:
    """schema: that of the output. sorted_schema: with the typed keys behind it. key_names: theirs, by those of their
    columns. types: the schema that is guessed or known. tells_types: whether there are rows to guess from."""

    codecs = ()

    def __init__(self, path, texts_of, known_types):
        """texts_of: the names of the keys if columns are carried as texts, else None. known_types: None to guess."""
        self.path = path
        self.types = None
        with (naming(path, "read"), _naming_columns(known_types),
              contextlib.closing(self._open(column_types=known_types)) as source):
            self.types = source.schema
            self.tells_types = any(batch.num_rows > 0 for batch in source)
        if known_types is None and self.tells_types:
            self._widen_integers(self.types.names if texts_of is None else texts_of)
        self.schema = self.sorted_schema = self.types
        self.key_names = {}
        if texts_of is not None:
            self._carry_texts(dict.fromkeys(texts_of))

    def batches(self, use_threads):
        """The record batches, in the order of the rows."""
        with naming(self.path, "read"), _naming_columns(self.types), contextlib.ExitStack() as stack:
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

    def _widen_integers(self, names):
        """pyarrow guesses that integers beyond 64 bits are floats, which would take many of them for the same."""
        all_names = self.types.names
        names = [name for name in dict.fromkeys(names) if all_names.count(name) == 1]
        names = [name for name in names if pyarrow.types.is_floating(self.types.field(name).type)]
        if not names:
            return
        as_text = dict.fromkeys(names, pyarrow.string())
        with (naming(self.path, "read"), contextlib.closing(
                self._open(column_types=as_text, include_columns=names, strings_can_be_null=True)) as source):
            rows = source.read_next_batch()
        for name in names:
            integer_type = _integer_type(rows.column(name), f"column '{name}' of '{self.path}'")
            if integer_type is not None:
                index = all_names.index(name)
                self.types = self.types.set(index, self.types.field(index).with_type(integer_type))

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
        # There an empty line is a value.
        has_one_column = self.types is not None and len(self.types) == 1
        file = open_file(self.path)
        if self.path.endswith(".gz"):
            file = pyarrow.CompressedInputStream(file, "gzip")
        return pyarrow.csv.open_csv(
            file, read_options=pyarrow.csv.ReadOptions(block_size=_BLOCK_BYTES, use_threads=use_threads),
            parse_options=pyarrow.csv.ParseOptions(newlines_in_values=True, ignore_empty_lines=not has_one_column),
            convert_options=pyarrow.csv.ConvertOptions(**options))


def _integer_type(texts, what):
    """The type of integers that are no 64 bits with a sign; None for other numbers."""
    texts = pyarrow.compute.utf8_trim_whitespace(texts.drop_null())
    if not pyarrow.compute.all(pyarrow.compute.match_substring_regex(texts, "^-?[0-9]+$"), min_count=1).as_py():
        return None
    try:
        texts.cast(pyarrow.uint64())
        return pyarrow.uint64()
    except pyarrow.ArrowInvalid:
        pass
    if pyarrow.compute.max(pyarrow.compute.utf8_length(texts)).as_py() > _MOST_DIGITS:
        raise Error(f"{what} has integers of more than {_MOST_DIGITS} digits, which pyarrow cannot read: give a file "
                    "in which it is of another type, such as one of Parquet")
    return pyarrow.decimal128(_MOST_DIGITS, 0)


@contextlib.contextmanager
def _naming_columns(types):
    """pyarrow numbers columns, and knows nothing of guesses."""
    try:
        yield
    except pyarrow.ArrowInvalid as error:
        text = first_line(error)
        number = re.search(r"In CSV column #(\d+)", text)
        if number is not None and types is not None and int(number[1]) < len(types):
            text = text.replace(number[0], f"column '{types.names[int(number[1])]}'")
            text += " (types are guessed from the first 4 MiB of the first file with rows: make all values of one kind)"
        raise pyarrow.ArrowInvalid(text) from None


def _free_name(name, names):
    name += " as a key"
    while name in names:
        name += "'"
    return name
