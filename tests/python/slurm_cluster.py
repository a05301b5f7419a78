"""A Slurm of its own on this machine, in a folder: munge with its own key, a controller, and nodes of one CPU. It runs
as any user. A Slurm that the machine belongs to is not touched."""

import contextlib
import os
import pathlib
import pwd
import random
import shutil
import signal
import socket
import subprocess
import time

PROGRAMS = ("mungekey", "munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel", "scontrol", "sinfo")
NODES = ("n1", "n2", "n3")
_SECONDS_TO_START = 60.0
# An array has at most MaxArraySize elements, fewer than the jobs of the tests have tasks.
_CONFIG = """
ClusterName=sortie
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket={folder}/munge.socket
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool-%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SwitchType=switch/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
SlurmdParameters=config_overrides
SchedulerType=sched/builtin
SchedulerParameters=sched_interval=1
GresTypes=gpu
MaxArraySize=4
SlurmdTimeout=5
KillWait=2
ReturnToService=2
PartitionName=sorts Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""
_NODE = ("NodeName={name} NodeHostname={host} NodeAddr=127.0.0.1 Port={port} CPUs=1 RealMemory=1000 Gres=gpu:1 "
         "State=UNKNOWN\n")


def missing_programs():
    return [name for name in PROGRAMS if shutil.which(name, path=_path()) is None]


def _path():
    """Debian keeps daemons where the path of a user does not lead."""
    return f"{os.environ['PATH']}:/usr/sbin"


class SlurmCluster:
    """environment: what makes commands of Slurm speak to this one."""

    def __init__(self, folder):
        self._folder = folder
        self._config = folder / "slurm.conf"
        self.environment = {"SLURM_CONF": str(self._config)}
        self._daemons = {}
        self._write_config()
        self._start_munge()
        self.start_controller()
        for node in NODES:
            self.start_node(node)
        self.wait_until_ready()

    def _write_config(self):
        host = socket.gethostname().partition(".")[0]
        ports = _free_ports(1 + len(NODES))
        text = _CONFIG.format(folder=self._folder, host=host, ports=ports, user=pwd.getpwuid(os.geteuid()).pw_name)
        self._config.write_text(text + "".join(_NODE.format(name=name, host=host, port=port)
                                               for name, port in zip(NODES, ports[1:], strict=True)))
        (self._folder / "gres.conf").write_text("Name=gpu File=/dev/null\n")
        # Nothing here uses control groups. To find out which version is mounted, slurmd would look for them, and end
        # where none are, as in a bare root; the plugin of the first version does not look before it is used.
        (self._folder / "cgroup.conf").write_text("CgroupPlugin=cgroup/v1\n")
        for name in ("state", *(f"spool-{node}" for node in NODES)):
            (self._folder / name).mkdir()

    def _start_munge(self):
        """Only with --force it takes a folder that no other user may enter."""
        files = {name: self._folder / f"munge.{name}" for name in ("key", "socket", "pid", "log", "seed")}
        subprocess.run(["mungekey", "--create", f"--keyfile={files['key']}"], check=True,
                       env={**os.environ, "PATH": _path()})
        self._start("munged", ["munged", "--foreground", "--force", f"--socket={files['socket']}",
                               *(f"--{name}-file={files[name]}" for name in ("key", "pid", "log", "seed"))])
        end = time.monotonic() + _SECONDS_TO_START
        while not files["socket"].exists() and time.monotonic() < end:
            time.sleep(0.05)

    def start_controller(self):
        self._start("slurmctld", ["slurmctld", "-D", "-f", self._config])

    def stop_controller(self):
        self._stop("slurmctld", signal.SIGTERM)

    def start_node(self, name):
        self._start(name, ["slurmd", "-D", "-f", self._config, "-N", name])

    def kill_node(self, name):
        """As a machine that loses power: nothing of it goes on."""
        self._stop(name, signal.SIGKILL)
        for pid in self._processes():
            with contextlib.suppress(OSError):
                if _variables(pid).get("SLURMD_NODENAME") == name:
                    os.kill(pid, signal.SIGKILL)

    def _start(self, name, words):
        with open(self._folder / f"{name}.out", "ab") as log:
            self._daemons[name] = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                                   start_new_session=True,
                                                   env={**os.environ, "PATH": _path(), **self.environment})

    def _stop(self, name, number):
        daemon = self._daemons.pop(name)
        daemon.send_signal(number)
        daemon.wait()

    def wait_until_ready(self):
        """All nodes take jobs."""
        end = time.monotonic() + _SECONDS_TO_START
        while self.run("sinfo", "--noheader", "--Node", "--format=%T") != ["idle"] * len(NODES):
            ended = [f"{name} ended with status {daemon.returncode}" for name, daemon in self._daemons.items()
                     if daemon.poll() is not None]
            if ended or time.monotonic() > end:
                logs = self._last_words()
                self.close()
                raise RuntimeError(f"Slurm did not start: {', '.join(ended) or 'not all nodes are idle'}\n{logs}")
            time.sleep(0.2)

    def _last_words(self):
        """The ends of what the daemons have said."""
        files = sorted(path for kind in ("*.log", "*.out") for path in self._folder.glob(kind))
        return "\n".join(f"{path.name}:\n{path.read_text(errors='replace')[-2000:]}" for path in files)

    def run(self, *words):
        """Lines that a command of Slurm prints, whether it succeeds or not."""
        return subprocess.run(words, capture_output=True, text=True, env={**os.environ, **self.environment},
                              timeout=100).stdout.splitlines()

    def elements(self, *options):
        """Elements that wait or run, as (array, index)."""
        lines = self.run("squeue", "--noheader", "--array", "--format=%F %K", *options)
        return [tuple(line.split()) for line in lines]

    def place_of(self, words):
        """The element, as ARRAY_INDEX, and the node of the command whose command line has these bytes."""
        for pid in self._processes():
            with contextlib.suppress(OSError):
                if words in pathlib.Path(f"/proc/{pid}/cmdline").read_bytes():
                    known = _variables(pid)
                    return f"{known['SLURM_ARRAY_JOB_ID']}_{known['SLURM_ARRAY_TASK_ID']}", known["SLURMD_NODENAME"]
        raise LookupError(f"no command has {words!r}")

    def clear(self):
        """Ends all jobs, and has all nodes take jobs again."""
        for node in NODES:
            if node not in self._daemons:
                self.start_node(node)
        self.run("scancel", f"--user={os.geteuid()}")
        self.run("scontrol", "update", f"nodename={','.join(NODES)}", "state=resume")
        self.wait_until_ready()

    def close(self):
        for name in list(self._daemons):
            self._stop(name, signal.SIGKILL)
        for pid in self._processes():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def _processes(self):
        """Those that were started with this configuration: what daemons and elements have left."""
        found = []
        for path in pathlib.Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                if int(path.name) != os.getpid() and _variables(path.name).get("SLURM_CONF") == str(self._config):
                    found.append(int(path.name))
        return found


def _variables(pid):
    """The environment that a process began with."""
    words = pathlib.Path(f"/proc/{pid}/environ").read_bytes().decode(errors="replace").split("\0")
    return {name: value for name, _, value in (word.partition("=") for word in words)}


def _free_ports(count):
    """Below those that the system gives to connections, so that a daemon that is started again finds its own free."""
    found = []
    for port in random.sample(range(20000, 32000), 1000):
        with contextlib.suppress(OSError):
            socket.create_server(("127.0.0.1", port)).close()
            found.append(port)
        if len(found) == count:
            return found
    raise RuntimeError("no ports are free")
