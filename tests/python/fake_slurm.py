#!/usr/bin/env python3
"""sbatch and squeue of a Slurm that runs all elements at once on this machine. What is known of them lies in the folder
of $FAKE_SLURM: for each element a file with its process id. A file `lose` there makes the next element vanish."""

import os
import pathlib
import subprocess
import sys


def sbatch(folder, words):
    values = dict(word.removeprefix("--").partition("=")[::2] for word in words if word.startswith("--"))
    assert values["mem"].endswith("M") and int(values["cpus-per-task"]) > 0 and "parsable" in values
    number = 100 + len(list(folder.glob("*.job")))
    (folder / f"{number}.job").write_text("\n".join(words))
    first, _, last = values["array"].partition("-")
    for index in range(int(first), int(last) + 1):
        if (folder / "lose").exists():
            (folder / "lose").unlink()
            continue
        with open(values["output"].replace("%a", str(index)), "w") as log:
            process = subprocess.Popen(["/bin/sh", words[-1]], stdout=log, stderr=log, start_new_session=True,
                                       env={**os.environ, "SLURM_ARRAY_TASK_ID": str(index)})
        (folder / f"{number}_{index}").write_text(str(process.pid))
    print(number)


def squeue(folder, words):
    for path in folder.glob("*_*"):
        try:
            state = pathlib.Path(f"/proc/{path.read_text()}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            continue
        if state != "Z":
            print(path.name)


def main():
    folder = pathlib.Path(os.environ["FAKE_SLURM"])
    {"sbatch": sbatch, "squeue": squeue}[pathlib.Path(sys.argv[0]).name](folder, sys.argv[1:])


if __name__ == "__main__":
    main()
