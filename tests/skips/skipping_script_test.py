"""Skipped cases of tests/system fail if CI is set. Cases that missed their moment fail only if no case has run."""

import os
import pathlib
import subprocess
import sys

SYSTEM = pathlib.Path(__file__).parent.parent / "system"
SCRIPT = """
import place
def runs(where): pass
def skips(where): raise place.Skip("needs root")
def misses(where): raise place.Missed("the moment has passed")
place.sys.exit(place.run_cases([globals()[name] for name in place.sys.argv[1:]], "/bin/true"))
"""


def status(*cases, ci):
    return subprocess.run([sys.executable, "-B", "-c", SCRIPT, *cases], cwd=SYSTEM, env={**os.environ, "CI": ci},
                          stdout=subprocess.DEVNULL, check=False).returncode


assert status("skips", ci="") == 77
assert status("runs", "skips", ci="") == 0
assert status("runs", "skips", ci="1") == 1
assert status("runs", "misses", ci="1") == 0
assert status("misses", ci="1") == 1, "nothing has run"
