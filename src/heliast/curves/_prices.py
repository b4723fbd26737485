"""What errors cost beyond right decisions, for one class against the rest."""

from typing import NamedTuple

from heliast._core.costs import cost_matrix
from heliast._core.errors import InputError
from heliast._core.labels import Label

EQUAL = ((0.0, 1.0), (1.0, 0.0))


class Prices(NamedTuple):
    """`false_alarm` and `miss` are what the error costs more than the right decision."""

    false_alarm: float
    miss: float
    right_positive: float
    right_negative: float

    @classmethod
    def of(cls, cost: object | None, pair: tuple[Label, ...], class_: Label) -> "Prices":
        """From a 2 x 2 matrix, rows = true class, columns = label, in the order of `pair`.

        >>> Prices.of([[0, 1], [5, -2]], ("well", "sick"), "sick")
        Prices(false_alarm=1.0, miss=7.0, right_positive=-2.0, right_negative=0.0)
        """
        matrix = cost_matrix(EQUAL if cost is None else cost, pair)
        positive = pair.index(class_)
        negative = 1 - positive
        right = float(matrix[positive, positive]), float(matrix[negative, negative])
        miss = float(matrix[positive, negative]) - right[0]
        false_alarm = float(matrix[negative, positive]) - right[1]
        if false_alarm <= 0 and miss <= 0:
            raise InputError(
                "cost: errors cost nothing more than right decisions, so no threshold is best; "
                f"rows are the true class, columns the label, in the order {pair[0]}, {pair[1]}"
            )
        return cls(false_alarm, miss, *right)
