"""What every result gives: a summary, tables of typed cells, plots and notes; renderers show them.

A verb's record subclasses `Record` and says what it found; how that looks on a terminal, in a
notebook, a report, Markdown or LaTeX is decided by `terminal`, `html`, `report` and `paper` alone.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import TYPE_CHECKING, Any, Literal

from heliast._core.errors import InputError
from heliast._core.frames import to_frame
from heliast._core.notes import FAILED, MIXED, UNFINISHED, VALIDATED, key_of
from heliast._core.records import plain
from heliast.views.numbers import Measured as Measured

if TYPE_CHECKING:
    from heliast.views.methods import Facts, Methods
    from heliast.views.paper import PaperTable
    from heliast.views.plots import Plot

Kind = Literal["text", "name", "number", "count", "share", "measured", "p", "verdict"]
IMPORTANT = "important"  # the key of a note that changes the reading
CHANGE_THE_READING = frozenset(
    {IMPORTANT, UNFINISHED, FAILED, VALIDATED, MIXED, "disagree", "threshold"}
)
BACKENDS = ("pyarrow", "pandas", "polars")
MOST_NOTES = 3  # on a terminal


@dataclass(frozen=True)
class Column:
    """A column of a table.

    Parameters
    ----------
    name : str
        Its name in `to_frame`.
    title : str
        Its heading; the name if empty.
    kind : str
        What its cells are: `text`; `name` (of a model, class or data set: numbered with a legend
        where long); `number`, `count`, `share` (floats, shown plain, with thousands, in percent);
        `measured` (`Measured`: a value with its interval); `p`; `verdict` (a word that may be
        coloured). A cell may be `Measured` or text in a column of any kind; None is a dash.
    never_cut : bool
        Whether a terminal shows the column whole: without it, columns on the right are left out
        where there is no room. Columns that stand side by side for models are never cut.
    """

    name: str
    title: str = ""
    kind: Kind = "text"
    never_cut: bool = False

    @property
    def heading(self) -> str:
        """The title, or else the name in words."""
        return self.title or self.name.replace("_", " ")


@dataclass(frozen=True)
class Table:
    """A table of raw values.

    Parameters
    ----------
    name : str
        What `to_frame` and the report know it by.
    title : str
        What stands above it.
    columns : tuple of Column
        The columns, the most important first.
    rows : sequence of tuples
        A value for each column.
    foot : sequence of tuples
        Rows below a rule, such as mean ranks.
    most_rows : int
        Rows that a terminal shows; the others are in `to_frame`.
    note : str
        A line below the table.
    detail : bool
        Whether a terminal shows it only if asked (`verbose`), and a page folds it away.

    Examples
    --------
    >>> columns = Column("model", kind="name"), Column("error", "error rate", "measured")
    >>> rows = [("tree", Measured(0.063, 0.036, 0.107, "percent"))]
    >>> Table("models", "Models", columns, rows).records()[0]["error_low"]
    0.036
    """

    name: str
    title: str
    columns: tuple[Column, ...]
    rows: Sequence[tuple[object, ...]]
    foot: Sequence[tuple[object, ...]] = ()
    most_rows: int = 20
    note: str = ""
    detail: bool = False

    def records(self) -> list[dict[str, object]]:
        """A flat dict for each row; a measured cell gives its value, low and high."""
        return [
            {
                name: value
                for column, cell in zip(self.columns, row, strict=True)
                for name, value in _flat(column.name, cell)
            }
            for row in self.rows
        ]


def _flat(name: str, cell: object) -> list[tuple[str, object]]:
    if not isinstance(cell, Measured):
        return [(name, plain(cell))]
    ends = ("", cell.value), ("_low", cell.low), ("_high", cell.high)
    return [(f"{name}{suffix}", plain(value)) for suffix, value in ends]


class Record:
    """A result: `print` it, show it in a notebook, plot it, or take its frames.

    Subclasses are frozen dataclasses that define `summary` and `tables`; where they have `notes`,
    that is a field with a default. All else is made from these.
    """

    @property
    def summary(self) -> str:
        """The answer in one or two sentences."""
        raise NotImplementedError

    @property
    def remarks(self) -> tuple[str, ...]:
        """Sentences that stand below the tables: the test that was used, the rows it would take."""
        return ()

    @property
    def notes(self) -> tuple[str, ...]:
        """What to be careful about; a `Note` with a key of `CHANGE_THE_READING` comes first."""
        return ()

    @property
    def next_step(self) -> str:
        """The command to run next; empty where there is none."""
        return ""

    def tables(self) -> tuple[Table, ...]:
        """The tables, the main one first.

        Returns
        -------
        tuple of Table
            Raw values with typed columns; `to_frame(name)` gives each as a frame.
        """
        return ()

    def plots(self) -> Mapping[str, "Callable[[], Plot]"]:
        """The plots by name, the main one first.

        Returns
        -------
        mapping of str to callable
            Each makes its plot.
        """
        return {}

    def facts(self) -> "Facts":
        """What a paragraph on methods needs to know.

        Returns
        -------
        Facts
            Models, measures, tests, plan.
        """
        from heliast.views.methods import Facts

        return Facts()

    def records(self) -> list[dict[str, object]]:
        """The rows of `to_frame()`: those of the main table, or of what a subclass lists.

        Returns
        -------
        list of dict
            A flat dict for each row.
        """
        tables = self.tables()
        return tables[0].records() if tables else []

    # --- made from these -------------------------------------------------------------------------

    def _named_table(self, name: str | None = None) -> Table:
        """The table of that name; without one the main table."""
        tables = {table.name: table for table in self.tables()}
        if name is None and tables:
            return next(iter(tables.values()))
        if name not in tables:
            raise InputError(f"no table {name!r}; the tables are {', '.join(tables) or 'none'}")
        return tables[name]

    def to_frame(self, table: str | None = None, *, backend: str = "pyarrow") -> Any:
        """One row for each record, or a table by its name.

        Parameters
        ----------
        table : str, optional
            The name of a table; the name of a backend is understood, too.
        backend : str
            `pyarrow`, `pandas` or `polars`: what kind of frame.

        Returns
        -------
        frame
            Of the kind asked for.

        Raises
        ------
        InputError
            If there is no such table.
        """
        if table in BACKENDS:
            table, backend = None, str(table)
        rows = self.records() if table is None else self._named_table(table).records()
        return to_frame(rows, backend)

    def to_dict(self) -> dict[str, object]:
        """Everything as plain values that JSON can hold.

        Returns
        -------
        dict
            The summary, and each field by its name.
        """
        names: list[str] = [field.name for field in fields(self)] if is_dataclass(self) else []
        return {"summary": self.summary, **{name: plain(getattr(self, name)) for name in names}}

    def to_text(self, width: int | None = None, *, verbose: bool = False) -> str:
        """The answer as text for a terminal.

        Parameters
        ----------
        width : int, optional
            Columns; those of the terminal if not given, and at least 80.
        verbose : bool
            Whether all tables and notes are shown.

        Returns
        -------
        str
            Lines of at most `width` columns.
        """
        from heliast.views.terminal import record_text

        return record_text(self, width, verbose)

    def to_markdown(self) -> str:
        """The answer as Markdown, every name escaped.

        Returns
        -------
        str
            Summary, tables and notes.
        """
        from heliast.views.paper import record_markdown

        return record_markdown(self)

    def table(
        self, style: str = "paper", *, name: str | None = None, spread: str = "interval",
        caption: str = "", label: str = "",
    ) -> "PaperTable":  # fmt: skip
        """A table to print in a paper.

        Parameters
        ----------
        style : {"paper"}
            The best of each row in bold.
        name : str, optional
            Which table; the main one if not given.
        spread : {"interval", "se", "none"}
            What stands beside each value: its interval, its standard error, nothing.
        caption, label : str
            Those of the table; made if empty.

        Returns
        -------
        PaperTable
            With `to_latex()` and `to_markdown()`.

        Raises
        ------
        InputError
            If there is no such table, style or spread.
        """
        from heliast.views.paper import paper_table

        return paper_table(self._named_table(name), style, spread, caption, label)

    def methods(self) -> "Methods":
        """How the numbers were made, in sentences for a paper, with references.

        Returns
        -------
        Methods
            `text`, `latex`, `markdown` and `bibtex`.
        """
        from heliast.views.methods import methods

        return methods(self.facts())

    def plot(self, name: str | None = None, *, ax: Any = None, **options: Any) -> "Plot":
        """A plot by its name; without one the main plot.

        Parameters
        ----------
        name : str, optional
            One of `plots()`.
        ax : matplotlib Axes, optional
            Where to draw it, too.
        **options : Any
            Options of the plot, such as `title`.

        Returns
        -------
        Plot
            A plot with `save`, `to_svg` and `to_axes`.

        Raises
        ------
        InputError
            If there is no such plot.
        """
        makers = self.plots()
        name = next(iter(makers), "") if name is None else name
        if name not in makers:
            known = ", ".join(makers) or "none"
            raise InputError(f"no plot {name!r} of this result; the plots are {known}")
        plot = makers[name](**options)
        if ax is not None:
            plot.to_axes(ax)
        return plot

    def svg(self, name: str | None = None, **options: Any) -> str:
        """A plot as SVG.

        Parameters
        ----------
        name : str, optional
            One of `plots()`; the main one if not given.
        **options : Any
            Options of the plot.

        Returns
        -------
        str
            A standalone SVG.

        Raises
        ------
        InputError
            If there is no such plot.
        """
        return str(self.plot(name, **options))

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.summary}>"

    def _repr_html_(self) -> str:
        from heliast.views.html import record_html

        return record_html(self)


def notes_of(record: Record) -> tuple[list[str], list[str]]:
    """The notes that change the reading, and all notes with these first."""
    important = [note for note in record.notes if key_of(note) in CHANGE_THE_READING]
    return important, list(dict.fromkeys([*important, *record.notes]))
