"""The folder of a shard's runs, which the command makes, and takes as it is if it is there."""

import os
import shutil

from .json_files import attempt_name, read_state


def prepare_shard_folder(folder: str, is_renewal: bool) -> str:
    """Makes way for the runs, and returns where they go. folder: of the shard's first runs. It is removed if
    it has lost a run, or if its runs are to be renewed."""
    if is_renewal:
        shutil.rmtree(folder, ignore_errors=True)
        folder += ".renewed"
    told = read_state(os.path.join(folder, "shard.json"), is_of_command=True)
    is_whole = told is not None and all(has_bytes(os.path.join(folder, run["file"]), run["file_bytes"])
                                        for run in told["runs"])
    if not is_whole and os.path.isdir(folder):
        # Renamed first: another attempt may do the same.
        aside = f"{folder}.{attempt_name()}"
        os.rename(folder, aside)
        shutil.rmtree(aside, ignore_errors=True)
    return folder


def has_bytes(path: str, count: int) -> bool:
    try:
        return os.path.getsize(path) == count
    except OSError:
        return False
