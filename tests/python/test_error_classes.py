"""All errors are a sortie.Error, and of the class that Python has for them."""

import array
import pathlib
import pickle
import re

import numpy as np
import pytest

import sortie

FOLDER = pathlib.Path(sortie.__file__).parent


@pytest.mark.parametrize("call, own, of_python", [
    (lambda: sortie.sort("text"), sortie.ArgumentTypeError, TypeError),
    (lambda: sortie.sort(np.zeros((2, 2)), axis=5), sortie.ArgumentError, ValueError),
    (lambda: sortie.sort(np.zeros(2), out=np.zeros(3)), sortie.ArgumentError, ValueError),
    (lambda: sortie.sort(np.zeros(2), descending=1), sortie.ArgumentTypeError, TypeError),
    (lambda: sortie.sort(np.broadcast_to(np.int64(1), 10**15)), sortie.OutOfMemoryError, MemoryError),
    (lambda: sortie.argsort(np.zeros(2), out=np.zeros(2)), sortie.ArgumentTypeError, TypeError),
    (lambda: sortie.sort_files("nowhere", "out"), sortie.FileError, FileNotFoundError),
    (lambda: sortie.sort_files(5, "out"), sortie.ArgumentTypeError, TypeError),
    (lambda: sortie.sort_files([], "out"), sortie.ArgumentError, ValueError),
    (lambda: sortie.sort_files("in", "out", threads=0), sortie.ArgumentError, ValueError),
    (lambda: sortie.sort_files("in", "out", threads="4"), sortie.ArgumentTypeError, TypeError),
    (lambda: sortie.sort_files("in", None), sortie.ArgumentTypeError, TypeError),
    (lambda: sortie.sort_files("in", "out", progress=5), sortie.ArgumentTypeError, TypeError),
    (lambda: sortie.sort_table(5, "a"), sortie.ArgumentTypeError, TypeError),
    (lambda: sortie.sort_table([], []), sortie.ArgumentError, ValueError),
    (lambda: sortie.sort_table([], "a", null_placement="x"), sortie.ArgumentError, ValueError),
    (lambda: sortie.Sorter(format="u64").push(5), sortie.ArgumentTypeError, TypeError),
    (lambda: sortie.Sorter(by="a", batch_rows="x"), sortie.ArgumentTypeError, TypeError)])
def test_an_error_is_of_both_classes(tmp_path, monkeypatch, call, own, of_python):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in").touch()
    with pytest.raises(sortie.Error) as caught:
        call()
    assert isinstance(caught.value, own) and isinstance(caught.value, of_python)
    again = pickle.loads(pickle.dumps(caught.value))
    assert (type(again), str(again), again.remedy) == (type(caught.value), str(caught.value), caught.value.remedy)


@pytest.mark.parametrize("call", [
    lambda path: sortie.sort_files(path, "out"),
    lambda path: sortie.sort_parquet(path, "out.parquet", by="a"),
    lambda path: sortie.sort_parquet("in.parquet", path, by="a"),
    lambda path: sortie.sort_table("table.csv", path, sort=True)], ids=["native", "input", "output", "argument"])
def test_control_characters_of_names_are_escaped_in_messages_as_the_command_escapes_them(tmp_path, monkeypatch, call):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in.parquet").write_bytes(b"PAR1")
    name = "no/b\n\x1b[2J\x9b.parquet"
    with pytest.raises((sortie.Error, TypeError)) as caught:
        call(name)
    message = str(caught.value)
    assert message.isprintable()
    if isinstance(caught.value, sortie.FileError):
        assert "b\\n\\033[2J\\302\\233" in message.replace("'$'", "").replace("''", "") and caught.value.filename == name


def test_the_classes_of_python_are_raised_nowhere():
    plain = re.compile(r"raise (TypeError|ValueError|MemoryError|ImportError|RuntimeError)\(")
    found = [f"{path.name}: {line.strip()}" for path in FOLDER.rglob("*.py")
             for line in path.read_text().splitlines() if plain.search(line)]
    assert found == []


def test_a_package_that_is_missing_is_an_import_error(run_python):
    told = run_python("""
import sys
sys.modules["pyarrow"] = None
import sortie
try:
    sortie.sort_parquet("in.parquet", "out.parquet", by="a")
except ImportError as error:
    assert isinstance(error, sortie.Error) and type(error) is sortie.MissingModuleError
    print(error)
""")
    assert "pip install" in told.stdout, told.stderr


@pytest.mark.parametrize("module, named", [("pyarrow", "pyarrow"), ("numpy", "NumPy")])
def test_groups_and_joins_name_the_package_that_is_missing(run_python, module, named):
    told = run_python(f"""
import sys
sys.modules["{module}"] = None
import sortie
for function, arguments in ((sortie.group_table, ([], "a", "count")), (sortie.join_tables, ([], [], "a"))):
    try:
        function(*arguments)
    except sortie.MissingModuleError as error:
        print(error)
""")
    lines = told.stdout.splitlines()
    assert [line.split(":")[0] for line in lines] == [
        f"{name}() needs {named}, which is not installed" for name in ("group_table", "join_tables")], told.stderr
    assert all("pip install 'sortie-sort[" in line for line in lines)


def test_a_buffer_that_is_read_only_is_refused():
    numbers = memoryview(array.array("q", [1])).toreadonly()
    for function in (sortie.sort, sortie.argsort):
        with pytest.raises(sortie.ArgumentError, match="^out is read-only: pass an array that may be written$"):
            function(array.array("q", [1]), out=numbers)


@pytest.mark.parametrize("name", ["a b\n", "\n", "a'b\n", "\té \\n", "a b", "$x\x1b", "it's", "'", "'\"", "'$x"])
def test_the_name_of_a_file_in_an_error_is_the_real_one(tmp_path, name):
    with pytest.raises(FileNotFoundError) as raised:
        sortie.sort_files(tmp_path / name, tmp_path / "out", engine="cpu")
    assert raised.value.filename == str(tmp_path / name)
