"""A sort of files of a format that was ended goes on with the runs that it has kept."""

import os
import resource
import shutil
import subprocess

import pytest
from format_files import write_bam, write_tar

from sortie.__main__ import find_command

KEPT = ["--checkpoint=kept", "-S", "1M", "--parallel=2"]


def run(folder, *words, **how):
    return subprocess.run([find_command(), *words], capture_output=True, cwd=folder, timeout=300,
                          env={**os.environ, "LC_ALL": "C"}, **how)


def interrupt(folder, *words):
    """Ends the sort when all runs are there: the output may not be as long as it is."""
    done = run(folder, *KEPT, *words, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20)))
    assert done.returncode == 2 and b"File too large" in done.stderr, done.stderr
    assert len(list((folder / "kept").glob("sortie-run-*"))) > 3


@pytest.fixture(name="inputs", scope="module")
def files_of_formats(tmp_path_factory):
    folder = tmp_path_factory.mktemp("inputs")
    write_bam(folder / "a.bam", 10000, 1, block_bytes=30000)
    write_bam(folder / "b.bam", 2000, 2, block_bytes=60000)
    write_tar(folder / "a.tar.gz", 3000, 1, "w:gz")
    return folder


@pytest.fixture(name="folder")
def folder_with_inputs(inputs, tmp_path):
    for path in inputs.iterdir():
        shutil.copy(path, tmp_path)
    return tmp_path


@pytest.mark.parametrize("words", [["--no-pg", "--by=name", "a.bam", "b.bam"], ["--shuffle=seed", "a.tar.gz"]],
                         ids=" ".join)
def test_it_goes_on_with_the_runs_that_were_kept(folder, words):
    name = "out" + words[-1][1:5]
    interrupt(folder, *words, "-o", name)
    done = run(folder, *KEPT, "--stats", *words, "-o", name)
    assert done.returncode == 0 and b" of the runs taken over" in done.stderr, done.stderr
    assert not (folder / "kept").exists()
    assert run(folder, *words, "-o", "other" + name).returncode == 0
    assert (folder / name).read_bytes() == (folder / ("other" + name)).read_bytes()


@pytest.mark.parametrize("change", [["--by=ascii-name"], ["-u"]], ids=" ".join)
def test_what_is_kept_is_of_one_sort(folder, change):
    interrupt(folder, "--no-pg", "--by=name", "a.bam", "-o", "out.bam")
    other = ["a.bam", "b.bam"] if change == ["-u"] else ["a.bam", *change]
    done = run(folder, *KEPT, "--no-pg", "--by=name", *other, "-o", "out.bam")
    assert done.returncode == 2 and b"'kept'" in done.stderr and not (folder / "out.bam").exists()


@pytest.mark.parametrize("words, message", [
    (["--shuffle", "a.tar.gz"], b"give a seed"), (["--format=bam", "-"], b"name a file")], ids=str)
def test_what_could_not_go_on_is_refused_at_once(folder, words, message):
    done = run(folder, *KEPT, *words, "-o", "out", stdin=subprocess.DEVNULL)
    assert done.returncode == 2 and message in done.stderr and not (folder / "kept").exists()
