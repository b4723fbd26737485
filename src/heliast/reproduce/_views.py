"""How outcomes read: tables of printed and own numbers, on a terminal and in Markdown."""

import math
from collections.abc import Sequence
from pathlib import Path

from heliast._core.files import write_text
from heliast._core.told import told
from heliast.reproduce._study import Outcome, Value
from heliast.views.terminal import table, wrapped

HEAD = """# Reproduced

Every number of [the five sources](references.md#the-five-sources) made again, beside the printed
one. The name of a study begins with the short name of its source: `chapter` is Zaki and Meira
(2014), `notes` Leung (2007), `thesis` James (1998), `slides-r` *Refinements and Evaluation*, and
`slides-c` Sartori (2022). `make reproduce` runs the studies and writes this page. In the tables
each cell is printed / ours, **bold** where the two are further apart than the tolerance that the
study states.
"""
SOURCES = {
    "chapter": "Zaki and Meira (2014)",
    "notes": "Leung (2007)",
    "thesis": "James (1998)",
    "slides-r": "*Refinements and Evaluation*",
    "slides-c": "Sartori (2022)",
}
"""How the source of a study is cited, by how the study's name begins."""
LARGE = 20
SHARE = 0.85
"""Of the entries of tables 2.10 to 2.19 with B >= 20, so many are to be within tolerance."""
TABLES = tuple(f"Table 2.{place}" for place in range(10, 20))


@told({"outcome": "Outcome: What the study gave."}, returns="str: Text for a terminal.")
def outcome_text(outcome: Outcome) -> str:
    """One study: its design, each printed number beside ours, claims, a word on agreement.

    Examples
    --------
    >>> from heliast.reproduce import reproduce
    >>> outcome = next(reproduce(["notes-2.3"]))
    >>> outcome_text(outcome).splitlines()[-1]
    '2 of 2 printed numbers are within tolerance.'
    """
    one = outcome.study
    head = f"{one.name}: {one.title} ({_count(outcome)}, {outcome.seconds:.1f} s)"
    blocks = [head, wrapped(one.design), wrapped(f"Tolerance: {one.tolerance}")]
    for group in _groups(outcome.values):
        rows = [_cells(value) for value in outcome.values if value.group == group]
        names = ["", "printed", "ours", "error", "difference", "tolerance", ""]
        blocks.append(f"{group}\n{table(names, rows)}")
    blocks += [
        wrapped(f"{'true' if claim.holds else 'NOT true'}: {claim.words} ({claim.evidence})")
        for claim in outcome.claims
    ]
    blocks += [wrapped(note) for note in outcome.notes]
    blocks.append(_verdict(outcome))
    return "\n\n".join(block for block in blocks if block)


@told(
    {"outcomes": "sequence of Outcome: What the studies gave."},
    returns="str: A table for a terminal, and a sentence.",
)
def summary_text(outcomes: Sequence[Outcome]) -> str:
    """A line a study: how many printed numbers, how many agree, how many claims hold.

    Examples
    --------
    >>> from heliast.reproduce import reproduce
    >>> outcome = next(reproduce(["notes-2.3"]))
    >>> summary_text([outcome]).splitlines()[-1]
    '2 of 2 printed numbers are within tolerance.'
    """
    rows = [
        [
            outcome.study.name,
            str(len(outcome.values)),
            str(outcome.agreeing),
            f"{sum(c.holds for c in outcome.claims)} of {len(outcome.claims)}",
            f"{outcome.seconds:.1f}",
        ]
        for outcome in outcomes
    ]
    values = [value for outcome in outcomes for value in outcome.values]
    agreeing = sum(value.agrees for value in values)
    head = ["study", "printed", "within tolerance", "claims that hold", "seconds"]
    return (
        f"{table(head, rows)}\n\n{agreeing} of {len(values)} printed numbers are within tolerance."
    )


@told(
    {
        "outcome": "Outcome: What the study gave.",
        "pictures": "str: The folder of the drawings, as the page names it.",
    },
    returns="str: Markdown.",
)
def outcome_markdown(outcome: Outcome, pictures: str = "reproduced") -> str:
    """The same for a page: tables as in the source, each printed number beside ours.

    Examples
    --------
    >>> from heliast.reproduce import reproduce
    >>> outcome = next(reproduce(["notes-2.3"]))
    >>> outcome_markdown(outcome).splitlines()[0]
    '## notes-2.3: The share of rows in a resample'
    """
    one = outcome.study
    lines = [f"## {one.name}: {one.title}", ""]
    lines += [f"*Source:* {cited}." for name, cited in SOURCES.items() if one.name.startswith(name)]
    lines += ["", one.design, "", f"*Tolerance:* {one.tolerance}", ""]
    for group in _groups(outcome.values):
        lines += [f"**{group}**", "", *_grid([v for v in outcome.values if v.group == group]), ""]
    for figure in outcome.figures:
        lines += [f"![{figure.title}]({pictures}/{figure.name}.svg)", ""]
    for claim in outcome.claims:
        word = "true" if claim.holds else "**not true**"
        lines.append(f"- {word}: {claim.words} ({claim.evidence})")
    for note in (*outcome.notes, _verdict(outcome)):
        lines += ["", note]
    return "\n".join([*lines, ""])


def write_page(outcomes: Sequence[Outcome], page: Path) -> None:
    """All outcomes in one Markdown file, their drawings in a folder of its name beside it.

    Parameters
    ----------
    outcomes : sequence of Outcome
        What the studies gave.
    page : Path
        The file to write.

    Examples
    --------
    >>> from heliast.reproduce import reproduce
    >>> folder = getfixture("tmp_path")
    >>> write_page(list(reproduce(["chapter-q5"])), folder / "all.md")
    >>> sorted(path.name for path in folder.rglob("*.*"))
    ['all.md', 'figure-q5.svg']
    """
    folder = page.with_suffix("")
    pictures = [figure for outcome in outcomes for figure in outcome.figures]
    if pictures:
        folder.mkdir(parents=True, exist_ok=True)
    for figure in pictures:
        write_text(folder / f"{figure.name}.svg", figure.svg)
    lines = [HEAD, *bars(outcomes), "", *_overview(outcomes), ""]
    lines += [outcome_markdown(outcome, folder.name) for outcome in outcomes]
    write_text(page, "\n".join(lines))


def bars(outcomes: Sequence[Outcome]) -> list[str]:
    """Sentences, as items of a list; a bar without any of its studies is left out."""
    values = [value for outcome in outcomes for value in outcome.values]
    claims = [claim for outcome in outcomes for claim in outcome.claims]
    worked = [value for outcome in outcomes if is_worked(outcome) for value in outcome.values]
    votes = [value for value in values if value.group in TABLES and _members(value) >= LARGE]
    lines = [f"- {_of(values)} printed numbers are within tolerance."]
    if worked:
        lines.append(f"- Worked examples and exercises: {_of(worked)} as printed (bar: all).")
    if votes:
        share = sum(value.agrees for value in votes) / len(votes)
        lines.append(
            f"- Tables 2.10 to 2.19, entries with B >= {LARGE}: {_of(votes)}, {share:.1%}, within "
            f"3 joint standard errors or 2.5 points (bar: {SHARE:.0%})."
        )
    if claims:
        holding = sum(claim.holds for claim in claims)
        lines.append(f"- {holding} of {len(claims)} sentences of the sources hold on our runs.")
    return lines


def is_worked(outcome: Outcome) -> bool:
    """Whether a study is a worked example: computed once, without data of its own."""
    return outcome.study.repetitions == 1 and not outcome.study.needs


def _of(values: Sequence[Value]) -> str:
    return f"{sum(value.agrees for value in values)} of {len(values)}"


def _members(value: Value) -> int:
    _, _, number = value.column.partition("B=")
    return int(number) if number.isdigit() else 0


def _overview(outcomes: Sequence[Outcome]) -> list[str]:
    """A table with a line a study, which leads to its part of the page."""
    lines = [
        "| study | what | printed numbers | within tolerance | claims that hold | seconds |",
        "| --- | --- | ---: | ---: | ---: | ---: |",
    ]
    for outcome in outcomes:
        one = outcome.study
        holding = sum(claim.holds for claim in outcome.claims)
        lines.append(
            f"| [{one.name}](#{_anchor(f'{one.name}: {one.title}')}) | {one.title} | "
            f"{len(outcome.values) or ''} | {outcome.agreeing if outcome.values else ''} | "
            f"{f'{holding} of {len(outcome.claims)}' if outcome.claims else ''} | "
            f"{outcome.seconds:.0f} |"
        )
    return lines


def _anchor(heading: str) -> str:
    """The fragment that Markdown viewers give a heading.

    >>> _anchor("thesis-2.2: Bounds, ten classes")
    'thesis-22-bounds-ten-classes'
    """
    kept = "".join(c for c in heading.lower() if c.isalnum() or c in " -_")
    return kept.replace(" ", "-")


def _grid(values: Sequence[Value]) -> list[str]:
    """Rows and columns as printed; each cell printed / ours, bold where they do not agree."""
    rows = list(dict.fromkeys(value.row for value in values))
    columns = list(dict.fromkeys(value.column for value in values))
    at = {(value.row, value.column): value for value in values}
    lines = [f"| printed / ours | {' | '.join(columns)} |", "| --- " * (len(columns) + 1) + "|"]
    for row in rows:
        cells = [_cell(at.get((row, column))) for column in columns]
        lines.append(f"| {row} | {' | '.join(cells)} |")
    return lines


def _cell(value: Value | None) -> str:
    if value is None:
        return ""
    both = f"{_number(value.printed)} / {_number(value.ours)}"
    return both if value.agrees else f"**{both}**"


def _cells(value: Value) -> list[str]:
    name = " ".join(part for part in (value.row, value.column) if part)
    return [
        name,
        _number(value.printed),
        _number(value.ours),
        "-" if math.isnan(value.se) else f"{value.se:.2g}",
        f"{value.difference:+.2g}" if value.difference else "0",
        f"{value.tolerance:.2g}",
        "" if value.agrees else "NOT within",
    ]


def _groups(values: Sequence[Value]) -> list[str]:
    return list(dict.fromkeys(value.group for value in values))


def _number(value: float) -> str:
    return f"{value:.5g}"


def _count(outcome: Outcome) -> str:
    many = outcome.repetitions
    return "once" if many == 1 else f"{many} repetitions"


def _verdict(outcome: Outcome) -> str:
    if not outcome.values:
        return ""
    return f"{outcome.agreeing} of {len(outcome.values)} printed numbers are within tolerance."
