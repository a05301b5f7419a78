"""CSV files as pyarrow opens them, and its errors with the names of columns."""

import contextlib
import re

import pyarrow
import pyarrow.csv

from ._file_errors import first_line, open_file

_BLOCK_BYTES = 4 << 20  # no row may be longer
_REMEDIES = {
    "invalid value": "types are guessed from the first 4 MiB of the first file that has values there: make all values "
                     "of one kind",
    "invalid UTF8": "let the file be in UTF-8",
}


def open_csv(path, columns=None, use_threads=True, **options):
    """A reader of batches. columns: their number, if it is known. options: those of pyarrow's ConvertOptions."""
    file = open_file(path)
    if path.endswith(".gz"):
        file = pyarrow.CompressedInputStream(file, "gzip")
    return pyarrow.csv.open_csv(
        file, read_options=pyarrow.csv.ReadOptions(block_size=_BLOCK_BYTES, use_threads=use_threads),
        # An empty line is the value of a single column.
        parse_options=pyarrow.csv.ParseOptions(newlines_in_values=True, ignore_empty_lines=columns != 1),
        convert_options=pyarrow.csv.ConvertOptions(**options))


@contextlib.contextmanager
def naming_columns(names):
    """pyarrow numbers columns, and knows no remedies. names: those of all columns of the file."""
    try:
        yield
    except pyarrow.ArrowInvalid as error:
        text = first_line(error)
        number = re.search(r"In CSV column #(\d+)", text)
        if number is not None and int(number[1]) < len(names):
            text = text.replace(number[0], f"column '{names[int(number[1])]}'")
            text += "".join(f" ({remedy})" for trouble, remedy in _REMEDIES.items() if trouble in text)
        raise pyarrow.ArrowInvalid(text) from None
