"""How a gate reads: on a terminal, in a notebook, for JUnit and for a summary in Markdown."""

import math
from html import escape
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from heliast.reporting.numbers import between, count, number, shorten

if TYPE_CHECKING:
    from heliast._gate import Gate, Ruling

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
        return f"Not enough data: {open_} of {total} cannot be decided with these."
    return f"Go: {'all ' if total > 1 else ''}{many} met."


def _found(ruling: "Ruling") -> str:
    if math.isnan(ruling.value):
        return "undefined"
    if math.isnan(ruling.low):
        return f"{number(ruling.value)}, no interval"
    return f"{number(ruling.value)} [{between(ruling.low, ruling.high)}]"


def _remark(ruling: "Ruling") -> str:
    if ruling.outcome != "undecided":
        return ""
    if math.isfinite(ruling.more) and ruling.more > 0:
        return f"about {count(ruling.more)} more {ruling.unit} would decide it if the value stays"
    return ruling.reason


def gate_text(gate: "Gate") -> str:
    """One line a ruling: requirement, model, interval, outcome, what would decide it."""
    rows = [
        (shorten(r.requirement.words, 60), shorten(r.subject, 30), _found(r), WORD[r.outcome])
        for r in gate.rulings
    ]
    widths = [max(len(row[at]) for row in rows) for at in range(3)]
    lines = [gate_sentence(gate), ""]
    for row, ruling in zip(rows, gate.rulings, strict=True):
        cells = "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=False))
        remark = _remark(ruling)
        lines.append(f"{cells}  {row[3]}" + (f": {remark}" if remark else ""))
    side = 50 + 50 * gate.level
    lines += ["", f"An end of a {100 * gate.level:g}% interval is a one-sided {side:g}% bound."]
    lines += [shorten(note, 400) for note in gate.notes]
    return "\n".join(lines)


def gate_html(gate: "Gate") -> str:
    """The rulings as an HTML table, everything escaped."""
    rows = "".join(
        f"<tr><td>{escape(r.requirement.words)}</td><td>{escape(r.subject)}</td>"
        f"<td>{escape(_found(r))}</td><td>{escape(WORD[r.outcome])}</td>"
        f"<td>{escape(_remark(r))}</td></tr>"
        for r in gate.rulings
    )
    head = "".join(f"<th>{name}</th>" for name in ("requirement", "model", "found", "outcome", ""))
    return (
        f"<p>{escape(gate_sentence(gate))}</p><table><thead><tr>{head}</tr></thead>"
        f"<tbody>{rows}</tbody></table>"
    )


def gate_markdown(gate: "Gate") -> str:
    """A summary for a page that shows Markdown."""
    lines = [f"### {_cell(gate_sentence(gate))}", "", "| requirement | model | found | outcome |"]
    lines.append("| --- | --- | --- | --- |")
    for r in gate.rulings:
        remark = _remark(r)
        said = WORD[r.outcome] + (f": {remark}" if remark else "")
        cells = (f"`{_cell(r.requirement.words)}`", _cell(r.subject), _found(r), _cell(said))
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _cell(text: str) -> str:
    flat = "".join(letter if letter.isprintable() else " " for letter in text)
    return escape(flat, quote=False).replace("|", "\\|").replace("`", "'")


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
        said = f"{WORD[ruling.outcome]}: {_found(ruling)}" + (f"; {remark}" if remark else "")
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
            said += f"; {remark}" if remark else ""
            safe = said.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
            lines.append(f"::{kind} title=heliast gate::{safe}")
    return tuple(lines)


def _xml(text: str) -> str:
    """XML 1.0 has no control characters, not even escaped."""
    return "".join(letter if letter.isprintable() else "·" for letter in text)
