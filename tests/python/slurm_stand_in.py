"""Jobs whose sbatch, squeue and scancel are those of fake_slurm.py."""

import os
import pathlib
import sys

FAKE = pathlib.Path(__file__).parent / "fake_slurm.py"


def install(jobs):
    """Returns the folder of what is known of their elements."""
    (jobs.folder / "bin").mkdir()
    (jobs.folder / "slurm").mkdir()
    for name in ("sbatch", "squeue", "scancel"):
        path = jobs.folder / "bin" / name
        path.write_text(f"#!{sys.executable} -IS\n{FAKE.read_text()}")
        path.chmod(0o755)
    jobs.environment["PATH"] = f"{jobs.folder / 'bin'}:{os.environ['PATH']}"
    jobs.environment["FAKE_SLURM"] = str(jobs.folder / "slurm")
    return jobs.folder / "slurm"
