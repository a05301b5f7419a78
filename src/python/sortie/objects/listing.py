"""Which objects there are: those that a pattern or a prefix means, and what lies below a prefix."""

from __future__ import annotations

import errno
import fnmatch
import re
from collections.abc import Callable, Iterator

from .._errors import ArgumentError, Error, file_error
from .._sources import is_hidden
from .store import ObjectName, require_obstore
from .store_errors import asked

MAGIC = re.compile(r"[*?[]")


def objects_like(name: ObjectName) -> list[ObjectName]:
    """The objects that a pattern, or a prefix that ends in '/', means, in the order of their names. One that exists by
    its own name means itself. Raises Error if there are none."""
    if name.is_web or not (MAGIC.search(name.key) or not name.key or name.key.endswith("/")):
        return [name]
    folder = MAGIC.split(name.key)[0].rpartition("/")[0] if MAGIC.search(name.key) else name.key.rstrip("/")
    is_meant = _chooser(name.key)
    keys = sorted(key for key in _listed(name, folder) if is_meant(key))
    if name.key in keys:
        return [name]
    if not keys:
        raise Error(f"nothing matches '{name}'")
    return [name.of_key(key) for key in keys]


def names_in_folder(folder: ObjectName) -> list[str]:
    told = asked(folder, "list", require_obstore().list_with_delimiter, folder.store, folder.key.rstrip("/") or None)
    return [*(item["path"].rpartition("/")[2] for item in told["objects"]),
            *(prefix.rstrip("/").rpartition("/")[2] for prefix in told["common_prefixes"])]


def refuse_used_folder(folder: ObjectName, since: str = "the folder is not empty, it holds") -> None:
    """Raises Error if there is an object below the folder."""
    if folder.is_web:
        raise ArgumentError(f"output '{folder}' is a folder of a web server, which lists nothing: name one file, or a "
                            "folder on a store or a disk")
    for key in _listed(folder, folder.key.rstrip("/")):
        raise file_error(f"cannot write '{folder}': {since} '{folder.of_key(key)}': name an empty or a new one", None,
                         errno.ENOTEMPTY, str(folder))


def _chooser(pattern: str) -> Callable[[str], bool]:
    """Whether a key is meant. A '*' stops at '/', but not '**'. In a prefix, what begins with '.' or '_' is hidden."""
    if not MAGIC.search(pattern):
        return lambda key: key.startswith(pattern) and not any(not part or is_hidden(part)
                                                               for part in key[len(pattern):].split("/"))
    compiled = _pattern_of(pattern)
    return lambda key: key == pattern or compiled.fullmatch(key) is not None


def _pattern_of(pattern: str) -> re.Pattern[str]:
    parts = []
    for part in re.split(r"(\*\*/|\*\*|\[[^]]+\]|\*|\?)", pattern):
        one = {"**/": "(?:[^/]+/)*", "**": ".*", "*": "[^/]*", "?": "[^/]"}.get(part)
        parts.append(one or (fnmatch.translate(part)[len("(?s:"):-len(r")\Z")] if part.startswith("[")
                             else re.escape(part)))
    return re.compile("".join(parts), re.DOTALL)


def _listed(name: ObjectName, folder: str) -> Iterator[str]:
    obstore = require_obstore()
    pages = iter(asked(name, "list", obstore.list, name.store, prefix=folder or None, chunk_size=1000))
    while (page := asked(name, "list", next, pages, None)) is not None:
        yield from (item["path"] for item in page)
