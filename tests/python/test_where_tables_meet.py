"""What several features of sort_parquet() do together."""

import io

import pytest

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed (every test of this file)")
import pyarrow.parquet as pq  # noqa: E402
from table_files import read  # noqa: E402

import sortie  # noqa: E402


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "in.parquet"
    pq.write_table(pa.table({"k": [0, 1, 2, 3], "v": [3, 0, 1, 2], "p": [0, 1, 0, 1]}), path)
    return path


@pytest.mark.parametrize("options, message", [
    ({"by": ["k", "v"], "curve": "z", "partition_by": "p"}, "curve and partition_by are incompatible"),
    ({"by": [("k", "desc")], "partition_by": "k"}, "key 'k' also names folders"),
    ({"by": "k", "merge": True, "partition_by": "p"}, "merge and partition_by are incompatible"),
    ({"by": "k", "unique": True, "keep": "max:v", "order": "input"}, "keep and order are incompatible")])
def test_what_contradicts_itself_is_refused(table, tmp_path, options, message):
    with pytest.raises(sortie.Error, match=f"^{message}"):
        sortie.sort_parquet(table, f"{tmp_path}/out/" if "partition_by" in options else tmp_path / "o.parquet",
                            **options)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.parquet"]


def test_columns_of_one_name_in_csv_have_no_guessed_types(tmp_path):
    (tmp_path / "in.csv").write_text("k,k,s\n3,1,b\n1,2,a\n")
    with pytest.raises(sortie.Error, match="in.csv' has several columns 'k', whose types are guessed"):
        sortie.sort_parquet(tmp_path / "in.csv", tmp_path / "out.parquet", by="s")
    sortie.sort_parquet(tmp_path / "in.csv", tmp_path / "out.csv", by="s")
    assert (tmp_path / "out.csv").read_text().splitlines()[1] == '"1","2","a"'


def test_nothing_is_sorted_in_place_if_options_do_not_suit_a_later_file(table, tmp_path):
    before = table.read_bytes()
    (tmp_path / "z.csv").write_text("k\n2\n1\n")
    for paths, options in (([tmp_path], {"compression": "brotli"}), ([table, io.BytesIO(before)], {})):
        with pytest.raises(sortie.Error):
            sortie.sort_parquet_in_place(paths, by=("k", "desc"), **options)
        assert table.read_bytes() == before


def test_in_place_strict_refuses_what_a_sort_would_assume(tmp_path):
    (tmp_path / "in.csv").write_text("k,v\n1,b\n007,x\nNA,d\n")
    with pytest.raises(sortie.Error, match="would have to assume something"):
        sortie.sort_parquet_in_place(tmp_path / "in.csv", by="k", strict=True)
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder/notes.txt").write_text("x")
    pq.write_table(pa.table({"k": [2, 1]}), tmp_path / "folder/a.parquet")
    with pytest.raises(sortie.Error, match="notes.txt"):
        sortie.sort_parquet_in_place(tmp_path / "folder", by="k", strict=True)
    with pytest.warns(sortie.SortWarning, match="notes.txt"):
        told = sortie.sort_parquet_in_place([tmp_path / "folder", tmp_path / "folder/a.parquet"], by="k")
    assert told.sorted == [str(tmp_path / "folder/a.parquet")] and told.left_alone == []


def test_a_merge_of_files_with_wider_types_in_folders_takes_one_pass(tmp_path):
    for number in range(60):
        folder = tmp_path / f"in/y={number % 7}"
        folder.mkdir(parents=True, exist_ok=True)
        keys = sorted((place * 7919 + number) % 5000 for place in range(200))
        pq.write_table(pa.table({"k": pa.array(keys, [pa.int16(), pa.int32(), pa.int64()][number % 3])}),
                       folder / f"{number}.parquet")
    how = {"by": "k", "schema": "union", "memory": "64MB"}
    report = sortie.sort_parquet(tmp_path / "in", tmp_path / "merged.parquet", merge=True, **how)
    assert report.merge_passes == 1
    sortie.sort_parquet(tmp_path / "in", tmp_path / "sorted.parquet", **how)
    assert read(tmp_path / "merged.parquet").equals(read(tmp_path / "sorted.parquet"))


def test_bounds_of_geometries_are_those_of_all_files_that_are_made_one_table(tmp_path):
    import json

    for name, box in (("a", [0, 0, 1, 1]), ("b", [5, 5, 9, 9])):
        geo = {"version": "1.1.0", "primary_column": "g",
               "columns": {"g": {"encoding": "WKB", "geometry_types": [], "bbox": box}}}
        columns = {"k": pa.array([1], pa.int32() if name == "a" else pa.int64()), "g": pa.array([None], pa.binary())}
        pq.write_table(pa.table(columns).replace_schema_metadata({"geo": json.dumps(geo)}),
                       tmp_path / f"{name}.parquet")
    sortie.sort_parquet([tmp_path / "a.parquet", tmp_path / "b.parquet"], tmp_path / "o.parquet", by="k",
                        schema="union")
    told = json.loads(pq.read_schema(tmp_path / "o.parquet").metadata[b"geo"])
    assert told["columns"]["g"]["bbox"] == [0, 0, 9, 9]
