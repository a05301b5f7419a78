"""sort_parquet() with CSV and Arrow files, read and written."""

import gzip
import os
import struct

import pytest

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed (every test of this file)")
import pyarrow.csv  # noqa: E402
import pyarrow.ipc  # noqa: E402
import pyarrow.parquet as pq  # noqa: E402
from table_files import in_order, read, shuffled, write  # noqa: E402

import sortie  # noqa: E402


@pytest.mark.parametrize("suffix", [".csv", ".csv.gz", ".arrow", ".feather", ".parquet"])
@pytest.mark.parametrize("output_suffix", [".csv", ".csv.gz", ".arrow", ".feather", ".parquet"])
def test_suffixes_tell_the_formats(tmp_path, suffix, output_suffix):
    table = shuffled(1000).select(["key", "text"])
    source, target = tmp_path / f"in{suffix}", tmp_path / f"out{output_suffix}"
    write(table, source)
    sortie.sort_parquet(source, target, by="key")
    keys = [row["key"] for row in in_order(table)]
    assert read(target)["key"].to_pylist() == keys
    assert read(target)["text"].to_pylist()[500] in (f"row {keys[500]}", None, "")


def test_texts_of_csv_come_out_as_they_were(tmp_path):
    texts = ["007", "12345678901234567890", "NA", "1.50", "2026-1-1", "two\nlines", 'a ""word""', "", "null"]
    rows = [f'{i % 3:03},"{text}",{i}' for i, text in enumerate(texts)]
    (tmp_path / "in.csv").write_text("\n".join(["n,text,place", *rows, "2.50,,9"]) + "\n")
    sortie.sort_parquet(tmp_path / "in.csv", tmp_path / "out.csv", by=[("n", "descending"), "place"])
    read = pyarrow.csv.ConvertOptions(column_types={"n": "string", "text": "string"}, strings_can_be_null=True,
                                      null_values=[""], quoted_strings_can_be_null=False)
    parse = pyarrow.csv.ParseOptions(newlines_in_values=True)
    rows = pyarrow.csv.read_csv(tmp_path / "out.csv", parse_options=parse, convert_options=read).to_pylist()
    texts = [text.replace('""', '"') for text in texts] + [None]
    order = [9, 2, 5, 8, 1, 4, 7, 0, 3, 6]
    assert rows == [{"n": "2.50" if i == 9 else f"{i % 3:03}", "text": texts[i], "place": i} for i in order]


@pytest.mark.parametrize("last, expected", [("18446744073709551615", pa.uint64()), ("-5", pa.decimal128(38, 0)),
                                            ("99999999999999999999999999999999999999", pa.decimal128(38, 0))])
def test_integers_of_csv_beyond_64_bits_are_in_their_order(tmp_path, last, expected):
    numbers = ["12345678901234567891", "12345678901234567890", last, "12345678901234567889", " 7", ""]
    (tmp_path / "in.csv").write_text("n,place\n" + "".join(f"{number},{i}\n" for i, number in enumerate(numbers)))
    order = sorted(range(5), key=lambda i: int(numbers[i])) + [5]
    for suffix in ("csv", "parquet"):
        sortie.sort_parquet(tmp_path / "in.csv", tmp_path / f"out.{suffix}", by="n")
        assert read(tmp_path / f"out.{suffix}")["place"].to_pylist() == order
    result = read(tmp_path / "out.parquet")
    assert result.schema.field("n").type == expected
    assert [value and int(value) for value in result["n"].to_pylist()] == [int(numbers[i]) for i in order[:5]] + [None]


def test_numbers_of_csv_that_are_no_integers_stay_floats(tmp_path):
    (tmp_path / "in.csv").write_text("n,m\n12345678901234567890,1\n1.5,2\n")
    sortie.sort_parquet(tmp_path / "in.csv", tmp_path / "out.parquet", by="n")
    assert read(tmp_path / "out.parquet").schema.field("n").type == pa.float64()


def test_integers_of_csv_that_nothing_can_read_are_refused_by_the_columns_name(tmp_path):
    path = tmp_path / "in.csv"
    path.write_text("m,n\n1," + "9" * 39 + "\n")
    with pytest.raises(sortie.Error, match="column 'n' of '.*in.csv' has integers of more than 38 digits"):
        sortie.sort_parquet(path, tmp_path / "out.csv", by="n")
    sortie.sort_parquet(path, tmp_path / "out.csv", by="m")
    # What the first rows do not tell.
    path.write_text("m,n\n" + "1,2\n" * 1_200_000 + "3,12345678901234567890\n")
    message = "in.csv': column 'n': .*CSV conversion error to int64: .*guessed from the first 4 MiB"
    with pytest.raises(sortie.Error, match=message):
        sortie.sort_parquet(path, tmp_path / "out.csv", by="n")
    # And what the first file does not tell.
    (tmp_path / "first.csv").write_text("m,n\n1,2\n")
    path.write_text("m,n\n3,12345678901234567890\n")
    with pytest.raises(sortie.Error, match=message):
        sortie.sort_parquet([tmp_path / "first.csv", path], tmp_path / "out.parquet", by="n")


def test_csv_rows_may_be_long_and_files_without_rows_tell_no_types(tmp_path):
    (tmp_path / "a.csv").write_text("key,text\n")
    long = "x\n" * 800_000
    (tmp_path / "b.csv").write_text("key,text\n" + "".join(f'{i},"{long if i == 5 else i}"\n' for i in range(9, 0, -1)))
    for suffix in ("csv", "parquet"):
        sortie.sort_parquet([tmp_path / "a.csv", tmp_path / "b.csv", tmp_path / "a.csv"], tmp_path / f"out.{suffix}",
                            by="key")
    assert pq.read_table(tmp_path / "out.parquet")["key"].to_pylist() == list(range(1, 10))
    assert long in (tmp_path / "out.csv").read_text()
    with pytest.raises(sortie.Error, match="key 'k': '.*a.csv' has no such column; it has key, text"):
        sortie.sort_parquet(tmp_path / "a.csv", tmp_path / "out.csv", by="k")


@pytest.mark.parametrize("suffix", ["csv", "csv.gz", "parquet"])
def test_rows_of_csv_before_and_behind_a_long_one_come_once(tmp_path, suffix):
    texts = ["x" * 1_600_000 if i == 150_000 else f"text {i}" for i in range(200_000)]
    write(pa.table({"key": range(200_000), "text": texts}), tmp_path / "in.csv")
    sortie.sort_parquet(tmp_path / "in.csv", tmp_path / f"out.{suffix}", by=[("key", "descending")])
    # Without pyarrow's CSV reader.
    if suffix == "parquet":
        assert pq.read_table(tmp_path / "out.parquet")["text"].to_pylist() == texts[::-1]
        return
    with pa.input_stream(tmp_path / f"out.{suffix}") as file:
        lines = file.read().decode().splitlines()
    assert lines == ['"key","text"', *(f'"{i}","{texts[i]}"' for i in range(199_999, -1, -1))]


def test_headers_of_csv_may_be_long(tmp_path):
    names = [f"column {i:100}" for i in range(20_000)]
    lines = [",".join(f'"{cell}"' for cell in row) for row in (names, range(20_000), range(10, 20_010))]
    (tmp_path / "in.csv").write_text("\n".join([lines[0], lines[2], lines[1]]) + "\n")
    sortie.sort_parquet(tmp_path / "in.csv", tmp_path / "out.csv", by=names[7])
    assert (tmp_path / "out.csv").read_text() == "\n".join(lines) + "\n"


def test_rows_of_csv_beyond_4_mib_are_refused(tmp_path):
    long = "x" * (9 << 20)
    for rows in (1, 6_000_000):
        (tmp_path / "in.csv").write_text("key,text\n" + "1,a\n" * rows + f"2,{long}\n")
        for suffix in ("csv", "parquet"):
            with pytest.raises(sortie.Error, match="cannot read '.*in.csv': .* .no row may be longer than 4 MiB"):
                sortie.sort_parquet(tmp_path / "in.csv", tmp_path / f"out.{suffix}", by="key")


def test_columns_of_csv_have_the_types_of_the_first_file(tmp_path):
    (tmp_path / "a.csv").write_text("key,text\n2,b\n")
    (tmp_path / "b.csv").write_text("key,text\n1,7\n")
    sortie.sort_parquet([tmp_path / "a.csv", tmp_path / "b.csv"], tmp_path / "out.parquet", by="key")
    assert pq.read_table(tmp_path / "out.parquet").to_pydict() == {"key": [1, 2], "text": ["7", "b"]}
    (tmp_path / "b.csv").write_text("key,text\none,7\n")
    with pytest.raises(sortie.Error, match="cannot read '.*b.csv': .*invalid value 'one'"):
        sortie.sort_parquet([tmp_path / "a.csv", tmp_path / "b.csv"], tmp_path / "out.parquet", by="key")


def test_unions_and_other_types_that_have_no_empty_arrays_pass(tmp_path):
    union = pa.UnionArray.from_dense(pa.array([0, 1, 0], pa.int8()), pa.array([0, 0, 1], pa.int32()),
                                     [pa.array([1, 2]), pa.array(["a"])])
    table = pa.table({"k": [3, 1, 2], "u": union})
    with pa.ipc.new_file(tmp_path / "in.arrow", table.schema) as writer:
        writer.write_table(table)
    sortie.sort_parquet(tmp_path / "in.arrow", tmp_path / "out.arrow", by="k")
    assert pa.ipc.open_file(tmp_path / "out.arrow").read_all()["u"].to_pylist() == ["a", 2, 1]


INNER = pa.struct([pa.field("a", pa.int32(), False)])


@pytest.mark.parametrize("kind, value", [
    (INNER, {"a": 1}),
    (pa.struct([pa.field("inner", INNER, False), pa.field("t", pa.string(), False)]), {"inner": {"a": 1}, "t": "x"}),
    (pa.struct([pa.field("l", pa.list_(pa.field("item", pa.int8(), False)), False)]), {"l": [1, 2]}),
    (pa.list_(INNER), [{"a": 1}, None]),
], ids=str)
def test_fields_of_structs_that_must_not_be_null_are_written(tmp_path, kind, value):
    table = pa.table({"k": [3, 1, 2], "s": pa.array([value, None, value], kind)})
    for suffix in (".parquet", ".arrow"):
        write(table, tmp_path / f"in{suffix}")
        sortie.sort_parquet(tmp_path / f"in{suffix}", tmp_path / "out.parquet", by="k")
        result = read(tmp_path / "out.parquet")
        assert result["s"].to_pylist() == [None, value, value] and result["s"].type == kind
    # A file that lacks the column.
    write(pa.table({"k": [0]}), tmp_path / "other.parquet")
    sortie.sort_parquet([tmp_path / "in.parquet", tmp_path / "other.parquet"], tmp_path / "out.parquet", by="k",
                        schema="union")
    assert read(tmp_path / "out.parquet")["s"].to_pylist() == [None, None, value, value]


def test_a_damaged_arrow_file_is_named(tmp_path):
    damaged = pa.Array.from_buffers(pa.string(), 3, [None, pa.py_buffer(struct.pack("<4i", 0, 5, 2_000_000_000, 7)),
                                                     pa.py_buffer(b"abcdefg")])
    table = pa.table({"k": [3, 1, 2], "s": damaged})
    with pa.ipc.new_file(tmp_path / "in.arrow", table.schema) as writer:
        writer.write_table(table)
    with pytest.raises(sortie.Error, match="cannot read '.*in.arrow'"):
        sortie.sort_parquet(tmp_path / "in.arrow", tmp_path / "out.arrow", by="k")
    assert os.listdir(tmp_path) == ["in.arrow"]


def test_extension_types_are_kept(tmp_path):
    table = pa.table({"key": [2, 1], "id": pa.array([b"b" * 16, b"a" * 16], pa.uuid())})
    for name in ("in.parquet", "in.arrow"):
        write(table, tmp_path / name)
        sortie.sort_parquet(tmp_path / name, tmp_path / f"out-{name}", by="id")
        result = read(tmp_path / f"out-{name}")
        assert result.schema == table.schema and result["key"].to_pylist() == [1, 2]


def test_a_stream_of_arrow_is_read(tmp_path):
    table = shuffled(100)
    with pyarrow.ipc.new_stream(tmp_path / "in.arrow", table.schema) as writer:
        writer.write_table(table)
    sortie.sort_parquet(tmp_path / "in.arrow", tmp_path / "out.parquet", by="key")
    assert pq.read_table(tmp_path / "out.parquet").to_pylist() == in_order(table)


@pytest.mark.parametrize("suffix", ["parquet", "csv", "arrow"])
def test_a_full_disk_is_one_error(small_disk, tmp_path, suffix):
    pq.write_table(shuffled(100_000).select(["key", "text"]), tmp_path / "in.parquet")
    told = small_disk.run("""
import os, sys, sortie
target = sys.argv[2] + "/out." + sys.argv[3]
open(target, "w").write("old")
try:
    sortie.sort_parquet(sys.argv[1], target, by="key", compression=sys.argv[4] or None)
except sortie.Error as error:
    print(error)
print(os.listdir(sys.argv[2]), open(target).read())
""", tmp_path / "in.parquet", small_disk.path, suffix, "" if suffix == "csv" else "none")
    assert told.returncode == 0, told.stderr
    target = f"{small_disk.path}/out.{suffix}"
    assert target in told.stdout and "No space left on device" in told.stdout
    assert told.stdout.endswith(f"\n['out.{suffix}'] old\n") and told.stdout.count("\n") == 2
    assert told.stderr == ""


@pytest.mark.parametrize("batches", [0, 1, 3])
def test_a_stream_in_a_file_that_ends_without_a_mark_is_told_and_refused_by_strict(tmp_path, batches):
    path, output = tmp_path / "in.arrow", tmp_path / "out.arrow"
    table = pa.table({"k": list(range(30))})
    with pa.ipc.new_stream(path, table.schema) as writer:
        for batch in table.to_batches(max_chunksize=10)[:batches]:
            writer.write_batch(batch)
    assert sortie.sort_parquet(path, output, by="k", strict=True).assumptions == []
    whole = path.read_bytes()
    path.write_bytes(whole[:-8])
    said = []
    report = sortie.sort_parquet(path, output, by="k", warn=said.append)
    assert report.output_records == 10 * batches
    [told] = report.assumptions
    assert (told.kind, told.count, told.of, told.first_place) == ("no-end-of-stream", 1, 1, str(path))
    assert said == [f"1 of 1 inputs are Arrow streams without a mark of their end, the first at {path}, and are taken "
                    "to be complete: write them again if they were cut short"]
    output.write_text("before")
    with pytest.raises(sortie.Error, match="the sort would have to assume something: 1 of 1 inputs"):
        sortie.sort_parquet(path, output, by="k", strict=True)
    assert output.read_text() == "before"
    # What follows the mark is no part of the stream.
    path.write_bytes(whole + b"more")
    assert sortie.sort_parquet(path, output, by="k", strict=True).assumptions == []


@pytest.mark.parametrize("name", ["q.CSV.GZ", "q.csv.GZ", "q.Csv", "q.ARROW", "q.Feather", "q.PARQUET"])
def test_suffixes_of_outputs_may_be_in_capitals(tmp_path, name):
    pq.write_table(pa.table({"a": [3, 1, 2]}), tmp_path / "in.PARQUET")
    report = sortie.sort_parquet(tmp_path / "in.PARQUET", tmp_path / name, by="a")
    assert report.to_arrow()["a"].to_pylist() == [1, 2, 3]
    is_packed = (tmp_path / name).read_bytes().startswith(b"\x1f\x8b")
    assert is_packed == name.lower().endswith(".gz")


def test_lines_are_packed_into_outputs_with_a_suffix_in_capitals(tmp_path):
    (tmp_path / "in").write_text("b\na\n")
    sortie.sort_files(tmp_path / "in", tmp_path / "out.TXT.GZ")
    assert gzip.decompress((tmp_path / "out.TXT.GZ").read_bytes()) == b"a\nb\n"
