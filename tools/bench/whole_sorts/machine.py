"""The machine that tools/bench/end_to_end runs on: sizes, space, the speed of a plain copy."""
import argparse
import mmap
import multiprocessing
import pathlib
import re
import shutil
import subprocess

import figures


NO_LANGUAGE = "this machine has no locale of a language; make one, for example by localedef"


class Trouble(Exception):
    """Ends the bench with a one-line message."""


def parse_size(text):
    found = re.fullmatch(r"(\d+(?:\.\d+)?)([KMGT]?)", text)
    size = int(float(found.group(1)) * 1000 ** " KMGT".index(found.group(2) or " ")) if found else 0
    if size == 0:
        raise argparse.ArgumentTypeError(f"'{text}' is no size: give a number with K, M, G or T")
    return size


def program(build, name):
    """A program of a build folder, or of a folder of programs."""
    folder = "src" if name == "sortie" else "tools"
    for path in (build / folder / name, build / name):
        if path.is_file():
            return path.resolve()
    raise Trouble(f"no {folder}/{name} in '{build}'; build it, or give the build folder with --build")


def language():
    """A locale of this machine that orders text as a language does, "en_US.utf8" for example; empty if it has none."""
    known = subprocess.run(["locale", "-a"], capture_output=True, text=True, check=False).stdout.split()
    languages = [name for name in known if re.search(r"_.*utf-?8$", name, re.IGNORECASE)]
    return "en_US.utf8" if "en_US.utf8" in languages else "".join(languages[:1])


def is_memory(directory):
    """Whether files in the directory take memory, as on tmpfs."""
    place = directory.resolve()
    best = ("", "")
    for line in pathlib.Path("/proc/mounts").read_text(encoding="utf-8").splitlines():
        _, mount, kind = line.split()[:3]
        if place.is_relative_to(mount) and len(mount) >= len(best[0]):
            best = (mount, kind)
    return best[1] == "tmpfs"


def available_memory():
    text = pathlib.Path("/proc/meminfo").read_text(encoding="utf-8")
    return int(re.search(r"MemAvailable:\s+(\d+)", text).group(1)) * 1024


def require_room(directory, needed):
    free = shutil.disk_usage(directory).free
    if free < needed:
        raise Trouble(f"{figures.size(needed)} are needed in {directory} and {figures.size(free)} are free; "
                      "give another directory or a smaller --size")


def require_writable(*paths):
    """Finds out before any work whether files can be written; None stands for no file."""
    for path in filter(None, paths):
        is_new = not path.exists()
        with open(path, "ab"):
            pass
        if is_new:
            path.unlink()


def require_space(case, options):
    """Checks for space for input, output and what a peer spills, and on tmpfs also for the memory to sort in."""
    spilled = options.size if case.host_limit else 0
    beside = 0 if case.spills_to_disk else spilled
    files, on_disk = 2 * options.size + beside, spilled - beside
    if case.from_disk:
        files, on_disk = 0, on_disk + files
    require_room(options.directory, files)
    if on_disk:
        require_room(options.scratch, on_disk)
    memory = 2 * (options.limit if case.host_limit else options.size)
    if not is_memory(options.directory):
        files = 0
    if available_memory() < memory + files:
        raise Trouble(f"{figures.size(memory + files)} of memory are needed for files and sorting and "
                      f"{figures.size(available_memory())} are available; give a smaller --size")


def _touch(size):
    """Writes to each page of new memory, which goes back to the system when the process ends."""
    block = bytes(range(1, 65)) * (1 << 14)
    with mmap.mmap(-1, size) as memory:
        for begin in range(0, size - len(block) + 1, len(block)):
            memory[begin:begin + len(block)] = block


def touch_memory(size, threads):
    """Touches memory before anything is timed: a virtual machine may get it from its host only on first use."""
    workers = [multiprocessing.Process(target=_touch, args=(size // threads,)) for _ in range(threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    if any(worker.exitcode != 0 for worker in workers):
        raise Trouble(f"{figures.size(size)} of memory could not be touched; give a smaller --touch")


def describe():
    """The processor and the GPUs, as far as the system tells."""
    model = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8"))
    gpus = []
    if shutil.which("nvidia-smi"):
        query = ["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"]
        gpus = subprocess.run(query, capture_output=True, text=True, check=False).stdout.splitlines()
    return {"processor": model.group(1) if model else "unknown", "gpus": gpus}
