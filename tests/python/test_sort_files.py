"""Files: every option does what the command's does, and mistakes are told in one line."""

import bz2
import gzip
import json
import os
import pathlib
import random
import re
import struct
import sys
import threading
import types
import warnings

import pytest

import sortie


@pytest.fixture
def lines(tmp_path):
    """Writes lines to a file and returns its path."""
    def write(*texts, name="in"):
        path = tmp_path / name
        path.write_text("".join(text + "\n" for text in texts))
        return path
    return write


def sorted_lines(inputs, tmp_path, **options):
    output = tmp_path / "out"
    sortie.sort_files(inputs, output, **options)
    return output.read_text().splitlines()


def test_a_path_may_be_of_any_kind(lines, tmp_path):
    path = lines("b", "a")
    for inputs in (path, str(path), bytes(path), [path], (str(path),), iter([path])):
        assert sorted_lines(inputs, tmp_path) == ["a", "b"]


def test_paths_need_not_be_utf_8(tmp_path):
    path = bytes(tmp_path) + b"/\xff\xfe"
    with open(path, "w") as file:
        file.write("b\na\n")
    assert sorted_lines([path], tmp_path) == ["a", "b"]
    with pytest.raises(sortie.Error, match="No such file"):
        sortie.sort_files(path + b"x", tmp_path / "out")


def test_several_inputs_make_one_output(lines, tmp_path):
    assert sorted_lines([lines("c", "a", name="x"), lines("b", name="y")], tmp_path) == ["a", "b", "c"]


def test_the_input_may_be_the_output(lines):
    path = lines("b", "a")
    sortie.sort_files(path, path)
    assert path.read_text() == "a\nb\n"


@pytest.mark.parametrize("options, expected", [
    ({}, ["10 b", "2 a", "2 a", "9 B"]),
    ({"descending": True}, ["9 B", "2 a", "2 a", "10 b"]),
    ({"ordering": "n"}, ["2 a", "2 a", "9 B", "10 b"]),
    ({"keys": "1,1nr"}, ["10 b", "9 B", "2 a", "2 a"]),
    ({"keys": ["2,2f", "1,1n"]}, ["2 a", "2 a", "9 B", "10 b"]),
    ({"keys": "2,2f", "stable": True}, ["2 a", "2 a", "10 b", "9 B"]),
    ({"unique": True}, ["10 b", "2 a", "9 B"]),
    ({"count": True}, ["      1 10 b", "      2 2 a", "      1 9 B"]),
    ({"top": 2}, ["10 b", "2 a"]),
    ({"keys": "2,2f", "unique": True}, ["2 a", "10 b"]),
    ({"keys": "2,2f", "unique": True, "keep_last": True}, ["2 a", "9 B"]),
    ({"unique": True, "order": "input"}, ["10 b", "2 a", "9 B"]),
    ({"keys": "2,2f", "unique": True, "keep_last": True, "order": "input"}, ["9 B", "2 a"]),
    ({"sample": 9, "order": "input"}, ["10 b", "2 a", "9 B", "2 a"]),
    ({"keys": "1,1n", "group": ["count", "last:2", "sum:1"]}, ["2\t2\ta\t4", "9\t1\tB\t9", "10\t1\tb\t10"]),
    ({"keys": "1,1n", "group": []}, ["2", "9", "10"]),
    ({"header_lines": 1}, ["10 b", "2 a", "2 a", "9 B"]),
    ({"separator": " ", "keys": "2,2"}, ["9 B", "2 a", "2 a", "10 b"]),
    ({"separator": "0 ", "keys": "2"}, ["2 a", "2 a", "9 B", "10 b"]),
])
def test_options_mean_what_the_command_means(lines, tmp_path, options, expected):
    assert sorted_lines(lines("10 b", "2 a", "9 B", "2 a"), tmp_path, **options) == expected


def test_places_in_genomes_order_along_chromosomes(lines, tmp_path):
    path = lines("#a", "track b", "chr10\t1\t2", "chrX\t1\t2", "chrM\t1\t2", "chr2\t10\t11\tz", "chr2\t9\t10",
                 "chr2\t10\t11\ta")
    names = [line.split("\t")[0] for line in sorted_lines(path, tmp_path, format="bed")]
    assert names == ["#a", "track b", "chr2", "chr2", "chr2", "chr10", "chrM", "chrX"]
    assert sorted_lines(path, tmp_path, format="bed", chromosomes="karyotype")[-2:] == ["chrX\t1\t2", "chrM\t1\t2"]
    assert sorted_lines(path, tmp_path, format="bed", keys="4,4")[3:5] == ["chr2\t10\t11\ta", "chr2\t10\t11\tz"]
    assert sorted_lines(path, tmp_path, format="vcf", chromosomes="bytes")[1] == "chr10\t1\t2"
    assert sorted_lines(path, tmp_path, header_lines="auto", descending=True)[:2] == ["#a", "track b"]
    listed = lines("##contig=<ID=b,length=3>", "##contig=<ID=a>", "#CHROM", "a\t1", "c\t1", "b\t2", "b\t1")
    assert sorted_lines(listed, tmp_path, format="vcf", chromosomes="header")[3:] == ["b\t1", "b\t2", "a\t1", "c\t1"]
    assert sorted_lines(listed, tmp_path, format="vcf")[3:] == ["b\t1", "b\t2", "a\t1", "c\t1"]
    names = tmp_path / "genome.fai"
    names.write_text("c\t1\na\t2\nb\t3\n")
    assert sorted_lines(listed, tmp_path, format="vcf", chromosomes=os.fspath(names))[3:5] == ["c\t1", "a\t1"]
    genes = lines("##gff-version 3", "a\t.\texon\t5\t9", "a\t.\tgene\t5\t90", "#c")
    assert sorted_lines(genes, tmp_path, format="gff") == ["##gff-version 3", "#c", "a\t.\tgene\t5\t90", "a\t.\texon\t5\t9"]


@pytest.mark.parametrize("form", ["tbi", "csi"])
def test_an_index_is_written_beside_places(lines, tmp_path, form):
    path = lines("chr1\t7\t9", "chr1\t5\t9")
    sortie.sort_files(path, tmp_path / "out.bed.gz", format="bed", index=form)
    assert gzip.decompress((tmp_path / f"out.bed.gz.{form}").read_bytes()).startswith(form.upper().encode() + b"\1")
    with pytest.raises(sortie.Error, match="is tbi or csi, not .bai."):
        sortie.sort_files(path, tmp_path / "out.bed.gz", format="bed", index="bai")
    with pytest.raises(sortie.Error, match="name the output so, for example"):
        sortie.sort_files(path, tmp_path / "out.bed", format="bed", index=form)


def test_a_seed_draws_the_same_sample(lines, tmp_path):
    path = lines(*map(str, range(1000)))
    first = sorted_lines(path, tmp_path, sample=20, sample_seed="x", ordering="n")
    assert len(first) == 20 and first == sorted(first, key=int)
    assert sorted_lines(path, tmp_path, sample=20, sample_seed="x", ordering="n") == first
    assert sorted_lines(path, tmp_path, sample=20, ordering="n") != first


def test_times_order_by_the_moment(lines, tmp_path):
    path = lines("2000-10-10T22:55:37+02:00", "[10/Oct/2000:20:55:36 +0000]", "Oct 10 20:55:38")
    in_order = ["[10/Oct/2000:20:55:36 +0000]", "2000-10-10T22:55:37+02:00", "Oct 10 20:55:38"]
    assert sorted_lines(path, tmp_path, keys="1:time", year=2000) == in_order
    assert sorted_lines(path, tmp_path, keys="1:time", year=1999)[0] == in_order[2]
    assert sorted_lines(lines("1", "02"), tmp_path, keys="1:time(ms):desc") == ["02", "1"]


def test_a_zone_is_that_of_times_without_one(lines, tmp_path):
    path = lines("2023-10-10 13:55 CET", "2023-10-10 13:55", "2023-10-10T12:00Z", "2023-10-10 16:30 MSK")
    zones = "Europe/Berlin,MSK=+03:00"
    assert sorted_lines(path, tmp_path, keys="1:time", zone=zones) == [
        "2023-10-10 13:55", "2023-10-10T12:00Z", "2023-10-10 13:55 CET", "2023-10-10 16:30 MSK"]
    assert sorted_lines(path, tmp_path, keys="1:time", zone="+01:00", stable=True)[:2] == [
        "2023-10-10 13:55 CET", "2023-10-10 16:30 MSK"]


def test_entries_of_several_lines_stay_together(lines, tmp_path):
    path = lines("2 b", "  at x", "1 a")
    assert sorted_lines(path, tmp_path, keys="1,1n", entry_start="^[0-9]") == ["1 a", "2 b", "  at x"]


def test_json_lines_order_by_values(lines, tmp_path):
    path = lines('{"user":{"id":10}}', '{"user": {"id": 9}}', "{}")
    assert sorted_lines(path, tmp_path, format="jsonl", keys=".user.id:n:desc") == [
        '{"user":{"id":10}}', '{"user": {"id": 9}}', "{}"]
    with pytest.raises(sortie.Error, match="line 2 is no JSON: the quote that closes a string was expected"):
        sorted_lines(lines("1", '"'), tmp_path, format="jsonl", keys=".")


def test_random_order_follows_its_seed(lines, tmp_path):
    path = lines(*map(str, range(100)))
    first = sorted_lines(path, tmp_path, ordering="R", random_seed=b"0123456789abcdef")
    assert first == sorted_lines(path, tmp_path, ordering="R", random_seed=b"0123456789abcdef")
    assert first != sorted_lines(path, tmp_path, ordering="R", random_seed=b"another seed....")


def test_lines_may_end_in_nul(tmp_path):
    (tmp_path / "in").write_bytes(b"b\n\0a\0")
    sortie.sort_files(tmp_path / "in", tmp_path / "out", delimiter="\0")
    assert (tmp_path / "out").read_bytes() == b"a\0b\n\0"


def test_csv_is_sorted_by_the_names_of_columns(lines, tmp_path):
    path = lines("name,price", '"a, b",9', "c,10", "d,9")
    assert sorted_lines(path, tmp_path, format="csv", keys=["price:n:desc", "name"]) == [
        "name,price", "c,10", '"a, b",9', "d,9"]
    with pytest.raises(sortie.Error, match="cost"):
        sorted_lines(path, tmp_path, format="csv", keys="cost")


def test_tab_separated_values(lines, tmp_path):
    path = lines("b\t1", "a\t2")
    assert sorted_lines(path, tmp_path, format="tsv", header_lines=0, keys="2,2nr") == ["a\t2", "b\t1"]


def test_records_of_fixed_length_are_sorted_by_fields(tmp_path):
    (tmp_path / "in").write_bytes(b"a\0\1" b"b\1\0" b"c\0\2")
    sortie.sort_files(tmp_path / "in", tmp_path / "out", format="fixed:3", fields=["u16be@1:desc"])
    assert (tmp_path / "out").read_bytes() == b"b\1\0" b"c\0\2" b"a\0\1"


def test_merges_what_is_sorted(lines, tmp_path):
    assert sorted_lines([lines("a", "c", name="x"), lines("b", name="y")], tmp_path, merge_only=True) == ["a", "b", "c"]


def test_packed_files_are_unpacked_unless_not_asked_to(tmp_path):
    (tmp_path / "in.gz").write_bytes(gzip.compress(b"b\na\n"))
    assert sorted_lines(tmp_path / "in.gz", tmp_path) == ["a", "b"]
    sortie.sort_files(tmp_path / "in.gz", tmp_path / "raw", unpack=False)
    assert (tmp_path / "raw").read_bytes() != b"a\nb\n"


@pytest.mark.parametrize("unpack", [None, False])
def test_text_may_begin_with_the_letters_of_tables(tmp_path, unpack):
    path, out = tmp_path / "in", tmp_path / "out"
    for text in ("PARENT\nCHILD\n", "PAR1,x\nb\na\nPAR1", "PARE,x\nPARE", "ARROW1\nARROW1"):
        path.write_text(text)
        options = {} if unpack is None else {"unpack": unpack}
        sortie.sort_files(path, out, **options)
        assert out.read_text().splitlines() == sorted(text.splitlines())
        assert sortie.check_files(path, **options) is not None or text.splitlines() == sorted(text.splitlines())
        assert sortie.plan_files(path, out, **options)
        sortie.join_files(out, out, tmp_path / "joined", keys="1,1", **options)
        assert (tmp_path / "joined").read_text().splitlines()[0] == sorted(text.splitlines())[0]


def test_numbers_may_begin_like_packed_data(tmp_path):
    path, out = tmp_path / "in", tmp_path / "out"
    for first in (93, 559903, 67324752, 4247762216, 407642370, int.from_bytes(b"PAR1\x15\0\0\0", "little")):
        numbers = [first, 5, 3]
        path.write_bytes(struct.pack("<3Q", *numbers))
        sortie.sort_files(path, out, format="u64")
        assert struct.unpack("<3Q", out.read_bytes()) == (3, 5, first)


def test_an_output_is_packed_as_hard_as_its_level_says(lines, tmp_path):
    choice = random.Random(1)
    path = lines(*(f"{choice.randrange(1_000_000)} and more" for _ in range(50_000)))
    sizes = []
    for suffix, level in ((".gz", 1), (".gz", 9), (".zst", 1), (".zst", 19)):
        sortie.sort_files(path, tmp_path / f"out{suffix}", output_level=level)
        sizes.append((tmp_path / f"out{suffix}").stat().st_size)
    assert sizes[1] < sizes[0] and sizes[3] < sizes[2]
    sortie.sort_files(path, tmp_path / "out.bz2", output_level=2)
    packed = (tmp_path / "out.bz2").read_bytes()
    assert packed.startswith(b"BZh2") and bz2.decompress(packed).count(b"\n") == 50_000
    with pytest.raises(sortie.Error, match="an output level of 10: for .gz it is from 1 to 9"):
        sortie.sort_files(path, tmp_path / "out.gz", output_level=10)
    with pytest.raises(sortie.Error, match="give a number from 1 to 9"):
        sortie.sort_files(path, tmp_path / "out.gz", output_level=0)


def test_more_than_memory_is_spilled_to_scratch(tmp_path, no_leftovers):
    numbers = [f"{(i * 7919) % 200_003:012}" for i in range(200_003)]
    (tmp_path / "in").write_text("\n".join(numbers) + "\n")
    report = sortie.sort_files(tmp_path / "in", tmp_path / "out", memory="1MiB", scratch=no_leftovers, threads=2,
                               compression="zstd:2", merge_fan_in=3, engine="cpu", verify=True)
    assert (tmp_path / "out").read_text().split() == sorted(numbers)
    assert report.runs_spilled > 1 and report.memory_budget_bytes == 1 << 20 and report.verified


def test_a_checkpoint_goes_when_the_sort_is_complete(lines, tmp_path):
    assert sorted_lines(lines("b", "a"), tmp_path, checkpoint=tmp_path / "ck") == ["a", "b"]
    assert not (tmp_path / "ck").exists()


def test_trace_statistics_and_report_are_written(lines, tmp_path):
    sorted_lines(lines("b", "a"), tmp_path, trace=tmp_path / "trace", stats_json=tmp_path / "stats",
                 report=tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text().endswith("</html>\n")
    assert "traceEvents" in (tmp_path / "trace").read_text()
    assert '"output_records"' in (tmp_path / "stats").read_text()


def test_the_report_has_the_names_of_the_library(lines, tmp_path):
    report = sortie.sort_files(lines("b", "a", "a"), tmp_path / "out", unique=True, engine="cpu")
    assert (report.engine, report.input_records, report.output_records, report.output_bytes) == ("cpu", 3, 2, 4)
    assert re.fullmatch("[0-9a-f]{32}", report.checksum)
    assert report.phases[0].name and report.phases[0].seconds >= 0 and report.resources[0].name
    assert report.to_dict()["output_records"] == 2
    assert "bottleneck" in str(report) and "forming runs" in str(report)
    assert "2 records" in repr(report)


def test_a_notebook_shows_a_table(lines, tmp_path):
    table = sortie.sort_files(lines("b", "a"), tmp_path / "out")._repr_html_()
    for words in ("<table>", "forming runs", "bottleneck", "2 records", "4 bytes in"):
        assert words in table
    assert table.count("<tr>") == table.count("</tr>")


def test_every_attribute_of_the_library_report_is_there(lines, tmp_path):
    header = pathlib.Path(__file__).parents[2] / "include" / "sortie" / "report.hpp"
    structs = re.findall(r"struct (?:Work|Sort)Report\b.*?\{(.*?)\n\};", header.read_text(), re.S)
    assert len(structs) == 2
    members = "".join(structs)
    names = re.findall(r"^  [\w:<>]+(?:::\w+)? (\w+)(?: = [^;]+)?;", members, re.M)
    report = sortie.sort_files(lines("a"), tmp_path / "out")
    assert len(names) > 20
    assert [name for name in names if not hasattr(report, name)] == []


def test_an_output_is_cut_into_parts(lines, tmp_path):
    path = lines("b 2", "a 1", "c 3", "b 1")
    texts = lambda: {file.name: file.read_text() for file in tmp_path.glob("part-*")}  # noqa: E731
    sortie.sort_files(path, tmp_path / "part-{:02d}", split=2, manifest=tmp_path / "list")
    assert texts() == {"part-00": "a 1\nb 1\n", "part-01": "b 2\nc 3\n"}
    manifest = json.loads((tmp_path / "list").read_text())
    assert [(part["file"], part["records"], part["first_key"]) for part in manifest["parts"]] == [
        ("part-00", 2, ["a 1"]), ("part-01", 2, ["b 2"])]
    sortie.sort_files(path, tmp_path / "part-{:02d}", keys="1,1", split_size=8, together=True)
    assert texts() == {"part-00": "a 1\n", "part-01": "b 1\nb 2\n", "part-02": "c 3\n"}
    sortie.sort_files(path, tmp_path / "part-{}", split_by="1", keys="2,2nr")
    assert texts()["part-b"] == "b 2\nb 1\n"
    sortie.sort_files(path, tmp_path / "part-{}", split_records=3)
    assert texts()["part-1"] == "c 3\n"
    sortie.sort_files(path, tmp_path / "part-{}", split_by="1", group=["count", "sum:2"], separator=" ")
    assert texts()["part-b"] == "b 2 3\n"
    entries = lines("1 b", " x", "1 a", " y", name="entries")
    sortie.sort_files(entries, tmp_path / "part-{:02d}", entry_start="^1", split_records=1)
    assert (texts()["part-00"], texts()["part-01"]) == ("1 a\n y\n", "1 b\n x\n")
    with pytest.raises(sortie.Error, match="has no place"):
        sortie.sort_files(path, tmp_path / "part", split=2)
    with pytest.raises(sortie.Error, match="group and together are incompatible"):
        sortie.sort_files(path, tmp_path / "part-{}", split=2, together=True, group=["count"])
    with pytest.raises(sortie.Error, match="split_by is for lines"):
        sortie.sort_files(path, tmp_path / "part-{}", split_by="1", format="u32")


def test_checks_say_where_the_first_disorder_is(lines):
    path = lines("a", "c", "b")
    found = sortie.check_files(path)
    assert (found.input, found.record, found.offset, found.line) == (str(path), 3, 4, b"b")
    assert sortie.check_files(lines("a", "b", "b", name="x")) is None
    assert sortie.check_files(lines("a", "b", "b", name="x"), unique=True).record == 3


def test_plans_say_what_would_be_done(lines, tmp_path):
    assert "engine" in sortie.plan_files(lines("b"), tmp_path / "out", memory="1GB")
    assert not (tmp_path / "out").exists()
    for name in ("progress", "warn"):
        with pytest.raises(TypeError, match=f"unexpected keyword argument '{name}'"):
            sortie.plan_files(lines("b"), **{name: print})


@pytest.mark.parametrize("size, expected", [(1_000_000, 1_000_000), ("1000000", 1_000_000), ("2MB", 2_000_000),
                                            ("2MiB", 2 << 20), ("2M", 2 << 20), ("0.5 GiB", 1 << 29),
                                            ("300k", 300 << 10)])
def test_sizes_have_units(lines, tmp_path, size, expected):
    assert sortie.sort_files(lines("a"), tmp_path / "out", memory=size).memory_budget_bytes == expected


@pytest.mark.parametrize("options, message", [
    ({"memmory": 3}, "unexpected keyword argument 'memmory'"),
    ({"memory": []}, "memory must be an int or a str"),
    ({"threads": "2"}, "threads must be an int, not str"),
    ({"unique": 1}, "unique must be True or False, not int"),
    ({"keys": 3}, "keys must be a str or a list of them, not int"),
    ({"scratch": [3]}, "scratch must be a path"),
    ({"devices": ["0"]}, "devices must be an int"),
    ({"progress_line": "always"}, "unexpected keyword argument 'progress_line'"),
    ({"progress": 3}, "progress must be True, False or a callable"),
    ({"warn": 3}, "warn must be a callable"),
])
def test_arguments_of_the_wrong_name_or_type_raise_type_error(lines, tmp_path, options, message):
    with pytest.raises(TypeError, match=message):
        sortie.sort_files(lines("a"), tmp_path / "out", **options)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("options, message", [
    ({"memory": "4 apples"}, "invalid value '4 apples' for memory"),
    ({"memory": 3}, "too small"),
    ({"threads": -1}, "not negative"),
    ({"threads": 0}, "give 1 or more"),
    ({"engine": "tpu"}, "known are auto, gpu, cpu"),
    ({"compression": "zstd:99"}, "the level is from"),
    ({"format": "cube"}, "unknown format .cube.: known are lines, .*f64, csv and tsv .*jsonl .*bed, vcf, gff and gtf"),
    ({"keys": "0"}, "field number is zero"),
    ({"keys": "1,1x"}, "stray character"),
    ({"ordering": "r"}, "descending=True"),
    ({"format": "u64", "keys": "1"}, "keys is for lines"),
    ({"fields": "u8@0"}, "fields needs format=\"fixed:BYTES\""),
    ({"format": "fixed:4", "fields": "u64@0"}, "u64"),
    ({"separator": ""}, "one character at least"),
    ({"separator": "ab", "format": "csv"}, "one other character"),
    ({"delimiter": "ab"}, "one character"),
    ({"keep_last": True}, "keep_last needs unique or count"),
    ({"top": 0}, "give 1 or more"),
    ({"order": "input"}, "order=\"input\" needs unique"),
    ({"order": "up"}, "known are keys, input"),
    ({"sample": 0}, "give 1 or more"),
    ({"random_seed": b"short"}, "16 bytes"),
    ({"shuffle": ""}, "a seed of one character at least"),
    ({"keys": "1:time(x)"}, "unknown format .x. of a time"),
    ({"keys": "1:time", "year": 10000}, "from 1 to 9999"),
    ({"entry_start": "("}, "regular expression .*: missing"),
    ({"entry_start": "a", "count": True}, "count and entry_start are incompatible"),
    ({"keys": "1,1", "group": "sum:2", "count": True}, "ask for no other count"),
    ({"entry_start": "a", "format": "csv"}, "format=\"csv\" and entry_start are incompatible"),
    ({"format": "jsonl"}, "JSON Lines need a key"),
    ({"format": "jsonl", "keys": "1,1"}, "is no path"),
    ({"format": "jsonl", "keys": ".a", "header_lines": 1}, "header_lines and format=\"jsonl\" are incompatible"),
    ({"format": "jsonl", "keys": ".a", "locale": True}, "by its bytes"),
    ({"year": 2000}, "year needs a key of type time"),
    ({"zone": "UTC"}, "zone needs a key of type time"),
    ({"format": "u64", "zone": "UTC"}, "zone is for lines"),
    ({"keys": "1:time", "zone": "Europe/Atlantis"}, "not in the tz database"),
    ({"keys": "1:time", "zone": "CET=x"}, "is no offset"),
    ({"format": "u64", "year": 2000}, "year is for lines"),
    ({"checkpoint": "ck", "scratch": "x"}, "scratch"),
    ({"header_lines": "some"}, "give a number, or auto"),
    ({"format": "bed", "header_lines": 1}, "format=\"bed\" and header_lines are incompatible"),
    ({"format": "bed", "ordering": "n"}, "format=\"bed\" orders by place"),
    ({"format": "vcf", "descending": True}, "format=\"vcf\" orders by place"),
    ({"format": "vcf", "locale": True}, "format=\"vcf\" orders by place"),
    ({"format": "bed", "separator": ","}, "has tabs between fields"),
    ({"format": "bed", "shuffle": True}, "orders by place: to shuffle"),
    ({"format": "vcf", "chromosomes": "size"}, "known are natural, karyotype, bytes, header"),
    ({"chromosomes": "bytes"}, "chromosomes needs format=\"bed\", format=\"vcf\", format=\"gff\" or format=\"gtf\""),
    ({"format": "u64", "chromosomes": "bytes"}, "chromosomes is for lines"),
])
def test_values_that_cannot_be_raise_the_library_error(lines, tmp_path, options, message):
    with pytest.raises(sortie.Error, match=message):
        sortie.sort_files(lines("a"), tmp_path / "out", **options)
    assert not (tmp_path / "out").exists()


def test_an_error_names_the_remedy(lines, tmp_path, run_python):
    told = run_python("""
import os, sys
os.environ["CUDA_VISIBLE_DEVICES"] = ""
import sortie
try:
    sortie.sort_files(sys.argv[1], sys.argv[2], engine="gpu")
except sortie.Error as error:
    print(error.remedy, 'with engine="cpu"' in str(error))
""", lines("a"), tmp_path / "out")
    assert told.stdout == "cpu_engine True\n", told.stderr
    with pytest.raises(sortie.Error) as raised:
        sortie.sort_files(tmp_path / "nothing", tmp_path / "out")
    assert raised.value.remedy is None and "nothing" in str(raised.value)


def test_no_inputs_are_not_standard_input(tmp_path):
    with pytest.raises(ValueError, match="inputs is empty"):
        sortie.sort_files([], tmp_path / "out")


def test_an_error_leaves_the_output_as_it_was(lines, tmp_path, no_leftovers):
    (tmp_path / "out").write_text("old")
    (tmp_path / "broken.gz").write_bytes(gzip.compress(b"x" * 100_000)[:-20])
    with pytest.raises(sortie.Error):
        sortie.sort_files([lines("a"), tmp_path / "broken.gz"], tmp_path / "out", scratch=no_leftovers)
    assert (tmp_path / "out").read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["broken.gz", "in", "out", "scratch"]


def test_a_full_disk_is_one_error(tmp_path, run_python):
    (tmp_path / "in").write_bytes(b"line\n" * 100_000)
    (tmp_path / "out").write_text("old")
    told = run_python("""
import resource, sys, sortie
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
try:
    sortie.sort_files(sys.argv[1], sys.argv[2])
except sortie.Error as error:
    print(error)
""", tmp_path / "in", tmp_path / "out")
    assert told.returncode == 0, told.stderr
    assert "File too large" in told.stdout and len(told.stdout.splitlines()) == 1
    assert (tmp_path / "out").read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in", "out"]


@pytest.mark.skipif("SORTIE_TEST_ENGINE" in os.environ, reason="conftest.py is the caller")
def test_warnings_are_python_warnings_or_go_to_a_callable(lines, tmp_path):
    path = lines("b", "a")
    with pytest.warns(sortie.SortWarning, match="not sorted|out of order|not in order") as warned:
        sortie.sort_files(path, tmp_path / "out", merge_only=True)
    assert warned[0].filename == __file__ and len(warned) == 1
    told = []
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sortie.sort_files(path, tmp_path / "out", merge_only=True, warn=told.append)
    assert len(told) == 1 and str(path) in told[0]


def test_progress_tells_phases_and_bytes(lines, tmp_path):
    told = []
    path = lines(*map(str, range(1000)))
    sortie.sort_files(path, tmp_path / "out", progress=lambda *news: told.append(news))
    assert "forming runs" in [phase for phase, _, _ in told]
    assert all(isinstance(done, int) and (total == 0 or done <= total) for _, done, total in told)


def test_what_progress_raises_ends_the_sort(lines, tmp_path, no_leftovers):
    def refuse(phase, done, total):
        raise LookupError("enough")
    with pytest.raises(LookupError, match="enough"):
        sortie.sort_files(lines("b", "a"), tmp_path / "out", progress=refuse, scratch=no_leftovers)


def test_what_is_raised_last_of_all_leaves_the_output_as_it_was(lines, tmp_path):
    told = []
    path, out = lines(*map(str, range(20_000))), tmp_path / "out"
    sortie.sort_files(path, out, progress=lambda *news: told.append(news))
    out.write_text("as it was")

    def refuse(*news):
        if news == told[-1]:
            raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        sortie.sort_files(path, out, progress=refuse)
    assert out.read_text() == "as it was"


def test_a_warning_that_raises_leaves_the_output_as_it_was(lines, tmp_path):
    out = tmp_path / "out"
    out.write_text("as it was")

    def refuse(message):
        raise LookupError(message)

    with pytest.raises(LookupError, match="count as 0"):
        sortie.sort_files(lines("key", "1", "x"), out, format="csv", keys=["key:n"], warn=refuse)
    assert out.read_text() == "as it was"


def test_progress_true_draws_a_bar(lines, tmp_path, run_python):
    told = run_python("import sys, sortie; sortie.sort_files(sys.argv[1], sys.argv[2], progress=True)",
                      lines("b", "a"), tmp_path / "out")
    assert told.returncode == 0, told.stderr
    assert "forming runs" in told.stderr


class FakeTqdm:
    """What tqdm shows in the end."""
    made = []

    def __init__(self, total, desc, unit, unit_scale):
        self.total, self.n, self.is_closed = total, 0, False
        FakeTqdm.made.append(self)

    def update(self, step):
        self.n += step

    def close(self):
        self.is_closed = True


def test_bars_of_a_complete_sort_are_full(lines, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm", types.SimpleNamespace(tqdm=FakeTqdm))
    FakeTqdm.made.clear()
    path = lines(*map(str, range(100_000)))
    sortie.sort_files(path, tmp_path / "out", progress=True, memory="256KiB")
    with sortie.Sorter(format="u64", progress=True) as sorter:
        sorter.push(bytes(8_000_000))
        assert sum(map(len, sorter)) == 8_000_000
    assert len(FakeTqdm.made) > 3
    assert all(bar.is_closed and bar.n == (bar.total or bar.n) for bar in FakeTqdm.made)


def test_sorts_run_in_several_threads(tmp_path):
    def work(number):
        lines = [str((i * 7919 + number) % 20_011) for i in range(20_011)]
        (tmp_path / f"in{number}").write_text("\n".join(lines) + "\n")
        sortie.sort_files(tmp_path / f"in{number}", tmp_path / f"out{number}", ordering="n", memory="1MB")
    threads = [threading.Thread(target=work, args=[number]) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for number in range(4):
        assert (tmp_path / f"out{number}").read_text() == "".join(f"{i}\n" for i in range(20_011))


@pytest.mark.parametrize("threads", ["np.array([1, 2])", "int"])
def test_a_thing_that_is_no_number_of_threads_is_refused(run_python, threads):
    told = run_python(f"import sortie, numpy as np; sortie.sort(np.arange(3), threads={threads})")
    assert told.returncode == 1 and "TypeError" in told.stderr


@pytest.mark.parametrize("options", [{"memory": "nan"}, {"memory": "inf"}, {"memory": 0}, {"merge_fan_in": 0},
                                     {"random_seed": bytes(17)}, {"threads": 1 << 70}])
def test_numbers_that_mean_nothing_are_refused(lines, tmp_path, options):
    with pytest.raises(sortie.Error, match="invalid value"):
        sortie.sort_files(lines("a"), tmp_path / "out", **options)


def test_an_output_is_named_and_inputs_are_not_empty(lines, tmp_path):
    with pytest.raises(TypeError, match="output must be a path"):
        sortie.sort_files(lines("a"), None)
    with pytest.raises(ValueError, match="inputs is empty"):
        sortie.sort_files(iter(()), tmp_path / "out")


def test_a_report_is_copied_by_pickle(lines, tmp_path):
    import pickle

    report = sortie.sort_files(lines("b", "a"), tmp_path / "out")
    assert pickle.loads(pickle.dumps(report)).to_dict() == report.to_dict()


def test_a_check_takes_no_output(lines, tmp_path):
    with pytest.raises(TypeError, match="unexpected keyword argument 'output'"):
        sortie.check_files(lines("a"), output=tmp_path / "out")


@pytest.mark.parametrize("name", ["count", "repeated", "keep_last", "top", "sample", "order", "split", "checkpoint",
                                  "stats_json"])
def test_a_check_takes_nothing_that_it_makes_nothing_of(lines, name):
    with pytest.raises(TypeError, match=f"unexpected keyword argument '{name}'"):
        sortie.check_files(lines("a"), **{name: 1})


def test_a_seed_needs_a_sample(lines, tmp_path):
    with pytest.raises(sortie.ArgumentError, match="sample_seed needs sample"):
        sortie.sort_files(lines("a"), tmp_path / "out", sample_seed="x")


@pytest.mark.parametrize("options, message", [
    ({}, "random_seed needs shuffle, sample or a key with R"),
    ({"shuffle": "x"}, "random_seed does not go with a seed of shuffle"),
    ({"sample": 1, "sample_seed": "x"}, "random_seed does not go with sample_seed")])
def test_a_seed_is_used_or_refused(lines, tmp_path, options, message):
    with pytest.raises(sortie.ArgumentError, match=message):
        sortie.sort_files(lines("a"), tmp_path / "out", random_seed=bytes(16), **options)
    for used in ({"shuffle": True}, {"sample": 1}, {"ordering": "R"}):
        sortie.sort_files(lines("a"), tmp_path / "out", random_seed=bytes(16), **used)


def test_a_shuffle_takes_a_flag_or_a_seed(lines, tmp_path):
    with pytest.raises(TypeError, match="shuffle must be True, False or a str, not int"):
        sortie.sort_files(lines("a"), tmp_path / "out", shuffle=7)
    sortie.sort_files(lines("b", "a"), tmp_path / "out", shuffle="x")
    assert sorted((tmp_path / "out").read_text().split()) == ["a", "b"]


def test_a_shuffle_of_json_lines_checks_them(lines, tmp_path):
    sortie.sort_files(lines("[1]", "2"), tmp_path / "out", shuffle="x", format="jsonl")
    assert sorted((tmp_path / "out").read_text().split()) == ["2", "[1]"]
    with pytest.raises(sortie.Error, match="line 2 is no JSON"):
        sortie.sort_files(lines("[1]", "a"), tmp_path / "out", shuffle="x", format="jsonl")
