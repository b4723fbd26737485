"""Paired: the models of one table row by row, as tests of differences read them."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from math import nan
from typing import Any, Literal

import numpy as np

from heliast._core.clusters import few, few_hold, sizes, too_few
from heliast._core.columns import column
from heliast._core.distinct import compact
from heliast._core.errors import InputError, NotEnoughData
from heliast._core.kinds import Array
from heliast._core.notes import Note
from heliast.estimates.resampled import Case, loss_of, over_splits
from heliast.measures import Measure
from heliast.measures.forms import Form, Statistic, Undefined
from heliast.measures.summaries import Counted
from heliast.predictions import Predictions, Rows

MOST_COUNTED = 20_000_000


class Paired:
    """The models of one table that can be compared: with a value, on the same rows.

    Groups, weights, class shares and grades enter here, in `rows`, `losses` and `influences`;
    the tests read these.

    Parameters
    ----------
    table : Predictions
        The rows to compare by.
    measure : Measure
        What is compared.
    cases : mapping of str to Case
        Each model that is complete, with its rows.
    left_out : mapping of str to str
        Models that cannot be compared, and why; those without a value join them.

    Examples
    --------
    >>> from heliast.estimates.resampled import Parts
    >>> from heliast.measures import get
    >>> y_true, error = ["x", "y"] * 4, get("error")
    >>> table = Predictions.of(y_true, y_true, model="a").join(
    ...     Predictions.of(y_true, ["x"] * 8, model="b"))
    >>> cases = {m: Case(Parts(table, m), table.only(m), error) for m in table.models}
    >>> Paired(table, error, cases, {}).values
    {'a': 0.0, 'b': 0.5}
    """

    def __init__(
        self,
        table: Predictions,
        measure: Measure,
        cases: Mapping[str, Case],
        left_out: Mapping[str, str],
    ) -> None:
        self.table, self.measure, self.notes = table, measure, table.notes
        self.left_out, self.values = dict(left_out), dict[str, float]()
        self.cases = dict[str, Case]()
        for model, case in cases.items():
            single = case.parts.single
            point = over_splits(case, "none") if single is None else measure.form(single)
            if np.isfinite(point.value):
                self.values[model], self.cases[model] = float(point.value), case
            else:
                self.left_out[model] = getattr(point, "reason", "") or "no finite value"

    @property
    def models(self) -> tuple[str, ...]:
        """The models that are compared; refused if there are fewer than two."""
        if len(self.cases) < 2:
            reasons = "; ".join(f"{name}: {why}" for name, why in self.left_out.items())
            raise NotEnoughData(f"fewer than two models can be compared ({reasons})")
        return tuple(self.cases)

    @property
    def first(self) -> Case:
        """The case of the first model: the design is the same for all."""
        return self.cases[self.models[0]]

    @property
    def single(self) -> bool:
        """Whether there is one test set."""
        return self.first.parts.single is not None

    @property
    def in_order(self) -> bool:
        """Whether rows are in order of time."""
        return self.table.meta.design == "time"

    @property
    def better(self) -> Literal["high", "low"]:
        """Which values are better."""
        return self.measure.better

    @property
    def groups(self) -> int | None:
        """The number of groups, if rows come in groups."""
        return None if self.table.group is None else int(np.unique(self.table.group).size)

    # --- row by row ----------------------------------------------------------------------------

    @cached_property
    def rows(self) -> dict[str, Rows]:
        """The rows of each model in the same order, by row and split; refused if they differ."""
        table, names = self.table, self.table.row
        if names is not None and not compact(names):
            names = column(names, "row").coded()[1]
        model_code, split_code = table.codes("model"), table.codes("split")
        rows, first = dict[str, Rows](), dict[str, Any]()
        for model, case in self.cases.items():
            mine = np.flatnonzero(model_code == table.models.index(model))
            keys = [split_code[mine]] if names is None else [names[mine], split_code[mine]]
            order = np.lexsort(keys)
            ordered = case.parts.whole.rows()
            if (np.diff(order) != 1).any():
                ordered = ordered.at(order)
            columns: dict[str, Any] = {"split": keys[-1][order], "row": keys[0][order]}
            columns |= {name: getattr(ordered, name) for name in ("y_true", "weight", "group")}
            first = first or columns
            for name, values in columns.items():
                if not np.array_equal(values, first[name]):
                    a, b = self.models[0], model
                    raise InputError(
                        f"the rows of {a!r} and {b!r} do not pair: some rows have another {name} "
                        f"for {b!r} than for {a!r}"
                    )
            fixed = case.parts.prevalences is not None
            rows[model] = ordered.by_design() if fixed else ordered
        return rows

    def check_pairs(self) -> None:
        """Refuse models whose rows are not the same."""
        _ = self.rows

    @property
    def shared(self) -> Rows:
        """The rows of the first model, for what all have in common: `y_true`, `group`, `design`."""
        return self.rows[self.models[0]]

    @property
    def group(self) -> Array | None:
        """The group of each row, if rows come in groups; in the order of `rows`."""
        return self.shared.group

    @property
    def strata(self) -> Array | None:
        """The class of each row, where the number of rows per class was fixed by design."""
        return self.shared.y_true if self.shared.design == "classes" else None

    @property
    def drawn_alone(self) -> str:
        """Why rows were not drawn at random one by one; empty if they were."""
        if self.strata is not None:
            return "takes rows as drawn at random, but their numbers per class were fixed by design"
        return "" if self.group is None else "takes rows as independent, but these come in groups"

    @cached_property
    def forms(self) -> dict[str, Form]:
        """The measure's form of each model, over all its rows."""
        return {
            model: self.measure.form(Counted(rows, self.cases[model].parts.prevalences))
            for model, rows in self.rows.items()
        }

    @cached_property
    def losses(self) -> dict[str, Array] | None:
        """The loss of each row, where the measure is a mean of such; in the order of `rows`."""
        losses = {model: loss_of(form) for model, form in self.forms.items()}
        found = {model: loss(self.rows[model]) for model, loss in losses.items() if loss}
        return found if len(found) == len(losses) else None

    @cached_property
    def influences(self) -> dict[str, Array] | None:
        """The value plus the influence of each row, where known; in the order of `rows`.

        For a mean of row losses these are the losses. With class counts fixed by design the
        influence of a row is centred in its class, times pi_c n / n_c.
        """
        values = dict[str, Array]()
        for model, form in self.forms.items():
            if isinstance(form, Undefined) or (isinstance(form, Statistic) and form.psi is None):
                return None
            values[model] = self.values[model] + form.influence(self.rows[model])
            if not np.isfinite(values[model]).all():
                return None
        return values

    @property
    def graded(self) -> bool:
        """Whether rows are graded answers."""
        return self.table.task == "graded"

    @cached_property
    def wrong(self) -> dict[str, Array] | None:
        """Whether each row is wrong, where the measure counts right and wrong rows."""
        if not self.graded:
            counted = self.measure.name in ("error", "accuracy")
            pairs = self.rows.items()
            return {m: rows.y_pred != rows.y_true for m, rows in pairs} if counted else None
        unit = (self.table.meta.bounds or (0.0, 1.0)) == (0.0, 1.0)
        once = self.table.scores is None and bool(np.isin(self.table.y_pred, (0, 1)).all())
        if self.measure.name not in ("grade", "pass@k") or not (unit and once):
            return None
        return {model: rows.y_pred == 0 for model, rows in self.rows.items()}

    @property
    def rarest(self) -> float:
        """The share outside the largest class; NaN without classes."""
        if self.table.task != "classification":
            return nan
        prevalences = self.first.parts.prevalences
        if prevalences is not None:
            return 1 - max(prevalences.values())
        shares = np.bincount(self.shared.y_true)
        return 1 - float(shares.max() / shares.sum())

    def identical(self, a: str, b: str) -> bool:
        """Whether two models make the same predictions, as far as the measure reads them."""
        first, second = self.rows[a], self.rows[b]
        same = np.array_equal(first.y_pred, second.y_pred)
        if self.measure.needs == "label" or not same:
            return same
        return first.scores is not None and np.array_equal(first.scores, np.asarray(second.scores))

    def won(self, a: str, b: str) -> tuple[int, int, int] | None:
        """On how many rows a is better than b, as good, and worse, where rows tell."""
        if self.losses is None:
            return None
        gain = self.losses[a] - self.losses[b]
        up, down = int(np.count_nonzero(gain > 0)), int(np.count_nonzero(gain < 0))
        wins, losses = (up, down) if self.better == "high" else (down, up)
        return wins, gain.size - up - down, losses

    # --- one test set --------------------------------------------------------------------------

    def as_one_set(self) -> tuple[str, ...]:
        """Refuse what no test on one test set is valid for; notes on the rest.

        Rows with a frequency weight are repeated.
        """
        self.check_pairs()
        if self.table.weight is not None:
            self._repeat_rows()
        if self.group is None:
            return ()
        groups = sizes(self.group)
        if why := too_few(groups, "a test"):
            raise NotEnoughData(why)
        note = Note("rows come in groups: what varies is groups, not rows", "groups")
        rough = "p and interval are rough"
        notes = few(groups, rough)
        if not notes and self.losses is None and self.table.task == "classification":
            notes = few_hold(self.group, self.shared.y_true, rough)
        return (note, *notes)

    def _repeat_rows(self) -> None:
        if self.table.meta.weight_kind == "sampling":
            raise InputError("rows have sampling weights: no test on one test set takes them")
        for model, rows in self.rows.items():
            times = np.asarray(rows.weight).astype(np.int64)
            if times.sum() > MOST_COUNTED or (times != rows.weight).any():
                raise InputError(f"weights: frequencies must be whole, together <= {MOST_COUNTED}")
            repeated = rows.at(np.repeat(np.arange(rows.n), times))
            self.rows[model] = replace(repeated, weight=None, weight_kind=None)
