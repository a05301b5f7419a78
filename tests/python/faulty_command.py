"""What faulty_command does where a test says what takes more than a shell. The file that says it goes once this is at
work. In the end it is the command of $SORTIE_REAL."""

import glob
import os
import pathlib
import shutil
import signal
import sys
import time


HANG_SECONDS = 600  # tests wait for half as long


def flip_a_byte(path, offset):
    data = bytearray(pathlib.Path(path).read_bytes())
    data[offset] ^= 1
    pathlib.Path(path).write_bytes(data)


def leave_a_child():
    """It heeds no signal, and keeps what the driver reads open."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if os.fork() == 0:
        time.sleep(HANG_SECONDS)
        os._exit(0)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


def main():
    told, *words = sys.argv[1:]
    fault = pathlib.Path(told).read_text()
    what, _, path = fault.partition(" ")
    if fault == "hang on":
        leave_a_child()
    os.unlink(told)
    if what == "remove":
        shutil.rmtree(path) if os.path.isdir(path) else os.unlink(path)
    elif what == "damage":
        for found in glob.glob(path):
            flip_a_byte(found, -60)
    elif fault == "pause":
        time.sleep(4)
    elif what == "hang":
        time.sleep(HANG_SECONDS)
    else:
        sys.exit(f"no such fault: {fault}")
    real = os.environ["SORTIE_REAL"]
    os.execv(real, [real, *words])


if __name__ == "__main__":
    main()
