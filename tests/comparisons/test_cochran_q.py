"""cochran_q: statsmodels, McNemar for two models, no disagreement."""

import numpy as np
import pytest
from statsmodels.stats.contingency_tables import cochrans_q

from heliast import InputError
from heliast.comparisons import cochran_q, mcnemar


@pytest.mark.parametrize(("n", "k"), [(10, 3), (200, 5)])
def test_statsmodels(n, k):
    table = np.random.default_rng(n).random((n, k)) < np.linspace(0.5, 0.8, k)
    theirs, ours = cochrans_q(table), cochran_q(table)
    assert (ours.statistic, ours.p) == pytest.approx((theirs.statistic, theirs.pvalue))
    assert ours.df == k - 1
    assert ours.n == n


def test_two_models_are_mcnemar():
    table = np.random.default_rng(0).random((80, 2)) < [0.6, 0.8]
    a, b = ~table.T
    theirs = mcnemar((a & ~b).sum(), (b & ~a).sum(), chi_square="plain")
    ours = cochran_q(table)
    assert (ours.p, ours.n_effective) == pytest.approx((theirs.p, theirs.n_effective))


def test_rows_on_which_all_agree_do_not_count():
    table = np.random.default_rng(1).integers(0, 2, (40, 4))
    more = np.vstack([table, np.ones((30, 4)), np.zeros((9, 4))])
    assert cochran_q(more).p == pytest.approx(cochran_q(table).p)


def test_awkward():
    same = cochran_q(np.ones((5, 3), bool))
    assert (same.p, same.notes) == (1, ("identical predictions",))
    assert "on 2 rows only" in cochran_q([[1, 0, 1], [0, 1, 1], [1, 1, 1]]).notes[0]
    with pytest.raises(InputError, match=r"got shape \(3,\)"):
        cochran_q([1, 0, 1])
    with pytest.raises(InputError, match="right"):
        cochran_q([[1, 2], [0, 1]])
