"""Shares in a leaf drawn towards a prior: a leaf of three rows is not certain."""

from dataclasses import dataclass

from heliast._core.errors import InputError


@dataclass(frozen=True)
class Smoothing:
    """p_c = (n_c + m q_c) / (n + m) with m the `amount`, q even or the shares in the root."""

    amount: float
    even: bool

    @classmethod
    def of(cls, given: object, k: int) -> "Smoothing":
        """None: none; "laplace": m = k, q even; a number m: the m-estimate, q from the root.

        >>> Smoothing.of("laplace", 3)
        Smoothing(amount=3.0, even=True)
        """
        if given is None:
            return cls(0.0, True)
        if given == "laplace":
            return cls(float(k), True)
        if isinstance(given, (int, float)) and not isinstance(given, bool) and given >= 0:
            return cls(float(given), False)
        raise InputError(
            f"smoothing must be None, 'laplace' or the number m of the m-estimate, got {given!r}"
        )
