"""Texts that cannot be encoded, and paths that are no UTF-8."""

import os
import time

import pytest

import sortie

HALF = "\ud800"  # half of a pair, which no encoding has
LATIN = os.fsdecode(b"caf\xe9")  # a name of a file all the same


def refusal(call):
    with pytest.raises(sortie.Error) as caught:
        call()
    return str(caught.value)


@pytest.mark.parametrize("option", ["memory", "engine", "scratch", "trace", "format", "keys", "separator",
                                    "random_seed"])
def test_options_that_cannot_be_encoded_are_refused_by_name(tmp_path, option):
    (tmp_path / "in").write_text("b\na\n")
    told = refusal(lambda: sortie.sort_files(tmp_path / "in", tmp_path / "out", **{option: HALF}))
    assert told == f"invalid value '\\ud800' for {option}: it has a character that cannot be encoded; leave that out"
    with pytest.raises(TypeError, match="unexpected keyword argument '\ud800'"):
        sortie.sort_files(tmp_path / "in", tmp_path / "out", **{HALF: 1})


@pytest.mark.parametrize("name", [HALF, LATIN])
def test_keys_that_cannot_be_encoded_are_refused(name):
    pa = pytest.importorskip("pyarrow")
    table = pa.table({"key": [2, 1]})
    with sortie.Sorter(by=("key", "descending")) as sorter:
        sorter.push(table)
    for call in (lambda: sortie.sort_table(table, name), lambda: sortie.Sorter(by=[(name, "descending")]).push(table)):
        assert refusal(call).endswith(" for by: it has a character that cannot be encoded; leave that out")


def test_keys_of_any_language_are_found():
    pa = pytest.importorskip("pyarrow")
    result = pa.table(sortie.sort_table(pa.table({"größe 🙂": [2, 1]}), "größe 🙂"))
    assert result.column(0).to_pylist() == [1, 2]


@pytest.mark.parametrize("suffix", [".parquet", ".csv", ".csv.gz", ".arrow", ".feather"])
def test_paths_of_tables_need_not_be_utf_8(tmp_path, suffix):
    pa = pytest.importorskip("pyarrow")
    from table_files import read, write
    folder = tmp_path / LATIN
    folder.mkdir()
    write(pa.table({"key": [2, 3, 1]}), tmp_path / f"in{suffix}")
    os.rename(tmp_path / f"in{suffix}", folder / f"{LATIN}{suffix}")
    sortie.sort_parquet(folder / f"{LATIN}{suffix}", folder / f"{LATIN} out{suffix}", by="key",
                        stats_json=folder / LATIN)
    os.rename(folder / f"{LATIN} out{suffix}", tmp_path / f"out{suffix}")
    assert read(tmp_path / f"out{suffix}")["key"].to_pylist() == [1, 2, 3]
    told = refusal(lambda: sortie.sort_parquet(folder / f"none{suffix}", folder / f"out{suffix}", by="key"))
    assert f"{LATIN}/none{suffix}': No such file" in told


def test_paths_that_cannot_be_encoded_are_refused(tmp_path):
    pytest.importorskip("pyarrow")
    told = refusal(lambda: sortie.sort_parquet(f"{HALF}.parquet", tmp_path / "out.parquet", by="key"))
    assert told == r"cannot read '\ud800.parquet': the name has a character that cannot be encoded"
    assert "for inputs" in refusal(lambda: sortie.sort_files(HALF, tmp_path / "out"))
    assert "for output" in refusal(lambda: sortie.sort_files(os.devnull, HALF))


def test_paths_of_lines_need_not_be_utf_8(tmp_path):
    (tmp_path / LATIN).write_text("b\na\n")
    sortie.sort_files(tmp_path / LATIN, tmp_path / f"{LATIN} out")
    assert (tmp_path / f"{LATIN} out").read_text() == "a\nb\n"


def test_a_stream_that_fails_with_such_a_text_says_so():
    """Consumers are told in UTF-8."""
    pa = pytest.importorskip("pyarrow")

    is_read = []

    def fails(*_):
        if is_read:
            raise ValueError(f"no {HALF}")

    result = sortie.sort_table(pa.table({"key": list(range(300_000))}), "key", progress=fails, batch_rows=100,
                               memory="1MB")
    is_read.append(True)
    time.sleep(0.3)
    with pytest.raises(OSError, match=r"ValueError: no \\ud800"):
        pa.table(result)
