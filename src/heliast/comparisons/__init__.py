"""Comparisons: is the difference real? One file a test, one line here; all work on plain arrays."""

from heliast.comparisons._bayes_correlated_t import bayes_correlated_t
from heliast.comparisons._bayes_signed_rank import bayes_signed_rank
from heliast.comparisons._cases_to_decide import (
    cases_for_equivalence,
    cases_for_mcnemar,
    cases_to_decide,
)
from heliast.comparisons._cochran_q import cochran_q
from heliast.comparisons._corrected_t import corrected_t
from heliast.comparisons._delong_paired import delong_paired
from heliast.comparisons._five_by_two_f import five_by_two_f
from heliast.comparisons._five_by_two_t import five_by_two_t
from heliast.comparisons._friedman import friedman
from heliast.comparisons._holm import Adjusted, holm
from heliast.comparisons._iman_davenport import iman_davenport
from heliast.comparisons._mcnemar import mcnemar
from heliast.comparisons._nemenyi import nemenyi
from heliast.comparisons._paired_t import paired_t
from heliast.comparisons._permutation import permutation
from heliast.comparisons._record import BayesResult, NemenyiResult, RankResult, TestResult
from heliast.comparisons._sign_test import sign_test
from heliast.comparisons._skewed_t import skewed_t
from heliast.comparisons._verdict import verdict
from heliast.comparisons._wilcoxon import wilcoxon

__all__ = [
    "Adjusted",
    "BayesResult",
    "NemenyiResult",
    "RankResult",
    "TestResult",
    "bayes_correlated_t",
    "bayes_signed_rank",
    "cases_for_equivalence",
    "cases_for_mcnemar",
    "cases_to_decide",
    "cochran_q",
    "corrected_t",
    "delong_paired",
    "five_by_two_f",
    "five_by_two_t",
    "friedman",
    "holm",
    "iman_davenport",
    "mcnemar",
    "nemenyi",
    "paired_t",
    "permutation",
    "sign_test",
    "skewed_t",
    "verdict",
    "wilcoxon",
]
