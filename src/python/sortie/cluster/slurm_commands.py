"""The commands of Slurm that the driver calls: sbatch, squeue, scancel. What they say is told as values and errors."""

import os
import subprocess
from collections.abc import Collection, Sequence
from typing import NamedTuple

from .. import Error

# What sbatch says where it is worth another try later.
_NO_ANSWER = ("Unable to contact slurm controller", "Socket timed out", "Zero Bytes were transmitted", "standby mode",
              "Resource temporarily unavailable")
_TOO_MANY = ("Invalid job array specification", "Job violates accounting/QOS policy")


class NoAnswer(Error):
    """Slurm takes no jobs at the moment, as while its controller is started again."""


class TooMany(Error):
    """Slurm takes no array of so many elements, or no more elements of this user."""


class Known(NamedTuple):
    """An element that Slurm knows, and that has not ended. script: what it runs. reason: why it waits."""

    waits: bool
    script: str
    reason: str


def submit_array(words: Sequence[str]) -> str:
    """Returns the number of the job."""
    try:
        done = _run(["sbatch", "--parsable", *words])
    except OSError as error:
        raise Error(f"cannot run sbatch: {error.strerror}; --engine=slurm is for machines of a Slurm cluster") from None
    number = done.stdout.strip().partition(";")[0]
    if done.returncode == 0 and number.isdigit():
        return number
    said = "; ".join(line.removeprefix("sbatch: ").removeprefix("error: ")
                     for line in done.stderr.strip().splitlines()) or f"status {done.returncode}"
    for kind, phrases in ((NoAnswer, _NO_ANSWER), (TooMany, _TOO_MANY)):
        if any(phrase in said for phrase in phrases):
            raise kind(f"sbatch failed: {said}")
    raise Error(f"sbatch failed: {said}")


def known_elements() -> dict[str, Known] | None:
    """All of this user that wait or run, by names as JOB_INDEX; None if Slurm does not answer."""
    try:
        done = _run(["squeue", "--noheader", "--array", f"--user={os.geteuid()}", "--format=%F_%K|%t|%r|%o"])
    except OSError:
        return None
    if done.returncode != 0:
        return None
    known = {}
    for line in done.stdout.splitlines():
        element, state, reason, script = line.split("|", 3)
        if state == "CG":
            # What it left is cleared up, which takes long on a node that is lost.
            continue
        known[element] = Known(state == "PD", script, reason)
    return known


def cancel_elements(elements: Collection[str], *, only_waiting: bool) -> None:
    """Whether Slurm does so is seen by known_elements()."""
    try:
        _run(["scancel", *(["--state=PENDING"] if only_waiting else []), *sorted(elements)])
    except OSError:
        return


def _run(words: list[str]) -> subprocess.CompletedProcess[str]:
    """In a group of its own: Ctrl-C is for the driver. Without what changes the meaning of these commands."""
    environment = {name: value for name, value in os.environ.items()
                   if name != "SBATCH_WAIT" and not name.startswith(("SQUEUE_", "SCANCEL_"))}
    return subprocess.run(words, capture_output=True, text=True, errors="replace", check=False,
                          stdin=subprocess.DEVNULL, env=environment, process_group=0)
