"""What shards assume without being told is added up, told once, and refused by a strict sort."""

import json

import pytest
from cluster_jobs import Jobs

from sortie.cluster.formed import all_assumed, refuse_assumed
from sortie.cluster.python_arguments import as_argument, as_options


@pytest.fixture
def jobs(tmp_path):
    jobs = Jobs(tmp_path)
    for path in jobs.inputs[:2]:
        lines = path.read_text().splitlines()
        path.write_text("".join(line + "\n" for i, line in enumerate(lines) for line in ([line, "never"] if i % 500 == 0
                                                                                         else [line])))
    return jobs


def test_unread_keys_of_all_shards_are_one_line(jobs):
    told = jobs.run("-k1,1:time(s)")
    assert told.returncode == 0, told.stderr
    records = sum(len(path.read_text().splitlines()) for path in jobs.inputs)
    warning = f"no time could be read in 8 of {records} records, the first at {jobs.inputs[0]}:2 'never'"
    assert told.stderr.count(warning) == 1 and told.stderr.count("warning") == 1
    [assumption] = json.loads((jobs.job / "report.json").read_text())["report"]["assumptions"]
    assert (assumption["kind"], assumption["count"], assumption["of"]) == ("unread-time", 8, records)


def test_a_strict_sort_leaves_the_output(jobs):
    jobs.output.write_text("before")
    told = jobs.run("-k1,1:time(s)", "--strict", "--attempts=1")
    assert told.returncode == 2 and "no time could be read" in told.stderr
    assert jobs.output.read_text() == "before"


def told_of(count, of, **others):
    return {"kind": "empty-key", "subject": "column 'a'", "some": "", "all": "it is empty in all of {of}",
            "only_if_all": True, "count": count, "of": of, "first_place": "a:1", "only_with": "", **others}


def test_what_is_so_of_one_shard_is_not_so_of_all():
    assumed = [told_of(10, 10)]
    assert all_assumed(assumed, 20) == []
    refuse_assumed(all_assumed(assumed, 20))
    assumed.append(told_of(10, 10))
    assert [told["message"] for told in all_assumed(assumed, 20)] == ["it is empty in all of 20"]


def zoned(lines, zone):
    return "".join(f"2020-01-0{1 + number % 9}T00:00:00{zone}\n" for number in range(lines))


def test_times_without_a_zone_are_told_if_another_shard_has_times_with_one(jobs):
    for path, zone in zip(jobs.inputs, ("Z", "", "Z")):
        path.write_text(zoned(500, zone))
    told = jobs.run("-k1,1:time", "--quiet", "--attempts=1")
    message = (f"sortie-cluster: warning: key 1: 500 of 1500 records have a time without a zone, the first at "
               f"{jobs.inputs[1]}:1 '2020-01-01T00:00:00', and others have one; it is taken to be in UTC: say which "
               "zone it is with --zone\n")
    assert (told.returncode, told.stderr) == (0, message)


def test_errors_and_warnings_name_what_helps(jobs):
    """The command line names the option, and sort_files() the argument."""
    jobs.inputs[0].write_text("2020-01-01T00:00:00 a\n2020-01-01T00:00:00 EST b\n" + "2020-01-01T00:00:00Z\n" * 9)
    jobs.inputs[1].write_text("2020-01-01T00:00:00Z\n")
    told = jobs.run("-k1,2:time", "--quiet", "--attempts=1", "--strict")
    assert told.returncode == 2 and "EST" not in told.stderr.replace("'2020-01-01T00:00:00 EST b'", ""), told.stderr
    assert told.stderr.rstrip().endswith("with --zone"), told.stderr


@pytest.mark.parametrize("advice, words", [
    (" with zone=", " with --zone"), (" with year=", " with --year"), ("", ""),
    (', with quote="csv" or quote="none"', ", with --quote=csv or --quote=none"),
    (" with header_lines=N, of which the comment is the first record",
     " with --header=N, of which the comment is the first record")])
def test_advice_is_that_of_the_command(advice, words):
    assert as_options(advice) == words and as_argument(words).replace("'", '"') == advice


@pytest.mark.parametrize("zones, options, status", [
    (("", "", ""), ["--strict"], 0), (("Z", "Z", "Z"), ["--strict"], 0), (("Z", "", "Z"), ["--strict"], 2),
    (("Z", "", "Z"), ["--strict", "--zone=UTC"], 0)])
def test_times_of_one_kind_or_with_the_zone_that_is_asked_for_assume_nothing(jobs, zones, options, status):
    for path, zone in zip(jobs.inputs, zones):
        path.write_text(zoned(500, zone))
    told = jobs.run("-k1,1:time", "--quiet", "--attempts=1", *options)
    assert told.returncode == status and ("have a time without a zone" in told.stderr) == (status == 2), told.stderr
    assert jobs.output.exists() == (status == 0)
