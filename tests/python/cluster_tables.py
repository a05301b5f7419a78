"""Jobs of a cluster on this machine that sort Parquet files, and what one machine makes of these."""

import json
import os
import random
import subprocess

import pyarrow as pa
import pyarrow.parquet as pq
from cluster_jobs import DRIVER
from table_files import shuffled

import sortie
import sortie.cluster


class Tables:
    """Files of few-valued keys in a folder, and jobs that sort them."""

    def __init__(self, folder, tables=None, row_group_rows=150, shard="16K"):
        self.folder, self.shard = folder, shard
        self.inputs = []
        for number, table in enumerate(tables or [few_valued(500, 1), few_valued(0, 2), few_valued(400, 3)]):
            self.inputs.append(folder / f"{number}.parquet")
            pq.write_table(table, self.inputs[-1], row_group_size=row_group_rows)
        self.output = folder / "out.parquet"
        self.job = folder / "job"

    def sort(self, by, **options):
        return sortie.cluster.sort_parquet(self.inputs, self.output, by=by, job=self.job, **{
            "shard": self.shard, "ranges": 2, "workers": 2, "memory": "1M", **options})

    def expected(self, by, **options):
        sortie.sort_parquet(self.inputs, self.folder / "one.parquet", by=by, **options)
        return pq.read_table(self.folder / "one.parquet")

    def check(self, by, cluster=None, **options):
        """Sorts both ways, and compares."""
        report = self.sort(by, **options, **(cluster or {}))
        same(self.result(), self.expected(by, **options))
        assert sorted(os.listdir(self.job)) == ["lock", "plan.json", "report.json", "request.json"]
        return report

    def result(self):
        if self.output.exists():
            return pq.read_table(self.output)
        parts = json.loads((self.output.parent / "manifest.json").read_text())["parts"]
        tables = [pq.read_table(self.output.parent / part["file"]) for part in parts]
        assert [part["records"] for part in parts] == [table.num_rows for table in tables]
        return pa.concat_tables(tables)

    def words(self, *options):
        return [*DRIVER, "sort", f"--job={self.job}", f"--shard={self.shard}", "--ranges=2", "--workers=2", "-S", "1M",
                *options, "-o", str(self.output), *map(str, self.inputs)]

    def run(self, *options, **environment):
        return subprocess.run(self.words(*options), capture_output=True, text=True, timeout=300,
                              env={**os.environ, **environment})


def same(result, expected):
    assert result.schema.equals(expected.schema, check_metadata=True)
    result.validate(full=True)
    # repr() tells NaNs and zeros apart as the order does.
    assert repr(result.to_pylist()) == repr(expected.to_pylist())


def few_valued(count, seed):
    """Keys that many rows share, and a column that tells rows apart."""
    r = random.Random(seed)
    table = shuffled(max(count, 1), seed).slice(0, count)
    keys = pa.array([r.choice([1, 2, 3, None]) for _ in range(count)], pa.int64())
    return table.append_column("few", keys).append_column("row", pa.array(range(count), pa.int64()))
