"""sort_parquet() with JSON Lines: columns and types, what is assumed of them, and how errors name lines."""

import gzip
import json
import pickle
import subprocess
import sys

import pytest

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed (every test of this file)")
import pyarrow.parquet as pq  # noqa: E402

import sortie  # noqa: E402
from sortie.inputs.json_input import open_json  # noqa: E402
from sortie.inputs.json_lines import Block, names_in  # noqa: E402
from table_files import COMMAND, SCHEMA, in_order, shuffled  # noqa: E402


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def write(name, *lines):
    with open(name, "w") as file:
        file.writelines(f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in lines)
    return name


def table(inputs, **options):
    sortie.sort_parquet(inputs, "out.parquet", **{"by": "a", **options})
    return pq.read_table("out.parquet")


def refusal(inputs, output="out.parquet", **options):
    with pytest.raises(sortie.Error) as caught:
        sortie.sort_parquet(inputs, output, **{"by": "a", **options})
    return str(caught.value)


def many(count=110_000, **more):
    """Lines of more than the first 4 MiB."""
    return [{"a": count - row, "s": "x" * 30, **more} for row in range(count)]


@pytest.mark.parametrize("suffix", [".jsonl", ".ndjson", ".jsonl.gz", ".jsonl.zst", ".NDJSON.ZST"])
def test_a_table_goes_through_json_lines_and_back(suffix):
    rows = shuffled(2000)
    pq.write_table(rows, "in.parquet")
    report = sortie.sort_parquet("in.parquet", f"out{suffix}", by="key")
    assert report.to_arrow().to_pylist() == in_order(rows)
    sortie.sort_parquet(f"out{suffix}", "out.parquet", by=[("key", "descending")])
    back = pq.read_table("out.parquet")
    assert back["key"].to_pylist() == sorted(rows["key"].to_pylist(), reverse=True)
    assert back.schema.field("place").type == SCHEMA.field("place").type


def test_lines_are_read_by_other_readers():
    values = {"a": [1, 2], "text": ['q"\\\n\x01é\u2028', None], "f": [1.0, -0.0], "e": [1e300, 2.5],
              "u": pa.array([2**64 - 1, 0], pa.uint64()),
              "d": pa.array([1, 2], pa.decimal128(9, 2)), "n": pa.nulls(2), "b": [b"abc", None], "bool": [True, None],
              "t": pa.array([1, 2], pa.timestamp("us", "UTC")), "day": pa.array([1, None], pa.date32()),
              "m": pa.array([[("k", 1), ("l", None)], None], pa.map_(pa.string(), pa.int32())),
              "l": [[1.5, None], []], "fixed": pa.array([[1, 2], None], pa.list_(pa.int8(), 2)),
              "s": [{"x": [{"y": "z"}]}, None], "c": pa.array(["u", "v"]).dictionary_encode(),
              "h": pa.array([0.5, None], pa.float16())}
    pq.write_table(pa.table(values), "in.parquet")
    sortie.sort_parquet("in.parquet", "out.jsonl", by="a")
    first, second = (json.loads(line) for line in open("out.jsonl"))
    assert first == {"a": 1, "text": 'q"\\\n\x01é\u2028', "f": 1.0, "e": 1e300, "u": 2**64 - 1, "d": 1.0, "n": None,
                     "b": "abc", "bool": True,
                     "t": "1970-01-01 00:00:00.000001Z", "day": "1970-01-02", "m": {"k": 1, "l": None},
                     "l": [1.5, None], "fixed": [1, 2], "s": {"x": [{"y": "z"}]}, "c": "u", "h": 0.5}
    assert second == {**dict.fromkeys(values), "a": 2, "f": -0.0, "e": 2.5, "u": 0, "d": 2.0,
                      "t": "1970-01-01 00:00:00.000002Z", "l": [], "c": "v"}
    assert '"f":1.0,' in open("out.jsonl").read()


@pytest.mark.parametrize("rows", [2, 0])
def test_a_report_reads_what_was_written(rows):
    written = pa.table({"a": pa.array([1, 2], pa.int8()), "d": pa.array(["1.50", None]).cast(pa.decimal128(9, 2)),
                        "n": pa.nulls(2),
                        "f": pa.array([0.5, 1e30], pa.float32()),
                        "l": pa.array([[1], None], pa.list_(pa.uint16()))}).slice(0, rows)
    pq.write_table(written, "in.parquet")
    report = sortie.sort_parquet("in.parquet", "out.jsonl", by="a")
    for same in (report, pickle.loads(pickle.dumps(report))):
        assert same.to_arrow().to_pylist() == written.to_pylist() and same.schema.types == written.schema.types
    write("out.jsonl", {"a": "x"})
    assert report.to_arrow().to_pylist() == [{"a": "x"}]


def test_columns_of_one_name_are_refused():
    write("in.csv", "a,b,b", "1,2,3")
    assert refusal("in.csv", "out.jsonl") == ("several columns are called 'b', and an object of JSON in 'out.jsonl' "
                                              "has a name once: rename them, or let the name of the output end in "
                                              ".arrow")


@pytest.mark.parametrize("column, told", [
    ([0.5, float("nan")], "column 'v' cannot be written as JSON Lines: JSON has no NaN and no infinity; cast it, or "
                          "let the name of the output end in .parquet"),
    ([b"\xff", b""], "column 'v' cannot be written as JSON Lines: Invalid UTF8"),
    (pa.array([[("k", 1)], [("k", 1), ("l", 2), ("k", 3)]], pa.map_(pa.string(), pa.int32())),
     "column 'v' cannot be written as JSON Lines: an object of JSON has a name once, and 'k' is there twice; cast it, "
     "or let"),
    (pa.array([[[("k", 1)]], [None, [], [("l", 2), ("l", 3)]]], pa.list_(pa.map_(pa.string(), pa.int32()))),
     "column 'v' cannot be written as JSON Lines: an object of JSON has a name once, and 'l' is there twice; cast it, "
     "or let"),
    (pa.StructArray.from_arrays([pa.array([1, 2]), pa.array([3, 4])], ["x", "x"]),
     "column 'v' is of type struct<x: int64, x: int64>, which "
                                                                                   "cannot be written to 'out.jsonl': "
     "cast it, or let"),
    (pa.array([[(1, 2)], []], pa.map_(pa.int32(), pa.int32())),
     "column 'v' is of type map<int32, int32 ('v')>, which cannot be written to "
                                                                "'out.jsonl': cast it, or let the name of the output "
     "end in .arrow")])
def test_what_json_has_not_is_refused_and_leaves_the_output(column, told):
    pq.write_table(pa.table({"a": [1, 2], "v": column}), "in.parquet")
    write("out.jsonl", "before")
    assert told in refusal("in.parquet", "out.jsonl")
    assert open("out.jsonl").read() == "before\n"


def test_types_are_those_of_json():
    write("in.jsonl", '{"a": 2, "t": "2024-01-31", "f": 1, "o": {"x": 1}}', "",
          '{"a": 1, "f": 2.5, "o": {"y": [null, true]}, "late": null}')
    found = table("in.jsonl")
    assert [str(found.schema.field(name).type) for name in ("a", "t", "f", "late")] == ["int64", "string", "double",
                                                                                        "null"]
    assert found.to_pylist() == [{"a": 1, "t": None, "f": 2.5, "o": {"x": None, "y": [None, True]}, "late": None},
                                 {"a": 2, "t": "2024-01-31", "f": 1.0, "o": {"x": 1, "y": None}, "late": None}]


@pytest.mark.parametrize("numbers, kind", [
    (["18446744073709551615", "1"], "uint64"), (["-1", "18446744073709551615"], "decimal128(38, 0)"),
    (["9223372036854775807", "-5"], "int64"), (["99999999999999999999", "1"], "decimal128(38, 0)")])
def test_integers_beyond_64_bits_lose_nothing(numbers, kind):
    write("in.jsonl", *(f'{{"a": {number}, "l": [{{"x": {number}}}]}}' for number in numbers))
    found = table("in.jsonl")
    assert str(found.schema.field("a").type) == kind
    assert [int(number) for number in found["a"].to_pylist()] == sorted(map(int, numbers))
    assert sorted(int(row[0]["x"]) for row in found["l"].to_pylist()) == sorted(map(int, numbers))


def test_integers_that_a_double_rounds_are_counted():
    write("in.jsonl", '{"a": 1.5}', '{"a": 9007199254740992}', '{"a": 9007199254740993}')
    said = []
    report = sortie.sort_parquet("in.jsonl", "out.parquet", by="a", warn=said.append)
    assert said == ["column 'a': 1 of 3 records have a number that is rounded to a double, the first at in.jsonl: line "
                    "3 ‘9007199254740993’: give a file in which the column is text or decimal, such as one of Parquet"]
    assert report.assumptions[0].kind == "rounded-number"
    assert "rounded to a double" in refusal("in.jsonl", strict=True)


@pytest.mark.parametrize("number", ["0.1234567890123456789012345", "1e-400", "1e-99999999999999999999999",
                                    "1.00000000000000000001E5", "9007199254740993", "-0.3000000000000000166"])
def test_numbers_that_a_double_rounds_are_counted(number):
    exact = ['{"a": 0.1, "s": {"l": [1e300]}}',
             '{"a": 0.30000000000000004, "i": 1234567890123456789, "t": "0.1234567890123456789012345"}',
             '{"a": 1e-5, "s": {"i": 9007199254740993}}']
    write("in.jsonl", *exact)
    assert table("in.jsonl", strict=True)["a"].to_pylist() == [1e-5, 0.1, 0.30000000000000004]
    write("in.jsonl", *exact, f'{{"a": 1, "s": {{"l": [{number}]}}}}')
    said = []
    sortie.sort_parquet("in.jsonl", "out.parquet", by="a", warn=said.append)
    assert said == ["column 's': 1 of 4 records have a number that is rounded to a double, the first at in.jsonl: "
                    f"line 4 ‘{number}’: give a file in which the column is text or decimal, such as one of Parquet"]
    assert "rounded to a double" in refusal("in.jsonl", strict=True)


def test_numbers_of_fewer_bits_are_looked_at_as_such():
    pq.write_table(pa.table({"a": pa.array([0.5], pa.float32())}), "in.parquet")
    write("in.jsonl", '{"a": 0.1}', '{"a": 1.5e10}', '{"a": 16777216.0}')
    assert table(["in.parquet", "in.jsonl"], strict=True).num_rows == 4
    write("in.jsonl", '{"a": 0.1}', '{"a": 16777217.0}')
    assert "in.jsonl: line 2 ‘16777217.0’" in refusal(["in.parquet", "in.jsonl"], strict=True)
    write("in.jsonl", '{"a": 0.1}', '{"a": 1e39}')
    assert "column 'a' of 'in.jsonl' is of type double in line 2, and of type float in the table: " in refusal(["in.parquet", "in.jsonl"])
    pq.write_table(pa.table({"a": pa.array([0.5], pa.float16())}), "in.parquet")
    assert "column 'a' of 'in.jsonl' is of type double, and of 'in.parquet' of type halffloat" in refusal(["in.parquet",
                                                                                                           "in.jsonl"])
    pq.write_table(pa.table({"a": pa.array(["1.5"]).cast(pa.decimal128(9, 2))}), "in.parquet")
    write("in.jsonl", '{"a": 1.250}', '{"a": 1e2}', '{"a": 1.234}')
    assert "column 'a' of 'in.jsonl' is of type double in line 3, and of type decimal128(9, 2) in the table: " in refusal(
        ["in.parquet", "in.jsonl"])


@pytest.mark.parametrize("value, told", [
    ("1.0e309", "number 1.0e309 of column 'a.x' in line 2 of 'in.jsonl' is larger than doubles are: write it as a "
     "text, or leave it out"),
    ("-1e400", "number -1e400 of column 'a.x' in line 2 of 'in.jsonl' is larger than doubles are"),
    ("NaN", "line 2 of 'in.jsonl' is not one object of JSON: JSON has no NaN; "),
    ("-Infinity", "JSON has no -Infinity; "), ("Inf", "line 2 of 'in.jsonl' is not one object of JSON: "),
    (r'"\ud800"', r"column 'a' in line 2 of 'in.jsonl' has '\ud800', which is one half of a pair and no character: "
     r"write both halves"),
    (r'{"\ud800": 1}', r"column 'a' in line 2 of 'in.jsonl' has '\ud800', which is one half")])
@pytest.mark.parametrize("before", ["1.5", "null", "0.1234567890123456789"])
def test_values_that_are_not_of_json_name_the_line(before, value, told):
    with open("in.jsonl", "w") as file:
        file.write(f'{{"a": {{"x": {before}}}}}\n{{"a": {{"x": {value}}}}}\n')
    assert told in refusal("in.jsonl")
    write("in.jsonl", r'{"a": "\ud83d\ude00", "b": "\\ud800"}')
    assert table("in.jsonl").to_pylist() == [{"a": "\U0001f600", "b": r"\ud800"}]


def test_values_that_are_not_of_json_name_the_line_behind_the_sample():
    for value, told in (("1e309", "number 1e309 of column 'a' in line 110001 of "), ("NaN", "line 110001 of "),
                        ("null}\nnull\n{", "line 110002 of 'in.jsonl' is no object")):
        write("in.jsonl", *many(f=1.5), f'{{"a": {value}}}')
        assert told in refusal("in.jsonl")
        write("in.jsonl", *many(), f'{{"a": {value}}}')
        assert told in refusal("in.jsonl")


@pytest.mark.parametrize("text, told", [
    ('{"a": 1}\n{"a": "x"}\n', "column 'a' of 'in.jsonl' is of type string in line 2, and of type int64 in front of "
                               "it: make all values of one kind"),
    ('{"a": [1, "x"]}\n', "column 'a[]' of 'in.jsonl' is of type string in line 1, and of type int64 in front of it: "
     "make all"),
    ('{"a": {"x": 1}}\n\n{"a": {"x": true}}\n',
     "column 'a.x' of 'in.jsonl' is of type bool in line 3, and of type int64 in front of it: make all"),
    ('{"a": 1}{"a": 2}\n', "line 1 of 'in.jsonl' is not one object of JSON: Extra data at character 9; JSON Lines has "
     "one object on each line"),
    ('{"a": 1, "a": 2}\n', "line 1 of 'in.jsonl' is not one object of JSON: 'a' is there twice; "),
    ('{"a": 1}\n[1]\n', "line 2 of 'in.jsonl' is no object of JSON: JSON Lines has one object on each line, with the "
     "names of the columns"),
    ('{\n"a": 1\n}\n', "line 1 of 'in.jsonl' is not one object of JSON: "),
    ('{"a": 1}\n{"a": \n', "line 2 of 'in.jsonl' is not one object of JSON: "),
    ('{"a": 1}\n{"a": 01}\n', "line 2 of 'in.jsonl' is not one object of JSON: "),
    ('{"a": 1}\n{"a": ' + "[" * 100_000 + "]" * 100_000 + "}",
     "line 2 of 'in.jsonl' is nested more than 100 levels deep, which no table is: "
                                                               "leave the line out"),
    ('{"a":' * 200 + "1" + "}" * 200, "line 1 of 'in.jsonl' is nested more than 100 levels deep"),
    ('{"a": 1, "b": ' + '{"}":' * 50_000 + "1" + ',"{": 0}' * 50_000 + "}",
     "line 1 of 'in.jsonl' is nested more than 100 levels deep"),
    ('{"a": 1}\n{"a": 1, "b": ' + '{"}":' * 3000 + "1" + ',"{": 0}' * 3000 + "}",
     "line 2 of 'in.jsonl' is nested more than 100 levels deep"),
    ("null\n", "line 1 of 'in.jsonl' is no object of JSON: JSON Lines has one object on each line, with the names of "
     "the columns"),
    ('\n{"a": 1}\n \n null\n{"a": 2}\n', "line 4 of 'in.jsonl' is no object of JSON: "),
    ('{"a": 1}\n"x"', "line 2 of 'in.jsonl' is no object of JSON: "),
    ('{"a": 1}{"a": 2}\n\n', "line 1 of 'in.jsonl' is not one object of JSON: Extra data at character 9"),
    ('{"a": 1}\n\x0b\n', "line 2 of 'in.jsonl' is not one object of JSON: "),
    ("", "key 'a': 'in.jsonl' has no such column"),
])
def test_errors_name_the_line(text, told):
    with open("in.jsonl", "w") as file:
        file.write(text)
    assert told in refusal("in.jsonl")


def test_lines_that_are_not_utf8_or_too_long_are_told():
    with open("in.jsonl", "wb") as file:
        file.write(b'{"a": "x"}\n{"a": "\xe9"}\n')
    assert refusal("in.jsonl") == "line 2 of 'in.jsonl' is not UTF-8: let the file be in UTF-8"
    write("in.jsonl", {"a": "x"}, {"a": "y" * (21 << 20)})
    assert refusal("in.jsonl") == "line 2 of 'in.jsonl' is longer than 16 MiB: JSON Lines has one object on each line"
    write("in.jsonl", {"a": "y" * (5 << 20)}, {"a": "[{" * 1000})
    assert table("in.jsonl", schema="union")["a"].to_pylist() == ["[{" * 1000, "y" * (5 << 20)]


def test_a_packed_file_that_is_cut_short_is_an_error():
    whole = gzip.compress(b"".join(b'{"a": %d}\n' % (row * 7919 % 10007) for row in range(10007)))
    with open("in.jsonl.gz", "wb") as file:
        file.write(whole[:len(whole) // 2])
    assert refusal("in.jsonl.gz").startswith("cannot read 'in.jsonl.gz': ")


def test_types_of_the_first_rows_are_an_assumption_that_a_union_does_not_need():
    write("in.jsonl", *many())
    said = []
    report = sortie.sort_parquet("in.jsonl", "out.parquet", by="a", warn=said.append)
    assert said == ["1 of 1 inputs are JSON Lines of which the first 4 MiB tell columns and types, the first at "
                    "'in.jsonl': give "
                    'schema="union", by which files are read for their types first']
    assert [(told.kind, told.count) for told in report.assumptions] == [("json-sample", 1)]
    assert refusal("in.jsonl", strict=True).endswith(said[0])
    assert table("in.jsonl", strict=True, schema="union")["a"].to_pylist() == list(range(1, 110_001))


@pytest.mark.parametrize("last, told, type_of_all", [
    ({"a": 1.5}, "column 'a' of 'in.jsonl' is of type double in line 110001, and of type int64 in the first 4 MiB: ",
     "double"),
    ({"c": 1}, "column 'c' of 'in.jsonl' is of type int64 in line 110001, and is not in the first 4 MiB: ", "int64"),
    ({"n": {"x": "y"}}, "column 'n' of 'in.jsonl' is of type struct<x: string> in line 110001, and of type null in the "
     "first 4 MiB: ",
     "struct<x: string>"),
    ({"o": {"k": 1, "new": 1}}, "column 'o.new' of 'in.jsonl' is of type int64 in line 110001, and is not in the first "
     "4 MiB: ",
     "struct<k: int64, new: int64>"),
])
def test_later_values_that_do_not_fit_are_errors_unless_all_is_read_before(last, told, type_of_all):
    write("in.jsonl", *many(n=None, o={"k": 0}), last)
    message = refusal("in.jsonl")
    assert message.startswith(told + 'give schema="union", by which files are read for their types first')
    found = table("in.jsonl", schema="union", strict=True)
    assert found.num_rows == 110_001 and str(found.schema.field(list(last)[0]).type) == type_of_all


def test_rows_of_many_columns_are_read_in_small_batches():
    write("in.jsonl", *({"a": 20_000 - row, "o": {f"c{row % 600}": row}} for row in range(20_000)), "", {"a": "x"})
    told = "column 'a' of 'in.jsonl' is of type string in line 20002, and of type int64 in front of it: "
    assert told in refusal("in.jsonl")
    write("in.jsonl", *({"a": 20_000 - row, "o": {f"c{row % 600}": row}} for row in range(20_000)))
    batches = list(open_json("in.jsonl", True).batches(True))
    assert sum(batch.num_rows for batch in batches) == 20_000 and max(batch.nbytes for batch in batches) <= 5 << 20
    assert table("in.jsonl")["o"].to_pylist()[0]["c199"] == 19_999


def test_texts_among_numbers_are_errors_whatever_is_read_before():
    write("in.jsonl", *many(), {"a": "x"})
    told = "column 'a' of 'in.jsonl' is of type string in line 110001, and of type int64 in "
    assert refusal("in.jsonl") == told + "the first 4 MiB: make all values of one kind"
    assert refusal("in.jsonl", schema="union") == told + "front of it: make all values of one kind"


def test_files_with_other_columns_and_types_follow_the_schema():
    write("1.jsonl", {"a": 1, "v": 1})
    write("2.jsonl", {"a": 2, "v": 2.5, "w": "x"})
    write("3.jsonl")
    assert refusal(["1.jsonl", "2.jsonl"]) == ("'1.jsonl' has no column 'w', which '2.jsonl' has: let all inputs have "
                                               "the same columns, or give "
                                               'schema="union"')
    assert table(["1.jsonl", "2.jsonl", "3.jsonl"], schema="union").to_pylist() == [
        {"a": 1, "v": 1.0, "w": None}, {"a": 2, "v": 2.5, "w": "x"}]
    assert table(["3.jsonl", "1.jsonl"]).to_pylist() == [{"a": 1, "v": 1}]
    write("2.jsonl", {"a": 2, "v": 2.5})
    assert "column 'v' of '2.jsonl' is of type double, and of '1.jsonl' of type int64: " in refusal(["1.jsonl",
                                                                                                     "2.jsonl"])
    assert table(["2.jsonl", "1.jsonl"])["v"].to_pylist() == [1.0, 2.5]
    write("2.jsonl", {"a": 2, "v": "x"})
    assert "column 'v' of '2.jsonl' is of type string, and of '1.jsonl' of type int64, and no type holds the values of both" in refusal(
        ["1.jsonl", "2.jsonl"], schema="union")


def test_json_lines_go_with_other_formats():
    pq.write_table(pa.table({"a": pa.array([5], pa.int32()), "v": [0.5]}), "in.parquet")
    write("in.jsonl", {"a": 3, "v": 1}, {"a": 4, "v": None})
    assert table(["in.parquet", "in.jsonl"]).to_pylist() == [{"a": 3, "v": 1.0}, {"a": 4, "v": None},
                                                             {"a": 5, "v": 0.5}]
    write("in.csv", "a,v", "1,x")
    assert "column 'v' of 'in.csv' is of type string, and" in refusal(["in.jsonl", "in.csv"], schema="union")
    write("in.csv", "a,v", "1,2.5")
    assert table(["in.jsonl", "in.csv"], schema="union")["v"].to_pylist() == [2.5, 1.0, None]
    write("wide.jsonl", {"a": 1 << 40, "v": 1})
    assert "column 'a' of 'wide.jsonl' is of type int64 in line 1, and of type int32 in the table: give schema=\"union\"" in refusal(
        ["in.parquet", "wide.jsonl"])
    assert table(["in.parquet", "wide.jsonl"], schema="union")["a"].to_pylist() == [5, 1 << 40]


def test_folders_and_merges_of_json_lines(tmp_path):
    for year in (2023, 2024):
        (tmp_path / f"in/year={year}").mkdir(parents=True)
        write(f"in/year={year}/x.jsonl", {"a": year}, {"a": year + 10})
    rows = [{"a": 2023, "year": 2023}, {"a": 2024, "year": 2024}, {"a": 2033, "year": 2023}, {"a": 2034, "year": 2024}]
    assert table("in").to_pylist() == rows
    assert table("in/**/*.jsonl", merge=True).to_pylist() == rows
    report = sortie.sort_parquet("in", "parts/", by="a", partition_by="year", output_format="jsonl.gz", file_rows=1)
    assert [name.removeprefix("parts/") for name in report.files] == [
        f"year={year}/part-0000{part}.jsonl.gz" for year in (2023, 2024) for part in (0, 1)]
    assert report.to_arrow().to_pylist() == [rows[0], rows[2], rows[1], rows[3]]
    assert json.loads(gzip.decompress(open(report.files[1], "rb").read())) == {"a": 2033}


def test_json_lines_are_not_sorted_in_place():
    write("in.jsonl", {"a": 2}, {"a": 1})
    with pytest.raises(sortie.Error, match="^'in.jsonl' is JSON Lines, whose lines a table would write anew: sort it "
                       "as lines, with "
                                           'sort_files\\(\\) or sortie, and the format "jsonl"$'):
        sortie.sort_parquet_in_place("in.jsonl", by="a")


def test_the_command_says_how_all_is_read():
    write("in.jsonl", *many(), {"a": 1.5})
    command = [*COMMAND, "--key=a", "-o", "out.ndjson", "in.jsonl"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100)
    assert done.returncode == 2 and "in the first 4 MiB: give --schema=union, by which" in done.stderr
    subprocess.run([*command, "--schema=union", "--strict"], check=True, timeout=100)
    with open("out.ndjson") as file:
        assert [json.loads(next(file))["a"] for _ in range(3)] == [1.0, 1.5, 2.0]


def many_names(rows, objects, first=0):
    """Rows with lists of objects, each of which has a name of its own."""
    return [{"a": row, "l": [{f"n{(first + row * objects + number)}": 1} for number in range(objects)]}
            for row in range(rows)]


def test_lists_of_objects_with_many_names_take_bounded_memory():
    """Each object has a place for each name: as one batch these would take 600 MB."""
    write("in.jsonl", *many_names(40, 100), *({"a": row, "l": [{"n0": 2}] * 250} for row in range(40, 100)))
    program = ("import pyarrow\nfrom sortie.inputs.json_input import open_json\n"
               "print(sum(batch.num_rows for batch in open_json('in.jsonl', True).batches(True)))\n"
               "print(pyarrow.default_memory_pool().max_memory())")
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert told.returncode == 0, told.stderr
    rows, most_bytes = map(int, told.stdout.split())
    assert rows == 100 and most_bytes < 300 << 20


@pytest.mark.parametrize("first", [[], [None]])
def test_a_line_whose_lists_would_take_too_much_memory_is_refused(first):
    """Whatever the first element of the list is."""
    row, = many_names(1, 4000)
    write("in.jsonl", {"a": 1}, {**row, "l": first + row["l"]})
    assert refusal("in.jsonl") == (
        "line 2 of 'in.jsonl' has some 4001 objects in lists with 4002 names, and each would take a place for each "
        "name, 122 MiB, where memory has 64: give more memory, write such names as values, or leave the line out")


def test_the_lists_that_a_line_may_have_follow_the_memory():
    row, = many_names(1, 1060)
    write("in.jsonl", row)
    assert "8 MiB, where memory has 8: give more memory" in refusal("in.jsonl", memory="16MiB")
    assert sortie.sort_parquet("in.jsonl", "out.jsonl", by="a", memory="1GiB").memory_budget_bytes < 13 << 26
    # Its own output is read however long its lines are.
    assert sortie.sort_parquet("out.jsonl", "again.jsonl", by="a", memory="1GiB").to_arrow().num_rows == 1
    write("in.jsonl", {"a": 1, "l": [1, 2], "o": {"x": 1}})
    assert sortie.sort_parquet("in.jsonl", "out.jsonl", by="a", memory="1GiB").memory_budget_bytes > 7 << 27


@pytest.mark.parametrize("text, behind", [("x" * (12 << 20), '"l":[{"a":1}]'), ("\\n" * (6 << 20), '"l":[{"a":1}]'),
                                          ("\\\\" * (6 << 20), f'"l":{"[" * 51}{"]" * 51}, "m":{"[" * 51}{"]" * 51}')])
def test_lines_with_long_texts_are_looked_at_in_little_memory(text, behind):
    """Expressions that keep a state for each character or escape would take 700 to 1700 MB."""
    with open("in.jsonl", "w") as file:
        file.write(f'{{"k":"{text}",{behind}}}\n')
    program = ("import resource\nfrom sortie.inputs.json_lines import blocks_of, names_in\n"
               "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
               "print(sum(names_in(block) for block in blocks_of('in.jsonl')))\n"
               "print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) >> 10)")
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert told.returncode == 0, told.stderr
    names, most_megabytes = map(int, told.stdout.split())
    assert names == (3 if "a" in behind else 0) and most_megabytes < 300


@pytest.mark.parametrize("line, names", [
    ('{"a":[{"b":1}]}', 2), ('{"a":[null, \t{"b":1,"c":{"d":2}}]}', 4), ('{"a":[[1],[{"b":1}]]}', 2),
    (r'{"a":[{"x\\":1,"y\"":2,"y\n":3,"y\\\"":4}]}', 5), ('{"a":{"b":1},"c":{"d":1}}', 0), ('{"a":[[1],[2]]}', 0)])
def test_names_are_counted_where_lists_hold_objects(line, names):
    assert names_in(Block.of("in.jsonl", line.encode(), 1)) == names
