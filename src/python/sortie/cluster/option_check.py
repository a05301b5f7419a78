"""Whether the command takes the options of the sort, asked before a job keeps them."""

import os
import subprocess

from .. import Error
from .job_plan import Request


def check_options(command: str, request: Request) -> None:
    """Asks for a plan of the first input. A command that is not on this machine cannot be asked."""
    environment = {name: value for name, value in {**os.environ, **request.environment}.items() if value is not None}
    words = [command, *request.words, "--plan", "--", os.devnull if request.table else request.inputs[0]]
    try:
        done = subprocess.run(words, capture_output=True, check=False, env=environment, stdin=subprocess.DEVNULL)
    except OSError:
        return
    lines = os.fsdecode(done.stderr).strip().splitlines()
    if done.returncode != 0 and lines:
        # The first line begins with the name of the command.
        raise Error(lines[0].removeprefix(f"{command}: "))
