"""The options of functions of tables that are none of the sort: one entry has all that is known of an option. From the
entries come the parameters of the functions and their stubs, lines of docstrings, the options of sortie-parquet and
sortie-cluster with their --help and manual pages, the checks of values, and what messages of the commands call them."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from ._arguments import CATALOGUE, TABLES, count_of, flag_of, size_of, text_of, word_of
from ._errors import ArgumentError, Error
from ._table_words import columns_or_switch, compression_of, listed_columns, some_columns, switch
from .columns.keys import column_names, columns_of, shuffle_of

# The functions, in this order: the first that has an option is the one whose docstring says what it is.
SORT_TABLE, SORT_PARQUET, IN_PLACE, SORTER, ON_CLUSTER = (1 << bit for bit in range(5))
OWNERS = {SORT_TABLE: "sort_table()", SORT_PARQUET: "sort_parquet()"}
_OF_FOLDERS = SORT_PARQUET | ON_CLUSTER
_OF_FILES = SORT_PARQUET | IN_PLACE | ON_CLUSTER
_OF_SORTS = SORT_TABLE | SORT_PARQUET | SORTER


def _as_given(value: Any, name: str) -> Any:
    """Leaves the check of an option to those who know what it is for."""
    return value


class TableOption(NamedTuple):
    """name, type, default: of the parameter, whose type is written without the None that all take. functions: those
    that have it. check: makes what is meant of a value that is not None, and raises Error for others. text: what
    docstrings say.
    excludes: options that do not go with it, each with what helps, "" if nothing does but to leave one out. needs: an
    option without which it means nothing.
    flag: of sortie-parquet, "" if that has none of its own; value: what stands for its value in --help, "" if it takes
    none; read: makes the argument of the word, or of the list of words if the flag is_repeated; help: what --help says,
    "" for the same as text."""
    name: str
    type: str
    functions: int
    check: Callable[[Any, str], Any]
    text: str
    default: Any = None
    excludes: Mapping[str, str] = {}
    needs: str = ""
    flag: str = ""
    value: str = ""
    read: Callable[[Any], Any] = str
    is_repeated: bool = False
    help: str = ""


# A merge reads rows that are in order; what belongs to sorting alone is refused.
_NOT_MERGED = ("repeated", "only_once", "order", "sample", "sample_seed", "engine", "devices", "device_memory",
               "algorithm", "compress_program", "report", "trace", "verify")
# What of these goes with all others.
_USUAL: dict[str, tuple[str, ...]] = {"engine": ("auto", "cpu"), "order": ("keys",)}
_ON_CURVES = "rows with equal keys are not next to one another on a curve"
_IN_SHUFFLES = "rows of a shuffle have no keys"
_SCHEMAS, _CURVES, _WAYS = ("strict", "union"), ("hilbert", "z"), ("rank", "bits")


def _literal(words: tuple[str, ...]) -> str:
    return f"Literal[{', '.join(map(repr, words))}]".replace("'", '"')


TABLE_OPTIONS = (
    TableOption(
        "output_format", "_TableFormat", SORT_PARQUET, text_of,
        'of the files of a folder: "parquet" (as usual), "csv", "jsonl", "ndjson", these also with ".gz" or ".zst" '
        'behind, "arrow" or "feather".',
        flag="--output-format", value="NAME",
        help="of the files of a folder: parquet (default), csv, jsonl, ndjson, these also with .gz or .zst behind, "
             "arrow or feather"),
    TableOption(
        "file_bytes", "int | str", _OF_FOLDERS, size_of,
        'about how large a file of a folder is, as it is encoded: bytes, or a text such as "64MB"; None: 512 MB.',
        excludes={"file_rows": "give one of them"}, flag="--file-size", value="SIZE",
        help="about how large a file of a folder is, as it is on the disk (default: 512MB)"),
    TableOption(
        "file_rows", "int", _OF_FOLDERS, count_of,
        "rows of a file of a folder, in place of a size.",
        flag="--file-rows", value="N", read=int),
    TableOption(
        "partition_by", "_Columns", _OF_FOLDERS, columns_of,
        "columns whose values name folders in the folder, year=2024/month=3/part-00000.parquet, as Hive has it, and "
        "which the files leave out: integers, bools, texts, dates, and timestamps without a zone. Rows are in the "
        "order of these columns, ascending with nulls last, then in that of `by`, and one file is open at a time. "
        "Values are percent-encoded, and null is __HIVE_DEFAULT_PARTITION__. Readers that are not told types guess "
        "them. From CSV to CSV, too, columns have types then. Without rows there is one empty file, which has all "
        "columns. With unique rows of two folders are never equal, whatever their keys.",
        flag="--partition-by", value="COLUMN[,COLUMN]...", read=listed_columns,
        help="write folders such as year=2024/month=3, and leave these columns out of the files; rows are in the order "
             "of these columns, then in that of the keys; a name with a comma, here and in other lists, stands in "
        "quotes: "
             "'\"a,b\",c'"),
    TableOption(
        "schema", _literal(_SCHEMAS), SORT_TABLE | _OF_FOLDERS, functools.partial(word_of, words=_SCHEMAS),
        'of tables or files whose columns differ. "strict" refuses them: sort_table() where names, their order or '
        'types differ, '
        "sort_parquet() where a file lacks a column, has another one, or another type, but for where nulls can be. "
        "\"union\" makes one table of all, of files or of a list of tables and readers: columns are found by their "
        "names, in the order of the first; one that is lacking is null there; types become the smallest one that holds "
        "the values of all without loss, such as int64 for int32 and int64, or float64 for int32 and float32. An Error "
        "names the column and both types if there is none, as for int64 and float64. What an iterable makes one by one "
        "has no union, as later columns are not known.",
        default="strict", flag="--schema", value="strict|union",
        help="of inputs with different columns, which are found by their names: refuse them (strict, the default), or "
             "make one table of all, with nulls and wider types (union)"),
    TableOption(
        "keep", "str", _OF_SORTS, text_of,
        'with unique=True, which of the rows with equal keys is left: "first", "last", "max:ts" for the one with the '
        'greatest value in the column ts, or "min:ts". Of equal values the first row is left; nulls are left if there '
        'is nothing else. '
        "`top` counts the rows that are left; report, trace and progress tell of the sort, which has all rows with max "
        "and min. These need pyarrow.",
        excludes={"curve": _ON_CURVES, "shuffle": _IN_SHUFFLES,
                  **dict.fromkeys(("repeated", "only_once", "sample", "keep_last"), "")},
        needs="unique"),
    TableOption(
        "merge", "bool", SORT_PARQUET, flag_of,
        "the inputs are in order already, each by itself, and become one without being sorted again. The order of "
        "every row is checked: one that is out of order is an Error that names file and row, and the output is as it "
        "was.",
        default=False,
        excludes={"curve": "leave merge out", "partition_by": "leave merge out", **dict.fromkeys(_NOT_MERGED, "")},
        flag="--merge",
        help="the inputs are in order already: check that, and do not sort them again"),
    TableOption(
        "curve", _literal(_CURVES), _OF_SORTS, functools.partial(word_of, words=_CURVES),
        '"hilbert" or "z": the columns of `by` become one key, by the place of a row on a curve through all of them, '
        'rather '
        "than coming one after the other. Rows that are near each other in all columns come near each other, so that a "
        "reader of a file of them leaves out most row groups, whichever columns it asks for. 2 to 8 columns; a column "
        "of geometries counts as two, the centre of its box: well-known binary by the metadata of GeoParquet or "
        "GeoArrow, structs of x and y, and the lists of GeoArrow. Hilbert's curve never jumps, and is the better one. "
        "Directions flip a column, NaN is the greatest value, and nulls and empty geometries are beyond all values, "
        "where `nulls` says. Rows in one cell keep their order. Needs pyarrow.",
        excludes={"partition_by": "sort each folder on a curve by itself",
                  **dict.fromkeys(("unique", "repeated", "only_once", "keep_last"), "rows of one cell have one key")},
        flag="--curve", value="hilbert|z",
        help="order rows by their places on a curve through 2 to 8 keys, rather than by one key after the other; "
             "geometries count by the centres of their boxes"),
    TableOption(
        "curve_by", _literal(_WAYS), _OF_SORTS, functools.partial(word_of, words=_WAYS),
        'what of a column counts: "rank" (as usual), where a value is among 4000 quantiles of a sample of some 32768 '
        'rows, which suits values of any distribution; or "bits", its place between the least value and the greatest, '
        'of texts and '
        "bytes that of the 8 bytes behind what both begin with. Decimals count as float64. Tables in memory are looked "
        "at before; of what can be read once, the first 131072 rows or 64 MiB, or `memory` if that is less. What is "
        "beyond the values that were looked at is in the first cell, or the last; that is warned of, and strict=True "
        "refuses it.",
        needs="curve", flag="--curve-by", value="rank|bits",
        help="what of a key counts: its rank in a sample (rank, the default), or its place between the least and the "
             "greatest value (bits)"),
    TableOption(
        "shuffle", "bool | str", _OF_SORTS, shuffle_of,
        "a text, the seed, in place of `by`: rows come in random order, every order being equally likely. It follows "
        "from the seed and from the number of each row among all rows alone, not from memory, threads, batches, row "
        "groups or how rows are spread over files; sort_files() brings as many samples of .tar, or documents of "
        "tokens, into the same order by the same seed. True makes a seed up. `top` leaves a sample of so many rows. "
        "Parquet is told no order. Needs pyarrow.",
        excludes={**dict.fromkeys(("curve", "merge"), ""), "partition_by": "shuffle each folder by itself",
                  **dict.fromkeys(("unique", "repeated", "only_once", "keep_last"), _IN_SHUFFLES), "order": ""},
        flag="--shuffle", value="SEED",
        help="in place of keys: rows in random order, by the seed, any text, and the numbers of rows alone; with --top "
             "a sample"),
    TableOption(
        "bounding_boxes", "bool", SORT_PARQUET, flag_of,
        "True: each geometry of GeoParquet that has no column of boxes gets one, a struct of xmin, ymin, xmax and "
        "ymax, of which the 'geo' metadata tell as its covering: by its statistics readers leave out row groups.",
        flag="--bounding-boxes",
        help="add a column with the boxes of geometries to GeoParquet, so that readers leave out row groups"),
    TableOption(
        "compression", "_Compression", _OF_FILES, _as_given,
        '"none", "snappy", "gzip", "brotli", "lz4" or "zstd", with a level as in "zstd:9"; None: for each column that '
        'of the first input, else "zstd". A dict tells it of columns, or of fields in them, by name, and with the key '
        'None of all others: {"id": "zstd:9", None: "none"}. Of Arrow files: "none", "lz4", "zstd"; None: "none" for '
        '.arrow, "lz4" for '
        ".feather.",
        flag="--compression", value="[COLUMN=]NAME", read=compression_of, is_repeated=True,
        help="none, snappy, gzip, brotli, lz4 or zstd, with a level as in zstd:9; of all columns, or of one (default: "
             "each as in the first file)"),
    TableOption(
        "row_group_rows", "int", _OF_FILES, count_of,
        "rows of a row group of Parquet; None: as many as take 64 MiB in memory, 2**20 at most.",
        flag="--row-group-rows", value="N", read=int,
        help="rows of a row group of Parquet (default: as many as take 64 MiB)"),
    TableOption(
        "row_group_bytes", "int | str", _OF_FILES, size_of,
        "about how many bytes a row group of Parquet takes in memory, in place of 64 MiB.",
        flag="--row-group-size", value="SIZE",
        help="about how large a row group of Parquet is in memory (default: 64MiB)"),
    TableOption(
        "dictionary", "bool | str | Iterable[str]", _OF_FILES, functools.partial(column_names, flags=(True, False)),
        "True or False, or the names of the columns, or of fields, that have dictionaries; None: those for which they "
        "pay.",
        flag="--dictionary", value="on|off|COLUMN[,COLUMN]...", read=columns_or_switch,
        help="which columns of Parquet have dictionaries (default: where they pay)"),
    TableOption(
        "bloom_filters", "Literal[False] | str | Iterable[str]", _OF_FILES,
        functools.partial(column_names, flags=(False,)),
        "the names of those that have Bloom filters, False for none; None: those of the first input.",
        flag="--bloom-filters", value="off|COLUMN[,COLUMN]...",
        read=lambda text: False if text == "off" else some_columns(text),
        help="which columns of Parquet have Bloom filters (default: those of the first file)"),
    TableOption(
        "page_index", "bool", _OF_FILES, flag_of,
        "whether there is one; None: as in the first input.",
        flag="--page-index", value="on|off", read=switch,
        help="whether Parquet has page indexes (default: as the first file)"),
    TableOption(
        "data_page_bytes", "int | str", _OF_FILES, size_of,
        "about how many bytes a page has before it is compressed; None: 1 MiB.",
        flag="--data-page-size", value="SIZE",
        help="about how large a page of Parquet is before it is compressed (default: 1MiB)"),
    TableOption(
        "batch_rows", "int", SORT_TABLE | SORTER, count_of,
        "rows of a batch of the result, 1 at least; batches whose rows take 2 GiB have fewer. Unless it is given, "
        "65536, or fewer if they take 4 MiB, or 16 KiB for each column if that is more."),
)


def options_of(functions: int) -> list[TableOption]:
    return [option for option in TABLE_OPTIONS if option.functions & functions]


def take_options(options: dict[str, Any], function: int) -> Any:
    """Takes the options of a function out of those of a call, and returns them as attributes, checked; what is not
    given, or is that of another function, has its default. Raises Error for what does not go together, also with
    options of the sort."""
    given = {name: value for name, value in options.items() if _is_given(name, value)}
    told = {option.name: option.default for option in TABLE_OPTIONS}
    for option in options_of(function):
        value = options.pop(option.name, None)
        if value is not None:
            told[option.name] = option.check(value, option.name)
        if option.name in given:
            _refuse_others(option, given)
    return types.SimpleNamespace(**told)


def read_word(option: TableOption, word: str) -> Any:
    """The argument of the word behind the flag."""
    try:
        return option.read(word)
    except Error as error:
        raise Error(str(error).replace(f"'{word}': ", f"'{word}' for {option.flag}: ", 1)) from None
    except ValueError:
        raise Error(f"invalid value '{word}' for {option.flag}: give a number") from None


def _is_given(name: str, value: Any) -> bool:
    if name == "verify":
        return value is False
    return value is not None and value is not False and not (isinstance(value, str) and value in _USUAL.get(name, ()))


def _refuse_others(option: TableOption, given: Mapping[str, Any]) -> None:
    for other, remedy in option.excludes.items():
        if other in given:
            raise ArgumentError(f"{option.name} and {AS_WRITTEN.get(other, other)} are incompatible: "
                                f"{remedy or 'leave one of the two out'}")
    if option.needs and option.needs not in given:
        raise ArgumentError(f"{option.name} needs {option.needs}")


_OF_SORT = {option["name"] for option in CATALOGUE if option["functions"] & TABLES}


def not_with(option: TableOption, function: int) -> list[str]:
    """The names of the options of the function that do not go with one."""
    others = [*option.excludes, *(other.name for other in TABLE_OPTIONS if option.name in other.excludes)]
    known = {other.name for other in options_of(function)} | _OF_SORT
    return [name for name in others if name in known]


# Where only one value does not go with others.
AS_WRITTEN = {"verify": "verify=False"}
