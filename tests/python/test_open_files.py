"""Open files of Python and of fsspec as inputs of sort_parquet()."""

import bz2
import gzip
import io
import lzma
import os
import pickle

import pytest

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed (every test of this file)")
import pyarrow.parquet as pq  # noqa: E402
from table_files import arrow_bytes, csv_bytes, parquet_bytes  # noqa: E402

import sortie  # noqa: E402

TABLE = pa.table({"key": [i * 7919 % 503 for i in range(500)], "text": [f"text {i % 99}" for i in range(500)]})


class Named(io.BytesIO):
    name = "things.csv"


def test_open_files_are_inputs(tmp_path):
    for content, name in ((parquet_bytes(TABLE), "in.parquet"), (arrow_bytes(TABLE), "in.arrow"),
                          (csv_bytes(TABLE), "in.csv")):
        (tmp_path / name).write_bytes(content)
        with open(tmp_path / name, "rb") as file:
            file.seek(7)
            sortie.sort_parquet(file, tmp_path / "out.parquet", by="key")
            assert not file.closed
        assert pq.read_table(tmp_path / "out.parquet")["key"].to_pylist() == sorted(TABLE["key"].to_pylist())
    several = [io.BytesIO(parquet_bytes(TABLE)), tmp_path / "in.csv", io.BytesIO(arrow_bytes(TABLE)),
               Named(csv_bytes(TABLE))]
    assert sortie.sort_parquet(several, tmp_path / "out.parquet", by="key").output_records == 2000
    with pytest.raises(sortie.ArgumentError,
                       match="^cannot tell the format of the open file '<BytesIO>', which is neither"):
        sortie.sort_parquet(io.BytesIO(csv_bytes(TABLE)), tmp_path / "out.parquet", by="key")
    with open(tmp_path / "in.csv") as file, pytest.raises(sortie.ArgumentTypeError,
                                                          match="texts: open it with mode 'rb'$"):
        sortie.sort_parquet(file, tmp_path / "out.parquet", by="key")
    with pytest.raises(sortie.ArgumentError, match="is closed: give it open, or its name$"):
        sortie.sort_parquet(open_and_closed(tmp_path / "in.parquet"), tmp_path / "out.parquet", by="key")
    read, write = os.pipe()
    with open(read, "rb") as file, open(write, "wb"), pytest.raises(sortie.ArgumentError,
                                                                    match="cannot be read from any"):
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
    inputs = [fsspec.open("memory://folder/in.parquet"), fsspec.open("memory://folder/in"),
              memory.open("/folder/in.parquet")]
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
    inputs = [fsspec.open(f"file://{tmp_path}/in.parquet"),
              fsspec.open(f"file://{tmp_path}/in.csv", compression="gzip")]
    try:
        sortie.sort_parquet(inputs, tmp_path / "out.parquet", by=key)
    except sortie.Error:
        assert fails
    assert len(opened) >= 4 and all(file.closed for file in opened)


@pytest.fixture
def source(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pq.write_table(TABLE, "in.parquet")
    return "in.parquet"


KEYS = sorted(TABLE["key"].to_pylist())


def keys(content):
    return pq.read_table(io.BytesIO(content))["key"].to_pylist()


def test_open_files_are_outputs(source):
    file = io.BytesIO(b"head")
    file.seek(4)
    report = sortie.sort_parquet(source, file, by="key")
    assert file.getvalue()[:4] == b"head" and keys(file.getvalue()[4:]) == KEYS and not file.closed
    assert report.path == "<BytesIO>" and report.num_rows == 500
    with pytest.raises(sortie.Error, match="^the rows were written to the open file '<BytesIO>': read them "
                       "from there$"):
        report.to_arrow()
    for buffering in (-1, 0):
        with open("out.parquet", "wb", buffering=buffering) as file:
            sortie.sort_parquet(source, file, by="key")
            assert pq.read_table("out.parquet")["key"].to_pylist() == KEYS
    file = io.BytesIO()
    sortie.sort_parquet(source, file, by="key", output_format="csv.gz")
    assert gzip.decompress(file.getvalue()).startswith(b'"key","text"\n0,')
    with open("out.jsonl", "wb") as file:
        sortie.sort_parquet(source, file, by="key")
    assert open("out.jsonl").readline().startswith('{"key":0,')


def test_an_input_may_be_the_output_as_an_open_file(source):
    with open(source, "r+b") as file:
        sortie.sort_parquet(source, file, by="key")
    assert pq.read_table(source)["key"].to_pylist() == KEYS
    with open(source, "rb") as read, open(source, "r+b") as file:
        sortie.sort_parquet(read, file, by=("key", "descending"))
    assert pq.read_table(source)["key"].to_pylist() == KEYS[::-1]


def test_one_open_file_is_not_both_input_and_output(source):
    told = "^the open file '.*' is an input and the output, and to read it moves the place to write to: open another file for one of the two$"
    content = parquet_bytes(TABLE)
    held = io.BytesIO(content)
    for inputs in (held, [source, held]):
        with pytest.raises(sortie.ArgumentError, match=told):
            sortie.sort_parquet(inputs, held, by="key")
    assert held.getvalue() == content and held.tell() == 0
    before = open(source, "rb").read()
    with open(source, "r+b") as file:
        for one in (file, file.raw):
            with pytest.raises(sortie.ArgumentError, match=told):
                sortie.sort_parquet(one, file, by="key")
    assert open(source, "rb").read() == before


def test_what_is_behind_the_rows_is_cut_off(source):
    with open("long.parquet", "wb") as file:
        file.write(b"head" + b"x" * 100_000)
    for buffering in (-1, 0):
        with open("long.parquet", "r+b", buffering=buffering) as file:
            file.seek(4)
            sortie.sort_parquet(source, file, by="key")
        content = open("long.parquet", "rb").read()
        assert content[:4] == b"head" and keys(content[4:]) == KEYS
    held = io.BytesIO(b"x" * 100_000)
    sortie.sort_parquet(source, held, by="key")
    assert keys(held.getvalue()) == KEYS


class Uncut(io.BytesIO):
    def truncate(self, size=None):
        raise io.UnsupportedOperation("truncate")


def test_what_fsspec_opens_may_be_input_and_output_and_is_cut(source):
    fsspec = pytest.importorskip("fsspec")
    memory = fsspec.filesystem("memory")
    memory.pipe("/cut/a.parquet", parquet_bytes(TABLE))
    one = fsspec.open(f"file://{os.getcwd()}/{source}", "r+b")
    pq.write_table(TABLE, source, compression="none", use_dictionary=False)
    sortie.sort_parquet(one, one, by="key", compression="zstd:19")
    assert pq.read_table(source)["key"].to_pylist() == KEYS
    upath = pytest.importorskip("upath")
    path = upath.UPath("memory://cut/a.parquet")
    sortie.sort_parquet(path, path, by="key")
    assert keys(memory.cat("/cut/a.parquet")) == KEYS


def test_a_longer_file_that_cannot_be_cut_is_refused(source):
    held = Uncut(b"x" * 100_000)
    with pytest.raises(sortie.ArgumentError,
                       match="^the open file '<Uncut>' has 100000 bytes behind where it stands, which would stay "
                                                   "behind the rows, as it cannot be cut: open it with mode 'wb'$"):
        sortie.sort_parquet(source, held, by="key")
    assert held.getvalue() == b"x" * 100_000
    held = Uncut()
    sortie.sort_parquet(source, held, by="key")
    assert keys(held.getvalue()) == KEYS


def test_the_name_of_an_open_file_leads_to_no_rows(source):
    with open("things.csv", "w") as other:
        other.write("key\n7\n")
    told = "^the rows were written to the open file 'things.csv': read them from there$"
    report = sortie.sort_parquet(source, Named(), by="key")
    for known in (report, pickle.loads(pickle.dumps(report))):
        assert known.path == "things.csv" and known.num_rows == 500
        with pytest.raises(sortie.Error, match=told):
            known.to_arrow()
    with open("things.csv", "wb") as file:
        with pytest.raises(sortie.Error, match=told):
            sortie.sort_parquet(source, file, by="key").to_arrow()
    assert sortie.sort_parquet(source, "<x> out.parquet", by="key").to_arrow()["key"].to_pylist() == KEYS


@pytest.mark.parametrize("end", ["csv.gz", "jsonl.gz"])
def test_files_that_pack_themselves_are_packed_once(source, end):
    name = f"z.{end}"
    with gzip.open(name, "wb") as file:
        sortie.sort_parquet(source, file, by="key")
    assert gzip.open(name).read().startswith((b'"key","text"\n0,', b'{"key":0,'))
    with gzip.open(name, "rb") as file:
        assert sortie.sort_parquet(file, "out.parquet", by="key").num_rows == 500
    with open(name, "rb") as file:
        assert sortie.sort_parquet(file, "out.parquet", by="key").num_rows == 500


@pytest.mark.parametrize("packing", [bz2.BZ2File, lzma.LZMAFile])
def test_other_files_that_pack_themselves(source, packing):
    class Own(packing):
        name = "z.csv.gz"

    with Own("z", "wb") as file:
        sortie.sort_parquet(source, file, by="key")
    assert packing("z").read().startswith(b'"key","text"\n0,')
    with Own("z", "rb") as file:
        assert sortie.sort_parquet(file, "out.parquet", by="key").num_rows == 500


def test_files_of_fsspec_that_pack_themselves_are_packed_once(source):
    fsspec = pytest.importorskip("fsspec")
    memory = fsspec.filesystem("memory")
    for compression in ("gzip", "infer"):
        report = sortie.sort_parquet(source, fsspec.open("memory://x/b.csv.gz", "wb", compression=compression),
                                     by="key")
        assert gzip.decompress(memory.cat("/x/b.csv.gz")).startswith(b'"key","text"\n0,')
        with pytest.raises(sortie.Error, match="read them from there$"):
            report.to_arrow()
        read = fsspec.open("memory://x/b.csv.gz", "rb", compression=compression)
        assert sortie.sort_parquet(read, "out.parquet", by="key").num_rows == 500
    assert sortie.sort_parquet(source, fsspec.open("memory://x/b.csv.gz", "wb"), by="key").to_arrow().num_rows == 500
    assert gzip.decompress(memory.cat("/x/b.csv.gz")).startswith(b'"key","text"\n0,')


@pytest.mark.parametrize("mode, told", [
    ("rb", "^the open file 'x.parquet' is open for reading alone: open it with mode 'wb'$"),
    ("w", "takes texts: open it with mode 'wb'$")])
def test_files_that_take_no_bytes_are_refused(source, mode, told):
    open("x.parquet", "w").close()
    with open("x.parquet", mode) as file, pytest.raises(sortie.Error, match=told):
        sortie.sort_parquet(source, file, by="key")


def test_a_file_that_is_open_for_writing_is_no_input(source):
    with open("x.parquet", "wb") as file:
        for inputs in (file, [source, file]):
            with pytest.raises(sortie.ArgumentError,
                               match="^the open file 'x.parquet' is open for writing alone: open it with mode 'rb'$"):
                sortie.sort_parquet(inputs, "out.parquet", by="key")


def test_an_open_file_gets_nothing_from_a_sort_that_fails(source):
    with open("damaged.parquet", "wb") as file:
        file.write(parquet_bytes(TABLE)[:-600] + b"x" * 600)
    file = io.BytesIO()
    for inputs, options in (([source, "damaged.parquet"], {}), (source, {"file_rows": 3})):
        with pytest.raises(sortie.Error):
            sortie.sort_parquet(inputs, file, by="key", **options)
    assert file.getvalue() == b""


class Full(io.BytesIO):
    def write(self, data):
        super().write(data[:100])
        raise OSError(28, "no space")


class Pipe(io.RawIOBase):
    taken = 0

    def writable(self):
        return True

    def write(self, data):
        if self.taken >= 300:
            raise OSError(32, "broken pipe")
        self.taken += 100
        return 100


def test_a_file_that_fails_is_told_of_with_what_is_left_in_it(source):
    file = Full(b"head")
    file.seek(4)
    with pytest.raises(OSError, match="^cannot write '<Full>': no space; nothing of it is left there: write it "
                       "elsewhere$") as caught:
        sortie.sort_parquet(source, file, by="key")
    assert file.getvalue() == b"head" and isinstance(caught.value, sortie.FileError)
    with pytest.raises(sortie.FileError, match=r"^cannot write '<Pipe>': broken pipe; 300 of \d+ bytes were given to "
                       r"it, and they cannot be "
                                               "taken back: write it again$"):
        sortie.sort_parquet(source, Pipe(), by="key")


def test_fsspec_and_universal_pathlib_give_outputs(source):
    fsspec = pytest.importorskip("fsspec")
    memory = fsspec.filesystem("memory")
    report = sortie.sort_parquet(source, fsspec.open("memory://outputs/a.parquet", "wb"), by="key")
    assert keys(memory.cat("/outputs/a.parquet")) == KEYS == report.to_arrow()["key"].to_pylist()
    sortie.sort_parquet(source, fsspec.open("memory://outputs/a", "wb"), by="key", output_format="csv")
    assert memory.cat("/outputs/a").startswith(b'"key","text"\n0,')
    with pytest.raises(sortie.ArgumentError,
                       match="'memory://.*a.parquet' is for reading alone: let fsspec.open.. have the mode 'wb'$"):
        sortie.sort_parquet(source, fsspec.open("memory://outputs/a.parquet"), by="key")
    upath = pytest.importorskip("upath")
    sortie.sort_parquet(source, upath.UPath("memory://outputs/b.parquet"), by="key")
    assert keys(memory.cat("/outputs/b.parquet")) == KEYS


def test_a_transaction_of_fsspec_leaves_what_was_there(source, monkeypatch):
    fsspec = pytest.importorskip("fsspec")
    from fsspec.implementations.memory import MemoryFile

    memory = fsspec.filesystem("memory")
    memory.pipe("/outputs/before.parquet", b"before")

    def fails(*_):
        raise ValueError("no more")

    monkeypatch.setattr(MemoryFile, "flush", fails)
    with pytest.raises(sortie.Error, match="^cannot write 'memory://outputs/before.parquet': no more; "):
        sortie.sort_parquet(source, "memory://outputs/before.parquet", by="key")
    monkeypatch.undo()
    assert memory.cat("/outputs/before.parquet") == b"before"


def test_urls_of_fsspec_are_inputs_and_outputs(source):
    fsspec = pytest.importorskip("fsspec")
    memory = fsspec.filesystem("memory")
    report = sortie.sort_parquet(source, "memory://urls/year=2024/a.parquet", by="key")
    assert report.to_arrow()["key"].to_pylist() == KEYS
    memory.pipe("/urls/year=2025/b.csv", csv_bytes(TABLE))
    memory.pipe("/urls/_SUCCESS", b"")
    memory.pipe("/urls/notes.txt", b"")
    for inputs in ("memory://urls", "memory://urls/**/*.[cp]*"):
        found = sortie.sort_parquet(inputs, "out.parquet", by=["key", "year"], warn=lambda _: None).to_arrow()
        assert found["year"].to_pylist()[:4] == [2024, 2025] * 2 and found.num_rows == 1000
    assert sortie.sort_parquet(f"file://{os.getcwd()}/in.parquet", f"file://{os.getcwd()}/a%20b.parquet",
                               by="key").num_rows == 500
    assert os.path.exists("a b.parquet")


@pytest.mark.parametrize("url, told", [
    ("memory://none.parquet", "cannot read 'memory://none.parquet': No such file or directory"),
    ("memory://none*.parquet", "nothing matches 'memory://none[*].parquet'"),
    ("foo://x/y.parquet", "'foo://x/y.parquet' is of the scheme 'foo', which neither sortie nor fsspec knows: copy it "
                          "to a disk, or to s3://, gs://, az://; or give it as an open file"),
    ("ftp://user:secret@127.0.0.1:1/x.parquet", "cannot open 'ftp://127.0.0.1:1/x.parquet': Connection refused"),
    ("memory://", "'memory://' names no file: give what is behind memory://, too")])
def test_urls_that_cannot_be_opened_are_told_without_passwords(source, url, told):
    pytest.importorskip("fsspec")
    with pytest.raises(sortie.Error, match=f"^{told}"):
        sortie.sort_parquet(url, "out.parquet", by="key")


def test_what_fsspec_lacks_is_named(source, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "fsspec.core", None)
    with pytest.raises(sortie.MissingModuleError,
                       match="^'hdfs://h/x.parquet' is of the scheme 'hdfs', which fsspec may open, and that is not "
                                                        "installed: pip install fsspec, or copy it to a disk"):
        sortie.sort_parquet("hdfs://h/x.parquet", "out.parquet", by="key")


def test_files_of_the_system_come_before_urls(source):
    os.makedirs("foo:/x")
    os.rename(source, "foo:/x/in.parquet")
    assert sortie.sort_parquet("foo://x/in.parquet", "foo://x/out.parquet", by="key").num_rows == 500
    assert os.path.exists("foo:/x/out.parquet")


def test_a_folder_is_not_written_by_fsspec(source):
    pytest.importorskip("fsspec")
    with pytest.raises(sortie.ArgumentError,
                       match="^the output 'memory://d/' is a folder that fsspec would write file by file: name "
                       "one file"):
        sortie.sort_parquet(source, "memory://d/", by="key")
