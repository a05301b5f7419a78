"""Other ways for the data of tools/bench/end_to_end than a file that is in memory: through a pipe, and from a disk. Each has a
program that moves the bytes that way and does nothing else."""
import os
import sys

from . import programs

# Reads a file to its end, then writes as many bytes to another, both around the page cache, and makes them durable.
READ_THEN_WRITE = """
import mmap, os, sys
piece = mmap.mmap(-1, 16 << 20)
source = os.open(sys.argv[1], os.O_RDONLY | os.O_DIRECT)
size = os.fstat(source).st_size
while os.readv(source, [piece]) == len(piece):
    pass
target = os.open(sys.argv[2], os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_DIRECT)
for _ in range(-(-size // len(piece))):
    os.writev(target, [piece])
os.ftruncate(target, size)
os.fsync(target)
"""


class Way(programs.Program):
    """Another program whose data come this way."""

    def __init__(self, program):
        self.program, self.name, self.is_ours = program, program.name, program.is_ours

    def check(self, data, output):
        self.program.check(data, output)


class Pipe(Way):
    """The program reads its standard input, into which `cat` writes the file."""

    def run(self, source, target):
        command = ["bash", "-c", 'cat -- "$0" | "$@"', source, *self.program.command, *self.program.files("-", target)]
        return self.program.measured(command)


class Disk(Way):
    """The file is not in the page cache when the program starts."""

    def run(self, source, target):
        descriptor = os.open(source, os.O_RDONLY)
        try:
            os.fsync(descriptor)
            os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
        finally:
            os.close(descriptor)
        return self.program.run(source, target)


class PipeAlone(programs.Copy):
    """`cat FILE | cat`: two programs and one pipe."""
    name = "pipe alone"
    command = ["bash", "-c", 'cat -- "$0" | cat >/dev/null']


class ReadThenWrite(programs.Copy):
    name = "read, then write"
    command = [sys.executable, "-c", READ_THEN_WRITE]
