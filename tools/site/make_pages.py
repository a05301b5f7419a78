"""Writes the pages of the site that are made of what is there: one for each manual page, and for each C++ header.

usage: make_pages.py SITE_SOURCES FOLDER_OF_MANUAL_PAGES
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def manual_page(path: pathlib.Path) -> str:
    made = subprocess.run(["mandoc", "-T", "html", "-O", "fragment,man=%N.html", path], check=True, text=True,
                          capture_output=True).stdout
    # The page has a title of its own; the first level of headings is below it.
    made = re.sub(r"(</?h)([12])", lambda tag: f"{tag[1]}{int(tag[2]) + 1}", made)
    return f"# {path.stem}\n\n```{{raw}} html\n{made}```\n"


def opening_comment(header: str) -> str:
    lines = []
    for line in header.splitlines():
        if not line.startswith("//"):
            break
        lines.append(line.removeprefix("//").removeprefix(" "))
    return re.sub(r"(?m)^  (?=\S)", "    ", "\n".join(lines))


def header_page(path: pathlib.Path) -> str:
    included = path.relative_to(ROOT / "include")
    return (f"# {path.name}\n\n{opening_comment(path.read_text())}\n\n```cpp\n#include <{included}>\n```\n\n"
            f"```{{doxygenfile}} {path.name}\n```\n")


def write_pages(folder: pathlib.Path, pages: dict[str, str]) -> None:
    folder.mkdir(parents=True)
    for name, text in pages.items():
        (folder / f"{name}.md").write_text(text, encoding="utf-8")


def main() -> None:
    sources, manuals = map(pathlib.Path, sys.argv[1:])
    pages = sorted(manuals.glob("*.1"))
    assert pages, f"{manuals} has no manual pages"
    write_pages(sources / "commands", {page.stem: manual_page(page) for page in pages})
    headers = sorted(path for suffix in ("hpp", "cuh") for path in (ROOT / "include/sortie").rglob(f"*.{suffix}"))
    write_pages(sources / "headers", {header.stem: header_page(header) for header in headers})


if __name__ == "__main__":
    main()
