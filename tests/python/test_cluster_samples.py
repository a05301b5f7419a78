"""Samples, and shuffles with a seed, on a cluster: byte for byte those of one command, as the exact places of records
say which are drawn."""

import gzip
import json
import os
import random
import shutil
import struct
import subprocess

import pytest
from cluster_jobs import DRIVER, Jobs, check, stop_before
from slurm_stand_in import install
from test_cluster_headers import REFUSED, SAME, both

import sortie
from sortie._report import say_size

ORDER = "--order=input"


@pytest.fixture
def jobs(tmp_path):
    return Jobs(tmp_path, lines=(2500, 1500, 600))


@pytest.mark.parametrize("options", [
    [], [ORDER], ["-r"], ["-u", "-k1.3"], ["-u", "-k1.3", "--keep=last"], ["--count", "-k1.4"], ["--repeated", "-k1.4"],
    ["--only-once", "-k1.3"], ["-u", "-k1.4", ORDER], ["--count", "-k1.4", ORDER, "--keep=last"], ["--top=7"],
    ["--top=9999"],
    [ORDER, "--top=7"], ["-u", "-k1.3", ORDER, "--top=7"], ["--verify=off"], ["-s", "-k1.3,1.4n"], ["--batch-size=2"],
    ["--compress=zstd", "-u"], ["-R", "--random-source=/dev/null"], ["--shuffle=y"]], ids=" ".join)
@pytest.mark.parametrize("drawn", [1, 70, 3000, 99999])
def test_the_output_is_that_of_one_command(jobs, drawn, options):
    if "--random-source=/dev/null" in options:
        (jobs.folder / "faults" / "seed").write_bytes(bytes(range(16)))
        options = ["-R", f"--random-source={jobs.folder}/faults/seed"]
        sample = f"--sample={drawn}"
    else:
        sample = f"--sample={drawn},some seed"
    assert "0 attempts beside the first" in check(jobs, sample, *options).stderr


def records(numbers, form, count):
    """Records of some form, with few keys."""
    keys = [numbers.randrange(90) for _ in range(count)]
    if form == "fixed":
        return b"".join(struct.pack("<Q", key) for key in keys)
    if form == "prefixed":
        return b"".join(struct.pack("<II", 2, 5) + b"%02d" % key + b"%05d" % i for i, key in enumerate(keys))
    words = ["".join(numbers.choices("xyZ", k=numbers.randrange(7))) for _ in keys]
    one = {"lines": "{0} {1}\n", "ends": "{0} {1}\r\n", "zero": "{0} {1}\0", "header": "{0} {1}\n", "csv": "{0},{1}\n",
           "quotes": '{0},"{1}\n,"\n', "entries": "> {0}\n{1}\n", "json": '{{"a": {0}, "b": "{1}"}}',
           "array": '{{"a": {0}, "b": "{1}"}}'}
    rows = [one[form].format(key, word) for key, word in zip(keys, words)]
    if form == "array":
        return ("[" + ",\n".join(rows) + "]").encode()
    front = {"header": "a longer header\n", "csv": "id,text\n", "quotes": "id,text\n"}.get(form, "")
    text = front + ("".join(rows) if form != "json" else "".join(row + "\n" for row in rows))
    if form in ("lines", "csv", "zero", "json") and numbers.random() < 0.4:
        text = text[:-1] if rows else text
    return text.encode()


FORMS = {"lines": [["-k1,1n"], ["-k2,2f", "-s"], ["-r"]], "ends": [["-n"]], "zero": [["-z"], ["-z", "-n"]],
         "header": [["--header", "-n"]], "csv": [["--csv", "-kid:n"], ["--csv", "--header", "-ktext"]],
         "quotes": [["--csv", "-kid:n"]], "entries": [["--entry-start=^>", "-k2,2n"]], "json": [["--jsonl", "-k.a:n"]],
         "array": [["--jsonl", "-k.b"]], "fixed": [["--format=u64"], ["--format=fixed:8"],
                                                   ["--format=fixed:8", "--field=u16@0"]],
         "prefixed": [["--format=prefixed"]]}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("seed", range(4))
def test_made_up_inputs_of_all_forms(tmp_path, form, seed):
    numbers = random.Random(f"{form} {seed}")
    jobs = Jobs(tmp_path, shard=numbers.choice(("300", "2K", "90K")), ranges=numbers.choice((1, 2, 4)))
    for path in jobs.inputs:
        data = records(numbers, form, numbers.choice((0, 1, 60, 700)))
        path.write_bytes(gzip.compress(data) if numbers.random() < 0.25 else data)
    may_count = form in ("lines", "ends", "zero", "header")
    sample = f"--sample={numbers.choice((1, 20, 300, 9999))},{seed}"
    ways = [["-u"], ["-u", "--keep=last"], ["--repeated"], [], [ORDER], ["-u", ORDER], ["--top=9"],
            *([["--count"]] if may_count else [])]
    check(jobs, *numbers.choice(FORMS[form]), sample, *numbers.choice(ways))
    shutil.rmtree(jobs.job)
    shuffle = [option for option in FORMS[form][0] if not option.startswith(("-k", "-n")) and option != "-r"]
    if form not in ("json", "array"):
        check(jobs, *shuffle, f"--shuffle={seed}", *numbers.choice(([], ["--top=9"])))


@pytest.mark.parametrize("case", SAME)
@pytest.mark.parametrize("options", [["--sample=90,x"], ["--sample=90,x", ORDER]], ids=" ".join)
def test_headers_and_what_is_told_are_those_of_one_command(tmp_path, case, options):
    of_case, texts = SAME[case]
    one, job = both(tmp_path, [*of_case, *options], texts)
    assert (one.returncode, job.returncode) == (0, 0), (one.stderr, job.stderr)
    assert (tmp_path / "out").read_bytes() == one.stdout
    told = json.loads((tmp_path / "stats").read_text())["assumptions"]
    reported = json.loads((tmp_path / "job" / "report.json").read_text())["report"]["assumptions"]
    assert [assumption["message"] for assumption in reported] == list(dict.fromkeys(item["message"] for item in told))


@pytest.mark.parametrize("case", REFUSED)
def test_headers_are_refused_in_the_words_of_one_command(tmp_path, case):
    of_case, texts = REFUSED[case]
    one, job = both(tmp_path, [*of_case, "--sample=9,x"], texts)
    assert (one.returncode, job.returncode) == (2, 2), (one.stderr, job.stderr)
    assert one.stderr.decode().partition(": ")[2].strip() in job.stderr
    assert not (tmp_path / "out").exists() and not (tmp_path / "job").exists()


def test_keys_that_cannot_be_read_are_told_without_places_in_the_sample(jobs):
    jobs.inputs[0].write_text("".join(f"2020-01-0{i % 7 + 1}\n" for i in range(900)))
    options = ["-k1:time", "--sample=700,x"]
    told = check(jobs, *options)
    one = subprocess.run([str(jobs.environment["SORTIE_REAL"]), *options, *map(str, jobs.inputs)], capture_output=True,
                         text=True, env=jobs.environment)
    warning = one.stderr.partition(": warning: ")[2]
    assert "no time could be read" in warning and warning in told.stderr
    shutil.rmtree(jobs.job)
    strict = jobs.run(*options, "--strict")
    assert strict.returncode == 2 and "no time could be read" in strict.stderr


def test_packed_inputs_are_counted_where_others_come_behind_them(jobs):
    jobs.inputs[0].write_bytes(gzip.compress(jobs.inputs[0].read_bytes()))
    report = check(jobs, "--sample=300,x").stderr
    assert "\ncount " in report and jobs.commands().count("count-0") == 1
    shutil.rmtree(jobs.job)
    jobs.inputs.append(jobs.inputs.pop(0))
    assert "\ncount " not in check(jobs, "--sample=300,x").stderr
    shutil.rmtree(jobs.job)
    # Without a seed nobody can tell one sample from another.
    told = jobs.run("--sample=300", "-u")
    assert told.returncode == 0 and "\ncount " not in told.stderr


def test_a_packed_input_of_several_that_are_small(jobs):
    jobs.shard = "1M"
    jobs.inputs[1].write_bytes(gzip.compress(jobs.inputs[1].read_bytes()))
    jobs.inputs[2].write_text("x\n" * 900_000)
    assert "\ncount                1 task" in check(jobs, "--sample=900,x").stderr


def test_a_sample_without_a_seed_is_another_one_each_time(jobs):
    lines = {line: number for number, line in enumerate(dict.fromkeys(jobs.expected("-u", ORDER).splitlines()))}
    drawn = []
    for _ in range(2):
        told = jobs.run("-u", "--sample=300", ORDER)
        assert told.returncode == 0, told.stderr
        drawn.append(jobs.output.read_bytes().splitlines())
        shutil.rmtree(jobs.job)
    assert drawn[0] != drawn[1] and all(set(sample) <= set(lines) for sample in drawn)
    told = jobs.run("-R", "--sample=300,x")
    assert told.returncode == 0, told.stderr
    assert sorted(jobs.output.read_bytes().splitlines()) == jobs.expected("--sample=300,x").splitlines()


def test_a_sample_without_a_seed_may_be_shuffled_with_one(jobs):
    told = jobs.run("--sample=300", "--shuffle=x")
    assert told.returncode == 0, told.stderr
    assert len(jobs.output.read_bytes().splitlines()) == 300


def test_the_first_records_of_a_sample_are_drawn_by_several_merges(jobs):
    check(jobs, "--sample=2500,x", "--top=5")
    tasks = [name.rpartition("-")[0] for name in jobs.commands()]
    assert tasks.count("merge") == tasks.count("place-merge") == 4 and tasks.count("sample-merge") == 1


@pytest.mark.parametrize("options", [[], ["-u"], ["--top=90"], ["-u", ORDER], [ORDER]], ids=" ".join)
def test_parts_may_be_packed(jobs, options):
    jobs.output = jobs.folder / "parts" / "part-{}.gz"
    options = ["--sample=900,x", *options]
    told = jobs.run(*options)
    assert told.returncode == 0, told.stderr
    manifest = json.loads((jobs.folder / "parts" / "manifest.json").read_text())["parts"]
    parts = [(jobs.folder / "parts" / part["file"]).read_bytes() for part in manifest]
    assert all(part.startswith(b"\x1f\x8b") for part in parts)
    assert b"".join(map(gzip.decompress, parts)) == jobs.expected(*options)


def test_ranges_behind_the_sample_are_not_merged(jobs):
    jobs.ranges = 40
    check(jobs, "--sample=2300,x")
    merges = {name for name in jobs.commands() if name.startswith("merge-")}
    assert 20 <= len(merges) <= 40
    # A shard has no more records than are drawn, so that most of what all have is left.
    shutil.rmtree(jobs.job)
    (jobs.faults / "log").unlink()
    check(jobs, "--sample=40,x")
    assert any(name.startswith("merge-") for name in jobs.commands())


def test_parts_and_files_of_some_records(jobs):
    jobs.output = jobs.folder / "parts" / "part-{}"
    told = jobs.run("--sample=900,x", "-u")
    assert told.returncode == 0, told.stderr
    manifest = json.loads((jobs.folder / "parts" / "manifest.json").read_text())["parts"]
    parts = [(jobs.folder / "parts" / part["file"]).read_bytes() for part in manifest]
    assert b"".join(parts) == jobs.expected("--sample=900,x", "-u")
    assert [(part["records"], part["bytes"]) for part in manifest] == [(part.count(b"\n"), len(part)) for part in parts]
    for number, options in enumerate((["-r"], [ORDER], ["-u", "-k1.3", ORDER])):
        jobs.job, jobs.output = jobs.folder / f"job-{number}", jobs.folder / f"cut-{number}" / "{}"
        options = ["--sample=900,x", "--split-records=250", *options]
        told = jobs.run(*options)
        assert told.returncode == 0, told.stderr
        (jobs.folder / f"one-{number}").mkdir()
        subprocess.run([jobs.environment["SORTIE_REAL"], *options, "-o", jobs.folder / f"one-{number}" / "{}",
                        *jobs.inputs], check=True,
                       env=jobs.environment)
        files = [{path.name: path.read_bytes() for path in (jobs.folder / f"{name}-{number}").iterdir()}
                 for name in ("cut", "one")]
        assert files[0] == files[1] and len(files[0]) > 1


def test_nothing_is_drawn_of_empty_inputs(jobs):
    for path in jobs.inputs:
        path.write_text("")
    for options in ([], ["-u"], [ORDER], ["-u", ORDER]):
        check(jobs, "--sample=5,x", *options)
        shutil.rmtree(jobs.job)


def test_python_has_the_same(jobs, monkeypatch):
    heard = []
    report = jobs.sort_files(monkeypatch, sample=500, sample_seed="a b", unique=True, keys="1.3", order="input",
                             progress=lambda *told: heard.append(told))
    assert jobs.output.read_bytes() == jobs.expected("--sample=500,a b", "-u", "-k1.3", ORDER)
    stages = [stage + which for which in ("", " by place", " of sample", " of sample by place")
              for stage in ("form", "cut", "merge")]
    assert [stage["name"] for stage in report.stages] == stages
    assert list(dict.fromkeys(told[0] for told in heard)) == ["header", *stages] or heard[0][0] == "form"
    assert (report.input_records, report.shards) == (4600, 6) and report.output_bytes == jobs.output.stat().st_size
    shutil.rmtree(jobs.job)
    jobs.sort_files(monkeypatch, shuffle="y")
    assert jobs.output.read_bytes() == jobs.expected("--shuffle=y")


def test_a_seed_that_no_command_can_be_given_is_named(jobs, monkeypatch):
    with pytest.raises(sortie.ArgumentError, match="sample_seed holds a NUL character"):
        jobs.sort_files(monkeypatch, sample=5, sample_seed="\0")


def test_slurm_has_the_same(jobs):
    install(jobs)
    told = jobs.run("--engine=slurm", "--sample=300,x", "-u")
    assert told.returncode == 0, told.stderr
    assert jobs.output.read_bytes() == jobs.expected("--sample=300,x", "-u")


@pytest.mark.parametrize("options", [[], ["-k2,2n"], ["-u", "-k2,2n", ORDER], ["--top=50"]], ids=str)
@pytest.mark.parametrize("drawn", [999, 60])
def test_entries_that_begin_with_no_line_of_their_own_stay_what_they_are(jobs, options, drawn):
    for number, path in enumerate(jobs.inputs):
        path.write_text(f"lost {number}\n" + "".join(f"> {i % 9}\nx\n" for i in range(40)))
    check(jobs, "--entry-start=^>", f"--sample={drawn},x", *options)


@pytest.mark.parametrize("options", [["--sample=0"], ["--group", "--sample=3"], ["--union", "--sample=3"],
                                     ["--sample=3,x", "--split-by=1"],
                                     ["--sample=3,x", "--random-source=/etc/passwd"]], ids=" ".join)
def test_what_one_command_refuses_is_refused_before_anything_is_made(jobs, options):
    if "--split-by=1" in options:
        jobs.output = jobs.folder / "parts" / "{}"
    told = jobs.run(*options)
    assert told.returncode == 2 and told.stderr.count("\n") == 1 and not jobs.job.exists(), told.stderr


def test_plan_knows_samples(jobs):
    told = subprocess.run([*DRIVER, "plan", "--shard=6K", "--ranges=4", "--sample=9", "-o", jobs.output, *jobs.inputs],
                          capture_output=True, text=True)
    assert told.returncode == 0 and "by place  at most" in told.stdout, told.stderr
    assert os.listdir(jobs.folder) != ["job"], told.stderr


@pytest.mark.parametrize("options, sorts", [([ORDER], 2), (["-u", "-k1,1n"], 3), (["-u", "-k1,1n", ORDER], 4)], ids=str)
def test_plan_bounds_the_scratch_space_of_samples(jobs, options, sorts):
    """What lies in the job directory as the last merge begins is no more than the plan says."""
    numbers = random.Random(4)
    for path in jobs.inputs:
        path.write_text("".join(f"{numbers.randrange(10**9)} {'x' * numbers.randrange(50, 150)}\n"
                                for _ in range(3000)))
    jobs.shard = "300K"
    gzipped = gzip.compress(jobs.inputs[0].read_bytes())
    options = [*options, "--sample=99999999,1"]
    words = [*DRIVER, "plan", "--shard=300K", "--ranges=4", "--workers=2", "-S", "256K", *options, "-o", jobs.output,
             *jobs.inputs]
    told = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    names = ["by place", "of sample", "in order"]
    assert [f"\n{name:9} at most " in told for name in names] == [number < sorts
                                                                  for number in (1, 2, 3)] and "count " not in told
    total = sum(path.stat().st_size for path in jobs.inputs)
    records, copied = 9000, 0 if ORDER in options else total
    samples = float(told.partition(" MB of samples of keys")[0].rpartition("about ")[2]) * 1e6
    most = (2 * sorts - 1) * (total + 32 * records) + copied + samples
    assert f"{64 * sorts - 32} bytes for each record" in told
    assert f"; {say_size(2 * (sorts - 1) * total)} at most for the" in told
    stop_before(jobs, {2: "place-merge-3", 3: "sample-merge-3", 4: "sample-place-merge-3"}[sorts], *options)
    taken = sum(path.stat().st_size for path in jobs.job.rglob("*") if path.is_file())
    assert (sorts - 1) * 2 * total < taken <= most
    jobs.inputs[0].write_bytes(gzipped)
    assert "\ncount " in subprocess.run(words, capture_output=True, text=True, check=True).stdout
