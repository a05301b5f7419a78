#!/usr/bin/env -S python3 -IS
"""What the driver of a cluster needs of the command `sortie`, for lines in the order of their bytes: --form, --cut and
--merge-runs, with -r, -u, --count, --top and --header. Small runs and blocks, so that little data has many."""

import argparse
import base64
import bisect
import hashlib
import heapq
import itertools
import json
import os
import shutil
import sys

BLOCK_RECORDS, RUN_RECORDS = 8, 300


def parse():
    parser = argparse.ArgumentParser(allow_abbrev=False)
    for name in ("form", "bytes", "cut", "merge-runs", "verify", "engine", "key", "random-source"):
        parser.add_argument(f"--{name}")
    for name in ("place", "samples", "buffer-size", "parallel", "top"):
        parser.add_argument(f"--{name}")
    parser.add_argument("--header", nargs="?", const="1", default="0")
    for name in ("reverse", "unique", "count", "stable"):
        parser.add_argument(f"--{name}", action="store_true")
    parser.add_argument("-o", "--output")
    parser.add_argument("inputs", nargs="*")
    options = parser.parse_args()
    options.unique |= options.count
    return options


def identity(options):
    words = f"{options.reverse} {options.unique} {options.count} {options.top} {os.environ.get('FAKE_LOCALE')}"
    return hashlib.md5(words.encode()).hexdigest()


def order(line, reverse):
    """A text whose order is that of the lines. What follows the end of a line is less than any byte."""
    return "".join(f"{255 - byte:02x}" for byte in line) + "g" if reverse else line.hex()


def totals(lines):
    checksum = sum(int.from_bytes(hashlib.md5(line).digest()) for line in lines) % (1 << 128)
    return {"records": len(lines), "bytes": sum(map(len, lines)), "checksum": f"{checksum:032x}"}


def difference(all_lines, kept):
    these, those = totals(all_lines), totals(kept)
    checksum = (int(these["checksum"], 16) - int(those["checksum"], 16)) % (1 << 128)
    return {"records": these["records"] - those["records"], "bytes": these["bytes"] - those["bytes"],
            "checksum": f"{checksum:032x}"}


def read_shard(options):
    """The header, and the lines that begin in the range."""
    begin, _, end = options.bytes.partition("-")
    with open(options.inputs[0], "rb") as file:
        text = file.read()
    if text and not text.endswith(b"\n"):
        text += b"\n"
    lines = text.splitlines(keepends=True)
    header = lines[:int(options.header)]
    kept, offset = [], sum(map(len, header))
    for line in lines[len(header):]:
        if int(begin) <= offset < (int(end) if end else sys.maxsize):
            kept.append(line)
        offset += len(line)
    return b"".join(header), kept


def form(options):
    if not os.path.exists(options.form):
        make_runs(options)
    with open(os.path.join(options.form, "shard.json")) as file:
        return json.load(file)


def make_runs(options):
    header, lines = read_shard(options)
    attempt = f"{options.form}.attempt-{os.getpid()}"
    os.mkdir(attempt, 0o700)
    runs, samples, kept = [], [], []
    for number, group in enumerate(itertools.batched(lines, RUN_RECORDS) if sys.version_info >= (3, 12) else
                                   (lines[i:i + RUN_RECORDS] for i in range(0, len(lines), RUN_RECORDS))):
        run = sorted(group, key=lambda line: order(line, options.reverse))
        if options.unique and not options.count:
            run = list(dict.fromkeys(run))
        run = run[:int(options.top)] if options.top else run
        kept += run
        path = os.path.join(attempt, f"{number}.run")
        with open(path, "w") as file:
            json.dump([base64.b64encode(line).decode() for line in run], file)
        runs.append({"file": f"{number}.run", "file_bytes": os.path.getsize(path), "records": len(run),
                     "record_bytes": sum(map(len, run)), "output_bytes": sum(map(len, run)),
                     "blocks": -(-len(run) // BLOCK_RECORDS)})
        for block in range(runs[-1]["blocks"]):
            line = run[block * BLOCK_RECORDS]
            samples.append({"run": number, "block": block, "key": order(line, options.reverse),
                            "output_bytes": sum(map(len, run[:block * BLOCK_RECORDS])),
                            "record": base64.b64encode(line).decode()})
    step = -(-len(samples) // int(options.samples or 256)) or 1
    result = {"version": 1, "identity": identity(options), "locale": os.environ.get("FAKE_LOCALE", ""),
              "divides_equal_keys": not options.unique, "input": totals(lines), "dropped": difference(lines, kept),
              "header": base64.b64encode(header).decode(), "runs": runs, "samples": samples[::step]}
    with open(os.path.join(attempt, "shard.json"), "w") as file:
        json.dump(result, file)
    try:
        os.rename(attempt, options.form)
    except OSError:
        shutil.rmtree(attempt)


def read_run(path):
    with open(path) as file:
        return [base64.b64decode(text) for text in json.load(file)]


def cut(options):
    run = read_run(options.inputs[0])
    keys = [order(line, options.reverse) for line in run]
    place = int(options.place)
    with open(options.cut) as file:
        bounds = json.load(file)["bounds"]
    cuts = []
    for bound in bounds:
        key = order(base64.b64decode(bound["record"]), options.reverse)
        if place == bound["run"]:
            records = bound["block"] * BLOCK_RECORDS
        else:
            records = (bisect.bisect_right if place < bound["run"] else bisect.bisect_left)(keys, key)
        cuts.append(records)
    return {"version": 1, "identity": identity(options), "run": place, "cuts": [
        {"block": records // BLOCK_RECORDS, "records": records, "bytes": sum(map(len, run[:records])),
         "output_bytes": sum(map(len, run[:records])), "index_offset": 0, "index_checksum": ""}
        for records in [*cuts, len(run)]]}


def merge(options):
    with open(options.merge_runs) as file:
        plan = json.load(file)
    slices = [read_run(run["path"])[(run["begin"] or {"records": 0})["records"]:run["end"]["records"]]
              for run in plan["runs"]]
    lines = list(heapq.merge(*slices, key=lambda line: order(line, options.reverse)))
    kept = list(dict.fromkeys(lines)) if options.unique else lines
    kept = kept[:int(options.top)] if options.top else kept
    if not (options.unique or options.top) and len(kept) != plan["expected"]["records"]:
        sys.exit("sortie: the runs hold other records than expected")
    counts = {line: len(list(group)) for line, group in itertools.groupby(lines)} if options.count else {}
    written = [b"%7d " % counts[line] + line for line in kept] if options.count else kept
    write(options.output, base64.b64decode(plan["header"]) + b"".join(written))
    return {"version": 1, "identity": identity(options), "input": totals(lines), "output": totals(written),
            "dropped": difference(lines, kept)}


def write(output, data):
    path, _, offset = output.rpartition("@")
    if path and offset.isdigit():
        with open(path, "r+b") as file:
            file.seek(int(offset))
            file.write(data)
        return
    temporary = f"{output}.attempt-{os.getpid()}"
    with open(temporary, "wb") as file:
        file.write(data)
    os.rename(temporary, output)


def main():
    options = parse()
    print(json.dumps(form(options) if options.form else cut(options) if options.cut else merge(options)))


if __name__ == "__main__":
    main()
