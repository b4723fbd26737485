"""A located table to a prepared one: columns found, checked by sums, coded and counted."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from heliast._core.columns import Column, column
from heliast._core.errors import InputError
from heliast._core.labels import Label, encode
from heliast.predictions._about import declared, known_classes, named_positive, positive_of, task_of
from heliast.predictions._names import Found, ScoreOption, find_columns, unused_note
from heliast.predictions._of import _check_options
from heliast.predictions._restore import with_defaults
from heliast.predictions._rows import Design, ScoreKind, Task, WeightKind
from heliast.predictions._sides import coded_models, coded_splits
from heliast.predictions._source import ROLES, _scores, as_label
from heliast.predictions._splits import Splits
from heliast.predictions._table import Meta
from heliast.predictions.scan._engine import Engine, quoted
from heliast.predictions.scan._located import SOURCE, Located
from heliast.predictions.scan._prepared import VIEW, Cells, Keys, Prepared
from heliast.predictions.scan._scores import Scores, checked_scores, label_of
from heliast.predictions.scan._types import Kind, kind_of

Array = npt.NDArray[Any]

KEYS = ("model", "split", "seen")
MANY = 20_000
"""More different labels than this (a rough count) are not classes; the exact limit is 10,000."""
FEW = 100


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
    _check_options(options.task, options.design, options.missing)
    found = find_columns(located.names, roles, options.score, located.title)
    try:
        return _Making(engine, located, found, options).prepared()
    except InputError as error:
        raise InputError(f"{located.title}: {error}") from None


class _Making:
    """The steps from columns to a prepared table; `notes` gathers what is to be said."""

    def __init__(self, engine: Engine, located: Located, found: Found, options: Options) -> None:
        self.engine, self.located, self.found, self.options = engine, located, found, options
        self.notes = [*located.notes]
        types = located.serve(found, self.notes)
        self.notes += [*found.notes, *unused_note(found, located.names)]
        self.source = SOURCE
        if "group" in found.columns:
            raise InputError(
                f"column {found.columns['group']!r}: rows in groups cannot be scanned, since their "
                "spread is that of groups; read the table into memory (command line: --no-scan)"
            )
        self.kinds = {
            role: kind_of(types[name], self.title(role)) for role, name in found.columns.items()
        }
        for name in found.score_columns():
            if kind_of(types[name], f"score (column {name!r})") == "text":
                raise InputError(f"score (column {name!r}): expected numbers, got text")

    def title(self, role: str) -> str:
        name = self.found.columns[role]
        return role if name == role else f"{role} (column {name!r})"

    # --- columns as SQL ----------------------------------------------------------------------

    def has(self, role: str) -> bool:
        return role in self.found.columns

    def sql(self, role: str) -> str:
        """The values of a role's column."""
        name = quoted(self.found.columns[role])
        kind = self.kinds[role]
        if kind == "text":
            return f"CAST({name} AS VARCHAR)"
        return f"CAST({name} AS DOUBLE)" if kind == "number" else name

    def absent(self, sql: str, kind: Kind) -> str:
        """Whether a value is missing."""
        return f"({sql} IS NULL OR isnan({sql}))" if kind == "number" else f"({sql} IS NULL)"

    # --- the steps -----------------------------------------------------------------------------

    def prepared(self) -> Prepared:
        rows = int(self.engine.rows(f"SELECT count(*) FROM {self.source}")[0][0])
        if not rows:
            raise InputError("there are columns but no row; nothing to assess")
        scores = self._score_names()
        self._complete(rows, scores)
        weight_kind = self._weight_kind()
        task, pairs = self._task(scores)
        if task == "number":
            return self._numbers(weight_kind)
        return self._classes(scores, pairs, weight_kind)

    def _score_names(self) -> list[str]:
        if self.found.score is None:
            return []
        return [quoted(name) for name in self.found.score_columns()]

    def _complete(self, rows: int, scores: list[str]) -> None:
        """Refuse missing values, or leave the rows out."""
        for role in ("model", "split", "row", "seen", "weight"):
            if self.has(role):
                count = self._count(self.absent(self.sql(role), self.kinds[role]))
                if count:
                    raise InputError(
                        f"{self.title(role)} is missing in {_rows(count)}; every row needs a "
                        f"{role}: fill it in or leave the column out"
                    )
        self.bare = self._bare(scores)
        lacking = {
            self.title(role): self.absent(self.sql(role), self.kinds[role])
            for role in ("truth", "label")
            if self.has(role)
        }
        if scores:
            any_absent = " OR ".join(self.absent(f"CAST({s} AS DOUBLE)", "number") for s in scores)
            lacking["score"] = f"(({any_absent}){self._not_bare()})"
        counts = {name: self._count(sql) for name, sql in lacking.items()}
        if not any(counts.values()):
            return
        said = "; ".join(f"{name} is missing in {_rows(n)}" for name, n in counts.items() if n)
        if self.options.missing == "refuse":
            raise InputError(
                f"{said}. Complete them, or drop these rows with missing='drop' "
                "(command line: --drop-missing)"
            )
        condition = " OR ".join(lacking.values())
        dropped = self._count(condition)
        if dropped == rows:
            raise InputError(f"{said}: no complete row is left; check the columns")
        self.engine.run(f"CREATE VIEW complete AS SELECT * FROM {SOURCE} WHERE NOT ({condition})")
        self.source = "complete"
        self.notes.append(f"dropped {_rows(dropped)} of {rows} with missing values ({said})")

    def _count(self, condition: str) -> int:
        sql = f"SELECT count(*) FROM {self.source} WHERE {condition}"
        return int(self.engine.rows(sql)[0][0])

    def _bare(self, scores: list[str]) -> list[Any]:
        """The models that have labels but no score in any row, while others have."""
        if not scores or not self.has("model") or not self.has("label"):
            return []
        there = " OR ".join(f"NOT {self.absent(f'CAST({s} AS DOUBLE)', 'number')}" for s in scores)
        found = self.engine.rows(
            f"SELECT {self.sql('model')} AS model, bool_or({there}) FROM {self.source} "
            "GROUP BY model"
        )
        bare = [model for model, any_there in found if not any_there]
        return [] if len(bare) == len(found) else bare

    def _not_bare(self) -> str:
        if not self.bare:
            return ""
        import pyarrow as pa

        self.engine.keep(pa.table({"model": pa.array(self.bare)}), "bare")
        return f" AND {self.sql('model')} NOT IN (SELECT model FROM bare)"

    def _weight_kind(self) -> WeightKind | None:
        kind = self.options.weights
        if kind not in (None, "frequency", "sampling"):
            raise InputError(f"weights={kind!r}: choose 'frequency' (counts) or 'sampling'")
        if not self.has("weight"):
            return None
        title = self.title("weight")
        if self.kinds["weight"] == "text":
            raise InputError(f"{title}: expected numbers, got text")
        w = f"CAST({self.sql('weight')} AS DOUBLE)"
        low, high, broken = self.engine.rows(
            f"SELECT min({w}), max({w}), count(*) FILTER ({w} <> floor({w})) FROM {self.source}"
        )[0]
        if low < 0 or not np.isfinite(high):
            worst = low if low < 0 else high
            raise InputError(f"{title}: {worst:g}; weights are finite and not negative")
        if high == 0:
            raise InputError("weight: all weights are 0, so there is nothing to count")
        if kind is None:
            kind = "sampling" if broken else "frequency"
            self.notes.append(f"weights read as {kind} weights (say weights= otherwise)")
        if kind == "frequency" and broken:
            raise InputError(
                f"{title}: {_rows(broken)} without a whole number, so it cannot be a count; say "
                "weights='sampling'"
            )
        return kind

    # --- classes or numbers ------------------------------------------------------------------

    def _task(self, scores: list[str]) -> tuple[Task, list[Column]]:
        """Classes or numbers; of classes also the different truths and labels."""
        options, pair = self.options, [role for role in ("truth", "label") if self.has(role)]
        if options.task == "number":
            return "number", []
        named = bool(scores) or options.classes is not None or options.positive is not None
        counts = ", ".join(f"approx_count_distinct({self.sql(role)})" for role in pair)
        different = self.engine.rows(f"SELECT {counts} FROM {self.source}")[0]
        plain = all(self.kinds[role] in ("whole", "number") for role in pair)
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
        pairs = [
            replace(
                column(
                    self.engine.table(
                        f"SELECT DISTINCT {self.sql(role)} AS v FROM {self.source} ORDER BY v"
                    )["v"],
                    role,
                ),
                name=self.title(role),
            )
            for role in pair
        ]
        decided = pairs[1] if len(pairs) > 1 else None
        return task_of(options.task, pairs[0], decided, named, self.notes), pairs

    def _broken(self, pair: list[str]) -> bool:
        """Whether a column holds numbers that are not whole."""
        numbers = [self.sql(role) for role in pair if self.kinds[role] == "number"]
        if not numbers:
            return False
        return self._count(" OR ".join(f"{sql} <> floor({sql})" for sql in numbers)) > 0

    # --- numbers ---------------------------------------------------------------------------------

    def _numbers(self, weight_kind: WeightKind | None) -> Prepared:
        if not self.has("label"):
            raise InputError("a task of numbers needs label= (the predicted numbers)")
        for role in ("truth", "label"):
            if self.kinds[role] == "text":
                raise InputError(
                    f"{self.title(role)} holds text, not numbers; for classes leave out "
                    "task='number'"
                )
            sql = f"CAST({self.sql(role)} AS DOUBLE)"
            count = self._count(f"isinf({sql})")
            if count:
                raise InputError(
                    f"{self.title(role)}: infinite in {_rows(count)}; numbers must be finite: "
                    "correct them or leave these rows out"
                )
        columns = [f"CAST({self.sql(role)} AS DOUBLE) AS {role}" for role in ("truth", "label")]
        self._view(columns, [])
        keys, models, splits, counted = self._counted("0", "0")
        meta = Meta("number", weight_kind=weight_kind, design=self.options.design)
        return self._made(meta, models, splits, keys, counted, 0)

    # --- classes ---------------------------------------------------------------------------------

    def _classes(
        self, scores: list[str], pairs: list[Column], weight_kind: WeightKind | None
    ) -> Prepared:
        options = self.options
        classes, positive = options.classes, options.positive
        if isinstance(classes, Iterable) and not isinstance(classes, str):
            classes = [as_label(label, pairs[0]) for label in classes]
        classes = None if classes is None else declared(classes, "classes")
        if positive is not None:
            positive = as_label(positive, pairs[0])
        names, columns = self._score_columns(pairs, classes)
        if not columns and not self.has("label"):
            raise InputError("give label= (decided classes or numbers), score=, or both")
        if names is not None and len(names) == 1:
            positive, names = named_positive(positive, names[0]), None
        decided = pairs[1] if len(pairs) > 1 else None
        known = known_classes(pairs[0], decided, classes, names)
        positive = positive_of(positive, known, self.notes)
        place = None if positive is None else known.index(positive)
        found = Scores()
        if columns:
            kind = options.scores or self.found.score_kind
            found = checked_scores(
                self.engine, self._scored_source(), columns, names, known, place, kind, self.notes
            )
        coded = [self._code(role, one, known) for role, one in zip(KEYS_OF, pairs, strict=False)]
        truth, joins = coded[0]
        if len(coded) > 1:
            label, more = coded[1]
            joins += more
        else:
            label = label_of(self.engine, self.source, found, place, self.notes)
        small = "UTINYINT" if len(known) <= 256 else "INTEGER"
        view = [f"CAST({truth} AS {small}) AS truth", f"CAST({label} AS {small}) AS label"]
        self._view([*view, *(f"{sql} AS s{at}" for at, sql in enumerate(found.columns))], joins)
        keys, models, splits, counted = self._counted("truth", "label")
        meta = Meta(
            "classes",
            known,
            positive,
            found.kind,
            score_kinds=self._score_kinds(models, found.kind),
            weight_kind=weight_kind,
            design=options.design,
        )
        return self._made(meta, models, splits, keys, counted, len(found.columns))

    def _scored_source(self) -> str:
        return self.source + (f" WHERE true{self._bare_condition()}" if self.bare else "")

    def _bare_condition(self) -> str:
        return f" AND {self.sql('model')} NOT IN (SELECT model FROM bare)" if self.bare else ""

    def _score_kinds(
        self, models: tuple[str, ...], kind: ScoreKind | None
    ) -> dict[str, ScoreKind | None]:
        if not self.bare:
            return {}
        bare = {str(model) for model in self.bare}
        self.notes.append(f"no scores for {', '.join(repr(m) for m in models if m in bare)}")
        return {model: None if model in bare else kind for model in models}

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
        chosen = _scores(self.found, named, pairs, classes)
        if chosen is None:
            return None, []
        if isinstance(chosen, Column):
            return None, [quoted(self.found.score_columns()[0])]
        assert isinstance(chosen, dict)
        return tuple(chosen), [quoted(one.name) for one in chosen.values()]

    def _code(self, role: str, one: Column, known: tuple[Label, ...]) -> tuple[str, list[str]]:
        """The code of each label as SQL, and the join that it needs."""
        codes = encode(one, known)
        sql = self.sql(role)
        direct = one.kind in ("bool", "whole") and codes.tolist() == one.values.astype(int).tolist()
        if direct:
            return sql, []
        import pyarrow as pa

        values = self.engine.table(f"SELECT DISTINCT {sql} AS v FROM {self.source} ORDER BY v")["v"]
        table = pa.table({"v": values, "code": pa.array(codes.astype(np.int32))})
        self.engine.keep(table, f"codes_{role}")
        return f"codes_{role}.code", [f"JOIN codes_{role} ON {sql} = codes_{role}.v"]

    # --- keys and counts ---------------------------------------------------------------------

    def _view(self, columns: list[str], joins: list[str]) -> None:
        """Serve the columns under our names."""
        more = [f"{self.sql(role)} AS {role}" for role in KEYS if self.has(role)]
        if self.has("weight"):
            more.append(f"CAST({self.sql('weight')} AS DOUBLE) AS weight")
        chosen = ", ".join([*columns, *more])
        joined = " ".join([self.source, *joins])
        self.engine.run(f"CREATE VIEW {VIEW} AS SELECT {chosen} FROM {joined}")

    def _counted(self, truth: str, label: str) -> tuple[Keys, tuple[str, ...], Splits, Cells]:
        names = [role for role in KEYS if self.has(role)]
        weight = "fsum(weight), fsum(weight * weight)" if self.has("weight") else "NULL, NULL"
        chosen = ", ".join([*names, f"{truth} AS t", f"{label} AS l"])
        table = self.engine.table(
            f"SELECT {chosen}, count(*) AS n, {weight} FROM {VIEW} GROUP BY ALL ORDER BY ALL"
        )
        columns = [table[at] for at in range(table.num_columns)]
        stored = list(zip(*(one.to_pylist() for one in columns[: len(names)]), strict=True))
        unique = tuple(dict.fromkeys(stored)) if names else ((),)
        place = {key: at for at, key in enumerate(unique)}
        keyed = np.zeros(table.num_rows, np.int64)
        if names:
            keyed[:] = [place[key] for key in stored]
        rows = columns[-3].to_numpy().astype(np.float64)
        sums = [rows] + [rows if one.null_count else one.to_numpy() for one in columns[-2:]]
        keys, models, splits = self._keys(names, unique)
        cells = Cells(keyed, columns[-5].to_numpy(), columns[-4].to_numpy(), np.stack(sums))
        return keys, models, splits, cells

    def _keys(
        self, names: list[str], unique: tuple[tuple[Any, ...], ...]
    ) -> tuple[Keys, tuple[str, ...], Splits]:
        columns = {
            name: column([key[at] for key in unique], self.title(name))
            for at, name in enumerate(names)
        }
        models, model_code = coded_models(
            columns.get("model") or self.found.model_name or self.located.stem
        )
        seen = _seen(columns.get("seen"))
        splits, split_code, seen = coded_splits(columns.get("split"), seen, self.notes)
        nothing = np.zeros(len(unique), np.int64)
        keys = Keys(
            unique,
            nothing if model_code is None else model_code,
            nothing if split_code is None else split_code,
            nothing if seen is None else seen.astype(np.int64),
        )
        return keys, models, self._known_splits(splits)

    def _known_splits(self, splits: Splits) -> Splits:
        """The splits as the file that we wrote describes them."""
        from heliast.predictions._splits import Split

        if self.located.stored is None:
            return splits
        written = {
            str(record["split"]): Split(**record) for record in self.located.stored["splits"]
        }
        return Splits(tuple(written.get(str(one.split), one) for one in splits))

    def _made(
        self,
        meta: Meta,
        models: tuple[str, ...],
        splits: Splits,
        keys: Keys,
        counted: Cells,
        scores: int,
    ) -> Prepared:
        if self.has("row"):
            self.notes.append("scanned: whether a row occurs twice is not checked")
        return Prepared(
            self.engine,
            replace(meta, notes=tuple(dict.fromkeys(self.notes))),
            models,
            splits,
            keys,
            counted,
            tuple(role for role in KEYS if self.has(role)),
            scores,
            self.has("weight"),
        )


KEYS_OF = ("truth", "label")


def _seen(one: Column | None) -> Array | None:
    if one is None:
        return None
    values = one.values
    if one.kind == "text" or (values < 0).any() or (values != np.floor(values)).any():
        raise InputError(
            f"{one.name}: {one.first()!r}; expected whole numbers >= 0 "
            "(0 = the row was not trained on)"
        )
    return values.astype(np.int64)


def _rows(count: int) -> str:
    return f"{count:,} {'row' if count == 1 else 'rows'}"
