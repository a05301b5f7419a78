"""The package itself: its start, its command, its stubs, and the examples in its pages."""

import ast
import os
import pathlib
import re
import signal
import subprocess
import sys

import pytest

import sortie

ROOT = pathlib.Path(__file__).parents[2]


def test_the_version_is_the_library_version():
    header = (ROOT / "include" / "sortie" / "version.hpp").read_text()
    assert f'"{sortie.__version__}"' in header


def test_python_m_tells_what_the_build_can_do():
    told = subprocess.run([sys.executable, "-m", "sortie", "--version"], capture_output=True, text=True,
                          check=True).stdout
    assert told.startswith(f"sortie {sortie.__version__}, Python ")
    for words in ("engine ", "GPU module ", "GPU ", "build "):
        assert words in told


def test_python_m_runs_the_command():
    told = subprocess.run([sys.executable, "-m", "sortie", "-n"], input="10\n9\n", capture_output=True, text=True,
                          check=True)
    assert told.stdout == "9\n10\n"
    told = subprocess.run([sys.executable, "-m", "sortie", "/nothing"], capture_output=True, text=True)
    assert told.returncode == 2 and "/nothing" in told.stderr


def test_the_package_is_imported_without_what_takes_long():
    program = "import sys, sortie; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    # Each of these takes as long to load as the package itself, or longer.
    slow = {"asyncio", "ctypes", "dataclasses", "inspect", "json", "logging", "numpy", "pandas", "pyarrow",
            "sortie.cluster", "subprocess", "tempfile"}
    assert not slow.intersection(loaded)


def test_stubs_name_what_there_is():
    stub = ast.parse(pathlib.Path(sortie.__file__).with_name("__init__.pyi").read_text())
    names = {node.name for node in stub.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))
             and not node.name.startswith("_")}
    assert names == set(sortie.__all__)
    options = {item.target.id for node in stub.body if isinstance(node, ast.ClassDef) and node.name.endswith("Options")
               for item in node.body if isinstance(item, ast.AnnAssign)}
    documented = set(re.findall(r"^    (\w+)  ", sortie.__doc__, re.M)) | set(re.findall(r"; (\w+):", sortie.__doc__))
    assert options <= documented
    assert pathlib.Path(sortie.__file__).with_name("py.typed").exists()


def test_every_function_is_documented():
    for name in sortie.__all__:
        thing = getattr(sortie, name)
        assert thing.__doc__, name
        for member in vars(thing).values() if isinstance(thing, type) else ():
            if callable(member) and not getattr(member, "__name__", "_").startswith("_"):
                assert member.__doc__, member


@pytest.mark.parametrize("arguments", [["--version"], ["--help"]])
def test_a_reader_that_goes_away_ends_the_program_as_usual(arguments):
    with subprocess.Popen([sys.executable, "-m", "sortie", *arguments], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE) as process:
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(30) == -signal.SIGPIPE


def examples_of(page):
    return re.findall(r"```python\n(.*?)```", (ROOT / "src/python" / page).read_text(), re.S)


def test_all_examples_are_run():
    counts = [len(examples_of(page)) for page in ("README.md", "TABLES.md", "TABLE_FILES.md", "OBJECTS.md")]
    assert counts == [7, 2, 0, 0]


def run_example(page, number, folder):
    subprocess.run([sys.executable, "-c", examples_of(page)[number]], cwd=folder, check=True, timeout=60)


@pytest.mark.parametrize("number", range(7))
def test_examples_of_the_readme_run(number, tmp_path):
    (tmp_path / "words.txt").write_text("pear\napple\nfig\n")
    (tmp_path / "goods.csv").write_text("name,price\nfig,2\npear,10\n")
    if "in/*.parquet" in examples_of("README.md")[number]:
        pyarrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
        (tmp_path / "in").mkdir()
        parquet.write_table(pyarrow.table({"user": [2, 1], "ts": [1, 2]}), tmp_path / "in" / "x.parquet")
        (tmp_path / "older").mkdir()
        (tmp_path / "older" / "x.csv").write_text("ts,user,page\n0,3,/a\n")
    os.truncate(_touched(tmp_path / "numbers.bin"), 8_000_000)
    run_example("README.md", number, tmp_path)
    if number == 0:
        assert (tmp_path / "sorted.txt").read_text() == "apple\nfig\npear\n"


@pytest.mark.parametrize("number", range(2))
def test_examples_of_tables_run(number, tmp_path):
    pyarrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    for day, users in {"monday": [2, 1], "tuesday": [3, 2]}.items():
        parquet.write_table(pyarrow.table({"user": users, "ts": [1, 2]}), tmp_path / f"{day}.parquet")
    run_example("TABLES.md", number, tmp_path)
    if number == 1:
        assert parquet.read_table(tmp_path / "latest.parquet")["ts"].to_pylist() == [2, 2, 1]


def _touched(path):
    path.touch()
    return path
