"""A directory in memory, where syncing takes no time, for tests that are not about disks."""

import os

_PATH = "/dev/shm"
_LEAST_BYTES = 2 << 30


def quick_directory():
    """None if another place is asked for, or if there is none that has room and runs programs: containers have little there."""
    if "TMPDIR" in os.environ or not os.access(_PATH, os.W_OK):
        return None
    told = os.statvfs(_PATH)
    has_room = told.f_bavail * told.f_frsize >= _LEAST_BYTES
    return _PATH if has_room and not told.f_flag & os.ST_NOEXEC else None
