"""This machine: its name, and what it has for tasks, where nothing else is asked for."""

import os

from .._errors import ArgumentError
from .job_plan import Resources

# Memory of the system that tasks may have, and what a command takes beside its data.
_SHARE = 0.75
BESIDE_BYTES, _LEAST_BYTES = 64 << 20, 1 << 20
_CGROUP_LIMITS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")


def node_name() -> str:
    return os.uname().nodename


def local_resources(slots: int | None, memory_bytes: int | None, threads: int | None) -> Resources:
    cpus = len(os.sched_getaffinity(0))
    threads = threads or (max(1, cpus // slots) if slots else 1)
    slots = slots or max(1, cpus // threads)
    share = int(_available_bytes() * _SHARE) // slots - BESIDE_BYTES
    return Resources(slots, memory_bytes or max(_LEAST_BYTES, share), threads)


def refuse_too_many_workers(slots: int | None, name: str = "workers") -> None:
    """Raises ArgumentError for commands whose memory this machine does not have."""
    most = max(1, int(_available_bytes() * _SHARE) // (_LEAST_BYTES + BESIDE_BYTES))
    if slots is not None and slots > most:
        raise ArgumentError(f"invalid value '{slots}' for {name}: this machine has memory for {most} commands at once")


def _available_bytes() -> int:
    available = 1 << 30
    with open("/proc/meminfo", encoding="ascii") as file:
        for line in file:
            if line.startswith("MemAvailable:"):
                available = int(line.split()[1]) * 1024
    for path in _CGROUP_LIMITS:
        try:
            with open(path, encoding="ascii") as file:
                text = file.read().strip()
        except OSError:
            continue
        if text.isdigit():
            available = min(available, int(text))
    return available
