"""Other interpreters of one process do not get the package: what they left would end the process."""

import importlib.util

import pytest

MODULES = ("_interpreters", "_xxsubinterpreters")
IMPORT = """
import sys
sys.path[:] = {path!r}
try:
    import sortie
except ImportError as error:
    print(error)
"""
MAIN = """
import sys
import {module} as interpreters
inner = {inner!r}.format(path=sys.path)
def run():
    made = interpreters.create({kind})
    {run}
if {first}:
    import sortie
run()
import sortie
try:
    sortie.check_files("/no such file")
except FileNotFoundError:
    print("works")
"""


@pytest.mark.parametrize("first", [True, False])
def test_a_subinterpreter_is_refused_and_the_main_one_works(run_python, first):
    module = next((name for name in MODULES if importlib.util.find_spec(name)), None)
    if module is None:
        pytest.skip("this Python makes no interpreters")
    is_old = module == "_xxsubinterpreters"
    program = MAIN.format(module=module, inner=IMPORT, first=first, kind="isolated=False" if is_old else '"legacy"',
                          run="interpreters.run_string(made, inner)" if is_old else "interpreters.exec(made, inner)")
    done = run_python(program)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[1:] == ["works"]
    assert lines[0].startswith("sortie cannot be imported by a subinterpreter: import it in the main interpreter")
