"""An output that is one of the inputs: what somebody else wrote there since it was opened is not replaced."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from typing import TypeAlias

from .._errors import Error
from .._sources import is_source

_State: TypeAlias = tuple[int, ...] | None


class ReplacedInput:
    def __init__(self, path: str) -> None:
        """path: of the output, before an input is opened."""
        self._path = path
        self._before = _state_of(path)
        self._read: str | None = None

    def look_for(self, inputs: Iterable[str]) -> None:
        """inputs: the paths of what is read, among which it may be."""
        self._read = next((path for path in inputs if _are_one(path, self._path)), None)

    def refuse_changed(self) -> None:
        """Raises Error if it is an input, and is not what was read. Is called right before the output takes its
        place."""
        if self._read is None:
            return
        if is_source(self._read):
            is_same = self._read.is_as_read()  # type: ignore[attr-defined]
        else:
            is_same = _state_of(self._path) == self._before
        if not is_same:
            raise Error(f"cannot replace '{self._path}': it was changed while it was sorted, and is left as it is: "
                        "sort it again")


def _are_one(path: str, other: str) -> bool:
    if is_source(path) or is_source(other):
        return path == other and hasattr(path, "is_as_read")
    return os.path.realpath(path) == os.path.realpath(other)


def _state_of(path: str) -> _State:
    """The state of a file; None for what is no file, or is not there."""
    if is_source(path):
        return None
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    return (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns) if stat.S_ISREG(found.st_mode) else None
