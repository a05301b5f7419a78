"""The tasks of a job. Each runs commands on any machine that sees the job directory, and leaves its result there as a
file; the same again does no harm. Here are those that form runs and cut them; merge_tasks.py has the others."""

import os
import shutil
import time
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from .. import Error
from .commands import Commands, Refused
from .job import HEADER_FILE, NAMES_FILE, SEED_FILE, JobDirectory
from .job_plan import node_name
from .shards import Shard
from .node_disks import private_folder
from .sides import bounds_file
from .stages import STAGES
from .written_files import attempt_name, length_of, read_state, write_state


def prepare_shard_folder(folder: str, is_renewal: bool) -> str:
    """Makes way for the runs, and returns where they go. folder: of the shard's first runs. It is removed if
    it has lost a run, or if its runs are to be renewed."""
    if is_renewal:
        shutil.rmtree(folder, ignore_errors=True)
        folder += ".renewed"
    told = read_state(os.path.join(folder, "shard.json"), is_of_command=True)
    is_whole = told is not None and all(length_of(os.path.join(folder, run["file"])) == run["file_bytes"]
                                        for run in told["runs"])
    if not is_whole and os.path.isdir(folder):
        _remove_folder(folder)
    return folder


def _remove_folder(folder: str) -> None:
    # Renamed first: another attempt may do the same.
    aside = f"{folder}.{attempt_name()}"
    os.rename(folder, aside)
    shutil.rmtree(aside, ignore_errors=True)


class RangeDamaged(Error):
    """The file of a merged range, which has this number, is not what was written."""

    def __init__(self, text: str, number: int) -> None:
        super().__init__(text)
        self.number = number


# Files end so that say where the runs of a shard are cut.
CUTS_SUFFIX = ".rows"
# What a sort in a chain of them is: of what the one before has written by places, or of the sample of the job.
BY_PLACE_WORD, OF_JOB_WORD = "--by-place", "--of-job"


@dataclass(frozen=True)
class Setting:
    """What all tasks of a job share. words: the options of the sort; environment: what is set for commands, or taken
    out. scratch: the job's folder on the disk of each node, for runs; None if they lie in the job directory. table:
    where rows are described that are sorted as records (tables.py), or None. driver: tells drivers apart: what an
    earlier one has left counts once it is found unchanged. header: where that of all inputs is told, or None if each
    shard has it.
    folder: in the job directory, of a later sort, of what the one before has written (by_place.py), or "". sort_words:
    for commands that form, cut and merge, beside those for every command. cuts: options that say where files end which
    are made of the ranges, or none. names: where all inputs are listed, if they are files of a format; else None.
    manifest: the name of a list of the files, or none."""

    job: str
    words: tuple[str, ...]
    environment: Mapping[str, str | None]
    scratch: str | None = None
    table: str | None = None
    driver: str = ""
    header: str | None = None
    folder: str = ""
    sort_words: tuple[str, ...] = ()
    cuts: tuple[str, ...] = ()
    names: str | None = None
    manifest: str = ""

    def words_of_sort(self) -> list[str]:
        """The words of the sort that the tasks do. All options go to all commands: each takes of them what is its
        own."""
        return [*self.words, *self.sort_words]

    @property
    def is_by_place(self) -> bool:
        """Whether the sort is one by places, which its merges leave out."""
        return BY_PLACE_WORD in self.sort_words

    @property
    def has_seed(self) -> bool:
        """Whether the order is that of the job's own seed."""
        return f"--random-source={self.whole_job().file(SEED_FILE)}" in self.words_of_sort()

    def whole_job(self) -> JobDirectory:
        return JobDirectory(self.job)

    def directory(self) -> JobDirectory:
        """Where this sort keeps its state."""
        return JobDirectory(os.path.join(self.job, self.folder))

    def runs_on(self, node: str, shard: int) -> str:
        """The folder of the runs of a shard on the disk of a node."""
        prefix = f"{self.folder.removeprefix('by-place/').replace('/', '-')}-" if self.folder else ""
        return os.path.join(private_folder(self.scratch or "", node), f"{prefix}{shard:06d}")


class Task:
    """stage: of those of a job, by its name. number: among those of its stage. bytes: of records that it moves. node:
    the only one where it can run."""

    stage: str
    setting: Setting
    number: int
    bytes: int
    node: str | None

    def result(self) -> dict[str, Any] | None:
        """What an attempt has left."""
        told: dict[str, Any] | None = read_state(self.path())
        return told

    def leave(self, told: dict[str, Any]) -> None:
        write_state(self.path(), told)

    def path(self) -> str:
        return self.setting.directory().item(STAGES[self.stage].folder, self.number, ".json")

    def is_done(self) -> bool:
        """Whether its result is there and fits."""
        return self.result() is not None

    def run(self, commands: Commands) -> None:
        """Leaves the result, or raises Error."""
        raise NotImplementedError


@dataclass(frozen=True)
class FormTask(Task):
    """Runs of one shard. is_renewal: they take the place of runs that were damaged."""

    setting: Setting
    shard: Shard
    samples: int
    is_renewal: bool = False
    stage = "form"
    node = None

    @property
    def number(self) -> int:  # type: ignore[override]
        return self.shard.number

    @property
    def bytes(self) -> int:  # type: ignore[override]
        return self.shard.bytes

    def __str__(self) -> str:
        return str(self.shard)

    def is_done(self, living: Collection[str] | None = None) -> bool:
        """living: the nodes whose disks can be read; None for all that there ever were."""
        result = self.result()
        if result is None or Shard.from_json(result["shard"]) != self.shard or result["is_renewal"] != self.is_renewal:
            return False
        if result["scratch_node"] is not None:
            return living is None or result["scratch_node"] in living
        return all(length_of(run["path"]) == run["file_bytes"] for run in result["runs"])

    def run(self, commands: Commands) -> None:
        began = time.time()
        refuse_damaged_seed(self.setting)
        folder, node = self.setting.directory().item("shards", self.number), None
        if self.setting.scratch is not None:
            node = commands.disks.node
            folder = self.setting.runs_on(node, self.number)
        folder = prepare_shard_folder(folder, self.is_renewal)
        header = [f"--shared-header={self.setting.header}"] if self.setting.header else []
        words = [*self.setting.words_of_sort(), f"--form={folder}", f"--samples={self.samples}", *header,
                 *(self.shard.words_of_format(self.setting.names) if self.setting.names else self.shard.words())]
        try:
            told = commands.run(words, self.setting.table)
        except Error as error:
            if self.setting.header and read_state(self.setting.header) is None:
                raise Error(f"on {node_name()}: '{self.setting.header}' is gone, or is not what was written: look "
                            "after the disk, and give the command again") from None
            # What a later sort reads is the job's own, and changes where a range is merged again. So does a seed.
            holds_another = isinstance(error, Refused) and error.what == "shard"
            if not (self.setting.folder or self.setting.has_seed) or not holds_another:
                raise
            _remove_folder(folder)
            told = commands.run(words, self.setting.table)
        # It may have been damaged just before the command has read it.
        try:
            refuse_damaged_seed(self.setting)
        except Error:
            _remove_folder(folder)
            raise
        for run in told["runs"]:
            run["path"] = os.path.join(folder, run["file"])
        # Apart: there are many of them, and they are read once.
        write_state(self.setting.directory().item("formed", self.number, ".samples"), {
            "bytes_of_runs": [run["output_bytes"] for run in told["runs"]], "samples": told.pop("samples")})
        self.leave({**told, "shard": list(self.shard), "is_renewal": self.is_renewal, "scratch_node": node,
                    **who_did_it(began)})


@dataclass(frozen=True)
class CutTask(Task):
    """Where the bounds cut the runs of one shard. formed: a digest of all runs, to which results belong. side: of a
    join."""

    setting: Setting
    number: int
    first_run: int
    identity: str
    formed: str
    node: str | None = None
    side: str = ""
    stage = "cut"
    bytes = 0

    def __str__(self) -> str:
        return f"cutting the runs of shard {self.number}"

    def is_done(self) -> bool:
        result = self.result()
        rows = self.setting.directory().item("cuts", self.number, CUTS_SUFFIX)
        return (result is not None and result["formed"] == self.formed
                and (result["row_bytes"] == 0 or length_of(rows) == result["row_bytes"]))

    def run(self, commands: Commands) -> None:
        began = time.time()
        job = self.setting.directory()
        runs = job.require(f"formed/{self.number:06d}.json")["runs"]
        told: dict[str, Any] = {"file_bytes": 0, "records": [], "output_bytes": []}
        if runs:
            side = [f"--side={self.side}"] if self.side else []
            told = commands.run([*self.setting.words_of_sort(), *side,
                                 f"--cut={job.file(bounds_file(self.side))}", f"--place={self.first_run}", "-o",
                                 job.item("cuts", self.number, CUTS_SUFFIX), *(run["path"] for run in runs)])
            refuse_other_identity(told, self.identity, self.setting)
        self.leave({"formed": self.formed, "row_bytes": told["file_bytes"], "records": told["records"],
                    "output_bytes": told["output_bytes"], **who_did_it(began)})


def refuse_damaged_seed(setting: Setting) -> None:
    """Each start of the driver writes it anew (sorting.py)."""
    if not setting.has_seed:
        return
    path, seed = setting.whole_job().file(SEED_FILE), setting.whole_job().require("seed.json")
    try:
        with open(path, "rb") as file:
            is_whole = file.read() == bytes.fromhex(seed)
    except OSError:
        is_whole = False
    if not is_whole:
        raise Error(f"on {node_name()}: '{path}' is gone, or is not what was written: look after the disk, and give "
                    "the command again")


def refuse_other_identity(told: dict[str, Any], identity: str, setting: Setting) -> None:
    if told["identity"] != identity:
        refuse_damaged_seed(setting)
        raise Error(f"on {node_name()}: the command orders records otherwise than where shards were formed: install "
                    "the same version, C library and locales on all machines")


def who_did_it(began: float) -> dict[str, Any]:
    return {"node": node_name(), "began": round(began, 3), "seconds": round(max(0.0, time.time() - began), 3)}


@dataclass(frozen=True)
class HeaderTask(Task):
    setting: Setting
    stage = "header"
    number = 0
    bytes = 0
    node = None

    def __str__(self) -> str:
        return "looking at the headers of the inputs"

    def path(self) -> str:
        return self.setting.directory().file(HEADER_FILE)

    def run(self, commands: Commands) -> None:
        names = self.setting.directory().file(NAMES_FILE)
        self.leave(commands.run([*self.setting.words_of_sort(), "--shared-header", f"--files0-from={names}"]))


def write_names(job: JobDirectory, inputs: Iterable[str]) -> None:
    """The list of inputs that the task reads."""
    with open(job.file(NAMES_FILE), "wb") as file:
        file.write(b"".join(os.fsencode(path) + b"\0" for path in inputs))
