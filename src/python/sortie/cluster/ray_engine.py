"""--engine=ray: attempts are tasks of Ray, which says where they run. No record passes through its object store.

Ray only admits tasks by the CPUs and memory that they name, so that commands always get -S and --parallel. What it says
of a task is a hint: a machine that is thought dead may go on for a while, which does no harm.

Disks of nodes: an actor on each node reads files for tasks on others. Nothing of a run may come into the object store. Values
that an actor returns stay out of it if they are small enough to come inline in the reply of the call, so that a call returns
several of these, and many calls are on their way."""

import contextlib
import logging
import math
import os
import socket
import time
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any

import ray
import ray.exceptions
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from .. import Error
from ..__main__ import find_command
from .._report import say_count, say_size
from .commands import Commands
from .engine import Attempt, Engine, Failure, Outcome, run_task
from .job_plan import BESIDE_BYTES, Resources, node_name
from .node_disks import AllDisks, Disks, Piece, sweep
from .tasks import Task
from .written_files import attempt_name, write_text

# What Ray itself puts beside the bytes of a value, and more.
_BESIDE_BYTES = 4 << 10
# Measured: 16 values a call take half of the time of the processors that single ones take, and more take no less.
_MOST_VALUES, _CALLS_ON_THEIR_WAY = 16, 8
_SECONDS_TO_SWEEP = 60.0


def on_node(node: str) -> NodeAffinitySchedulingStrategy:
    """There or nowhere."""
    return NodeAffinitySchedulingStrategy(node, soft=False)


def living_nodes() -> set[str]:
    return {node["NodeID"] for node in ray.nodes() if node["Alive"]}


class DiskReader:
    """An actor on the node whose files it reads."""

    def read(self, values: list[list[Piece]]) -> Any:
        """A value for each list of pieces: their bytes one behind the other, fewer where a file ends."""
        told = [b"".join(map(_read, pieces)) for pieces in values]
        return told if len(told) > 1 else told[0]


def _read(piece: Piece) -> bytes:
    with open(piece.path, "rb", buffering=0) as file:
        return os.pread(file.fileno(), piece.length, piece.offset)


class RayDisks(Disks):
    """For a task. readers: for each node its DiskReader."""

    def __init__(self, readers: Mapping[str, Any]) -> None:
        super().__init__(ray.get_runtime_context().get_node_id())
        self._readers = readers

    def read(self, wanted: Mapping[str, Sequence[Piece]]) -> Iterator[tuple[Piece, bytes]]:
        on_their_way: deque[tuple[str, list[list[Piece]], list[Any]]] = deque()
        for node, values in _in_turn({node: _calls(pieces) for node, pieces in wanted.items()}):
            if node not in self._readers:
                raise Error(f"on {node_name()}: node {node} has gone, with the runs on its disk")
            references = self._readers[node].read.options(num_returns=len(values)).remote(values)
            on_their_way.append((node, values, references if len(values) > 1 else [references]))
            if len(on_their_way) == _CALLS_ON_THEIR_WAY:
                yield from _take(*on_their_way.popleft())
        while on_their_way:
            yield from _take(*on_their_way.popleft())


def _take(node: str, values: list[list[Piece]], references: list[Any]) -> Iterator[tuple[Piece, bytes]]:
    try:
        told = ray.get(references)
    except ray.exceptions.RayError as error:
        raise Error(f"on {node_name()}: cannot read from node {node}: {last_line(error)}") from None
    for pieces, data in zip(values, told, strict=True):
        begin = 0
        for piece in pieces:
            if len(data) < begin + piece.length:
                raise Error(f"on {node_name()}: '{piece.path}' of node {node} ends too early")
            yield piece, data[begin:begin + piece.length]
            begin += piece.length


def last_line(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return f"{type(error).__name__}: {lines[-1]}" if lines else type(error).__name__


def _calls(pieces: Iterable[Piece]) -> Iterator[list[list[Piece]]]:
    """Lists of values, each of which comes inline."""
    inline_bytes = _limit_of_ray("max_direct_call_object_size", 100 << 10)
    most_bytes = max(1, inline_bytes - _BESIDE_BYTES)
    most_values = max(1, min(_MOST_VALUES, _limit_of_ray("task_rpc_inlined_bytes_limit", 10 << 20) // inline_bytes))
    values = []
    for value in packed(pieces, most_bytes):
        values.append(value)
        if len(values) == most_values:
            yield values
            values = []
    if values:
        yield values


def _limit_of_ray(name: str, default: int) -> int:
    """Ray takes another from the environment of its nodes, which workers inherit."""
    text = os.environ.get(f"RAY_{name}", "")
    return int(text) if text.isdigit() else default


def packed(pieces: Iterable[Piece], most_bytes: int) -> Iterator[list[Piece]]:
    """The pieces in lists of so many bytes at most. Longer ones are divided."""
    value: list[Piece] = []
    room = most_bytes
    for path, offset, length in pieces:
        while length > 0:
            taken = min(length, room)
            value.append(Piece(path, offset, taken))
            offset, length, room = offset + taken, length - taken, room - taken
            if room == 0:
                yield value
                value, room = [], most_bytes
    if value:
        yield value


def _in_turn(calls: Mapping[str, Iterator[list[list[Piece]]]]) -> Iterator[tuple[str, list[list[Piece]]]]:
    """A call to each node, then the next to each."""
    for of_all in zip_longest(*calls.values()):
        for node, values in zip(calls, of_all, strict=True):
            if values is not None:
                yield node, values


class AllRayDisks(AllDisks):
    """For the driver. Starts a DiskReader on each node that tasks read from."""

    def __init__(self, scratch: str) -> None:
        super().__init__(scratch)
        self._readers: dict[str, Any] = {}

    def living_nodes(self) -> Collection[str]:
        return living_nodes()

    def readers(self) -> dict[str, Any]:
        """Of the nodes that live. Those whose node dies say so to whoever calls them, and not before that is
        certain."""
        living = living_nodes()
        for node in living - set(self._readers):
            actor = ray.remote(num_cpus=0, max_restarts=-1, max_task_retries=-1)(DiskReader)
            self._readers[node] = actor.options(scheduling_strategy=on_node(node)).remote()
        self._readers = {node: self._readers[node] for node in living}
        return self._readers

    def sweep(self, *, everything: bool) -> None:
        remote = ray.remote(num_cpus=0, max_retries=0)(sweep)
        swept = [remote.options(scheduling_strategy=on_node(node)).remote(self.scratch, node, everything)
                 for node in living_nodes()]
        ray.wait(swept, num_returns=len(swept), timeout=_SECONDS_TO_SWEEP)

    def stop(self) -> None:
        for reader in self._readers.values():
            ray.kill(reader)


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
    nodes = [node["Resources"] for node in ray.nodes() if node["Alive"] and node["Resources"].get("CPU", 0) >= 1]
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
            self._slots = max(1, int(ray.cluster_resources().get("CPU", 0)) // self._threads)
        return min(self._slots, self._most or self._slots)

    def submit(self, attempt: Attempt) -> None:
        end_file = attempt.task.setting.directory().file(f"ended/{attempt_name()}")
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
