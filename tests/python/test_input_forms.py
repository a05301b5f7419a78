"""Inputs as their writers meant them: JSON arrays, words for missing values, headers that differ in what does not
count."""

import gzip
import json

import pytest

import sortie


def sorted_text(tmp_path, *inputs, **options):
    paths = []
    for number, content in enumerate(inputs):
        path = tmp_path / f"in{number}"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        paths.append(path)
    sortie.sort_files(paths, tmp_path / "out", **options)
    return (tmp_path / "out").read_text()


def test_an_array_of_json_is_read_as_its_elements(tmp_path):
    values = [{"id": number * 7 % 50, "text": "a ]\n\"", "list": [1, {}]} for number in range(50)]
    expected = sorted(values, key=lambda value: value["id"])
    for document in (json.dumps(values), json.dumps(values, indent=2), gzip.compress(json.dumps(values).encode())):
        text = sorted_text(tmp_path, document, format="jsonl", keys=".id")
        assert [json.loads(line) for line in text.splitlines()] == expected
    assert text == "".join(json.dumps(value) + "\n" for value in expected)


def test_a_damaged_array_is_refused_with_its_line(tmp_path):
    with pytest.raises(sortie.Error, match="in0: line 2 ends, and the array of the document does not"):
        sorted_text(tmp_path, '[{"a":1},\n{"a":2}', format="jsonl", keys=".a")
    assert not (tmp_path / "out").exists()


def test_empty_lines_at_the_end_of_json_lines_are_left_out(tmp_path):
    text = sorted_text(tmp_path, '{"a":2}\n\n \n', '{"a":1}\n\n', format="jsonl", keys=".a")
    assert text == '{"a":1}\n{"a":2}\n'


@pytest.mark.parametrize("na", [True, "x", ["x", "y"], ("x",)])
def test_words_for_missing_values_come_last(tmp_path, na):
    text = sorted_text(tmp_path, "v\nNA\n3\n-\n-1\n\n", format="csv", keys="v:n:desc", header_lines=1, na=na)
    assert text.split() == ["v", "3", "-1", "NA", "-"]


def test_words_for_missing_values_are_not_added(tmp_path):
    table = "k,v\na,1\na,NA\na,none\n"
    options = {"format": "csv", "keys": "k", "group": ["sum:v", "count"], "header_lines": 1}
    assert sorted_text(tmp_path, table, na="none", **options) == "k,sum(v),count\na,1,3\n"
    with pytest.raises(sortie.Error, match="none. as field 2"):
        sorted_text(tmp_path, table, na=True, **options)
    with pytest.raises(sortie.Error, match="NA. as field 2"):
        sorted_text(tmp_path, table, na=False, **options)


@pytest.mark.parametrize("options, message", [
    ({}, "give a numeric key"),
    ({"keys": "1,1n", "na": ""}, "missing anyway"),
    ({"format": "u64"}, "na is for lines"),
    ({"shuffle": True}, "options that order do not go with shuffle")])
def test_words_for_missing_values_need_numbers(tmp_path, options, message):
    with pytest.raises(sortie.Error, match=message):
        sorted_text(tmp_path, "12345678", **{"na": True, **options})


def test_headers_are_one_if_their_names_are(tmp_path):
    options = {"format": "csv", "keys": "id:n", "header_lines": 1}
    assert sorted_text(tmp_path, "id,name\n2,b\n", '"id", name \r\n1,a\n', **options) == "id,name\n1,a\n2,b\n"
    with pytest.raises(sortie.Error, match="in1 has another header than .*in0: its column 2 is .nam., not .name."):
        sorted_text(tmp_path, "id,name\n2,b\n", "id,nam\n1,a\n", **options)


def test_comments_stand_in_front_of_the_header_of_csv(tmp_path):
    text = sorted_text(tmp_path, "#x\nid\n2\n", "#y\nid\n1\n", format="csv", keys="id:n", header_lines="auto")
    assert text == "#x\nid\n1\n2\n"


def test_headers_of_vcf_are_merged(tmp_path):
    begin, end = "##fileformat=VCFv4.2\n", "#CHROM\tPOS\n"
    text = sorted_text(tmp_path, f"{begin}##fileDate=1\n{end}chr2\t1\n",
                       f"{begin}##fileDate=2\n##INFO=<ID=A>\n{end}chr1\t1\n", format="vcf")
    assert text == f"{begin}##fileDate=1\n##INFO=<ID=A>\n{end}chr1\t1\nchr2\t1\n"
