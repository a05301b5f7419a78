"""What a sort assumes without being told: it warns, the report lists it, and strict=True refuses it."""

import pytest

import sortie


@pytest.fixture
def log(tmp_path):
    path = tmp_path / "app.log"
    path.write_text("2000-10-10 b\nnever\n2000-10-09 a\n")
    return path


def test_a_time_that_cannot_be_read_is_warned_of_and_reported(log, tmp_path):
    with pytest.warns(sortie.SortWarning, match=f"1 of 3 records, the first at {log}:2 .*never"):
        report = sortie.sort_files(log, tmp_path / "out", keys="1,1:time")
    [assumption] = report.assumptions
    assert (assumption.kind, assumption.count, assumption.of) == ("unread-time", 1, 3)
    assert assumption.first_place == f"{log}:2"
    assert assumption.message in str(report)
    assert report.to_dict()["assumptions"][0]["count"] == 1


def test_a_strict_sort_raises_and_leaves_the_output(log, tmp_path):
    output = tmp_path / "out"
    output.write_text("before")
    with pytest.raises(sortie.Error, match="1 of 3 records"):
        sortie.sort_files(log, output, keys="1,1:time", strict=True)
    assert output.read_text() == "before"


def test_a_strict_sort_names_the_argument_that_helps(tmp_path):
    (tmp_path / "log").write_text("Jan 1 00:00:00 a\n")
    with pytest.raises(sortie.Error, match="say which year it is with year=$") as raised:
        sortie.sort_files(tmp_path / "log", tmp_path / "out", keys="1:time", strict=True)
    assert raised.value.remedy == "year"


def test_a_sort_that_assumes_nothing_is_silent(log, tmp_path, recwarn):
    report = sortie.sort_files(log, tmp_path / "out", keys="1,1n")
    assert report.assumptions == []
    assert not recwarn


def test_a_sorter_tells_what_it_assumed():
    said = []
    with sortie.Sorter(keys="1,1:time", warn=said.append) as sorter:
        sorter.push(b"never\n2000-10-10\n")
        assert b"".join(sorter) == b"never\n2000-10-10\n"
        assert [assumption.message for assumption in sorter.report.assumptions] == said
    assert len(said) == 1


def test_a_check_warns_or_raises(log):
    with pytest.warns(sortie.SortWarning, match="1 of 3 records"):
        sortie.check_files(log, keys="1,1:time")
    with pytest.raises(sortie.Error, match="1 of 3 records"):
        sortie.check_files(log, keys="1,1:time", strict=True)


def test_both_sides_of_a_join_tell(tmp_path):
    for name in ("left", "right"):
        (tmp_path / name).write_text("2000-10-10 x\nnever y\n")
    said = []
    report = sortie.join_files(tmp_path / "left", tmp_path / "right", tmp_path / "out", keys="1,1:time",
                               warn=said.append)
    assert [report.left.assumptions[0].first_place, report.right.assumptions[0].first_place] == [
        f"{tmp_path}/left:2", f"{tmp_path}/right:2"]
    assert len(said) == 2
