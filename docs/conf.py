"""How Sphinx makes the pages of docs/ a site: `make docs`."""

from importlib import metadata

project = "heliast"
author = "The heliast developers"
release = version = metadata.version("heliast")
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx.ext.viewcode"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build"]
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3
suppress_warnings = ["myst.xref_missing", "myst.header"]
autodoc_typehints = "none"
autodoc_member_order = "bysource"
autodoc_default_options = {"members": True, "imported-members": True}
html_theme = "furo"
html_title = "heliast"
napoleon_google_docstring = False
napoleon_use_rtype = False


def plain_bars(app, what, name, obj, options, lines):
    """|a - b| in a docstring is an absolute value; reStructuredText would look it up."""
    lines[:] = [line.replace("|", r"\|") if "`" not in line else line for line in lines]


def setup(app):
    app.connect("autodoc-process-docstring", plain_bars, priority=900)
