"""What a process looks like from outside, and how to hold it at a moment of its work."""

import contextlib
import os
import signal
import time

from place import Missed

ATTEMPTS = 20
CLOSED_ON_EXEC = 0o2000000


def bytes_moved(process):
    """The bytes that all its read calls have read, and those that its write calls have written."""
    with open(f"/proc/{process.pid}/io", encoding="ascii") as file:
        return tuple(int(file.readline().split()[1]) for _ in range(2))


def bytes_read(process):
    return bytes_moved(process)[0]


def still_needs(process, path):
    """Whether it has mapped the file and written nothing yet."""
    with open(f"/proc/{process.pid}/maps", encoding="utf-8") as file:
        return str(path) in file.read() and bytes_moved(process)[1] == 0


def stop(process):
    """Stops the process. Returns when none of its threads runs any more."""
    process.send_signal(signal.SIGSTOP)
    while process.poll() is None:
        states = []
        for thread in os.listdir(f"/proc/{process.pid}/task"):
            with open(f"/proc/{process.pid}/task/{thread}/stat", encoding="ascii", errors="replace") as file:
                states.append(file.read().rpartition(")")[2].split()[0])
        if all(state in "TtZX" for state in states):
            return
        time.sleep(0.001)


def holds(is_there, process):
    try:
        return is_there(process)
    except (FileNotFoundError, ProcessLookupError, ValueError, IndexError):
        return False  # the process has ended, or has closed a file that was to be looked at


def hold_when(start, is_there, interval=0.0):
    """Starts processes until one is stopped while is_there(process) holds, and returns that one. It looks all the time, or
    at intervals of seconds, if the moment lasts much longer."""
    for _ in range(ATTEMPTS):
        process = start()
        try:
            while process.poll() is None and not holds(is_there, process):
                if interval:
                    time.sleep(interval)
            stop(process)
            if process.poll() is None and holds(is_there, process):
                return process
        except (FileNotFoundError, ProcessLookupError, IndexError):
            pass  # the process has ended
        process.kill()
        process.communicate()
    raise Missed("the process was never caught at that moment")


@contextlib.contextmanager
def short_leases():
    """Makes the system revoke a lease after one second. Without root's powers it takes 45, and the caller waits."""
    path = "/proc/sys/fs/lease-break-time"
    with open(path, encoding="ascii") as file:
        usual = file.read()
    try:
        write_number(path, "1")
        yield
    finally:
        write_number(path, usual)


def write_number(path, text):
    try:
        with open(path, "w", encoding="ascii") as file:
            file.write(text)
    except OSError:
        pass  # only root may


def open_files(process):
    """Name, status and flags of every file that a process has open."""
    folder = f"/proc/{process.pid}/fd"
    for descriptor in os.listdir(folder):
        status = os.stat(f"{folder}/{descriptor}")
        with open(f"/proc/{process.pid}/fdinfo/{descriptor}", encoding="ascii") as file:
            flags = next(int(line.split()[1], 8) for line in file if line.startswith("flags:"))
        yield os.readlink(f"{folder}/{descriptor}"), status, flags
