"""A message that lists names stays a line that somebody reads, however many names there are."""

import pytest

import sortie

pa = pytest.importorskip("pyarrow")
MANY = 3000
NAMES = [f"column{number}" for number in range(MANY)]


def said(error, call):
    with pytest.raises(error) as raised:
        call()
    return str(raised.value)


def check(message):
    assert "column0" in message and "column19" in message and f" and {MANY - 20} more" in message, message[:500]
    assert "column20" not in message and len(message) < 1000


def test_columns_of_a_table():
    table = pa.table({name: [1] for name in NAMES})
    check(said(sortie.Error, lambda: sortie.sort_table(table, by="x")))


def test_columns_of_files(tmp_path):
    (tmp_path / "in.csv").write_text(",".join(NAMES) + "\n" + ",".join("1" * MANY) + "\n")
    for output in ("out.csv", "out.parquet"):
        check(said(sortie.Error, lambda: sortie.sort_parquet(tmp_path / "in.csv", tmp_path / output, by="x")))
    check(said(sortie.Error, lambda: sortie.sort_files(tmp_path / "in.csv", tmp_path / "out", format="csv", keys="x")))


def test_fields_of_an_array():
    numpy = pytest.importorskip("numpy")
    array = numpy.zeros(2, [(name, "i4") for name in NAMES])
    check(said(ValueError, lambda: sortie.sort(array, order="x")))


def test_types_of_structs():
    kind = pa.struct([(name, pa.list_view(pa.int32())) for name in NAMES])
    table = pa.table({"key": pa.nulls(2, pa.map_(pa.int32(), kind))})
    message = said(sortie.Error, lambda: sortie.sort_table(table, by="key"))
    assert "column0" in message and "..." in message and len(message) < 1000, message[:500]


def test_long_names():
    table = pa.table({"n" * 100_000: [1]})
    message = said(sortie.Error, lambda: sortie.sort_table(table, by="x"))
    assert "nnn..." in message and len(message) < 200
