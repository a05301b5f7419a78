"""Tasks as JSON, for engines that hand them over by files."""

from typing import Any

from .headers import HeaderTask
from .merge_tasks import CopyTask, MergeTask
from .shards import Shard
from .tasks import CutTask, FormTask, Setting, Task

_KINDS: dict[str, Any] = {kind.stage: kind for kind in (HeaderTask, FormTask, CutTask, MergeTask, CopyTask)}


def task_to_json(task: Task) -> dict[str, Any]:
    fields = {name: getattr(task, name) for name in _KINDS[task.stage].__dataclass_fields__}
    return {**fields, "stage": task.stage, "setting": vars(task.setting)}


def task_from_json(told: dict[str, Any]) -> Task:
    fields = {name: value for name, value in told.items() if name != "stage"}
    fields["setting"] = Setting(**{**told["setting"], "words": tuple(told["setting"]["words"])})
    if "shard" in fields:
        fields["shard"] = Shard.from_json(fields["shard"])
    task: Task = _KINDS[told["stage"]](**fields)
    return task
