"""What `combine` chooses among: the family of votes of a base, single models, a forest and kin."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from heliast.fitting import panel as _panel
from heliast.fitting.final import Mixture

if TYPE_CHECKING:
    from heliast.verbs.combine import Combination

SELECTION = "selection"
"""The vote of all candidates by what they predicted, in the table of a combination."""
FOREST, GRADIENT = ENSEMBLES = ("forest", "gradient")
"""scikit-learn's, beside the votes of a base."""
ROUNDS = 100
"""Rounds of gradient boosting at most, as is usual."""


@dataclass(frozen=True)
class Recipes:
    """Estimators by name: the family of votes, single models, and other ensembles.

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
        """Those of all that is fitted."""
        return tuple(self.models)

    def each(self, found: "Combination") -> dict[str, Any]:
        """Every candidate as what is fitted to keep it."""
        made = {name: self.models[name] for name in found.singles}
        for vote in found.votes:
            name, _, way = vote.partition("/")
            made[found.last(vote).model] = (
                Mixture({one: self.singles[one] for one in found.averaged}, kind=way)
                if name == "singles"
                else _in_this_way(self.family[name], way)
            )
        if found.selection is not None:
            used = {one: weight for one, weight in found.selection.weights.items() if weight > 0}
            models = {one: made[one] for one in used}
            made[SELECTION] = Mixture(models, used, found.selection.kind)
        return made


def _in_this_way(vote: Any, way: str) -> Any:
    """A vote that decides as one of its outputs does: its decoder, kind or mean."""
    from sklearn.base import clone

    options = vote.get_params(deep=False)
    option = next((one for one in ("decoder", "kind", "combine") if one in options), "")
    return clone(vote).set_params(**{option: way}) if way and option else vote


def recipes_of(task: str, base: Any, members: int) -> Recipes:
    """What `combine` fits on data of this task; votes, and the forest, have so many members."""
    known = _panel.CLASSES if task == "classification" else _panel.NUMBERS
    others = {
        FOREST: known[FOREST](n_estimators=members),
        GRADIENT: known[GRADIENT](max_iter=min(ROUNDS, members)),
    }
    if task == "regression":
        return Recipes(_number_singles(base), others, _number_family(base, members))
    return Recipes(_singles(base), others, _family(base, members))


def _singles(base: Any) -> dict[str, Any]:
    from heliast.learners import Tree

    known = _panel.CLASSES
    others = {name: known[name]() for name in ("bayes", "lda", "logistic")}
    nearest = known["knn"](n_neighbors=1)
    return {"base": Tree() if base is None else base, "1-nn": nearest, **others}


def _family(base: Any, members: int) -> dict[str, Any]:
    from heliast.ensembles import BaggedVote, BoostedVote, CodedVote

    return {
        "coded": CodedVote(base, code_length=members),
        "bagged": BaggedVote(base, members),
        "boosted": BoostedVote(base, members, on_weak="stop"),
    }


def _number_singles(base: Any) -> dict[str, Any]:
    known = _panel.NUMBERS
    others = {name: known[name]() for name in ("mean", "linear", "knn")}
    nearest = known["knn"](n_neighbors=1)
    return {"base": known["tree"]() if base is None else base, "1-nn": nearest, **others}


def _number_family(base: Any, members: int) -> dict[str, Any]:
    from heliast.ensembles import BaggedMean, BoostedMedian

    # Without a base, a deep tree is averaged and a small one is boosted, as for classes.
    return {"bagged": BaggedMean(base, members), "boosted": BoostedMedian(base, members)}
