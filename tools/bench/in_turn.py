"""What the programs of tools/bench share: their options, a folder for their files, programs run in turn, and a table of what
these took."""
import argparse
import contextlib
import multiprocessing
import os
import pathlib
import random
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

import figures
from whole_sorts import machine


def parser(text, size="1G", build="folder with sortie, or build folder", directory="where all files lie"):
    made = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build/release"), help=f"{build} (default: %(default)s)")
    made.add_argument("--directory", type=pathlib.Path, default=pathlib.Path("/dev/shm"),
                      help=f"{directory} (default: %(default)s)")
    made.add_argument("--size", type=machine.parse_size, default=size, help="bytes of data, K M G T of 1000 each")
    made.add_argument("--repeats", type=int, default=3, help="runs of every program, in turn with the others")
    return made


def few_processors(text, **arguments):
    """A parser with --cpus, too."""
    made = parser(text, **arguments)
    made.add_argument("--cpus", type=int, default=2)
    made.add_argument("--unchecked", action="store_true", help="leave out the look at what is written, which takes long")
    return made


@contextlib.contextmanager
def folder_for(options, cpus, room):
    """A folder with space for `room` times the data. Programs get so many processors, and compare bytes."""
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:cpus])
    os.environ["LC_ALL"] = "C"
    machine.require_room(options.directory, room * options.size)
    with tempfile.TemporaryDirectory(dir=options.directory) as folder:
        yield pathlib.Path(folder)


def in_another_process(function, *arguments):
    """The memory of a process that starts programs counts as theirs."""
    maker = multiprocessing.Process(target=function, args=arguments)
    maker.start()
    maker.join()


def make_in_parts(path, size, write_part, end=b""):
    """A file of about `size` bytes. A process for each processor calls write_part(part_path, part_bytes, number); the parts are
    joined, and `end` put behind them."""
    count = len(os.sched_getaffinity(0))
    parts = [f"{path}.{number}" for number in range(count)]
    makers = [multiprocessing.Process(target=write_part, args=(part, size // count, number)) for number, part in enumerate(parts)]
    for maker in makers:
        maker.start()
    for maker in makers:
        maker.join()
        if maker.exitcode != 0:
            raise machine.Trouble(f"no data could be made in {path}")
    with open(path, "wb") as whole:
        for part in parts:
            with open(part, "rb") as file:
                shutil.copyfileobj(file, whole, 1 << 20)
            os.remove(part)
        whole.write(end)


LINES_AT_A_TIME = 20_000


def write_lines(path, size, seed, line):
    """Lines that line(choice) makes of random numbers."""
    choice = random.Random(seed)
    with open(path, "wb") as file:
        while file.tell() < size:
            file.write(b"".join(line(choice) for _ in range(LINES_AT_A_TIME)))


def run(command, output=None, environment=None):
    """Wall seconds, processor seconds, and the most memory in bytes. output: a file for standard output."""
    begin = time.monotonic()
    process = subprocess.Popen(command, stdout=output, env=environment)
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.monotonic() - begin
    if status != 0:
        raise machine.Trouble(f"{command[0]} failed")
    return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def time_in_turn(title, programs, repeats, take, pairs=()):
    """programs: for each name what take(turn, name, program) runs, and tells as run() does. Prints medians, and of the wall
    seconds the least and greatest. pairs: names of two programs each; prints what the first takes of the time of the second."""
    runs = {name: [] for name in programs}
    for turn in range(repeats):
        for name, program in programs.items():
            runs[name].append(take(turn, name, program))
    print(f"{title:44} {'wall s':>8} {'least':>8} {'greatest':>8} {'proc. s':>8} {'memory':>8}")
    for name, values in runs.items():
        walls, processors, memory = zip(*values)
        print(f"{name:44} {statistics.median(walls):8.2f} {min(walls):8.2f} {max(walls):8.2f} "
              f"{statistics.median(processors):8.2f} {figures.size(max(memory)):>8}", flush=True)
    for ours, peer in pairs:
        print(f"{ours} / {peer}: wall {spread(runs, ours, peer, 0)}, processor {spread(runs, ours, peer, 1)}", flush=True)


def spread(runs, ours, peer, part):
    """The ratios of the turns: "0.85 (0.80 to 0.91)", the median, the least and the greatest."""
    ratios = [one[part] / other[part] for one, other in zip(runs[ours], runs[peer])]
    return f"{statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})"


def end(main):
    """Ends the program with what main() returns. Trouble is one line; a signal has folders removed, too."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        sys.exit(main())
    except (machine.Trouble, OSError) as trouble:
        print(f"{pathlib.Path(sys.argv[0]).name}: {trouble}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
