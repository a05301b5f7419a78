"""Which files of tables are meant: a path, a pattern, a folder, or a list of these."""

from __future__ import annotations

import errno
import glob
import os
from collections.abc import Collection, Iterable, Sequence
from typing import Any, NamedTuple

from .. import _arguments
from .._assumed import Assumed
from .._errors import ArgumentError, file_error
from .._files import naming
from .._sources import is_hidden, is_source, sources_of
from .hive_folders import Partitions, numbers_that_stay_text, partitions_in, refuse_other_partitions
from .table_files import KNOWN_ENDS, has_format


class InputName(NamedTuple):
    """A file. partitions: what the names of folders say of all its rows. is_found: whether it was found in a folder,
    and not named."""
    path: str
    partitions: Partitions = ()
    is_found: bool = False


def files_meant(inputs: Any) -> tuple[list[InputName], list[str]]:
    """In the order in which they are named, those of a pattern and of a folder in that of their paths; and the paths of
    files in folders that are left out, since their suffixes tell no format. Raises Error for a pattern that matches
    nothing, and for a folder without tables."""
    named = _arguments.named(sources_of(inputs), "files")
    files: list[InputName] = []
    left_out: list[str] = []
    for given in named if isinstance(named, list) else [named]:
        found, others = _files_of(path_of(given, "inputs"))
        files += found
        left_out += others
    return files, left_out


def tell_left_out(left_out: list[str], assumed: Assumed) -> None:
    if left_out:
        assumed.add("file-left-out", None, len(left_out), left_out[0])


def tell_numbers_as_texts(files: Iterable[InputName], columns: Collection[str], assumed: Assumed) -> None:
    """That columns of folders are texts whose values are all numbers, not all as integers are usually written: others
    make numbers of these. columns: that files have themselves."""
    told: dict[str, dict[str | None, str]] = {}
    for file in files:
        for name, text in file.partitions:
            told.setdefault(name, {}).setdefault(text, file.path)
    for name, texts in told.items():
        others = [] if name in columns else numbers_that_stay_text(texts)
        if others:
            assumed.add("folder-text", name, len(others), f"'{texts[others[0]]}'", others[0])


def path_of(given: Any, argument: str) -> str:
    path = os.fsdecode(_arguments.one_path(given, argument))
    if path == "-":
        stream = "standard output" if argument == "output" else "standard input"
        raise ArgumentError(f"{argument} is '-', {stream}, which has no suffix to tell the format: name a file")
    return path


def refuse_found_output(files: Sequence[InputName], output: str) -> None:
    """Raises Error if the output is a file that was found in a folder: whoever sorts a folder twice would get the rows
    of the first sort again. Also if it is an open file that is an input."""
    if hasattr(output, "refuse_as_input"):
        for file in files:
            output.refuse_as_input(file.path)
    is_there = is_source(output) or os.path.exists(output)
    for file in files if is_there else ():
        if file.is_found and _are_one(file.path, output):
            raise ArgumentError(f"the output '{output}' is also one of the files of a folder that is sorted: let it be "
                                "in another folder, or name the files")


def _are_one(path: str, output: str) -> bool:
    if is_source(path) or is_source(output):
        return path == output
    try:
        return os.path.samefile(path, output)
    except OSError:
        return False  # a link that leads nowhere: whoever opens it tells so


def _files_of(given: str) -> tuple[list[InputName], list[str]]:
    """The files that are meant, and those that are left out."""
    if is_source(given):
        return _objects_of(given)
    if os.path.isdir(given):
        tables, others = _tables_below(given)
        if not tables:
            raise _no_tables(f"no file of the folder '{given}'", given, others)
        return _with_partitions([InputName(path, (), True) for path in tables], given), others
    if os.path.lexists(given):
        return [InputName(given)], []
    if not glob.has_magic(given):
        if not has_format(given):  # it may be meant as a folder
            raise file_error(f"cannot read '{given}': {os.strerror(errno.ENOENT)}", None, errno.ENOENT, given)
        return [InputName(given)], []
    matches = glob.glob(given, recursive=True)
    if not matches:
        raise file_error(f"nothing matches '{given}'", None, errno.ENOENT, given)
    folders = [match for match in matches if os.path.isdir(match)]
    # A pattern such as d/** matches folders and what is in them.
    found = {os.path.normpath(match): InputName(match) for match in matches if match not in folders}
    left_out: dict[str, str] = {}
    for folder in folders:
        tables, others = _tables_below(folder)
        for path in tables:
            found.setdefault(os.path.normpath(path), InputName(path, (), True))
        left_out.update((os.path.normpath(path), path) for path in others)
    others = sorted(path for name, path in left_out.items() if name not in found)
    if not found:
        raise _no_tables(f"no file of the folders that match '{given}'", given, others)
    return _with_partitions(sorted(found.values()), _fixed_folder(given)), others


def _objects_of(given: Any) -> tuple[list[InputName], list[str]]:
    """The same for a source."""
    meant = given.meant() if hasattr(given, "meant") else [given]
    if meant == [given]:
        return [InputName(given)], []
    if glob.has_magic(given):
        tables, others = meant, []
    else:
        tables, others = [path for path in meant if has_format(path)], [path for path in meant if not has_format(path)]
    if not tables:
        raise _no_tables(f"no object below '{given}'", given, others)
    return _with_partitions([InputName(path, (), True) for path in tables], _fixed_folder(f"{given}")), others


def _no_tables(what: str, given: str, others: list[str]) -> Exception:
    there = f"; there is '{others[0]}'" if others else ""
    return file_error(f"{what} has a name that ends in {KNOWN_ENDS}{there}", None, errno.ENOENT, given)


def _tables_below(folder: str) -> tuple[list[str], list[str]]:
    """The files in the folder and in those below it, in the order of their paths: tables, and others."""
    tables: list[str] = []
    others: list[str] = []
    to_do: list[tuple[str, frozenset[tuple[int, int]]]] = [(folder, frozenset())]
    while to_do:
        below, above = to_do.pop()
        with naming(below, "read"):
            place = os.stat(below)
            own = place.st_dev, place.st_ino
            if own in above:
                continue  # a link to a folder that it is in
            with os.scandir(below) as entries:
                for entry in entries:
                    if is_hidden(entry.name):
                        continue
                    path = os.path.join(below, entry.name)
                    if entry.is_dir():
                        to_do.append((path, above | {own}))
                    else:
                        (tables if has_format(path) else others).append(path)
    return sorted(tables), sorted(others)


def _fixed_folder(pattern: str) -> str:
    """The folder in front of the first part of a pattern that may mean several names."""
    fixed = os.path.dirname(pattern)
    while glob.has_magic(fixed):
        fixed = os.path.dirname(fixed)
    return fixed


def _with_partitions(files: list[InputName], folder: str) -> list[InputName]:
    """files: in the folder, or below it."""
    begin = len(_parts(folder))
    told = [file._replace(partitions=partitions_in(_parts(file.path)[begin:-1], file.path)) for file in files]
    for file in told[1:]:
        refuse_other_partitions(told[0].path, told[0].partitions, file.path, file.partitions)
    return told


def _parts(path: str) -> list[str]:
    return [part for part in path.split(os.sep) if part not in ("", os.curdir)]
