"""What `combine` chooses among: the ensembles of a base estimator, single models, a forest."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from heliast.fitting import panel
from heliast.fitting.final import Mixture

if TYPE_CHECKING:
    from heliast.verbs.combine import Combination

# The weighted vote of all candidates, in the table of a combination.
SELECTION = "selection"
# scikit-learn's ensembles beside those of a base estimator.
FOREST, GRADIENT = ENSEMBLES = ("forest", "gradient")
# Rounds of gradient boosting at most.
ROUNDS = 100


@dataclass(frozen=True)
class Recipes:
    """Estimators by name: the ensembles of a base, single models, and other ensembles.

    >>> recipes_of("regression", None, 10).names
    ('base', '1-nn', 'mean', 'linear', 'knn', 'forest', 'gradient', 'bagged', 'boosted')
    """

    singles: Mapping[str, Any]
    others: Mapping[str, Any]
    family: Mapping[str, Any]

    @property
    def models(self) -> dict[str, Any]:
        """All that is fitted."""
        return {**self.singles, **self.others, **self.family}

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all that is fitted."""
        return tuple(self.models)

    def candidates(self, combination: "Combination") -> dict[str, Any]:
        """Every candidate as the estimator that is fitted to keep it."""
        estimators = {name: self.models[name] for name in combination.singles}
        for vote in combination.votes:
            name, _, output = vote.partition("/")
            last = combination.last(vote).model
            if name == "singles":
                averaged = {single: self.singles[single] for single in combination.averaged}
                estimators[last] = Mixture(averaged, kind=output)
            else:
                estimators[last] = _with_output(self.family[name], output)
        if combination.selection is not None:
            weights = combination.selection.weights
            used = {name: weight for name, weight in weights.items() if weight > 0}
            models = {name: estimators[name] for name in used}
            estimators[SELECTION] = Mixture(models, used, combination.selection.kind)
        return estimators


def _with_output(vote: Any, output: str) -> Any:
    """An ensemble that predicts as one of its outputs does: its decoder, kind or mean."""
    from sklearn.base import clone

    options = vote.get_params(deep=False)
    option = next((name for name in ("decoder", "kind", "combine") if name in options), "")
    return clone(vote).set_params(**{option: output}) if output and option else vote


def recipes_of(task: str, base: Any, members: int) -> Recipes:
    """What `combine` fits on data of this task; ensembles have so many members."""
    from heliast.ensembles import BaggedMean, BaggedVote, BoostedMedian, BoostedVote, CodedVote
    from heliast.learners import Tree

    if task == "classification":
        known, names, tree = panel.CLASSES, ("bayes", "lda", "logistic"), Tree()
        family: dict[str, Any] = {
            "coded": CodedVote(base, code_length=members),
            "bagged": BaggedVote(base, members),
            "boosted": BoostedVote(base, members, on_weak="stop"),
        }
    else:
        # Without a base, a deep tree is averaged and a small one is boosted, as for classes.
        known, names, tree = panel.NUMBERS, ("mean", "linear", "knn"), panel.NUMBERS["tree"]()
        family = {"bagged": BaggedMean(base, members), "boosted": BoostedMedian(base, members)}
    singles = {
        "base": tree if base is None else base,
        "1-nn": known["knn"](n_neighbors=1),
        **{name: known[name]() for name in names},
    }
    others = {
        FOREST: known[FOREST](n_estimators=members),
        GRADIENT: known[GRADIENT](max_iter=min(ROUNDS, members)),
    }
    return Recipes(singles, others, family)
