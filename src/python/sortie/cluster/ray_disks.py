"""Disks of nodes of Ray: an actor on each node reads files for tasks on others. Nothing of a run may come into the
object store. Values that an actor returns stay out of it if they are small enough to come inline in the reply of the
call, so that a call returns several of these, and many calls are on their way."""

import os
import time
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any, cast

import ray
import ray.exceptions
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from .. import Error
from .job_plan import node_name
from .node_disks import AllDisks, Disks, Piece, sweep

# What Ray itself puts beside the bytes of a value, and more.
_BESIDE_BYTES = 4 << 10
# Measured: 16 values a call take half of the time of the processors that single ones take, and more take no less.
_MOST_VALUES, _CALLS_ON_THEIR_WAY = 16, 8
_SECONDS_TO_SWEEP = 60.0
_SECONDS_TO_KNOW = 20.0  # that Ray takes at most, by its usual settings, to find that a node is dead


def on_node(node: str) -> NodeAffinitySchedulingStrategy:
    """There or nowhere."""
    return NodeAffinitySchedulingStrategy(node, soft=False)


def living_nodes() -> set[str]:
    return {node["NodeID"] for node in cast(Any, ray.nodes)() if node["Alive"]}


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
        _wait_for_death(node)
        raise Error(f"on {node_name()}: cannot read from node {node}: {last_line(error)}") from None
    for pieces, data in zip(values, told, strict=True):
        begin = 0
        for piece in pieces:
            if len(data) < begin + piece.length:
                raise Error(f"on {node_name()}: '{piece.path}' of node {node} ends too early")
            yield piece, data[begin:begin + piece.length]
            begin += piece.length


def _wait_for_death(node: str) -> None:
    """The files of a node that dies may be gone before Ray knows of its death. What fails until then would count as the
    fault of whoever reads them."""
    end = time.monotonic() + _SECONDS_TO_KNOW
    while node in living_nodes() and time.monotonic() < end:
        time.sleep(0.2)


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
        """The readers of the nodes that live. Those whose node dies say so to whoever calls them, and not before that
        is certain."""
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
