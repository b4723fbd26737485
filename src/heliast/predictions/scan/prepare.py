"""A table where it lies to a prepared one.

Rows that stand for all others are read into memory and checked there as any table is: one of each
model, split, true and predicted class, and those with the least and the greatest score and weight.
The engine then counts and codes all rows by what was found.
"""

from dataclasses import replace
from typing import Any

import numpy as np

from heliast._core.columns import Column
from heliast._core.errors import InputError, NotPredictions
from heliast._core.kinds import Array
from heliast._core.places import Places
from heliast._core.syntax import option
from heliast.predictions.beside import names_parts, training_rows
from heliast.predictions.columns import Layout, Request, find_columns
from heliast.predictions.of import build
from heliast.predictions.read import read_roles
from heliast.predictions.records import Splits
from heliast.predictions.scan.prepared import VIEW, Cells, Keys, Prepared
from heliast.predictions.scores import refuse_reversed
from heliast.predictions.stored import fill_request, stored_metadata
from heliast.predictions.table import Predictions
from heliast.tables.about import MOST_CLASSES
from heliast.tables.engine import Engine, quoted, text_literal
from heliast.tables.sources import SOURCE, Source
from heliast.tables.table import Table

KEYS = ("model", "split", "in_train")
PAIR = ("y_true", "y_pred")
_MANY = 2 * MOST_CLASSES
"""More different labels than this (a rough count) are numbers, or names."""
_SAMPLE = 1000
_IN_MEMORY = "read the table into memory (command line: --no-scan)"
_COMPLETE = "complete"
_CHOSEN = "chosen"
"""What the engine calls the rows that stand for all others: a number `rn` and a record `r`."""


class _Somewhere(Places):
    """A row of a scanned table has no number to name it by."""

    def some(self, positions: object, most: int = 5) -> str:
        return "some rows"


def prepare(engine: Engine, source: Source, request: Request) -> Prepared:
    """Check the whole table without reading it into memory, and make it ready to be asked."""
    try:
        return _Scan(engine, source, request).prepared()
    except NotPredictions:
        raise
    except InputError as error:
        prefix = f"{source.title}: "
        message = str(error).removeprefix(prefix)
        raise InputError(prefix + message) from None


class _Scan:
    """The steps from a source to a prepared table."""

    def __init__(self, engine: Engine, source: Source, request: Request) -> None:
        self.engine, self.source, self.request = engine, source, request
        self.types: dict[str, str] = {}
        self.rows = SOURCE
        self.notes = list(source.notes)
        self.row: str | None = None

    def prepared(self) -> Prepared:
        names = list(self.source.types)
        table = Table(
            self.source.title, self.source.stem, names, self._fetch, _Somewhere(),
            metadata=self.source.metadata, vector=self._vector,
        )  # fmt: skip
        stored = stored_metadata(table)
        if stored is not None:
            self.request = fill_request(self.request, stored)
        layout = find_columns(names, self.request, self.source.title)
        self.row = layout.columns.pop("row", None)
        layout.row_number = None
        self._refuse_what_needs_rows(layout)
        table.prepare = lambda _: self._choose(layout)
        self._choose(layout)
        if layout.part is not None:
            self._use_part(layout)
        scored = layout.score is not None
        columns, options, notes = read_roles(table, layout, self.request)
        if layout.score is not None and not scored:  # columns named as classes: other rows
            columns, options, notes = read_roles(table, layout, self.request)
        options = replace(options, missing="refuse")  # what is missing was refused or dropped
        head = build(Predictions, columns, options, table.places, [*self.notes, *notes])
        self._serve(layout, columns, head)
        self._refuse_reversed(head, options.positive)
        keys, cells = self._count(layout, head)
        self._refuse_other_rows(head)
        if self.row is not None:
            head = head.noted("scanned: whether a row occurs twice is not checked")
        splits, meta = head.splits, head.meta
        if stored is not None:
            meta = replace(meta, stages=stored["meta"]["stages"])
            written = {str(each.split): each for each in stored["splits"]}
            splits = Splits(tuple(written.get(str(each.split), each) for each in splits))
        scores = 0 if head.scores is None else head.scores[:1].reshape(1, -1).shape[1]
        used = tuple(role for role in KEYS if role in layout.columns)
        return Prepared(
            self.engine, meta, head.models, splits, keys, cells, used, scores,
            "weight" in layout.columns,
        )  # fmt: skip

    def _refuse_what_needs_rows(self, layout: Layout) -> None:
        if "grade" in layout.columns:
            raise InputError(
                "a table of grades is read, not scanned: leave out --scan, or say --no-scan (in "
                "Python: Predictions.read)"
            )
        reasons = {"group": "groups", "time": "order of time", "repeat": "repeats of splits"}
        for role, reason in reasons.items():
            if role in layout.columns:
                raise InputError(
                    f"column {layout.columns[role]!r}: rows in {reason} cannot be scanned, since "
                    f"rows belong together; {_IN_MEMORY}"
                )

    def _refuse_reversed(self, head: Predictions, positive: object) -> None:
        """Refuse scores of the other class, looked at in a sample of the rows."""
        if positive is not None or head.scores is None or head.scores.ndim != 1:
            return
        code = head.classes.index(head.positive)
        sample = f"{VIEW} USING SAMPLE 10000 ROWS (reservoir, 1)"
        found = self.engine.arrays(f"SELECT s0, y_true = {code} AS own FROM {sample}")
        scores = np.ma.filled(found["s0"].astype(np.float64), np.nan)
        refuse_reversed(scores, np.ma.getdata(found["own"]).astype(bool), head.classes, code)

    def _use_part(self, layout: Layout) -> None:
        """Words such as train and test in a column name the splits."""
        name = str(layout.part)
        part = self._fetch(name)
        layout.part = None
        if training_rows(name, part) is None:
            return
        if not names_parts(part) or "split" in layout.columns:
            raise InputError(f"column {name!r} tells which rows were trained on: {_IN_MEMORY}")
        layout.take("split", name)
        self._choose(layout)

    # --- rows that stand for all others ----------------------------------------------------

    def _choose(self, layout: Layout) -> None:
        """Load the columns, look for missing values, and choose the rows."""
        names = [*layout.used(), *([self.row] if self.row is not None else [])]
        self.types = self.source.load(self.engine, names)
        self.rows = SOURCE
        self._complete(layout)
        used = [name for name in self.types if name != self.row]
        record = ", ".join(f"{text_literal(name)}: {quoted(name)}" for name in used)
        keys = [layout.columns[role] for role in KEYS if role in layout.columns]
        pair = [layout.columns[role] for role in PAIR if role in layout.columns]
        many = self._many(layout, pair)
        grouped = [quoted(name) for name in (keys if many else [*keys, *pair])]
        group = f" GROUP BY {', '.join(grouped)}" if grouped else ""
        parts = [f"SELECT any_value({{{record}}}) AS r FROM {self.rows}{group}"]
        if many:
            parts.append(f"(SELECT {{{record}}} AS r FROM {self.rows} LIMIT {_SAMPLE})")
        numeric = [name for name in used if _numeric(self.types[name])]
        extreme = [quoted(name) for name in numeric if many or name not in (*keys, *pair)]
        scores = [quoted(name) for name in layout.score_columns() if name in numeric]
        orders = [*extreme, *(f"-{name}" for name in extreme)]
        orders += [f"abs({' + '.join(scores)} - 1)"] if len(scores) > 1 else []
        if "weight" in layout.columns:
            weight = quoted(layout.columns["weight"])
            orders.append(f"CAST({weight} <> floor({weight}) AS INTEGER)")
        if orders:
            best = ", ".join(f"arg_max({{{record}}}, {order})" for order in orders)
            parts.append(f"SELECT unnest([{best}]) AS r FROM {self.rows}")
        order = ", ".join(f"r[{text_literal(name)}]" for name in [*keys, *pair]) or "1"
        self.engine.run(
            f"CREATE OR REPLACE TABLE {_CHOSEN} AS SELECT row_number() OVER (ORDER BY {order}) - 1 "
            f"AS rn, r FROM ({' UNION ALL '.join(parts)}) WHERE r IS NOT NULL"
        )

    def _many(self, layout: Layout, pair: list[str]) -> bool:
        """Whether there are more different labels than there can be classes."""
        counts = ", ".join(f"approx_count_distinct({quoted(name)})" for name in pair)
        most = max(self.engine.rows(f"SELECT {counts} FROM {self.rows}")[0])
        options = self.request.options
        classes = options.classes is not None or options.positive is not None
        classes |= layout.score is not None or options.task == "classification"
        text = any(not _numeric(self.types[name]) for name in pair)
        if most > _MANY and (classes or text):
            raise InputError(
                f"y_true and y_pred hold about {most:,} different labels, more than "
                f"{MOST_CLASSES:,}: names or sentences rather than classes; check the columns, or "
                "say task='regression'"
            )
        return bool(most > _MANY)

    def _complete(self, layout: Layout) -> None:
        """Refuse missing values, or leave the rows out and say how many."""
        for role in (*KEYS, "row", "weight"):
            name = self.row if role == "row" else layout.columns.get(role)
            count = 0 if name is None else self._number(self._absent(name))
            if count:
                title = role if role == name else f"{role} (column {name!r})"
                raise InputError(
                    f"{title} is missing in {_rows(count)}; every row needs a {role}: fill it in "
                    "or leave the column out"
                )
        lacking = {
            role: self._absent(layout.columns[role]) for role in PAIR if role in layout.columns
        }
        scores = [self._absent(name) for name in layout.score_columns()]
        if scores:
            lacking["y_score"] = f"({' OR '.join(scores)})"
        counts = {role: self._number(sql) for role, sql in lacking.items()}
        where = "; ".join(f"{role} is missing in {_rows(n)}" for role, n in counts.items() if n)
        if not where:
            return
        if self.request.options.missing == "refuse":
            raise InputError(
                f"{where}. Complete them, or drop these rows with {option('missing', 'drop')}"
            )
        condition = " OR ".join(f"({sql})" for sql in lacking.values())
        dropped, rows = self._number(condition), self._number("true")
        if dropped == rows:
            raise InputError(f"{where}: no complete row is left; check the columns")
        self.engine.run(
            f"CREATE OR REPLACE VIEW {_COMPLETE} AS SELECT * FROM {SOURCE} WHERE NOT ({condition})"
        )
        self.rows = _COMPLETE
        note = f"dropped {_rows(dropped)} of {rows} with missing values ({where})"
        self.notes = [*self.source.notes, note]

    def _absent(self, name: str) -> str:
        column = quoted(name)
        number = self.types[name] in ("FLOAT", "DOUBLE")
        return f"({column} IS NULL OR isnan({column}))" if number else f"{column} IS NULL"

    def _number(self, condition: str) -> int:
        sql = f"SELECT count(*) FROM {SOURCE} WHERE {condition}"
        count = int(self.engine.rows(sql)[0][0])
        if condition == "true" and not count:
            raise InputError("there are columns but no row; nothing to assess")
        return count

    def _fetch(self, name: str) -> Column:
        sql = f"r[{text_literal(name)}]"
        if not self.engine.rows(f"SELECT count(*) FROM {_CHOSEN}")[0][0]:
            raise InputError("there are columns but no row; nothing to assess")
        return self.engine.column(f"(FROM {_CHOSEN} ORDER BY rn)", sql, self.types[name], name)

    def _vector(self, name: str) -> dict[str, Column] | None:
        """A column of lists of numbers as one column for each place."""
        if not self.types[name].endswith("]"):
            if self.types[name].startswith(("STRUCT", "MAP")):
                raise InputError(
                    f"column {name!r} holds records, not lists of scores: {_IN_MEMORY}"
                )
            return None
        column = quoted(name)
        lengths = self.engine.rows(f"SELECT DISTINCT len({column}) FROM {self.rows}")
        if len(lengths) != 1:
            raise InputError(
                f"column {name!r} holds vectors of several lengths: each row needs one number a "
                "class"
            )
        source = f"(SELECT r[{text_literal(name)}] AS v FROM {_CHOSEN} ORDER BY rn)"
        return {
            str(at): self.engine.column(
                source, f"CAST(v[{at + 1}] AS DOUBLE)", "DOUBLE", f"{column}[{at + 1}]"
            )
            for at in range(lengths[0][0])
        }

    # --- all rows ----------------------------------------------------------------------------

    def _serve(self, layout: Layout, columns: dict[str, Any], head: Predictions) -> None:
        """Serve classes as codes, scores in the order of the classes, keys and weights."""
        joins, chosen = [], []
        scores = _score_sql(columns["y_score"], layout, head)
        for role in PAIR:
            if head.task == "regression":
                chosen.append(f"CAST({quoted(layout.columns[role])} AS DOUBLE) AS {role}")
            elif role in layout.columns:
                self._code(layout.columns[role], role, getattr(head, role))
                joins.append(
                    f"JOIN codes_{role} ON {quoted(layout.columns[role])} = codes_{role}.v"
                )
                small = "UTINYINT" if len(head.classes) <= 256 else "INTEGER"
                chosen.append(f"CAST(codes_{role}.code AS {small}) AS {role}")
            else:
                chosen.append(f"{_label_sql(scores, head)} AS {role}")
        chosen += [f"{sql} AS s{at}" for at, sql in enumerate(scores)]
        chosen += [
            f"{quoted(layout.columns[role])} AS {role}" for role in KEYS if role in layout.columns
        ]
        if "weight" in layout.columns:
            chosen.append(f"CAST({quoted(layout.columns['weight'])} AS DOUBLE) AS weight")
        if self.row is not None:
            chosen.append(f"{quoted(self.row)} AS row_name")
        source = " ".join([self.rows, *joins])
        self.engine.run(f"CREATE VIEW {VIEW} AS SELECT {', '.join(chosen)} FROM {source}")

    def _code(self, name: str, role: str, codes: Array) -> None:
        """The code of each label, as a table to join."""
        self.engine.register("codes", {"rn": np.arange(codes.size), "code": codes.astype(np.int32)})
        self.engine.run(
            f"CREATE TABLE codes_{role} AS SELECT r[{text_literal(name)}] AS v, "
            f"any_value(code) AS code FROM {_CHOSEN} JOIN codes USING (rn) GROUP BY 1"
        )

    def _count(self, layout: Layout, head: Predictions) -> tuple[Keys, Cells]:
        """The keys that occur, and the rows of each key, true and predicted class."""
        roles = [role for role in KEYS if role in layout.columns]
        raw = ", ".join(f"r[{text_literal(layout.columns[role])}]" for role in roles)
        found = self.engine.rows(
            f"SELECT {raw}{', ' if roles else ''}min(rn) FROM {_CHOSEN}"
            + (f" GROUP BY {raw}" if roles else "")
            + " ORDER BY ALL"
        )
        place = {row[:-1]: at for at, row in enumerate(found)}
        first = np.array([row[-1] for row in found])
        codes = (head.model_code, head.split_code, head.in_train)
        coded = [
            np.zeros(len(found), np.int64) if c is None else c[first].astype(int) for c in codes
        ]
        weight = "fsum(weight), fsum(weight * weight)" if "weight" in layout.columns else "n, n"
        pair = "0 AS t, 0 AS l" if head.task == "regression" else "y_true AS t, y_pred AS l"
        names = "".join(f"{role}, " for role in roles)
        rows = self.engine.rows(
            f"SELECT {names}{pair}, count(*) AS n, {weight} FROM {VIEW} GROUP BY {names}t, l "
            "ORDER BY ALL"
        )
        table = np.array([row[len(roles) :] for row in rows], np.float64).T
        key = np.array([place[row[: len(roles)]] for row in rows])
        cells = Cells(key, table[0].astype(int), table[1].astype(int), table[2:])
        return Keys(tuple(place), *coded), cells

    def _refuse_other_rows(self, head: Predictions) -> None:
        """Refuse models that have equally many rows in a split, but not the same, or other truths.

        Rows are compared by sums of 64-bit hashes, which differ if the rows do.
        """
        if self.row is None or len(head.models) < 2:
            return
        split = "split" if head.split_code is not None else "0"
        found = self.engine.rows(
            f"SELECT {split} AS split, count(*), sum(CAST(hash(row_name) AS HUGEINT)), "
            f"sum(CAST(hash(row_name, y_true) AS HUGEINT)), CAST(model AS VARCHAR) FROM {VIEW} "
            "GROUP BY split, model ORDER BY ALL"
        )
        first: dict[tuple[Any, int], tuple[Any, ...]] = {}
        for split_name, count, rows, truths, model in found:
            other = first.setdefault((split_name, count), (rows, truths, model))
            both = f"models {other[2]!r} and {model!r} have"
            if other[0] != rows:
                raise InputError(
                    f"{both} {count:,} rows each in a split, but not the same (row, column "
                    f"{self.row!r}): check what names a row, or {_IN_MEMORY}, which says which are "
                    "missing"
                )
            if other[1] != truths:
                raise InputError(
                    f"{both} different truths for the same rows: all models predict the same data, "
                    "so check that row names the same thing for each"
                )


def _numeric(kind: str) -> bool:
    return kind.removeprefix("U") in (
        "TINYINT",
        "SMALLINT",
        "INTEGER",
        "BIGINT",
        "FLOAT",
        "DOUBLE",
    ) or (kind.startswith("DECIMAL"))


def _rows(count: int) -> str:
    return f"{count:,} {'row' if count == 1 else 'rows'}"


def _score_sql(score: Any, layout: Layout, head: Predictions) -> list[str]:
    """The columns of scores as SQL, in the order of the classes."""
    if score is None or head.scores is None:
        return []
    if isinstance(score, dict):
        names = [part.name for part in score.values()]
        if len(names) > 1:
            order = [head.positive] if head.scores.ndim == 1 else head.classes
            names = [score[label].name for label in order]
        columns = names if isinstance(layout.score, str) else [quoted(name) for name in names]
    else:
        columns = [quoted(layout.score_columns()[0])]
    columns = [f"CAST({column} AS DOUBLE)" for column in columns]
    if head.meta.score_kind == "probability":
        return [f"least(greatest({column}, 0.0), 1.0)" for column in columns]
    return columns


def _label_sql(scores: list[str], head: Predictions) -> str:
    """The predicted class: a threshold for one column, the largest (ties: first) for more."""
    if len(scores) == 1:
        threshold = 0.0 if head.meta.score_kind == "decision" else 0.5
        positive = head.classes.index(head.positive)
        return f"CASE WHEN {scores[0]} >= {threshold} THEN {positive} ELSE {1 - positive} END"
    best = f"greatest({', '.join(scores)})"
    cases = " ".join(f"WHEN {sql} = {best} THEN {at}" for at, sql in enumerate(scores))
    return f"CASE {cases} END"
