"""The parts of a table as one Parquet file."""

import os

from .. import Error
from .._native import ByteChecksum
from .job import JobDirectory
from .output import OneFile, Output


def of_tables(output: Output, path: str, job: JobDirectory) -> Output:
    """Parts are files by themselves already."""
    return OneParquetFile(os.path.realpath(path), job) if isinstance(output, OneFile) else output


class OneParquetFile(OneFile):
    """The parts as they are, one behind the other, and a footer that names the row groups of all."""

    def __init__(self, target: str, job: JobDirectory) -> None:
        super().__init__(target, job, sizes_are_known=False)
        self._footer = 0, ""

    def prepare(self, total_bytes: int) -> None:
        from .._parquet_join import joined_footer
        parts = self._job.require("ranges.json")["parts"]
        footer = joined_footer([self.place(part, 0)[0] for part in range(parts)])
        super().prepare(total_bytes + len(footer))
        checksum = ByteChecksum()
        checksum.add(footer)
        self._footer = len(footer), checksum.value()
        try:
            with open(os.open(self._scratch, os.O_WRONLY | os.O_NOFOLLOW), "wb") as file:
                file.seek(total_bytes)
                file.write(footer)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise Error(f"cannot write '{self._scratch}': {error.strerror}") from None

    def behind(self) -> list[tuple[int, str]]:
        return [self._footer]
