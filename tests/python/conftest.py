"""The package under test is the one on PYTHONPATH, or the one that is installed. With SORTIE_TEST_ENGINE=gpu in the
environment, sorts that ask for no engine use this one."""

import contextlib
import functools
import importlib.util
import os
import pathlib
import subprocess
import sys

import pytest

import sortie

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from quick_directory import quick_directory  # noqa: E402

# What tools/setup installs for tests. They skip what a machine has not; CI has all of it.
MODULES = ("numpy", "pyarrow", "pandas", "polars", "duckdb", "ray", "obstore", "fsspec", "upath")


def pytest_configure(config):
    # A cluster's driver syncs each state that it writes: half of the time of such tests on a disk.
    names = [pathlib.Path(name).name for name in config.args]
    if quick_directory() and all(name.startswith("test_cluster_") for name in names):
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", quick_directory())
    # What fails in a thread of a test fails the test.
    config.addinivalue_line("filterwarnings", "error::pytest.PytestUnhandledThreadExceptionWarning")
    missing = [name for name in MODULES if importlib.util.find_spec(name) is None]
    if missing and os.environ.get("CI"):
        raise pytest.UsageError(f"not installed: {', '.join(missing)}; tools/setup installs them")
    engine = os.environ.get("SORTIE_TEST_ENGINE")
    if not engine:
        return

    def with_engine(function):
        @functools.wraps(function)
        def call(*arguments, **options):
            return function(*arguments, **{"engine": engine, **options})
        return call
    for name in ("sort_files", "sort", "sort_table", "sort_parquet", "group_table", "join_tables"):
        setattr(sortie, name, with_engine(getattr(sortie, name)))
    sortie.Sorter.__init__ = with_engine(sortie.Sorter.__init__)


@pytest.fixture
def no_leftovers(tmp_path):
    """A scratch directory that must be empty in the end."""
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    yield scratch
    assert os.listdir(scratch) == []


@pytest.fixture
def run_python():
    """Runs a program with the package, and returns what it did."""
    def run(program, *arguments, **options):
        return subprocess.run([sys.executable, "-c", program, *map(str, arguments)], capture_output=True, text=True,
                              timeout=100, **options)
    return run


class SmallDisk:
    """A disk of 1 MiB at `path`, which only programs see that are run on it."""

    def __init__(self, path, namespace):
        self.path = path
        self._namespace = namespace

    def run(self, program, *arguments):
        mount = 'mount -t tmpfs -o size=1M tmpfs "$0" && exec "$@"'
        return subprocess.run([*self._namespace, "sh", "-c", mount, self.path, sys.executable, "-c", program,
                               *map(str, arguments)], capture_output=True, text=True, timeout=100)


@pytest.fixture
def small_disk(tmp_path):
    """Mounted as root, or where users may make namespaces."""
    path = pathlib.Path(tmp_path, "disk")
    path.mkdir()
    for namespace in (["unshare", "-Urm"], ["unshare", "-m"]):
        disk = SmallDisk(path, namespace)
        if disk.run("").returncode == 0:
            return disk
    pytest.skip("no disk can be mounted here")


@pytest.fixture
def files(tmp_path):
    """Three files of Parquet, and all their rows."""
    import pyarrow as pa
    import pyarrow.parquet as pq
    from table_files import shuffled

    folder = tmp_path / "in"
    folder.mkdir()
    tables = [shuffled(count, count) for count in (1000, 0, 2500)]
    paths = [folder / f"{i}.parquet" for i in range(len(tables))]
    for table, path in zip(tables, paths):
        pq.write_table(table, path, row_group_size=300)
    return paths, pa.concat_tables(tables)


@contextlib.contextmanager
def _found_by_obstore(store, monkeypatch):
    """By the environment."""
    for name in list(os.environ):
        if name.startswith(("AWS_", "GOOGLE_", "AZURE_")):
            monkeypatch.delenv(name)
    for name, value in store.environment().items():
        monkeypatch.setenv(name, value)
    yield store
    store.close()


@pytest.fixture
def s3(monkeypatch):
    """A store on the loopback."""
    from s3_stand_in import S3StandIn

    with _found_by_obstore(S3StandIn(), monkeypatch) as store:
        yield store


@pytest.fixture(params=["s3", "gs", "az"])
def each_store(request, monkeypatch):
    """A store of each kind."""
    from azure_stand_in import AzureStandIn
    from s3_stand_in import GoogleStandIn, S3StandIn

    kind, = (kind for kind in (S3StandIn, GoogleStandIn, AzureStandIn) if kind.scheme == request.param)
    with _found_by_obstore(kind(), monkeypatch) as store:
        yield store
