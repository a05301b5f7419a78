"""The functions for tables, as the package shows them. What they do is imported when they are called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._arguments import ACTIONS, ONE_REPORT, TABLES, takes_options
from ._needed_modules import import_pyarrow, require_numpy
from ._table_options import IN_PLACE, SORT_PARQUET, SORT_TABLE
from ._table_parameters import takes_table_options
from .columns.keys import OF_KEYS

if TYPE_CHECKING:
    from .jobs.in_place_report import InPlaceReport
    from .tables.streamed_table import StreamedTable
    from .jobs.table_report import TableReport
    from .tables.sorted_table import SortedTable


@takes_table_options("data: _Table | Iterable[_Table], by: _ColumnKey | Iterable[_ColumnKey] | None = None, *",
                     SORT_TABLE)
def sort_table(data: Any, by: Any, options: dict[str, Any]) -> SortedTable:
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
        pyarrow, Polars, pandas 3, DuckDB; a LazyFrame of Polars, which is read in batches and not collected; or an
        iterable of such with the same columns, which may make them one by one.
    by: columns: a name, a position from 0 (or from the last column, which is -1), a pair such as ("ts", "descending"),
        three words such as ("ts", "desc", "first"), or a list of these. The first counts most. "user.id" is the field
        `id` of the structs in the column `user`; a column whose whole name is "user.id" comes first. ".user.id", as
        pyarrow writes it, is the same unless a column has that name. A tuple whose second word is a direction is one
        key, also where a column has that name: write two columns as a list. Keys are null, bool, integers, floats,
        decimals, dates, times, timestamps, durations, texts and bytes of every kind, and dictionaries and runs of
        these. Nested columns (lists, maps, structs, unions) and intervals of several units are carried, and are no
        keys. Left out if there is a `shuffle`.
    descending: True or False for the keys that do not say it themselves, or a list of one for each key.
    nulls: where nulls come, "last" (as usual) or "first", whatever the direction: one word for the keys that do not say
        it themselves, or a list of one for each. null_placement, with "at_end" and "at_start" as well, and nulls_last,
        True or False, say the same as pyarrow and Polars say it: give one of the three.
    TABLE OPTIONS
    options: unique, keep_last, top; memory, scratch and what else says how the result is reached; progress, warn,
        trace, stats_json and report: help(sortie) lists them. `memory` counts beside the batches that come and go.

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
    from .tables import sort_table

    return sort_table.sort_table(data, by, options)


@takes_table_options("inputs: _Input | Iterable[_Input], output: _Output, *, "
                     "by: _ColumnKey | Iterable[_ColumnKey] | None = None", SORT_PARQUET)
def sort_parquet(inputs: Any, output: Any, by: Any, options: dict[str, Any]) -> TableReport:
    """Sorts the rows of Parquet, CSV, JSON Lines or Arrow files into one file, or a folder of files, and returns a
    TableReport: a Report that leads to the rows.

        >>> import pyarrow, pyarrow.parquet, sortie
        >>> pyarrow.parquet.write_table(pyarrow.table({"city": ["Rome", None, "Oslo"], "n": [1, 2, 3]}), "in.parquet")
        >>> report = sortie.sort_parquet("in.parquet", "out.parquet", by="city", nulls="first")
        >>> report.output_records, report.to_arrow()["n"].to_pylist()
        (3, [2, 3, 1])
        >>> report = sortie.sort_parquet("in.parquet", "cities/", by="n", partition_by="city")
        >>> report.files[:2], report.to_arrow()["n"].to_pylist()
        (['cities/city=Oslo/part-00000.parquet', 'cities/city=Rome/part-00000.parquet'], [3, 1, 2])

    inputs: a path, a pattern such as "in/*.parquet", a folder, or several of these. Of a folder all files below it are
        read whose names tell a format, in the order of their paths; those that begin with _ or . are left out. Names of
        folders such as year=2024, below a folder or below the fixed part of a pattern, are columns behind those of the
        file. Also URLs of objects on stores, s3://bucket/name, gs://, az://, https:// (pip install
        'sortie-sort[objects]'), of which patterns and prefixes that end in "/" mean the same. Also files that are open
        in mode "rb", with seek(), and what fsspec.open() returns: they are read from their begin, and stay open. The
        suffixes tell the formats: .parquet, .csv, .jsonl, .ndjson, the last three also with .gz or .zst behind, .arrow,
        .feather; open files without such a name must be Parquet or Arrow. The type of a CSV column is the one that
        pyarrow guesses from the first 4 MiB of the first file that has values there: 007 is the number 7, NA is null,
        integers beyond 64 bits are uint64 or decimals. From CSV to CSV only keys have types, and all texts come out as
        they were. Numbers of CSV are compared as exactly as they are written, unless other formats are among the
        inputs. JSON Lines has one object on each line, whose names are the columns; the first 4 MiB of a file tell them
        and their types, and what comes later and does not fit is an Error with its line. schema="union" reads files as
        wholes for that. What a type changes (words for null, zeros in front, numbers that a double rounds) is warned
        of, and in Report.assumptions, and so are types by the first 4 MiB of JSON Lines, an Arrow stream without a mark
        of its end, and files in folders whose names tell no format; strict=True refuses all of it, and the output is as
        it was.
    output: a path, the URL of an object, or a file that is open in mode "wb" or "r+b". That gets all rows at once when
        they are verified, from where it stands; what is behind them is cut off, and it stays open. It is Parquet unless
        its name or output_format tells otherwise, and is not an input as well. A path may be one of the inputs, unless
        somebody else changes that meanwhile, which is an Error. Its suffix tells the format. It is replaced when all is
        done: on any error, and after Ctrl-C, it is as it was, and an upload that was begun is given up. A path that
        ends in "/" or is that of an empty folder is a folder of files, part-00000.parquet and so on, in the order of
        the rows. They are written into a hidden folder, .NAME.sortie-XXXXXX, which takes the name of a new folder at
        once; into an empty folder, which stays what it is, the files are moved up. A folder with anything in it is
        refused. Without the "/", which paths of pathlib lose, a name that has no suffix and is not there yet is a
        folder if output_format, file_bytes, file_rows or partition_by is given.
    by, descending, nulls: as sort_table() takes them, and null_placement and nulls_last, too. Positions are those in
        the first file.
    TABLE OPTIONS
    options: those of sort_table().

    For a curve the keys are read before the sort: by rank those of some row groups of Parquet, spread over all files;
    by bits the statistics of Parquet, and where these do not tell the least and the greatest value, all row groups;
    files of other formats as a whole. No order is told as sorting_columns then. A merge writes nothing to scratch space
    while the files fit in `memory` together, a batch of each.

    All columns are kept, with the metadata of the first input; an index of pandas that is only told as a range is left
    out. Parquet gets statistics and the order, as sorting_columns; what an input says of its own order is left out. Of
    several files of GeoParquet the bounds and types of geometries are put together, or left out where one does not tell
    them; files whose crs, edges, orientation or epoch differ there are refused.
    Parquet's GEOMETRY and GEOGRAPHY are well-known binary here, and keep their type in Parquet.
    Parquet's old timestamps of 96 bits come out as those of 64 bits in ns, and files with times that these do not hold,
    before 1678 or after 2262-04-10, are refused. Checksums of pages are compared when they are
    read, and written. A column keeps what the first row group of the first input has of it: page index, Bloom
    filter, decimals as integers, encoding, times in UTC, ENUM and BSON; and pages their version.

    `memory` is for the sort. Beside it are held, while files are read, some batches of 4 MiB, or 16 KiB for each
    column, and 1 MiB of each column; while the output is written, two row groups in memory, and three with more than
    two threads, but for the last one with their encoded bytes; and what pyarrow takes by itself. A batch of an Arrow
    file is read as a whole. Of CSV pyarrow reads some 100 MB ahead. An object that is read takes 64 MiB more, one that
    is written some 128 MiB.

    Needs pyarrow: pip install 'sortie-sort[parquet]'. Raises Error for what cannot be done, with the names of file and
    column."""
    from .jobs import sort_parquet

    return sort_parquet.sort_parquet(inputs, output, by, options)


@takes_table_options("paths: _Path | Iterable[_Path], *, by: _ColumnKey | Iterable[_ColumnKey]", IN_PLACE,
                     without=ACTIONS + ONE_REPORT)
def sort_parquet_in_place(paths: Any, by: Any, options: dict[str, Any]) -> InPlaceReport:
    """Sorts Parquet, CSV or Arrow files that are not in order, each by itself, and returns an InPlaceReport, which says
    which these were.

        >>> import pyarrow, pyarrow.parquet, sortie
        >>> pyarrow.parquet.write_table(pyarrow.table({"n": [1, 2]}), "monday.parquet")
        >>> pyarrow.parquet.write_table(pyarrow.table({"n": [2, 1]}), "tuesday.parquet")
        >>> told = sortie.sort_parquet_in_place(["monday.parquet", "tuesday.parquet"], by="n")
        >>> told.sorted, told.left_alone
        (['tuesday.parquet'], ['monday.parquet'])

    paths: a path, or several, whose columns may differ.
    by, descending, nulls, options: as sort_parquet() takes them, but for those that say which rows are left.
    TABLE OPTIONS

    A file that is in order is not written. Whether it is, the rows tell, and not what the file says of them: the
    columns of the keys are read up to the first row that is out of order. Of other formats than Parquet all columns are
    read. A file of Parquet whose sorting_columns tell an order that its rows are not in is written as well, so that
    they tell the truth. One in order without sorting_columns gets none, and options about writing, such as compression,
    change only files that are sorted. A file that is sorted is replaced when its rows are complete, unless somebody
    else changed it meanwhile: then it is left as it is, and that is an Error. Files that cannot be opened or lack a key
    are refused before the first one is sorted. An error later on ends the work: the file is as it was, those in front
    of it are in order, and those behind it have not been looked at. Raises what sort_parquet() raises."""
    from .jobs import sort_in_place

    return sort_in_place.sort_parquet_in_place(paths, by, options)


@takes_options("data: _Table | Iterable[_Table], by: _ColumnKey | Iterable[_ColumnKey], "
               f"aggregates: _Aggregates, *, {OF_KEYS}", TABLES, without=ACTIONS)
def group_table(data: Any, by: Any, aggregates: Any, options: dict[str, Any]) -> StreamedTable:
    """Makes one row of all rows with equal keys, of a table that may be larger than memory, and returns a
    StreamedTable.

        >>> import pyarrow, sortie
        >>> sales = pyarrow.table({"city": ["Rome", "Oslo", "Rome"], "price": [3, 5, 4]})
        >>> sortie.group_table(sales, "city", [("price", "sum"), "count"]).to_arrow().to_pylist()
        [{'city': 'Oslo', 'price_sum': 5, 'count': 1}, {'city': 'Rome', 'price_sum': 7, 'count': 2}]
        >>> sortie.group_table(sales, "city", {"dearest": ("price", "max")}).to_arrow()["dearest"].to_pylist()
        [5, 4]

    data, by, descending, nulls: as sort_table() takes them. Keys are the first columns of the result, which is in their
    order.
    aggregates: what becomes of the other columns: "count" for the number of rows, and pairs of a column, by name,
        position or "struct.field", and a function: "count" (of what is not null), "sum", "mean", "min", "max", "first",
        "last" (of the rows in the order of `data`, null or not). A list names the results price_sum, count and so on; a
        dict by its keys.
    options: as for sort_table(), but for those that say which rows are left.

    Among the keys nulls are a group of their own, and so are NaN, of whatever sign and bits, and -0.0 with 0.0, which
    comes out. Of values, nulls are left out, and a sum, mean, min or max of nothing else is null. Sums of integers and
    decimals are exact, as int64, uint64 or decimals of 38 or 76 digits; one that is beyond is an Error that names the
    column. Sums of floats are float64, and added one by one in the order of `data`; means are sums by counts.
    Dictionaries come out as their values, and so do runs, of keys, too; the least and the greatest of ordered ones are
    in the order of their categories.

    The sort keeps to `memory`. Groups are made as rows come out of it, and however large one is, it takes no memory of
    its own. Needs pyarrow and NumPy. Raises what sort_table() raises."""
    _require_modules("group_table()")
    from .tables import group_table

    return group_table.group_table(data, by, aggregates, options)


@takes_options("left: _Table | Iterable[_Table], right: _Table | Iterable[_Table], "
               "on: _Columns | None = None, *, "
               'how: Literal["inner", "left", "right", "full", "semi", "anti"] = "inner", '
               "left_on: _Columns | None = None, right_on: _Columns | None = None, "
               'suffix: str = "_right"', TABLES, without=ACTIONS + ONE_REPORT)
def join_tables(left: Any, right: Any, on: Any, how: Any, left_on: Any, right_on: Any, suffix: Any,
                options: dict[str, Any]) -> StreamedTable:
    """Joins two tables, which may be larger than memory, by equal keys, and returns a StreamedTable.

        >>> import pyarrow, sortie
        >>> people = pyarrow.table({"id": [1, 2, 3], "name": ["Ada", "Kurt", "Emmy"]})
        >>> sales = pyarrow.table({"person": [3, 1, 3], "price": [5, 7, 9]})
        >>> joined = sortie.join_tables(people, sales, how="left", left_on="id", right_on="person")
        >>> joined.to_arrow().to_pydict()
        {'id': [1, 2, 3, 3], 'name': ['Ada', 'Kurt', 'Emmy', 'Emmy'], 'price': [7, None, 5, 9]}

    left, right: as sort_table() takes its data.
    on, left_on, right_on: the keys: a column, by name, position or "struct.field", or several; of both tables, or of
        each. No directions.
    how: "inner", "left", "right", "full", "semi" for the rows of the left table that have partners, "anti" for those
        that have none.
    suffix: is put behind names of the right table that the left one has, too.
    options: those of sort_table() that say how the result is reached; `memory` is for both sorts together.

    The result has the columns of the left table, and those of the right one but for its keys: those of the left one are
    filled from the right side where a row has no other. A key of the left table that is named twice is filled from the
    first of its right ones, and the others are columns of the result. The metadata are those of the left table, without
    those of pandas. An index of pandas is a column, unless it is a range without a name, which is left out.

    The result is in the order of the keys, nulls last; rows with equal keys are in the order of the left table, then of
    the right one. Null is equal to nothing; NaN is equal to NaN, and -0.0 to 0.0.

    The two keys of a pair may have different types. Their values are compared exactly, in a type that holds both. Such
    pairs are two types of integers, of floats, of dates or of times; two units of durations or timestamps; integers and
    decimals; texts and bytes. Dictionaries and runs count as their values. Other pairs are an Error that names both
    types. In a "right" or "full" join such a key comes out in the type of the comparison: texts as large_string, texts
    with bytes as large_binary. Runs come out as their values in all columns.

    Rows of the right table with one key are held while those of the left one pass: in memory up to an eighth of
    `memory`, beyond it in a file in the first folder of `scratch`. Needs pyarrow and NumPy. Raises what sort_table()
    raises."""
    _require_modules("join_tables()")
    from .tables import join_tables

    return join_tables.join_tables(left, right, on, how, left_on, right_on, suffix, options)


def _require_modules(what: str) -> None:
    # First of all NumPy, which some versions of pyarrow need.
    require_numpy(what)
    import_pyarrow(what)


for _function in (sort_table, sort_parquet, sort_parquet_in_place, group_table, join_tables):
    _function.__module__ = "sortie"
