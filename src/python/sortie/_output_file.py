"""A file that takes the place of its target when it is complete, as the outputs of sorts do. Names that end in .gz are
packed."""

import io
import os

from . import _native


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
