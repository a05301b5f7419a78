"""A site whose links lead somewhere passes check_links.py, and each kind of broken link fails.

usage: check_links_test.py CHECK_LINKS
"""

import pathlib
import subprocess
import sys
import tempfile

RIGHT = '<a href="other.html#there">a</a><a href="#here" id="here">b</a><a href="https://example.com/x#y">c</a>'
BROKEN = {
    '<a href="missing.html">': "no file",
    '<img src="missing.svg">': "no file",
    '<a href="other.html#nowhere">': "no such place",
    '<a href="#nowhere">': "no such place",
    '<a href="https://two words">': "no address",
    '<a href="htps://example.com">': "not expected",
}


def outcome(folder, text):
    (folder / "index.html").write_text(text, encoding="utf-8")
    return subprocess.run([sys.executable, sys.argv[1], folder], capture_output=True, text=True, timeout=60)


def main():
    with tempfile.TemporaryDirectory() as directory:
        folder = pathlib.Path(directory)
        (folder / "other.html").write_text('<p id="there">', encoding="utf-8")
        right = outcome(folder, RIGHT)
        assert right.returncode == 0 and "3 links in 2 pages" in right.stdout, right
        for link, told in BROKEN.items():
            found = outcome(folder, RIGHT + link)
            assert found.returncode == 1 and told in found.stderr, f"{link}: {found}"
        assert outcome(folder, "no links").returncode == 1


if __name__ == "__main__":
    main()
