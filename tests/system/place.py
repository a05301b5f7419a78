
"""Shared parts of the tests against the real system: a place to sort in, and what must hold there after every command.

A command either succeeds, makes its output and changes nothing else; or it ends with status 2 and one line on
standard error, and everything stays as it was. In both cases nothing is left in the scratch directory.
"""

import os
import pathlib
import random
import re
import shutil
import signal
import stat
import subprocess
import sys
import tempfile

NOBODY = 65534
# The exit status of a test that the machine does not support. If the variable CI is set the test must run.
MUST_RUN = bool(os.environ.get("CI"))
SKIPPED = 1 if MUST_RUN else 77
TIME_LIMIT_SECONDS = 120
# Set under a sanitizer, which makes everything slower: this many times fewer lines then take as long as all of them do
# otherwise.
TIMES_FEWER = int(os.environ.get("SORTIE_TURN_STEP", "1"))
SPILLING = ["-S", "256K", "--compress=none"]

# A shell starts jobs in the background with these ignored, and so does nohup. A command that finds a signal ignored
# leaves it so, and could not be ended by it.
signal.signal(signal.SIGINT, signal.default_int_handler)
for number in (signal.SIGQUIT, signal.SIGHUP):
    signal.signal(number, signal.SIG_DFL)


class Skip(Exception):
    """The machine does not support this."""


class Missed(Exception):
    """The moment that the case tests did not come."""


def random_lines(count, seed=1):
    """Random lines of 17 bytes each, few of them equal."""
    choice = random.Random(seed)
    return b"".join(b"%016x\n" % choice.getrandbits(64) for _ in range(count))


def sorted_lines(data):
    return b"".join(sorted(data.splitlines(keepends=True)))


def check(holds, complaint):
    if not holds:
        raise AssertionError(complaint)


class Place:
    """A directory `work`, where commands run, and an empty one `scratch`, where their runs go."""

    def __init__(self, sortie, folder):
        self.folder = pathlib.Path(folder)
        self.work = self.folder / "work"
        self.scratch = self.folder / "scratch"
        for directory in (self.work, self.scratch):
            directory.mkdir()
        self.sortie = str(sortie)
        self.environment = {**os.environ, "LC_ALL": "C", "TMPDIR": str(self.scratch)}
        self.commands = 0

    def write(self, name, data):
        (self.work / name).write_bytes(data)
        return data

    def contents(self):
        """Maps names to contents: a link to its target, anything but a file to its kind."""
        found = {}
        for path in self.work.iterdir():
            if path.is_symlink():
                found[path.name] = os.readlink(path)
            elif path.is_file():
                found[path.name] = path.read_bytes() if os.access(path, os.R_OK) else b""
            else:
                found[path.name] = stat.S_IFMT(path.stat().st_mode)
        return found

    def start(self, *words, **how):
        """Starts the command as a process, with pipes as its standard streams unless `how` says otherwise."""
        self.commands += 1
        streams = {name: how.pop(name, subprocess.PIPE) for name in ("stdin", "stdout", "stderr")}
        return subprocess.Popen([self.sortie, *words], cwd=self.work, env=self.environment, **streams, **how)

    def run(self, *words, data=None, **how):
        if data is None:
            how.setdefault("stdin", subprocess.DEVNULL)
        return self.finish(self.start(*words, **how), data)

    def finish(self, process, data=None):
        try:
            output, message = process.communicate(data, TIME_LIMIT_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise AssertionError("did not end") from None
        return subprocess.CompletedProcess(process.args, process.returncode, output, message)

    def makes(self, made, *words, output=b"", **how):
        """Checks that the command succeeds and makes files: names and bytes. `output` goes to standard output."""
        before = self.contents()
        done = self.run(*words, **how)
        check(done.returncode == 0 and not done.stderr, f"{words}: status {done.returncode}: {done.stderr}")
        check((done.stdout or b"") == output, "wrong bytes on standard output")
        self.check_left({**before, **made})

    def refuses(self, pattern, *words, **how):
        """Checks that the command ends with status 2 and a line that matches, and that nothing has changed."""
        before = self.contents()
        self.check_refusal(self.run(*words, **how), pattern, before)

    def check_refusal(self, done, pattern, before):
        check(done.returncode == 2, f"{done.args[1:]}: status {done.returncode}: {done.stderr}")
        lines = done.stderr.decode("ascii").splitlines()
        check(len(lines) == 1, f"not one line of message: {done.stderr}")
        check(re.search(pattern, lines[0]), f"another message than {pattern!r}: {lines[0]}")
        self.check_left(before)

    def check_left(self, expected):
        left = self.contents()
        check(left.keys() == expected.keys(), f"there is {sorted(left)}, not {sorted(expected)}")
        changed = [name for name in left if left[name] != expected[name]]
        check(not changed, f"wrong contents: {changed}")
        scratch = os.listdir(self.scratch)
        check(not scratch, f"left in the scratch directory: {scratch}")


def unprivileged(place):
    """Returns arguments for a command without root's powers. It may write to the place."""
    if os.geteuid() != 0:
        return {}
    for path in [place.work, place.scratch, *place.work.iterdir()]:
        os.chown(path, NOBODY, NOBODY, follow_symlinks=False)
    return {"user": NOBODY, "group": NOBODY, "extra_groups": []}


def run_cases(cases, sortie, parent=None):
    """Runs functions that take a Place, each in a new one, and prints the results. Returns the exit status."""
    failures = skipped = commands = 0
    for case in cases:
        with tempfile.TemporaryDirectory(prefix="sortie-system-", dir=parent) as folder:
            os.chmod(folder, 0o755)
            # In a folder where everybody may run it.
            place = Place(shutil.copy(sortie, folder), folder)
            for module in pathlib.Path(sortie).resolve().parent.glob("libsortie_g*.so"):
                shutil.copy(module, folder)
            try:
                case(place)
            except (Skip, Missed) as reason:
                skipped += 1
                failures += MUST_RUN and isinstance(reason, Skip)
                print(f"skipped: {case.__name__}: {reason}")
            except AssertionError as complaint:
                failures += 1
                print(f"FAILED: {case.__name__}: {complaint}")
            commands += place.commands
            for directory in (place.work, place.scratch):
                directory.chmod(0o755)
    print(f"{len(cases)} cases, {commands} commands, {skipped} skipped, {failures} failures")
    sys.stdout.flush()
    if failures:
        return 1
    return SKIPPED if skipped == len(cases) else 0
