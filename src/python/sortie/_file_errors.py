"""What goes wrong with a file becomes an Error that names it."""

import contextlib

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
        raise Error(f"cannot {doing} '{path}': {error.strerror or first_line(error)}") from None


def first_line(error):
    return (str(error).splitlines() or [type(error).__name__])[0]
