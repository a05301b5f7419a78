"""CSV files as pyarrow opens them, within little memory, and its errors with the names of columns."""

import contextlib
import re

import pyarrow
import pyarrow.csv

from ._file_errors import first_line, open_file

# pyarrow reads 32 blocks ahead.
_BLOCK_BYTES = 1 << 20
_MOST_BLOCK_BYTES = 4 << 20  # no row may be longer
_REMEDIES = {
    "invalid value": "types are guessed from the first 4 MiB of the first file that has values there: make all values "
                     "of one kind",
    "invalid UTF8": "let the file be in UTF-8",
    "block size": "no row may be longer than 4 MiB",
}


def open_csv(path, columns, block_bytes, use_threads, **options):
    """A reader of batches. columns: their number. options: those of pyarrow's ConvertOptions."""
    return _reader(_open(path), columns, block_bytes, use_threads, options)


def open_first_rows(path, columns=None, **options):
    """A reader for the schema and the first batch, which is from a block of 4 MiB."""
    with _open(path) as file:
        # More than a block, so that the first one does not end within a row.
        start = pyarrow.BufferReader(file.read(4 * _MOST_BLOCK_BYTES))
    return _reader(start, columns, _MOST_BLOCK_BYTES, False, options)


def in_blocks(batches_of, types_are_guessed):
    """The batches of batches_of(block_bytes): of small blocks, until a row is longer than these. types_are_guessed:
    whether they depend on the first block."""
    done = 0
    if not types_are_guessed:
        try:
            for batch in batches_of(_BLOCK_BYTES):
                yield batch
                done += batch.num_rows
            return
        except pyarrow.ArrowInvalid as error:
            # One that a row does not fit into, or the header.
            if "block" not in first_line(error):
                raise
    for batch in batches_of(_MOST_BLOCK_BYTES):
        again = min(done, batch.num_rows)
        done -= again
        yield batch.slice(again)


@contextlib.contextmanager
def naming_columns(names=()):
    """pyarrow numbers columns, and knows no remedies. names: those of all columns of the file, if they are known."""
    try:
        yield
    except pyarrow.ArrowInvalid as error:
        text = first_line(error)
        number = re.search(r"In CSV column #(\d+)", text)
        if number is not None and int(number[1]) < len(names):
            text = text.replace(number[0], f"column '{names[int(number[1])]}'")
        text += "".join(f" ({remedy})" for trouble, remedy in _REMEDIES.items() if trouble in text)
        raise pyarrow.ArrowInvalid(text) from None


def _open(path):
    file = open_file(path)
    return pyarrow.CompressedInputStream(file, "gzip") if path.endswith(".gz") else file


def _reader(file, columns, block_bytes, use_threads, options):
    return pyarrow.csv.open_csv(
        file, read_options=pyarrow.csv.ReadOptions(block_size=block_bytes, use_threads=use_threads),
        # An empty line is the value of a single column.
        parse_options=pyarrow.csv.ParseOptions(newlines_in_values=True, ignore_empty_lines=columns != 1),
        convert_options=pyarrow.csv.ConvertOptions(**options))
