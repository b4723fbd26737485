r"""Tables for papers: Markdown, LaTeX, HTML and CSV of the tables that records give."""

import csv
import io
import re
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import TYPE_CHECKING

from heliast._core.errors import InputError
from heliast._core.formulas import guarded
from heliast._core.numbers import number, shorten
from heliast.views.numbers import Measured
from heliast.views.record import Table, notes_of
from heliast.views.terminal import LEFT, cell_text

if TYPE_CHECKING:
    from heliast.views.record import Column, Record

STYLES, SPREADS = ("paper",), ("interval", "se", "none")
KINDS = ("latex", "md", "html", "csv")
PAGE = 72
"""Characters of usual size that a text column of a paper holds."""
LONGEST, LONGEST_NAME = 4000, 200
_TEX = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#",
    "_": r"\_", "%": r"\%", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", '"': r"\textquotedbl{}",
    "±": r"$\pm$", "–": "--", "…": r"\ldots{}",
}  # fmt: skip
_MINUS = re.compile(r"(?<!\w)-(?=\d)")
_NUMBER = re.compile(r"[-+]?\d[\d.,]*(e[+-]?\d+)?%?[*†]?( \[[-+\d., e%]+\]| ± [\d.e-]+)?")


@dataclass(frozen=True)
class Cell:
    """A printed cell: its text, the interval after it in smaller type, and its mark."""

    text: str
    within: str = ""
    mark: str = ""

    @property
    def width(self) -> float:
        """Characters of usual size that it takes."""
        return len(self.text) + 0.7 * len(self.within) + 2


@dataclass(frozen=True)
class PaperTable:
    """A table ready to be printed; `print` shows it as Markdown, a notebook as HTML.

    Parameters
    ----------
    head : tuple of str
        The headings of the columns; the first is that of the rows.
    rows, foot : tuple of tuples of Cell
        The rows, and those below a rule.
    caption, label : str
        What stands above the table, and the name that LaTeX refers to it by; without a caption
        LaTeX is the `tabular` alone.
    left : int
        How many of the columns are text.

    Examples
    --------
    >>> table = PaperTable(("data", "tree"), ((Cell("iris"), Cell("0.05", mark="best")),))
    >>> print(table.to_markdown(), end="")
    | data | tree |
    | --- | ---: |
    | iris | **0.05** |
    """

    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    foot: tuple[tuple[Cell, ...], ...] = ()
    caption: str = ""
    label: str = ""
    left: tuple[int, ...] = (0,)

    def write(self, kind: str, *, narrow: bool = False) -> str:
        """The table as text of that kind.

        Parameters
        ----------
        kind : {"latex", "md", "html", "csv"}
            What to write.
        narrow : bool
            LaTeX only: see `to_latex`.

        Returns
        -------
        str
            The text of a file.

        Raises
        ------
        InputError
            If there is no such kind.
        """
        writers: dict[str, Callable[[], str]] = {
            "latex": lambda: self.to_latex(narrow=narrow), "md": self.to_markdown,
            "html": self.to_html, "csv": self.to_csv,
        }  # fmt: skip
        if kind not in writers:
            raise InputError(f"kind={kind!r}: a table is written as {', '.join(writers)}")
        return writers[kind]()

    # --- LaTeX -----------------------------------------------------------------------------------

    def to_latex(self, *, narrow: bool = False) -> str:
        """LaTeX: a `table` with caption and label, or the `tabular` alone; needs `booktabs`.

        Parameters
        ----------
        narrow : bool
            Whether columns that do not fit into a text column go on below; without it a table
            that is too wide is written as it is, with a warning.

        Returns
        -------
        str
            LaTeX, with all names escaped.
        """
        widths = self._widths()
        parts = self._parts(widths) if narrow else [list(range(len(self.head)))]
        wide = max(sum(widths[at] for at in part) for part in parts) > 1.45 * PAGE
        if wide:
            hint = "to_latex(narrow=True) breaks it into parts"
            warnings.warn(f"the table is wider than a text column: {hint}", stacklevel=2)
        size = [] if sum(widths) <= PAGE else [r"\scriptsize", r"\setlength{\tabcolsep}{3pt}"]
        tabulars = [line for part in parts for line in self._tabular(part)]
        if not self.caption:
            return "\n".join([*tabulars, ""])
        label = [rf"\label{{{_key(self.label)}}}"] if self.label else []
        caption = rf"\caption{{{tex(self.caption)}}}"
        return "\n".join(
            [
                r"% needs \usepackage{booktabs}", r"\begin{table}[htbp]", r"\centering", caption,
                *label, *size, r"\smallskip", *tabulars, r"\end{table}", "",
            ]
        )  # fmt: skip

    def _widths(self) -> list[float]:
        cells = [*self.rows, *self.foot, tuple(map(Cell, self.head))]
        return [max(cell.width for cell in column) for column in zip(*cells, strict=True)]

    def _parts(self, widths: Sequence[float]) -> list[list[int]]:
        """The columns in parts that fit, each with the first before it."""
        parts: list[list[int]] = [[0]]
        for place in range(1, len(widths)):
            taken = sum(widths[at] for at in parts[-1]) + widths[place]
            if len(parts[-1]) > 1 and taken > 1.45 * PAGE:
                parts.append([0])
            parts[-1].append(place)
        return parts

    def _tabular(self, part: Sequence[int]) -> list[str]:
        def line(cells: Sequence[str]) -> str:
            return " & ".join(cells[at] for at in part) + r" \\"

        sides = "".join("l" if at in self.left else "r" for at in part)
        foot = [line([_tex_cell(cell) for cell in row]) for row in self.foot]
        return [
            rf"\begin{{tabular}}{{@{{}}{sides}@{{}}}}", r"\toprule",
            line([tex(name) for name in self.head]), r"\midrule",
            *(line([_tex_cell(cell) for cell in row]) for row in self.rows),
            *([r"\midrule", *foot] if foot else []), r"\bottomrule", r"\end{tabular}",
        ]  # fmt: skip

    # --- Markdown, HTML, CSV ---------------------------------------------------------------------

    def to_markdown(self) -> str:
        """Markdown: the best in bold, a dagger where not significantly different from it.

        Returns
        -------
        str
            The table, and the caption below it.
        """
        lines = [[markdown(name) for name in self.head]]
        lines.append(["---" if at in self.left else "---:" for at in range(len(self.head))])
        lines += [[_md_cell(cell) for cell in row] for row in (*self.rows, *self.foot)]
        table = "".join(f"| {' | '.join(line)} |\n" for line in lines)
        return f"{table}\n{markdown(self.caption, LONGEST)}\n" if self.caption else table

    def to_html(self) -> str:
        """A piece of HTML without styles; everything escaped.

        Returns
        -------
        str
            A `table` element.
        """
        head = "".join(f'<th scope="col">{_html(name)}</th>' for name in self.head)
        caption = f"<caption>{_html(self.caption, LONGEST)}</caption>" if self.caption else ""
        name = f' id="{escape(_key(self.label), quote=True)}"' if self.label else ""
        body = "".join(map(self._html_row, self.rows))
        foot = "".join(map(self._html_row, self.foot))
        return (
            f"<table{name}>\n{caption}\n<thead>\n<tr>{head}</tr>\n</thead>\n"
            f"<tbody>\n{body}</tbody>\n{f'<tfoot>{foot}</tfoot>' if foot else ''}</table>\n"
        )

    def _html_row(self, row: Sequence[Cell]) -> str:
        cells = [f'<th scope="row">{_html(row[0].text)}</th>']
        for at, cell in enumerate(row[1:], 1):
            shown = f"<b>{_html(cell.text)}</b>" if cell.mark == "best" else _html(cell.text)
            shown += "<sup>†</sup>" if cell.mark == "unbeaten" else ""
            shown += f" <small>{_html(cell.within)}</small>" if cell.within else ""
            side = "" if at in self.left else ' style="text-align:right"'
            cells.append(f"<td{side}>{shown}</td>")
        return f"<tr>{''.join(cells)}</tr>\n"

    def to_csv(self) -> str:
        """CSV of the same cells; text that a spreadsheet would run is set off with an apostrophe.

        Returns
        -------
        str
            The table without its caption.
        """
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow([guarded(shorten(name, LONGEST_NAME)) for name in self.head])
        for row in (*self.rows, *self.foot):
            writer.writerow([_csv_cell(cell) for cell in row])
        return out.getvalue()

    def __str__(self) -> str:
        return self.to_markdown()

    def _repr_html_(self) -> str:
        return self.to_html()


def paper_table(
    table: Table, style: str = "paper", spread: str = "interval", caption: str = "", label: str = ""
) -> PaperTable:
    """A table of a record with its values as they are printed."""
    if style not in STYLES:
        raise InputError(f"style={style!r}: there is 'paper'")
    if spread not in SPREADS:
        raise InputError(f"spread={spread!r}: choose {', '.join(map(repr, SPREADS))}")
    left = tuple(at for at, column in enumerate(table.columns) if column.kind in LEFT)
    return PaperTable(
        tuple(column.heading for column in table.columns),
        tuple(_cells(table.columns, row, spread) for row in table.rows),
        tuple(_cells(table.columns, row, spread) for row in table.foot),
        caption or _caption(table), label or f"tab:{table.name}", left,
    )  # fmt: skip


def _caption(table: Table) -> str:
    marks = {cell.mark for row in table.rows for cell in row if isinstance(cell, Measured)}
    parts = [f"{table.title}." if table.title else "", table.note]
    if "best" in marks and table.name != "pairs":
        parts.append("Bold: the best value.")
    if "unbeaten" in marks:
        parts.append("Dagger: not significantly different from the best.")
    return " ".join(part for part in parts if part)


def _cells(columns: "Sequence[Column]", row: Sequence[object], spread: str) -> tuple[Cell, ...]:
    return tuple(
        _measured(cell, spread)
        if isinstance(cell, Measured)
        else Cell(cell_text(cell, column.kind))
        for column, cell in zip(columns, row, strict=True)
    )


def _measured(cell: Measured, spread: str) -> Cell:
    if cell.value != cell.value:
        return Cell("-")
    shown, within = cell.figures, ""
    if spread == "interval" and shown.known:
        within = f"[{shown.low}, {shown.high}]"
    elif spread == "se" and cell.se == cell.se:
        within = f"± {number(cell.se)}"
    return Cell(f"{shown.value} {cell.word}".rstrip(), within, cell.mark)


def record_markdown(record: "Record") -> str:
    """A record as Markdown for a page that strangers read: summary, tables, remarks, notes."""
    parts = [f"**{markdown(record.summary, LONGEST)}**"]
    for table in record.tables():
        if not table.detail:
            printed = paper_table(table)
            parts.append(replace(printed, caption="").to_markdown())
    parts += [markdown(remark, LONGEST) for remark in record.remarks]
    _, notes = notes_of(record)
    parts.append("\n".join(f"- {markdown(note, LONGEST)}" for note in notes))
    return "\n\n".join(part.strip() for part in parts if part) + "\n"


# --- escaping ------------------------------------------------------------------------------------


def _key(label: str) -> str:
    """A label that LaTeX and HTML can refer to."""
    return re.sub(r"[^A-Za-z0-9:._-]+", "-", label)


def tex(text: object) -> str:
    r"""Text with what LaTeX would obey made harmless.

    >>> tex("50% of a_b")
    '50\\% of a\\_b'
    """
    return "".join(_TEX.get(letter, letter) for letter in shorten(text, LONGEST))


def _tex_number(text: str) -> str:
    return _MINUS.sub("$-$", tex(text)) if text != "-" else "--"


def _tex_cell(cell: Cell) -> str:
    shown = _tex_number(cell.text)
    shown = rf"\textbf{{{shown}}}" if cell.mark == "best" else shown
    shown += r"$^\dagger$" if cell.mark == "unbeaten" else ""
    return f"{shown} {{\\scriptsize {_tex_number(cell.within)}}}" if cell.within else shown


def markdown(text: object, longest: int = LONGEST_NAME) -> str:
    """Text that is no markup, tag, link, mention of people or cell of its own.

    >>> markdown("a|b *c* <i> @me")
    'a\\\\|b \\\\*c\\\\* &lt;i&gt; @\u200bme'
    """
    plain = escape(shorten(text, longest), quote=False)
    plain = re.sub(r"([\\`*_~\[\]!#|])", r"\\\1", plain)
    return re.sub(r"@|//|www", lambda match: f"{match[0][0]}\u200b{match[0][1:]}", plain)


def _md_cell(cell: Cell) -> str:
    shown = f"**{markdown(cell.text)}**" if cell.mark == "best" else markdown(cell.text)
    shown += "†" if cell.mark == "unbeaten" else ""
    within = cell.within if _NUMBER.fullmatch(f"0 {cell.within}") else markdown(cell.within)
    return f"{shown} {within}".strip()


def _html(text: object, longest: int = LONGEST_NAME) -> str:
    return escape(shorten(text, longest), quote=True)


def _csv_cell(cell: Cell) -> str:
    mark = {"best": "*", "unbeaten": "†"}.get(cell.mark, "")
    if cell.text == "-":
        return ""
    text = f"{shorten(cell.text, LONGEST_NAME)}{mark} {cell.within}".strip()
    return text if _NUMBER.fullmatch(text) else guarded(text)
