"""Joins of two files, and sets of several."""

import csv
import json
import pickle

import pytest

import sortie


@pytest.fixture
def tables(tmp_path):
    """Two tables of CSV, as paths."""
    left, right = tmp_path / "left.csv", tmp_path / "right.csv"
    left.write_text("id,name\n2,b\n1,a\n3,c\n")
    right.write_text("price,key\n5,3\n7,1.0\n9,1\n")
    return left, right


def rows_of(path):
    with open(path, newline="") as file:
        return list(csv.reader(file))


def test_a_join_is_what_the_command_does(tables, tmp_path):
    out = tmp_path / "out.csv"
    report = sortie.join_files(*tables, out, format="csv", keys="id:n", right_keys="key", memory="1MB", threads=2)
    assert rows_of(out) == [["id", "name", "price"], ["1", "a", "7"], ["1", "a", "9"], ["3", "c", "5"]]
    assert report.output_records == 3
    assert report.left.input_records == report.right.input_records == 3
    assert "3 records" in repr(report)


def test_a_join_tells_what_both_sorts_and_the_whole_did(tables, tmp_path):
    files = {name: tmp_path / name for name in ("trace", "stats_json", "report")}
    report = sortie.join_files(*tables, tmp_path / "out", format="csv", keys="id:n", right_keys="key", **files)
    assert json.loads(files["stats_json"].read_text()) == report.to_dict()
    assert json.loads(files["trace"].read_text())["traceEvents"]
    assert "joined in" in files["report"].read_text()
    assert [sort.name for sort in report.sorts] == ["left input", "right input"]
    assert [phase.name for phase in report.phases] == ["starting", "sorting both inputs", "joining"]
    assert report.to_dict()["left"] == report.left.to_dict()
    assert "\njoin\noutput     3 rows" in str(report)
    again = pickle.loads(pickle.dumps(report))
    assert (again.left.input_records, again.elapsed_seconds, str(again)) == (3, report.elapsed_seconds, str(report))


def test_a_join_is_planned_without_being_made(tables, tmp_path):
    plan = sortie.plan_join_files(*tables, tmp_path / "out", format="csv", keys="id:n", right_keys="key", memory="1MB")
    assert plan.startswith("join          1.00 MB: ") and "\n\nleft input\n" in plan and "\n\nright input\n" in plan
    assert not (tmp_path / "out").exists()
    with pytest.raises(TypeError, match="unexpected keyword argument 'progress'"):
        sortie.plan_join_files(*tables, keys="id", progress=True)
    with pytest.raises(TypeError, match="unexpected keyword argument 'bogus'"):
        sortie.plan_join_files(*tables, keys="id", bogus=True)


def test_a_record_with_too_many_fields_is_named(tables, tmp_path):
    tables[1].write_text("price,key\n5,3\n7,1,2\n")
    with pytest.raises(sortie.Error, match="right.csv': record 3 has 3 fields, and the input 2 columns"):
        sortie.join_files(*tables, tmp_path / "out", format="csv", keys="id", right_keys="key")


@pytest.mark.parametrize("how, ids", [("left", ["1", "1", "2", "3"]), ("right", ["1", "1", "3"]), ("anti", ["2"]),
                                      ("full", ["1", "1", "2", "3"])])
def test_kinds_of_joins(tables, tmp_path, how, ids):
    out = tmp_path / "out.csv"
    sortie.join_files(*tables, out, format="csv", keys=["id:n"], right_keys=["key"], how=how, select="id,right.price",
                      empty="none")
    rows = rows_of(out)
    assert rows[0] == ["id", "price"]
    assert [row[0] for row in rows[1:]] == ids
    assert how not in ("left", "anti") or ["2", "none"] in rows


def test_a_join_refuses_what_makes_no_sense(tables, tmp_path):
    left, right = tables
    out = tmp_path / "out"
    with pytest.raises(TypeError, match="unexpected keyword argument 'unique'"):
        sortie.join_files(left, right, out, keys="1,1", unique=True)
    with pytest.raises(sortie.Error, match="how"):
        sortie.join_files(left, right, out, keys="1,1", how="outer")
    with pytest.raises(sortie.Error, match="no argument|unknown|many|few|not of the same types"):
        sortie.join_files(left, right, out, keys="1,1", right_keys="1,1n")
    with pytest.raises(TypeError, match="unexpected keyword argument 'bogus'"):
        sortie.join_files(left, right, out, keys="1,1", bogus=1)
    assert not out.exists()


def test_progress_and_warnings_come_as_from_a_sort(tables, tmp_path):
    phases = []
    sortie.join_files(*tables, tmp_path / "out", keys="1,1", separator=",",
                      progress=lambda phase, done, total: phases.append(phase))
    assert "sorting both inputs" in phases


@pytest.mark.parametrize("operation, expected", [("union", "a\nb\nc\n"), ("intersect", "b\n"), ("except", "a\n"),
                                                 ("symmetric", "a\nc\n")])
def test_inputs_are_sets(tmp_path, operation, expected):
    for name, text in (("x", "b\na\nb\n"), ("y", "c\nb\n")):
        (tmp_path / name).write_text(text)
    sortie.sort_files([tmp_path / "x", tmp_path / "y"], tmp_path / "out", set_operation=operation)
    assert (tmp_path / "out").read_text() == expected


def test_one_input_is_no_set(tmp_path):
    (tmp_path / "x").write_text("a\n")
    with pytest.raises(sortie.Error, match="name two files at least"):
        sortie.sort_files(tmp_path / "x", tmp_path / "out", set_operation="union")
    with pytest.raises(sortie.Error, match="set_operation"):
        sortie.sort_files(tmp_path / "x", tmp_path / "out", set_operation="minus")
