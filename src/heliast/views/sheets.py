r"""A table for a paper: cells with their marks, a caption, and the writers of LaTeX, HTML, ..."""

import csv
import io
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from heliast._core.errors import InputError
from heliast._core.formulas import guarded
from heliast._core.numbers import shorten
from heliast._core.records import Shown

_TEX = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#",
    "_": r"\_", "%": r"\%", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", '"': r"\textquotedbl{}",
    "±": r"$\pm$", "–": "--", "…": r"\ldots{}",
}  # fmt: skip
_MINUS = re.compile(r"(?<!\w)-(?=\d)")
_NUMBER = re.compile(r"-\d[\d.,]*(e[+-]?\d+)?%?[*†]?( \[[-\d., e%]+\]| ± [\d.e-]+)?")
_LONGEST, _NAME, _WIDE, _WIDEST = 4000, 200, 72, 96
"""Letters of a caption and of a cell at most, and of a line before it needs smaller type."""


@dataclass(frozen=True)
class Cell(Shown):
    """One cell: its text, and whether it is the best of its row, or not told apart from it.

    Parameters
    ----------
    text : str
        What stands there.
    within : str
        The interval or standard error after it, in smaller type where there is some.
    best : bool
        Set in bold.
    unbeaten : bool
        Marked with a dagger.
    """

    text: str
    within: str = ""
    best: bool = False
    unbeaten: bool = False

    @property
    def whole(self) -> str:
        """Text and interval, without marks."""
        return f"{self.text} {self.within}".strip()


Row = tuple[Cell, ...]
NOTHING = Cell("-")
"""Where there is no value."""


@dataclass(frozen=True)
class Sheet(Shown):
    """A table ready to be printed; `to_latex()`, `to_markdown()`, `to_html()` and `to_csv()`.

    Parameters
    ----------
    head : tuple of str
        The names of the columns; the first is that of the rows.
    rows : tuple of tuples of Cell
        The lines.
    foot : tuple of tuples of Cell
        Lines below a rule, such as mean ranks.
    caption, label : str
        What stands above the table, and the name that LaTeX refers to it by; without a caption it
        is the table alone.

    Examples
    --------
    >>> sheet = Sheet(("data", "tree"), ((Cell("iris"), Cell("0.05", best=True)),))
    >>> print(sheet.to_markdown(), end="")
    | data | tree |
    | --- | ---: |
    | iris | **0.05** |
    """

    head: tuple[str, ...]
    rows: tuple[Row, ...]
    foot: tuple[Row, ...] = ()
    caption: str = ""
    label: str = ""

    def write(self, kind: str) -> str:
        """The table as text of that kind.

        Parameters
        ----------
        kind : {"latex", "md", "html", "csv"}
            What to write.

        Returns
        -------
        str
            The text of a file.

        Raises
        ------
        InputError
            If there is no such kind.
        """
        writers = {
            "latex": self.to_latex, "md": self.to_markdown, "html": self.to_html,
            "csv": self.to_csv,
        }  # fmt: skip
        if kind not in writers:
            raise InputError(f"a table is written as {', '.join(writers)}, not as {kind!r}")
        return writers[kind]()

    def to_latex(self) -> str:
        """LaTeX: a `table` with caption and label, or the `tabular` alone; needs `booktabs`.

        Returns
        -------
        str
            LaTeX, with all names escaped.
        """
        lines = [" & ".join(tex(name) for name in self.head)]
        lines += [" & ".join(map(_tex_cell, row)) for row in self.rows]
        foot = [" & ".join(map(_tex_cell, row)) for row in self.foot]
        body = [r"\toprule", lines[0] + r" \\", r"\midrule", *(f"{one} \\\\" for one in lines[1:])]
        body += [r"\midrule", *(f"{one} \\\\" for one in foot)] if foot else []
        tabular = [
            rf"\begin{{tabular}}{{@{{}}l{'r' * (len(self.head) - 1)}@{{}}}}",
            *body,
            r"\bottomrule",
            r"\end{tabular}",
        ]
        if not self.caption:
            return "\n".join([*tabular, ""])
        label = [rf"\label{{{_key(self.label)}}}"] if self.label else []
        return "\n".join(
            [
                r"% needs \usepackage{booktabs}",
                r"\begin{table}[htbp]",
                r"\centering",
                rf"\caption{{{tex(shorten(self.caption, _LONGEST))}}}",
                *label,
                *self._type,
                r"\smallskip",
                *tabular,
                r"\end{table}",
                "",
            ]
        )

    @property
    def _type(self) -> list[str]:
        """Smaller type for wide tables; intervals are small already."""
        widths = [
            max(len(cell.text) + 0.7 * len(cell.within) + 2 for cell in column)
            for column in zip(*self.rows, *self.foot, map(Cell, self.head), strict=True)
        ]
        if sum(widths) <= _WIDE:
            return [r"\small"]
        size = r"\footnotesize" if sum(widths) <= _WIDEST else r"\scriptsize"
        return [size, r"\setlength{\tabcolsep}{3pt}"]

    def to_markdown(self) -> str:
        """Markdown: the best in bold, a dagger behind what is not told apart from it.

        Returns
        -------
        str
            The table, and the caption below it.
        """
        lines = [[_md(name) for name in self.head]]
        lines.append(["---", *["---:"] * (len(self.head) - 1)])
        lines += [[_md_cell(cell) for cell in row] for row in (*self.rows, *self.foot)]
        table = "".join(f"| {' | '.join(line)} |\n" for line in lines)
        return f"{table}\n{_md(self.caption, _LONGEST)}\n" if self.caption else table

    def to_html(self) -> str:
        """A piece of HTML without styles; everything escaped.

        Returns
        -------
        str
            A `table` element.
        """
        head = "".join(f'<th scope="col">{_html(name)}</th>' for name in self.head)
        said = f"<caption>{_html(self.caption, _LONGEST)}</caption>" if self.caption else ""
        name = f' id="{escape(_key(self.label), quote=True)}"' if self.label else ""
        foot = f"<tfoot>\n{_lines(self.foot)}</tfoot>\n" if self.foot else ""
        return (
            f"<table{name}>\n{said}\n<thead>\n<tr>{head}</tr>\n</thead>\n"
            f"<tbody>\n{_lines(self.rows)}</tbody>\n{foot}</table>\n"
        )

    def to_csv(self) -> str:
        """CSV of the same cells: a star behind the best, a dagger behind what is not told apart.

        Text that a spreadsheet would take for a formula is set off with an apostrophe.

        Returns
        -------
        str
            The table without its caption.
        """
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow([guarded(shorten(name, _NAME)) for name in self.head])
        for row in (*self.rows, *self.foot):
            writer.writerow([_csv_cell(cell) for cell in row])
        return out.getvalue()

    def __str__(self) -> str:
        return self.to_markdown()

    def _repr_html_(self) -> str:
        return self.to_html()


def _key(label: str) -> str:
    """A label that LaTeX and HTML can refer to."""
    return re.sub(r"[^A-Za-z0-9:._-]+", "-", label)


# --- LaTeX ---------------------------------------------------------------------------------------


def tex(text: object) -> str:
    r"""Text with what LaTeX would obey made harmless.

    >>> tex("50% of a_b")
    '50\\% of a\\_b'
    """
    shown = shorten(text, _LONGEST)
    return "".join(_TEX.get(letter, letter) for letter in shown)


def _tex_number(text: str) -> str:
    return _MINUS.sub("$-$", tex(text)) if text != "-" else "--"


def _tex_cell(cell: Cell) -> str:
    shown = _tex_number(cell.text)
    shown = rf"\textbf{{{shown}}}" if cell.best else shown
    shown += r"$^\dagger$" if cell.unbeaten and not cell.best else ""
    return f"{shown} {{\\scriptsize {_tex_number(cell.within)}}}" if cell.within else shown


# --- Markdown, HTML, CSV -------------------------------------------------------------------------


def _md(text: object, longest: int = _NAME) -> str:
    """Text that is no markup, no link and no cell of its own."""
    return re.sub(r"([\\|`*_\[\]])", r"\\\1", shorten(text, longest)).replace("<", "&lt;")


def _md_cell(cell: Cell) -> str:
    shown = f"**{_md(cell.text)}**" if cell.best else _md(cell.text)
    shown += "†" if cell.unbeaten and not cell.best else ""
    return f"{shown} {cell.within}".strip()


def _html(text: object, longest: int = _NAME) -> str:
    return escape(shorten(text, longest), quote=True)


def _lines(rows: Iterable[Row]) -> str:
    return "".join(f"<tr>{_html_cells(row)}</tr>\n" for row in rows)


def _html_cells(row: Sequence[Cell]) -> str:
    first, *rest = row
    return f'<th scope="row">{_html(first.text)}</th>' + "".join(
        f'<td style="text-align:right">{_html_cell(cell)}</td>' for cell in rest
    )


def _html_cell(cell: Cell) -> str:
    shown = f"<b>{_html(cell.text)}</b>" if cell.best else _html(cell.text)
    shown += "<sup>†</sup>" if cell.unbeaten and not cell.best else ""
    return f"{shown} <small>{_html(cell.within)}</small>" if cell.within else shown


def _csv_cell(cell: Cell) -> str:
    mark = "*" if cell.best else "†" if cell.unbeaten else ""
    if cell == NOTHING:
        return ""
    text = f"{shorten(cell.text, _NAME)}{mark} {cell.within}".strip()
    return text if _NUMBER.fullmatch(text) else guarded(text)
