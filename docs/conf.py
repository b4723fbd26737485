"""How Sphinx makes the pages of docs/ a site: `make docs`."""

import re
from importlib import metadata

project = "heliast"
author = "The heliast developers"
release = version = metadata.version("heliast")
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx.ext.viewcode"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build"]
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3
suppress_warnings = ["myst.header", "myst.xref_missing"]  # tests/docs/test_links.py checks links
default_role = "code"
autodoc_typehints = "none"
autodoc_member_order = "bysource"
autodoc_default_options = {"members": True, "imported-members": True}
html_theme = "furo"
html_title = "heliast"
napoleon_google_docstring = False
napoleon_use_rtype = False
LITERAL_OR_BAR = re.compile(r"(``.*?``|`[^`]*`)|\|")


def plain_bars(app, what, name, obj, options, lines):
    """|a - b| in a docstring is an absolute value; reStructuredText would look up a name."""
    lines[:] = [LITERAL_OR_BAR.sub(lambda found: found[1] or r"\|", line) for line in lines]


def skip_requests(app, what, name, obj, skip, options):
    """scikit-learn gives estimators `set_fit_request` and the like, whose links lead to its site."""
    return True if name.startswith("set_") and name.endswith("_request") else None


def setup(app):
    app.connect("autodoc-process-docstring", plain_bars, priority=900)
    app.connect("autodoc-skip-member", skip_requests)
