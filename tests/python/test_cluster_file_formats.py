"""Files of a format on a cluster of this machine: BAM from any block on, archives from any sample on, and what lies beside
the output: the bytes are those of one command."""

import json
import os
import subprocess

import pytest
from cluster_jobs import DRIVER
from format_files import write_bam, write_tar, write_tokens

from sortie.__main__ import find_command


def cluster(folder, *words):
    """Small shards, so that there are many."""
    return subprocess.run([*DRIVER, "sort", "--job=job", "--ranges=3", "--workers=2", "-S", "1M", *words],
                          capture_output=True, text=True, cwd=folder, env={**os.environ, "LC_ALL": "C"})


def files_in(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def compare(folder, options, inputs, name, shard="20K"):
    """Returns how many shards there were."""
    for place in ("one", "many"):
        (folder / place).mkdir(exist_ok=True)
    one = subprocess.run([find_command(), *options, "-o", f"one/{name}", *inputs], capture_output=True, text=True,
                         cwd=folder)
    assert one.returncode == 0, one.stderr
    told = cluster(folder, f"--shard={shard}", *options, "-o", f"many/{name}", *inputs)
    assert told.returncode == 0, told.stderr
    expected = files_in(folder / "one")
    assert files_in(folder / "many") == expected and expected
    return json.loads((folder / "job" / "report.json").read_text())["report"]["shards"]


@pytest.fixture(name="reads")
def two_files_of_reads(tmp_path):
    write_bam(tmp_path / "a.bam", 1500, 1)
    write_bam(tmp_path / "b.bam", 400, 2, references=(("chr2", 3000), ("chrX", 700), ("chr1", 5000)))
    return tmp_path


@pytest.mark.parametrize("options", [["--index=csi"], ["--by=name"], ["--by=tag:NM", "--format=bam"]], ids=" ".join)
def test_reads_of_several_files_from_any_block_on(reads, options):
    assert compare(reads, [*options, "--no-pg"], ["a.bam", "b.bam"], "out.bam") > 5


def test_reads_are_found_in_blocks_of_any_size(tmp_path):
    for number, block_bytes in enumerate((70, 333, 60000)):
        write_bam(tmp_path / f"{number}.bam", 300, number, block_bytes)
    assert compare(tmp_path, ["--no-pg", "--index"], ["0.bam", "1.bam", "2.bam"], "out.bam", "3K") > 20
