"""The stages of a job as a discrete-event model: tasks start, flow, end, are lost with their node and begin again."""

import heapq
import math
from collections import defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass, field

from .. import Error
from . import _simulation_setup as costs
from ._simulation_flows import RESOURCES, Flow, FlowSet
from ._simulation_loads import Loads
from ._simulation_setup import Setup

STAGES = ("form", "bounds", "cut", "merge", "verify")
_OF_DRIVER = ("bounds", "verify")


@dataclass
class Stage:
    """What a stage took. Bytes are those of the data; `other_read` are blocks at bounds, and indexes."""

    seconds: float = 0.0
    read: float = 0.0
    written: float = 0.0
    over_network: float = 0.0
    other_read: float = 0.0
    requests: float = 0.0
    repeated_tasks: int = 0
    waits: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    """Task-seconds by what they waited for."""
    busy: list[float] = field(default_factory=lambda: [0.0] * len(RESOURCES))
    """Node-seconds by resource."""
    node_seconds: float = 0.0

    @property
    def bottleneck(self) -> str:
        return max(self.waits, key=lambda name: (self.waits[name], name)) if self.waits else "-"

    def busy_share(self, *resources: int) -> float:
        return max(self.busy[resource] for resource in resources) / self.node_seconds if self.node_seconds else 0.0


class Outcome:
    def __init__(self, stages: dict[str, Stage]) -> None:
        self.stages = stages

    @property
    def seconds(self) -> float:
        return sum(stage.seconds for stage in self.stages.values())

    def total(self, amount: str) -> float:
        return float(sum(getattr(stage, amount) for stage in self.stages.values()))


@dataclass(eq=False)
class _Task:
    stage: str
    number: int
    slot: int = -1
    """The number of the slot in the node."""
    node: int = -1
    flow: Flow | None = None
    has_ended: bool = False
    is_lost: bool = False


def simulate(setup: Setup, loss_seconds: float | None = None) -> Outcome:
    """One node is lost so many seconds after the start. Two calls with the same arguments return the same."""
    setup.check()
    if loss_seconds is not None and setup.nodes == 1:
        raise Error("a job on one node does not outlive it: simulate a loss with --nodes=2 or more")
    return _Job(setup, loss_seconds).run()


class _Job:
    def __init__(self, setup: Setup, loss_seconds: float | None) -> None:
        self._setup = setup
        self._loads = Loads(setup)
        self._flows = FlowSet(setup.nodes)
        self._clock = 0.0
        self._timers: list[tuple[float, int, Callable[[], None]]] = []
        self._timer_number = 0
        self._driver_free_at = 0.0
        self._places = [(place, node) for place in range(setup.tasks) for node in range(setup.nodes)]
        self._fresh_nodes = set(range(setup.nodes))
        self._lost_node: int | None = None
        self._waiting = {stage: deque(range(self._count(stage))) for stage in STAGES}
        self._left = {stage: self._count(stage) for stage in STAGES}
        # In order, as a set: tasks that were started and have not reported.
        self._running: dict[_Task, None] = {}
        self._starting = 0
        self._holders: dict[str, dict[int, int]] = {"form": {}, "merge": {}}
        self._formed_again: set[int] = set()
        self._stages = {stage: Stage() for stage in STAGES}
        if loss_seconds is not None:
            self._at(loss_seconds, self._lose_node)

    def run(self) -> Outcome:
        # The first stage that is not complete: each needs all results of the one before.
        while (stage := next((stage for stage in STAGES if self._left[stage]), None)) is not None:
            self._start_tasks(stage)
            self._pass_time(stage)
        return Outcome(self._stages)

    def _count(self, stage: str) -> int:
        return 1 if stage in _OF_DRIVER else self._setup.ranges if stage == "merge" else self._setup.shards

    def _at(self, seconds: float, action: Callable[[], None]) -> None:
        self._timer_number += 1
        heapq.heappush(self._timers, (seconds, self._timer_number, action))

    def _pass_time(self, stage: str) -> None:
        """To the next event, which is handled."""
        ends_in = self._flows.seconds_to_end()
        timer_in = self._timers[0][0] - self._clock if self._timers else math.inf
        seconds = max(0.0, min(timer_in, math.inf if ends_in is None else ends_in))
        assert seconds < math.inf, "nothing is left that could happen"
        self._account(stage, seconds)
        self._flows.advance(seconds)
        self._clock += seconds
        for flow in self._flows.ended():
            flow.done()
        while self._timers and self._timers[0][0] <= self._clock:
            heapq.heappop(self._timers)[2]()

    def _account(self, name: str, seconds: float) -> None:
        stage, nodes = self._stages[name], self._setup.nodes - (self._lost_node is not None)
        stage.seconds += seconds
        stage.node_seconds += nodes * seconds
        for resource, busy in enumerate(self._flows.busy):
            stage.busy[resource] += busy * seconds
        waits = self._flows.waits.copy()
        active = sum(waits.values())
        if name in _OF_DRIVER:
            waits["driver"] += 1
        else:
            waits["start of tasks"] += self._starting
            waits["no task left"] += max(0, nodes * self._setup.tasks - active - self._starting)
        for reason, count in waits.items():
            stage.waits[reason] += count * seconds

    def _driver_turn(self, seconds: float) -> float:
        """When the driver, which does one thing after the other, has done this."""
        self._driver_free_at = max(self._driver_free_at, self._clock) + seconds
        return self._driver_free_at

    def _start_tasks(self, stage: str) -> None:
        waiting = self._waiting[stage]
        if stage in _OF_DRIVER:
            if waiting:
                task = _Task(stage, waiting.popleft())
                self._at(self._driver_turn(self._loads.driver_seconds(stage)), lambda: self._report(task))
            return
        while waiting and self._places:
            slot, node = heapq.heappop(self._places)
            if node != self._lost_node:
                self._start(_Task(stage, waiting.popleft(), slot, node))

    def _start(self, task: _Task) -> None:
        self._running[task] = None
        self._starting += 1
        begin = self._driver_turn(costs.TASK_SECONDS) + self._loads.start_seconds(task.stage)
        if task.node in self._fresh_nodes:
            self._fresh_nodes.discard(task.node)
            begin += costs.WORKER_START_SECONDS
        self._at(begin, lambda: self._begin_flow(task))

    def _begin_flow(self, task: _Task) -> None:
        if not task.is_lost:
            self._starting -= 1
            load = self._loads.of(task.stage, task.number in self._formed_again)
            count = self._loads.byte_count(task.stage, task.number)
            task.flow = self._flows.start(task.node, load, count, lambda: self._end_flow(task))

    def _end_flow(self, task: _Task) -> None:
        task.has_ended = True
        heapq.heappush(self._places, (task.slot, task.node))
        self._add_amounts(task, 1.0)
        self._at(self._driver_turn(self._loads.result_seconds(task.stage)), lambda: self._report(task))

    def _add_amounts(self, task: _Task, part: float) -> None:
        stage, amounts = self._stages[task.stage], self._loads.amounts(task.stage, task.number)
        for name, amount in zip(amounts._fields, amounts, strict=True):
            setattr(stage, name, getattr(stage, name) + part * amount)

    def _report(self, task: _Task) -> None:
        if task.is_lost:
            return
        self._running.pop(task, None)
        self._left[task.stage] -= 1
        if task.stage in self._holders:
            self._holders[task.stage][task.number] = task.node
        if task.stage == "form" and not self._left["form"] and self._setup.scratch != "shared":
            self._flows.set_shares(self._shares())

    def _shares(self) -> dict[int, float]:
        held: dict[int, int] = defaultdict(int)
        for number, node in self._holders["form"].items():
            held[node] += self._setup.shard_sizes[number]
        return {node: count / self._setup.data_bytes for node, count in held.items()}

    def _lose_node(self) -> None:
        """The last one, with what it runs and holds. Merges on all nodes read runs of it, and fail."""
        self._lost_node = lost = self._setup.nodes - 1
        loses_runs = self._setup.scratch != "shared" and lost in self._holders["form"].values()
        again: dict[str, list[int]] = {stage: [] for stage in STAGES}
        for task in list(self._running):
            if task.node == lost:
                again[task.stage].append(task.number)
                self._stop(task)
            elif loses_runs and task.stage == "merge" and not task.has_ended:
                self._waiting["merge"].append(task.number)
                self._stages["merge"].repeated_tasks += 1
                self._stop(task)
                heapq.heappush(self._places, (task.slot, task.node))
        self._flows.remove_node(lost)
        for stage, is_lost in (("form", loses_runs), ("merge", self._setup.files == "node")):
            numbers = [number for number, node in self._holders[stage].items() if is_lost and node == lost]
            for number in numbers:
                del self._holders[stage][number]
            self._left[stage] += len(numbers)
            again[stage] += numbers
            if stage == "form" and not self._left["bounds"]:
                not_cut = {*self._waiting["cut"], *again["cut"]}
                cut = [number for number in numbers if number not in not_cut]
                self._left["cut"] += len(cut)
                again["cut"] += cut
        self._at(self._clock + costs.DETECTION_SECONDS, lambda: self._notice(again))

    def _stop(self, task: _Task) -> None:
        task.is_lost = True
        del self._running[task]
        self._starting -= task.flow is None
        if task.flow and not task.has_ended:
            total = self._loads.byte_count(task.stage, task.number)
            self._add_amounts(task, 1 - self._flows.stop(task.flow) / max(1.0, total))

    def _notice(self, again: dict[str, list[int]]) -> None:
        """What the lost node had is done again by the others."""
        for stage, numbers in again.items():
            self._waiting[stage].extend(numbers)
            self._stages[stage].repeated_tasks += len(numbers)
        self._formed_again.update(again["form"])
