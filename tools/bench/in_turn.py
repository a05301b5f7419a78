"""Programs run in turn for a comparison: what each took, and a table of that."""
import os
import statistics
import subprocess
import time

import figures
from whole_sorts import machine


def run(command, output=None):
    """Wall seconds, processor seconds, and the most memory in bytes. output: a file for standard output."""
    begin = time.monotonic()
    process = subprocess.Popen(command, stdout=output)
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.monotonic() - begin
    if status != 0:
        raise machine.Trouble(f"{command[0]} failed")
    return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def print_runs(title, runs):
    """runs: for each name what run() gave. Prints medians, and of the wall seconds the least and greatest."""
    print(f"{title:44} {'wall s':>8} {'least':>8} {'greatest':>8} {'proc. s':>8} {'memory':>8}")
    for name, values in runs.items():
        walls, processors, memory = zip(*values)
        print(f"{name:44} {statistics.median(walls):8.2f} {min(walls):8.2f} {max(walls):8.2f} "
              f"{statistics.median(processors):8.2f} {figures.size(max(memory)):>8}", flush=True)
