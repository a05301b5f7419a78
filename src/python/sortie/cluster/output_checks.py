"""Outputs that cannot be written, or would replace what they must not: told before anything is kept of a job."""

import errno
import os
import stat
from collections.abc import Iterable
from typing import cast

from .. import Error
from .._errors import file_error
from .._sources import is_source
from .paths import MANIFEST, PartNames, is_in_parts, numbered
from .written_files import read_json

_PACKED = (".gz", ".bgz", ".zst", ".bz2", ".xz", ".lz4")
# A file name holds 255 bytes, of which a part that is not in place yet needs some for itself.
_MOST_NAME_BYTES = 200


def check_output(path: str, inputs: Iterable[str], has_cuts: bool = False) -> None:
    """Raises Error where such an output cannot be written. Paths are absolute. has_cuts: whether it is cut into
    files."""
    if is_source(path):
        from .parquet_output import check_object
        return check_object(path)
    folder, name = os.path.split(path)
    if is_in_parts(path):
        name_bytes = len(os.fsencode(numbered(name, 999_999)))
        if name_bytes > _MOST_NAME_BYTES:
            raise Error(f"the names of parts like '{name}' would have {name_bytes} bytes: {_MOST_NAME_BYTES} are the "
                        "most")
        if has_cuts:
            from .split_output import refuse_cuts_over_inputs
            return refuse_cuts_over_inputs(path, inputs)
        _refuse_manifest_of_others(os.path.join(folder, MANIFEST))
        _refuse_parts_over_inputs(path, inputs)
        return
    refuse_no_place(path, folder, name)
    if path.lower().endswith(_PACKED):
        raise Error(f"cannot pack '{path}', whose ranges are written at once: name it otherwise, or write parts, as in "
                    "'out/part-{:05d}.gz', which 'cat out/part-*.gz' makes one packed file of")
    if os.path.exists(path) and not stat.S_ISREG(os.stat(path).st_mode):
        raise Error(f"cannot write ranges of '{path}', which is no regular file: name a file, or parts")


def refuse_manifest_elsewhere(output: str, manifest: str | None) -> None:
    """Raises Error for a list of files that gets its place in another way than they do."""
    folder = os.path.dirname(output)
    if manifest is not None and os.path.realpath(os.path.dirname(manifest)) != os.path.realpath(folder):
        raise Error(f"the manifest '{manifest}' is not in '{folder}', where the files are, as it must be on a cluster: "
                    "name it there")


def require_writable(path: str) -> None:
    """Raises Error where nothing can be written beside the output, or over it. The folder of parts may have to be
    made."""
    if is_source(path):
        from .parquet_output import require_object_writable
        return require_object_writable(path)
    folder, name = os.path.split(path)
    if is_in_parts(path):
        while not os.path.lexists(folder):
            folder = os.path.dirname(folder)
    else:
        folder = os.path.dirname(os.path.realpath(path))
        if os.path.exists(path) and not os.access(path, os.W_OK):
            raise _cannot_write(path, errno.EACCES, "Permission denied")
    if not os.path.isdir(folder):
        raise _cannot_write(path, errno.ENOTDIR, f"'{folder}' is no directory")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise _cannot_write(path, errno.EACCES, f"'{folder}' cannot be written to")


def refuse_no_place(path: str, folder: str, name: str) -> None:
    """Raises Error for a file whose folder is not there, or that is a folder."""
    if name and os.path.exists(folder) and not os.path.isdir(folder):
        raise _cannot_write(path, errno.ENOTDIR, f"'{folder}' is no directory")
    if name and not os.path.exists(folder):
        raise _cannot_write(path, errno.ENOENT, "no such directory")
    if not name or os.path.isdir(path):
        raise _cannot_write(path, errno.EISDIR, "it names a directory; name a file in it, or parts")


def _cannot_write(path: str, number: int, reason: str) -> Exception:
    """With the number that the system has for it."""
    return cast(Exception, file_error(f"cannot write '{path}': {reason}", None, number, path))


def _refuse_parts_over_inputs(path: str, inputs: Iterable[str]) -> None:
    """A job that ended when some parts were in place could not go on: the inputs would not be those that it knows."""
    names = PartNames(path)
    for item in inputs:
        if names.replace(item):
            raise Error(f"a part of the output would replace the input '{item}': name parts otherwise, or another "
                        "folder")


def _refuse_manifest_of_others(path: str) -> None:
    told = read_json(path)
    if os.path.lexists(path) and not (isinstance(told, dict) and "parts" in told):
        raise Error(f"'{path}' is there, and no manifest of parts: move it, or name another folder")
