"""sort_parquet(): what becomes of the schemas, codecs and metadata of its inputs."""

import pytest

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed (every test of this file)")
import pyarrow.feather  # noqa: E402
import pyarrow.parquet as pq  # noqa: E402
from table_files import read  # noqa: E402

import sortie  # noqa: E402


def element(nullable):
    return pa.field("element", pa.int64(), nullable=nullable)


NESTED = [
    lambda nullable: pa.list_(element(nullable)), lambda nullable: pa.large_list(element(nullable)),
    lambda nullable: pa.list_(element(nullable), 1), lambda nullable: pa.map_(pa.string(), element(nullable)),
    lambda nullable: pa.struct([element(nullable)]),
    lambda nullable: pa.list_(pa.struct([pa.field("x", pa.list_(element(nullable)))])),
]
# A value of each, and one with a null in it.
VALUES = [([1], [None]), ([1], [None]), ([1], [None]), ([("a", 1)], [("a", None)]), ({"element": 1}, {"element": None}),
          ([{"x": [1]}], [{"x": [None]}])]


@pytest.mark.parametrize("suffix", ["parquet", "arrow"])
@pytest.mark.parametrize("make, values", list(zip(NESTED, VALUES)))
def test_nulls_deep_in_columns_may_be_in_any_file(tmp_path, make, values, suffix):
    """The later file has one, and metadata of its own."""
    value, null = values
    for number, rows in enumerate(([value], [null, value])):
        schema = pa.schema({"key": "int64", "deep": make(number == 1)}, {"file": str(number)})
        pq.write_table(pa.table({"key": [3 - number - i for i in range(len(rows))], "deep": rows}, schema=schema),
                       tmp_path / f"{number}.parquet")
    inputs = [tmp_path / "0.parquet", tmp_path / "1.parquet"]
    sortie.sort_parquet(inputs, tmp_path / f"out.{suffix}", by="key")
    result = read(tmp_path / f"out.{suffix}")
    result.validate(full=True)
    assert result["deep"].to_pylist() == [value, null, value]
    assert result.schema.field("deep").type == pq.read_schema(inputs[1]).field("deep").type
    assert result.schema.metadata[b"file"] == b"0"
    sortie.sort_parquet(inputs[::-1], tmp_path / f"out.{suffix}", by="key")
    assert read(tmp_path / f"out.{suffix}")["deep"].to_pylist() == [value, null, value]


@pytest.mark.parametrize("other", [pa.list_(pa.int32()), pa.large_list(pa.int64()), pa.list_(pa.int64(), 1),
                                   pa.list_(pa.string()), pa.struct([("element", pa.int64())])])
def test_true_differences_deep_in_columns_are_named(tmp_path, other):
    pq.write_table(pa.table({"key": [1], "deep": pa.array([[1]])}), tmp_path / "a.parquet")
    pq.write_table(pa.table({"key": [1], "deep": pa.array([None], other)}), tmp_path / "b.parquet")
    message = r"column 'deep' of '.*b.parquet' is of type .*, and of '.*a.parquet' of type list<"
    with pytest.raises(sortie.Error, match=message):
        sortie.sort_parquet([tmp_path / "a.parquet", tmp_path / "b.parquet"], tmp_path / "out.parquet", by="key")


def test_each_column_keeps_its_codec(tmp_path):
    rows = pa.table({"key": [2, 1], "a.b": ["x", "y"], "a": [{"b": 1, "c": [1]}] * 2})
    codecs = {"key": "zstd", "a.b": "gzip", "a.c.list.element": "none"}
    pq.write_table(rows.select(["key", "a"]), tmp_path / "in.parquet", compression=codecs, row_group_size=1)
    sortie.sort_parquet(tmp_path / "in.parquet", tmp_path / "out.parquet", by="key", row_group_rows=1)

    def codecs_of(path):
        metadata = pq.read_metadata(path)
        return [[group.column(i).compression for i in range(group.num_columns)]
                for group in map(metadata.row_group, range(metadata.num_row_groups))]

    assert codecs_of(tmp_path / "in.parquet") == [["ZSTD", "GZIP", "UNCOMPRESSED"]] * 2
    assert codecs_of(tmp_path / "out.parquet") == codecs_of(tmp_path / "in.parquet")
    sortie.sort_parquet(tmp_path / "in.parquet", tmp_path / "out.parquet", by="key", compression="snappy")
    assert codecs_of(tmp_path / "out.parquet") == [["SNAPPY"] * 3]
    # A name with a dot is another column.
    pq.write_table(rows, tmp_path / "in.parquet", compression="snappy")
    sortie.sort_parquet(tmp_path / "in.parquet", tmp_path / "out.parquet", by="a.b")
    assert codecs_of(tmp_path / "out.parquet") == [["SNAPPY"] * 4]
    assert pq.read_table(tmp_path / "out.parquet") == rows


def test_nothing_claims_the_order_of_an_input(tmp_path):
    """Metadata are those that pyarrow keeps when it reads and writes a file."""
    table = pa.table({"a": [1, 2, 3], "b": [3, 1, 2]}).replace_schema_metadata({"mine": "kept"})
    pq.write_table(table, tmp_path / "in.parquet", sorting_columns=[pq.SortingColumn(0)])
    sortie.sort_parquet(tmp_path / "in.parquet", tmp_path / "out.parquet", by="b")
    pq.write_table(pq.read_table(tmp_path / "in.parquet"), tmp_path / "again.parquet")
    metadata = pq.read_metadata(tmp_path / "out.parquet")
    assert [column.column_index for column in metadata.row_group(0).sorting_columns] == [1]
    assert metadata.metadata == pq.read_metadata(tmp_path / "again.parquet").metadata


def test_the_index_of_pandas_counts_the_rows_that_there_are(tmp_path):
    pd = pytest.importorskip("pandas")
    for name, rows in (("a", [3, 1]), ("b", [2, 4, 0])):
        pd.DataFrame({"n": rows}).to_parquet(tmp_path / f"{name}.parquet")
    sortie.sort_parquet([tmp_path / "a.parquet", tmp_path / "b.parquet"], tmp_path / "out.parquet", by="n")
    assert pd.read_parquet(tmp_path / "out.parquet")["n"].to_dict() == {i: i for i in range(5)}


def test_old_timestamps_come_out_in_nanoseconds(tmp_path):
    times = pa.array([2_000_000_000, 1_000_000_000], pa.timestamp("us"))
    pq.write_table(pa.table({"t": times}), tmp_path / "in.parquet", use_deprecated_int96_timestamps=True)
    sortie.sort_parquet(tmp_path / "in.parquet", tmp_path / "out.parquet", by="t")
    result = pq.read_table(tmp_path / "out.parquet")
    assert result.schema.field("t").type == pa.timestamp("ns")
    assert result["t"].cast(pa.timestamp("us")).combine_chunks() == times.take(pa.array([1, 0]))


@pytest.mark.parametrize("kind", [pa.string(), pa.int64(), pa.struct([pa.field("x", pa.string(), False)])], ids=str)
@pytest.mark.parametrize("output", ["out.parquet", "out.arrow", "out.jsonl"])
def test_words_that_must_not_be_null_may_be_in_null_structs(tmp_path, kind, output):
    """Also where all structs are null, within lists, and in files that lack the column."""
    if pa.types.is_struct(kind) and output != "out.arrow":
        pytest.skip("pyarrow has dictionaries of structs in part")
    values = {"string": ["u", "v"], "int64": [5, 6]}.get(str(kind), [{"x": "u"}, {"x": "v"}])
    words = pa.DictionaryArray.from_arrays(pa.array([0, 1, 0, 1], pa.int8()), pa.array(values, kind))
    field = pa.field("d", words.type, nullable=False)
    inner = pa.StructArray.from_arrays([words], fields=[field], mask=pa.array([False, True, False, True]))
    outer = pa.StructArray.from_arrays([inner], fields=[pa.field("s", inner.type)],
                                       mask=pa.array([False, False, True, False]))
    none = pa.StructArray.from_arrays([words], fields=[field], mask=pa.array([True] * 4))
    items = pa.ListArray.from_arrays(pa.array([0, 2, 2, 4, 4], pa.int32()), inner)
    table = pa.table({"key": [3, 1, 2, 0], "inner": inner, "outer": outer, "none": none, "items": items})
    pyarrow.feather.write_feather(table, tmp_path / "in.arrow")
    pq.write_table(pa.table({"key": [9]}), tmp_path / "other.parquet")
    rows = [*sorted(table.to_pylist(), key=lambda row: row["key"]), {**dict.fromkeys(table.column_names), "key": 9}]
    for inputs in (["in.arrow", "other.parquet"], ["other.parquet", "in.arrow"]):
        report = sortie.sort_parquet([tmp_path / name for name in inputs], tmp_path / output, by="key", schema="union")
        assert report.to_arrow().to_pylist() == rows
    if output == "out.parquet":
        assert pq.read_table(tmp_path / output).to_pylist() == rows
