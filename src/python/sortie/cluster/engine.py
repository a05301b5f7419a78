"""What a cluster engine does: it decides where and when attempts at tasks run. The truth is in the job directory."""

import os
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from .. import Error
from .commands import Commands, NotThere, Refused
from .full_disks import with_advice
from .machine import node_name
from .tasks import Task


@dataclass(frozen=True, eq=False)
class Attempt:
    """One try of a task. Each is an object of its own, equal to no other."""

    task: Task


class Failure(NamedTuple):
    """text: what went wrong, with the machine's name. is_final: the inputs are refused, or a machine has no command, as it
    would be again; the text names them."""

    text: str
    is_final: bool = False


@dataclass(frozen=True)
class Outcome:
    """failure: what went wrong, or None."""

    attempt: Attempt
    failure: Failure | None


def run_task(task: Task, commands: Commands) -> Failure | None:
    """Returns what went wrong, or None."""
    try:
        commands.refuse_if_cancelled()
        task.run(commands)
    except (Error, OSError, LookupError, TypeError, ValueError) as error:
        # Whatever is wrong with what a command printed, or a file held, is a failure of this attempt.
        setting = task.setting
        text = with_advice(_said(error), setting.directory().path, setting.scratch, getattr(task, "output", None))
        # Only what forms runs reads inputs: the others are refused what the job has made.
        is_refused = isinstance(error, Refused) and task.stage == "form"
        return Failure(text, is_refused or isinstance(error, NotThere))
    return None


def _said(error: Exception) -> str:
    if isinstance(error, Error):
        return str(error)
    if isinstance(error, OSError) and error.filename is not None:
        return f"on {node_name()}: cannot use '{os.fsdecode(error.filename)}': {error.strerror}"
    return f"on {node_name()}: {type(error).__name__}: {error}"


class Engine(Protocol):
    @property
    def slots(self) -> int:
        """How many attempts run at once. More may be submitted, and wait."""

    def submit(self, attempt: Attempt) -> None: ...

    def has_begun(self, attempt: Attempt) -> bool:
        """Whether it may run by now; False while it is known to wait its turn."""

    def wait(self, seconds: float) -> Outcome | None:
        """The next attempt that has ended; None if there is none so soon."""

    def is_idle(self) -> bool:
        """Whether nothing runs or waits, and no outcome is to be told."""

    def cancel(self, attempt: Attempt) -> None:
        """Ends it, if it has not ended. Its outcome is told all the same."""

    def stop(self) -> None:
        """Ends all that runs, and waits for that."""
