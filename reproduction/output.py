"""Results as text for a terminal and as the Markdown page docs/reproduced.md."""

import math
import textwrap

from reproduction.study import SOURCES

HEAD = """# Reproduced

Every number of [the five sources](references.md#the-five-sources) made again, beside the printed
one. The name of a study begins with the short name of its source: `chapter` is Zaki and Meira
(2014), `notes` Leung (2007), `thesis` James (1998), `slides-r` *Refinements and Evaluation*, and
`slides-c` Sartori (2022). In a clone of the repository `make reproduce` runs the studies and writes
this page, and `python -m reproduction STUDY` runs one. In the tables each cell is printed / ours,
**bold** where the two are further apart than the tolerance that the study states.
"""
# Of the entries of tables 2.10 to 2.19 with B of at least 20, so many are to be within tolerance.
LARGE = 20
SHARE = 0.85
VOTE_TABLES = tuple(f"Table 2.{place}" for place in range(10, 20))


def result_text(result):
    """A study on a terminal: design, each printed number beside ours, claims, notes."""
    study = result.study
    extent = "quick" if result.rough else f"repetitions: {study.repetitions}"
    blocks = [
        f"{study.id}: {study.title} ({extent}, {result.seconds:.1f} s)",
        wrap(study.design),
        wrap(f"Tolerance: {study.tolerance}"),
    ]
    for table, rows in group_rows(result.rows).items():
        head = ["", "printed", "ours", "error", "difference", "tolerance", ""]
        blocks.append(f"{table}\n{format_table(head, [row_cells(row) for row in rows])}")
    for claim in result.claims:
        verdict = "rough" if result.rough else "true" if claim.holds else "NOT true"
        blocks.append(wrap(f"{verdict}: {claim.words} ({claim.evidence})"))
    blocks += [wrap(note) for note in result.notes]
    if result.rows:
        blocks.append(counts_text(result.rows))
    return "\n\n".join(blocks)


def summary_text(results):
    """A line per study: how many numbers are printed, how many hold, how many claims hold."""
    head, lines = ["study", "within tolerance", "claims that hold", "seconds"], []
    for result in results:
        counts = ["rough", "rough"]
        if not result.rough:
            counts = [share_holding(result.rows), share_holding(result.claims)]
        lines.append([result.study.id, *counts, f"{result.seconds:.1f}"])
    rows = [row for result in results for row in result.rows]
    return f"{format_table(head, lines)}\n\n{counts_text(rows)}"


def counts_text(rows):
    """How many numbers hold, and how many are rough and not counted."""
    counted = [row for row in rows if not row.note]
    rough = len(rows) - len(counted)
    parts = [f"{share_holding(counted)} printed numbers are within tolerance."] if counted else []
    parts += [f"{rough} are rough (quick run) and not counted."] if rough else []
    return " ".join(parts)


def share_holding(items):
    """Such as `557 of 559`."""
    return f"{sum(item.holds for item in items)} of {len(items)}"


def write_page(results, page):
    """Write all results to one Markdown file, their figures to a folder of its name beside it."""
    folder = page.with_suffix("")
    folder.mkdir(parents=True, exist_ok=True)
    for result in results:
        for figure in result.figures:
            (folder / f"{figure.name}.svg").write_text(figure.svg, encoding="utf-8")
    lines = [HEAD, *totals(results), "", *overview(results), ""]
    lines += [result_markdown(result, folder.name) for result in results]
    page.write_text("\n".join(lines), encoding="utf-8")


def result_markdown(result, pictures):
    """A study on the page; `pictures` is the folder of its figures."""
    study = result.study
    source = next(name for start, name in SOURCES.items() if study.id.startswith(start))
    lines = [f"## {study.id}: {study.title}", "", f"*Source:* {source}.", "", study.design, ""]
    lines += [f"*Tolerance:* {study.tolerance}", ""]
    for table, rows in group_rows(result.rows).items():
        lines += [f"**{table}**", "", *grid(rows), ""]
    for figure in result.figures:
        lines += [f"![{figure.title}]({pictures}/{figure.name}.svg)", ""]
    for claim in result.claims:
        verdict = "true" if claim.holds else "**not true**"
        lines.append(f"- {verdict}: {claim.words} ({claim.evidence})")
    for note in result.notes:
        lines += ["", note]
    if result.rows:
        lines += ["", counts_text(result.rows)]
    return "\n".join([*lines, ""])


def totals(results):
    """The sentences at the top of the page, with the bars that were set for the studies."""
    rows = [row for result in results for row in result.rows]
    worked = [row for result in results if result.study.worked for row in result.rows]
    votes = [row for row in rows if row.table in VOTE_TABLES and members(row) >= LARGE]
    lines = [f"- {counts_text(rows)}"]
    if worked:
        text = share_holding(worked)
        lines.append(f"- Worked examples and exercises: {text} as printed (bar: all).")
    if votes:
        share = sum(row.holds for row in votes) / len(votes)
        lines.append(
            f"- Tables 2.10 to 2.19, entries with B >= {LARGE}: {share_holding(votes)}, "
            f"{share:.1%}, within 3 joint standard errors or 2.5 points (bar: {SHARE:.0%})."
        )
    claims = [claim for result in results for claim in result.claims]
    lines.append(f"- {share_holding(claims)} sentences of the sources hold on our runs.")
    return lines


def overview(results):
    """A table with a line per study, which leads to its part of the page."""
    lines = [
        "| study | what | printed numbers within tolerance | claims that hold |",
        "| --- | --- | ---: | ---: |",
    ]
    for result in results:
        study = result.study
        counts = (share_holding(items) if items else "" for items in (result.rows, result.claims))
        lines.append(
            f"| [{study.id}](#{anchor(f'{study.id}: {study.title}')}) | {study.title} | "
            f"{' | '.join(counts)} |"
        )
    return lines


def anchor(heading):
    """The fragment that Markdown viewers give a heading.

    >>> anchor("thesis-2.2: Bounds, ten classes")
    'thesis-22-bounds-ten-classes'
    """
    return "".join(c for c in heading.lower() if c.isalnum() or c in " -_").replace(" ", "-")


def grid(rows):
    """A table as printed, each cell printed / ours, bold where the two do not agree."""
    columns = dict.fromkeys(row.column for row in rows)
    cells = {}
    for row in rows:
        pair = f"{row.printed:.5g} / {row.ours:.5g}"
        cells[row.row, row.column] = pair if row.holds else f"**{pair}**"
    lines = [f"| printed / ours | {' | '.join(columns)} |", "| --- " * (len(columns) + 1) + "|"]
    for name in dict.fromkeys(row.row for row in rows):
        line = (cells.get((name, column), "") for column in columns)
        lines.append(f"| {name} | {' | '.join(line)} |")
    return lines


def row_cells(row):
    """A row of a table on a terminal."""
    return [
        f"{row.row} {row.column}".strip(),
        f"{row.printed:.5g}",
        f"{row.ours:.5g}",
        "-" if math.isnan(row.se) else f"{row.se:.2g}",
        f"{row.ours - row.printed:+.2g}",
        f"{row.tolerance:.2g}",
        row.note or ("" if row.holds else "NOT within"),
    ]


def group_rows(rows):
    """Rows by the heading of their table."""
    tables = {}
    for row in rows:
        tables.setdefault(row.table, []).append(row)
    return tables


def members(row):
    """The number in a column such as `B=20`, else 0."""
    _, _, number = row.column.partition("B=")
    return int(number) if number.isdigit() else 0


def format_table(head, rows):
    """Aligned columns, the first to the left, others to the right."""
    lines = [head, *rows]
    first, *widths = (max(map(len, column)) for column in zip(*lines, strict=True))
    return "\n".join(
        "  ".join([line[0].ljust(first), *map(str.rjust, line[1:], widths)]).rstrip()
        for line in lines
    )


def wrap(text):
    """Text in lines of 80 characters."""
    return textwrap.fill(text, 80, break_on_hyphens=False)
