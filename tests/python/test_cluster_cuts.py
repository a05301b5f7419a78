"""What merges have written is cut into files by what they know of it: nothing in it is looked at as if it were an
input. So records may look like headers, comments, packed files or the begin of an entry."""

import os
import random
import shutil
import subprocess

import pytest
from cluster_jobs import Jobs

from sortie.__main__ import find_command

MARK = "\ufeff"
NUMBERS = random.Random(7)


def rows(count, *forms):
    """Lines of these forms, in which K is one of a few keys and N a number."""
    return "".join(NUMBERS.choice(forms).replace("K", NUMBERS.choice("aabcccccd")).replace("N", str(NUMBERS.randrange(300)))
                   for _ in range(count))


ENTRIES = rows(250, "=K,N\n  of it\n", "=K,N\n")

# What each input holds, and the options of the sort without those that cut.
RECORDS = {
    "lines that begin as a header": (["--header=AUTO", "-t,"], ["# x\n" + rows(900, "K,N\n", "#K,N\n")] * 2),
    "lines that begin as a header, without one": (["--header=AUTO", "-t,"],
                                                  ["a,1\n" + rows(900, "K,N\n", "#K,N\n")] * 2),
    "csv with comments": (["--csv", "--header=AUTO"], ["# x\na,b\n" + rows(900, "K,N\n", "#K,N\n")] * 2),
    "csv with records that look like comments": (["--csv", "--header=AUTO"],
                                                 ["a,b\n" + rows(900, "K,N\n", "#K,N\n")] * 2),
    "tsv with comments": (["--tsv", "--header=AUTO"], ["# x\na\tb\n" + rows(900, "K\tN\n", "#K\tN\n")] * 2),
    "commented records of vcf": (["--vcf"], ["##fileformat=VCFv4.2\n#CHROM\tPOS\n" + rows(900, "chrK\tN\n",
                                                                                          "#chrK\tN\n")] * 2),
    "records of bed that begin as its header": (["--bed"],
                                                ["track a\n" + rows(900, "chrK\tN\t900\n", "trackK\tN\t900\n")] * 2),
    "text in front of entries": (["--entry-start=^=", "-t,"], ["z,1\nbefore\n" + ENTRIES, "c,7\n" + ENTRIES]),
    "lines that begin as packed files": (["-t,"], [rows(900, "K,N\n", "BZhK,N\n")] * 2),
    "lines that begin with a mark": (["-t,"], [rows(900, "K,N\n", MARK + "K,N\n")] * 2),
    "csv that begins with a mark": (["--csv", "--header"], [MARK + "a,b\n" + rows(900, "K,N\n", MARK + "K,N\n")] * 2),
    "arrays of json among objects": (["--jsonl", "-k", ".b:n"],
                                     [rows(900, '{"a": "K", "b": N}\n', '[{"a": "K", "b": N}]\n')] * 2),
}
KEYS = {"--jsonl": ".a", "--vcf": "1", "--bed": "1"}
CUTS = {"by key": ["--split-by=KEY"], "by number": ["--split-records=77"], "by bytes": ["--split-size=900"],
        "equal": ["--split=5"], "in order of the input": ["--split-records=77", "--order=input", "-u", "-k", "KEY"]}


def write_inputs(folder, texts):
    jobs = Jobs(folder, shard="3K", ranges=3)
    jobs.inputs = jobs.inputs[:len(texts)]
    for path, text in zip(jobs.inputs, texts, strict=True):
        path.write_text(text, newline="")
    jobs.output = folder / "out" / "x{}"
    return jobs


def contents(folder):
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file()}


def check(jobs, *options):
    """The files are those of one sort."""
    one = jobs.folder / "one"
    shutil.rmtree(one, ignore_errors=True)
    one.mkdir()
    subprocess.run([find_command(), *options, "-o", str(one / jobs.output.name), *map(str, jobs.inputs)], check=True,
                   env={**os.environ, "LC_ALL": "C"})
    told = jobs.run(*options)
    assert told.returncode == 0, told.stderr
    assert contents(jobs.folder / "out") == contents(one)
    assert sorted(os.listdir(jobs.folder / "out")) == sorted(os.listdir(one))
    return told


def options_of(records, cut):
    options, texts = RECORDS[records]
    key = next((KEYS[option] for option in options if option in KEYS),
               "a" if "a,b\n" in texts[0] or "a\tb\n" in texts[0] else "1")
    if "-t," in options and cut == "in order of the input":
        key = "1,1"
    return [*options, *(word.replace("KEY", key) for word in CUTS[cut])], texts


@pytest.mark.parametrize("cut", CUTS)
@pytest.mark.parametrize("records", RECORDS)
def test_records_may_look_like_anything(tmp_path, records, cut):
    options, texts = options_of(records, cut)
    if records in ("commented records of vcf", "records of bed that begin as its header") and "-k" in options:
        options = [option for option in options if option not in ("-k", "1")]
    check(write_inputs(tmp_path, texts), *options)
