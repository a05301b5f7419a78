"""The stubs: they say what the package says, and type checkers take with them what runs."""

import pathlib
import subprocess
import sys

import pytest

import sortie

pytest.importorskip("mypy", reason="mypy is not installed (every test of this file)")

USES = """
import array
import io
import numpy as np
import sortie
import sortie.cluster
import sortie.cuda

report: sortie.Report = sortie.sort_files(["in"], "out", memory="1GB", keys=["1,1n"], progress=True, warn=print)
disorder: sortie.Disorder | None = sortie.check_files("in", unique=True)
plan: str = sortie.plan_files("in", memory=1 << 30)
numbers = np.arange(10)
sortie.sort(numbers, out=numbers, memory="1GB")
sortie.sort(array.array("q", [1, 2]))
sortie.sort(np.zeros(2, [("age", "i4")]), order=("age", "descending"))
sortie.sort(np.zeros(2, [("age", "i4")]), order=["age", ("age", "ascending")])
indexes: np.ndarray = sortie.argsort(numbers, descending=True)
sortie.sort(np.zeros((2, 2), "int8"), 0, out=np.zeros((2, 2), "int8"))
sortie.argsort(np.zeros(2, [("age", "i4")]), axis=None, order="age", memory="1GB")

class Column:
    def sort_values(self, *, ascending: bool = True) -> object: ...
    def take(self, indices: object, axis: int = 0) -> object: ...
    def __array__(self, dtype: object = None) -> object: ...

column: Column = sortie.sort(Column(), descending=True)
try:
    sortie.sort(b"sortie")
except (sortie.ArgumentTypeError, sortie.OutOfMemoryError, sortie.MissingModuleError) as error:
    remedy: str | None = error.remedy
with sortie.Sorter(format="u64") as sorter:
    sorter.push(numbers)
    sorter.push(b"12345678")
    parts: list[bytes] = list(sorter)

class Table:
    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...

table = Table()
result: sortie.SortedTable = sortie.sort_table(table, ["a", ("b", "descending")], null_placement="at_start",
                                               memory="1GB")
batches: list[sortie.SortedBatch] = list(sortie.sort_table([table, result], ("a", "descending", "at_end"), top=3))
sortie.sort_table(iter([batches[0]]), "a")
sortie.sort_table(table, [0, ("user.id", "desc", "first"), (-1, "asc")], nulls_last=True)
sortie.sort_table(table, ["a", "b"], descending=[True, False], nulls=["first", "last"])
rows_of_all: int = result.num_rows + sum(batch.num_rows for batch in result.to_batches())
names: list[str] = result.schema.names
sortie.sort_table(result, "a").to_polars().height
sortie.sort_table(result.to_arrow(), "a").to_pandas(types_mapper=None)
sortie.Sorter(by="a", descending=True, nulls="first")
sortie.Sorter(format="u64", descending=True)
grouped: sortie.StreamedTable = sortie.group_table(table, ["a", 1], [("b", "sum"), "count"], nulls="first", memory="1GB")
sortie.group_table([table], "a", {"most": ("b", "max")}).to_pandas()
sortie.group_table(table, ["k"], {"n": "count", "s": ("v", "mean")})
sortie.group_table(table, by="user", aggregates={"visits": "count", "last": ("ts", "max"), "first": (0, "min")})
aggregates = {"n": "count", "s": ("v", "mean"), "first": (0, "min")}
sortie.group_table(table, "a", aggregates)
joined: sortie.StreamedTable = sortie.join_tables(grouped, table, "a", how="anti", threads=2)
sortie.join_tables(table, table, left_on=["a", 0], right_on=("b", "c"), suffix="_2").close()
sorts: list[sortie.Report] = joined.reports
told_of_file: sortie.TableReport = sortie.sort_parquet("in.parquet", "out.parquet", by=-1, null_placement="at_start")
place: str = told_of_file.path
with open("in.parquet", "rb") as opened:
    sortie.sort_parquet([opened, io.BytesIO(b""), "s3://bucket/in/"], "s3://bucket/out.parquet", by="a")
sortie.sort_table(told_of_file, "a")
report = told_of_file
with sortie.Sorter(by=[("a", "ascending")], batch_rows=10, unique=True) as rows:
    rows.push(table)
    batch: sortie.SortedBatch | None = rows.pull()
sortie.sort_parquet(["in.parquet"], "out.parquet", by="a", row_group_rows=10, compression="zstd:3",
                    memory=1 << 30).output_records
sortie.sort_parquet(["a.parquet", "b.parquet"], "out.parquet", by="a", merge=True, unique=True, keep="max:b").path
in_place: sortie.InPlaceReport = sortie.sort_parquet_in_place(["a.parquet"], by=["a", ("b", "desc")], nulls="first", memory="1GB")
paths: list[str] = in_place.sorted + in_place.left_alone
told: sortie.cluster.ClusterReport = sortie.cluster.sort_files(["in"], "out", job="job", shard="50G", keys="3,3n")
told = sortie.cluster.join_files("left", "right", "out", keys="id", how="full", format="csv", job="job")
told = sortie.cluster.sort_parquet("in.parquet", "out.parquet", by=["a", ("b", "descending")], job="job", unique=True)
on_device: sortie.cuda.Sorted = sortie.cuda.sort_with_indices(numbers, descending=True)
first_values, first_indices = sortie.cuda.top_k(on_device.values, 3, largest=False)
both: sortie.cuda.Pairs = sortie.cuda.sort_pairs(numbers, numbers, stream=1)
sortie.cuda.lexsort([numbers, numbers], descending=(True, False))
sortie.cuda.argsort_strings(numbers, numbers, descending=True, stream=2)
sortie.cuda.merge([sortie.cuda.sort(numbers, out=numbers), both.keys], values=(numbers, both.values))
sortie.cuda.segmented_sort(numbers, numbers, both.values, descending=True)
sortie.cuda.union(numbers, numbers, values=(numbers, numbers))
sortie.cuda.intersection(numbers, sortie.cuda.difference(numbers, numbers), descending=True)
sortie.cuda.symmetric_difference(numbers, numbers, stream=3)
sortie.cuda.unique(numbers, numbers, keep="last")
"""

MISUSES = {
    'sortie.sort_files("in", "out", memmory="1GB")': "memmory",
    'sortie.plan_files("in", progress=True)': "progress",
    'sortie.sort([1, 2])': "No overload variant",
    'sortie.Sorter().push(None)': "incompatible type",
    'sortie.Sorter(by="a", keys="1")': "No overload variant",
    'sortie.sort_table(3, "a")': "incompatible type",
    'sortie.sort_table([], ("a", 5.0))': "incompatible type",
    'sortie.sort_table([], "a", nulls="middle")': "incompatible type",
    'sortie.sort_table([], "a", descending="yes")': "incompatible type",
    'sortie.Sorter(nulls="first")': "No overload variant",
    'sortie.sort_table([], "a").num_rows = 3': "read-only",
    'sortie.sort_parquet("in", "out", by="a", keys="1")': "keys",
    'sortie.group_table([], "a", "total")': "incompatible type",
    'sortie.group_table([], "a", "count", unique=True)': "unique",
    'sortie.join_tables([], [], "a", how="outer")': "incompatible type",
    'sortie.cuda.sort([], descend=True)': "descend",
    'sortie.cuda.top_k([])': "Missing positional",
    'sortie.cuda.segmented_sort([])': "Missing positional",
    'sortie.cuda.unique([], keep="any")': "incompatible type",
    'sortie.cuda.lexsort(3)': "incompatible type",
}


# With the same settings for all, what one run has read the next one need not.
SETTINGS = """
[mypy]
strict = True

# Modules without types, and such as need not be there.
[mypy-sortie._native,pandas.*,polars.*,pyarrow.*,tqdm.*]
ignore_missing_imports = True

# Not all of Ray has types, and what it has takes longer to read than all else.
[mypy-ray.*]
follow_imports = skip
ignore_missing_imports = True

[mypy-sortie.*]
follow_imports = silent
"""


def mypy(tool, *arguments, folder):
    return subprocess.run([sys.executable, "-m", tool, *arguments], capture_output=True, text=True, cwd=folder)


@pytest.fixture(scope="module")
def checked(tmp_path_factory):
    """Runs mypy with the settings, and a cache for all tests of this file."""
    cache = tmp_path_factory.mktemp("cache")

    def run(*arguments, folder):
        (folder / "settings.ini").write_text(SETTINGS)
        return mypy("mypy", "--config-file=settings.ini", f"--cache-dir={cache}", *arguments, folder=folder)

    return run


def test_stubs_say_what_the_package_says(tmp_path):
    # The stubs are those of the package; its own modules have none. What others have is not looked at.
    files = pathlib.Path(sortie.__file__).parent.glob("_*.py")
    modules = [f"sortie.{path.stem}" for path in files if path.stem != "__init__"]
    (tmp_path / "mypy.ini").write_text(f"[mypy]\n[mypy-{','.join(modules)}]\nignore_errors = True\n"
                                       "[mypy-ray.*,tqdm.*,pandas.*,pyarrow.*,sortie._native]\nignore_missing_imports = True\n"
                                       "follow_imports = skip\n")
    # A class of nanobind, which programs do not make, modules that need Ray, pyarrow and PyTorch, and what is imported for types alone.
    (tmp_path / "allowed").write_text("sortie.SortedBatch\nsortie.SortedBatch.__init__\nsortie.cluster.ray_disks\n"
                                      "sortie.cluster.ray_engine\nsortie.cluster.table_command\nsortie.cuda.torch_operators\n"
                                      r"sortie\.(tables|jobs)\.\w+\.(pandas|polars|pyarrow)" "\n")
    told = mypy("mypy.stubtest", "sortie", "--ignore-missing-stub", "--mypy-config-file", "mypy.ini", "--allowlist",
                "allowed", "--ignore-unused-allowlist", folder=tmp_path)
    assert told.returncode == 0, told.stdout


def test_all_modules_are_typed(checked, tmp_path):
    modules = len([*pathlib.Path(sortie.__file__).parent.glob("**/*.py")])
    told = checked("-p", "sortie", folder=tmp_path)
    assert told.returncode == 0 and f"in {modules} source files" in told.stdout, told.stdout


@pytest.mark.parametrize("version", ["3.11", "3.12"])
def test_type_checkers_take_what_runs_and_refuse_what_does_not(checked, tmp_path, version):
    (tmp_path / "uses.py").write_text(USES)
    (tmp_path / "misuses.py").write_text("import sortie, sortie.cuda\n" + "".join(line + "\n" for line in MISUSES))
    # At once: most of what takes time is reading the stubs of others.
    told = checked("--python-version", version, "uses.py", "misuses.py", folder=tmp_path)
    errors = [line for line in told.stdout.splitlines() if ": error" in line]
    assert errors and all(line.startswith("misuses.py:") for line in errors), told.stdout
    for number, words in enumerate(MISUSES.values(), 2):
        assert any(line.startswith(f"misuses.py:{number}: error") and words in line for line in errors), told.stdout
    assert told.stdout.splitlines()[-1].endswith("(checked 2 source files)"), told.stdout
