"""What is wrong with a file that is read becomes an Error that names it."""

import contextlib

import pyarrow

from . import Error


@contextlib.contextmanager
def reading(path):
    try:
        yield
    except pyarrow.ArrowException as error:
        raise Error(f"cannot read '{path}': {first_line(error)}") from None
    except OSError as error:
        raise Error(f"cannot read '{path}': {error.strerror or first_line(error)}") from None


def first_line(error):
    return (str(error).splitlines() or [type(error).__name__])[0]
