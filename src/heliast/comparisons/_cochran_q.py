"""Cochran's Q: several models, one test set, right or wrong."""

import numpy as np

from heliast._core.errors import InputError
from heliast.comparisons._record import IDENTICAL, TestResult

_FEW = 24


def cochran_q(correct: object) -> TestResult:
    """Whether all models err equally often on the same rows (Cochran 1950).

    `correct` has a row for each test row and a column for each of k models. With G the columns'
    and L the rows' sums, Q = (k - 1)(k sum G^2 - (sum G)^2) / (k sum L - sum L^2), chi-square with
    k - 1 degrees of freedom. Rows on which all models agree do not count (`n_effective` is the
    number of the others). For two models it is McNemar's chi-square. No such row: p = 1.

    >>> rows = [[1, 1, 0]] * 6 + [[1, 0, 0]] * 3 + [[0, 1, 1]] * 2 + [[1, 1, 1]] * 9
    >>> cochran_q(rows)
    TestResult(p = 0.0201, Cochran Q)
    """
    from scipy.special import chdtrc

    table = _checked(correct)
    n, k = table.shape
    right = table.sum(axis=1)
    effective = int(((right > 0) & (right < k)).sum())
    if not effective:
        return TestResult(
            1.0, statistic=0.0, df=k - 1.0, method="Cochran Q", n=float(n), n_effective=0.0,
            notes=(IDENTICAL,),
        )  # fmt: skip
    models = table.sum(axis=0)
    above = (k - 1) * (k * (models**2).sum() - models.sum() ** 2)
    q = float(above) / float((right * (k - right)).sum())
    notes: tuple[str, ...] = ()
    if k * effective < _FEW:
        notes = (f"the models disagree on {effective} rows only: chi-square is rough here",)
    return TestResult(
        float(chdtrc(k - 1, q)), statistic=q, df=k - 1.0, method="Cochran Q", n=float(n),
        n_effective=float(effective), notes=notes,
    )  # fmt: skip


def _checked(correct: object) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    table = np.asarray(correct)
    if table.ndim != 2 or table.shape[1] < 2 or not table.shape[0]:
        raise InputError(
            f"correct: expected rows by models (at least two), got shape {table.shape}"
        )
    if table.dtype != np.bool_ and not np.isin(table, (0, 1)).all():
        raise InputError("correct: expected true (right) or false (wrong) for each row and model")
    return table.astype(np.int64)
