"""sbatch, squeue and scancel of a Slurm that runs all elements at once on this machine. What is known of them lies in
the folder of $FAKE_SLURM: for each element a file with its process id and its script. Files there make trouble: `lose`
makes the next element vanish, `silence` tells how many calls are not answered, `full` how many elements may run; with
`slow`, sbatch tells the number of a job late."""

import contextlib
import os
import pathlib
import signal
import subprocess
import sys
import time


def is_silent(path):
    if not path.exists():
        return False
    left = int(path.read_text()) - 1
    path.write_text(str(left)) if left > 0 else path.unlink()
    return True


def sbatch(folder, words):
    values = dict(word.removeprefix("--").partition("=")[::2] for word in words if word.startswith("--"))
    assert values["mem"].endswith("M") and int(values["cpus-per-task"]) > 0
    assert "parsable" in values and "no-requeue" in values and "SBATCH_WAIT" not in os.environ
    number = 100 + len(list(folder.glob("*.job")))
    first, _, last = values["array"].partition("-")
    if (folder / "full").exists() and len(elements(folder)) + int(last) >= int((folder / "full").read_text()):
        sys.exit("sbatch: error: AssocMaxSubmitJobLimit\nsbatch: error: Batch job submission failed: Job violates "
                 "accounting/QOS policy (job submit limit, user's size and/or time limits)")
    (folder / f"{number}.job").write_text("\n".join(words))
    for index in range(int(first), int(last) + 1):
        if (folder / "lose").exists():
            (folder / "lose").unlink()
            continue
        with open(values["output"].replace("%a", str(index)).replace("%%", "%"), "w") as log:
            process = subprocess.Popen(["/bin/sh", words[-1]], stdout=log, stderr=log, start_new_session=True,
                                       env={**os.environ, "SLURM_ARRAY_TASK_ID": str(index)})
        (folder / f"{number}_{index}").write_text(f"{process.pid} {words[-1]}")
    if (folder / "slow").exists():
        time.sleep(30)
    print(number)


def elements(folder):
    """Those that run: process and script, by name."""
    found = {}
    for path in folder.glob("*_*"):
        process, _, script = path.read_text().partition(" ")
        with contextlib.suppress(OSError):
            if pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z":
                found[path.name] = int(process), script
    return found


def squeue(folder, words):
    assert "--format=%F_%K|%t|%r|%o" in words and not any(name.startswith("SQUEUE_") for name in os.environ)
    stuck = folder / "stuck"
    state = f"PD|{stuck.read_text()}" if stuck.exists() else "R|None"
    for name, (_, script) in elements(folder).items():
        print(f"{name}|{state}|{script}")


def scancel(folder, words):
    for name, (process, _) in elements(folder).items():
        if name in words and "--state=PENDING" not in words:
            os.killpg(process, signal.SIGTERM)


def main():
    folder = pathlib.Path(os.environ["FAKE_SLURM"])
    if is_silent(folder / "silence"):
        sys.exit("error: Unable to contact slurm controller (connect failure)")
    {"sbatch": sbatch, "squeue": squeue, "scancel": scancel}[pathlib.Path(sys.argv[0]).name](folder, sys.argv[1:])


if __name__ == "__main__":
    main()
