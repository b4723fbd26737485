"""fit: the final model, fitted on all rows, with the estimate of its learning algorithm."""

import os
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from heliast._core.costs import Costs
from heliast._core.errors import InputError, NothingFitted
from heliast._core.frames import in_library
from heliast._core.kinds import Array
from heliast._core.labels import Label
from heliast._core.records import named
from heliast.data import Dataset
from heliast.estimates import Estimate
from heliast.fitting.final import final, kind_of
from heliast.fitting.loading import save_model
from heliast.fitting.panel import candidates
from heliast.fitting.run import as_dataset, as_frozen, named_models, run
from heliast.fitting.store import Store
from heliast.measures import Measure
from heliast.plans import FrozenPlan
from heliast.predictions import Predictions, failures
from heliast.verbs.assess import Assessment, assess_table
from heliast.verbs.combine import Combination
from heliast.verbs.headline import Headline, best_first, select_headline
from heliast.verbs.options import Options
from heliast.views.methods import Facts
from heliast.views.numbers import count, plural, short_name
from heliast.views.record import Record, Table

if TYPE_CHECKING:
    from heliast.views.plots import Plot

NESTED = "nested selection"


@dataclass(frozen=True, eq=False, repr=False)
class Fitted(Record):
    """A model fitted on all rows, and the estimate of its learning algorithm; made by `fit`.

    Parameters
    ----------
    name : str
        The model that was selected.
    model : estimator
        That model fitted on all rows.
    estimate : Estimate
        The estimate of its learning algorithm, the selection taken into account.
    choice : str
        How it was selected; empty where there was one model.
    assessment : Assessment
        Every model as it was assessed.
    predictions : Predictions
        The table that everything is computed from.
    inputs : tuple of str
        The features.
    n : int
        The rows that the model was fitted on.
    n_train : float, optional
        Training rows of the algorithm where it was assessed.
    about : mapping
        The data, the plan and the target.

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> fitted = fit(GaussianNB(), "sklearn:iris", 5)
    >>> fitted.name, fitted.n, fitted.n_train, fitted.estimate.target
    ('GaussianNB', 150, 120.0, 'algorithm')
    """

    name: str
    model: Any
    estimate: Estimate
    choice: str
    assessment: Assessment
    predictions: Predictions
    inputs: tuple[str, ...]
    n: int
    n_train: float | None = None
    about: Mapping[str, object] = field(default_factory=dict)

    @property
    def card(self) -> dict[str, object]:
        """All that is to be known of the model: saved in its file, and read by `predict`."""
        meta = self.predictions.meta
        return {
            **self.to_dict(),
            **self.about,
            "data_fingerprint": meta.data_fingerprint,
            "plan_fingerprint": meta.plan_fingerprint,
            "seed": meta.seed,
            "versions": dict(meta.versions),
        }

    @property
    def measure(self) -> str:
        """The measure that models were selected and assessed by."""
        return self.estimate.measure

    @property
    def summary(self) -> str:
        """The estimate, and what it is of: the learning algorithm, not this one fit."""
        stated = Headline(self.estimate).sentence()
        chosen = f", {self.choice}." if self.choice else "."
        rows = "" if self.n_train is None else f" trained on {count(self.n_train)} rows"
        return (
            f"{stated[:-1]}{chosen} {short_name(self.name)} is fitted on all {count(self.n)} rows; "
            f"the estimate is of its learning algorithm{rows}, as no row is left to assess "
            "this fit."
        )

    @property
    def notes(self) -> tuple[str, ...]:
        """The notes of the assessment."""
        return self.assessment.notes

    def tables(self) -> tuple[Table, ...]:
        """Every model as it was assessed.

        Returns
        -------
        tuple of Table
            The main table first.
        """
        return self.assessment.tables()

    def records(self) -> list[dict[str, object]]:
        """A row for each estimate of the assessment.

        Returns
        -------
        list of dict
            A dict for each row.
        """
        return self.assessment.records()

    def plots(self) -> Mapping[str, "Callable[[], Plot]"]:
        """Those of the assessment.

        Returns
        -------
        mapping
            A function that makes each plot, by name.
        """
        return self.assessment.plots()

    def facts(self) -> Facts:
        """The facts of a paragraph on methods.

        Returns
        -------
        Facts
            For `methods()`.
        """
        return self.assessment.facts()

    def predict(self, X: Any) -> Array:
        """The predictions of the model for new rows.

        Parameters
        ----------
        X : Dataset, data frame or 2-D array
            New rows; the columns of an array are in the order of `inputs`.

        Returns
        -------
        array
            A class, or number, for each row.
        """
        takes_arrays = getattr(self.model, "feature_names_in_", None) is None
        if isinstance(X, Dataset):
            X = X.rows(np.arange(X.n)) if takes_arrays else X.to_frame("pandas")
        elif not takes_arrays and not hasattr(X, "columns"):
            X = self._frame_of(np.asarray(X, object))
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="X has feature names")
            predicted: Array = self.model.predict(X)
        return predicted

    def _frame_of(self, X: Array) -> Any:
        import pyarrow as pa

        if X.ndim != 2 or X.shape[1] != len(self.inputs):
            raise InputError(
                f"X: expected rows of {len(self.inputs)} features, got shape {X.shape}"
            )
        columns = zip(self.inputs, X.T.tolist(), strict=True)
        table = pa.table({name: pa.array(values) for name, values in columns})
        return in_library(table, "pandas")

    def save(self, path: "str | os.PathLike[str]") -> Path:
        """Write the model as a skops file, which `load_model` reads, with its card inside.

        Parameters
        ----------
        path : path
            A name that ends in `.skops`.

        Returns
        -------
        Path
            The file written.
        """
        return save_model(self.model, path, self.card)

    def to_dict(self) -> dict[str, object]:
        """Everything but the model and the table.

        Returns
        -------
        dict
            Plain values that JSON can hold.
        """
        names = "summary name measure choice n n_train inputs estimate"
        return {**named(self, names), "assessment": self.assessment.to_dict()}


def fit(
    models: object,
    data: object,
    plan: object = 10,
    *,
    nested: object = None,
    measure: str | Measure | None = None,
    level: float = 0.95,
    interval: str | None = "auto",
    cost: Costs | None = None,
    prevalences: Mapping[Label, float] | None = None,
    seed: int = 0,
    engine: str = "local",
    jobs: int | None = None,
    store: str | os.PathLike[str] | Store | None = None,
    progress: bool = False,
) -> Fitted:
    """Select the best of some models, fit it on all rows, and estimate its learning algorithm.

    Models are assessed on the splits of a resampling plan, and the best is fitted again on all
    rows. Its estimate is of the learning algorithm trained on the rows of a split, adjusted for the
    selection; with `nested` the selection itself is repeated inside the training rows of each
    split. With `ThreeWay` the validation rows select, tune grid and random searches, and the test
    rows assess (with other plans searches tune themselves).

    Parameters
    ----------
    models : estimator, mapping, sequence or Combination
        scikit-learn estimators by name, one, or several; also searches over hyperparameters. Of
        what `combine` returned the recommended candidate is fitted.
    data : Dataset, pair (X, y), or what `read` takes
        Rows with classes or numbers.
    plan : Plan, int or splitter, default 10
        The resampling plan; a number is so many folds.
    nested : Plan, int or splitter, optional
        How the training rows of each split, and all rows in the end, are split to select.
    measure : str or Measure, optional
        What models are selected and assessed by: the error, the mean absolute error for regression,
        the expected cost where costs are given.
    level : float
        The confidence level of intervals.
    interval : str or None
        The method of intervals: `auto`, or a name from `heliast.estimates`; None gives none.
    cost : array-like, optional
        Cost matrix, rows = true class, columns = predicted class.
    prevalences : mapping, optional
        Share of each class in the population, where class counts were fixed by design.
    seed : int
        Random seed of splits and fits.
    engine, jobs, store, progress
        Those of `run`; the last fit is done here.

    Returns
    -------
    Fitted
        The model and its estimate.

    Raises
    ------
    InputError
        If no model can be fitted and assessed.

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> rows = [[1.0], [2.0], [8.0], [9.0]] * 5, list("aabb") * 5
    >>> fitted = fit({"bayes": GaussianNB()}, rows, 5)
    >>> fitted.predict([[7.5]]).tolist(), fitted.estimate.value
    (['b'], 0.0)

    References
    ----------
    I. Tsamardinos, E. Greasidou and G. Borboudakis (2018), Bootstrapping the out-of-sample
    predictions for efficient and accurate cross-validation, Machine Learning 107. S. Varma and
    R. Simon (2006), Bias in error estimation when using cross-validation for model selection, BMC
    Bioinformatics 7:91: nested.
    """
    options = Options(
        measures=measure, level=level, interval=interval, cost=cost, prevalences=prevalences,
        seed=seed,
    )  # fmt: skip
    source = as_dataset(data)
    if isinstance(models, Combination):
        if nested is not None:
            raise InputError("nested: what combine recommends was selected already; leave it out")
        return _fit_recommended(models, source, seed)
    chosen = options.only_measure(source.task)
    options.check_used([chosen])
    frozen = as_frozen(plan, source, seed)
    recipes = named_models(models)
    if frozen.splits.of_role("validation"):
        recipes = candidates(recipes, seed)
    how = {"engine": engine, "jobs": jobs, "store": store, "progress": progress}
    judge = _Judge(recipes, options.about(chosen), how)
    if nested is not None:
        _check_nesting(frozen)
    table = judge.run(source, frozen)
    assessment = assess_table(table, judge.options)
    if nested is None:
        name = judge.best(assessment)
        stated = select_headline(assessment.overall, name, assessment.selected)
        estimate, choice = stated.estimate, stated.words
    else:
        name, estimate = judge.select(source, nested), judge.nest(table, source, frozen, nested)
        choice = f"selected among {plural(len(recipes), 'model')} inside each split"
    return Fitted(
        name, final(recipes[name], source, name, seed), replace(estimate, model=name), choice,
        assessment, table, source.names, source.n, _training_rows(estimate, table),
        _about(source, str(frozen.plan)),
    )  # fmt: skip


def _fit_recommended(combination: Combination, data: Dataset, seed: int) -> Fitted:
    """The recommended candidate of a combination fitted on all rows, with its estimate."""
    if not combination.recipes:
        raise InputError("the combination was read from predictions: no models to fit; give data")
    if combination.predictions.meta.data_fingerprint != data.fingerprint:
        raise InputError("combine saw other data than these: give both the same")
    name, stated, candidate_names = (
        combination.recommended,
        combination.headline,
        combination.candidates,
    )
    assessed = combination.assessment
    assessment = replace(
        assessed,
        estimates=tuple(entry for entry in assessed.estimates if entry.model in candidate_names),
        models=tuple(model for model in assessed.models if model in candidate_names),
        selected=combination.selected,
    )
    return Fitted(
        name, final(combination.recipes[name], data, name, seed),
        replace(stated.estimate, model=name), stated.words, assessment,
        combination.predictions.only([*candidate_names]), data.names, data.n,
        _training_rows(stated.estimate, combination.predictions), _about(data),
    )  # fmt: skip


def _about(data: Dataset, plan: str = "") -> dict[str, object]:
    """The data and the plan, for the card."""
    inputs = [
        {"name": part.name, "kind": kind_of(part)}
        | ({} if part.categories is None else {"categories": list(part.categories)})
        for part in data.inputs
    ]
    return {
        "data": data.name, "task": data.task, "target": data.target,
        "classes": list(data.classes), "inputs": inputs, **({"plan": plan} if plan else {}),
    }  # fmt: skip


@dataclass(frozen=True)
class _Judge:
    """Models to select from, by what, and how the work is done."""

    recipes: Mapping[str, Any]
    options: Options
    how: Mapping[str, Any]

    @property
    def measure(self) -> Measure:
        measure: Measure = self.options.measures[0]
        return measure

    def run(self, data: Dataset, plan: object) -> Predictions:
        """The predictions of each model itself, without its further outputs."""
        table = run(self.recipes, data, plan, self.options.seed, **self.how)
        return table.only(model=[name for name in self.recipes if name in table.models])

    def best(self, assessment: Assessment) -> str:
        """The best of the models that were assessed on all rows."""
        if assessment.selected is not None:
            return assessment.selected.model
        ranked = best_first(assessment.overall)
        if not ranked[0].defined:
            why = "; ".join(f"{entry.model}: {entry.reason}" for entry in ranked)
            raise NothingFitted(f"fit: no model can be judged ({why})")
        return ranked[0].model

    def select(self, data: Dataset, plan: object) -> str:
        """The best on the splits of a plan, of the models that never failed."""
        table = self.run(data, plan)
        broken = failures(table.cells)
        complete = [name for name in table.models if name not in broken]
        if not complete:
            why = "; ".join(f"{name} {reason}" for name, reason in broken.items())
            raise NothingFitted(f"fit: no model can be judged ({why})")
        if len(complete) == 1:
            return complete[0]
        return self.best(assess_table(table.only(model=complete), self.options))

    def nest(self, table: Predictions, data: Dataset, plan: FrozenPlan, inner: object) -> Estimate:
        """The estimate of the selection: in each split the model that its training rows select.

        Every model was fitted on every split already; what is fitted anew selects among them.
        """
        model, split = table.codes("model"), table.codes("split")
        keep = np.zeros(len(table), bool)
        kinds = set()
        for piece in plan:
            name = self.select(data.subset(piece.train), inner)
            place = table.splits.places[piece.record.split]
            keep |= (model == table.models.index(name)) & (split == place)
            kinds.add(table.score_kind_of(name))
        kind = kinds.pop() if len(kinds) == 1 else None
        selected = replace(
            table.where(keep), models=(NESTED,), model_code=None, cells=(),
            meta=replace(table.meta, score_kind=kind, score_kinds={}),
        )  # fmt: skip
        selected = replace(selected, scores=None) if kind is None else selected
        return assess_table(selected, self.options)[NESTED, self.measure.title]


def _check_nesting(plan: FrozenPlan) -> None:
    for piece in plan:
        why = ""
        if piece.record.role != "test":
            why = "has rows of other roles than test (validation rows choose without nesting)"
        elif piece.fresh is not None or piece.y_true is not None:
            why = "changes training rows"
        elif np.unique(piece.train).size < piece.train.size:
            why = "trains on rows more than once"
        if why:
            raise InputError(f"nested: {plan.plan} {why}; take folds, as plan=10")


def _training_rows(estimate: Estimate, table: Predictions) -> float | None:
    """The training rows where the algorithm was assessed, if all splits agree."""
    if estimate.n_train is not None:
        return float(estimate.n_train)
    sizes = {split.n_train for split in table.splits.of_role("test")}
    known = sizes.pop() if len(sizes) == 1 else None
    return None if known is None else float(known)
