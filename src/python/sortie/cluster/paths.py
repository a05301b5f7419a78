"""What the paths of a job must not be."""

import os
from collections.abc import Iterable

from .. import Error
from .job import absolute_path

# As the kernel counts, before it speaks of a loop.
_MOST_LINKS = 40


def refuse_descriptors(path: str) -> None:
    """Names such as /dev/stdin mean another file in each process. Raises Error."""
    place = absolute_path(path)
    for _ in range(_MOST_LINKS):
        folder = os.path.realpath(os.path.dirname(place))
        if os.path.commonpath([folder, "/proc"]) == "/proc" or os.path.commonpath([folder, "/dev/fd"]) == "/dev/fd":
            raise Error(f"'{path}' is another file in each process: name one that all machines see")
        if not os.path.islink(place):
            return
        place = os.path.join(folder, os.readlink(place))


def refuse_shared(trace: str, inputs: Iterable[str], output: str) -> None:
    """The timeline must not be written over what is sorted, nor over the output. Raises Error."""
    for path in (*inputs, output):
        if is_same_file(trace, path):
            raise Error(f"--trace names '{path}', which the sort reads or writes: name another file")


def is_same_file(path: str, other: str) -> bool:
    """Whether both lead to the same place, where nothing need be yet, or are names of one file."""
    try:
        return os.path.realpath(path) == os.path.realpath(other) or os.path.samefile(path, other)
    except OSError:
        return False
