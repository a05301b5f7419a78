"""What sort_parquet() cannot read or write is refused by name, and what only looks like it is written."""

import datetime
import decimal

import pytest

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed (every test of this file)")
import pyarrow.parquet as pq  # noqa: E402
from table_files import read, write  # noqa: E402

import sortie  # noqa: E402


def refusal(*arguments, **options):
    with pytest.raises(sortie.Error) as caught:
        sortie.sort_parquet(*arguments, **options)
    return str(caught.value)


def write_encrypted(path, **options):
    """Keys are stored as they are, as nobody's secret is in a test."""
    encryption = pytest.importorskip("pyarrow.parquet.encryption", reason="pyarrow was built without encryption")

    class PlainKeys(encryption.KmsClient):
        def __init__(self, _):
            super().__init__()

        def wrap_key(self, key, _):
            return key

    factory = encryption.CryptoFactory(PlainKeys)
    properties = factory.file_encryption_properties(
        encryption.KmsConnectionConfig(),
        encryption.EncryptionConfiguration(footer_key="k", double_wrapping=False, **options))
    with pq.ParquetWriter(path, pa.schema({"a": "int64", "b": "int64"}), encryption_properties=properties) as writer:
        writer.write_table(pa.table({"a": [1, 2], "b": [2, 1]}))


def test_encrypted_columns_of_a_file_with_a_plain_footer_are_refused(tmp_path, run_python):
    write_encrypted(tmp_path / "in.parquet", plaintext_footer=True, column_keys={"k": ["a"]})
    program = """
import sortie, sys
try:
    sortie.sort_parquet(sys.argv[1], sys.argv[2], by="b")
except sortie.Error as error:
    print(error)
"""
    # It would end the process.
    done = run_python(program, tmp_path / "in.parquet", tmp_path / "out.parquet")
    assert done.returncode == 0, done.stderr
    assert done.stdout == (f"column 'a' of '{tmp_path / 'in.parquet'}' is encrypted, and no key can be given: write "
                           "the file without encryption\n")


@pytest.mark.parametrize("options", [{"column_keys": {"k": ["a"]}}, {"uniform_encryption": True}])
def test_a_file_with_an_encrypted_footer_is_refused(tmp_path, options):
    write_encrypted(tmp_path / "in.parquet", **options)
    told = refusal(tmp_path / "in.parquet", tmp_path / "out.parquet", by="b")
    assert told.startswith(f"cannot read '{tmp_path / 'in.parquet'}': ")


VALUES = {
    "dates": [datetime.date(2020, 1, 1), datetime.date(2021, 1, 1)],
    "times": [datetime.time(1), datetime.time(2)],
    "timestamps": [datetime.datetime(2020, 1, 1), datetime.datetime(2021, 1, 1)],
    "durations": [datetime.timedelta(1), datetime.timedelta(2)],
    "decimals": [decimal.Decimal("1.5"), decimal.Decimal("2.5")],
    "halves": pa.array([1.5, 2.5], pa.float16()),
}


def indexed(values):
    return pa.DictionaryArray.from_arrays(pa.array([1, 0, None], pa.int8()), pa.array(values))


@pytest.mark.parametrize("name", VALUES)
def test_dictionaries_of_every_value_are_written_to_parquet(tmp_path, name):
    column = indexed(VALUES[name])
    table = pa.table({"key": [2, 3, 1], "flat": column, "list": pa.ListArray.from_arrays([0, 1, 2, 3], column)})
    write(table, tmp_path / "in.arrow")
    sortie.sort_parquet(tmp_path / "in.arrow", tmp_path / "out.parquet", by="key")
    write(table.take([2, 0, 1]), tmp_path / "expected.parquet")
    assert read(tmp_path / "out.parquet").equals(read(tmp_path / "expected.parquet"))


def test_a_null_in_a_dictionary_is_written_to_parquet_as_one_in_the_rows(tmp_path):
    table = pa.table({"key": [2, 3, 1], "text": indexed(["a", None])})
    write(table, tmp_path / "in.arrow")
    sortie.sort_parquet(tmp_path / "in.arrow", tmp_path / "out.parquet", by="key")
    assert read(tmp_path / "out.parquet")["text"].to_pylist() == [None, None, "a"]


REFUSED = {
    "runs to .parquet": pa.RunEndEncodedArray.from_arrays([1, 3], [5, 7]),
    "a union to .parquet": pa.UnionArray.from_sparse(pa.array([0, 0, 0], pa.int8()), [pa.array([1, 2, 3])]),
    "a dictionary of lists to .parquet": indexed([[1], [2]]),
    "lists to .csv": pa.array([[1], [2], [3]]),
    "a struct to .csv.gz": pa.array([{"x": 1}, {"x": 2}, {"x": 3}]),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_type_that_the_output_cannot_hold_is_refused_by_column_before_rows_are_read(tmp_path, name, monkeypatch):
    from sortie.inputs import table_files
    column, output = REFUSED[name], tmp_path / f"out{name.rpartition(' ')[2]}"
    write(pa.table({"key": [2, 3, 1], "odd": column}), tmp_path / "in.arrow")
    monkeypatch.setattr(table_files.ArrowInput, "batches", lambda *_: pytest.fail("rows are read"))
    assert refusal(tmp_path / "in.arrow", output, by="key") == (
        f"column 'odd' is of type {column.type}, which cannot be written to '{output}': cast it, or let the name of "
        "the output end in .arrow")
    assert not output.exists()


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
@pytest.mark.parametrize("column_type", ["string_view", "binary_view", "binary", "large_binary", "binary(1)"])
def test_views_and_bytes_are_written(tmp_path, suffix, column_type):
    column_type = pa.binary(1) if column_type == "binary(1)" else getattr(pa, column_type)()
    values = ["b", "a", "c"] if column_type == pa.string_view() else [b"b", b"a", b"c"]
    write(pa.table({"text": pa.array(values, column_type)}), tmp_path / "in.arrow")
    sortie.sort_parquet(tmp_path / "in.arrow", tmp_path / f"out{suffix}", by="text")
    result = read(tmp_path / f"out{suffix}")["text"].to_pylist()
    assert result == (["a", "b", "c"] if suffix == ".csv" else sorted(values))


def test_bytes_that_are_no_text_are_refused_by_column_in_csv(tmp_path):
    write(pa.table({"key": [2, 1], "bytes": [b"a", b"\xff"]}), tmp_path / "in.arrow")
    told = refusal(tmp_path / "in.arrow", tmp_path / "out.csv", by="key")
    assert told.startswith("column 'bytes' cannot be written as CSV: ")
    assert told.endswith("; cast it, or let the name of the output end in .parquet")


@pytest.mark.parametrize("far", [datetime.datetime(9999, 12, 31), datetime.datetime(1, 1, 1),
                                 datetime.datetime(2262, 4, 12)])
@pytest.mark.parametrize("options", [{}, {"store_schema": False, "row_group_size": 1}])
def test_times_of_96_bits_that_do_not_fit_are_refused(tmp_path, far, options):
    path = tmp_path / "in.parquet"
    times = pa.array([datetime.datetime(2020, 1, 1, 2, 3, 4, 5), None, far], pa.timestamp("us"))
    lists = pa.array([[time] for time in times.to_pylist()], pa.list_(pa.timestamp("us")))
    for column in (times, lists):
        pq.write_table(pa.table({"k": [3, 1, 2], "t": column}), path, use_deprecated_int96_timestamps=True, **options)
        assert refusal(path, path, by="k") == (
            f"column 't' of '{path}' has times of 96 bits before 1678 or after 2262-04-10, which timestamps in ns do "
            "not hold: write it with times of 64 bits in us")
        pq.write_table(pa.table({"k": [3, 1, 2], "t": column}).slice(0, 2), path, use_deprecated_int96_timestamps=True,
                       **options)
        sortie.sort_parquet(path, path, by="k")
        assert pq.read_table(path)["t"].to_pylist() == pa.chunked_array([column[1:2], column[:1]]).to_pylist()


def test_a_key_that_names_several_columns_of_parquet_is_refused(tmp_path):
    table = pa.table([[2, 1], [3, 4], ["b", "a"]], names=["k", "k", "v"])
    for name in ("in.parquet", "in.arrow"):
        write(table, tmp_path / name)
        told = refusal(tmp_path / name, tmp_path / "out.parquet", by="k")
        assert told == f"key 'k': '{tmp_path / name}' has several columns of this name"
    sortie.sort_parquet(tmp_path / "in.parquet", tmp_path / "out.parquet", by="v")
    assert pq.ParquetFile(tmp_path / "out.parquet").read().column(0).to_pylist() == [1, 2]
