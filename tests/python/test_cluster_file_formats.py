"""Files of a format on a cluster of this machine: BAM from any block on, archives from any sample on, and what lies beside
the output: the bytes are those of one command."""

import json
import os
import re
import struct
import subprocess
from pathlib import Path

import pytest
import sortie
import sortie.cluster
from cluster_jobs import DRIVER, Jobs
from faulty_command import flip_a_byte
from format_files import write_bam, write_bcf, write_tar, write_tokens

from sortie.__main__ import find_command
from sortie.cluster.format_output import WriteTask
from sortie.cluster.merge_tasks import task_from_json, task_to_json
from sortie.cluster.tasks import Setting
from sortie.cluster.written_files import Stretch


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
    of_one, of_many = ([option.replace("OUT", place) for option in options] for place in ("one", "many"))
    one = subprocess.run([find_command(), *of_one, "-o", f"one/{name}", *inputs], capture_output=True, text=True,
                         cwd=folder)
    assert one.returncode == 0, one.stderr
    told = cluster(folder, f"--shard={shard}", *of_many, "-o", f"many/{name}", *inputs)
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


@pytest.mark.parametrize("options", [
    ["--by=key"], ["--by=key", "-r"], ["--by=content", "-u"], ["--shuffle=seed"],
    ["--shuffle=seed", "--split-records=100"],
    ["--by=key", "--split-size=90K", "--manifest=OUT/list.json"], ["--split=4", "--by=content"]], ids=" ".join)
def test_samples_of_archives_from_any_sample_on(tmp_path, options):
    for number in range(3):
        write_tar(tmp_path / f"{number}.tar", 150 * (1 + number), number)
    write_tar(tmp_path / "packed.tar.gz", 100, 8, "w:gz")
    name = "part-{:03d}.tar" if any("split" in option for option in options) else "out.tar"
    inputs = ["1.tar", "0.tar", "packed.tar.gz", "2.tar"]
    assert compare(tmp_path, options, inputs, name, "100K") > 5


@pytest.mark.parametrize("options", [["--by=content", "-u"], ["--shuffle=seed"], ["--shuffle=seed", "--split-records=70"]],
                         ids=" ".join)
def test_documents_of_tokens(tmp_path, options):
    for number in range(3):
        write_tokens(tmp_path / f"{number}.bin", 200, number)
    name = "part-{:03d}.bin" if any("split" in option for option in options) else "out.bin"
    options = ["--format=tokens", "--token-type=u16", "--token-end=0", *options]
    assert compare(tmp_path, options, ["0.bin", "1.bin", "2.bin"], name, "6K") == 3


def test_variants_with_an_index(tmp_path):
    for number in range(3):
        write_bcf(tmp_path / f"{number}.bcf", 200, number)
    assert compare(tmp_path, ["--index"], ["2.bcf", "0.bcf", "1.bcf"], "out.bcf", "1K") == 3
    assert (tmp_path / "many" / "out.bcf.csi").exists()


@pytest.mark.parametrize("name", ["out.bam", "out.bcf", "out.tar", "out.zip", "out-{}.cram"])
def test_lines_are_not_written_as_what_the_name_of_the_output_promises(tmp_path, name):
    (tmp_path / "lines").write_text("b\na\n")
    for options in ([], ["-k1,1"]):
        told = cluster(tmp_path, *options, "-o", name, "lines")
        assert told.returncode == 2 and "cannot be written" in told.stderr and told.stderr.count("\n") == 1, told.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["lines"]
    with pytest.raises(sortie.Error, match="cannot be written"):
        sortie.cluster.sort_files(tmp_path / "lines", tmp_path / name, job=tmp_path / "job")


@pytest.mark.parametrize("options", [[], ["--vcf"]], ids=str)
def test_lines_of_variants_become_bcf(tmp_path, options):
    if not (Path(find_command()).resolve().parent / "libsortie_genomes.so").exists():
        pytest.skip("the module that reads VCF as BCF is not built")
    head = "##fileformat=VCFv4.2\n##contig=<ID=a>\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\n"
    (tmp_path / "in.vcf").write_text(head + "".join(f"a\t{900 - place}\t.\tA\tC\t.\t.\t.\n" for place in range(300)))
    assert compare(tmp_path, options, ["in.vcf"], "out.bcf") == 1


@pytest.mark.parametrize("options, message", [
    (["--sample=5,x", "a.tar"], "--sample of files of tar takes a second sort"),
    (["--order=input", "-u", "a.tar"], "--order=input of files of tar takes a second sort"),
    (["--shuffle=x", "a.bam"], "a shuffle of files of bam goes by the places of all records"),
    (["--by=nam", "a.bam"], "unknown order"),
    (["--index", "a.tar"], "--index does not go with files of tar"),
    (["--index", "--vcf", "a.vcf"], "--index of lines does not go with a cluster"),
    (["--manifest=list", "a.tar"], "--manifest.*--split"),
    (["a.bam", "a.tar"], "no block of BGZF|offset 0"),
], ids=" ".join)
def test_what_cannot_be_shared_is_refused_before_the_output_is_touched(tmp_path, options, message):
    write_bam(tmp_path / "a.bam", 100, 1)
    write_tar(tmp_path / "a.tar", 30, 1)
    (tmp_path / "a.vcf").write_text("##fileformat=VCFv4.2\n#CHROM\tPOS\n")
    (tmp_path / "out").write_text("as it was")
    told = cluster(tmp_path, *options, "-o", "out")
    assert told.returncode == 2 and re.search(message, told.stderr), told.stderr
    assert told.stderr.count("\n") == 1 and (tmp_path / "out").read_text() == "as it was"


def write_megatron(folder):
    (folder / "a.bin").write_bytes(struct.pack("<5H", 1, 2, 3, 4, 5))
    numbers = struct.pack("<2i2q3q", 2, 3, 0, 4, 0, 1, 2)
    (folder / "a.idx").write_bytes(b"MMIDIDX\0\0" + struct.pack("<QBQQ", 1, 8, 2, 3) + numbers)


def test_a_format_that_only_names_tell_is_a_guess(tmp_path):
    write_megatron(tmp_path)
    (tmp_path / "out").mkdir()
    told = cluster(tmp_path, "--strict", "-o", "out/a.bin", "a.bin")
    assert told.returncode == 2 and told.stderr.count("\n") == 1
    assert "would have to assume something" in told.stderr and "is taken for megatron by its name" in told.stderr
    assert not list((tmp_path / "out").iterdir())
    told = cluster(tmp_path, "-o", "out/a.bin", "a.bin")
    assert told.returncode == 0 and told.stderr.count("is taken for megatron by its name") == 1, told.stderr
    assert files_in(tmp_path / "out") == {name: (tmp_path / name).read_bytes() for name in ("a.bin", "a.idx")}
    (tmp_path / "job2").mkdir()
    told = cluster(tmp_path, "--job=job2", "--strict", "--format=megatron", "-o", "out/a.bin", "a.bin")
    assert told.returncode == 0 and "by its name" not in told.stderr, told.stderr


@pytest.mark.parametrize("name, shared", [("a.bam", "of any block on"), ("a.tar", "of any sample on"), ("a.idx", "of whole files")])
def test_a_plan_says_what_one_command_does(tmp_path, name, shared):
    write_bam(tmp_path / "a.bam", 100, 1)
    write_tar(tmp_path / "a.tar", 30, 1)
    write_megatron(tmp_path)
    told = subprocess.run([*DRIVER, "plan", "-o", "out" + name[1:].replace("idx", "bin"), name], capture_output=True, text=True, cwd=tmp_path)
    assert told.returncode == 0 and shared in told.stdout and "is written by one command" in told.stdout, told.stderr


def test_a_list_of_files_lies_beside_them(tmp_path):
    write_tar(tmp_path / "a.tar", 30, 1)
    told = cluster(tmp_path, "--split=2", "--manifest=elsewhere/list", "-o", "x-{}.tar", "a.tar")
    assert told.returncode == 2 and "elsewhere/list' is not in " in told.stderr


@pytest.mark.parametrize("name", ["a.bam", "link"])
def test_the_output_is_no_input(tmp_path, name):
    before = write_bam(tmp_path / "a.bam", 100, 1).read_bytes()
    (tmp_path / "link").symlink_to("a.bam")
    told = cluster(tmp_path, "-o", name, "a.bam")
    assert told.returncode == 2 and "is an input, which files of bam cannot be on a cluster" in told.stderr
    assert (tmp_path / "a.bam").read_bytes() == before


@pytest.fixture(name="jobs")
def jobs_of_reads(tmp_path):
    jobs = Jobs(tmp_path, shard="20K", ranges=3)
    for path in jobs.inputs:
        path.unlink()
    jobs.inputs = [write_bam(tmp_path / f"{number}.bam", 500, number) for number in range(2)]
    jobs.output = tmp_path / "out.bam"
    return jobs


OPTIONS = ["-S", "1M", "--no-pg", "--index"]


def check(jobs):
    """Gives the command again, whose output is that of one machine."""
    told = jobs.run(*OPTIONS)
    assert told.returncode == 0, told.stderr
    (jobs.folder / "one").mkdir()
    subprocess.run([find_command(), *OPTIONS, "-o", jobs.folder / "one" / "out.bam", *jobs.inputs], check=True)
    for name, contents in files_in(jobs.folder / "one").items():
        assert (jobs.folder / name).read_bytes() == contents
    assert sorted(path.name for path in jobs.folder.iterdir()) == ["0.bam", "1.bam", "faults", "job", "one", "out.bam",
                                                                   "out.bam.bai"]


def test_a_driver_that_was_killed_goes_on_with_what_is_done(jobs):
    jobs.fail("write-0", "kill driver")
    assert jobs.run(*OPTIONS).returncode < 0 and not jobs.output.exists()
    before = len(jobs.commands())
    check(jobs)
    assert set(jobs.commands()[before:]) == {"write-0"}


@pytest.mark.parametrize("task", ["form-1", "cut-1", "merge-1", "write-0"])
@pytest.mark.parametrize("how", ["fail", "die", "garbage"])
def test_a_task_that_fails_is_done_again(jobs, task, how):
    jobs.fail(task, how)
    check(jobs)


def test_a_range_that_was_damaged_is_merged_again(jobs):
    jobs.fail("write-0", "kill driver")
    assert jobs.run(*OPTIONS).returncode < 0
    flip_a_byte(jobs.job / "parts" / "000001", 100)
    before = len(jobs.commands())
    check(jobs)
    assert "merge-1" in jobs.commands()[before:]


def test_an_input_that_changes_ends_the_job(jobs):
    jobs.fail("write-0", "kill driver")
    assert jobs.run(*OPTIONS).returncode < 0
    write_bam(jobs.inputs[0], 501, 7)
    told = jobs.run(*OPTIONS)
    assert told.returncode == 2 and "holds a job with other inputs" in told.stderr and not jobs.output.exists()


def test_a_task_that_writes_reaches_other_machines_as_it_is():
    setting = Setting("/job", ("--format=bam",), {}, names="/job/names", manifest="list")
    task = WriteTask(setting, 0, 9, (Stretch("/job/parts/000000", 0, 9, "ab"),), "out.bam", "/out/.sortie-1/write/000000", "x")
    assert task_from_json(json.loads(json.dumps(task_to_json(task)))) == task


def test_python_takes_the_same_arguments(tmp_path):
    write_tar(tmp_path / "a.tar", 60, 1)
    options = {"shuffle": "seed", "split_records": 25, "manifest": tmp_path / "list"}
    sortie.cluster.sort_files(tmp_path / "a.tar", tmp_path / "x{}.tar", job=tmp_path / "job", shard="20K", workers=2, **options)
    many = {name: (tmp_path / name).read_bytes() for name in ("x0.tar", "x1.tar", "x2.tar", "list")}
    sortie.sort_files(tmp_path / "a.tar", tmp_path / "x{}.tar", **options)
    assert many == {name: (tmp_path / name).read_bytes() for name in many}


@pytest.mark.parametrize("keys", [{"keys": ["1,1:hash"]}, {"shuffle": True}], ids=str)
def test_a_seed_of_bytes_gives_one_order(tmp_path, keys):
    path, out = tmp_path / "lines", tmp_path / "out"
    path.write_text("".join(f"{number}\n" for number in range(3000)))
    options = {"random_seed": bytes(range(16)), **keys}
    sortie.cluster.sort_files(path, out, job=tmp_path / "job", shard="4K", workers=2, **options)
    many = out.read_bytes()
    sortie.sort_files(path, out, **options)
    assert out.read_bytes() == many
    with pytest.raises(sortie.Error, match="holds a job with other options"):
        sortie.cluster.sort_files(path, out, job=tmp_path / "job", shard="4K", workers=2, **options | {"random_seed": bytes(16)})


def test_a_guess_that_is_wrong_says_how_the_format_is_named(tmp_path):
    (tmp_path / "text.tar").write_text("b\na\n" * 300)
    told = cluster(tmp_path, "--shuffle=1", "-o", "out.tar", "text.tar")
    assert told.returncode == 2 and told.stderr.count("\n") == 1 and not (tmp_path / "out.tar").exists()
    assert told.stderr.endswith("is taken for tar by its name: if it is something else, say what by --format, such as "
                                "--format=lines\n"), told.stderr
