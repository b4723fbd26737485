"""Comparisons: is the difference real? A family of tests a file, one line here.

The tests work on plain arrays. Each also declares how `compare` makes it (`comparison`).
"""

from heliast.comparisons import _bootstrap, _labels
from heliast.comparisons._areas import delong_paired
from heliast.comparisons._bayes import bayes_correlated_t, bayes_signed_rank
from heliast.comparisons._data_sets import (
    friedman,
    iman_davenport,
    nemenyi,
    sign_test,
    wilcoxon,
)
from heliast.comparisons._data_sets import row_ranks as row_ranks
from heliast.comparisons._mcnemar import cochran_q, mcnemar
from heliast.comparisons._mover import apart, differ
from heliast.comparisons._over_splits import Splits as Splits
from heliast.comparisons._over_splits import corrected_t, five_by_two_f, five_by_two_t, paired_t
from heliast.comparisons._paired import Paired as Paired
from heliast.comparisons._record import (
    BayesResult,
    Finding,
    NemenyiResult,
    RankResult,
    TestResult,
    finding,
    verdict,
)
from heliast.comparisons._registry import IN_ORDER as IN_ORDER
from heliast.comparisons._registry import ONE as ONE
from heliast.comparisons._registry import SETS as SETS
from heliast.comparisons._registry import SPLITS as SPLITS
from heliast.comparisons._registry import Answer as Answer
from heliast.comparisons._registry import Values as Values
from heliast.comparisons._registry import check_test as check_test
from heliast.comparisons._registry import chosen as chosen
from heliast.comparisons._registry import comparison as comparison
from heliast.comparisons._registry import gives_probabilities as gives_probabilities
from heliast.comparisons._registry import of_all as of_all
from heliast.comparisons._registry import probabilities as probabilities
from heliast.comparisons._row_losses import permutation, skewed_t
from heliast.comparisons._sample_size import (
    cases_for_equivalence,
    cases_for_mcnemar,
    cases_to_decide,
)
from heliast.comparisons._several import Adjusted, holm, indistinct, out_of_reach
from heliast.comparisons._time import diebold_mariano

__all__ = [
    "Adjusted",
    "BayesResult",
    "Finding",
    "NemenyiResult",
    "RankResult",
    "TestResult",
    "apart",
    "bayes_correlated_t",
    "bayes_signed_rank",
    "cases_for_equivalence",
    "cases_for_mcnemar",
    "cases_to_decide",
    "cochran_q",
    "corrected_t",
    "delong_paired",
    "diebold_mariano",
    "differ",
    "finding",
    "five_by_two_f",
    "five_by_two_t",
    "friedman",
    "holm",
    "iman_davenport",
    "indistinct",
    "mcnemar",
    "nemenyi",
    "out_of_reach",
    "paired_t",
    "permutation",
    "sign_test",
    "skewed_t",
    "verdict",
    "wilcoxon",
]

_DECLARED_ONLY = (_bootstrap, _labels)
