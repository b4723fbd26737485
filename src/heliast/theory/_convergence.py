"""How fast the vote of a random code settles, measured and as bounded."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from heliast import codes, decoders
from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast._core.records import Shown
from heliast._core.told import told


@told(
    {
        "columns": "array: Numbers of columns B.",
        "measured": "array: Share of rows and draws that differ from the limit, one a number.",
        "se": "array: Its standard error.",
        "bound": "array: Hoeffding's bound, with exponent gap²/8.",
        "printed": "array: What the thesis prints, with exponent gap/8, which is no bound.",
        "limit": "array: mu, (rows, k).",
        "gap": "array: Difference of the two largest at each row.",
        "draws": "int: Draws of columns.",
    }
)
@dataclass(frozen=True, eq=False)
class Convergence(Shown):
    """For each number of columns: how often the vote differs from its limit, and what bounds it.

    Examples
    --------
    >>> from heliast.theory import convergence
    >>> convergence(posteriors=[[0.7, 0.2, 0.1]], columns=(10, 100), draws=20).columns.tolist()
    [10, 100]
    """

    columns: Array
    measured: Array
    se: Array
    bound: Array
    printed: Array
    limit: Array
    gap: Array
    draws: int

    def __repr__(self) -> str:
        ends = ", ".join(
            f"B={self.columns[at]}: {self.measured[at]:.3g} (bound {self.bound[at]:.3g})"
            for at in (0, -1)
        )
        return f"<Convergence over {self.gap.size} rows: {ends}>"


@told(
    {
        "p": "array-like: Answers of the columns, (B,) or (rows, B), from 0 to 1.",
        "code": "array-like: The code, (k, B): 0 and 1, a row a class and a column a question.",
    },
    returns="array: Limits, (k,) or (rows, k), from -1 to 1.",
    raises="If `p` does not fit the code.",
)
def limits(p: npt.ArrayLike, code: npt.ArrayLike) -> Array:
    """mu_i, the limit of D-bar as columns are added: here its mean over all columns there are.

    With the perfect base and all 2^k columns it is the posterior (theorem 4).

    Examples
    --------
    >>> code = np.array([[0, 0, 0, 0, 1, 1, 1, 1], [0, 0, 1, 1, 0, 0, 1, 1], [0, 1] * 4])
    >>> limits(np.array([0.5, 0.3, 0.2]) @ code, code).round(12).tolist()
    [0.5, 0.3, 0.2]

    References
    ----------
    thesis, equation 2.4 and theorems 3 and 4.
    """
    return np.asarray(decoders.l1(p, code))


@told(
    returns="Convergence: Shares, bounds and limits.",
    raises="If neither or both are given, or shapes do not fit.",
)
def convergence(
    p: npt.ArrayLike | None = None,
    code: npt.ArrayLike | None = None,
    columns: Sequence[int] = (10, 20, 50, 100, 200),
    *,
    posteriors: npt.ArrayLike | None = None,
    draws: int = 50,
    seed: int = 0,
) -> Convergence:
    """How often the class chosen with B random columns is not the one chosen in the limit.

    Either `p` (rows x columns) and `code` of many fitted columns, which are drawn with replacement:
    the limit is then their own mean. Or `posteriors` (rows x classes), for the perfect base: the
    columns are drawn by fair coins and the limit is the posterior itself.

    Parameters
    ----------
    p : array-like, optional
        Answers of fitted columns, (rows, columns), from 0 to 1.
    code : array-like, optional
        Their code, (k, columns).
    columns : sequence of int
        Numbers of columns B, at least 1.
    posteriors : array-like, optional
        True posteriors, (rows, k), in the place of `p` and `code`.
    draws : int, default 50
        Draws of columns for each number.
    seed : int, default 0
        Seed of what is drawn.

    Examples
    --------
    >>> found = convergence(posteriors=[[0.7, 0.2, 0.1]] * 20, columns=(10, 100), draws=200)
    >>> bool((found.measured <= found.bound).all()), bool(found.measured[1] < 0.001)
    (True, True)

    References
    ----------
    thesis, theorem 5, with its exponent corrected.
    """
    rng = np.random.default_rng(seed)
    sizes = np.asarray(columns, np.int64)
    if sizes.ndim != 1 or not sizes.size or (sizes < 1).any():
        raise InputError(f"columns={list(columns)}: give numbers of columns, 1 or more")
    if posteriors is not None:
        limit = np.atleast_2d(np.asarray(posteriors, np.float64))
        k = limit.shape[1]

        def vote(size: int) -> Array:
            drawn = rng.integers(0, 2, (k, size))
            return decoders.l1(limit @ drawn, drawn)
    else:
        if p is None or code is None:
            raise InputError("convergence: give p and code, or posteriors")
        answers, matrix = np.atleast_2d(np.asarray(p, np.float64)), codes.as_code(code)
        limit = np.atleast_2d(limits(answers, matrix))
        k = limit.shape[1]

        def vote(size: int) -> Array:
            chosen = rng.integers(0, matrix.shape[1], size)
            return decoders.l1(answers[:, chosen], matrix[:, chosen])

    ordered = np.sort(limit, axis=1)
    gap = np.minimum(ordered[:, -1] - ordered[:, -2], 2.0)
    best = limit.argmax(axis=1)
    # Equal scores tie although rounding errors differ: the first class wins, as in every vote.
    shares = np.array(
        [
            [(vote(int(B)).round(12).argmax(axis=1) != best).mean() for _ in range(draws)]
            for B in sizes
        ]
    )
    bounds = [
        np.array([codes.convergence_bound(k, gap, B, printed=printed).mean() for B in sizes])
        for printed in (False, True)
    ]
    return Convergence(
        columns=sizes,
        measured=shares.mean(axis=1),
        se=shares.std(axis=1, ddof=1) / np.sqrt(draws)
        if draws > 1
        else np.full(sizes.size, np.nan),
        bound=bounds[0],
        printed=bounds[1],
        limit=limit,
        gap=gap,
        draws=draws,
    )
