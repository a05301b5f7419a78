"""A page that is right passes run_recipes, and each kind of mistake in a page fails.

usage: run_recipes_test.py RUN_RECIPES PATH_OF_SORTIE
"""

import pathlib
import subprocess
import sys
import tempfile

SORT = "```sh\nprintf '2\\n1\\n' | sortie\n```\n"
PRINTED = "```text\n1\n2\n```\n"
PYTHON = "```python\nprint(1)\n```\n```text\n1\n```\n"
MISTAKES = {
    "other output": (SORT + "```text\n2\n1\n```\n", "in place of"),
    "output that is not shown": (SORT + PYTHON, "in place of"),
    "a command that fails": (SORT + PRINTED + "```sh\nfalse\ntrue\n```\n", "ends with 1"),
    "the first command of a pipe that fails": (SORT + PRINTED + "```sh\nfalse | true\n```\n", "ends with 1"),
    "a warning": (SORT + PRINTED + "```sh\necho careful >&2\n```\n", "careful"),
    "an exception": (PYTHON + "```python\nraise ValueError('planted')\n```\n", "planted"),
    "nothing to compare": ("```sh\ntrue\n```\n", "has no examples"),
    "no examples": ("# A page\n", "has no examples"),
}


def outcome(page, text):
    page.write_text(text, encoding="utf-8")
    return subprocess.run([sys.executable, *sys.argv[1:], page], capture_output=True, text=True, timeout=60)


def main():
    with tempfile.TemporaryDirectory() as directory:
        page = pathlib.Path(directory, "page.md")
        right = outcome(page, SORT + PRINTED + PYTHON)
        assert right.returncode == 0 and "2 examples run" in right.stdout, right
        for mistake, (text, told) in MISTAKES.items():
            found = outcome(page, text)
            assert found.returncode == 1 and told in found.stderr, f"{mistake}: {found}"


if __name__ == "__main__":
    main()
