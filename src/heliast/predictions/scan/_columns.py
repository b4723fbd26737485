"""Columns: the columns of a table in the engine, each with its role, kind and SQL."""

from heliast._core.errors import InputError
from heliast.predictions._names import Found
from heliast.predictions.scan._engine import Engine, quoted
from heliast.predictions.scan._located import SOURCE
from heliast.predictions.scan._types import Kind, kind_of


class Columns:
    """Which column has which role; `source` is the view they are read from.

    `bare` lists the models that have labels but no scores, while others have.
    """

    def __init__(self, engine: Engine, found: Found, types: dict[str, str]) -> None:
        self.engine, self.found, self.source = engine, found, SOURCE
        self.bare: list[object] = []
        self.kinds = {
            role: kind_of(types[name], self.title(role)) for role, name in found.columns.items()
        }
        for name in found.score_columns():
            if kind_of(types[name], f"score (column {name!r})") == "text":
                raise InputError(f"score (column {name!r}): expected numbers, got text")

    def has(self, role: str) -> bool:
        return role in self.found.columns

    def title(self, role: str) -> str:
        """The role, and the column's own name if that is another."""
        name = self.found.columns[role]
        return role if name == role else f"{role} (column {name!r})"

    def sql(self, role: str) -> str:
        """The values of a role's column."""
        name = quoted(self.found.columns[role])
        kind = self.kinds[role]
        if kind == "text":
            return f"CAST({name} AS VARCHAR)"
        return f"CAST({name} AS DOUBLE)" if kind == "number" else name

    def scores(self) -> list[str]:
        """The values of the score columns."""
        return [f"CAST({quoted(name)} AS DOUBLE)" for name in self.found.score_columns()]

    def absent(self, role: str) -> str:
        """Whether a role's value is missing."""
        return absent(self.sql(role), self.kinds[role])

    def count(self, condition: str) -> int:
        """The rows that satisfy a condition."""
        sql = f"SELECT count(*) FROM {self.source} WHERE {condition}"
        return int(self.engine.rows(sql)[0][0])

    @property
    def scored(self) -> str:
        """The source without the rows of models that have no scores."""
        if not self.bare:
            return self.source
        return f"{self.source} WHERE {self.sql('model')} NOT IN (SELECT model FROM bare)"


def absent(sql: str, kind: Kind) -> str:
    """Whether a value is missing; NaN is."""
    return f"({sql} IS NULL OR isnan({sql}))" if kind == "number" else f"({sql} IS NULL)"


def rows_said(count: int) -> str:
    """A number of rows in words."""
    return f"{count:,} {'row' if count == 1 else 'rows'}"
