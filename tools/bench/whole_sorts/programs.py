"""The sorters that tools/bench/end_to_end and scaling compare, and the data that they give them."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import time

from . import machine
from .machine import Trouble

# Sorts lines in the order of their bytes, whatever the language of this machine's user.
BY_BYTES = {**os.environ, "LC_ALL": "C"}


def environment_of(case):
    """What decides the order of a case's lines."""
    if not case.locale:
        return BY_BYTES
    if not machine.language():
        raise Trouble(machine.NO_LANGUAGE)
    return {**os.environ, "LC_ALL": machine.language()}


def timed(command, environment=None):
    """Returns wall and processor seconds and peak memory of a program that must succeed."""
    with tempfile.TemporaryFile() as messages:
        begin = time.perf_counter()
        process = subprocess.Popen([str(word) for word in command], stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=messages, env=environment)
        try:
            _, status, usage = os.wait4(process.pid, 0)
        except BaseException:
            process.kill()
            process.wait()
            raise
        seconds = time.perf_counter() - begin
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            messages.seek(0)
            said = messages.read().decode(errors="replace").strip().splitlines()
            errors = [line for line in said if "rror" in line] or said
            raise Trouble(f"'{command[0]}' ended with {process.returncode}: {errors[-1] if errors else 'no message'}")
    return {"seconds": seconds, "processor_seconds": usage.ru_utime + usage.ru_stime,
            "peak_bytes": usage.ru_maxrss * 1024}


class Tools:
    """The programs of the build, and DuckDB if it is found."""

    def __init__(self, options):
        self.sortie = machine.program(options.build, "sortie")
        self.gen = machine.program(options.build, "sortie-gen")
        self.check = machine.program(options.build, "sortie-check")
        self.duckdb = self._find_duckdb(options.python)

    @staticmethod
    def _find_duckdb(python):
        """The beginning of a command whose last word is SQL; None without DuckDB."""
        program = "import sys, duckdb; duckdb.connect().execute(sys.argv[1])"
        probe = subprocess.run([python, "-c", "import duckdb"], capture_output=True, check=False)
        if probe.returncode == 0:
            return [python, "-c", program]
        return ["duckdb", "-c"] if shutil.which("duckdb") else None

    def missing_peers(self, chosen):
        """Says which peers cannot take part in cases where they would."""
        if self.duckdb or all(case.kind != "ascii" for case in chosen):
            return []
        return ["DuckDB takes no part: it is neither a module of the Python given by --python nor a command"]

    def why_no_gpu(self):
        """Says why sortie cannot use a GPU; empty if it can."""
        with tempfile.NamedTemporaryFile() as empty:
            probe = subprocess.run([self.sortie, "--engine=gpu", "--plan", empty.name], capture_output=True, text=True,
                                   check=False)
        return probe.stderr.strip() if probe.returncode != 0 else ""


class Data:
    """A file of records, and the facts that check the output of any sorter."""

    def __init__(self, tools, folder, case, options):
        self.tools = tools
        self.path = folder / "input"
        self.format = case.format
        self.keys = case.keys
        self.is_by_bytes = not case.keys and not case.locale
        self.environment = environment_of(case)
        self.threads = options.threads
        records = max(1, options.size // case.record_bytes)
        self._run([tools.gen, *case.data_options, f"--threads={options.threads}", records, self.path])
        self.bytes = self.path.stat().st_size
        self.summary = folder / "summary"
        self._summarise(self.path, self.summary)
        self.bare_summary = folder / "bare_summary"
        if case.kind == "ascii":
            with open(self.path, "rb") as source:
                bare = subprocess.Popen(["tr", "-d", "\\r"], stdin=source, stdout=subprocess.PIPE)
                self._summarise("-", self.bare_summary, bare.stdout)
                bare.wait()

    def check(self, output):
        self._check(output, self.summary)

    def check_without_carriage_returns(self, output):
        self._check(output, self.bare_summary)

    def _check(self, output, summary):
        if not self.is_by_bytes:
            self._check_by_keys(output, summary)
            return
        self._run([self.tools.check, f"--format={self.format}", f"--threads={self.threads}", f"--compare={summary}",
                   output])

    def _check_by_keys(self, output, summary):
        """The order by keys, or of a language, is checked by sortie itself: sortie-check knows none."""
        self._run([self.tools.sortie, "--check", f"--parallel={self.threads}", *self.keys, output],
                  environment=self.environment)
        found = summary.with_name("found")
        self._summarise(output, found)
        if found.read_bytes() != summary.read_bytes():
            raise Trouble(f"'{output}' has other lines than '{self.path}'")

    def _summarise(self, path, summary, source=subprocess.DEVNULL):
        self._run([self.tools.check, f"--format={self.format}", f"--threads={self.threads}", f"--summary={summary}",
                   path], source)

    @staticmethod
    def _run(command, source=subprocess.DEVNULL, environment=None):
        done = subprocess.run([str(word) for word in command], stdin=source, capture_output=True, text=True,
                              check=False, env=environment or BY_BYTES)
        if done.returncode != 0:
            raise Trouble(f"'{' '.join(map(str, command))}' ended with {done.returncode}: {done.stderr.strip()}")


class Program:
    """One that sorts a file into another."""
    is_ours = False
    is_copy = False  # moves the bytes and does nothing else
    environment = BY_BYTES

    def run(self, source, target):
        return self.measured([*self.command, *self.files(source, target)])

    def measured(self, command):
        """What a command took that runs the program, and what the program tells of it."""
        return {**timed(command, self.environment), "command": [str(word) for word in command]}

    def files(self, source, target):
        return ["-o", target, source]

    def check(self, data, output):
        data.check(output)


class Copy(Program):
    name = "cp"
    is_copy = True
    command = ["cp", "--reflink=never"]

    def files(self, source, target):
        return [source, target]

    def check(self, data, output):
        pass


class Sortie(Program):
    is_ours = True

    def __init__(self, tools, case, options, scratch, engine, memory, device_memory):
        self.name = "sortie" if engine == "auto" else f"sortie, {engine}"
        self.command = [tools.sortie, *case.keys, f"--format={case.format}", f"--engine={engine}",
                        f"--parallel={options.threads}", f"--temporary-directory={scratch}"]
        if memory:
            self.command.append(f"--buffer-size={memory}b")
        if device_memory:
            self.command.append(f"--device-memory={device_memory}b")
        self.environment = environment_of(case)
        self.stats = pathlib.Path(scratch) / "stats.json"

    def files(self, source, target):
        return [f"--stats-json={self.stats}", "-o", target, source]

    def measured(self, command):
        return {**super().measured(command), "stats": json.loads(self.stats.read_text(encoding="utf-8"))}


class GnuSort(Program):
    name = "GNU sort"

    def __init__(self, case, options, scratch, memory):
        self.environment = environment_of(case)
        self.command = ["sort", *case.keys, f"--parallel={options.threads}", f"--temporary-directory={scratch}"]
        # Without a limit GNU sort would use half of the memory, and spill.
        self.command.append(f"--buffer-size={memory or 3 * options.size}b")


class DuckDb(Program):
    name = "DuckDB"

    def __init__(self, command, options, scratch, memory):
        self.command = command
        self.settings = f"SET threads={options.threads}; SET temp_directory='{scratch}/duckdb';"
        if memory:
            self.settings += f" SET memory_limit='{memory // 10 ** 6 or 1}MB';"

    def files(self, source, target):
        csv = "DELIMITER '\x01', QUOTE '', ESCAPE '', HEADER false"
        reader = (f"read_csv('{source}', columns={{'line': 'VARCHAR'}}, delim='\x01', quote='', escape='', "
                  "header=false, auto_detect=false, new_line='\\r\\n')")
        return [f"{self.settings} COPY (SELECT line FROM {reader} ORDER BY line) TO '{target}' (FORMAT csv, {csv})"]

    def check(self, data, output):
        data.check_without_carriage_returns(output)  # DuckDB's reader takes them for part of the end of the line
