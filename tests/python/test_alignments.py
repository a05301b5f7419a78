"""Files of alignments: the same functions and arguments as for other files."""

import base64
import gzip
import re

import pytest

import sortie

# Reads in the order read10 (chr2:7), read2 and read1 (chr1:300), read3 (nowhere).
BAM = base64.b64decode(
    "H4sIBAAAAAAA/wYAQkMCAKMAc3L0ZTRiYGBw8HDhDPOzMtQz43IIDuQM9rNKzigy5PQBChkYGCCJGYHETIFCTEBdrEAMUsfwghnOMWL4wsjAAD"
    "ITSDGwATG7jacQiA3S8R8KgEyGotTEFEMDBgUgU0hBwc/XmdGQAQK0gcrZwLoEsOoyQtLEqouhCYdVME26SJIQDSxYNRjDNAAArx22CSUBAAAf"
    "iwgEAAAAAAD/BgBCQwIAGwADAAAAAAAAAAAA")


@pytest.fixture(name="reads")
def make_reads(tmp_path):
    path = tmp_path / "reads.bam"
    path.write_bytes(BAM)
    return path


def names(path):
    return re.findall(rb"read\d+", gzip.decompress(path.read_bytes()))


def test_alignments_are_known_by_their_content(reads, tmp_path):
    report = sortie.sort_files(reads, tmp_path / "out.bam", index="bai")
    assert names(tmp_path / "out.bam") == [b"read1", b"read2", b"read10", b"read3"]
    assert report.output_records == 4
    assert (tmp_path / "out.bam.bai").read_bytes().startswith(b"BAI\1")


def test_options_of_alignments_are_arguments(reads, tmp_path):
    out = tmp_path / "out.bam"
    sortie.sort_files([reads], out, by="ascii-name", no_pg=True)
    assert names(out) == [b"read1", b"read10", b"read2", b"read3"]
    assert b"@PG" not in gzip.decompress(out.read_bytes())
    sortie.sort_files([reads], out, format="bam", by="tag:NM")
    assert names(out) == [b"read1", b"read3", b"read10", b"read2"]
    assert sortie.plan_files([reads], by="name").startswith("alignments: 1 file with 2 references, by name")


def test_the_message_names_the_file_and_its_place(reads, tmp_path):
    reads.write_bytes(BAM[:150])
    with pytest.raises(sortie.Error, match="reads.bam is cut short at offset 150"):
        sortie.sort_files(reads, tmp_path / "out.bam")
    assert not (tmp_path / "out.bam").exists()


def test_other_functions_take_no_files_of_a_format(reads):
    with pytest.raises(ValueError, match="is for a sort of files|are for sort_files"):
        sortie.check_files(reads, format="bam")
    with pytest.raises(ValueError, match="are for sort_files"):
        sortie.Sorter(format="bam")
