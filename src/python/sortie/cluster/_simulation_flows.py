"""Tasks as flows of bytes that share disks, cores and networks of many nodes: how fast each is, and when it ends.

Every flow is as fast as the others until something that it uses is full (max-min fairness, by progressive filling; see
Bertsekas and Gallager, Data Networks, 6.5). Nodes on which the same runs are one group, so that the work for a change
does not grow with the number of nodes, nor with that of slices.
"""

import heapq
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

RESOURCES = ("disk", "CPU", "network in", "network out")
DISK, CPU, NETWORK_IN, NETWORK_OUT = range(4)
SHARED = "shared file system"
_NONE = (0.0, 0.0, 0.0, 0.0)
# Of a byte: what is left of a flow when it counts as ended.
_ROUNDING = 0.5


@dataclass(frozen=True)
class Load:
    """What a byte of a kind of task costs: seconds of each resource of the task's own node, of those of all nodes that
    hold runs, by their shares, and of the shared file system."""

    name: str
    own: tuple[float, ...] = _NONE
    peers: tuple[float, ...] = _NONE
    shared: float = 0.0
    most_speed: float = float("inf")
    most_speed_name: str = "one task"


class Flow:
    __slots__ = ("done", "ends_at", "entry", "load", "node", "queue")

    def __init__(self, node: int, load: Load, done: Callable[[], None]) -> None:
        self.node, self.load, self.done = node, load, done
        self.queue: _Queue | None = None
        self.ends_at = 0.0
        self.entry = 0


class _Queue:
    """Flows of one load on the nodes of one group, which are all equally fast. `progress` is what a flow that had been
    here from the beginning would have moved."""

    def __init__(self, load: Load) -> None:
        self.load = load
        self.heap: list[tuple[float, int, Flow]] = []
        self.count = 0
        self.progress = 0.0
        self.speed = 0.0
        self.limit = ""

    def first_end(self) -> float | None:
        """Entries of flows that have gone elsewhere since are dropped."""
        while self.heap and (self.heap[0][2].queue is not self or self.heap[0][2].entry != self.heap[0][1]):
            heapq.heappop(self.heap)
        return self.heap[0][0] if self.heap else None


@dataclass
class _Node:
    share: float
    flows: list[Flow]
    group: "_Group | None" = None


class _Group:
    def __init__(self, share: float) -> None:
        self.share = share
        self.nodes = 0
        self.queues: dict[Load, _Queue] = {}


class _Limit(NamedTuple):
    """What is full when the speeds of queues times their uses add up to 1, on each of so many nodes."""

    name: str
    nodes: int
    uses: dict[_Queue, float]


class FlowSet:
    """`waits` is how many flows are held back by what, `busy` how much of all nodes' resources is in use."""

    def __init__(self, node_count: int) -> None:
        self._nodes = {node: _Node(0.0, []) for node in range(node_count)}
        self._groups: dict[tuple[float, frozenset[tuple[Load, int]]], _Group] = {}
        self._entries = 0
        self._is_current = False
        self.waits: Counter[str] = Counter()
        self.busy: list[float] = [0.0] * len(RESOURCES)
        for node in self._nodes.values():
            self._regroup(node)

    def set_shares(self, shares: dict[int, float]) -> None:
        """The part of all runs that each node holds."""
        for number, node in self._nodes.items():
            if node.share != shares.get(number, 0.0):
                node.share = shares.get(number, 0.0)
                self._regroup(node)

    def start(self, node: int, load: Load, byte_count: float, done: Callable[[], None]) -> Flow:
        flow = Flow(node, load, done)
        flow.ends_at = byte_count
        self._nodes[node].flows.append(flow)
        self._regroup(self._nodes[node])
        return flow

    def stop(self, flow: Flow) -> float:
        """Returns the bytes that are left."""
        left = flow.ends_at - (flow.queue.progress if flow.queue else 0.0)
        node = self._nodes[flow.node]
        node.flows.remove(flow)
        self._regroup(node)
        if flow.queue:
            flow.queue.count -= 1
            flow.queue = None
        return max(0.0, left)

    def remove_node(self, number: int) -> None:
        """Once its flows have been stopped."""
        node = self._nodes.pop(number)
        if node.group:
            node.group.nodes -= 1
        self._is_current = False

    def seconds_to_end(self) -> float | None:
        """Until the next flow ends."""
        self._solve()
        times = [(end - queue.progress) / queue.speed for queue in self._queues()
                 if queue.speed > 0 and (end := queue.first_end()) is not None]
        return max(0.0, min(times)) if times else None

    def advance(self, seconds: float) -> None:
        for queue in self._queues():
            queue.progress += queue.speed * seconds

    def ended(self) -> list[Flow]:
        """Takes out the flows that have ended."""
        flows = []
        for queue in self._queues():
            while (end := queue.first_end()) is not None and end - queue.progress <= _ROUNDING:
                flows.append(heapq.heappop(queue.heap)[2])
        for flow in flows:
            self.stop(flow)
        return flows

    def _queues(self) -> list[_Queue]:
        return [queue for group in self._groups.values() for queue in group.queues.values() if queue.count]

    def _regroup(self, node: _Node) -> None:
        counts = Counter(flow.load for flow in node.flows)
        key = (node.share, frozenset(counts.items()))
        group = self._groups.get(key)
        if group is None:
            group = self._groups[key] = _Group(node.share)
        if node.group is not group:
            if node.group:
                node.group.nodes -= 1
            group.nodes += 1
            node.group = group
        for flow in node.flows:
            self._move(flow, group)
        self._is_current = False

    def _move(self, flow: Flow, group: _Group) -> None:
        queue = group.queues.setdefault(flow.load, _Queue(flow.load))
        if flow.queue is queue:
            return
        left = flow.ends_at
        if flow.queue:
            left -= flow.queue.progress
            flow.queue.count -= 1
        flow.queue = queue
        flow.ends_at = queue.progress + left
        queue.count += 1
        self._entries += 1
        flow.entry = self._entries
        heapq.heappush(queue.heap, (flow.ends_at, flow.entry, flow))

    def _solve(self) -> None:
        if self._is_current:
            return
        self._groups = {key: group for key, group in self._groups.items() if group.nodes}
        limits = self._limits()
        free = set(self._queues())
        for queue in free:
            queue.speed = 0.0
        while free:
            level, tightest = _fullest(limits, free)
            for queue in list(free):
                if queue.load.most_speed <= level or queue in tightest:
                    queue.speed = min(level, queue.load.most_speed)
                    queue.limit = tightest.get(queue, queue.load.most_speed_name)
                    free.remove(queue)
        self._account(limits)
        self._is_current = True

    def _limits(self) -> list[_Limit]:
        queues = self._queues()
        limits = []
        for group in self._groups.values():
            for resource, name in enumerate(RESOURCES):
                uses: dict[_Queue, float] = defaultdict(float)
                for queue in group.queues.values():
                    if queue.count and queue.load.own[resource]:
                        uses[queue] += queue.count / group.nodes * queue.load.own[resource]
                for queue in queues if group.share else ():
                    if queue.load.peers[resource]:
                        uses[queue] += queue.count * queue.load.peers[resource] * group.share
                limits.append(_Limit(name, group.nodes, uses))
        shared_uses = {queue: queue.count * queue.load.shared for queue in queues if queue.load.shared}
        return [*limits, _Limit(SHARED, 0, shared_uses)]

    def _account(self, limits: list[_Limit]) -> None:
        self.waits = Counter()
        for queue in self._queues():
            self.waits[queue.limit] += queue.count
        self.busy = [0.0] * len(RESOURCES)
        for name, nodes, uses in limits:
            if nodes:
                self.busy[RESOURCES.index(name)] += nodes * sum(queue.speed * use for queue, use in uses.items())


def _fullest(limits: list[_Limit], free: set[_Queue]) -> tuple[float, dict[_Queue, str]]:
    """The speed at which the first resource is full, or the first flow as fast as it can be, and who is held back by
    that."""
    level = min(queue.load.most_speed for queue in free)
    full = []
    for name, _, uses in limits:
        slope = sum(use for queue, use in uses.items() if queue in free)
        if not slope:
            continue
        taken = sum(queue.speed * use for queue, use in uses.items() if queue not in free)
        full.append((max(0.0, 1 - taken) / slope, name, uses))
    level = min([level, *(speed for speed, _, _ in full)])
    tightest = [(name, uses) for speed, name, uses in full if speed <= level * (1 + 1e-9)]
    return level, {queue: name for name, uses in tightest for queue in uses if queue in free}
