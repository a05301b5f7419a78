"""The parts of a table as one Parquet file."""

import os

from .. import Error
from .job import JobDirectory
from .output import OneFile, Output


def of_tables(output: Output, path: str, job: JobDirectory) -> Output:
    """Parts are files by themselves already."""
    return OneParquetFile(os.path.realpath(path), job) if isinstance(output, OneFile) else output


class OneParquetFile(OneFile):
    """The parts as they are, one behind the other, and a footer that names the row groups of all."""

    def __init__(self, target: str, job: JobDirectory) -> None:
        super().__init__(target, job, sizes_are_known=False)

    def prepare(self, total_bytes: int) -> None:
        from .._parquet_join import joined_footer
        parts = self._job.read("ranges.json")["parts"]
        footer = joined_footer([self.place(part, 0)[0] for part in range(parts)])
        super().prepare(total_bytes + len(footer))
        try:
            with open(os.open(self._scratch, os.O_WRONLY | os.O_NOFOLLOW), "wb") as file:
                file.seek(total_bytes)
                file.write(footer)
        except OSError as error:
            raise Error(f"cannot write '{self._scratch}': {error.strerror}") from None

    def is_in_place(self, total_bytes: int) -> bool:
        from .._parquet_join import joined_bytes
        try:
            return bool(joined_bytes(self._target) == total_bytes)
        except OSError:
            return False
