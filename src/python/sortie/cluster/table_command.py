"""Stands around a command `sortie` that forms runs of rows, or merges them: rows of a Parquet file go to its standard
input as records, or records come from it by a pipe and become a Parquet file. Its words, and what it prints, are those
of the command. A process of its own, so that what pyarrow takes is given back, and that it may be ended."""

import base64
import contextlib
import fcntl
import io
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Generator, Iterator, Sequence
from typing import Any

import pyarrow
import pyarrow.ipc

from .. import Error

from .._files import LocalFile, naming
from .._outputs import OutputFile
from .._native import ByteChecksum
from .._report import say_count
from ..columns.keys import each_column_once
from ..columns.schemas import TypedInput
from ..inputs.joined_batches import reading_ahead
from ..parquet.dictionaries import batches_of_values, schema_of_values
from ..tables.sort_table import table_records
from .commands import NEVER_STARTS, NOT_THERE, NotThere, die_with, json_object, why
from .folder_output import RangeFolder
from .table_inputs import rows_of_shard
from .tables import request_of, versions
from .written_files import attempt_name, read_state

# What reading and writing take beside the sort, of the memory of a command; but half of it is the sort's.
_BESIDE_BYTES = 480 << 20
_PIPE_BYTES = 1 << 20
_READ_BYTES, _BATCH_ROWS = 4 << 20, 1 << 16


class _CommandFailed(Exception):
    """The command has said why. printed: for the program that started this process."""

    def __init__(self, status: int, printed: bytes) -> None:
        super().__init__(status)
        self.status, self.printed = status, printed


# Status of a failure that is not a refusal of the command's, which may be tried again.
_FAILED = 1


class _Table:
    """What tables.py has described."""

    def __init__(self, path: str, threads: int) -> None:
        told = read_state(path)
        if told is None:
            raise Error(f"cannot read '{path}'")
        for name, version in versions().items():
            if told["versions"][name] != version:
                raise Error(f"{name} is of version {version}, and the job was begun with {told['versions'][name]}: "
                            "install the same on all machines")
        self.told = told
        self.threads = threads
        self.schema = pyarrow.ipc.read_schema(pyarrow.py_buffer(base64.b64decode(told["schema"])))
        self.plain = schema_of_values(self.schema)
        self.keys = [tuple(key) for key in told["keys"]]
        self.output = request_of(told["how"])
        self.output.sorting_keys([key for key in self.keys if key[0] in told["partition_by"]], self.keys)
        # The first file, as far as the output keeps what it has.
        self.first = TypedInput()
        self.first.schema, self.first.codecs, self.first.form = self.schema, tuple(told["codecs"]), told["form"]
        self.records = table_records(self.plain, self.keys, threads)


def _form(table: _Table, command: str, words: list[str]) -> dict[str, Any]:
    """Forms runs beside their place: they get there when all rows are known to be in them, since the command cannot
    tell the end of a shard from that of a process that was killed."""
    folder = _take(words, "--form=")
    *words, end_of_options, path = words
    assert end_of_options == "--"
    begin, _, end = _take(words, "--bytes=").partition("-")
    if not os.path.exists(folder):
        partitions = tuple((name, value) for name, value in table.told["partitions"].get(path, ()))
        file, rows = rows_of_shard(path, int(begin), int(end) if end else None, table.schema, partitions)
        _form_runs(table, [command, *words], file, rows, folder)
    told = read_state(os.path.join(folder, "shard.json"), is_of_command=True)
    if not isinstance(told, dict):
        raise Error(f"'{folder}' holds no complete shard")
    return told


def _form_runs(table: _Table, words: list[str], file: Any, expected: int, folder: str) -> None:
    attempt = f"{folder}.{attempt_name()}"
    os.mkdir(attempt, 0o700)
    try:
        place = os.path.join(attempt, os.path.basename(folder))
        with _started([*words, f"--form={place}", "/dev/stdin"], stdin=subprocess.PIPE) as process:
            rows = _send(table, file, process)
            told = _report_of(process)
        _refuse_other_totals(table, told["input"], rows, expected, file.path)
        try:
            os.rename(place, folder)
        except OSError:
            if not os.path.isdir(folder):  # by an attempt that was faster: its runs are as good
                raise
    finally:
        shutil.rmtree(attempt, ignore_errors=True)


def _refuse_other_totals(table: _Table, sorted_totals: dict[str, int], rows: int, expected: int, path: str) -> None:
    if not sorted_totals["records"] == rows == expected:
        raise Error(f"the footer of '{path}' tells of {say_count(expected, 'row')}, {rows} were read and "
                    f"{sorted_totals['records']} sorted")
    if sorted_totals["bytes"] > table.told["shard_places"]:
        raise Error(f"the rows of a shard of '{path}' take {sorted_totals['bytes']} bytes, and there are places for "
                    f"{table.told['shard_places']} in each: make fewer shards, with --shard")


def _send(table: _Table, file: Any, process: subprocess.Popen[bytes]) -> int:
    assert process.stdin is not None
    rows = 0
    try:
        with process.stdin as pipe, reading_ahead([file], table.threads) as batches:
            _widen(pipe.fileno())
            for batch in batches:
                for values in batches_of_values(batch, table.plain):
                    rows += values.num_rows
                    table.records.encode(*values.__arrow_c_array__(), pipe.fileno())
    except BrokenPipeError:
        _report_of(process)  # it has failed
    return rows


def _merge(table: _Table, command: str, words: list[str]) -> dict[str, Any]:
    output = words.pop(words.index("-o") + 1).removesuffix("@")
    words.remove("-o")
    read, write = os.pipe()
    with open(read, "rb", buffering=0) as pipe, contextlib.ExitStack() as stack:
        _widen(read)
        process = stack.enter_context(_started([command, *words, "-o", f"/dev/fd/{write}@"], pass_fds=[write]))
        os.close(write)
        target = RangeFolder(output) if table.output.is_folder else _ChecksummedFile(output, table.threads)
        stack.callback(target.discard)
        rows = _receive(table, pipe, target)
        told = _report_of(process)
        if told["output"]["records"] != rows:
            raise Error(f"merged {say_count(told['output']['records'], 'row')}, and wrote {rows} to '{output}'")
        target.finish()
    what = {"files": target.told()} if isinstance(target, RangeFolder) else {"file_checksum": target.checksum.value()}
    return {**told, "file_bytes": target.tell(), "file_checksum": "", **what}


class _ChecksummedFile(LocalFile):
    """Keeps the checksum of what is written, by which somebody may find out later whether it is still that."""

    def __init__(self, path: str, threads: int) -> None:
        super().__init__(path, threads)
        self.checksum = ByteChecksum()

    def _take(self, data: Any) -> None:
        self.checksum.add(data)
        super()._take(data)


def _widen(pipe: int) -> None:
    with contextlib.suppress(OSError):  # a user has so much for pipes
        fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)


def _receive(table: _Table, pipe: io.FileIO, target: OutputFile | RangeFolder) -> int:
    with naming(target.path, "write"):
        writer = table.output.make_writer(target, table.first, each_column_once(table.keys), table.threads, table.plain)
        try:
            rows = 0
            for batch in _batches_from(pipe, table):
                rows += batch.num_rows
                writer.write(batch)
            writer.close()
        finally:
            writer.stop()
    return rows


def _batches_from(pipe: io.FileIO, table: _Table) -> Iterator[Any]:
    buffer, filled = bytearray(_READ_BYTES), 0
    while count := pipe.readinto(memoryview(buffer)[filled:]):
        filled += count
        if filled < len(buffer):
            continue
        used = yield from _rows_of(memoryview(buffer)[:filled], table)
        buffer, filled = bytearray(buffer[used:]), filled - used
        buffer.extend(bytes(max(_READ_BYTES, 2 * filled) - filled))
    # Who counts the rows finds out if the last one is not whole.
    yield from _rows_of(memoryview(buffer)[:filled], table)


def _rows_of(records: memoryview, table: _Table) -> Generator[Any, None, int]:
    """Returns the bytes of those that are whole."""
    at: int = 0
    while True:
        batch, used = table.records.decode(records[at:], _BATCH_ROWS)
        if batch is None:
            return at
        at += used
        yield pyarrow.record_batch(batch)


@contextlib.contextmanager
def _started(words: Sequence[str], **pipes: Any) -> Iterator[subprocess.Popen[bytes]]:
    """The command outlives neither this nor the process."""
    try:
        process = subprocess.Popen(words, stdout=subprocess.PIPE, preexec_fn=die_with(os.getpid()),
                                   **{"stdin": subprocess.DEVNULL, **pipes})
    except (OSError, subprocess.SubprocessError) as error:
        number = error.errno if isinstance(error, OSError) else None
        text = f"cannot run '{words[0]}': {os.strerror(number) if number else error}"
        raise NotThere(text) if number in NEVER_STARTS else Error(text) from None
    try:
        yield process
    finally:
        process.terminate()
        process.wait()


def _report_of(process: subprocess.Popen[bytes]) -> dict[str, Any]:
    """What the command prints in the end."""
    assert process.stdout is not None
    text = process.stdout.read()
    status = process.wait()
    if status < 0:
        raise Error(why(status, b""))
    if status > 0:
        raise _CommandFailed(status, text)
    told = json_object(text)
    if told is None:
        raise Error("the command printed no JSON object: is it another version?")
    return told


def _take(words: list[str], begin: str) -> str:
    """Takes out the last word that begins so, and returns what follows."""
    found = [word for word in words if word.startswith(begin)]
    if not found:
        raise Error(f"missing {begin}")
    words.remove(found[-1])
    return found[-1].removeprefix(begin)


def _run(description: str, command: str, words: list[str]) -> dict[str, Any]:
    threads = int(_take(words, "--parallel="))
    memory_bytes = int(_take(words, "--buffer-size=").removesuffix("b"))
    memory_bytes = max(memory_bytes // 2, memory_bytes - _BESIDE_BYTES)
    words = [f"--parallel={threads}", f"--buffer-size={memory_bytes}b", *words]
    pyarrow.set_cpu_count(threads)
    table = _Table(description, threads)
    if any(word.startswith("--form=") for word in words):
        return _form(table, command, words)
    return _merge(table, command, words)


def main() -> None:
    """The words: a description of the table, the command, and what it would be told."""
    try:
        print(json.dumps(_run(sys.argv[1], sys.argv[2], sys.argv[3:])))
    except _CommandFailed as failed:
        sys.stdout.write(os.fsdecode(failed.printed))
        sys.exit(failed.status)
    except (Error, OSError, LookupError, TypeError, ValueError) as error:
        told = str(error) if isinstance(error, Error) else f"{type(error).__name__}: {error}"
        print(f"sortie: {told}", file=sys.stderr)
        sys.exit(NOT_THERE if isinstance(error, NotThere) else _FAILED)
    except MemoryError:
        print("sortie: memory is exhausted: give less with -S, or raise the limit", file=sys.stderr)
        sys.exit(_FAILED)
