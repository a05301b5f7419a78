"""Joins on a cluster of this machine give, byte for byte, what one command gives."""

import json
import os
import random
import subprocess

import pytest
from join_jobs import joins, mostly_one, one_command, rows, uniform

import sortie
import sortie.cluster
from sortie.__main__ import find_command

KINDS = ["inner", "left", "right", "full", "anti"]


@pytest.fixture
def jobs(tmp_path):
    numbers = random.Random(5)
    return joins(tmp_path, rows(numbers, 1500, uniform(600), 4), rows(numbers, 900, uniform(900)))


def check_rows(jobs, *options, own=()):
    told = jobs.run(*options, *own)
    assert (told.returncode, told.stdout) == (0, ""), told.stderr
    assert jobs.output.read_bytes() == jobs.expected(*options)
    assert sorted(os.listdir(jobs.job)) == ["lock", "plan.json", "report.json", "request.json"]
    assert sorted(os.listdir(jobs.folder)) == ["a", "b", "c", "faults", "job", "out"]
    return json.loads((jobs.job / "report.json").read_text())["report"]


@pytest.mark.parametrize("kind", KINDS)
def test_the_rows_are_those_of_one_command(jobs, kind):
    report = check_rows(jobs, f"--join={kind}", "-t,", "-k1,1")
    assert report["ranges"] == 4 and report["runs"] > 4 and report["skew"] < 2
    assert report["input_records"] == 2400 and report["output_records"] == jobs.output.read_bytes().count(b"\n")
    assert [stage["name"] for stage in report["stages"]] == ["form", "cut", "merge", "copy"]


@pytest.mark.parametrize("options", [
    ["--select=0,1.2,2.3"], ["--select=2.3,1.4,0,1.9", "--empty=none"], ["--empty=-"], ["-k1,1nr"], ["-r"],
    ["-k1,1n", "-k3,3"],
    ["-k2.2,2n", "--right-key=1,1", "--select=1.1,2.2"], ["-z"], ["--verify=off"], ["--compress=zstd"],
    ["--batch-size=2"]], ids=" ".join)
def test_options_of_one_join_do_the_same_in_many(jobs, options):
    keys = [] if any(word.startswith("-k") for word in options) else ["-k1,1"]
    if "-z" in options:
        for path in jobs.inputs:
            path.write_text(path.read_text().replace("\n", "\0"))
    check_rows(jobs, "--join=full", "-t,", *keys, *options)


@pytest.mark.parametrize("workers, ranges", [(1, 1), (1, 9), (3, 2)])
def test_workers_and_ranges_do_not_change_the_rows(jobs, workers, ranges):
    check_rows(jobs, "--join=full", "-t,", "-k1,1", own=(f"--workers={workers}", f"--ranges={ranges}"))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("left, right", [(0, 0), (0, 700), (700, 0), (1, 700), (700, 1)])
def test_sides_may_be_empty(tmp_path, kind, left, right):
    numbers = random.Random(left)
    jobs = joins(tmp_path, rows(numbers, left, uniform(300)), rows(numbers, right, uniform(300), 5))
    check_rows(jobs, f"--join={kind}", "-t,", "-k1,1", "--empty=?")


@pytest.mark.parametrize("kind", ["inner", "full", "anti"])
def test_a_key_that_is_larger_than_a_range_stays_in_one(tmp_path, kind):
    numbers = random.Random(1)
    jobs = joins(tmp_path, rows(numbers, 600, mostly_one(400)), rows(numbers, 500, mostly_one(400)), shard="2K")
    report = check_rows(jobs, f"--join={kind}", "-t,", "-k1,1")
    assert 1 < report["ranges"] <= 4


def test_right_records_of_a_key_that_memory_does_not_hold_go_to_scratch_space(tmp_path):
    numbers = random.Random(1)
    left = "k,1\nk,2\n" + rows(numbers, 300, uniform(400))
    jobs = joins(tmp_path, left, "".join(f"k,{'x' * 60}{number}\n" for number in range(9000)), shard="100K")
    check_rows(jobs, "--join=full", "-t,", "-k1,1")


def test_one_key_is_one_range(tmp_path):
    jobs = joins(tmp_path, "k,1\n" * 900, "k,2\n" * 30, shard="1K")
    assert check_rows(jobs, "--join=inner", "-t,", "-k1,1")["ranges"] == 1


# The first record by the order of keys says how many columns there are, and lies in one range only.
@pytest.mark.parametrize("options", [["-t,"], ["--csv", "--no-header", "--quote=none"], ["--csv", "--no-header"]],
                         ids=" ".join)
@pytest.mark.parametrize("first", ["00000,a,b,c,d\n", "00000\n"])
@pytest.mark.parametrize("side", [0, 1])
def test_columns_are_those_of_the_first_record_of_all_ranges(tmp_path, options, first, side):
    numbers = random.Random(2)
    texts = [rows(numbers, 500, lambda own: f"{own.randrange(low, low + 800):05}", 2) for low in (1, 300)]
    texts[side] += first
    jobs = joins(tmp_path, *texts, shard="2K")
    told = one_command(jobs, "--join=full", *options, "-k1,1")
    if told.returncode == 0:
        check_rows(jobs, "--join=full", *options, "-k1,1", "--empty=-")
    else:
        refused = jobs.run("--join=full", *options, "-k1,1")
        assert (refused.returncode, refused.stdout) == (2, "") and not jobs.output.exists()
        assert "has 2 fields, and the input 1 columns" in refused.stderr
        assert "has 2 fields, and the input 1" in told.stderr


@pytest.mark.parametrize("options", [
    ["--csv", "--key=id:n"], ["--csv", "--key=id", "--right-key=id", "--select=id,left.name,right.name,price"],
    ["--csv", "--key=id", "--select=price,id,left.more", "--empty=n/a"], ["--csv", "--quote=none", "--key=id:n:desc"],
    ["--csv", "--key=id:n", "--key=name", "--right-key=id", "--right-key=name"], ["-t,", "--header", "-k1,1"]],
                         ids=" ".join)
@pytest.mark.parametrize("kind", ["inner", "full", "anti"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_each_side_has_its_header(tmp_path, options, kind, end):
    numbers = random.Random(3)
    left = "id,name,more\n" + rows(numbers, 600, uniform(300))
    right = "id,name,price,left\n" + rows(numbers, 500, uniform(400), 4)
    if kind == "anti" and any("right.name" in word or "price" in word for word in options):
        options = [word for word in options if not word.startswith("--select")]
    jobs = joins(tmp_path, left.replace("\n", end), right.replace("\n", end), shard="3K")
    check_rows(jobs, f"--join={kind}", *options)


def test_records_of_csv_of_several_lines_are_joined_as_one(tmp_path):
    left = "id,text\n" + "".join(f'{number % 90},"two\nlines, ""{number}"""\n' for number in range(400))
    right = "key,other\n" + "".join(f'{number % 70},"{number}\n"\n' for number in range(300))
    jobs = joins(tmp_path, left, right, shard="2K")
    check_rows(jobs, "--join=full", "--csv", "--key=id:n", "--right-key=key")


def test_blanks_in_front_of_keys_do_not_count(tmp_path):
    numbers = random.Random(4)
    left = "".join(f"{' ' * numbers.randrange(3)}{numbers.randrange(200)} l{number}\n" for number in range(500))
    right = "".join(f"r{number}\t {numbers.randrange(300)}\n" for number in range(500))
    jobs = joins(tmp_path, left, right, shard="2K")
    check_rows(jobs, "--join=full", "-k1,1", "--right-key=2,2")


def test_keys_that_are_whole_lines_and_parts_of_others_are_cut_by_the_same_bounds(tmp_path):
    numbers = random.Random(4)
    left = "".join(f"{numbers.randrange(300):04}\n" for number in range(500))
    right = "".join(f"r{number},{numbers.randrange(300):04}\n" for number in range(500))
    jobs = joins(tmp_path, left, right, shard="2K")
    check_rows(jobs, "--join=full", "-t,", "-k1", "--right-key=2", "--select=1.1,2.1")


def test_keys_longer_than_samples_are_cut_in_front_of_all_that_begin_so(tmp_path):
    numbers = random.Random(4)
    long = "x" * 5000
    left = "".join(f"{numbers.choice(['', long])}{numbers.randrange(9)},l\n" for _ in range(60))
    right = "".join(f"{numbers.choice(['', long])}{numbers.randrange(9)},r\n" for _ in range(40))
    jobs = joins(tmp_path, left, right, shard="30K")
    check_rows(jobs, "--join=full", "-t,", "-k1,1")


def test_times_of_different_forms_are_joined(tmp_path):
    left = "".join(f"2024-02-{day % 28 + 1:02} 0{day % 10}:00:00,{day}\n" for day in range(500))
    right = "".join(f"{1706745600 + 3600 * (number * 7 % 800)},{number}\n" for number in range(500))
    jobs = joins(tmp_path, left, right, shard="3K")
    check_rows(jobs, "--join=full", "-t,", "-k1,1:time", "--right-key=1,1:time(s)", "--zone=UTC")


def test_packed_inputs_are_joined(jobs):
    subprocess.run([find_command(), "-s", "-k9,9", "-o", str(jobs.folder / "packed.gz"), str(jobs.inputs[1])],
                   check=True)
    os.replace(jobs.folder / "packed.gz", jobs.inputs[1])
    check_rows(jobs, "--join=full", "-t,", "-k1,1")


@pytest.mark.parametrize("suffix", ["", ".gz"])
def test_parts_one_behind_the_other_are_the_rows(tmp_path, suffix):
    numbers = random.Random(6)
    left, right = ("id,a\n" + rows(numbers, 500, uniform(300), 2), "id,b\n" + rows(numbers, 500, uniform(300), 2))
    jobs = joins(tmp_path, left, right, shard="3K")
    jobs.output = jobs.folder / "parts" / ("part-{}" + suffix)
    options = ["--join=full", "--csv", "--key=id"]
    told = jobs.run(*options)
    assert told.returncode == 0, told.stderr
    manifest = json.loads((jobs.output.parent / "manifest.json").read_text())["parts"]
    parts = [jobs.output.parent / part["file"] for part in manifest]
    unpacked = [subprocess.run(["gzip", "-dc", part], capture_output=True, check=True).stdout if suffix
                else part.read_bytes()
                for part in parts]
    assert b"".join(unpacked) == jobs.expected(*options)
    assert len(parts) == 4 and [part["file_bytes"] for part in manifest] == [path.stat().st_size for path in parts]
    assert sum(part["records"] for part in manifest) == b"".join(unpacked).count(b"\n") - 1


def test_a_file_may_be_joined_with_itself(jobs):
    jobs.inputs = [jobs.inputs[0]] * 2
    check_rows(jobs, "--join=inner", "-t,", "-k1,1")


def test_an_input_may_be_the_output(jobs):
    options = ["--join=left", "-t,", "-k1,1"]
    expected = jobs.expected(*options)
    jobs.output = jobs.inputs[0]
    for _ in range(2):
        told = jobs.run(*options)
        assert told.returncode == 0, told.stderr
        assert jobs.output.read_bytes() == expected


def test_runs_may_lie_on_disks_of_nodes(jobs, tmp_path_factory):
    disk = tmp_path_factory.mktemp("disk")
    check_rows(jobs, "--join=full", "-t,", "-k1,1", own=[f"--scratch=node:{disk}"])
    assert os.listdir(disk) == []


def test_what_is_assumed_of_either_side_is_told(tmp_path):
    def time(number, other, every):
        return f"2024-01-01T00:{number // 60:02}:{number % 60:02}Z" if number % every else other
    left = "".join(f"{time(number, 'what', 50)},l\n" for number in range(500))
    right = "".join(f"{time(number, 'huh', 70)},r\n" for number in range(500))
    jobs = joins(tmp_path, left, right, shard="2K")
    options = ["--join=full", "-t,", "-k1,1:time"]
    told = jobs.run(*options)
    one = one_command(jobs, *options)
    warned = {line.partition(": warning: ")[2] for line in one.stderr.splitlines()}
    assert len(warned) == 2 and told.returncode == 0
    assert {line.partition(": warning: ")[2] for line in told.stderr.splitlines() if ": warning: " in line} == warned
    jobs.job = jobs.folder / "another job"
    told = jobs.run(*options, "--strict")
    assert told.returncode == 2 and "the sort would have to assume something" in told.stderr


def made_up(numbers):
    """Options and the texts of both sides."""
    form = numbers.choice([["-t,"], ["-t,", "--header"], ["--csv"], ["--csv", "--no-header"],
                           ["--csv", "--quote=none"]])
    keys = numbers.choice([["-k1,1"], ["-k1,1n"], ["-k1,1", "-k2,2"], ["-k2,2", "--right-key=1,1"], ["-k1,1nr"],
                           ["-k2,2f"]])
    fields = [numbers.randrange(2, 6) for _ in range(2)]
    most = numbers.choice([3, 40, 900])
    distribution = numbers.choice([uniform, mostly_one])(most)
    counts = [numbers.choice([0, 1, 60, 400]) if most > 3 else numbers.choice([0, 1, 90]) for _ in range(2)]
    has_header = "--header" in form or ("--csv" in form and "--no-header" not in form)
    headers = [",".join(f"{side}{number}" for number in range(count)) + "\n" if has_header else ""
               for side, count in zip("lr", fields)]
    texts = [header + rows(numbers, count, distribution, wide) for header, count, wide in zip(headers, counts, fields)]
    select = numbers.choice([[], [], ["--select=0,1.2,2.2"], ["--select=2.1,1.1"]])
    if "--csv" in form and has_header and select == ["--select=2.1,1.1"]:
        select = ["--select=left.l1,right.r0"]
    empty = numbers.choice([[], ["--empty=-"]])
    return [f"--join={numbers.choice(KINDS)}", *form, *keys, *select, *empty], texts


@pytest.mark.parametrize("seed", range(40))
def test_made_up_joins_are_those_of_one_command(tmp_path, seed):
    numbers = random.Random(seed)
    options, texts = made_up(numbers)
    jobs = joins(tmp_path, *texts, shard=numbers.choice(["1K", "4K"]), ranges=numbers.choice([1, 2, 7]))
    check_rows(jobs, *options)


def test_a_join_of_python_is_that_of_one_machine(tmp_path):
    numbers = random.Random(6)
    left, right = tmp_path / "left", tmp_path / "right"
    left.write_text("id,a\n" + rows(numbers, 500, lambda own: f"{own.randrange(300)}", 2))
    right.write_text("key,b\n" + rows(numbers, 500, lambda own: f"{own.randrange(300)}.0", 2))
    options = {"format": "csv", "keys": "id:n", "right_keys": ["key"], "how": "full", "select": "id,right.b",
               "empty": "-"}
    sortie.join_files(left, right, tmp_path / "one", **options)
    seen = []
    report = sortie.cluster.join_files(left, str(right), tmp_path / "many", job=tmp_path / "job", shard=3000, ranges=4,
                                       workers=2, memory=1 << 20, progress=lambda *told: seen.append(told[0]),
                                       **options)
    assert (tmp_path / "many").read_bytes() == (tmp_path / "one").read_bytes()
    assert report.ranges == 4 and report.output_records == (tmp_path / "one").read_bytes().count(b"\n") - 1
    assert list(dict.fromkeys(seen)) == ["form", "cut", "merge", "copy"]
    options = {"format": "csv", "keys": "id:n", "right_keys": "key"}
    pairs = sortie.cluster.join_files(left, right, tmp_path / "pairs", job=tmp_path / "another", **options)
    sortie.join_files(left, right, tmp_path / "one", **options)
    assert (tmp_path / "pairs").read_bytes() == (tmp_path / "one").read_bytes() and pairs.output_records > 0
