"""The functions for tables, as the package shows them. What they do is imported when they are called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._arguments import ACTIONS, ONE_REPORT, TABLES, takes_options
from ._needed_modules import import_pyarrow, require_numpy
from .columns.keys import OF_KEYS

# Of the functions that sort.
OF_CURVES = 'curve: Literal["z", "hilbert"] | None = None, curve_by: Literal["bits", "rank"] | None = None'

if TYPE_CHECKING:
    from .jobs.in_place_report import InPlaceReport
    from .tables.streamed_table import StreamedTable
    from .jobs.table_report import TableReport
    from .tables.sorted_table import SortedTable

# Of inputs with different columns: they are refused, or made one table.
SCHEMAS = ("strict", "union")


@takes_options("data: _Table | Iterable[_Table], by: _ColumnKey | Iterable[_ColumnKey], *, "
        f"{OF_KEYS}, batch_rows: int | None = None, {OF_CURVES}", TABLES)
def sort_table(data: Any, by: Any, batch_rows: Any, curve: Any, curve_by: Any, options: dict[str, Any]) -> SortedTable:
    """Sorts the rows of a table, which may be larger than memory, and returns a SortedTable.

        >>> import pyarrow, sortie
        >>> table = pyarrow.table({"user": [{"id": 2}, None, {"id": 1}], "ts": [5, 7, 9]})
        >>> sortie.sort_table(table, "user.id").to_arrow()["ts"].to_pylist()
        [9, 5, 7]
        >>> sortie.sort_table(table, "user.id", descending=True, nulls="first").to_arrow()["ts"].to_pylist()
        [7, 5, 9]
        >>> sortie.sort_table(table, [-1], descending=[True]).to_arrow()["ts"].to_pylist()
        [9, 7, 5]

    data: a table of any library that speaks Arrow's C data interface (__arrow_c_stream__ or __arrow_c_array__): pyarrow,
        Polars, pandas 3, DuckDB; a LazyFrame of Polars, which is read in batches and not collected; or an iterable of such
        with the same columns, which may make them one by one.
    by: columns: a name, a position from 0 (or from the last column, which is -1), a pair such as ("ts", "descending"), three
        words such as ("ts", "desc", "first"), or a list of these. The first counts most. "user.id" is the field `id` of
        the structs in the column `user`; a column whose whole name is "user.id" comes first. ".user.id", as pyarrow writes
        it, is the same unless a column has that name. A tuple whose second word is a direction is one key, also where a
        column has that name: write two columns as a list. Keys are null, bool, integers, floats, decimals, dates, times,
        timestamps, durations, texts and bytes of every kind, and dictionaries and runs of these. Nested columns (lists,
        maps, structs, unions) and intervals of several units are carried, and are no keys.
    descending: True or False for the keys that do not say it themselves, or a list of one for each key.
    nulls: where nulls come, "last" (as usual) or "first", whatever the direction: one word for the keys that do not say it
        themselves, or a list of one for each. null_placement, with "at_end" and "at_start" as well, and nulls_last, True or
        False, say the same as pyarrow and Polars say it: give one of the three.
    curve: "hilbert" or "z": the columns of `by` become one key, by the place of a row on a curve through all of them, rather
        than coming one after the other. Rows that are near each other in all columns come near each other, so that a reader
        of a file of them leaves out most row groups, whichever columns it asks for. 2 to 8 columns; a column of geometries
        counts as two, the centre of its box: well-known binary by the metadata of GeoParquet or GeoArrow, structs of x and y,
        and the lists of GeoArrow. Hilbert's curve never jumps, and is the better one. Directions flip a column, NaN is the
        greatest value, and nulls and empty geometries are beyond all values, where `nulls` says. Rows in one cell keep their
        order. Does not go with unique and its like. Needs pyarrow.
    curve_by: what of a column counts: "rank" (as usual), where a value is among 4000 quantiles of a sample of some 32768
        rows, which suits values of any distribution; or "bits", its place between the least value and the greatest, of texts
        and bytes that of the 8 bytes behind what both begin with. Decimals count as float64. Tables in memory are looked at
        before; of what can be read once, the first 131072 rows or 64 MiB, and what is beyond all of these is in the first
        cell, or the last.
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
    from .tables import sort_table

    return sort_table.sort_table(data, by, batch_rows, curve, curve_by, options)


# About the output, beside its path: where the files of a folder end, and how Parquet is written.
OF_FILES = "file_bytes: int | str | None = None, file_rows: int | None = None, partition_by: _Columns | None = None"
OF_PARQUET = ("row_group_rows: int | None = None, compression: _Compression | None = None, "
              "row_group_bytes: int | str | None = None, dictionary: bool | str | Iterable[str] | None = None, "
              "bloom_filters: Literal[False] | str | Iterable[str] | None = None, page_index: bool | None = None, "
              "data_page_bytes: int | str | None = None")
OF_SCHEMAS = f'schema: Literal{list(SCHEMAS)} = "strict"'


@takes_options("inputs: _Input | Iterable[_Input], output: _Path, *, by: _ColumnKey | Iterable[_ColumnKey], "
               f"{OF_KEYS}, {OF_PARQUET}, merge: bool = False, keep: str | None = None, {OF_SCHEMAS}, {OF_CURVES}, "
               f"bounding_boxes: bool | None = None, output_format: _TableFormat | None = None, {OF_FILES}", TABLES)
def sort_parquet(inputs: Any, output: Any, by: Any, row_group_rows: Any, compression: Any, merge: Any, keep: Any,
                 curve: Any, curve_by: Any, bounding_boxes: Any, options: dict[str, Any]) -> TableReport:
    """Sorts the rows of Parquet, CSV or Arrow files into one file, or a folder of files, and returns a TableReport: a Report
    that leads to the rows.

        >>> import pyarrow, pyarrow.parquet, sortie
        >>> pyarrow.parquet.write_table(pyarrow.table({"city": ["Rome", None, "Oslo"], "n": [1, 2, 3]}), "in.parquet")
        >>> report = sortie.sort_parquet("in.parquet", "out.parquet", by="city", nulls="first")
        >>> report.output_records, report.to_arrow()["n"].to_pylist()
        (3, [2, 3, 1])
        >>> report = sortie.sort_parquet("in.parquet", "cities/", by="n", partition_by="city")
        >>> report.files[:2], report.to_arrow()["n"].to_pylist()
        (['cities/city=Oslo/part-00000.parquet', 'cities/city=Rome/part-00000.parquet'], [3, 1, 2])

    inputs: a path, a pattern such as "in/*.parquet", a folder, or several of these. Of a folder all files below it are
        read whose names tell a format, in the order of their paths; those that begin with _ or . are left out. Names of folders
        such as year=2024, below a folder or below the fixed part of a pattern, are columns behind those of the file. Also URLs
        of objects on stores, s3://bucket/name, gs://, az://, https:// (pip install 'sortie-sort[objects]'), of which patterns
        and prefixes that end in "/" mean the same. Also files that are open in mode "rb", with seek(), and what fsspec.open()
        returns: they are read from their begin, and stay open. The suffixes tell the formats: .parquet, .csv, .csv.gz, .arrow,
        .feather; open files without such a name must be Parquet or Arrow. The type of a CSV column is the one that pyarrow
        guesses from the first 4 MiB of the first file that has values there: 007 is the number 7, NA is null, integers beyond
        64 bits are uint64 or decimals. From CSV to CSV only keys have types, and all texts come out as they were. Numbers
        of CSV are compared as exactly as they are written, unless other formats are among the inputs. What a type changes
        (words for null, zeros in front, numbers that a double rounds) is warned of, and in Report.assumptions, and so is
        an Arrow stream without a mark of its end, and files in folders whose names tell no format; strict=True refuses all
        of it, and the output is as it was.
    output: a path, or the URL of an object; may be one of the inputs. Its suffix tells the format. It is replaced when all is
        done: on any error, and after Ctrl-C, it is as it was, and an upload that was begun is given up. A path that ends in "/"
        or is that of an empty folder is a folder of files, part-00000.parquet and so on, in the order of the rows. They are
        written into a hidden folder, .NAME.sortie-XXXXXX, which takes the name of a new folder at once; into an empty folder,
        which stays what it is, the files are moved up. A folder with anything in it is refused. Without the "/", which paths of
        pathlib lose, a name that has no suffix and is not there yet is a folder if one of the next four is given.
    output_format: of the files of a folder: "parquet" (as usual), "csv", "csv.gz", "arrow" or "feather".
    file_bytes, file_rows: where a file of a folder ends: after about so many bytes, as they are encoded, an int or a text such
        as "64MB", or after so many rows; None: 512 MB.
    partition_by: columns whose values name folders in the folder, year=2024/month=3/part-00000.parquet, as Hive has it, and
        which the files leave out: integers, bools, texts, dates, and timestamps without a zone. Rows are in the order of
        these columns, ascending with nulls last, then in that of `by`, and one file is open at a time. Values are
        percent-encoded, and null is __HIVE_DEFAULT_PARTITION__. Readers that are not told types guess them. From CSV to
        CSV, too, columns have types then.
    by, descending, nulls: as sort_table() takes them, and null_placement and nulls_last, too. Positions are those in the
        first file.
    schema: of files whose columns differ. Columns are found by their names, and come in the order of the first file. "strict"
        refuses files that lack a column, have another one, or have another type, but for where nulls can be. "union" makes one
        table of all: columns that a file lacks are null there, and types become the smallest one that holds the values of all
        without loss, such as int64 for int32 and int64, or float64 for int32 and float32; an Error names file, column and both
        types if there is none, as for int64 and float64.
    curve, curve_by: as sort_table() takes them. Before the sort the keys are read: for "rank" those of some row groups of
        Parquet, spread over all files; for "bits" the statistics of Parquet, and where these do not tell the least and the
        greatest value, all row groups; files of other formats as a whole. No order is told as sorting_columns.
    bounding_boxes: True: each geometry of GeoParquet that has no column of boxes gets one, a struct of xmin, ymin, xmax and
        ymax, of which the 'geo' metadata tell as its covering: by its statistics readers leave out row groups.
    row_group_rows: rows of a row group of Parquet; None: as many as take 64 MiB in memory, 2**20 at most.
    compression: "none", "snappy", "gzip", "brotli", "lz4" or "zstd", with a level as in "zstd:9"; None: for each column
        that of the first input, else "zstd". A dict tells it of columns, or of fields in them, by name, and with the key None
        of all others: {"id": "zstd:9", None: "none"}. Of Arrow files: "none", "lz4", "zstd"; None: "none" for .arrow, "lz4"
        for .feather.
    row_group_bytes: about how many bytes a row group of Parquet takes in memory, in place of 64 MiB.
    dictionary: True or False, or the names of the columns, or of fields, that have dictionaries; None: those for which they
        pay.
    bloom_filters: the names of those that have Bloom filters, False for none; None: those of the first input.
    page_index: whether there is one; None: as in the first input.
    data_page_bytes: about how many bytes a page has before it is compressed; None: 1 MiB.
    merge: the inputs are in order already, each by itself, and become one without being sorted again. The order of every row
        is checked: one that is out of order is an Error that names file and row, and the output is as it was.
    keep: with unique=True, which of the rows with equal keys is left: "first", "last", "max:ts" for the one with the greatest
        value in the column ts, or "min:ts". Of equal values the first row is left; nulls are left if there is nothing else.
    options: those of sort_table().

    All columns are kept, with the metadata of the first input; an index of pandas that is only told as a range is left
    out. Parquet gets statistics and the order, as sorting_columns; what an input says of its own order is left out. Of several
    files of GeoParquet the bounds and types of geometries are put together, or left out where one does not tell them.
    Parquet's old timestamps of 96 bits come out as those of 64 bits in ns, and files with times that these do not hold,
    before 1678 or after 2262-04-10, are refused. Checksums of pages are compared when they are
    read, and written. A column keeps what the first row group of the first input has of it: page index, Bloom
    filter, decimals as integers, encoding, times in UTC, ENUM and BSON; and pages their version.

    `memory` is for the sort. Beside it are held, while files are read, some batches of 4 MiB, or 16 KiB for each column,
    and 1 MiB of each column; while the output is written, two row groups in memory, and three with more than two threads,
    but for the last one with their encoded bytes; and what pyarrow takes by itself. A batch of an Arrow file is read as a
    whole. Of CSV pyarrow reads some 100 MB ahead. An object that is read takes 64 MiB more, one that is written some 128 MiB.

    Needs pyarrow: pip install 'sortie-sort[parquet]'. Raises Error for what cannot be done, with the names of file and
    column."""
    from .jobs import sort_parquet

    return sort_parquet.sort_parquet(inputs, output, by, row_group_rows, compression, merge, keep, curve, curve_by,
                                 bounding_boxes, options)


@takes_options("paths: _Path | Iterable[_Path], *, by: _ColumnKey | Iterable[_ColumnKey], "
        f"{OF_KEYS}, row_group_rows: int | None = None, compression: str | None = None", TABLES, without=ACTIONS + ONE_REPORT)
def sort_parquet_in_place(paths: Any, by: Any, row_group_rows: Any, compression: Any,
                          options: dict[str, Any]) -> InPlaceReport:
    """Sorts Parquet, CSV or Arrow files that are not in order, each by itself, and returns an InPlaceReport, which says which
    these were.

        >>> import pyarrow, pyarrow.parquet, sortie
        >>> pyarrow.parquet.write_table(pyarrow.table({"n": [1, 2]}), "monday.parquet")
        >>> pyarrow.parquet.write_table(pyarrow.table({"n": [2, 1]}), "tuesday.parquet")
        >>> told = sortie.sort_parquet_in_place(["monday.parquet", "tuesday.parquet"], by="n")
        >>> told.sorted, told.left_alone
        (['tuesday.parquet'], ['monday.parquet'])

    paths: a path, or several, whose columns may differ.
    by, descending, nulls, row_group_rows, compression, options: as sort_parquet() takes them, but for those that say which rows
        are left.

    A file that is in order is not written. Whether it is, the rows tell, and not what the file says of them: the columns of the
    keys are read up to the first row that is out of order. Of other formats than Parquet all columns are read. A file that is
    sorted is replaced when its rows are complete. Files that cannot be opened or lack a key are refused before the first one is
    sorted. An error later on ends the work: the file is as it was, those in front of it are in order, and those behind it have
    not been looked at. Raises what sort_parquet() raises."""
    from .jobs import sort_in_place

    return sort_in_place.sort_parquet_in_place(paths, by, row_group_rows, compression, options)


@takes_options("data: _Table | Iterable[_Table], by: _ColumnKey | Iterable[_ColumnKey], "
               f"aggregates: _Aggregates, *, {OF_KEYS}", TABLES, without=ACTIONS)
def group_table(data: Any, by: Any, aggregates: Any, options: dict[str, Any]) -> StreamedTable:
    """Makes one row of all rows with equal keys, of a table that may be larger than memory, and returns a StreamedTable.

        >>> import pyarrow, sortie
        >>> sales = pyarrow.table({"city": ["Rome", "Oslo", "Rome"], "price": [3, 5, 4]})
        >>> sortie.group_table(sales, "city", [("price", "sum"), "count"]).to_arrow().to_pylist()
        [{'city': 'Oslo', 'price_sum': 5, 'count': 1}, {'city': 'Rome', 'price_sum': 7, 'count': 2}]
        >>> sortie.group_table(sales, "city", {"dearest": ("price", "max")}).to_arrow()["dearest"].to_pylist()
        [5, 4]

    data, by, descending, nulls: as sort_table() takes them. Keys are the first columns of the result, which is in their order.
    aggregates: what becomes of the other columns: "count" for the number of rows, and pairs of a column, by name, position
        or "struct.field", and a function: "count" (of what is not null), "sum", "mean", "min", "max", "first", "last" (of the
        rows in the order of `data`, null or not). A list names the results price_sum, count and so on; a dict by its keys.
    options: as for sort_table(), but for those that say which rows are left.

    Among the keys nulls are a group of their own, and so are NaN, of whatever sign and bits, and -0.0 with 0.0, which comes
    out. Of values, nulls are left out, and a sum, mean, min or max of nothing else is null. Sums of integers and decimals
    are exact, as int64, uint64 or decimals of 38 or 76 digits; one that is beyond is an Error that names the column. Sums of
    floats are float64, and added one by one in the order of `data`; means are sums by counts. Dictionaries come out as their
    values, and so do runs, of keys, too; the least and the greatest of ordered ones are in the order of their categories.

    The sort keeps to `memory`. Groups are made as rows come out of it, and however large one is, it takes no memory of its
    own. Needs pyarrow and NumPy. Raises what sort_table() raises."""
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
    on, left_on, right_on: the keys: a column, by name, position or "struct.field", or several; of both tables, or of each.
        No directions.
    how: "inner", "left", "right", "full", "semi" for the rows of the left table that have partners, "anti" for those that
        have none.
    suffix: is put behind names of the right table that the left one has, too.
    options: those of sort_table() that say how the result is reached; `memory` is for both sorts together.

    The result has the columns of the left table, and those of the right one but for its keys: those of the left one are filled
    from the right side where a row has no other. A key of the left table that is named twice is filled from the first of its
    right ones, and the others are columns of the result. The metadata are those of the left table, without those of pandas.
    An index of pandas is a column, unless it is a range without a name, which is left out.

    The result is in the order of the keys, nulls last; rows with equal keys are in the order of the left table, then of the
    right one. Null is equal to nothing; NaN is equal to NaN, and -0.0 to 0.0.

    The two keys of a pair may have different types. Their values are compared exactly, in a type that holds both. Such pairs
    are two types of integers, of floats, of dates or of times; two units of durations or timestamps; integers and decimals;
    texts and bytes. Dictionaries and runs count as their values. Other pairs are an Error that names both types. In a "right"
    or "full" join such a key comes out in the type of the comparison: texts as large_string, texts with bytes as
    large_binary. Runs come out as their values in all columns.

    Rows of the right table with one key are held while those of the left one pass: in memory up to an eighth of
    `memory`, beyond it in a file in the first folder of `scratch`. Needs pyarrow and NumPy. Raises what sort_table() raises."""
    _require_modules("join_tables()")
    from .tables import join_tables

    return join_tables.join_tables(left, right, on, how, left_on, right_on, suffix, options)


def _require_modules(what: str) -> None:
    # First of all NumPy, which some versions of pyarrow need.
    require_numpy(what)
    import_pyarrow(what)


for _function in (sort_table, sort_parquet, sort_parquet_in_place, group_table, join_tables):
    _function.__module__ = "sortie"
