"""Codes under a perfect base: Bayes consistency, and how fast votes reach their limit."""

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from heliast import codes, decoders
from heliast._core.errors import InputError, NotEnoughData
from heliast._core.kinds import Array, ArrayLike, Floats
from heliast._core.records import Shown

Decoder = Callable[..., Any]
# Scores nearer than this share of the largest are equal but for rounding.
ROUNDING = 1e-10


# --- Bayes consistency -----------------------------------------------------------------------


@dataclass(frozen=True)
class Consistency(Shown):
    """Whether a decoder finds the most probable class when every column is answered perfectly.

    Parameters
    ----------
    consistent : bool or None
        False with a counterexample, True if there can be none, None if a search found none, which
        proves nothing.
    exact : bool
        Whether the verdict is proven.
    decoder : str
        Name of the decoder.
    posterior : tuple of float
        The counterexample: probabilities of the classes.
    decoded : int, optional
        The class that was decoded there.
    scores : tuple of float
        The scores of the classes there.
    tried : int, default 0
        Number of posteriors that were tried.

    Examples
    --------
    >>> from heliast.codes import hadamard
    >>> from heliast.theory import consistency
    >>> consistency(hadamard(5)).exact
    True
    """

    consistent: bool | None
    exact: bool
    decoder: str
    posterior: tuple[float, ...] = ()
    decoded: int | None = None
    scores: tuple[float, ...] = ()
    tried: int = 0

    @property
    def sentence(self) -> str:
        """The verdict in a sentence."""
        if self.consistent:
            return f"{self.decoder} is Bayes consistent with this code"
        if self.consistent is None:
            return f"no counterexample among {self.tried:,} posteriors: perhaps consistent"
        best = int(np.argmax(self.posterior))
        return (
            f"{self.decoder} is not Bayes consistent with this code: class {best} has the largest "
            f"posterior ({self.posterior[best]:.3f}), but class {self.decoded} is decoded"
        )


def consistency(
    code: ArrayLike,
    decoder: str | Decoder = "l1",
    trials: int = 20_000,
    seed: int = 0,
    **options: Any,
) -> Consistency:
    """Search for a posterior q for which the answers p = Z'q are decoded to the wrong class.

    The scores of decoders that are linear in p (L1, least squares, ridge) are linear in q, and
    where a rival is scored highest against the most probable class, q is equal on a set of classes:
    those few are tried, so the verdict is exact. Others are tried at the same and random points.

    Parameters
    ----------
    code : array-like
        The code, (k, B): 0 and 1, a row a class and a column a binary problem.
    decoder : str or callable, default 'l1'
        A name of `heliast.decoders.names()`, or a function of (p, code).
    trials : int, default 20000
        Number of random posteriors that are tried.
    seed : int, default 0
        Seed of the posteriors.
    **options : keywords
        Options of the decoder, such as `lam`.

    Returns
    -------
    Consistency
        The verdict, with a counterexample if there is one.

    Raises
    ------
    InputError
        If `code` is no code, or there is no such decoder.

    Examples
    --------
    >>> print(consistency([[0, 1, 1], [0, 0, 0], [1, 1, 0], [1, 0, 0]]).sentence)
    l1 is not Bayes consistent with this code: class 0 has the largest posterior (0.334), but ...

    References
    ----------
    thesis, theorems 1 and 6.
    """
    matrix = codes.as_code(code)
    if callable(decoder):
        function, name = decoder, getattr(decoder, "__name__", "the decoder")
    else:
        needs = decoders.find(decoder).needs
        if needs is not None and needs not in options:
            raise InputError(f"decoder={decoder!r} needs {needs}=; or pass a function of (p, code)")
        function, name = getattr(decoders, decoder), decoder

    def score(posteriors: Array) -> Array:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # decoders warn of poor codes
            answers = np.clip(posteriors @ matrix, 0.0, 1.0)
            return np.asarray(function(answers, matrix, **options), np.float64)

    k = len(matrix)
    rng = np.random.default_rng(seed)
    sharp = rng.choice([0.2, 1.0, 5.0], size=trials)
    drawn = rng.gamma(sharp[:, None], size=(trials, k)) + 1e-300
    drawn /= drawn.sum(axis=1, keepdims=True)
    pure = score(np.eye(k))
    tried = np.concatenate([_extreme_posteriors(pure), drawn])
    scores = score(tried)
    exact = bool(np.allclose(scores, tried @ pure, atol=1e-9 * max(1.0, np.abs(pure).max())))
    best = tried.argmax(axis=1)[:, None]
    second = np.sort(tried, axis=1)[:, -2]
    rivals = scores.copy()
    np.put_along_axis(rivals, best, -np.inf, axis=1)
    lead = np.take_along_axis(scores, best, axis=1)[:, 0] - rivals.max(axis=1)
    clear = tried.max(axis=1) > second + 1e-6
    wrong = clear & (lead <= ROUNDING * np.maximum(1.0, np.abs(scores).max(axis=1)))
    if not wrong.any():
        return Consistency(True if exact else None, exact, name, tried=len(tried))
    at = int(wrong.argmax())
    return Consistency(
        False,
        exact,
        name,
        tuple(tried[at].tolist()),
        int(rivals[at].argmax()),
        tuple(scores[at].tolist()),
        len(tried),
    )


def _extreme_posteriors(pure: Array) -> Array:
    """Posteriors that favour a rival as far as they can while class i is (just) the largest."""
    k = len(pure)
    unit = np.eye(k)
    posteriors = [*unit]
    for i in range(k):
        for j in np.delete(np.arange(k), i):
            gain = pure[:, j] - pure[:, i]
            others = [c for c in np.argsort(-gain, kind="stable") if c != i]
            means = (gain[i] + np.cumsum(gain[others])) / np.arange(2, k + 1)
            members = [i, *others[: int(means.argmax()) + 1]]
            q = unit[members].mean(axis=0)
            # A little more for class i, so that it is the largest without doubt.
            posteriors.append((1 - 1e-3) * q + 1e-3 * unit[i])
    return np.array(posteriors)


# --- convergence in the number of columns ----------------------------------------------------


@dataclass(frozen=True, eq=False)
class Convergence(Shown):
    """How often the vote of B columns differs from its limit, with bound and approximations.

    Parameters
    ----------
    columns : array
        Numbers of columns B.
    measured : array
        Share of rows and draws in which the vote differs from the limit, one per number.
    se : array
        Its standard error.
    bound : array
        Hoeffding's bound, with exponent gap²/8.
    printed : array
        Theorem 5 as printed, with exponent gap/8, which is no bound.
    first_order : array
        Approximation for small B, the mean over rows of 0.5 - slope sqrt(B), at least 0.
    limit : array
        mu_i, (rows, k).
    variance : array
        sigma_i² of theorem 3, (rows, k): D-bar has standard error sqrt(variance / B) around mu_i.
    gap : array
        Difference of the two largest limits of each row.
    slope : array
        m of `first_order`, one per row.
    draws : int
        Draws of columns.

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
    first_order: Array
    limit: Array
    variance: Array
    gap: Array
    slope: Array
    draws: int

    def __repr__(self) -> str:
        ends = ", ".join(
            f"B={self.columns[at]}: {self.measured[at]:.3g} (bound {self.bound[at]:.3g})"
            for at in (0, -1)
        )
        return f"<Convergence over {self.gap.size} rows: {ends}>"


def limits(p: ArrayLike, code: ArrayLike) -> Array:
    """Return the limit mu_i of D-bar as columns are added: its mean over all columns there are.

    With the perfect base and all 2^k columns it is the posterior (theorem 4).

    Parameters
    ----------
    p : array-like
        Answers of the columns, (B,) or (rows, B), from 0 to 1.
    code : array-like
        The code, (k, B): 0 and 1, a row a class and a column a binary problem.

    Returns
    -------
    array
        Limits, (k,) or (rows, k), from -1 to 1.

    Raises
    ------
    InputError
        If `p` does not fit the code.

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


def convergence(
    p: ArrayLike | None = None,
    code: ArrayLike | None = None,
    columns: Sequence[int] = (10, 20, 50, 100, 200),
    *,
    posteriors: ArrayLike | None = None,
    draws: int = 50,
    seed: int = 0,
) -> Convergence:
    """Measure how often the class chosen with B random columns is not the one of the limit.

    Either `p` and `code` of many fitted columns, which are drawn with replacement: the limit is
    their own mean. Or `posteriors`, for the perfect base: columns are drawn by fair coins and the
    limit is the posterior.

    As B grows, sqrt(B) (D-bar_i - mu_i) becomes normal with variance sigma_i² (theorem 3), that of
    D_i of one column. For small B and a race of two classes, the leading class is ahead with
    probability 0.5 + m sqrt(B) to first order (thesis 2.2.2), m = gap / sqrt(2 pi Var(D_1 - D_2)).

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
        Seed of the draws.

    Returns
    -------
    Convergence
        Shares, bounds, approximations and limits.

    Raises
    ------
    InputError
        If neither or both are given, or shapes do not fit.

    Examples
    --------
    >>> result = convergence(posteriors=[[0.7, 0.2, 0.1]] * 20, columns=(10, 100), draws=200)
    >>> bool((result.measured <= result.bound).all()), bool(result.measured[1] < 0.001)
    (True, True)
    >>> result.variance[0].round(2)
    array([0.05, 0.5 , 0.53])

    References
    ----------
    thesis, section 2.2.2: theorem 3, theorem 5 with its exponent corrected, and the expansion
    after corollary 2.
    """
    rng = np.random.default_rng(seed)
    sizes = np.asarray(columns, np.int64)
    if sizes.ndim != 1 or not sizes.size or (sizes < 1).any():
        raise InputError(f"columns={list(columns)}: give numbers of columns, 1 or more")
    # E D_i² and E (D_1 - D_2)² of each row, 1 and 2 being its leading classes.
    if posteriors is not None and p is None and code is None:
        limit = np.atleast_2d(np.asarray(posteriors, np.float64))
        second, first = np.sort(limit, axis=1)[:, -2:].T
        square = (limit**2).sum(axis=1)  # 2p - 1 = sum of q_l M_l over fair coins M_l = 2Z_l - 1
        square_of_gap = 2 * (square - 2 * first * second)
    elif posteriors is None and p is not None and code is not None:
        answers, matrix = np.atleast_2d(np.asarray(p, np.float64)), codes.as_code(code)
        limit = limits(answers, matrix)
        first, second = np.argsort(-limit, axis=1, kind="stable")[:, :2].T
        squares = (2 * answers - 1) ** 2  # D_i = (2p - 1)(2Z_i - 1): the same for all classes
        square = squares.mean(axis=1)
        square_of_gap = (4 * squares * (matrix[first] != matrix[second])).mean(axis=1)
    else:
        raise InputError("convergence: give p and code, or posteriors")
    k = limit.shape[1]
    shares = np.empty((sizes.size, draws))
    for at in np.ndindex(shares.shape):
        size = int(sizes[at[0]])
        if posteriors is not None:
            drawn = rng.integers(0, 2, (k, size))
            scores = decoders.l1(limit @ drawn, drawn)
        else:
            chosen = rng.integers(0, matrix.shape[1], size)
            scores = decoders.l1(answers[:, chosen], matrix[:, chosen])
        # Equal scores tie although rounding errors differ: the first class wins, as in every vote.
        shares[at] = (scores.round(12).argmax(axis=1) != limit.argmax(axis=1)).mean()
    ordered = np.sort(limit, axis=1)
    gap = np.minimum(ordered[:, -1] - ordered[:, -2], 2.0)
    scatter = np.sqrt(2 * np.pi * np.maximum(square_of_gap - gap**2, 0.0))
    slope = np.divide(gap, scatter, out=np.where(gap > 0, np.inf, 0.0), where=scatter > 0)
    se = shares.std(axis=1, ddof=1) / np.sqrt(draws) if draws > 1 else np.full(sizes.size, np.nan)
    return Convergence(
        columns=sizes,
        measured=shares.mean(axis=1),
        se=se,
        bound=codes.convergence_bound(k, gap, sizes[:, None]).mean(axis=1),
        printed=codes.convergence_bound(k, gap, sizes[:, None], printed=True).mean(axis=1),
        first_order=np.maximum(0.5 - slope * np.sqrt(sizes[:, None]), 0.0).mean(axis=1),
        limit=limit,
        variance=np.maximum(square[:, None] - limit**2, 0.0),
        gap=gap,
        slope=slope,
        draws=draws,
    )


# --- rates of convergence --------------------------------------------------------------------


@dataclass(frozen=True)
class PowerFit(Shown):
    """The curve limit + slope * B^power by least squares.

    Parameters
    ----------
    power : float
        -1/2 for a fall as 1/sqrt(B), -1 for one as 1/B.
    limit : float
        Where the curve ends as B grows.
    slope : float
        How far above the limit it is at B = 1.
    r_squared : float
        Share of the variance that the curve explains; the squared correlation with B^power.
    n : int
        Number of points.

    Examples
    --------
    >>> fit = power_fit([1, 4, 16], [0.5, 0.3, 0.2], power=-0.5)
    >>> round(fit.limit, 3), round(fit.slope, 3), round(fit.r_squared, 6)
    (0.1, 0.4, 1.0)
    """

    power: float
    limit: float
    slope: float
    r_squared: float
    n: int

    def at(self, members: ArrayLike) -> Array:
        """Return the curve at some numbers of members.

        Parameters
        ----------
        members : array-like
            Numbers of members B, above 0.

        Returns
        -------
        array
            limit + slope * B^power.
        """
        return np.asarray(self.limit + self.slope * _numbers(members) ** self.power)


def power_fit(members: ArrayLike, error: ArrayLike, power: float = -0.5) -> PowerFit:
    """Fit a curve a + c B^power to errors at numbers of members, by least squares.

    The chance that a vote of B random columns is not that of the limit is about 0.5 - m sqrt(B) for
    small B and falls exponentially in the end, so that the error moves through the powers of B:
    1/sqrt(B) first, then 1/B.

    Parameters
    ----------
    members : array-like
        Numbers of members B, above 0, one an error.
    error : array-like
        The error with so many members, in any unit.
    power : float, default -0.5
        The power of B, below 0.

    Returns
    -------
    PowerFit
        The curve, and how much of the variance it explains.

    Raises
    ------
    InputError
        If shapes differ, a number is not finite or the power is not below 0.
    NotEnoughData
        If there are fewer than three points or two numbers of members.

    Examples
    --------
    >>> error = [30.0, 25.0, 22.5, 21.25]
    >>> power_fit([10, 20, 40, 80], error, power=-1).at([160]).round(3).tolist()
    [20.625]

    References
    ----------
    thesis, section 2.2.2 (rates of convergence), figures 2.3 and 2.4.
    """
    number, value = _numbers(members), np.asarray(error, np.float64)
    if number.ndim != 1 or number.shape != value.shape or not np.isfinite(value).all():
        raise InputError(
            f"error has shape {value.shape}; give one number of members for each error "
            f"({number.shape}), and finite errors"
        )
    if not -np.inf < power < 0:
        raise InputError(f"power={power!r}: choose a number below 0, such as -0.5 or -1")
    if number.size < 3 or np.unique(number).size < 2:
        raise NotEnoughData("a curve needs at least 3 points and 2 numbers of members")
    x = number**power
    slope, limit = np.polyfit(x, value, 1)
    left = ((value - limit - slope * x) ** 2).sum()
    total = ((value - value.mean()) ** 2).sum()
    r_squared = 1 - left / total if total > 0 else np.nan
    return PowerFit(float(power), float(limit), float(slope), float(r_squared), number.size)


def _numbers(members: ArrayLike) -> Floats:
    number = np.asarray(members, np.float64)
    if not (np.isfinite(number) & (number > 0)).all():
        raise InputError("members: numbers of members are above 0")
    return number
