"""Sphinx's settings for the site. tools/docs prepares the sources and runs it."""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
# What a docstring says of a parameter, or of several: "by, null_placement: as sort_table() takes them."
_PARAMETERS = re.compile(r"^((?:[a-z_]+, )*[a-z_]+)( \([^)]*\))?: (.*)")

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

html_theme = "furo"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_show_sphinx = False
html_copy_source = False
pygments_style = "default"
pygments_dark_style = "github-dark"

python_maximum_signature_line_length = 100
autodoc_member_order = "bysource"
cpp_maximum_signature_line_length = 100
breathe_default_project = "sortie"
breathe_default_members = ("members", "undoc-members")


def marked(lines):
    """The lines of a docstring as reStructuredText: parameters become items of a list, indented text stays as it is."""
    previous, kind = "", "text"
    for line in lines:
        if not line:
            kind = "literal" if kind == "literal" else "text"
        elif line.startswith(" "):
            if kind == "text":
                kind = "literal"
                yield from ("::", "") if not previous else ("", "::", "")
        elif found := _PARAMETERS.match(line):
            if kind != "parameter":
                yield ""
            kind = "parameter"
            line = f"- **{found[1]}**{found[2] or ''}: {found[3]}"
        elif kind == "literal":
            kind = "text"
            if previous:
                yield ""
        elif kind == "parameter":
            line = "  " + line
        previous = line
        yield line if kind == "literal" else re.sub(r"`([^`]+)`", r"``\1``", line)


def mark_docstring(app, what, name, found, options, lines):
    lines[:] = marked(lines)


def setup(app):
    app.connect("autodoc-process-docstring", mark_docstring)
