"""Files for pyarrow. What goes wrong with one becomes an Error that names it."""

import contextlib
import os

import pyarrow

from . import Error


@contextlib.contextmanager
def naming(path, doing):
    """doing: "read" or "write"."""
    try:
        yield
    except pyarrow.ArrowException as error:
        raise Error(f"cannot {doing} '{path}': {first_line(error)}") from None
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else first_line(error)
        raise Error(f"cannot {doing} '{path}': {reason}") from None
    except UnicodeEncodeError:
        raise Error(f"cannot {doing} {path!a}: the name has a character that cannot be encoded") from None


def open_file(path):
    """For pyarrow, which encodes as UTF-8 what it gets as a str, whatever the names of files are."""
    return pyarrow.OSFile(os.fsencode(path))


def first_line(error):
    return (str(error).splitlines() or [type(error).__name__])[0]
