"""Has the steps of a preparation done, each once, whatever ends the command in between."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
from collections.abc import Callable
from decimal import ROUND_HALF_EVEN, Decimal
from typing import Any

from .. import Error, sort_files
from .._errors import file_error_of
from .cluster_steps import forget_jobs, may_go_on, sort_on_cluster
from .plan import MANIFEST, WORK, Step, Wishes
from .state import State

Tell = Callable[[str], None]


def run(wishes: Wishes, steps: list[Step], tell: Tell, warn: Tell, progress: bool) -> None:
    inputs = [path for source in wishes.sources for path in source.files]
    is_new = not os.path.isdir(wishes.folder)
    state = State(wishes.folder, _asked(wishes), inputs)
    work = os.path.join(wishes.folder, WORK)
    if state.is_complete and state.is_done(steps[-1]):
        if os.path.isdir(work):  # a kill came before its end
            _remove_what_steps_need(wishes, steps, work)
        tell(f"'{wishes.folder}' is complete: nothing to do")
        return
    try:
        os.makedirs(work, exist_ok=True)
    except OSError as error:
        raise file_error_of(error, f"cannot make the folder '{work}'", work) from None
    state.write()
    for step in steps:
        if state.is_done(step):
            tell(f"{step.name}: done already, {state.records(step.name)} records")
            continue
        state.refuse_changed_inputs()
        try:
            records = _do(step, wishes, state, warn, progress)
        except Error as error:
            if not state.has_steps and not may_go_on(wishes, step, error):
                _forget(wishes, steps, state, is_new)
            error.args = (f"step {step.name}: {error}", *error.args[1:])
            raise
        state.note(step, records, _files_of(step, wishes))
        tell(f"{step.name}: {records} records")
    state.complete()
    _remove_what_steps_need(wishes, steps, work)


def _forget(wishes: Wishes, steps: list[Step], state: State, is_new: bool) -> None:
    """Leaves the folder as it was found, so that the command can be given again with other options."""
    _remove_what_steps_need(wishes, steps, os.path.join(wishes.folder, WORK))
    state.remove()
    if is_new:
        with contextlib.suppress(OSError):
            os.rmdir(wishes.folder)


def _remove_what_steps_need(wishes: Wishes, steps: list[Step], work: str) -> None:
    """The folder for work goes last: it tells that there is something to remove."""
    if wishes.cluster:
        forget_jobs(wishes, steps)
    shutil.rmtree(work, ignore_errors=True)


def _asked(wishes: Wishes) -> dict[str, Any]:
    """What makes the result; neither memory nor threads do."""
    return {"format": wishes.format, "seed": wishes.seed, "unique_by": wishes.unique_by, "keep": wishes.keep,
            "whole_keys": wishes.whole_keys, "dropped": wishes.dropped, "split_by": wishes.split_by,
            "shares": wishes.shares, "in_order": wishes.in_order, "weight": wishes.weight, "pack": wishes.pack,
            "shards": dict(wishes.shards),
            "weights": [[str(source.weight), len(source.files)] for source in wishes.sources]}


def _do(step: Step, wishes: Wishes, state: State, warn: Tell, progress: bool) -> int:
    arguments = dict(step.arguments)
    if step.records_of:
        wanted = Decimal(state.records(step.records_of)) * step.fraction
        count = int(wanted.to_integral_value(ROUND_HALF_EVEN))
        if count == 0:  # a sample of nothing is no sample
            return _write_nothing(step.output)
        arguments["sample"] = count
    if wishes.cluster:
        report = sort_on_cluster(wishes, step, arguments, warn, progress)
    else:
        report = sort_files(list(step.inputs), step.output, warn=warn, progress=progress, **arguments)
    return int(report.input_records if step.counts else report.output_records)


def _write_nothing(path: str) -> int:
    try:
        with open(path, "wb"):
            return 0
    except OSError as error:
        raise file_error_of(error, f"cannot write '{path}'", path) from None


def _files_of(step: Step, wishes: Wishes) -> list[str]:
    """What the step has written."""
    if step.name != "shards":
        return [step.output]
    manifest = os.path.join(wishes.folder, MANIFEST)
    try:
        with open(manifest, encoding="utf-8") as file:
            parts = json.load(file)["parts"]
    except (OSError, ValueError, KeyError) as error:
        raise Error(f"the manifest '{manifest}' cannot be read: {error}") from None
    return [manifest, *(os.path.join(wishes.folder, part["file"]) for part in parts)]
