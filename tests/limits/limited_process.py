"""A command under a limit of memory, and how much it took."""
import os
import resource
import subprocess
import time

MIB = 1 << 20
STACK = MIB  # per thread: reserved memory counts under RLIMIT_DATA


class Group:
    """A control group below that of this process, for one command (root, cgroup v1)."""

    def __init__(self, limit):
        with open("/proc/self/cgroup") as file:
            own = next(line.split(":", 2)[2].strip() for line in file if line.split(":")[1] == "memory")
        self.folder = "/sys/fs/cgroup/memory%s/sortie-ceiling-%d" % (own, os.getpid())
        os.mkdir(self.folder)
        with open(self.folder + "/memory.limit_in_bytes", "w") as file:
            file.write(str(limit))

    def enter(self):
        with open(self.folder + "/cgroup.procs", "w") as file:
            file.write(str(os.getpid()))

    def leave(self):
        for _ in range(100):  # the kernel forgets a process a moment after it ends
            try:
                return os.rmdir(self.folder)
            except OSError:
                time.sleep(0.05)


def run(arguments, limit, environment, in_group=False):
    """Status, what went to standard error, and peak resident memory in bytes. `limit`: RLIMIT_DATA; 0 for none."""
    group = Group(limit) if in_group else None

    def limit_child():
        resource.setrlimit(resource.RLIMIT_STACK, (STACK, resource.RLIM_INFINITY))
        if limit:
            resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
        if group:
            group.enter()

    try:
        process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                   stdin=subprocess.DEVNULL, env=environment, preexec_fn=limit_child)
        error = process.stderr.read().decode(errors="replace").strip()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    finally:
        if group:
            group.leave()
    return process.returncode, error, usage.ru_maxrss << 10
