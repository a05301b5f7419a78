"""Dictionaries of Parquet files whose words are more than memory holds: their columns are sorted as values, and come
out as they were."""

import pytest

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed (every test of this file)")
import pyarrow.parquet as pq  # noqa: E402

import sortie  # noqa: E402
from sortie.parquet.dictionaries import word_bytes  # noqa: E402
from sortie.parquet.dictionary_choice import few_rows  # noqa: E402
from sortie.parquet.parquet_footer import read_footer  # noqa: E402

SORT = """
import resource, sys, sortie
sortie.sort_parquet(sys.argv[1], sys.argv[2], by="k", memory="16MB", row_group_rows=500, threads=2)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10)
"""
WORDS = 500


def write_long_words(path, groups):
    """Row groups, each with words of its own."""
    schema = pa.schema({"k": pa.int64(), "d": pa.dictionary(pa.int32(), pa.string())})
    with pq.ParquetWriter(path, schema, dictionary_pagesize_limit=1 << 26) as writer:
        for group in range(groups):
            words = pa.array([f"{group} {word} " + "x" * 4000 for word in range(WORDS)])
            writer.write_table(pa.table([[row * 7919 % 1000 for row in range(WORDS)],
                                         pa.DictionaryArray.from_arrays(pa.array(range(WORDS), pa.int32()), words)],
                                        schema=schema))


def test_words_of_dictionaries_take_no_more_than_memory(tmp_path, run_python):
    write_long_words(tmp_path / "in.parquet", 60)  # 120 MB of words
    done = run_python(SORT, tmp_path / "in.parquet", tmp_path / "out.parquet")
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) < 400
    result = pq.ParquetFile(tmp_path / "out.parquet")
    assert result.schema_arrow.field("d").type == pa.dictionary(pa.int32(), pa.string())
    assert result.metadata.num_rows == 60 * WORDS
    keys = result.read(["k"])["k"].to_pylist()
    assert keys == sorted(keys)


def test_the_words_of_a_file_are_known_before_it_is_read(tmp_path):
    write_long_words(tmp_path / "in.parquet", 2)
    with open(tmp_path / "in.parquet", "rb") as file:
        assert 2 * WORDS * 4000 < word_bytes(file, read_footer(file), {"d"}) < 2 * WORDS * 4100
        assert word_bytes(file, read_footer(file), set()) == 0


@pytest.mark.parametrize("output", ["out.parquet", "out.csv", "out.arrow"])
def test_columns_come_out_the_same_whether_their_words_are_many_or_few(tmp_path, monkeypatch, output):
    words = pa.array(["b", "a", None, "c", "a", "b"] * 5).dictionary_encode()
    columns = {
        "k": words, "n": list(range(30)),
        "narrow": words.cast(pa.dictionary(pa.int8(), pa.string())),
        "ordered": pa.DictionaryArray.from_arrays(pa.array([1, 0, None] * 10, pa.int8()), ["x", "b"], ordered=True),
        "numbers": pa.array([5, None, 7] * 10).dictionary_encode()}
    if output != "out.csv":
        columns["lists"] = pa.ListArray.from_arrays(pa.array(range(31), pa.int32()), words)
        columns["places"] = pa.StructArray.from_arrays([words, pa.array(range(30))], ["word", "x"])
    table = pa.table(columns).replace_schema_metadata({"a": "b"})
    pq.write_table(table, tmp_path / "in.parquet", row_group_size=10)
    found = []
    for most in (1 << 30, 0):
        monkeypatch.setattr("sortie.parquet.dictionaries._MOST_WORD_BYTES", most)
        sortie.sort_parquet(tmp_path / "in.parquet", tmp_path / output, by=[("k", "descending", "at_start"), "ordered"])
        found.append((tmp_path / output).read_bytes() if output == "out.csv" else _read(tmp_path / output))
    assert found[0] == found[1]


def _read(path):
    table = pa.ipc.open_file(path).read_all() if path.suffix == ".arrow" else pq.read_table(path)
    return table.schema.to_string(), table.to_pylist()


@pytest.mark.parametrize("rows", [512, 513, 2000, 8191, 8192])
def test_few_rows_that_are_looked_at_first_are_all_different(rows):
    few = few_rows(pa.table({"row": range(rows)}))[0].to_pylist()
    assert few == sorted(set(few)) and 0 <= few[0] and few[-1] < rows and len(few) == 256


@pytest.mark.parametrize("rows", [0, 1, 511, 8193])
def test_other_tables_have_no_few_rows(rows):
    assert few_rows(pa.table({"row": range(rows)})) == {}


def test_columns_of_few_rows_that_cannot_be_drawn_are_left_out():
    table = pa.table({"view": pa.array(["a"] * 2000, pa.string_view()), "row": range(2000)})
    assert list(few_rows(table)) == [1]
    assert few_rows(table.select([0])) == {}
