"""A machine that has no such command says so once: it would say the same again."""

import os
import shutil

import pytest
from cluster_jobs import FAULTY, HERE, Jobs
from slurm_stand_in import install

REMEDY = "install it there, or name the command of the sort with --command\n"
# Takes all options, and finds no command that it could run.
SCRIPT = """#!/bin/sh
case "$*" in *--plan*) exit ;; esac
echo called >>"$SORTIE_FAULTS/calls"
exec /none/sortie "$@"
"""


@pytest.fixture
def jobs(tmp_path):
    jobs = Jobs(tmp_path)
    jobs.output.write_text("before")
    yield jobs
    assert jobs.output.read_text() == "before"


def check_told_once(told, message):
    assert (told.returncode, told.stderr) == (2, f"sortie-cluster: on {os.uname().nodename}: {message}; {REMEDY}")


def vanishing_command(jobs, task):
    """One that goes as the task is done."""
    path = jobs.folder / "vanishing"
    shutil.copy(FAULTY, path)
    path.with_suffix(".py").symlink_to(HERE / "faulty_command.py")
    jobs.fail(task, f"remove {path}")
    return path


@pytest.mark.parametrize("task", ["form-0", "cut-0", "merge-0"])
def test_a_command_that_is_gone_is_told_once(jobs, task):
    path = vanishing_command(jobs, task)
    check_told_once(jobs.run(f"--command={path}", "--workers=1"), f"cannot run '{path}': No such file or directory")


def test_a_script_that_finds_no_command_is_run_once(jobs):
    (jobs.folder / "script").write_text(SCRIPT)
    (jobs.folder / "script").chmod(0o755)
    told = jobs.run(f"--command={jobs.folder}/script", "--workers=1")
    assert told.returncode == 2 and "/none/sortie: not found" in told.stderr and told.stderr.endswith(REMEDY)
    assert (jobs.faults / "calls").read_text() == "called\n" and told.stderr.count("\n") == 1


def test_a_command_that_no_node_of_slurm_has_is_told_once(jobs):
    folder = install(jobs)
    told = jobs.run("--engine=slurm", "--command=/none/sortie", "--workers=1")
    check_told_once(told, "cannot run '/none/sortie': No such file or directory")
    assert len(list(folder.glob("*.job"))) == 1


def test_a_command_of_rows_that_is_gone_is_told_once(jobs):
    pytest.importorskip("pyarrow")
    from cluster_tables import Tables
    tables = Tables(jobs.folder)
    path = vanishing_command(jobs, "form-0")
    told = tables.run("--key=few", f"--command={path}", "--workers=1",
                      **{name: jobs.environment[name] for name in ("SORTIE_FAULTS", "SORTIE_REAL")})
    check_told_once(told, f"sortie: cannot run '{path}': No such file or directory")
