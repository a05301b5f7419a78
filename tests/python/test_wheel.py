"""The wheel: built, looked into, installed in an empty virtual environment and used there. Its build is one of its own,
with the options of the build that has the tests, so that it can take over what that has compiled."""

import os
import pathlib
import re
import subprocess
import sys
import venv
import zipfile

import pytest

import sortie

ROOT = pathlib.Path(__file__).parents[2]
BUILD = pathlib.Path(sortie.__file__).parents[4]  # of the package that is tested
SHARED = ("CMAKE_BUILD_TYPE", "CMAKE_CXX_COMPILER", "CMAKE_CXX_FLAGS", "CMAKE_CXX_FLAGS_RELWITHDEBINFO",
          "CMAKE_COMPILE_WARNING_AS_ERROR", "SORTIE_UNITY")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    cache = dict(re.findall(r"^(\w+):\w+=(.*)$", (BUILD / "CMakeCache.txt").read_text(), re.M))
    launcher = pathlib.Path(__file__).with_name("compiled_already")
    options = ["cmake.define.SORTIE_CUDA=OFF", f"cmake.build-type={cache['CMAKE_BUILD_TYPE']}",
               f"cmake.define.CMAKE_CXX_COMPILER_LAUNCHER={launcher};{BUILD}", f"build-dir={folder}/build",
               *(f"cmake.define.{name}={cache[name]}" for name in SHARED if cache.get(name))]
    subprocess.run([sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, ROOT,
                    *(f"--config-settings={option}" for option in options)], check=True)
    (path,) = folder.glob("*.whl")
    return path


def test_its_tag_is_that_of_the_module_inside(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    (module,) = [name for name in names if re.fullmatch(r"sortie/_native\..*so", name)]
    _, _, python, abi, _ = wheel.stem.split("-")
    if sys.version_info >= (3, 12):
        assert (python, abi, module) == ("cp312", "abi3", "sortie/_native.abi3.so")
    else:
        version = f"{sys.version_info.major}{sys.version_info.minor}"
        assert python == abi == f"cp{version}" and f".cpython-{version}-" in module
    assert "sortie/__init__.pyi" in names and "sortie/py.typed" in names
    assert [name for name in names if name.endswith(".data/scripts/sortie")]
    pages = {name.partition(".data/data/share/man/man1/")[2] for name in names} - {""}
    assert pages == {"sortie.1", "sortie-parquet.1", "sortie-prepare.1", "sortie-cluster.1"}
    package = ROOT / "src" / "python" / "sortie"
    modules = {str(path.relative_to(package)) for path in package.rglob("*.py")}
    in_package = [name.removeprefix("sortie/") for name in names if name.startswith("sortie/")]
    assert modules == {name for name in in_package if name.endswith(".py")}
    assert not [name for name in names if "include/" in name or name.endswith(".a")]


def test_it_works_in_an_empty_environment(wheel, tmp_path):
    venv.create(tmp_path / "env")
    programs = tmp_path / "env" / "bin"
    subprocess.run([sys.executable, "-m", "pip", "--python", programs / "python", "install", "--quiet", "--no-index",
                    wheel],
                   check=True)
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    told = subprocess.run([programs / "sortie", "-n"], input="10\n9\n", text=True, capture_output=True, check=True)
    assert told.stdout == "9\n10\n"
    told = subprocess.run([programs / "sortie-parquet", "-k", "a", "-o", "x.parquet", "y.parquet"], text=True,
                          capture_output=True, env=environment)
    assert told.returncode == 2 and "pip install 'sortie-sort[parquet]'" in told.stderr
    (tmp_path / "in").write_text("b\na\n")
    for command in ("import sortie; sortie.sort_files('in', 'out'); print(open('out').read())",
                    "import array, sortie; a = array.array('q', [2, 1]); sortie.sort(a, out=a); assert a[0] == 1"):
        subprocess.run([programs / "python", "-c", command], cwd=tmp_path, env=environment, check=True)
    told = subprocess.run([programs / "python", "-m", "sortie", "-n"], input="10\n9\n", text=True, capture_output=True,
                          env=environment, cwd=tmp_path, check=True)
    assert told.stdout == "9\n10\n"
