"""The commands that are run with faults, each in a directory of its own: their inputs, arguments and targets."""

import bz2
import dataclasses
import gzip
import io
import pathlib
import random
import string
import sys
import tarfile
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "python"))
import format_files

AS_IT_WAS = b"as it was\n"


@dataclasses.dataclass
class Job:
    name: str
    arguments: list
    inputs: dict  # name: bytes
    stdin: str = ""  # name of the input that comes through a pipe, or ""
    target: str = "out"  # "" is standard output
    locale: str = "C"
    nameless_files: bool = True  # whether the file system supports O_TMPFILE
    beside: tuple = ()  # files that take their places together with the target
    keeps: str = ""  # a folder that a command which fails may leave
    makes: str = ""  # a folder that a command which does not fail leaves
    goes_on: bool = False  # with what a command that failed before has kept
    last_calls: int = 0  # so many of the last calls fail in any case: those when the output is complete

    def before(self):
        """The files that exist before the command runs."""
        files = {"scratch": None, **self.inputs}
        for name in filter(None, (self.target, *self.beside)):
            files.setdefault(name, AS_IT_WAS)
        return files


def lines(count, seed=1):
    choice = random.Random(seed)
    words = ["".join(choice.choices(string.ascii_letters, k=choice.randrange(1, 12))) for _ in range(500)]
    return "".join(f"{choice.choice(words)} {choice.randrange(-1000, 1000)}\n" for _ in range(count)).encode()


def sorted_lines(count, seed):
    return b"".join(sorted(lines(count, seed).splitlines(keepends=True)))


def csv(count):
    choice = random.Random(2)
    rows = (f'"a ""quoted"" name {choice.randrange(99)}",{choice.randrange(1000)}\n' for _ in range(count))
    return ("name,price\n" + "".join(rows)).encode()


def archive(samples):
    choice = random.Random(4)
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as made:
        for _ in range(samples):
            info = tarfile.TarInfo(f"{choice.randrange(10**6)}.txt")
            info.size = 2000
            made.addfile(info, io.BytesIO(choice.randbytes(info.size)))
    return file.getvalue()


def written(write, name, *numbers):
    """The bytes of a file that `write` makes."""
    with tempfile.TemporaryDirectory() as folder:
        return write(pathlib.Path(folder, name), *numbers).read_bytes()


def vcf(count):
    choice = random.Random(5)
    head = "##fileformat=VCFv4.2\n##contig=<ID=a>\n##contig=<ID=b>\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\n"
    rows = (f"{choice.choice('ab')}\t{choice.randrange(1, 10**6)}\t.\tA\t{choice.choice('CGT')}\t.\t.\t.\n"
            for _ in range(count))
    return (head + "".join(rows)).encode()


def numbers(count):
    return random.Random(3).randbytes(8 * count)


MAPPED = (4 << 20) + 1000  # numbers: a little more than the 32 MiB of an input that is mapped
SMALL = ["--buffer-size=256K", "--parallel=2"]


def all_jobs():
    few, many = lines(300), lines(30000)
    reads = {"in.bam": written(format_files.write_bam, "in.bam", 3000, 1)}
    of_reads = [*SMALL, "--no-pg", "in.bam", "-o", "out.bam"]
    inputs = {"a": sorted_lines(4000, 1), "b": sorted_lines(4000, 2), "c": sorted_lines(4000, 3)[:-1]}
    return [
        Job("in memory", ["in", "-o", "out"], {"in": few}, last_calls=16),
        Job("from pipe to pipe", ["-"], {"in": few}, stdin="in", target=""),
        Job("spilled", [*SMALL, "in", "-o", "out"], {"in": many}),
        Job("spilled, compressed", [*SMALL, "--compress=zstd", "in", "-o", "out"], {"in": many}),
        Job("several passes", [*SMALL, "--batch-size=2", "--format=u64", "in", "-o", "out"], {"in": numbers(60000)}),
        Job("runs in memory", ["--buffer-size=2M", "--parallel=2", "in", "-o", "out"], {"in": lines(90000)}),
        Job("merged", [*SMALL, "-m", "a", "b", "c", "-o", "out"], inputs),
        Job("several inputs", [*SMALL, "a", "b", "c", "-o", "out"], inputs),
        Job("gzip to gzip", [*SMALL, "in.gz", "-o", "out.gz"], {"in.gz": gzip.compress(many)}, target="out.gz"),
        Job("bzip2 to zstd", [*SMALL, "in.bz2", "-o", "out.zst"], {"in.bz2": bz2.compress(many)}, target="out.zst"),
        Job("keys", [*SMALL, "-k2,2n", "-k1,1f", "in", "-o", "out"], {"in": many}),
        Job("in a locale", [*SMALL, "-k1,1", "in", "-o", "out"], {"in": many}, locale="C.UTF-8"),
        Job("CSV", [*SMALL, "--csv", "--key=price:n", "in", "-o", "out"], {"in": csv(9000)}),
        Job("behind a header", [*SMALL, "--header", "in", "-o", "out"], {"in": many}),
        Job("first ten", [*SMALL, "--top=10", "in", "-o", "out"], {"in": many}),
        Job("counted", [*SMALL, "--count", "-k1,1", "in", "-o", "out"], {"in": many}),
        Job("unique", [*SMALL, "-u", "in", "-o", "out"], {"in": many}),
        Job("to standard output", [*SMALL, "in"], {"in": many}, target=""),
        Job("checked", [*SMALL, "-c", "a"], inputs, target=""),
        Job("explained", ["--debug", "-k2,2n", "in"], {"in": few}, target=""),
        Job("names from a file", ["--files0-from=names", "-o", "out"], {"in": few, "names": b"in\0"}),
        Job("onto its input", [*SMALL, "in", "-o", "in"], {"in": many}, target="in"),
        Job("names needed", [*SMALL, "in", "-o", "out"], {"in": many}, nameless_files=False),
        Job("with a checkpoint", [*SMALL, "--checkpoint=scratch/kept", "in", "-o", "out"], {"in": many},
            keeps="scratch/kept", last_calls=16),
        Job("samples to shards", [*SMALL, "--shuffle=7", "--split-records=60", "in.tar", "-o", "out-{}.tar"],
            {"in.tar": archive(50)}, target="out-0.tar"),
        Job("packed samples", [*SMALL, "in.tar.gz", "-o", "out.tar"], {"in.tar.gz": gzip.compress(archive(200))},
            target="out.tar"),
        Job("reads with an index", ["--index", *of_reads], reads, target="out.bam", beside=("out.bam.bai",)),
        Job("reads with a checkpoint", ["--checkpoint=scratch/kept", *of_reads], reads, target="out.bam",
            keeps="scratch/kept", last_calls=16),
        Job("reads, continued", ["--checkpoint=scratch/kept", "--index", *of_reads], reads, target="out.bam",
            beside=("out.bam.bai",), keeps="scratch/kept", goes_on=True),
        Job("a shard of reads", [*SMALL, "--format=bam", "--form=scratch/shard", "--bytes=40000-", "--place=40000",
                                 "--samples=20", "in.bam"], reads, target="", makes="scratch/shard"),
        Job("variants with an index", [*SMALL, "--vcf", "--index", "in.vcf", "-o", "out.vcf.gz"], {"in.vcf": vcf(9000)},
            target="out.vcf.gz", beside=("out.vcf.gz.tbi",)),
        Job("packed variants with an index", [*SMALL, "--index", "in.bcf", "-o", "out.bcf"],
            {"in.bcf": written(format_files.write_bcf, "in.bcf", 9000, 1)}, target="out.bcf", beside=("out.bcf.csi",)),
        Job("tokens to shards", [*SMALL, "--format=tokens", "--token-type=u16", "--token-end=0", "--shuffle=3",
                                 "--split=2", "in.bin", "-o", "out-{}.bin"],
            {"in.bin": written(format_files.write_tokens, "in.bin", 3000, 1)}, target="out-0.bin", beside=("out-1.bin",)),
        Job("mapped", ["--buffer-size=200M", "--parallel=4", "--format=u64", "in", "-o", "out"], {"in": numbers(MAPPED)}),
    ]
