"""Records of every kind and every order, sorted on a cluster of this machine: the bytes are those of one command."""

import gzip
import json
import os
import random
import shutil
import struct
import subprocess

import pytest
from cluster_jobs import DRIVER

from sortie.__main__ import find_command

WORDS = ["ant", "Bee", "cat", "dog-2", "dog-10", "eel", "ewe", "", "fox é", "JAN", "feb", "1e3", "0x1F", "nan", "2K",
         "1G"]


def lines(count, numbers):
    return [f"{numbers.choice(WORDS)},{numbers.randrange(50)},{numbers.choice(WORDS)} {numbers.random():.3f}"
            for _ in range(count)]


@pytest.fixture
def folder(tmp_path):
    """With inputs a and b of lines that have three fields."""
    numbers = random.Random(5)
    for name, count in (("a", 1200), ("b", 700)):
        (tmp_path / name).write_text("\n".join(lines(count, numbers)) + "\n")
    return tmp_path


def sort(folder, *words, environment=None):
    told = subprocess.run([*DRIVER, "sort", "--job=job", "--shard=9K", "--ranges=5", "--workers=2", "-S", "256K",
                           *words], capture_output=True, text=True, cwd=folder,
                          env=environment or {**os.environ, "LC_ALL": "C"})
    assert told.returncode == 0, told.stderr


def compare(folder, options, inputs=("a", "b"), shards=None, most_shards=None, **environment):
    environment = {**os.environ, "LC_ALL": "C", **environment}
    one = subprocess.run([find_command(), *options, *inputs], capture_output=True, cwd=folder, env=environment)
    assert one.returncode == 0, one.stderr
    sort(folder, *options, "-o", "out", *inputs, environment=environment)
    assert (folder / "out").read_bytes() == one.stdout
    report = json.loads((folder / "job" / "report.json").read_text())["report"]
    if most_shards is not None:
        assert report["shards"] <= most_shards
    else:
        assert report["shards"] == shards or shards is None and report["shards"] > len(inputs)
    return report


@pytest.mark.parametrize("options", [
    ["-t,", "-k2,2n"], ["-t,", "-k2,2nr", "-k1,1"], ["-t,", "-k1,1f", "-s"], ["-t,", "-k1,1", "-u"], ["-k2b,2g"],
    ["-h"], ["-M"], ["-V"], ["-d", "-f"], ["-i", "-r"], ["-t,", "-k2,2n", "--count"],
    ["-t,", "-k1,1", "-u", "--keep=last"], ["-t,", "-k2,2n", "--top=77"], ["-t,", "-k2,2n", "-u", "--top=7"],
    ["--header"], ["-t,", "-k2,2n", "-r", "-s"]])
def test_orders_of_lines(folder, options):
    first = (folder / "a").read_text().splitlines()[0]
    if options == ["--header"]:
        (folder / "b").write_text(first + "\n" + (folder / "b").read_text())
    compare(folder, options)


def test_lines_without_a_newline_at_the_end_and_with_nul(folder):
    (folder / "a").write_bytes((folder / "a").read_bytes().replace(b"\n", b"\0")[:-1])
    (folder / "b").write_bytes((folder / "b").read_bytes().replace(b"\n", b"\0"))
    compare(folder, ["-z", "-t,", "-k2,2n"])


def test_last_lines_without_a_newline(folder):
    for name in "ab":
        (folder / name).write_bytes((folder / name).read_bytes()[:-1])
    compare(folder, ["-r"])


def test_shuffles_follow_one_seed(folder):
    (folder / "seed").write_bytes(bytes(range(16)))
    compare(folder, ["-R", "--random-source=seed"])


def test_a_seed_gives_the_same_order_for_the_same_shards(folder):
    outputs = []
    for number, options in enumerate((["--shuffle=x"], ["--shuffle=x", "--ranges=3", "-S", "1M"], ["--shuffle=y"])):
        sort(folder, *options, f"--job=job{number}", "-o", "out", "a")
        outputs.append((folder / "out").read_bytes())
    assert outputs[0] == outputs[1] != outputs[2]
    lines = (folder / "a").read_bytes().splitlines()
    assert outputs[0].splitlines() != lines
    assert all(sorted(output.splitlines()) == sorted(lines) for output in outputs)


@pytest.mark.parametrize("options", [["--shuffle=x"], ["--shuffle=x", "--top=40"],
                                     ["--shuffle", "--random-source=seed"], ["--shuffle=x", "--header"]], ids=" ".join)
def test_a_shuffle_with_a_seed_is_that_of_one_command(folder, options):
    (folder / "seed").write_bytes(bytes(range(16)))
    for name in "ab":
        (folder / name).write_text("a header of some bytes\n" + (folder / name).read_text().rstrip("\n"))
    compare(folder, options)
    shutil.rmtree(folder / "job")
    compare(folder, options, inputs=("a",))


def test_shuffles_without_a_seed_keep_equal_lines_together(folder):
    (folder / "a").write_text("".join(f"{i % 90}\n" for i in range(9000)))
    sort(folder, "-R", "-o", "out", "a")
    out = (folder / "out").read_text().splitlines()
    assert sorted(out) == sorted((folder / "a").read_text().splitlines())
    assert sum(one != other for one, other in zip(out, out[1:])) == 89


def test_a_locale_collates(folder):
    compare(folder, ["-t,", "-k1,1"], LC_ALL=some_locale())


def some_locale():
    known = subprocess.run(["locale", "-a"], capture_output=True, text=True).stdout.split()
    for name in ("en_US.utf8", "de_DE.utf8"):
        if name in known:
            return name
    pytest.skip("no locale that collates is installed")


def test_entries_of_several_lines_are_sorted_in_whole_files(folder):
    for name in "ab":
        text = (folder / name).read_text().splitlines()
        (folder / name).write_text("".join(f"{line[:40]}\n  at {i}\n  in b\n" for i, line in enumerate(text)))
    compare(folder, ["--entry-start=^[^ ]", "-t,", "-k1,1"], shards=2)


@pytest.mark.parametrize("options", [["--csv", "--key=count:n:desc", "--key=name"], ["--csv", "-k2,2n"],
                                     ["--csv", "--key=name", "-u"]])
def test_csv_is_sorted_in_whole_files(folder, options):
    for name in "ab":
        rows = (folder / name).read_text().splitlines()
        rows = [f'"{row.partition(",")[0]}\n",{row.partition(",")[2]}' for row in rows]
        (folder / name).write_text("\n".join(["name,count,text", *rows]) + "\n")
    compare(folder, options, shards=2)


def test_packed_inputs_are_whole_shards(folder):
    (folder / "a.gz").write_bytes(gzip.compress((folder / "a").read_bytes()))
    compare(folder, ["-t,", "-k2,2n", "-s"], ("a.gz", "b"))


@pytest.mark.parametrize("options", [["--format=u64"], ["--format=u64", "-r"], ["--format=f64"], ["--format=u32", "-u"],
                                     ["--format=fixed:24", "--field=u32be@4:desc", "--field=f64@16"],
                                     ["--format=gensort"], ["--format=i32", "--top=100"]])
def test_records_of_fixed_length(folder, options):
    numbers = random.Random(7)
    for name, count in (("a", 700), ("b", 500)):
        words = [struct.pack("<Qd", numbers.randrange(1000), numbers.random()) for _ in range(count * 6)]
        size = 24 * 25 * (len(words) * 16 // (24 * 25))
        (folder / name).write_bytes(b"".join(words)[:size])
    compare(folder, options)


def test_length_prefixed_records_are_sorted_in_whole_files(folder):
    numbers = random.Random(8)
    records = []
    for _ in range(3000):
        key = bytes(numbers.randrange(256) for _ in range(numbers.randrange(6)))
        payload = bytes(numbers.randrange(30))
        records.append(struct.pack("<II", len(key), len(payload)) + key + payload)
    (folder / "a").write_bytes(b"".join(records[:2000]))
    (folder / "b").write_bytes(b"".join(records[2000:]))
    compare(folder, ["--format=prefixed"], shards=2)


def test_long_lines_that_begin_alike(folder):
    numbers = random.Random(9)
    (folder / "a").write_text("".join("x" * 6000 + f"{numbers.randrange(100)}\n" for _ in range(40)))
    compare(folder, [], ("a", "b"))


def test_parts_are_packed_by_their_names(folder):
    sort(folder, "--ranges=3", "-o", "parts/{:02d}.gz", "a", "b")
    parts = sorted((folder / "parts").glob("*.gz"))
    assert [path.name for path in parts] == ["00.gz", "01.gz", "02.gz"]
    text = b"".join(gzip.decompress(path.read_bytes()) for path in parts)
    lines_in = (folder / "a").read_bytes().splitlines() + (folder / "b").read_bytes().splitlines()
    assert text.splitlines() == sorted(lines_in)


@pytest.mark.parametrize("options, header, ending", [
    (["-s", "-t,", "-k2,2n"], "", ""), (["-s", "-t,", "-k2,2n"], "", "\n"), (["-u", "-t,", "-k1,1"], "", "\n"),
    (["--csv", "--header", "-kcount:n"], "name,count,what\n", "\n"),
    (["-R", "--random-source=a"], "", "\n")])
def test_many_small_files_are_few_shards(folder, options, header, ending):
    numbers = random.Random(6)
    inputs = [f"small-{i}" for i in range(60)]
    for path in inputs:
        count = numbers.choice([0, 1, 60])
        (folder / path).write_text(header + "\n".join(lines(count, numbers)) + ending * (count > 0))
    report = compare(folder, options, inputs, most_shards=8)
    assert report["shards"] > 1


def test_arrays_of_json_are_not_divided(folder):
    values = [{"a": number * 7 % 1000, "b": "x" * 20} for number in range(1000)]
    (folder / "a").write_text(json.dumps(values, indent=1))
    (folder / "b").write_text("".join(json.dumps(value) + "\n" for value in values) + "\n \n")
    report = compare(folder, ["--jsonl", "-k.a"])
    assert report["shards"] > 2  # of b


def test_headers_are_one_if_their_names_are(folder):
    (folder / "a").write_text("id,name\n" + "".join(f"{number},x\n" for number in range(3000)))
    (folder / "b").write_text('"id", name \n' + "".join(f"{number},NA\n" for number in range(3000)))
    compare(folder, ["--csv", "-kid:n", "--na=5"], shards=2)
