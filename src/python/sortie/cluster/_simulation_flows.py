"""Tasks as flows of bytes that share disks, cores and networks of many nodes: how fast each is, and when it ends.

Every flow is as fast as the others until something that it uses is full (max-min fairness, by progressive filling; see
Bertsekas and Gallager, Data Networks, 6.5). Nodes on which the same runs are one group, so that the work for a change
does not grow with the number of nodes, nor with that of slices.
"""

import heapq
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

RESOURCES = ("disk", "CPU", "network in", "network out")
DISK, CPU, NETWORK_IN, NETWORK_OUT = range(4)
SHARED = "shared file system"
_NONE = (0.0, 0.0, 0.0, 0.0)
# Bytes that are left of a flow when it counts as ended.
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


@dataclass(eq=False, slots=True)
class Flow:
    node: int
    load: Load
    ends_at: float
    done: Callable[[], None]
    queue: "_Queue | None" = None
    entry: int = 0

    def bytes_left(self) -> float:
        return self.ends_at - (self.queue.progress if self.queue else 0.0)


class _Kind(NamedTuple):
    """What makes nodes alike: the part of all runs that each holds, and how many flows of which loads it runs."""

    share: float
    counts: frozenset[tuple[Load, int]]


class _Queue:
    """Flows of one load on the nodes of one kind, so many on each, which are all equally fast. `progress` is what a
    flow that had been here from the beginning would have moved."""

    def __init__(self, load: Load, kind: _Kind) -> None:
        self.load = load
        self.kind = kind
        self.on_each = dict(kind.counts)[load]
        self.heap: list[tuple[float, int, Flow]] = []
        self.progress = 0.0
        self.speed = 0.0
        self.limit = ""

    def first_end(self) -> float | None:
        """Entries of flows that have gone elsewhere since are dropped."""
        while self.heap and (self.heap[0][2].queue is not self or self.heap[0][2].entry != self.heap[0][1]):
            heapq.heappop(self.heap)
        return self.heap[0][0] if self.heap else None


class _Limit(NamedTuple):
    """What is full when the speeds of queues times their uses add up to 1, on each of so many nodes."""

    name: str
    nodes: int
    uses: dict[_Queue, float]


class FlowSet:
    """`waits` is how many flows are held back by what, `busy` how much of all nodes' resources is in use."""

    def __init__(self, node_count: int) -> None:
        self._flows: dict[int, list[Flow]] = {node: [] for node in range(node_count)}
        self._shares: dict[int, float] = {}
        idle = _Kind(0.0, frozenset())
        self._kinds = dict.fromkeys(self._flows, idle)
        # How many nodes are of each kind.
        self._nodes = Counter({idle: node_count})
        self._queues: dict[tuple[_Kind, Load], _Queue] = {}
        self._entries = 0
        self._is_current = False
        self.waits: Counter[str] = Counter()
        self.busy: list[float] = [0.0] * len(RESOURCES)

    def set_shares(self, shares: dict[int, float]) -> None:
        """The part of all runs that each node holds."""
        self._shares = shares
        for node in self._flows:
            self._regroup(node)

    def start(self, node: int, load: Load, byte_count: float, done: Callable[[], None]) -> Flow:
        flow = Flow(node, load, byte_count, done)
        self._flows[node].append(flow)
        self._regroup(node)
        return flow

    def stop(self, flow: Flow) -> float:
        """Returns the bytes that are left."""
        left = max(0.0, flow.bytes_left())
        self._flows[flow.node].remove(flow)
        flow.queue = None
        self._regroup(flow.node)
        return left

    def remove_node(self, node: int) -> None:
        """Once its flows have been stopped."""
        del self._flows[node]
        self._nodes[self._kinds.pop(node)] -= 1
        self._is_current = False

    def seconds_to_end(self) -> float | None:
        """Until the next flow ends."""
        self._solve()
        times = [(end - queue.progress) / queue.speed for queue in self._queues.values()
                 if queue.speed > 0 and (end := queue.first_end()) is not None]
        return max(0.0, min(times)) if times else None

    def advance(self, seconds: float) -> None:
        for queue in self._queues.values():
            queue.progress += queue.speed * seconds

    def ended(self) -> list[Flow]:
        """Takes out the flows that have ended."""
        flows = []
        for queue in self._queues.values():
            while (end := queue.first_end()) is not None and end - queue.progress <= _ROUNDING:
                flows.append(heapq.heappop(queue.heap)[2])
        for flow in flows:
            self.stop(flow)
        return flows

    def _regroup(self, node: int) -> None:
        kind = _Kind(self._shares.get(node, 0.0), frozenset(Counter(flow.load for flow in self._flows[node]).items()))
        self._nodes[self._kinds[node]] -= 1
        self._nodes[kind] += 1
        self._kinds[node] = kind
        for flow in self._flows[node]:
            queue = self._queues.get((kind, flow.load))
            if queue is None:
                queue = self._queues[kind, flow.load] = _Queue(flow.load, kind)
            if flow.queue is not queue:
                flow.ends_at = queue.progress + flow.bytes_left()
                flow.queue = queue
                self._entries += 1
                flow.entry = self._entries
                heapq.heappush(queue.heap, (flow.ends_at, flow.entry, flow))
        self._is_current = False

    def _solve(self) -> None:
        if self._is_current:
            return
        self._nodes = +self._nodes
        self._queues = {key: queue for key, queue in self._queues.items() if queue.kind in self._nodes}
        limits = self._limits()
        free = set(self._queues.values())
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
        counts = {queue: queue.on_each * self._nodes[queue.kind] for queue in self._queues.values()}
        limits = []
        for kind, nodes in self._nodes.items():
            own = {queue: queue.on_each if queue.kind == kind else 0 for queue in counts}
            for resource, name in enumerate(RESOURCES):
                uses = {queue: own[queue] * queue.load.own[resource] + count * queue.load.peers[resource] * kind.share
                        for queue, count in counts.items()}
                limits.append(_Limit(name, nodes, {queue: use for queue, use in uses.items() if use}))
        shared_uses = {queue: count * queue.load.shared for queue, count in counts.items() if queue.load.shared}
        return [*limits, _Limit(SHARED, 0, shared_uses)]

    def _account(self, limits: list[_Limit]) -> None:
        self.waits = Counter()
        for queue in self._queues.values():
            self.waits[queue.limit] += queue.on_each * self._nodes[queue.kind]
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
