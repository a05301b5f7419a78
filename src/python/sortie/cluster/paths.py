"""What the paths of a job must not be."""

import contextlib
import os
from collections.abc import Iterable
from typing import NamedTuple

from .. import Error
from .._folded_names import lead_to_one_name
from .job import absolute_path
from .part_names import PartNames, is_in_parts

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


class Role(NamedTuple):
    """A file that a job reads, and what it is to the job: "the command"."""

    path: str
    name: str


def refuse_shared(output: str, trace: str | None, inputs: Iterable[str], others: Iterable[Role]) -> None:
    """Nothing that is read must be written over, but for an input that is sorted in place, and the trace must not take
    the place of the output. others: what is read beside the inputs. Raises Error."""
    others = list(others)
    replaces = PartNames(output).replace if is_in_parts(output) else lambda path: is_same_file(output, path)
    what = "a part of the output" if is_in_parts(output) else "the output"
    for path, name in others:
        if replaces(path):
            raise Error(f"{what} cannot be written to '{path}', which is also {name}: name another file")
    if trace is None:
        return
    if replaces(trace):
        raise Error(f"the trace cannot be written to '{trace}', which is also {what}: name another file")
    for path, name in (*(Role(path, "an input") for path in inputs), *others):
        if is_same_file(trace, path):
            raise Error(f"the trace cannot be written to '{trace}', which is also {name}: name another file")


def is_same_file(path: str, other: str) -> bool:
    """Whether both lead to the same place, where nothing need be yet, or are names of one file."""
    if os.path.realpath(path) == os.path.realpath(other):
        return True
    with contextlib.suppress(OSError):
        if os.path.samefile(path, other):
            return True
    return bool(lead_to_one_name(path, other))
