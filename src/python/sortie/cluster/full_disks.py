"""What helps if a disk is full: a command knows no job, and advises what helps a sort by itself."""

import errno
import os

from .. import Error

_NUMBERS = (errno.ENOSPC, errno.EDQUOT)


def with_advice(text: str, job: str, scratch: str | None, output: str | None) -> str:
    """The same message if it is of something else. output: where a task writes."""
    for reason in map(os.strerror, _NUMBERS):
        front, found, _ = text.partition(reason)
        if found:
            return front + found + _advice(front, job, scratch, output)
    return text


def refuse_full(error: OSError, job: str) -> Error:
    """The error that a driver ends with that could not keep what it knows."""
    place = os.fsdecode(error.filename or job)
    return Error(with_advice(f"cannot write '{place}': {error.strerror}", job, None, None))


def is_full(error: OSError) -> bool:
    return error.errno in _NUMBERS


def _advice(front: str, job: str, scratch: str | None, output: str | None) -> str:
    again = ", and give the command again to go on"
    if f"{job}/" in front or f"'{job}'" in front:
        return f"; make room in the job directory '{job}'{again}"
    if scratch is not None and f"{scratch}/" in front:
        return f"; make room in the scratch folder '{os.path.dirname(scratch)}'{again}"
    if output is not None and os.path.dirname(output) in front:
        return f"; make room for the output{again}"
    return ""
