"""Which files are meant by patterns, folders and hive-partitioned folders, beside what pyarrow.dataset reads of
them."""

import os
import pathlib
import subprocess

import pytest

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed (every test of this file)")
import pyarrow.dataset  # noqa: E402
import pyarrow.parquet as pq  # noqa: E402
from table_files import COMMAND, write  # noqa: E402

import sortie  # noqa: E402


@pytest.fixture
def inside(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def put(path, *values, **columns):
    """A file with a column n, and others."""
    path = pathlib.Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    write(pa.table({"n": pa.array(values, pa.int64()), **columns}), path)


def rows(inputs, by="n", output="out.parquet", **options):
    sortie.sort_parquet(inputs, output, by=by, **options)
    return pq.read_table(output, partitioning=None)


def refusal(inputs, **options):
    with pytest.raises(sortie.Error) as caught:
        rows(inputs, **options)
    assert not os.path.exists("out.parquet")
    return str(caught.value)


def test_a_folder_means_all_tables_below_it_in_the_order_of_their_paths(inside):
    for number, name in enumerate(["d/z.parquet", "d/a/x.csv", "d/a/b/y.ARROW", "d/a-b.parquet", "d/a/z.csv.gz"]):
        put(name.replace("ARROW", "arrow"), 1, extra=[number])
    os.rename("d/a/b/y.arrow", "d/a/b/y.ARROW")
    for name in ("d/_SUCCESS", "d/_metadata", "d/.hidden.parquet", "d/_temporary/0/part.parquet", "d/.git/x.parquet",
        "d/_x.parquet"):
        path = pathlib.Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("no table")
    # Rows with equal keys keep the order of the inputs.
    names = sorted(["d/z.parquet", "d/a/x.csv", "d/a/b/y.ARROW", "d/a-b.parquet", "d/a/z.csv.gz"])
    numbers = {"d/z.parquet": 0, "d/a/x.csv": 1, "d/a/b/y.ARROW": 2, "d/a-b.parquet": 3, "d/a/z.csv.gz": 4}
    for given in ("d", "d/", pathlib.Path("d"), b"d", ["d"], inside / "d", "d/."):
        assert rows(given)["extra"].to_pylist() == [numbers[name] for name in names]


def test_a_folder_is_what_pyarrow_reads_of_it(inside):
    for number in range(20):
        put(f"d/{number % 3}/{number * 7 % 20}.parquet", *range(number, 100, 7),
            file=[number] * len(range(number, 100, 7)))
    expected = pa.dataset.dataset("d").to_table()
    order = sorted(range(len(expected)), key=expected["n"].to_pylist().__getitem__)
    assert rows("d").to_pylist() == expected.take(order).to_pylist()


@pytest.mark.parametrize("years, months", [((2024, 2023), (11, 3)), (("x y", "%25"), ("a=b", "é")),
                                           ((-5, 0), ("1", "x"))])
def test_a_hive_folder_is_what_pyarrow_reads_of_it(inside, years, months):
    for year in years:
        for month in (*months, "__HIVE_DEFAULT_PARTITION__"):
            put(f"d/year={year}/a month={month}/x.parquet", 3, 1, text=["b", "a"])
            put(f"d/year={year}/a month={month}/y.parquet", 2, text=["c"])
    expected = pa.dataset.dataset("d", partitioning="hive").to_table()
    result = rows("d", by=["year", "a month", "n"])
    assert result.schema.equals(expected.schema)
    assert result.to_pylist() == expected.sort_by([(name, "ascending")
                                                   for name in ("year", "a month", "n")]).to_pylist()


@pytest.mark.parametrize("values, kind, expected", [
    (["1", "2"], "int32", [1, 2]), (["2147483647", "-2147483648"], "int32", [2147483647, -2147483648]),
    (["1", "2147483648"], "int64", [1, 2147483648]),
    (["-9223372036854775808", "1"], "int64", [-9223372036854775808, 1]),
    (["9223372036854775808", "1"], "string", ["9223372036854775808", "1"]), (["007", "8"], "string", ["007", "8"]),
    (["+7", "8"], "string", ["+7", "8"]), (["-0", "8"], "string", ["-0", "8"]), (["", "8"], "string", ["", "8"]),
    (["1.5", "8"], "string", ["1.5", "8"]), (["__HIVE_DEFAULT_PARTITION__", "8"], "int32", [None, 8]),
    (["__HIVE_DEFAULT_PARTITION__"], "string", [None]), (["%31", "%2F"], "string", ["1", "/"]),
    (["٣", "8"], "string", ["٣",
        "8"]),
])
def test_no_value_of_a_folder_loses_anything_by_its_type(inside, values, kind, expected):
    for number, value in enumerate(values):
        put(f"d/x={value}/f.parquet", number)
    result = rows("d")
    assert str(result.schema.field("x").type) == kind and result["x"].to_pylist() == expected


def test_names_of_columns_in_folders_are_decoded(inside):
    put("d/k%20y%3D=1/f.parquet", 1)
    put("d/k%20y%3D=2/__=3/f.parquet", 1)
    assert "tell of the columns: k y=; those of 'd/k%20y%3D=2/__=3/f.parquet' of: k y=, __;" in refusal("d")
    put("e/k%20y%3D=1/_n=4/f.parquet", 1)
    assert rows("e").to_pydict() == {"n": [1], "k y=": [1], "_n": [4]}
    os.unlink("out.parquet")
    put("f/x=%ff/f.parquet", 1)
    assert refusal("f") == "a folder of 'f/x=%ff/f.parquet' is called '%ff', which is not UTF-8: give it another name"
    put("g/x=1/x=2/f.parquet", 1)
    assert refusal("g") == "two folders of 'g/x=1/x=2/f.parquet' tell of the column 'x': let one name do so"


def test_files_of_one_folder_have_the_same_partitions(inside):
    put("d/x=1/f.parquet", 1)
    put("d/y=1/f.parquet", 1)
    assert refusal("d", schema="union") == (
        "the folders of 'd/x=1/f.parquet' tell of the columns: x; those of 'd/y=1/f.parquet' of: y; let all files of "
        "one folder have the same, or name them one by one")
    # Two folders may have others.
    assert rows(["d/x=1", "d/y=1"])["n"].to_pylist() == [1, 1]
    put("e/x=1/f.parquet", 1)
    put("e/y=2/z=3/f.parquet", 2)
    assert rows(["e/x=*", "e/y=*"], schema="union").to_pydict() == {"n": [1, 2], "x": [1, None], "y": [None, 2],
                                                                    "z": [None, 3]}


def test_one_column_has_one_type_in_all_folders(inside):
    put("a/x=1/f.parquet", 1)
    put("b/x=one/f.parquet", 2)
    assert rows(["a", "b"])["x"].to_pylist() == ["1", "one"]


def test_a_file_may_have_the_column_of_its_folder_if_the_values_are_the_same(inside):
    put("d/x=1/f.parquet", 1, 2, x=[1, 1])
    put("d/x=2/f.parquet", 3, x=[2])
    assert rows("d").schema.field("x").type == pa.int64()
    put("d/x=2/f.parquet", 3, 4, x=[2, 3])
    os.unlink("out.parquet")
    assert refusal("d") == ("column 'x' of 'd/x=2/f.parquet' has the value 3, and the name of the file's folder tells "
                            "'2': leave the column out of the file, or give the folder another name")
    put("e/x=1/f.parquet", 1, x=pa.array([None], pa.int8()))
    assert "has the value None, and" in refusal("e")
    put("e/x=1/f.parquet", 1, x=[[1]])
    told = refusal("e")
    assert "is of type list<element: int64>, and the name of the file's folder tells '1', which is no such value" in told
    put("f/x=__HIVE_DEFAULT_PARTITION__/f.parquet", 1, 2, x=[None, 2])
    assert "has the value 2, and the name of the file's folder tells null" in refusal("f")
    put("g/x=007/f.parquet", 1, x=pa.array(["007"]).dictionary_encode())
    assert rows("g")["x"].to_pylist() == ["007"]


def test_partition_columns_are_keys_by_name_and_position(inside):
    for year in (2024, 2023):
        put(f"d/year={year}/f.parquet", 5, 4)
    for by in ("year", -1, ".year"):
        assert rows("d", by=[by, "n"]).to_pydict() == {"n": [4, 5, 4, 5], "year": [2023, 2023, 2024, 2024]}
    assert [column.column_index for column in pq.read_metadata("out.parquet").row_group(0).sorting_columns] == [1, 0]


@pytest.mark.parametrize("output", ["out.csv", "out.arrow", "out.parquet"])
def test_csv_in_hive_folders_is_sorted_by_all_columns(inside, output):
    for year, text in ((2024, "n,t\n007,b\n3,a\n"), (2023, "t,n\nc,5.50\n")):
        folder = inside / f"d/year={year}"
        folder.mkdir(parents=True)
        (folder / "f.csv").write_text(text)
    sortie.sort_parquet("d", output, by=[("year", "descending"), "n"], schema="union", warn=lambda _: None)
    if output == "out.csv":
        assert (inside / output).read_text() == '"t","n","year"\n"a","3",2024\n"b","007",2024\n"c","5.50",2023\n'
    else:
        result = pq.read_table(output) if output == "out.parquet" else pa.ipc.open_file(output).read_all()
        assert result.to_pydict() == {"n": [3, 7, 5.5], "t": ["a", "b", "c"], "year": [2024, 2024, 2023]}


def test_partitions_are_those_behind_the_fixed_part_of_a_pattern(inside):
    for year in (2024, 2023):
        put(f"d/year={year}/f.parquet", year)
    for pattern, names in (("d/*/*.parquet", ["n", "year"]), ("d/year=202*", ["n", "year"]), ("d/**", ["n", "year"]),
                           ("d/year=2024/*", ["n"]), ("*/*/f.parquet", ["n", "year"]), ("d/year=2024/f.parquet", ["n"]),
                           ("d/year=2024", ["n"])):
        assert rows(pattern).column_names == names, pattern


def test_a_pattern_means_each_file_once(inside):
    put("d/a.parquet", 1)
    put("d/e/b.parquet", 2)
    assert rows("d/**")["n"].to_pylist() == [1, 2]
    assert rows(["d/**", "d/a.parquet", "d"])["n"].to_pylist() == [1, 1, 1, 2, 2]


def test_a_file_whose_name_is_a_pattern_means_itself(inside):
    put("[ab].parquet", 1)
    put("a.parquet", 2)
    assert rows("[ab].parquet")["n"].to_pylist() == [1]
    os.unlink("[ab].parquet")
    assert rows("[ab].parquet")["n"].to_pylist() == [2]
    os.unlink("a.parquet")
    with pytest.raises(FileNotFoundError, match=r"^nothing matches '\[ab\].parquet'$"):
        rows("[ab].parquet")


@pytest.mark.parametrize("given", ["events", "events/", "events.2024", "no/events"])
def test_a_folder_that_is_not_there_is_told_so(inside, given):
    assert refusal(given) == f"cannot read '{given}': No such file or directory"


@pytest.mark.parametrize("given, told", [
    ("d",
        "no file of the folder 'd' has a name that ends in .parquet, .arrow, .feather, .csv, .jsonl or .ndjson, of "
        "which the last three may have .gz or .zst behind; there is 'd/e/x"),
    ("d/**", "cannot tell the format of 'd/e/x.txt': let the name end in .parquet"),
    ("[d]", "no file of the folders that match '[d]' has a name that ends in .parquet"),
    (["d", "d"], "no file of the folder 'd' has"),
])
def test_folders_without_tables_are_one_error(inside, given, told):
    os.makedirs("d/e")
    pathlib.Path("d/e/x.txt").write_text("x")
    assert refusal(given).startswith(told)


def test_files_of_folders_that_are_left_out_are_told_once_and_refused_by_strict(inside):
    put("d/a.parquet", 1)
    for name in ("README", "b.json", ".parquet"):
        pathlib.Path(f"d/{name}").write_text("x")
    message = ("files of folders whose names tell no known format are left out, 2 in all, the first at d/README: let "
               "their names end as those of tables do, or move them elsewhere")
    assert refusal("d", strict=True) == f"the sort would have to assume something: {message}"
    warnings = []
    report = sortie.sort_parquet("d", "out.parquet", by="n", warn=warnings.append)
    assert warnings == [message]
    assert [(told.kind, told.count, told.first_place)
            for told in report.assumptions] == [("file-left-out", 2, "d/README")]


def test_an_output_in_the_folder_is_no_input_by_chance(inside):
    put("d/a.parquet", 2, 1)
    assert rows("d", output="d/out.parquet")["n"].to_pylist() == [1, 2]
    before = pathlib.Path("d/out.parquet").read_bytes()
    for given in ("d", "./d/", "[d]", ["d/a.parquet", inside / "d"]):
        with pytest.raises(sortie.ArgumentError,
            match="the output 'd/out.parquet' is also one of the files of a folder that is"):
            rows(given, output="d/out.parquet")
    assert pathlib.Path("d/out.parquet").read_bytes() == before
    # A pattern names it.
    assert rows("d/*.parquet", output="d/out.parquet")["n"].to_pylist() == [1, 1, 2, 2]


def test_links_to_folders_are_followed_and_do_not_go_round(inside):
    put("d/a.parquet", 1)
    put("other/b.parquet", 2)
    os.symlink("../other", "d/link")
    os.symlink(".", "d/round")
    os.symlink("../other", "other/round")
    assert rows("d/link")["n"].to_pylist() == [2]
    assert rows("d")["n"].to_pylist() == [1, 2]


def test_a_broken_link_is_an_error_that_names_it(inside):
    put("d/a.parquet", 1)
    os.symlink("nowhere", "d/b.parquet")
    assert refusal("d") == "cannot read 'd/b.parquet': No such file or directory"


def test_names_with_other_letters_are_found(inside):
    put("d/é ü/名=日本/x'y.parquet", 1)
    assert rows("d").to_pydict() == {"n": [1], "名": ["日本"]}
    path = os.fsencode("d") + b"/\xff.parquet"
    os.rename("d/é ü/名=日本/x'y.parquet", path)
    with pytest.raises(sortie.Error) as caught:
        rows("d", by="m")
    assert "has no such column" in str(caught.value)
    assert rows(b"d")["n"].to_pylist() == [1]


def test_the_command_takes_folders(inside):
    put("d/x=1/a.parquet", 1)
    put("d/x=2/a.parquet", 2)
    told = subprocess.run([*COMMAND, "-k", "x:desc", "-o", "out.parquet", "d"], capture_output=True, text=True)
    assert (told.returncode, told.stderr) == (0, "")
    assert pq.read_table("out.parquet").to_pydict() == {"n": [2, 1], "x": [2, 1]}


def test_a_file_that_is_damaged_is_named_among_the_small_ones_of_a_hive_folder(inside):
    for number in range(20):
        put(f"d/x={number % 2}/{number}.parquet", *range(1000))
    path = pathlib.Path("d/x=1/7.parquet")
    data = path.read_bytes()
    path.write_bytes(data[:300] + bytes(200) + data[500:])
    assert "'d/x=1/7.parquet'" in refusal("d")


def test_pandas_is_not_imported_for_a_hive_folder(inside, run_python):
    pytest.importorskip("pandas")
    put("d/x=1/y=a/a.parquet", 1, f=[1.5])
    put("d/x=2/y=b/a.arrow", 2, g=[1])
    program = ("import sys, sortie; sortie.sort_parquet('d', 'out.parquet', by=['y', 'n', 'f'], schema='union'); "
               "sys.exit('pandas' in sys.modules)")
    told = run_python(program)
    assert told.returncode == 0, told.stderr


def test_numbers_that_stay_texts_are_told_once_and_refused_by_strict(tmp_path):
    for name in ("x=007", "x=7", "x=__HIVE_DEFAULT_PARTITION__"):
        (tmp_path / "in" / name).mkdir(parents=True)
        pq.write_table(pa.table({"n": [1]}), tmp_path / "in" / name / "a.parquet")
    told = []
    report = sortie.sort_parquet(tmp_path / "in", tmp_path / "out.parquet", by="n", warn=told.append)
    assert report.schema.field("x").type == pa.string()
    assert told == ["column 'x': the names of folders are taken for texts, as 1 of their numbers are not written as "
                    f"integers usually are, the first at '{tmp_path}/in/x=007/a.parquet' ‘007’: write 7 for 007 in all "
                    "of these names, or let the files have the column"]
    assert [(one.kind, one.count) for one in report.assumptions] == [("folder-text", 1)]
    with pytest.raises(sortie.Error, match="would have to assume something: column 'x': the names of folders"):
        sortie.sort_parquet(tmp_path / "in", tmp_path / "no.parquet", by="n", strict=True)
    assert not (tmp_path / "no.parquet").exists()


@pytest.mark.parametrize("values", [("7", "-3"), ("007", "a"), ("b", ""), ("12345678901234567890", "1")])
def test_texts_and_integers_in_the_names_of_folders_are_no_guess(tmp_path, values):
    for value in values:
        (tmp_path / "in" / f"x={value}").mkdir(parents=True)
        pq.write_table(pa.table({"n": [1]}), tmp_path / "in" / f"x={value}" / "a.parquet")
    assert sortie.sort_parquet(tmp_path / "in", tmp_path / "out.parquet", by="n", strict=True).assumptions == []


def test_a_column_that_the_files_have_is_no_guess(tmp_path):
    (tmp_path / "in" / "x=007").mkdir(parents=True)
    pq.write_table(pa.table({"x": ["007"], "n": [1]}), tmp_path / "in" / "x=007" / "a.parquet")
    assert sortie.sort_parquet(tmp_path / "in", tmp_path / "out.parquet", by="n", strict=True).num_rows == 1
