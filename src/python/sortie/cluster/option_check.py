"""Whether the command takes the options of the sort, asked before a job keeps them."""

import errno
import os
import shutil

from .. import Error
from .._errors import file_error
from .job_plan import Request
from .processes import Process, end_group


def require_command(command: str) -> None:
    """Raises Error where it cannot be started on this machine."""
    path = command if "/" in command else shutil.which(command) or command
    if os.path.isfile(path) and os.access(path, os.X_OK):
        return
    number = errno.EACCES if os.path.exists(path) else errno.ENOENT
    raise file_error(f"cannot run '{command}': {os.strerror(number)}; name the command of the sort with --command", None,
                     number, command)


def check_options(command: str, request: Request) -> None:
    """Asks for a plan of the first input. A command that is not on this machine cannot be asked."""
    environment = {name: value for name, value in {**os.environ, **request.environment}.items() if value is not None}
    words = [command, *request.words, "--plan", "--", os.devnull if request.table else request.inputs[0]]
    try:
        process = Process(words, environment)
    except OSError:
        return
    try:
        _, errors = process.end(None) or (b"", b"")
    except BaseException:
        end_group(process)
        raise
    lines = os.fsdecode(errors).strip().splitlines()
    if process.status != 0 and lines:
        # The first line begins with the name of the command.
        raise Error(lines[0].removeprefix(f"{command}: "))
