"""Runs on disks that only their node sees (--scratch=node:DIR).

    DIR/sortie-ID/NODE/000003/                  runs of shard 3, formed on NODE
    DIR/sortie-ID/NODE/000007.attempt-HOST-.../ of runs of other nodes, what one attempt at range 7 merges

ID is the job's, which nobody can know beforehand. NODE is what the engine calls the node: one that comes back under
another name has none of them."""

import contextlib
import errno
import fcntl
import os
import shutil
import stat
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from .. import Error
from .._errors import file_error
from .job_plan import node_name

_ATTEMPT = ".attempt-"


class Piece(NamedTuple):
    """Bytes of a file of some node."""

    path: str
    offset: int
    length: int


class Disks:
    """Those of the node where a task runs. An engine that knows a way to those of others has a class of its own."""

    def __init__(self, node: str) -> None:
        self.node = node

    def read(self, wanted: Mapping[str, Sequence[Piece]]) -> Iterator[tuple[Piece, bytes]]:
        """Pieces of each node, or parts of them, in any order. Raises Error."""
        raise Error(f"runs on {', '.join(wanted)} cannot be read on {self.node}")


class AllDisks:
    """What the driver asks of the disks of all nodes: here, those of this machine."""

    def __init__(self, scratch: str) -> None:
        self.scratch = scratch

    def living_nodes(self) -> Collection[str]:
        """The nodes whose disks can be read."""
        return {node_name()}

    def sweep(self, *, everything: bool) -> None:
        """Removes what killed attempts have left on each of them, or all that the job has made there."""
        sweep(self.scratch, node_name(), everything)


def require_folder(folder: str) -> None:
    """Raises Error for one of this machine where nothing can be made."""
    if not os.path.isdir(folder):
        number = errno.ENOTDIR if os.path.exists(folder) else errno.ENOENT
    elif not os.access(folder, os.W_OK | os.X_OK):
        number = errno.EACCES
    else:
        return
    raise file_error(f"cannot keep runs in '{folder}': {os.strerror(number)}; name another folder with --scratch", None,
                     number, folder)


def private_folder(scratch: str, node: str) -> str:
    """That of a node, made if it is not there. Nobody else can enter it."""
    folder = os.path.join(scratch, node)
    for path in (scratch, folder):
        try:
            with contextlib.suppress(FileExistsError):
                os.mkdir(path, 0o700)
            state = os.lstat(path)
        except OSError as error:
            raise Error(f"on {node_name()}: cannot make '{path}': {error.strerror}") from None
        if not stat.S_ISDIR(state.st_mode) or state.st_uid != os.geteuid():
            raise Error(f"on {node_name()}: '{path}' is not this user's folder: name another with --scratch")
    return folder


@contextlib.contextmanager
def attempt_folder(path: str) -> Iterator[str]:
    """A new folder, which is removed again. It is locked meanwhile: one that is not is of an attempt that was
    killed."""
    os.mkdir(path, 0o700)
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)
        os.close(descriptor)


def remove_remains(folder: str) -> None:
    """Folders that killed attempts at merges have left."""
    for name in os.listdir(folder):
        if _ATTEMPT in name:
            path = os.path.join(folder, name)
            with contextlib.suppress(OSError):
                descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
                try:
                    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    shutil.rmtree(path, ignore_errors=True)
                finally:
                    os.close(descriptor)


def sweep(scratch: str, node: str, everything: bool) -> None:
    """On that node. Precondition without `everything`: no attempt runs there."""
    if everything:
        shutil.rmtree(scratch, ignore_errors=True)
        return
    with contextlib.suppress(FileNotFoundError, NotADirectoryError):
        remove_remains(os.path.join(scratch, node))
