"""The ranges of a job are of nearly equal sizes, whatever the keys, and however they lie in shards."""

import os
import random
import subprocess

import pytest

import sortie.cluster
from sortie.__main__ import find_command

RANGES = 6
MOST = 1.3


def uniform(r, count):
    return [r.randrange(10**9) for _ in range(count)]


def zipf(r, count):
    return [int(1 / (1 - r.random()) ** 1.2) for _ in range(count)]


def few(r, count):
    return [r.choice((3, 3, 3, 7, 9)) for _ in range(count)]


def lines(numbers, width=30):
    return [f"{number:0{width}}\n" for number in numbers]


def files_of(all_lines, count):
    return ["".join(all_lines[len(all_lines) * i // count:len(all_lines) * (i + 1) // count]) for i in range(count)]


def inputs_of(kind, r):
    """The text of each input."""
    if kind == "uniform":
        return files_of(lines(uniform(r, 12000)), 4)
    if kind == "zipf":
        return files_of(lines(zipf(r, 12000)), 4)
    if kind == "sorted":
        return files_of(lines(sorted(uniform(r, 12000))), 4)
    if kind == "reversed":
        return files_of(lines(sorted(uniform(r, 12000), reverse=True)), 4)
    if kind == "few values":
        return files_of(lines(few(r, 12000)), 4)
    if kind == "one value":
        return files_of(lines([5] * 12000), 3)
    if kind == "clusters":
        return ["".join(lines(r.randrange(i * 100, i * 100 + 90) for _ in range(3000))) for i in (3, 1, 2, 0)]
    if kind == "one value in most":
        return [*files_of(lines([5] * 9000), 2), "".join(lines(uniform(r, 3000)))]
    if kind == "many small shards":
        return files_of(lines(uniform(r, 12000)), 30)
    if kind == "small and large shards":
        all_lines = lines(uniform(r, 12000))
        return ["".join(all_lines[:9000]), *files_of(all_lines[9000:], 20)]
    assert kind == "long and short records"
    return files_of([f"{r.randrange(10**9):09}{'x' * r.choice((0, 0, 0, 0, 0, 0, 3000))}\n" for _ in range(3000)], 5)


KINDS = ["uniform", "zipf", "sorted", "reversed", "few values", "one value", "clusters", "one value in most",
         "many small shards", "small and large shards", "long and short records"]


@pytest.mark.parametrize("kind", KINDS)
def test_no_range_is_much_larger_than_the_mean(tmp_path, kind):
    paths = []
    for number, text in enumerate(inputs_of(kind, random.Random(kind))):
        paths.append(tmp_path / f"in-{number}")
        paths[-1].write_text(text)
    # Each file is a shard, as a run of one block.
    report = sortie.cluster.sort_files(paths, tmp_path / "out", job=tmp_path / "job", shard=1 + max(map(
        os.path.getsize, paths)) if kind != "many small shards" else 1 << 14, ranges=RANGES, workers=2, memory="4M")
    assert report.ranges == RANGES and report.skew <= MOST
    assert (tmp_path / "out").read_bytes() == subprocess.run(
        [find_command(), *paths], capture_output=True, check=True, env={**os.environ, "LC_ALL": "C"}).stdout


def test_small_parquet_files_have_even_ranges(tmp_path):
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    r = random.Random(4)
    paths = []
    for number in range(5):
        paths.append(tmp_path / f"{number}.parquet")
        pq.write_table(pa.table({"key": [r.randrange(10**9) for _ in range(3000)]}), paths[-1])
    sortie.cluster.sort_parquet(paths, tmp_path / "out" / "p-{}.parquet", by="key", job=tmp_path / "job", ranges=4,
                                workers=2, memory="64M")
    rows = [pq.read_metadata(tmp_path / "out" / f"p-{part}.parquet").num_rows for part in range(4)]
    assert sum(rows) == 15000 and max(rows) <= MOST * 15000 / 4
