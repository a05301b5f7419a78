#!/usr/bin/env -S python3 -IS
"""A command `sortie` that fails where a test says so: in the folder of $SORTIE_FAULTS lie files such as form-2, which
tell what becomes of the next command that forms shard 2, once. All others are the command of $SORTIE_REAL."""

import glob
import os
import pathlib
import shutil
import signal
import sys
import time


def task_name(words):
    """As form-2, cut-0 (of the first run) or merge-1."""
    for word in words:
        name, _, value = word.partition("=")
        if name == "--form":
            return f"form-{int(os.path.basename(value)[:6])}"
        if name == "--merge-runs":
            return f"merge-{int(os.path.basename(value).partition('.')[0])}"
        if name == "--place" and any(other.startswith("--cut=") for other in words):
            return f"cut-{value}"
    return "other"


def take(path):
    """What the file says, to the first who asks."""
    try:
        text = path.read_text()
        path.unlink()
    except FileNotFoundError:
        return ""
    return text


def flip_a_byte(path, offset):
    data = bytearray(pathlib.Path(path).read_bytes())
    data[offset] ^= 1
    pathlib.Path(path).write_bytes(data)


def fail(fault):
    """Returns if the command is to run nevertheless."""
    if fault == "fail":
        sys.exit("sortie: no luck")
    if fault == "full":
        sys.exit("sortie: cannot write '/scratch': No space left on device")
    if fault == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    if fault == "garbage":
        print("{")
        sys.exit(0)
    if fault == "kill driver":
        os.kill(os.getppid(), signal.SIGKILL)
        time.sleep(60)
    if fault == "pause":
        time.sleep(4)
    if fault == "hang":
        time.sleep(60)
    if fault == "hang on":
        # A child that heeds no signal, and keeps what the driver reads open.
        if os.fork() == 0:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
        time.sleep(60)


def main():
    name = task_name(sys.argv[1:])
    folder = pathlib.Path(os.environ["SORTIE_FAULTS"])
    if "--plan" not in sys.argv:
        with open(folder / "log", "a") as log:
            log.write(name + "\n")
    fault = take(folder / name)
    if fault.startswith("remove "):
        path = pathlib.Path(fault.removeprefix("remove "))
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    if fault.startswith("damage "):
        for path in glob.glob(fault.removeprefix("damage ")):
            flip_a_byte(path, -60)
    fail(fault)
    os.execv(os.environ["SORTIE_REAL"], sys.argv)


if __name__ == "__main__":
    main()
