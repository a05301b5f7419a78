"""A file that is an input and an output at once: it is sorted in place, or refused while it is as it was."""

import os
import pathlib
import shutil

import pytest

import sortie

REPORTS = ("stats_json", "trace", "report")
LINES = "b,2\na,1\n"
SPELLINGS = {
    "its name": lambda path: str(path),
    "a longer way": lambda path: f"{path.parent}/./{path.parent.name}/../{path.name}",
    "relative": lambda path: os.path.relpath(path),
    "pathlib": pathlib.Path,
    "bytes": os.fsencode,
    "a symbolic link": lambda path: linked(path, os.symlink),
    "a hard link": lambda path: linked(path, os.link),
}


def linked(path, make):
    link = path.parent / f"{make.__name__}{path.suffix}"
    make(path, link)
    return link


@pytest.fixture
def lines(tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / tmp_path.name).mkdir()
    path = tmp_path / "lines.csv"
    path.write_text(LINES)
    return path


@pytest.fixture(params=SPELLINGS)
def spell(request):
    return SPELLINGS[request.param]


def test_lines_are_sorted_in_place_by_any_name(lines, spell):
    sortie.sort_files(lines, spell(lines))
    assert lines.read_text() == "a,1\nb,2\n"


def test_either_side_of_a_join_may_be_its_output(lines, spell):
    other = lines.parent / "other.csv"
    shutil.copy(lines, other)
    sortie.join_files(lines, other, spell(lines), keys="1,1", separator=",")
    assert lines.read_text() == "a,1,1\nb,2,2\n"


@pytest.mark.parametrize("name", REPORTS)
def test_no_report_takes_the_place_of_an_input(lines, spell, name):
    with pytest.raises(sortie.Error, match="name another file$"):
        sortie.sort_files(lines, lines.parent / "out", **{name: spell(lines)})
    assert lines.read_text() == LINES


def table_file(path):
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    pq.write_table(pa.table({"a": [3, 1, 2]}), path)
    return path


def values_of(path):
    import pyarrow.parquet as pq
    return pq.read_table(path)["a"].to_pylist()


def test_parquet_is_sorted_in_place_by_any_name(tmp_path, spell):
    (tmp_path / tmp_path.name).mkdir()
    path = table_file(tmp_path / "d.parquet")
    sortie.sort_parquet(path, spell(path), by="a")
    assert values_of(path) == [1, 2, 3]


@pytest.mark.parametrize("name", REPORTS)
def test_no_report_takes_the_place_of_a_table(tmp_path, spell, name):
    (tmp_path / tmp_path.name).mkdir()
    path = table_file(tmp_path / "d.parquet")
    for output in (tmp_path / "out.parquet", path):
        with pytest.raises(sortie.Error, match=f"^{name} is also an input or the output"):
            sortie.sort_parquet(path, output, by="a", **{name: spell(path)})
        shutil.rmtree(tmp_path / "links", ignore_errors=True)
        for link in tmp_path.glob("*link.parquet"):
            link.unlink()
    assert values_of(path) == [3, 1, 2]


@pytest.mark.parametrize("name", REPORTS)
@pytest.mark.parametrize("in_place", [False, True])
def test_no_report_takes_the_place_of_a_mapped_array(tmp_path, name, in_place):
    np = pytest.importorskip("numpy")
    path = tmp_path / "numbers"
    np.array([3, 1, 2]).tofile(path)
    numbers = np.memmap(path, "int64", "r+")
    with pytest.raises(sortie.Error, match=f"^{name} is also an input or the output"):
        sortie.sort(numbers, out=numbers if in_place else tmp_path / "out", **{name: path})
    assert np.fromfile(path, "int64").tolist() == [3, 1, 2]


def tables_as_lines(path):
    out = path.parent / "out"
    return {
        "sort_files": lambda: sortie.sort_files(path, path),
        "sort_files as csv": lambda: sortie.sort_files([out, path], path, format="csv"),
        "check_files": lambda: sortie.check_files(path),
        "plan_files": lambda: sortie.plan_files(path, path),
        "join_files": lambda: sortie.join_files(path, path, path, keys="1,1"),
        "join_files, right": lambda: sortie.join_files(out, path, path, keys="1,1"),
    }


@pytest.mark.parametrize("name", tables_as_lines(pathlib.Path()))
def test_tables_are_not_torn_into_lines(tmp_path, name):
    path = table_file(tmp_path / "d.parquet")
    (tmp_path / "out").write_text("x\n")
    with pytest.raises(sortie.Error, match=r"d.parquet' is a file of Parquet, .*: sort_parquet\(\) sorts it$"):
        tables_as_lines(path)[name]()
    assert values_of(path) == [3, 1, 2]


def test_files_of_arrow_are_not_torn_into_lines(tmp_path):
    pa = pytest.importorskip("pyarrow")
    path = tmp_path / "d.arrow"
    with pa.ipc.new_file(path, pa.schema({"a": "int64"})) as writer:
        writer.write(pa.record_batch({"a": [3, 1]}))
    with pytest.raises(sortie.Error, match="is a file of Arrow"):
        sortie.sort_files(path, path)


def test_what_only_begins_like_a_table_is_sorted(tmp_path):
    (tmp_path / "in").write_bytes(b"PAR1\nA\n")
    sortie.sort_files(tmp_path / "in", tmp_path / "in")
    assert (tmp_path / "in").read_bytes() == b"A\nPAR1\n"


@pytest.fixture
def printed(tmp_path, run_python):
    """What a program prints that sorts lines in a folder of its own, where no file may be called "-"."""
    (tmp_path / "lines.csv").write_text(LINES)

    def run(program):
        done = run_python(f"import sortie\n{program}", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        assert "-" not in os.listdir(tmp_path)
        return done.stdout
    return run


def test_a_minus_is_standard_output(printed):
    assert printed('sortie.sort_files("lines.csv", "-")') == "a,1\nb,2\n"
    assert '"file":"part-0"' in printed('sortie.sort_files("lines.csv", "part-{}", split=2, manifest="-")')
    assert printed('sortie.sort_files("lines.csv", "out", stats_json="-")').startswith("{")
    assert printed('sortie.sort_files("lines.csv", "out", trace="-")').startswith('{"displayTimeUnit"')
    assert printed('sortie.sort_files("lines.csv", "out", report="-")').startswith("<!")
    assert printed('with sortie.Sorter(stats_json="-") as s:\n s.push(b"b\\na\\n")\n list(s)').startswith("{")


def test_standard_output_is_for_one_thing(printed):
    told = printed("""
for options in ({"stats_json": "-"}, {"trace": "-"}):
    try:
        sortie.sort_files("lines.csv", "-", **options)
    except sortie.Error as error:
        print(error)
""")
    assert told == ("the statistics cannot be written to -, which is also the output: name another file\n"
                    "the trace cannot be written to -, which is also the output: name another file\n")


def test_standard_streams_have_no_format_of_tables(tmp_path):
    pytest.importorskip("pyarrow")
    with pytest.raises(sortie.Error, match="^output is '-', standard output, which has no suffix"):
        sortie.sort_parquet(tmp_path / "in.parquet", "-", by="a")
    with pytest.raises(sortie.Error, match="^inputs is '-', standard input, which has no suffix"):
        sortie.sort_parquet("-", tmp_path / "out.parquet", by="a")
