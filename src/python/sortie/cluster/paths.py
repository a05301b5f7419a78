"""What the paths of a job must not be, and the names of an output in parts: which files these would replace."""

import os
import re
from collections.abc import Iterable

from .. import Error
from .._same_paths import is_same, lead_to_one_name
from .._sources import is_source
from .job import absolute_path

NUMBER = re.compile(r"\{(?::0?\d*d?)?\}")
MANIFEST = "manifest.json"
_DIGITS = re.compile("[0-9]{1,18}")


def is_in_parts(path: str) -> bool:
    return NUMBER.search(os.path.basename(path)) is not None


def numbered(pattern: str, part: int) -> str:
    return NUMBER.sub(lambda found: found[0].format(part), pattern, count=1)


def lead_to_one_file(path: str, other: str) -> bool:
    return path == other if is_source(path) or is_source(other) else is_same(path, other)


class PartNames:
    """Names of the parts of an output, and of the manifest beside them. path: as it is given, which is_in_parts()."""

    def __init__(self, path: str) -> None:
        folder, pattern = os.path.split(path)
        self._written = pattern
        before, behind = NUMBER.split(pattern, maxsplit=1)
        self._pattern = re.compile(f"{re.escape(before)}[ 0-9]+{re.escape(behind)}")
        self._folder = os.path.realpath(folder)
        # A former part may be a link to a file elsewhere, or another name of it.
        names = os.listdir(self._folder) if os.path.isdir(self._folder) else []
        self._files = {_identity(os.path.join(self._folder, name)) for name in names if self._is_name(name)} - {None}

    def replace(self, path: str) -> bool:
        """Whether a part, or the manifest, would take the place of the file."""
        entry = os.path.join(os.path.realpath(os.path.dirname(path)), os.path.basename(path))
        places = (os.path.split(place) for place in (entry, os.path.realpath(path)))
        return (any(folder == self._folder and (self._is_name(name) or self._may_be_name(name))
                    for folder, name in places)
                or _identity(path) in self._files)

    def _is_name(self, name: str) -> bool:
        return name == MANIFEST or self._pattern.fullmatch(name) is not None

    def _may_be_name(self, name: str) -> bool:
        """Whether the file system of the folder takes it for a name of a part, or of the manifest."""
        parts = (numbered(self._written, int(number)) for number in _DIGITS.findall(name))
        path = os.path.join(self._folder, name)
        return any(lead_to_one_name(path, os.path.join(self._folder, part)) for part in (MANIFEST, *parts))


def _identity(path: str) -> tuple[int, int] | None:
    try:
        state = os.stat(path)
    except OSError:
        return None
    return state.st_dev, state.st_ino


# As the kernel counts, before it speaks of a loop.
_MOST_LINKS = 40


def refuse_descriptors(path: str) -> None:
    """Names such as /dev/stdin mean another file in each process. Raises Error."""
    if is_source(path):
        return
    place = absolute_path(path)
    for _ in range(_MOST_LINKS):
        folder = os.path.realpath(os.path.dirname(place))
        if os.path.commonpath([folder, "/proc"]) == "/proc" or os.path.commonpath([folder, "/dev/fd"]) == "/dev/fd":
            raise Error(f"'{path}' is another file in each process: name one that all machines see")
        if not os.path.islink(place):
            return
        place = os.path.join(folder, os.readlink(place))


def refuse_shared(output: str, trace: str | None, inputs: Iterable[str], others: Iterable[tuple[str, str]]) -> None:
    """Nothing that is read must be written over, but for an input that is sorted in place, and the trace must not take
    the place of the output. others: what is read beside the inputs: paths,
    and what each is to the job: "the command". Raises Error."""
    others = list(others)
    replaces = PartNames(output).replace if is_in_parts(output) else lambda path: lead_to_one_file(output, path)
    what = "a part of the output" if is_in_parts(output) else "the output"
    for path, name in others:
        if replaces(path):
            raise Error(f"{what} cannot be written to '{path}', which is also {name}: name another file")
    if trace is None:
        return
    if replaces(trace):
        raise Error(f"the trace cannot be written to '{trace}', which is also {what}: name another file")
    for path, name in (*((path, "an input") for path in inputs), *others):
        if lead_to_one_file(trace, path):
            raise Error(f"the trace cannot be written to '{trace}', which is also {name}: name another file")
