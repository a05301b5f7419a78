"""Jobs whose sbatch, squeue and scancel are those of fake_slurm.py."""

import os
import pathlib

FAKE = pathlib.Path(__file__).parent / "fake_slurm.py"


def install(jobs):
    """Returns the folder of what is known of their elements."""
    (jobs.folder / "bin").mkdir()
    (jobs.folder / "slurm").mkdir()
    for name in ("sbatch", "squeue", "scancel"):
        (jobs.folder / "bin" / name).symlink_to(FAKE)
    jobs.environment["PATH"] = f"{jobs.folder / 'bin'}:{os.environ['PATH']}"
    jobs.environment["FAKE_SLURM"] = str(jobs.folder / "slurm")
    return jobs.folder / "slurm"
