"""Files of tables for tests: their rows, and how they are written and read."""

import io
import json
import random
import sys

import pyarrow as pa
import pyarrow.csv
import pyarrow.feather
import pyarrow.ipc
import pyarrow.parquet as pq


SCHEMA = pa.schema({"key": "int64", "text": "string", "kind": pa.dictionary(pa.int32(), pa.string()),
                    "place": pa.struct({"x": pa.int64(), "tags": pa.list_(pa.string())})})


def shuffled(count, seed=1):
    r = random.Random(seed)
    rows = [r.randrange(count) for _ in range(count)]
    columns = {"key": rows, "text": [None if row % 7 == 0 else f"row {row}" for row in rows],
               "kind": [f"kind {row % 5}" for row in rows], "place": [{"x": row, "tags": [str(row)]} for row in rows]}
    return pa.table(columns, schema=SCHEMA)


def in_order(table, name="key"):
    return sorted(table.to_pylist(), key=lambda row: row[name])


def write(table, path):
    if ".csv" in path.name:
        with pa.output_stream(path) as file:
            pyarrow.csv.write_csv(table, file)
    elif path.suffix == ".parquet":
        pq.write_table(table, path)
    else:
        pyarrow.feather.write_feather(table, path)


def read(path):
    if ".csv" in path.name:
        return pyarrow.csv.read_csv(path)
    return pq.read_table(path) if path.suffix == ".parquet" else pyarrow.feather.read_table(path)


COMMAND = [sys.executable, "-m", "sortie.jobs.parquet_command"]


def parquet_bytes(table, **options):
    file = io.BytesIO()
    pq.write_table(table, file, **options)
    return file.getvalue()


def csv_bytes(table):
    file = io.BytesIO()
    pyarrow.csv.write_csv(table, file)
    return file.getvalue()


def arrow_bytes(table):
    file = io.BytesIO()
    pyarrow.feather.write_feather(table, file, compression="uncompressed")
    return file.getvalue()


def json_bytes(table):
    return b"".join(json.dumps(row).encode() + b"\n" for row in table.to_pylist())
