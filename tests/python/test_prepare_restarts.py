"""A preparation that is killed at any of its steps, and begun again, gives what one that nothing ends gives. Inputs that change
meanwhile are noticed, and what goes wrong in a step names it."""

import json
import os
import subprocess
import sys
import time

import pytest

COMMAND = [sys.executable, "-m", "sortie.prepare.prepare_command"]
SHARES = "train=0.8,valid=0.1,test=0.1"

# Kills itself in front of the Nth of the moments at which a kill leaves something else: each sort, each change of the state,
# and each folder that is made or removed, in front of it and behind it.
KILLED = """
import os, shutil, signal, sys
import sortie.prepare.runs as runs
from sortie.prepare import prepare_command, state
left = int(sys.argv.pop(1))

def moment():
    global left
    left -= 1
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)

def around(holder, name):
    function = getattr(holder, name)
    def called(*arguments, **named):
        moment()
        result = function(*arguments, **named)
        moment()
        return result
    setattr(holder, name, called)

around(runs, "sort_files")
for name in ("makedirs", "replace"):
    around(os, name)
around(shutil, "rmtree")
prepare_command._run(sys.argv[1:])
"""


def write(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


def documents(count, mark=""):
    return [{"id": f"{mark}{number}", "text": f"Text {mark}{number}."} for number in range(count)]


def files_in(folder):
    """All that is there; the state knows when files were written."""
    return {str(path.relative_to(folder)): b"" if path.name == "prepare.json" else path.read_bytes()
            for path in folder.rglob("*") if path.is_file()}


def prepare(*words):
    done = subprocess.run([*COMMAND, *map(str, words)], capture_output=True, text=True)
    return done.returncode, done.stderr


@pytest.mark.parametrize("form", ["unique", "mixture"])
def test_a_kill_at_each_step_is_made_good(tmp_path, form):
    books = write(tmp_path / "books.jsonl", documents(60, "book") * 2)
    web = write(tmp_path / "web.jsonl", documents(40, "web") + documents(20, "book"))
    words = ["--split-by=.id", f"--shares={SHARES}", "--unique-by=.text", "--dropped", "--shard-records=20"]
    words += [books, web] if form == "unique" else [f"--source=2:{books}", f"--source=0.5:{web}"]
    assert prepare("-o", tmp_path / "whole", *words)[0] == 0
    expected = files_in(tmp_path / "whole")
    kills = 0
    while True:
        out = tmp_path / f"killed-{kills + 1}"
        killed = subprocess.run([sys.executable, "-c", KILLED, str(kills + 1), "-o", str(out), *words], capture_output=True)
        if killed.returncode == 0:
            break
        assert killed.returncode == -9, killed.stderr
        kills += 1
        assert prepare("-o", out, *words) == (0, ""), kills
        assert files_in(out) == expected and not (out / ".work").exists(), kills
    assert kills >= (16 if form == "unique" else 24)


def test_inputs_that_change_between_two_steps_are_noticed(tmp_path):
    path = write(tmp_path / "a.jsonl", documents(60) * 2)
    words = ["-o", str(tmp_path / "out"), "--split-by=.id", f"--shares={SHARES}", "--unique-by=.text", path]
    changing = """
import sys
import sortie.prepare.runs as runs
from sortie.prepare import prepare_command
whole = runs.sort_files
def sort_files(*arguments, **named):
    report = whole(*arguments, **named)
    open(sys.argv[-1], "a").write("{}\\n")
    return report
runs.sort_files = sort_files
prepare_command.main()
"""
    done = subprocess.run([sys.executable, "-c", changing, *words], capture_output=True, text=True)
    assert done.returncode == 2 and f"input '{path}' was changed while it was prepared" in done.stderr
    assert done.stderr.count("\n") == 1 and not list((tmp_path / "out").glob("train-*"))
    status, said = prepare(*words)
    assert status == 2 and "some have changed" in said


def test_a_file_of_a_step_that_was_changed_is_made_again(tmp_path):
    path = write(tmp_path / "a.jsonl", documents(60) * 2)
    words = ["--split-by=.id", f"--shares={SHARES}", "--unique-by=.text", path]
    assert prepare("-o", tmp_path / "whole", *words)[0] == 0
    shard = next((tmp_path / "whole").glob("train-*"))
    expected = files_in(tmp_path / "whole")
    shard.write_text("other\n")
    os.utime(shard, ns=(1, time.time_ns()))
    assert prepare("-o", tmp_path / "whole", *words) == (0, "")
    assert files_in(tmp_path / "whole") == expected


def test_errors_of_a_step_name_the_step_and_the_file(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"id": "1", "text": "a"}\n{"id": "2", "text": \n')
    words = ["--split-by=.id", f"--shares={SHARES}", "--unique-by=.text", path]
    status, said = prepare("-o", tmp_path / "out", *words)
    assert status == 2 and said.startswith("sortie-prepare: step distinct: ") and "a.jsonl" in said and said.count("\n") == 1
    assert not list((tmp_path / "out").glob("train-*"))


def test_a_plan_writes_nothing(tmp_path):
    path = write(tmp_path / "a.jsonl", documents(20) * 2)
    before = {entry.name: entry.stat().st_mtime_ns for entry in tmp_path.iterdir()}
    for more in ([], ["--dropped"], ["--job=jobs"]):
        done = subprocess.run([*COMMAND, "--plan", "-o", "out", "--split-by=.id", f"--shares={SHARES}", "--unique-by=.text", *more,
                               path], capture_output=True, text=True, cwd=tmp_path)
        assert done.returncode == 0 and done.stdout.count("\n") == 3 and not done.stderr
    assert {entry.name: entry.stat().st_mtime_ns for entry in tmp_path.iterdir()} == before
