"""How a gate reads: on a terminal, in a notebook, for JUnit and for a summary in Markdown."""

import math
import re
from html import escape
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from heliast._core.numbers import figures, number, shorten
from heliast.views import html
from heliast.views.comparing import rounded
from heliast.views.terminal import columns, wrapped

if TYPE_CHECKING:
    from heliast.verbs.gate import Gate
    from heliast.verbs.ruling import Ruling

_LEAST = 24
"""Columns that are left for what is said of a ruling, if it goes on in the next line."""
WORD = {"pass": "pass", "fail": "FAIL", "undecided": "not enough data"}


def gate_sentence(gate: "Gate") -> str:
    """Go, no-go, or too few data: what and how many."""
    total = len(gate.rulings)
    many = f"{total} requirements" if total > 1 else "the requirement"
    failed = sum(ruling.outcome == "fail" for ruling in gate.rulings)
    open_ = sum(ruling.outcome == "undecided" for ruling in gate.rulings)
    if failed:
        return f"No: {failed} of {total} failed" + (f", {open_} undecided." if open_ else ".")
    if open_:
        which = f"{open_} of {many}" if total > 1 else many
        return f"Not enough data: {which} cannot be decided with these {_rows(gate)}."
    return f"Go: {'all ' if total > 1 else ''}{many} met."


def _found(ruling: "Ruling") -> str:
    if math.isnan(ruling.value):
        return "undefined"
    if math.isnan(ruling.low):
        return f"{number(ruling.value)}, no interval"
    shown = figures(ruling)
    return f"{shown.value} [{shown.between}]"


def _remark(ruling: "Ruling") -> str:
    """What keeps a ruling undecided: how many rows a better model would need to pass."""
    if ruling.outcome != "undecided" or math.isnan(ruling.fresh):
        return ruling.reason if ruling.outcome == "undecided" else ""
    kind = "difference" if ruling.requirement.pair else "value"
    passes = f"a true {kind} of {number(ruling.planned)} would pass with probability 80%"
    if ruling.counted < ruling.fresh:
        asked = ruling.requirement
        of = asked.measure if asked.class_ is None else f"{asked.measure}[{asked.class_}]"
        passes = f"(of which about {rounded(ruling.counted)} count for {of}) {passes}"
    if math.isnan(ruling.more):
        return f"on about {rounded(ruling.fresh)} fresh {ruling.unit} {passes}"
    if ruling.more == 0:
        return f"{ruling.reason}; with so many {ruling.unit} {passes}"
    return f"with about {rounded(ruling.more)} more {ruling.unit} {passes}"


def _said(ruling: "Ruling") -> str:
    remark = _remark(ruling)
    return WORD[ruling.outcome] + (f": {remark}" if remark else "")


def _rows(gate: "Gate") -> str:
    """What is counted."""
    return "items" if any(one.unit == "items" for one in gate.rulings) else "rows"


def gate_remarks(gate: "Gate") -> tuple[str, ...]:
    """What the ends mean, how often one may look, how several are judged, and caveats."""
    looks, side = gate.looks, f"one-sided {50 + 50 * gate.level:g}% bound"
    rows = _rows(gate)
    end = f"An end of a {100 * gate.level:g}% interval is a {side}"
    if looks.always:
        often = f"however often {rows} are added (confidence sequence)"
        said = [f"{end} at all looks together, {often}."]
    elif looks.of > 1:
        level = f"{100 * looks.level(gate.level):.5g}%"
        said = [
            f"Look {looks.look} of {looks.of} planned ones, equally spaced, is judged at {level}: "
            f"at all looks together an end is a {side}."
        ]
    else:
        again = f'looks="any" (--sequential) allows to add {rows} and look again'
        said = [f"{end}, for one look at the {rows}; {again}."]
    if len(gate.rulings) > 1:
        said.append(
            "All requirements have to pass, so a pass needs no correction for their number; a fail "
            f"is judged at the level of all {len(gate.rulings)} rulings together (Holm)."
        )
    if any(ruling.fresh > 0 and math.isnan(ruling.more) for ruling in gate.rulings):
        said.append(
            f"Test fresh {rows} by themselves, once; the {rows} at hand were looked at already."
        )
    noted = (f"{r.requirement.words}: {note}" for r in gate.rulings for note in r.notes)
    return (*said, *dict.fromkeys(noted), *gate.notes)


def gate_text(gate: "Gate") -> str:
    """One line a ruling: requirement, model, interval, outcome, what would decide it."""
    rows = [
        (shorten(r.requirement.words, 60), shorten(r.subject, 30), _found(r)) for r in gate.rulings
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [wrapped(gate_sentence(gate)), ""]
    for row, ruling in zip(rows, gate.rulings, strict=True):
        cells = "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        begin = min(len(cells) + 2, columns() - _LEAST)
        lines.append(wrapped(f"{cells}  {_said(ruling)}", indent=" " * begin))
    lines += ["", *(wrapped(shorten(note, 400), indent="  ") for note in gate_remarks(gate))]
    return "\n".join(lines)


def gate_html(gate: "Gate") -> str:
    """The rulings as an HTML table, everything escaped."""
    rows = [
        (r.requirement.words, r.subject, _found(r), WORD[r.outcome], _remark(r))
        for r in gate.rulings
    ]
    head = ("requirement", "model", "found", "outcome", "")
    remarks = "".join(f"<p>{escape(remark)}</p>" for remark in gate_remarks(gate))
    body = html.table(head, (html.left(*map(escape, row)) for row in rows))
    return f"<p>{escape(gate_sentence(gate))}</p>{body}{remarks}"


def gate_markdown(gate: "Gate") -> str:
    """A summary for a page that shows Markdown."""
    lines = [f"### {_cell(gate_sentence(gate))}", "", "| requirement | model | found | outcome |"]
    lines.append("| --- | --- | --- | --- |")
    for r in gate.rulings:
        cells = _code(r.requirement.words), _cell(r.subject), _found(r), _cell(_said(r))
        lines.append(f"| {' | '.join(cells)} |")
    lines += ["", *(f"- {_cell(remark)}" for remark in gate_remarks(gate))]
    return "\n".join(lines) + "\n"


def _flat(text: str) -> str:
    """On one line, without what would end a cell or begin code."""
    flat = "".join(letter if letter.isprintable() else " " for letter in text)
    return flat.replace("`", "'")


def _cell(text: str) -> str:
    """As text: names of models are no tags, links, pictures or mentions of people."""
    plain = re.sub(r"([\\*_~\[\]!#|])", r"\\\1", escape(_flat(text), quote=False))
    return re.sub(r"@|//|www", lambda match: f"{match[0][0]}&#8203;{match[0][1:]}", plain)


def _code(text: str) -> str:
    """As it is: in code nothing is a tag, and an entity would be shown as it is written."""
    return f"`{_flat(text).replace('|', chr(92) + '|')}`"


def gate_junit(gate: "Gate") -> str:
    """The rulings as a JUnit test suite; what fails and what is undecided are failures."""
    bad = sum(ruling.outcome != "pass" for ruling in gate.rulings)
    suite = ElementTree.Element(
        "testsuite",
        name="heliast gate",
        tests=str(len(gate.rulings)),
        failures=str(bad),
        errors="0",
    )
    for ruling in gate.rulings:
        case = ElementTree.SubElement(
            suite, "testcase", classname=_xml(ruling.subject), name=_xml(ruling.requirement.words)
        )
        remark = _remark(ruling)
        parts = (f"{WORD[ruling.outcome]}: {_found(ruling)}", remark, *ruling.notes)
        said = "; ".join(part for part in parts if part)
        if ruling.outcome != "pass":
            ElementTree.SubElement(case, "failure", type=ruling.outcome, message=_xml(said))
        else:
            ElementTree.SubElement(case, "system-out").text = _xml(said)
    ElementTree.indent(suite)
    return ElementTree.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"


def gate_annotations(gate: "Gate") -> tuple[str, ...]:
    """`::error` for what fails, `::warning` for what is undecided, as GitHub Actions reads them."""
    lines = []
    for ruling in gate.rulings:
        if ruling.outcome != "pass":
            kind = "error" if ruling.outcome == "fail" else "warning"
            remark = _remark(ruling)
            said = f"{ruling.subject}: {ruling.requirement.words}: {_found(ruling)}"
            said = "; ".join(part for part in (said, remark, *ruling.notes) if part)
            safe = said.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
            lines.append(f"::{kind} title=heliast gate::{safe}")
    return tuple(lines)


def _xml(text: str) -> str:
    """XML 1.0 has no control characters, not even escaped."""
    return "".join(letter if letter.isprintable() else "·" for letter in text)
