"""Categories that have an order are sorted by it, others by their texts."""

import pytest

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed (every test of this file)")
import pyarrow.parquet as pq  # noqa: E402

import sortie  # noqa: E402

SIZES = ["small", "medium", "large"]


def sizes(indexes, words=SIZES, ordered=True):
    return pa.DictionaryArray.from_arrays(pa.array(indexes, pa.int8()), words, ordered=ordered)


def table(column, **others):
    return pa.table({"size": column, **others})


def sorted_sizes(data, by="size", **options):
    return pa.table(sortie.sort_table(data, by, **options))["size"].to_pylist()


def test_an_ordered_dictionary_orders_by_its_places():
    data = table(sizes([2, None, 0, 1]))
    assert sorted_sizes(data) == [*SIZES, None]
    assert sorted_sizes(data, ("size", "descending", "at_start")) == [None, *SIZES[::-1]]


def test_another_dictionary_orders_by_its_values():
    assert sorted_sizes(table(sizes([2, 0, 1], ordered=False))) == sorted(SIZES)


def test_rows_of_any_width_have_the_same_order():
    texts = ["x" * length for length in (5, 0, 70, 3)]
    data = table(sizes([2, 1, 0, 1]), text=texts)
    assert pa.table(sortie.sort_table(data, "size"))["text"].to_pylist() == [texts[2], texts[1], texts[3], texts[0]]
    with_text = pa.table(sortie.sort_table(data, ["size", "text"]))
    assert with_text["text"].to_pylist() == [texts[2], texts[1], texts[3], texts[0]]


def test_equal_categories_are_equal_keys():
    data = table(sizes([2, 0, 2, 0]), number=[1, 2, 3, 4])
    assert pa.table(sortie.sort_table(data, "size", unique=True))["number"].to_pylist() == [2, 1]


def test_batches_may_have_the_first_categories_or_further_ones():
    batches = [table(sizes([1, 0], SIZES[:2])), table(sizes([2, 0])), table(sizes([0, 1], SIZES[::2]))]
    assert sorted_sizes(batches) == ["small"] * 3 + ["medium"] + ["large"] * 2


@pytest.mark.parametrize("words", [SIZES[::-1], ["tiny"], ["small", "tiny", "medium", "large"]])
def test_batches_of_other_orders_are_refused_by_column(words):
    with pytest.raises(sortie.Error, match="column .size.: it is ordered, and its batches have dictionaries of "
                       "different"):
        sorted_sizes([table(sizes([1, 0])), table(sizes([0], words))])
    # As they are no keys they are carried.
    batches = [table(sizes([1, 0]), key=[2, 1]), table(sizes([0], words), key=[0])]
    assert sorted_sizes(batches, "key") == [words[0], "small", "medium"]


def test_categories_of_pandas_keep_their_order():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"size": pandas.Categorical(["large", "small", "medium"], SIZES, ordered=True)})
    result = pandas.DataFrame.from_arrow(sortie.sort_table(frame, "size"))
    assert result["size"].tolist() == SIZES
    assert result["size"].dtype == frame["size"].dtype
    loose = frame.assign(size=frame["size"].cat.as_unordered())
    assert pandas.DataFrame.from_arrow(sortie.sort_table(loose, "size"))["size"].tolist() == sorted(SIZES)


def test_enums_of_polars_keep_their_order():
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({"size": polars.Series(["large", "small", "medium"], dtype=polars.Enum(SIZES))})
    result = polars.DataFrame(sortie.sort_table(frame, "size"))
    assert result["size"].to_list() == SIZES
    assert result["size"].dtype == polars.Enum(SIZES)
    loose = frame.cast(polars.Categorical)
    assert polars.DataFrame(sortie.sort_table(loose, "size"))["size"].to_list() == sorted(SIZES)


def test_an_ordered_dictionary_of_parquet_orders_and_keeps_all_categories(tmp_path):
    data = table(sizes([2, 0, None, 2]), number=[1, 2, 3, 4])
    pq.write_table(data, tmp_path / "in.parquet", row_group_size=2)
    for by, expected in (("size", [2, 1, 4, 3]), (("number", "descending"), [4, 3, 2, 1])):
        sortie.sort_parquet(tmp_path / "in.parquet", tmp_path / "out.parquet", by=by, row_group_rows=2)
        result = pq.read_table(tmp_path / "out.parquet")
        assert result["number"].to_pylist() == expected
        assert [chunk.dictionary.to_pylist() for chunk in result["size"].chunks] == [SIZES] * 2
        assert result.schema.field("size").type.ordered


def test_parquet_without_the_dictionary_that_tells_the_order_is_refused(tmp_path):
    pq.write_table(table(sizes([2, 0, 1])), tmp_path / "in.parquet", use_dictionary=False)
    with pytest.raises(sortie.Error, match="^key 'size' is of type dictionary.*in.parquet' holds values without"):
        sortie.sort_parquet(tmp_path / "in.parquet", tmp_path / "out.parquet", by="size")


def test_a_cluster_refuses_an_order_that_it_would_lose(tmp_path):
    import sortie.cluster
    data = table(sizes([2, 0, 1]), nested=pa.ListArray.from_arrays([0, 1, 2, 3], sizes([2, 0, 1])), number=[1, 2, 3])
    for column in ("size", "nested"):
        pq.write_table(data.select([column, "number"]), tmp_path / "in.parquet")
        for by in {"number", "size"} & {column, "number"}:
            with pytest.raises(sortie.Error, match=f"^column '{column}' is of type .*, whose order is that of its"):
                sortie.cluster.sort_parquet(tmp_path / "in.parquet", tmp_path / "out.parquet", by=by,
                                            job=tmp_path / "job")
