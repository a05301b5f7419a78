"""The tables of tools/bench/tables: events as a web shop logs them, and rows of two numbers, in Parquet files."""

import pathlib

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

ROWS_A_FILE = 2_000_000
COUNTRIES = [a + b for a in "ABCDEFGHIJ" for b in "KLMNOPQRST"]
PAGES = [f"shop/{kind}/{name}" for kind in ("shoes", "shirts", "books", "garden") for name in ("list", "item", "reviews")]
LETTERS = np.frombuffer(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_", "u1")


def _texts(parts):
    """A column of strings, each made of the columns of bytes side by side."""
    rows = np.concatenate(parts, axis=1)
    offsets = np.arange(len(rows) + 1, dtype="i4") * rows.shape[1]
    return pa.StringArray.from_buffers(len(rows), pa.py_buffer(offsets), pa.py_buffer(np.ascontiguousarray(rows)))


def _random(generator, count, width):
    return LETTERS[generator.integers(0, 64, (count, width), "u1")]


def _words(words, indexes):
    width = max(map(len, words))
    return np.array([word.ljust(width, "_") for word in words], f"S{width}")[indexes].view("u1").reshape(len(indexes), width)


def events(count, seed):
    generator = np.random.default_rng(seed)
    users = (generator.zipf(1.3, count) * 2654435761) % 5_000_000
    times = 1_700_000_000_000_000 + generator.integers(0, 30 * 86_400_000_000, count)
    pages = _words(PAGES, generator.integers(0, len(PAGES), count))
    amounts = pa.array(generator.gamma(2, 30, count).round(2), mask=generator.random(count) < 0.7)
    countries = pa.DictionaryArray.from_arrays((generator.integers(0, 100, count) ** 2 // 100).astype("i4"), COUNTRIES)
    host = np.broadcast_to(np.frombuffer(b"https://www.example.com/", "u1"), (count, 24))
    return pa.table({
        "user": pa.array(users, pa.int64()), "ts": pa.array(times, pa.timestamp("us", "UTC")),
        "url": _texts([host, pages, _random(generator, count, 24)]), "trace": _texts([_random(generator, count, 80)]),
        "amount": amounts, "is_mobile": pa.array(generator.random(count) < 0.6), "country": countries})


def numbers(count, seed):
    generator = np.random.default_rng(seed)
    return pa.table({"key": generator.integers(-2**63, 2**63 - 1, count), "value": generator.standard_normal(count)})


def make(kind, rows, folder):
    """Writes the files that are not there yet, and returns the pattern of their names."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for number, begin in enumerate(range(0, rows, ROWS_A_FILE)):
        path = folder / f"{kind}-{rows}-{number:03}.parquet"
        if not path.exists():
            table = {"events": events, "numbers": numbers}[kind](min(ROWS_A_FILE, rows - begin), number)
            pq.write_table(table, path, compression="zstd", row_group_size=500_000)
    return str(folder / f"{kind}-{rows}-*.parquet")
