"""--engine=ray: attempts are tasks of Ray, which says where they run. No record passes through its object store.

Ray only admits tasks by the CPUs and memory that they name, so that commands always get -S and --parallel. What it says
of a task is a hint: a machine that is thought dead may go on for a while, which does no harm."""

import contextlib
import logging
import math
import socket
import time
from collections.abc import Iterator
from typing import Any, cast

import ray
import ray.exceptions

from .. import Error
from ..__main__ import find_command
from .._report import say_count, say_size
from .commands import Commands
from .engine import Attempt, Engine, Failure, Outcome, run_task
from .job_plan import BESIDE_BYTES, Resources, node_name
from .ray_disks import AllRayDisks, RayDisks, last_line, on_node
from .tasks import Task
from .written_files import attempt_name, write_text

# The share of the memory that Ray counts on a node which tasks may have, and the least of it.
_SHARE = 0.9
_LEAST_BYTES = 1 << 20
_SECONDS_BETWEEN_COUNTS = 5.0
_SECONDS_TO_ANSWER = 10.0
# An attempt that is cancelled, and does not end, is of a node that is gone, or was never placed.
_SECONDS_TO_END = 30.0


@contextlib.contextmanager
def connected(address: str) -> Iterator[None]:
    """To the cluster at the address, or the one that the program is connected to already."""
    if ray.is_initialized():
        yield
        return
    try:
        _refuse_silent(address)
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
    except (OSError, RuntimeError, ValueError) as error:
        lines = str(error).strip().splitlines() or [type(error).__name__]
        raise Error(f"cannot connect to Ray at '{address}': {lines[0]}") from None
    try:
        yield
    except ray.exceptions.RayError as error:
        raise Error(f"Ray failed: {last_line(error)}; give the command again to go on") from None
    finally:
        ray.shutdown()


def _refuse_silent(address: str) -> None:
    """Ray itself asks for eight minutes where nobody answers."""
    host, colon, port = address.rpartition(":")
    if colon and port.isdigit() and "/" not in host:
        socket.create_connection((host.strip("[]"), int(port)), _SECONDS_TO_ANSWER).close()


def ray_resources(memory_bytes: int | None, threads: int | None, gpus: int) -> Resources:
    """One command for each node, with all that the smallest node has, where nothing else is asked for. Raises Error
    for more than any node has, for which Ray would wait."""
    alive = [node["Resources"] for node in cast(Any, ray.nodes)() if node["Alive"]]
    nodes = [resources for resources in alive if resources.get("CPU", 0) >= 1]
    if not nodes:
        raise Error("Ray knows no node with a CPU: start some with 'ray start'")
    cpus = int(min(node["CPU"] for node in nodes))
    threads = threads or cpus
    at_once = max(1, cpus // threads)
    share = int(min(node.get("memory", 0) for node in nodes) * _SHARE) // at_once - BESIDE_BYTES
    slots = sum(int(node["CPU"]) // threads for node in nodes)
    resources = Resources(max(1, slots), memory_bytes or max(_LEAST_BYTES, share), threads)
    needed = {"CPU": threads, "memory": resources.memory_bytes + BESIDE_BYTES, "GPU": gpus}
    if not any(all(node.get(name, 0) >= count for name, count in needed.items()) for node in nodes):
        raise Error(f"no node of Ray has for one command {say_count(threads, 'CPU')}, {say_size(needed['memory'])} of "
                    f"memory and {say_count(gpus, 'GPU')}: give less with --parallel or -S, or start larger nodes")
    return resources


class RayEngine(Engine):
    """resources: of one command. most: commands at once; None for as many as there is room for. command: None for that
    of the package on the node. disks: of the nodes, if runs lie there."""

    def __init__(self, resources: Resources, most: int | None, gpus: int, command: str | None,
                 disks: AllRayDisks | None) -> None:
        self._threads = resources.threads
        self._most = most
        self._command = command
        self._disks = disks
        self._running: dict[Any, Attempt] = {}
        self._end_files: dict[Attempt, str] = {}
        self._cancelled: dict[Attempt, float] = {}
        self._slots, self._counted = resources.slots, time.monotonic()
        self._remote = ray.remote(num_cpus=resources.threads, memory=resources.memory_bytes + BESIDE_BYTES,
                                  num_gpus=gpus, max_retries=0)(run_remote)

    @property
    def slots(self) -> int:  # type: ignore[override]
        """By the nodes that are there now."""
        if time.monotonic() - self._counted > _SECONDS_BETWEEN_COUNTS:
            self._counted = time.monotonic()
            self._slots = max(1, int(cast(Any, ray.cluster_resources)().get("CPU", 0)) // self._threads)
        return min(self._slots, self._most or self._slots)

    def submit(self, attempt: Attempt) -> None:
        end_file = attempt.task.setting.whole_job().file(f"ended/{attempt_name()}")
        # Who merges reads from all nodes. The readers start while runs are cut.
        is_early = attempt.task.stage not in ("cut", "merge")
        readers = {} if self._disks is None or is_early else self._disks.readers()
        node = attempt.task.node
        where = on_node(node) if node is not None else "DEFAULT"
        reference = self._remote.options(scheduling_strategy=where).remote(attempt.task, self._command, end_file,
                                                                           readers)
        self._running[reference] = attempt
        self._end_files[attempt] = end_file

    def wait(self, seconds: float) -> Outcome | None:
        for reference, attempt in self._running.items():
            if time.monotonic() > self._cancelled.get(attempt, math.inf) + _SECONDS_TO_END:
                return self._ended(reference, Failure("did not end"))
        if not self._running:
            time.sleep(seconds)
            return None
        ended, _ = ray.wait(list(self._running), num_returns=1, timeout=seconds)
        if not ended:
            return None
        try:
            return self._ended(ended[0], ray.get(ended[0]))
        except ray.exceptions.RayError as error:
            return self._ended(ended[0], Failure(f"in Ray: {last_line(error)}"))

    def _ended(self, reference: Any, failure: Failure | None) -> Outcome:
        attempt = self._running.pop(reference)
        del self._end_files[attempt]
        self._cancelled.pop(attempt, None)
        return Outcome(attempt, failure)

    def is_idle(self) -> bool:
        return not self._running

    def cancel(self, attempt: Attempt) -> None:
        # By a file, not by ray.cancel(): should a task end at that time, Ray 2.60 aborts the driver.
        if attempt in self._end_files and attempt not in self._cancelled:
            self._cancelled[attempt] = time.monotonic()
            write_text(self._end_files[attempt], "")

    def stop(self) -> None:
        for attempt in list(self._running.values()):
            self.cancel(attempt)
        if self._disks is not None:
            self._disks.stop()


def run_remote(task: Task, command: str | None, end_file: str, readers: dict[str, Any]) -> Failure | None:
    """On some node, as a task of Ray. A file at the path `end_file` ends it. readers: of files of nodes."""
    try:
        path = command or find_command()
    except Error as error:
        return Failure(f"on {node_name()}: {error}", is_final=True)
    return run_task(task, Commands(path, task.setting.environment, end_file, RayDisks(readers)))
