"""Files for pyarrow: how they are opened, and how an output takes the place of its target when it is complete. What goes
wrong with one becomes an Error that names it."""

import contextlib
import io
import os

import pyarrow

from . import _native
from ._errors import Error, file_error


@contextlib.contextmanager
def naming(path, doing):
    """doing: "read" or "write"."""
    try:
        yield
    except Error:
        raise
    except pyarrow.ArrowException as error:
        raise Error(f"cannot {doing} '{path}': {first_line(error)}") from error
    except OSError as error:
        if error.errno:
            reason = os.strerror(error.errno)
            raise file_error(f"cannot {doing} '{path}': {reason}", None, error.errno, path) from error
        raise Error(f"cannot {doing} '{path}': {first_line(error)}") from error
    except UnicodeDecodeError as error:
        raise Error(f"cannot {doing} '{path}': the name of a column is not UTF-8, or the file is damaged") from error
    except UnicodeEncodeError as error:
        raise Error(f"cannot {doing} {path!a}: the name has a character that cannot be encoded") from error


def open_file(path):
    """For pyarrow, which encodes as UTF-8 what it gets as a str, whatever the names of files are."""
    return pyarrow.OSFile(os.fsencode(path))


def first_line(error):
    return (str(error).splitlines() or [type(error).__name__])[0]


class OutputFile(io.RawIOBase):
    """What pyarrow's writers write to. finish() or discard() ends it."""

    def __init__(self, path, threads):
        self.path = os.fsdecode(path)
        self._output = _native.OutputFile(self.path, threads)
        self._position = 0

    def writable(self):
        return True

    def write(self, data):
        self._output.write(data)
        size = memoryview(data).nbytes
        self._position += size
        return size

    def tell(self):
        return self._position

    def finish(self):
        """Puts the complete file in place."""
        self._output.finish()

    def discard(self):
        """Leaves the target as it was."""
        self._output.discard()
