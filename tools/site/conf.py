"""Sphinx's settings for the site. tools/docs prepares the sources and runs it."""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
# What a docstring says of a parameter, or of several: "by, null_placement: as sort_table() takes them."
_PARAMETERS = re.compile(r"^((?:[a-z_]+, )*[a-z_]+)( \([^)]*\))?: (.*)")
# An option and what it means in the table of options, where meanings stand below one another.
_OPTION = re.compile(r"^ {4}(\w+) +(\S.*)")

project = "Sortie"
release = re.search(r'SORTIE_VERSION "([^"]+)"', (ROOT / "include/sortie/version.hpp").read_text())[1]
html_title = f"Sortie {release}"
copyright = "the authors of Sortie. Apache License 2.0"

extensions = ["myst_parser", "sphinx.ext.autodoc", "breathe", "sphinx_copybutton", "sphinx_design"]
root_doc = "index"
exclude_patterns = ["tools/site/index.md"]  # the same as index.md
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4
# Each page of a header declares the namespace.
suppress_warnings = ["duplicate_declaration.cpp"]

smartquotes = False  # what stands in quotes is to be typed

html_theme = "furo"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_show_sphinx = False
html_copy_source = False
highlight_language = "none"
pygments_style = "default"
pygments_dark_style = "github-dark"

copybutton_prompt_text = "$ "
copybutton_selector = "div:not(.highlight-text) > div.highlight > pre"

python_maximum_signature_line_length = 100
autodoc_member_order = "bysource"
cpp_maximum_signature_line_length = 100
breathe_default_project = "sortie"
breathe_default_members = ("members", "undoc-members")


def escaped(text):
    """Only what stands in backticks is markup."""
    return "".join(f"``{part}``" if at % 2 else re.sub(r"([*\\\\])", r"\\\1", part)
                   for at, part in enumerate(text.split("`")))


def marked(lines):
    """The lines of a docstring as reStructuredText. Indented text behind an empty line is code; behind a line of text it is
    a table of options, under its title. What is said of parameters becomes a list, too."""
    previous, kind = "", "text"
    for line in lines:
        begins_item = False
        if not line:
            kind = "code" if kind == "code" else "text"
        elif line.startswith(" "):
            if kind == "text" and not previous:
                kind = "code"
                yield from (".. code-block:: python", "")
            elif kind == "text":
                kind = "options"
                yield ""
            if found := kind == "options" and _OPTION.match(line):
                line, begins_item = f"- **{found[1]}**: {escaped(found[2])}", True
            elif kind in ("options", "parameters"):
                line = "  " + escaped(line.strip())
        elif found := _PARAMETERS.match(line):
            begins_item, kind = kind != "parameters", "parameters"
            line = f"- **{found[1]}**{found[2] or ''}: {escaped(found[3])}"
        else:
            ends_block = kind in ("code", "options") and previous
            kind = "parameters" if kind == "parameters" else "text"
            if ends_block:
                yield ""
            line = "  " * (kind == "parameters") + escaped(line)
        if begins_item and kind == "parameters":
            yield ""
        previous = line
        yield line


def mark_docstring(app, what, name, found, options, lines):
    lines[:] = marked(lines)


def setup(app):
    app.connect("autodoc-process-docstring", mark_docstring)
