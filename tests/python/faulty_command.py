"""What faulty_command does where a test says what takes more than a shell. Then it is the command of $SORTIE_REAL."""

import glob
import os
import pathlib
import shutil
import signal
import sys
import time


def flip_a_byte(path, offset):
    data = bytearray(pathlib.Path(path).read_bytes())
    data[offset] ^= 1
    pathlib.Path(path).write_bytes(data)


def main():
    fault, *words = sys.argv[1:]
    what, _, path = fault.partition(" ")
    if what == "remove":
        shutil.rmtree(path) if os.path.isdir(path) else os.unlink(path)
    elif what == "damage":
        for found in glob.glob(path):
            flip_a_byte(found, -60)
    elif fault == "pause":
        time.sleep(4)
    elif fault == "hang":
        time.sleep(60)
    elif fault == "hang on":
        # A child that heeds no signal, and keeps what the driver reads open.
        if os.fork() == 0:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
        time.sleep(60)
    else:
        sys.exit(f"no such fault: {fault}")
    real = os.environ["SORTIE_REAL"]
    os.execv(real, [real, *words])


if __name__ == "__main__":
    main()
