"""Sorts what is larger than memory: files, tables, NumPy arrays, memory-mapped arrays, streams of records.

    import sortie

    report = sortie.sort_files("words.txt", "sorted.txt", memory="4GB")
    print(report)

Files of lines, CSV or records of fixed length: sort_files(), join_files(), check_files(), plan_files(),
plan_join_files(). Arrays in memory or mapped: sort(), argsort(); in the memory of a GPU: the package sortie.cuda.
Tables of pyarrow, Polars, pandas or DuckDB, and files of Parquet: sort_table(), sort_parquet(),
sort_parquet_in_place(), group_table(), join_tables(). Records or rows that a program makes: Sorter.

Whatever cannot be done raises Error in one line that names the thing and the remedy. It is of Python's class, too,
where there is one: ArgumentError, for an argument that cannot be, is a ValueError; ArgumentTypeError, for one of the
wrong type, a TypeError; OutOfMemoryError a MemoryError; MissingModuleError an ImportError; FileError, for what the
system says of a file, an OSError of the class that Python has for it (FileNotFoundError, PermissionError, ...), with
errno and filename. logging.getLogger("sortie") hears warnings, the end of a sort but that of arrays in memory (INFO),
and phases (DEBUG).

Options that functions take beside their own arguments; None leaves the default. The signature of each has those that
it takes:

OPTIONS

As a path "-" is standard input or standard output, of one thing at a time.

Sorts run without the GIL, any number of them in any number of threads. Ctrl-C ends a sort within a second, and so does
an exception of `progress` or `warn`: the output is then as it was, and no file is left behind.
"""

__all__ = ["ArgumentError", "ArgumentTypeError", "Disorder", "Error", "FileError", "InPlaceReport", "JoinReport",
           "MissingModuleError", "OutOfMemoryError", "Report", "SortWarning", "SortedBatch", "SortedTable", "Sorter",
           "StreamedTable", "TableReport", "argsort", "check_files", "group_table", "join_files", "join_tables",
           "plan_files", "plan_join_files", "sort", "sort_files", "sort_parquet", "sort_parquet_in_place", "sort_table"]


from . import _commands  # noqa: E402

_commands.let_ctrl_c_end_commands()


class SortWarning(UserWarning):
    """What a sort warns of, such as an input to be merged that is not in order."""


from ._errors import (ArgumentError, ArgumentTypeError, Error, FileError, MissingModuleError,  # noqa: E402
                      OutOfMemoryError)
from . import _native  # noqa: E402  (it raises these)
from . import _arguments, arrays, _logging  # noqa: E402
from ._arguments import ARRAYS, CHECKS, FILES, JOINS, described as _described, takes_options as _takes  # noqa: E402
from ._report import Disorder, JoinReport, Listening as _Listening, Report  # noqa: E402
from .jobs.table_report import TableReport  # noqa: E402
from .jobs.in_place_report import InPlaceReport  # noqa: E402
from .tables.sorted_table import SortedTable  # noqa: E402
from .tables.sorter import Sorter  # noqa: E402
from .tables.streamed_table import StreamedTable  # noqa: E402
from ._table_functions import group_table, join_tables, sort_parquet, sort_parquet_in_place, sort_table  # noqa: E402

SortedBatch = _native.SortedBatch
__version__ = _native.version
__doc__ = __doc__.replace("OPTIONS", _described(), 1)


@_takes("inputs: _Path | Iterable[_Path], output: _Path", FILES)
def sort_files(inputs, output, options) -> "Report":
    """Sorts the records of files into a file, and returns a Report.

    inputs: a path, or several; "-" is standard input. Files packed with gzip, BGZF, zstd, bzip2, xz or lz4 are
    unpacked.
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
    select: the columns to write, "0,1.2,2.3" or names of CSV, "id,left.name,right.price"; default: the keys and what
    else both files have.
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

    The arguments are those of sort_files() that say what the records are, how they are ordered and with what means.
    With unique=True equal keys are a disorder, too."""
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

    array: of NumPy, in any layout and byte order, read-only or mapped from a file; or anything in the memory of the
        host that has the buffer protocol, DLPack, __arrow_c_array__ or __array__. Types are bool, integers, floats of
        16, 32 and 64 bits, datetime64, timedelta64, bytes, texts (of a fixed length, StringDType, or objects that are
        str), and structured arrays. A Series, an Index or an extension array of pandas comes back as such, in order,
        with its labels; so do columns of Polars and pyarrow whose categories have an order of their own. Columns with
        nulls are refused: leave these out, or fill them.
    axis: along which it is sorted; None: all values, as one dimension.
    order: for structured arrays, the fields by which they are sorted: a name, a pair such as ("age", "descending"), or
        a list of these, 32 at most. None: all fields in turn. Fields may be numbers of either byte order, bool,
        datetime64, timedelta64 and bytes. Stable.
    descending: the greatest first; of a structured array, the whole order reversed.
    out: what takes the result: an array of the same type and shape, which may be `array` itself (in place); or, of one
        dimension, a path, for a file of the bare numbers or records, which comes back as numpy.memmap. None: a new
        array of NumPy.
    threads: CPU threads; None: as many as the process may use.
    engine ("auto", "gpu", "cpu"), devices, device_memory: where numbers of 32 and 64 bits are sorted; shorter ones are
        counted, by one thread, and texts of StringDType and objects are sorted, on the CPU: with "gpu" the log says so.
        With one of the other arguments about how a result is reached, such as memory
        (help(sortie) lists them), for numpy.memmap and for a path, the sort needs no more than `memory` beside array
        and out, and spills what does not fit there; rows one after the other.

    Floats are in the total order of IEEE 754: -NaN, -inf, ..., -0.0, +0.0, ..., +inf, +NaN. numpy.nan is
    positive and comes last as in NumPy. On x86 NaNs that calculations make (0/0, sqrt(-1)) are negative and come first:
    a[numpy.isnan(a)] = numpy.nan before the sort brings them to the end. NaT comes after all times, as in NumPy, but
    before them in fields of structured arrays. Texts are in the order of their code points.

    In memory it takes as many bytes again as the array if it is sorted in place, and some MB otherwise; what does not
    lie side by side in the byte order of the machine (such as columns, axis=0), times with NaT, and bytes of 8 at most
    are copied first, and texts take two copies. Raises ArgumentTypeError, a
    TypeError, and ArgumentError, a ValueError, for arrays that cannot be sorted, and Error. If it fails in place, or is
    stopped, the array may hold anything."""
    return arrays.sort(array, axis, order, descending, out, threads, options)


@_takes("array: _ArrayLike, axis: int | None = -1, *, order: _FieldKey | Iterable[_FieldKey] | None = None, "
        "descending: bool = False, out: Any = None, threads: int | None = None", ARRAYS)
def argsort(array, axis, order, descending, out, threads, options) -> "Any":
    """Returns the int64 indexes that sort an array: array[argsort(array)] is in order.

        >>> import numpy, sortie
        >>> sortie.argsort(numpy.array(["pear", "fig", "apple"]))
        array([2, 1, 0])

    Stable: equal values keep their order, also with descending=True. array, axis, order, the order of values and
    errors: as for sort(), on the CPU. out: an int64 array of the same shape. Takes as many bytes again as the array,
    beside the indexes, or as the indexes for numbers of 16 bits. With memory or another of the arguments about how a
    result is reached, or engine="gpu", it takes no more than `memory` beside array and out, and spills what does not
    fit there: the bytes that are compared, and 8 for each index. Without these arguments an `out` whose numbers do not
    lie side by side takes as much again."""
    return arrays.argsort(array, axis, order, descending, out, threads, options)
