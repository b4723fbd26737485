"""A located table to a prepared one: columns found, checked by sums, coded and counted."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from heliast._core.columns import Column, column
from heliast._core.errors import InputError, NotPredictions
from heliast._core.labels import Label, encode
from heliast.predictions._names import (
    Asked,
    Found,
    column_of,
    find_columns,
    may_be_labels,
    named_as_classes,
    refuse_counts,
    refuse_header,
    refuse_models,
    refuse_other_labels,
    refuse_undecided,
    take_labels,
    take_named_as_classes,
    unused_note,
)
from heliast.predictions._read import as_labels, scores_by_class
from heliast.predictions._stored import filled, stages_in
from heliast.predictions.beside import names_parts, training_rows
from heliast.predictions.records import Meta, Options, ScoreKind, WeightKind
from heliast.predictions.scan._columns import Columns, complete, rows_said, weight_kind
from heliast.predictions.scan._engine import Engine, quoted
from heliast.predictions.scan._files import spread
from heliast.predictions.scan._prepared import (
    KEYS,
    VIEW,
    Prepared,
    counted,
    refuse_other_rows,
    serve,
)
from heliast.predictions.scan._scores import Scores, checked_scores, label_of
from heliast.predictions.scan._sources import SOURCE, Located
from heliast.predictions.scores import kinds_by_model, refuse_contradiction, refuse_reversed
from heliast.tables.about import (
    FEW_CLASSES,
    MOST_CLASSES,
    Task,
    declared,
    known_classes,
    named_positive,
    positive_of,
    refuse_scores,
    task_of,
)

MANY = 20_000
"""More different labels than this (a rough count) are not classes; the exact limit is 10,000."""
PAIR = ("y_true", "y_pred")


def prepare(engine: Engine, located: Located, asked: Asked) -> Prepared:
    """Check the whole table without reading it into memory, and make it ready to be asked."""
    asked = asked if located.stored is None else filled(asked, located.stored)
    found = find_columns(located.names, asked, located.title)
    if "grade" in found.columns:
        raise InputError(
            f"{located.title}: a table of grades is read, not scanned: leave out --scan, or say "
            "--no-scan (in Python: Predictions.read)"
        )
    try:
        whats = {"group": "groups", "time": "order of time", "repeat": "repeats of splits"}
        for role, what in whats.items():
            if role in found.columns:
                raise InputError(
                    f"column {found.columns[role]!r}: rows in {what} cannot be scanned, since one "
                    "row goes with others; read the table into memory (command line: --no-scan)"
                )
        notes = [*located.notes]
        found.maybe.pop("row", None)  # models of one table lie side by side
        types = located.serve(found, notes)
        _settle(engine, found, types)
        if found.score is None and asked.options.task != "regression":
            by_class = _class_columns(engine, found, located.names, asked.options)
            if by_class:
                take_named_as_classes(found, by_class)
                types = located.serve(found, notes)
        refuse_undecided(found, located.names, located.title)
        columns = Columns(engine, found, spread(engine, found, types))
        notes += [*found.notes, *unused_note(found, located.names)]
        return _Making(columns, located, asked.options, notes).prepared()
    except NotPredictions:
        raise
    except InputError as error:
        raise InputError(f"{located.title}: {error}") from None


def _settle(engine: Engine, found: Found, types: Mapping[str, str]) -> None:
    """Give the columns that may have a role theirs, by their values."""
    maybe, found.maybe = found.maybe, {}
    if isinstance(found.score, str) and may_be_labels(found) and _plain(types[found.score]):
        first = engine.rows(f"SELECT {quoted(found.score)} FROM {SOURCE} LIMIT 1000")
        if all(one is None or isinstance(one, str) or one == int(one) for (one,) in first):
            take_labels(found, _some(engine, found.columns["y_true"]), _some(engine, found.score))
    for name in maybe.get("y_pred", ()):
        if found.score is not None and _plain(types[name]):
            refuse_other_labels(_some(engine, found.columns["y_true"]), _some(engine, name))
    for name in maybe.get("model", ()):
        _settle_model(engine, found, name)
    if any("INT" in types[name] for name in maybe.get("weight", ())) and "row" not in found.columns:
        refuse_counts(maybe["weight"][0])
    for name in maybe.get("part", ()):
        part = _some(engine, name)
        if training_rows(name, part) is None:
            continue
        if not names_parts(part) or "split" in found.columns:
            raise InputError(
                f"column {name!r} tells which rows were trained on: read the table into memory "
                "(command line: --no-scan)"
            )
        found.columns["split"] = name
        found.notes.append(f"column {name!r} read as split")
        return


def _some(engine: Engine, name: str) -> Column:
    """Different values of a column, of very many some."""
    sql = f"SELECT DISTINCT {quoted(name)} FROM {SOURCE} WHERE {quoted(name)} IS NOT NULL LIMIT 50"
    return column([row[0] for row in engine.rows(sql)], name)


def _settle_model(engine: Engine, found: Found, name: str) -> None:
    """A column names models if its values have as many rows each."""
    sql = f"SELECT {quoted(name)}, count(*) FROM {SOURCE} GROUP BY 1 LIMIT 1001"
    counts = engine.rows(sql)
    if "model" in found.columns or not all(isinstance(one, str) for one, _ in counts):
        return
    rows = [count for _, count in counts]
    if min(rows) != max(rows) and "row" not in found.columns:
        refuse_models(name, f"its values have {min(rows):,} to {max(rows):,} rows")
    found.columns["model"] = name
    found.notes.append(f"column {name!r} read as model")


def _plain(stored: str) -> bool:
    """Whether values of a type can be classes."""
    return stored in ("VARCHAR", "BOOLEAN", "DOUBLE", "FLOAT") or stored.endswith("INT")


def _class_columns(
    engine: Engine, found: Found, names: Sequence[str], options: Options
) -> dict[Label, str]:
    """The columns that are named as the classes are, if every class has one."""
    labels = dict[Label, None].fromkeys(options.classes or ())
    for role in PAIR if not labels else ():
        column = quoted(found.columns.get(role, found.columns["y_true"]))
        # One more than there can be: numbers that differ in every row are not all looked at.
        sql = f"SELECT DISTINCT {column} FROM {SOURCE} WHERE {column} IS NOT NULL LIMIT "
        first = [row[0] for row in engine.rows(sql.replace("DISTINCT ", "") + "1")]
        if any(column_of(label, names) is None for label in first):
            return {}
        labels |= {row[0]: None for row in engine.rows(f"{sql}{len(names) + 1}")}
    return named_as_classes(found, names, list(labels))


class _Making:
    """The steps from columns to a prepared table; `notes` gathers what is to be said."""

    def __init__(
        self, columns: Columns, located: Located, options: Options, notes: list[str]
    ) -> None:
        self.columns, self.located, self.options, self.notes = columns, located, options, notes
        self.engine, self.found = columns.engine, columns.found
        self._known: dict[str, Any] = {}

    def prepared(self) -> Prepared:
        rows = self.columns.count("true")
        if not rows:
            raise InputError("there are columns but no row; nothing to assess")
        complete(self.columns, rows, self.options.missing, self.notes)
        weights = weight_kind(self.columns, self.options.weights, self.notes)
        task, pairs = self._task()
        return self._numbers(weights) if task == "regression" else self._classes(pairs, weights)

    # --- classes or numbers ------------------------------------------------------------------

    def _task(self) -> tuple[Task, list[Column]]:
        """Classes or numbers; of classes also the different truths and labels."""
        options, columns = self.options, self.columns
        pair = [role for role in PAIR if columns.has(role)]
        if options.task == "regression":
            return "regression", []
        given = options.classes is not None or options.positive is not None
        named = given or self.found.score is not None or options.task is not None
        counts = ", ".join(f"approx_count_distinct({columns.sql(role)})" for role in pair)
        most = max(self.engine.rows(f"SELECT {counts} FROM {columns.source}")[0])
        if self.found.score is None and columns.kinds.get("y_pred") in ("number", "whole"):
            self._refuse_scores(named)
        if most > MANY:
            if named or any(columns.kinds[role] in ("text", "bool") for role in pair):
                raise InputError(
                    f"y_true and y_pred hold about {most:,} different labels, more than "
                    f"{MOST_CLASSES:,}: names or sentences rather than classes; check the columns, "
                    "or say task='regression'"
                )
            self.notes.append(f"y_true holds about {most:,} different numbers: a task of numbers")
            return "regression", []
        pairs = [self._distinct(role) for role in pair]
        if named:
            return "classification", pairs
        return task_of(pairs, columns.count("true"), "y_true", self.notes), pairs

    def _refuse_scores(self, told: bool) -> None:
        """Refuse scores as labels beside a truth of classes, by the few values that tell."""
        columns, label = self.columns, self.columns.sql("y_pred")
        fraction = f"max(CASE WHEN {label} != floor({label}) THEN {label} END)"
        extent = f"SELECT min({label}), max({label}), {fraction} FROM {columns.source}"
        few = self.engine.rows(extent)[0]
        some = f"SELECT DISTINCT {{}} AS v FROM {columns.source} LIMIT {FEW_CLASSES + 1}"
        if few[-1] is None:
            few = tuple(one for (one,) in self.engine.rows(some.format(label)))
        truth = self.engine.table(some.format(columns.sql("y_true")))["v"]
        pair = {"y_true": truth, "y_pred": [float(one) for one in few if one is not None]}
        pairs = [replace(column(pair[r], r), name=columns.title(r)) for r in PAIR]
        refuse_scores([one.at(~np.isin(np.arange(len(one)), one.missing)) for one in pairs], told)

    def _distinct(self, role: str) -> Column:
        """The different values of a column."""
        title = self.columns.title(role)
        one = column(self._values(role), role)
        if one.missing.size:  # no null is left here, so these are bytes that are no text
            raise InputError(f"{title} holds text that is not UTF-8: damaged; write it again")
        return replace(one, name=title)

    def _values(self, role: str) -> Any:
        if role not in self._known:
            what, source = self.columns.sql(role), self.columns.source
            sql = f"SELECT DISTINCT {what} AS v FROM {source} ORDER BY v"
            self._known[role] = self.engine.table(sql)["v"]
        return self._known[role]

    def _numbers(self, weights: WeightKind | None) -> Prepared:
        columns = self.columns
        if not columns.has("y_pred"):
            raise InputError("a task of numbers needs y_pred= (the predicted numbers)")
        for role in PAIR:
            if columns.kinds[role] == "text":
                raise InputError(
                    f"{columns.title(role)} holds text, not numbers; for classes leave out "
                    "task='regression'"
                )
            count = columns.count(f"isinf(CAST({columns.sql(role)} AS DOUBLE))")
            if count:
                raise InputError(
                    f"{columns.title(role)}: infinite in {rows_said(count)}; numbers must be "
                    "finite: correct them or leave these rows out"
                )
        serve(columns, [f"CAST({columns.sql(role)} AS DOUBLE) AS {role}" for role in PAIR], [])
        self.options.refuse_classes("regression")
        meta = Meta("regression", weight_kind=weights, design=self.options.design)
        return self._made(meta, ("0", "0"), Scores())

    def _classes(self, pairs: list[Column], weights: WeightKind | None) -> Prepared:
        options = as_labels(self.options, pairs[0])
        classes, positive = options.classes, options.positive
        classes = None if classes is None else declared(classes, options.named_by)
        names, scores = self._score_columns(pairs, classes)
        if not scores and not self.columns.has("y_pred"):
            refuse_undecided(self.found, self.located.names, self.located.title)
        if names is not None and len(names) == 1:
            positive, names = named_positive(positive, names[0], self.notes), None
        known = known_classes(pairs, classes, names)
        positive = positive_of(positive, known, self.notes)
        place = None if positive is None else known.index(positive)
        found = Scores()
        if scores:
            kind = options.scores or self.found.score_kind
            found = checked_scores(
                self.engine, self.columns.scored, scores, names, known, place, kind, self.notes,
                decided=self.columns.has("y_pred"),
            )  # fmt: skip
        if classes is None:
            refuse_header(self.found, dict(zip(PAIR, pairs, strict=False)))
        self._serve_codes(pairs, known, found, place)
        meta = Meta(
            "classification",
            known,
            positive,
            found.kind,
            weight_kind=weights,
            design=options.design,
            ordinal=options.ordinal,
        )
        return self._made(meta, PAIR, found)

    def _score_columns(
        self, pairs: list[Column], classes: Sequence[Label] | None
    ) -> tuple[tuple[Label, ...] | None, list[str]]:
        """The classes that score columns name, and the columns in that order."""
        if self.found.score is None:
            return None, []
        # What the reader of files does with columns it does here with their names.
        named = {
            name: Column(name, np.empty(0), "number", np.empty(0, np.int64))
            for name in self.found.score_columns()
        }
        chosen = scores_by_class(self.found, named, pairs, classes)
        self.notes += [note for note in self.found.notes if note not in self.notes]
        if chosen is None:
            return None, []
        if isinstance(chosen, Column):
            return None, [quoted(self.found.score_columns()[0])]
        if not isinstance(chosen, dict):
            raise TypeError(f"scores by class are a mapping, got {type(chosen).__name__}")
        return tuple(chosen), [quoted(one.name) for one in chosen.values()]

    def _serve_codes(
        self, pairs: list[Column], known: tuple[Label, ...], scores: Scores, place: int | None
    ) -> None:
        """Serve truth and label as codes of the classes, with the scores."""
        coded = [self._code(role, one, known) for role, one in zip(PAIR, pairs, strict=False)]
        if len(coded) == 1:
            label = label_of(self.engine, self.columns.source, scores, place, self.notes)
            coded.append((label, []))
        small = "UTINYINT" if len(known) <= 256 else "INTEGER"
        chosen = [
            f"CAST({sql} AS {small}) AS {role}" for role, (sql, _) in zip(PAIR, coded, strict=True)
        ]
        chosen += [f"{sql} AS s{at}" for at, sql in enumerate(scores.columns)]
        serve(self.columns, chosen, [join for _, joins in coded for join in joins])
        if len(scores.columns) == 1 and place is not None and not self.columns.bare:
            self._refuse_scores_of_others(known, place, scores.kind)

    def _refuse_scores_of_others(
        self, known: tuple[Label, ...], place: int, kind: ScoreKind | None
    ) -> None:
        """Refuse scores that cannot be those of the positive class, by some rows."""
        some = self.engine.table(f"SELECT y_true, y_pred, s0 FROM {VIEW} LIMIT 10000")
        truth, label, score = (some[at].to_numpy() for at in range(3))
        if self.columns.has("y_pred"):
            refuse_contradiction(score, kind, label, place)
        elif self.options.positive is None:
            refuse_reversed(score, truth == place, known, place)

    def _code(self, role: str, one: Column, known: tuple[Label, ...]) -> tuple[str, list[str]]:
        """The code of each label as SQL, and the join that it needs."""
        codes = encode(one, known)
        sql = self.columns.sql(role)
        if one.kind in ("bool", "whole") and codes.tolist() == one.values.astype(int).tolist():
            return sql, []
        import pyarrow as pa

        table = pa.table({"v": self._values(role), "code": pa.array(codes.astype(np.int32))})
        self.engine.keep(table, f"codes_{role}")
        return f"codes_{role}.code", [f"JOIN codes_{role} ON {sql} = codes_{role}.v"]

    # --- counted -----------------------------------------------------------------------------

    def _made(self, meta: Meta, cell: tuple[str, str], scores: Scores) -> Prepared:
        name = self.found.model_name or self.located.stem
        stored = self.located.stored
        keys, models, splits, cells = counted(self.columns, cell, name, stored, self.notes)
        refuse_other_rows(self.columns, models)
        if self.columns.has("row"):
            self.notes.append("scanned: whether a row occurs twice is not checked")
        bare = {str(model) for model in self.columns.bare}
        kinds = kinds_by_model(models, bare, scores.kind, self.notes)
        notes = tuple(dict.fromkeys(self.notes))
        return Prepared(
            self.engine,
            replace(
                meta, notes=notes, score_kinds=kinds, stages=stages_in(stored) or self._stages()
            ),
            models,
            splits,
            keys,
            cells,
            tuple(role for role in KEYS if self.columns.has(role)),
            len(scores.columns),
            self.columns.has("weight"),
        )

    def _stages(self) -> dict[str, str]:
        """Which models are stages of which, where a column says so."""
        if not (self.columns.has("stage_of") and self.columns.has("model")):
            return {}
        both = ", ".join(self.columns.sql(role) for role in ("model", "stage_of"))
        told = self.engine.rows(f"SELECT DISTINCT {both} FROM {self.columns.source}")
        return {str(model): str(other) for model, other in told if model != other}
