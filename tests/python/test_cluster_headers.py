"""What inputs have in front of their records: a cluster does with it what one command does with the same inputs in the
same order: it keeps, merges, tells or refuses it."""

import gzip
import json
import os
import subprocess

import pytest
from cluster_jobs import DRIVER

import sortie.cluster
from sortie.__main__ import find_command
from sortie.cluster import sorting
from sortie.cluster.tasks import HeaderTask, Setting
from sortie.cluster.merge_tasks import task_from_json, task_to_json

ENVIRONMENT = {**os.environ, "LC_ALL": "C"}
VCF = "##fileformat=VCFv4.2\n"
CONTIGS = VCF + "##contig=<ID=chr2>\n##contig=<ID=chr10>\n"
COLUMNS = "#CHROM\tPOS\n"
MARK = "\ufeff"


def rows(text):
    """Enough for several shards, if its file is divided."""
    return "".join(text.replace("N", str(number * 37 % 500)) for number in range(500))


CSV, TSV, BED, SNP = rows("N,x\n"), rows("N\tx\n"), rows("chr1\tN\t9\n"), rows("chr10\tN\n")
JSON = rows('{"a": N}\n')

SAME = {
    "csv with the same comments": (["--csv", "--header=AUTO", "--key=a:n"], ["# x\na,b\n" + CSV] * 3),
    "csv with other comments": (["--csv", "--header=AUTO", "--key=a:n"],
                                ["# x\na,b\n" + CSV, "# y\na,b\n" + CSV, "a,b\n" + CSV, "# x\na,b\n" + CSV]),
    "small files of csv with other comments": (["--csv", "--header=AUTO", "--key=a:n"],
                                               [f"# {name}\na,b\n1{name},x\n" for name in "uvvu"]),
    "csv without comments in the first": (["--csv", "--header=AUTO", "--key=a:n"], ["a,b\n" + CSV, "# y\na,b\n" + CSV]),
    "csv behind an empty input": (["--csv", "--header=AUTO", "--key=a:n"],
                                  ["", "# y\na,b\n" + CSV, "# z\na,b\n" + CSV]),
    "tsv with other comments": (["--tsv", "--header=AUTO", "--key=a:n"], ["# x\na\tb\n" + TSV, "# y\na\tb\n" + TSV]),
    "csv by position": (["--csv", "-k1,1n"], ["a,b\n" + CSV, "a,b\n" + CSV]),
    "csv with two records in front": (["--csv", "--header=2", "-k1,1n"], ["a,b\nunits,of\n" + CSV] * 2),
    "csv without a header": (["--csv", "--no-header", "-k1,1n"], ["a,b\n" + CSV, "c,d\n" + CSV]),
    "csv with quotes, blanks and CRLF": (["--csv", "--key=a:n"], ["a,b\n" + CSV, '"a", b\r\n' + CSV]),
    "tsv": (["--tsv", "--key=b", "--key=a:n"], ["a\tb\n" + TSV] * 2),
    "lines in front": (["--header=2", "-n"], ["x\ny\n" + CSV, "x\ny\n" + CSV, ""]),
    "lines with a sign in front": (["--header=AUTO", "-n"], ["# x\n# y\n" + CSV, CSV, "# x\n# y\n" + CSV]),
    "bed": (["--bed"], ["# x\ntrack a\n" + BED, BED]),
    "bed without a header": (["--bed"], [BED, BED]),
    "vcf with other dates": (["--vcf"], [f"{VCF}##fileDate={day}\n{COLUMNS}{SNP}" for day in range(3)]),
    "vcf with other contigs": (["--vcf", "--chromosomes=header"],
                               [CONTIGS + COLUMNS + rows("chr10\tN\nchr2\tN\n"),
                                VCF + "##contig=<ID=chr2>\n##contig=<ID=chr5>\n" + COLUMNS + rows("chr5\tN\n"),
                                VCF + "##contig=<ID=chr1>\n##contig=<ID=chr2>\n" + COLUMNS
                                + rows("chr1\tN\nchr2\tN\n")]),
    "vcf without a header": (["--vcf"], [VCF + COLUMNS + SNP, SNP]),
    "vcf with records that begin as its header": (["--vcf"], [VCF + COLUMNS + "chr1\t1\n" + rows("#chr1\tN\n")] * 2),
    "lines among which some begin as a header": (["--header=AUTO", "-s", "-k1,1"], ["# x\n" + rows("N\n#N\n#N\n")]),
    "lines of json": (["--jsonl", "--key=.a:n"], [JSON, JSON]),
    "a mark in front": (["-n"], [MARK + CSV, MARK + CSV]),
    "a mark in front of the second": (["-n"], [CSV, MARK + CSV]),
    "a mark in front of csv": (["--csv", "--header=AUTO", "--key=a:n"],
                               [MARK + "# x\na,b\n" + CSV, "# x\na,b\n" + CSV]),
}

REFUSED = {
    "another column of csv": (["--csv", "--header=AUTO", "--key=a:n"], ["# x\na,b\n" + CSV, "# x\na,c\n" + CSV]),
    "another column of small files": (["--csv", "--key=a:n"], ["a,b\n1,2\n", "a,b\n1,2\n", "b,a\n1,2\n"]),
    "another second record": (["--csv", "--header=2", "--key=a:n"], ["a,b\nu,v\n" + CSV, "a,b\nu,w\n" + CSV]),
    "another line": (["--header", "-n"], ["x\n" + CSV, "y\n" + CSV]),
    "another line with a sign": (["--header=AUTO", "-n"], ["# x\n" + CSV, "# y\n" + CSV]),
    "none in the first": (["--bed"], [BED, "# x\n" + BED]),
    "other lines of bed": (["--bed"], ["# x\n" + BED, "# y\n" + BED]),
    "other columns of vcf": (["--vcf"], [VCF + COLUMNS + SNP, VCF + "#CHROM\tPOS\tID\n" + SNP]),
    "vcf that contradicts": (["--vcf"], [f"{VCF}##contig=<ID=chr2,length={bases}>\n{COLUMNS}{SNP}"
                                         for bases in (1, 2)]),
    "comments, strictly": (["--csv", "--header=AUTO", "--key=a:n", "--strict"],
                           ["# x\na,b\n" + CSV, "# y\na,b\n" + CSV]),
    "no header, strictly": (["--vcf", "--strict"], [VCF + COLUMNS + SNP, SNP]),
}


def both(folder, options, texts):
    """What the command does, and what a cluster does."""
    inputs = []
    for number, text in enumerate(texts):
        (folder / f"in{number}").write_text(text, newline="")
        inputs.append(str(folder / f"in{number}"))
    one = subprocess.run([find_command(), *options, "--stats-json=stats", *inputs], capture_output=True, cwd=folder,
                         env=ENVIRONMENT)
    job = subprocess.run([*DRIVER, "sort", "--job=job", "--shard=3K", "--ranges=2", "--workers=2", "-S", "256K",
                          "--attempts=1", *options, "-o", "out", *inputs], capture_output=True, text=True, cwd=folder,
                         env=ENVIRONMENT)
    return one, job


@pytest.mark.parametrize("case", SAME)
def test_the_output_and_what_is_told_are_those_of_one_command(tmp_path, case):
    one, job = both(tmp_path, *SAME[case])
    assert (one.returncode, job.returncode) == (0, 0), (one.stderr, job.stderr)
    assert (tmp_path / "out").read_bytes() == one.stdout
    told = json.loads((tmp_path / "stats").read_text())["assumptions"]
    reported = json.loads((tmp_path / "job" / "report.json").read_text())["report"]["assumptions"]
    assert [{name: assumption[name] for name in first}
            for assumption, first in zip(reported, told, strict=True)] == told
    for assumption in told:
        assert assumption["message"] in job.stderr


@pytest.mark.parametrize("case", REFUSED)
def test_what_one_command_refuses_is_refused_in_its_words(tmp_path, case):
    one, job = both(tmp_path, *REFUSED[case])
    assert (one.returncode, job.returncode) == (2, 2), (one.stderr, job.stderr)
    told = one.stderr.decode().partition(": ")[2].strip()
    assert told in job.stderr
    assert not (tmp_path / "out").exists() and not (tmp_path / "job").exists()


def test_what_a_list_leaves_out_is_told_by_the_command_that_finds_headers(tmp_path):
    for name in "ab":
        (tmp_path / name).write_text(f"# {name}\nk\n1\n")
    told = subprocess.run([find_command(), "--csv", "--header=AUTO", "--shared-header", "a", "b"], capture_output=True,
                          cwd=tmp_path, check=True)
    [assumption] = json.loads(told.stdout)["assumptions"]
    assert (assumption["kind"], assumption["count"], assumption["of"]) == ("other-comments", 1, 2)


def test_what_follows_a_packed_input_is_told(tmp_path):
    (tmp_path / "a.gz").write_bytes(gzip.compress(b"2\n1\n") + b"garbage")
    (tmp_path / "b").write_text("3\n")
    inputs = [str(tmp_path / name) for name in ("a.gz", "b")]
    one = subprocess.run([find_command(), *inputs], capture_output=True, text=True, env=ENVIRONMENT)
    words = [*DRIVER, "sort", "--quiet", "--job=job", "--workers=1", "-S", "256K", "--attempts=1", "-o", "out", *inputs]
    job = subprocess.run(words, capture_output=True, text=True, cwd=tmp_path, env=ENVIRONMENT)
    told = one.stderr.partition(": warning: ")[2]
    assert "trailing garbage ignored" in told and job.stderr == f"sortie-cluster: warning: {told}"
    assert (tmp_path / "out").read_text() == one.stdout == "1\n2\n3\n"


def test_a_task_looks_at_headers_where_only_other_machines_have_the_command(tmp_path, monkeypatch):
    monkeypatch.setattr(sorting, "_command_here", lambda cluster: None)
    inputs = []
    for day in range(2):
        inputs.append(tmp_path / f"in{day}")
        inputs[-1].write_text(f"{VCF}##day{day}\n{COLUMNS}chr1\t{2 - day}\n")
    stages = []
    sortie.cluster.sort_files(inputs, output=tmp_path / "out", job=tmp_path / "job", format="vcf", workers=1,
                              progress=lambda stage, done, total: stages.append(stage))
    assert (tmp_path / "out").read_text() == f"{VCF}##day0\n##day1\n{COLUMNS}chr1\t1\nchr1\t2\n"
    assert stages[0] == "header"
    task = HeaderTask(Setting("job", ("--vcf",), {"LC_ALL": "C"}))
    assert task_from_json(json.loads(json.dumps(task_to_json(task)))) == task
