"""fit: the model to keep, fitted on all rows, with the estimate that speaks for it."""

import os
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from heliast._core.costs import Costs
from heliast._core.errors import InputError, NothingFitted
from heliast._core.frames import in_library
from heliast._core.kinds import Array
from heliast._core.labels import Label
from heliast._core.records import Says, Spoken, named
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
from heliast.verbs.assess import Assessment, assessed
from heliast.verbs.combine import Combination
from heliast.verbs.question import Question, refuse
from heliast.views.fitted import fitted_html, fitted_sentence, fitted_text
from heliast.views.sentences import announced

NESTED = "the choice"


@dataclass(frozen=True, eq=False, repr=False)
class Fitted(Spoken):
    """A model fitted on all rows, and what its recipe is worth; made by `fit`.

    Parameters
    ----------
    name : str
        The recipe that was chosen.
    model : estimator
        That recipe fitted on all rows.
    estimate : Estimate
        What the recipe is worth on new rows, the choice taken into account where there was one.
    choice : str
        How it was chosen, in words; empty where there was one model.
    assessment : Assessment
        Every model as it was judged.
    predictions : Predictions
        The table that everything is read from.
    inputs : tuple of str
        The columns that the model was fitted on.
    n : int
        The rows that the model was fitted on.
    n_train : float, optional
        The rows that the recipe was fitted on where it was judged.
    about : mapping
        The data, the plan and the target: what the card of the model says of them.

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> kept = fit(GaussianNB(), "sklearn:iris", 5)
    >>> kept.name, kept.n, kept.n_train, kept.estimate.target
    ('GaussianNB', 150, 120.0, 'algorithm')
    """

    _says: ClassVar[Says] = fitted_sentence, fitted_text, fitted_html
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
        """All that is to be known of the model: kept in its file, and read by `predict`."""
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
        """What models were chosen and judged by."""
        return self.estimate.measure

    def predict(self, X: Any) -> Array:
        """What the model says of new rows.

        Parameters
        ----------
        X : Dataset, data frame or 2-D array
            New rows; the columns of an array stand in the order of `inputs`.

        Returns
        -------
        array
            A label, or number, for each row.
        """
        if isinstance(X, Dataset):
            X = X.rows(np.arange(X.n)) if self._takes_arrays else X.to_frame("pandas")
        elif not self._takes_arrays and not hasattr(X, "columns"):
            X = self._framed(np.asarray(X, object))
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="X has feature names")
            found: Array = self.model.predict(X)
        return found

    def _framed(self, X: Array) -> Any:
        import pyarrow as pa

        if X.ndim != 2 or X.shape[1] != len(self.inputs):
            raise InputError(f"X: expected rows of {len(self.inputs)} inputs, got shape {X.shape}")
        columns = zip(self.inputs, X.T.tolist(), strict=True)
        return in_library(pa.table({name: pa.array(one) for name, one in columns}), "pandas")

    @property
    def _takes_arrays(self) -> bool:
        return getattr(self.model, "feature_names_in_", None) is None

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
        return {
            **named(self, "sentence name measure choice n n_train inputs estimate"),
            "assessment": self.assessment.to_dict(),
        }


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
    **unusable: object,
) -> Fitted:
    """Choose the best of some models, fit it on all rows, and say what its recipe is worth.

    Models are judged on the splits of a plan, and the best is fitted again on all rows. No row is
    left to judge this fit by, so the estimate speaks for its recipe, fitted on the rows of a split.
    Where several models were there to choose from, its value is corrected for the choice; with
    `nested` the choice itself is judged: it is made anew inside the training rows of each split.
    With `ThreeWay` the validation rows choose and the test rows judge; grid and random searches
    are then tuned on the validation rows, too (with other plans they tune themselves).

    Parameters
    ----------
    models : estimator, mapping, sequence or Combination
        scikit-learn estimators by name, one, or several; also searches over parameters. Of what
        `combine` found the recommended candidate is fitted: nothing is chosen or judged again, so
        that plan and question are those of `combine`.
    data : Dataset, pair (X, y), or what `read` takes
        Rows with classes or numbers.
    plan : Plan, int or splitter, default 10
        How rows are split to judge by; a number is so many folds.
    nested : Plan, int or splitter, optional
        How the training rows of each split are split to choose by, and all rows in the end.
    measure : str or Measure, optional
        What models are chosen and judged by: if not given, the error, the mean absolute error of
        numbers, the expected cost where costs are given.
    level : float
        The confidence level of intervals.
    interval : str or None
        The method of intervals: `auto`, or a name from `heliast.estimates`; None gives none.
    cost : array-like, optional
        What each decision costs, rows = true class, columns = label.
    prevalences : mapping, optional
        Shares of the classes in the population, where class counts were fixed by design.
    seed : int
        Seed of splits and fits.
    engine, jobs, store, progress
        How the work is done: those of `run`; the last fit is done here.
    **unusable : object
        Parts of a question that other verbs answer (`threshold`, `test`, ...): refused by name.

    Returns
    -------
    Fitted
        The model, its estimate, and what that speaks for.

    Raises
    ------
    InputError
        If no model can be fitted and judged, or the question cannot be answered.

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> kept = fit({"bayes": GaussianNB()}, ([[1.0], [2.0], [8.0], [9.0]] * 5, list("aabb") * 5), 5)
    >>> kept.predict([[7.5]]).tolist(), kept.estimate.value
    (['b'], 0.0)

    References
    ----------
    I. Tsamardinos, E. Greasidou and G. Borboudakis (2018), Bootstrapping the out-of-sample
    predictions for efficient and accurate cross-validation, Machine Learning 107. S. Varma and
    R. Simon (2006), Bias in error estimation when using cross-validation for model selection, BMC
    Bioinformatics 7:91: nested.
    """
    refuse("fit", unusable)
    question = Question(
        measures=measure, level=level, interval=interval, cost=cost, prevalences=prevalences,
        seed=seed,
    )  # fmt: skip
    source = as_dataset(data)
    if isinstance(models, Combination):
        if nested is not None:
            raise InputError("nested: what combine recommends was chosen already; leave it out")
        return _recommended(models, source, seed)
    asked = question.only_measure(source.task)
    question.check_used([asked])
    frozen = as_frozen(plan, source, seed)
    recipes = named_models(models)
    if frozen.splits.of_role("validation"):
        recipes = candidates(recipes, seed)
    work = {"engine": engine, "jobs": jobs, "store": store, "progress": progress}
    judge = _Judge(recipes, question.about(asked), work)
    if nested is not None:
        _refuse_nesting(frozen)
    table = judge.table(source, frozen)
    found = assessed(table, judge.question)
    if nested is None:
        name = judge.best(found)
        every = [found[one, asked.title] for one in found.models]
        told = announced(every, name, found.selected)
        estimate, choice = told.estimate, told.words
    else:
        name, estimate = judge.chosen(source, nested), judge.nested(table, source, frozen, nested)
        choice = f"chosen among {len(recipes)} anew inside each split"
    return Fitted(
        name, final(recipes[name], source, name, seed), replace(estimate, model=name), choice,
        found, table, source.names, source.n, _trained(estimate, table),
        _about(source, str(frozen.plan)),
    )  # fmt: skip


def _recommended(it: Combination, data: Dataset, seed: int) -> Fitted:
    """The recommended candidate of a combination on all rows, with what was found of it."""
    if not it.recipes:
        raise InputError("the combination was read from predictions: no models to fit; give data")
    if it.predictions.meta.data_fingerprint != data.fingerprint:
        raise InputError("combine saw other data than these: give both the same")
    name, every = it.recommended, it.candidates
    told = announced([*every.values()], name, it.selected)
    found = replace(
        it.found,
        estimates=tuple(one for one in it.found.estimates if one.model in every),
        models=tuple(one for one in it.found.models if one in every),
        selected=it.selected,
    )
    return Fitted(
        name, final(it.recipes[name], data, name, seed), replace(told.estimate, model=name),
        told.words, found, it.predictions.only([*every]), data.names, data.n,
        _trained(told.estimate, it.predictions), _about(data),
    )  # fmt: skip


def _about(data: Dataset, plan: str = "") -> dict[str, object]:
    """What the card says of data and plan."""
    inputs = [
        {"name": one.name, "kind": kind_of(one)}
        | ({} if one.categories is None else {"categories": list(one.categories)})
        for one in data.inputs
    ]
    return {
        "data": data.name, "task": data.task, "target": data.target,
        "classes": list(data.classes), "inputs": inputs, **({"plan": plan} if plan else {}),
    }  # fmt: skip


@dataclass(frozen=True)
class _Judge:
    """Models to choose from, what they are chosen by, and how the work is done."""

    recipes: Mapping[str, Any]
    question: Question
    work: Mapping[str, Any]

    def table(self, data: Dataset, plan: object) -> Predictions:
        """What each recipe itself predicts: what it offers besides is not what is kept."""
        table = run(self.recipes, data, plan, self.question.seed, **self.work)
        there = [name for name in self.recipes if name in table.models]
        return table.only(model=there)

    def best(self, found: Assessment) -> str:
        """The best of the models that were judged on all rows."""
        if found.selected is not None:
            return found.selected.model
        (measure,) = self.question.chosen or ()
        sign = 1.0 if measure.better == "low" else -1.0
        values = {one: found[one, measure.title] for one in found.models}
        whole = {name: sign * one.value for name, one in values.items() if one.defined}
        if not whole:
            why = "; ".join(f"{name}: {one.reason}" for name, one in values.items())
            raise NothingFitted(f"fit: no model can be judged ({why})")
        return min(whole, key=whole.__getitem__)

    def chosen(self, data: Dataset, plan: object) -> str:
        """The best on the splits of a plan; a model that failed is not chosen."""
        table = self.table(data, plan)
        broken = failures(table.cells)
        whole = [name for name in table.models if name not in broken]
        if not whole:
            why = "; ".join(f"{name} {said}" for name, said in broken.items())
            raise NothingFitted(f"fit: no model can be judged ({why})")
        if len(whole) == 1:
            return whole[0]
        return self.best(assessed(table.only(model=whole), self.question))

    def nested(
        self, table: Predictions, data: Dataset, plan: FrozenPlan, inner: object
    ) -> Estimate:
        """What the choice is worth: of each split what the model says that its training rows chose.

        Every model was fitted on every split already; what is fitted anew chooses among them.
        """
        model, split = table.codes("model"), table.codes("split")
        keep = np.zeros(len(table), bool)
        kinds = set()
        for piece in plan:
            name = self.chosen(data.subset(piece.train), inner)
            place = table.splits.places[piece.record.split]
            keep |= (model == table.models.index(name)) & (split == place)
            kinds.add(table.score_kind_of(name))
        kind = kinds.pop() if len(kinds) == 1 else None
        one = replace(
            table.where(keep), models=(NESTED,), model_code=None, cells=(),
            meta=replace(table.meta, score_kind=kind, score_kinds={}),
        )  # fmt: skip
        (measure,) = self.question.chosen or ()
        judged = replace(one, scores=None) if kind is None else one
        return assessed(judged, self.question)[NESTED, measure.title]


def _refuse_nesting(plan: FrozenPlan) -> None:
    if any(piece.record.role != "test" for piece in plan):
        raise InputError(
            f"nested: {plan.plan} has rows of other roles than test (validation rows choose "
            "without nesting); take folds, as plan=10"
        )
    for piece in plan:
        if piece.fresh is not None or piece.y_true is not None:
            raise InputError(f"nested: {plan.plan} changes training rows; take folds, as plan=10")
        if np.unique(piece.train).size < piece.train.size:
            raise InputError(
                f"nested: {plan.plan} trains on rows more than once, which would choose and judge "
                "at the same time; take folds, as plan=10"
            )


def _trained(estimate: Estimate, table: Predictions) -> float | None:
    """The rows that the recipe was fitted on where it was judged, if all splits agree."""
    if estimate.n_train is not None:
        return float(estimate.n_train)
    sizes = {split.n_train for split in table.splits.of_role("test")}
    known = sizes.pop() if len(sizes) == 1 else None
    return None if known is None else float(known)
