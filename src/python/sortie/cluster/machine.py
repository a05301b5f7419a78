"""This machine: its name, and what it has for tasks, where nothing else is asked for."""

import os

from .._errors import ArgumentError
from .._native import machine_share
from .job_plan import Resources

# Of the memory that the system and its control groups leave, what tasks may have, and what a command takes beside its data.
_SHARE = 0.75
BESIDE_BYTES, _LEAST_BYTES = 64 << 20, 1 << 20


def node_name() -> str:
    return os.uname().nodename


def local_resources(slots: int | None, memory_bytes: int | None, threads: int | None, root: str = "") -> Resources:
    """root: the folder that holds proc and sys; empty for those of the system."""
    available, cpus = machine_share(root)
    threads = threads or (max(1, cpus // slots) if slots else 1)
    slots = slots or max(1, cpus // threads)
    share = int(available * _SHARE) // slots - BESIDE_BYTES
    return Resources(slots, memory_bytes or max(_LEAST_BYTES, share), threads)


def refuse_too_many_workers(slots: int | None, name: str = "workers") -> None:
    """Raises ArgumentError for commands whose memory this machine does not have."""
    available, _ = machine_share()
    most = max(1, int(available * _SHARE) // (_LEAST_BYTES + BESIDE_BYTES))
    if slots is not None and slots > most:
        raise ArgumentError(f"invalid value '{slots}' for {name}: this machine has memory for {most} commands at once")
