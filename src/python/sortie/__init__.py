"""Sorts what is larger than memory: files, tables, NumPy arrays, memory-mapped arrays, streams of records.

    import sortie

    report = sortie.sort_files("words.txt", "sorted.txt", memory="4GB")
    print(report)

Files of lines, CSV or records of fixed length: sort_files(), join_files(), check_files(), plan_files(),
plan_join_files(). Arrays in memory or mapped: sort(), argsort(). Tables of pyarrow, Polars, pandas or DuckDB, and files
of Parquet: sort_table(), sort_parquet(). Records or rows that a program makes: Sorter.

Whatever cannot be done raises Error in one line that names the thing and the remedy. It is of Python's class, too, where
there is one: ArgumentError, for an argument that cannot be, is a ValueError; ArgumentTypeError, for one of the wrong type, a
TypeError; OutOfMemoryError a MemoryError; MissingModuleError an ImportError; FileError, for what the system says of a file,
an OSError of the class that Python has for it (FileNotFoundError, PermissionError, ...), with errno and filename.
logging.getLogger("sortie") hears warnings, the end of a sort (INFO), and its phases (DEBUG).

Options that functions take beside their own arguments; None leaves the default. The signature of each has those that
it takes:

OPTIONS

As a path "-" is standard input or standard output, of one thing at a time.

Sorts run without the GIL, any number of them in any number of threads. Ctrl-C ends a sort within a second, and so does
an exception of `progress` or `warn`: the output is then as it was, and no file is left behind.
"""

__all__ = ["ArgumentError", "ArgumentTypeError", "Disorder", "Error", "FileError", "JoinReport", "MissingModuleError",
           "OutOfMemoryError", "Report", "SortWarning", "SortedBatch", "SortedTable", "Sorter", "TableReport", "argsort",
           "check_files", "join_files", "plan_files", "plan_join_files", "sort",
           "sort_files", "sort_parquet", "sort_table"]


from . import _commands  # noqa: E402

_commands.let_ctrl_c_end_commands()


class SortWarning(UserWarning):
    """What a sort warns of, such as an input to be merged that is not in order."""


from ._errors import (ArgumentError, ArgumentTypeError, Error, FileError, MissingModuleError,  # noqa: E402
                      OutOfMemoryError)
from . import _native  # noqa: E402  (it raises these)
from . import _arguments, _arrays, _logging  # noqa: E402
from ._arguments import ARRAYS, CHECKS, FILES, JOINS, TABLES, described as _described, takes_options as _takes  # noqa: E402
from ._report import Disorder, JoinReport, Listening as _Listening, Report  # noqa: E402
from ._keys import OF_KEYS as _OF_KEYS  # noqa: E402
from ._table_report import TableReport  # noqa: E402
from ._tables import SortedTable, Sorter  # noqa: E402

SortedBatch = _native.SortedBatch
__version__ = _native.version
__doc__ = __doc__.replace("OPTIONS", _described(), 1)


@_takes("inputs: _Path | Iterable[_Path], output: _Path", FILES)
def sort_files(inputs, output, options) -> "Report":
    """Sorts the records of files into a file, and returns a Report.

    inputs: a path, or several; "-" is standard input. Files packed with gzip, BGZF, zstd, bzip2, xz or lz4 are unpacked.
    output: a path, or "-"; may be one of the inputs. It is replaced when all is done: on any error it is as it was.
    The other arguments: help(sortie) lists them.

    Files of Parquet and Arrow are no lines: sort_parquet() sorts them. Stable for records of fixed length; lines with
    equal keys are ordered by their bytes unless stable=True. Raises Error for what cannot be done, TypeError for
    arguments that are not known, KeyboardInterrupt after Ctrl-C.

        >>> import os, sortie, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = os.path.join(folder, "words.txt")
        ...     _ = open(path, "w").write("pear\\napple\\nfig\\n")
        ...     report = sortie.sort_files(path, path)
        ...     print(report.output_records, open(path).read().split())
        3 ['apple', 'fig', 'pear']
    """
    _arguments.refuse_no_output(output)
    arguments = {"inputs": _arguments.lines_in(inputs, options), "output": output, **options}
    with _Listening(arguments) as listening:
        report = _native.sort_files(arguments, listening.on_progress, listening.on_warning)
    _logging.log_report("sort_files", report)
    return report


_OF_JOINS = ('*, keys: str | Iterable[str], how: Literal["inner", "left", "right", "full", "anti"] = "inner", '
             "right_keys: str | Iterable[str] | None = None, select: str | None = None, empty: str | None = None")


def _join_arguments(left, right, output, options):
    _arguments.refuse_no_output(output)
    sides = [_arguments.line_file(path, name, options) for path, name in ((left, "left"), (right, "right"))]
    return {"inputs": sides, "output": output, "keys": None, **options}


@_takes(f"left: _Path, right: _Path, output: _Path, {_OF_JOINS}", JOINS)
def join_files(left, right, output, options) -> "JoinReport":
    """Joins two files by keys, and returns a JoinReport: left and right, a Report each, output_records, elapsed_seconds
    and what else is known of the whole.

    left, right, output: as sort_files() takes its inputs and its output; lines, "csv" or "tsv".
    keys: what is compared, in the left file and, unless there are right_keys, in the right one.
    how: "inner", "left", "right", "full", or "anti" for what of the left file has no partner.
    select: the columns to write, "0,1.2,2.3" or names of CSV, "id,left.name,right.price"; default: the keys and what else
    both files have.
    empty: stands for fields that are empty or missing.
    The other arguments: help(sortie) lists them.

    Files that are sorted already are joined as they are read. Rows come in the order of the keys. Raises what
    sort_files() raises."""
    with _Listening(options) as listening:
        report = _native.join_files(_join_arguments(left, right, output, options), listening.on_progress,
                                    listening.on_warning)
    _logging.log_report("join_files", report)
    return report


@_takes("inputs: _Path | Iterable[_Path]", CHECKS)
def check_files(inputs, options) -> "Disorder | None":
    """Returns None if the inputs, read one after another, are in order, and the first Disorder otherwise.

    The arguments are those of sort_files() that say what the records are, how they are ordered and with what means. With
    unique=True equal keys are a disorder, too."""
    with _Listening(options) as listening:
        found = _native.check_files({"inputs": _arguments.lines_in(inputs, options), **options}, listening.on_progress,
                                    listening.on_warning)
    return found and Disorder(**dict(zip(("input", "record", "offset", "line"), found)))


@_takes('inputs: _Path | Iterable[_Path], output: _Path = "-"', FILES, listens=False)
def plan_files(inputs, output, options) -> "str":
    """Says what sort_files() would do: engine, memory, expected runs and scratch space, in several lines. Reads sizes
    and headers alone, and writes nothing, no report either. Takes what sort_files() takes, but for progress and warn.
    Raises Error where sort_files() would refuse to start."""
    return _native.plan_files({"inputs": _arguments.lines_in(inputs, options), "output": output, **options})


@_takes(f'left: _Path, right: _Path, output: _Path = "-", {_OF_JOINS}', JOINS, listens=False)
def plan_join_files(left, right, output, options) -> "str":
    """Says what join_files() would do: how both files would be sorted, and with how much memory and how many threads,
    in several lines. Takes what join_files() takes, but for progress and warn; writes no report."""
    return _native.plan_join_files(_join_arguments(left, right, output, options))


@_takes("array: _ArrayLike, axis: int | None = -1, *, order: _FieldKey | Iterable[_FieldKey] | None = None, "
        "descending: bool = False, out: Any = None, threads: int | None = None", ARRAYS)
def sort(array, axis, order, descending, out, threads, options) -> "Any":
    """Sorts an array, and returns the sorted one.

        >>> import numpy, sortie
        >>> sortie.sort(numpy.array([3, 1, 2], "int16"))
        array([1, 2, 3], dtype=int16)
        >>> sortie.sort(numpy.array([[3, 1], [2, 4]]), axis=0)
        array([[2, 1],
               [3, 4]])
        >>> people = numpy.array([("Ada", 36), ("Kurt", 71)], [("name", "S8"), ("age", "i4")])
        >>> sortie.sort(people, order=("age", "descending"))["name"].tolist()
        [b'Kurt', b'Ada']

    array: of NumPy, in any layout and byte order, read-only or mapped from a file; or anything in the memory of the host
        that has the buffer protocol, DLPack, __arrow_c_array__ or __array__. Types are bool, integers, floats of 16, 32
        and 64 bits, datetime64, timedelta64, bytes, texts (of a fixed length, StringDType, or objects that are str), and
        structured arrays. A Series, an Index or an extension array of pandas comes back as such, in order, with its
        labels; so do columns of Polars and pyarrow whose categories have an order of their own. Columns with nulls are
        refused: leave these out, or fill them.
    axis: along which it is sorted; None: all values, as one dimension.
    order: for structured arrays, the fields by which they are sorted: a name, a pair such as ("age", "descending"), or
        a list of these, 32 at most. None: all fields in turn. Fields may be numbers of either byte order, bool,
        datetime64, timedelta64 and bytes. Stable.
    descending: the greatest first; of a structured array, the whole order reversed.
    out: what takes the result: an array of the same type and shape, which may be `array` itself (in place); or, of one
        dimension, a path, for a file of the bare numbers or records, which comes back as numpy.memmap. None: a new array
        of NumPy.
    threads: CPU threads; None: as many as the process may use.
    engine ("auto", "gpu", "cpu"), devices, device_memory: where numbers of 32 and 64 bits are sorted; shorter ones are
        counted, by one thread, and texts of StringDType and objects are sorted, on the CPU: with "gpu" the log says so.
        With one of the other arguments about how a result is reached, such as memory
        (help(sortie) lists them), for numpy.memmap and for a path, the sort needs no more than `memory` beside array and
        out, and spills what does not fit there; rows one after the other.

    Floats are in the total order of IEEE 754: -NaN, -inf, ..., -0.0, +0.0, ..., +inf, +NaN. numpy.nan is
    positive and comes last as in NumPy. On x86 NaNs that calculations make (0/0, sqrt(-1)) are negative and come first:
    a[numpy.isnan(a)] = numpy.nan before the sort brings them to the end. NaT comes after all times, as in NumPy, but
    before them in fields of structured arrays. Texts are in the order of their code points.

    In memory it takes as many bytes again as the array if it is sorted in place, and some MB otherwise; what does not lie
    side by side in the byte order of the machine (such as columns, axis=0), times with NaT, and bytes of 8 at most are
    copied first, and texts take two copies. Raises ArgumentTypeError, a
    TypeError, and ArgumentError, a ValueError, for arrays that cannot be sorted, and Error. If it fails in place, or is
    stopped, the array may hold anything."""
    return _arrays.sort(array, axis, order, descending, out, threads, options)


@_takes("array: _ArrayLike, axis: int | None = -1, *, order: _FieldKey | Iterable[_FieldKey] | None = None, "
        "descending: bool = False, out: Any = None, threads: int | None = None", ARRAYS)
def argsort(array, axis, order, descending, out, threads, options) -> "Any":
    """Returns the int64 indexes that sort an array: array[argsort(array)] is in order.

        >>> import numpy, sortie
        >>> sortie.argsort(numpy.array(["pear", "fig", "apple"]))
        array([2, 1, 0])

    Stable: equal values keep their order, also with descending=True. array, axis, order, the order of values and errors: as
    for sort(), on the CPU. out: an int64 array of the same shape. Takes as many bytes again as the array, beside the
    indexes, or as the indexes for numbers of 16 bits. With memory or another of the arguments about how a result is
    reached, or engine="gpu", it takes no more than `memory` beside array and out, and spills what does not fit there: the
    bytes that are compared, and 8 for each index. An `out` whose numbers do not lie side by side takes as much again, and
    so do the indexes of NaT."""
    return _arrays.argsort(array, axis, order, descending, out, threads, options)


@_takes("data: _Table | Iterable[_Table], by: _ColumnKey | Iterable[_ColumnKey], *, "
        f"{_OF_KEYS}, batch_rows: int | None = None", TABLES)
def sort_table(data, by, batch_rows, options) -> "SortedTable":
    """Sorts the rows of a table, which may be larger than memory, and returns a SortedTable.

        >>> import pyarrow, sortie
        >>> table = pyarrow.table({"user": [{"id": 2}, None, {"id": 1}], "ts": [5, 7, 9]})
        >>> sortie.sort_table(table, "user.id").to_arrow()["ts"].to_pylist()
        [9, 5, 7]
        >>> sortie.sort_table(table, "user.id", descending=True, nulls="first").to_arrow()["ts"].to_pylist()
        [7, 5, 9]
        >>> sortie.sort_table(table, [-1], descending=[True]).to_arrow()["ts"].to_pylist()
        [9, 7, 5]

    data: a table of any library that speaks Arrow's C data interface (__arrow_c_stream__ or __arrow_c_array__):
        pyarrow, Polars, pandas 3, DuckDB; or an iterable of such with the same columns, which may make them one by one.
    by: columns: a name, a position from 0 (or from the last column, which is -1), a pair such as ("ts", "descending"), three
        words such as ("ts", "desc", "first"), or a list of these. The first counts most. "user.id" is the field `id` of
        the structs in the column `user`; a column whose whole name is "user.id" comes first. A tuple whose second word is
        a direction is one key, also where a column has that name: write two columns as a list. Keys are null, bool,
        integers, floats, decimals, dates, times, timestamps, durations, texts and bytes of every kind, and dictionaries
        and runs of these. Nested columns (lists, maps, structs, unions) and intervals of several units are carried, and
        are no keys.
    descending: True or False for the keys that do not say it themselves, or a list of one for each key.
    nulls: where nulls come, "last" (as usual) or "first", whatever the direction: one word for the keys that do not say it
        themselves, or a list of one for each. null_placement, with "at_end" and "at_start" as well, and nulls_last, True or
        False, say the same as pyarrow and Polars say it: give one of the three.
    batch_rows: rows of a batch of the result, 1 at least; batches whose rows take 2 GiB have fewer. Unless it is given,
        65536, or fewer if they take 4 MiB, or 16 KiB for each column if that is more.
    options: unique, keep_last, top; memory, scratch and what else says how the result is reached; progress, warn, trace,
        stats_json and report: help(sortie) lists them. `memory` counts beside the batches that come and go.

    Stable: rows with equal keys keep their order. Numbers, decimals, dates, times and durations are in the order of
    their values, false comes before true, texts in the order of their bytes, dictionaries in that of their values,
    floats in total order: -NaN, -inf, ..., -0.0, +0.0, ..., +inf, +NaN. Ordered dictionaries (an ordered Categorical
    of pandas, an Enum of Polars) are in the order of their categories, on which all batches must agree. Schema and
    metadata are those of the first batch; a dictionary of the result holds the values of all batches. The index of a
    DataFrame of pandas is a column of the result, by which pandas has it again.

    All data is read before this returns. What the iterable raises comes out unchanged; of a stream that fails, Error
    carries the text, and, of a reader of pyarrow, the cause. Raises TypeError for data that is no table, and Error for
    columns that are missing, differ from those of the first batch, or cannot be sorted by or carried: by name, before a
    row is read. A batch that is damaged is an Error that names the column, too, as far as the interface lets it be
    seen."""
    from . import _tables

    return _tables.sort_table(data, by, batch_rows, options)


@_takes("inputs: _Path | Iterable[_Path], output: _Path, *, by: _ColumnKey | Iterable[_ColumnKey], "
        f"{_OF_KEYS}, row_group_rows: int | None = None, compression: str | None = None", TABLES)
def sort_parquet(inputs, output, by, row_group_rows, compression, options) -> "TableReport":
    """Sorts the rows of Parquet, CSV or Arrow files into one file, and returns a TableReport: a Report that leads to the rows.

        >>> import pyarrow, pyarrow.parquet, sortie
        >>> pyarrow.parquet.write_table(pyarrow.table({"city": ["Rome", None, "Oslo"], "n": [1, 2, 3]}), "in.parquet")
        >>> report = sortie.sort_parquet("in.parquet", "out.parquet", by="city", nulls="first")
        >>> report.output_records, report.to_arrow()["n"].to_pylist()
        (3, [2, 3, 1])

    inputs: a path, or several, with the same columns, which may differ in where nulls can be. The suffixes tell the
        formats: .parquet, .csv, .csv.gz, .arrow, .feather. The type of a CSV column is the one that pyarrow guesses
        from the first 4 MiB of the first file that has values there: 007 is the number 7, NA is null, integers beyond
        64 bits are uint64 or decimals. From CSV to CSV only keys have types, and all texts come out as they were. Numbers
        of CSV are compared as exactly as they are written, unless other formats are among the inputs. What a type changes
        (words for null, zeros in front, numbers that a double rounds) is warned of, and in Report.assumptions, and so is
        an Arrow stream without a mark of its end; strict=True refuses all of it, and the output is as it was.
    output: a path; may be one of the inputs. Its suffix tells the format. It is replaced when all is done: on any
        error, and after Ctrl-C, it is as it was.
    by, descending, nulls: as sort_table() takes them, and null_placement and nulls_last, too.
    row_group_rows: rows of a row group of Parquet; None: as many as take 64 MiB in memory, 2**20 at most.
    compression: "none", "snappy", "gzip", "brotli", "lz4" or "zstd", with a level as in "zstd:9"; None: for each column
        that of the first input, else "zstd". Of Arrow files: "none", "lz4", "zstd"; None: "none" for .arrow, "lz4" for
        .feather.
    options: those of sort_table().

    All columns are kept, with the metadata of the first input; an index of pandas that is only told as a range is left
    out. Parquet gets statistics and the order, as sorting_columns; what an input says of its own order is left out.
    Parquet's old timestamps of 96 bits come out as those of 64 bits in ns, and files with times that these do not hold,
    before 1678 or after 2262-04-10, are refused. Checksums of pages are compared when they are
    read, and written. A column keeps what the first row group of the first input has of it: page index, Bloom
    filter, decimals as integers, encoding, times in UTC, ENUM and BSON; and pages their version.

    `memory` is for the sort. Beside it are held, while files are read, some batches of 4 MiB, or 16 KiB for each column,
    and 1 MiB of each column; while the output is written, two row groups in memory, and three with more than two threads,
    but for the last one with their encoded bytes; and what pyarrow takes by itself. A batch of an Arrow file is read as a
    whole. Of CSV pyarrow reads some 100 MB ahead.

    Needs pyarrow: pip install 'sortie-sort[parquet]'. Raises Error for what cannot be done, with the names of file and
    column."""
    from . import _parquet

    return _parquet.sort_parquet(inputs, output, by, row_group_rows, compression, options)
