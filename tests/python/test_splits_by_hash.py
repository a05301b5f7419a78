"""A split by the hash of a key: where a document goes depends on its key alone, so that it never changes sides."""

import collections
import hashlib
import json
import math
import random
import subprocess
import sys

import pytest

import sortie
import sortie.cluster
from sortie.__main__ import find_command

SHARES = {"train": 0.9, "valid": 0.07, "test": 0.03}
LIST = ",".join(f"{name}={share}" for name, share in SHARES.items())


def write(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def split(inputs, folder, key=".id", **arguments):
    """Which side each document is on."""
    folder.mkdir()
    sortie.sort_files(inputs, folder / "{}.jsonl", format="jsonl", split_by=key, shares=LIST, **arguments)
    return sides(folder)


def sides(folder):
    return {json.loads(line)["id"]: path.name.partition(".")[0] for path in folder.iterdir() for line in path.open()}


def place(text):
    return int.from_bytes(hashlib.md5(text.encode()).digest()[:8], "big") * 10 ** 9 >> 64


@pytest.mark.parametrize("seed", range(5))
def test_adding_data_never_moves_a_document(tmp_path, seed):
    choice = random.Random(seed)
    known, names = {}, []
    for number in range(4):
        names += [choice.randbytes(choice.randrange(1, 12)).hex() + choice.choice(["", "é", "中", " "]) for _ in range(1500)]
        rows = [{"id": name, "n": place_in} for place_in, name in enumerate(choice.sample(names, len(names)))]
        cut = choice.randrange(len(rows))
        inputs = [write(tmp_path / f"{number}-a.jsonl", rows[:cut]), write(tmp_path / f"{number}-b.jsonl", rows[cut:])]
        found = split(inputs, tmp_path / f"out{number}", shuffle=str(number), memory="1MB", threads=choice.randrange(1, 4))
        assert found.keys() == set(names) and known.items() <= found.items()
        known = found


def test_shares_are_within_three_sigma(tmp_path):
    count = 100_000
    found = split([write(tmp_path / "in.jsonl", [{"id": str(number)} for number in range(count)])], tmp_path / "out", shuffle="1")
    for name, share in SHARES.items():
        sigma = math.sqrt(count * share * (1 - share))
        assert abs(collections.Counter(found.values())[name] - count * share) <= 3 * sigma, name


def test_machines_and_a_cluster_agree(tmp_path):
    rows = [{"id": f"document {number}"} for number in range(3000)]
    path = write(tmp_path / "in.jsonl", rows)
    one = split([path], tmp_path / "one", keys=".id")
    # Another machine: other memory and threads, and the data in another order and packed.
    other = tmp_path / "other.jsonl.zst"
    sortie.sort_files(path, other, format="jsonl", shuffle="x")
    assert split([other], tmp_path / "two", keys=".id", memory="1MB", threads=1) == one
    (tmp_path / "many").mkdir()
    sortie.cluster.sort_files([path], tmp_path / "many" / "{}.jsonl", format="jsonl", keys=".id", split_by=".id", shares=LIST,
                              job=tmp_path / "job", workers=2, shard="20K", ranges=3, memory="1M", threads=1)
    assert {part.name: part.read_bytes() for part in (tmp_path / "many").iterdir()} == {
        part.name: part.read_bytes() for part in (tmp_path / "one").iterdir()}
    bounds = [9 * 10 ** 8, 97 * 10 ** 7]
    assert one == {row["id"]: list(SHARES)[sum(place(row["id"]) >= bound for bound in bounds)] for row in rows}


def test_a_missing_key_is_counted_and_told(tmp_path):
    rows = [{"id": str(number)} if number % 10 else {"other": number} for number in range(200)]
    path = write(tmp_path / "in.jsonl", rows)
    told = []
    report = sortie.sort_files(path, tmp_path / "part-{}.jsonl", format="jsonl", split_by=".id", shares=LIST, shuffle="1", warn=told.append)
    assert len(told) == 1 and "20 of 200" in told[0] and "in.jsonl:1" in told[0], told
    assert [assumption.count for assumption in report.assumptions] == [20]
    command = [find_command(), "--jsonl", "--split-by=.id", f"--shares={LIST}", "--shuffle=1", "--strict", "-o", "strict-{}.jsonl",
               str(path)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 2 and "20 of 200" in done.stderr and not list(tmp_path.glob("strict-*"))
    prepared = subprocess.run([sys.executable, "-m", "sortie.prepare.prepare_command", "-o", tmp_path / "out", "--split-by=.id",
                               f"--shares={LIST}", path], capture_output=True, text=True)
    assert prepared.returncode == 0 and "warning: " in prepared.stderr and "20 of 200" in prepared.stderr
