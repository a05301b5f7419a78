"""Open files of Python and of fsspec as inputs of sort_parquet()."""

import gzip
import io
import os

import pytest

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed (every test of this file)")
import pyarrow.parquet as pq  # noqa: E402
from table_files import arrow_bytes, csv_bytes, parquet_bytes  # noqa: E402

import sortie  # noqa: E402

TABLE = pa.table({"key": [i * 7919 % 503 for i in range(500)], "text": [f"text {i % 99}" for i in range(500)]})


class Named(io.BytesIO):
    name = "things.csv"


def test_open_files_are_inputs(tmp_path):
    for content, name in ((parquet_bytes(TABLE), "in.parquet"), (arrow_bytes(TABLE), "in.arrow"), (csv_bytes(TABLE), "in.csv")):
        (tmp_path / name).write_bytes(content)
        with open(tmp_path / name, "rb") as file:
            file.seek(7)
            sortie.sort_parquet(file, tmp_path / "out.parquet", by="key")
            assert not file.closed
        assert pq.read_table(tmp_path / "out.parquet")["key"].to_pylist() == sorted(TABLE["key"].to_pylist())
    several = [io.BytesIO(parquet_bytes(TABLE)), tmp_path / "in.csv", io.BytesIO(arrow_bytes(TABLE)), Named(csv_bytes(TABLE))]
    assert sortie.sort_parquet(several, tmp_path / "out.parquet", by="key").output_records == 2000
    with pytest.raises(sortie.ArgumentError, match="^cannot tell the format of the open file '<BytesIO>', which is neither"):
        sortie.sort_parquet(io.BytesIO(csv_bytes(TABLE)), tmp_path / "out.parquet", by="key")
    with open(tmp_path / "in.csv") as file, pytest.raises(sortie.ArgumentTypeError, match="texts: open it with mode 'rb'$"):
        sortie.sort_parquet(file, tmp_path / "out.parquet", by="key")
    with pytest.raises(sortie.ArgumentError, match="is closed: give it open, or its name$"):
        sortie.sort_parquet(open_and_closed(tmp_path / "in.parquet"), tmp_path / "out.parquet", by="key")
    read, write = os.pipe()
    with open(read, "rb") as file, open(write, "wb"), pytest.raises(sortie.ArgumentError, match="cannot be read from any"):
        sortie.sort_parquet(file, tmp_path / "out.parquet", by="key")


def test_a_name_gets_no_suffix_by_what_the_first_bytes_tell(tmp_path):
    with pytest.raises(sortie.Error, match="^cannot read '<BytesIO>': "):
        sortie.sort_parquet(io.BytesIO(b"PAR1 and no table"), tmp_path / "out.parquet", by="key")


def open_and_closed(path):
    with open(path, "rb") as file:
        return file


def test_files_of_fsspec_are_inputs(tmp_path):
    fsspec = pytest.importorskip("fsspec")
    memory = fsspec.filesystem("memory")
    memory.pipe("/folder/in.parquet", parquet_bytes(TABLE))
    memory.pipe("/folder/in", parquet_bytes(TABLE))
    inputs = [fsspec.open("memory://folder/in.parquet"), fsspec.open("memory://folder/in"), memory.open("/folder/in.parquet")]
    assert sortie.sort_parquet(inputs, tmp_path / "out.parquet", by="key").output_records == 1500


def test_paths_of_universal_pathlib_are_inputs(tmp_path):
    upath = pytest.importorskip("upath")
    pytest.importorskip("fsspec").filesystem("memory").pipe("/folder/in.parquet", parquet_bytes(TABLE))
    path = upath.UPath("memory://folder/in.parquet")
    assert sortie.sort_parquet(path, tmp_path / "out.parquet", by="key").output_records == 500


@pytest.mark.parametrize("key, fails", [("key", False), ("no such column", True)])
def test_what_is_opened_for_a_sort_is_closed_by_it(tmp_path, monkeypatch, key, fails):
    fsspec = pytest.importorskip("fsspec")
    from fsspec.implementations.local import LocalFileSystem

    opened, real = [], LocalFileSystem._open

    def noting(*arguments, **options):
        opened.append(real(*arguments, **options))
        return opened[-1]

    monkeypatch.setattr(LocalFileSystem, "_open", noting)
    (tmp_path / "in.parquet").write_bytes(parquet_bytes(TABLE))
    (tmp_path / "in.csv").write_bytes(gzip.compress(csv_bytes(TABLE)))
    inputs = [fsspec.open(f"file://{tmp_path}/in.parquet"), fsspec.open(f"file://{tmp_path}/in.csv", compression="gzip")]
    try:
        sortie.sort_parquet(inputs, tmp_path / "out.parquet", by=key)
    except sortie.Error:
        assert fails
    assert len(opened) >= 4 and all(file.closed for file in opened)
