"""The summary as one HTML file that needs nothing else: no network, no other file."""

import base64
import hashlib
import json
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from heliast.views.plots.palette import DARK, LIGHT, STYLE
from heliast.views.report.summary import fault

HERE = Path(__file__).parent
TALL = 720
"""Pixels of a page that is shown inside another."""
SCRIPTS = ("base", "intervals", "chart", "plots", "decide", "tables", "saving", "theme")
"""The scripts, in the order they are joined."""


def page(summary: dict[str, Any]) -> str:
    """The whole page. Everything but our own plots is escaped by the template engine."""
    environment = _environment()
    style, script = styles(), scripts()
    return str(
        environment.get_template("page.html").render(
            summary=summary,
            parts=[_section(environment, part) for part in summary["sections"]],
            style=_markup(style),
            script=_markup(script),
            policy=_policy(style, script),
            data=_markup(embedded(summary)),
        )
    )


def framed(page: str) -> str:
    """The page in a frame of a notebook: its own scripts run there, and reach nothing outside."""
    return (
        '<iframe sandbox="allow-scripts allow-downloads" title="heliast report" '
        f'style="width:100%;height:{TALL}px;border:1px solid #8884;border-radius:6px" '
        f'srcdoc="{escape(page)}"></iframe>'
    )


def _section(environment: Any, part: dict[str, Any]) -> Any:
    """A section as HTML; a section that cannot be rendered leaves a note in its place."""
    try:
        return _markup(environment.get_template(part["template"]).render(part=part))
    except Exception as error:
        failed = {"key": part["key"], "title": part["title"], "failed": fault(error)}
        return _markup(environment.get_template("failed.html").render(part=failed))


@cache
def _environment() -> Any:
    from jinja2 import Environment, FileSystemLoader

    environment = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    # The style of the plots stands once, in that of the page.
    environment.filters["plot"] = lambda svg: _markup(svg.replace(f"<style>{STYLE}</style>", ""))
    return environment


def _markup(text: str) -> Any:
    from markupsafe import Markup

    return Markup(text)


def embedded(summary: dict[str, Any]) -> str:
    """The data for the scripts, as JSON that cannot end its own element.

    >>> embedded({"sections": [{"live": {"classes": ["</script>"]}}]})
    '{"classes":["\\\\u003c/script\\\\u003e"]}'
    """
    live = next((part["live"] for part in summary["sections"] if "live" in part), None)
    data = live and {name: live[name] for name in live if name not in ("why", "notes")}
    text = json.dumps(data, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


@cache
def styles() -> str:
    """The style sheet, with the colours of the plots in both schemes."""
    text = (HERE / "static" / "report.css").read_text(encoding="utf-8")
    light = "".join(f"--heliast-{name}:{value};" for name, value in LIGHT.items())
    dark = "".join(f"--heliast-{name}:{value};" for name, value in DARK.items())
    plain = "".join(
        f".hl-f-{name}{{fill:var(--heliast-{name})}}.hl-l-{name}{{stroke:var(--heliast-{name})}}"
        for name in LIGHT
    )
    return text.replace("/*LIGHT*/", light).replace("/*DARK*/", dark) + plain


@cache
def scripts() -> str:
    """All scripts as one, which leaves no name behind in the page."""
    folder = HERE / "static" / "js"
    joined = "\n".join((folder / f"{name}.js").read_text(encoding="utf-8") for name in SCRIPTS)
    return f'(function () {{\n"use strict";\n{joined}\n}})();'


def _policy(style: str, script: str) -> str:
    """Nothing may load and nothing may run but our own style and script, known by their hashes."""
    return (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return f"sha256-{digest}"
