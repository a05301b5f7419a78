"""The names of an output in parts, and which files the parts would replace."""

import os
import re

from .._folded_names import lead_to_one_name

NUMBER = re.compile(r"\{(?::0?\d*d?)?\}")
MANIFEST = "manifest.json"
_DIGITS = re.compile("[0-9]{1,18}")


def is_in_parts(path: str) -> bool:
    return NUMBER.search(os.path.basename(path)) is not None


def numbered(pattern: str, part: int) -> str:
    return NUMBER.sub(lambda found: found[0].format(part), pattern, count=1)


class PartNames:
    """Of the parts of an output, and of the manifest beside them. path: as it is given, which is_in_parts()."""

    def __init__(self, path: str) -> None:
        folder, pattern = os.path.split(path)
        self._written = pattern
        before, behind = NUMBER.split(pattern, maxsplit=1)
        self._pattern = re.compile(f"{re.escape(before)}[ 0-9]+{re.escape(behind)}")
        self._folder = os.path.realpath(folder)
        # A former part may be a link to a file elsewhere, or another name of it.
        self._files = {_identity(os.path.join(self._folder, name)) for name in _names_in(self._folder)
                       if self._is_name(name)} - {None}

    def replace(self, path: str) -> bool:
        """Whether a part, or the manifest, would take the place of the file."""
        entry = os.path.join(os.path.realpath(os.path.dirname(path)), os.path.basename(path))
        places = (os.path.split(place) for place in (entry, os.path.realpath(path)))
        return (any(folder == self._folder and (self._is_name(name) or self._may_be_name(name)) for folder, name in places)
                or _identity(path) in self._files)

    def _is_name(self, name: str) -> bool:
        return name == MANIFEST or self._pattern.fullmatch(name) is not None

    def _may_be_name(self, name: str) -> bool:
        """Whether the file system of the folder takes it for a name of a part, or of the manifest."""
        parts = (numbered(self._written, int(number)) for number in _DIGITS.findall(name))
        path = os.path.join(self._folder, name)
        return any(lead_to_one_name(path, os.path.join(self._folder, part)) for part in (MANIFEST, *parts))


def _names_in(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []


def _identity(path: str) -> tuple[int, int] | None:
    try:
        state = os.stat(path)
    except OSError:
        return None
    return state.st_dev, state.st_ino
