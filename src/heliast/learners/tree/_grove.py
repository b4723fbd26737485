"""One binned copy of the inputs, from which any number of trees grows."""

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast._kernels.crew import spread
from heliast._kernels.growing import Grown, Rules
from heliast.learners.tree._bins import bins_of, check_bins
from heliast.learners.tree._growers import Binned, Classes, Dichotomies, General, Spare
from heliast.learners.tree._inputs import as_numbers, nominal_flags
from heliast.learners.tree._settings import in_rows
from heliast.learners.tree._trees import Trees, trees_of
from heliast.learners.tree._weights import Weights

if TYPE_CHECKING:
    from heliast.learners.tree._tree import Tree


class Grove:
    """One binned copy of the inputs, from which any number of trees grows.

    `settings` is a `Tree` whose rules all members follow. Ties between inputs go to the first one,
    or with `seed` to the first from a place that is drawn anew for every node, so that the members
    of an ensemble differ as they should. An input with more than `bins` distinct values is put
    into so many bins of equally many rows, or of equal `weight` (n,), and cut between them; None
    tries every cut. Each node looks at `drawn` inputs of its own; 0 is all. Members grow on all
    threads, each the same whatever their number. Whole weights are copies of rows and count so for
    `min_cut` and `min_size`; with real weights, every row that weighs anything counts once. Members
    are not pruned.

    >>> import numpy as np
    >>> from heliast.learners.tree import Grove, Tree
    >>> X = np.array([[1.0], [2.0], [3.0], [4.0]])
    >>> grove = Grove(Tree(min_cut=1, min_size=2), X)
    >>> trees = grove.dichotomies(np.array([0, 0, 1, 2]), np.array([[0, 0], [1, 0], [1, 1]]))
    >>> trees.probabilities(np.array([[2.4], [3.6]]))
    array([[0., 0.],
           [1., 1.]], dtype=float32)
    """

    def __init__(
        self,
        settings: "Tree",
        X: Array,
        nominal: npt.ArrayLike | None = None,
        seed: int | None = None,
        bins: int | None = None,
        drawn: int = 0,
        weight: Array | None = None,
    ) -> None:
        X = as_numbers(X)
        check_bins(bins)
        if X.ndim != 2 or X.shape[0] == 0:
            raise InputError(f"X must have rows and columns, got shape {X.shape}")
        self.settings, self.seed = settings, seed
        self.rules = settings._rules()._replace(drawn=drawn if drawn < X.shape[1] else 0)
        self.rows = X.shape[0]
        self.bins = bins_of(X, nominal_flags(nominal, X.shape[1]), bins, weight)
        self._binned = Binned(X, self.bins)
        self._spare = Spare()
        self._members = 0

    def dichotomies(self, truth: Array, code: Array, weights: Any = None) -> Trees:
        """One two-class tree for each column of the code: class r is a one where code[r, b] is 1.

        `truth` are class numbers (n,), `code` has shape (k, B); `weights` are None, one a row (n,)
        or one a row and member (B, n).
        """
        code = np.asarray(code)
        if code.ndim != 2 or not np.isin(code, (0, 1)).all():
            raise InputError("code must be a table of 0 and 1 with a row for each class")
        truth = self._truth(truth, code.shape[0])
        members = code.shape[1]
        weighed = Weights.of(weights, self.rows, members)
        bits = np.ascontiguousarray(code.T, dtype=np.int32)
        rules = self.rules
        grower: Any
        if Dichotomies.can(self._binned, weighed, rules):
            grower = Dichotomies(self._binned, self._spare, truth, bits, weighed, rules)
        else:
            grower = General(self._binned, self._spare, lambda b: bits[b][truth], 2, weighed, rules)
        return self._grow(grower, members, 2, True, weighed, False)

    def classes(
        self,
        truth: Array,
        k: int,
        weights: Any = None,
        keep_training: bool = False,
        class_weights: Array | None = None,
    ) -> Trees:
        """Trees that tell k classes apart, one for each row of weights (B, n); None: one tree.

        `class_weights` multiply the weights and, where weights are copies, the copies.
        """
        truth = self._truth(truth, k)
        members = 1 if weights is None or np.ndim(weights) == 1 else len(weights)
        weighed = Weights.of(weights, self.rows, members)
        if class_weights is not None:
            weighed = weighed.times(np.asarray(class_weights, np.float64)[truth])
        rules = self.rules
        grower: Any
        if Classes.can(self._binned, k, weighed, rules):
            grower = Classes(self._binned, self._spare, truth, k, weighed, rules)
        else:
            grower = General(self._binned, self._spare, lambda b: truth, k, weighed, rules)
        return self._grow(grower, members, k, False, weighed, keep_training)

    def _truth(self, truth: Array, k: int) -> Array:
        truth = np.ascontiguousarray(truth, dtype=np.int32)
        if truth.shape != (self.rows,):
            raise InputError(f"truth: {self.rows} class numbers are needed, got {truth.shape}")
        if truth.size and (truth.min() < 0 or truth.max() >= k):
            raise InputError(f"truth: class numbers must be from 0 to {k - 1}")
        return truth

    def _grow(
        self, grower: Any, members: int, k: int, two: bool, weighed: Weights, keep_training: bool
    ) -> Trees:
        where = np.full((members, self.rows if keep_training else 0), -1, np.int32)
        first = self._members
        self._members += members

        def one(b: int) -> Grown:
            rules = in_rows(self._turned(self.rules, first + b), lambda: weighed.counted(b))
            grown: Grown = grower.grow(b, rules, where[b])
            return grown

        grown = spread(one, [(b,) for b in range(members)])
        return trees_of(self.settings, self.bins, k, two, grown, where if keep_training else None)

    def _turned(self, rules: Rules, member: int) -> Rules:
        """The rules with the member's own seed for ties."""
        if self.seed is None:
            return rules
        return rules._replace(turn=(self.seed * 1_000_003 + member) % (1 << 62))
