"""The stages of a job, each told once: what its tasks are called, where their results lie, and the words for people.
Nothing here knows of tasks; they know their stage (tasks.py), and so do reports, progress, and the job directory."""

from typing import NamedTuple


class StageKind(NamedTuple):
    """name: as tasks, reports and progress have it. folder: of the job directory, for the results of tasks; "" for one
    that is kept in a file by itself. doing: for a line that shows progress. done: what `status` counts. of: what has a
    task each: "inputs", "shards", "ranges" or "files". is_in_all_jobs: whether every sort has it. beside: other folders
    of what its tasks make."""

    name: str
    folder: str
    doing: str
    done: str
    of: str
    is_in_all_jobs: bool = False
    beside: tuple[str, ...] = ()


STAGES = {stage.name: stage for stage in (
    StageKind("header", "", "looking at headers", "", "inputs"),
    StageKind("count", "counted", "counting bytes", "inputs counted", "inputs"),
    StageKind("form", "formed", "forming runs", "shards formed", "shards", is_in_all_jobs=True, beside=("shards",)),
    StageKind("cut", "cuts", "cutting runs", "shards cut", "shards", is_in_all_jobs=True),
    StageKind("merge", "merged", "merging", "ranges merged", "ranges", is_in_all_jobs=True, beside=("parts",)),
    StageKind("copy", "copied", "copying", "parts copied", "ranges"),
    StageKind("write", "written", "writing the output", "outputs written", "files"),
    StageKind("split", "split", "cutting ranges into files", "ranges split", "ranges"),
    StageKind("join", "join", "joining files in which ranges meet", "files joined", "files"))}

# Folders of results, and of all that stages make.
RESULTS = tuple(stage.folder for stage in STAGES.values() if stage.folder)
FOLDERS = (*RESULTS, *(folder for stage in STAGES.values() for folder in stage.beside))
