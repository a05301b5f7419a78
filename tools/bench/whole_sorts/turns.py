"""Runs programs in turn on the same data, and checks what they write."""
import collections
import pathlib
import statistics
import sys

import figures

from . import machine
from .machine import Trouble


def add_options(parser):
    parser.add_argument("--touch", type=machine.parse_size, default=0,
                        help="bytes of memory to touch first: a virtual machine may get its memory when it is used")
    parser.add_argument("--python", default=sys.executable, help="the Python whose module duckdb is used")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="write all figures to FILE")


def checked_run(program, data, output):
    """Makes one run on a fresh output. Raises Trouble if the program fails or sorts wrongly."""
    try:
        run = program.run(data.path, output)
        program.check(data, output)
    finally:
        output.unlink(missing_ok=True)
    print(f"  {program.name}: {figures.seconds(run['seconds'])} s", file=sys.stderr, flush=True)
    return run


def median_run(runs):
    """The run whose time is the median, and all times."""
    middle = dict(sorted(runs, key=lambda run: run["seconds"])[(len(runs) - 1) // 2])
    middle["all_seconds"] = [run["seconds"] for run in runs]
    middle["seconds"] = statistics.median(middle["all_seconds"])
    middle["processor_seconds"] = statistics.median(run["processor_seconds"] for run in runs)
    return middle


def run_in_turn(contenders, data, repeats):
    """Runs every program in turn, again and again, so that disturbances of the machine affect all of them. Returns a
    median_run() for each that has not failed, and why others have."""
    output = data.path.with_name("output")
    runs = collections.defaultdict(list)
    failed = {}
    for program in contenders * repeats:
        if program.name in failed:
            continue
        try:
            runs[program.name].append(checked_run(program, data, output))
        except Trouble as trouble:
            if program.is_ours:
                raise
            failed[program.name] = str(trouble)  # for example a peer with too little memory
    return {name: median_run(of_one) for name, of_one in runs.items() if name not in failed}, failed
