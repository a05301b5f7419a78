"""A job of many shards and ranges: the driver keeps totals only, and does no work for each pair of them."""

import json
import os
import subprocess
import sys

PROGRAM = """
import base64, os, queue, resource, sys
from sortie.cluster.chain import Asked
from sortie.cluster.driver import Driver
from sortie.cluster.engine import Outcome
from sortie.cluster.job import JobDirectory
from sortie.cluster.job_plan import JobPlan
from sortie.cluster.written_files import write_state
from sortie.cluster.output import OneFile
from sortie.cluster.shards import Shard
from sortie.cluster.tasks import Setting

SHARDS, RANGES, BLOCKS, BLOCK = 2000, 2000, 256, 1 << 20
folder = sys.argv[1]
job = JobDirectory(os.path.join(folder, "job"))
job.open(lambda known: {"inputs": []})
run = os.path.join(folder, "run")
open(run, "w").close()
who = {"node": "n", "began": 1.0, "seconds": 1.0, "identity": "0" * 32}
nothing = {"records": 0, "bytes": 0, "checksum": "0"}


def totals(count):
    return {"records": count, "bytes": count, "checksum": f"{count:032x}"}


class Elsewhere:
    '''Machines that leave results of tasks and nothing else.'''

    slots = 50

    def __init__(self):
        self.ended = queue.SimpleQueue()

    def submit(self, attempt):
        getattr(self, attempt.task.stage)(attempt.task)
        self.ended.put(Outcome(attempt, None))

    def wait(self, seconds):
        return self.ended.get()

    def has_begun(self, attempt):
        return True

    def is_idle(self):
        return True

    def cancel(self, attempt):
        pass

    def form(self, task):
        keys = [f"{(task.number * 7919 + i * 65536) % (1 << 24):024x}" for i in range(BLOCKS)]
        samples = [{"run": 0, "block": i, "block_bytes": 0, "output_bytes": i * BLOCK, "key": key, "is_whole": True,
                    "record": base64.b64encode(bytes.fromhex(key)).decode()} for i, key in enumerate(sorted(keys))]
        size = BLOCKS * BLOCK
        runs = [{"path": run, "file": "r", "file_bytes": 0, "records": size, "output_bytes": size, "blocks": BLOCKS}]
        write_state(job.item("formed", task.number, ".json"), {
            **who, "shard": list(task.shard), "locale": "", "input": totals(size), "dropped": nothing,
            "header": "", "runs": runs, "scratch_node": None, "is_renewal": False})
        write_state(job.item("formed", task.number, ".samples"), {"bytes_of_runs": [size], "samples": samples})

    def cut(self, task):
        parts = job.read("ranges.json")["parts"]
        in_front = [BLOCKS * BLOCK * (i + 1) // parts for i in range(-1, parts)]
        write_state(job.item("cuts", task.number, ".json"), {
            **who, "formed": task.formed, "row_bytes": 0, "records": in_front, "output_bytes": in_front})

    def merge(self, task):
        write_state(job.item("merged", task.number, ".json"), {
            **who, "formed": task.formed, "driver": "", "file_bytes": task.bytes, "file_checksum": "0",
            "input": totals(task.bytes), "dropped": nothing,
            "output": totals(task.bytes)})


size = BLOCKS * BLOCK
shards = [Shard(i, "in", i * size, (i + 1) * size, size, i * size) for i in range(SHARDS)]
output = OneFile(os.path.join(folder, "out"), job, True)
plan = JobPlan(shards, RANGES, 1 << 30, 1)
report = Driver(Asked(job, plan, Setting(job.path, (), {}), output), Elsewhere(), 3, None).run()
print(report.ranges, report.shards, report.output_bytes, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)
"""


def test_the_driver_takes_less_than_500_mb_for_2000_shards_and_2000_ranges(tmp_path):
    told = subprocess.run([sys.executable, "-c", PROGRAM, tmp_path], capture_output=True, text=True, timeout=500)
    assert told.returncode == 0, told.stderr
    ranges, shards, output_bytes, most_memory = map(int, told.stdout.split())
    assert (shards, output_bytes) == (2000, 2000 * 256 << 20)
    assert ranges > 1900
    print(json.dumps({"driver_bytes": most_memory}))
    assert most_memory < 500_000_000


# Tells what a driver wants to hear, and does nothing.
COMMAND = r"""#!/bin/sh
nothing='"dropped":{"records":0,"bytes":0,"checksum":"0"},"identity":"0"'
for word; do
  case $word in
    --form=*) task=form folder=${word#--form=} ;;
    --samples=*) samples=${word#--samples=} ;;
    --cut=*) task=cut ;;
    --merge-runs=*) task=merge ;;
    --plan) exit 0 ;;
  esac
  if [ "$last" = -o ]; then output=$word; fi
  last=$word
done
case $task in
  form)
    mkdir "$folder" && : > "$folder/run"
    printf '{%s,"locale":"","header":"","input":{"records":%d,"bytes":%d,"checksum":"0"},' "$nothing" $RECORDS $RECORDS
    printf '"runs":[{"file":"run","file_bytes":0,"output_bytes":%d,"blocks":1}],"samples":[' $RECORDS
    i=0
    while [ $i -lt $samples ]; do
      printf '{"run":0,"block":0,"block_bytes":%d,"output_bytes":%d,"key":"%09d","record":"AA==","is_whole":true}' \
        $i $((RECORDS * i / samples)) $i
      i=$((i + 1))
      if [ $i -lt $samples ]; then printf ,; fi
    done
    printf ']}' ;;
  cut)
    : > "$output"
    row=0 rows=0
    while [ $row -lt $RANGES ]; do row=$((row + 1)) rows=$rows,$((RECORDS * row / RANGES)); done
    printf '{"identity":"0","file_bytes":0,"records":[%s],"output_bytes":[%s]}' $rows $rows ;;
  merge)
    count=$((SHARDS * (RECORDS / RANGES)))
    totals='{"records":'$count',"bytes":'$count',"checksum":"0"}'
    printf '{%s,"input":%s,"output":%s,"file_bytes":%d,"file_checksum":"0"}' "$nothing" $totals $totals $count ;;
esac
"""

MOST_LOOPS = 6

DRIVE = """
import resource, sys, time
import sortie.cluster
inputs, output, job, command, shard, ranges = sys.argv[1:]
report = sortie.cluster.sort_files(inputs, output, job=job, command=command, shard=int(shard), ranges=int(ranges),
                                   workers=2, memory="1M")
used = resource.getrusage(resource.RUSAGE_SELF)
begin = time.process_time()
for number in range(20_000_000):
    pass
print(report.shards, report.ranges, used.ru_utime + used.ru_stime, time.process_time() - begin)
"""


def test_the_driver_does_no_work_for_each_pair_of_a_shard_and_a_range(tmp_path):
    count, records = 250, 2500
    (tmp_path / "command").write_text(COMMAND)
    (tmp_path / "command").chmod(0o755)
    with open(tmp_path / "in", "wb") as file:
        file.truncate(count * records)
    words = [tmp_path / "in", tmp_path / "out", tmp_path / "job", tmp_path / "command", records, count]
    told = subprocess.run([sys.executable, "-c", DRIVE, *map(str, words)], capture_output=True, text=True, timeout=500,
                          env={**os.environ, "RECORDS": str(records), "SHARDS": str(count), "RANGES": str(count)})
    assert told.returncode == 0, told.stderr
    shards, ranges, seconds, of_loop = told.stdout.split()
    print(json.dumps({"driver_seconds": float(seconds), "loop_seconds": float(of_loop)}))
    assert (int(shards), int(ranges)) == (count, count)
    # Compared with a loop, which is as slow as all else on a machine that is busy.
    assert float(seconds) < MOST_LOOPS * float(of_loop)
