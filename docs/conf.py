"""How Sphinx makes the pages of docs/ a site: `make docs`."""

from importlib import metadata

project = "heliast"
author = "The heliast developers"
release = version = metadata.version("heliast")
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.viewcode"]
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
