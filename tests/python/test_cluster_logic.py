"""What the driver of a cluster decides: shards, bounds, sums, words of a command line, the job directory."""

import json
import os
import random
import struct

import pytest

import sortie
from sortie._native import ByteChecksum
from sortie.cluster.arguments import parse_words, read_sort_options
from sortie.cluster.formed import Samples
from sortie.cluster.commands import why
from sortie.cluster.merge_tasks import read_rows
from sortie.cluster.estimate import Speeds, estimate
from sortie.cluster.job import JobDirectory
from sortie.cluster.job_plan import JobPlan
from sortie.cluster.python_options import options_of_names
from sortie.cluster.written_files import read_state, write_state
from sortie.cluster.shards import Input, Shard, plan_shards
from sortie.cluster.arguments import parse_size
from sortie.cluster.arguments import Comparison
from sortie.cluster.totals import Totals, verify


def plain(path, size):
    return Input(path, size, 0, False)


@pytest.mark.parametrize("size", [1, 9, 10, 11, 99, 1000])
def test_shards_cover_every_byte_once_and_none_is_too_large(size):
    shards = plan_shards([plain("a", size), plain("b", 25)], 10, False)
    ends = {"a": 0, "b": 0}
    for shard in shards:
        assert shard.begin == ends[shard.path] and 0 < shard.bytes <= 10
        ends[shard.path] = shard.begin + shard.bytes
    assert ends == {"a": size, "b": 25}
    assert [shard.number for shard in shards] == list(range(len(shards)))
    assert [shard.place for shard in shards] == [shard.begin + (size + 1 if shard.path == "b" else 0)
                                                 for shard in shards]
    assert [shard.path for shard in shards if shard.end is None] == ["a", "b"]


def test_packed_inputs_are_one_shard_with_places_for_all_that_is_in_them():
    first, second = plan_shards([Input("a.gz", 1 << 30, 0, True), plain("b", 5)], 10, False)
    assert (first.begin, first.end, first.bytes) == (0, None, 1 << 30)
    assert second.place >= 1032 << 30


def test_places_of_sets_tell_which_input_a_record_is_of():
    inputs = [plain("a", 25), plain("b", 0), plain("c", 3), plain("d", 0), plain("e", 4)]
    shards = plan_shards(inputs, 10, False, True)
    assert [(shard.path, shard.others, shard.begin) for shard in shards] == [
        ("a", (), 0), ("a", (), 8), ("a", (), 16), ("b", ("c", "d", "e"), 0)]
    # Each of five sets has 2^53 places.
    assert [shard.place for shard in shards] == [0, 8, 16, 1 << 53]
    with pytest.raises(sortie.Error, match="'b' is too large for one of 2 sets"):
        plan_shards([plain("a", 1), plain("b", 1 << 54)], 1 << 60, True, True)


def test_whole_files_are_one_shard_each_and_empty_ones_none():
    shards = plan_shards([plain("a", 100), plain("b", 0), plain("c", 50)], 10, True)
    assert [(shard.path, shard.begin, shard.end) for shard in shards] == [("a", 0, None), ("c", 0, None)]
    assert plan_shards([plain("a", 0), plain("b", 0)], 10, False) == [Shard(0, "a", 0, None, 0, 0)]


@pytest.mark.parametrize("whole_files", [False, True])
def test_small_files_that_follow_each_other_are_one_shard(whole_files):
    sizes = [4, 0, 3, 3, 1, 10, 25, 5, 5]
    shards = plan_shards([plain(f"f{i}", size) for i, size in enumerate(sizes)], 10, whole_files)
    assert [shard.number for shard in shards] == list(range(len(shards)))
    assert [(shard.path, *shard.others) for shard in shards] == [
        ("f0", "f2", "f3"), ("f4",), ("f5",), *[("f6",)] * (1 if whole_files else 3), ("f7", "f8")]
    assert shards[0] == Shard(0, "f0", 0, None, 10, 0, ("f2", "f3"))
    assert shards[0].words() == ["--place=0", "--", "f0", "f2", "f3"]
    assert all(before.place + before.bytes < shard.place for before, shard in zip(shards, shards[1:])
               if before.path != shard.path)
    assert str(shards[0]) == "shard 0 ('f0' and 2 more)"
    assert all(Shard.from_json(json.loads(json.dumps(shard))) == shard for shard in shards)


def test_ten_thousand_small_files_are_few_shards_that_a_command_can_take():
    inputs = [plain(f"/shared/{'d' * 200}/{i}", 100_000) for i in range(10_000)]
    shards = plan_shards(inputs, 50 << 30, True)
    assert len(shards) == 9 and sum(1 + len(shard.others) for shard in shards) == 10_000
    assert max(sum(map(len, shard.words())) for shard in shards) < 300_000


def samples_of(runs, step=3, is_whole=True):
    """Runs of numbers as one shard each, of blocks of one record, every `step`-th a sample."""
    samples = Samples()
    for number, run in enumerate(runs):
        told = [{"run": 0, "block": i, "block_bytes": 0, "output_bytes": i, "key": f"{run[i]:09}",
                 "is_whole": is_whole}
                for i in range(0, len(run), step)]
        samples.add_shard(number, number, [len(run)], told)
    return samples


def part_sizes(runs, bounds, step):
    sizes = []
    last = [0] * len(runs)
    for bound in bounds:
        value = runs[bound.shard][bound.sample * step]
        cuts = []
        for number, run in enumerate(runs):
            if number == bound.run:
                cuts.append(bound.block)
            else:
                before = (lambda other: other <= value) if number < bound.run else (lambda other: other < value)
                cuts.append(sum(map(before, run)))
        sizes.append(sum(cuts) - sum(last))
        assert all(cut >= begin for cut, begin in zip(cuts, last))
        last = cuts
    return [*sizes, sum(map(len, runs)) - sum(last)]


@pytest.mark.parametrize("values", [1, 2, 10, 10**6])
def test_ranges_are_of_nearly_equal_sizes_also_where_one_key_has_all_records(values):
    numbers = random.Random(values)
    runs = [sorted(numbers.randrange(values) for _ in range(400)) for _ in range(20)]
    bounds = samples_of(runs).choose(10, True)
    assert len(set(bounds)) == len(bounds) == 9
    assert max(part_sizes(runs, bounds, 3)) < 1.2 * 800


@pytest.mark.parametrize("divides, is_whole", [(False, True), (True, False)])
def test_equal_keys_stay_together_where_they_must(divides, is_whole):
    numbers = random.Random(1)
    runs = [sorted(min(numbers.randrange(50), 30) for _ in range(400)) for _ in range(5)]
    bounds = samples_of(runs, 3, is_whole).choose(10, divides)
    values = [runs[bound.shard][bound.sample * 3] for bound in bounds]
    assert values == sorted(set(values)) and 1 < len(values) < 10
    assert all((bound.run, bound.block) == (-1, 0) for bound in bounds)
    assert all(part_sizes(runs, bounds, 3))
    assert samples_of([[7] * 100] * 3, 3, is_whole).choose(10, divides) == []


def test_no_samples_have_no_bounds():
    assert Samples().choose(10, True) == []
    assert samples_of([[1]]).choose(10, True) == []


def row(number, cuts):
    """As cut_file.hpp describes it."""
    bytes_of_row = struct.pack(f"<{1 + 10 * len(cuts)}Q", number, *(value for cut in cuts for value in cut))
    checksum = ByteChecksum()
    checksum.add(bytes_of_row)
    return bytes_of_row + struct.pack("<Q", int(checksum.value(), 16) % (1 << 64))


def test_rows_of_cuts_are_read_alone_and_damage_is_found(tmp_path):
    path = tmp_path / "rows"
    data = b"".join(row(bound, [[100 * run + 10 * bound + i for i in range(10)] for run in range(3)])
                    for bound in range(4))
    path.write_bytes(data)
    for part in range(3):
        begins, ends = read_rows(str(path), 3, part, 3)
        assert [cut["block"] for cut in begins] == [100 * run + 10 * part for run in range(3)]
        assert [cut["index_end"] for cut in ends] == [100 * run + 10 * part + 18 for run in range(3)]
        assert ends[2]["index_checksum"] == f"{200 + 10 * part + 19:016x}"
    for offset in range(len(data) // 4, len(data) // 2):
        path.write_bytes(data[:offset] + bytes([data[offset] ^ 1]) + data[offset + 1:])
        with pytest.raises(sortie.Error, match="what it says of cuts is damaged"):
            read_rows(str(path), 3, 1, 3)
    for text in (data[:-1], data + b"x", b""):
        path.write_bytes(text)
        with pytest.raises(sortie.Error, match="what it says of cuts is damaged"):
            read_rows(str(path), 3, 1, 3)


def test_what_a_command_says_of_its_options_is_told_without_the_hint():
    said = b"sortie: invalid value 'x'\nTry 'sortie --help' for more information.\n"
    assert why(2, said) == "sortie: invalid value 'x'"


def test_checksums_add_up_modulo_their_width():
    most = Totals(1, 2, (1 << 128) - 1)
    assert most.plus(Totals(1, 1, 3)) == Totals(2, 3, 2)
    assert most.plus(Totals(1, 1, 3)).minus(most) == Totals(1, 1, 3)
    assert Totals.from_json({"records": 1, "bytes": 2, "checksum": "f" * 32}) == most


def test_whatever_does_not_add_up_is_found():
    some, none = Totals(3, 30, 7), Totals()
    verify(some, none, some, none, some, Comparison())
    for other in (Totals(2, 30, 7), Totals(3, 29, 7), Totals(3, 30, 8)):
        wrong = [(other, none, some, none, some), (some, none, some, none, other), (some, other, some, none, some),
                 (some, none, some, other, some)]
        # Merges do not add up what they read.
        if other.checksum == some.checksum:
            wrong.append((some, none, other, none, some))
        for totals in wrong:
            with pytest.raises(sortie.Error, match="the output is as it was"):
                verify(*totals, Comparison())
    verify(some, none, some, none, Totals(2, 20, 5), Comparison(top=2))
    with pytest.raises(sortie.Error, match="the output is as it was"):
        verify(some, none, some, none, Totals(2, 20, 5), Comparison(top=3))
    verify(some, none, some, none, Totals(3, 51, 9), Comparison(counts_records=True))
    verify(some, none, some, none, Totals(3, 30, 9), Comparison(with_checksums=False))


@pytest.mark.parametrize("text, size", [("50G", 50 << 30), ("50GiB", 50 << 30), ("50GB", 50 * 10**9), ("7", 7),
                                        ("3k", 3072), ("5b", 5), ("1.5G", 3 << 29)])
def test_sizes_are_read_as_people_write_them(text, size):
    assert parse_size(text, "--shard") == size


@pytest.mark.parametrize("text", ["", "G", "0", "-1", "5X", "5iB", "10%"])
def test_other_sizes_are_refused(text):
    with pytest.raises(sortie.Error, match=r"invalid value '.*' for --shard: give bytes, or a size such as 4GB, 4GiB "
                       r"or 512M"):
        parse_size(text, "--shard")


def test_words_of_the_sort_are_passed_on_and_the_others_are_not():
    found = parse_words(["--job=/j", "-t,", "-k3,3n", "-sru", "a", "--key", "1", "--shard", "5G", "--rev", "--header",
                         "-oout", "--engine=local", "--engine=gpu", "--", "-b"], {"job": "=", "shard": "="})
    assert found.own == {"job": "/j", "shard": "5G", "output": "out", "engine": "local"}
    assert found.inputs == ["a", "-b"]
    assert read_sort_options(found.sort).words == [
        "--field-separator=,", "--key=3,3n", "--stable", "--reverse", "--unique", "--key=1", "--reverse", "--header",
        "--engine=gpu"]


@pytest.mark.parametrize("words, message", [
    (["--what"], "unrecognized option '--what'"), (["--ke"], "ambiguous option '--ke'"),
    (["-Q"], "invalid option -- 'Q'"), (["-k"], "option '-k' requires an argument"),
    (["--key"], "option '--key' requires an argument"), (["--stable=1"], "option '--stable' doesn't allow an argument"),
    (["-m"], "--merge does not go with a cluster"), (["--checkpoint=x"], "--checkpoint does not go with a cluster"),
    (["-T", "x"], "--temporary-directory does not go with a cluster"), (["--parallel=0"], "invalid value '0'"),
    (["--compress-program=gzip"], "--compress-program does not go with a cluster"),
    (["--output-level=9"], "--output-level does not go with a cluster"), (["-S", "0"], "invalid value '0' for ")])
def test_words_that_mean_nothing_here_are_refused(words, message):
    with pytest.raises(sortie.Error, match=message):
        read_sort_options(parse_words(words, {}).sort)


def test_memory_and_threads_are_read_for_each_command():
    options = read_sort_options(parse_words(["-S", "1G", "--buffer-size=2G", "--parallel=3", "-u"], {}).sort)
    assert (options.words, options.memory_bytes, options.threads) == (["--unique"], 2 << 30, 3)
    assert not options.sizes_are_known


@pytest.mark.parametrize("words, needs", [(["-R"], True), (["-k1,1R"], True), (["--sort=random"], True),
                                          (["-r"], False), (["-R", "--random-source=x"], False)])
def test_shuffles_need_one_seed_for_all(words, needs):
    assert read_sort_options(parse_words(words, {}).sort).needs_seed == needs


def test_names_of_python_become_words():
    options = read_sort_options(options_of_names({
        "format": "csv", "keys": ["price:n:desc", "name"], "ordering": "bf", "separator": b";", "header_lines": 2,
        "unique": True, "keep_last": True, "stable": False, "verify": False, "top": None, "sort_engine": "cpu"}))
    assert options.words == [
        "--csv", "--key=price:n:desc", "--key=name", "--ignore-leading-blanks", "--ignore-case", "--field-separator=;",
        "--header=2", "--unique", "--keep=last", "--verify=off", "--engine=cpu"]
    assert options.whole_files
    with pytest.raises(TypeError, match="'merge_only'"):
        sortie.cluster.sort_files("in", "out", job="job", merge_only=True)
    with pytest.raises(sortie.Error, match="invalid value 'nm' for ordering: known are the letters b, d, "):
        options_of_names({"ordering": "nm"})


def test_what_quotes_mean_tells_whether_files_are_cut():
    def told(*words):
        options = read_sort_options(parse_words(words, {}).sort)
        return options.words, options.whole_files

    assert told("--csv", "--no-header") == (["--csv", "--no-header"], True)
    assert told("--csv", "--quote=none") == (["--csv", "--quote=none"], False)
    assert told("--tsv") == (["--tsv"], False)
    assert told("--tsv", "--quote=backslash") == (["--tsv", "--quote=backslash"], True)
    names = {"format": "tsv", "header_lines": 0, "quote": "csv"}
    assert read_sort_options(options_of_names(names)).words == ["--tsv", "--no-header", "--quote=csv"]
    assert read_sort_options(options_of_names({"header_lines": 0})).words == []


def test_names_of_genomes_and_separators_become_words():
    def words(**arguments):
        return read_sort_options(options_of_names(arguments)).words

    assert words(format="bed", chromosomes="karyotype") == ["--bed", "--chromosomes=karyotype"]
    # Commands start elsewhere.
    assert words(format="gff", chromosomes="a.fai") == ["--gff", "--chromosomes=" + os.path.abspath("a.fai")]
    assert words(year=2023, zone="Europe/Berlin,MSK=+03:00") == ["--year=2023", "--zone=Europe/Berlin,MSK=+03:00"]
    assert words(header_lines="auto", separator="||") == ["--header=auto", "--field-separator=||"]
    assert words(na=True) == ["--na"] and words(na=False) == [] and words(na="x") == ["--na=x"]
    assert words(na=["x", "y"]) == ["--na=x,y"]
    with pytest.raises(sortie.Error, match="a word holds no comma"):
        words(na=["x,y"])
    assert words(separator=b"\0", keys="2") == ["--field-separator=\\0", "--key=2"]
    for word in ("\\0", "\\t", "a\0"):
        with pytest.raises(sortie.Error, match="for separator: on a cluster"):
            words(separator=word)


@pytest.mark.parametrize("value", [{"a": [1, "\udcff"]}, {}, [], [1], "word", {"value": 3}, {"checksum": 4}])
def test_state_is_whole_or_not_there(tmp_path, value):
    path = str(tmp_path / "state.json")
    assert read_state(path) is None
    write_state(path, value)
    assert read_state(path) == value and os.listdir(tmp_path) == ["state.json"]
    text = (tmp_path / "state.json").read_bytes()
    for offset in range(len(text) - 1):
        (tmp_path / "state.json").write_bytes(text[:offset] + bytes([text[offset] ^ 1]) + text[offset + 1:])
        assert read_state(path) is None
    for text in (b"", b"{", b"{}", b"[]", b"3", b'{"checksum":"0"}', b"\xff"):
        (tmp_path / "state.json").write_bytes(text)
        assert read_state(path) is None


def test_a_job_directory_is_private_and_of_one_request(tmp_path):
    job = JobDirectory(str(tmp_path / "jobs" / "night"))
    job.open(lambda known: {"options": ["-r"], "output": "out"})
    assert os.stat(job.path).st_mode & 0o777 == 0o700
    with pytest.raises(sortie.Error, match="another driver is at work"):
        JobDirectory(job.path).open(lambda known: {})
    assert job.is_driven()
    job.close()
    assert not job.is_driven()
    # A request of which nothing was done may be another one.
    job.open(lambda known: {"options": ["-k1"], "output": "out"})
    job.write("formed/000000.json", {})
    job.close()
    with pytest.raises(sortie.Error, match="holds a job with other options: give its command again"):
        JobDirectory(job.path).open(lambda known: {"options": [], "output": "out"})


@pytest.mark.parametrize("name", ["parts", "shards", "report.json", "request.json", "manifest"])
def test_a_directory_is_no_job_for_its_names(tmp_path, name):
    (tmp_path / name).mkdir(mode=0o755)
    (tmp_path / name / "p-0").write_text("mine")
    mode = os.stat(tmp_path).st_mode
    with pytest.raises(sortie.Error, match=f"holds '{name}', and no job that could go on"):
        JobDirectory(str(tmp_path)).open(lambda known: {})
    assert (tmp_path / name / "p-0").read_text() == "mine"
    assert os.listdir(tmp_path) == [name] and os.stat(tmp_path).st_mode == mode


def test_a_file_or_a_link_is_no_job_directory(tmp_path):
    (tmp_path / "file").write_text("mine")
    (tmp_path / "link").symlink_to(tmp_path)
    for name in ("file", "link"):
        with pytest.raises(sortie.Error, match="is no directory: name another with --job"):
            JobDirectory(str(tmp_path / name)).open(lambda known: {})
    assert os.stat(tmp_path / "file").st_mode & 0o777 == 0o644


def test_a_directory_with_other_files_becomes_no_job(tmp_path):
    (tmp_path / "letter").write_text("dear")
    with pytest.raises(sortie.Error, match="holds 'letter', and no job that could go on"):
        JobDirectory(str(tmp_path)).open(lambda known: {})
    assert (tmp_path / "letter").read_text() == "dear"


def test_estimates_follow_sizes_and_speeds_and_warn_of_small_slices():
    gigabyte = 10**9
    shards = [Shard(i, "a", i * gigabyte, (i + 1) * gigabyte, gigabyte, i * gigabyte) for i in range(100)]
    plan = JobPlan(shards, 100, 4 * gigabyte, 1)
    alone = estimate(plan, 1, Speeds(gigabyte, gigabyte, None))
    assert alone.seconds["form"] == 200 and alone.seconds["merge"] > 200
    assert estimate(plan, 10, Speeds(gigabyte, gigabyte, None)).seconds["form"] == 20
    assert estimate(plan, 10, Speeds(gigabyte, gigabyte, gigabyte / 2)).seconds["form"] == 40
    assert "warning: merges read 10% of the runs twice" in str(alone)
    tiny = plan._replace(shards=[Shard(0, "a", 0, None, 1000, 0)], ranges=2)
    assert estimate(tiny, 1, Speeds(gigabyte, gigabyte, None)).twice == 1
    assert "warning" not in str(estimate(plan._replace(ranges=20), 1, Speeds(gigabyte, gigabyte, None)))
    on_disks = estimate(plan, 10, Speeds(gigabyte, gigabyte, gigabyte), 2)
    assert "copy" not in on_disks.seconds and "at most" not in str(on_disks)
    twice = estimate(plan, 10, Speeds(gigabyte, gigabyte, gigabyte), 2, is_copied=True, later_sorts=1)
    assert twice.at_most == {"copy", "by place"} and "in all    at most " in str(twice)
    assert on_disks.seconds["form"] == 20
    # Nine tenths are copied: read, written and read again.
    assert on_disks.seconds["merge"] == pytest.approx(10 * (1.1 + 0.9 * 1.1 * 2 + 1), rel=0.01)
    assert "on the disk of each of 10 nodes 10 GB of runs and 1.8 GB of what is merged there" in str(on_disks)
