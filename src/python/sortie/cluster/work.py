"""What does the tasks of a job, whichever of its sorts they are of: the engine, with what is known of its nodes, and
the course of the job."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .engine import Engine, Failure, Stage
from .node_disks import AllDisks
from .progress import Course
from .tasks import Task


@dataclass
class Work:
    """limit: how often a task may fail. disks: of nodes, if runs lie there."""

    engine: Engine
    limit: int
    disks: AllDisks | None
    course: Course

    def do(self, tasks: Sequence[Task], todo: Sequence[Task], which: str = "",
           on_failure: Callable[[Failure], None] = lambda failure: None) -> None:
        """Sees the part of a stage through that is not done. which: behind the name of the stage."""
        stage = tasks[0].stage + which
        progress = self.course.progress
        progress.begin(stage, sum(task.bytes for task in tasks),
                       sum(task.bytes for task in tasks) - sum(task.bytes for task in todo))
        attempts = Stage(self.engine, self.limit, lambda task: progress.add(stage, task.bytes), on_failure)
        try:
            attempts.run(todo)
        finally:
            self.course.retries += attempts.retries + attempts.second_attempts

    def living_nodes(self) -> set[str] | None:
        """The nodes whose disks can be read; None for all that there ever were."""
        return set(self.disks.living_nodes()) if self.disks is not None else None
