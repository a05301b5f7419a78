"""Options of the sort on a cluster: passed on to commands, or refused at once, before anything is made."""

import inspect
import os
import re
import subprocess

import pytest
from cluster_jobs import DRIVER, Jobs

import sortie.cluster
from sortie.__main__ import find_command
from sortie._arguments import CATALOGUE
from sortie.cluster import arguments, python_options
from sortie.cluster.command_line import _OWN_OF_PLAN


@pytest.fixture
def jobs(tmp_path):
    return Jobs(tmp_path)


REFUSED_BY_THE_COMMAND = [
    ["--top=0"], ["--top=x"], ["--csv", "--tsv"], ["--keep=last"], ["--zone=Foo/Bar"], ["--format=what"],
    ["--sort=what"],
    ["--verify=what"], ["--header=what"], ["--progress=often"], ["--buffer-size=x"], ["--parallel=0"], ["--parallel=x"],
    ["--batch-size=1"], ["-R", "--random-source=/none"], ["--csv", "-k", "what:n"]]


@pytest.mark.parametrize("verb", ["sort", "plan"])
@pytest.mark.parametrize("options", REFUSED_BY_THE_COMMAND, ids=" ".join)
def test_options_are_refused_at_once_in_the_words_of_the_command(jobs, verb, options):
    real = jobs.environment["SORTIE_REAL"]
    files = ["-o", str(jobs.output), *map(str, jobs.inputs)]
    said = subprocess.run([real, *options, *files], capture_output=True, text=True, env=jobs.environment)
    assert said.returncode != 0 and not jobs.output.exists()
    told = jobs.run_words([*DRIVER, verb, f"--job={jobs.job}", *options, *files])
    first = said.stderr.splitlines()[0].removeprefix(f"{real}: ")
    assert (told.returncode, told.stdout, told.stderr) == (2, "", f"sortie-cluster: {first}\n")
    assert sorted(os.listdir(jobs.folder)) == ["a", "b", "c", "faults"]


@pytest.mark.parametrize("options", [[], ["--engine=ray"]])
def test_options_are_refused_where_the_command_is_on_other_machines_alone(jobs, options):
    told = jobs.run("--top=0", "--command=/none/sortie", *options)
    assert (told.returncode, told.stderr) == (2, "sortie-cluster: invalid value '0' for --top: give 1 or more\n")
    assert not jobs.job.exists()


def test_a_gpu_of_other_machines_need_not_be_here(jobs):
    jobs.environment["CUDA_VISIBLE_DEVICES"] = ""
    files = ["-o", str(jobs.output), *map(str, jobs.inputs)]
    assert jobs.run_words([*DRIVER, "plan", "--engine=gpu", *files]).returncode == 0
    told = jobs.run("--engine=ray", "--address=127.0.0.1:1", "--engine=gpu")
    assert told.returncode == 2 and "GPU" not in told.stderr
    told = jobs.run("--engine=gpu")
    assert told.returncode == 2 and "GPU" in told.stderr and not jobs.job.exists()


@pytest.mark.parametrize("options, message", [
    (["--engine=no"], "invalid value 'no' for --engine"), (["--address=1.2.3.4"], "--address is that of Ray"),
    (["--attempts=0"], "invalid value '0' for --attempts")])
def test_a_plan_refuses_what_a_job_refuses(jobs, options, message):
    told = jobs.run_words([*DRIVER, "plan", *options, "-o", str(jobs.output), *map(str, jobs.inputs)])
    assert (told.returncode, told.stdout) == (2, "") and message in told.stderr


def test_every_option_of_the_command_is_passed_on_or_refused_with_a_reason():
    told = subprocess.run([find_command(), "--help"], capture_output=True, text=True, check=True).stdout
    names = set(re.findall(r"^ {2,6}(?:-\w, )?--([a-z0-9-]+)", told, re.MULTILINE))
    known = {*arguments.SORT_OPTIONS, *arguments._REFUSED, *_OWN_OF_PLAN, "engine", "help", "version"}
    assert len(names) > 80 and names <= known, f"for a cluster nothing is said of {sorted(names - known)}"
    assert {*arguments.SORT_OPTIONS, *arguments._REFUSED} <= names


# Arguments of sort_parquet() that the catalogue does not refuse on clusters. CLUSTER.md has the reasons.
OF_ONE_MACHINE = ("order", "sample", "sample_seed", "merge", "keep", "curve", "curve_by", "shuffle",
                  "bounding_boxes", "output_format")


@pytest.mark.parametrize("name, missing", [("sort_files", set()),
                                           ("join_files", set()),
                                           ("sort_parquet", {*OF_ONE_MACHINE})])
def test_a_job_takes_the_arguments_of_one_sort_or_the_catalogue_says_why_not(name, missing):
    of_one, of_job = (set(inspect.signature(getattr(module, name)).parameters) for module in (sortie, sortie.cluster))
    refused = {option["name"] for option in CATALOGUE if option["not_on_clusters"]}
    assert of_one - of_job - refused == missing


def test_the_catalogue_says_which_options_drop_records():
    sets = {"union", "intersect", "except", "symmetric"}
    assert {"unique", "count", "repeated", "only-once", "top", "group", *sets} == arguments._DROPPING


@pytest.mark.parametrize("name", ["group", "sum", "min", "max", "mean", "first", "last", "union", "intersect", "except",
                                  "symmetric", "order"])
def test_groups_sets_and_orders_are_for_commands(name):
    assert name in arguments.SORT_OPTIONS and name not in arguments._REFUSED


# Options that the driver heeds itself, and no command gets as they are.
OF_THE_DRIVER = {"output", "files0-from", "help", "buffer-size", "parallel", "progress", "trace"}
# Every other one, in words of a sort that can have it.
IN_A_SORT = {
    **{name: [f"--{name}"] for name in (
        "bed", "vcf", "gff", "gtf", "header", "zero-terminated", "ignore-leading-blanks", "dictionary-order", "ignore-case",
        "general-numeric-sort",
        "human-numeric-sort", "ignore-nonprinting", "month-sort", "numeric-sort", "version-sort", "reverse", "stable",
        "unique", "count", "repeated", "only-once", "union", "intersect", "except", "symmetric", "group", "strict")},
    **{name: [f"--{name}", "--key=1,1"] for name in ("csv", "tsv")},
    **{name: ["-t,", "-k1,1", "--group", f"--{name}=2"] for name in ("sum", "min", "max", "mean", "first", "last")},
    **{name: ["-t,", "--join=inner", "-k1,1", words] for name, words in {
        "join": "-s", "right-key": "--right-key=2,2", "select": "--select=0,1.2", "empty": "--empty=x"}.items()},
    "jsonl": ["--jsonl", "--key=.a"], "no-header": ["--csv", "--no-header", "--key=1,1"],
    "quote": ["--csv", "--quote=none", "--key=1,1"],
    "na": ["-n", "--na=x"], "entry-start": ["--entry-start=^x"], "format": ["--format=u64"],
    "field": ["--format=fixed:8", "--field=u32@0"],
    "random-sort": ["-R", "--random-source=SEED"], "random-source": ["-R", "--random-source=SEED"],
    "shuffle": ["--shuffle=x"], "sample": ["--sample=2,x"], "sort": ["--sort=numeric"], "key": ["-k2,2n"],
    "field-separator": ["-t,"],
    "year": ["-k1,1:time", "--year=2020"], "zone": ["-k1,1:time", "--year=2020", "--zone=+02:00"],
    "chromosomes": ["--bed", "--chromosomes=natural"], "split": ["--split=3"], "split-size": ["--split-size=9"],
    "split-records": ["--split-records=9"], "split-by": ["--split-by=1"],
    "shares": ["--split-by=1", "--shares=a=0.5,b=0.5"], "together": ["--split=3", "--together"],
    "manifest": ["--split=3", "--manifest=list"],
    **{name: ["--format=bam", words] for name, words in {
        "by": "--by=name", "index": "--index=csi", "reference": "--reference=x.fa", "no-pg": "--no-pg",
        "combine": "--combine=both"}.items()},
    **{name: ["--format=tokens", "--token-type=u16", "--token-end=0"] for name in ("token-type", "token-end")},
    "keep": ["-u", "--keep=last"],
    "order": ["-u", "--order=input"], "top": ["--top=3"], "batch-size": ["--batch-size=4"],
    "compress": ["--compress=none"],
    "engine": ["--engine=cpu"], "devices": ["--engine=auto", "--devices=0"], "device-memory": ["--device-memory=2G"],
    "algorithm": ["--algorithm=merge"], "verify": ["--verify=off"]}


def test_every_option_that_is_passed_on_has_an_example():
    assert {*IN_A_SORT, *OF_THE_DRIVER} == {*arguments.SORT_OPTIONS}


@pytest.mark.parametrize("name", IN_A_SORT)
def test_every_command_of_a_job_takes_what_it_gets_of_an_option(tmp_path, name):
    (tmp_path / "seed").write_text("0123456789abcdef")
    words = [word.replace("SEED", str(tmp_path / "seed")) for word in IN_A_SORT[name]]
    sort = arguments.read_sort_options(arguments.with_sets_counted(arguments.parse_words(words, {}).sort, 3))
    side = ["--side=left"] if "--join=inner" in words else []
    modes = [[*side, "--form=runs", "none"], [*side, "--cut=none", "-o", "rows", "none"],
             ["--merge-runs=none", "-o", "out", *(["none", "none"] if side else [])]]
    if not side:
        cuts = [word for word in sort.cuts if word not in sort.words] if sort.cuts else ["--split=2"]
        is_of_format = words[0] in ("--format=bam", "--format=tokens")
        modes.append(["--split-ranges=none", "-o", "x", "none"] if is_of_format else
                     [*cuts, "--split-ranges=none", "-o", "x{}"])
    for mode in modes:
        # What is cut into files is not drawn again.
        is_split = any(word.startswith("--split-ranges") for word in mode)
        to_all = arguments.without(sort.words, "sample") if is_split else sort.words
        told = subprocess.run([find_command(), *to_all, *mode], capture_output=True, text=True, cwd=tmp_path)
        assert told.returncode == 2 and "No such file" in told.stderr, (mode, told.stderr)


@pytest.mark.parametrize("size, size_bytes", [
    ("1MB", 10 ** 6), ("1MiB", 1 << 20), ("1M", 1 << 20), ("0.5M", 1 << 19), (10 ** 6, 10 ** 6), ("1000000", 10 ** 6)])
def test_sizes_are_those_that_a_sort_in_python_takes(tmp_path, size, size_bytes):
    lines = [f"{number:07}\n" for number in range(1000)]
    (tmp_path / "a").write_text("".join(reversed(lines)))
    sortie.sort_files(tmp_path / "a", tmp_path / "one", memory=size)
    report = sortie.cluster.sort_files(tmp_path / "a", tmp_path / "out", memory=size, job=tmp_path / "job", workers=1)
    assert report.output_records == 1000 and (tmp_path / "out").read_text() == "".join(lines)
    for argument, option in (("memory", "buffer-size"), ("split_size", "split-size"), ("device_memory", "device-memory")):
        assert python_options.options_of_names({argument: size}) == [(option, f"{size_bytes}b")]
