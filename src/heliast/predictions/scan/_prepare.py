"""A located table to a prepared one: columns found, checked by sums, coded and counted."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from heliast._core.columns import Column, column
from heliast._core.errors import InputError
from heliast._core.labels import Label, encode
from heliast.predictions._about import declared, known_classes, named_positive, positive_of, task_of
from heliast.predictions._names import ScoreOption, find_columns, unused_note
from heliast.predictions._of import check_options, refuse_fixed_classes
from heliast.predictions._restore import with_defaults
from heliast.predictions._rows import Design, ScoreKind, Task, WeightKind
from heliast.predictions._source import ROLES, as_label, scores_by_class
from heliast.predictions._table import Meta
from heliast.predictions.scan._columns import Columns, rows_said
from heliast.predictions.scan._counting import KEYS, counted, refuse_other_rows, serve
from heliast.predictions.scan._engine import Engine, quoted
from heliast.predictions.scan._located import Located
from heliast.predictions.scan._missing import complete, weight_kind
from heliast.predictions.scan._prepared import Prepared
from heliast.predictions.scan._scores import Scores, checked_scores, label_of

MANY = 20_000
"""More different labels than this (a rough count) are not classes; the exact limit is 10,000."""
FEW = 100
PAIR = ("truth", "label")


@dataclass
class Options:
    """What the caller says, after the file has filled in what it knows."""

    classes: Sequence[Label] | None = None
    positive: Label | None = None
    task: Task | None = None
    scores: ScoreKind | None = None
    weights: WeightKind | None = None
    design: Design = "rows"
    missing: str = "refuse"
    score: ScoreOption | None = None
    roles: dict[str, str | None] = field(default_factory=dict)


def prepare(engine: Engine, located: Located, given: Mapping[str, Any]) -> Prepared:
    """Check the whole table without reading it into memory, and make it ready to be asked."""
    full = dict(given) if located.stored is None else with_defaults(given, located.stored)
    roles = {role: full.pop(role, None) for role in ROLES}
    options = Options(**full, roles=roles)
    check_options(options.task, options.design, options.missing)
    found = find_columns(located.names, roles, options.score, located.title)
    try:
        if "group" in found.columns:
            raise InputError(
                f"column {found.columns['group']!r}: rows in groups cannot be scanned, since their "
                "spread is that of groups; read the table into memory (command line: --no-scan)"
            )
        notes = [*located.notes]
        columns = Columns(engine, found, located.serve(found, notes))
        notes += [*found.notes, *unused_note(found, located.names)]
        return _Making(columns, located, options, notes).prepared()
    except InputError as error:
        raise InputError(f"{located.title}: {error}") from None


class _Making:
    """The steps from columns to a prepared table; `notes` gathers what is to be said."""

    def __init__(
        self, columns: Columns, located: Located, options: Options, notes: list[str]
    ) -> None:
        self.columns, self.located, self.options, self.notes = columns, located, options, notes
        self.engine, self.found = columns.engine, columns.found

    def prepared(self) -> Prepared:
        rows = self.columns.count("true")
        if not rows:
            raise InputError("there are columns but no row; nothing to assess")
        complete(self.columns, rows, self.options.missing, self.notes)
        weights = weight_kind(self.columns, self.options.weights, self.notes)
        task, pairs = self._task()
        return self._numbers(weights) if task == "number" else self._classes(pairs, weights)

    # --- classes or numbers ------------------------------------------------------------------

    def _task(self) -> tuple[Task, list[Column]]:
        """Classes or numbers; of classes also the different truths and labels."""
        options, columns = self.options, self.columns
        pair = [role for role in PAIR if columns.has(role)]
        if options.task == "number":
            return "number", []
        given = options.classes is not None or options.positive is not None
        named = given or self.found.score is not None
        counts = ", ".join(f"approx_count_distinct({columns.sql(role)})" for role in pair)
        different = self.engine.rows(f"SELECT {counts} FROM {columns.source}")[0]
        plain = all(columns.kinds[role] in ("whole", "number") for role in pair)
        if plain and not named and options.task is None:
            if max(different) > FEW or self._broken(pair):
                self.notes.append("truth holds numbers, read as a task of predicting numbers")
                return "number", []
        elif max(different) > MANY:
            raise InputError(
                f"truth and label hold about {max(different):,} different labels, more than "
                "10,000: names or sentences rather than classes; check the columns, or say "
                "task='number'"
            )
        pairs = [self._distinct(role) for role in pair]
        decided = pairs[1] if len(pairs) > 1 else None
        return task_of(options.task, pairs[0], decided, named, self.notes), pairs

    def _distinct(self, role: str) -> Column:
        """The different values of a column."""
        title = self.columns.title(role)
        one = column(self._values(role), role)
        if one.missing.size:  # no null is left here, so these are bytes that are no text
            raise InputError(f"{title} holds text that is not UTF-8: damaged; write it again")
        return replace(one, name=title)

    def _values(self, role: str) -> Any:
        sql = f"SELECT DISTINCT {self.columns.sql(role)} AS v FROM {self.columns.source} ORDER BY v"
        return self.engine.table(sql)["v"]

    def _broken(self, pair: list[str]) -> bool:
        """Whether a column holds numbers that are not whole."""
        numbers = [self.columns.sql(role) for role in pair if self.columns.kinds[role] == "number"]
        condition = " OR ".join(f"{sql} <> floor({sql})" for sql in numbers)
        return bool(numbers) and self.columns.count(condition) > 0

    def _numbers(self, weights: WeightKind | None) -> Prepared:
        columns = self.columns
        if not columns.has("label"):
            raise InputError("a task of numbers needs label= (the predicted numbers)")
        for role in PAIR:
            if columns.kinds[role] == "text":
                raise InputError(
                    f"{columns.title(role)} holds text, not numbers; for classes leave out "
                    "task='number'"
                )
            count = columns.count(f"isinf(CAST({columns.sql(role)} AS DOUBLE))")
            if count:
                raise InputError(
                    f"{columns.title(role)}: infinite in {rows_said(count)}; numbers must be "
                    "finite: correct them or leave these rows out"
                )
        serve(columns, [f"CAST({columns.sql(role)} AS DOUBLE) AS {role}" for role in PAIR], [])
        refuse_fixed_classes(self.options.design)
        meta = Meta("number", weight_kind=weights, design=self.options.design)
        return self._made(meta, ("0", "0"), Scores())

    def _classes(self, pairs: list[Column], weights: WeightKind | None) -> Prepared:
        options = self.options
        classes, positive = options.classes, options.positive
        if isinstance(classes, Iterable) and not isinstance(classes, str):
            classes = [as_label(label, pairs[0]) for label in classes]
        classes = None if classes is None else declared(classes, "classes")
        if positive is not None:
            positive = as_label(positive, pairs[0])
        names, scores = self._score_columns(pairs, classes)
        if not scores and not self.columns.has("label"):
            raise InputError("give label= (decided classes or numbers), score=, or both")
        if names is not None and len(names) == 1:
            positive, names = named_positive(positive, names[0]), None
        decided = pairs[1] if len(pairs) > 1 else None
        known = known_classes(pairs[0], decided, classes, names)
        positive = positive_of(positive, known, self.notes)
        place = None if positive is None else known.index(positive)
        found = Scores()
        if scores:
            kind = options.scores or self.found.score_kind
            found = checked_scores(
                self.engine, self.columns.scored, scores, names, known, place, kind, self.notes
            )
        self._serve_codes(pairs, known, found, place)
        meta = Meta(
            "classes",
            known,
            positive,
            found.kind,
            weight_kind=weights,
            design=options.design,
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
        if chosen is None:
            return None, []
        if isinstance(chosen, Column):
            return None, [quoted(self.found.score_columns()[0])]
        assert isinstance(chosen, dict)
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
        kinds = self._score_kinds(models, scores.kind)
        notes = tuple(dict.fromkeys(self.notes))
        return Prepared(
            self.engine,
            replace(meta, notes=notes, score_kinds=kinds),
            models,
            splits,
            keys,
            cells,
            tuple(role for role in KEYS if self.columns.has(role)),
            len(scores.columns),
            self.columns.has("weight"),
        )

    def _score_kinds(
        self, models: tuple[str, ...], kind: ScoreKind | None
    ) -> dict[str, ScoreKind | None]:
        """What each model's scores are, where some models have none."""
        bare = {str(model) for model in self.columns.bare}
        if not bare:
            return {}
        self.notes.append(f"no scores for {', '.join(repr(m) for m in models if m in bare)}")
        return {model: None if model in bare else kind for model in models}
