"""sort_parquet(): files of tables through a sort, read, sorted and written at the same time."""

import contextlib
import os
import queue
import threading

from . import Error, _native
from ._keys import parse_keys
from ._output_file import OutputFile
from ._tables import RowSorter

try:
    import pyarrow
except ImportError:
    raise Error("sort_parquet() needs pyarrow, which is not installed: pip install 'sortie[parquet]'") from None

from . import _table_files
from ._table_files import TableFile

# Batches that wait to be sorted.
_READ_AHEAD = 2
_SORTED_BATCH_BYTES = 2 << 20
_LEAST_BATCH_ROWS, _MOST_BATCH_ROWS = 1 << 10, 1 << 16


def sort_parquet(inputs, output, by, null_placement, row_group_rows, compression, options):
    writer_options = _table_files.writer_options(os.fsdecode(output), row_group_rows, compression)
    by = parse_keys(by, "by", null_placement)
    keys = [(name, falls, place == "at_start") for name, falls, place in by]
    typed_columns = {name for name, _, _ in keys} if writer_options.table_format == "csv" else None
    files = _open_inputs(inputs, typed_columns)
    threads = _thread_count(options.get("threads"))
    with contextlib.ExitStack() as stack:
        batches = stack.enter_context(_reading_ahead(files, threads))
        first = next(batches, None)
        rows = RowSorter("sort_parquet", _words(by), null_placement, _batch_rows(first), options)
        stack.callback(rows.close)
        # Refuses columns before the output is touched.
        rows.push(pyarrow.RecordBatchReader.from_batches(files[0].schema, []))
        target = OutputFile(output)
        stack.callback(target.discard)
        with _writing(target):
            writer = _table_files.make_writer(target, files[0], keys, threads, writer_options)
        stack.callback(writer.stop)
        _push(rows, first, batches)
        _write(rows, writer, target)
        report = rows.report()
        target.finish()
    return report


def _thread_count(threads):
    """The sort refuses what is no number."""
    return threads if isinstance(threads, int) and threads > 0 else len(os.sched_getaffinity(0))


def _words(keys):
    return [(name, "descending" if falls else "ascending", place) for name, falls, place in keys]


def _open_inputs(inputs, typed_columns):
    """typed_columns: from CSV to CSV all columns but these stay the text that they are; None: none does."""
    if hasattr(inputs, "__fspath__") or isinstance(inputs, (str, bytes)):
        inputs = [inputs]
    files = []
    for path in inputs:
        # Of a file without rows no types can be guessed.
        is_known = bool(files) and not (files[0].is_csv and all(map(pyarrow.types.is_null, files[0].schema.types)))
        file = TableFile(os.fsdecode(path), files[0].schema if is_known else None)
        if file.is_csv and not is_known:
            if typed_columns is not None:
                file.take_types(_as_text(file.schema, typed_columns))
            for earlier in files:
                if earlier.schema.names == file.schema.names:
                    earlier.take_types(file.schema)
        files.append(file)
        _refuse_other_columns(files[0], file)
    if not files:
        raise ValueError("inputs is empty: name files")
    return files


def _as_text(schema, typed_columns):
    return pyarrow.schema([field if field.name in typed_columns else pyarrow.field(field.name, pyarrow.string())
                           for field in schema])


def _refuse_other_columns(first, other):
    for column, field in enumerate(first.schema):
        if column == len(other.schema.names):
            raise Error(f"'{other.path}' has no column '{field.name}', which '{first.path}' has: let all inputs have the same "
                        "columns")
        found = other.schema.field(column)
        if (found.name, found.type) != (field.name, field.type):
            raise Error(f"column {column + 1} of '{other.path}' is '{found.name}' of type {found.type}, and of '{first.path}' "
                        f"'{field.name}' of type {field.type}: let all inputs have the same columns")
    if len(other.schema.names) > len(first.schema.names):
        extra = other.schema.names[len(first.schema.names)]
        raise Error(f"'{first.path}' has no column '{extra}', which '{other.path}' has: let all inputs have the same columns")


def _batch_rows(first):
    """Rows of a sorted batch, if all are as wide as those of the first one."""
    if first is None or first.num_rows == 0:
        return _MOST_BATCH_ROWS
    width = first.nbytes // first.num_rows + 1
    return max(_LEAST_BATCH_ROWS, min(_MOST_BATCH_ROWS, _SORTED_BATCH_BYTES // width))


@contextlib.contextmanager
def _reading_ahead(files, threads):
    """An iterator over the batches of all files, which a thread reads ahead."""
    ready = queue.Queue(_READ_AHEAD)
    stop = threading.Event()

    def put(item):
        while not stop.is_set():
            try:
                return ready.put(item, timeout=0.1)
            except queue.Full:
                pass

    def read():
        try:
            for file in files:
                for batch in file.batches(use_threads=threads > 1):
                    put((batch, None))
                    del batch
                    if stop.is_set():
                        return
            put((None, None))
        except BaseException as error:
            put((None, error))

    def batches():
        while True:
            batch, error = ready.get()
            if error is not None:
                raise error
            if batch is None:
                return
            yield batch
            del batch

    thread = threading.Thread(target=read, name="sortie-reader")
    thread.start()
    try:
        yield batches()
    finally:
        stop.set()
        thread.join()


@contextlib.contextmanager
def _writing(target):
    """Says which file it is that cannot be written, and why."""
    try:
        yield
    except pyarrow.ArrowException as error:
        raise Error(f"cannot write '{target.path}': {_table_files.first_line(error)}") from None
    except OSError as error:
        raise target.error(error) from None


def _push(rows, first, batches):
    if first is not None:
        rows.push(first)
    del first
    for batch in batches:
        rows.push(batch)
        del batch
    # What reading held is not needed any more.
    pyarrow.default_memory_pool().release_unused()
    _native.trim_memory()


def _write(rows, writer, target):
    while (batch := rows.pull()) is not None:
        with _writing(target):
            writer.write(pyarrow.record_batch(batch))
        del batch
    with _writing(target):
        writer.close()
