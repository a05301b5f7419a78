"""A file that a cluster's job reads is never what it writes, whatever both are called: it is refused while all is as it
was."""

import os
import shutil
import subprocess

import pytest
from cluster_jobs import DRIVER

import sortie
import sortie.cluster
from sortie.__main__ import find_command

LIST, SEED, COMMAND, MANIFEST = "the list of inputs", "the random source", "the command", "a part of the output"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in").write_text("b\na\n")
    (tmp_path / "f0").write_bytes(b"in\0")
    (tmp_path / "seed").write_bytes(bytes(range(32)))
    shutil.copy(find_command(), tmp_path / "cmdx")
    os.link("f0", "hard")
    return tmp_path


@pytest.mark.parametrize("words, what", [
    (["-o", "f0", "--files0-from=f0"], LIST), (["-o", "hard", "--files0-from=f0"], LIST),
    (["--ranges=2", "-o", "f{}", "--files0-from=f0"], LIST), (["-o", "o", "--trace=f0", "--files0-from=./f0"], LIST),
    (["-o", "f0", "--files0-from=-"], LIST), (["-o", "o", "--trace=f0", "--files0-from=-"], LIST),
    (["--ranges=2", "-o", "f{}", "--files0-from=-"], LIST),
    (["-R", "--random-source=seed", "-o", "seed", "in"], SEED),
    (["-R", "--random-source=seed", "-o", "o", "--trace=seed", "in"], SEED),
    (["--command=./cmdx", "-o", "cmdx", "in"], COMMAND),
    (["--command=./cmdx", "-o", "o", "--trace=cmdx", "in"], COMMAND),
    (["--ranges=2", "--trace=q1", "-o", "q{}", "in"], MANIFEST),
    (["--ranges=2", "--trace=manifest.json", "-o", "q{}", "in"], MANIFEST),
    (["--trace=in", "-o", "o", "in"], "an input"), (["--trace=o", "-o", "o", "in"], "the output")])
def test_a_file_in_two_roles_is_refused(folder, words, what):
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    with open("f0", "rb") as names:
        told = subprocess.run([*DRIVER, "sort", "--quiet", "-S", "32M", "--job=job", *words], capture_output=True,
                              text=True, stdin=names)
    assert told.returncode == 2 and f", which is also {what}: name another file\n" in told.stderr, told.stderr
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_a_part_that_is_another_name_of_what_is_read_is_refused(folder):
    os.link("f0", "q1")
    (folder / "q0").symlink_to("in")
    for words in (["--files0-from=f0"], ["in"]):
        told = subprocess.run([*DRIVER, "sort", "--job=job", "-S", "32M", "--ranges=2", "-o", "q{}", *words],
                              capture_output=True, text=True)
        assert told.returncode == 2 and "a part of the output" in told.stderr, told.stderr
    assert (folder / "in").read_text() == "b\na\n" and (folder / "f0").read_bytes() == b"in\0"


@pytest.mark.parametrize("options, what", [({"output": "cmdx"}, COMMAND), ({"trace": "cmdx"}, COMMAND),
                                           ({"trace": "in"}, "an input"), ({"trace": "out"}, "the output")])
def test_a_file_in_two_roles_is_refused_in_python(folder, options, what):
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    with pytest.raises(sortie.Error, match=f", which is also {what}: name another file$"):
        sortie.cluster.sort_files(**{"inputs": "in", "output": "out", "job": "job", "command": "./cmdx", **options})
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


@pytest.mark.parametrize("options, what", [({"output": "cmdx.parquet"}, COMMAND), ({"trace": "cmdx.parquet"}, COMMAND)])
def test_the_same_of_tables(folder, options, what):
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    pq.write_table(pa.table({"x": [2, 1]}), "in.parquet")
    os.rename("cmdx", "cmdx.parquet")
    with pytest.raises(sortie.Error, match=f", which is also {what}: name another file$"):
        sortie.cluster.sort_parquet(**{"inputs": "in.parquet", "output": "out.parquet", "by": "x", "job": "job",
                                       "command": "./cmdx.parquet", **options})
    assert not (folder / "job").exists()
